//! Rows as most tables have them, read without asking the grammar: numbers, names and texts and
//! nothing else. The grammar stays the definition: whatever looks at all different is left to it,
//! and a test holds that both read the same.

use std::ops::Range;

use super::reader::Reader;
use super::scan;
use super::tree::{Body, Expr, ExprKind, Key, KeyKind, KeyRange, Name, Row, Text};
use super::words;

/// Words that begin more than a name in a cell.
const MORE: [&str; 13] =
    ["roll", "random", "count", "any", "first", "last", "sum", "highest", "lowest", "other", "exploding", "down", "up"];

/// A place in a stretch of text that is read from left to right.
struct Cursor<'t> {
    text: &'t str,
    at: usize,
    end: usize,
}

impl<'t> Cursor<'t> {
    fn byte(&self) -> Option<u8> {
        (self.at < self.end).then(|| self.text.as_bytes()[self.at])
    }

    fn blanks(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.byte() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// ASCII letters, digits and `_`. What another script continues is none.
    fn word(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        while self.byte().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_') {
            self.at += 1;
        }
        (self.at > start && self.byte().is_none_or(|b| b.is_ascii())).then_some(start..self.at)
    }

    /// A number of at most 18 digits without zeros before it.
    fn number(&mut self) -> Option<i64> {
        let start = self.at;
        while self.byte().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        let digits = &self.text[start..self.at];
        if digits.is_empty() || digits.len() > 18 || digits.len() > 1 && digits.starts_with('0') {
            return None;
        }
        digits.parse().ok()
    }

    /// A string without escapes.
    fn string(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        if self.byte() != Some(b'"') {
            return None;
        }
        let (stop, closed) = scan::past_string(self.text.as_bytes(), start, self.end);
        self.at = stop;
        (closed && !self.text[start..stop].contains('\\')).then_some(start..stop)
    }

    /// Braces as far as the end, and nothing behind them.
    fn braces(&mut self) -> Option<Range<usize>> {
        let bytes = self.text.as_bytes();
        let (start, mut depth) = (self.at, 0usize);
        while self.at < self.end {
            if let Some(stop) = scan::past(bytes, self.at, self.end) {
                if !matches!(bytes[self.at], b'"') && !bytes[self.at..].starts_with(b"//") {
                    return None;
                }
                self.at = stop;
                continue;
            }
            match bytes[self.at] {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return (self.at == self.end).then_some(start..self.end);
            }
        }
        None
    }
}

/// The parts of a row's first line.
struct First {
    key: Key,
    id: Option<Name>,
    title: Option<Text>,
    cells: Vec<Expr>,
    braces: Option<Range<usize>>,
}

impl Reader<'_, '_> {
    /// The first line of a row, if it is a plain one.
    pub fn quick_row(&mut self, first: Range<usize>, whole: Range<usize>) -> Option<Row> {
        if !self.quick {
            return None;
        }
        let plain = self.first_line(first)?;
        let body = plain.braces.map(|braces| self.braces(braces));
        let First { key, id, title, cells, .. } = plain;
        Some(Row { doc: None, key, id, title, cells, prose: Vec::new(), body, span: self.place(whole) })
    }

    /// What stands below the first line of a row, if it is plain.
    pub fn quick_below(&mut self, below: Range<usize>) -> Option<(Vec<Text>, Option<Body>)> {
        if !self.quick {
            return None;
        }
        let mut cursor = Cursor { text: self.text, at: below.start, end: below.end };
        let mut prose = Vec::new();
        if cursor.byte() == Some(b'"') {
            prose.push(self.plain_text(cursor.string()?));
            while matches!(cursor.byte(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
                cursor.at += 1;
            }
        }
        if cursor.byte().is_none() {
            return Some((prose, None));
        }
        if cursor.byte() != Some(b'{') {
            return None;
        }
        let braces = cursor.braces()?;
        Some((prose, Some(self.braces(braces))))
    }

    fn first_line(&self, first: Range<usize>) -> Option<First> {
        let mut cursor = Cursor { text: self.text, at: first.start, end: first.end };
        let (key, mut id) = self.plain_key(&mut cursor)?;
        cursor.blanks();
        if matches!(key.kind, KeyKind::Numbers(_))
            && cursor.byte().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        {
            id = Some(self.plain_name(cursor.word()?)?);
            cursor.blanks();
        }
        let mut title = None;
        if cursor.byte() == Some(b'"') {
            title = Some(self.plain_text(cursor.string()?));
            cursor.blanks();
        }
        let mut cells = Vec::new();
        while cursor.take(b'|') {
            cursor.blanks();
            cells.push(self.plain_cell(&mut cursor)?);
            cursor.blanks();
        }
        let braces = match cursor.byte() {
            None => None,
            Some(b'{') => Some(cursor.braces()?),
            Some(_) => return None,
        };
        Some(First { key, id, title, cells, braces })
    }

    /// `4`, `1-3`, `27+`, or a name with something behind it that cannot be an id.
    fn plain_key(&self, cursor: &mut Cursor<'_>) -> Option<(Key, Option<Name>)> {
        let start = cursor.at;
        if !cursor.byte()?.is_ascii_digit() {
            let name = self.plain_name(cursor.word()?)?;
            cursor.blanks();
            let goes_on = matches!(cursor.byte(), None | Some(b'|' | b'"'));
            let key = Key { span: name.span, kind: KeyKind::Name(name) };
            return goes_on.then_some((key, None));
        }
        let low = cursor.number()?;
        let high = if cursor.take(b'-') {
            Some(cursor.number()?)
        } else if cursor.take(b'+') {
            None
        } else {
            Some(low)
        };
        if !matches!(cursor.byte(), None | Some(b' ' | b'\t')) {
            return None;
        }
        let span = self.place(start..cursor.at);
        let mut next = cursor.at;
        while next < cursor.end && matches!(cursor.text.as_bytes()[next], b' ' | b'\t') {
            next += 1;
        }
        // A list, or a range with blanks in it.
        if next < cursor.end && matches!(cursor.text.as_bytes()[next], b',' | b'-' | b'.' | b'+' | 0x80..) {
            return None;
        }
        let range = KeyRange { low: Some(low), high, span };
        Some((Key { kind: KeyKind::Numbers(vec![range]), span }, None))
    }

    fn plain_name(&self, word: Range<usize>) -> Option<Name> {
        let text = &self.text[word.clone()];
        let name =
            !text.starts_with(|c: char| c.is_ascii_digit()) && !words::RESERVED.contains(&text) && text != "remove";
        name.then(|| Name { text: text.into(), span: self.place(word) })
    }

    fn plain_text(&self, string: Range<usize>) -> Text {
        Text { value: self.text[string.start + 1..string.end - 1].into(), span: self.place(string) }
    }

    fn plain_cell(&self, cursor: &mut Cursor<'_>) -> Option<Expr> {
        let start = cursor.at;
        let kind = match cursor.byte()? {
            b'"' => ExprKind::Text(self.plain_text(cursor.string()?)),
            b if b.is_ascii_digit() => ExprKind::Number(cursor.number()?),
            _ => {
                let word = cursor.word()?;
                match &self.text[word.clone()] {
                    "yes" => ExprKind::Yes,
                    "no" => ExprKind::No,
                    "none" => ExprKind::None,
                    "all" => ExprKind::All,
                    text if MORE.contains(&text) || text.starts_with(['d', 'D']) && dice(text) => return None,
                    _ => ExprKind::Name(self.plain_name(word)?),
                }
            }
        };
        let span = self.place(start..cursor.at);
        cursor.blanks();
        let ends = matches!(cursor.byte(), None | Some(b'|' | b'{'));
        ends.then(|| Expr { kind: Box::new(kind), span })
    }
}

/// Whether a word that begins with `d` may be a die.
fn dice(word: &str) -> bool {
    word.len() == 1 || word[1..].starts_with(|c: char| c.is_ascii_digit() || c == 'F')
}
