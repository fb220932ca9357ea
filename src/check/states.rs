//! States: what leads to each, what leaves it, and what is final.

use super::Checker;
use super::merge::Merged;
use crate::diagnostics::{Code as Fault, Diagnostic, any_error};
use crate::program::*;
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{Part, PartKind};

impl<'t> Checker<'t> {
    pub fn check_states(&mut self, merged: &Merged<'t>) {
        for (index, parts) in merged.sheets.iter().enumerate() {
            let id = SheetId(index as u32);
            let by_track = parts.parts.iter().any(|p| matches!(p.kind, PartKind::StateBy { .. }));
            if parts.tree.like.is_none() && !by_track && !self.sheet(id).states.is_empty() {
                let damaged = !self.whole
                    && self.is_damaged(parts.tree.head.to(parts.parts.last().map_or(parts.tree.head, |p| p.span)));
                self.check_states_of(id, &parts.parts, damaged);
            }
        }
    }

    /// Whether an arrow to this state stands in rules that could not be read to their end because
    /// of another fault.
    fn is_lost(&self, state: &str) -> bool {
        if !any_error(&self.diagnostics) {
            return false;
        }
        let leads = |line: &str| {
            let mut parts = line.split("->");
            parts.next();
            parts
                .any(|part| part.trim_start().split(|c: char| !(c.is_alphanumeric() || c == '_')).next() == Some(state))
        };
        self.files.iter().any(|f| f.text.lines().any(|line| !line.trim_start().starts_with("states ") && leads(line)))
    }

    fn check_states_of(&mut self, id: SheetId, parts: &[&'t Part], damaged: bool) {
        let states = self.sheet(id).states.clone();
        let place = |name: &str| -> Span {
            parts
                .iter()
                .filter_map(|part| match &part.kind {
                    PartKind::States(steps) => Some(steps),
                    _ => None,
                })
                .flatten()
                .flat_map(|step| &step.states)
                .find(|state| state.name.text == name)
                .map_or(Span::default(), |state| state.name.span)
        };
        let led_to = states.iter().fold(0u64, |all, state| all | state.next);
        for (index, state) in states.iter().enumerate() {
            let span = place(&state.id);
            if state.is_final && state.next != 0 {
                let to = states
                    .iter()
                    .enumerate()
                    .find(|(i, _)| state.next & (1 << i) != 0)
                    .map_or("", |(_, s)| s.id.as_str());
                self.tell(
                    Diagnostic::error(
                        Fault::StateFinal,
                        say!("`{state}` is final, and an arrow leads from it to `{to}`", state = state.id, to),
                    )
                    .label(span, "final")
                    .help(say!("take `final` off, or the arrow to `{to}`", to)),
                );
            }
            if state.next == 0 && !state.is_final && states.len() > 1 {
                self.tell(
                    Diagnostic::error(
                        Fault::StateDeadEnd,
                        say!("nothing leaves `{state}`, and it is not final", state = state.id),
                    )
                    .label(span, "a dead end")
                    .help(say!("write `{state} final`, or an arrow that leads on", state = state.id))
                    .edit(span.after(), " final"),
                );
            }
            if index == 0 {
                continue;
            }
            if led_to & (1 << index) == 0 {
                self.tell(
                    Diagnostic::error(Fault::StateUnreachable, say!("no arrow leads to `{state}`", state = state.id))
                        .label(span, "never reached")
                        .help(say!(
                            "write `states {states} -> {state}`, or take the state out",
                            states = states[0].id,
                            state = state.id
                        )),
                );
            } else if !damaged
                && self.whole
                && !self.is_lost(&state.id)
                && !self
                    .jumps
                    .iter()
                    .any(|(sheet, to, _)| *to == index as u32 && (self.is_like(*sheet, id) || self.is_like(id, *sheet)))
            {
                self.tell(
                    Diagnostic::error(
                        Fault::StateUnreachable,
                        say!("no sentence ever leads to `{state}`", state = state.id),
                    )
                    .label(span, "never reached")
                    .help(say!("write `-> {state}` in a handler, or take the state out", state = state.id)),
                );
            }
        }
        for (sheet, to, span) in self.jumps.clone() {
            if sheet == id && led_to & (1 << to) == 0 {
                let name = states[to as usize].id.clone();
                self.tell(
                    Diagnostic::error(Fault::StateUnreachable, say!("no arrow of `states` leads to `{name}`", name))
                        .label(span, "not allowed from any state")
                        .help(say!("add it where the states are declared: `… -> {name}`", name)),
                );
            }
        }
    }
}
