//! Tables: the head, the rows one by one, and the keys of rows.

use std::ops::Range;

use super::grammar::{Pair, Rule};
use super::pasted;
use super::pieces::{Cut, Piece};
use super::reader::Reader;
use super::tree::{Body, Column, ItemKind, Key, KeyKind, KeyRange, Name, Param, Row, Table, TableKey, Text};
use crate::source::Span;

/// What stands in the braces of a table.
pub(super) enum Entry {
    Row(Box<Row>),
    Removed(Name),
}

impl<'t> Reader<'_, 't> {
    pub fn table(&mut self, head: &Piece, inside: Option<(usize, usize)>) -> Option<ItemKind> {
        let span = self.place(head.range.clone());
        let made = self.piece(Rule::whole_table, head, |reader, pair| {
            let mut table = Table {
                extend: false,
                name: Name { text: "".into(), span },
                params: Vec::new(),
                title: None,
                key: None,
                subject: None,
                makes: None,
                cumulative: false,
                columns: Vec::new(),
                rows: Vec::new(),
                removed: Vec::new(),
                head: span,
            };
            let mut word = Rule::table_word;
            for part in pair.into_inner() {
                match part.as_rule() {
                    Rule::extend_word => table.extend = true,
                    Rule::cumulative_word => table.cumulative = true,
                    Rule::name => match word {
                        Rule::for_word => table.subject = Some(reader.name(&part)),
                        Rule::makes_word => table.makes = Some(reader.name(&part)),
                        _ => table.name = reader.name(&part),
                    },
                    Rule::params => table.params = reader.params(part),
                    Rule::text => table.title = Some(reader.string(&part)),
                    Rule::expression => table.key = Some(TableKey::Dice(reader.value(part))),
                    Rule::table_by => table.key = reader.table_by(part),
                    Rule::column => table.columns.extend(reader.column(part)),
                    other => word = other,
                }
            }
            Some(table)
        });
        let entries = inside.map_or_else(Vec::new, |(open, close)| self.rows(open + 1..close));
        let mut table = made?;
        for entry in entries {
            match entry {
                Entry::Row(row) => table.rows.push(*row),
                Entry::Removed(name) => table.removed.push(name),
            }
        }
        Some(ItemKind::Table(table))
    }

    fn table_by(&mut self, pair: Pair<'t>) -> Option<TableKey> {
        let (mut name, mut ty) = (None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => name = Some(self.name(&part)),
                Rule::r#type => ty = Some(self.ty(part)),
                _ => {}
            }
        }
        let name = name?;
        Some(match ty {
            None => TableKey::Kind(name),
            ty => TableKey::Number(Param { name, title: None, ty, default: None }),
        })
    }

    fn column(&mut self, pair: Pair<'t>) -> Option<Column> {
        let (mut name, mut ty, mut each) = (None, None, false);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::each_name => each = true,
                Rule::name => name = Some(self.name(&part)),
                Rule::r#type => ty = Some(self.ty(part)),
                _ => {}
            }
        }
        Some(Column { name: name?, each, ty: ty? })
    }

    // ── Rows ────────────────────────────────────────────────────────────────────────────────

    pub fn rows(&mut self, inside: Range<usize>) -> Vec<Entry> {
        self.inside(inside, Cut::Rows, |reader, piece| reader.row(piece))
    }

    /// One row: its first line by one rule, what stands below it by another.
    fn row(&mut self, piece: Piece) -> Option<Entry> {
        if !self.may_read(&piece) {
            return None;
        }
        let first = self.text[piece.range.start..piece.below.unwrap_or(piece.range.end)].trim_end().len();
        let first = piece.range.start..piece.range.start + first;
        if let Some(fault) = pasted::row(self, &piece) {
            self.fault(fault);
            return None;
        }
        let span = self.place(piece.range.clone());
        let quick = self.quick_row(first.clone(), piece.range.clone()).map(|row| Entry::Row(Box::new(row)));
        let made = quick.or_else(|| self.row_by_rule(first, span));
        let below = piece.below.and_then(|below| {
            let below = below..piece.range.end;
            self.quick_below(below.clone()).or_else(|| self.below_by_rule(below))
        });
        let doc = self.doc(piece.doc);
        match made? {
            Entry::Row(mut row) => {
                row.doc = doc;
                if let Some((prose, body)) = below {
                    row.prose = prose;
                    if let (Some(first), Some(second)) = (&row.body, &body) {
                        let fault = pasted::two_bodies(first.span, second.span);
                        self.fault(fault);
                    }
                    row.body = row.body.or(body);
                }
                Some(Entry::Row(row))
            }
            removed => Some(removed),
        }
    }

    /// The first line of a row, by the grammar.
    fn row_by_rule(&mut self, first: Range<usize>, span: Span) -> Option<Entry> {
        self.part(Rule::whole_row, first, |reader, pair| {
            let mut row = Row {
                doc: None,
                key: Key { kind: KeyKind::Never, span },
                id: None,
                title: None,
                cells: Vec::new(),
                prose: Vec::new(),
                body: None,
                span,
            };
            let mut keyed = false;
            for part in pair.into_inner() {
                match part.as_rule() {
                    Rule::removed => return reader.inner_name(part).map(Entry::Removed),
                    Rule::answers => {
                        row.key = reader.key(part);
                        keyed = true;
                    }
                    Rule::any_name if keyed => row.id = Some(reader.name(&part)),
                    Rule::any_name => row.key = reader.name_key(&part),
                    Rule::text => row.title = Some(reader.string(&part)),
                    Rule::expression => row.cells.push(reader.value(part)),
                    Rule::block => row.body = Some(reader.body(&part)),
                    _ => {}
                }
            }
            Some(Entry::Row(Box::new(row)))
        })
    }

    /// What stands below it, by the grammar.
    fn below_by_rule(&mut self, below: Range<usize>) -> Option<(Vec<Text>, Option<Body>)> {
        self.part(Rule::whole_below, below, |reader, pair| {
            let (mut prose, mut body) = (Vec::new(), None);
            for part in pair.into_inner() {
                match part.as_rule() {
                    Rule::text => prose.push(reader.string(&part)),
                    Rule::block => body = Some(reader.body(&part)),
                    _ => {}
                }
            }
            Some((prose, body))
        })
    }

    // ── Keys ────────────────────────────────────────────────────────────────────────────────

    pub fn name_key(&self, pair: &Pair<'t>) -> Key {
        let name = self.name(pair);
        Key { span: name.span, kind: KeyKind::Name(name) }
    }

    pub fn key(&mut self, pair: Pair<'t>) -> Key {
        let span = self.span(&pair);
        let kind = match pair.into_inner().next() {
            Some(numbers) if numbers.as_rule() == Rule::numbers => KeyKind::Numbers(
                numbers
                    .into_inner()
                    .filter(|part| part.as_rule() == Rule::key_range)
                    .map(|part| self.key_range(part))
                    .collect(),
            ),
            Some(other) if other.as_rule() == Rule::otherwise => KeyKind::Else,
            _ => KeyKind::Never,
        };
        Key { kind, span }
    }

    fn key_range(&mut self, pair: Pair<'t>) -> KeyRange {
        let span = self.span(&pair);
        pasted::odd_range(self, span);
        let (mut low, mut high) = (None, None);
        let mut open = false;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::key_number if open => high = Some(self.key_number(part)),
                Rule::key_number => low = Some(self.key_number(part)),
                Rule::number => {
                    let value = self.number(&part, false);
                    high = Some(hundred(part.as_str(), value));
                }
                _ => open = true,
            }
        }
        if !open {
            high = low;
        }
        KeyRange { low, high, span }
    }

    pub fn key_number(&mut self, pair: Pair<'t>) -> i64 {
        let mut negative = false;
        let mut value = 0;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::dash => negative = true,
                _ => value = hundred(part.as_str(), self.number(&part, negative)),
            }
        }
        value
    }
}

/// `00` is 100: two ten-sided dice read side by side.
fn hundred(written: &str, value: i64) -> i64 {
    if value == 0 && written.chars().count() == 2 { 100 } else { value }
}
