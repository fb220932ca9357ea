//! All files of a program as one set of declarations: extensions laid over what they extend.

use crate::wording::Wording;
use std::collections::HashMap;

use smol_str::SmolStr;

use super::{Checker, names};
use crate::diagnostics::{Code, Diagnostic};
use crate::say;
use crate::source::{FileId, Span};
use crate::syntax::tree::{self, ItemKind, Name, Part, PartKind};

/// Declarations in order, used files first.
#[derive(Default)]
pub(crate) struct Merged<'t> {
    pub items: Vec<&'t tree::Item>,
    pub tables: Vec<TableParts<'t>>,
    pub sheets: Vec<SheetParts<'t>>,
    pub scenarios: Vec<&'t tree::Scenario>,
}

pub(crate) struct TableParts<'t> {
    pub tree: &'t tree::Table,
    /// From the first word to the closing brace.
    pub span: Span,
    pub rows: Vec<&'t tree::Row>,
}

pub(crate) struct SheetParts<'t> {
    pub tree: &'t tree::Sheet,
    pub parts: Vec<&'t Part>,
}

pub(crate) fn merge<'t>(checker: &mut Checker, trees: &'t [tree::File], order: &[FileId]) -> Merged<'t> {
    let mut merged = Merged::default();
    let items = || order.iter().flat_map(|file| &trees[file.0 as usize].items);
    for item in items() {
        match &item.kind {
            ItemKind::Table(table) if !table.extend => {
                merged.tables.push(TableParts { tree: table, span: item.span, rows: table.rows.iter().collect() });
            }
            ItemKind::Sheet(sheet) if !sheet.extend => {
                merged.sheets.push(SheetParts { tree: sheet, parts: sheet.parts.iter().collect() });
            }
            ItemKind::Scenario(scenario) => merged.scenarios.push(scenario),
            ItemKind::Table(_) | ItemKind::Sheet(_) => {}
            _ => merged.items.push(item),
        }
    }
    for item in items() {
        match &item.kind {
            ItemKind::Table(extension) if extension.extend => {
                match merged.tables.iter_mut().find(|t| t.tree.name.text == extension.name.text) {
                    Some(table) => extend_table(checker, table, extension),
                    None => {
                        let known: Vec<&str> = merged.tables.iter().map(|t| t.tree.name.text.as_str()).collect();
                        checker.unknown(&extension.name, say!("table to extend"), known);
                    }
                }
            }
            ItemKind::Sheet(extension) if extension.extend => {
                match merged.sheets.iter_mut().find(|s| s.tree.name.text == extension.name.text) {
                    Some(sheet) => extend_sheet(checker, &mut sheet.parts, &extension.parts),
                    None => {
                        let known: Vec<&str> = merged.sheets.iter().map(|s| s.tree.name.text.as_str()).collect();
                        checker.unknown(&extension.name, say!("sheet to extend"), known);
                    }
                }
            }
            _ => {}
        }
    }
    for table in &mut merged.tables {
        // Rows are reached by their numbers, however they are written.
        if table.tree.cumulative {
            table.rows.sort_by_key(|row| lowest(row));
        }
    }
    for sheet in &mut merged.sheets {
        sheet.parts = replace_within(checker, std::mem::take(&mut sheet.parts));
    }
    merged
}

fn row_id(row: &tree::Row) -> Option<&Name> {
    row.id.as_ref().or(match &row.key.kind {
        tree::KeyKind::Name(name) => Some(name),
        _ => None,
    })
}

/// The lowest number a row answers; the greatest of all where it answers none.
fn lowest(row: &tree::Row) -> i64 {
    match &row.key.kind {
        tree::KeyKind::Numbers(ranges) => ranges.iter().map(|r| r.low.unwrap_or(i64::MIN)).min().unwrap_or(i64::MAX),
        _ => i64::MAX,
    }
}

/// The same id replaces, a new one adds, `remove` takes away.
fn extend_table<'t>(checker: &mut Checker, table: &mut TableParts<'t>, extension: &'t tree::Table) {
    for name in &extension.removed {
        let before = table.rows.len();
        table.rows.retain(|row| row_id(row).is_none_or(|id| id.text != name.text));
        if table.rows.len() == before {
            let known: Vec<&str> = table.rows.iter().filter_map(|r| row_id(r)).map(|n| n.text.as_str()).collect();
            checker.unknown(name, say!("row"), known);
        }
    }
    for row in &extension.rows {
        let place =
            row_id(row).and_then(|id| table.rows.iter().position(|r| row_id(r).is_some_and(|n| n.text == id.text)));
        match place {
            Some(index) => table.rows[index] = row,
            // A new row stands where its number belongs: `next` and comparisons go by the order.
            None => {
                let low = lowest(row);
                let place = table.rows.iter().position(|r| lowest(r) > low).unwrap_or(table.rows.len());
                table.rows.insert(place, row);
            }
        }
    }
}

fn extend_sheet<'t>(checker: &mut Checker, parts: &mut Vec<&'t Part>, extension: &'t [Part]) {
    for part in extension {
        match &part.kind {
            PartKind::Remove(name) => {
                let before = parts.len();
                parts.retain(|p| part_name(p).is_none_or(|n| n.text != name.text));
                if parts.len() == before {
                    let known: Vec<&str> = parts.iter().filter_map(|p| part_name(p)).map(|n| n.text.as_str()).collect();
                    checker.unknown(name, say!("part of this sheet"), known);
                }
            }
            PartKind::Track(_) | PartKind::Value { .. } | PartKind::Check { .. } => {
                let name = part_name(part).map(|n| n.text.clone());
                match parts.iter().position(|p| {
                    !matches!(p.kind, PartKind::Handler(_)) && part_name(p).map(|n| &n.text) == name.as_ref()
                }) {
                    Some(index) => parts[index] = part,
                    None => parts.push(part),
                }
            }
            _ => parts.push(part),
        }
    }
}

/// `replace on damage(…)` takes the place of the handlers of that event written before it.
fn replace_within<'t>(checker: &mut Checker, parts: Vec<&'t Part>) -> Vec<&'t Part> {
    let mut kept: Vec<&Part> = Vec::with_capacity(parts.len());
    for part in parts {
        match &part.kind {
            PartKind::Handler(handler) if handler.replace => {
                let place = kept.iter().position(|p| matches!(&p.kind, PartKind::Handler(h) if h.event.text == handler.event.text && h.before == handler.before));
                if let Some(place) = place {
                    kept.retain(|p| !matches!(&p.kind, PartKind::Handler(h) if h.event.text == handler.event.text && h.before == handler.before));
                    kept.insert(place.min(kept.len()), part);
                } else {
                    kept.push(part);
                }
            }
            _ => kept.push(part),
        }
    }
    let mut first: HashMap<SmolStr, crate::source::Span> = HashMap::new();
    for part in &kept {
        if !matches!(part.kind, PartKind::Track(_) | PartKind::Value { .. } | PartKind::Check { .. }) {
            continue;
        }
        if let Some(name) = part_name(part) {
            match first.get(&name.text) {
                Some(span) => {
                    checker.tell(names::duplicate(name, *span));
                }
                None => {
                    first.insert(name.text.clone(), name.span);
                }
            }
        }
    }
    kept
}

/// What a part is called, where it can be replaced or removed by that name.
pub(crate) fn part_name(part: &Part) -> Option<&Name> {
    match &part.kind {
        PartKind::Track(track) => Some(&track.name),
        PartKind::Value { name, .. } | PartKind::Check { name, .. } | PartKind::Event { name, .. } => Some(name),
        PartKind::Handler(handler) => Some(&handler.event),
        _ => None,
    }
}

/// Something that may stand once only stands twice.
pub(crate) fn once(what: Wording, first: crate::source::Span, again: crate::source::Span) -> Diagnostic {
    Diagnostic::error(Code::NameDuplicate, say!("{what} stands twice", what))
        .label(again, "again here")
        .label(first, "first here")
        .help("take one of them out")
}
