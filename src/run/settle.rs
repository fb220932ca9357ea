//! After each handler, what holds comes to rest: states read off, bounds that fell, blocks that
//! begin and end, waits that a state ends.

use super::fault::{FaultKind, Limit, Result};
use super::frame::{Frame, Settling};
use super::limits::ROUNDS;
use super::machine::Machine;
use super::note::{Note, Observer};
use super::phase::{Beginning, Ending, PhaseRef, Stage};
use super::state::Value;
use super::wait::OVER;
use crate::program::{NONE, Role, Type};

impl<'p> Machine<'p> {
    /// What holds is to be looked at.
    pub(super) fn settle(&mut self, quiet: bool) {
        self.state.frames.push(Frame::Settling(Settling { quiet, only: None, rounds: 0 }));
    }

    /// Looks for one thing to do; at rest where there is none.
    pub(super) fn settling<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        let Some(Frame::Settling(settling)) = self.state.frames.last_mut() else {
            return Err(FaultKind::Internal("what holds to look at"));
        };
        settling.rounds += 1;
        let Settling { quiet, only, rounds } = *settling;
        if rounds > ROUNDS {
            return Err(FaultKind::Limit { what: Limit::Rounds, count: u64::from(rounds), limit: u64::from(ROUNDS) });
        }
        let sheets: Vec<u32> = match only {
            Some(sheet) => self.tree(sheet),
            None if !self.state.stirred => Vec::new(),
            None => (0u32..).take(self.state.sheets.len()).collect(),
        };
        if sheets.is_empty() {
            self.state.frames.pop();
            return Ok(());
        }
        self.looked_at(sheets.len().saturating_mul(8));
        self.tick()?;
        if only.is_none() {
            self.state.stirred = false;
        }
        for sheet in &sheets {
            self.read_off(*sheet, quiet, observer)?;
            self.bring_down(*sheet, quiet, observer)?;
            self.end_by_state(*sheet, observer)?;
        }
        for sheet in &sheets {
            if let Some(phase) = self.overdue(*sheet)? {
                self.state.stirred = true;
                return self.end(*sheet, phase, quiet);
            }
        }
        for sheet in &sheets {
            if let Some(phase) = self.due(*sheet)? {
                self.state.stirred = true;
                let beginning = Beginning { sheet: *sheet, phase, quiet, stage: Stage::First };
                self.state.frames.push(Frame::Beginning(beginning));
                return Ok(());
            }
        }
        if only.is_none() && self.state.stirred {
            // Something came down or was read off: look again.
            return Ok(());
        }
        self.state.frames.pop();
        self.state.preset.retain(|(sheet, _)| !sheets.contains(sheet));
        observer.settled(self, quiet);
        Ok(())
    }

    /// A state that is read off a track.
    fn read_off<O: Observer>(&mut self, sheet: u32, quiet: bool, observer: &mut O) -> Result<()> {
        if self.sheet_type(sheet)?.state_by.is_none() {
            return Ok(());
        }
        let (from, to) = (self.read_number(sheet, 0)?, self.current_state(sheet)?);
        if from == to {
            return Ok(());
        }
        if !quiet && from != NONE {
            observer.note(Note::State { sheet, from, to });
        }
        self.write(sheet, 0, Value::Number(to))
    }

    /// A bound that fell below its track takes it along; it does not rise again with it.
    fn bring_down<O: Observer>(&mut self, sheet: u32, quiet: bool, observer: &mut O) -> Result<()> {
        let slots = &self.sheet_type(sheet)?.slots;
        for (index, slot) in (0u16..).zip(slots) {
            let worked_out = slot.low.is_some() || slot.high.is_some();
            if slot.role != Role::Track || !worked_out || !matches!(slot.ty, Type::Number { .. }) {
                continue;
            }
            if slot.hold.is_some() && !self.acts(sheet, slot.hold)? {
                continue;
            }
            let number = self.read_number(sheet, index)?;
            let (low, high) = self.bounds(sheet, slot)?;
            let within = number.max(low).min(high);
            self.put(sheet, index, Value::Number(number), Value::Number(within), !quiet, observer)?;
        }
        Ok(())
    }

    /// Waits of a sheet that the state it is in ends.
    fn end_by_state<O: Observer>(&mut self, sheet: u32, observer: &mut O) -> Result<()> {
        if self.sheet(sheet)?.timed.is_empty() {
            return Ok(());
        }
        let state = self.current_state(sheet)?;
        let mut ended = Vec::new();
        for timed in &self.sheet(sheet)?.timed {
            if (0..64).contains(&state) && self.wait(timed.wait)?.states >> state & 1 == 1 {
                ended.push(timed.clone());
            }
        }
        for timed in ended {
            self.end_timed(sheet, &timed, false, observer)?;
        }
        Ok(())
    }

    /// Takes away what was suffered for a time.
    pub(super) fn end_timed<O: Observer>(
        &mut self,
        sheet: u32,
        ended: &super::state::Timed,
        run_out: bool,
        observer: &mut O,
    ) -> Result<()> {
        let (slot, set) = (ended.slot, ended.set);
        self.sheet_mut(sheet)?.timed.retain(|timed| timed != ended);
        observer.note(Note::Ended { sheet, wait: ended.wait, conditions: Some((slot, set)), run_out });
        let gone = set & !self.loose(sheet, slot)?;
        if gone != 0 {
            observer.note(Note::Condition { sheet, slot, set: gone, added: false });
        }
        Ok(())
    }

    fn phases(&self, sheet: u32) -> Result<Vec<PhaseRef>> {
        let [of_type, of_row] = self.clauses(sheet)?;
        let count =
            |clauses: Option<&crate::program::Clauses>| clauses.map_or(0, |clauses| clauses.phases.len()) as u16;
        let of_row = if self.sheet(sheet)?.unfinished { 0 } else { count(of_row) };
        let refs = |of_row: bool, count: u16| (0..count).map(move |index| PhaseRef { of_row, index });
        Ok(refs(false, count(of_type)).chain(refs(true, of_row)).collect())
    }

    /// The innermost phase that is under way and should not be.
    fn overdue(&mut self, sheet: u32) -> Result<Option<PhaseRef>> {
        for reference in self.phases(sheet)?.into_iter().rev() {
            let phase = self.phase(sheet, reference)?;
            if self.read_number(sheet, phase.slot)? == 0 {
                continue;
            }
            if !self.surrounded(sheet, phase)? {
                return Ok(Some(reference));
            }
            // A time that a state of its bearer ends.
            if let Some(wait) = self.timer(phase)?
                && self.read_number(sheet, phase.slot)? > 0
            {
                let state = self.current_state(sheet)?;
                if (0..64).contains(&state) && self.wait(wait)?.states >> state & 1 == 1 {
                    return Ok(Some(reference));
                }
            }
        }
        Ok(None)
    }

    /// The outermost phase that should be under way and is not.
    fn due(&mut self, sheet: u32) -> Result<Option<PhaseRef>> {
        for reference in self.phases(sheet)? {
            let phase = self.phase(sheet, reference)?;
            if self.read_number(sheet, phase.slot)? == 0 && self.surrounded(sheet, phase)? {
                return Ok(Some(reference));
            }
        }
        Ok(None)
    }

    fn end(&mut self, sheet: u32, reference: PhaseRef, quiet: bool) -> Result<()> {
        let phase = self.phase(sheet, reference)?;
        let was_over = self.read_number(sheet, phase.slot)? == OVER;
        // Ended by a state while what is around it lasts: over, so that it does not begin again.
        let over = !was_over && self.surrounded(sheet, phase)?;
        self.write(sheet, phase.slot, Value::Number(if over { OVER } else { 0 }))?;
        if !was_over {
            let ending = Ending { sheet, phase: reference, quiet, run_out: false, stage: Stage::First };
            self.state.frames.push(Frame::Ending(ending));
        }
        Ok(())
    }
}
