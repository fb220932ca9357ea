//! Known odds of the rules that come with the crate.

use num_bigint::BigUint;
use proptest::prelude::*;

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
    of_machine(&machine.unwrap(), &Bounds::default(), &mut ()).unwrap_or_else(|fault| panic!("{target}: {fault}"))
}

fn chances(program: &Program, odds: &RuleOdds) -> Vec<(String, String)> {
    let all = odds.outcomes.iter().filter(|found| found.outcome.is_some());
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

/// A foe with three points who loses one every other turn.
const FIGHT: &str = "system cyc \"C\" lang es
sheet foe {
  hp: 0..3 = 3 stops
  states up -> down final
  on hit {
    roll 1d6 { 1-3 { }
               4-6 { hp -= 1 } }
    if hp == 0 -> down
  }
  on nothing { hp += 0 }
}
scenario fight {
  given foe
  repeat hit until down
}
scenario long {
  given foe
  repeat hit until down
  outcome repeats
}
scenario both {
  given foe { hp = 2 }
  repeat hit until hp < 2
  repeat hit until down
  outcome repeats
}
scenario never {
  given foe
  when hit
  repeat nothing until down or hp < 4
}
";

fn scenario(program: &Program, id: &str) -> RuleOdds {
    let at = program.scenarios.iter().position(|scenario| scenario.id == id).expect("a scenario");
    let odds = of_scenario(program, &[], ScenarioId(at as u32), &[], &Bounds::default(), &mut ());
    odds.unwrap_or_else(|fault| panic!("{id}: {fault}"))
}

#[test]
fn a_circle_is_solved_and_not_cut_off() {
    let program = program(FIGHT);
    let odds = scenario(&program, "fight");
    assert_eq!(chances(&program, &odds), [("down".to_owned(), "1".to_owned())]);
    assert!(odds.is_exact() && odds.states == 3, "{} states", odds.states);
    let turns = &odds.turns[0];
    assert_eq!(program.events[turns.event.unwrap().index()].id, "hit");
    assert_eq!((turns.mean.clone(), turns.variance.clone()), (Some(Fraction::of(6, 1)), Some(Fraction::of(6, 1))));
    assert_eq!(turns.distribution[0], (3, Fraction::of(1, 8)));
    assert_eq!(turns.distribution[1], (4, Fraction::of(3, 16)));
    let known = turns.distribution.iter().fold(turns.rest.clone(), |sum, (_, chance)| sum.plus(chance));
    assert_eq!(known, Fraction::of(1, 1));
    assert!(turns.rest.to_f64() < 1e-11);
}

#[test]
fn turns_that_are_the_outcome() {
    let program = program(FIGHT);
    let odds = scenario(&program, "long");
    assert_eq!((odds.counted, odds.states), (Some(0), 3));
    assert_eq!(chance(&program, &odds, "3"), "1/8");
    assert_eq!(chance(&program, &odds, "5"), "3/16");
    assert!(!odds.is_exact() && odds.outcomes.last().unwrap().outcome.is_none());
    let sum = odds.outcomes.iter().fold(Fraction::zero(), |sum, found| sum.plus(&found.chance));
    assert_eq!(sum, Fraction::of(1, 1));
}

#[test]
fn each_repeat_has_its_turns() {
    let program = program(FIGHT);
    let odds = scenario(&program, "both");
    assert_eq!(odds.counted, Some(1));
    assert_eq!(odds.turns.len(), 2);
    for turns in &odds.turns {
        assert_eq!((turns.mean.clone(), turns.variance.clone()), (Some(Fraction::of(2, 1)), Some(Fraction::of(2, 1))));
    }
    assert_eq!(chance(&program, &odds, "1"), "1/2");
    let odds = scenario(&program, "never");
    assert_eq!(odds.turns[0].mean, Some(Fraction::zero()));
}

#[test]
fn the_turns_of_what_comes_to_an_end_are_told_to_the_last() {
    let program = program(include_str!("../../../rules/fifth_edition.rules"));
    let odds = scenario(&program, "death_saves");
    let turns = &odds.turns[0];
    assert!(turns.rest.is_zero());
    assert_eq!(turns.distribution.iter().map(|(turns, _)| *turns).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    // A 20 ends it at once; so do two 1s, or a 1 with a failure before or after it, in two turns.
    assert_eq!(turns.distribution[0].1, Fraction::of(1, 20));
    let chances = turns.distribution.iter().map(|(turns, chance)| chance.times(&Fraction::of(*turns as i64, 1)));
    let mean = chances.fold(Fraction::zero(), |sum, part| sum.plus(&part));
    assert_eq!(turns.mean, Some(mean));
}

/// Stops after so many looks.
struct Stop(u32);

impl Watch for Stop {
    fn states(&mut self, done: usize, known: usize) -> std::ops::ControlFlow<()> {
        assert!(done < known);
        self.0 -= 1;
        if self.0 == 0 { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    }
}

#[test]
fn a_search_that_is_stopped_keeps_what_it_knows() {
    let program = program(include_str!("../../../rules/fifth_edition.rules"));
    let at = program.scenarios.iter().position(|scenario| scenario.id == "last_stand").unwrap();
    let args = [Some(Value::Number(200))];
    let id = ScenarioId(at as u32);
    let whole = of_scenario(&program, &[], id, &args, &Bounds::default(), &mut ()).unwrap();
    let part = of_scenario(&program, &[], id, &args, &Bounds::default(), &mut Stop(3)).unwrap();
    assert!(!whole.stopped && part.stopped && !part.is_exact());
    let sum = part.outcomes.iter().fold(Fraction::zero(), |sum, found| sum.plus(&found.chance));
    assert_eq!(sum, Fraction::of(1, 1));
    assert_eq!(part.outcomes.last().unwrap().chance, part.cut);
    assert_eq!(part.turns[0].mean, None);
}

#[test]
fn what_takes_too_many_states_names_the_tracks_that_differ() {
    let program = program(include_str!("../../../rules/fifth_edition.rules"));
    let at = program.scenarios.iter().position(|scenario| scenario.id == "last_stand").unwrap();
    let bounds = Bounds { cost: 200_000, ..Bounds::default() };
    let args = [Some(Value::Number(100))];
    let fault = of_scenario(&program, &[], ScenarioId(at as u32), &args, &bounds, &mut ()).unwrap_err().to_string();
    assert!(fault.contains("`creature.hp` has "), "{fault}");
}

#[test]
fn what_a_question_never_reads_makes_no_states() {
    let program = program(include_str!("../../../rules/old_world.rules"));
    let at = program.scenarios.iter().position(|scenario| scenario.id == "to_death").unwrap();
    let args = [Some(Value::Number(0))];
    let odds = of_scenario(&program, &[], ScenarioId(at as u32), &args, &Bounds::default(), &mut ()).unwrap();
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
            let whole = match of_machine(&machine, &bounds, &mut ()) {
                Ok(whole) => whole,
                Err(OddsFault::TooLarge { .. }) => continue,
                Err(fault) => panic!("{}: {fault}", scenario.id),
            };
            compared += 1;
            let part = of_scenario(&program, &[], id, &given, &Bounds::default(), &mut ()).unwrap();
            assert_eq!(chances(&program, &whole), chances(&program, &part), "{}", scenario.id);
            assert!(part.states <= whole.states);
        }
    }
    assert!(compared >= 60, "{compared}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Rows of any dice: each as likely as the totals it answers, and all together certain.
    #[test]
    fn rows_of_a_table_share_what_the_dice_show(count in 1u32..4, faces in 2u32..8, cuts in prop::collection::vec(1i64..24, 0..3)) {
        let (low, high) = (i64::from(count), i64::from(count * faces));
        let mut ends: Vec<i64> = cuts.into_iter().filter(|end| (low..high).contains(end)).chain([high]).collect();
        ends.sort_unstable();
        ends.dedup();
        let mut text = format!("system t \"T\" lang es\ntable t = {count}d{faces} {{\n");
        let mut from = low;
        for end in &ends {
            text += &format!("  {from}-{end} r{from} \"R\"\n");
            from = end + 1;
        }
        let program = program(&(text + "}\n"));
        let odds = of(&program, "t", &[]);
        let sum = odds.outcomes.iter().fold(Fraction::zero(), |sum, found| sum.plus(&found.chance));
        prop_assert_eq!(sum, Fraction::of(1, 1));
        // Every roll, one by one.
        let mut totals = vec![0i64];
        for _ in 0..count {
            totals = totals.iter().flat_map(|sum| (1..=i64::from(faces)).map(move |face| sum + face)).collect();
        }
        let mut from = low;
        for end in ends {
            let ways = totals.iter().filter(|total| (from..=end).contains(total)).count();
            let expected = Fraction::of(ways as i64, totals.len() as u64).to_string();
            prop_assert_eq!(chance(&program, &odds, &format!("r{from}")), expected);
            from = end + 1;
        }
    }

    /// What takes a number of hits, each with the same chance: the turns are known from a formula.
    #[test]
    fn turns_to_a_number_of_hits(points in 1u32..5, least in 2u32..7) {
        let text = format!("system t \"T\" lang es\nsheet foe {{\n  hp: 0..{points} = {points} stops\n  states up -> down final\n  \
            on hit {{\n    if 1d6 >= {least} {{ hp -= 1 }}\n    if hp == 0 -> down\n  }}\n}}\n\
            scenario fight {{\n  given foe\n  repeat hit until down\n}}\n");
        let program = program(&text);
        let odds = scenario(&program, "fight");
        let turns = &odds.turns[0];
        let (hits, misses) = (7 - least, least - 1);
        prop_assert_eq!(turns.mean.clone(), Some(Fraction::of(i64::from(points * 6), u64::from(hits))));
        prop_assert_eq!(turns.variance.clone(), Some(Fraction::of(i64::from(points * misses * 6), u64::from(hits * hits))));
        let known = turns.distribution.iter().fold(turns.rest.clone(), |sum, (_, chance)| sum.plus(chance));
        prop_assert_eq!(known, Fraction::of(1, 1));
        let first = Fraction::new(BigUint::from(hits).pow(points), BigUint::from(6u32).pow(points));
        prop_assert_eq!(turns.distribution[0].clone(), (u64::from(points), first));
    }
}
