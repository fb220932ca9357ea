//! Conditions that are suffered and lost, and how long they last.

use crate::check::body::{Body, SheetRef};
use crate::check::{Result, Told};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::program::{self, Op, Type, WaitId};
use crate::say;
use crate::syntax::tree::{self, Expr, ExprKind, Name};

impl<'t> Body<'_, 't> {
    /// `sheet, set` onto the stack for what is suffered or lost; whose, and in which track.
    pub(super) fn conditions(&mut self, what: &'t [Expr], of: Option<&'t Expr>) -> Result<(SheetRef, u16)> {
        let sheets = match of {
            Some(of) => vec![self.sheet_of(of)?],
            None => self.sheets_in_sight(),
        };
        let Some(first) = what.first() else { return Err(Told) };
        let mut place: Option<(SheetRef, u16)> = None;
        if let ExprKind::Name(name) = &*first.kind
            && self.locals.iter().all(|l| l.name != name.text)
        {
            place = sheets.iter().find_map(|s| self.ck.condition_track(s.sheet, &name.text).map(|slot| (*s, slot)));
            if place.is_none() {
                let known: Vec<String> = sheets
                    .iter()
                    .flat_map(|s| self.ck.sheet(s.sheet).slots.iter())
                    .filter_map(|slot| match slot.ty {
                        Type::SetOfKind(kind) => Some(kind),
                        _ => None,
                    })
                    .flat_map(|kind| self.ck.program.kinds[kind.index()].members.iter().map(|m| m.id.to_string()))
                    .collect();
                if sheets.is_empty() && self.row.is_some() {
                    return Err(self.ck.tell(
                        Diagnostic::error(
                            Fault::NameUnknown,
                            say!("nobody here can suffer `{name}`", name = name.text),
                        )
                        .label(name.span, "the table does not say whose")
                        .help(
                            "write `for hero` in the table's head, and a sheet: \
                                 `sheet hero { conditions: set of condition }`",
                        ),
                    ));
                }
                if known.is_empty() {
                    return Err(self.ck.tell(
                        Diagnostic::error(
                            Fault::NameUnknown,
                            say!("nobody here can suffer `{name}`", name = name.text),
                        )
                        .label(name.span, "the sheet has no set of conditions")
                        .help("give the sheet one: `conditions: set of condition`"),
                    ));
                }
                return Err(self.ck.unknown(name, say!("condition"), known.iter().map(String::as_str)));
            }
        }
        let place = match place {
            Some(place) => place,
            None => {
                let before = self.ops.len();
                let ty = self.expr(first, None)?;
                self.ops.truncate(before);
                let kind = match ty {
                    Type::Kind { kind, .. } | Type::SetOfKind(kind) => kind,
                    other => return self.mismatch(first.span, other, say!("a condition"), None),
                };
                let found = sheets.iter().find_map(|s| {
                    let slots = &self.ck.sheet(s.sheet).slots;
                    slots.iter().position(|slot| slot.ty == Type::SetOfKind(kind)).map(|slot| (*s, slot as u16))
                });
                match found {
                    Some(place) => place,
                    None => return self.mismatch(first.span, ty, say!("a condition of the sheet"), None),
                }
            }
        };
        self.impure(first.span, say!("change conditions"))?;
        let ty = self.ck.sheet(place.0.sheet).slots[place.1 as usize].ty;
        self.push_sheet(place.0);
        self.push(Op::Push(0));
        for condition in what {
            self.expr(condition, Some(ty))?;
            self.push(Op::Union);
        }
        Ok(place)
    }

    /// `until treated`, `until turn_end, day_end`. The states among the names, as bits, too.
    pub fn wait_until(&mut self, names: &[Name], of: Option<SheetRef>) -> Result<(WaitId, u64)> {
        let mut wait = program::Wait::default();
        for name in names {
            if let Some(sequence) = self.ck.names.times.get(&name.text).cloned() {
                if !wait.sequence.is_empty() {
                    return Err(self.ck.tell(
                        Diagnostic::error(Fault::TypeMismatch, "one wait takes one such time")
                            .label(name.span, "the second")
                            .help("write two sentences"),
                    ));
                }
                wait.sequence = sequence;
            } else if let Some(event) = self.ck.names.events.get(&name.text).copied() {
                wait.any.push(event);
            } else if let Some(state) = of.and_then(|s| self.ck.sheet_names(s.sheet).states.get(&name.text).copied()) {
                wait.states |= 1 << state;
            } else {
                let mut known: Vec<String> =
                    self.ck.names.events.keys().chain(self.ck.names.times.keys()).map(|k| k.to_string()).collect();
                if let Some(of) = of {
                    known.extend(self.ck.sheet_names(of.sheet).states.keys().map(|k| k.to_string()));
                }
                return Err(self.ck.unknown(name, say!("event or state"), known.iter().map(String::as_str)));
            }
        }
        let states = wait.states;
        self.ck.program.waits.push(wait);
        Ok((WaitId(self.ck.program.waits.len() as u32 - 1), states))
    }

    pub(super) fn wait_for(&mut self, clock: &'t Name, then: Option<&'t tree::Body>, of: SheetRef) -> Result<WaitId> {
        let event = self.clock_event(clock)?;
        let then = then.map(|body| self.ck.then_code(of.sheet, body));
        self.ck.program.waits.push(program::Wait { counted: Some(event), then, ..program::Wait::default() });
        Ok(WaitId(self.ck.program.waits.len() as u32 - 1))
    }

    /// What `for 3 day` counts: a unit of the clock, or any event.
    pub fn clock_event(&mut self, clock: &Name) -> Result<program::EventId> {
        let singular = clock.text.strip_suffix('s').unwrap_or(&clock.text);
        if let Some(event) = self.ck.names.events.get(&clock.text).or_else(|| self.ck.names.events.get(singular)) {
            return Ok(*event);
        }
        let units = self.ck.program.events.iter().filter(|e| e.clock.is_some() && !e.id.ends_with("_end"));
        let known: Vec<String> = units.map(|e| e.id.to_string()).collect();
        Err(self.ck.unknown(clock, say!("unit of the clock"), known.iter().map(String::as_str)))
    }
}
