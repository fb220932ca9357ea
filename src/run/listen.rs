//! Who hears an event, and with which arguments.

use super::call::check_argument;
use super::dispatch::{Dispatch, Turn};
use super::fault::{FaultKind, Result, Taker, known};
use super::frame::Frame;
use super::machine::Machine;
use super::state::Value;
use crate::program::{Event, EventId, Handler, NONE, Type};

impl<'p> Machine<'p> {
    /// The arguments as one sheet gets them; `None`: one is none that must not be.
    pub(super) fn event_args(
        &mut self,
        id: EventId,
        event: &'p Event,
        given: &[Value],
        to: u32,
    ) -> Result<Option<Vec<Value>>> {
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
    pub(super) fn listeners(&mut self, dispatch: &mut Dispatch, deaf: &[u32]) -> Result<()> {
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
            self.looked_at(self.state.sheets.len());
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

    pub(super) fn handler(&self, turn: &Turn) -> Result<&'p Handler> {
        let [of_type, of_row] = self.clauses(turn.sheet)?;
        let clauses = if turn.of_row { of_row } else { of_type };
        known(clauses.and_then(|clauses| clauses.handlers.get(usize::from(turn.handler))), "a handler")
    }

    /// Those whose guard is true now.
    pub(super) fn guarded(&mut self, dispatch: &Dispatch, turns: Vec<Turn>) -> Result<Vec<Turn>> {
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
}
