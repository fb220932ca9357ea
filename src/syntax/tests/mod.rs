//! Reading: what the rule files say, every form, every slip.

use super::*;

#[test]
fn the_four_rule_files_read_without_a_fault() {
    for (name, text) in [
        ("fifth_edition", include_str!("../../../rules/fifth_edition.rules")),
        ("investigators", include_str!("../../../rules/investigators.rules")),
        ("old_world", include_str!("../../../rules/old_world.rules")),
        ("wandering_stars", include_str!("../../../rules/wandering_stars.rules")),
    ] {
        let (file, faults) = parse(FileId(0), text);
        let told: Vec<_> = faults
            .iter()
            .map(|f| format!("{}: {} `{}`", f.code, f.message, f.span().map_or("", |s| &text[s.range()])))
            .collect();
        assert!(faults.is_empty(), "{name}:\n{}", told.join("\n"));
        assert!(file.whole);
    }
}

#[test]
#[ignore]
fn print() {
    let text = std::fs::read_to_string(std::env::var("RULES").unwrap()).unwrap();
    let (file, faults) = parse(FileId(0), &text);
    println!("{file:#?}");
    for f in &faults {
        println!(
            "{}: {} `{}` {:?} {:?}",
            f.code,
            f.message,
            f.span().map_or("", |s| &text[s.range()]),
            f.labels,
            f.help
        );
    }
}
