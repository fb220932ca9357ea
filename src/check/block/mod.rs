//! What holds: blocks, what stands in them, and what keeps them in force.

mod clause;
mod hold;

use smol_str::SmolStr;

use crate::check::body::{Body, Keeping};
use crate::check::{Checker, Origin, Result, declare};
use crate::dice::Compare;
use crate::program::*;
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{self, Expr, ExprKind, Part, PartKind};

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
pub(super) struct Edges {
    tracks: Vec<u16>,
    enter: Option<CodeId>,
    leave: Option<CodeId>,
}

impl<'t> Checker<'t> {
    /// Reads everything that holds among these parts.
    pub fn clauses(&mut self, parts: &mut dyn Iterator<Item = &'t Part>, place: &Place, clauses: &mut Clauses) {
        self.clauses_with_edges(parts, place, clauses);
    }

    pub(super) fn clauses_with_edges(
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
    pub(super) fn code_at(&mut self, place: &Place, origin: Origin, make: impl FnOnce(&mut Body<'_, 't>)) -> CodeId {
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

    pub(super) fn edge(&mut self, place: &Place, sentences: &'t tree::Body) -> CodeId {
        self.code_at(place, Origin::Other, |body| body.body(sentences))
    }

    /// `for 1 day then recovered`: what runs when the time has run out.
    pub fn then_code(&mut self, sheet: SheetId, sentences: &'t tree::Body) -> CodeId {
        let place =
            Place { sheet, around: None, row: None, kept: Vec::new(), path: self.program.system.id.to_string() };
        self.edge(&place, sentences)
    }

    /// Pure code for a condition.
    pub(super) fn condition(&mut self, condition: &'t Expr, place: &Place, params: &[(SmolStr, Type)]) -> CodeId {
        let before = std::mem::take(&mut self.current);
        let mut body = Body::new(self, Some(place.sheet)).pure(say!("a condition"));
        body.row = place.row;
        body.kept = place.kept.clone();
        for (name, ty) in params {
            body.param(name, *ty, Span::default());
        }
        body.place(condition.span);
        let _ = body.yes_no(condition);
        body.condition(condition.span);
        let code = body.finish();
        self.current = before;
        code
    }

    pub(super) fn hold(&mut self, around: Option<HoldId>, kind: HoldKind, span: Span) -> HoldId {
        self.program.holds.push(Hold { around, kind, span });
        HoldId(self.program.holds.len() as u32 - 1)
    }

    /// The states an expression names, as bits, where it names nothing else: `hale or hurt`.
    pub(super) fn states_named(&self, sheet: SheetId, expr: &Expr) -> Option<u64> {
        match &*expr.kind {
            ExprKind::Name(name) => self.sheet_names(sheet).states.get(&name.text).map(|state| 1u64 << state),
            ExprKind::Or(a, b) => Some(self.states_named(sheet, a)? | self.states_named(sheet, b)?),
            ExprKind::Group(inner) => self.states_named(sheet, inner),
            _ => None,
        }
    }
}

pub(super) fn has_edges(parts: &[Part]) -> bool {
    parts.iter().any(|part| match &part.kind {
        PartKind::Track(_) => true,
        PartKind::Handler(h) => matches!(h.event.text.as_str(), declare::ENTER | declare::LEAVE),
        _ => false,
    })
}

pub(super) fn progress_slot(id: SmolStr, span: Span) -> Slot {
    Slot {
        id,
        title: "".into(),
        ty: crate::check::types::ANY_NUMBER,
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
    pub(super) fn is_among(&mut self, local: u16, list: &'t tree::List) -> Result<()> {
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
