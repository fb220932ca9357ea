//! Steps of a scenario, written as elsewhere: `expect hp == 3`, `hp is 3`, `when hit 3`, `dice: 3`.

use super::error;
use crate::diagnostics::Diagnostic;
use crate::say;
use crate::syntax::fault::{Stop, short};
use crate::syntax::grammar::Rule;

/// `expect hp == 3`
pub(super) fn expect(stop: &Stop<'_>) -> Option<Diagnostic> {
    let word = stop.first_word();
    let others = ["expect", "assert", "ensure", "should", "verify"];
    if stop.rule != Rule::whole_step || !others.contains(&word) {
        return None;
    }
    let span = stop.span(stop.piece.start..stop.piece.start + word.len());
    Some(
        error(say!("what has to be true begins with `then`, not with `{word}`", word))
            .label(span, "not a word of the language")
            .help("write `then`")
            .edit(span, "then"),
    )
}

/// `then hp is 3`
pub(super) fn is_for_equals(stop: &Stop<'_>) -> Option<Diagnostic> {
    if !matches!(stop.token_text(), "is" | "equals") || !stop.expects(Rule::infix) {
        return None;
    }
    Some(
        error(say!("`{token_text}` is written `==`", token_text = stop.token_text()))
            .label(stop.token_span(), "not a word of the language")
            .help("write `==`; of a state or a condition the name alone is enough: `then dead`")
            .edit(stop.token_span(), "=="),
    )
}

/// `then hp 3`
pub(super) fn sign_missing(stop: &Stop<'_>) -> Option<Diagnostic> {
    let number = stop.token_text().starts_with(|c: char| c.is_ascii_digit());
    if stop.rule != Rule::whole_step || stop.first_word() != "then" || !number || !stop.expects(Rule::infix) {
        return None;
    }
    let before = stop.before().strip_prefix("then")?.trim();
    Some(
        error(say!("`{before}` is compared with nothing", before = short(before)))
            .label(stop.token_span(), "no sign stands before it")
            .help(say!(
                "write `{before} == {token_text}`",
                before = short(before),
                token_text = short(stop.token_text())
            ))
            .edit(stop.behind(), " =="),
    )
}

/// `when hit 3`
pub(super) fn argument_without_parentheses(stop: &Stop<'_>) -> Option<Diagnostic> {
    let first = stop.first_word();
    if stop.rule != Rule::whole_step || !matches!(first, "when" | "repeat") || !stop.expects(Rule::to_word) {
        return None;
    }
    let event = stop.before().strip_prefix(first)?.trim();
    let is_name = !event.is_empty() && event.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name || !stop.token_text().starts_with(char::is_alphanumeric) {
        return None;
    }
    let given = stop.rest().split(" until ").next().unwrap_or("").split(" to ").next().unwrap_or("").trim();
    Some(
        error("what an event is given stands in parentheses")
            .label(stop.token_span(), "outside of parentheses")
            .help(say!("write `{first} {event}({given})`", first, event, given = short(given))),
    )
}

/// `dice: 3 5`, `dice = 3`
pub(super) fn dice_with_a_sign(stop: &Stop<'_>) -> Option<Diagnostic> {
    let sign = stop.token_text();
    if stop.rule != Rule::whole_step || stop.before() != "dice" || sign != ":" {
        return None;
    }
    Some(
        error("the values of dice stand right behind `dice`")
            .label(stop.token_span(), "not needed")
            .help(say!("write `dice {sign}`", sign = short(stop.rest().trim_start_matches(sign).trim())))
            .edit(stop.token_span(), ""),
    )
}

/// `then chance(dead) < 0.41`, `snapshot odds within 0.5`
pub(super) fn percent_missing(stop: &Stop<'_>) -> Option<Diagnostic> {
    let piece = &stop.text[stop.piece.clone()];
    if stop.rule != Rule::whole_step || !(piece.starts_with("snapshot") || piece.contains("chance")) {
        return None;
    }
    let read = stop.before();
    let number = read.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let (written, start) = (&read[number..], stop.piece.start + number);
    let (whole, part) = written.split_once('.').filter(|(whole, part)| !whole.is_empty() && !part.is_empty())?;
    let hundred = format!("{whole}{part:0<2}");
    let (of_one, rest) = hundred.split_at_checked(whole.len() + 2)?;
    let of_one = of_one.trim_start_matches('0');
    let of_one = if of_one.is_empty() { "0" } else { of_one };
    let of_one = if rest.is_empty() { format!("{of_one}%") } else { format!("{of_one}.{rest}%") };
    Some(
        error(say!("`{written}` needs its `%`", written))
            .label(stop.span(start..start + written.len()), "of a hundred, or of one?")
            .help(say!("write `{written}%`, or `{of_one}` if that part of 1 is meant", written, of_one)),
    )
}
