//! For a row that no scenario reaches, a scenario ready to paste that does, its dice given.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::coverage::clauses;
use crate::dice::{DiceSource, Given, NoDie, Recorded, Seeded, Shape};
use crate::program::{Cell, EventId, NONE, Program, Role, SheetId, TableId, TableKey, Type};
use crate::run::{Defaults, Machine, Note, Observer, Step, Value, play_out, value_id};

/// How many stories are tried for each kind of sheet.
const TRIES: u64 = 2_000;
/// How many events a story has at most.
const EVENTS: u64 = 5;
/// How many readings of a table are tried.
const READINGS: u64 = 4_000;

/// A row of a table.
type At = (TableId, u32);

/// For each of these rows that can be reached shortly, a scenario that does; the text of an item.
/// The search is bounded and always goes the same way. Whether the rules accept the scenario is for
/// the caller to find out.
pub fn scenarios(program: &Program, options: &[u32], rows: &[At]) -> BTreeMap<At, String> {
    let mut found = BTreeMap::new();
    let mut left: Vec<At> = rows.to_vec();
    left.sort_unstable();
    read(program, options, &mut left, &mut found);
    for (index, sheet) in (0u32..).zip(&program.sheets) {
        if !left.is_empty() && sheet.owner.is_none() {
            play(program, options, SheetId(index), &mut left, &mut found);
        }
    }
    found
}

fn does(program: &Program, (table, row): At) -> bool {
    super::play::does(&program.tables[table.index()], row)
}

fn name(program: &Program, (table, row): At) -> String {
    let table = &program.tables[table.index()];
    let name = format!("{}_{}", table.id, table.rows[row as usize].id);
    let taken = |name: &str| program.scenarios.iter().any(|scenario| scenario.id == name);
    if taken(&name) { format!("{name}_row") } else { name }
}

// ── Rows that are only read ─────────────────────────────────────────────────────────────────

fn read(program: &Program, options: &[u32], left: &mut Vec<At>, found: &mut BTreeMap<At, String>) {
    let tables: std::collections::BTreeSet<TableId> = left.iter().map(|(table, _)| *table).collect();
    for table in tables {
        let entry = &program.tables[table.index()];
        match entry.key {
            TableKey::Dice(_) if entry.params.iter().all(|param| param.default.is_some()) => {
                for seed in 0..READINGS {
                    if !left.iter().any(|at| at.0 == table && !does(program, *at)) {
                        break;
                    }
                    let Ok(mut machine) = Machine::reading(program, options, table, &[]) else { break };
                    let mut dice = Recorded::new(Biased::new(seed));
                    let mut seen = Seen::default();
                    if !matches!(play_out(&mut machine, &mut dice, &mut Defaults, &mut seen), Step::Finished(_)) {
                        continue;
                    }
                    let Some(at) = seen.rows.last().map(|(at, _)| *at) else { continue };
                    if does(program, at) || !left.contains(&at) {
                        continue;
                    }
                    left.retain(|row| *row != at);
                    let values = dice.throws().iter().map(|throw| throw.value).collect::<Vec<_>>();
                    let row = &entry.rows[at.1 as usize].id;
                    let text = format!(
                        "scenario {} {{\n{}  found = roll {}\n  then found == {row}\n}}\n",
                        name(program, at),
                        dice_line(&values),
                        entry.id
                    );
                    found.insert(at, text);
                }
            }
            TableKey::Dice(_) => {}
            _ => {
                for (index, row) in (0u32..).zip(&entry.rows) {
                    let at = (table, index);
                    let only_key = entry.params.iter().skip(1).all(|param| param.default.is_some());
                    if !left.contains(&at) || does(program, at) || !only_key {
                        continue;
                    }
                    let answer = entry.answers.iter().find(|answer| answer.row == index).map(|answer| answer.low);
                    let Some(key) = answer.or_else(|| unanswered(program, entry)) else { continue };
                    let Some(ty) = entry.params.first().map(|param| param.ty) else { continue };
                    let cells = entry.columns.iter().zip(&row.cells);
                    let cell = cells.into_iter().find_map(|(column, cell)| match cell {
                        Cell::Value(value) => Some((column, value_id(program, column.ty, &Value::Number(*value)))),
                        _ => None,
                    });
                    let Some((column, value)) = cell else { continue };
                    let key = value_id(program, ty, &Value::Number(key));
                    left.retain(|row| *row != at);
                    let text = format!(
                        "scenario {} {{\n  then {}({key}).{} == {value}\n}}\n",
                        name(program, at),
                        entry.id,
                        column.id,
                    );
                    found.insert(at, text);
                }
            }
        }
    }
}

/// A key that no row names: for `else`.
fn unanswered(program: &Program, table: &crate::program::Table) -> Option<i64> {
    let (low, high) = match table.params.first()?.ty {
        Type::Number { low, high } => (low.max(-1_000), high.min(1_000)),
        Type::Kind { kind, .. } => (0, program.kinds.get(kind.index())?.members.len() as i64 - 1),
        Type::Row { table, .. } => (0, program.tables.get(table.index())?.rows.len() as i64 - 1),
        _ => return None,
    };
    (low..=high).find(|key| !table.answers.iter().any(|answer| (answer.low..=answer.high).contains(key)))
}

// ── Rows that happen ────────────────────────────────────────────────────────────────────────

/// One event of a story, and the dice thrown for it.
#[derive(Debug, Clone)]
struct Sent {
    event: EventId,
    args: Vec<Value>,
    dice: Vec<i64>,
}

fn play(program: &Program, options: &[u32], sheet: SheetId, left: &mut Vec<At>, found: &mut BTreeMap<At, String>) {
    let mut events: Vec<EventId> =
        clauses(program).flat_map(|(_, clauses)| clauses.handlers.iter().map(|handler| handler.event)).collect();
    events.sort_unstable();
    events.dedup();
    events.retain(|event| {
        let event = &program.events[event.index()];
        event.params.iter().all(|param| takes(param.ty)) && !matches!(event.id.as_str(), "made" | "enter" | "leave")
    });
    if events.is_empty() {
        return;
    }
    for attempt in 0..TRIES {
        if left.is_empty() {
            return;
        }
        let mut choice = Seeded::new(attempt);
        let count = 1 + attempt * EVENTS / TRIES;
        let mut story = Vec::new();
        for _ in 0..count {
            let event = events[pick(&mut choice, events.len())];
            let params = &program.events[event.index()].params;
            let args = params.iter().map(|param| some(program, param.ty, &mut choice)).collect();
            story.push(Sent { event, args, dice: Vec::new() });
        }
        let mut dice = Recorded::new(Biased::new(attempt));
        let Some((seen, given)) = told(program, options, sheet, &mut story, &mut dice) else { continue };
        for (at, event) in seen {
            if !left.contains(&at) || !does(program, at) {
                continue;
            }
            let mut short = story[..=event].to_vec();
            // The last event alone, where that is enough.
            let mut last = vec![Sent { dice: Vec::new(), ..short[event].clone() }];
            let values: Vec<i64> = given.iter().chain(&short[event].dice).copied().collect();
            let mut again = Recorded::new(Given::new(values));
            if let Some((seen, _)) = told(program, options, sheet, &mut last, &mut again)
                && seen.iter().any(|(seen, _)| *seen == at)
            {
                short = last;
            }
            let Some(text) = written(program, options, sheet, at, &given, &short) else { continue };
            left.retain(|row| *row != at);
            found.insert(at, text);
        }
    }
}

/// The rows that happened, each with the number of its event.
type Happened = Vec<(At, usize)>;

/// Plays a story: which rows happened at which event, and the dice of the sheet's own beginning.
fn told<S: DiceSource>(
    program: &Program,
    options: &[u32],
    sheet: SheetId,
    story: &mut [Sent],
    dice: &mut Recorded<S>,
) -> Option<(Happened, Vec<i64>)> {
    let mut machine = Machine::story(program, options);
    machine.make(sheet, &[]).ok()?;
    let mut seen = Seen::default();
    let idle = |step| matches!(step, Step::Idle);
    if !idle(play_out(&mut machine, dice, &mut Defaults, &mut seen)) {
        return None;
    }
    let values = |dice: &Recorded<S>, from: usize| dice.throws()[from..].iter().map(|throw| throw.value).collect();
    let given: Vec<i64> = values(dice, 0);
    let mut rows: Happened = Vec::new();
    for (index, sent) in story.iter_mut().enumerate() {
        let (from, before) = (dice.throws().len(), seen.rows.len());
        machine.fire(sent.event, sent.args.clone(), None).ok()?;
        if !idle(play_out(&mut machine, dice, &mut Defaults, &mut seen)) {
            break;
        }
        sent.dice = values(dice, from);
        let happened = seen.rows[before..].iter().filter(|(_, happened)| *happened);
        rows.extend(happened.map(|(at, _)| (*at, index)));
    }
    Some((rows, given))
}

fn written(
    program: &Program,
    options: &[u32],
    sheet: SheetId,
    at: At,
    given: &[i64],
    story: &[Sent],
) -> Option<String> {
    let ty = &program.sheets[sheet.index()];
    let mut text = format!("scenario {} {{\n  given {}\n", name(program, at), ty.id);
    let dice: Vec<i64> = given.iter().chain(story.iter().flat_map(|sent| &sent.dice)).copied().collect();
    text.push_str(&dice_line(&dice));
    let mut machine = Machine::story(program, options);
    machine.make(sheet, &[]).ok()?;
    let mut source = Given::new(dice);
    play_out(&mut machine, &mut source, &mut Defaults, &mut ());
    for sent in story {
        let event = &program.events[sent.event.index()];
        let args = event.params.iter().zip(&sent.args);
        let args: Vec<String> = args.map(|(param, arg)| value_id(program, param.ty, arg)).collect();
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        let _ = writeln!(text, "  when {}{args}", event.id);
        machine.fire(sent.event, sent.args.clone(), None).ok()?;
        play_out(&mut machine, &mut source, &mut Defaults, &mut ());
    }
    let first = machine.state().sheets.first()?;
    let state = first.slots.first().and_then(Value::number).and_then(|state| usize::try_from(state).ok());
    let state = state.and_then(|state| ty.states.get(state)).filter(|_| ty.state_by.is_none());
    let track =
        ty.slots.iter().zip(&first.slots).find(|(slot, _)| {
            slot.role == Role::Track && slot.hold.is_none() && matches!(slot.ty, Type::Number { .. })
        });
    match (state, track) {
        (Some(state), _) => text.push_str(&format!("  then {}\n}}\n", state.id)),
        (None, Some((slot, value))) => {
            text.push_str(&format!("  then {} == {}\n}}\n", slot.id, value_id(program, slot.ty, value)));
        }
        (None, None) => text.push_str("  snapshot\n}\n"),
    }
    Some(text)
}

fn dice_line(values: &[i64]) -> String {
    if values.is_empty() {
        return String::new();
    }
    let values: Vec<String> = values.iter().map(i64::to_string).collect();
    format!("  dice {}\n", values.join(" "))
}

/// Whether an argument of this type can be made up.
fn takes(ty: Type) -> bool {
    match ty {
        Type::Number { .. } | Type::YesNo | Type::Kind { .. } | Type::Row { .. } | Type::SetOfKind(_) => true,
        Type::Sheet { or_none, .. } => or_none,
        _ => false,
    }
}

fn pick(choice: &mut Seeded, among: usize) -> usize {
    let faces = u32::try_from(among).unwrap_or(u32::MAX).max(1);
    choice.die(Shape::Upto(faces)).map_or(0, |face| face as usize - 1)
}

fn some(program: &Program, ty: Type, choice: &mut Seeded) -> Value {
    Value::Number(match ty {
        Type::Number { low, high } => {
            let low = low.max(-20);
            let high = high.min(low.saturating_add(40));
            low + pick(choice, usize::try_from(high - low + 1).unwrap_or(1)) as i64
        }
        Type::YesNo => pick(choice, 2) as i64,
        Type::Kind { kind, .. } => pick(choice, program.kinds[kind.index()].members.len()) as i64,
        Type::Row { table, .. } => pick(choice, program.tables[table.index()].rows.len()) as i64,
        Type::SetOfKind(kind) => 1 << pick(choice, program.kinds[kind.index()].members.len()).min(62),
        _ => NONE,
    })
}

/// The rows seen, and whether each happened.
#[derive(Default)]
struct Seen {
    rows: Vec<(At, bool)>,
}

impl Observer for Seen {
    fn note(&mut self, note: Note<'_>) {
        if let Note::Row { table, row, locals, .. } = note {
            self.rows.push(((table, row), locals.is_some()));
        }
    }

    fn settled(&mut self, _: &Machine<'_>, _: bool) {}
}

/// Dice that show their highest or lowest face more often in some stories than in others.
struct Biased {
    dice: Seeded,
    towards: Option<bool>,
}

impl Biased {
    fn new(seed: u64) -> Self {
        let towards = match seed % 4 {
            1 => Some(true),
            3 => Some(false),
            _ => None,
        };
        Biased { dice: Seeded::new(seed), towards }
    }
}

impl DiceSource for Biased {
    fn die(&mut self, shape: Shape<'_>) -> Result<i64, NoDie> {
        let fair = self.dice.die(shape)?;
        match self.towards {
            Some(high) if self.dice.die(Shape::Upto(3))? > 1 => {
                Ok(shape.value(if high { shape.count().saturating_sub(1) } else { 0 }))
            }
            _ => Ok(fair),
        }
    }
}
