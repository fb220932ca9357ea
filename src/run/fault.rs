//! What can go wrong while rules run, as plain data. The wording stands in `wording.rs`.

use crate::dice::DiceFault;
use crate::program::{EventId, QuestionId, ScenarioId, SheetId, TableId};
use crate::source::Span;

/// A run that cannot go on, and the sentence in which it stopped.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fault {
    pub kind: FaultKind,
    /// The sentence that was running, where there was one.
    pub span: Option<Span>,
}

/// Why a run cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// A track would leave its bounds, and nothing says that it stops there.
    Bounds { sheet: SheetId, slot: u16, value: i64, low: i64, high: i64 },
    /// An argument is outside its bounds.
    Argument { taker: Taker, param: u16, value: i64, low: i64, high: i64 },
    /// An argument is missing and has no default.
    Missing { taker: Taker, param: u16 },
    /// An answer is outside what may be answered.
    Answer { question: QuestionId, value: i64, least: i64, most: i64 },
    /// Something is asked of a sheet, row or member, and there is none.
    None,
    /// None is written on a track that does not take it.
    NotNone { sheet: SheetId, slot: u16 },
    /// A number that does not fit 64 bits.
    Overflow,
    /// A division or remainder by zero.
    DivisionByZero,
    /// No row answers a number; without a table, no row of a roll written in a body does.
    Row { table: Option<TableId>, number: i64 },
    /// A state that the one it is in does not lead to.
    Transition { sheet: SheetId, from: i64, to: i64 },
    /// More sheets than a list may hold.
    List { owner: SheetId, list: u16, count: u64, most: u64 },
    /// More of something than one run may do.
    Limit { what: Limit, count: u64, limit: u64 },
    /// A `repeat` came back to exactly the same state without a die or a choice.
    Endless { sheet: Option<(SheetId, i64)> },
    /// The dice are at fault, or the source gave none.
    Dice(DiceFault),
    /// The checked rules contradict themselves: a fault of the program, not of the author.
    Internal(&'static str),
}

/// What takes arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Taker {
    Event(EventId),
    Table(TableId),
    Scenario(ScenarioId),
}

/// What is limited in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    Steps,
    Depth,
    Nesting,
    Dice,
    Sheets,
    Repeats,
    Wait,
    Rounds,
    ListLength,
    DiceParts,
}

impl From<DiceFault> for FaultKind {
    fn from(fault: DiceFault) -> Self {
        match fault {
            DiceFault::Overflow => FaultKind::Overflow,
            DiceFault::DivisionByZero => FaultKind::DivisionByZero,
            other => FaultKind::Dice(other),
        }
    }
}

/// What a step gives, or why the run stops.
pub(super) type Result<T> = std::result::Result<T, FaultKind>;

/// The checked rules lack something that their own code names.
pub(super) fn known<T>(found: Option<T>, what: &'static str) -> Result<T> {
    found.ok_or(FaultKind::Internal(what))
}
