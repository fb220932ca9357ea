//! How much work exact odds may take, and where chains are cut.

use super::OddsFault;
use crate::dice::EXPLOSIONS_A_DIE;

/// The most work, in steps of about a nanosecond.
pub const COST: u128 = 4_000_000_000;

/// Bits of the chance below which a chain of explosions is cut off: 2^-40, one in a million million.
const NEGLIGIBLE_BITS: f64 = 40.0;

/// How far odds are worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The most further dice a die may bring by exploding; `None`: until what is left has a chance
    /// below 2^-40. Never more than the roller's own bound of 100.
    pub explosions: Option<u32>,
    /// The most steps.
    pub cost: u128,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { explosions: None, cost: COST }
    }
}

impl Bounds {
    /// How many further dice are followed where `again` of `faces` explode.
    pub(super) fn chain(&self, again: u64, faces: u64) -> u32 {
        let most = self.explosions.unwrap_or(EXPLOSIONS_A_DIE).min(EXPLOSIONS_A_DIE);
        if self.explosions.is_some() || again == 0 || again >= faces {
            return most;
        }
        let bits = (faces as f64 / again as f64).log2();
        most.min((NEGLIGIBLE_BITS / bits).ceil().max(1.0) as u32)
    }
}

/// The work that is left to be done, and what it is done for.
#[derive(Debug)]
pub(super) struct Budget {
    spent: u128,
    limit: u128,
}

impl Budget {
    pub(super) fn new(limit: u128) -> Self {
        Budget { spent: 0, limit }
    }

    /// Takes so many steps on numbers of so many bits before they are done.
    pub(super) fn take(&mut self, steps: u128, bits: u64, what: impl FnOnce() -> String) -> Result<(), OddsFault> {
        let words = if bits <= 127 { 1 } else { 8 + u128::from(bits / 64) };
        let spent = self.spent.saturating_add(steps.saturating_mul(words));
        if spent > self.limit {
            return Err(OddsFault::TooLarge { what: what(), cost: spent, limit: self.limit });
        }
        self.spent = spent;
        Ok(())
    }
}
