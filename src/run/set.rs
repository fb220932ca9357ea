//! Sets of members, as bits.

use super::fault::{FaultKind, Result};
use crate::program::NONE;

/// The members of a set, in order.
pub(super) fn members(set: i64) -> impl Iterator<Item = i64> {
    (0..64).filter(move |bit| set >> bit & 1 == 1)
}

/// A set of members, given one or none.
pub(super) fn single(member: i64) -> Result<i64> {
    match member {
        NONE => Ok(0),
        0..64 => Ok(1 << member),
        _ => Err(FaultKind::Internal("a member that no set holds")),
    }
}

/// Whether a set has a member; none is in no set.
pub(super) fn within(member: i64, set: i64) -> bool {
    (0..64).contains(&member) && set >> member & 1 == 1
}

/// The only member of a set, where there is just one.
pub(super) fn only(set: i64) -> Option<i64> {
    (set.count_ones() == 1).then(|| members(set).next()).flatten()
}
