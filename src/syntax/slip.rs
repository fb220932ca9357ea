//! Common slips where reading stopped, each with its own message, what to type and the edit.

use super::fault::{Stop, looks_like_dice, short};
use super::grammar::Rule;
use super::scan;
use super::words;
use crate::diagnostics::{Code, Diagnostic, nearest};

/// The slip that explains why reading stopped, if it is one of the common ones.
pub(super) fn find(stop: &Stop<'_>) -> Option<Diagnostic> {
    let slips: [fn(&Stop<'_>) -> Option<Diagnostic>; 31] = [
        curly_quotes,
        reference,
        words_behind,
        comment,
        arrow,
        signs_of_other_languages,
        decimal,
        elif,
        then_after_if,
        equals_for_compare,
        colon_for_equals,
        equals_for_colon,
        bounds_behind_equals,
        rounding,
        clock_backwards,
        needs_more,
        hyphen_in_name,
        faces_missing,
        glued_to_dice,
        misspelt_here,
        name_missing,
        reserved,
        misspelt_first,
        happens_or_holds,
        title_without_quotes,
        colon_missing,
        equals_missing,
        blank_in_name,
        other_form,
        arrow_missing,
        behind_the_row,
    ];
    slips.iter().find_map(|slip| slip(stop))
}

/// `@str.mod`, `@{level}`, `?{How many?|1}`: what another tool fills in before it rolls.
fn reference(stop: &Stop<'_>) -> Option<Diagnostic> {
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
        error(format!("`{written}` stands for a number that another tool knows"))
            .label(stop.span(stop.at..stop.at + length), "not known here")
            .help("write the number itself in its place"),
    )
}

/// `2d6 fire damage`: words behind a roll, which some tools take for a comment.
fn words_behind(stop: &Stop<'_>) -> Option<Diagnostic> {
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
        error(format!("`{word}` is nothing that can be done to dice"))
            .label(stop.span(start..start + word.len()), "words behind the roll")
            .help(format!("for a comment write `# {}`", short(stop.text[start..stop.piece.end].trim())))
            .edit(stop.span(start..start), "# "),
    )
}

fn error(message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::Syntax, message)
}

/// `“text”`, `«texto»`
fn curly_quotes(stop: &Stop<'_>) -> Option<Diagnostic> {
    let open = stop.rest().chars().next().filter(|c| "“”„«»‘’'".contains(*c))?;
    let start = stop.at;
    let line = stop.rest().lines().next().unwrap_or("");
    let fault = error(format!("`{open}` is not the quote of a text"))
        .label(stop.span(start..start + open.len_utf8()), "a text stands between straight quotes");
    let close = line[open.len_utf8()..].find(['“', '”', '»', '’', '\'', '«']).map(|i| i + open.len_utf8());
    Some(match close {
        Some(close) => {
            let inner = &line[open.len_utf8()..close];
            let end = start + close + line[close..].chars().next().map_or(0, char::len_utf8);
            fault
                .help(format!("write `\"{}\"`", short(inner)))
                .edit(stop.span(start..start + open.len_utf8()), "\"")
                .edit(stop.span(start + close..end), "\"")
        }
        None => fault.help("write `\"` at both ends of the text"),
    })
}

/// `# comment`, `-- comment`
fn comment(stop: &Stop<'_>) -> Option<Diagnostic> {
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
            .help(format!("write `// {}`", short(inner)))
            .edit(stop.span(at..at + length), "//"),
    )
}

/// `=>`, `→`, `-->` for `->`
fn arrow(stop: &Stop<'_>) -> Option<Diagnostic> {
    let found =
        ["=>", "→", "⇒", "➜", "–>", "—>", "−>", "-->", "~>"].iter().find(|sign| stop.rest().starts_with(**sign))?;
    let span = stop.span(stop.at..stop.at + found.len());
    Some(
        error(format!("`{found}` is written `->`"))
            .label(span, "leads to a state")
            .help(format!("write `-> {}`", scan::word(stop.rest()[found.len()..].trim_start(), 0)))
            .edit(span, "->"),
    )
}

/// `&&`, `||`, `!`, `<>`
fn signs_of_other_languages(stop: &Stop<'_>) -> Option<Diagnostic> {
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
        error(format!("`{sign}` is written `{word}`"))
            .label(span, "not a sign of the language")
            .help(format!("write `{word}`"))
            .edit(span, text),
    )
}

/// `2.5`, `1,5`
fn decimal(stop: &Stop<'_>) -> Option<Diagnostic> {
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
    let mut help = "write a whole number".to_owned();
    let whole = text[point - before..point].parse::<u64>().ok();
    let part = text[point + 1..range.end].parse::<u64>().ok();
    if let (Some(whole), Some(part), Some(unit)) = (whole, part, 10u64.checked_pow(after as u32))
        && let Some(top) = whole.checked_mul(unit).and_then(|n| n.checked_add(part))
    {
        let common = gcd(top, unit);
        if unit / common > 1 {
            help = format!("write a whole number, or a division: `{} / {} down`", top / common, unit / common);
        }
    }
    Some(
        error(format!("`{}` is not a whole number", &text[range.clone()]))
            .label(stop.span(range), "numbers have no decimals")
            .help(help),
    )
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

fn elif(stop: &Stop<'_>) -> Option<Diagnostic> {
    let word =
        [stop.first_word(), stop.token_text()].into_iter().find(|w| matches!(*w, "elif" | "elsif" | "elseif"))?;
    let start = if stop.first_word() == word { stop.piece.start } else { stop.at };
    let span = stop.span(start..start + word.len());
    Some(
        error(format!("`{word}` is written `else if`"))
            .label(span, "not a word of the language")
            .help("write `else if`")
            .edit(span, "else if"),
    )
}

/// `if hurt then { … }`
fn then_after_if(stop: &Stop<'_>) -> Option<Diagnostic> {
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

/// `if hp = 0`
fn equals_for_compare(stop: &Stop<'_>) -> Option<Diagnostic> {
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
    Some(
        error("`=` sets a value; `==` compares")
            .label(stop.token_span(), "compares here")
            .help("write `==`")
            .edit(stop.token_span(), "=="),
    )
}

/// `hp: 5` where a value is set
fn colon_for_equals(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.token_text() != ":" || !(stop.expects(Rule::equals) || stop.expects(Rule::change_sign)) {
        return None;
    }
    let kind = stop.rule == Rule::whole_kind;
    Some(
        error(if kind { "`=` stands before the names of a kind" } else { "a value is set with `=`" })
            .label(stop.token_span(), if kind { "`=` stands here" } else { "`:` says what a track can hold" })
            .help(format!("write `{} =`", short(last_words(stop.before()))))
            .edit(stop.token_span(), " ="),
    )
}

fn last_words(text: &str) -> &str {
    text.lines().next_back().unwrap_or("").trim()
}

/// `option edition = a | b`
fn equals_for_colon(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.token_text() != "=" || !stop.expects(Rule::colon) || stop.expects(Rule::equals) {
        return None;
    }
    Some(
        error("`:` stands here, not `=`")
            .label(stop.token_span(), "what it can be stands behind `:`")
            .help(format!("write `{}: …`", short(last_words(stop.before()))))
            .edit(stop.span(stop.behind().start as usize..stop.token.end), ":"),
    )
}

/// `hp = 0..20`
fn bounds_behind_equals(stop: &Stop<'_>) -> Option<Diagnostic> {
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
            .help(format!("write `{head}: {}`", short(stop.text[at + 1..stop.piece.end].trim())))
            .edit(stop.span(stop.piece.start + head.len()..at + 1), ":"),
    )
}

/// `hp down`
fn rounding(stop: &Stop<'_>) -> Option<Diagnostic> {
    let word = stop.token_text();
    if !matches!(word, "down" | "up" | "near") || !stop.expects(Rule::infix) {
        return None;
    }
    Some(super::expression::stray_rounding(word, stop.token_span()))
}

/// `clock day > turn`
fn clock_backwards(stop: &Stop<'_>) -> Option<Diagnostic> {
    if stop.token_text() != ">" || !stop.expects(Rule::shorter) {
        return None;
    }
    Some(
        error("clocks stand from the shortest to the longest")
            .label(stop.token_span(), "`<` stands between them")
            .help("write `turn < day`, the shorter one first"),
    )
}

/// `outcome`, and nothing behind it
fn needs_more(stop: &Stop<'_>) -> Option<Diagnostic> {
    let word = stop.first_word();
    if word.is_empty() || word.len() != stop.piece.len() {
        return None;
    }
    Some(words::needs_more(word, stop.span(stop.piece.clone()), words::example(word)?))
}

/// `broken-leg`
fn hyphen_in_name(stop: &Stop<'_>) -> Option<Diagnostic> {
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
        error(format!("`{name}` cannot be a name"))
            .label(span, "a name has letters, digits and `_`")
            .help(format!("call it `{better}`"))
            .edit(span, better),
    )
}

/// `1d6x`
fn glued_to_dice(stop: &Stop<'_>) -> Option<Diagnostic> {
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
    let fault = error(format!("`{}` is nothing that can be done to dice", short(token)))
        .label(stop.token_span(), format!("glued to `{}`", short(dice)));
    Some(match times {
        Some(times) => fault.help(format!("write `{dice} * {times}`")).edit(stop.token_span(), format!(" * {times}")),
        None => fault.help("keep `kh1` `kl1`, drop `dh1` `dl1`, explode `!`, roll again `r1`, count `>=5`"),
    })
}

/// A word here that is one letter off a word that could stand here.
fn misspelt_here(stop: &Stop<'_>) -> Option<Diagnostic> {
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
    error(format!("`{token}` is not a word of the language"))
        .label(span, format!("perhaps `{word}`"))
        .help(format!("write `{word}`"))
        .edit(span, word)
}

/// `table "Heridas" = 2d6`
fn name_missing(stop: &Stop<'_>) -> Option<Diagnostic> {
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
            .help(format!("write `{before} {name} {}`", short(stop.token_text())))
            .edit(stop.span(stop.at..stop.at), format!("{name} ")),
    )
}

/// A name made of a title.
pub(super) fn slug(title: &str) -> String {
    let plain: String = title
        .chars()
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            'á' | 'à' | 'ä' | 'â' => 'a',
            'é' | 'è' | 'ë' | 'ê' => 'e',
            'í' | 'ì' | 'ï' | 'î' => 'i',
            'ó' | 'ò' | 'ö' | 'ô' => 'o',
            'ú' | 'ù' | 'ü' | 'û' => 'u',
            'ñ' => 'n',
            c if c.is_alphanumeric() => c,
            _ => '_',
        })
        .collect();
    let words: Vec<&str> = plain.split('_').filter(|word| !word.is_empty()).take(4).collect();
    match words.join("_") {
        name if name.starts_with(|c: char| c.is_alphabetic()) => name,
        name => format!("row_{name}").trim_end_matches('_').to_owned(),
    }
}

/// A word of the language where a name should stand.
fn reserved(stop: &Stop<'_>) -> Option<Diagnostic> {
    let token = stop.token_text();
    if !words::RESERVED.contains(&token) || !stop.expects_only_names() {
        return None;
    }
    Some(
        error(format!("`{token}` is a word of the language"))
            .label(stop.token_span(), "cannot be a name")
            .help(format!("call it `{token}_`, or something else"))
            .edit(stop.token_span(), format!("{token}_")),
    )
}

/// The word a piece begins with is one letter off a word of the language.
fn misspelt_first(stop: &Stop<'_>) -> Option<Diagnostic> {
    let first = stop.first_word();
    let near = stop.piece.start + first.len();
    if first.chars().count() < 2 || stop.text.get(near..stop.at).is_none_or(|blank| !blank.trim().is_empty()) {
        return None;
    }
    let word = nearest(first, words::first_words(stop.rule).iter().copied())?;
    Some(misspelt(stop, stop.piece.start, first, word))
}

/// `suffer prone` in a block, `has prone` in a handler
fn happens_or_holds(stop: &Stop<'_>) -> Option<Diagnostic> {
    let first = stop.first_word();
    let arrow = stop.text[stop.piece.clone()].starts_with("->");
    let rest = stop.text[stop.piece.start + first.len()..stop.piece.end].trim();
    let span = stop.span(stop.piece.start..stop.piece.start + if arrow { 2 } else { first.len() });
    match stop.rule {
        Rule::whole_part if arrow || words::SENTENCES.contains(&first) && !words::PARTS.contains(&first) => {
            let shown = if arrow { "->" } else { first };
            let help = match first {
                "suffer" => format!("write `has {}`", short(rest)),
                "lose" => "let what gives it end: `until …`, `while …`".to_owned(),
                _ => "put it where it happens: `on made { … }`".to_owned(),
            };
            let fault = error(format!("`{shown}` happens once; what stands here holds"))
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
                "has" => format!("write `suffer {}`, or let it hold: `until … {{ has {} }}`", short(rest), short(rest)),
                _ => format!("say how long: `until … {{ {first} … }}`"),
            };
            Some(
                error(format!("`{first}` holds; what stands here happens once"))
                    .label(span, "for how long?")
                    .help(help),
            )
        }
        _ => None,
    }
}

/// `1-3 graze Herida superficial`
fn title_without_quotes(stop: &Stop<'_>) -> Option<Diagnostic> {
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
            .help(format!("write `\"{}\"`", short(title)))
            .edit(span, format!("\"{title}\"")),
    )
}

/// `max hp: 1..10`
fn blank_in_name(stop: &Stop<'_>) -> Option<Diagnostic> {
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
    let span = stop.span(start..stop.token.end);
    let better = format!("{word}_{token}");
    let several = stop.expects(Rule::comma);
    Some(
        error(format!("`{}` cannot be a name", short(&stop.text[start..stop.token.end])))
            .label(span, "a name is one word")
            .help(if several {
                format!("call it `{better}`, or put `,` between two")
            } else {
                format!("call it `{better}`")
            }),
    )
    .map(|fault| if several { fault } else { fault.edit(span, better) })
}

/// `hp 0..10`
fn colon_missing(stop: &Stop<'_>) -> Option<Diagnostic> {
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
        error(format!("`:` is missing before `{}`", short(line.split('=').next().unwrap_or("").trim())))
            .label(stop.token_span(), "what it can be stands behind `:`")
            .help(format!("write `{}: {}`", short(last_words(stop.before())), short(line.trim())))
            .edit(stop.span(behind..stop.at), ": "),
    )
}

/// `2d`
fn faces_missing(stop: &Stop<'_>) -> Option<Diagnostic> {
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
fn other_form(stop: &Stop<'_>) -> Option<Diagnostic> {
    let first = stop.first_word();
    let near = stop.piece.start + first.len();
    let known = words::first_words(stop.rule).contains(&first);
    if !known || stop.text.get(near..stop.at).is_none_or(|blank| !blank.trim().is_empty()) {
        return None;
    }
    let shown = format!("{first} {}", stop.token_text());
    Some(
        error(format!("`{}` is not how `{first}` is written", short(&shown)))
            .label(stop.token_span(), format!("cannot stand behind `{first}`"))
            .help(format!("write, for example, `{}`", words::example(first)?)),
    )
}

/// `table wound "Heridas" 2d6`
fn equals_missing(stop: &Stop<'_>) -> Option<Diagnostic> {
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
            "`=` is missing before the dice".to_owned()
        } else {
            format!("`=` is missing before `{}`", short(token))
        })
        .label(stop.token_span(), if dice { "what is rolled on the table" } else { "stands behind `=`" })
        .help(format!("write `= {}`", short(stop.rest().split('{').next().unwrap_or("").trim_end())))
        .edit(stop.span(stop.at..stop.at), "= "),
    )
}

/// `if failures >= 3 dead`
fn arrow_missing(stop: &Stop<'_>) -> Option<Diagnostic> {
    let token = stop.token_text();
    let leads = stop.expects(Rule::go_short) || stop.expects(Rule::arrow);
    if !leads || !token.starts_with(|c: char| c.is_alphabetic() || c == '_') || stop.token.end < stop.piece.end {
        return None;
    }
    Some(
        error(format!("`->` is missing before `{token}`"))
            .label(stop.token_span(), "a state stands behind `->`, a sentence in braces")
            .help(format!("write `-> {token}` or `{{ {token} }}`"))
            .edit(stop.span(stop.at..stop.at), "-> "),
    )
}

/// More text behind the end of a row.
fn behind_the_row(stop: &Stop<'_>) -> Option<Diagnostic> {
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
