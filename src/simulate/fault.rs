//! Why a simulation ends without a result.

use crate::dice::DiceFault;
use crate::run::Fault;

/// Why there are no sampled odds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SimulateFault {
    /// A run came to a fault: of all the first one.
    Run {
        /// Which run, from 1.
        run: u64,
        /// The seed that brings a single run to the same fault, where one does.
        seed: Option<u64>,
        /// What it came to.
        fault: Box<Fault>,
    },
    /// A roll came to a fault: of all the first one.
    Dice {
        /// Which roll, from 1.
        run: u64,
        /// The seed that brings a single roll to the same fault.
        seed: u64,
        /// What it came to.
        fault: DiceFault,
    },
    /// More different outcomes, or numbers of turns, than are kept apart.
    Outcomes,
}

impl SimulateFault {
    /// Which run came to it.
    pub(super) fn run(&self) -> u64 {
        match self {
            SimulateFault::Run { run, .. } | SimulateFault::Dice { run, .. } => *run,
            SimulateFault::Outcomes => u64::MAX,
        }
    }
}
