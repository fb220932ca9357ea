//! What holds for any text: the rule files written otherwise, every example of the grammar, noise.

use proptest::prelude::*;

use super::super::super::scan;
use super::meaning::{kept, tree};
use super::{RULES, format};

/// Places where anything that a grammar's example may be can stand.
const PLACES: [(&str, &str); 13] = [
    ("", ""),
    ("sheet s {", "}"),
    ("sheet s { on e {", "} }"),
    ("sheet s { while e {", "} }"),
    ("sheet s { on e { roll 1d6 {", "} } }"),
    ("sheet s { state by x {", "} }"),
    ("scenario s {", "}"),
    ("scenario s { given a {", "} }"),
    ("scenario s { outcome {", "} }"),
    ("table t = 1d6 {", "}"),
    ("sheet s { value v =", "}"),
    ("sheet s { v:", "}"),
    ("table t = 1d6 { 1 a", "}"),
];

/// Every example of the grammar, in every place where it can be read.
fn examples() -> Vec<String> {
    let grammar = [
        include_str!("../../../../grammar/cicatriz.pest"),
        include_str!("../../../../grammar/expression.pest"),
        include_str!("../../../../grammar/dice.pest"),
    ];
    let lines = grammar.iter().flat_map(|text| text.lines());
    let examples = lines.filter_map(|line| line.strip_prefix("// example: "));
    examples
        .flat_map(|example| PLACES.map(|(before, behind)| format!("{before}\n{example}\n{behind}\n")))
        .filter(|text| tree(text).is_some())
        .collect()
}

/// Blanks where blanks were, and where they say nothing.
fn respaced(text: &str, choose: &mut impl FnMut(usize) -> usize) -> String {
    let bytes = text.as_bytes();
    let mut made = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let end = scan::past(bytes, at, bytes.len())
            .unwrap_or_else(|| at + text[at..].chars().next().map_or(1, char::len_utf8));
        let part = &text[at..end];
        let blanks = ["", " ", "\t", "   "][choose(4)];
        match part {
            " " if bytes[..at].ends_with(b"\n") => made.push_str([" ", "  ", "\t ", "     "][choose(4)]),
            " " => {
                made.push(' ');
                made.push_str(blanks);
            }
            "(" | "," => {
                made.push_str(part);
                made.push_str(blanks);
            }
            ")" => {
                made.push_str(blanks);
                made.push_str(part);
            }
            "\n" => {
                made.push_str(["", " ", "\t", "", " //c", "  // c  ", "  //////"][choose(7)]);
                made.push_str(["\n", "\n", "\r\n", "\n\n", "\n\n\n\n\n", "\n  //own\n", "\n// own\r\n\n"][choose(7)]);
            }
            other => made.push_str(other),
        }
        at = end;
    }
    made
}

/// Plain sentences that follow each other, on one line.
fn joined(text: &str, choose: &mut impl FnMut(usize) -> usize) -> String {
    let plain = |line: &str| {
        let sign = line.trim().split(' ').nth(1).unwrap_or("");
        matches!(sign, "=" | "+=" | "-=") && !line.contains(['{', '}', '/', ':'])
    };
    let mut made = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        made.push_str(line);
        let join = plain(line) && lines.peek().is_some_and(|next| plain(next));
        made.push_str(if join { ["\n", ";\n", ";", " ;; "][choose(4)] } else { "\n" });
    }
    made
}

/// Choices from bytes, over and over.
fn chooser(seed: Vec<u8>) -> impl FnMut(usize) -> usize {
    let mut state = 0u64;
    let mut at = 0;
    move |of| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(u64::from(seed[at % seed.len()]) + 1442695040888963407);
        at += 1;
        (state >> 33) as usize % of
    }
}

#[test]
fn every_example_of_the_grammar_keeps_its_meaning() {
    let examples = examples();
    assert!(examples.len() > 200, "{}", examples.len());
    for text in examples {
        let made = format(&text).expect("no fault");
        // What is put in parentheses has another tree; its own is kept.
        if made.matches('(').count() == text.matches('(').count() {
            kept(&text);
        }
        kept(&made);
    }
}

const WORDS: [&str; 56] = [
    "a", "b.c", "1", "２", "0..3", "1-3", "-", "−", "+", "*", "/", "down", "%", "×", "(", ")", "(a)", "[x]", "{", "}",
    ",", ";", ":", "|", "=", "==", ">=", "≥", "<", "->", "+=", "-=", "and", "not", "in", "if", "else", "when", "until",
    "has", "roll", "on", "2d6", "d10", "kh1", "!", "d%", "k", "dF", "\"t\"", "\"", "// c\n", "/// d\n", "\n", "\n\n",
    "\r",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn rule_files_written_otherwise_keep_their_meaning(file in 0..4usize, seed in prop::collection::vec(any::<u8>(), 1..40)) {
        let choose = &mut chooser(seed);
        let text = joined(RULES[file].1, choose);
        kept(&respaced(&text, choose));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn noise_is_refused_or_kept(
        place in 0..PLACES.len(),
        words in prop::collection::vec((0..WORDS.len(), 0..3usize), 0..9),
    ) {
        let noise: String = words.iter().map(|(word, blank)| format!("{}{}", WORDS[*word], ["", " ", "\n"][*blank])).collect();
        let (before, behind) = PLACES[place];
        for text in [format!("{before} {noise} {behind}"), format!("{before}\n{noise}\n{behind}")] {
            if let Ok(made) = format(&text) {
                kept(&made);
                if made.matches('(').count() == text.matches('(').count() {
                    kept(&text);
                }
            }
        }
    }

    #[test]
    fn no_text_is_a_panic(text in "\\PC{0,60}", place in 0..PLACES.len()) {
        let (before, behind) = PLACES[place];
        let _ = format(&format!("{before}{text}{behind}"));
    }
}

#[test]
fn examples_written_otherwise_keep_their_meaning() {
    for (index, text) in examples().into_iter().enumerate() {
        let choose = &mut chooser(vec![index as u8, (index / 256) as u8]);
        let text = respaced(&text, choose);
        let Some(before) = tree(&text) else { continue };
        let made = kept(&format(&text).expect("no fault"));
        if made.matches('(').count() == text.matches('(').count() {
            assert_eq!(tree(&made), Some(before), "{text}");
        }
    }
}
