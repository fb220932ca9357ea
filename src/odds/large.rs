//! What makes a search large.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::program::Program;
use crate::run::{State, Value};

/// What makes states many: how many there are, and the tracks that differ most between them.
pub(super) fn large<'s>(states: impl Iterator<Item = &'s Arc<State>>, program: &Program) -> String {
    let mut values: HashMap<(usize, usize), HashSet<&Value>> = HashMap::new();
    let mut names: HashMap<(usize, usize), String> = HashMap::new();
    let mut count = 0;
    for state in states {
        count += 1;
        for (place, sheet) in state.sheets.iter().enumerate() {
            for (slot, value) in sheet.slots.iter().enumerate() {
                if values.entry((place, slot)).or_default().insert(value) {
                    let sheet = program.sheets.get(sheet.ty.index());
                    let id = sheet.and_then(|sheet| Some(format!("`{}.{}`", sheet.id, sheet.slots.get(slot)?.id)));
                    names.entry((place, slot)).or_insert_with(|| id.unwrap_or_default());
                }
            }
        }
    }
    let mut most: Vec<(usize, String)> =
        values.iter().map(|(at, values)| (values.len(), names.remove(at).unwrap_or_default())).collect();
    most.retain(|(values, name)| *values > 1 && !name.is_empty());
    most.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let tracks: Vec<String> = most.iter().take(2).map(|(values, name)| format!("{name} has {values} values")).collect();
    match tracks.is_empty() {
        true => format!("{count} states the rules can come to"),
        false => format!("{count} states the rules can come to; among them {}", tracks.join(", ")),
    }
}
