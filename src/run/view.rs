//! What can be seen of a story: tracks, values, conditions and why they are there.

use super::clauses::Gift;
use super::fault::Fault;
use super::machine::Machine;
use super::state::Value;
use crate::program::HoldId;

impl<'p> Machine<'p> {
    /// The state a sheet is in.
    ///
    /// Errors: no such sheet.
    pub fn state_of(&self, sheet: u32) -> Result<i64, Fault> {
        self.current_state(sheet).map_err(|kind| self.fault(kind))
    }

    /// A value of a sheet with all that is added to it.
    ///
    /// Errors: no such sheet or value; whatever its formula runs into.
    pub fn value_of(&self, sheet: u32, value: u16, args: &[Value]) -> Result<Value, Fault> {
        let mut copy = self.clone();
        copy.worked_out(sheet, value, args).map_err(|kind| copy.fault(kind))
    }

    /// A set of conditions: suffered for good, for a time, or given by blocks. As bits.
    ///
    /// Errors: no such sheet or set; whatever a condition of a block runs into.
    pub fn conditions_of(&self, sheet: u32, slot: u16) -> Result<i64, Fault> {
        let mut copy = self.clone();
        copy.all_conditions(sheet, slot).map_err(|kind| copy.fault(kind))
    }

    /// What blocks give a sheet, and which sheet's blocks they are.
    ///
    /// Errors: no such sheet; whatever a condition of a block runs into.
    pub fn gifts_of(&self, sheet: u32) -> Result<Vec<Gift>, Fault> {
        let mut copy = self.clone();
        copy.gifts_to(sheet).map_err(|kind| copy.fault(kind))
    }

    /// Whether what stands under a block of a sheet acts now.
    ///
    /// Errors: no such sheet or block; whatever its condition runs into.
    pub fn holds(&self, sheet: u32, hold: Option<HoldId>) -> Result<bool, Fault> {
        let mut copy = self.clone();
        copy.acts(sheet, hold).map_err(|kind| copy.fault(kind))
    }

    /// The bounds of a track as they are now; `i64::MIN` and `i64::MAX` mean none.
    ///
    /// Errors: no such sheet or track; whatever a bound runs into.
    pub fn bounds_of(&self, sheet: u32, slot: u16) -> Result<(i64, i64), Fault> {
        let mut copy = self.clone();
        let bounds = copy.slot_of(sheet, slot).and_then(|slot| copy.bounds(sheet, slot));
        bounds.map_err(|kind| copy.fault(kind))
    }
}
