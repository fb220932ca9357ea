//! The layout of the rule files, of small texts, and what holds for any text.

mod any;
mod meaning;
mod small;

use super::format;
use meaning::kept;

const RULES: [(&str, &str); 4] = [
    ("fifth_edition", include_str!("../../../../rules/fifth_edition.rules")),
    ("investigators", include_str!("../../../../rules/investigators.rules")),
    ("old_world", include_str!("../../../../rules/old_world.rules")),
    ("wandering_stars", include_str!("../../../../rules/wandering_stars.rules")),
];

#[test]
fn the_rule_files_are_canonical() {
    for (name, text) in RULES {
        let made = kept(text);
        let changed = text.lines().zip(made.lines()).find(|(old, new)| old != new);
        assert_eq!(changed, None, "{name}");
        assert_eq!(text.len(), made.len(), "{name}");
    }
}

#[test]
fn a_text_with_faults_is_not_touched() {
    let faults = format("system a \"A\"\ntable t = 1d6 {\n  1-  \n  2 b = \n}\n").expect_err("two faults");
    assert_eq!(faults.len(), 2);
    assert!(format("sheet a {").is_err());
    assert!(format("sheet a { x: 0..1 = “1” }").is_err());
}

#[test]
fn twenty_thousand_rows() {
    let rows = |count: usize| {
        let row = |n: usize| match n % 10 {
            7 => format!("{n} row_{n} \"Fila {n}\"|{n}//c\n\"Un párrafo.\"\n{{suffer prone;-> dead}}\n"),
            _ => format!("{n} row_{n}|{n}\n"),
        };
        let rows: String = (1..=count).map(row).collect();
        format!("table t = 1d20000 columns a: number {{\n{rows}}}\n")
    };
    let timed = |count: usize| {
        let text = rows(count);
        let start = std::time::Instant::now();
        let made = format(&text).expect("no fault");
        let took = start.elapsed().as_secs_f64();
        assert!(made.len() < 6 * text.len());
        (made, took)
    };
    let (_, quarter) = timed(5_000);
    let (made, whole) = timed(20_000);
    let row = "\n  7      row_7      \"Fila 7\"      | 7 // c\n         \"Un párrafo.\"\n";
    assert!(made.contains(row));
    assert!(whole < 12.0 * quarter, "four times the rows take {} times as long", whole / quarter);
}
