//! Brackets without a partner: which one it is, judged by how the lines are indented, and how
//! much of the text it spoils.

use std::ops::Range;

use super::outline::Outline;
use super::reader::{FAULTS, NESTING};
use super::scan;

/// A bracket or a quote without its partner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Broken {
    /// Opened at, never closed.
    Open { at: usize },
    /// Deeper than brackets may stand.
    Deep { at: usize },
    /// Closes nothing.
    Close { at: usize },
    /// The line that should end with `{`.
    BraceMissing { head: Range<usize> },
    /// A quote not closed on its line.
    Quote { open: usize, line_end: usize },
    /// A comment between `/*` and `*/`.
    Comment { range: Range<usize> },
}

/// An open bracket: where, which, and how far its line is indented.
#[derive(Clone, Copy)]
struct Open {
    at: usize,
    byte: u8,
    indent: usize,
}

/// Brackets are told apart this deep; what goes deeper is given up at once.
pub(super) const DEEPEST: usize = 4 * NESTING;

/// Finds the brackets of a stretch that have no partner, and marks them in the outline.
pub(super) fn repair(outline: &mut Outline<'_>, range: Range<usize>, faults: &mut Vec<Broken>) {
    let bytes = outline.text.as_bytes();
    let mut stack: Vec<Open> = Vec::new();
    let mut unclosed: Vec<(Open, usize)> = Vec::new();
    let mut extra: Vec<(usize, bool)> = Vec::new();
    let mut indent = scan::indent(bytes, range.start);
    let mut blank = true;
    let mut i = range.start;
    while i < range.end && unclosed.len() + extra.len() < FAULTS {
        if let Some(stop) = scan::past(bytes, i, range.end) {
            if bytes[i] == b'/' && stop < range.end {
                indent = scan::indent(bytes, stop);
            }
            blank = false;
            i = stop;
            continue;
        }
        match bytes[i] {
            b'\n' => {
                indent = scan::past_blanks(bytes, i + 1, range.end) - (i + 1);
                blank = true;
                i += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                i += 1;
                continue;
            }
            _ if stack.len() == DEEPEST => {
                faults.push(Broken::Deep { at: stack[NESTING].at });
                outline.holes.push(stack[0].at..range.end);
                return;
            }
            byte @ (b'(' | b'[' | b'{') => stack.push(Open { at: i, byte, indent }),
            b')' | b']' => {
                let open = if bytes[i] == b')' { b'(' } else { b'[' };
                let level = stack.iter().rposition(|o| o.byte == b'{').map_or(0, |p| p + 1);
                match stack[level..].iter().rposition(|o| o.byte == open) {
                    Some(found) => close(&mut stack, level + found, i, &mut unclosed),
                    None => extra.push((i, false)),
                }
            }
            b'}' => match partner(&stack, blank.then_some(indent)) {
                Some(found) => close(&mut stack, found, i, &mut unclosed),
                None => extra.push((i, blank)),
            },
            _ => {}
        }
        blank = false;
        i += 1;
    }
    unclosed.extend(stack.iter().map(|open| (*open, range.end)));
    mark(outline, &range, unclosed, extra, faults);
}

/// Which open brace a closing one belongs to: if it begins its line, the one whose line is
/// indented alike.
fn partner(stack: &[Open], begins_line: Option<usize>) -> Option<usize> {
    let top = stack.iter().rposition(|o| o.byte == b'{')?;
    let Some(indent) = begins_line else { return Some(top) };
    match stack.iter().rposition(|o| o.byte == b'{' && o.indent == indent) {
        Some(found) => Some(found),
        None if stack[top].indent < indent => None,
        None => Some(top),
    }
}

/// Closes the bracket at `found`; those opened since have no partner.
fn close(stack: &mut Vec<Open>, found: usize, at: usize, unclosed: &mut Vec<(Open, usize)>) {
    unclosed.extend(stack[found + 1..].iter().map(|open| (*open, at)));
    stack.truncate(found);
}

fn mark(
    outline: &mut Outline<'_>,
    range: &Range<usize>,
    mut unclosed: Vec<(Open, usize)>,
    extra: Vec<(usize, bool)>,
    faults: &mut Vec<Broken>,
) {
    let bytes = outline.text.as_bytes();
    let mut holes: Vec<Range<usize>> = Vec::new();
    unclosed.sort_by_key(|(open, _)| open.at);
    for (open, before) in unclosed {
        if holes.last().is_some_and(|hole| hole.contains(&open.at)) {
            continue;
        }
        faults.push(Broken::Open { at: open.at });
        if open.byte != b'{' {
            outline.ignored.push(open.at);
        } else if open.indent > scan::indent(bytes, range.start) {
            holes.push(open.at..spoiled_end(bytes, open, before));
        }
    }
    let mut heads: Vec<Range<usize>> = Vec::new();
    for (at, begins_line) in extra {
        let head = if begins_line { head_above(outline.text, range.start, at) } else { None };
        let meets = |head: &Range<usize>, holes: &[Range<usize>]| {
            let before = holes.partition_point(|hole| hole.start <= at);
            before > 0 && holes[before - 1].end > head.start
        };
        match head {
            Some(head) if !meets(&head, &holes) && !meets(&head, &heads) => {
                faults.push(Broken::BraceMissing { head: head.clone() });
                heads.push(head.start..at + 1);
            }
            _ => {
                faults.push(Broken::Close { at });
                outline.ignored.push(at);
            }
        }
    }
    holes.extend(heads);
    holes.sort_by_key(|hole| hole.start);
    outline.holes.extend(holes);
    outline.sort_from(range.start);
}

/// Where the text that an unclosed brace spoils ends: before the first line that is indented no
/// more than its own.
fn spoiled_end(bytes: &[u8], open: Open, before: usize) -> usize {
    let mut end = scan::line_end(bytes, open.at, before);
    while end < before {
        let start = end + 1;
        let first = scan::past_blanks(bytes, start, before);
        if first < before && bytes[first] != b'\n' && first - start <= open.indent {
            break;
        }
        end = scan::line_end(bytes, start, before);
    }
    let mut end = end.min(before);
    while end > open.at + 1 && bytes[end - 1].is_ascii_whitespace() {
        end -= 1;
    }
    end
}

/// So many lines above a closing brace are looked at for the one that lacks its opening brace.
const LOOK_BACK: usize = 200;

/// The line above a closing brace that most likely lacks its opening one.
fn head_above(text: &str, start: usize, at: usize) -> Option<Range<usize>> {
    const HEADS: [&str; 16] = [
        "on", "before", "if", "else", "while", "until", "for", "each", "state", "given", "outcome", "roll", "replace",
        "table", "sheet", "scenario",
    ];
    let bytes = text.as_bytes();
    let indent = scan::indent(bytes, at);
    let mut line = scan::line_start(bytes, at);
    for _ in 0..LOOK_BACK {
        if line <= start {
            break;
        }
        line = scan::line_start(bytes, line - 1).max(start);
        let first = scan::past_blanks(bytes, line, at);
        if scan::indent(bytes, first) != indent || bytes[first] == b'\n' || bytes[first..].starts_with(b"//") {
            if bytes[first] != b'\n' && scan::indent(bytes, first) < indent {
                return None;
            }
            continue;
        }
        let stop = scan::line_end(bytes, first, at);
        let whole = text[first..stop].trim_end();
        let heads = HEADS.contains(&scan::word(text, first)) && !whole.contains(['{', '}']);
        return heads.then(|| first..first + whole.len());
    }
    None
}
