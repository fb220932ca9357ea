//! A fraction in lowest terms: how a chance or a mean is shown.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigUint;

use super::weight::{Weight, common};

/// A rational number in lowest terms.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fraction {
    negative: bool,
    numerator: BigUint,
    denominator: BigUint,
}

impl Fraction {
    /// From a numerator and a denominator, which must not be 0.
    pub fn new(numerator: BigUint, denominator: BigUint) -> Self {
        Fraction::signed(false, numerator, denominator)
    }

    /// From small numbers: `Fraction::of(-7, 12)`. A denominator of 0 counts as 1.
    pub fn of(numerator: i64, denominator: u64) -> Self {
        let whole = BigUint::from(numerator.unsigned_abs());
        Fraction::signed(numerator < 0, whole, BigUint::from(denominator.max(1)))
    }

    pub(super) fn signed(negative: bool, numerator: BigUint, denominator: BigUint) -> Self {
        let by = common(&numerator, &denominator);
        let negative = negative && !Weight::is_zero(&numerator);
        if by == BigUint::one() {
            return Fraction { negative, numerator, denominator };
        }
        Fraction { negative, numerator: numerator / &by, denominator: denominator / by }
    }

    /// 0.
    pub fn zero() -> Self {
        Fraction::of(0, 1)
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        Weight::is_zero(&self.numerator)
    }

    /// The sum of two.
    pub fn plus(&self, other: &Self) -> Self {
        let (mine, theirs) = (&self.numerator * &other.denominator, &other.numerator * &self.denominator);
        let denominator = &self.denominator * &other.denominator;
        if self.negative == other.negative {
            return Fraction::signed(self.negative, mine + theirs, denominator);
        }
        match mine >= theirs {
            true => Fraction::signed(self.negative, mine - theirs, denominator),
            false => Fraction::signed(other.negative, theirs - mine, denominator),
        }
    }

    /// This without another.
    pub fn minus(&self, other: &Self) -> Self {
        self.plus(&Fraction { negative: !other.negative, ..other.clone() })
    }

    /// The product of two.
    pub fn times(&self, other: &Self) -> Self {
        let numerator = &self.numerator * &other.numerator;
        Fraction::signed(self.negative != other.negative, numerator, &self.denominator * &other.denominator)
    }

    /// Without its sign.
    pub fn abs(&self) -> Self {
        Fraction { negative: false, ..self.clone() }
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Without its sign.
    pub fn numerator(&self) -> &BigUint {
        &self.numerator
    }

    /// At least 1.
    pub fn denominator(&self) -> &BigUint {
        &self.denominator
    }

    /// How far two are apart that are not below zero, whichever is greater.
    pub fn apart(&self, other: &Self) -> Self {
        let (a, b) = (&self.numerator * &other.denominator, &other.numerator * &self.denominator);
        Fraction::new(if a > b { a - b } else { b - a }, &self.denominator * &other.denominator)
    }

    /// The nearest machine number, or one of its neighbours. Numbers below its range are 0.
    pub fn to_f64(&self) -> f64 {
        let size = ratio(&self.numerator, &self.denominator);
        if self.negative { -size } else { size }
    }
}

/// A quotient of whole numbers of any size.
fn ratio(numerator: &BigUint, denominator: &BigUint) -> f64 {
    if let (Ok(above), Ok(below)) = (u64::try_from(numerator), u64::try_from(denominator))
        && above < 1 << 53
        && below < 1 << 53
    {
        return above as f64 / below as f64;
    }
    // 64 significant bits of the quotient, whatever the size of the two.
    let shift = denominator.bits() as i64 - numerator.bits() as i64 + 64;
    let quotient = match u64::try_from(shift) {
        Ok(shift) => (numerator << shift) / denominator,
        Err(_) => numerator / (denominator << shift.unsigned_abs()),
    };
    let digits = u128::try_from(quotient).unwrap_or(u128::MAX) as f64;
    let half = i32::try_from(-shift / 2).unwrap_or(if shift > 0 { i32::MIN } else { i32::MAX });
    let rest = i32::try_from(-shift - i64::from(half)).unwrap_or(half);
    digits * 2f64.powi(half) * 2f64.powi(rest)
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        let size = || (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator));
        match (self.negative, other.negative) {
            (false, false) => size(),
            (true, true) => size().reverse(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

crate::say_as_shown!(Fraction);

/// `7/12`; a whole number without a denominator.
impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        write!(f, "{sign}{}", self.numerator)?;
        if self.denominator == BigUint::one() {
            return Ok(());
        }
        write!(f, "/{}", self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lowest_terms_and_sign() {
        assert_eq!(Fraction::of(6, 8).to_string(), "3/4");
        assert_eq!(Fraction::of(-6, 3).to_string(), "-2");
        assert_eq!(Fraction::of(0, 3).to_string(), "0");
        assert!(Fraction::of(-1, 2) < Fraction::of(-1, 3));
        assert!(Fraction::of(1, 2) > Fraction::of(1, 3));
        assert_eq!(Fraction::of(1, 6).plus(&Fraction::of(1, 3)), Fraction::of(1, 2));
        assert_eq!(Fraction::of(1, 6).apart(&Fraction::of(1, 2)), Fraction::of(1, 3));
        assert_eq!(Fraction::of(1, 2).apart(&Fraction::of(1, 6)), Fraction::of(1, 3));
    }

    #[test]
    fn sums_differences_and_products() {
        let (half, third) = (Fraction::of(1, 2), Fraction::of(-1, 3));
        assert_eq!(half.plus(&third), Fraction::of(1, 6));
        assert_eq!(third.minus(&half), Fraction::of(-5, 6));
        assert_eq!(third.times(&half), Fraction::of(-1, 6));
        assert_eq!(third.minus(&third), Fraction::zero());
        assert_eq!(Fraction::zero().minus(&half).abs(), half);
    }

    #[test]
    fn machine_numbers_of_any_size() {
        let huge = BigUint::of(6).power(400);
        let near = |fraction: Fraction, value: f64| assert!((fraction.to_f64() / value - 1.0).abs() < 1e-14);
        near(Fraction::of(1, 50), 0.02);
        near(Fraction::new(huge.clone(), &huge * 3u32), 1.0 / 3.0);
        near(Fraction::new(&huge * &huge + 1u32, huge.clone() * &huge * 7u32), 1.0 / 7.0);
        near(Fraction::new(BigUint::one(), BigUint::of(2).power(1000)), 2f64.powi(-1000));
        assert_eq!(Fraction::new(BigUint::one(), BigUint::of(2).power(5000)).to_f64(), 0.0);
    }
}
