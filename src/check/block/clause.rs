//! What stands in a block: handlers, additions, conditions, what is forbidden.

use super::Place;
use crate::say;
use smol_str::SmolStr;

use crate::check::body::Body;
use crate::check::{Checker, Origin, Result, Told, declare};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::program::*;
use crate::source::Span;
use crate::syntax::tree::{self, Expr, ExprKind, Name, TypeKind};

impl<'t> Checker<'t> {
    pub(super) fn handler(&mut self, handler: &'t tree::Handler, place: &Place, span: Span) -> Result<Handler> {
        let Some(event) = self.names.events.get(&handler.event.text).copied() else { return Err(Told) };
        let known = self.program.events[event.index()].params.clone();
        if handler.params.len() > known.len() {
            if !known.is_empty() && handler.params.iter().all(|p| p.ty.is_some()) {
                // Told where the two declarations differ.
                return Err(Told);
            }
            let (name, count) = (&handler.event, known.len());
            return Err(self.tell(if count == 0 && handler.params.iter().any(|p| p.ty.is_none()) {
                let param = handler.params[0].name.text.clone();
                Diagnostic::error(
                    Fault::TypeMismatch,
                    say!("nothing says what `{param}` of `{name}` can be", param, name = name.text),
                )
                .label(handler.params[0].name.span, "no type")
                .help(say!(
                    "write `{param}: 0..99`, or declare the event: `event {name}({param}: …)`",
                    param,
                    name = name.text
                ))
                .edit(handler.params[0].name.span.after(), ": 0..99")
            } else {
                Diagnostic::error(
                    Fault::TypeMismatch,
                    say!(
                        "`{name}` has {count}, not {params}",
                        name = name.text,
                        count = declare::arguments_text(count),
                        params = handler.params.len()
                    ),
                )
                .label(handler.params[count].name.span, "one too many")
                .help(say!("take it out, or declare it where `{name}` has its arguments", name = name.text))
            }));
        }
        let mut params: Vec<(SmolStr, Type)> = Vec::new();
        for (index, known) in known.iter().enumerate() {
            match handler.params.get(index) {
                Some(param) => params.push((param.name.text.clone(), known.ty)),
                None => params.push((format!("({})", known.id).into(), known.ty)),
            }
        }
        self.choices(event, handler, place);
        let listed: Vec<(u16, &'t tree::List)> = handler
            .params
            .iter()
            .enumerate()
            .filter_map(|(index, param)| match param.ty.as_ref().map(|ty| &ty.kind) {
                Some(TypeKind::OneOf(list)) => Some((index as u16, list)),
                _ => None,
            })
            .collect();
        let guard = if handler.when.is_some() || !listed.is_empty() {
            let before = std::mem::take(&mut self.current);
            let mut body = Body::new(self, Some(place.sheet)).pure(say!("a guard"));
            body.row = place.row;
            body.kept = place.kept.clone();
            for (name, ty) in &params {
                body.param(name, *ty, Span::default());
            }
            let mut noes = Vec::new();
            for (local, list) in listed {
                let _ = body.is_among(local, list);
                noes.push(body.jump(Op::JumpUnless));
            }
            match &handler.when {
                Some(when) => {
                    body.place(when.span);
                    let _ = body.yes_no(when);
                    body.condition(when.span);
                }
                None => body.push(Op::Push(1)),
            }
            body.push(Op::Return);
            for no in noes {
                body.land(no);
            }
            body.push(Op::Push(0));
            let code = body.finish();
            self.current = before;
            Some(code)
        } else {
            None
        };
        let held = place.around.is_some()
            || self.sheet(place.sheet).states.iter().any(|s| s.is_final)
            || self.sheet(place.sheet).owner.is_some();
        let path = format!("{}/{}", place.path, handler.event.text);
        let origin = match handler.event.text.as_str() {
            declare::MADE => Origin::Made(place.sheet),
            _ => Origin::Handler(event),
        };
        let code = self.code_at(place, origin, |body| {
            body.path = path;
            body.held = held;
            for (index, (name, ty)) in params.iter().enumerate() {
                let at = handler.params.get(index).map_or(Span::default(), |p| p.name.span);
                body.param(name, *ty, at);
            }
            body.body(&handler.body);
        });
        Ok(Handler { event, before: handler.before, hold: place.around, guard, body: code, span })
    }

    /// The first handler that asks for `one of` a list says what may be picked.
    pub(super) fn choices(&mut self, event: EventId, handler: &'t tree::Handler, place: &Place) {
        for (index, param) in handler.params.iter().enumerate() {
            let Some(TypeKind::OneOf(list)) = param.ty.as_ref().map(|ty| &ty.kind) else { continue };
            if self.program.events[event.index()].params[index].choices.is_some() {
                continue;
            }
            let mut codes = Vec::new();
            for first in [false, true] {
                let mut body = Body::new(self, Some(place.sheet)).pure(say!("a choice"));
                // A choice may look at the arguments before it.
                for known in &handler.params[..index] {
                    let ty = body.ck.program.events[event.index()].params[body.locals.len()].ty;
                    body.param(&known.name.text, ty, known.name.span);
                }
                let quiet = body.ck.diagnostics.len();
                let _ = body.list(list);
                if first {
                    // Told once, above.
                    body.ck.diagnostics.truncate(quiet);
                    body.push(Op::Push(0));
                    body.push(Op::Nth);
                }
                codes.push(body.finish());
            }
            let entry = &mut self.program.events[event.index()].params[index];
            entry.choices = Some(codes[0]);
            if entry.default.is_none() {
                entry.default = Some(codes[1]);
            }
        }
    }

    /// The nearest sheet in sight, from the one that bears the clause up, that fits.
    pub(super) fn up_to(&self, sheet: SheetId, fits: impl Fn(&Self, SheetId) -> bool) -> Option<(Up, SheetId)> {
        let mut at = Some(sheet);
        let mut up = 0;
        while let Some(id) = at {
            if fits(self, id) {
                return Some((up, id));
            }
            up += 1;
            if up > 8 {
                break;
            }
            at = self.sheet(id).owner;
        }
        None
    }

    /// The outermost owner that fits, or the outermost of all: a wound that forbids something which
    /// another wound listens to forbids it to whoever has both.
    pub(super) fn up_to_last(&self, sheet: SheetId, fits: impl Fn(&Self, SheetId) -> bool) -> Up {
        let (mut at, mut up, mut found) = (sheet, 0, None);
        loop {
            if fits(self, at) {
                found = Some(up);
            }
            let Some(owner) = self.sheet(at).owner else { return found.unwrap_or(up) };
            up += 1;
            at = owner;
        }
    }

    pub(super) fn pure_code(
        &mut self,
        place: &Place,
        make: impl FnOnce(&mut Body<'_, 't>) -> Result<()>,
    ) -> Result<CodeId> {
        let before = std::mem::take(&mut self.current);
        let mut body = Body::new(self, Some(place.sheet)).pure(say!("what holds"));
        body.row = place.row;
        body.kept = place.kept.clone();
        let result = make(&mut body);
        let code = body.finish();
        self.current = before;
        result.map(|()| code)
    }

    pub(super) fn when(&mut self, when: Option<&'t Expr>, place: &Place) -> Option<CodeId> {
        when.map(|when| self.condition(when, place, &[]))
    }

    pub(super) fn patterns(
        &mut self,
        params: &[Param],
        args: &'t [tree::Arg],
        of: &Name,
        place: &Place,
    ) -> Result<Vec<Option<Pattern>>> {
        let order = Body::new(self, Some(place.sheet)).order_args(params, args, &of.text)?;
        let mut patterns = Vec::with_capacity(params.len());
        for (param, arg) in params.iter().zip(order) {
            let Some(arg) = arg else {
                patterns.push(None);
                continue;
            };
            let set = match param.ty {
                Type::Kind { kind, .. } => Some(Type::SetOfKind(kind)),
                Type::Row { table, .. } => Some(Type::SetOfRows(table)),
                _ => None,
            };
            let code =
                self.pure_code(place, |body| body.expr(&arg.value, Some(set.unwrap_or(param.ty))).map(|_| ()))?;
            patterns.push(Some(if set.is_some() { Pattern::Within(code) } else { Pattern::Equal(code) }));
        }
        Ok(patterns)
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn add(
        &mut self,
        amount: &'t Expr,
        value: &'t Name,
        args: &'t [tree::Arg],
        best: bool,
        when: Option<&'t Expr>,
        place: &Place,
        span: Span,
    ) -> Result<Add> {
        let found = self.up_to(place.sheet, |ck, id| ck.sheet_names(id).values.contains_key(&value.text));
        let Some((up, sheet)) = found else {
            let mut known: Vec<String> = Vec::new();
            let mut is_track = false;
            let mut at = Some(place.sheet);
            while let Some(id) = at {
                known.extend(self.sheet_names(id).values.keys().map(|k| k.to_string()));
                is_track |= self.sheet_names(id).tracks.contains_key(&value.text);
                at = self.sheet(id).owner;
            }
            if is_track {
                return Err(self.tell(
                    Diagnostic::error(
                        Fault::TypeMismatch,
                        say!("`{value}` is a track, and what holds adds to values", value = value.text),
                    )
                    .label(value.span, "a track")
                    .help(say!(
                        "make it a value: `value {value} = 0`; or change it once, in a handler: `{value} += 1`",
                        value = value.text
                    )),
                ));
            }
            return Err(self.unknown(value, say!("value"), known.iter().map(String::as_str)));
        };
        let index = self.sheet_names(sheet).values[&value.text];
        let params = self.sheet(sheet).values[index as usize].params.clone();
        let args = self.patterns(&params, args, value, place)?;
        let amount = self.pure_code(place, |body| body.number(amount).map(|_| ()))?;
        let when = self.when(when, place);
        Ok(Add { up, value: index, args, amount, best, when, hold: place.around, span })
    }

    pub(super) fn has(&mut self, what: &'t [Expr], when: Option<&'t Expr>, place: &Place, span: Span) -> Result<Has> {
        let Some(first) = what.first() else { return Err(Told) };
        let name = match &*first.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        };
        let found = self.up_to(place.sheet, |ck, id| match name {
            Some(name) => ck.sheet(id).slots.iter().any(|s| match s.ty {
                Type::SetOfKind(kind) => ck.program.kinds[kind.index()].members.iter().any(|m| m.id == name.text),
                _ => false,
            }),
            None => ck.sheet(id).slots.iter().any(|s| matches!(s.ty, Type::SetOfKind(_))),
        });
        let Some((up, sheet)) = found else {
            let mut known: Vec<String> = Vec::new();
            let mut at = Some(place.sheet);
            while let Some(id) = at {
                for slot in &self.sheet(id).slots {
                    if let Type::SetOfKind(kind) = slot.ty {
                        known.extend(self.program.kinds[kind.index()].members.iter().map(|m| m.id.to_string()));
                    }
                }
                at = self.sheet(id).owner;
            }
            let Some(name) = name else { return Err(Told) };
            return Err(self.unknown(name, say!("condition"), known.iter().map(String::as_str)));
        };
        let slot = self.sheet(sheet).slots.iter().position(|s| match (s.ty, name) {
            (Type::SetOfKind(kind), Some(name)) => {
                self.program.kinds[kind.index()].members.iter().any(|m| m.id == name.text)
            }
            (Type::SetOfKind(_), None) => true,
            _ => false,
        });
        let Some(slot) = slot else { return Err(Told) };
        let ty = self.sheet(sheet).slots[slot].ty;
        let code = self.pure_code(place, |body| {
            body.push(Op::Push(0));
            for condition in what {
                body.expr(condition, Some(ty))?;
                body.push(Op::Union);
            }
            Ok(())
        })?;
        let when = self.when(when, place);
        Ok(Has { up, slot: slot as u16, what: code, when, hold: place.around, span })
    }

    pub(super) fn cannot(
        &mut self,
        event: &'t Name,
        args: &'t [tree::Arg],
        when: Option<&'t Expr>,
        place: &Place,
        span: Span,
    ) -> Result<Cannot> {
        if event.text == "suffer" {
            let Some(arg) = args.first() else {
                return Err(self.tell(
                    Diagnostic::error(Fault::TypeMismatch, "`cannot suffer` says which conditions")
                        .label(event.span, "what is not suffered")
                        .help("write `cannot suffer(poisoned)`"),
                ));
            };
            let mut found = None;
            let mut at = Some(place.sheet);
            let mut up = 0;
            while let Some(id) = at {
                for (slot, entry) in self.sheet(id).slots.clone().iter().enumerate() {
                    let Type::SetOfKind(_) = entry.ty else { continue };
                    let told = self.diagnostics.len();
                    let code = self.pure_code(place, |body| body.expr(&arg.value, Some(entry.ty)).map(|_| ()));
                    if let Ok(code) = code {
                        found = Some((up, slot as u16, code));
                        break;
                    }
                    self.diagnostics.truncate(told);
                }
                if found.is_some() {
                    break;
                }
                up += 1;
                at = self.sheet(id).owner;
            }
            let Some((up, slot, what)) = found else {
                return Err(self.tell(
                    Diagnostic::error(Fault::TypeMismatch, "this is no condition or set of conditions of the sheet")
                        .label(arg.value.span, "not a condition")
                        .help("write a member of its set of conditions, such as `cannot suffer(poisoned)`"),
                ));
            };
            let when = self.when(when, place);
            return Ok(Cannot { up, what: Forbidden::Suffering { slot, what }, when, hold: place.around, span });
        }
        let Some(id) = self.names.events.get(&event.text).copied() else {
            let known: Vec<String> = self.names.events.keys().map(|k| k.to_string()).collect();
            return Err(self.unknown(event, say!("event"), known.iter().map(String::as_str)));
        };
        let up = self
            .up_to_last(place.sheet, |ck, sheet| ck.answered.iter().any(|(e, s)| *e == id && ck.is_like(sheet, *s)));
        let params = self.program.events[id.index()].params.clone();
        let args = self.patterns(&params, args, event, place)?;
        let when = self.when(when, place);
        self.used_events.insert(id);
        Ok(Cannot { up, what: Forbidden::Event { event: id, args }, when, hold: place.around, span })
    }
}
