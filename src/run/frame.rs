//! What is under way: one frame for each thing that was begun and has not come to its end.

use std::sync::Arc;

use super::dispatch::{Dispatch, Sending};
use super::happen::Happening;
use super::phase::{Beginning, Ending};
use super::state::Value;
use crate::dice::Dice;
use crate::program::{CodeId, HoldId, QuestionId, Type};

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Frame {
    Code(Running),
    /// An event about to be sent, once what holds is at rest.
    Sending(Box<Sending>),
    Dispatch(Box<Dispatch>),
    Happening(Box<Happening>),
    Checking(Box<Checking>),
    Filling(Box<Filling>),
    Beginning(Beginning),
    Ending(Ending),
    Settling(Settling),
    /// The body of a row is over: its blocks may begin.
    Finished(u32),
}

/// A piece of code being run. Its locals begin at `base` on the stack.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Running {
    pub code: CodeId,
    pub next: u32,
    pub base: u32,
    /// Whose code it is, or none.
    pub me: i64,
    /// The block it stands in.
    pub hold: Option<HoldId>,
    pub leaves: Leaves,
}

/// What is left on the stack when a piece of code returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Leaves {
    Nothing,
    Value,
    Locals,
}

/// A check under way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Checking {
    pub sheet: u32,
    pub check: u16,
    pub args: Vec<Value>,
    /// Whether yes or no is asked for, or the number.
    pub passes: bool,
    /// The number rolled and whether it passes, once known.
    pub result: Option<(i64, bool)>,
}

/// Slots that get their default, one after the other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Filling {
    pub sheet: u32,
    pub slots: Vec<u16>,
    /// Values given in place of a default.
    pub given: Vec<(u16, Value)>,
    pub at: u16,
    /// Whether the value of the slot at hand is being worked out.
    pub waiting: bool,
    /// Whether changes are told.
    pub told: bool,
}

/// What holds is looked at until it is at rest.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Settling {
    /// Nothing is told or fired.
    pub quiet: bool,
    /// Only this sheet and those attached to it.
    pub only: Option<u32>,
    pub rounds: u32,
}

/// What the machine waits for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Waiting {
    Roll(Arc<Dice>),
    Pick(Picking),
    Ask(Arc<Asked>),
}

/// Things that one die picks among.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Picking {
    /// Members of a set, as bits, and the set's type.
    Members(Type, i64),
    /// Sheets.
    Sheets(Arc<[u32]>),
}

impl Picking {
    /// How many faces the die has.
    pub fn faces(&self) -> u32 {
        match self {
            Picking::Members(_, set) => set.count_ones(),
            Picking::Sheets(sheets) => u32::try_from(sheets.len()).unwrap_or(u32::MAX),
        }
    }

    /// What a face of the die stands for, from 1.
    pub fn picked(&self, face: i64) -> Option<i64> {
        let index = usize::try_from(face.checked_sub(1)?).ok()?;
        match self {
            Picking::Members(_, set) => (0..64).filter(|bit| set >> bit & 1 == 1).nth(index),
            Picking::Sheets(sheets) => sheets.get(index).map(|sheet| i64::from(*sheet)),
        }
    }
}

/// A question with what can be answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Asked {
    pub question: QuestionId,
    /// The sheet whose rule asks.
    pub sheet: Option<u32>,
    /// What is taken where nobody answers.
    pub default: Value,
    /// The least and greatest number, member or number of sheets.
    pub least: i64,
    pub most: i64,
    /// For choices among sheets.
    pub candidates: Arc<[u32]>,
    /// Values its text shows.
    pub shown: Box<[Value]>,
}
