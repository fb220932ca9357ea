//! What is counted: outcomes and turns, as whole numbers that can be added up in any order.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{OUTCOMES, SimulateFault};
use crate::program::QuestionId;
use crate::run::Outcome;

/// What a run comes to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Came {
    /// Dice: their total.
    Total(i64),
    /// A table or scenario: its outcome.
    To(Outcome),
}

/// How often each outcome came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many runs.
    pub runs: u64,
    /// The runs that came to each outcome.
    pub outcomes: HashMap<Came, u64>,
    /// For each `repeat` of the scenario, in the order written, the runs that took so many turns.
    pub turns: Vec<BTreeMap<u64, u64>>,
    /// The choices nobody answered: each took its default.
    pub defaults: BTreeSet<QuestionId>,
}

impl Tally {
    /// Counts the runs of another tally, too.
    ///
    /// Errors: more different outcomes than [`OUTCOMES`].
    pub fn add(&mut self, other: Tally) -> Result<(), SimulateFault> {
        self.runs += other.runs;
        for (came, runs) in other.outcomes {
            *self.outcomes.entry(came).or_default() += runs;
        }
        if self.turns.len() < other.turns.len() {
            self.turns.resize_with(other.turns.len(), BTreeMap::new);
        }
        for (all, turns) in self.turns.iter_mut().zip(other.turns) {
            turns.into_iter().for_each(|(turns, runs)| *all.entry(turns).or_default() += runs);
        }
        self.defaults.extend(other.defaults);
        self.bounded()
    }

    pub(super) fn bounded(&self) -> Result<(), SimulateFault> {
        if self.outcomes.len() > OUTCOMES || self.turns.iter().any(|turns| turns.len() > OUTCOMES) {
            return Err(SimulateFault::Outcomes);
        }
        Ok(())
    }
}
