//! Sheets: defaults and bounds of tracks, formulas of values, checks, and what holds on them.

use super::block::Place;
use super::body::Body;
use super::merge::Merged;
use super::types;
use super::{Checker, Origin, Result};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::program::*;
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{self, Expr, Part, PartKind, TypeKind};
use crate::wording::Wording;

impl<'t> Checker<'t> {
    /// All sheets that are no variants of another.
    pub fn sheets(&mut self, merged: &Merged<'t>) {
        for index in self.bases_first() {
            self.member_defaults(SheetId(index as u32), &mut merged.sheets[index].parts.iter().copied());
        }
        for table in &merged.tables {
            let Some(made) = table.tree.makes.as_ref().and_then(|m| self.names.sheets.get(&m.text)).copied() else {
                continue;
            };
            for row in &table.rows {
                if let Some(body) = &row.body {
                    super::declare::each_block(body, &mut |block| self.member_defaults(made, &mut block.parts.iter()));
                }
            }
        }
        for index in self.bases_first() {
            if self.program.sheets[index].base.is_none() {
                self.compile(SheetId(index as u32), &merged.sheets[index].parts);
            }
        }
    }

    /// A variant begins with all its base has; its own parts come on top.
    pub fn variants(&mut self, merged: &Merged<'t>) {
        for index in self.bases_first() {
            let id = SheetId(index as u32);
            let Some(base) = self.program.sheets[index].base else { continue };
            let parent = self.sheet(base).clone();
            let own = &mut self.program.sheets[index];
            for (slot, inherited) in own.slots.iter_mut().zip(parent.slots).skip(1) {
                *slot = inherited;
            }
            for (value, inherited) in own.values.iter_mut().zip(parent.values) {
                if value.formula == CodeId(0) {
                    *value = inherited;
                }
            }
            for (check, inherited) in own.checks.iter_mut().zip(parent.checks) {
                if check.formula == CodeId(0) {
                    *check = inherited;
                }
            }
            own.state_by = own.state_by.take().or(parent.state_by);
            let mut clauses = parent.clauses;
            for part in &merged.sheets[index].parts {
                let gone = match &part.kind {
                    PartKind::Handler(handler) if handler.replace => Some((&handler.event, Some(handler.before))),
                    PartKind::Remove(name) => Some((name, None)),
                    _ => None,
                };
                let Some((name, before)) = gone else { continue };
                let Some(event) = self.names.events.get(&name.text).copied() else {
                    let known: Vec<String> = self.names.events.keys().map(|k| k.to_string()).collect();
                    self.unknown(name, say!("event"), known.iter().map(String::as_str));
                    continue;
                };
                clauses.handlers.retain(|h| h.event != event || before.is_some_and(|b| b != h.before));
            }
            self.program.sheets[index].clauses = clauses;
            self.compile(id, &merged.sheets[index].parts);
        }
    }

    /// Defaults of the arguments of events, values and checks: needed wherever they are called.
    fn member_defaults(&mut self, sheet: SheetId, parts: &mut dyn Iterator<Item = &'t Part>) {
        for part in parts {
            match &part.kind {
                PartKind::Value { name, params, .. } => {
                    if let Some(index) = self.sheet_names(sheet).values.get(&name.text).copied() {
                        let known = self.sheet(sheet).values[index as usize].params.clone();
                        let filled = self.param_defaults(Some(sheet), params, known);
                        self.program.sheets[sheet.index()].values[index as usize].params = filled;
                    }
                }
                PartKind::Check { name, params, .. } => {
                    if let Some(index) = self.sheet_names(sheet).checks.get(&name.text).copied() {
                        let known = self.sheet(sheet).checks[index as usize].params.clone();
                        let filled = self.param_defaults(Some(sheet), params, known);
                        self.program.sheets[sheet.index()].checks[index as usize].params = filled;
                    }
                }
                PartKind::Event { name, params, .. } => self.event_defaults(sheet, name, params),
                PartKind::Handler(handler) => self.event_defaults(sheet, &handler.event, &handler.params),
                PartKind::Block(block) => self.member_defaults(sheet, &mut block.parts.iter()),
                PartKind::StateBy { rows, .. } => {
                    for row in rows {
                        self.member_defaults(sheet, &mut row.parts.iter());
                    }
                }
                _ => {}
            }
        }
    }

    fn event_defaults(&mut self, sheet: SheetId, name: &tree::Name, params: &'t [tree::Param]) {
        let Some(event) = self.names.events.get(&name.text).copied() else { return };
        if self.signatures.get(&name.text) != Some(&name.span) {
            return;
        }
        let known = self.program.events[event.index()].params.clone();
        let filled = self.param_defaults(Some(sheet), params, known);
        self.program.events[event.index()].params = filled;
    }

    /// Reads the defaults of parameters; each may use the arguments before it.
    pub fn param_defaults(
        &mut self,
        sheet: Option<SheetId>,
        written: &'t [tree::Param],
        mut params: Vec<Param>,
    ) -> Vec<Param> {
        for (index, param) in written.iter().enumerate().take(params.len()) {
            let Some(default) = &param.default else { continue };
            let ty = params[index].ty;
            let mut body = Body::new(self, sheet).pure(say!("a default"));
            for (known, written) in params[..index].iter().zip(written) {
                body.param(&known.id, known.ty, written.name.span);
            }
            body.place(default.span);
            let result = body.expr(default, Some(ty));
            let code = body.finish();
            if let (Ok(Type::Number { low, high }), Type::Number { low: least, high: most }) = (result, ty)
                && low == high
                && !(least..=most).contains(&low)
            {
                let place = param.ty.as_ref().map_or(param.name.span, |t| t.span);
                self.tell(
                    Diagnostic::error(
                        Fault::TypeBounds,
                        say!("the default {low} is not within {most}", low, most = range_words(least, most)),
                    )
                    .label(default.span, say!("{low} here", low))
                    .label(place, "the bounds")
                    .help("change the default or the bounds"),
                );
            }
            params[index].default = Some(code);
        }
        params
    }

    fn compile(&mut self, id: SheetId, parts: &[&'t Part]) {
        self.compile_members(id, &mut parts.iter().copied());
        let place = Place {
            sheet: id,
            around: None,
            row: None,
            kept: Vec::new(),
            path: format!("{}/{}", self.program.system.id, self.sheet(id).id),
        };
        let mut clauses = std::mem::take(&mut self.program.sheets[id.index()].clauses);
        self.clauses(&mut parts.iter().copied(), &place, &mut clauses);
        self.program.sheets[id.index()].clauses = clauses;
    }

    fn compile_members(&mut self, id: SheetId, parts: &mut dyn Iterator<Item = &'t Part>) {
        for part in parts {
            match &part.kind {
                PartKind::Track(track) => self.compile_track(id, track),
                PartKind::Value { name, params, formula, .. } => {
                    let Some(index) = self.sheet_names(id).values.get(&name.text).copied() else { continue };
                    let value = self.sheet(id).values[index as usize].clone();
                    let code = self.formula(id, index, params, &value, formula);
                    self.program.sheets[id.index()].values[index as usize].formula = code;
                }
                PartKind::Check { name, params, formula, passes, .. } => {
                    let Some(index) = self.sheet_names(id).checks.get(&name.text).copied() else { continue };
                    self.compile_check(id, index, params, formula, passes);
                }
                PartKind::Default { name, value } => self.compile_default(id, name, value),
                PartKind::StateBy { track, rows } => {
                    self.compile_state_by(id, track, rows, part.span);
                    for row in rows {
                        self.compile_members(id, &mut row.parts.iter());
                    }
                }
                PartKind::Block(block) => self.compile_members(id, &mut block.parts.iter()),
                _ => {}
            }
        }
    }

    fn formula(
        &mut self,
        id: SheetId,
        index: u16,
        params: &'t [tree::Param],
        value: &Value,
        formula: &'t Expr,
    ) -> CodeId {
        let before = std::mem::replace(&mut self.current, Origin::Value(id, index));
        let mut body = Body::new(self, Some(id)).pure(say!("a value"));
        for (known, written) in value.params.iter().zip(params) {
            body.param(&known.id, known.ty, written.name.span);
        }
        body.place(formula.span);
        let _ = body.expr(formula, Some(value.ty));
        let code = body.finish();
        self.current = before;
        code
    }

    fn compile_track(&mut self, id: SheetId, track: &'t tree::Track) {
        let Some(slot) = self.sheet_names(id).tracks.get(&track.name.text).copied() else { return };
        let entry = &self.sheet(id).slots[slot as usize];
        if entry.span != track.name.span {
            return;
        }
        let ty = entry.ty;
        let default = track.default.as_ref().map(|default| self.track_default(id, ty, default));
        let (mut low, mut high) = (None, None);
        if let TypeKind::Range(range) = &track.ty.kind {
            for (end, is_low) in [(&range.low, true), (&range.high, false)] {
                let Some(end) = end else { continue };
                if types::number(end).is_some() {
                    continue;
                }
                let mut body = Body::new(self, Some(id)).pure(say!("a bound"));
                body.place(end.span);
                let _ = body.number(end);
                let code = Some(body.finish());
                if is_low { low = code } else { high = code }
            }
        }
        let anew = track.anew.as_ref().and_then(|name| match self.names.events.get(&name.text).copied() {
            Some(event) => Some(event),
            None => {
                let known: Vec<String> = self.names.events.keys().map(|k| k.to_string()).collect();
                self.unknown(name, say!("event"), known.iter().map(String::as_str));
                None
            }
        });
        let entry = &mut self.program.sheets[id.index()].slots[slot as usize];
        entry.default = default;
        entry.low = low;
        entry.high = high;
        entry.anew = anew;
    }

    fn track_default(&mut self, id: SheetId, ty: Type, default: &'t Expr) -> CodeId {
        let mut body = Body::new(self, Some(id));
        body.place(default.span);
        let result = body.expr(default, Some(ty));
        let code = body.finish();
        if let (Ok(Type::Number { low, high }), Type::Number { low: least, high: most }) = (result, ty)
            && (low > most || high < least)
        {
            let text = if low == high { low.to_string() } else { range_text(low, high) };
            self.tell(
                Diagnostic::error(
                    Fault::TypeBounds,
                    say!("the default {text} is not within {most}", text, most = range_words(least, most)),
                )
                .label(default.span, "out of bounds from the start")
                .help("change the default or the bounds"),
            );
        }
        code
    }

    fn compile_default(&mut self, id: SheetId, name: &'t tree::Name, value: &'t Expr) {
        if let Some(slot) = self.sheet_names(id).tracks.get(&name.text).copied() {
            let ty = self.sheet(id).slots[slot as usize].ty;
            let code = self.track_default(id, ty, value);
            self.program.sheets[id.index()].slots[slot as usize].default = Some(code);
        } else if let Some(index) = self.sheet_names(id).values.get(&name.text).copied() {
            let entry = self.sheet(id).values[index as usize].clone();
            let code = self.formula(id, index, &[], &entry, value);
            self.program.sheets[id.index()].values[index as usize].formula = code;
        } else {
            let known: Vec<String> = self.sheet_names(id).all().map(str::to_owned).collect();
            self.unknown(name, say!("track or value"), known.iter().map(String::as_str));
        }
    }

    fn compile_check(
        &mut self,
        id: SheetId,
        index: u16,
        params: &'t [tree::Param],
        formula: &'t Expr,
        passes: &'t tree::Range,
    ) {
        let known = self.sheet(id).checks[index as usize].params.clone();
        let mut body = Body::new(self, Some(id));
        for (known, written) in known.iter().zip(params) {
            body.param(&known.id, known.ty, written.name.span);
        }
        body.place(formula.span);
        let _ = body.number(formula);
        let rolled = body.finish();
        let mut body = Body::new(self, Some(id)).pure(say!("what a check passes on"));
        for (known, written) in known.iter().zip(params) {
            body.param(&known.id, known.ty, written.name.span);
        }
        let number = body.param(&"(number)".into(), types::ANY_NUMBER, Span::default());
        body.place(passes.span);
        let _ = body.is_within(number, passes);
        let within = body.finish();
        let entry = &mut self.program.sheets[id.index()].checks[index as usize];
        entry.formula = rolled;
        entry.passes = within;
    }

    fn compile_state_by(&mut self, id: SheetId, track: &tree::Name, rows: &'t [tree::StateRow], span: Span) {
        let Some(slot) = self.sheet_names(id).tracks.get(&track.text).copied() else {
            let known: Vec<String> = self.sheet_names(id).tracks.keys().map(|k| k.to_string()).collect();
            self.unknown(track, say!("track"), known.iter().map(String::as_str));
            return;
        };
        let Type::Number { low, high } = self.sheet(id).slots[slot as usize].ty else {
            self.tell(
                Diagnostic::error(
                    Fault::TypeMismatch,
                    say!("a state is read off a number, and `{track}` is none", track = track.text),
                )
                .label(track.span, "not a number")
                .help(say!("give it bounds: `{track}: 0..10 = 10`", track = track.text)),
            );
            return;
        };
        let mut answers = self.state_ranges(rows, low, high, span);
        // Rows are numbered as written; a state has the index it was declared with.
        for answer in &mut answers {
            if let Some(state) =
                rows.get(answer.row as usize).and_then(|r| self.sheet_names(id).states.get(&r.state.name.text))
            {
                answer.row = *state;
            }
        }
        self.program.sheets[id.index()].state_by = Some(StateBy { slot, answers });
    }
}

impl<'t> Body<'_, 't> {
    /// Leaves whether a local is within a range.
    fn is_within(&mut self, number: u16, range: &'t tree::Range) -> Result<()> {
        use crate::dice::Compare::{AtLeast, AtMost};
        let mut noes = Vec::new();
        for (end, compare) in [(&range.low, AtLeast), (&range.high, AtMost)] {
            let Some(end) = end else { continue };
            self.push(Op::Load(number));
            self.number(end)?;
            self.push(Op::Compare(compare));
            noes.push(self.jump(Op::JumpUnless));
        }
        self.push(Op::Push(1));
        self.push(Op::Return);
        for no in noes {
            self.land(no);
        }
        self.push(Op::Push(0));
        Ok(())
    }
}

/// Bounds as they are written: `0..10`.
pub(crate) fn range_text(low: i64, high: i64) -> String {
    match (low, high) {
        (i64::MIN, high) => format!("..{high}"),
        (low, i64::MAX) => format!("{low}.."),
        (low, high) => format!("{low}..{high}"),
    }
}

/// Likewise for a message, where there may be none.
fn range_words(low: i64, high: i64) -> Wording {
    match (low, high) {
        (i64::MIN, i64::MAX) => say!("any number"),
        _ => Wording::text(range_text(low, high)),
    }
}
