//! What holds: blocks, what stands in them, and what keeps them in force.

use smol_str::SmolStr;

use super::body::{Body, Keeping};
use super::{Checker, Origin, Result, Told, declare};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::dice::Compare;
use crate::program::*;
use crate::source::Span;
use crate::syntax::tree::{self, Expr, ExprKind, Name, Part, PartKind, TypeKind};

/// Where clauses stand: on which type of sheet, under which block, in which row.
#[derive(Clone)]
pub(crate) struct Place {
    pub sheet: SheetId,
    pub around: Option<HoldId>,
    pub row: Option<(TableId, u32)>,
    /// Values of the row that its blocks may read.
    pub kept: Vec<Keeping>,
    pub path: String,
}

/// What a block has besides clauses.
#[derive(Default)]
struct Edges {
    tracks: Vec<u16>,
    enter: Option<CodeId>,
    leave: Option<CodeId>,
}

impl<'t> Checker<'t> {
    /// Reads everything that holds among these parts.
    pub fn clauses(&mut self, parts: &mut dyn Iterator<Item = &'t Part>, place: &Place, clauses: &mut Clauses) {
        self.clauses_with_edges(parts, place, clauses);
    }

    fn clauses_with_edges(
        &mut self,
        parts: &mut dyn Iterator<Item = &'t Part>,
        place: &Place,
        clauses: &mut Clauses,
    ) -> Edges {
        let mut edges = Edges::default();
        for part in parts {
            match &part.kind {
                PartKind::Handler(handler) => match handler.event.text.as_str() {
                    declare::ENTER => edges.enter = Some(self.edge(place, &handler.body)),
                    declare::LEAVE => edges.leave = Some(self.edge(place, &handler.body)),
                    _ => {
                        if let Ok(handler) = self.handler(handler, place, part.span) {
                            clauses.handlers.push(handler);
                        }
                    }
                },
                PartKind::Block(block) => self.block(block, place, clauses),
                PartKind::Track(track) if place.around.is_some() => {
                    if let Some(slot) = self.sheet_names(place.sheet).tracks.get(&track.name.text).copied() {
                        self.program.sheets[place.sheet.index()].slots[slot as usize].hold = place.around;
                        edges.tracks.push(slot);
                    }
                }
                PartKind::StateBy { rows, .. } => {
                    for row in rows {
                        let Some(state) = self.sheet_names(place.sheet).states.get(&row.state.name.text).copied()
                        else {
                            continue;
                        };
                        if row.parts.is_empty() {
                            continue;
                        }
                        let hold = self.hold(place.around, HoldKind::States(1 << state), row.span);
                        let inside = Place { around: Some(hold), ..place.clone() };
                        self.held_parts(hold, &row.parts, &inside, row.span, clauses);
                    }
                }
                PartKind::Add { amount, value, args, best, when } => {
                    if let Ok(add) = self.add(amount, value, args, *best, when.as_ref(), place, part.span) {
                        clauses.adds.push(add);
                    }
                }
                PartKind::Has { what, when } => {
                    if let Ok(has) = self.has(what, when.as_ref(), place, part.span) {
                        clauses.has.push(has);
                    }
                }
                PartKind::Cannot { event, args, when } => {
                    if let Ok(cannot) = self.cannot(event, args, when.as_ref(), place, part.span) {
                        clauses.cannot.push(cannot);
                    }
                }
                _ => {}
            }
        }
        edges
    }

    /// A body that holds the rules' own code: sentences of a handler, a beginning, a time run out.
    fn code_at(&mut self, place: &Place, origin: Origin, make: impl FnOnce(&mut Body<'_, 't>)) -> CodeId {
        let before = std::mem::replace(&mut self.current, origin);
        let mut body = Body::new(self, Some(place.sheet));
        body.row = place.row;
        body.kept = place.kept.clone();
        body.path = place.path.clone();
        make(&mut body);
        let code = body.finish();
        self.current = before;
        code
    }

    fn edge(&mut self, place: &Place, sentences: &'t tree::Body) -> CodeId {
        self.code_at(place, Origin::Other, |body| body.body(sentences))
    }

    /// `for 1 day then recovered`: what runs when the time has run out.
    pub fn then_code(&mut self, sheet: SheetId, sentences: &'t tree::Body) -> CodeId {
        let place =
            Place { sheet, around: None, row: None, kept: Vec::new(), path: self.program.system.id.to_string() };
        self.edge(&place, sentences)
    }

    /// Pure code for a condition.
    fn condition(&mut self, condition: &'t Expr, place: &Place, params: &[(SmolStr, Type)]) -> CodeId {
        let before = std::mem::take(&mut self.current);
        let mut body = Body::new(self, Some(place.sheet)).pure("a condition");
        body.row = place.row;
        body.kept = place.kept.clone();
        for (name, ty) in params {
            body.param(name, *ty, Span::default());
        }
        body.place(condition.span);
        let _ = body.yes_no(condition);
        let code = body.finish();
        self.current = before;
        code
    }

    fn hold(&mut self, around: Option<HoldId>, kind: HoldKind, span: Span) -> HoldId {
        self.program.holds.push(Hold { around, kind, span });
        HoldId(self.program.holds.len() as u32 - 1)
    }

    /// The states an expression names, as bits, where it names nothing else: `hale or hurt`.
    fn states_named(&self, sheet: SheetId, expr: &Expr) -> Option<u64> {
        match &*expr.kind {
            ExprKind::Name(name) => self.sheet_names(sheet).states.get(&name.text).map(|state| 1u64 << state),
            ExprKind::Or(a, b) => Some(self.states_named(sheet, a)? | self.states_named(sheet, b)?),
            ExprKind::Group(inner) => self.states_named(sheet, inner),
            _ => None,
        }
    }

    // ── Blocks ──────────────────────────────────────────────────────────────────────────────

    pub fn block(&mut self, block: &'t tree::Block, place: &Place, clauses: &mut Clauses) {
        let _ = self.try_block(block, place, clauses);
    }

    fn try_block(&mut self, block: &'t tree::Block, place: &Place, clauses: &mut Clauses) -> Result<()> {
        let mut amount = None;
        let hold = match &block.hold {
            tree::Hold::Ever => self.hold(place.around, HoldKind::Ever, block.span),
            tree::Hold::While(condition) => match self.states_named(place.sheet, condition) {
                Some(states) => self.hold(place.around, HoldKind::States(states), block.span),
                None => {
                    let code = self.condition(condition, place, &[]);
                    self.hold(place.around, HoldKind::While(code), block.span)
                }
            },
            tree::Hold::Until(names) => {
                let sheet = super::body::SheetRef { from: super::body::From::Me, up: 0, sheet: place.sheet };
                let (wait, states) = Body::new(self, Some(place.sheet)).wait_until(names, Some(sheet))?;
                let mut around = place.around;
                if states != 0 {
                    let before = states.trailing_zeros();
                    if before == 0 {
                        return Err(self.tell(
                            Diagnostic::error(
                                Fault::StateUnreachable,
                                "no state stands before this one, so the block never holds",
                            )
                            .label(names[0].span, "the first state")
                            .help(format!("write `while {} {{ … }}`, or name a later state", names[0].text)),
                        ));
                    }
                    around = Some(self.hold(around, HoldKind::States((1u64 << before) - 1), block.span));
                }
                let events = {
                    let wait = &self.program.waits[wait.index()];
                    !wait.any.is_empty() || !wait.sequence.is_empty()
                };
                match (events, around) {
                    (true, _) => {
                        self.program.waits[wait.index()].states = 0;
                        let slot = self.progress(place, block.span);
                        self.hold(around, HoldKind::Timer { wait, slot }, block.span)
                    }
                    (false, Some(hold)) => hold,
                    (false, None) => return Err(Told),
                }
            }
            tree::Hold::For { amount: n, clock } => {
                let event = Body::new(self, Some(place.sheet)).clock_event(clock)?;
                let wait = WaitId(self.program.waits.len() as u32);
                self.program.waits.push(Wait { counted: Some(event), ..Wait::default() });
                amount = Some(self.code_at(place, Origin::Other, |body| {
                    body.place(n.span);
                    let _ = body.number(n);
                }));
                let slot = self.progress(place, block.span);
                self.hold(place.around, HoldKind::Timer { wait, slot }, block.span)
            }
        };
        let phase = clauses.phases.len();
        let inside = Place { around: Some(hold), ..place.clone() };
        let then = block.then.as_ref().map(|sentences| self.edge(place, sentences));
        let timer = match self.program.holds[hold.index()].kind {
            HoldKind::Timer { slot, .. } => Some(slot),
            _ => None,
        };
        let has_edges = timer.is_some() || then.is_some() || has_edges(&block.parts);
        if has_edges {
            let slot = match timer {
                Some(slot) => slot,
                None => self.progress(place, block.span),
            };
            clauses.phases.push(Phase { hold, slot, amount, tracks: Vec::new(), enter: None, leave: None, then });
        }
        let edges = self.clauses_with_edges(&mut block.parts.iter(), &inside, clauses);
        if has_edges {
            let entry = &mut clauses.phases[phase];
            entry.tracks = edges.tracks;
            entry.enter = edges.enter;
            entry.leave = edges.leave;
        }
        Ok(())
    }

    /// The braces of a state that is read off a track.
    fn held_parts(&mut self, hold: HoldId, parts: &'t [Part], inside: &Place, span: Span, clauses: &mut Clauses) {
        let phase = clauses.phases.len();
        let has_edges = has_edges(parts);
        if has_edges {
            let slot = self.progress(inside, span);
            clauses.phases.push(Phase {
                hold,
                slot,
                amount: None,
                tracks: Vec::new(),
                enter: None,
                leave: None,
                then: None,
            });
        }
        let edges = self.clauses_with_edges(&mut parts.iter(), inside, clauses);
        if has_edges {
            let entry = &mut clauses.phases[phase];
            entry.tracks = edges.tracks;
            entry.enter = edges.enter;
            entry.leave = edges.leave;
        }
    }

    /// Where a block remembers how far it has come. Blocks of rows share their sheet's places:
    /// a sheet is made by one row only.
    fn progress(&mut self, place: &Place, span: Span) -> u16 {
        if let Some(slot) = self.phase_slots.get(&(place.sheet, span)) {
            return *slot;
        }
        if let Some((table, row)) = place.row {
            let used = self.row_phases.entry((table, row)).or_default();
            let number = *used;
            *used += 1;
            let id: SmolStr = format!("row block {number}").into();
            if let Some(slot) = self.sheet(place.sheet).slots.iter().position(|s| s.id == id) {
                return slot as u16;
            }
            return self.add_slot(place.sheet, progress_slot(id, span));
        }
        let id = format!("block {}", self.sheet(place.sheet).slots.len()).into();
        let slot = self.add_slot(place.sheet, progress_slot(id, span));
        self.phase_slots.insert((place.sheet, span), slot);
        slot
    }

    /// Gives every block of a sheet that may need one its place, before variants copy the sheet.
    pub fn reserve_progress(&mut self, sheet: SheetId, parts: &mut dyn Iterator<Item = &'t Part>) {
        for part in parts {
            match &part.kind {
                PartKind::Block(block) => {
                    let needs = match &block.hold {
                        tree::Hold::For { .. } => true,
                        tree::Hold::Until(names) => names
                            .iter()
                            .any(|n| self.names.events.contains_key(&n.text) || self.names.times.contains_key(&n.text)),
                        _ => false,
                    };
                    if needs || has_edges(&block.parts) {
                        self.reserve(sheet, block.span);
                    }
                    self.reserve_progress(sheet, &mut block.parts.iter());
                }
                PartKind::StateBy { rows, .. } => {
                    for row in rows {
                        if has_edges(&row.parts) {
                            self.reserve(sheet, row.span);
                        }
                        self.reserve_progress(sheet, &mut row.parts.iter());
                    }
                }
                _ => {}
            }
        }
    }

    fn reserve(&mut self, sheet: SheetId, span: Span) {
        let id = format!("block {}", self.sheet(sheet).slots.len()).into();
        let slot = self.add_slot(sheet, progress_slot(id, span));
        self.phase_slots.insert((sheet, span), slot);
    }

    /// A block of a row that stood inside an `if`: it holds only where it was reached.
    pub fn reached(&mut self, sheet: SheetId, slot: u16, span: Span) -> HoldId {
        let mut body = Body::new(self, Some(sheet)).pure("a condition");
        for op in [Op::Me, Op::Slot(slot), Op::Push(1), Op::Compare(Compare::Equal)] {
            body.push(op);
        }
        let code = body.finish();
        self.hold(None, HoldKind::While(code), span)
    }

    // ── Clauses ─────────────────────────────────────────────────────────────────────────────

    fn handler(&mut self, handler: &'t tree::Handler, place: &Place, span: Span) -> Result<Handler> {
        let Some(event) = self.names.events.get(&handler.event.text).copied() else { return Err(Told) };
        let known = self.program.events[event.index()].params.clone();
        if handler.params.len() > known.len() {
            let (name, count) = (&handler.event, known.len());
            return Err(self.tell(if count == 0 && handler.params.iter().any(|p| p.ty.is_none()) {
                let param = handler.params[0].name.text.clone();
                Diagnostic::error(Fault::TypeMismatch, format!("nothing says what `{param}` of `{}` can be", name.text))
                    .label(handler.params[0].name.span, "no type")
                    .help(format!("write `{param}: 0..99`, or declare the event: `event {}({param}: …)`", name.text))
            } else {
                Diagnostic::error(
                    Fault::TypeMismatch,
                    format!("`{}` has {count} arguments, not {}", name.text, handler.params.len()),
                )
                .label(handler.params[count].name.span, "one too many")
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
            let mut body = Body::new(self, Some(place.sheet)).pure("a guard");
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
        let code = self.code_at(place, Origin::Handler(event), |body| {
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
    fn choices(&mut self, event: EventId, handler: &'t tree::Handler, place: &Place) {
        for (index, param) in handler.params.iter().enumerate() {
            let Some(TypeKind::OneOf(list)) = param.ty.as_ref().map(|ty| &ty.kind) else { continue };
            if self.program.events[event.index()].params[index].choices.is_some() {
                continue;
            }
            let mut codes = Vec::new();
            for first in [false, true] {
                let mut body = Body::new(self, Some(place.sheet)).pure("a choice");
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
    fn up_to(&self, sheet: SheetId, fits: impl Fn(&Self, SheetId) -> bool) -> Option<(Up, SheetId)> {
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
    fn up_to_last(&self, sheet: SheetId, fits: impl Fn(&Self, SheetId) -> bool) -> Up {
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

    fn pure_code(&mut self, place: &Place, make: impl FnOnce(&mut Body<'_, 't>) -> Result<()>) -> Result<CodeId> {
        let before = std::mem::take(&mut self.current);
        let mut body = Body::new(self, Some(place.sheet)).pure("what holds");
        body.row = place.row;
        body.kept = place.kept.clone();
        let result = make(&mut body);
        let code = body.finish();
        self.current = before;
        result.map(|()| code)
    }

    fn when(&mut self, when: Option<&'t Expr>, place: &Place) -> Option<CodeId> {
        when.map(|when| self.condition(when, place, &[]))
    }

    fn patterns(
        &mut self,
        params: &[Param],
        args: &'t [tree::Arg],
        of: &Name,
        place: &Place,
    ) -> Result<Vec<Option<Pattern>>> {
        let order = Body::new(self, Some(place.sheet)).order_args(params, args, of.span, &of.text)?;
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
    fn add(
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
                        format!("`{}` is a track, and what holds adds to values", value.text),
                    )
                    .label(value.span, "a track")
                    .help(format!(
                        "to change it once write `{} += …` in a handler; to add as long as this holds, make it a value",
                        value.text
                    )),
                ));
            }
            return Err(self.unknown(value, "value", known.iter().map(String::as_str)));
        };
        let index = self.sheet_names(sheet).values[&value.text];
        let params = self.sheet(sheet).values[index as usize].params.clone();
        let args = self.patterns(&params, args, value, place)?;
        let amount = self.pure_code(place, |body| body.number(amount).map(|_| ()))?;
        let when = self.when(when, place);
        Ok(Add { up, value: index, args, amount, best, when, hold: place.around, span })
    }

    fn has(&mut self, what: &'t [Expr], when: Option<&'t Expr>, place: &Place, span: Span) -> Result<Has> {
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
            return Err(self.unknown(name, "condition", known.iter().map(String::as_str)));
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

    fn cannot(
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
                        .label(arg.value.span, "not a condition"),
                ));
            };
            let when = self.when(when, place);
            return Ok(Cannot { up, what: Forbidden::Suffering { slot, what }, when, hold: place.around, span });
        }
        let Some(id) = self.names.events.get(&event.text).copied() else {
            let known: Vec<String> = self.names.events.keys().map(|k| k.to_string()).collect();
            return Err(self.unknown(event, "event", known.iter().map(String::as_str)));
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

fn has_edges(parts: &[Part]) -> bool {
    parts.iter().any(|part| match &part.kind {
        PartKind::Track(_) => true,
        PartKind::Handler(h) => matches!(h.event.text.as_str(), declare::ENTER | declare::LEAVE),
        _ => false,
    })
}

fn progress_slot(id: SmolStr, span: Span) -> Slot {
    Slot {
        id,
        title: "".into(),
        ty: super::types::ANY_NUMBER,
        role: Role::Progress,
        default: None,
        low: None,
        high: None,
        stops: false,
        anew: None,
        hold: None,
        span,
    }
}

impl<'t> Body<'_, 't> {
    /// Leaves whether the sheet in a local is in a list.
    fn is_among(&mut self, local: u16, list: &'t tree::List) -> Result<()> {
        let sheet = self.list(list)?;
        let found = self.temporary();
        // The list stands on the stack; the answer is put aside until the loop is over.
        self.push(Op::Push(0));
        self.push(Op::Store(found));
        self.push_loop_start(
            sheet,
            |body, item, again| {
                body.push(Op::Load(item));
                body.push(Op::Load(local));
                body.push(Op::Compare(Compare::Equal));
                again.push(body.jump(Op::JumpUnless));
                body.push(Op::Push(1));
                body.push(Op::Store(found));
                Ok(())
            },
            None,
        )?;
        self.push(Op::Load(found));
        Ok(())
    }
}
