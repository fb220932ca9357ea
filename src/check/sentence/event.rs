//! States that are entered, events that are sent.

use crate::check::body::{Body, From, SheetRef};
use crate::check::declare;
use crate::check::types;
use crate::check::{Origin, Result, Told};
use crate::diagnostics::{Code as Fault, Diagnostic, nearest};
use crate::program::Op;
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{Arg, Expr, Name};

impl<'t> Body<'_, 't> {
    pub(super) fn go(&mut self, sheet: Option<&'t Expr>, state: &'t Name) -> Result<()> {
        self.impure(state.span, say!("change a state"))?;
        let target = match sheet {
            Some(sheet) => self.sheet_of(sheet)?,
            None => {
                let sheets = self.sheets_in_sight();
                match sheets.iter().find(|s| self.ck.sheet_names(s.sheet).states.contains_key(&state.text)) {
                    Some(sheet) => *sheet,
                    None => {
                        let known: Vec<String> = sheets
                            .iter()
                            .flat_map(|s| self.ck.sheet_names(s.sheet).states.keys().map(|k| k.to_string()))
                            .collect();
                        return Err(self.unknown_state(state, &known));
                    }
                }
            }
        };
        let names = self.ck.sheet_names(target.sheet);
        let Some(index) = names.states.get(&state.text).copied() else {
            let known: Vec<String> = names.states.keys().map(|k| k.to_string()).collect();
            return Err(self.unknown_state(state, &known));
        };
        if let Some(by) = &self.ck.sheet(target.sheet).state_by {
            let track = self.ck.sheet(target.sheet).slots[by.slot as usize].id.clone();
            return Err(self.ck.tell(
                Diagnostic::error(
                    Fault::StateUnknown,
                    say!("the state is read off `{track}`, and changes with it", track),
                )
                .label(state.span, "cannot be entered by an arrow")
                .help(say!("change `{track}`: `{track} -= 1`", track)),
            ));
        }
        self.ck.jumps.push((target.sheet, index, state.span));
        self.push_sheet(target);
        self.push(Op::Go { state: index });
        if sheet.is_some() {
            self.still_holds();
        } else if matches!(target.from, From::Local(_)) && !self.again.is_empty() {
            let jump = self.jump(Op::Jump);
            if let Some(again) = self.again.last_mut() {
                again.push(jump);
            }
        } else if !self.scenario {
            self.push(Op::Return);
        }
        Ok(())
    }

    pub(super) fn unknown_state(&mut self, state: &Name, known: &[String]) -> Told {
        if self.ck.damaged.contains(&state.text) {
            return Told;
        }
        let fault = crate::check::names::unknown(state, say!("state"), known.iter().map(String::as_str));
        self.ck.tell(Diagnostic { code: Fault::StateUnknown, ..fault })
    }

    pub fn fire(&mut self, event: &'t Name, args: &'t [Arg], to: Option<&'t Expr>, span: Span) -> Result<()> {
        self.impure(event.span, say!("send an event"))?;
        let Some(id) = self.ck.names.events.get(&event.text).copied() else {
            return Err(self.unknown_event(event));
        };
        let mut with_sheet = false;
        let mut target = None;
        if let Some(to) = to {
            let sheet = self.sheet_of(to)?;
            self.push_sheet(sheet);
            with_sheet = true;
            target = Some(sheet.sheet);
        } else if let Some(subject) = self.subject()
            && !self.scenario
        {
            let mut root = subject;
            while let Some(owner) = self.ck.sheet(root.sheet).owner {
                root = SheetRef { up: root.up + 1, sheet: owner, ..root };
            }
            target = Some(root.sheet);
            if matches!(subject.from, From::Local(_)) {
                self.push_sheet(root);
                with_sheet = true;
            }
        }
        if let Some(target) = target
            && self.ck.program.events[id.index()].clock.is_none()
            && !self.ck.is_answered(id, target)
        {
            let sheet = self.ck.sheet(target).id.clone();
            return Err(self.ck.tell(
                Diagnostic::error(
                    Fault::EventUnanswered,
                    say!("no `{sheet}` answers `{event}`", sheet, event = event.text),
                )
                .label(event.span, "nobody listens")
                .help(say!(
                    "write `on {event} {{ … }}` in `sheet {sheet}`, or `event {value} \"…\"` if nothing follows",
                    event = event.text,
                    sheet,
                    value = event.text
                )),
            ));
        }
        let params = self.ck.program.events[id.index()].params.clone();
        let order = self.order_args(&params, args, &event.text)?;
        let given = order.iter().rposition(Option::is_some).map_or(0, |i| i + 1);
        for (index, (param, arg)) in params.iter().zip(order).enumerate() {
            match arg {
                Some(arg) => {
                    self.expr(&arg.value, Some(param.ty))?;
                }
                None if param.default.is_none() && param.choices.is_none() && !types::takes_none(param.ty) => {
                    return Err(self.ck.tell(
                        Diagnostic::error(
                            Fault::TypeMismatch,
                            say!("`{event}` needs `{param}`", event = event.text, param = param.id),
                        )
                        .label(event.span, say!("`{param}` is missing", param = param.id))
                        .help(say!(
                            "write `{event}({param}: …)`",
                            event = event.text,
                            param = param.id
                        )),
                    ));
                }
                None if index >= given => {}
                None => {
                    let constant =
                        param.default.and_then(|code| match self.ck.program.code[code.index()].ops.as_slice() {
                            [op @ (Op::Push(_) | Op::PushDice(_)), Op::Return] => Some(op.clone()),
                            _ => None,
                        });
                    match constant {
                        Some(op) => self.push(op),
                        None => {
                            return Err(self.ck.tell(
                                Diagnostic::error(
                                    Fault::TypeMismatch,
                                    say!("`{event}` needs `{param}` here", event = event.text, param = param.id),
                                )
                                .label(event.span, say!("`{param}` stands before one that is given", param = param.id))
                                .help(say!(
                                    "give it too: `{event}({param}: …)`",
                                    event = event.text,
                                    param = param.id
                                )),
                            ));
                        }
                    }
                }
            }
        }
        self.ck.used_events.insert(id);
        self.ck.fires(Origin::Handler(id), span);
        self.push(Op::Fire { event: id, args: given as u8, to: with_sheet });
        self.still_holds();
        Ok(())
    }

    pub(super) fn unknown_event(&mut self, event: &Name) -> Told {
        if self.ck.damaged.contains(&event.text) {
            return Told;
        }
        if self.ck.names.tables.contains_key(&event.text) {
            return self.ck.tell(
                Diagnostic::error(Fault::NameUnknown, say!("`{event}` is a table, and is rolled", event = event.text))
                    .label(event.span, "a table, not an event")
                    .help(say!("write `roll {event}`", event = event.text))
                    .edit(event.span.before(), "roll "),
            );
        }
        if self.sheets_in_sight().iter().any(|s| self.ck.sheet_names(s.sheet).checks.contains_key(&event.text)) {
            return self.ck.tell(
                Diagnostic::error(Fault::NameUnknown, say!("`{event}` is a check, and is rolled", event = event.text))
                    .label(event.span, "a check, not an event")
                    .help(say!("write `if {event} fails {{ … }}` or `roll {event}`", event = event.text)),
            );
        }
        if self.sheets_in_sight().iter().any(|s| self.ck.sheet_names(s.sheet).states.contains_key(&event.text)) {
            return self.ck.tell(
                Diagnostic::error(Fault::NameUnknown, say!("`{event}` is a state, and is entered", event = event.text))
                    .label(event.span, "a state, not an event")
                    .help(say!("write `-> {event}`", event = event.text))
                    .edit(event.span.before(), "-> "),
            );
        }
        if let Some(track) = self
            .sheets_in_sight()
            .iter()
            .find_map(|s| self.ck.condition_track(s.sheet, &event.text))
            .map(|_| event.text.clone())
        {
            return self.ck.tell(
                Diagnostic::error(Fault::NameUnknown, say!("`{track}` is a condition, and is suffered", track))
                    .label(event.span, "a condition, not an event")
                    .help(say!("write `suffer {track}`", track))
                    .edit(event.span.before(), "suffer "),
            );
        }
        let known: Vec<String> = self
            .ck
            .names
            .events
            .keys()
            .map(|k| k.to_string())
            .filter(|k| !matches!(k.as_str(), declare::MADE | declare::CHECK))
            .collect();
        match nearest(&event.text, known.iter().map(String::as_str)) {
            Some(_) => {
                let diagnostic = crate::check::names::unknown(event, say!("event"), known.iter().map(String::as_str));
                self.ck.tell(diagnostic)
            }
            None => self.ck.tell(
                Diagnostic::error(Fault::EventUnanswered, say!("nobody answers `{event}`", event = event.text))
                    .label(event.span, "no sheet has this event")
                    .help(say!(
                        "write `on {event} {{ … }}` in a sheet, or `event {event} \"…\"` if nothing follows",
                        event = event.text
                    )),
            ),
        }
    }
}
