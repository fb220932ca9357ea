//! Every run ends: limits crossed, and faults with their place and wording.

use std::sync::Arc;

use super::build::*;
use crate::dice::Compare;
use crate::program::*;
use crate::run::limits::*;
use crate::run::{FaultKind, Limit, Machine, Step, Value};

const OPEN: &[(&str, &[usize])] = &[("alive", &[1]), ("dead", &[])];

fn limit(step: Step) -> (Limit, u64, u64) {
    match kind(step) {
        FaultKind::Limit { what, count, limit } => (what, count, limit),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_run_takes_at_most_so_many_steps() {
    let mut rules = Rules::new();
    let scenario = rules.scenario(&[Op::Jump(0)]);
    assert_eq!(limit(rules.run(scenario, &[]).0), (Limit::Steps, STEPS + 1, STEPS));
}

#[test]
fn events_stand_at_most_so_deep_within_events() {
    let mut rules = Rules::new();
    let event = rules.event("again", None, &[]);
    let creature = rules.sheet("creature", None, OPEN);
    rules.on(creature, event, &[Op::Fire { event, args: 0, to: false }]);
    let mut machine = rules.story(&[creature]);
    let fault = fail(&mut machine, event, &[]);
    assert_eq!(fault.kind, FaultKind::Limit { what: Limit::Depth, count: DEPTH as u64 + 1, limit: DEPTH as u64 });
    let diagnostic = fault.diagnostic(&rules.program);
    assert_eq!(diagnostic.message, "65 events within events; the limit is 64");
    assert_eq!(diagnostic.code.as_str(), "run::limit");
    assert!(diagnostic.span().is_some());
}

#[test]
fn values_stand_at_most_so_deep_within_values() {
    let mut rules = Rules::new();
    let creature = rules.sheet("creature", None, OPEN);
    let value = rules.value(creature, "itself", &[Op::Me, Op::Value { value: 0, args: 0 }]);
    let machine = rules.story(&[creature]);
    let fault = machine.value_of(0, value, &[]).unwrap_err();
    let count = NESTING as u64 + 1;
    assert_eq!(fault.kind, FaultKind::Limit { what: Limit::Nesting, count, limit: NESTING as u64 });
}

#[test]
fn a_run_rolls_at_most_so_many_dice() {
    let mut rules = Rules::new();
    let die = rules.dice(1, 6);
    let scenario = rules.scenario(&[die, Op::Roll, Op::Drop, Op::Jump(0)]);
    let mut machine = Machine::scenario(&rules.program, &[], scenario, &[]).unwrap();
    machine.cost.dice = DICE_A_RUN - 1;
    assert!(matches!(machine.advance(&mut ()), Step::Roll(_)));
    machine.answer(Value::Number(3)).unwrap();
    assert!(matches!(machine.advance(&mut ()), Step::Roll(_)));
    let fault = machine.answer(Value::Number(3)).unwrap_err();
    assert_eq!(limit(Step::Fault(fault)), (Limit::Dice, DICE_A_RUN + 1, DICE_A_RUN));
}

#[test]
fn a_story_has_at_most_so_many_sheets() {
    let mut rules = Rules::new();
    let creature = rules.sheet("creature", None, OPEN);
    let scenario = rules.scenario(&[Op::New(creature), Op::Drop, Op::Jump(0)]);
    let mut machine = Machine::scenario(&rules.program, &[], scenario, &[]).unwrap();
    let step = machine.advance(&mut ());
    assert_eq!(limit(step), (Limit::Sheets, SHEETS as u64 + 1, SHEETS as u64));
}

#[test]
fn a_list_is_at_most_so_long() {
    let mut rules = Rules::new();
    let creature = rules.sheet("creature", None, OPEN);
    let ops = [Op::New(creature), Op::Store(0), Op::NoSheets, Op::Load(0), Op::Append, Op::Jump(3)];
    let scenario = rules.scenario(&ops);
    assert_eq!(limit(rules.run(scenario, &[]).0), (Limit::ListLength, LIST as u64 + 1, LIST as u64));
}

#[test]
fn a_repeat_takes_at_most_so_many_turns() {
    let mut rules = Rules::new();
    let event = rules.event("turn", None, &[]);
    let creature = rules.sheet("creature", None, OPEN);
    let count = rules.track(creature, "count", NUMBER, 0);
    rules.on(creature, event, &set(count, Change::Up, 1));
    let ops = [Op::New(creature), Op::Drop, Op::Again, Op::Fire { event, args: 0, to: false }, Op::Jump(2)];
    let scenario = rules.scenario(&ops);
    let mut machine = Machine::scenario(&rules.program, &[], scenario, &[]).unwrap();
    assert_eq!(limit(machine.advance(&mut ())), (Limit::Repeats, REPEATS + 1, REPEATS));
}

#[test]
fn ruling_13_a_repeat_that_changes_nothing_never_ends() {
    let mut rules = Rules::new();
    let event = rules.event("turn", None, &[]);
    let creature = rules.sheet("creature", None, OPEN);
    rules.on(creature, event, &[]);
    let ops = [Op::New(creature), Op::Drop, Op::Again, Op::Fire { event, args: 0, to: false }, Op::Jump(2)];
    let scenario = rules.scenario(&ops);
    let fault = kind(rules.run(scenario, &[]).0);
    assert_eq!(fault, FaultKind::Endless { sheet: Some((creature, 0)) });
}

#[test]
fn ruling_13_a_repeat_that_rolls_may_come_back_to_the_same_state() {
    let mut rules = Rules::new();
    let die = rules.dice(1, 2);
    let ops = [Op::Again, die, Op::Roll, Op::Push(2), Op::Compare(Compare::Less), Op::JumpIf(0), Op::Push(1)];
    let ops: Vec<Op> = ops.into_iter().chain([Op::Finish(Box::new([NUMBER]))]).collect();
    let scenario = rules.scenario(&ops);
    assert_eq!(outcome(&rules.run(scenario, &[1, 1, 1, 2]).0).text(&rules.program), "1");
}

#[test]
fn a_wait_is_at_most_so_long() {
    let mut rules = Rules::new();
    let kind = rules.kind(&["prone"]);
    let day = rules.event("day", Some(0), &[]);
    let hit = rules.event("hit", None, &[]);
    let creature = rules.sheet("creature", None, OPEN);
    let slot = rules.track(creature, "conditions", Type::SetOfKind(kind), 0);
    let wait = Some(rules.wait(Wait { counted: Some(day), ..Wait::default() }));
    rules.on(creature, hit, &[Op::Me, Op::Push(1), Op::Push(WAIT + 1), Op::Suffer { slot, wait }]);
    let mut machine = rules.story(&[creature]);
    let fault = fail(&mut machine, hit, &[]);
    assert_eq!(limit(Step::Fault(fault)), (Limit::Wait, WAIT as u64 + 1, WAIT as u64));
}

#[test]
fn what_holds_has_to_come_to_rest() {
    let mut rules = Rules::new();
    let go = rules.event("go", None, &[]);
    let creature = rules.sheet("creature", None, OPEN);
    let on = rules.track(creature, "on", NUMBER, 0);
    let condition = rules.code(&[Op::Me, Op::Slot(on), Op::Push(1), Op::Compare(Compare::Equal)]);
    let hold = rules.hold(None, HoldKind::While(condition));
    let slot = rules.progress(creature);
    // It ends itself as it begins, and begins itself as it ends.
    let enter = Some(rules.code(&set(on, Change::To, 0)));
    let leave = Some(rules.code(&set(on, Change::To, 1)));
    rules.of(creature).clauses.phases.push(Phase {
        hold,
        slot,
        amount: None,
        tracks: vec![],
        enter,
        leave,
        then: None,
    });
    rules.on(creature, go, &set(on, Change::To, 1));
    let mut machine = rules.story(&[creature]);
    let fault = fail(&mut machine, go, &[]);
    assert_eq!(limit(Step::Fault(fault)), (Limit::Rounds, u64::from(ROUNDS) + 1, u64::from(ROUNDS)));
}

#[test]
fn a_track_leaves_its_bounds_only_where_it_stops() {
    let mut rules = Rules::new();
    let hit = rules.event("hit", None, &[NUMBER]);
    let creature = rules.sheet("creature", None, OPEN);
    let hp = rules.track(creature, "hp", Type::Number { low: 0, high: 10 }, 10);
    rules.on(creature, hit, &[Op::Me, Op::Load(0), Op::Set { slot: hp, change: Change::Down }]);
    let mut machine = rules.story(&[creature]);
    let fault = fail(&mut machine, hit, &[12]);
    assert_eq!(fault.kind, FaultKind::Bounds { sheet: creature, slot: hp, value: -2, low: 0, high: 10 });
    assert_eq!(fault.diagnostic(&rules.program).message, "`hp` would be -2, and goes from 0 to 10");
    rules.of(creature).slots[usize::from(hp)].stops = true;
    let mut machine = rules.story(&[creature]);
    assert_eq!(fire(&mut machine, hit, &[12], &[])[1..], ["hp: 10 → 0"]);
}

#[test]
fn numbers_that_do_not_fit_are_a_fault_and_never_wrap() {
    let mut rules = Rules::new();
    let cases = [
        (vec![Op::Push(i64::MAX), Op::Push(1), Op::Add], FaultKind::Overflow),
        (vec![Op::Push(i64::MIN), Op::Negate], FaultKind::Overflow),
        (vec![Op::Push(1), Op::Push(0), Op::Remainder], FaultKind::DivisionByZero),
        (vec![Op::Push(NONE), Op::Slot(0)], FaultKind::None),
    ];
    for (ops, fault) in cases {
        let scenario = rules.scenario(&ops);
        assert_eq!(kind(rules.run(scenario, &[]).0), fault);
    }
}

#[test]
fn a_state_leads_only_where_the_rules_say() {
    let mut rules = Rules::new();
    let go = rules.event("go", None, &[]);
    let creature = rules.sheet("creature", None, &[("a", &[1]), ("b", &[2]), ("c", &[])]);
    rules.on(creature, go, &[Op::Me, Op::Go { state: 2 }]);
    let mut machine = rules.story(&[creature]);
    let fault = fail(&mut machine, go, &[]);
    assert_eq!(fault.kind, FaultKind::Transition { sheet: creature, from: 0, to: 2 });
    assert_eq!(fault.diagnostic(&rules.program).message, "a `creature` cannot go from `a` to `c`");
}

#[test]
fn arguments_of_events_stay_within_their_bounds() {
    let mut rules = Rules::new();
    let hit = rules.event("hit", None, &[Type::Number { low: 0, high: 9 }]);
    let creature = rules.sheet("creature", None, OPEN);
    let mut machine = rules.story(&[creature]);
    let fault = fail(&mut machine, hit, &[10]);
    assert_eq!(fault.diagnostic(&rules.program).message, "`arg` of `hit` is 10, and goes from 0 to 9");
}

#[test]
fn rules_that_contradict_themselves_are_a_fault_and_never_a_panic() {
    let all = [
        Op::Load(9),
        Op::Store(9),
        Op::Drop,
        Op::Copy,
        Op::PushDice(9),
        Op::Owner,
        Op::Option(OptionId(9)),
        Op::Slot(9),
        Op::Conditions(9),
        Op::Value { value: 9, args: 3 },
        Op::RowOf,
        Op::Add,
        Op::Single,
        Op::Owned(SheetId(9)),
        Op::Append,
        Op::Nth,
        Op::Build { form: FormId(9), holes: 2 },
        Op::Maximum,
        Op::Roll,
        Op::PickSheet,
        Op::Read { table: TableId(9), args: 1 },
        Op::Cell { table: TableId(9), column: 9, args: 0 },
        Op::Happen { table: TableId(9), args: 0, on: On::First },
        Op::Take { table: TableId(0), row: 9, args: 0, on: On::Up(3) },
        Op::Check { check: 9, args: 0, passes: true },
        Op::Set { slot: 9, change: Change::To },
        Op::Suffer { slot: 9, wait: Some(WaitId(9)) },
        Op::Lose { slot: 9 },
        Op::Go { state: 99 },
        Op::Fire { event: EventId(9), args: 0, to: false },
        Op::Ask(QuestionId(9)),
        Op::New(SheetId(9)),
        Op::Default { slot: 9 },
        Op::Give { slot: 9 },
        Op::GiveRows { table: TableId(9), row: 9 },
        Op::Expect(ExpectId(9)),
        Op::Finish(Box::new([NUMBER, NUMBER])),
        Op::FinishCase(9),
        Op::FinishState,
    ];
    let bad = [vec![], vec![Op::Push(7)], vec![Op::Push(7), Op::Push(1 << 40)], vec![Op::NoSheets, Op::Push(0)]];
    for op in all {
        for before in &bad {
            let mut rules = Rules::new();
            let mut ops = before.clone();
            ops.push(op.clone());
            let scenario = rules.scenario(&ops);
            let code = &mut rules.program.code[0];
            code.locals = 0;
            let mut machine = Machine::scenario(&rules.program, &[], scenario, &[]).unwrap();
            // Whatever it comes to, it comes to something.
            match machine.advance(&mut ()) {
                Step::Fault(fault) => drop(fault.diagnostic(&rules.program)),
                Step::Finished(outcome) => drop(outcome.text(&rules.program)),
                _ => {}
            }
        }
    }
    let dice = Arc::new(dice(1, 6));
    let rules = Rules::new();
    let mut machine = Machine::story(&rules.program, &[]);
    assert!(machine.answer(Value::Dice(dice)).is_err());
    assert!(machine.fire(EventId(3), vec![], Some(9)).is_err());
    assert!(machine.make(SheetId(3), &[]).is_err());
}

#[test]
fn dice_that_grow_from_themselves_come_to_an_end() {
    let mut rules = Rules::new();
    let die = rules.dice(1, 6);
    let sum = |a, b| Form::Operation(crate::dice::Operator::Add, Box::new(Form::Hole(a)), Box::new(Form::Hole(b)));
    rules.program.forms.push(sum(0, 1));
    rules.program.forms.push(Form::Negate(Box::new(Form::Hole(0))));
    let double = [die.clone(), Op::Copy, Op::Build { form: FormId(0), holes: 2 }, Op::Jump(1)];
    let negate = [die, Op::Build { form: FormId(1), holes: 1 }, Op::Jump(1)];
    for ops in [&double[..], &negate[..]] {
        let scenario = rules.scenario(ops);
        let (what, count, limit) = limit(rules.run(scenario, &[]).0);
        assert_eq!((what, count), (Limit::DiceParts, limit + 1));
    }
}
