//! Why there are no odds.

use std::fmt;

use crate::dice::DiceFault;
use crate::run::Fault;

/// Why there are no exact odds.
#[derive(Debug, Clone, PartialEq)]
pub enum OddsFault {
    /// Some of the rolls are faulty.
    Dice(DiceFault),
    /// Some of the runs come to a fault.
    Run(Box<Fault>),
    /// Some of the runs never come to an end.
    Endless,
    /// Working them out would take too long.
    TooLarge {
        /// What makes it large, in words: "the sums of `3d1000000`".
        what: String,
        /// How much it is, in steps of work or in what is named; a lower bound.
        cost: u128,
        /// How much is done at most.
        limit: u128,
    },
}

impl From<DiceFault> for OddsFault {
    fn from(fault: DiceFault) -> Self {
        OddsFault::Dice(fault)
    }
}

impl fmt::Display for OddsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OddsFault::Dice(fault) => fault.fmt(f),
            OddsFault::Run(fault) => write!(f, "some of the runs come to a fault: {:?}", fault.kind),
            OddsFault::Endless => f.write_str("some of the runs never come to an end"),
            OddsFault::TooLarge { what, cost, limit } => {
                write!(f, "exact odds would take too long: {what} ({cost}, and {limit} are the most)")
            }
        }
    }
}

impl std::error::Error for OddsFault {}
