//! A small assembler for checked rules.

use std::sync::Arc;

use crate::dice::{Dice, Faces, Given, Term};
use crate::program::*;
use crate::run::{Defaults, Fault, FaultKind, Machine, Outcome, Step, Trace, Value, play_out};
use crate::source::Span;

pub const NUMBER: Type = Type::Number { low: i64::MIN, high: i64::MAX };

/// Rules in the making.
#[derive(Default)]
pub struct Rules {
    pub program: Program,
}

pub fn dice(count: i64, faces: i64) -> Dice {
    let faces = Faces::Upto(Dice::Number(faces));
    Dice::Term(Box::new(Term { count: Dice::Number(count), faces, modifiers: Vec::new() }))
}

impl Rules {
    pub fn new() -> Self {
        let mut rules = Rules::default();
        rules.program.system = System { id: "test".into(), title: "Test".into(), lang: "es".into() };
        rules
    }

    pub fn code(&mut self, ops: &[Op]) -> CodeId {
        self.code_with(0, ops)
    }

    /// Code with so many arguments.
    pub fn code_with(&mut self, args: u16, ops: &[Op]) -> CodeId {
        let locals = ops.iter().filter_map(|op| match op {
            Op::Load(local) | Op::Store(local) => Some(*local + 1),
            _ => None,
        });
        let locals = locals.max().unwrap_or(0).max(args);
        let start = self.program.code.len() as u32 * 100;
        let span = Span { start, end: start + 1, ..Span::default() };
        let mut ops = ops.to_vec();
        ops.push(Op::Return);
        self.program.code.push(Code { ops, locals, places: vec![(0, span)], branches: Vec::new() });
        CodeId(self.program.code.len() as u32 - 1)
    }

    pub fn number(&mut self, number: i64) -> CodeId {
        self.code(&[Op::Push(number)])
    }

    pub fn dice(&mut self, count: i64, faces: i64) -> Op {
        self.program.dice.push(Arc::new(dice(count, faces)));
        Op::PushDice(self.program.dice.len() as u32 - 1)
    }

    pub fn kind(&mut self, members: &[&str]) -> KindId {
        let members = members.iter().map(|id| Member { id: (*id).into(), title: capital(id).into() }).collect();
        self.program.kinds.push(Kind { id: "kind".into(), title: "Kind".into(), members });
        KindId(self.program.kinds.len() as u32 - 1)
    }

    pub fn event(&mut self, id: &str, clock: Option<u32>, params: &[Type]) -> EventId {
        let params = params.iter().map(|ty| param("arg", *ty)).collect();
        let title = capital(id).into();
        self.program.events.push(Event {
            id: id.into(),
            title,
            params,
            clock,
            spreading: false,
            span: Span::default(),
        });
        EventId(self.program.events.len() as u32 - 1)
    }

    /// States with what each leads to; one that leads nowhere is final.
    pub fn sheet(&mut self, id: &str, owner: Option<SheetId>, states: &[(&str, &[usize])]) -> SheetId {
        let ty = SheetId(self.program.sheets.len() as u32);
        let states = states.iter().map(|(id, next)| State {
            id: (*id).into(),
            title: (*id).into(),
            is_final: next.is_empty(),
            next: next.iter().fold(0, |bits, next| bits | 1 << next),
        });
        let states = states.collect();
        self.program.sheets.push(Sheet {
            id: id.into(),
            title: capital(id).into(),
            owner,
            base: None,
            slots: vec![slot("state", Type::State(ty), Role::State)],
            values: Vec::new(),
            checks: Vec::new(),
            states,
            state_by: None,
            lists: Vec::new(),
            clauses: Clauses::default(),
            span: Span::default(),
        });
        ty
    }

    pub fn of(&mut self, sheet: SheetId) -> &mut Sheet {
        &mut self.program.sheets[sheet.index()]
    }

    pub fn track(&mut self, sheet: SheetId, id: &str, ty: Type, default: i64) -> u16 {
        let default = self.number(default);
        self.slot(sheet, Slot { default: Some(default), ..slot(id, ty, Role::Track) })
    }

    pub fn slot(&mut self, sheet: SheetId, slot: Slot) -> u16 {
        let slots = &mut self.of(sheet).slots;
        slots.push(slot);
        slots.len() as u16 - 1
    }

    pub fn progress(&mut self, sheet: SheetId) -> u16 {
        self.slot(sheet, slot("block", NUMBER, Role::Progress))
    }

    pub fn value(&mut self, sheet: SheetId, id: &str, ops: &[Op]) -> u16 {
        let formula = self.code(ops);
        let values = &mut self.of(sheet).values;
        values.push(crate::program::Value { id: id.into(), title: id.into(), params: Vec::new(), ty: NUMBER, formula });
        values.len() as u16 - 1
    }

    pub fn hold(&mut self, around: Option<HoldId>, kind: HoldKind) -> HoldId {
        self.program.holds.push(Hold { around, kind, span: Span::default() });
        HoldId(self.program.holds.len() as u32 - 1)
    }

    pub fn wait(&mut self, wait: Wait) -> WaitId {
        self.program.waits.push(wait);
        WaitId(self.program.waits.len() as u32 - 1)
    }

    pub fn handler(&mut self, event: EventId, hold: Option<HoldId>, ops: &[Op]) -> Handler {
        let args = self.program.events[event.index()].params.len() as u16;
        let body = self.code_with(args, ops);
        Handler { event, before: false, hold, guard: None, body, span: Span::default() }
    }

    pub fn on(&mut self, sheet: SheetId, event: EventId, ops: &[Op]) {
        let handler = self.handler(event, None, ops);
        self.of(sheet).clauses.handlers.push(handler);
    }

    pub fn before(&mut self, sheet: SheetId, event: EventId, ops: &[Op]) {
        let handler = Handler { before: true, ..self.handler(event, None, ops) };
        self.of(sheet).clauses.handlers.push(handler);
    }

    pub fn has(&mut self, up: Up, slot: u16, set: i64, hold: Option<HoldId>) -> Has {
        Has { up, slot, what: self.number(set), when: None, hold, span: Span::default() }
    }

    pub fn add(&mut self, up: Up, value: u16, amount: i64, best: bool) -> Add {
        let amount = self.number(amount);
        Add { up, value, args: Vec::new(), amount, best, when: None, hold: None, span: Span::default() }
    }

    pub fn message(&mut self, one: &str, many: Option<&str>) -> MessageId {
        self.program.messages.push(Message {
            path: "test".into(),
            one: one.into(),
            many: many.map(Into::into),
            comment: None,
            names: Vec::new(),
            forms: None,
            span: Span::default(),
        });
        MessageId(self.program.messages.len() as u32 - 1)
    }

    pub fn row(&mut self, id: &str, range: &str, body: Option<CodeId>) -> Row {
        let title = Some(self.message(&capital(id), None));
        Row {
            id: id.into(),
            range: range.into(),
            title,
            prose: None,
            cells: Vec::new(),
            instead: None,
            body,
            shown: Vec::new(),
            clauses: Clauses::default(),
            span: Span::default(),
        }
    }

    /// A table whose rows answer 1, 2, 3 and so on.
    pub fn table(&mut self, key: TableKey, makes: Option<SheetId>, rows: Vec<Row>) -> TableId {
        let answers = (0u32..).take(rows.len()).map(|row| {
            let number = i64::from(row) + 1;
            Answer { low: number, high: number, row }
        });
        self.program.tables.push(Table {
            id: "table".into(),
            title: "Table".into(),
            params: Vec::new(),
            key,
            subject: makes.and_then(|made| self.program.sheets[made.index()].owner),
            makes: makes.map(|sheet| Making { sheet, keeps: Vec::new() }),
            cumulative: false,
            columns: Vec::new(),
            answers: answers.collect(),
            rows,
            otherwise: None,
            span: Span::default(),
        });
        TableId(self.program.tables.len() as u32 - 1)
    }

    pub fn question(&mut self, id: &str, ty: Type) -> QuestionId {
        self.program.questions.push(Question {
            master: false,
            id: id.into(),
            text: None,
            ty,
            several: matches!(ty, Type::Sheets(_)),
            values: Box::new([]),
            span: Span::default(),
        });
        QuestionId(self.program.questions.len() as u32 - 1)
    }

    pub fn scenario(&mut self, ops: &[Op]) -> ScenarioId {
        let code = self.code(ops);
        self.program.scenarios.push(Scenario {
            id: "scenario".into(),
            title: "Scenario".into(),
            params: Vec::new(),
            code,
            cases: Vec::new(),
            dice: None,
            dice_spans: Vec::new(),
            expectations: Vec::new(),
            chances: Vec::new(),
            lines: Vec::new(),
            snapshot: None,
            odds: None,
            span: Span::default(),
            whole: Span::default(),
        });
        ScenarioId(self.program.scenarios.len() as u32 - 1)
    }

    // ── Running ─────────────────────────────────────────────────────────────────────────────

    /// A story with one sheet of each of these types.
    pub fn story(&self, sheets: &[SheetId]) -> Machine<'_> {
        let mut machine = Machine::story(&self.program, &[]);
        for sheet in sheets {
            machine.make(*sheet, &[]).unwrap();
        }
        assert_eq!(machine.advance(&mut ()), Step::Idle);
        machine
    }

    /// The outcome of a scenario, with these dice.
    pub fn run(&self, scenario: ScenarioId, dice: &[i64]) -> (Step, Vec<String>) {
        let mut machine = Machine::scenario(&self.program, &[], scenario, &[]).unwrap();
        let mut trace = Trace::new(&machine);
        let step = play_out(&mut machine, &mut given(dice), &mut Defaults, &mut trace);
        (step, trace.lines())
    }
}

pub fn given(dice: &[i64]) -> Given {
    Given::new(dice.to_vec())
}

/// Sends an event and plays it out; what was told.
pub fn fire(machine: &mut Machine<'_>, event: EventId, args: &[i64], dice: &[i64]) -> Vec<String> {
    let mut trace = Trace::new(machine);
    machine.fire(event, args.iter().map(|n| Value::Number(*n)).collect(), None).unwrap();
    assert_eq!(play_out(machine, &mut given(dice), &mut Defaults, &mut trace), Step::Idle);
    trace.lines()
}

/// Sends an event and plays it out to a fault.
pub fn fail(machine: &mut Machine<'_>, event: EventId, args: &[i64]) -> Fault {
    machine.fire(event, args.iter().map(|n| Value::Number(*n)).collect(), None).unwrap();
    match play_out(machine, &mut given(&[]), &mut Defaults, &mut ()) {
        Step::Fault(fault) => fault,
        other => panic!("{other:?}"),
    }
}

pub fn number(machine: &Machine<'_>, sheet: usize, slot: u16) -> i64 {
    machine.state().sheets[sheet].slots[usize::from(slot)].number().unwrap()
}

pub fn outcome(step: &Step) -> &Outcome {
    match step {
        Step::Finished(outcome) => outcome,
        other => panic!("{other:?}"),
    }
}

pub fn kind(step: Step) -> FaultKind {
    match step {
        Step::Fault(fault) => fault.kind,
        other => panic!("{other:?}"),
    }
}

pub fn slot(id: &str, ty: Type, role: Role) -> Slot {
    Slot {
        id: id.into(),
        title: capital(id).into(),
        ty,
        role,
        default: None,
        low: None,
        high: None,
        stops: false,
        anew: None,
        hold: None,
        span: Span::default(),
    }
}

pub fn param(id: &str, ty: Type) -> Param {
    Param { id: id.into(), title: id.into(), ty, default: None, choices: None }
}

pub fn capital(id: &str) -> String {
    let mut letters = id.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// `slot of me = change(value)`.
pub fn set(slot: u16, change: Change, value: i64) -> [Op; 3] {
    [Op::Me, Op::Push(value), Op::Set { slot, change }]
}

/// Tells what order things happen in: multiplies a track by ten and adds a digit.
pub fn mark(slot: u16, digit: i64) -> Vec<Op> {
    let to = Op::Set { slot, change: Change::To };
    vec![Op::Me, Op::Me, Op::Slot(slot), Op::Push(10), Op::Multiply, Op::Push(digit), Op::Add, to]
}

/// Likewise on the owner of the sheet.
pub fn mark_owner(slot: u16, digit: i64) -> Vec<Op> {
    let to = Op::Set { slot, change: Change::To };
    let old = [Op::Me, Op::Owner, Op::Me, Op::Owner, Op::Slot(slot), Op::Push(10), Op::Multiply];
    old.into_iter().chain([Op::Push(digit), Op::Add, to]).collect()
}
