//! What faults of a run are called, in words.

use super::fault::{Fault, FaultKind, Limit, Taker};
use crate::diagnostics::{Code, Diagnostic};
use crate::program::{Param, Program, SheetId};

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

    fn message(&self, program: &Program) -> String {
        match self {
            FaultKind::Bounds { sheet, slot, value, low, high } => {
                format!("`{}` would be {value}, and goes from {}", slot_id(program, *sheet, *slot), range(*low, *high))
            }
            FaultKind::Argument { taker, param, value, low, high } => format!(
                "`{}` of `{}` is {value}, and goes from {}",
                param_of(program, *taker, *param).map_or("?", |p| p.id.as_str()),
                taker_id(program, *taker),
                range(*low, *high)
            ),
            FaultKind::Missing { taker, param } => format!(
                "`{}` needs `{}`",
                taker_id(program, *taker),
                param_of(program, *taker, *param).map_or("?", |p| p.id.as_str())
            ),
            FaultKind::Answer { question, value, least, most } => format!(
                "`{}` is answered with {value}, and goes from {}",
                program.questions.get(question.index()).map_or("?", |q| q.id.as_str()),
                range(*least, *most)
            ),
            FaultKind::None => "something is asked of nobody: there is none here".to_owned(),
            FaultKind::NotNone { sheet, slot } => {
                format!("`{}` would be none, and does not take none", slot_id(program, *sheet, *slot))
            }
            FaultKind::Overflow => "a number that does not fit 64 bits".to_owned(),
            FaultKind::DivisionByZero => "a division by zero".to_owned(),
            FaultKind::Row { table: Some(table), number } => {
                let id = program.tables.get(table.index()).map_or("?", |t| t.id.as_str());
                format!("no row of `{id}` answers {number}")
            }
            FaultKind::Row { table: None, number } => format!("no row of this roll answers {number}"),
            FaultKind::Transition { sheet, from, to } => format!(
                "a `{}` cannot go from `{}` to `{}`",
                sheet_id(program, *sheet),
                state_id(program, *sheet, *from),
                state_id(program, *sheet, *to)
            ),
            FaultKind::List { owner, list, count, most } => {
                let sheet = program.sheets.get(owner.index());
                let list = sheet.and_then(|s| s.lists.get(usize::from(*list))).map_or("?", |l| l.id.as_str());
                format!("`{list}` would hold {count} sheets, and holds at most {most}")
            }
            FaultKind::Limit { what, count, limit } => format!("{count} {}; the limit is {limit}", what.text()),
            FaultKind::Endless { sheet: Some((sheet, state)) } => format!(
                "this repeats for ever: a turn changes nothing, and `{}` stays `{}`",
                sheet_id(program, *sheet),
                state_id(program, *sheet, *state)
            ),
            FaultKind::Endless { sheet: None } => "this repeats for ever: a turn changes nothing".to_owned(),
            FaultKind::Dice(fault) => fault.message(),
            FaultKind::Internal(what) => format!("the checked rules contradict themselves: {what}"),
        }
    }

    fn help(&self, program: &Program) -> Option<String> {
        Some(match self {
            FaultKind::Bounds { sheet, slot, .. } => {
                let id = slot_id(program, *sheet, *slot);
                format!("write `stops` behind the bounds of `{id}`, widen them, or use `min` and `max`")
            }
            FaultKind::Argument { low, high, .. } | FaultKind::Answer { least: low, most: high, .. } => {
                format!("give a number from {}", range(*low, *high))
            }
            FaultKind::Missing { taker, param } => {
                let param = param_of(program, *taker, *param)?;
                format!("give it: `{}=…`", param.id)
            }
            FaultKind::None => "ask first whether there is one: `if any …`, or `if … != none`".to_owned(),
            FaultKind::NotNone { sheet, slot } => {
                format!("write `or none` behind the type of `{}`", slot_id(program, *sheet, *slot))
            }
            FaultKind::DivisionByZero => "divide by a number that is never 0".to_owned(),
            FaultKind::Row { .. } => "add a row for it, or one with the key `else`".to_owned(),
            FaultKind::Transition { sheet, from, to } => format!(
                "write `states {} -> {}`, if that is meant",
                state_id(program, *sheet, *from),
                state_id(program, *sheet, *to)
            ),
            FaultKind::List { most, .. } => format!("write a greater number than {most} behind `up to`"),
            FaultKind::Endless { .. } => "let each turn roll, ask or change something that `until` reads".to_owned(),
            FaultKind::Limit { what, .. } => what.help().to_owned(),
            FaultKind::Dice(fault) => return fault.help(),
            FaultKind::Internal(_) => "this is a fault of the program: please report it with the rule file".to_owned(),
            FaultKind::Overflow => return None,
        })
    }
}

impl Limit {
    fn text(self) -> &'static str {
        match self {
            Limit::Steps => "steps in one run",
            Limit::Depth => "events within events",
            Limit::Nesting => "values worked out within values",
            Limit::Dice => "dice in one run",
            Limit::Sheets => "sheets in the story",
            Limit::Repeats => "turns of one `repeat`",
            Limit::Wait => "units in one wait",
            Limit::Rounds => "blocks that begin and end after one handler",
            Limit::ListLength => "sheets in one list",
            Limit::DiceParts => "parts of dice put together",
        }
    }

    fn help(self) -> &'static str {
        match self {
            Limit::Steps => "shorten the story, or let `repeat` end sooner",
            Limit::Depth => "let an event wait for another (`until`), instead of sending it at once",
            Limit::Nesting => "let no value or condition read itself",
            Limit::Dice => "roll fewer dice, or let `repeat` end sooner",
            Limit::Sheets => "let fewer rows make a sheet",
            Limit::Repeats => "let `until` name a state that is reached sooner",
            Limit::Wait => "write a shorter time, or a longer unit",
            Limit::Rounds => "let a block not end itself by what it does as it begins",
            Limit::ListLength => "put a condition behind `where`",
            Limit::DiceParts => "roll dice before adding more to them",
        }
    }
}

/// `0 to 20`; an open end is `any number`.
fn range(low: i64, high: i64) -> String {
    let end = |n: i64| match n {
        i64::MIN | i64::MAX => "any number".to_owned(),
        n => n.to_string(),
    };
    format!("{} to {}", end(low), end(high))
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
