//! The rulings on events, states, rows and choices, each by its number.

use super::build::*;
use crate::program::*;
use crate::run::{FaultKind, Machine, Step, Trace, Value, play_out};

const OPEN: &[(&str, &[usize])] = &[("alive", &[1]), ("dead", &[])];

#[test]
fn ruling_1_arguments_are_worked_out_once_for_all_who_are_hit() {
    let mut rules = Rules::new();
    let hit = rules.event("hit", None, &[NUMBER]);
    let creature = rules.sheet("creature", None, OPEN);
    let hp = rules.track(creature, "hp", NUMBER, 10);
    rules.on(creature, hit, &[Op::Me, Op::Load(0), Op::Set { slot: hp, change: Change::Down }]);
    let die = rules.dice(1, 6);
    let mut ops = vec![];
    for _ in 0..2 {
        ops.extend([Op::New(creature), Op::Copy, Op::Default { slot: hp }, Op::Drop]);
    }
    ops.extend([die, Op::Roll, Op::Fire { event: hit, args: 1, to: false }]);
    ops.extend([Op::Everyone(creature), Op::Push(1), Op::Nth, Op::Slot(hp), Op::Finish(Box::new([NUMBER]))]);
    let scenario = rules.scenario(&ops);
    let (step, lines) = rules.run(scenario, &[4]);
    assert_eq!(outcome(&step).text(&rules.program), "6");
    assert_eq!(
        lines,
        [
            "tirada 1d6: 4",
            "> Creature, Hit (4)",
            "> Creature 2, Hit (4)",
            "Creature, hp: 10 → 6",
            "Creature 2, hp: 10 → 6"
        ]
    );
}

#[test]
fn ruling_1_the_side_not_needed_is_not_rolled() {
    let mut rules = Rules::new();
    let die = rules.dice(1, 6);
    let scenario = rules.scenario(&[
        Op::Push(0),
        Op::JumpUnless(5),
        die,
        Op::Roll,
        Op::Drop,
        Op::Push(7),
        Op::Finish(Box::new([NUMBER])),
    ]);
    assert_eq!(outcome(&rules.run(scenario, &[]).0).text(&rules.program), "7");
}

#[test]
fn ruling_2_all_before_then_all_on_the_sheet_first_then_what_is_attached() {
    let mut rules = Rules::new();
    let blow = rules.event("blow", None, &[]);
    let creature = rules.sheet("creature", None, OPEN);
    let order = rules.track(creature, "order", NUMBER, 0);
    let wound = rules.sheet("wound", Some(creature), OPEN);
    rules.on(wound, blow, &mark_owner(order, 4));
    rules.before(wound, blow, &mark_owner(order, 2));
    rules.on(creature, blow, &mark(order, 3));
    rules.before(creature, blow, &mark(order, 1));
    let hurt = rules.event("hurt", None, &[]);
    let row = rules.row("cut", "1", None);
    let one = rules.number(1);
    let table = rules.table(TableKey::Dice(one), Some(wound), vec![row]);
    rules.on(creature, hurt, &[Op::Happen { table, args: 0, on: On::Up(0) }]);
    let mut machine = rules.story(&[creature]);
    fire(&mut machine, hurt, &[], &[]);
    fire(&mut machine, blow, &[], &[]);
    assert_eq!(number(&machine, 0, order), 1234);
}

#[test]
fn ruling_2_guards_of_on_are_read_when_all_before_is_over() {
    let mut rules = Rules::new();
    let night = rules.event("night", None, &[]);
    let creature = rules.sheet("creature", None, OPEN);
    let spared = rules.track(creature, "spared", Type::YesNo, 0);
    let sick = rules.track(creature, "sick", Type::YesNo, 0);
    rules.before(creature, night, &set(spared, Change::To, 1));
    let guard = rules.code(&[Op::Me, Op::Slot(spared), Op::Not]);
    let handler = Handler { guard: Some(guard), ..rules.handler(night, None, &set(sick, Change::To, 1)) };
    rules.of(creature).clauses.handlers.push(handler);
    let mut machine = rules.story(&[creature]);
    fire(&mut machine, night, &[], &[]);
    assert_eq!(number(&machine, 0, sick), 0);
}

#[test]
fn ruling_2_newcomers_do_not_hear_it_and_a_block_that_has_ended_is_skipped() {
    let mut rules = Rules::new();
    let blow = rules.event("blow", None, &[]);
    let creature = rules.sheet("creature", None, &[("calm", &[1]), ("angry", &[0])]);
    let order = rules.track(creature, "order", NUMBER, 0);
    let wound = rules.sheet("wound", Some(creature), OPEN);
    rules.on(wound, blow, &mark_owner(order, 9));
    let row = rules.row("cut", "1", None);
    let one = rules.number(1);
    let table = rules.table(TableKey::Dice(one), Some(wound), vec![row]);
    let mut ops = mark(order, 1);
    ops.extend([Op::Happen { table, args: 0, on: On::Up(0) }, Op::Me, Op::Go { state: 1 }]);
    rules.on(creature, blow, &ops);
    let calm = rules.hold(None, HoldKind::States(1));
    let late = rules.handler(blow, Some(calm), &mark(order, 8));
    rules.of(creature).clauses.handlers.push(late);
    let mut machine = rules.story(&[creature]);
    fire(&mut machine, blow, &[], &[]);
    assert_eq!(number(&machine, 0, order), 1);
    assert_eq!(machine.state().sheets.len(), 2);
}

#[test]
fn ruling_2_nested_events_run_to_their_end_at_once() {
    let mut rules = Rules::new();
    let (outer, inner) = (rules.event("outer", None, &[]), rules.event("inner", None, &[]));
    let creature = rules.sheet("creature", None, OPEN);
    let order = rules.track(creature, "order", NUMBER, 0);
    let mut ops = mark(order, 1);
    ops.push(Op::Fire { event: inner, args: 0, to: false });
    ops.extend(mark(order, 3));
    rules.on(creature, outer, &ops);
    rules.on(creature, inner, &mark(order, 2));
    let mut machine = rules.story(&[creature]);
    fire(&mut machine, outer, &[], &[]);
    assert_eq!(number(&machine, 0, order), 123);
}

#[test]
fn ruling_3_an_arrow_ends_its_own_handler_and_the_caller_goes_on() {
    let mut rules = Rules::new();
    let (outer, fall) = (rules.event("outer", None, &[]), rules.event("fall", None, &[]));
    let creature = rules.sheet("creature", None, &[("up", &[1]), ("down", &[0])]);
    let order = rules.track(creature, "order", NUMBER, 0);
    let mut ops = vec![Op::Fire { event: fall, args: 0, to: false }];
    ops.extend(mark(order, 1));
    rules.on(creature, outer, &ops);
    let mut ops = vec![Op::Me, Op::Go { state: 1 }, Op::Return];
    ops.extend(mark(order, 9));
    rules.on(creature, fall, &ops);
    let mut machine = rules.story(&[creature]);
    let lines = fire(&mut machine, outer, &[], &[]);
    assert_eq!(lines, ["> Outer", "> Fall", "Creature: up → down", "order: 0 → 1"]);
}

#[test]
fn ruling_3_a_handler_whose_block_ends_under_it_stops_and_a_final_state_ends_all() {
    let mut rules = Rules::new();
    let (turn, heal, die) =
        (rules.event("turn", None, &[]), rules.event("heal", None, &[]), rules.event("die", None, &[]));
    let creature = rules.sheet("creature", None, &[("dying", &[1, 2]), ("awake", &[2]), ("dead", &[])]);
    let order = rules.track(creature, "order", NUMBER, 0);
    let dying = rules.hold(None, HoldKind::States(1));
    let mut ops = vec![Op::Fire { event: heal, args: 0, to: false }, Op::StillHolds];
    ops.extend(mark(order, 9));
    let handler = rules.handler(turn, Some(dying), &ops);
    rules.of(creature).clauses.handlers.push(handler);
    rules.on(creature, heal, &[Op::Me, Op::Go { state: 1 }, Op::Return]);
    let mut ops = vec![Op::Me, Op::Go { state: 2 }, Op::StillHolds];
    ops.extend(mark(order, 9));
    rules.on(creature, die, &ops);
    let mut machine = rules.story(&[creature]);
    fire(&mut machine, turn, &[], &[]);
    fire(&mut machine, die, &[], &[]);
    fire(&mut machine, turn, &[], &[]);
    fire(&mut machine, heal, &[], &[]);
    assert_eq!(number(&machine, 0, order), 0);
    assert_eq!(machine.state_of(0).unwrap(), 2);
}

#[test]
fn ruling_4_entering_fires_once_after_the_handler_and_a_jump_skips_the_rows_between() {
    let mut rules = Rules::new();
    let hurt = rules.event("hurt", None, &[]);
    let creature = rules.sheet("creature", None, &[("well", &[]), ("ill", &[]), ("worse", &[])]);
    for state in &mut rules.of(creature).states {
        state.is_final = false;
    }
    let health = rules.track(creature, "health", NUMBER, 3);
    let order = rules.track(creature, "order", NUMBER, 0);
    let answers = [(3, i64::MAX, 0), (2, 2, 1), (i64::MIN, 1, 2)].map(|(low, high, row)| Answer { low, high, row });
    rules.of(creature).state_by = Some(StateBy { slot: health, answers: answers.to_vec() });
    for (state, digit) in [(1, 7), (2, 2)] {
        let hold = rules.hold(None, HoldKind::States(1 << state));
        let slot = rules.progress(creature);
        let enter = Some(rules.code(&mark(order, digit)));
        let phase = Phase { hold, slot, amount: None, tracks: vec![], enter, leave: None, then: None };
        rules.of(creature).clauses.phases.push(phase);
    }
    let mut ops = set(health, Change::Down, 1).to_vec();
    ops.extend(set(health, Change::Down, 1));
    ops.extend(mark(order, 1));
    rules.on(creature, hurt, &ops);
    let mut machine = rules.story(&[creature]);
    let lines = fire(&mut machine, hurt, &[], &[]);
    assert_eq!(lines.last().map(String::as_str), Some("order: 1 → 12"));
    assert!(lines.contains(&"Creature: well → worse".to_owned()), "{lines:?}");
}

#[test]
fn ruling_9_values_are_their_formula_and_what_is_added_of_best_only_the_greatest() {
    let mut rules = Rules::new();
    let creature = rules.sheet("creature", None, OPEN);
    let value = rules.value(creature, "armour", &[Op::Push(10)]);
    for (amount, best) in [(1, false), (2, false), (5, true), (7, true)] {
        let add = rules.add(0, value, amount, best);
        rules.of(creature).clauses.adds.push(add);
    }
    let machine = rules.story(&[creature]);
    assert_eq!(machine.value_of(0, value, &[]).unwrap(), Value::Number(20));
}

/// A creature that suffers a row, which makes a wound, rolls and tells.
fn wounds() -> (Rules, SheetId, EventId, u16, TableId) {
    let mut rules = Rules::new();
    let made = rules.event("made", None, &[]);
    let hurt = rules.event("hurt", None, &[]);
    let creature = rules.sheet("creature", None, OPEN);
    let order = rules.track(creature, "order", NUMBER, 0);
    let wound = rules.sheet("wound", Some(creature), &[("open", &[1]), ("closed", &[])]);
    rules.on(wound, made, &mark_owner(order, 1));
    rules.of(creature).lists.push(List { id: "wounds".into(), title: "Wounds".into(), sheet: wound, most: 2 });
    let die = rules.dice(1, 10);
    let mut body = vec![die.clone(), Op::Roll, Op::Store(0)];
    body.extend(mark_owner(order, 2));
    let body = rules.code(&body);
    let prose = rules.message("Una palabra.", Some("Quedan {words} palabras."));
    let shown = Shown { name: "words".into(), local: 0, dice: Some("1d10".into()), ty: NUMBER };
    let mut first = rules.row("first", "1", None);
    first.instead = Some(Instead { row: 1, when: None });
    let second = Row { prose: Some(prose), shown: vec![shown], ..rules.row("second", "2", Some(body)) };
    let d2 = rules.dice(1, 2);
    let key = rules.code(&[d2]);
    let table = rules.table(TableKey::Dice(key), Some(wound), vec![first, second]);
    let mut ops = vec![Op::Happen { table, args: 0, on: On::Up(0) }];
    ops.extend(mark(order, 3));
    rules.on(creature, hurt, &ops);
    (rules, creature, hurt, order, table)
}

#[test]
fn ruling_10_redirect_then_the_sheet_then_the_body_then_title_and_text() {
    let (rules, creature, hurt, order, _) = wounds();
    let mut machine = rules.story(&[creature]);
    let lines = fire(&mut machine, hurt, &[], &[1, 7]);
    assert_eq!(
        lines,
        [
            "> Hurt",
            "tirada 1d2: 1",
            "en su lugar: 2  Second",
            "order: 0 → 1",
            "tirada 1d10: 7",
            "order: 1 → 12",
            "2  Second",
            "    Quedan 7 palabras.",
            "order: 12 → 123"
        ]
    );
    assert_eq!(number(&machine, 0, order), 123);
    assert_eq!(fire(&mut machine, hurt, &[], &[2, 1])[6], "    Una palabra.");
}

#[test]
fn ruling_10_a_list_that_is_full_takes_no_further_sheet() {
    let (rules, creature, hurt, _, _) = wounds();
    let mut machine = rules.story(&[creature]);
    for _ in 0..2 {
        fire(&mut machine, hurt, &[], &[2, 5]);
    }
    machine.fire(hurt, vec![], None).unwrap();
    let step = play_out(&mut machine, &mut given(&[2]), &mut crate::run::Defaults, &mut ());
    assert_eq!(kind(step), FaultKind::List { owner: creature, list: 0, count: 3, most: 2 });
}

#[test]
fn ruling_11_a_table_read_by_itself_runs_no_body_and_shows_the_dice() {
    let (rules, _, _, _, table) = wounds();
    let mut machine = Machine::reading(&rules.program, &[], table, &[]).unwrap();
    let mut trace = Trace::new(&machine);
    let step = play_out(&mut machine, &mut given(&[2]), &mut crate::run::Defaults, &mut trace);
    assert_eq!(outcome(&step).text(&rules.program), "second");
    assert_eq!(trace.lines(), ["tirada 1d2: 2", "2  Second", "    Quedan 1d10 palabras."]);
    assert!(machine.state().sheets.is_empty());
}

#[test]
fn cumulative_tables_let_every_row_reached_happen() {
    let mut rules = Rules::new();
    let hurt = rules.event("hurt", None, &[NUMBER]);
    let creature = rules.sheet("creature", None, OPEN);
    let order = rules.track(creature, "order", NUMBER, 0);
    let rows = (1..=3).map(|digit| {
        let body = rules.code_with(1, &mark(order, digit));
        rules.row(&format!("row{digit}"), &digit.to_string(), Some(body))
    });
    let rows = rows.collect();
    let table = rules.table(TableKey::Number, None, rows);
    let entry = &mut rules.program.tables[table.index()];
    entry.cumulative = true;
    entry.params = vec![param("key", NUMBER)];
    entry.subject = Some(creature);
    rules.on(creature, hurt, &[Op::Load(0), Op::Happen { table, args: 1, on: On::Up(0) }]);
    let mut machine = rules.story(&[creature]);
    fire(&mut machine, hurt, &[2], &[]);
    assert_eq!(number(&machine, 0, order), 12);
}

#[test]
fn ruling_12_given_fires_nothing_and_keeps_what_is_given() {
    let mut rules = Rules::new();
    let creature = rules.sheet("creature", None, &[("awake", &[1]), ("dying", &[0])]);
    let order = rules.track(creature, "order", NUMBER, 0);
    let hold = rules.hold(None, HoldKind::States(2));
    let failures = rules.track(creature, "failures", NUMBER, 5);
    let successes = rules.track(creature, "successes", NUMBER, 4);
    for track in [failures, successes] {
        rules.of(creature).slots[usize::from(track)].hold = Some(hold);
    }
    let slot = rules.progress(creature);
    let enter = Some(rules.code(&mark(order, 9)));
    let tracks = vec![failures, successes];
    rules.of(creature).clauses.phases.push(Phase { hold, slot, amount: None, tracks, enter, leave: None, then: None });
    let finish = Op::Finish(Box::new([NUMBER, NUMBER, NUMBER]));
    let ops = [
        Op::New(creature),
        Op::Store(0),
        Op::Load(0),
        Op::Push(2),
        Op::Give { slot: failures },
        Op::Load(0),
        Op::GiveState { state: 1 },
        Op::Load(0),
        Op::Settle,
        Op::Load(0),
        Op::Slot(failures),
        Op::Load(0),
        Op::Slot(successes),
        Op::Load(0),
        Op::Slot(order),
        finish,
    ];
    let scenario = rules.scenario(&ops);
    let (step, lines) = rules.run(scenario, &[]);
    assert_eq!(outcome(&step).text(&rules.program), "2/4/0");
    assert!(lines.is_empty(), "{lines:?}");
}

#[test]
fn ruling_14_a_spreading_event_reaches_each_sheet_once_a_cascade() {
    let mut rules = Rules::new();
    let panic = rules.event("panic", None, &[]);
    rules.program.events[panic.index()].spreading = true;
    let creature = rules.sheet("creature", None, OPEN);
    let heard = rules.track(creature, "heard", NUMBER, 0);
    let mut ops = set(heard, Change::Up, 1).to_vec();
    for other in 0..3 {
        ops.extend([Op::Everyone(creature), Op::Push(other), Op::Nth, Op::Fire { event: panic, args: 0, to: true }]);
    }
    rules.on(creature, panic, &ops);
    let mut machine = rules.story(&[creature, creature, creature]);
    machine.fire(panic, vec![], Some(1)).unwrap();
    assert_eq!(machine.advance(&mut ()), Step::Idle);
    assert_eq!([0, 1, 2].map(|sheet| number(&machine, sheet, heard)), [1, 1, 1]);
}

#[test]
fn ruling_16_a_choice_without_an_answer_takes_its_default_and_is_named() {
    let mut rules = Rules::new();
    let question = rules.question("spend", Type::Number { low: 0, high: 6 });
    let ask = |rest: &[Op]| {
        let mut ops = rest.to_vec();
        ops.extend([Op::Push(0), Op::Push(6), Op::Push(2), Op::Ask(question), Op::Finish(Box::new([NUMBER]))]);
        ops
    };
    let (asked, answered) = (ask(&[]), ask(&[Op::Push(5), Op::Answer("spend".into())]));
    let wrong = ask(&[Op::Push(7), Op::Answer("spend".into())]);
    let [asked, answered, wrong] = [asked, answered, wrong].map(|ops| rules.scenario(&ops));
    let (step, lines) = rules.run(asked, &[]);
    assert_eq!((outcome(&step).text(&rules.program), lines), ("2".into(), vec!["spend: 2 (por defecto)".into()]));
    let (step, lines) = rules.run(answered, &[]);
    assert_eq!((outcome(&step).text(&rules.program), lines), ("5".into(), vec!["spend: 5".into()]));
    let fault = kind(rules.run(wrong, &[]).0);
    assert_eq!(fault, FaultKind::Answer { question, value: 7, least: 0, most: 6 });
}

#[test]
fn ruling_17_random_of_nothing_is_none_and_what_is_sent_with_it_is_not_sent() {
    let mut rules = Rules::new();
    let sides = rules.kind(&["left", "right"]);
    let drop = rules.event("drop", None, &[Type::Kind { kind: sides, or_none: false }]);
    let go = rules.event("go", None, &[]);
    let creature = rules.sheet("creature", None, OPEN);
    let holding = rules.track(creature, "holding", Type::SetOfKind(sides), 3);
    let pick = [Op::Me, Op::Slot(holding), Op::PickMember(Type::SetOfKind(sides))];
    let mut ops = pick.to_vec();
    ops.push(Op::Fire { event: drop, args: 1, to: false });
    rules.on(creature, go, &ops);
    let down = Op::Set { slot: holding, change: Change::Down };
    rules.on(creature, drop, &[Op::Me, Op::Load(0), Op::Single, down]);
    let mut machine = rules.story(&[creature]);
    assert_eq!(
        fire(&mut machine, go, &[], &[2]),
        ["> Go", "al azar 1d2: 2 → Right", "> Drop (Right)", "holding: Left, Right → Left"]
    );
    assert_eq!(fire(&mut machine, go, &[], &[])[1..], ["> Drop (Left)", "holding: Left → ninguno"]);
    assert_eq!(fire(&mut machine, go, &[], &[])[1..], ["Drop: no ocurre: no hay a qué se refiera"]);
}

#[test]
fn what_is_forbidden_does_not_happen_and_who_forbids_is_told() {
    let mut rules = Rules::new();
    let (act, hurt) = (rules.event("act", None, &[NUMBER]), rules.event("hurt", None, &[]));
    let creature = rules.sheet("creature", None, OPEN);
    let order = rules.track(creature, "order", NUMBER, 0);
    let wound = rules.sheet("wound", Some(creature), OPEN);
    rules.on(creature, act, &mark(order, 1));
    let one = rules.number(1);
    let mut row = rules.row("cut", "1", None);
    let what = Forbidden::Event { event: act, args: vec![Some(Pattern::Equal(one))] };
    row.clauses.cannot.push(Cannot { up: 1, what, when: None, hold: None, span: Default::default() });
    let table = rules.table(TableKey::Dice(one), Some(wound), vec![row]);
    rules.on(creature, hurt, &[Op::Happen { table, args: 0, on: On::Up(0) }]);
    let mut machine = rules.story(&[creature]);
    fire(&mut machine, hurt, &[], &[]);
    assert_eq!(fire(&mut machine, act, &[1], &[]), ["no puede: Act (por Cut)"]);
    assert_eq!(fire(&mut machine, act, &[2], &[]), ["> Act (2)", "order: 0 → 1"]);
}
