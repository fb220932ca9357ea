//! One trace of each system, whole: the same rules with the same seed give the same bytes.

use std::path::Path;

use cicatriz::check::{Argument, Sources, arguments, check};
use cicatriz::dice::Seeded;
use cicatriz::program::ScenarioId;
use cicatriz::run::{Defaults, Machine, Step, Trace, Value, play_out};

/// Runs a scenario of a system's file; its trace in words, then as scripts read it.
fn trace(system: &str, scenario: &str, given: &[(&str, &str)], seed: u64) -> (String, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules").join(format!("{system}.rules"));
    let text = std::fs::read_to_string(&path).expect("the system's file");
    let program = check(Sources::single(system, &text)).program.expect("rules without faults");
    let index = program.scenarios.iter().position(|s| s.id == scenario).expect("the scenario");
    let args = arguments(&program, scenario, &program.scenarios[index].params, given).expect("arguments that fit");
    let args: Vec<Option<Value>> = args
        .into_iter()
        .map(|arg| {
            arg.map(|arg| match arg {
                Argument::Number(number) => Value::Number(number),
                Argument::Dice(dice) => Value::Dice(dice),
            })
        })
        .collect();
    let mut machine = Machine::scenario(&program, &[], ScenarioId(index as u32), &args).expect("a run");
    let mut trace = Trace::new(&machine);
    let Step::Finished(outcome) = play_out(&mut machine, &mut Seeded::new(seed), &mut Defaults, &mut trace) else {
        panic!("the run does not end");
    };
    let words = format!("{}\noutcome: {}", trace.lines().join("\n"), outcome.text(&program));
    (words, serde_json::to_string_pretty(&trace.json()).expect("JSON"))
}

#[test]
fn old_world() {
    let (words, json) = trace("old_world", "to_death", &[("untreated", "1")], 11);
    insta::assert_snapshot!("old_world", words);
    insta::assert_snapshot!("old_world_json", json);
}

#[test]
fn wandering_stars() {
    insta::assert_snapshot!("wandering_stars", trace("wandering_stars", "downed", &[], 4).0);
}

#[test]
fn investigators() {
    let given = [("health", "-4"), ("spend", "2")];
    insta::assert_snapshot!("investigators", trace("investigators", "consciousness", &given, 2).0);
}

#[test]
fn fifth_edition() {
    let given = [("max_hp", "30"), ("damage", "2d6+3"), ("resistant", "yes")];
    insta::assert_snapshot!("fifth_edition", trace("fifth_edition", "last_stand", &given, 5).0);
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let given = [("max_hp", "30"), ("damage", "2d6+3")];
    assert_eq!(trace("fifth_edition", "last_stand", &given, 9), trace("fifth_edition", "last_stand", &given, 9));
    assert_ne!(trace("fifth_edition", "last_stand", &given, 9), trace("fifth_edition", "last_stand", &given, 10));
}
