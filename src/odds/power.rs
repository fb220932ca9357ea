//! The sums of many like dice in numbers larger than a machine word.

use num_bigint::BigUint;

use super::table::Table;
use super::weight::Weight;
use crate::dice::DiceFault;

/// Bits of the digits that numbers are packed in.
const DIGIT: u64 = 32;

/// How much work the sums of so many are, in steps: `length` of them, each of so many bits.
pub(super) fn work(table: &Table<BigUint>, count: u32, length: u128, bits: u64) -> u128 {
    let words = 8 + u128::from(bits / 64);
    if is_run(table) {
        return length.saturating_mul(8).saturating_mul(words);
    }
    let packed = (length as f64) * (bits as f64 / 64.0 + 1.0);
    let by_packing = (packed.powf(1.5) * 2.0) as u128 + length * words;
    if packs(table, count) { by_packing } else { length.saturating_mul(length).saturating_mul(words) / 3 }
}

/// The sum of so many, none of which knows of the others.
pub(super) fn power(table: &Table<BigUint>, count: u32) -> Result<Table<BigUint>, DiceFault> {
    let (low, high) = table.ends();
    let edge = |value: i64| value.checked_mul(i64::from(count)).ok_or(DiceFault::Overflow);
    let (low, _) = (edge(low)?, edge(high)?);
    let weights = if is_run(table) {
        run(table.values.len() as u64, count)
    } else if packs(table, count) {
        packed(table, count)
    } else {
        return table.times(count);
    };
    let all = weights.into_iter().enumerate().filter(|(_, weight)| !Weight::is_zero(weight));
    let (values, weights) = all.map(|(index, weight)| (low + index as i64, weight)).unzip();
    let denominator = table.denominator.pow(count);
    let cut = &denominator - (&table.denominator - &table.cut).pow(count);
    Ok(Table { values, weights, cut, denominator })
}

/// Whether it is a die such as a d6: numbers in a row, each in one way.
fn is_run(table: &Table<BigUint>) -> bool {
    let (low, high) = table.ends();
    let single = table.weights.iter().all(|weight| *weight == BigUint::one());
    single && high.abs_diff(low) + 1 == table.values.len() as u64
}

/// Dice of 1, 2, 3 … faces in a row. The polynomial `((1 - x^f) / (1 - x))^n` satisfies a linear
/// differential equation, so that each coefficient follows of three before it by small factors:
/// `(k+1) q[k+1] = (k+n) q[k] - (nf+f-1-k) q[k-f+1] + (n(f-1)+f-k) q[k-f]`. The other half mirrors it.
fn run(faces: u64, count: u32) -> Vec<BigUint> {
    let count = u64::from(count);
    let last = count * (faces - 1);
    let mut ways: Vec<BigUint> = Vec::with_capacity(last as usize + 1);
    ways.push(BigUint::one());
    for at in 0..last / 2 {
        let before = |back: u64| at.checked_sub(back).and_then(|at| ways.get(at as usize));
        let mut next = ways.get(at as usize).map_or_else(BigUint::default, |ways| ways * (at + count));
        if let Some(ways) = before(faces) {
            next += ways * (last + faces - at);
        }
        if let Some(ways) = before(faces - 1) {
            next -= ways * (last + count + faces - 1 - at);
        }
        ways.push(next / (at + 1));
    }
    for at in ways.len() as u64..=last {
        let mirrored = ways.get((last - at) as usize).cloned().unwrap_or_default();
        ways.push(mirrored);
    }
    ways
}

/// Whether the outcomes are near enough to each other to be packed.
fn packs(table: &Table<BigUint>, count: u32) -> bool {
    let (low, high) = table.ends();
    let span = high.abs_diff(low).saturating_add(1);
    span <= (table.values.len() as u64).saturating_mul(4) && span.saturating_mul(u64::from(count)) < 1 << 24
}

/// The weights side by side in one number, wide enough apart that no sum of products reaches its
/// neighbour: the power of the number holds the weights of the power.
fn packed(table: &Table<BigUint>, count: u32) -> Vec<BigUint> {
    let (low, high) = table.ends();
    let span = high.abs_diff(low) as usize;
    let wide = (table.denominator.bits() * u64::from(count) / DIGIT + 1) as usize;
    let mut digits = vec![0u32; (span + 1) * wide];
    for (value, weight) in table.iter() {
        let from = value.abs_diff(low) as usize * wide;
        let places = digits.iter_mut().skip(from);
        places.zip(weight.to_u32_digits()).for_each(|(place, digit)| *place = digit);
    }
    let power = BigUint::new(digits).pow(count).to_u32_digits();
    let mut weights: Vec<BigUint> = power.chunks(wide).map(|digits| BigUint::new(digits.to_vec())).collect();
    weights.resize(span * count as usize + 1, BigUint::default());
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(weights: &[(i64, u32)]) -> Table<BigUint> {
        let (values, weights): (Vec<i64>, Vec<u32>) = weights.iter().copied().unzip();
        let denominator = BigUint::from(weights.iter().sum::<u32>());
        let weights = weights.into_iter().map(BigUint::from).collect();
        Table { values, weights, cut: BigUint::one(), denominator }
    }

    #[test]
    fn all_ways_agree_with_adding_one_by_one() {
        let runs = table(&[(1, 1), (2, 1), (3, 1), (4, 1)]);
        let coin = table(&[(0, 1), (1, 1)]);
        let one = table(&[(1, 1)]);
        let gaps = table(&[(-2, 3), (0, 1), (1, 7)]);
        let far = table(&[(0, 1), (1_000_000, 2)]);
        for table in [runs, coin, one, gaps, far] {
            for count in [1, 2, 3, 7] {
                let (quick, slow) = (power(&table, count).unwrap(), table.times(count).unwrap());
                assert_eq!((quick.values, quick.weights), (slow.values, slow.weights));
                assert_eq!((quick.cut, quick.denominator), (slow.cut, slow.denominator));
            }
        }
    }
}
