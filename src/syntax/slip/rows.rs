//! Rows as they stand in other books and programs: `3/5`, `6:`, `1 or 2`, two on one line.

use super::error;
use crate::diagnostics::Diagnostic;
use crate::say;
use crate::syntax::fault::{Stop, short};
use crate::syntax::grammar::Rule;
use crate::syntax::words;

/// Digits at the beginning of a text, and what is behind them.
fn number(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn is_number(text: &str) -> bool {
    matches!(number(text), Some((_, "")))
}

/// `3/5`, `3 5`, `3 to 5`, `3 a 5`; `1 or 2`, `1 y 2`
pub(super) fn other_ranges(stop: &Stop<'_>) -> Option<Diagnostic> {
    let (first, behind) = number(&stop.text[stop.piece.clone()])?;
    if stop.rule != Rule::whole_row {
        return None;
    }
    let space = behind.trim_start();
    let blank = space.len() < behind.len();
    let joins = [
        ("/", "-"),
        ("to ", "-"),
        ("a ", "-"),
        ("al ", "-"),
        ("or ", ", "),
        ("o ", ", "),
        ("y ", ", "),
        ("and ", ", "),
    ];
    let join = joins.iter().find_map(|(word, sign)| space.strip_prefix(word).map(|rest| (*sign, rest.trim_start())));
    let (sign, rest) = match join {
        Some(join) => join,
        None if blank => ("-", space),
        None => return None,
    };
    let (second, _) = number(rest)?;
    let length = stop.piece.len() - (rest.len() - second.len());
    let written = &stop.text[stop.piece.start..stop.piece.start + length];
    let better = format!("{first}{sign}{second}");
    let span = stop.span(stop.piece.start..stop.piece.start + length);
    Some(
        error(say!("`{written}` is not how a row says what it answers", written = short(written)))
            .label(span, "read as a number, and something behind it")
            .help(say!("write `{better}`", better))
            .edit(span, better),
    )
}

/// `6: cut "Tajo"`
pub(super) fn colon_behind_key(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.rule != Rule::whole_row || stop.token_text() != ":" {
        return None;
    }
    let key = stop.before();
    if !key.starts_with(|c: char| c.is_ascii_digit()) || key.contains(char::is_alphabetic) {
        return None;
    }
    Some(
        error("a row has no `:` behind what it answers")
            .label(stop.token_span(), "not needed")
            .help(say!("write `{key}`", key = short(key)))
            .edit(stop.token_span(), " "),
    )
}

/// `dead_leg 2 "Pierna muerta"`
pub(super) fn number_behind_name(stop: &Stop<'_>) -> Option<Diagnostic> {
    let token = stop.token_text();
    let before = stop.before();
    let name = before.rsplit(char::is_whitespace).next().unwrap_or("");
    let named = name.starts_with(char::is_alphabetic) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if stop.rule != Rule::whole_row || !is_number(token) || !named || !stop.expects(Rule::text) {
        return None;
    }
    let better = format!("{name}_{token}");
    let start = stop.piece.start + before.len() - name.len();
    let span = stop.span(start..stop.token.end);
    Some(
        error(say!("`{end}` cannot be a name", end = short(&stop.text[start..stop.token.end])))
            .label(span, "a name is one word")
            .help(say!("call it `{better}`", better))
            .edit(span, better),
    )
}

/// `suffer prone` below a row, without braces
pub(super) fn braces_missing(stop: &Stop<'_>) -> Option<Diagnostic> {
    let first = stop.first_word();
    let sentence =
        words::SENTENCES.contains(&first) && first != "else" || stop.text[stop.piece.clone()].starts_with("->");
    if !matches!(stop.rule, Rule::whole_row | Rule::whole_state_row) || !sentence {
        return None;
    }
    let line = stop.text[stop.piece.clone()].lines().next().unwrap_or("").trim_end();
    let span = stop.span(stop.piece.start..stop.piece.start + line.len());
    Some(
        error("what a row does stands in braces")
            .label(span, "not in braces")
            .help(say!("write `{{ {line} }}`", line = short(line)))
            .edit(span, format!("{{ {line} }}")),
    )
}

/// A paragraph with no row above it.
pub(super) fn text_without_row(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.rule != Rule::whole_row || stop.at != stop.piece.start || !stop.rest().starts_with('"') {
        return None;
    }
    Some(error("this text belongs to no row").label(stop.token_span(), "a row begins with what it answers").help(say!(
        "write, for example, `1-3  {token_text}  {stop}`",
        token_text = super::slug(stop.token_text()),
        stop = short(stop.token_text())
    )))
}

/// `1-3 a "A" { } 4-6 b "B"`
pub(super) fn two_on_a_line(stop: &Stop<'_>) -> Option<Diagnostic> {
    let ends = stop.before().ends_with(['}', '"']);
    if !matches!(stop.rule, Rule::whole_row | Rule::whole_below) || !ends || !is_number(stop.token_text()) {
        return None;
    }
    Some(
        error("a row stands on a line of its own")
            .label(stop.token_span(), "the next row begins here")
            .help("begin a new line here")
            .edit(stop.span(stop.at..stop.at), "\n  "),
    )
}
