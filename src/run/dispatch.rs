//! An event on its way: who hears it is settled as it begins; then all `before`, then all `on`.

use std::sync::Arc;

use super::fault::{FaultKind, Limit, Result, known};
use super::frame::{Frame, Leaves};
use super::limits::DEPTH;
use super::machine::Machine;
use super::note::{Note, Observer};
use super::phase::{Ending, PhaseRef, Stage};
use super::state::Value;
use crate::program::{CodeId, Event, EventId};

/// An event about to be sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Sending {
    event: EventId,
    args: Vec<Value>,
    targets: Vec<u32>,
}

/// An event under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Dispatch {
    pub event: EventId,
    /// The sheets it was sent to, with its arguments.
    pub targets: Vec<(u32, Arc<[Value]>)>,
    pub before: Vec<Turn>,
    pub on: Vec<Turn>,
    pub at: u32,
    pub part: Part,
    /// What ended with it, last first.
    pub ends: Vec<End>,
    /// For an event that spreads: every sheet that has heard it, in the outermost of its kind.
    pub reached: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Before,
    On,
    Waits,
    Ends,
    Anew,
    Last,
}

/// One handler that hears the event.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Turn {
    pub sheet: u32,
    pub of_row: bool,
    pub handler: u16,
    pub target: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum End {
    Phase(u32, PhaseRef, bool),
    Then(u32, CodeId),
}

impl<'p> Machine<'p> {
    /// How many events stand on top of each other.
    pub(super) fn depth(&self) -> usize {
        self.state.frames.iter().filter(|frame| matches!(frame, Frame::Dispatch(_))).count()
    }

    /// How deep the innermost event stands that waits have yet to count: what begins now began
    /// during it. What begins as an event's waits run out is not counted by that event any more.
    pub(super) fn depth_to_count(&self) -> usize {
        let dispatches = self.state.frames.iter().filter_map(|frame| match frame {
            Frame::Dispatch(dispatch) => Some(dispatch.part),
            _ => None,
        });
        (1..)
            .zip(dispatches)
            .filter(|(_, part)| matches!(part, Part::Before | Part::On | Part::Waits))
            .last()
            .map_or(0, |(depth, _)| depth)
    }

    pub(super) fn event(&self, event: EventId) -> Result<&'p Event> {
        known(self.program.events.get(event.index()), "an event")
    }

    /// Sends an event to these sheets; the outermost one once what holds is at rest.
    pub(super) fn send(&mut self, event: EventId, args: Vec<Value>, targets: Vec<u32>) -> Result<()> {
        self.event(event)?;
        for target in &targets {
            self.sheet(*target)?;
        }
        self.state.frames.push(Frame::Sending(Box::new(Sending { event, args, targets })));
        if self.state.stirred && self.depth() == 0 {
            self.settle(false);
        }
        Ok(())
    }

    pub(super) fn sending<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        let Some(Frame::Sending(sending)) = self.state.frames.pop() else {
            return Err(FaultKind::Internal("an event to send"));
        };
        let Sending { event, args, targets } = *sending;
        let depth = self.depth() + 1;
        if depth > DEPTH {
            return Err(FaultKind::Limit { what: Limit::Depth, count: depth as u64, limit: DEPTH as u64 });
        }
        let entry = self.event(event)?;
        let quiet = self.program.check_event == Some(event) || entry.id == "made";
        let mut reached_by = Vec::with_capacity(targets.len());
        let mut deaf = Vec::new();
        for target in targets {
            let Some(args) = self.event_args(event, entry, &args, target)? else {
                observer.note(Note::NotSent { event, sheet: Some(target) });
                continue;
            };
            let forbidden = self.forbidden(target, event, &args)?;
            for (sheet, by) in &forbidden {
                observer.note(Note::Forbidden { event, sheet: *sheet, by: *by });
            }
            if forbidden.iter().any(|(sheet, _)| *sheet == target) {
                continue;
            }
            if !quiet {
                observer.note(Note::Event { event, sheet: target, args: &args });
            }
            deaf.extend(forbidden.into_iter().map(|(sheet, _)| sheet));
            reached_by.push((target, Arc::from(args)));
        }
        if reached_by.is_empty() {
            return Ok(());
        }
        let mut dispatch = Dispatch {
            event,
            targets: reached_by,
            before: Vec::new(),
            on: Vec::new(),
            at: 0,
            part: Part::Before,
            ends: Vec::new(),
            reached: Vec::new(),
        };
        self.listeners(&mut dispatch, &deaf)?;
        let before = std::mem::take(&mut dispatch.before);
        dispatch.before = self.guarded(&dispatch, before)?;
        self.state.frames.push(Frame::Dispatch(Box::new(dispatch)));
        Ok(())
    }

    pub(super) fn dispatched(&mut self) -> Result<&mut Dispatch> {
        match self.state.frames.last_mut() {
            Some(Frame::Dispatch(dispatch)) => Ok(dispatch),
            _ => Err(FaultKind::Internal("an event under way")),
        }
    }

    /// The next thing to do for the event on top.
    pub(super) fn dispatch<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        let dispatch = self.dispatched()?;
        match dispatch.part {
            Part::Before | Part::On => {
                let turns = if dispatch.part == Part::Before { &dispatch.before } else { &dispatch.on };
                let Some(turn) = turns.get(dispatch.at as usize).cloned() else { return self.next_part(observer) };
                dispatch.at += 1;
                let args = dispatch.targets.get(usize::from(turn.target)).map(|(_, args)| args.clone());
                let args = known(args, "a sheet sent to")?;
                let handler = self.handler(&turn)?;
                if self.acts(turn.sheet, handler.hold)? {
                    self.settle(false);
                    self.call(handler.body, i64::from(turn.sheet), handler.hold, &args, Leaves::Nothing)?;
                }
                Ok(())
            }
            Part::Waits => {
                dispatch.part = Part::Ends;
                let ends = self.count_waits(observer)?;
                self.dispatched()?.ends = ends;
                Ok(())
            }
            Part::Ends => {
                let Some(end) = dispatch.ends.pop() else {
                    dispatch.part = Part::Anew;
                    return Ok(());
                };
                self.settle(false);
                match end {
                    End::Phase(sheet, phase, run_out) => {
                        let ending = Ending { sheet, phase, quiet: false, run_out, stage: Stage::First };
                        self.state.frames.push(Frame::Ending(ending));
                        Ok(())
                    }
                    End::Then(sheet, then) => self.after(sheet, then),
                }
            }
            Part::Anew => {
                dispatch.part = Part::Last;
                let event = dispatch.event;
                let roots: Vec<u32> = dispatch.targets.iter().map(|(root, _)| *root).collect();
                self.settle(false);
                for root in roots.into_iter().rev() {
                    for sheet in self.tree(root).into_iter().rev() {
                        let mut anew = Vec::new();
                        for (index, slot) in (0u16..).zip(&self.sheet_type(sheet)?.slots) {
                            let lives = slot.anew == Some(event);
                            if lives && (slot.hold.is_none() || self.acts(sheet, slot.hold)?) {
                                anew.push(index);
                            }
                        }
                        self.fill(sheet, anew, true);
                    }
                }
                Ok(())
            }
            Part::Last => {
                self.state.frames.pop();
                Ok(())
            }
        }
    }

    fn next_part<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        let dispatch = self.dispatched()?;
        dispatch.at = 0;
        if dispatch.part == Part::On {
            dispatch.part = Part::Waits;
            return Ok(());
        }
        dispatch.part = Part::On;
        let on = std::mem::take(&mut dispatch.on);
        let copy = Dispatch { on: Vec::new(), before: Vec::new(), ..dispatch.clone() };
        let wanted = !on.is_empty();
        let on = self.guarded(&copy, on)?;
        let dispatch = self.dispatched()?;
        if wanted && on.is_empty() && dispatch.before.is_empty() {
            observer.note(Note::Unanswered { event: dispatch.event });
        }
        dispatch.on = on;
        Ok(())
    }
}
