//! Mechanics of other games, the four systems and the homebrewers' examples: every file checks
//! without a word and its scenarios hold.

use std::path::Path;
use std::process::Command;

fn cicatriz(args: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_cicatriz"))
        .env("CICATRIZ_UI", "en")
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .args(args)
        .output()
        .expect("the command line runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}\n{told}");
}

#[test]
fn mechanics_of_other_games_need_no_special_case() {
    cicatriz(&["check", "tests/breadth"]);
    cicatriz(&["fmt", "--check", "tests/breadth"]);
    cicatriz(&["test", "tests/breadth"]);
}

#[test]
fn each_numbered_rule_of_the_four_systems_holds() {
    cicatriz(&["check", "rules"]);
    cicatriz(&["fmt", "--check", "rules"]);
    cicatriz(&["test", "rules"]);
}

#[test]
fn both_editions_hold() {
    for edition in ["edition=srd2014", "edition=srd2024"] {
        cicatriz(&["test", "rules/fifth_edition.rules", "--set", edition]);
    }
}

/// No numbered rule without a scenario that expects something and whose comment bears its number.
#[test]
fn no_numbered_rule_is_without_a_scenario() {
    for (file, letter, last) in
        [("old_world", 'T', 12), ("wandering_stars", 'E', 9), ("investigators", 'G', 8), ("fifth_edition", 'S', 12)]
    {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("rules/{file}.rules"));
        let text = std::fs::read_to_string(path).expect("a rule file");
        let lines: Vec<&str> = text.lines().collect();
        let comments: Vec<&str> = lines
            .windows(2)
            .filter(|pair| pair[1].starts_with("scenario "))
            .filter_map(|pair| pair[0].strip_prefix("// "))
            .collect();
        for number in 1..=last {
            let rule = format!("{letter}{number}");
            let bears = |comment: &&str| comment.split([':', ',', ' ']).any(|word| word == rule);
            assert!(comments.iter().any(bears), "{file}: no scenario shows {rule}");
        }
    }
}
