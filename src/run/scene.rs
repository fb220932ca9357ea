//! What only scenarios do: give, answer ahead, expect, finish.

use std::sync::Arc;

use super::cost::Turns;
use super::fault::{FaultKind, Limit, Result, Taker, known};
use super::frame::{Frame, Settling};
use super::limits::REPEATS;
use super::machine::Machine;
use super::note::{Note, Observer};
use super::outcome::Outcome;
use super::state::{Instance, Value};
use crate::program::{CodeId, Op, SheetId, TableId};

impl<'p> Machine<'p> {
    pub(super) fn scene<O: Observer>(&mut self, op: &'p Op, observer: &mut O) -> Result<()> {
        match op {
            Op::New(ty) => {
                let sheet = self.add_sheet(*ty, None, None)?;
                observer.note(Note::Made { sheet, ty: *ty, owner: None, row: None, given: true });
                self.push(i64::from(sheet));
                Ok(())
            }
            Op::Default { slot } => {
                let sheet = self.pop_sheet()?;
                self.fill(sheet, vec![*slot], false);
                Ok(())
            }
            Op::Give { slot } => {
                let value = self.pop()?;
                let sheet = self.pop_sheet()?;
                let value = self.fitted_where(sheet, *slot, value, false)?;
                if self.slot_of(sheet, *slot)?.hold.is_some() {
                    self.state.preset.push((sheet, *slot));
                }
                self.write(sheet, *slot, value)
            }
            Op::GiveValue { value } => {
                let given = self.pop()?;
                let sheet = self.pop_sheet()?;
                let values = &mut self.sheet_mut(sheet)?.given;
                values.retain(|(known, _)| known != value);
                values.push((*value, given));
                values.sort_by_key(|(value, _)| *value);
                Ok(())
            }
            Op::GiveState { state } => {
                let sheet = self.pop_sheet()?;
                self.write(sheet, 0, Value::Number(i64::from(*state)))
            }
            Op::Settle => {
                let sheet = self.pop_sheet()?;
                self.settle_quietly(sheet);
                Ok(())
            }
            Op::GiveRows { table, row } => {
                let count = self.pop_number()?;
                let owner = self.pop_sheet()?;
                self.give_rows(*table, *row, owner, count, observer)
            }
            Op::Answer(name) => {
                let answer = self.pop()?;
                self.state.answers.retain(|(known, _)| known != name);
                self.state.answers.push((name.clone(), answer));
                self.state.answers.sort_by(|a, b| a.0.cmp(&b.0));
                Ok(())
            }
            Op::Again => self.again(),
            Op::Expect(expect) => {
                let met = self.pop_number()? != 0;
                let expectation = known(self.program.expectations.get(expect.index()), "an expectation")?;
                let sides = match expectation.sides {
                    Some(_) => {
                        let right = self.pop()?;
                        Some((self.pop()?, right))
                    }
                    None => None,
                };
                let sides = sides.as_ref().map(|(left, right)| (left, right));
                observer.note(Note::Expect { expect: *expect, met, sides });
                Ok(())
            }
            Op::Finish(types) => {
                let count =
                    u8::try_from(types.len()).map_err(|_| FaultKind::Internal("an outcome of so many parts"))?;
                let values = self.pop_many(count)?;
                self.finish(Outcome::Values(types.iter().copied().zip(values).collect()));
                Ok(())
            }
            Op::FinishCase(case) => {
                let code = match self.state.frames.first() {
                    Some(Frame::Code(running)) => running.code,
                    _ => return Err(FaultKind::Internal("a scenario to finish")),
                };
                let scenario = self.program.scenarios.iter().position(|scenario| scenario.code == code);
                let scenario = crate::program::ScenarioId(known(scenario, "a scenario to finish")? as u32);
                self.finish(Outcome::Case(scenario, *case));
                Ok(())
            }
            Op::FinishState => {
                let first = known(self.state.sheets.first(), "a sheet given")?.ty;
                let state = self.current_state(0)?;
                self.finish(Outcome::State(first, state));
                Ok(())
            }
            _ => Err(FaultKind::Internal("an operation of this kind")),
        }
    }

    pub(super) fn finish(&mut self, outcome: Outcome) {
        self.state.frames.clear();
        self.state.stack.clear();
        self.state.outcome = Some(outcome);
    }

    pub(super) fn settle_quietly(&mut self, sheet: u32) {
        self.state.frames.push(Frame::Settling(Settling { quiet: true, only: Some(sheet), rounds: 0 }));
    }

    /// A sheet given by those who play: defaults, what is set, then the blocks that hold.
    pub(super) fn make_given(&mut self, ty: SheetId, sets: &[(u16, Value)]) -> Result<u32> {
        let sheet = self.add_sheet(ty, None, None)?;
        for (slot, _) in sets {
            if self.slot_of(sheet, *slot)?.hold.is_some() {
                self.state.preset.push((sheet, *slot));
            }
        }
        let mut slots = self.default_slots(ty, &[])?;
        slots.extend(sets.iter().map(|(slot, _)| *slot));
        slots.sort_unstable();
        slots.dedup();
        self.settle_quietly(sheet);
        self.fill_with(sheet, slots, sets.to_vec(), false);
        Ok(sheet)
    }

    /// So many sheets made by a row, without its body.
    fn give_rows<O: Observer>(
        &mut self,
        table: TableId,
        row: u32,
        owner: u32,
        count: i64,
        observer: &mut O,
    ) -> Result<()> {
        let params = &self.table(table)?.params;
        let args = self.arguments(Taker::Table(table), params, &[], crate::program::NONE)?;
        self.settle_quietly(owner);
        for _ in 0..count {
            let (sheet, slots) = self.make_by_row(table, row, owner, &args, true, observer)?;
            self.sheet_mut(sheet)?.unfinished = false;
            self.fill(sheet, slots, false);
        }
        Ok(())
    }

    /// One more turn of a `repeat`.
    fn again(&mut self) -> Result<()> {
        let at: (CodeId, u32) = known(self.cost.at, "a place")?;
        let sheets: &Vec<Arc<Instance>> = &self.state.sheets;
        let chances = self.cost.dice;
        let last = self.cost.turns.take().filter(|turns| turns.at == at);
        let count = last.as_ref().map_or(0, |turns| turns.count) + 1;
        if count > REPEATS {
            return Err(FaultKind::Limit { what: Limit::Repeats, count, limit: REPEATS });
        }
        if let Some(last) = last
            && last.chances == chances
            && last.sheets == *sheets
        {
            let first = sheets.first().map(|sheet| sheet.ty);
            let sheet = match first {
                Some(ty) => Some((ty, self.current_state(0)?)),
                None => None,
            };
            return Err(FaultKind::Endless { sheet });
        }
        self.cost.turns = Some(Turns { at, count, sheets: sheets.clone(), chances });
        Ok(())
    }
}
