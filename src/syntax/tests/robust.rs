//! Any text is read: no panic, no overflow of the stack, spans that fit, in little time.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{RULES, parse, parse_expression};
use crate::diagnostics::{Code, Diagnostic};
use crate::source::FileId;
use crate::syntax::{ENTRIES, NESTING, PIECE_BYTES, STEPS};

/// Spans lie in the text and on its characters' bounds; edits too.
fn fit(text: &str, faults: &[Diagnostic]) {
    for fault in faults {
        assert!(!fault.labels.is_empty(), "{fault:?}");
        for span in fault.labels.iter().map(|label| label.span).chain(fault.edits.iter().map(|edit| edit.span)) {
            assert!(text.get(span.range()).is_some(), "{fault:?}");
        }
    }
}

fn read(text: &str) -> Vec<Diagnostic> {
    let (file, faults) = parse(FileId(0), text);
    fit(text, &faults);
    for item in &file.items {
        assert!(text.get(item.span.range()).is_some());
    }
    if faults.is_empty() {
        assert!(file.whole);
    }
    faults
}

/// So long may anything here take in a build that is not optimised.
const PATIENCE: Duration = Duration::from_secs(10);

fn quick(text: &str) -> Vec<Diagnostic> {
    let start = Instant::now();
    let mut faults = read(text);
    let (_, more) = parse_expression(FileId(0), text);
    fit(text, &more);
    faults.extend(more);
    assert!(start.elapsed() < PATIENCE, "{:?} for {}…", start.elapsed(), &text[..40.min(text.len())]);
    faults
}

#[test]
fn nesting_has_a_limit_and_reaches_it() {
    let nested = |n: usize| format!("table t = {}1{} {{ 1 a }}", "(".repeat(n), ")".repeat(n));
    assert_eq!(read(&nested(NESTING)), []);
    let faults = read(&nested(NESTING + 1));
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].code, Code::SyntaxDepth);
    assert_eq!(faults[0].message, "this stands 65 levels deep; at most 64 are read");

    let braces = |n: usize| format!("sheet c {{ on x {}a{} }}", "{ if b ".repeat(n) + "{", "}".repeat(n + 1));
    assert_eq!(read(&braces(NESTING - 3)), []);
    assert_eq!(read(&braces(NESTING)).iter().map(|f| f.code).collect::<Vec<_>>(), [Code::SyntaxDepth]);

    let mixed = |n: usize| format!("sheet c {{ value a = {}1{} }}", "max((1, -".repeat(n), "))".repeat(n));
    assert_eq!(read(&mixed(NESTING / 2 - 1)), []);
    let wheres = |n: usize| format!("sheet c {{ value a = {}b }}", "any b where ".repeat(n));
    assert_eq!(read(&wheres(NESTING - 2)), []);
    assert_eq!(read(&wheres(NESTING + 1)).len(), 1);
}

#[test]
fn the_steps_of_a_value_have_a_limit_and_reach_it() {
    let sum = |n: usize| format!("1{}", " + 1".repeat(n));
    assert!(parse_expression(FileId(0), &sum(STEPS - 1)).1.is_empty());
    let (value, faults) = parse_expression(FileId(0), &sum(STEPS));
    assert!(value.is_none());
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].message, "this value has 257 steps one inside another; at most 256 are read");
}

#[test]
fn a_piece_has_a_limit() {
    let text = format!("kind a = {}", "b | ".repeat(PIECE_BYTES / 4) + "c");
    let faults = read(&text);
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].code, Code::FileLimit);
}

#[test]
fn what_stands_between_two_braces_has_a_limit() {
    let text = |n: usize| format!("table t = 1d6 {{\n{}}}", "a\n".repeat(n));
    assert_eq!(read(&text(ENTRIES)), []);
    let faults = read(&text(ENTRIES + 2));
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].code, Code::FileLimit);
    assert_eq!(faults[0].message, "more than 100000 lines between two braces");
}

#[test]
fn twenty_thousand_brackets_answer_at_once() {
    for open in
        ["(", "{", "[", "max(", "if a {", "any b where ", "sum a of ", "- ", "not ", "roll ", "a if b else ", "1 + "]
    {
        for (before, after) in
            [("", ""), ("table t = ", " { 1 a }"), ("sheet c { on x { y = ", " } }"), ("sheet c {\n", "\n}")]
        {
            let text = format!("{before}{}{after}", open.repeat(20_000));
            quick(&text);
        }
    }
    let closed = format!("{}1{}", "(".repeat(20_000), ")".repeat(20_000));
    let (_, faults) = parse_expression(FileId(0), &closed);
    assert_eq!(faults.iter().map(|f| f.code).collect::<Vec<_>>(), [Code::SyntaxDepth]);
    quick(&closed);
    quick(&"}".repeat(20_000));
    quick(&"a\n".repeat(20_000));
    quick(&"}\n".repeat(20_000));
    quick(&"\"\n".repeat(20_000));
    quick(&"table t {\n".repeat(5_000));
    quick(&"table t = 2d6 {\n  1 a { b\n".repeat(5_000));
}

#[test]
fn a_line_of_ten_megabytes_answers_soon() {
    let long = 10 * 1024 * 1024;
    for unit in ["a", "\"", "(", "1 + ", "a;"] {
        for before in ["", "table t = 1d6 {\n  1 "] {
            let text = format!("{before}{}", unit.repeat(long / unit.len()));
            let start = Instant::now();
            read(&text);
            assert!(start.elapsed() < 3 * PATIENCE, "{:?} for `{before}{unit}`", start.elapsed());
        }
    }
}

/// What is read quickly is read as the grammar reads it.
fn the_same(text: &str) {
    let (quick, slow) = (super::super::read(FileId(0), text, true), super::super::read(FileId(0), text, false));
    assert_eq!(format!("{quick:?}"), format!("{slow:?}"), "{text}");
}

#[test]
fn plain_rows_are_read_as_the_grammar_reads_them() {
    for (_, text) in RULES {
        the_same(text);
    }
    for row in [
        "1",
        "1 a",
        "1 a \"t\"",
        "1-3 a \"t\" | b | 2 | \"c\" | yes | none | d6 | dx | roll | roll x | first | up",
        "1 - 3 a",
        "1, 2 a",
        "27+ a",
        "27 + a",
        "00 a",
        "0 a",
        "01-05 a",
        "1..3 a",
        "a",
        "a | b",
        "a \"t\" { x }",
        "a b",
        "else a",
        "remove a",
        "remove | a",
        "- a",
        "1 a { x } { y }",
        "1 a { x",
        "1 \"t\" \"u\"",
        "1 a |",
        "1 a | b c",
        "1 a\n \"p\"\n { x }",
        "1 a\n \"p\" | \"q\"\n { x; y }",
        "1 a\n { x }",
        "1 a { x }\n { y }",
        "1 a \"t\\n\"",
        "1 a { say \"}\" }",
        "1 a { /* } */ x }",
        "1 a // c",
        "1 añil | ñu",
        "1 of",
        "of | a",
        "1 a | of",
        "1 a | b { x }",
        "1–3 a",
        "99999999999999999999 a",
        "1 a | 99999999999999999999",
        "1 a | d | D6 | dF | dFoo | d6x",
        "3d6 a",
        "1 a|b|c",
        "1 a\t\"t\"\t| b",
        "1 a | -3",
        "1 a | b\r",
        "none | a",
        "yes \"t\"",
        "1 none",
    ] {
        the_same(&format!("table t = 1d6 {{\n  {row}\n}}"));
    }
}

/// A rule file with some pieces of it cut out, put elsewhere or replaced.
fn mutated() -> impl Strategy<Value = String> {
    let bits = [
        "{", "}", "(", ")", "\"", "\n", "|", "->", "=", "–", "«", "1-3", "d6", "//", "/*", "*/", "..", "é", "if",
        "table t",
    ];
    let edit = (any::<prop::sample::Index>(), 0usize..12, prop::sample::select(bits.to_vec()));
    (0usize..RULES.len(), prop::collection::vec(edit, 1..6)).prop_map(|(file, edits)| {
        let mut text = RULES[file].1.to_owned();
        for (at, cut, bit) in edits {
            let mut start = at.index(text.len());
            while !text.is_char_boundary(start) {
                start -= 1;
            }
            let mut end = (start + cut).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            text.replace_range(start..end, bit);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in "\\PC{0,80}") {
        read(&text);
        let (_, faults) = parse_expression(FileId(0), &text);
        fit(&text, &faults);
    }

    #[test]
    fn any_row_of_words_is_read(words in prop::collection::vec(prop::sample::select(vec![
        "table", "t", "=", "2d6", "{", "}", "1-3", "\"a\"", "|", "\n", "if", "else", "->", "(", ")", ",", "sheet", "on",
        "when", "not", "in", "+", "-", ">=", "1", "d", "kh1", "!", "where", "any", "sum", "of", ".", "..", ":", "ask",
        "player", "roll", "suffer", "until", "for", "then", "“", "–", "ñ", "\t", ";", "//", "///", "has", "state", "by",
    ]), 0..40), glue in prop::bool::ANY) {
        let text = words.join(if glue { "" } else { " " });
        read(&text);
        read(&format!("sheet c {{\n{text}\n}}"));
        read(&format!("sheet c {{ on x {{\n{text}\n}} }}"));
        let table = format!("table c = 2d6 {{\n{text}\n}}");
        read(&table);
        the_same(&table);
        let (_, faults) = parse_expression(FileId(0), &text);
        fit(&text, &faults);
    }

    #[test]
    fn a_rule_file_with_slips_is_read(text in mutated()) {
        read(&text);
        the_same(&text);
    }
}
