//! What faults of a run are called, in words.

use super::fault::{Fault, FaultKind, Limit, Taker};
use crate::diagnostics::{Code, Diagnostic};
use crate::program::{Param, Program, SheetId};
use crate::say;
use crate::wording::Wording;

impl Fault {
    /// The fault as a diagnostic: what is wrong, where, and what to write instead.
    pub fn diagnostic(&self, program: &Program) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(self.kind.code(), self.kind.message(program));
        if let Some(span) = self.span {
            diagnostic = diagnostic.label(span, "while this was running");
        }
        match self.kind.help(program) {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

impl FaultKind {
    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            FaultKind::Bounds { .. } => Code::RunBounds,
            FaultKind::Argument { .. } | FaultKind::Missing { .. } | FaultKind::Answer { .. } => Code::RunArgument,
            FaultKind::None | FaultKind::NotNone { .. } => Code::RunNone,
            FaultKind::Overflow | FaultKind::DivisionByZero => Code::RunOverflow,
            FaultKind::Row { .. } => Code::RunRow,
            FaultKind::Transition { .. } => Code::RunTransition,
            FaultKind::List { .. } | FaultKind::Limit { .. } => Code::RunLimit,
            FaultKind::Endless { .. } => Code::RunEndless,
            FaultKind::Dice(fault) => fault.code(),
            FaultKind::Internal(_) => Code::RunInternal,
        }
    }

    fn message(&self, program: &Program) -> Wording {
        match self {
            FaultKind::Bounds { sheet, slot, value, low, high } => {
                say!(
                    "`{slot}` would be {value}, and goes from {high}",
                    slot = slot_id(program, *sheet, *slot),
                    value,
                    high = range(*low, *high)
                )
            }
            FaultKind::Argument { taker, param, value, low, high } => say!(
                "`{param}` of `{taker}` is {value}, and goes from {high}",
                param = param_of(program, *taker, *param).map_or("?", |p| p.id.as_str()),
                taker = taker_id(program, *taker),
                value,
                high = range(*low, *high)
            ),
            FaultKind::Missing { taker, param } => say!(
                "`{taker}` needs `{param}`",
                taker = taker_id(program, *taker),
                param = param_of(program, *taker, *param).map_or("?", |p| p.id.as_str())
            ),
            FaultKind::Answer { question, value, least, most } => say!(
                "`{question}` is answered with {value}, and goes from {most}",
                question = program.questions.get(question.index()).map_or("?", |q| q.id.as_str()),
                value,
                most = range(*least, *most)
            ),
            FaultKind::None => say!("something is asked of nobody: there is none here"),
            FaultKind::NotNone { sheet, slot } => {
                say!("`{slot}` would be none, and does not take none", slot = slot_id(program, *sheet, *slot))
            }
            FaultKind::Overflow => say!("a number that does not fit 64 bits"),
            FaultKind::DivisionByZero => say!("a division by zero"),
            FaultKind::Row { table: Some(table), number } => {
                let id = program.tables.get(table.index()).map_or("?", |t| t.id.as_str());
                say!("no row of `{id}` answers {number}", id, number)
            }
            FaultKind::Row { table: None, number } => say!("no row of this roll answers {number}", number),
            FaultKind::Transition { sheet, from, to } => say!(
                "a `{sheet}` cannot go from `{state_id}` to `{to}`",
                sheet = sheet_id(program, *sheet),
                state_id = state_id(program, *sheet, *from),
                to = state_id(program, *sheet, *to)
            ),
            FaultKind::List { owner, list, count, most } => {
                let sheet = program.sheets.get(owner.index());
                let list = sheet.and_then(|s| s.lists.get(usize::from(*list))).map_or("?", |l| l.id.as_str());
                say!("`{list}` would hold {count} sheets, and holds at most {most}", list, count, most)
            }
            FaultKind::Limit { what, count, limit } => {
                say!("{count} {what}; the limit is {limit}", count, what = what.text(), limit)
            }
            FaultKind::Endless { sheet: Some((sheet, state)) } => say!(
                "this repeats for ever: a turn changes nothing, and `{sheet}` stays `{state}`",
                sheet = sheet_id(program, *sheet),
                state = state_id(program, *sheet, *state)
            ),
            FaultKind::Endless { sheet: None } => say!("this repeats for ever: a turn changes nothing"),
            FaultKind::Dice(fault) => fault.message(),
            FaultKind::Internal(what) => say!("the checked rules contradict themselves: {what}", what),
        }
    }

    fn help(&self, program: &Program) -> Option<Wording> {
        Some(match self {
            FaultKind::Bounds { sheet, slot, .. } => {
                let id = slot_id(program, *sheet, *slot);
                say!("write `stops` behind the bounds of `{id}`, widen them, or use `min` and `max`", id)
            }
            FaultKind::Argument { low, high, .. } | FaultKind::Answer { least: low, most: high, .. } => {
                say!("give a number from {high}", high = range(*low, *high))
            }
            FaultKind::Missing { taker, param } => {
                let param = param_of(program, *taker, *param)?;
                say!("give it: `{param}=…`", param = param.id)
            }
            FaultKind::None => say!("ask first whether there is one: `if any …`, or `if … != none`"),
            FaultKind::NotNone { sheet, slot } => {
                say!("write `or none` behind the type of `{slot}`", slot = slot_id(program, *sheet, *slot))
            }
            FaultKind::DivisionByZero => say!("divide by a number that is never 0"),
            FaultKind::Row { .. } => say!("add a row for it, or one with the key `else`"),
            FaultKind::Transition { sheet, from, to } => say!(
                "write `states {sheet} -> {to}`, if that is meant",
                sheet = state_id(program, *sheet, *from),
                to = state_id(program, *sheet, *to)
            ),
            FaultKind::List { most, .. } => say!("write a greater number than {most} behind `up to`", most),
            FaultKind::Endless { .. } => say!("let each turn roll, ask or change something that `until` reads"),
            FaultKind::Limit { what, .. } => what.help(),
            FaultKind::Dice(fault) => return fault.help(),
            FaultKind::Internal(_) => say!("this is a fault of the program: please report it with the rule file"),
            FaultKind::Overflow => return None,
        })
    }
}

impl Limit {
    fn text(self) -> Wording {
        match self {
            Limit::Steps => say!("steps in one run"),
            Limit::Depth => say!("events within events"),
            Limit::Nesting => say!("values worked out within values"),
            Limit::Dice => say!("dice in one run"),
            Limit::Sheets => say!("sheets in the story"),
            Limit::Repeats => say!("turns of one `repeat`"),
            Limit::Wait => say!("units in one wait"),
            Limit::Rounds => say!("blocks that begin and end after one handler"),
            Limit::ListLength => say!("sheets in one list"),
            Limit::DiceParts => say!("parts of dice put together"),
        }
    }

    fn help(self) -> Wording {
        match self {
            Limit::Steps => say!("shorten the story, or let `repeat` end sooner"),
            Limit::Depth => say!("let an event wait for another (`until`), instead of sending it at once"),
            Limit::Nesting => say!("let no value or condition read itself"),
            Limit::Dice => say!("roll fewer dice, or let `repeat` end sooner"),
            Limit::Sheets => say!("let fewer rows make a sheet"),
            Limit::Repeats => say!("let `until` name a state that is reached sooner"),
            Limit::Wait => say!("write a shorter time, or a longer unit"),
            Limit::Rounds => say!("let a block not end itself by what it does as it begins"),
            Limit::ListLength => say!("put a condition behind `where`"),
            Limit::DiceParts => say!("roll dice before adding more to them"),
        }
    }
}

/// `0 to 20`; an open end is `any number`.
fn range(low: i64, high: i64) -> Wording {
    let end = |n: i64| match n {
        i64::MIN | i64::MAX => say!("any number"),
        n => Wording::text(n.to_string()),
    };
    say!("{low} to {high}", low = end(low), high = end(high))
}

fn sheet_id(program: &Program, sheet: SheetId) -> &str {
    program.sheets.get(sheet.index()).map_or("?", |s| s.id.as_str())
}

fn slot_id(program: &Program, sheet: SheetId, slot: u16) -> &str {
    let slot = program.sheets.get(sheet.index()).and_then(|s| s.slots.get(usize::from(slot)));
    slot.map_or("?", |s| s.id.as_str())
}

fn state_id(program: &Program, sheet: SheetId, state: i64) -> &str {
    let state = usize::try_from(state).ok();
    let sheet = program.sheets.get(sheet.index());
    sheet.and_then(|s| s.states.get(state?)).map_or("?", |s| s.id.as_str())
}

fn taker_id(program: &Program, taker: Taker) -> &str {
    match taker {
        Taker::Event(event) => program.events.get(event.index()).map(|e| e.id.as_str()),
        Taker::Table(table) => program.tables.get(table.index()).map(|t| t.id.as_str()),
        Taker::Scenario(scenario) => program.scenarios.get(scenario.index()).map(|s| s.id.as_str()),
    }
    .unwrap_or("?")
}

fn param_of(program: &Program, taker: Taker, param: u16) -> Option<&Param> {
    let params = match taker {
        Taker::Event(event) => &program.events.get(event.index())?.params,
        Taker::Table(table) => &program.tables.get(table.index())?.params,
        Taker::Scenario(scenario) => &program.scenarios.get(scenario.index())?.params,
    };
    params.get(usize::from(param))
}
