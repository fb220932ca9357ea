//! Words and forms: one letter off, half written, in the wrong place.

use super::error;
use crate::diagnostics::{Diagnostic, nearest};
use crate::say;
use crate::syntax::fault::{Stop, looks_like_dice, short};
use crate::syntax::grammar::Rule;
use crate::syntax::words;

pub(super) fn elif(stop: &Stop<'_>) -> Option<Diagnostic> {
    let word =
        [stop.first_word(), stop.token_text()].into_iter().find(|w| matches!(*w, "elif" | "elsif" | "elseif"))?;
    let start = if stop.first_word() == word { stop.piece.start } else { stop.at };
    let span = stop.span(start..start + word.len());
    Some(
        error(say!("`{word}` is written `else if`", word))
            .label(span, "not a word of the language")
            .help("write `else if`")
            .edit(span, "else if"),
    )
}

/// `if hurt then { … }`
pub(super) fn then_after_if(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.token_text() != "then" || stop.first_word() != "if" {
        return None;
    }
    Some(
        error("`then` is not written behind `if`")
            .label(stop.token_span(), "not needed")
            .help("write what happens in braces: `if … { … }`")
            .edit(stop.token_span(), ""),
    )
}

/// `hp down`
pub(super) fn rounding(stop: &Stop<'_>) -> Option<Diagnostic> {
    let word = stop.token_text();
    if !matches!(word, "down" | "up" | "near") || !stop.expects(Rule::infix) {
        return None;
    }
    Some(crate::syntax::precedence::stray_rounding(word, stop.token_span()))
}

/// `outcome`, and nothing behind it
pub(super) fn needs_more(stop: &Stop<'_>) -> Option<Diagnostic> {
    let word = stop.first_word();
    if word.is_empty() || word.len() != stop.piece.len() {
        return None;
    }
    Some(words::needs_more(word, stop.span(stop.piece.clone()), words::example(word)?))
}

/// `1d6x`
pub(super) fn glued_to_dice(stop: &Stop<'_>) -> Option<Diagnostic> {
    let bytes = stop.text.as_bytes();
    let mut start = stop.at;
    while start > stop.piece.start && (bytes[start - 1].is_ascii_alphanumeric() || bytes[start - 1] == b'%') {
        start -= 1;
    }
    let dice = &stop.text[start..stop.at];
    let token = stop.token_text();
    if !looks_like_dice(dice) || !token.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let times = token.strip_prefix(['x', 'X']).filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let fault = error(say!("`{token}` is nothing that can be done to dice", token = short(token)))
        .label(stop.token_span(), say!("glued to `{dice}`", dice = short(dice)));
    Some(match times {
        Some(times) => {
            fault.help(say!("write `{dice} * {times}`", dice, times)).edit(stop.token_span(), format!(" * {times}"))
        }
        None => fault.help("keep `kh1` `kl1`, drop `dh1` `dl1`, explode `!`, roll again `r1`, count `>=5`"),
    })
}

/// A word here that is one letter off a word that could stand here.
pub(super) fn misspelt_here(stop: &Stop<'_>) -> Option<Diagnostic> {
    let token = stop.token_text();
    if token.chars().count() < 2 || !token.starts_with(char::is_alphabetic) {
        return None;
    }
    let could: Vec<String> = stop.expected.iter().filter_map(|rule| words::keyword(*rule)).collect();
    let word = nearest(token, could.iter().map(String::as_str))?;
    Some(misspelt(stop, stop.at, token, word))
}

fn misspelt(stop: &Stop<'_>, at: usize, token: &str, word: &str) -> Diagnostic {
    let span = stop.span(at..at + token.len());
    error(say!("`{token}` is not a word of the language", token))
        .label(span, say!("perhaps `{word}`", word))
        .help(say!("write `{word}`", word))
        .edit(span, word)
}

/// The word a piece begins with is one letter off a word of the language.
pub(super) fn misspelt_first(stop: &Stop<'_>) -> Option<Diagnostic> {
    let first = stop.first_word();
    let near = stop.piece.start + first.len();
    if first.chars().count() < 2 || stop.text.get(near..stop.at).is_none_or(|blank| !blank.trim().is_empty()) {
        return None;
    }
    let word = nearest(first, words::first_words(stop.rule).iter().copied())?;
    Some(misspelt(stop, stop.piece.start, first, word))
}

/// `suffer prone` in a block, `has prone` in a handler
pub(super) fn happens_or_holds(stop: &Stop<'_>) -> Option<Diagnostic> {
    let first = stop.first_word();
    let arrow = stop.text[stop.piece.clone()].starts_with("->");
    let rest = stop.text[stop.piece.start + first.len()..stop.piece.end].trim();
    let span = stop.span(stop.piece.start..stop.piece.start + if arrow { 2 } else { first.len() });
    match stop.rule {
        Rule::whole_part if arrow || words::SENTENCES.contains(&first) && !words::PARTS.contains(&first) => {
            let shown = if arrow { "->" } else { first };
            let help = match first {
                "suffer" => say!("write `has {rest}`", rest = short(rest)),
                "lose" => say!("let what gives it end: `until …`, `while …`"),
                _ => say!("put it where it happens: `on made { … }`"),
            };
            let fault = error(say!("`{shown}` happens once; what stands here holds", shown))
                .label(span, "nothing happens in a sheet or a block by itself")
                .help(help);
            Some(if first == "suffer" { fault.edit(span, "has") } else { fault })
        }
        Rule::whole_part if ["+=", "-="].iter().any(|sign| stop.rest().starts_with(sign)) => Some(
            error("a change happens once; what stands here holds")
                .label(stop.token_span(), "nothing happens in a sheet or a block by itself")
                .help("put it where it happens (`on made { … }`), or let it hold: `+1 to …`"),
        ),
        Rule::whole_sentence if matches!(first, "has" | "cannot" | "on" | "before" | "value" | "check" | "event") => {
            let help = match first {
                "has" => say!(
                    "write `suffer {rest}`, or let it hold: `until … {{ has {value} }}`",
                    rest = short(rest),
                    value = short(rest)
                ),
                _ => say!("say how long: `until … {{ {first} … }}`", first),
            };
            Some(
                error(say!("`{first}` holds; what stands here happens once", first))
                    .label(span, "for how long?")
                    .help(help),
            )
        }
        _ => None,
    }
}

/// `2d`
pub(super) fn faces_missing(stop: &Stop<'_>) -> Option<Diagnostic> {
    let number = stop.text[stop.piece.start..stop.at].ends_with(|c: char| c.is_ascii_digit());
    if !number || !matches!(stop.token_text(), "d" | "D") {
        return None;
    }
    Some(
        error("these dice have no faces")
            .label(stop.token_span(), "a number is missing behind it")
            .help("write `d6`, `d%` or `dF`"),
    )
}

/// `say hello`
pub(super) fn other_form(stop: &Stop<'_>) -> Option<Diagnostic> {
    let first = stop.first_word();
    let near = stop.piece.start + first.len();
    let known = words::first_words(stop.rule).contains(&first);
    if !known || stop.text.get(near..stop.at).is_none_or(|blank| !blank.trim().is_empty()) {
        return None;
    }
    let shown = format!("{first} {}", stop.token_text());
    Some(
        error(say!("`{shown}` is not how `{first}` is written", shown = short(&shown), first))
            .label(stop.token_span(), say!("cannot stand behind `{first}`", first))
            .help(say!("write, for example, `{example}`", example = words::example(first)?)),
    )
}

/// More text behind the end of a row.
pub(super) fn behind_the_row(stop: &Stop<'_>) -> Option<Diagnostic> {
    if !stop.expects(Rule::EOI) || !matches!(stop.rule, Rule::whole_row | Rule::whole_below) || stop.token.is_empty() {
        return None;
    }
    let fault = error("this stands behind the end of the row").label(stop.token_span(), "not part of the row");
    Some(match stop.rest().starts_with('"') && stop.rule == Rule::whole_row {
        true => {
            fault.help("put the paragraph on a line of its own below").edit(stop.span(stop.at..stop.at), "\n       ")
        }
        false => fault.help("put `|` before a cell, quotes round a text, `//` before a comment"),
    })
}
