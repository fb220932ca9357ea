//! Reads one piece of text by one rule of the grammar, and keeps what went wrong.

use std::ops::Range;

use pest::Parser;

use super::fault;
use super::grammar::{Grammar, Pair, Rule};
use super::outline::Outline;
use super::pieces::{Cut, Piece, Pieces, is_doc};
use super::tree::{Expr, Name, Text};
use crate::diagnostics::{Code, Diagnostic, Severity};
use crate::dice::Dialect;
use crate::say;
use crate::source::{FileId, Span};

/// Brackets, and conditions behind `where`, may stand so many levels one inside another.
pub const NESTING: usize = 64;

/// The longest sentence, row or part that is read, in bytes.
pub const PIECE_BYTES: usize = 256 * 1024;

/// So many rows, parts, sentences or steps may stand between two braces.
pub const ENTRIES: usize = 100_000;

/// After so many faults the rest of a file is not read.
pub const FAULTS: usize = 1000;

/// What goes along while the pieces are read: the text, where it may be cut, what is wrong so far.
pub(super) struct Reader<'o, 't> {
    pub file: FileId,
    pub text: &'t str,
    pub outline: &'o Outline<'t>,
    pub faults: Vec<Diagnostic>,
    /// Something was left out of the tree.
    pub unread: bool,
    /// Something is wrong in the piece being read, so that it is left out.
    pub spoiled: bool,
    /// How many braces are open round the piece being read.
    pub depth: usize,
    /// Plain rows may be read without the grammar.
    pub quick: bool,
    /// Of the last dice read: where the point that counts them begins.
    pub counted_at: Option<usize>,
    /// Whose notation the dice are written in.
    pub dialect: Dialect,
    /// Of the last dice read, where that is a comparison of totals: its sign and what stands behind.
    pub compared: Option<(Sign<'t>, Expr)>,
}

/// A sign between two values, and where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sign<'t> {
    pub text: &'t str,
    pub span: Span,
}

impl<'o, 't> Reader<'o, 't> {
    pub fn new(file: FileId, outline: &'o Outline<'t>) -> Self {
        Reader {
            file,
            text: outline.text,
            outline,
            faults: Vec::new(),
            unread: false,
            spoiled: false,
            depth: 0,
            quick: true,
            counted_at: None,
            dialect: Dialect::default(),
            compared: None,
        }
    }

    // ── Places ──────────────────────────────────────────────────────────────────────────────

    /// Where a node of the grammar lies in the whole text.
    pub fn range(&self, pair: &Pair<'t>) -> Range<usize> {
        let part = pair.as_str();
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }

    pub fn place(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range)
    }

    /// A node's span, without the blanks that follow what it ends with.
    pub fn span(&self, pair: &Pair<'t>) -> Span {
        let range = self.range(pair);
        let length = self.text[range.clone()].trim_end().len();
        self.place(range.start..range.start + length)
    }

    // ── Faults ──────────────────────────────────────────────────────────────────────────────

    /// Keeps a diagnostic. An error means that something was not read.
    pub fn fault(&mut self, fault: Diagnostic) {
        self.unread |= fault.severity == Severity::Error;
        if self.faults.len() < FAULTS {
            self.faults.push(fault);
        }
    }

    /// An error in what the grammar accepted: the piece is left out.
    pub fn spoil(&mut self, fault: Diagnostic) {
        self.spoiled = true;
        self.fault(fault);
    }

    /// Whether so much is wrong that reading on tells nothing.
    pub fn given_up(&self) -> bool {
        self.faults.len() >= FAULTS
    }

    // ── Pieces ──────────────────────────────────────────────────────────────────────────────

    /// The pieces that stand between the braces of a block.
    pub fn pieces(&self, inside: Range<usize>, cut: Cut) -> Pieces<'o, 't> {
        Pieces::new(self.outline, inside, cut, NESTING.saturating_sub(self.depth))
    }

    /// Reads every piece between braces, one level deeper.
    pub fn inside<T>(
        &mut self,
        inside: Range<usize>,
        cut: Cut,
        mut read: impl FnMut(&mut Self, Piece) -> Option<T>,
    ) -> Vec<T> {
        let (spoiled, depth) = (self.spoiled, self.depth);
        self.depth += 1;
        let mut all = Vec::new();
        for piece in self.pieces(inside, cut) {
            if self.given_up() {
                self.unread = true;
                break;
            }
            if all.len() == ENTRIES {
                let first = self.text[piece.range.start..].chars().next().map_or(0, char::len_utf8);
                self.fault(
                    Diagnostic::error(
                        Code::FileLimit,
                        say!("more than {entries} lines between two braces", entries = ENTRIES),
                    )
                    .label(self.place(piece.range.start..piece.range.start + first), "not read from here on")
                    .help("part them into several tables or sheets"),
                );
                break;
            }
            self.spoiled = false;
            all.extend(read(self, piece));
        }
        self.depth = depth;
        self.spoiled = spoiled;
        all
    }

    /// What stands between the braces of a node that is a block.
    pub fn between(&self, block: &Pair<'t>) -> Range<usize> {
        let range = self.range(block);
        range.start + 1..range.end - 1
    }

    /// Whether a piece may be read at all; if not, says why.
    pub fn may_read(&mut self, piece: &Piece) -> bool {
        if self.outline.damaged(&piece.range) {
            self.unread = true;
            return false;
        }
        if let Some(at) = piece.too_deep {
            let end = (at + 1..=self.text.len()).find(|i| self.text.is_char_boundary(*i)).unwrap_or(at);
            self.fault(fault::too_deep(self.place(at..end)));
            return false;
        }
        if piece.range.len() > PIECE_BYTES {
            let start = piece.range.start;
            let shown = self.text[start..].chars().take(20).map(char::len_utf8).sum::<usize>().max(1);
            self.fault(
                Diagnostic::error(
                    Code::FileLimit,
                    say!(
                        "this is {range} bytes long without an end; at most {piece_bytes} are read",
                        range = piece.range.len(),
                        piece_bytes = PIECE_BYTES
                    ),
                )
                .label(self.place(start..start + shown), "begins here")
                .help("end it with a line break"),
            );
            return false;
        }
        true
    }

    /// Reads a stretch by a rule; its first node. What the rule cannot read is a fault.
    pub fn parse(&mut self, rule: Rule, range: Range<usize>) -> Option<Pair<'t>> {
        let text: &'t str = &self.text[range.clone()];
        match Grammar::parse(rule, text) {
            Ok(mut pairs) => pairs.next(),
            Err(error) => {
                let fault = fault::unread(self, rule, range, &error);
                self.fault(fault);
                None
            }
        }
    }

    /// Reads a piece by a rule and makes a node of the tree of it.
    pub fn piece<T>(
        &mut self,
        rule: Rule,
        piece: &Piece,
        make: impl FnOnce(&mut Self, Pair<'t>) -> Option<T>,
    ) -> Option<T> {
        if !self.may_read(piece) {
            return None;
        }
        self.part(rule, piece.range.clone(), make)
    }

    /// Reads a stretch that has been looked at by [`Reader::may_read`].
    pub fn part<T>(
        &mut self,
        rule: Rule,
        range: Range<usize>,
        make: impl FnOnce(&mut Self, Pair<'t>) -> Option<T>,
    ) -> Option<T> {
        let pair = self.parse(rule, range)?;
        self.made(pair, make)
    }

    /// Makes a node of the tree of what a rule read; nothing where something in it is wrong.
    pub fn made<T>(&mut self, pair: Pair<'t>, make: impl FnOnce(&mut Self, Pair<'t>) -> Option<T>) -> Option<T> {
        let before = std::mem::replace(&mut self.spoiled, false);
        let made = make(self, pair);
        let spoiled = std::mem::replace(&mut self.spoiled, before);
        made.filter(|_| !spoiled)
    }

    // ── The smallest nodes ──────────────────────────────────────────────────────────────────

    pub fn name(&self, pair: &Pair<'t>) -> Name {
        Name { text: pair.as_str().into(), span: self.place(self.range(pair)) }
    }

    /// The name that a node holds.
    pub fn inner_name(&self, pair: Pair<'t>) -> Option<Name> {
        pair.into_inner()
            .find(|inner| matches!(inner.as_rule(), Rule::name | Rule::any_name))
            .map(|inner| self.name(&inner))
    }

    /// A string, its escapes resolved.
    pub fn string(&self, pair: &Pair<'t>) -> Text {
        let raw = pair.as_str();
        let inner = raw.get(1..raw.len().saturating_sub(1)).unwrap_or("");
        let value = if inner.contains('\\') { unescaped(inner).into() } else { inner.into() };
        Text { value, span: self.place(self.range(pair)) }
    }

    /// A whole number of any digits. One that is too large is a fault.
    pub fn number(&mut self, pair: &Pair<'t>, negative: bool) -> i64 {
        let mut value = Some(0i64);
        for c in pair.as_str().chars() {
            let digit = c.to_digit(10).or_else(|| (c as u32).checked_sub('０' as u32)).unwrap_or(0) as i64;
            value = value
                .and_then(|v| v.checked_mul(10))
                .and_then(|v| if negative { v.checked_sub(digit) } else { v.checked_add(digit) });
        }
        value.unwrap_or_else(|| {
            let span = self.span(pair);
            self.spoil(
                Diagnostic::error(
                    Code::Syntax,
                    say!("the number `{pair}` is too large", pair = fault::short(pair.as_str())),
                )
                .label(span, "too large to count with")
                .help(say!("the largest number is {value}", value = i64::MAX)),
            );
            0
        })
    }

    /// The lines of `///` before something.
    pub fn doc(&self, lines: Option<Range<usize>>) -> Option<Text> {
        let lines = lines?;
        let text = self.text[lines.clone()]
            .lines()
            .map(str::trim)
            .filter(|line| is_doc(line.as_bytes()))
            .map(|line| line[3..].strip_prefix(' ').unwrap_or(&line[3..]))
            .collect::<Vec<_>>()
            .join("\n");
        Some(Text { value: text.into(), span: self.place(lines) })
    }
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => plain.push('\n'),
                Some(other) => plain.push(other),
                None => {}
            },
            (c, false) => plain.push(c),
        }
    }
    plain
}
