//! What each sign of a text is, as the grammar reads it: the minus of a number or of a sum, the
//! braces of a block or of dice, the cells of a row.

use std::borrow::Cow;
use std::ops::Range;

use super::super::grammar::{Pair, Rule};

/// Stands right behind what is before it.
pub(super) const TIGHT: u8 = 1;
/// What follows stands right behind it: the minus of a number.
pub(super) const SIGN: u8 = 1 << 1;
/// A row, part, sentence or step begins here.
pub(super) const PIECE: u8 = 1 << 2;
/// A brace that opens a block, not dice.
pub(super) const BLOCK: u8 = 1 << 3;
/// A block of a table's rows.
pub(super) const ROWS: u8 = 1 << 4;
/// Stands as far left as the sentence it continues: `else`.
pub(super) const FLUSH: u8 = 1 << 5;

/// The column of a row's braces.
pub(super) const BODY: u32 = u32::MAX;

/// Another text for a stretch; empty where something is put in.
pub(super) struct Edit {
    pub range: Range<usize>,
    pub text: Cow<'static, str>,
    /// Put in behind what ends here, not before what begins here.
    pub behind: bool,
}

/// What may stand in columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Rows: key, name, title, cells, braces.
    Rows,
    /// One name a line, then its title.
    Names,
    /// `until treated { … }` below another: their braces.
    Holds,
    /// `hp -= 1` below another: their signs, if the author has brought them into one column.
    Signs,
}

/// Lines with cells that may stand in columns.
pub(super) struct Group {
    pub kind: Kind,
    /// Where the braces around it open and close; both 0 outside braces.
    pub braces: (usize, usize),
    pub rows: Vec<Row>,
}

/// Where the cells of a line begin, each with the number of its column.
pub(super) struct Row {
    pub cells: Vec<(u32, usize)>,
    pub end: usize,
}

/// What the grammar says of each place in a text.
pub(super) struct Marks<'t> {
    text: &'t str,
    flags: Vec<u8>,
    /// Labels of dice; whatever stands in one is text.
    pub labels: Vec<Range<usize>>,
    pub edits: Vec<Edit>,
    pub groups: Vec<Group>,
    /// Dice are written as they are: the file names the dialect it is written in.
    pub as_written: bool,
}

/// Dice longer than this are not put in parentheses, nor any that stand deeper than this.
const WRAPPED_BYTES: usize = 64;
const WRAPPED_DEPTH: usize = 32;

impl<'t> Marks<'t> {
    pub fn new(text: &'t str) -> Self {
        Marks {
            text,
            flags: vec![0; text.len() + 1],
            labels: Vec::new(),
            edits: Vec::new(),
            groups: Vec::new(),
            as_written: false,
        }
    }

    pub fn at(&self, place: usize) -> u8 {
        self.flags.get(place).copied().unwrap_or(0)
    }

    pub fn set(&mut self, place: usize, flag: u8) {
        if let Some(flags) = self.flags.get_mut(place) {
            *flags |= flag;
        }
    }

    /// Where a node of the grammar lies in the whole text.
    pub fn range(&self, pair: &Pair<'t>) -> Range<usize> {
        let part = pair.as_str();
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }

    fn edit(&mut self, range: Range<usize>, text: impl Into<Cow<'static, str>>) {
        self.edits.push(Edit { range, text: text.into(), behind: false });
    }

    /// No blanks between the words of a stretch.
    fn tight(&mut self, range: Range<usize>) {
        self.flags[range].iter_mut().for_each(|flags| *flags |= TIGHT);
    }

    fn loose(&mut self, range: Range<usize>) {
        if let Some(flags) = self.flags.get_mut(range) {
            flags.iter_mut().for_each(|flags| *flags &= !TIGHT);
        }
    }

    /// Marks what one node is; whoever walks the tree goes on to what is in it.
    pub fn node(&mut self, pair: &Pair<'t>, parent: Rule, depth: usize) {
        let range = self.range(pair);
        match pair.as_rule() {
            Rule::number if !pair.as_str().is_ascii() => self.edit(range, ascii_digits(pair.as_str())),
            Rule::dash => self.set(range.start, SIGN),
            Rule::plus if parent == Rule::operand => self.set(range.start, SIGN),
            Rule::args | Rule::params | Rule::chance_of => {
                self.set(range.start, TIGHT);
                self.loose(range.start + 1..range.end);
            }
            Rule::field => self.set(range.start, TIGHT),
            Rule::exploding_word => {
                let blanks = self.text[range.end..].find('(').unwrap_or(0);
                self.set(range.end + blanks, TIGHT);
            }
            Rule::group | Rule::face_list | Rule::pool_members => self.loose(range.start + 1..range.end),
            Rule::share | Rule::comes_to if pair.as_str().starts_with('"') => {}
            Rule::share | Rule::comes_to => self.tight(range.start + 1..range.end),
            Rule::range | Rule::key_range | Rule::yes_no | Rule::language | Rule::dialect_name => {
                self.tight(range.start + 1..range.end);
            }
            Rule::counted | Rule::grouped | Rule::single | Rule::pool => self.dice(pair),
            Rule::thrown => self.modifiers(pair),
            Rule::die if pair.as_str() == "D" => self.spelt(range, "d"),
            Rule::digits_word => self.loose(range.start..range.start + 1),
            Rule::label => {
                self.loose(range.start..range.start + 1);
                self.labels.push(range);
            }
            Rule::keep_how if pair.as_str() == "k" => self.spelt(range, "kh"),
            Rule::keep_how if pair.as_str() == "d" => self.spelt(range, "dl"),
            Rule::reroll_how if pair.as_str() == "r" => self.spelt(range, "rr"),
            Rule::sort if pair.as_str() == "s" => self.spelt(range, "sa"),
            Rule::else_word if parent == Rule::if_sentence => self.set(range.start, FLUSH),
            Rule::clause => self.compared(pair, depth),
            _ => {}
        }
    }

    fn spelt(&mut self, range: Range<usize>, text: &'static str) {
        if !self.as_written {
            self.edit(range, text);
        }
    }

    /// The count and the dice, or the pool and what is done to it, stand together.
    fn dice(&mut self, pair: &Pair<'t>) {
        for part in pair.clone().into_inner() {
            let range = self.range(&part);
            match part.as_rule() {
                Rule::number | Rule::group | Rule::pool_members => {}
                Rule::thrown if pair.as_rule() == Rule::single => self.tight(range.start + 1..range.end),
                _ => self.tight(range),
            }
        }
        if pair.as_rule() == Rule::pool {
            self.modifiers(pair);
        }
    }

    /// A blank between two modifiers stays where they would read otherwise without it.
    fn modifiers(&mut self, pair: &Pair<'t>) {
        for part in pair.clone().into_inner() {
            if matches!(part.as_rule(), Rule::die | Rule::faces | Rule::pool_members | Rule::counting) {
                continue;
            }
            let start = self.range(&part).start;
            let before = self.text[..start].trim_end();
            let closed = before.ends_with(|c: char| c.is_numeric() || matches!(c, ')' | ']' | '}' | '%'));
            if before.len() < start && !closed {
                self.loose(start..start + 1);
            }
        }
    }

    /// `2d6 >= 7` as `(2d6) >= 7`: the total is compared, no dice are counted.
    fn compared(&mut self, clause: &Pair<'t>, depth: usize) {
        if self.as_written || depth > WRAPPED_DEPTH {
            return;
        }
        let mut left: Option<Range<usize>> = None;
        let mut alone = true;
        for part in clause.clone().into_inner() {
            match (part.as_rule(), part.as_str()) {
                (Rule::operand, _) => left = self.bare_dice(&part).filter(|_| alone),
                (Rule::infix, "==" | "!=" | "<=" | ">=" | "≤" | "≥" | "≠" | "<" | ">") => {
                    alone = false;
                    if let Some(dice) = left.take() {
                        self.edit(dice.start..dice.start, "(");
                        self.edits.push(Edit { range: dice.end..dice.end, text: ")".into(), behind: true });
                    }
                }
                (Rule::infix, sign) => {
                    alone = matches!(sign, "and" | "or");
                    left = None;
                }
                _ => left = None,
            }
        }
    }

    /// Where the dice of an operand stand that is nothing but dice.
    fn bare_dice(&self, operand: &Pair<'t>) -> Option<Range<usize>> {
        let mut parts = operand.clone().into_inner().skip_while(|part| part.as_rule() == Rule::not_word);
        let dice = parts.next()?;
        let start = self.range(&dice).start;
        let end = match dice.as_rule() {
            Rule::pool => self.range(&dice).end,
            Rule::counted | Rule::grouped | Rule::single => {
                self.range(&dice.into_inner().find(|part| part.as_rule() == Rule::thrown)?).end
            }
            _ => return None,
        };
        let short = end - start <= WRAPPED_BYTES && !self.text[start..end].contains('\n');
        (parts.next().is_none() && short).then_some(start..end)
    }
}

/// Digits of any width as those of ASCII.
fn ascii_digits(number: &str) -> String {
    let narrow = |c: char| match c {
        '０'..='９' => char::from_digit(c as u32 - '０' as u32, 10).unwrap_or(c),
        other => other,
    };
    number.chars().map(narrow).collect()
}
