//! The operators between totals: 64 bits, checked.

use super::{Compare, Dice, DiceFault, End, Function, Operator, Rounding};

impl Operator {
    /// What the operator makes of two totals.
    ///
    /// Errors: [`DiceFault::Overflow`], [`DiceFault::DivisionByZero`].
    #[inline]
    pub fn apply(self, left: i64, right: i64) -> Result<i64, DiceFault> {
        let result = match self {
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => left.checked_mul(right),
            Operator::Divide(rounding) => return rounding.divide(left, right),
            Operator::Remainder => {
                let left = i128::from(left);
                let down = Rounding::Down.divide_wide(left, right)?;
                i64::try_from(left - down * i128::from(right)).ok()
            }
            Operator::Compare(compare) => Some(i64::from(compare.holds(left, right))),
        };
        result.ok_or(DiceFault::Overflow)
    }
}

impl Rounding {
    /// `left / right`, rounded.
    ///
    /// Errors: [`DiceFault::Overflow`], [`DiceFault::DivisionByZero`].
    pub fn divide(self, left: i64, right: i64) -> Result<i64, DiceFault> {
        let result = self.divide_wide(i128::from(left), right)?;
        i64::try_from(result).map_err(|_| DiceFault::Overflow)
    }

    fn divide_wide(self, left: i128, right: i64) -> Result<i128, DiceFault> {
        if right == 0 {
            return Err(DiceFault::DivisionByZero);
        }
        let sign = if right < 0 { -1 } else { 1 };
        let (left, right) = (left * sign, i128::from(right) * sign);
        Ok(match self {
            Rounding::Down => left.div_euclid(right),
            Rounding::Up => -(-left).div_euclid(right),
            Rounding::Near => (2 * left + right).div_euclid(2 * right),
        })
    }

    /// As written behind a division.
    pub fn as_str(self) -> &'static str {
        match self {
            Rounding::Down => "down",
            Rounding::Up => "up",
            Rounding::Near => "near",
        }
    }
}

impl Function {
    /// As written before the parentheses.
    pub fn as_str(self) -> &'static str {
        match self {
            Function::Min => "min",
            Function::Max => "max",
            Function::Abs => "abs",
        }
    }

    /// Whether it takes this many arguments: `abs` one, the others one or more.
    pub fn takes(self, arguments: usize) -> bool {
        match self {
            Function::Min | Function::Max => arguments > 0,
            Function::Abs => arguments == 1,
        }
    }

    pub(super) fn arguments(self, given: usize) -> DiceFault {
        DiceFault::Arguments { function: self.as_str(), given }
    }
}

impl End {
    /// The end that is kept when this one is dropped.
    pub fn other(self) -> End {
        match self {
            End::High => End::Low,
            End::Low => End::High,
        }
    }
}

impl Compare {
    /// As written in a point: as between totals, but `=` for equal and `<>` for anything else, as
    /// `!` explodes there.
    pub fn in_point(self) -> &'static str {
        match self {
            Compare::NotEqual => "<>",
            Compare::Equal => "=",
            other => other.as_str(),
        }
    }
}

/// A chain of operators taken apart, so that a sum of thousands of terms needs no deep recursion:
/// the first operand, and what follows it in written order.
pub(super) type Chain<'a> = (&'a Dice, Vec<(Operator, &'a Dice)>);

/// Takes a chain such as `a + b - c` apart. Dice that are no operation are a chain of themselves.
pub(super) fn chain(dice: &Dice) -> Chain<'_> {
    let mut rest = Vec::new();
    let mut first = dice;
    while let Dice::Operation(operator, left, right) = first {
        rest.push((*operator, &**right));
        first = left;
    }
    rest.reverse();
    (first, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_as_named() {
        let divide = |rounding: Rounding, left, right| rounding.divide(left, right);
        assert_eq!(divide(Rounding::Down, 7, 2), Ok(3));
        assert_eq!(divide(Rounding::Up, 7, 2), Ok(4));
        assert_eq!(divide(Rounding::Near, 7, 2), Ok(4));
        assert_eq!(divide(Rounding::Down, -5, 2), Ok(-3));
        assert_eq!(divide(Rounding::Up, -5, 2), Ok(-2));
        assert_eq!(divide(Rounding::Near, -5, 2), Ok(-2));
        assert_eq!(divide(Rounding::Near, 5, -3), Ok(-2));
        assert_eq!(divide(Rounding::Near, 4, 3), Ok(1));
    }

    #[test]
    fn totals_are_64_bit_with_checked_arithmetic() {
        assert_eq!(Operator::Add.apply(i64::MAX, 1), Err(DiceFault::Overflow));
        assert_eq!(Operator::Multiply.apply(i64::MIN, -1), Err(DiceFault::Overflow));
        assert_eq!(Rounding::Down.divide(i64::MIN, -1), Err(DiceFault::Overflow));
        assert_eq!(Rounding::Near.divide(i64::MIN, i64::MIN), Ok(1));
        assert_eq!(Operator::Remainder.apply(i64::MIN, -1), Ok(0));
        assert_eq!(Operator::Remainder.apply(-1, 6), Ok(5));
        assert_eq!(Operator::Remainder.apply(1, 0), Err(DiceFault::DivisionByZero));
    }
}
