//! The words and signs of a text in their canonical spelling, line by line, with one blank or
//! none between.

use std::borrow::Cow;
use std::ops::Range;

use super::super::scan;
use super::marks::{BLOCK, Edit, Marks, PIECE, SIGN, TIGHT};
use super::width::width;

/// What a token opens or closes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    /// A parenthesis, a bracket, the brace of a pool.
    Open,
    Close,
    BlockOpen,
    BlockClose,
}

/// A word, a number, a string, a sign.
#[derive(Debug)]
pub(super) struct Token<'t> {
    pub text: Cow<'t, str>,
    /// Where it stood.
    pub start: usize,
    /// The number of its line among [`Line`]s.
    pub line: usize,
    pub width: usize,
    /// Blanks before it; of no account at the beginning of a line.
    pub before: usize,
    pub role: Role,
    pub flags: u8,
}

/// A line on which something stands.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub tokens: Range<usize>,
    /// The comment it ends with.
    pub comment: Option<Range<usize>>,
    /// Empty lines before it.
    pub blanks: usize,
}

/// All tokens of a text, and its lines.
pub(super) fn tokens<'t>(text: &'t str, marks: &Marks<'t>) -> (Vec<Token<'t>>, Vec<Line>) {
    let mut lexer = Lexer {
        text,
        marks,
        tokens: Vec::new(),
        lines: Vec::new(),
        first: 0,
        empty: 0,
        closers: Vec::new(),
        edits: marks.edits.iter().peekable(),
        labels: marks.labels.iter().peekable(),
    };
    lexer.run();
    (lexer.tokens, lexer.lines)
}

struct Lexer<'m, 't> {
    text: &'t str,
    marks: &'m Marks<'t>,
    tokens: Vec<Token<'t>>,
    lines: Vec<Line>,
    /// Where the tokens of the line begin.
    first: usize,
    empty: usize,
    /// For each open brace, how it closes.
    closers: Vec<Role>,
    edits: std::iter::Peekable<std::slice::Iter<'m, Edit>>,
    labels: std::iter::Peekable<std::slice::Iter<'m, Range<usize>>>,
}

impl<'t> Lexer<'_, 't> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let (mut at, mut bare) = (0, true);
        while at < bytes.len() {
            let next = scan::past_blanks(bytes, at, bytes.len());
            if next > at {
                at = next;
            } else if bytes[at] == b'\n' {
                self.end_line(None);
                self.empty += usize::from(bare);
                bare = true;
                at += 1;
            } else if bytes[at..].starts_with(b"//") {
                let end = scan::line_end(bytes, at, bytes.len());
                self.end_line(Some(at..end));
                bare = false;
                at = end;
            } else {
                let end = self.token(at);
                bare = false;
                at = end;
            }
        }
        self.end_line(None);
    }

    /// Reads one token; where it ends.
    fn token(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        if let Some(label) = self.labels.next_if(|label| label.start == at) {
            let inner = self.text[at + 1..label.end - 1].trim();
            self.push(at, label.end, Role::Plain, Cow::Owned(format!("[{inner}]")));
            return label.end;
        }
        let word = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        if word > 0 {
            self.push(at, at + word, Role::Plain, Cow::Borrowed(&rest[..word]));
            return at + word;
        }
        if let Some(end) = scan::past(self.text.as_bytes(), at, self.text.len()) {
            self.push(at, end, Role::Plain, Cow::Borrowed(&self.text[at..end]));
            return end;
        }
        let (length, sign) = sign(rest);
        let role = match sign {
            "(" | "[" => Role::Open,
            ")" | "]" => Role::Close,
            "{" => self.open(at),
            "}" => self.closers.pop().unwrap_or(Role::Close),
            _ => Role::Plain,
        };
        if sign == ";" && self.tokens[self.first..].last().is_none_or(|t| t.text == ";" || t.role == Role::BlockOpen) {
            return at + length;
        }
        if role == Role::BlockClose {
            self.drop_semicolon();
        }
        self.push(at, at + length, role, Cow::Borrowed(sign));
        at + length
    }

    fn open(&mut self, at: usize) -> Role {
        let block = self.marks.at(at) & BLOCK != 0;
        self.closers.push(if block { Role::BlockClose } else { Role::Close });
        if block { Role::BlockOpen } else { Role::Open }
    }

    fn drop_semicolon(&mut self) {
        if self.tokens[self.first..].last().is_some_and(|t| t.text == ";") {
            self.tokens.pop();
        }
    }

    fn push(&mut self, start: usize, end: usize, role: Role, text: Cow<'t, str>) {
        let text = self.edited(start, end, text);
        let flags = self.marks.at(start);
        let before = match self.tokens[self.first..].last() {
            Some(last) => usize::from(apart(last, &text, role, flags) || self.sign_apart(start)),
            None => 0,
        };
        let width = width(&text);
        self.tokens.push(Token { text, start, line: self.lines.len(), width, before, role, flags });
    }

    /// Whether the sign of a number or a name begins a line that goes on with the one before: it
    /// does so only with a blank behind it.
    fn sign_apart(&self, next: usize) -> bool {
        let [sign] = &self.tokens[self.first..] else { return false };
        sign.flags & SIGN != 0 && sign.flags & PIECE == 0 && self.text[..next].ends_with(char::is_whitespace)
    }

    /// The text of a token with what is spelt otherwise in it.
    fn edited(&mut self, start: usize, end: usize, text: Cow<'t, str>) -> Cow<'t, str> {
        let mut made: Option<String> = None;
        let mut done = start;
        while let Some(edit) = self.edits.next_if(|e| e.range.end <= end && (e.range.start < end || e.behind)) {
            let made = made.get_or_insert_default();
            made.push_str(self.text.get(done..edit.range.start).unwrap_or(""));
            made.push_str(&edit.text);
            done = edit.range.end.max(done);
        }
        let Some(mut made) = made else { return text };
        made.push_str(self.text.get(done..end).unwrap_or(""));
        Cow::Owned(made)
    }

    fn end_line(&mut self, comment: Option<Range<usize>>) {
        self.drop_semicolon();
        let tokens = self.first..self.tokens.len();
        if !tokens.is_empty() || comment.is_some() {
            let blanks = std::mem::take(&mut self.empty);
            self.lines.push(Line { tokens, comment, blanks });
        }
        self.first = self.tokens.len();
    }
}

/// Whether a blank stands before a token.
fn apart(last: &Token<'_>, text: &str, role: Role, flags: u8) -> bool {
    let glued = flags & TIGHT != 0
        || last.flags & SIGN != 0
        || last.role == Role::Open
        || role == Role::Close
        || matches!(text, "," | ";" | ":" | ".")
        || last.text == ".";
    !glued
}

/// Letters of any script with the marks on them, digits and `_`.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || (!c.is_ascii() && !c.is_whitespace() && ascii(c).is_none() && !is_quote(c))
}

fn is_quote(c: char) -> bool {
    matches!(c, '«' | '»' | '“' | '”' | '„' | '\u{FEFF}')
}

/// A sign as it is written in ASCII.
fn ascii(c: char) -> Option<&'static str> {
    Some(match c {
        '−' | '–' | '—' => "-",
        '×' => "*",
        '÷' => "/",
        '≥' => ">=",
        '≤' => "<=",
        '≠' => "!=",
        _ => return None,
    })
}

/// The sign that a text begins with: its length there, and how it is written.
fn sign(rest: &str) -> (usize, &str) {
    for long in ["->", "==", "!=", "<=", ">=", "+=", "-=", ".."] {
        if rest.starts_with(long) {
            return (2, long);
        }
    }
    let mut chars = rest.chars();
    let length = chars.next().map_or(1, char::len_utf8);
    match rest.chars().next().and_then(ascii) {
        Some("-") if chars.as_str().starts_with('=') => (length + 1, "-="),
        Some(sign) => (length, sign),
        None => (length, &rest[..length]),
    }
}
