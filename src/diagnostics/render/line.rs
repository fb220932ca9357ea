//! One line of a file as it is shown: cut at both ends, each character still known by its byte.

use super::words::visible;
use crate::source::Source;

/// Columns a tab may take.
const TAB: usize = 4;

/// Whether a text takes at most so many columns.
pub fn takes_at_most(text: &str, columns: usize) -> bool {
    let mut left = columns;
    text.chars().all(|c| {
        let takes = if c == '\t' { TAB } else { 1 };
        let fits = takes <= left;
        left = left.saturating_sub(takes);
        fits
    })
}

/// Where a line starts, and its text without its break.
pub fn content(source: &Source, line: usize) -> (usize, &str) {
    let range = source.line(line);
    let text = &source.text[range.clone()];
    (range.start, text.strip_suffix('\r').unwrap_or(text))
}

/// One shown line: where each shown character stood in the file and stands in the excerpt.
pub struct Line {
    /// Byte in the file, byte in the excerpt; the last is the end of what is shown.
    bytes: Vec<(usize, usize)>,
}

impl Line {
    /// Writes a line behind an excerpt: from the character `skip`, as far as there are columns, with
    /// dots where something is left out.
    pub fn push(out: &mut String, (start, text): (usize, &str), skip: usize, columns: usize, unicode: bool) -> Line {
        let dots = if unicode { "…" } else { "..." };
        if skip > 0 {
            out.push_str(dots);
        }
        let mut bytes = Vec::new();
        let mut left = columns;
        let mut end = text.len();
        for (at, c) in text.char_indices().skip(skip) {
            let takes = if c == '\t' { TAB } else { 1 };
            if takes > left {
                end = at;
                break;
            }
            left -= takes;
            bytes.push((start + at, out.len()));
            out.push(match c {
                '\t' if skip == 0 => c,
                '\t' => ' ',
                c => visible(c),
            });
        }
        bytes.push((start + end, out.len()));
        if end < text.len() {
            out.push_str(dots);
        }
        out.push('\n');
        Line { bytes }
    }

    /// Where a byte of the file stands in the excerpt; the nearest shown one if it is not shown.
    pub fn find(&self, byte: usize) -> usize {
        let at = self.bytes.partition_point(|(there, _)| *there < byte);
        self.bytes[at.min(self.bytes.len() - 1)].1
    }
}
