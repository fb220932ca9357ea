//! Tables: heads, rows, cells, what a row does and what then holds.

use crate::wording::Wording;
use std::collections::HashSet;

use smol_str::SmolStr;

use super::block::Place;
use super::body::Body;
use super::merge::{Merged, TableParts};
use super::{Checker, Origin, dice, text, types};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::program::*;
use crate::say;
use crate::syntax::tree::{self, ExprKind, SentenceKind};

impl<'t> Checker<'t> {
    /// Arguments, columns and keys of all tables: what the rest of the rules needs to use them.
    pub fn table_heads(&mut self, merged: &Merged<'t>) {
        for (index, parts) in merged.tables.iter().enumerate() {
            let table = parts.tree;
            let mut written: Vec<&'t tree::Param> = Vec::new();
            if let Some(tree::TableKey::Number(param)) = &table.key {
                written.push(param);
            }
            let mut params = match &table.key {
                Some(tree::TableKey::Kind(name)) => self.kind_key(name).into_iter().collect(),
                Some(tree::TableKey::Number(param)) => self.params(std::slice::from_ref(param)),
                _ => Vec::new(),
            };
            let keys = params.len();
            let own = self.params(&table.params);
            params.extend(self.param_defaults(None, &table.params, own));
            if keys == 1
                && let Some(tree::TableKey::Number(param)) = &table.key
            {
                let key = vec![params[0].clone()];
                if let Some(filled) = self.param_defaults(None, std::slice::from_ref(param), key).pop() {
                    params[0] = filled;
                }
            }
            let mut columns = Vec::new();
            for column in &table.columns {
                let Ok(ty) = types::resolve(self, &column.ty) else { continue };
                if column.each {
                    match self.names.kinds.get(&column.name.text).copied() {
                        Some(kind) => {
                            for member in self.program.kinds[kind.index()].members.clone() {
                                columns.push(Column { id: member.id, ty });
                            }
                        }
                        None => {
                            let known: Vec<String> = self.names.kinds.keys().map(|k| k.to_string()).collect();
                            self.unknown(&column.name, say!("kind"), known.iter().map(String::as_str));
                        }
                    }
                } else {
                    columns.push(Column { id: column.name.text.clone(), ty });
                }
            }
            let entry = &mut self.program.tables[index];
            if matches!(table.key, Some(tree::TableKey::Dice(_))) {
                // Its code comes later; that it rolls has to be known before.
                entry.key = TableKey::Dice(CodeId(0));
            }
            entry.params = params;
            entry.columns = columns;
            if let Some(making) = &self.program.tables[index].makes {
                let sheet = making.sheet;
                let keeps = self.keeps(TableId(index as u32), sheet);
                self.program.tables[index].makes = Some(Making { sheet, keeps });
            }
        }
    }

    fn kind_key(&mut self, name: &tree::Name) -> Option<Param> {
        let ty = if let Some(kind) = self.names.kinds.get(&name.text) {
            Type::Kind { kind: *kind, or_none: false }
        } else if let Some(table) = self.names.tables.get(&name.text) {
            Type::Row { table: *table, or_none: false }
        } else {
            let mut known: Vec<String> = self.names.kinds.keys().map(|k| k.to_string()).collect();
            known.extend(self.names.tables.keys().map(|k| k.to_string()));
            self.unknown(name, say!("kind or table"), known.iter().map(String::as_str));
            return None;
        };
        Some(Param { id: name.text.clone(), title: name.text.as_str().into(), ty, default: None, choices: None })
    }

    /// What a sheet that rows make keeps of their arguments and cells: those it has a track for.
    fn keeps(&mut self, table: TableId, sheet: SheetId) -> Vec<(u16, Kept)> {
        let names = self.sheet_names(sheet).tracks.clone();
        let entry = &self.program.tables[table.index()];
        let mut keeps = Vec::new();
        for (index, param) in entry.params.iter().enumerate() {
            if let Some(slot) = names.get(&param.id) {
                keeps.push((*slot, Kept::Argument(index as u16)));
            }
        }
        for (index, column) in entry.columns.iter().enumerate() {
            if let Some(slot) = names.get(&column.id) {
                keeps.push((*slot, Kept::Column(index as u16)));
            }
        }
        keeps.sort_by_key(|k| k.0);
        keeps
    }

    /// All rows of all tables.
    pub fn tables(&mut self, merged: &Merged<'t>) {
        for (index, parts) in merged.tables.iter().enumerate() {
            self.table(TableId(index as u32), parts);
        }
    }

    fn table(&mut self, id: TableId, parts: &TableParts<'t>) {
        let table = parts.tree;
        let damaged = self.is_damaged(parts.span);
        match &table.key {
            Some(tree::TableKey::Dice(expr)) => {
                let before = std::mem::replace(&mut self.current, Origin::Table(id));
                let params = self.program.tables[id.index()].params.clone();
                let mut body = Body::new(self, None).pure(say!("the dice of a table"));
                for (param, written) in params.iter().zip(&table.params) {
                    body.param(&param.id, param.ty, written.name.span);
                }
                body.place(expr.span);
                let result = body.dice_value(expr);
                let code = body.finish();
                self.current = before;
                self.program.tables[id.index()].key = TableKey::Dice(code);
                let shown = if result.is_ok() { self.shown_with(expr, &table.params, &params) } else { None };
                let gap = self.table_ranges(id, &parts.rows, shown, damaged);
                self.leave_open(expr, &table.params, &params, gap);
            }
            Some(tree::TableKey::Kind(name)) => {
                let key = match (self.names.kinds.get(&name.text), self.names.tables.get(&name.text)) {
                    (Some(kind), _) => TableKey::Kind(*kind),
                    (None, Some(table)) => TableKey::Rows(*table),
                    (None, None) => return,
                };
                self.program.tables[id.index()].key = key;
                self.table_members(id, &parts.rows, damaged);
            }
            Some(tree::TableKey::Number(_)) => {
                self.program.tables[id.index()].key = TableKey::Number;
                let shown = match self.program.tables[id.index()].params.first().map(|p| p.ty) {
                    Some(Type::Number { low, high }) => {
                        Some(crate::dice::Shown { ranges: vec![(low, high)], exact: true })
                    }
                    _ => None,
                };
                self.table_ranges(id, &parts.rows, shown, damaged);
            }
            None => {
                if !damaged {
                    self.tell(
                        Diagnostic::error(
                            Fault::Syntax,
                            say!("`{name}` does not say what is rolled", name = table.name.text),
                        )
                        .label(table.head, "no dice")
                        .help(say!("write `table {name} = 1d6 {{`", name = table.name.text)),
                    );
                }
                return;
            }
        }
        for (index, row) in parts.rows.iter().enumerate() {
            self.row(id, index as u32, row, parts);
        }
    }

    fn row(&mut self, id: TableId, index: u32, row: &'t tree::Row, parts: &TableParts<'t>) {
        let (row_id, path) = {
            let table = &self.program.tables[id.index()];
            let row_id = table.rows[index as usize].id.clone();
            let path = format!("{}/{}/{}", self.program.system.id, table.id, row_id);
            (row_id, path)
        };
        let cells = self.cells(id, row, parts, &row_id);
        let before = std::mem::replace(&mut self.current, Origin::Table(id));
        let table = &self.program.tables[id.index()];
        let (params, made, subject) = (table.params.clone(), table.makes.as_ref().map(|m| m.sheet), table.subject);
        let me = made.or(subject);
        let mut shown_names: Vec<SmolStr> = Vec::new();
        for text in row.prose.iter().chain(&row.title) {
            shown_names.extend(text::placeholders(&text.value).into_iter().map(|(_, name)| SmolStr::new(name)));
        }
        let mut body = Body::new(self, me);
        body.row = Some((id, index));
        body.path = path.clone();
        body.held = true;
        let keys = params.len() - parts.tree.params.len().min(params.len());
        for (place, param) in params.iter().enumerate() {
            let span =
                place.checked_sub(keys).and_then(|i| parts.tree.params.get(i)).map_or(parts.tree.head, |p| p.name.span);
            body.param(&param.id, param.ty, span);
        }
        let mut instead = None;
        let mut sentences: &'t [tree::Sentence] = &[];
        if let Some(written) = &row.body {
            body.keep = words_in_blocks(written, &body);
            sentences = &written.sentences;
            if let Some(tree::Sentence { kind: SentenceKind::Instead { row: to, when }, .. }) = sentences.first() {
                instead = body.ck.instead(id, index, to, when.as_ref(), &params, &parts.tree.params);
                sentences = &sentences[1..];
            }
            // Arguments that a block reads and the sheet made does not keep under their own name.
            for (place, param) in params.iter().enumerate() {
                let kept = made.is_some_and(|made| body.ck.sheet_names(made).tracks.contains_key(&param.id));
                if made.is_some() && !kept && body.keep.contains(&param.id) {
                    let name = tree::Name { text: param.id.clone(), span: parts.tree.head };
                    body.keep_local(&name, place as u16, param.ty);
                }
            }
        }
        for sentence in sentences {
            body.place(sentence.span);
            let _ = body.sentence(sentence);
        }
        // What the texts show.
        let mut shown = Vec::new();
        for name in &shown_names {
            if shown.iter().any(|s: &Shown| s.name == *name) {
                continue;
            }
            if let Some(local) = body.find_local(name)
                && let Some(ty) = local.ty
            {
                let dice = sentences.iter().find_map(|s| match &s.kind {
                    SentenceKind::Set { target, value, .. } => match &*target.kind {
                        ExprKind::Name(n) if n.text == *name && dice::rolls(value) => {
                            Some(SmolStr::new(body.text(value.span)))
                        }
                        _ => None,
                    },
                    _ => None,
                });
                shown.push(Shown { name: name.clone(), local: local.slot, dice, ty });
            }
        }
        // A misspelt name in a text is one fault: whatever it was meant to show counts as read.
        let names: Vec<SmolStr> = body.locals.iter().map(|l| l.name.clone()).collect();
        if shown_names.iter().any(|name| !names.contains(name)) {
            body.locals.iter_mut().for_each(|local| local.read = true);
        }
        let kept = std::mem::take(&mut body.kept);
        let blocks = std::mem::take(&mut body.blocks);
        let empty_body = body.ops.is_empty();
        let code = body.finish();
        self.current = before;
        if me.is_none() && !blocks.is_empty() {
            // Told where the block stands.
            return;
        }
        let known = names;
        let title = row.title.as_ref().map(|title| {
            self.message(Some(format!("{path}/title")), std::slice::from_ref(title), row.doc.as_ref(), &known)
        });
        let prose =
            (!row.prose.is_empty()).then(|| self.message(Some(path.clone()), &row.prose, row.doc.as_ref(), &known));
        let mut clauses = Clauses::default();
        if let Some(made) = made {
            for (block, reached) in blocks {
                let around = reached.map(|slot| self.reached(made, slot, block.span));
                let place =
                    Place { sheet: made, around, row: Some((id, index)), kept: kept.clone(), path: path.clone() };
                self.block(block, &place, &mut clauses);
            }
        }
        let entry = &mut self.program.tables[id.index()].rows[index as usize];
        entry.title = title;
        entry.prose = prose;
        entry.cells = cells;
        entry.instead = instead;
        entry.body = (!empty_body).then_some(code);
        entry.shown = shown;
        entry.clauses = clauses;
    }

    fn cells(&mut self, id: TableId, row: &'t tree::Row, parts: &TableParts<'t>, row_id: &SmolStr) -> Vec<Cell> {
        let columns = self.program.tables[id.index()].columns.clone();
        if row.cells.len() != columns.len() {
            let names: Vec<&str> = columns.iter().map(|c| c.id.as_str()).collect();
            let missing = columns.get(row.cells.len()).map(|c| c.id.clone());
            let span = match row.cells.get(columns.len()) {
                Some(cell) => cell.span,
                None => row.cells.last().map(|c| c.span).or(row.title.as_ref().map(|t| t.span)).unwrap_or(row.key.span),
            };
            let fault = Diagnostic::error(
                Fault::TypeMismatch,
                say!(
                    "`{row_id}` has {cells}, and the table has {names}",
                    row_id,
                    cells = cells_text(row.cells.len()),
                    names = columns_text(&names)
                ),
            );
            self.tell(match missing {
                Some(name) => fault
                    .label(span, say!("`{name}` is missing after this", name))
                    .help(say!("add `| …` with its `{name}`", name)),
                None if columns.is_empty() => fault
                    .label(span, "no column for this")
                    .help("take the cell out, or write `columns cure: text` before the table's `{`"),
                None => fault.label(span, "no column for this").help("take the cell out"),
            });
            return Vec::new();
        }
        let params = self.program.tables[id.index()].params.clone();
        let mut cells = Vec::with_capacity(columns.len());
        for (column, written) in columns.iter().zip(&row.cells) {
            if column.ty == Type::Text {
                match &*written.kind {
                    ExprKind::Text(text) => {
                        let path = format!(
                            "{}/{}/{row_id}/{}",
                            self.program.system.id,
                            self.program.tables[id.index()].id,
                            column.id
                        );
                        cells.push(Cell::Text(self.message(
                            Some(path),
                            std::slice::from_ref(text),
                            row.doc.as_ref(),
                            &[],
                        )));
                    }
                    _ => {
                        self.tell(
                            Diagnostic::error(
                                Fault::TypeMismatch,
                                say!("`{column}` is a text, and stands in quotes", column = column.id),
                            )
                            .label(written.span, "no quotes")
                            .help(say!(
                                "write `\"{written}\"`",
                                written = self.files[written.span.file.0 as usize].slice(written.span)
                            ))
                            .edit(written.span.before(), "\"")
                            .edit(written.span.after(), "\""),
                        );
                        cells.push(Cell::Value(0));
                    }
                }
                continue;
            }
            let mut body = Body::new(self, None).pure(say!("a cell"));
            let keys = params.len() - parts.tree.params.len().min(params.len());
            for (place, param) in params.iter().enumerate() {
                let span = place
                    .checked_sub(keys)
                    .and_then(|i| parts.tree.params.get(i))
                    .map_or(parts.tree.head, |p| p.name.span);
                body.param(&param.id, param.ty, span);
            }
            body.place(written.span);
            let result = body.expr(written, Some(column.ty));
            if let [Op::Push(n)] = body.ops[..] {
                let value = n;
                drop(body);
                if let (Ok(_), Type::Number { low, high }) = (result, column.ty)
                    && !(low..=high).contains(&value)
                {
                    self.tell(
                        Diagnostic::error(
                            Fault::TypeBounds,
                            say!(
                                "`{column}` goes from {low} to {high}, and this is {value}",
                                column = column.id,
                                low,
                                high,
                                value
                            ),
                        )
                        .label(written.span, "out of bounds")
                        .help("change the number, or the column's bounds"),
                    );
                }
                cells.push(Cell::Value(value));
            } else {
                let code = body.finish();
                cells.push(Cell::Code(code));
            }
        }
        cells
    }

    fn instead(
        &mut self,
        id: TableId,
        index: u32,
        to: &tree::Name,
        when: Option<&'t tree::Expr>,
        params: &[Param],
        written: &[tree::Param],
    ) -> Option<Instead> {
        let rows = &self.program.tables[id.index()].rows;
        let row = match to.text.as_str() {
            "next" => (index as usize + 1 < rows.len()).then_some(index + 1),
            "previous" => index.checked_sub(1),
            name => rows.iter().position(|r| r.id == name).map(|i| i as u32),
        };
        let Some(row) = row else {
            if matches!(to.text.as_str(), "next" | "previous") {
                self.tell(
                    Diagnostic::error(
                        Fault::NameUnknown,
                        match to.text == "next" {
                            true => say!("there is no next row"),
                            false => say!("there is no previous row"),
                        },
                    )
                    .label(
                        to.span,
                        if to.text == "next" { say!("the table ends here") } else { say!("the table begins here") },
                    )
                    .help("write the name of a row of this table"),
                );
            } else {
                let known: Vec<String> = rows.iter().map(|r| r.id.to_string()).collect();
                self.unknown(to, say!("row"), known.iter().map(String::as_str));
            }
            return None;
        };
        let subject = self.program.tables[id.index()].subject;
        let when = when.map(|when| {
            let mut body = Body::new(self, subject).pure(say!("a condition"));
            for (param, written) in params.iter().zip(written) {
                body.param(&param.id, param.ty, written.name.span);
            }
            body.place(when.span);
            let _ = body.yes_no(when);
            body.condition(when.span);
            body.finish()
        });
        Some(Instead { row, when })
    }
}

/// Every word in the blocks of a row's body: a value of that name has to be kept for them.
fn words_in_blocks(body: &tree::Body, at: &Body) -> HashSet<SmolStr> {
    let mut words = HashSet::new();
    super::declare::each_block(body, &mut |block| {
        let text = at.text(block.span);
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()) {
            words.insert(SmolStr::new(word));
        }
    });
    words
}

fn cells_text(count: usize) -> Wording {
    match count {
        0 => say!("no cell"),
        1 => say!("one cell"),
        n => say!("{n} cells", n),
    }
}

fn columns_text(names: &[&str]) -> Wording {
    match names {
        [] => say!("no column"),
        [one] => say!("one column, `{one}`", one),
        many => say!("{count} columns: `{names}`", count = many.len(), names = many.join("`, `")),
    }
}
