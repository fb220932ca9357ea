//! A file's text, byte spans in it, and the lines and columns people count in.

use std::ops::Range;
use std::sync::Arc;

/// The largest file that is read, in bytes. Larger ones are refused with a diagnostic.
pub const FILE_BYTES: usize = 64 * 1024 * 1024;

/// Which file of a [`crate::check::Sources`] a span belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId(pub u16);

/// A stretch of one file's text: bytes from `start` up to but not including `end`.
/// Both ends lie on character boundaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        Span { file, start: range.start as u32, end: range.end as u32 }
    }

    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// From the start of this span to the end of a later one in the same file.
    pub fn to(self, later: Span) -> Span {
        Span { file: self.file, start: self.start.min(later.start), end: self.end.max(later.end) }
    }

    /// The empty span just behind this one: where something is missing.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }

    /// The empty span just before this one.
    pub fn before(self) -> Span {
        Span { end: self.start, ..self }
    }
}

/// One place as people count: lines and columns from 1, columns in characters; bytes from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Place {
    pub line: usize,
    pub column: usize,
    pub byte: usize,
}

/// A named text. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Source {
    /// The name as the user gave it: a path, or `<stdin>`, or `<roll>`.
    pub name: Arc<str>,
    pub text: Arc<str>,
    /// Byte offset at which each line starts.
    lines: Arc<[u32]>,
}

impl Source {
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let lines = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        Source { name: name.into(), text, lines }
    }

    /// The text a span covers; empty where the span does not fit this text.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Where a byte offset lies. An offset beyond the end is taken as the end.
    pub fn place(&self, byte: usize) -> Place {
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        let line = self.lines.partition_point(|start| *start as usize <= byte);
        let start = self.lines[line - 1] as usize;
        Place { line, column: self.text[start..byte].chars().count() + 1, byte }
    }

    /// The byte range of a line (from 1), without its line break.
    pub fn line(&self, line: usize) -> Range<usize> {
        let start = self.lines[line - 1] as usize;
        let end = self.lines.get(line).map_or(self.text.len(), |next| *next as usize - 1);
        start..end
    }

    pub fn line_count(&self) -> usize {
        self.lines.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_bytes_count_bytes() {
        let source = Source::new("x", "año\nñandú");
        assert_eq!(source.place(3), Place { line: 1, column: 3, byte: 3 });
        assert_eq!(source.place(5), Place { line: 2, column: 1, byte: 5 });
        assert_eq!(source.place(6), Place { line: 2, column: 1, byte: 5 });
        assert_eq!(source.place(999), Place { line: 2, column: 6, byte: 12 });
    }
}
