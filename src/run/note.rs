//! What a run tells as it goes: ids only. Whoever wants words makes them of these.

use super::frame::{Asked, Picking};
use super::machine::Machine;
use super::state::Value;
use crate::dice::{Dice, Rolled};
use crate::program::{CodeId, EventId, ExpectId, MessageId, QuestionId, SheetId, TableId, Type, WaitId};

/// One thing that happened. Sheets are their places in the story.
#[derive(Debug, Clone, Copy)]
pub enum Note<'a> {
    /// Dice were rolled.
    Roll { dice: &'a Dice, rolled: &'a Rolled },
    /// One die picked among several things.
    Picked { among: &'a Picking, face: i64, picked: i64 },
    /// A sheet came into the story. `given`: by the scenario or the table, not by a rule.
    Made { sheet: u32, ty: SheetId, owner: Option<u32>, row: Option<(TableId, u32)>, given: bool },
    /// An event reached a sheet.
    Event { event: EventId, sheet: u32, args: &'a [Value] },
    /// Nobody answered an event that some sheet has rules for: their conditions were not met.
    Unanswered { event: EventId },
    /// A clause of a sheet kept an event from another.
    Forbidden { event: EventId, sheet: u32, by: u32 },
    /// A clause of a sheet kept these conditions from another.
    Spared { sheet: u32, slot: u16, set: i64, by: u32 },
    /// An argument was none where none is not taken.
    NotSent { event: EventId, sheet: Option<u32> },
    /// A row sent on to another.
    Instead { table: TableId, from: u32, to: u32 },
    /// A row applies. `locals` are its arguments and values; without them, its body did not run.
    Row { table: TableId, row: u32, args: &'a [Value], locals: Option<&'a [Value]>, sheet: Option<u32> },
    /// A track changed.
    Change { sheet: u32, slot: u16, from: &'a Value, to: &'a Value },
    /// A state changed.
    State { sheet: u32, from: i64, to: i64 },
    /// Conditions were suffered, or ended: the loose ones, not those that blocks give.
    Condition { sheet: u32, slot: u16, set: i64, added: bool },
    /// A time is over for conditions or for a block; `run_out`: it was not ended before.
    Ended { sheet: u32, wait: WaitId, conditions: Option<(u16, i64)>, run_out: bool },
    /// A text of the rules, told of a sheet.
    Say { message: MessageId, values: &'a [(u16, Type)], locals: &'a [Value], sheet: Option<u32> },
    /// A check came to something.
    Check { sheet: u32, check: u16, number: i64, passes: bool },
    /// A question was answered.
    Question { question: QuestionId, asked: &'a Asked, answer: &'a Value, default: bool },
    /// An expectation of a scenario.
    Expect { expect: ExpectId, met: bool, sides: Option<(&'a Value, &'a Value)> },
}

/// Watches a run.
pub trait Observer {
    /// Something happened.
    fn note(&mut self, note: Note<'_>);

    /// What holds is at rest again. `quiet`: nothing of it is to be told.
    fn settled(&mut self, machine: &Machine<'_>, quiet: bool);

    /// An operation of a piece of code in which something may happen is about to run.
    #[inline(always)]
    fn ran(&mut self, _code: CodeId, _op: u32) {}
}

/// Watches nothing.
impl Observer for () {
    #[inline(always)]
    fn note(&mut self, _: Note<'_>) {}

    #[inline(always)]
    fn settled(&mut self, _: &Machine<'_>, _: bool) {}
}

impl<O: Observer> Observer for &mut O {
    fn note(&mut self, note: Note<'_>) {
        (**self).note(note);
    }

    fn settled(&mut self, machine: &Machine<'_>, quiet: bool) {
        (**self).settled(machine, quiet);
    }

    #[inline(always)]
    fn ran(&mut self, code: CodeId, op: u32) {
        (**self).ran(code, op);
    }
}
