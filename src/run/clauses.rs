//! What holds: read off the state whenever it is asked for.

use super::fault::{FaultKind, Result, known};
use super::limits::NESTING;
use super::machine::Machine;
use super::set::within;
use super::state::Value;
use crate::program::{Cannot, Clauses, EventId, Forbidden, HoldId, HoldKind, Pattern, Up};

/// What a sheet gives another, by a block that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gift {
    /// The sheet whose block it is.
    pub by: u32,
    /// The set of conditions.
    pub slot: u16,
    /// Which ones, as bits.
    pub set: i64,
}

impl<'p> Machine<'p> {
    /// The clauses of a sheet: its type's, then those of the row that made it.
    pub(super) fn clauses(&self, sheet: u32) -> Result<[Option<&'p Clauses>; 2]> {
        let instance = self.sheet(sheet)?;
        let of_type = &self.of_type(instance.ty)?.clauses;
        let of_row = match instance.row {
            Some((table, row)) => Some(&self.row(table, row)?.clauses),
            None => None,
        };
        Ok([Some(of_type), of_row])
    }

    /// Whether a clause under this hold acts: its reason and all reasons around it are there, and
    /// no final state keeps it from acting.
    pub(super) fn acts(&mut self, sheet: u32, hold: Option<HoldId>) -> Result<bool> {
        if self.owner_is_final(sheet)? {
            return Ok(false);
        }
        let state = self.current_state(sheet)?;
        let mut lasts = !self.sheet_type(sheet)?.is_final(state);
        let mut at = hold;
        let mut steps = 0;
        while let Some(id) = at {
            steps += 1;
            if steps > NESTING {
                return Err(FaultKind::Internal("a block around itself"));
            }
            let hold = known(self.program.holds.get(id.index()), "a block")?;
            let holds = match &hold.kind {
                HoldKind::While(code) => self.pure_yes(*code, i64::from(sheet), &[])?,
                HoldKind::States(states) => {
                    let here = (0..64).contains(&state) && states >> state & 1 == 1;
                    lasts |= here;
                    here
                }
                HoldKind::Ever => {
                    lasts = true;
                    true
                }
                HoldKind::Timer { slot, .. } => self.read_number(sheet, *slot)? > 0,
            };
            if !holds {
                return Ok(false);
            }
            at = hold.around;
        }
        Ok(lasts)
    }

    pub(super) fn applies(
        &mut self,
        bearer: u32,
        hold: Option<HoldId>,
        when: Option<crate::program::CodeId>,
    ) -> Result<bool> {
        Ok(self.acts(bearer, hold)?
            && match when {
                Some(when) => self.pure_yes(when, i64::from(bearer), &[])?,
                None => true,
            })
    }

    /// The clauses of a sheet and of those attached to it that some look wants, with how many
    /// owners up each would have to point.
    pub(super) fn borne(&mut self, sheet: u32) -> Result<Vec<(u32, Up, &'p Clauses)>> {
        let mut list = Vec::new();
        self.looked_at(self.state.sheets.len().saturating_sub(sheet as usize));
        for bearer in (0u32..).take(self.state.sheets.len()).skip(sheet as usize) {
            let Some(up) = self.levels(bearer, sheet) else { continue };
            let [of_type, of_row] = self.clauses(bearer)?;
            list.extend(of_type.into_iter().chain(of_row).map(|clauses| (bearer, up, clauses)));
        }
        Ok(list)
    }

    /// A value: its formula or what was given in its place, and all that is added to it.
    pub(super) fn worked_out(&mut self, sheet: u32, index: u16, args: &[Value]) -> Result<Value> {
        let value = known(self.sheet_type(sheet)?.values.get(usize::from(index)), "a value")?;
        let given = self.sheet(sheet)?.given.iter().find(|(given, _)| *given == index).map(|(_, value)| value.clone());
        let base = match given {
            Some(value) => value,
            None => self.pure(value.formula, i64::from(sheet), args)?,
        };
        let Value::Number(mut total) = base else { return Ok(base) };
        let mut best: Option<i64> = None;
        for (bearer, up, clauses) in self.borne(sheet)? {
            for add in clauses.adds.iter().filter(|add| add.up == up && add.value == index) {
                if !self.matches(bearer, &add.args, args)? || !self.applies(bearer, add.hold, add.when)? {
                    continue;
                }
                let amount = self.pure_number(add.amount, i64::from(bearer), &[])?;
                if add.best {
                    best = Some(best.map_or(amount, |best| best.max(amount)));
                } else {
                    total = total.checked_add(amount).ok_or(FaultKind::Overflow)?;
                }
            }
        }
        total = total.checked_add(best.unwrap_or(0)).ok_or(FaultKind::Overflow)?;
        Ok(Value::Number(total))
    }

    fn matches(&mut self, bearer: u32, patterns: &'p [Option<Pattern>], args: &[Value]) -> Result<bool> {
        for (pattern, arg) in patterns.iter().zip(args) {
            let fits = match pattern {
                None => true,
                Some(Pattern::Equal(code)) => self.pure(*code, i64::from(bearer), &[])? == *arg,
                Some(Pattern::Within(code)) => {
                    let set = self.pure_number(*code, i64::from(bearer), &[])?;
                    within(known(arg.number(), "a member")?, set)
                }
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A set of conditions with all that blocks give it and what is suffered for a time.
    pub(super) fn all_conditions(&mut self, sheet: u32, slot: u16) -> Result<i64> {
        let mut set = self.loose(sheet, slot)?;
        for (bearer, up, clauses) in self.borne(sheet)? {
            for has in clauses.has.iter().filter(|has| has.up == up && has.slot == slot) {
                if self.applies(bearer, has.hold, has.when)? {
                    set |= self.pure_number(has.what, i64::from(bearer), &[])?;
                }
            }
        }
        Ok(set)
    }

    /// Conditions that no block gives: those suffered, for good or for a time.
    pub(super) fn loose(&self, sheet: u32, slot: u16) -> Result<i64> {
        let timed = self.sheet(sheet)?.timed.iter().filter(|timed| timed.slot == slot);
        Ok(timed.fold(self.read_number(sheet, slot)?, |set, timed| set | timed.set))
    }

    /// What blocks give a sheet, each gift with the sheet whose block it is.
    pub(super) fn gifts_to(&mut self, sheet: u32) -> Result<Vec<Gift>> {
        let mut gifts = Vec::new();
        for (by, up, clauses) in self.borne(sheet)? {
            for has in clauses.has.iter().filter(|has| has.up == up) {
                if self.applies(by, has.hold, has.when)? {
                    let set = self.pure_number(has.what, i64::from(by), &[])?;
                    gifts.push(Gift { by, slot: has.slot, set });
                }
            }
        }
        Ok(gifts)
    }

    /// Sheets of a tree that a clause keeps from an event, each with the sheet whose clause it is.
    pub(super) fn forbidden(&mut self, root: u32, event: EventId, args: &[Value]) -> Result<Vec<(u32, u32)>> {
        let mut list = Vec::new();
        for (bearer, _, clauses) in self.borne(root)? {
            for cannot in &clauses.cannot {
                let Forbidden::Event { event: forbidden, args: patterns } = &cannot.what else { continue };
                if *forbidden != event {
                    continue;
                }
                let Some(kept) = self.kept_from(bearer, root, cannot)? else { continue };
                if self.matches(bearer, patterns, args)? && self.applies(bearer, cannot.hold, cannot.when)? {
                    list.push((kept, bearer));
                }
            }
        }
        Ok(list)
    }

    /// The sheet a clause points at, where it is in the tree.
    fn kept_from(&self, bearer: u32, root: u32, cannot: &Cannot) -> Result<Option<u32>> {
        let kept = self.owner(bearer, cannot.up)?;
        Ok(kept.filter(|kept| self.levels(*kept, root).is_some()))
    }

    /// Conditions that a sheet does not suffer, each with the sheet whose clause it is.
    pub(super) fn unsuffered(&mut self, sheet: u32, slot: u16) -> Result<Vec<(i64, u32)>> {
        let mut list = Vec::new();
        for (bearer, up, clauses) in self.borne(sheet)? {
            for cannot in clauses.cannot.iter().filter(|cannot| cannot.up == up) {
                let Forbidden::Suffering { slot: forbidden, what } = &cannot.what else { continue };
                if *forbidden == slot && self.applies(bearer, cannot.hold, cannot.when)? {
                    list.push((self.pure_number(*what, i64::from(bearer), &[])?, bearer));
                }
            }
        }
        Ok(list)
    }
}
