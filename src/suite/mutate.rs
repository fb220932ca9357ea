//! Changes the rules in one place at a time: a row's bounds, a number, a comparison, a rounding.
//! What no scenario notices is not tested.

use std::ops::Range;

use crate::program::Program;
use crate::source::FileId;

/// The most changes that are tried; of more, so many are taken evenly.
pub const MOST: usize = 1_000;

/// One change to a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What is put where, in the order of the text.
    pub edits: Vec<(Range<usize>, String)>,
    /// What is changed, in an author's words: "a row's bounds".
    pub what: &'static str,
    pub from: String,
    pub to: String,
}

impl Change {
    fn one(range: Range<usize>, text: &str, to: String, what: &'static str) -> Self {
        let from = text.get(range.clone()).unwrap_or("").to_owned();
        Change { edits: vec![(range, to.clone())], what, from, to }
    }

    /// Where it begins.
    pub fn at(&self) -> usize {
        self.edits.first().map_or(0, |(range, _)| range.start)
    }

    /// The text with this change.
    pub fn apply(&self, text: &str) -> String {
        let (mut made, mut done) = (String::with_capacity(text.len() + 8), 0);
        for (range, to) in &self.edits {
            made.push_str(text.get(done..range.start).unwrap_or(""));
            made.push_str(to);
            done = range.end;
        }
        made.push_str(text.get(done..).unwrap_or(""));
        made
    }
}

/// All changes to the file asked for, in the order of its text; at most `most`, taken evenly.
/// Scenarios, texts and comments stay as they are, and so do the bounds of arguments, of tracks
/// that do not stop at them, and the lengths of lists: those only say what is a fault.
pub fn changes(program: &Program, text: &str, most: usize) -> Vec<Change> {
    let own = program.scenarios.iter().filter(|scenario| scenario.span.file == FileId(0));
    let mut left_out: Vec<Range<usize>> = own.map(|scenario| scenario.whole.range()).collect();
    left_out.sort_by_key(|range| range.start);
    let mut reader =
        Reader { text, bytes: text.as_bytes(), at: 0, changes: Vec::new(), blocks: vec![Vec::new()], depth: 0 };
    let mut skip = left_out.into_iter().peekable();
    let mut begins = true;
    while reader.at < text.len() {
        while skip.next_if(|range| range.end <= reader.at).is_some() {}
        if let Some(range) = skip.next_if(|range| range.contains(&reader.at)) {
            reader.at = range.end;
            continue;
        }
        begins = reader.step(begins);
    }
    while let Some(keys) = reader.blocks.pop() {
        reader.bounds(&keys);
    }
    let mut changes = reader.changes;
    changes.sort_by(|a, b| (a.at(), &a.to).cmp(&(b.at(), &b.to)));
    changes.dedup();
    if changes.len() <= most || most == 0 {
        return changes;
    }
    let all = changes.len();
    (0..most).map(|index| changes[index * all / most].clone()).collect()
}

/// A stretch of numbers that a row answers: each bound with its place.
#[derive(Debug, Clone)]
struct Stretch {
    low: Option<(i64, Range<usize>)>,
    high: Option<(i64, Range<usize>)>,
}

struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    changes: Vec<Change>,
    /// The keys of rows in each open pair of braces.
    blocks: Vec<Vec<Stretch>>,
    /// Open parentheses and brackets.
    depth: usize,
}

impl Reader<'_> {
    /// Reads on; whether a row may begin behind what was read.
    fn step(&mut self, begins: bool) -> bool {
        let at = self.at;
        let byte = self.bytes[at];
        match byte {
            b'\n' | b';' => {
                self.at += 1;
                return true;
            }
            b' ' | b'\t' | b'\r' => {
                self.at += 1;
                return begins;
            }
            b'/' if self.bytes[at..].starts_with(b"//") => {
                self.at = self.bytes[at..].iter().position(|b| *b == b'\n').map_or(self.text.len(), |n| at + n);
                return true;
            }
            b'"' => {
                self.at += 1;
                while self.at < self.text.len() && !matches!(self.bytes[self.at], b'"' | b'\n') {
                    self.at += if self.bytes[self.at] == b'\\' { 2 } else { 1 };
                }
                self.at += 1;
                return false;
            }
            b'{' => {
                self.blocks.push(Vec::new());
                self.at += 1;
                return true;
            }
            b'}' => {
                if self.blocks.len() > 1
                    && let Some(keys) = self.blocks.pop()
                {
                    self.bounds(&keys);
                }
                self.at += 1;
                return true;
            }
            b'(' | b'[' => self.depth += 1,
            b')' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if begins && let Some((stretches, end)) = self.key(at) {
            if let Some(block) = self.blocks.last_mut() {
                block.extend(stretches);
            }
            self.at = end;
            return false;
        }
        match byte {
            b'0'..=b'9' => self.number(),
            b'=' | b'!' | b'<' | b'>' => self.comparison(),
            _ if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 => self.word(),
            _ => self.at += 1,
        }
        false
    }

    fn word_end(&self, at: usize) -> usize {
        let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        self.bytes[at..].iter().position(|byte| !word(byte)).map_or(self.text.len(), |n| at + n)
    }

    fn word(&mut self) {
        let (at, end) = (self.at, self.word_end(self.at));
        let word = &self.text[at..end];
        self.at = end;
        let next = self.text[end..].trim_start();
        let line = self.text[..at].rfind('\n').map_or(0, |n| n + 1);
        match word {
            // The order of a clock, and what has no numbers to change.
            "clock" | "system" | "use" | "option" | "kind" | "time" if line == at => {
                self.at = self.text[at..].find('\n').map_or(self.text.len(), |n| at + n);
            }
            "up" if next.starts_with("to ") => {
                // How long a list may be.
                let rest = self.text[end..].find("to").map_or(end, |n| end + n + 2);
                let blanks = self.bytes[rest..].iter().take_while(|b| **b == b' ').count();
                let digits = self.bytes[rest + blanks..].iter().take_while(|b| b.is_ascii_digit()).count();
                self.at = rest + blanks + digits;
            }
            "up" | "down" | "near" if self.rounds(at) => {
                let to = if word == "down" { "up" } else { "down" };
                self.changes.push(Change::one(at..end, self.text, to.to_owned(), "the rounding"));
            }
            "d" => {}
            _ => {
                if let Some(faces) = word.strip_prefix(['d', 'D']).and_then(|faces| faces.parse::<i64>().ok()) {
                    let to = (faces + 1).to_string();
                    self.changes.push(Change::one(at + 1..end, self.text, to, "the faces of a die"));
                }
            }
        }
    }

    /// Whether `up` or `down` says how a division is rounded.
    fn rounds(&self, at: usize) -> bool {
        let line = self.text[..at].rfind('\n').map_or(0, |n| n + 1);
        self.text[line..at].contains('/')
    }

    /// Whether a bound decides how a story goes: of a track that stops there, or of a check.
    fn bound_counts(&self, at: usize) -> bool {
        let line = self.text[..at].rfind('\n').map_or(0, |n| n + 1);
        let end = self.text[at..].find('\n').map_or(self.text.len(), |n| at + n);
        let words = |word: &str| self.text[line..end].split(|c: char| !c.is_alphanumeric()).any(|other| other == word);
        words("stops") || words("passes")
    }

    fn number(&mut self) {
        let at = self.at;
        let end = at + self.bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at = end;
        let range_before = self.text[..at].trim_end().trim_end_matches('-').ends_with("..");
        let range_behind = self.text[end..].trim_start().starts_with("..");
        if (range_before || range_behind) && (self.depth > 0 || !self.bound_counts(at)) {
            return;
        }
        let Ok(number) = self.text[at..end].parse::<i64>() else { return };
        if range_before || range_behind {
            self.bound(at, end, number, range_before);
        } else if let Some(more) = number.checked_add(1) {
            self.changes.push(Change::one(at..end, self.text, more.to_string(), "a number"));
        }
    }

    /// A bound moves inward: a story that comes to the bound notices that. Outward there may be
    /// nothing that ever gets so far, and then the change means the same.
    fn bound(&mut self, at: usize, end: usize, digits: i64, is_upper: bool) {
        let negative = self.text[..at].ends_with('-');
        let start = if negative { at - 1 } else { at };
        let number = if negative { -digits } else { digits };
        let inward = if is_upper { number.checked_sub(1) } else { number.checked_add(1) };
        if let Some(inward) = inward {
            self.changes.push(Change::one(start..end, self.text, inward.to_string(), "a bound"));
        }
    }

    fn comparison(&mut self) {
        let at = self.at;
        let rest = &self.text[at..];
        let signs = [("==", "!="), ("!=", "=="), ("<=", "<"), (">=", ">"), ("<", "<="), (">", ">=")];
        let arrow = at > 0 && self.bytes[at - 1] == b'-';
        match signs.iter().find(|(sign, _)| rest.starts_with(sign)) {
            Some((sign, to)) => {
                if !arrow {
                    let range = at..at + sign.len();
                    self.changes.push(Change::one(range, self.text, (*to).to_owned(), "a comparison"));
                }
                self.at += sign.len();
            }
            None => self.at += 1,
        }
    }

    /// The key of a row that begins here, and where it ends.
    fn key(&self, at: usize) -> Option<(Vec<Stretch>, usize)> {
        let (mut stretches, mut at) = (Vec::new(), at);
        loop {
            let low = self.signed(at);
            if let Some((_, range)) = &low {
                at = range.end;
            }
            let dots = self.bytes[at..].starts_with(b"..");
            let dash = self.bytes.get(at) == Some(&b'-') && low.is_some();
            let mut high = None;
            if dots || dash {
                at += if dots { 2 } else { 1 };
                high = self.signed(at);
                at = high.as_ref().map_or(at, |(_, range)| range.end);
                if dash && high.is_none() {
                    return None;
                }
            } else if self.bytes.get(at) == Some(&b'+') && low.is_some() {
                at += 1;
            } else {
                high.clone_from(&low);
            }
            if low.is_none() && high.is_none() {
                return None;
            }
            stretches.push(Stretch { low, high });
            let blanks = |at: usize| at + self.bytes[at..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            if self.bytes.get(at) == Some(&b',') {
                at = blanks(at + 1);
                continue;
            }
            let next = blanks(at);
            let goes_on = match self.bytes.get(next) {
                Some(b'"' | b'{' | b'|') => true,
                Some(byte) => next > at && (byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80),
                None => false,
            };
            return goes_on.then_some((stretches, at));
        }
    }

    fn signed(&self, at: usize) -> Option<(i64, Range<usize>)> {
        let sign = usize::from(self.bytes.get(at) == Some(&b'-'));
        let digits = self.bytes.get(at + sign..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = at + sign + digits;
        let number = self.text.get(at..end)?.parse().ok()?;
        (digits > 0).then_some((number, at..end))
    }

    /// Where one row's numbers end and another's begin, the border moves one up and one down.
    fn bounds(&mut self, keys: &[Stretch]) {
        for below in keys {
            let Some((end, _)) = &below.high else { continue };
            let above =
                keys.iter().find(|above| above.low.as_ref().is_some_and(|(low, _)| Some(*low) == end.checked_add(1)));
            let Some(above) = above else { continue };
            for by in [1, -1] {
                let (Some(lower), Some(upper)) = (moved_high(below, by), moved_low(above, by)) else { continue };
                let mut edits = vec![lower, upper];
                edits.sort_by_key(|(range, _)| range.start);
                let text = |edit: &(Range<usize>, String)| self.text[edit.0.clone()].to_owned();
                let from = format!("{} | {}", text(&edits[0]), text(&edits[1]));
                let to = format!("{} | {}", edits[0].1, edits[1].1);
                self.changes.push(Change { edits, what: "the border of two rows", from, to });
            }
        }
    }
}

/// The upper bound of a stretch, moved; `None` where nothing of it would be left.
fn moved_high(stretch: &Stretch, by: i64) -> Option<(Range<usize>, String)> {
    let (high, place) = stretch.high.clone()?;
    let to = high.checked_add(by)?;
    match &stretch.low {
        Some((low, _)) if to < *low => None,
        Some((low, at)) if *at == place => Some((place, range_text(*low, to))),
        _ => Some((place, to.to_string())),
    }
}

fn moved_low(stretch: &Stretch, by: i64) -> Option<(Range<usize>, String)> {
    let (low, place) = stretch.low.clone()?;
    let to = low.checked_add(by)?;
    match &stretch.high {
        Some((high, _)) if to > *high => None,
        Some((high, at)) if *at == place => Some((place, range_text(to, *high))),
        _ => Some((place, to.to_string())),
    }
}

fn range_text(low: i64, high: i64) -> String {
    if low < 0 { format!("{low}..{high}") } else { format!("{low}-{high}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let changes = changes(&Program::default(), text, 0);
        changes.iter().map(|change| format!("{} -> {}", change.from, change.to)).collect()
    }

    #[test]
    fn borders_of_rows_move_both_ways() {
        let text = "table t = 1d6 {\n  1-3  a\n  4    b\n  5+   c { x = 3 }\n}\n";
        let made = all(text);
        assert_eq!(made[..2], ["1 -> 2", "6 -> 7"]);
        assert!(made.contains(&"3 | 4 -> 2 | 3-4".to_owned()), "{made:?}");
        assert!(made.contains(&"4 | 5 -> 4-5 | 6".to_owned()), "{made:?}");
        assert!(!made.contains(&"3 | 4 -> 4 | 5".to_owned()), "{made:?}");
        assert!(made.contains(&"3 -> 4".to_owned()), "{made:?}");
        let change = &changes(&Program::default(), text, 0)[2];
        assert!(change.apply(text).contains("  1-2  a\n  3-4    b\n"), "{}", change.apply(text));
    }

    #[test]
    fn comparisons_and_rounding_but_no_texts_arrows_or_bounds_of_arguments() {
        let text = "clock a < b\nsheet s {\n  n: 0..9 = 3\n  m: x..9 stops\n  l: list of w up to 60\n  on e(x: 0..5) \"5 < 6\" when n >= 2 { -> dead // 7\n n -= x / 2 down } }\n";
        assert_eq!(all(text), ["3 -> 4", "9 -> 8", ">= -> >", "2 -> 3", "2 -> 3", "down -> up"]);
    }

    #[test]
    fn of_more_than_the_most_some_are_taken_evenly() {
        let text = "x = 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8\n";
        let some = changes(&Program::default(), text, 4);
        assert_eq!(some.iter().map(|change| change.from.as_str()).collect::<Vec<_>>(), ["1", "3", "5", "7"]);
    }
}
