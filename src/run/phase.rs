//! Blocks whose beginning and end are told: their tracks, their time, what happens at either end.

use super::fault::{FaultKind, Result, known};
use super::frame::{Filling, Frame, Leaves, Settling};
use super::machine::Machine;
use super::note::{Note, Observer};
use super::state::Value;
use super::wait::{OVER, Progress};
use crate::program::{HoldKind, Op, Phase, WaitId};

/// A phase of a sheet: among the clauses of its type, or of the row that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct PhaseRef {
    pub of_row: bool,
    pub index: u16,
}

/// A block that begins.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Beginning {
    pub sheet: u32,
    pub phase: PhaseRef,
    /// Nothing is told or fired.
    pub quiet: bool,
    pub stage: Stage,
}

/// A block that ends.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Ending {
    pub sheet: u32,
    pub phase: PhaseRef,
    /// Nothing is told or fired.
    pub quiet: bool,
    /// Its time has run out, so that what follows it runs.
    pub run_out: bool,
    pub stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Stage {
    First,
    /// How long it lasts has been worked out.
    Amount,
    Tracks,
    Edge,
    Last,
}

impl<'p> Machine<'p> {
    pub(super) fn phase(&self, sheet: u32, phase: PhaseRef) -> Result<&'p Phase> {
        let [of_type, of_row] = self.clauses(sheet)?;
        let clauses = if phase.of_row { of_row } else { of_type };
        known(clauses.and_then(|clauses| clauses.phases.get(usize::from(phase.index))), "a phase")
    }

    /// The wait that ends a phase, if it is one for a time.
    pub(super) fn timer(&self, phase: &Phase) -> Result<Option<WaitId>> {
        let hold = known(self.program.holds.get(phase.hold.index()), "a block")?;
        Ok(match hold.kind {
            HoldKind::Timer { wait, .. } => Some(wait),
            _ => None,
        })
    }

    /// Whether a phase is to be under way: its block holds, its own time left aside.
    pub(super) fn surrounded(&mut self, sheet: u32, phase: &Phase) -> Result<bool> {
        let hold = known(self.program.holds.get(phase.hold.index()), "a block")?;
        match hold.kind {
            HoldKind::Timer { .. } => self.acts(sheet, hold.around),
            _ => self.acts(sheet, Some(phase.hold)),
        }
    }

    /// Sets the stage of the frame on top.
    fn stage(&mut self, to: Stage) {
        match self.state.frames.last_mut() {
            Some(Frame::Beginning(frame)) => frame.stage = to,
            Some(Frame::Ending(frame)) => frame.stage = to,
            _ => {}
        }
    }

    pub(super) fn beginning<O: Observer>(&mut self, _observer: &mut O) -> Result<()> {
        let Some(Frame::Beginning(frame)) = self.state.frames.last() else {
            return Err(FaultKind::Internal("a block that begins"));
        };
        let (sheet, quiet, stage) = (frame.sheet, frame.quiet, frame.stage);
        let phase = self.phase(sheet, frame.phase)?;
        let me = i64::from(sheet);
        match stage {
            Stage::First => match (self.timer(phase)?, phase.amount) {
                (Some(_), Some(amount)) => {
                    self.stage(Stage::Amount);
                    self.call(amount, me, None, &[], Leaves::Value)
                }
                (timer, _) => {
                    let begun = timer.map_or(1, |_| Progress::new(0, self.depth_to_count()).pack());
                    self.stage(Stage::Tracks);
                    self.write(sheet, phase.slot, Value::Number(begun))
                }
            },
            Stage::Amount => {
                let amount = self.pop_number()?;
                match self.counted(amount)? {
                    Some(progress) => {
                        self.stage(Stage::Tracks);
                        self.write(sheet, phase.slot, Value::Number(progress.pack()))
                    }
                    None => {
                        // No time at all: it has run out already.
                        self.state.frames.pop();
                        self.write(sheet, phase.slot, Value::Number(OVER))?;
                        match phase.then {
                            Some(then) if !quiet => self.after(sheet, then),
                            _ => Ok(()),
                        }
                    }
                }
            }
            Stage::Tracks => {
                self.stage(Stage::Edge);
                let preset = &self.state.preset;
                let tracks = phase.tracks.iter().filter(|slot| !preset.contains(&(sheet, **slot)));
                let tracks = tracks.copied().collect();
                self.fill(sheet, tracks, false);
                Ok(())
            }
            Stage::Edge | Stage::Last => {
                self.state.frames.pop();
                match phase.enter {
                    Some(enter) if !quiet => self.call(enter, me, None, &[], Leaves::Nothing),
                    _ => Ok(()),
                }
            }
        }
    }

    pub(super) fn ending<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        let Some(Frame::Ending(frame)) = self.state.frames.last() else {
            return Err(FaultKind::Internal("a block that ends"));
        };
        let (sheet, quiet, run_out, stage) = (frame.sheet, frame.quiet, frame.run_out, frame.stage);
        let phase = self.phase(sheet, frame.phase)?;
        match stage {
            Stage::First => {
                self.stage(Stage::Edge);
                if let Some(wait) = self.timer(phase)?
                    && self.read_number(sheet, phase.slot)? == OVER
                    && !quiet
                {
                    observer.note(Note::Ended { sheet, wait, conditions: None, run_out });
                    // The blocks inside end before it.
                    self.state.frames.push(Frame::Settling(Settling { quiet, only: None, rounds: 0 }));
                }
                Ok(())
            }
            Stage::Amount | Stage::Edge => {
                self.stage(Stage::Tracks);
                match phase.leave {
                    // Nothing acts any more on what belongs to a sheet that has come to its end.
                    Some(leave) if !quiet && !self.owner_is_final(sheet)? => {
                        self.call(leave, i64::from(sheet), None, &[], Leaves::Nothing)
                    }
                    _ => Ok(()),
                }
            }
            Stage::Tracks => {
                self.stage(Stage::Last);
                for slot in &phase.tracks {
                    let zero = Value::zero(self.slot_of(sheet, *slot)?);
                    if *self.read(sheet, *slot)? != zero {
                        self.write(sheet, *slot, zero)?;
                    }
                }
                Ok(())
            }
            Stage::Last => {
                self.state.frames.pop();
                match phase.then {
                    Some(then) if run_out && !quiet => self.after(sheet, then),
                    _ => Ok(()),
                }
            }
        }
    }

    /// Gives slots their default, one after the other: each may roll.
    pub(super) fn filling<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        let Some(Frame::Filling(filling)) = self.state.frames.last_mut() else {
            return Err(FaultKind::Internal("tracks to fill"));
        };
        let Filling { sheet, at, waiting, told, .. } = **filling;
        let Some(slot) = filling.slots.get(usize::from(at)).copied() else {
            self.state.frames.pop();
            return Ok(());
        };
        if waiting {
            filling.waiting = false;
            filling.at += 1;
            let value = self.pop()?;
            return self.fill_one(sheet, slot, value, told, observer);
        }
        if let Some((_, value)) = filling.given.iter().find(|(given, _)| *given == slot) {
            let value = value.clone();
            filling.at += 1;
            let value = self.fitted_where(sheet, slot, value, false)?;
            return self.write(sheet, slot, value);
        }
        let default = self.slot_of(sheet, slot)?.default;
        let code = match default {
            Some(code) => known(self.program.code.get(code.index()), "a piece of code")?,
            None => return self.fill_zero(sheet, slot, told, observer),
        };
        if let ([Op::Push(number), Op::Return], Some(Frame::Filling(filling))) =
            (code.ops.as_slice(), self.state.frames.last_mut())
        {
            filling.at += 1;
            return self.fill_one(sheet, slot, Value::Number(*number), told, observer);
        }
        if let Some(Frame::Filling(filling)) = self.state.frames.last_mut() {
            filling.waiting = true;
        }
        match default {
            Some(code) => self.call(code, i64::from(sheet), None, &[], Leaves::Value),
            None => Ok(()),
        }
    }

    fn fill_zero<O: Observer>(&mut self, sheet: u32, slot: u16, told: bool, observer: &mut O) -> Result<()> {
        if let Some(Frame::Filling(filling)) = self.state.frames.last_mut() {
            filling.at += 1;
        }
        let zero = Value::zero(self.slot_of(sheet, slot)?);
        self.fill_one(sheet, slot, zero, told, observer)
    }

    fn fill_one<O: Observer>(
        &mut self,
        sheet: u32,
        slot: u16,
        value: Value,
        told: bool,
        observer: &mut O,
    ) -> Result<()> {
        let value = self.fitted(sheet, slot, value)?;
        let from = self.read(sheet, slot)?.clone();
        self.put(sheet, slot, from, value, told, observer)
    }
}
