//! Signs: quotes, comments, arrows and operators of other languages, `=` and `:` in each other's place.

use super::error;
use crate::diagnostics::Diagnostic;
use crate::say;
use crate::syntax::fault::{Stop, looks_like_dice, short};
use crate::syntax::grammar::Rule;
use crate::syntax::scan;

/// `“text”`, `«texto»`
pub(super) fn curly_quotes(stop: &Stop<'_>) -> Option<Diagnostic> {
    let open = stop.rest().chars().next().filter(|c| "“”„«»‘’'".contains(*c))?;
    let start = stop.at;
    let line = stop.rest().lines().next().unwrap_or("");
    let fault = error(say!("`{open}` is not the quote of a text", open))
        .label(stop.span(start..start + open.len_utf8()), "a text stands between straight quotes");
    let close = line[open.len_utf8()..].find(['“', '”', '»', '’', '\'', '«']).map(|i| i + open.len_utf8());
    Some(match close {
        Some(close) => {
            let inner = &line[open.len_utf8()..close];
            let end = start + close + line[close..].chars().next().map_or(0, char::len_utf8);
            fault
                .help(say!("write `\"{inner}\"`", inner = short(inner)))
                .edit(stop.span(start..start + open.len_utf8()), "\"")
                .edit(stop.span(start + close..end), "\"")
        }
        None => fault.help("write `\"` at both ends of the text"),
    })
}

/// `# comment`, `-- comment`
pub(super) fn comment(stop: &Stop<'_>) -> Option<Diagnostic> {
    let bytes = stop.text.as_bytes();
    let line = scan::line_start(bytes, stop.at).max(stop.piece.start);
    let line_end = scan::line_end(bytes, stop.at, stop.piece.end);
    let (at, length) = if stop.rest().starts_with('#') {
        (stop.at, stop.rest().chars().take_while(|c| *c == '#').count())
    } else {
        let shown = &stop.text[line..line_end];
        let dashes = if shown.starts_with("-- ") { 0 } else { shown.find(" -- ")? + 1 };
        if line + dashes > stop.at {
            return None;
        }
        (line + dashes, 2)
    };
    let inner = stop.text[at + length..line_end].trim();
    Some(
        error("a comment begins with `//`")
            .label(stop.span(at..at + length), "not how a comment is written")
            .help(say!("write `// {inner}`", inner = short(inner)))
            .edit(stop.span(at..at + length), "//"),
    )
}

/// `=>`, `→`, `-->` for `->`
pub(super) fn arrow(stop: &Stop<'_>) -> Option<Diagnostic> {
    let found =
        ["=>", "→", "⇒", "➜", "–>", "—>", "−>", "-->", "~>"].iter().find(|sign| stop.rest().starts_with(**sign))?;
    let span = stop.span(stop.at..stop.at + found.len());
    Some(
        error(say!("`{found}` is written `->`", found))
            .label(span, "leads to a state")
            .help(say!("write `-> {found}`", found = scan::word(stop.rest()[found.len()..].trim_start(), 0)))
            .edit(span, "->"),
    )
}

/// `&&`, `||`, `!`, `<>`
pub(super) fn signs_of_other_languages(stop: &Stop<'_>) -> Option<Diagnostic> {
    let rest = stop.rest();
    let (start, sign, word) = if rest.starts_with("&&") {
        (stop.at, "&&", "and")
    } else if rest.starts_with("||") {
        (stop.at, "||", "or")
    } else if rest.starts_with('|') && stop.text[..stop.at].ends_with('|') {
        (stop.at - 1, "||", "or")
    } else if rest.starts_with("<>") {
        (stop.at, "<>", "!=")
    } else if rest.starts_with('>') && stop.text[..stop.at].ends_with('<') {
        (stop.at - 1, "<>", "!=")
    } else if rest.starts_with('!') && !rest.starts_with("!=") && !stop.glued_to_dice() {
        (stop.at, "!", "not")
    } else {
        return None;
    };
    let span = stop.span(start..start + sign.len());
    let text = if word == "not" && !rest[1..].starts_with(' ') { "not " } else { word };
    Some(
        error(say!("`{sign}` is written `{word}`", sign, word))
            .label(span, "not a sign of the language")
            .help(say!("write `{word}`", word))
            .edit(span, text),
    )
}

/// `2.5`, `1,5`
pub(super) fn decimal(stop: &Stop<'_>) -> Option<Diagnostic> {
    let text = &stop.text[..stop.piece.end];
    let point = if stop.rest().starts_with(['.', ',']) { stop.at } else { stop.at.checked_sub(1)? };
    let sign = *text.as_bytes().get(point).filter(|_| point > stop.piece.start)?;
    if !matches!(sign, b'.' | b',') {
        return None;
    }
    let digits = |s: &str| s.bytes().take_while(u8::is_ascii_digit).count();
    let before = text[stop.piece.start..point].bytes().rev().take_while(u8::is_ascii_digit).count();
    let after = text.get(point + 1..).map_or(0, digits);
    if before == 0 || after == 0 {
        return None;
    }
    let range = point - before..point + 1 + after;
    let mut help = say!("write a whole number");
    let whole = text[point - before..point].parse::<u64>().ok();
    let part = text[point + 1..range.end].parse::<u64>().ok();
    if let (Some(whole), Some(part), Some(unit)) = (whole, part, 10u64.checked_pow(after as u32))
        && let Some(top) = whole.checked_mul(unit).and_then(|n| n.checked_add(part))
    {
        let common = gcd(top, unit);
        if unit / common > 1 {
            help = say!(
                "write a whole number, or a division: `{common} / {unit} down`",
                common = top / common,
                unit = unit / common
            );
        }
    }
    Some(
        error(say!("`{range}` is not a whole number", range = &text[range.clone()]))
            .label(stop.span(range), "numbers have no decimals")
            .help(help),
    )
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// `if hp = 0`
pub(super) fn equals_for_compare(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.token_text() != "=" {
        return None;
    }
    let asks = ["if", "when", "where", "while", "not", "and", "or"];
    let condition = stop
        .before()
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .any(|word| asks.contains(&word) || word == "then" && stop.rule == Rule::whole_step);
    let first = stop.first_word();
    if !condition || matches!(first, "value" | "check" | "ask") && !stop.before().contains(" if ") {
        return None;
    }
    let result = stop.rest()[1..].trim_start();
    if let Some(result) = ["fails", "passes"].into_iter().find(|word| result.starts_with(word)) {
        let check = last_words(stop.before()).rsplit(char::is_whitespace).next().unwrap_or("");
        return Some(
            error(say!("a check has `{result}` behind its name", result))
                .label(stop.token_span(), "no sign stands here")
                .help(say!("write `{check} {result}`", check = short(check), result))
                .edit(stop.token_span(), ""),
        );
    }
    Some(
        error("`=` sets a value; `==` compares")
            .label(stop.token_span(), "compares here")
            .help("write `==`")
            .edit(stop.token_span(), "=="),
    )
}

/// `hp: 5` where a value is set
pub(super) fn colon_for_equals(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.token_text() != ":" || !(stop.expects(Rule::equals) || stop.expects(Rule::change_sign)) {
        return None;
    }
    let kind = stop.rule == Rule::whole_kind;
    Some(
        error(if kind { "`=` stands before the names of a kind" } else { "a value is set with `=`" })
            .label(stop.token_span(), if kind { "`=` stands here" } else { "`:` says what a track can hold" })
            .help(say!("write `{before} =`", before = short(last_words(stop.before()))))
            .edit(stop.token_span(), " ="),
    )
}

fn last_words(text: &str) -> &str {
    text.lines().next_back().unwrap_or("").trim()
}

/// `option edition = a | b`
pub(super) fn equals_for_colon(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.token_text() != "=" || !stop.expects(Rule::colon) || stop.expects(Rule::equals) {
        return None;
    }
    Some(
        error("`:` stands here, not `=`")
            .label(stop.token_span(), "what it can be stands behind `:`")
            .help(say!("write `{before}: …`", before = short(last_words(stop.before()))))
            .edit(stop.span(stop.behind().start as usize..stop.token.end), ":"),
    )
}

/// `hp = 0..20`
pub(super) fn bounds_behind_equals(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.rule != Rule::whole_part || !stop.rest().starts_with("..") {
        return None;
    }
    let equals = stop.before().find('=')?;
    if stop.before().contains(':') {
        return None;
    }
    let at = stop.piece.start + equals;
    let head = stop.before()[..equals].trim_end();
    Some(
        error("the bounds of a track stand behind `:`")
            .label(stop.span(at..at + 1), "a default stands behind `=`")
            .help(say!("write `{head}: {end}`", head, end = short(stop.text[at + 1..stop.piece.end].trim())))
            .edit(stop.span(stop.piece.start + head.len()..at + 1), ":"),
    )
}

/// `clock day > turn`
pub(super) fn clock_backwards(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.token_text() != ">" || !stop.expects(Rule::shorter) {
        return None;
    }
    Some(
        error("clocks stand from the shortest to the longest")
            .label(stop.token_span(), "`<` stands between them")
            .help("write `turn < day`, the shorter one first"),
    )
}

/// `hp 0..10`
pub(super) fn colon_missing(stop: &Stop<'_>) -> Option<Diagnostic> {
    let line = stop.rest().lines().next().unwrap_or("");
    let typed = line.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
    if !stop.expects(Rule::colon)
        || !typed
        || !(line.contains("..") || line.starts_with("yes/no"))
        || line.contains(':')
    {
        return None;
    }
    let behind = stop.behind().start as usize;
    Some(
        error(say!("`:` is missing before `{split}`", split = short(line.split('=').next().unwrap_or("").trim())))
            .label(stop.token_span(), "what it can be stands behind `:`")
            .help(say!(
                "write `{before}: {line}`",
                before = short(last_words(stop.before())),
                line = short(line.trim())
            ))
            .edit(stop.span(behind..stop.at), ": "),
    )
}

/// `table wound "Heridas" 2d6`
pub(super) fn equals_missing(stop: &Stop<'_>) -> Option<Diagnostic> {
    let token = stop.token_text();
    if !stop.expects(Rule::equals) || !token.starts_with(|c: char| c.is_alphanumeric() || c == '(' || c == '_') {
        return None;
    }
    let dice = looks_like_dice(token) || token == "(";
    if !dice && (stop.rule == Rule::whole_table || stop.rest().contains(['=', ':'])) {
        return None;
    }
    Some(
        error(if dice {
            say!("`=` is missing before the dice")
        } else {
            say!("`=` is missing before `{token}`", token = short(token))
        })
        .label(stop.token_span(), if dice { "what is rolled on the table" } else { "stands behind `=`" })
        .help(say!("write `= {split}`", split = short(stop.rest().split('{').next().unwrap_or("").trim_end())))
        .edit(stop.span(stop.at..stop.at), "= "),
    )
}

/// `if failures >= 3 dead`
pub(super) fn arrow_missing(stop: &Stop<'_>) -> Option<Diagnostic> {
    let token = stop.token_text();
    let leads = stop.expects(Rule::go_short) || stop.expects(Rule::arrow);
    if !leads || !token.starts_with(|c: char| c.is_alphabetic() || c == '_') || stop.token.end < stop.piece.end {
        return None;
    }
    Some(
        error(say!("`->` is missing before `{token}`", token))
            .label(stop.token_span(), "a state stands behind `->`, a sentence in braces")
            .help(say!("write `-> {token}` or `{{ {token} }}`", token))
            .edit(stop.span(stop.at..stop.at), "-> "),
    )
}

/// `table hit = 1d6:`, `if hp < 3: suffer prone`
pub(super) fn colon_for_brace(stop: &Stop<'_>) -> Option<Diagnostic> {
    let begins = matches!(stop.first_word(), "table" | "sheet" | "scenario" | "on" | "before" | "if" | "else" | "each");
    if stop.token_text() != ":" || !begins || stop.expects(Rule::colon) || stop.expects(Rule::equals) {
        return None;
    }
    let behind = stop.rest()[1..].trim();
    let fault = error("what follows stands in braces").label(stop.token_span(), "`{` stands here");
    Some(match behind.is_empty() || behind.contains(['{', '\n']) {
        true => fault.help("write `{` here, and `}` where it ends"),
        false => {
            let behind_the_colon = stop.span(stop.token.start..stop.piece.end);
            fault
                .help(say!("write `{{ {behind} }}`", behind = short(behind)))
                .edit(behind_the_colon, format!(" {{ {behind} }}"))
        }
    })
}

/// `hp -= 1, suffer prone`
pub(super) fn comma_between_sentences(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.rule != Rule::whole_sentence || stop.token_text() != "," || stop.expects(Rule::comma) {
        return None;
    }
    Some(
        error("sentences stand on lines of their own, or with `;` between them")
            .label(stop.token_span(), "another sentence begins behind this")
            .help("write `;`")
            .edit(stop.token_span(), ";"),
    )
}

/// `teeth - lost`, `hp++`, `-1 to pain`
pub(super) fn change_without_equals(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.rule != Rule::whole_sentence {
        return None;
    }
    let piece = stop.text[stop.piece.clone()].trim_end();
    if stop.at == stop.piece.start && piece.starts_with(['+', '-']) && piece.contains(" to ") {
        return Some(
            error(say!("`{piece}` holds; what stands here happens once", piece = short(piece)))
                .label(stop.span(stop.piece.start..stop.piece.start + piece.len()), "for how long?")
                .help(say!("say how long: `until … {{ {piece} }}`", piece = short(piece))),
        );
    }
    let sign = stop.token_text();
    let track = stop.before();
    let named = track.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    if !matches!(sign, "+" | "-")
        || !named
        || !stop.expects(Rule::change_sign) && !track.ends_with(char::is_alphanumeric)
    {
        return None;
    }
    let behind = stop.rest()[1..].trim();
    let amount = if matches!(behind, "+" | "-") { "1" } else { behind };
    if amount.is_empty() {
        return None;
    }
    let better = format!("{track} {sign}= {amount}");
    let span = stop.span(stop.piece.start..stop.piece.start + piece.len());
    Some(
        error(say!("`{piece}` changes nothing", piece = short(piece)))
            .label(span, "worked out, and kept nowhere")
            .help(say!("write `{better}`", better = short(&better)))
            .edit(span, better),
    )
}

/// `teeth: 0-32`
pub(super) fn dash_for_dots(stop: &Stop<'_>) -> Option<Diagnostic> {
    let dash = stop.token_text();
    let typed = stop.rule == Rule::whole_part && stop.before().contains(':');
    let number = |text: &str| text.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let ends = stop.before().ends_with(|c: char| c.is_ascii_digit());
    if !typed || !matches!(dash, "-" | "–" | "—") || !ends || !number(&stop.rest()[dash.len()..]) {
        return None;
    }
    let digits = |c: &char| c.is_ascii_digit();
    let low: usize = stop.before().chars().rev().take_while(digits).count();
    let behind = stop.rest()[dash.len()..].trim_start();
    let high: String = behind.chars().take_while(digits).collect();
    let start = stop.piece.start + stop.before().len() - low;
    let better = format!("{}..{high}", &stop.text[start..start + low]);
    let end = stop.piece.end - behind.len() + high.len();
    Some(
        error("the bounds of a track stand with `..` between them")
            .label(stop.token_span(), "a minus sign here")
            .help(say!("write `{better}`", better))
            .edit(stop.span(start..end), better),
    )
}

/// `states awake | dead`
pub(super) fn bar_between_states(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.token_text() != "|" || stop.first_word() != "states" {
        return None;
    }
    Some(
        error("states say with `->` which of them leads where")
            .label(stop.token_span(), "`->` stands here")
            .help("write `->`: `states awake -> dead final`")
            .edit(stop.token_span(), "->"),
    )
}
