//! The whole numbers that outcomes are weighed with: machine words, or big ones behind them.

use num_bigint::BigUint;

/// A whole number from 0. Sums and products of machine words are only made where the denominator
/// is known to fit: no weight is ever greater than that.
pub(super) trait Weight: Clone + Default + PartialEq + std::fmt::Debug {
    /// From a machine word.
    fn of(word: u128) -> Self;
    /// From a number of any size that fits.
    fn of_big(number: &BigUint) -> Self;
    fn is_zero(&self) -> bool;
    fn plus(&mut self, other: &Self);
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn plus_product(&mut self, left: &Self, right: &Self);
    fn over(&self, other: &Self) -> Self;
    fn big(&self) -> BigUint;

    fn one() -> Self {
        Self::of(1)
    }

    fn power(&self, mut exponent: u32) -> Self {
        let (mut result, mut square) = (Self::one(), self.clone());
        while exponent > 0 {
            if exponent % 2 == 1 {
                result = result.times(&square);
            }
            exponent /= 2;
            if exponent > 0 {
                square = square.times(&square);
            }
        }
        result
    }
}

impl Weight for u128 {
    fn of(word: u128) -> Self {
        word
    }

    fn of_big(number: &BigUint) -> Self {
        u128::try_from(number).unwrap_or(u128::MAX)
    }

    fn is_zero(&self) -> bool {
        *self == 0
    }

    #[inline]
    fn plus(&mut self, other: &Self) {
        *self += other;
    }

    fn minus(&self, other: &Self) -> Self {
        self - other
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    #[inline]
    fn plus_product(&mut self, left: &Self, right: &Self) {
        *self += left * right;
    }

    fn over(&self, other: &Self) -> Self {
        self / other
    }

    fn big(&self) -> BigUint {
        BigUint::from(*self)
    }
}

impl Weight for BigUint {
    fn of(word: u128) -> Self {
        BigUint::from(word)
    }

    fn of_big(number: &BigUint) -> Self {
        number.clone()
    }

    fn is_zero(&self) -> bool {
        *self == BigUint::ZERO
    }

    fn plus(&mut self, other: &Self) {
        *self += other;
    }

    fn minus(&self, other: &Self) -> Self {
        self - other
    }

    fn times(&self, other: &Self) -> Self {
        self * other
    }

    fn plus_product(&mut self, left: &Self, right: &Self) {
        // Faces mostly stand once on a die.
        match (left.bits(), right.bits()) {
            (_, 1) => *self += left,
            (1, _) => *self += right,
            _ => *self += left * right,
        }
    }

    fn over(&self, other: &Self) -> Self {
        self / other
    }

    fn big(&self) -> BigUint {
        self.clone()
    }
}

/// The greatest common divisor; that of 0 and a number is the number.
pub(super) fn common(left: &BigUint, right: &BigUint) -> BigUint {
    let (mut a, mut b) = (left.clone(), right.clone());
    while !Weight::is_zero(&b) {
        if let (Ok(a), Ok(b)) = (u128::try_from(&a), u128::try_from(&b)) {
            return BigUint::from(common_word(a, b));
        }
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// The same of machine words.
pub(super) fn common_word(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The least number both divide.
pub(super) fn least_multiple(left: &BigUint, right: &BigUint) -> BigUint {
    if left == right {
        return left.clone();
    }
    left / common(left, right) * right
}

/// In how many ways 0, 1, 2 … can be chosen of so many.
pub(super) fn choices<W: Weight>(all: u32) -> Vec<W> {
    let mut row = Vec::with_capacity(all as usize + 1);
    if all <= WORDS_CHOOSE {
        let mut ways = 1u128;
        for chosen in 0..=u128::from(all) {
            row.push(W::of(ways));
            ways = ways * (u128::from(all) - chosen) / (chosen + 1);
        }
        return row;
    }
    let mut ways = BigUint::from(1u32);
    for chosen in 0..=all {
        row.push(W::of_big(&ways));
        ways = ways * (all - chosen) / (chosen + 1);
    }
    row
}

/// Of so many a choice, times their number, still fits a machine word: 100 times C(100, 50) has 104 bits.
const WORDS_CHOOSE: u32 = 100;

/// How many ways there are to choose so many of these: a binomial coefficient.
pub(super) fn choose(all: u32, chosen: u32) -> BigUint {
    let chosen = chosen.min(all - chosen);
    let mut result = BigUint::from(1u32);
    for step in 0..chosen {
        result = result * (all - step) / (step + 1);
    }
    result
}
