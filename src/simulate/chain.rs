//! States that recur, each with the exact distribution of what comes next: one random number takes a
//! run from one die to the next, whatever happens between.

use super::alias::{Column, draw};
use crate::dice::Seeded;
use crate::odds::Repeats;
use crate::program::QuestionId;
use crate::run::Outcome;
use crate::run::limits::DICE_A_RUN;

/// Where a die leads: to a state or an end, and which turns begin on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Goal {
    to: u32,
    /// Its place in [`Chain::crossings`].
    crossing: u32,
}

const END: u32 = 1 << 31;

impl Goal {
    pub(super) fn state(at: u32, crossing: u32) -> Self {
        Goal { to: at & !END, crossing }
    }

    pub(super) fn end(at: u32, crossing: u32) -> Self {
        Goal { to: at | END, crossing }
    }

    /// Its state, unless it is an end.
    #[inline]
    pub(super) fn to_state(self) -> Option<u32> {
        (self.to & END == 0).then_some(self.to)
    }
}

/// Turns that begin between two dice: of which repeats, and how many.
pub(super) type Crossing = Box<[(u16, u32)]>;

/// A whole table or scenario.
#[derive(Debug)]
pub(super) struct Chain {
    /// Where every run begins.
    pub first: Goal,
    /// The first column of each state; the state behind it begins where it ends.
    pub begins: Vec<u32>,
    pub columns: Vec<Column<Goal>>,
    pub crossings: Vec<Crossing>,
    pub ends: Vec<Outcome>,
    pub repeats: Repeats,
    /// Choices on the way that nobody answers.
    pub defaults: Vec<QuestionId>,
}

impl Chain {
    /// One run: which end it comes to. Adds its turns to those given, one for each repeat. None where
    /// it rolls more than [`DICE_A_RUN`] dice.
    #[inline]
    pub(super) fn walk(&self, dice: &mut Seeded, turns: &mut [u64]) -> Option<u32> {
        let mut goal = self.first;
        let mut rolled = 0;
        loop {
            for (repeat, count) in &self.crossings[goal.crossing as usize] {
                turns[usize::from(*repeat)] += u64::from(*count);
            }
            let Some(state) = goal.to_state() else { return Some(goal.to & !END) };
            let (from, to) = (self.begins[state as usize] as usize, self.begins[state as usize + 1] as usize);
            goal = draw(&self.columns[from..to], dice.bits());
            rolled += 1;
            if rolled > DICE_A_RUN {
                return None;
            }
        }
    }
}
