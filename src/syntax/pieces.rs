//! Cuts what stands between braces into rows, parts, sentences or steps.
//!
//! A line break ends a piece, and so does `;`. Inside brackets a line break is a blank. A line
//! that cannot begin anything (an operator, `else`, `|`, a row's paragraph) continues the one
//! before.

use std::ops::Range;

use super::outline::Outline;
use super::scan;

/// What the pieces are; it decides which lines continue the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// Rows of a table.
    Rows,
    /// Rows that end with their braces: of a roll or of states read off a track.
    ShortRows,
    /// What stands in a sheet or a block.
    Parts,
    Sentences,
    /// Steps of a scenario, cases of its outcome, what is given.
    Steps,
    /// Nothing is cut.
    Whole,
}

/// One row, part, sentence or step, without the blanks and comments around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// The lines of `///` before it, slashes included.
    pub doc: Option<Range<usize>>,
    pub range: Range<usize>,
    /// Of a row: where the line after its first begins.
    pub below: Option<usize>,
    /// The bracket or word with which it goes deeper than allowed.
    pub too_deep: Option<usize>,
}

/// The pieces of a stretch of text, one after the other.
pub(super) struct Pieces<'o, 't> {
    outline: &'o Outline<'t>,
    at: usize,
    end: usize,
    cut: Cut,
    /// How many levels may still be opened.
    room: usize,
}

impl<'o, 't> Pieces<'o, 't> {
    pub fn new(outline: &'o Outline<'t>, range: Range<usize>, cut: Cut, room: usize) -> Self {
        Pieces { outline, at: range.start, end: range.end, cut, room }
    }

    /// Where the next line that says something begins, if it continues this one.
    fn continued(&self, start: usize, newline: usize) -> Option<usize> {
        let bytes = self.outline.text.as_bytes();
        let mut at = newline;
        while at < self.end {
            let next = scan::past_blanks(bytes, at, self.end);
            if next > at {
                at = next;
            } else if bytes[at] == b'\n' {
                at += 1;
            } else if bytes[at..self.end].starts_with(b"//") {
                let stop = scan::line_end(bytes, at, self.end);
                if is_doc(&bytes[at..stop]) {
                    return None;
                }
                at = stop;
            } else {
                return continues(self.outline.text, start, at, self.end, self.cut).then_some(at);
            }
        }
        None
    }
}

impl Iterator for Pieces<'_, '_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let doc = skip_between(self.outline.text.as_bytes(), &mut self.at, self.end);
        if self.at >= self.end {
            return None;
        }
        let bytes = self.outline.text.as_bytes();
        let start = self.at;
        let mut last = start;
        let mut below = None;
        let mut too_deep = None;
        let mut depth = Depth::default();
        let mut i = start;
        while i < self.end {
            if let Some(stop) = self.outline.hole_at(i) {
                i = stop.min(self.end);
                last = i;
                continue;
            }
            if let Some(stop) = scan::past(bytes, i, self.end) {
                if !bytes[i..].starts_with(b"//") {
                    last = stop;
                }
                i = stop;
                continue;
            }
            match bytes[i] {
                b'\n' if depth.open() == 0 => match self.continued(start, i) {
                    Some(at) => {
                        if below.is_none() && matches!(bytes[at], b'"' | b'{') {
                            below = Some(at);
                        }
                        i = at;
                        continue;
                    }
                    None => break,
                },
                b';' if depth.open() == 0 && self.cut != Cut::Whole => break,
                b' ' | b'\t' | b'\r' | b'\n' => {
                    if bytes[i] == b'\n' {
                        depth.line();
                    }
                    i += 1;
                    continue;
                }
                byte => {
                    if !self.outline.is_ignored(i) && depth.see(bytes, i, start) > self.room && too_deep.is_none() {
                        too_deep = Some(i);
                    }
                    last = i + 1;
                    i += 1;
                    if byte == b'}' && depth.open() == 0 && self.cut == Cut::ShortRows {
                        break;
                    }
                }
            }
        }
        self.at = i.max(start + 1);
        Some(Piece { doc, range: start..last, below, too_deep })
    }
}

/// How deep one stands: open brackets, and the words after which a whole condition follows.
#[derive(Default)]
struct Depth {
    /// For each open bracket, how many such words stood before it on its level.
    levels: Vec<usize>,
    words: usize,
    sum: usize,
}

impl Depth {
    fn open(&self) -> usize {
        self.levels.len()
    }

    fn line(&mut self) {
        self.words = 0;
    }

    /// Takes one byte that is no blank; the depth after it.
    fn see(&mut self, bytes: &[u8], at: usize, start: usize) -> usize {
        match bytes[at] {
            b'(' | b'[' | b'{' => {
                self.sum += self.words;
                self.levels.push(self.words);
                self.words = 0;
            }
            b')' | b']' | b'}' => {
                if let Some(words) = self.levels.pop() {
                    self.sum -= words;
                    self.words = words;
                }
            }
            b',' | b';' => self.words = 0,
            b'w' | b's' | b'h' | b'l' if at == start || !scan::word_byte(bytes[at - 1]) => {
                let opens: [&[u8]; 4] = [b"where", b"sum", b"highest", b"lowest"];
                if opens.iter().any(|word| bytes[at..].starts_with(word)) {
                    self.words += 1;
                }
            }
            _ => {}
        }
        self.levels.len() + self.sum + self.words
    }
}

/// Behind blanks, line breaks, `;` and comments; the lines of `///` just passed.
pub(super) fn skip_between(bytes: &[u8], at: &mut usize, end: usize) -> Option<Range<usize>> {
    let mut doc: Option<Range<usize>> = None;
    while *at < end {
        let next = scan::past_blanks(bytes, *at, end);
        if next > *at {
            *at = next;
        } else if matches!(bytes[*at], b'\n' | b';') {
            *at += 1;
        } else if bytes[*at..end].starts_with(b"//") {
            let stop = scan::line_end(bytes, *at, end);
            if is_doc(&bytes[*at..stop]) {
                doc = Some(doc.map_or(*at, |d| d.start)..stop);
            }
            *at = stop;
        } else {
            break;
        }
    }
    doc
}

/// Whether a comment is one for listings: `///`, not `////`.
pub(super) fn is_doc(comment: &[u8]) -> bool {
    comment.starts_with(b"///") && !comment.starts_with(b"////")
}

/// Whether the line that begins at `at` continues the piece that begins at `start`.
fn continues(text: &str, start: usize, at: usize, end: usize, cut: Cut) -> bool {
    let bytes = text.as_bytes();
    let rows = matches!(cut, Cut::Rows | Cut::ShortRows);
    match bytes[at] {
        _ if cut == Cut::Whole => true,
        b'{' | b'"' => true,
        b'|' => !(rows && is_markdown(&text[at..scan::line_end(bytes, at, end)])),
        _ if rows => false,
        b'=' | b'*' | b'/' | b'%' | b'<' | b'>' | b',' | b')' => true,
        b'+' | b'-' if matches!(bytes.get(at + 1), Some(b' ' | b'\t')) => true,
        b'-' => bytes[at..end].starts_with(b"->") && cut == Cut::Parts && scan::word(text, start) == "states",
        b'a'..=b'z' => match scan::word(text, at) {
            "else" | "and" | "or" | "where" => true,
            "when" | "then" | "passes" => matches!(cut, Cut::Parts | Cut::Sentences),
            _ => false,
        },
        _ => false,
    }
}

/// A line between bars, as tables are written in Markdown.
pub(super) fn is_markdown(line: &str) -> bool {
    let line = line.trim();
    line.len() > 1 && line.starts_with('|') && line.ends_with('|')
}
