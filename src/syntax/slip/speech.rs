//! What people write who think in speech: Spanish words of the language, `gain 2 hp`, `say` without quotes.

use super::error;
use crate::diagnostics::Diagnostic;
use crate::say;
use crate::syntax::fault::{Stop, short};
use crate::syntax::grammar::Rule;
use crate::syntax::words;

/// Words of the language in Spanish, without accents.
const SPANISH: [(&str, &str); 38] = [
    ("sufre", "suffer"),
    ("pierde", "lose"),
    ("tira", "roll"),
    ("lanza", "roll"),
    ("toma", "take"),
    ("si", "if"),
    ("sino", "else"),
    ("cada", "each"),
    ("pregunta", "ask"),
    ("di", "say"),
    ("dice", "say"),
    ("sube", "raise"),
    ("baja", "lower"),
    ("mientras", "while"),
    ("hasta", "until"),
    ("valor", "value"),
    ("chequeo", "check"),
    ("prueba", "check"),
    ("evento", "event"),
    ("suceso", "event"),
    ("estados", "states"),
    ("cuando", "when"),
    ("antes", "before"),
    ("tiene", "has"),
    ("dado", "given"),
    ("responde", "answer"),
    ("dados", "dice"),
    ("repite", "repeat"),
    ("entonces", "then"),
    ("resultado", "outcome"),
    ("caso", "case"),
    ("sistema", "system"),
    ("opcion", "option"),
    ("reloj", "clock"),
    ("tipo", "kind"),
    ("tabla", "table"),
    ("ficha", "sheet"),
    ("escenario", "scenario"),
];

/// `sufre prone`
pub(super) fn spanish(stop: &Stop<'_>) -> Option<Diagnostic> {
    let first = stop.first_word();
    let near = stop.piece.start + first.len();
    if first.is_empty() || stop.text.get(near..stop.at).is_none_or(|blank| !blank.trim().is_empty()) {
        return None;
    }
    let plain = super::slug(first);
    let (_, word) = SPANISH.iter().find(|(spanish, _)| *spanish == plain)?;
    if !words::first_words(stop.rule).contains(word)
        && !stop.expected.iter().any(|rule| words::keyword(*rule).as_deref() == Some(*word))
    {
        return None;
    }
    let span = stop.span(stop.piece.start..near);
    Some(
        error(say!("`{first}` is written `{word}`", first, word))
            .label(span, "the words of the language are English")
            .help(say!("write `{word}`", word))
            .edit(span, *word),
    )
}

/// `lang español`
pub(super) fn language(stop: &Stop<'_>) -> Option<Diagnostic> {
    let before = stop.before();
    let line = before.lines().next_back().unwrap_or("");
    let (_, lang) = line.rsplit_once("lang")?;
    // Reading may stop behind the plain letters of `español`.
    let begun = stop.at - (stop.text[stop.piece.start..stop.at].len() - before.len()) - lang.trim_start().len();
    let rest = &stop.text[begun..stop.piece.end];
    let name = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
    if stop.first_word() != "system" || name.is_empty() || lang.contains('"') {
        return None;
    }
    let plain = super::slug(name);
    let code = match plain.as_str() {
        "espanol" | "castellano" | "spanish" => "es",
        "ingles" | "english" => "en",
        "frances" | "french" => "fr",
        "catalan" => "ca",
        "gallego" | "galician" => "gl",
        "euskera" | "vasco" | "basque" => "eu",
        "portugues" | "portuguese" => "pt",
        "aleman" | "german" => "de",
        "italiano" | "italian" => "it",
        _ => return None,
    };
    let span = stop.span(begun..begun + name.len());
    Some(
        error("a language is written as its code")
            .label(span, "a name")
            .help(say!("write `lang {code}`", code))
            .edit(span, code),
    )
}

/// `say Te duele`
pub(super) fn text_without_quotes(stop: &Stop<'_>) -> Option<Diagnostic> {
    let first = stop.first_word();
    let rest = stop.rest().lines().next().unwrap_or("").trim_end();
    if first != "say" || stop.before() != "say" || !rest.starts_with(char::is_alphabetic) {
        return None;
    }
    let span = stop.span(stop.at..stop.at + rest.len());
    Some(
        error("a text stands in quotes")
            .label(span, "not in quotes")
            .help(say!("write `say \"{rest}\"`", rest = short(rest)))
            .edit(span, format!("\"{rest}\"")),
    )
}

/// `gain 2 hp`, `lose 2 hp`
pub(super) fn change_in_words(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.rule != Rule::whole_sentence {
        return None;
    }
    let mut said = stop.text[stop.piece.clone()].split_whitespace();
    let sign = match said.next()? {
        "gain" | "heal" | "add" | "recover" | "gana" | "suma" | "recupera" => "+=",
        "lose" | "subtract" | "pierde" | "resta" => "-=",
        _ => return None,
    };
    let amount = said.next().filter(|amount| amount.starts_with(|c: char| c.is_ascii_digit()))?;
    let track = said.next().filter(|track| track.starts_with(char::is_alphabetic))?;
    if said.next().is_some() {
        return None;
    }
    let better = format!("{track} {sign} {amount}");
    let span = stop.span(stop.piece.clone());
    Some(
        error("a track changes by a sign behind its name")
            .label(span, "said in words")
            .help(say!("write `{better}`", better))
            .edit(span, better),
    )
}

/// `if has prone`
pub(super) fn has_in_a_condition(stop: &Stop<'_>) -> Option<Diagnostic> {
    let before = stop.before();
    let asked = before.strip_suffix("has").filter(|before| before.ends_with(char::is_whitespace))?;
    let word = asked.split_whitespace().next_back()?;
    if !matches!(word, "if" | "when" | "where" | "while" | "and" | "or" | "not" | "then") {
        return None;
    }
    let start = stop.piece.start + asked.len();
    let name = short(stop.token_text());
    Some(
        error("a condition is asked for by its name alone")
            .label(stop.span(start..stop.token.end), "`has` gives it")
            .help(say!("write `{word} {name}`", word, name))
            .edit(stop.span(start..stop.at), ""),
    )
}

/// `forever { has prone }`
pub(super) fn forever(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.first_word() != "forever" {
        return None;
    }
    let span = stop.span(stop.piece.start..stop.piece.start + "forever".len());
    Some(
        error("`forever` is written `for ever`")
            .label(span, "two words")
            .help("write `for ever`")
            .edit(span, "for ever"),
    )
}

/// `if 30% { … }`
pub(super) fn chance_in_percent(stop: &Stop<'_>) -> Option<Diagnostic> {
    let piece = &stop.text[stop.piece.clone()];
    let sign = piece.find('%')?;
    let digits = piece[..sign].bytes().rev().take_while(u8::is_ascii_digit).count();
    let number = &piece[sign - digits..sign];
    let asked = piece[..sign - digits].trim_end();
    let behind = piece[sign + 1..].trim_start();
    let whole = behind.is_empty() || behind.starts_with(['{', '-']);
    if digits == 0 || !whole || !(asked.ends_with("if") || asked.ends_with("when")) {
        return None;
    }
    let at = stop.piece.start + sign;
    let span = stop.span(at - digits..at + 1);
    let better = format!("1d100 <= {number}");
    Some(
        error("a chance is rolled for")
            .label(span, "a part of a hundred")
            .help(say!("write `{better}`", better))
            .edit(span, better),
    )
}
