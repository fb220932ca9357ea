//! An event on its way: who hears it is settled as it begins; then all `before`, then all `on`.

use std::sync::Arc;

use super::fault::{FaultKind, Limit, Result, Taker, known};
use super::frame::{Frame, Leaves};
use super::limits::DEPTH;
use super::machine::{Machine, check_argument};
use super::note::{Note, Observer};
use super::phase::{Ending, PhaseRef, Stage};
use super::state::Value;
use super::wait::{Heard, OVER, Progress, hear};
use crate::program::{CodeId, Event, EventId, Handler, NONE, Type};

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
    event: EventId,
    /// The sheets it was sent to, with its arguments.
    targets: Vec<(u32, Arc<[Value]>)>,
    before: Vec<Turn>,
    on: Vec<Turn>,
    at: u32,
    part: Part,
    /// What ended with it, last first.
    ends: Vec<End>,
    /// For an event that spreads: every sheet that has heard it, in the outermost of its kind.
    reached: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Before,
    On,
    Waits,
    Ends,
    Anew,
    Last,
}

/// One handler that hears the event.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Turn {
    sheet: u32,
    of_row: bool,
    handler: u16,
    target: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum End {
    Phase(u32, PhaseRef, bool),
    Then(u32, CodeId),
}

impl<'p> Machine<'p> {
    /// How many events stand on top of each other.
    pub(super) fn depth(&self) -> usize {
        self.state.frames.iter().filter(|frame| matches!(frame, Frame::Dispatch(_))).count()
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

    /// The arguments as one sheet gets them; `None`: one is none that must not be.
    fn event_args(&mut self, id: EventId, event: &'p Event, given: &[Value], to: u32) -> Result<Option<Vec<Value>>> {
        let mut args: Vec<Value> = Vec::with_capacity(event.params.len());
        for (index, param) in event.params.iter().enumerate() {
            let value = match (given.get(index), param.default, param.choices) {
                (Some(value), ..) => value.clone(),
                (None, Some(code), _) => self.pure(code, i64::from(to), &args)?,
                (None, None, Some(code)) => match self.pure(code, i64::from(to), &args)? {
                    Value::Sheets(sheets) => Value::Number(sheets.first().map_or(NONE, |sheet| i64::from(*sheet))),
                    _ => return Err(FaultKind::Internal("a list to choose from")),
                },
                (None, None, None) => Value::Number(NONE),
            };
            let takes_none = match param.ty {
                Type::Kind { or_none, .. } | Type::Row { or_none, .. } | Type::Sheet { or_none, .. } => or_none,
                Type::State(_) | Type::Made(_) | Type::Option(_) => false,
                _ => true,
            };
            if value == Value::Number(NONE) && !takes_none {
                return Ok(None);
            }
            check_argument(Taker::Event(id), index, param, &value)?;
            args.push(value);
        }
        if given.len() > event.params.len() {
            return Err(FaultKind::Internal("more arguments than parameters"));
        }
        Ok(Some(args))
    }

    /// Every handler under a block that holds, in order; for a spreading event only on sheets that
    /// it has not reached in this cascade.
    fn listeners(&mut self, dispatch: &mut Dispatch, deaf: &[u32]) -> Result<()> {
        let event = dispatch.event;
        let spreads = self.event(event)?.spreading;
        let mut reached: Vec<u32> = Vec::new();
        if spreads {
            let outermost = self.state.frames.iter().find_map(|frame| match frame {
                Frame::Dispatch(outer) if outer.event == event => Some(&outer.reached),
                _ => None,
            });
            reached.extend(outermost.into_iter().flatten());
        }
        let known_before = reached.len();
        for (target, (root, _)) in (0u16..).zip(&dispatch.targets) {
            for sheet in self.tree(*root) {
                if deaf.contains(&sheet) || reached.contains(&sheet) {
                    continue;
                }
                if spreads {
                    reached.push(sheet);
                }
                for (of_row, clauses) in [false, true].into_iter().zip(self.clauses(sheet)?) {
                    let handlers = clauses.map_or(&[][..], |clauses| &clauses.handlers);
                    for (index, handler) in (0u16..).zip(handlers) {
                        if handler.event != event || !self.acts(sheet, handler.hold)? {
                            continue;
                        }
                        let turn = Turn { sheet, of_row, handler: index, target };
                        if handler.before { dispatch.before.push(turn) } else { dispatch.on.push(turn) }
                    }
                }
            }
        }
        if spreads {
            let outermost = self.state.frames.iter_mut().find_map(|frame| match frame {
                Frame::Dispatch(outer) if outer.event == event => Some(&mut outer.reached),
                _ => None,
            });
            match outermost {
                Some(known) => known.extend(reached.drain(known_before..)),
                None => dispatch.reached = reached,
            }
        }
        Ok(())
    }

    fn handler(&self, turn: &Turn) -> Result<&'p Handler> {
        let [of_type, of_row] = self.clauses(turn.sheet)?;
        let clauses = if turn.of_row { of_row } else { of_type };
        known(clauses.and_then(|clauses| clauses.handlers.get(usize::from(turn.handler))), "a handler")
    }

    /// Those whose guard is true now.
    fn guarded(&mut self, dispatch: &Dispatch, turns: Vec<Turn>) -> Result<Vec<Turn>> {
        let mut answer = Vec::with_capacity(turns.len());
        for turn in turns {
            let (_, args) = known(dispatch.targets.get(usize::from(turn.target)), "a sheet sent to")?;
            let hears = match self.handler(&turn)?.guard {
                Some(guard) => self.pure_yes(guard, i64::from(turn.sheet), args)?,
                None => true,
            };
            if hears {
                answer.push(turn);
            }
        }
        Ok(answer)
    }

    fn dispatched(&mut self) -> Result<&mut Dispatch> {
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
                let Some(turn) = turns.get(dispatch.at as usize).cloned() else { return self.next_part() };
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
                        let slots = (0u16..).zip(&self.sheet_type(sheet)?.slots);
                        let anew = slots.filter(|(_, slot)| slot.anew == Some(event)).map(|(index, _)| index).collect();
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

    fn next_part(&mut self) -> Result<()> {
        let dispatch = self.dispatched()?;
        dispatch.at = 0;
        if dispatch.part == Part::On {
            dispatch.part = Part::Waits;
            return Ok(());
        }
        dispatch.part = Part::On;
        let on = std::mem::take(&mut dispatch.on);
        let copy = Dispatch { on: Vec::new(), before: Vec::new(), ..dispatch.clone() };
        let on = self.guarded(&copy, on)?;
        self.dispatched()?.on = on;
        Ok(())
    }

    /// The event is over for the waits: each that it counts for comes closer to its end. What
    /// ended, last first.
    fn count_waits<O: Observer>(&mut self, observer: &mut O) -> Result<Vec<End>> {
        let dispatch = self.dispatched()?;
        let event = dispatch.event;
        let roots: Vec<u32> = dispatch.targets.iter().map(|(root, _)| *root).collect();
        let depth = self.depth();
        let mut ends = Vec::new();
        for sheet in (0u32..).take(self.state.sheets.len()) {
            let reached = roots.iter().any(|root| self.levels(sheet, *root).is_some());
            let [of_type, of_row] = self.clauses(sheet)?;
            for (of_row, clauses) in [(false, of_type), (true, of_row)] {
                let phases = clauses.map_or(&[][..], |clauses| &clauses.phases);
                for (index, phase) in (0u16..).zip(phases) {
                    let Some(wait) = self.timer(phase)? else { continue };
                    let Some(progress) = Progress::unpack(self.read_number(sheet, phase.slot)?) else { continue };
                    let heard = hear(self.program, self.wait(wait)?, progress, event, depth, reached);
                    let number = match heard {
                        Heard::Further(further) => further.pack(),
                        Heard::Ended | Heard::RunOut => {
                            ends.push(End::Phase(sheet, PhaseRef { of_row, index }, heard == Heard::RunOut));
                            OVER
                        }
                    };
                    if number != progress.pack() {
                        self.write(sheet, phase.slot, Value::Number(number))?;
                    }
                }
            }
            self.count_timed(sheet, event, depth, reached, &mut ends, observer)?;
        }
        ends.reverse();
        Ok(ends)
    }

    fn count_timed<O: Observer>(
        &mut self,
        sheet: u32,
        event: EventId,
        depth: usize,
        reached: bool,
        ends: &mut Vec<End>,
        observer: &mut O,
    ) -> Result<()> {
        if self.sheet(sheet)?.timed.is_empty() {
            return Ok(());
        }
        let before = self.sheet(sheet)?.timed.clone();
        let mut after = before.clone();
        let mut over = Vec::new();
        for timed in &mut after {
            let Some(progress) = Progress::unpack(timed.progress) else { continue };
            let wait = self.wait(timed.wait)?;
            let heard = hear(self.program, wait, progress, event, depth, reached);
            match heard {
                Heard::Further(further) => timed.progress = further.pack(),
                Heard::Ended | Heard::RunOut => {
                    over.push((timed.clone(), heard == Heard::RunOut));
                    if let (Heard::RunOut, Some(then)) = (heard, wait.then) {
                        ends.push(End::Then(sheet, then));
                    }
                }
            }
        }
        if after != before {
            after.sort();
            self.sheet_mut(sheet)?.timed = after;
        }
        for (timed, run_out) in over {
            self.end_timed(sheet, &timed, run_out, observer)?;
        }
        Ok(())
    }
}
