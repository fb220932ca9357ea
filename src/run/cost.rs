//! What a run costs, counted against its limits.

use std::sync::Arc;

use super::fault::{FaultKind, Limit, Result};
use super::limits::{DICE_A_RUN, SHEETS_A_STEP, STEPS};
use super::machine::Machine;
use super::state::Instance;
use crate::program::CodeId;

/// What a run has cost. Not part of its state: two runs in equal states go on alike.
#[derive(Debug, Clone, Default)]
pub(super) struct Cost {
    pub steps: u64,
    pub dice: u64,
    pub nesting: usize,
    /// The operation being run, for the place of a fault.
    pub at: Option<(CodeId, u32)>,
    pub turns: Option<Turns>,
}

/// The turns of a `repeat` so far.
#[derive(Debug, Clone)]
pub(super) struct Turns {
    pub at: (CodeId, u32),
    pub count: u64,
    /// The sheets as the last turn began, and how many dice and choices there had been.
    pub sheets: Vec<Arc<Instance>>,
    pub chances: u64,
}

impl Machine<'_> {
    /// Counts dice against the limit of a run, beyond the one that each answer counts for.
    pub(super) fn count_dice(&mut self, dice: u64) -> Result<()> {
        self.cost.dice = self.cost.dice.saturating_add(dice);
        if self.cost.dice > DICE_A_RUN {
            return Err(FaultKind::Limit { what: Limit::Dice, count: self.cost.dice, limit: DICE_A_RUN });
        }
        Ok(())
    }

    /// Counts one operation against the limit of a run.
    #[inline]
    pub(super) fn tick(&mut self) -> Result<()> {
        self.cost.steps += 1;
        if self.cost.steps > STEPS {
            return Err(FaultKind::Limit { what: Limit::Steps, count: self.cost.steps, limit: STEPS });
        }
        Ok(())
    }

    /// Looking through many sheets counts as steps, too.
    pub(super) fn looked_at(&mut self, sheets: usize) {
        self.cost.steps = self.cost.steps.saturating_add(sheets as u64 / SHEETS_A_STEP);
    }
}
