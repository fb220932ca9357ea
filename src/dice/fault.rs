//! What can be wrong with dice, as plain data. The wording stands in `wording.rs`.

use super::{Compare, NoDie, Point};
use crate::diagnostics::Severity;

/// One fault of dice, found before they are rolled or while they are.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DiceFault {
    /// More dice than one roll may ask for.
    TooManyDice {
        /// How many dice the roll asks for, or can ask for.
        asked: i64,
        /// [`super::DICE_A_ROLL`].
        limit: i64,
    },
    /// More throws than one roll may take, explosions and rerolls included.
    TooManyThrows {
        /// How many throws the roll would have taken at that point.
        asked: i64,
        /// [`super::THROWS_A_ROLL`].
        limit: i64,
    },
    /// A die of more faces than there may be.
    TooManyFaces {
        /// How many faces.
        asked: i64,
        /// [`super::FACES_A_DIE`].
        limit: i64,
    },
    /// Dice within dice within dice, deeper than is read.
    TooDeep {
        /// [`super::NESTING`].
        limit: usize,
    },
    /// A number of dice below zero.
    NegativeCount {
        /// The number of dice, or the least it can be.
        count: i64,
    },
    /// A die of zero faces or fewer.
    NoFaces {
        /// The number of faces, or the least it can be.
        faces: i64,
    },
    /// A list of faces with nothing in it.
    NoList,
    /// Digit dice with a digit 0, which would be a die without faces.
    ZeroDigit {
        /// The digits as written.
        digits: u32,
    },
    /// More dice kept than rolled, those that explosions may add left aside.
    Keep {
        /// How many are to be kept.
        keep: i64,
        /// How many are rolled, or the fewest that can be.
        rolled: i64,
    },
    /// More dice dropped than rolled, those that explosions may add left aside.
    Drop {
        /// How many are to be dropped.
        drop: i64,
        /// How many are rolled, or the fewest that can be.
        rolled: i64,
    },
    /// A number of dice to keep or drop below zero.
    NegativeKeep {
        /// The number, or the least it can be.
        keep: i64,
    },
    /// An explosion that matches every face.
    EndlessExplosion {
        /// The term as written.
        written: String,
    },
    /// Rerolls that match every face.
    EndlessReroll {
        /// The term as written.
        written: String,
    },
    /// A point that no face meets. Only a warning.
    Unmet {
        /// The dice as written, up to the modifier: `2d6`.
        dice: String,
        /// How the faces are compared.
        compare: Compare,
        /// With what.
        value: i64,
        /// Whether the point counts dice, so that the total may have been meant.
        counts: bool,
    },
    /// A pool of totals has no dice that could explode or be rolled again.
    PoolModifier {
        /// The modifier as written.
        modifier: String,
    },
    /// `min()` or `max()` of nothing, `abs` of anything but one.
    Arguments {
        /// The function's name.
        function: &'static str,
        /// How many arguments there are.
        given: usize,
    },
    /// A number that does not fit 64 bits.
    Overflow,
    /// A division by zero, or a remainder of one.
    DivisionByZero,
    /// The source gave no die.
    NoDie(NoDie),
}

impl DiceFault {
    /// A warning where the dice can be rolled all the same, an error otherwise.
    pub fn severity(&self) -> Severity {
        match self {
            DiceFault::Unmet { .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }

    pub(super) fn unmet(dice: String, point: Point<i64>, counts: bool) -> Self {
        DiceFault::Unmet { dice, compare: point.compare, value: point.value, counts }
    }
}

impl From<NoDie> for DiceFault {
    fn from(no_die: NoDie) -> Self {
        DiceFault::NoDie(no_die)
    }
}

impl std::fmt::Display for DiceFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for DiceFault {}
