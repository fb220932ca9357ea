//! Tables and their rows, and the sheets that rows make.

use super::title;
use crate::say;
use std::collections::HashMap;

use smol_str::SmolStr;

use crate::check::Checker;
use crate::check::merge::{Merged, TableParts};
use crate::check::names::{Member as Meaning, duplicate};
use crate::diagnostics::{Code, Diagnostic};
use crate::program::*;
use crate::source::Span;
use crate::syntax::tree::{self};

impl<'t> Checker<'t> {
    pub(super) fn declare_table(&mut self, parts: &TableParts<'t>) {
        let table = parts.tree;
        let id = TableId(self.program.tables.len() as u32);
        if self.claim(&table.name) {
            self.names.tables.insert(table.name.text.clone(), id);
        }
        let mut rows = Vec::with_capacity(parts.rows.len());
        let mut places: HashMap<&SmolStr, Span> = HashMap::with_capacity(parts.rows.len());
        let numbered = !matches!(table.key, Some(tree::TableKey::Kind(_)));
        for (index, row) in parts.rows.iter().enumerate() {
            let name = row.id.as_ref().or(match &row.key.kind {
                tree::KeyKind::Name(name) => Some(name),
                _ => None,
            });
            let row_id = match name {
                Some(name) => {
                    if let Some(first) = places.get(&name.text) {
                        self.tell(if numbered {
                            duplicate(name, *first)
                        } else {
                            Diagnostic::error(Code::TableOverlap, say!("two rows answer `{name}`", name = name.text))
                                .label(name.span, "this row")
                                .label(*first, "and this row")
                                .help("take one of them out")
                        });
                    } else {
                        places.insert(&name.text, name.span);
                        if numbered {
                            self.names
                                .members
                                .entry(name.text.clone())
                                .or_default()
                                .push(Meaning::Row(id, index as u32));
                        }
                    }
                    name.text.clone()
                }
                // A row without an id is known by its place.
                None => format!("row_{}", index + 1).into(),
            };
            rows.push(Row {
                id: row_id,
                range: SmolStr::default(),
                title: None,
                prose: None,
                cells: Vec::new(),
                instead: None,
                body: None,
                shown: Vec::new(),
                clauses: Clauses::default(),
                span: row.span,
            });
        }
        self.program.tables.push(Table {
            id: table.name.text.clone(),
            title: title(&table.title, &table.name.text),
            params: Vec::new(),
            key: TableKey::Number,
            subject: None,
            makes: None,
            cumulative: table.cumulative,
            columns: Vec::new(),
            rows,
            answers: Vec::new(),
            otherwise: None,
            span: table.head,
        });
    }

    /// Which tables make which sheets, and whose sheet a table writes on.
    pub(super) fn declare_makers(&mut self, merged: &Merged<'t>) {
        let known: Vec<SmolStr> = self.names.sheets.keys().cloned().collect();
        for (index, parts) in merged.tables.iter().enumerate() {
            let id = TableId(index as u32);
            if let Some(name) = &parts.tree.makes {
                match self.names.sheets.get(&name.text).copied() {
                    Some(sheet) => {
                        self.sheet_names[sheet.index()].makers.push(id);
                        self.program.tables[index].makes = Some(Making { sheet, keeps: Vec::new() });
                        self.program.tables[index].subject = self.sheet(sheet).owner;
                    }
                    None => {
                        self.unknown(name, say!("sheet"), known.iter().map(SmolStr::as_str));
                    }
                }
            }
            if let Some(name) = &parts.tree.subject {
                match self.names.sheets.get(&name.text).copied() {
                    Some(sheet) => self.program.tables[index].subject = Some(sheet),
                    None => {
                        self.unknown(name, say!("sheet"), known.iter().map(SmolStr::as_str));
                    }
                }
            }
        }
    }
}
