//! The rulings on what holds for a time and on bounds that move.

use super::build::*;
use crate::program::*;
use crate::run::Machine;

const OPEN: &[(&str, &[usize])] = &[("alive", &[1]), ("dead", &[])];

#[test]
fn ruling_5_until_a_state_holds_again_in_a_wound_that_reopens() {
    let mut rules = Rules::new();
    let conditions = rules.kind(&["prone", "exhausted"]);
    let (treat, reopen) = (rules.event("treat", None, &[]), rules.event("reopen", None, &[]));
    let creature = rules.sheet("creature", None, &[("untreated", &[1]), ("treated", &[0])]);
    let slot = rules.track(creature, "conditions", Type::SetOfKind(conditions), 0);
    let until = rules.hold(None, HoldKind::States(1));
    let has = rules.has(0, slot, 2, Some(until));
    rules.of(creature).clauses.has.push(has);
    rules.on(creature, treat, &[Op::Me, Op::Go { state: 1 }]);
    rules.on(creature, reopen, &[Op::Me, Op::Go { state: 0 }]);
    let mut machine = rules.story(&[creature]);
    assert_eq!(machine.conditions_of(0, slot).unwrap(), 2);
    let lines = fire(&mut machine, treat, &[], &[]);
    assert_eq!(lines[1..], ["Creature: untreated → treated", "estado: − Exhausted"]);
    let lines = fire(&mut machine, reopen, &[], &[]);
    assert_eq!(lines[1..], ["Creature: treated → untreated", "estado: + Exhausted"]);
}

/// A creature with a block for a time, and a condition that it has meanwhile.
struct Block {
    rules: Rules,
    creature: SheetId,
    conditions: u16,
    order: u16,
    slot: u16,
}

fn block(wait: impl FnOnce(&mut Rules) -> Wait, amount: Option<i64>) -> Block {
    let mut rules = Rules::new();
    let kind = rules.kind(&["prone"]);
    let wait = wait(&mut rules);
    let creature = rules.sheet("creature", None, &[("a", &[1]), ("b", &[0])]);
    let conditions = rules.track(creature, "conditions", Type::SetOfKind(kind), 0);
    let order = rules.track(creature, "order", NUMBER, 0);
    let slot = rules.progress(creature);
    let wait = rules.wait(wait);
    let around = rules.hold(None, HoldKind::States(1));
    let hold = rules.hold(Some(around), HoldKind::Timer { wait, slot });
    let amount = amount.map(|amount| rules.number(amount));
    let [enter, leave, then] = [1, 2, 3].map(|digit| Some(rules.code(&mark(order, digit))));
    rules.of(creature).clauses.phases.push(Phase { hold, slot, amount, tracks: vec![], enter, leave, then });
    let has = rules.has(0, conditions, 1, Some(hold));
    rules.of(creature).clauses.has.push(has);
    Block { rules, creature, conditions, order, slot }
}

fn prone(machine: &Machine<'_>, block: &Block) -> bool {
    machine.conditions_of(0, block.conditions).unwrap() == 1
}

#[test]
fn ruling_5_until_an_event_is_over_for_good_while_what_is_around_it_lasts() {
    let mut events = None;
    let block = block(
        |rules| {
            let stop = rules.event("stop", None, &[]);
            let [to_b, to_a] = ["to_b", "to_a"].map(|id| rules.event(id, None, &[]));
            events = Some((stop, to_b, to_a));
            Wait { any: vec![stop], ..Wait::default() }
        },
        None,
    );
    let (stop, to_b, to_a) = events.unwrap();
    let mut block = block;
    block.rules.on(block.creature, to_b, &[Op::Me, Op::Go { state: 1 }]);
    block.rules.on(block.creature, to_a, &[Op::Me, Op::Go { state: 0 }]);
    let mut machine = block.rules.story(&[block.creature]);
    assert!(prone(&machine, &block));
    fire(&mut machine, stop, &[], &[]);
    // Ended, not run out: `leave` and no `then`. As given it fired no `enter` either.
    assert_eq!(number(&machine, 0, block.order), 2);
    fire(&mut machine, stop, &[], &[]);
    assert!(!prone(&machine, &block));
    assert_eq!(number(&machine, 0, block.slot), NONE);
    fire(&mut machine, to_b, &[], &[]);
    assert_eq!(number(&machine, 0, block.slot), 0);
    fire(&mut machine, to_a, &[], &[]);
    assert!(prone(&machine, &block));
    assert_eq!(number(&machine, 0, block.order), 21);
}

#[test]
fn ruling_6_then_runs_only_when_the_time_has_run_out() {
    let mut day = None;
    let block = block(
        |rules| {
            day = Some(rules.event("day", Some(1), &[]));
            Wait { counted: day, ..Wait::default() }
        },
        Some(2),
    );
    let mut machine = block.rules.story(&[block.creature]);
    fire(&mut machine, day.unwrap(), &[], &[]);
    assert!(prone(&machine, &block));
    let lines = fire(&mut machine, day.unwrap(), &[], &[]);
    assert!(!prone(&machine, &block));
    assert_eq!(number(&machine, 0, block.order), 23);
    assert!(lines.contains(&"Creature: se ha cumplido el tiempo".to_owned()), "{lines:?}");
}

#[test]
fn ruling_6_a_longer_clock_ends_a_wait_and_never_fires_it() {
    let mut events = None;
    let block = block(
        |rules| {
            let half_hour = rules.event("half_hour", Some(0), &[]);
            events = Some(rules.event("day", Some(2), &[]));
            Wait { counted: Some(half_hour), ..Wait::default() }
        },
        Some(3),
    );
    let mut machine = block.rules.story(&[block.creature]);
    fire(&mut machine, events.unwrap(), &[], &[]);
    assert!(!prone(&machine, &block));
    assert_eq!(number(&machine, 0, block.order), 2);
}

/// A creature that suffers a condition for so many days when it is hit, in `turn` or `day`.
fn sufferer() -> (Rules, SheetId, u16, [EventId; 3], WaitId) {
    let mut rules = Rules::new();
    let kind = rules.kind(&["prone", "dazed"]);
    let turn = rules.event("turn", Some(0), &[]);
    let day = rules.event("day", Some(1), &[]);
    let hit = rules.event("hit", None, &[NUMBER]);
    let creature = rules.sheet("creature", None, OPEN);
    let conditions = rules.track(creature, "conditions", Type::SetOfKind(kind), 0);
    let wait = rules.wait(Wait { counted: Some(day), ..Wait::default() });
    let suffer = Op::Suffer { slot: conditions, wait: Some(wait) };
    rules.on(creature, hit, &[Op::Me, Op::Push(1), Op::Load(0), suffer]);
    (rules, creature, conditions, [turn, day, hit], wait)
}

#[test]
fn ruling_6_what_begins_during_an_event_does_not_count_that_event() {
    let (mut rules, creature, conditions, [turn, day, hit], _) = sufferer();
    // A day in which a turn hits: neither the day it begins in nor the turn counts.
    rules.on(creature, day, &[Op::Fire { event: turn, args: 0, to: false }]);
    rules.on(creature, turn, &[Op::Push(1), Op::Fire { event: hit, args: 1, to: false }]);
    let mut machine = rules.story(&[creature]);
    fire(&mut machine, day, &[], &[]);
    assert_eq!(machine.conditions_of(0, conditions).unwrap(), 1);
    let before = machine.state().sheets[0].timed.clone();
    let mut other = rules.story(&[creature]);
    fire(&mut other, hit, &[1], &[]);
    // Once at rest, it is the same wait as one begun between events.
    assert_eq!(before, other.state().sheets[0].timed);
    fire(&mut other, day, &[], &[]);
    assert_eq!(other.state().sheets[0].timed.len(), 1);
}

#[test]
fn ruling_6_an_event_within_counts_for_a_wait_begun_before_it() {
    let (mut rules, creature, conditions, [turn, day, hit], _) = sufferer();
    // Hit first, then a whole day passes within the same turn.
    let ops = [Op::Push(1), Op::Fire { event: hit, args: 1, to: false }, Op::Fire { event: day, args: 0, to: false }];
    rules.on(creature, turn, &ops);
    let mut machine = rules.story(&[creature]);
    let lines = fire(&mut machine, turn, &[], &[]);
    assert_eq!(lines, ["> Turn", "> Hit (1)", "estado: + Prone", "> Day", "estado: − Prone"]);
    assert_eq!(machine.conditions_of(0, conditions).unwrap(), 0);
}

#[test]
fn a_sequence_waits_for_one_event_after_the_other() {
    let mut rules = Rules::new();
    let kind = rules.kind(&["prone"]);
    let (turn, turn_end) = (rules.event("turn", Some(0), &[]), rules.event("turn_end", Some(0), &[]));
    let hit = rules.event("hit", None, &[]);
    let creature = rules.sheet("creature", None, OPEN);
    let conditions = rules.track(creature, "conditions", Type::SetOfKind(kind), 0);
    let wait = rules.wait(Wait { sequence: vec![turn, turn_end], ..Wait::default() });
    rules.on(creature, hit, &[Op::Me, Op::Push(1), Op::Suffer { slot: conditions, wait: Some(wait) }]);
    let mut machine = rules.story(&[creature]);
    let has = |machine: &Machine<'_>| machine.conditions_of(0, conditions).unwrap() == 1;
    fire(&mut machine, hit, &[], &[]);
    for (event, still) in [(turn_end, true), (turn, true), (turn, true), (turn_end, false)] {
        fire(&mut machine, event, &[], &[]);
        assert_eq!(has(&machine), still);
    }
}

#[test]
fn ruling_7_of_the_same_condition_on_the_same_clock_the_longer_wait_stays() {
    let (rules, creature, conditions, [_, day, hit], _) = sufferer();
    let mut machine = rules.story(&[creature]);
    for days in [3, 1, 2] {
        fire(&mut machine, hit, &[days], &[]);
    }
    assert_eq!(machine.state().sheets[0].timed.len(), 1);
    for left in [1, 1, 0] {
        fire(&mut machine, day, &[], &[]);
        assert_eq!(machine.conditions_of(0, conditions).unwrap(), left);
    }
}

#[test]
fn losing_a_condition_ends_the_loose_ones_and_leaves_what_a_block_gives() {
    let (mut rules, creature, conditions, [_, _, hit], _) = sufferer();
    let lose = rules.event("lose", None, &[]);
    rules.on(creature, lose, &[Op::Me, Op::Push(3), Op::Lose { slot: conditions }]);
    let has = rules.has(0, conditions, 2, None);
    rules.of(creature).clauses.has.push(has);
    let mut machine = rules.story(&[creature]);
    fire(&mut machine, hit, &[4], &[]);
    assert_eq!(machine.conditions_of(0, conditions).unwrap(), 3);
    assert_eq!(fire(&mut machine, lose, &[], &[])[1..], ["estado: − Prone"]);
    assert_eq!(machine.conditions_of(0, conditions).unwrap(), 2);
    assert!(machine.state().sheets[0].timed.is_empty());
}

#[test]
fn ruling_8_a_track_comes_down_with_its_bound_and_does_not_rise_again() {
    let mut rules = Rules::new();
    let change = rules.event("change", None, &[NUMBER]);
    let creature = rules.sheet("creature", None, OPEN);
    let most = rules.track(creature, "most", NUMBER, 10);
    let high = rules.code(&[Op::Me, Op::Slot(most)]);
    let points = rules.track(creature, "points", NUMBER, 8);
    rules.of(creature).slots[usize::from(points)].high = Some(high);
    rules.on(creature, change, &[Op::Me, Op::Load(0), Op::Set { slot: most, change: Change::To }]);
    let mut machine = rules.story(&[creature]);
    let lines = fire(&mut machine, change, &[5], &[]);
    assert_eq!(lines[1..], ["most: 10 → 5", "points: 8 → 5"]);
    fire(&mut machine, change, &[10], &[]);
    assert_eq!(number(&machine, 0, points), 5);
}

#[test]
fn tracks_that_begin_anew_do_so_when_the_event_is_over() {
    let mut rules = Rules::new();
    let day_end = rules.event("day_end", None, &[]);
    let creature = rules.sheet("creature", None, OPEN);
    let today = rules.track(creature, "today", NUMBER, 0);
    rules.of(creature).slots[usize::from(today)].anew = Some(day_end);
    rules.on(creature, day_end, &set(today, Change::Up, 1));
    let mut machine = rules.story(&[creature]);
    assert_eq!(fire(&mut machine, day_end, &[], &[])[1..], ["today: 0 → 1", "today: 1 → 0"]);
}

#[test]
fn tracks_of_a_block_live_as_long_as_it_and_outer_blocks_begin_first() {
    let mut rules = Rules::new();
    let (fall, wake) = (rules.event("fall", None, &[]), rules.event("wake", None, &[]));
    let creature = rules.sheet("creature", None, &[("awake", &[1]), ("dying", &[0])]);
    let order = rules.track(creature, "order", NUMBER, 0);
    let failures = rules.track(creature, "failures", NUMBER, 3);
    let outer = rules.hold(None, HoldKind::States(2));
    let inner = rules.hold(Some(outer), HoldKind::Ever);
    rules.of(creature).slots[usize::from(failures)].hold = Some(outer);
    for (hold, tracks, digits) in [(outer, vec![failures], [1, 4]), (inner, vec![], [2, 3])] {
        let slot = rules.progress(creature);
        let [enter, leave] = digits.map(|digit| Some(rules.code(&mark(order, digit))));
        rules.of(creature).clauses.phases.push(Phase { hold, slot, amount: None, tracks, enter, leave, then: None });
    }
    rules.on(creature, fall, &[Op::Me, Op::Go { state: 1 }]);
    rules.on(creature, wake, &[Op::Me, Op::Go { state: 0 }]);
    let mut machine = rules.story(&[creature]);
    assert_eq!(number(&machine, 0, failures), 0);
    fire(&mut machine, fall, &[], &[]);
    assert_eq!((number(&machine, 0, failures), number(&machine, 0, order)), (3, 12));
    fire(&mut machine, wake, &[], &[]);
    assert_eq!((number(&machine, 0, failures), number(&machine, 0, order)), (0, 1234));
}

#[test]
fn in_a_final_state_only_what_names_it_or_lasts_for_ever_acts() {
    let mut rules = Rules::new();
    let kind = rules.kind(&["prone", "blind", "scarred", "proud"]);
    let end = rules.event("end", None, &[]);
    let creature = rules.sheet("creature", None, &[("open", &[1]), ("healed", &[])]);
    let slot = rules.track(creature, "conditions", Type::SetOfKind(kind), 0);
    let until = rules.hold(None, HoldKind::States(1));
    let healed = rules.hold(None, HoldKind::States(2));
    let ever = rules.hold(None, HoldKind::Ever);
    for (set, hold) in [(1, Some(until)), (2, None), (4, Some(ever)), (8, Some(healed))] {
        let has = rules.has(0, slot, set, hold);
        rules.of(creature).clauses.has.push(has);
    }
    rules.on(creature, end, &[Op::Me, Op::Go { state: 1 }]);
    let mut machine = rules.story(&[creature]);
    assert_eq!(machine.conditions_of(0, slot).unwrap(), 1 | 2 | 4);
    fire(&mut machine, end, &[], &[]);
    assert_eq!(machine.conditions_of(0, slot).unwrap(), 4 | 8);
}

#[test]
fn a_check_is_followed_by_its_event_which_may_end_a_wait() {
    let mut rules = Rules::new();
    let kind = rules.kind(&["grim"]);
    let check = rules.event("check", None, &[]);
    rules.program.check_event = Some(check);
    let (hit, test) = (rules.event("hit", None, &[]), rules.event("test", None, &[]));
    let creature = rules.sheet("creature", None, OPEN);
    let conditions = rules.track(creature, "conditions", Type::SetOfKind(kind), 0);
    let wait = rules.wait(Wait { any: vec![check], ..Wait::default() });
    rules.on(creature, hit, &[Op::Me, Op::Push(1), Op::Suffer { slot: conditions, wait: Some(wait) }]);
    let die = rules.dice(1, 6);
    let formula = rules.code(&[die, Op::Roll]);
    let passes = rules.code(&[Op::Load(0), Op::Push(4), Op::Compare(crate::dice::Compare::AtLeast)]);
    let params = Vec::new();
    rules.of(creature).checks.push(Check { id: "luck".into(), title: "Luck".into(), params, formula, passes });
    rules.on(creature, test, &[Op::Me, Op::Check { check: 0, args: 0, passes: true }, Op::Drop]);
    let mut machine = rules.story(&[creature]);
    fire(&mut machine, hit, &[], &[]);
    let lines = fire(&mut machine, test, &[], &[5]);
    assert_eq!(lines[1..], ["tirada 1d6: 5", "Luck: 5, lo supera", "estado: − Grim"]);
}
