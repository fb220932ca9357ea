//! Dice: the tree, what it can show, and the one roller.
//!
//! A [`Dice`] comes out of the notation, [`faults()`] says what is wrong with it before a die is
//! thrown, [`span`] and [`shown`] say what it can come to, [`roll`] and [`total`] throw it with the
//! dice of a [`DiceSource`], and its `Display` writes it in canonical form.

mod arithmetic;
mod chance;
mod change;
mod dialect;
mod fault;
mod faults;
mod points;
mod pool;
mod print;
mod quick;
mod range;
mod record;
mod roll;
#[cfg(test)]
mod samples;
mod sides;
mod term_range;
#[cfg(test)]
mod tests;
mod totals;
mod tree;
mod wording;
mod words;

use crate::source::Span;

pub use chance::{DiceSource, Given, NoDie, Recorded, Seeded, Shape, Throw};
pub use change::{exploding, maximum, minimum, twice};
pub(crate) use dialect::rank;
pub use dialect::{Dialect, in_fixed_order, out_of_order, write_as};
pub use fault::DiceFault;
pub(crate) use faults::faults_besides;
pub use faults::{Found, faults};
pub use pool::together;
pub use range::{shown, span};
pub use record::{DieFaces, Dropped, Purpose, Rolled, RolledDie, RolledMember, RolledTerm};
pub use roll::{roll, total};
pub use totals::Shown;
pub use tree::*;
pub use words::explain;

/// Totals of dice that nothing answers, and where that has been told.
#[derive(Debug, Clone, PartialEq)]
pub struct Unanswered {
    /// The main place of the diagnostic that told it.
    pub span: Span,
    /// The dice, for each way to fill in what they depend on: `deep = 2`; empty where there is one way.
    pub ways: Vec<(String, Dice)>,
    /// The totals, both ends included.
    pub totals: Vec<(i64, i64)>,
}

/// The most dice one roll may ask for, over all its terms. Dice that explosions add do not count
/// here; [`THROWS_A_ROLL`] bounds them.
pub const DICE_A_ROLL: i64 = 10_000;

/// The most further dice one die may bring by exploding. What lies beyond is cut off.
pub const EXPLOSIONS_A_DIE: u32 = 100;

/// The most times one die is rolled again by one step. The last value then stands.
pub const REROLLS_A_DIE: u32 = 100;

/// The most throws of one roll: dice, explosions and rerolls together.
pub const THROWS_A_ROLL: i64 = 100_000;

/// The most faces of a die.
pub const FACES_A_DIE: i64 = 1_000_000_000;

/// The faces of a Fate die of two marked faces in six: `dF.1` of some tools.
pub(crate) const FATE_ONE: [i64; 6] = [-1, 0, 0, 0, 0, 1];

/// How deep dice may stand within dice. A long sum is not deep.
pub const NESTING: usize = 64;
