//! Cuts a file into its items: knows strings, comments and brackets, nothing else.
//!
//! A word that begins an item ends whatever was open before it if it stands in column 1, so a
//! bracket left open spoils one item only.

use std::ops::Range;

use super::brackets::{self, Broken};
use super::pieces::{is_markdown, skip_between};
use super::reader::FAULTS;
use super::scan;

/// The words that begin an item.
pub(super) const ITEMS: [&str; 11] =
    ["system", "dialect", "option", "use", "clock", "time", "kind", "table", "sheet", "scenario", "extend"];

/// A text, and which of its brackets have no partner.
#[derive(Debug, Default)]
pub(super) struct Outline<'t> {
    pub text: &'t str,
    /// Brackets that count for nothing, sorted.
    pub ignored: Vec<usize>,
    /// Stretches that cannot be told apart, sorted.
    pub holes: Vec<Range<usize>>,
}

impl<'t> Outline<'t> {
    pub fn new(text: &'t str) -> Self {
        Outline { text, ignored: Vec::new(), holes: Vec::new() }
    }

    pub fn is_ignored(&self, at: usize) -> bool {
        !self.ignored.is_empty() && self.ignored.binary_search(&at).is_ok()
    }

    /// Puts the ignored brackets of the last item, which begins at `start`, in order.
    pub fn sort_from(&mut self, start: usize) {
        let from = self.ignored.partition_point(|at| *at < start);
        self.ignored[from..].sort_unstable();
    }

    /// If a hole begins at `at`, its end.
    pub fn hole_at(&self, at: usize) -> Option<usize> {
        if self.holes.is_empty() {
            return None;
        }
        self.holes.binary_search_by_key(&at, |hole| hole.start).ok().map(|i| self.holes[i].end)
    }

    /// Whether a stretch holds a bracket without a partner: no rule can read it.
    pub fn damaged(&self, range: &Range<usize>) -> bool {
        let ignored = self.ignored.partition_point(|at| *at < range.start);
        let hole = self.holes.partition_point(|hole| hole.start < range.start);
        self.ignored.get(ignored).is_some_and(|at| *at < range.end)
            || self.holes.get(hole).is_some_and(|hole| hole.start < range.end)
    }
}

/// One item as it lies in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lines {
    pub doc: Option<Range<usize>>,
    /// The whole, without the blanks behind it.
    pub range: Range<usize>,
    /// The braces that end it: where they open and where they close.
    pub braces: Option<(usize, usize)>,
}

/// Whether the line at `at` begins an item: a word of [`ITEMS`] and what must follow it.
/// With `open`, something before is still open, and the line has to look the more like it.
pub(super) fn begins_item(text: &str, at: usize, open: bool) -> bool {
    let word = scan::word(text, at);
    if !ITEMS.contains(&word) {
        return false;
    }
    let bytes = text.as_bytes();
    let next = scan::past_blanks(bytes, at + word.len(), bytes.len());
    match bytes.get(next) {
        _ if next == at + word.len() => !open,
        Some(b'"') => word == "use" || !open,
        Some(byte) => byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80,
        None => !open,
    }
}

/// Cuts the text into items; what is wrong with its brackets and quotes goes to `faults`.
pub(super) fn items(outline: &mut Outline<'_>, faults: &mut Vec<Broken>) -> Vec<Lines> {
    let mut items = Vec::new();
    let (mut at, mut limit) = (0, 0);
    let mut clear = 0;
    let length = outline.text.len();
    loop {
        let doc = skip_between(outline.text.as_bytes(), &mut at, length);
        if at >= length || faults.len() >= FAULTS {
            return items;
        }
        if at >= limit {
            limit = next_item(outline.text, at);
        }
        let mut lines = match walk(outline, at, limit) {
            Walked::Item(lines) if !leaves_closer(outline, lines.range.end, limit, &mut clear) => lines,
            _ => {
                brackets::repair(outline, at..limit, faults);
                match walk(outline, at, limit) {
                    Walked::Item(lines) | Walked::Unclosed(lines) => lines,
                }
            }
        };
        quotes(outline, lines.range.clone(), faults);
        if let Some((open, _)) = lines.braces.filter(|(open, _)| outline.text.as_bytes()[*open] == b'\n') {
            let head = outline.text[at..open].trim_end();
            faults.push(Broken::BraceMissing { head: at..at + head.len() });
        }
        at = lines.range.end.max(at + 1);
        lines.doc = doc;
        items.push(lines);
    }
}

/// Where the next line behind `at` begins an item in column 1.
fn next_item(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = scan::line_end(bytes, at, bytes.len());
    while end < bytes.len() {
        if begins_item(text, end + 1, true) {
            return end + 1;
        }
        end = scan::line_end(bytes, end + 1, bytes.len());
    }
    bytes.len()
}

enum Walked {
    Item(Lines),
    /// Something in it is not closed, or closed by the wrong bracket.
    Unclosed(Lines),
}

/// From the beginning of an item to its end, at most as far as `limit`.
fn walk(outline: &Outline<'_>, start: usize, limit: usize) -> Walked {
    let bytes = outline.text.as_bytes();
    let word = scan::word(outline.text, start);
    let known_word = match word {
        "extend" => scan::word(outline.text, scan::past_blanks(bytes, start + word.len(), bytes.len())),
        _ => word,
    };
    let braced = matches!(known_word, "table" | "sheet" | "scenario");
    let known = ITEMS.contains(&word);
    let indent = scan::indent(bytes, start);
    let mut stack: Vec<(usize, u8)> = Vec::new();
    let mut braces = None;
    let mut last = start;
    let mut i = start;
    while i < limit {
        if let Some(stop) = outline.hole_at(i) {
            i = stop.min(limit);
            last = i;
            continue;
        }
        if let Some(stop) = scan::past(bytes, i, limit) {
            if !bytes[i..].starts_with(b"//") {
                last = stop;
            }
            i = stop;
            continue;
        }
        match bytes[i] {
            b' ' | b'\t' | b'\r' => {}
            b';' if stack.is_empty() && known => break,
            b'\n' if stack.is_empty() => {
                let mut at = i;
                let doc = skip_between(bytes, &mut at, limit);
                if at >= limit || begins_item(outline.text, at, false) {
                    break;
                }
                let goes_on = known && doc.is_none() && head_goes_on(outline.text, at, limit);
                if !goes_on && braced && braces.is_none() && scan::indent(bytes, at) > indent {
                    stack.push((i, b'{'));
                } else if !goes_on && (known || near_item(outline.text, at)) {
                    break;
                }
                i = at;
                continue;
            }
            b'\n' => {}
            _ if outline.is_ignored(i) => last = i + 1,
            b'{' | b'(' | b'[' if stack.len() == brackets::DEEPEST => {
                return Walked::Unclosed(Lines { doc: None, range: start..limit, braces: None });
            }
            byte @ (b'{' | b'(' | b'[') => {
                stack.push((i, byte));
                last = i + 1;
            }
            byte @ (b'}' | b')' | b']') => {
                last = i + 1;
                match stack.pop() {
                    Some((open, b'{')) if byte == b'}' => {
                        if stack.is_empty() {
                            braces = Some((open, i));
                            if !line_goes_on(outline.text, i + 1, limit) {
                                break;
                            }
                        }
                    }
                    Some((_, b'(')) if byte == b')' => {}
                    Some((_, b'[')) if byte == b']' => {}
                    _ => return Walked::Unclosed(Lines { doc: None, range: start..limit, braces: None }),
                }
            }
            _ => last = i + 1,
        }
        i += 1;
    }
    if let Some((open, _)) = stack.first() {
        let range = start..last.max(open + 1);
        let braces = Some((*open, range.end));
        return if bytes[*open] == b'\n' {
            Walked::Item(Lines { doc: None, range, braces })
        } else {
            Walked::Unclosed(Lines { doc: None, range, braces })
        };
    }
    Walked::Item(Lines { doc: None, range: start..last.max(start + 1), braces })
}

/// Whether an item's end leaves a bracket behind it that closes nothing: then the end is wrong.
/// As far as `clear` there is none.
fn leaves_closer(outline: &Outline<'_>, end: usize, limit: usize, clear: &mut usize) -> bool {
    let bytes = outline.text.as_bytes();
    let mut at = end;
    skip_between(bytes, &mut at, limit);
    if at < *clear || begins_item(outline.text, at, false) {
        return false;
    }
    let mut depth = 0usize;
    while at < limit {
        if let Some(stop) = scan::past(bytes, at, limit) {
            at = stop;
            continue;
        }
        match bytes[at] {
            b'{' => depth += 1,
            b'}' if depth == 0 => return !outline.is_ignored(at),
            b'}' => depth -= 1,
            b'\n' if depth == 0 && begins_item(outline.text, scan::past_blanks(bytes, at + 1, limit), false) => {
                break;
            }
            _ => {}
        }
        at += 1;
    }
    *clear = at;
    false
}

/// Whether a line continues the head of an item.
fn head_goes_on(text: &str, at: usize, limit: usize) -> bool {
    let bytes = text.as_bytes();
    match bytes[at] {
        b'{' | b'"' | b'=' | b'<' | b',' | b')' => true,
        b'|' => !is_markdown(&text[at..scan::line_end(bytes, at, limit)]),
        _ => {
            let word = scan::word(text, at);
            let next = scan::past_blanks(bytes, at + word.len(), limit);
            let named = !matches!(bytes.get(next), Some(b':' | b'"' | b'='));
            matches!(word, "columns" | "makes" | "cumulative" | "by" | "for" | "of" | "like" | "after" | "lang")
                && named
        }
    }
}

/// Whether the text behind a closing brace belongs to the same head: the braces were a pool's.
fn line_goes_on(text: &str, at: usize, limit: usize) -> bool {
    let bytes = text.as_bytes();
    let next = scan::past_blanks(bytes, at, limit);
    match bytes.get(next) {
        Some(b'{' | b'+' | b'*' | b'=' | b'>' | b'<' | b'!' | b')') => true,
        Some(byte) if byte.is_ascii_lowercase() => {
            next == at || matches!(scan::word(text, next), "makes" | "for" | "cumulative" | "columns")
        }
        _ => false,
    }
}

/// The word of [`ITEMS`] that the word at `at` was most likely meant to be.
pub(super) fn nearest_item(text: &str, at: usize) -> Option<&'static str> {
    let word = scan::word(text, at);
    if word.chars().count() < 3 || word.len() > 12 {
        return None;
    }
    crate::diagnostics::nearest(word, ITEMS)
}

fn near_item(text: &str, at: usize) -> bool {
    nearest_item(text, at).is_some()
        && scan::past_blanks(text.as_bytes(), at + scan::word(text, at).len(), text.len()) > at
}

/// What is wrong with the brackets and quotes of a stretch that is cut no further.
pub(super) fn brackets(outline: &mut Outline<'_>, range: Range<usize>, faults: &mut Vec<Broken>) {
    brackets::repair(outline, range.clone(), faults);
    quotes(outline, range, faults);
}

/// Strings that are not closed on their line, and comments written `/* … */`.
fn quotes(outline: &mut Outline<'_>, range: Range<usize>, faults: &mut Vec<Broken>) {
    let bytes = outline.text.as_bytes();
    let mut at = range.start;
    let before = outline.ignored.len();
    while at < range.end {
        if bytes[at] == b'"' {
            let (stop, closed) = scan::past_string(bytes, at, range.end);
            if !closed {
                outline.ignored.push(at);
                faults.push(Broken::Quote { open: at, line_end: stop });
            }
            at = stop.max(at + 1);
        } else if bytes[at..range.end].starts_with(b"/*") && at > range.start {
            let stop = scan::past(bytes, at, range.end).unwrap_or(range.end);
            outline.ignored.push(at);
            faults.push(Broken::Comment { range: at..stop });
            at = stop;
        } else {
            at = scan::past(bytes, at, range.end).unwrap_or(at + 1);
        }
    }
    if outline.ignored.len() > before {
        outline.sort_from(range.start);
    }
}
