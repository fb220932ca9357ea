//! The whole state of a run: small, and free to copy, compare and hash. It knows nothing of steps
//! taken, of what was told, or of texts.

use std::sync::Arc;

use smol_str::SmolStr;

use super::frame::{Frame, Waiting};
use super::outcome::Outcome;
use crate::dice::Dice;
use crate::program::{NONE, Role, SheetId, Slot, TableId, Type, WaitId};

/// A value at run time.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// Everything but dice and lists; what it means is in its type.
    Number(i64),
    /// Dice that nobody has rolled yet.
    Dice(Arc<Dice>),
    /// Sheets, by their place in the story.
    Sheets(Arc<[u32]>),
}

impl Value {
    /// The number, where it is one.
    pub fn number(&self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// What a slot holds before anything is written in it, and outside the block it lives in.
    pub fn zero(slot: &Slot) -> Value {
        match slot.ty {
            Type::Dice => Value::Dice(Arc::new(Dice::Number(0))),
            Type::Sheets(_) => Value::Sheets(Arc::new([])),
            Type::Kind { or_none: true, .. } | Type::Row { or_none: true, .. } | Type::Sheet { .. } => {
                Value::Number(NONE)
            }
            Type::Kind { .. } | Type::Row { .. } | Type::Made(_) | Type::Text if slot.role == Role::Kept => {
                Value::Number(NONE)
            }
            _ => Value::Number(0),
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Number(number)
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Self {
        Value::Number(i64::from(yes))
    }
}

/// One sheet of the story.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instance {
    /// Its type.
    pub ty: SheetId,
    /// The sheet it belongs to, which is always older.
    pub owner: Option<u32>,
    /// The row that made it.
    pub row: Option<(TableId, u32)>,
    /// Its numbers, as in [`crate::program::Sheet::slots`].
    pub slots: Vec<Value>,
    /// Conditions that are suffered for a time.
    pub timed: Vec<Timed>,
    /// Values given in place of their formula.
    pub given: Vec<(u16, Value)>,
    /// Whether the row that makes it has not come to its end, so that its blocks do not begin yet.
    pub unfinished: bool,
}

/// Conditions suffered until a wait is over.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timed {
    /// The set of conditions.
    pub slot: u16,
    /// Which ones, as bits.
    pub set: i64,
    /// What ends them.
    pub wait: WaitId,
    /// How far it has come, as in [`super::wait::Progress`].
    pub progress: i64,
}

/// Everything that decides how a run goes on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct State {
    /// In story order: the oldest first.
    pub sheets: Vec<Arc<Instance>>,
    /// Answers that the scenario gives ahead, by the question's name.
    pub answers: Vec<(SmolStr, Value)>,
    /// How a scenario ended.
    pub outcome: Option<Outcome>,
    pub(super) frames: Vec<Frame>,
    pub(super) stack: Vec<Value>,
    pub(super) waiting: Option<Waiting>,
    /// Tracks given before the blocks they live in have begun.
    pub(super) preset: Vec<(u32, u16)>,
    /// Whether something has changed since what holds was last looked at.
    pub(super) stirred: bool,
}
