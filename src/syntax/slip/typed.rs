//! Rolls typed for another tool: numbers that it fills in, words behind the dice.

use super::error;
use crate::diagnostics::Diagnostic;
use crate::say;
use crate::syntax::fault::{Stop, looks_like_dice, short};
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

/// `4d6 drop lowest`, `4d6 keep 3`, `1d20 adv`, `1d20dis`: said in words.
pub(super) fn kept_in_words(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.rule != Rule::whole_expression {
        return None;
    }
    let piece = &stop.text[stop.piece.clone()];
    let said = piece.find(|c: char| c.is_alphabetic() && !matches!(c, 'd' | 'D' | 'F'))?;
    let said = match piece[..said].ends_with(['d', 'D']) {
        // The `d` of `drop` and `dis` was taken for one of dice.
        true if piece[said..].starts_with(['r', 'i', 'e']) => said - 1,
        _ => said,
    };
    let (dice, said) = (piece[..said].trim_end(), &piece[said..]);
    let (count, _) = dice.split_once(['d', 'D']).filter(|_| looks_like_dice(dice))?;
    let count: u32 = if count.is_empty() { 1 } else { count.parse().ok()? };
    let faces = &dice[dice.find(['d', 'D'])?..];
    let mut words = said.split_whitespace().map(str::to_lowercase);
    let first = words.next()?;
    let rest: Vec<String> = words.collect();
    let number = rest.iter().find_map(|word| word.parse::<u32>().ok());
    let low = rest.iter().any(|word| word.starts_with("low"));
    let high = rest.iter().any(|word| word.starts_with("high"));
    let known = |word: &String| {
        word.parse::<u32>().is_ok() || word.starts_with("low") || word.starts_with("high") || word == "the"
    };
    let better = match first.as_str() {
        "adv" | "advantage" if rest.is_empty() && count == 1 => format!("2{faces}kh1"),
        "dis" | "disadv" | "disadvantage" if rest.is_empty() && count == 1 => format!("2{faces}kl1"),
        "keep" if rest.iter().all(known) && (number.is_some() || low || high) => {
            format!("{dice}{}{}", if low { "kl" } else { "kh" }, number.unwrap_or(1))
        }
        "drop" if rest.iter().all(known) && (number.is_some() || low || high) => {
            format!("{dice}{}{}", if high { "dh" } else { "dl" }, number.unwrap_or(1))
        }
        _ => return None,
    };
    let span = stop.span(stop.piece.start..stop.piece.start + piece.trim_end().len());
    Some(
        error(say!("`{piece}` is said in words", piece = short(piece)))
            .label(span, "dice have signs for this")
            .help(say!("write `{better}`", better))
            .edit(span, better),
    )
}
