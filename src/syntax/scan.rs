//! What the outline must know of the text before any rule reads it: where strings and comments
//! end, what a line begins with.

/// If a string or a comment begins at `at` (one between `/*` and `*/` among them, though it is a
/// slip), where it ends: behind the closing quote, or at the line break. A string that is not closed ends with its line.
#[inline(always)]
pub(super) fn past(bytes: &[u8], at: usize, end: usize) -> Option<usize> {
    match bytes[at] {
        b'"' | b'/' | 0xC2 | 0xE2 => past_any(bytes, at, end),
        _ => None,
    }
}

fn past_any(bytes: &[u8], at: usize, end: usize) -> Option<usize> {
    match bytes[at] {
        b'"' => Some(past_string(bytes, at, end).0),
        b'/' if at + 1 < end && bytes[at + 1] == b'/' => Some(line_end(bytes, at, end)),
        b'/' if at + 1 < end && bytes[at + 1] == b'*' => {
            Some((at + 2..end).find(|i| bytes[*i..end].starts_with(b"*/")).map_or(line_end(bytes, at, end), |i| i + 2))
        }
        0xC2 if bytes[at..end].starts_with("«".as_bytes()) => past_curly(bytes, at, end, "»"),
        0xE2 if opens_curly(&bytes[at..end]) => past_curly(bytes, at, end, "”"),
        _ => None,
    }
}

/// Where the string that opens at `at` ends, and whether it is closed.
pub(super) fn past_string(bytes: &[u8], at: usize, end: usize) -> (usize, bool) {
    let mut i = at + 1;
    while i < end {
        match bytes[i] {
            b'"' => return (i + 1, true),
            b'\\' if i + 1 < end && bytes[i + 1] != b'\n' => i += 2,
            b'\n' => return (i, false),
            _ => i += 1,
        }
    }
    (end, false)
}

fn opens_curly(bytes: &[u8]) -> bool {
    ["“", "„", "”"].iter().any(|quote| bytes.starts_with(quote.as_bytes()))
}

/// A string between typographic quotes; only if it is closed on its line.
fn past_curly(bytes: &[u8], at: usize, end: usize, close: &str) -> Option<usize> {
    let stop = line_end(bytes, at, end);
    let close = close.as_bytes();
    let from = at + 2;
    (from..stop).find(|i| bytes[*i..stop].starts_with(close)).map(|i| i + close.len())
}

/// The line break at or behind `at`, or the end.
pub(super) fn line_end(bytes: &[u8], at: usize, end: usize) -> usize {
    bytes[at..end].iter().position(|b| *b == b'\n').map_or(end, |i| at + i)
}

/// Where the line that holds `at` begins.
pub(super) fn line_start(bytes: &[u8], at: usize) -> usize {
    bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1)
}

/// How many blanks the line that holds `at` begins with.
pub(super) fn indent(bytes: &[u8], at: usize) -> usize {
    let start = line_start(bytes, at);
    bytes[start..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

/// Behind the blanks at `at`; line breaks are not blanks here.
pub(super) fn past_blanks(bytes: &[u8], mut at: usize, end: usize) -> usize {
    loop {
        match bytes.get(at..end) {
            Some([b' ' | b'\t' | b'\r', ..]) => at += 1,
            Some([0xC2, 0xA0, ..]) => at += 2,
            Some([0xEF, 0xBB, 0xBF, ..]) => at += 3,
            _ => return at,
        }
    }
}

/// The word that begins at `at`: letters of any script, digits and `_`; empty if there is none.
pub(super) fn word(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or("");
    let length = rest.char_indices().find(|(_, c)| !(c.is_alphanumeric() || *c == '_')).map_or(rest.len(), |(i, _)| i);
    &rest[..length]
}

/// Whether a word can go on with this byte.
pub(super) fn word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Where a comment behind `#` begins in an ad-hoc expression, or the end.
pub(super) fn remark(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut label = false;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at = past_string(bytes, at, bytes.len()).0;
                continue;
            }
            b'[' => label = true,
            b']' => label = false,
            b'#' if !label => return at,
            _ => {}
        }
        at += 1;
    }
    at
}
