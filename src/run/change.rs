//! Conditions suffered and lost, and states entered.

use super::fault::{FaultKind, Limit, Result, known};
use super::limits::WAIT;
use super::machine::Machine;
use super::note::{Note, Observer};
use super::state::{Timed, Value};
use super::wait::{Progress, longer, same_clock};
use crate::program::{CodeId, EventId, Wait, WaitId};

impl<'p> Machine<'p> {
    pub(super) fn wait(&self, wait: WaitId) -> Result<&'p Wait> {
        known(self.program.waits.get(wait.index()), "a wait")
    }

    /// How long a count of so many units is: none where it is over as it begins.
    pub(super) fn counted(&self, amount: i64) -> Result<Option<Progress>> {
        if amount > WAIT {
            let count = u64::try_from(amount).unwrap_or(u64::MAX);
            return Err(FaultKind::Limit { what: Limit::Wait, count, limit: WAIT as u64 });
        }
        Ok((amount > 0).then(|| Progress::new(amount, self.depth_to_count())))
    }

    /// `sheet, set ->`, and an amount on top where the wait counts.
    pub(super) fn suffer<O: Observer>(&mut self, slot: u16, wait: Option<WaitId>, observer: &mut O) -> Result<()> {
        let entry = match wait {
            Some(wait) => Some((wait, self.wait(wait)?)),
            None => None,
        };
        let amount = match entry {
            Some((_, wait)) if wait.counted.is_some() => Some(self.pop_number()?),
            _ => None,
        };
        let mut set = self.pop_number()?;
        let sheet = self.pop_sheet()?;
        for (spared, by) in self.unsuffered(sheet, slot)? {
            if set & spared != 0 {
                observer.note(Note::Spared { sheet, slot, set: set & spared, by });
                set &= !spared;
            }
        }
        if set == 0 {
            return Ok(());
        }
        let before = self.loose(sheet, slot)?;
        match entry {
            None => {
                let stored = self.read_number(sheet, slot)?;
                self.write(sheet, slot, Value::Number(stored | set))?;
            }
            Some((id, wait)) => {
                let progress = match amount {
                    None => Some(Progress::new(0, self.depth_to_count())),
                    Some(amount) => self.counted(amount)?,
                };
                match (progress, wait.then) {
                    (Some(progress), _) => self.suffer_for(sheet, slot, set, id, progress)?,
                    // No time at all: it has run out already.
                    (None, Some(then)) => self.after(sheet, then)?,
                    (None, None) => {}
                }
            }
        }
        let added = self.loose(sheet, slot)? & !before;
        if added != 0 {
            observer.note(Note::Condition { sheet, slot, set: added, added: true });
        }
        Ok(())
    }

    /// Of the same condition on the same clock, the longer wait stays.
    fn suffer_for(&mut self, sheet: u32, slot: u16, mut set: i64, id: WaitId, progress: Progress) -> Result<()> {
        let wait = self.wait(id)?;
        let program = self.program;
        let timed = &mut self.sheet_mut(sheet)?.timed;
        for old in timed.iter_mut().filter(|old| old.slot == slot) {
            let (Some(known), Some(come)) = (program.waits.get(old.wait.index()), Progress::unpack(old.progress))
            else {
                continue;
            };
            if same_clock(wait, known) {
                if longer(wait, progress, come) {
                    old.set &= !set;
                } else {
                    set &= !old.set;
                }
            }
        }
        timed.retain(|timed| timed.set != 0);
        if set != 0 {
            timed.push(Timed { slot, set, wait: id, progress: progress.pack() });
            timed.sort();
        }
        Ok(())
    }

    /// `sheet, set ->`: all loose ones end; what a block gives stays.
    pub(super) fn lose<O: Observer>(&mut self, slot: u16, observer: &mut O) -> Result<()> {
        let set = self.pop_number()?;
        let sheet = self.pop_sheet()?;
        let lost = self.loose(sheet, slot)? & set;
        if lost == 0 {
            return Ok(());
        }
        let stored = self.read_number(sheet, slot)?;
        self.write(sheet, slot, Value::Number(stored & !set))?;
        let timed = &mut self.sheet_mut(sheet)?.timed;
        for timed in timed.iter_mut().filter(|timed| timed.slot == slot) {
            timed.set &= !set;
        }
        timed.retain(|timed| timed.set != 0);
        observer.note(Note::Condition { sheet, slot, set: lost, added: false });
        Ok(())
    }

    /// Enters a state, if it is not in it already.
    pub(super) fn go<O: Observer>(&mut self, sheet: u32, to: i64, observer: &mut O) -> Result<()> {
        let from = self.current_state(sheet)?;
        if from == to {
            return Ok(());
        }
        let ty = self.sheet_type(sheet)?;
        let here = usize::try_from(from).ok().and_then(|from| ty.states.get(from));
        let next = known(here, "a state")?.next;
        if !(0..64).contains(&to) || next >> to & 1 == 0 {
            return Err(FaultKind::Transition { sheet: self.sheet(sheet)?.ty, from, to });
        }
        observer.note(Note::State { sheet, from, to });
        self.write(sheet, 0, Value::Number(to))
    }

    /// What follows a time that has run out; nothing on a sheet that has come to its end.
    pub(super) fn after(&mut self, sheet: u32, then: CodeId) -> Result<()> {
        if self.is_final(sheet)? || self.owner_is_final(sheet)? {
            return Ok(());
        }
        self.call(then, i64::from(sheet), None, &[], super::frame::Leaves::Nothing)
    }

    /// An event to a sheet that is none.
    pub(super) fn sent_to_nobody<O: Observer>(&mut self, event: EventId, observer: &mut O) -> Result<()> {
        observer.note(Note::NotSent { event, sheet: None });
        Ok(())
    }
}
