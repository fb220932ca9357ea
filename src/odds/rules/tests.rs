//! Known odds of the rules that come with the crate.

use super::super::*;
use crate::check::check_text;
use crate::program::{Program, ScenarioId, TableId};
use crate::run::{Machine, Value};

fn program(text: &str) -> Program {
    let checked = check_text("test.rules", text);
    checked.program.unwrap_or_else(|| panic!("{:?}", checked.diagnostics))
}

fn of(program: &Program, target: &str, args: &[(&str, i64)]) -> RuleOdds {
    let scenario = program.scenarios.iter().position(|scenario| scenario.id == target);
    let table = program.tables.iter().position(|table| table.id == target);
    let params = match (scenario, table) {
        (Some(at), _) => &program.scenarios[at].params,
        (_, Some(at)) => &program.tables[at].params,
        _ => panic!("no {target}"),
    };
    let value = |id: &str| args.iter().find(|(name, _)| *name == id).map(|(_, value)| Value::Number(*value));
    let args: Vec<Option<Value>> = params.iter().map(|param| value(&param.id)).collect();
    let machine = match (scenario, table) {
        (Some(at), _) => Machine::scenario(program, &[], ScenarioId(at as u32), &args),
        (_, at) => Machine::reading(program, &[], TableId(at.unwrap() as u32), &args),
    };
    of_machine(&machine.unwrap(), &Bounds::default()).unwrap_or_else(|fault| panic!("{target}: {fault}"))
}

fn chances(program: &Program, odds: &RuleOdds) -> Vec<(String, String)> {
    let all = odds.outcomes.iter();
    all.map(|found| (found.outcome.as_ref().unwrap().text(program), found.chance.to_string())).collect()
}

fn chance(program: &Program, odds: &RuleOdds, id: &str) -> String {
    chances(program, odds).into_iter().find(|(outcome, _)| outcome == id).map_or("0".to_owned(), |(_, chance)| chance)
}

#[test]
fn death_saves_to_their_end() {
    let program = program(include_str!("../../../rules/fifth_edition.rules"));
    let odds = of(&program, "death_saves", &[]);
    assert_eq!(chance(&program, &odds, "stable"), "331/800");
    assert_eq!(chance(&program, &odds, "dead"), "3239/8000");
    assert_eq!(chance(&program, &odds, "awake"), "1451/8000");
    assert!(odds.is_exact());
}

#[test]
fn a_table_with_arguments() {
    let program = program(include_str!("../../../rules/old_world.rules"));
    let odds = of(&program, "wound", &[("untreated", 2)]);
    let range = |range: &str| {
        let row = |found: &&OutcomeChance| match &found.outcome {
            Some(crate::run::Outcome::Row(table, row)) => {
                program.tables[table.index()].rows[*row as usize].range == range
            }
            _ => false,
        };
        odds.outcomes.iter().find(row).unwrap().chance.to_string()
    };
    assert_eq!(range("27+"), "1/50");
    assert_eq!(range("1-3"), "1/1000");
}

#[test]
fn infection_and_consciousness() {
    let old = program(include_str!("../../../rules/old_world.rules"));
    let odds = of(&old, "infection", &[("dice", 3), ("skill", 4), ("wounds", 2)]);
    assert_eq!(chance(&old, &odds, "festering"), "81/125", "{:?}", chances(&old, &odds));
    let investigators = program(include_str!("../../../rules/investigators.rules"));
    let odds = of(&investigators, "consciousness", &[("health", -4)]);
    assert_eq!(chance(&investigators, &odds, "conscious"), "1/2", "{:?}", chances(&investigators, &odds));
}

#[test]
fn what_a_question_never_reads_makes_no_states() {
    let program = program(include_str!("../../../rules/old_world.rules"));
    let at = program.scenarios.iter().position(|scenario| scenario.id == "to_death").unwrap();
    let args = [Some(Value::Number(0))];
    let odds = of_scenario(&program, &[], ScenarioId(at as u32), &args, &Bounds::default()).unwrap();
    assert!(odds.states < 60, "{} states", odds.states);
    let sum = odds.outcomes.iter().map(|found| found.chance.to_f64()).sum::<f64>();
    assert!((sum - 1.0).abs() < 1e-12);
    // Neither one die nor two show 24; three dice do 84 times in a thousand.
    assert_eq!(chance(&program, &odds, "1"), "0");
    assert_eq!(chance(&program, &odds, "3"), "21/250");
}

#[test]
fn leaving_out_what_is_not_read_changes_no_chance() {
    let mut compared = 0;
    for text in [
        include_str!("../../../rules/old_world.rules"),
        include_str!("../../../rules/fifth_edition.rules"),
        include_str!("../../../rules/investigators.rules"),
        include_str!("../../../rules/wandering_stars.rules"),
    ] {
        let program = program(text);
        for (at, scenario) in program.scenarios.iter().enumerate() {
            let id = ScenarioId(at as u32);
            let given: Vec<Option<Value>> = scenario
                .params
                .iter()
                .map(|param| match param.ty {
                    crate::program::Type::Number { low, .. } if param.default.is_none() => Some(Value::Number(low)),
                    _ => None,
                })
                .collect();
            let machine = Machine::scenario(&program, &[], id, &given).unwrap();
            let bounds = Bounds { cost: 3_000_000, ..Bounds::default() };
            let whole = match of_machine(&machine, &bounds) {
                Ok(whole) => whole,
                Err(OddsFault::TooLarge { .. }) => continue,
                Err(fault) => panic!("{}: {fault}", scenario.id),
            };
            compared += 1;
            let part = of_scenario(&program, &[], id, &given, &Bounds::default()).unwrap();
            assert_eq!(chances(&program, &whole), chances(&program, &part), "{}", scenario.id);
            assert!(part.states <= whole.states);
        }
    }
    assert!(compared >= 60, "{compared}");
}
