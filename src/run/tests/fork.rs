//! A copy of a machine goes on by itself, and equal states are equal.

use std::collections::HashSet;

use super::build::*;
use crate::program::*;
use crate::run::{Machine, Step, Value};

/// Saving throws: a success on 4 or more, over after two of either kind.
fn throws() -> (Rules, ScenarioId) {
    let mut rules = Rules::new();
    let turn = rules.event("turn", None, &[]);
    let creature = rules.sheet("creature", None, &[("dying", &[1, 2]), ("stable", &[]), ("dead", &[])]);
    let successes = rules.track(creature, "successes", NUMBER, 0);
    let failures = rules.track(creature, "failures", NUMBER, 0);
    let die = rules.dice(1, 6);
    let at_least = Op::Compare(crate::dice::Compare::AtLeast);
    let mut ops = vec![die, Op::Roll, Op::Push(4), at_least.clone(), Op::JumpUnless(9)];
    ops.extend(set(successes, Change::Up, 1));
    ops.push(Op::Jump(12));
    ops.extend(set(failures, Change::Up, 1));
    for (slot, state) in [(successes, 1), (failures, 2)] {
        let over = ops.len() as u32 + 8;
        ops.extend([Op::Me, Op::Slot(slot), Op::Push(2), at_least.clone(), Op::JumpUnless(over)]);
        ops.extend([Op::Me, Op::Go { state }, Op::Return]);
    }
    rules.on(creature, turn, &ops);
    let ops = [
        Op::New(creature),
        Op::Store(0),
        Op::Load(0),
        Op::Settle,
        Op::Load(0),
        Op::State,
        Op::JumpIf(10),
        Op::Again,
        Op::Fire { event: turn, args: 0, to: false },
        Op::Jump(4),
        Op::FinishState,
    ];
    let scenario = rules.scenario(&ops);
    (rules, scenario)
}

#[test]
fn a_run_forks_at_each_die_and_equal_states_merge() {
    let (rules, scenario) = throws();
    let machine = Machine::scenario(&rules.program, &[], scenario, &[]).unwrap();
    let mut now = vec![machine];
    let mut met = HashSet::new();
    let mut outcomes = HashSet::new();
    while let Some(mut machine) = now.pop() {
        match machine.advance(&mut ()) {
            Step::Roll(_) => {
                if !met.insert(machine.state().clone()) {
                    continue;
                }
                for face in 1..=6 {
                    let mut fork = machine.clone();
                    fork.answer(Value::Number(face)).unwrap();
                    now.push(fork);
                }
            }
            Step::Finished(outcome) => {
                outcomes.insert(outcome.text(&rules.program));
            }
            other => panic!("{other:?}"),
        }
    }
    // Nobody ahead, one either way, one each: four states in which a die is rolled.
    assert_eq!(met.len(), 4);
    assert_eq!(outcomes, HashSet::from(["stable".to_owned(), "dead".to_owned()]));
}

#[test]
fn the_order_in_which_equal_things_came_about_is_forgotten() {
    let (rules, scenario) = throws();
    let state = |faces: [i64; 2]| {
        let mut machine = Machine::scenario(&rules.program, &[], scenario, &[]).unwrap();
        for face in faces {
            assert!(matches!(machine.advance(&mut ()), Step::Roll(_)));
            machine.answer(Value::Number(face)).unwrap();
        }
        machine.advance(&mut ());
        machine.state().clone()
    };
    assert_eq!(state([1, 6]), state([5, 2]));
    assert_ne!(state([1, 6]), state([6, 6]));
}

#[test]
fn a_machine_that_waits_gives_the_same_step_again() {
    let (rules, scenario) = throws();
    let mut machine = Machine::scenario(&rules.program, &[], scenario, &[]).unwrap();
    let first = machine.advance(&mut ());
    assert_eq!(machine.advance(&mut ()), first);
    assert!(machine.answer(Value::Sheets([].into())).is_err());
    assert_eq!(machine.advance(&mut ()), first);
}
