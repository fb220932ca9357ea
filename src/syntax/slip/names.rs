//! Names and titles: with a hyphen or a blank, without quotes, missing.

use super::error;
use crate::diagnostics::{Diagnostic, fold};
use crate::say;
use crate::syntax::fault::{Stop, short};
use crate::syntax::grammar::Rule;
use crate::syntax::words;

/// `broken-leg`
pub(super) fn hyphen_in_name(stop: &Stop<'_>) -> Option<Diagnostic> {
    let text = &stop.text[..stop.piece.end];
    let dash = |c: char| matches!(c, '-' | '–' | '—' | '−');
    if stop.expects(Rule::infix) || !stop.rest().starts_with(dash) {
        return None;
    }
    let word_char = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[stop.piece.start..stop.at].chars().rev().take_while(|c| word_char(*c)).map(char::len_utf8).sum();
    let start = stop.at - before;
    let joined = text[start..].chars().take_while(|c| word_char(*c) || dash(*c)).map(char::len_utf8).sum::<usize>();
    let name = text[start..start + joined].trim_end_matches(dash);
    let begins = name.chars().next().is_some_and(char::is_alphabetic);
    if before == 0 || !begins || name.len() <= before {
        return None;
    }
    let better = name.replace(dash, "_");
    let span = stop.span(start..start + name.len());
    Some(
        error(say!("`{name}` cannot be a name", name))
            .label(span, "a name has letters, digits and `_`")
            .help(say!("call it `{better}`", better))
            .edit(span, better),
    )
}

/// `table "Heridas" = 2d6`
pub(super) fn name_missing(stop: &Stop<'_>) -> Option<Diagnostic> {
    if !stop.rest().starts_with('"') || !(stop.expects(Rule::name) || stop.expects(Rule::any_name)) {
        return None;
    }
    let before = stop.before();
    if before.is_empty() || before.contains(|c: char| !(c.is_alphabetic() || c == ' ')) {
        return None;
    }
    let name = slug(stop.token_text());
    Some(
        error("the name is missing before the title")
            .label(stop.token_span(), "this is the title")
            .help(say!("write `{before} {name} {token_text}`", before, name, token_text = short(stop.token_text())))
            .edit(stop.span(stop.at..stop.at), format!("{name} ")),
    )
}

/// A name made of a title.
pub(in crate::syntax) fn slug(title: &str) -> String {
    let plain: String = fold(title).chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let words: Vec<&str> = plain.split('_').filter(|word| !word.is_empty()).take(4).collect();
    match words.join("_") {
        name if name.starts_with(|c: char| c.is_alphabetic()) => name,
        name => format!("row_{name}").trim_end_matches('_').to_owned(),
    }
}

/// A word of the language where a name should stand.
pub(super) fn reserved(stop: &Stop<'_>) -> Option<Diagnostic> {
    let token = stop.token_text();
    if !words::RESERVED.contains(&token) || !stop.expects_only_names() {
        return None;
    }
    Some(
        error(say!("`{token}` is a word of the language", token))
            .label(stop.token_span(), "cannot be a name")
            .help(say!("call it `{token}_`, or something else", token))
            .edit(stop.token_span(), format!("{token}_")),
    )
}

/// `1-3 graze Herida superficial`
pub(super) fn title_without_quotes(stop: &Stop<'_>) -> Option<Diagnostic> {
    let titled = matches!(
        stop.rule,
        Rule::whole_row | Rule::whole_state_row | Rule::whole_table | Rule::whole_sheet | Rule::whole_scenario
    );
    let rest = stop.rest();
    if !titled || !stop.expects(Rule::text) || !rest.starts_with(char::is_alphabetic) {
        return None;
    }
    let line = rest.lines().next().unwrap_or("");
    let title = line.split(['|', '{', '"', '=']).next().unwrap_or("").trim_end();
    let plural = title.split_whitespace().count() > 1;
    if !(plural || title.starts_with(char::is_uppercase) || !title.is_ascii()) {
        return None;
    }
    let span = stop.span(stop.at..stop.at + title.len());
    Some(
        error("a title stands in quotes")
            .label(span, "not in quotes")
            .help(say!("write `\"{title}\"`", title = short(title)))
            .edit(span, format!("\"{title}\"")),
    )
}

/// `max hp: 1..10`
pub(super) fn blank_in_name(stop: &Stop<'_>) -> Option<Diagnostic> {
    let token = stop.token_text();
    let named =
        !matches!(stop.rule, Rule::whole_sentence | Rule::whole_expression | Rule::whole_step | Rule::whole_below);
    if !named || stop.expects(Rule::infix) || !token.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return None;
    }
    let before = stop.before();
    let word = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
    let begins = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let keyword = word == stop.first_word() && !matches!(stop.rule, Rule::whole_part | Rule::whole_row);
    if !begins || words::RESERVED.contains(&word) || keyword {
        return None;
    }
    let start = stop.piece.start + before.len() - word.len();
    if start + word.len() == stop.at {
        // No blank, but a letter that no name has.
        return None;
    }
    let span = stop.span(start..stop.token.end);
    let better = format!("{word}_{token}");
    let several = stop.expects(Rule::comma);
    Some(
        error(say!("`{end}` cannot be a name", end = short(&stop.text[start..stop.token.end])))
            .label(span, "a name is one word")
            .help(if several {
                say!("call it `{better}`, or put `,` between two", better)
            } else {
                say!("call it `{better}`", better)
            }),
    )
    .map(|fault| if several { fault } else { fault.edit(span, better) })
}
