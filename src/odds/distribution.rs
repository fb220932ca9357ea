//! What numbers can come up, each with its exact chance.

use std::borrow::Cow;

use num_bigint::BigUint;

use super::Fraction;
use super::power::power;
use super::table::Table;
use super::weight::{Weight, common, common_word, least_multiple};
use crate::dice::DiceFault;

/// Denominators of up to so many bits, and all sums under them, are reckoned in machine words.
pub(super) const WORD_BITS: u64 = 127;

/// Numbers with their chances: integer weights over one denominator, which they add up to exactly.
#[derive(Debug, Clone)]
pub struct Distribution(Inner);

#[derive(Debug, Clone)]
enum Inner {
    Words(Table<u128>),
    Big(Table<BigUint>),
}

/// Does the same with the table of a distribution, whatever its size.
macro_rules! with {
    ($distribution:expr, $table:ident => $result:expr) => {
        match &$distribution.0 {
            Inner::Words($table) => $result,
            Inner::Big($table) => $result,
        }
    };
}

/// Does the same with the tables of two distributions, in words where the product of their denominators fits.
macro_rules! both {
    ($left:expr, $right:expr, ($a:ident, $b:ident) => $result:expr) => {
        match (&$left.0, &$right.0) {
            (Inner::Words($a), Inner::Words($b)) if $left.bits() + $right.bits() <= WORD_BITS => Inner::Words($result),
            _ => {
                let ($a, $b) = ($left.to_big(), $right.to_big());
                let ($a, $b) = (&*$a, &*$b);
                Inner::Big($result)
            }
        }
    };
}

impl Distribution {
    /// A number that comes up for certain.
    pub fn certain(value: i64) -> Self {
        Distribution(Inner::Words(Table::certain(value)))
    }

    /// Numbers with their weights, in any order.
    pub fn weighted(weights: &[(i64, u64)]) -> Self {
        let mut all: Vec<(i64, u128)> = weights.iter().map(|(value, weight)| (*value, u128::from(*weight))).collect();
        all.retain(|(_, weight)| *weight > 0);
        all.sort_unstable();
        all.dedup_by(|next, first| {
            let same = next.0 == first.0;
            first.1 += if same { next.1 } else { 0 };
            same
        });
        let by = all.iter().fold(0, |by, (_, weight)| common_word(by, *weight)).max(1);
        let (values, weights): (Vec<i64>, Vec<u128>) =
            all.into_iter().map(|(value, weight)| (value, weight / by)).unzip();
        let denominator = weights.iter().sum();
        Distribution(Inner::Words(Table { values, weights, cut: 0, denominator }))
    }

    pub(super) fn of_words(table: Table<u128>) -> Self {
        Distribution(Inner::Words(table))
    }

    pub(super) fn of_big(table: Table<BigUint>) -> Self {
        Distribution(Inner::Big(table)).settled()
    }

    /// In machine words where it fits.
    fn settled(self) -> Self {
        match self.0 {
            Inner::Big(table) if table.denominator.bits() <= WORD_BITS => {
                let word = |weight: &BigUint| u128::try_from(weight).unwrap_or(u128::MAX);
                let weights = table.weights.iter().map(word).collect();
                let (cut, denominator) = (word(&table.cut), word(&table.denominator));
                Distribution(Inner::Words(Table { values: table.values, weights, cut, denominator }))
            }
            inner => Distribution(inner),
        }
    }

    pub(super) fn words(&self) -> Option<&Table<u128>> {
        match &self.0 {
            Inner::Words(table) => Some(table),
            Inner::Big(_) => None,
        }
    }

    pub(super) fn to_big(&self) -> Cow<'_, Table<BigUint>> {
        match &self.0 {
            Inner::Big(table) => Cow::Borrowed(table),
            Inner::Words(table) => Cow::Owned(Table {
                values: table.values.clone(),
                weights: table.weights.iter().map(Weight::big).collect(),
                cut: table.cut.big(),
                denominator: table.denominator.big(),
            }),
        }
    }

    /// How many bits the denominator has.
    pub(super) fn bits(&self) -> u64 {
        match &self.0 {
            Inner::Words(table) => u64::from(128 - table.denominator.leading_zeros()),
            Inner::Big(table) => table.denominator.bits(),
        }
    }

    /// The numbers that can come up, in ascending order.
    pub fn values(&self) -> &[i64] {
        with!(self, table => &table.values)
    }

    /// What all weights add up to.
    pub fn denominator(&self) -> BigUint {
        with!(self, table => table.denominator.big())
    }

    /// Each number with its weight, in ascending order.
    pub fn weights(&self) -> Vec<(i64, BigUint)> {
        with!(self, table => table.iter().map(|(value, weight)| (value, weight.big())).collect())
    }

    /// Each number with its chance, in ascending order.
    pub fn chances(&self) -> Vec<(i64, Fraction)> {
        let denominator = self.denominator();
        let chance = |(value, weight)| (value, Fraction::new(weight, denominator.clone()));
        self.weights().into_iter().map(chance).collect()
    }

    /// Each number with its chance as a machine number, in ascending order.
    pub fn probabilities(&self) -> Vec<(i64, f64)> {
        match &self.0 {
            Inner::Words(table) => {
                let all = table.denominator as f64;
                table.iter().map(|(value, weight)| (value, *weight as f64 / all)).collect()
            }
            Inner::Big(_) => self.chances().into_iter().map(|(value, chance)| (value, chance.to_f64())).collect(),
        }
    }

    /// The chance of one number.
    pub fn chance(&self, value: i64) -> Fraction {
        self.chance_where(|other| other == value)
    }

    /// The chance of a number or more.
    pub fn at_least(&self, value: i64) -> Fraction {
        self.chance_where(|other| other >= value)
    }

    /// The chance of a number or less.
    pub fn at_most(&self, value: i64) -> Fraction {
        self.chance_where(|other| other <= value)
    }

    /// The chance of all numbers that meet a condition.
    pub fn chance_where(&self, meets: impl Fn(i64) -> bool) -> Fraction {
        let mut sum = BigUint::default();
        with!(self, table => table.iter().filter(|(value, _)| meets(*value)).for_each(|(_, weight)| sum += weight.big()));
        Fraction::new(sum, self.denominator())
    }

    /// Whether no bound cut anything off.
    pub fn is_exact(&self) -> bool {
        with!(self, table => table.cut.is_zero())
    }

    /// The chance that a bound is reached. What came up by then counts as it stands, so no other
    /// chance is further off than this.
    pub fn cut(&self) -> Fraction {
        Fraction::new(with!(self, table => table.cut.big()), self.denominator())
    }

    /// The sum of all numbers to this power, times their weights, without and with a minus sign.
    fn moment(&self, power: u32) -> (bool, BigUint) {
        let (mut above, mut below) = (BigUint::default(), BigUint::default());
        with!(self, table => for (value, weight) in table.iter() {
            let sum = if value < 0 && power % 2 == 1 { &mut below } else { &mut above };
            *sum += weight.big() * BigUint::from(value.unsigned_abs()).pow(power);
        });
        if above >= below { (false, above - below) } else { (true, below - above) }
    }

    /// The mean.
    pub fn mean(&self) -> Fraction {
        let (negative, sum) = self.moment(1);
        Fraction::signed(negative, sum, self.denominator())
    }

    /// The variance.
    pub fn variance(&self) -> Fraction {
        let denominator = self.denominator();
        let (sum, squares) = (self.moment(1).1, self.moment(2).1);
        Fraction::new(squares * &denominator - &sum * &sum, &denominator * &denominator)
    }

    /// The standard deviation: the root of the exact variance.
    pub fn sd(&self) -> f64 {
        self.variance().to_f64().sqrt()
    }

    /// The least number that comes up, or a lesser one does, with at least this chance.
    pub fn percentile(&self, chance: &Fraction) -> i64 {
        let target = chance.numerator() * self.denominator();
        let mut sum = BigUint::default();
        for (value, weight) in self.weights() {
            sum += weight * chance.denominator();
            if sum >= target {
                return value;
            }
        }
        self.values().last().copied().unwrap_or(0)
    }

    /// The sum of two that know nothing of each other.
    ///
    /// Errors: [`DiceFault::Overflow`].
    pub fn plus(&self, other: &Self) -> Result<Self, DiceFault> {
        Ok(Distribution(both!(self, other, (a, b) => a.convolve(b)?)))
    }

    /// The sum of so many, none of which knows of the others.
    ///
    /// Errors: [`DiceFault::Overflow`].
    pub fn times(&self, count: u32) -> Result<Self, DiceFault> {
        match &self.0 {
            Inner::Words(table) if self.bits().saturating_mul(u64::from(count)) <= WORD_BITS => {
                Ok(Distribution(Inner::Words(table.times(count)?)))
            }
            _ if count == 0 => Ok(Distribution::certain(0)),
            _ => Ok(Distribution::of_big(power(&self.to_big(), count)?)),
        }
    }

    /// Every number through a function.
    ///
    /// Errors: the function's.
    pub fn map<F>(&self, change: impl FnMut(i64) -> Result<i64, F>) -> Result<Self, F> {
        Ok(Distribution(match &self.0 {
            Inner::Words(table) => Inner::Words(table.map(change)?),
            Inner::Big(table) => Inner::Big(table.map(change)?),
        }))
    }

    /// Every pair of numbers of two that know nothing of each other through a function.
    ///
    /// Errors: the function's.
    pub fn pairs<F>(&self, other: &Self, change: impl FnMut(i64, i64) -> Result<i64, F>) -> Result<Self, F> {
        Ok(Distribution(both!(self, other, (a, b) => a.pairs(b, change)?)))
    }

    /// The greater of two that know nothing of each other.
    pub fn greater(&self, other: &Self) -> Self {
        Distribution(both!(self, other, (a, b) => a.greater(b)))
    }

    /// One of several, each with its weight.
    pub fn mixture(parts: &[(BigUint, Distribution)]) -> Self {
        if let [(_, only)] = parts {
            return only.clone();
        }
        let by = parts.iter().fold(BigUint::default(), |by, (weight, _)| common(&by, weight));
        let by = if Weight::is_zero(&by) { BigUint::one() } else { by };
        let all: BigUint = parts.iter().map(|(weight, _)| weight / &by).sum();
        let multiple = parts.iter().fold(BigUint::one(), |all, (_, part)| least_multiple(&all, &part.denominator()));
        let word = |weight: &BigUint| u128::try_from(weight).unwrap_or(u128::MAX);
        if all.bits() + multiple.bits() <= WORD_BITS {
            let words = parts.iter().filter_map(|(weight, part)| Some((word(&(weight / &by)), part.words()?)));
            let words: Vec<_> = words.collect();
            if words.len() == parts.len() {
                return Distribution(Inner::Words(Table::mixture(&words, &word(&all), &word(&multiple))));
            }
        }
        let tables: Vec<_> = parts.iter().map(|(weight, part)| (weight / &by, part.to_big())).collect();
        let parts: Vec<_> = tables.iter().map(|(weight, part)| (weight.clone(), &**part)).collect();
        Distribution::of_big(Table::mixture(&parts, &all, &multiple))
    }

    /// The same, all of it cut off by a bound.
    pub(super) fn cut_off(mut self) -> Self {
        match &mut self.0 {
            Inner::Words(table) => table.cut = table.denominator,
            Inner::Big(table) => table.cut = table.denominator.clone(),
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn die(faces: i64) -> Distribution {
        Distribution::weighted(&(1..=faces).map(|face| (face, 1)).collect::<Vec<_>>())
    }

    #[test]
    fn sums_means_and_percentiles() {
        let two = die(6).plus(&die(6)).unwrap();
        assert_eq!(two.chance(7), Fraction::of(1, 6));
        assert_eq!(two.at_least(7), Fraction::of(7, 12));
        assert_eq!(two.at_most(3), Fraction::of(1, 12));
        assert_eq!(two.mean(), Fraction::of(7, 1));
        assert_eq!(two.variance(), Fraction::of(35, 6));
        assert_eq!(two.percentile(&Fraction::of(1, 2)), 7);
        assert_eq!(two.percentile(&Fraction::of(1, 36)), 2);
        assert_eq!(die(6).times(0).unwrap().values(), [0]);
    }

    #[test]
    fn big_numbers_stand_behind_words() {
        let words = die(6).times(45).unwrap();
        let big = die(6).times(60).unwrap();
        assert!(words.words().is_some() && big.words().is_none());
        for dice in [words, big] {
            let sum: BigUint = dice.weights().into_iter().map(|(_, weight)| weight).sum();
            assert_eq!(sum, dice.denominator());
            assert_eq!(dice.mean(), Fraction::of(7 * dice.values()[0], 2));
        }
    }

    #[test]
    fn mixtures_scale_to_a_common_denominator() {
        let parts = [(BigUint::of(2), die(6)), (BigUint::of(4), die(4))];
        let either = Distribution::mixture(&parts);
        assert_eq!(either.chance(1), Fraction::of(2, 9));
        assert_eq!(either.chance(6), Fraction::of(1, 18));
    }

    #[test]
    fn the_greater_of_two() {
        assert_eq!(die(20).greater(&die(20)).mean(), Fraction::of(553, 40));
    }
}
