//! Exact odds: every outcome with its weight over one denominator.
//!
//! [`of_dice`] answers for dice, [`of_machine`] for a table or scenario of checked rules. Nothing is ever rolled and no list of all rolls is ever made: sums
//! are convolved, kept dice counted face by face, explosions followed as chains. What a bound cuts
//! off is stated as a chance; what would take too long is refused before it is begun.

mod cost;
mod dice;
mod die;
mod distribution;
mod fault;
mod fraction;
mod joint;
mod keep;
mod large;
mod outcomes;
mod pool;
mod power;
mod rare;
mod repeats;
mod rules;
#[cfg(test)]
mod samples;
mod sentences;
mod sides;
mod slice;
mod solve;
mod step;
mod table;
mod term;
#[cfg(test)]
mod tests;
mod turns;
mod weight;

pub use cost::{Bounds, COST};
pub use dice::{of_dice, of_dice_within};
pub use distribution::Distribution;
pub use fault::OddsFault;
pub use fraction::Fraction;
pub use outcomes::{OutcomeChance, RuleOdds};
pub use rare::weigh;
pub(crate) use repeats::{Repeats, Turning};
pub use rules::{Watch, of_machine, of_scenario};
pub(crate) use slice::sliced;
pub use turns::Turns;
