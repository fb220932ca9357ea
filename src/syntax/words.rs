//! The grammar's rules in an author's words: what could stand somewhere, what a piece is called.

use super::grammar::Rule;
use crate::diagnostics::{Code, Diagnostic};
use crate::say;
use crate::source::Span;
use crate::wording::Wording;

/// At most so many things that could stand somewhere are told.
const TOLD: usize = 6;

/// What could stand at a place, as one phrase: "a name, `=` or the end of the line". Empty where
/// nothing of it would help an author.
pub(super) fn could_stand(expected: &[Rule], glued_to_dice: bool) -> Wording {
    let value = [Rule::grouped, Rule::group, Rule::pool, Rule::called, Rule::counted, Rule::single];
    let value = expected.iter().any(|rule| value.contains(rule)) && !expected.contains(&Rule::fires);
    let mut words: Vec<Wording> = Vec::new();
    if value {
        words.push(say!("a value"));
    }
    let mut end = false;
    for rule in expected {
        if *rule == Rule::EOI {
            end = true;
        } else if value && VALUES.contains(rule) {
            continue;
        } else if let Some(word) = friendly(*rule, glued_to_dice)
            && !words.contains(&word)
        {
            words.push(word);
        }
    }
    words.sort_by_key(|word| weight(&word.to_string()));
    words.truncate(TOLD);
    if end {
        words.push(say!("the end of the line"));
    }
    Wording::either(words)
}

/// What a value can begin with.
const VALUES: [Rule; 18] = [
    Rule::text,
    Rule::counted,
    Rule::grouped,
    Rule::group,
    Rule::pool,
    Rule::single,
    Rule::constant,
    Rule::my_name,
    Rule::query,
    Rule::tally,
    Rule::exploding,
    Rule::called,
    Rule::not_word,
    Rule::my_word,
    Rule::number,
    Rule::name,
    Rule::operand,
    Rule::clause,
];

/// Words of the language first, then signs, names and values; what can stand nearly anywhere last.
fn weight(word: &str) -> usize {
    match word {
        "`if`" => 5,
        word if word.starts_with("a sign") => 4,
        word if word.starts_with("a value") => 3,
        word if !word.starts_with('`') => 2,
        word if word.starts_with('`') && word.chars().nth(1).is_some_and(char::is_alphabetic) => 0,
        _ => 1,
    }
}

/// The word of the language that a rule reads, if it reads one.
pub(super) fn keyword(rule: Rule) -> Option<String> {
    let name = format!("{rule:?}");
    match rule {
        Rule::stop_word => None,
        Rule::otherwise => Some("else".into()),
        _ => name.strip_suffix("_word").filter(|word| *word != "keep" && !word.contains('_')).map(str::to_owned),
    }
}

fn friendly(rule: Rule, glued_to_dice: bool) -> Option<Wording> {
    if matches!(rule, Rule::query_word | Rule::tally_word | Rule::other_word | Rule::digits_word | Rule::exploding_word)
    {
        return None;
    }
    if let Some(word) = keyword(rule) {
        return Some(Wording::text(format!("`{word}`")));
    }
    let words = match rule {
        Rule::name | Rule::any_name | Rule::case_value | Rule::names | Rule::member | Rule::members => say!("a name"),
        Rule::column | Rule::param | Rule::table_by | Rule::state | Rule::state_step | Rule::each_name => {
            say!("a name")
        }
        Rule::text => say!("a text in quotes"),
        Rule::number | Rule::amount | Rule::point_value | Rule::minus_number | Rule::face | Rule::key_number => {
            say!("a number")
        }
        Rule::expression | Rule::clause | Rule::operand | Rule::arm | Rule::arg | Rule::things => say!("a value"),
        Rule::list | Rule::called => say!("a name"),
        Rule::r#type => say!("a type (`0..10`, `yes/no`, `dice`, the name of a kind or a sheet)"),
        Rule::range | Rule::range_end => say!("a range (`1..10`, `4+`)"),
        Rule::infix => say!("a sign (`+`, `==`, `and` …)"),
        Rule::block => Wording::text("`{ … }`"),
        Rule::go_short | Rule::arrow => Wording::text("`->`"),
        Rule::params => Wording::text("`(…)`"),
        Rule::equals => Wording::text("`=`"),
        Rule::change_sign => say!("`=`, `+=` or `-=`"),
        Rule::colon => Wording::text("`:`"),
        Rule::comma | Rule::best => Wording::text("`,`"),
        Rule::closing => Wording::text("`)`"),
        Rule::bar => Wording::text("`|`"),
        Rule::shorter => Wording::text("`<`"),
        Rule::dots | Rule::key_dash => say!("a dash or `..`"),
        Rule::answers | Rule::numbers | Rule::key_range | Rule::never => {
            say!("what the row answers (`1-3`, `4`, `27+`)")
        }
        Rule::language => say!("a language (`es`)"),
        Rule::dialect_name => say!("a dialect (`roll20`)"),
        Rule::sentence | Rule::acts | Rule::hold => say!("a sentence"),
        Rule::fires => say!("an event"),
        Rule::after_all => Wording::text("`then`"),
        Rule::label if glued_to_dice => say!("a label (`[fire]`)"),
        Rule::counting | Rule::point_compare if glued_to_dice => say!("a point (`>=7`)"),
        Rule::only
        | Rule::only_how
        | Rule::foreign
        | Rule::foreign_how
        | Rule::foreign_end
        | Rule::keep
        | Rule::keep_how
        | Rule::explode
        | Rule::explode_how
        | Rule::reroll
        | Rule::reroll_how
            if glued_to_dice =>
        {
            say!("`kh`, `kl`, `!`, `r`")
        }
        Rule::faces => say!("the faces of the dice (`6`, `%`, `F`)"),
        _ => return None,
    };
    Some(words)
}

/// What a piece is called that a rule reads.
pub(super) fn noun(rule: Rule) -> Wording {
    match rule {
        Rule::whole_row | Rule::whole_state_row | Rule::whole_inline_row => say!("row"),
        Rule::whole_below => say!("end of the row"),
        Rule::whole_part => say!("line"),
        Rule::whole_sentence => say!("sentence"),
        Rule::whole_step => say!("step"),
        Rule::whole_case => say!("case"),
        Rule::whole_given_set => say!("line"),
        Rule::whole_expression => say!("value"),
        _ => say!("line"),
    }
}

/// What a piece can begin with, with examples to type.
pub(super) fn beginnings(rule: Rule) -> Wording {
    match rule {
        Rule::whole_row => say!("begin a row with what it answers: `1-3  graze  \"A graze\"`"),
        Rule::whole_state_row => say!("begin it with what it answers: `1+  hale  \"Unhurt\"`"),
        Rule::whole_inline_row => say!("begin it with what it answers: `2-9 { failures += 1 }`"),
        Rule::whole_below => say!("write a paragraph in quotes, then what happens in `{ … }`"),
        Rule::whole_part => {
            say!("begin with a track (`hp: 0..10 = 10`), `value`, `check`, `states`, `on`, `until`, `has` …")
        }
        Rule::whole_sentence => {
            say!("begin with a track (`hp -= 1`), an event (`damage(5)`), `suffer`, `if`, `roll`, `->` …")
        }
        Rule::whole_step => say!("begin a step with `given`, `when`, `repeat`, `answer`, `then` or `outcome`"),
        Rule::whole_case => say!("begin a case with a name: `dead \"Dead\" when dead`"),
        Rule::whole_given_set => say!("begin with a track: `hp = 0`"),
        _ => say!("write a value: `2d6 + 3`"),
    }
}

/// The words a piece may begin with.
pub(super) fn first_words(rule: Rule) -> &'static [&'static str] {
    match rule {
        Rule::whole_part => &PARTS,
        Rule::whole_sentence => &SENTENCES,
        Rule::whole_step => &["given", "answer", "dice", "when", "repeat", "then", "outcome", "case", "snapshot"],
        Rule::whole_row => &["else", "remove"],
        _ => &[],
    }
}

/// The words that begin what holds.
pub(super) const PARTS: [&str; 15] = [
    "value",
    "check",
    "event",
    "states",
    "on",
    "before",
    "replace",
    "while",
    "until",
    "for",
    "has",
    "cannot",
    "remove",
    "spreading",
    "else",
];

/// The words that begin what happens.
pub(super) const SENTENCES: [&str; 14] = [
    "suffer", "lose", "roll", "take", "if", "else", "each", "ask", "say", "instead", "raise", "lower", "while", "until",
];

/// Words that cannot be names.
pub(super) const RESERVED: [&str; 19] = [
    "and", "or", "not", "in", "if", "else", "where", "when", "of", "to", "then", "until", "yes", "none", "no", "all",
    "my", "passes", "fails",
];

/// How a line goes on that begins with a word of the language.
pub(super) fn example(word: &str) -> Option<&'static str> {
    Some(match word {
        "system" => "system old_world \"The Old World\" lang en",
        "dialect" => "dialect roll20",
        "option" => "option edition: first | second = second",
        "use" => "use \"old_world.rules\"",
        "clock" => "clock turn < day",
        "time" => "time next_turn = turn_end after turn",
        "kind" => "kind side = left | right",
        "table" => "table wound \"Wounds\" = 2d6 { … }",
        "sheet" => "sheet character \"Character\" { … }",
        "scenario" => "scenario fight { … }",
        "value" => "value defence = 10",
        "check" => "check endurance = 1d20 passes on 10+",
        "event" => "event wounded",
        "states" => "states alive -> dead final",
        "on" => "on wounded { … }",
        "before" => "before scene { … }",
        "while" => "while hurt { … }",
        "until" => "until treated { … }",
        "for" => "for 3 day { … }",
        "has" => "has prone",
        "cannot" => "cannot act(aim)",
        "suffer" => "suffer prone",
        "lose" => "lose prone",
        "roll" => "roll wound",
        "take" => "take festering of wound",
        "if" => "if hp == 0 -> dead",
        "each" => "each injuries where treated { … }",
        "ask" => "ask player spend: 0..6 = 0 \"How many?\"",
        "say" => "say \"It hurts.\"",
        "instead" => "instead next",
        "raise" => "raise hp to 5",
        "lower" => "lower hp to 5",
        "given" => "given character { hp = 0 }",
        "answer" => "answer spend = 2",
        "when" => "when wounded",
        "repeat" => "repeat turn until dead",
        "then" => "then hp == 0",
        "outcome" => "outcome repeats",
        "snapshot" => "snapshot odds within 0.5%",
        "case" => "case health = -3, dice 2 -> dead",
        _ => return None,
    })
}

/// A word of the language with nothing behind it.
pub(super) fn needs_more(word: &str, span: Span, example: &str) -> Diagnostic {
    Diagnostic::error(Code::Syntax, say!("`{word}` needs more behind it", word))
        .label(span, "the line ends here")
        .help(say!("write, for example, `{example}`", example))
}
