//! What could not be read, as a diagnostic: what stands there, and what could stand there.

use std::ops::Range;

use pest::error::{Error, ErrorVariant, InputLocation};

use super::brackets::Broken;
use super::grammar::Rule;
use super::reader::{NESTING, Reader};
use super::scan;
use super::slip;
use super::words;
use crate::diagnostics::{Code, Diagnostic};
use crate::say;
use crate::source::Span;

/// Where reading a piece stopped, and what could have stood there.
pub(super) struct Stop<'t> {
    pub text: &'t str,
    /// The rule that read the piece.
    pub rule: Rule,
    pub piece: Range<usize>,
    /// Behind the blanks: where the first thing stands that was not read.
    pub at: usize,
    /// The word, number, text or sign that stands there; empty at the end of the piece.
    pub token: Range<usize>,
    pub expected: Vec<Rule>,
    file: crate::source::FileId,
}

impl<'t> Stop<'t> {
    fn new(reader: &Reader<'_, 't>, rule: Rule, piece: Range<usize>, error: &Error<Rule>) -> Self {
        let found = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        let expected = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives.clone(),
            ErrorVariant::CustomError { .. } => Vec::new(),
        };
        let at = past_space(reader.text, (piece.start + found).min(piece.end), piece.end);
        let token = token(reader.text, at, piece.end);
        Stop { text: reader.text, rule, piece, at, token, expected, file: reader.file }
    }

    pub fn expects(&self, rule: Rule) -> bool {
        self.expected.contains(&rule)
    }

    /// Whether a name could stand here, and nothing else that begins with a letter.
    pub fn expects_only_names(&self) -> bool {
        let values = [Rule::operand, Rule::expression, Rule::clause, Rule::infix, Rule::called];
        let names = [Rule::name, Rule::any_name, Rule::names, Rule::member, Rule::members, Rule::state];
        names.iter().any(|rule| self.expects(*rule)) && !values.iter().any(|rule| self.expects(*rule))
    }

    /// The piece as far as it was read, without the blanks behind it.
    pub fn before(&self) -> &'t str {
        self.text[self.piece.start..self.at].trim_end()
    }

    /// The piece from where reading stopped.
    pub fn rest(&self) -> &'t str {
        &self.text[self.at..self.piece.end]
    }

    pub fn token_text(&self) -> &'t str {
        &self.text[self.token.clone()]
    }

    /// The word the piece begins with.
    pub fn first_word(&self) -> &'t str {
        scan::word(self.text, self.piece.start)
    }

    pub fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range)
    }

    pub fn token_span(&self) -> Span {
        self.span(self.token.clone())
    }

    /// The place just behind what was read.
    pub fn behind(&self) -> Span {
        let end = self.piece.start + self.before().len();
        self.span(end..end)
    }

    /// Whether what stands here is glued to dice: `1d6x`.
    pub fn glued_to_dice(&self) -> bool {
        let before = &self.text[self.piece.start..self.at];
        let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '%').next().unwrap_or("");
        !word.is_empty() && before.ends_with(word) && looks_like_dice(word)
    }
}

/// The diagnostic for a piece that a rule could not read.
pub(super) fn unread(reader: &Reader<'_, '_>, rule: Rule, piece: Range<usize>, error: &Error<Rule>) -> Diagnostic {
    let stop = Stop::new(reader, rule, piece, error);
    slip::find(&stop).unwrap_or_else(|| general(&stop))
}

fn general(stop: &Stop<'_>) -> Diagnostic {
    let could = words::could_stand(&stop.expected, !stop.token.is_empty() && stop.glued_to_dice());
    let begins = stop.at == stop.piece.start;
    let help = match () {
        () if begins => words::beginnings(stop.rule),
        () if could.is_empty() => say!("take it out, or write another {what}", what = words::noun(stop.rule)),
        () => say!("here can stand {could}", could),
    };
    if stop.token.is_empty() {
        let last = last_token(stop);
        return Diagnostic::error(Code::Syntax, say!("this {what} ends too soon", what = words::noun(stop.rule)))
            .label(stop.span(last.clone()), say!("nothing follows `{stop}`", stop = short(&stop.text[last])))
            .help(help);
    }
    let label = if begins { say!("cannot begin here") } else { say!("not read from here on") };
    let message = if begins {
        say!(
            "no {what} begins with `{token_text}`",
            what = words::noun(stop.rule),
            token_text = short(stop.token_text())
        )
    } else {
        say!("`{token_text}` cannot stand here", token_text = short(stop.token_text()))
    };
    Diagnostic::error(Code::Syntax, message).label(stop.token_span(), label).help(help)
}

/// The last thing of a piece that ends too soon.
fn last_token(stop: &Stop<'_>) -> Range<usize> {
    let end = stop.piece.start + stop.before().len();
    let before = &stop.text[stop.piece.start..end];
    let word = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
    let sign = |c: &char| "<>=!+-*/%|".contains(*c);
    let signs = before.chars().rev().take_while(sign).map(char::len_utf8).sum::<usize>();
    let last = before.chars().next_back().map_or(0, char::len_utf8);
    let length = if word.is_empty() { signs.max(last) } else { word.len() };
    end - length..end
}

/// The diagnostic for a bracket or quote without its partner.
pub(super) fn broken(reader: &Reader<'_, '_>, broken: Broken) -> Diagnostic {
    let text = reader.text;
    match broken {
        Broken::Open { at } => {
            let (sign, partner) = match text.as_bytes()[at] {
                b'(' => ("(", ")"),
                b'[' => ("[", "]"),
                _ => ("{", "}"),
            };
            Diagnostic::error(Code::Syntax, say!("this `{sign}` is not closed", sign))
                .label(reader.place(at..at + 1), "opened here")
                .help(say!("write `{partner}` where it ends", partner))
        }
        Broken::Deep { at } => too_deep(reader.place(at..at + 1)),
        Broken::Close { at } => {
            let sign = &text[at..at + 1];
            let span = reader.place(at..at + 1);
            Diagnostic::error(Code::Syntax, say!("this `{sign}` closes nothing", sign))
                .label(span, "nothing is open here")
                .help(say!("take out `{sign}`, or write what opens before it", sign))
        }
        Broken::BraceMissing { head } => {
            let line = text[head.clone()].rsplit('\n').next().unwrap_or("").trim_start();
            let line = line.strip_suffix(':').unwrap_or(line);
            Diagnostic::error(Code::Syntax, "`{` is missing at the end of this line")
                .label(reader.place(head.end..head.end), "what follows stands between `{` and `}`")
                .help(say!("write `{line} {{`", line))
                .edit(reader.place(head.end..head.end), " {")
        }
        Broken::Quote { open, line_end } => {
            let end = open + text[open..line_end].trim_end().len();
            Diagnostic::error(Code::Syntax, "this quote is not closed on its line")
                .label(reader.place(open..open + 1), "opened here")
                .label(reader.place(end..end), "the line ends here")
                .help("write `\"` at both ends of the text")
        }
        Broken::Comment { range } => {
            let fault = Diagnostic::error(Code::Syntax, "a comment begins with `//`")
                .label(reader.place(range.start..range.start + 2), "not how a comment is written");
            let inner = text[range.start + 2..range.end].trim_end_matches("*/").trim();
            match inner.contains('\n') {
                true => fault.help("write `//` before each line of it"),
                false => fault
                    .help(say!("write `// {inner}` at the end of a line", inner = short(inner)))
                    .edit(reader.place(range), format!("// {inner}")),
            }
        }
    }
}

/// More levels one inside another than are read.
pub(super) fn too_deep(at: Span) -> Diagnostic {
    Diagnostic::error(
        Code::SyntaxDepth,
        say!("this stands {value} levels deep; at most {nesting} are read", value = NESTING + 1, nesting = NESTING),
    )
    .label(at, say!("level {nesting} begins here", nesting = NESTING + 1))
    .help("give the inner part a name of its own: `part = …`")
}

/// Nothing stands where a value should.
pub(super) fn nothing(reader: &Reader<'_, '_>, end: usize) -> Diagnostic {
    Diagnostic::error(Code::Syntax, "there is nothing to roll")
        .label(reader.place(end..end), "a value is missing")
        .help("write some dice: `2d6 + 3`")
}

/// Behind blanks, line breaks and comments.
pub(super) fn past_space(text: &str, mut at: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    loop {
        at = scan::past_blanks(bytes, at, end);
        if at >= end {
            return end;
        }
        match bytes[at] {
            b'\n' => at += 1,
            b'/' if bytes[at..end].starts_with(b"//") => at = scan::line_end(bytes, at, end),
            _ => return at,
        }
    }
}

/// The word, number, text or sign at a place.
pub(super) fn token(text: &str, at: usize, end: usize) -> Range<usize> {
    let rest = &text[at..end];
    let word = scan::word(rest, 0);
    if !word.is_empty() {
        return at..at + word.len();
    }
    if rest.starts_with('"') {
        return at..scan::past_string(text.as_bytes(), at, end).0;
    }
    for sign in ["->", "=>", "==", "!=", "<=", ">=", "+=", "-=", "..", "&&", "||", "<>", "/*"] {
        if rest.starts_with(sign) {
            return at..at + sign.len();
        }
    }
    at..at + rest.chars().next().map_or(0, char::len_utf8)
}

/// Whether a word is dice: `1d6`, `d20kh1`, `3dF`.
pub(super) fn looks_like_dice(word: &str) -> bool {
    let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let mut chars = behind.chars();
    matches!(chars.next(), Some('d' | 'D'))
        && matches!(chars.next(), Some(c) if c.is_ascii_digit() || c == '%' || c == 'F')
}

/// A text cut to fit into a message, on one line.
pub(super) fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    if line.chars().count() <= 32 && line.len() == text.len() {
        return line.to_owned();
    }
    format!("{}…", line.chars().take(31).collect::<String>())
}
