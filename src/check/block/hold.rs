//! Blocks: what keeps them in force, and where they remember how far they have come.

use super::{Place, has_edges, progress_slot};
use crate::say;
use smol_str::SmolStr;

use crate::check::body::Body;
use crate::check::{Checker, Origin, Result, Told};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::dice::Compare;
use crate::program::*;
use crate::source::Span;
use crate::syntax::tree::{self, Part, PartKind};

impl<'t> Checker<'t> {
    pub fn block(&mut self, block: &'t tree::Block, place: &Place, clauses: &mut Clauses) {
        let _ = self.try_block(block, place, clauses);
    }

    pub(super) fn try_block(&mut self, block: &'t tree::Block, place: &Place, clauses: &mut Clauses) -> Result<()> {
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
                let sheet =
                    crate::check::body::SheetRef { from: crate::check::body::From::Me, up: 0, sheet: place.sheet };
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
                            .help(say!("write `while {names} {{ … }}`, or name a later state", names = names[0].text)),
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
    pub(super) fn held_parts(
        &mut self,
        hold: HoldId,
        parts: &'t [Part],
        inside: &Place,
        span: Span,
        clauses: &mut Clauses,
    ) {
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
    pub(super) fn progress(&mut self, place: &Place, span: Span) -> u16 {
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

    pub(super) fn reserve(&mut self, sheet: SheetId, span: Span) {
        let id = format!("block {}", self.sheet(sheet).slots.len()).into();
        let slot = self.add_slot(sheet, progress_slot(id, span));
        self.phase_slots.insert((sheet, span), slot);
    }

    /// A block of a row that stood inside an `if`: it holds only where it was reached.
    pub fn reached(&mut self, sheet: SheetId, slot: u16, span: Span) -> HoldId {
        let mut body = Body::new(self, Some(sheet)).pure(say!("a condition"));
        for op in [Op::Me, Op::Slot(slot), Op::Push(1), Op::Compare(Compare::Equal)] {
            body.push(op);
        }
        let code = body.finish();
        self.hold(None, HoldKind::While(code), span)
    }
}
