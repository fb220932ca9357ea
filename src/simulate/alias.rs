//! Drawing one of several things, each with its weight, with one random number whatever their count.
//!
//! The alias method: every column holds at most two things and is as wide as the next, so a number
//! of 64 bits picks a column with its high part and one of the two with the rest. Each chance is
//! right to about one part in 2^64.

use num_bigint::BigUint;

/// One column: below `part` the first, from there on the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column<T> {
    part: u64,
    first: T,
    second: T,
}

/// The columns for these things, in an order that depends on theirs alone. Their weights are above 0.
pub(super) fn columns<T: Copy>(weighted: &[(T, BigUint)]) -> Vec<Column<T>> {
    let count = weighted.len();
    let all: BigUint = weighted.iter().map(|(_, weight)| weight).sum();
    // How much of its own column each fills, out of `all`.
    let mut fills: Vec<BigUint> = weighted.iter().map(|(_, weight)| weight * count).collect();
    let (mut scarce, mut ample): (Vec<usize>, Vec<usize>) = (0..count).partition(|at| fills[*at] < all);
    let mut columns: Vec<Column<T>> =
        weighted.iter().map(|(thing, _)| Column { part: u64::MAX, first: *thing, second: *thing }).collect();
    while let (Some(low), Some(high)) = (scarce.pop(), ample.pop()) {
        let part = (&fills[low] << 64u32) / &all;
        columns[low].part = u64::try_from(part).unwrap_or(u64::MAX);
        columns[low].second = weighted[high].0;
        let left = &fills[high] + &fills[low] - &all;
        fills[high] = left;
        if fills[high] < all {
            scarce.push(high);
        } else {
            ample.push(high);
        }
    }
    columns
}

/// What a random number of 64 bits draws. There is at least one column.
#[inline]
pub(super) fn draw<T: Copy>(columns: &[Column<T>], bits: u64) -> T {
    let scaled = u128::from(bits) * columns.len() as u128;
    let column = &columns[(scaled >> 64) as usize];
    if (scaled as u64) < column.part { column.first } else { column.second }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of each thing, summed over the columns.
    fn shares(weights: &[u64]) -> Vec<f64> {
        let weighted: Vec<(usize, BigUint)> =
            weights.iter().enumerate().map(|(at, weight)| (at, BigUint::from(*weight))).collect();
        let columns = columns(&weighted);
        assert_eq!(columns.len(), weights.len());
        let mut shares = vec![0.0; weights.len()];
        for column in &columns {
            let part = column.part as f64 / 2f64.powi(64) / columns.len() as f64;
            shares[column.first] += part;
            shares[column.second] += 1.0 / columns.len() as f64 - part;
        }
        shares
    }

    #[test]
    fn each_thing_has_its_share() {
        for weights in [&[1][..], &[1, 1], &[1, 2, 3], &[1000, 1, 1, 1], &[7, 7, 7, 7, 1], &[u64::MAX, 1, u64::MAX]] {
            let all: f64 = weights.iter().map(|weight| *weight as f64).sum();
            for (share, weight) in shares(weights).iter().zip(weights) {
                assert!((share - *weight as f64 / all).abs() < 1e-12, "{weights:?}");
            }
        }
    }

    #[test]
    fn the_ends_of_the_numbers_draw_the_ends() {
        let weighted: Vec<(u8, BigUint)> = (0..6).map(|at| (at, BigUint::from(1u32))).collect();
        let columns = columns(&weighted);
        assert_eq!((draw(&columns, 0), draw(&columns, u64::MAX)), (0, 5));
    }
}
