//! Rolls typed for another tool: numbers that it fills in, words behind the dice.

use super::error;
use crate::diagnostics::Diagnostic;
use crate::say;
use crate::syntax::fault::{Stop, short};
use crate::syntax::grammar::Rule;
use crate::syntax::scan;

/// `@str.mod`, `@{level}`, `?{How many?|1}`: what another tool fills in before it rolls.
pub(super) fn reference(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.rule != Rule::whole_expression || !(stop.rest().starts_with('@') || stop.rest().starts_with("?{")) {
        return None;
    }
    let rest = stop.rest();
    let length = match rest.as_bytes().get(1) {
        Some(b'{') => rest.find('}').map_or(rest.len(), |end| end + 1),
        _ => {
            let part = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
            rest.get(1..)?.find(part).map_or(rest.len(), |end| end + 1)
        }
    };
    let written = short(rest.get(..length)?);
    Some(
        error(say!("`{written}` stands for a number that another tool knows", written))
            .label(stop.span(stop.at..stop.at + length), "not known here")
            .help("write the number itself in its place"),
    )
}

/// `2d6 fire damage`: words behind a roll, which some tools take for a comment.
pub(super) fn words_behind(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.rule != Rule::whole_expression || !stop.rest().starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let before = &stop.text[stop.piece.start..stop.at];
    let tail = before.chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum::<usize>();
    let start = stop.at - tail;
    let word = scan::word(stop.text, start);
    let behind = stop.text[stop.piece.start..start].chars().next_back()?;
    let read = stop.text[stop.piece.start..start].trim_end();
    let value = read.ends_with(|c: char| c.is_ascii_digit() || matches!(c, ')' | ']' | '}' | '%' | 'F'));
    let letters = word.chars().count() > 1 && word.chars().all(char::is_alphabetic);
    if !behind.is_whitespace() || !value || !letters {
        return None;
    }
    Some(
        error(say!("`{word}` is nothing that can be done to dice", word))
            .label(stop.span(start..start + word.len()), "words behind the roll")
            .help(say!("for a comment write `# {end}`", end = short(stop.text[start..stop.piece.end].trim())))
            .edit(stop.span(start..start), "# "),
    )
}
