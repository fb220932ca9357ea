//! The exact odds of any dice: terms, pools, and what is reckoned with them.

use num_bigint::BigUint;

use super::cost::{Bounds, Budget};
use super::distribution::WORD_BITS;
use super::sides::Sides;
use super::step::{self, modifier_numbers};
use super::weight::Weight;
use super::{Distribution, OddsFault, pool, term};
use crate::diagnostics::Severity;
use crate::dice::{Compare, Dice, DiceFault, Function, Modifier, NESTING, Operator, Pool, Term, faults};

/// The most ways to fill in the computed numbers of one term.
const WAYS: u128 = 100_000;

/// What dice can come to, each total with its exact chance. Agrees with the roller: where a bound
/// of its explosions and rerolls, or the shorter one of [`Bounds`], is reached, the dice that are
/// there by then count.
///
/// Errors: whatever [`faults()`] finds, arithmetic that fails for some of the rolls, and odds that
/// would take too long.
pub fn of_dice(dice: &Dice) -> Result<Distribution, OddsFault> {
    of_dice_within(dice, &Bounds::default())
}

/// The same, as far as these bounds go.
///
/// Errors: as [`of_dice`].
pub fn of_dice_within(dice: &Dice, bounds: &Bounds) -> Result<Distribution, OddsFault> {
    let error = faults(dice).into_iter().find(|found| found.fault.severity() == Severity::Error);
    if let Some(found) = error {
        return Err(OddsFault::Dice(found.fault));
    }
    let mut odds = Odds { bounds, budget: Budget::new(bounds.cost) };
    let found = odds.value(dice, 0)?;
    if found.bits() > WORD_BITS {
        // Fractions are only reduced when shown, but then each of them.
        let steps = found.values().len() as u128 * u128::from(found.bits());
        odds.budget.take(steps, found.bits(), || format!("the fractions of `{dice}`"))?;
    }
    Ok(found)
}

/// Dice that `only` leaves out count for nothing: exact where nothing else is done to the others.
fn only_at_the_end(modifiers: &[Modifier<Dice>]) -> Result<(), OddsFault> {
    let mut rest = modifiers.iter().skip_while(|modifier| !matches!(modifier, Modifier::Only(_))).skip(1);
    if rest.all(|modifier| matches!(modifier, Modifier::Sort(_))) {
        return Ok(());
    }
    let what = "what is done to the dice that `only` leaves".to_owned();
    Err(OddsFault::TooLarge { what, cost: WAYS + 1, limit: WAYS })
}

struct Odds<'b> {
    bounds: &'b Bounds,
    budget: Budget,
}

impl Odds<'_> {
    fn value(&mut self, dice: &Dice, depth: usize) -> Result<Distribution, OddsFault> {
        if depth >= NESTING {
            return Err(DiceFault::TooDeep { limit: NESTING }.into());
        }
        match dice {
            Dice::Number(number) => Ok(Distribution::certain(*number)),
            Dice::Term(term) => self.term(term, depth + 1),
            Dice::Pool(pool) => self.pool(pool, depth + 1),
            Dice::Operation(..) => self.chain(dice, depth + 1),
            Dice::Negate(inner) => {
                let negate = |value: i64| value.checked_neg().ok_or(DiceFault::Overflow);
                Ok(self.value(inner, depth + 1)?.map(negate)?)
            }
            Dice::Function(function, arguments) => self.function(*function, arguments, depth + 1),
            Dice::Label(inner, _) => self.value(inner, depth + 1),
        }
    }

    /// A chain such as `a + b - c`, which may be long without being deep.
    fn chain(&mut self, dice: &Dice, depth: usize) -> Result<Distribution, OddsFault> {
        let mut rest = Vec::new();
        let mut first = dice;
        while let Dice::Operation(operator, left, right) = first {
            rest.push((*operator, &**right));
            first = left;
        }
        let mut so_far = self.value(first, depth)?;
        while let Some((operator, operand)) = rest.pop() {
            let operand = self.value(operand, depth)?;
            so_far = self.apply(operator, &so_far, &operand)?;
        }
        Ok(so_far)
    }

    fn apply(
        &mut self,
        operator: Operator,
        left: &Distribution,
        right: &Distribution,
    ) -> Result<Distribution, OddsFault> {
        let pairs = left.values().len() as u128 * right.values().len() as u128;
        let bits = left.bits() + right.bits();
        let slow = if matches!(operator, Operator::Add | Operator::Subtract) { 1 } else { 20 };
        self.budget.take(pairs * slow, bits, || {
            let (left, right) = (left.values().len(), right.values().len());
            format!("{left} totals on one side and {right} on the other of a `{}`", symbol(operator))
        })?;
        if let ([only], true) = (right.values(), right.is_exact()) {
            return Ok(left.map(|value| operator.apply(value, *only))?);
        }
        Ok(match operator {
            Operator::Add => left.plus(right)?,
            Operator::Subtract if !right.values().contains(&i64::MIN) => {
                left.plus(&right.map(|value| Operator::Subtract.apply(0, value))?)?
            }
            _ => left.pairs(right, |left, right| operator.apply(left, right))?,
        })
    }

    fn function(&mut self, function: Function, arguments: &[Dice], depth: usize) -> Result<Distribution, OddsFault> {
        let negate = |value: i64| value.checked_neg().ok_or(DiceFault::Overflow);
        let mut result: Option<Distribution> = None;
        for argument in arguments {
            let value = self.value(argument, depth)?;
            let so_far = result.take();
            result = Some(match (function, so_far) {
                (Function::Abs, _) => value.map(|value| value.checked_abs().ok_or(DiceFault::Overflow))?,
                (_, None) => value,
                (Function::Max, Some(greatest)) => greatest.greater(&value),
                (Function::Min, Some(least)) => least.map(negate)?.greater(&value.map(negate)?).map(negate)?,
            });
        }
        let arguments = DiceFault::Arguments { function: function.as_str(), given: arguments.len() };
        result.ok_or(OddsFault::Dice(arguments))
    }

    fn term(&mut self, written: &Term<Dice>, depth: usize) -> Result<Distribution, OddsFault> {
        let mut numbers = Vec::new();
        for number in step::numbers(written) {
            numbers.push(self.value(number, depth)?);
        }
        only_at_the_end(&written.modifiers)?;
        let bounds = self.bounds;
        let named = |fault| named(fault, || written.to_string());
        self.mixture(&numbers, |numbers, budget| term::total(written, numbers, bounds, budget)).map_err(named)
    }

    fn pool(&mut self, written: &Pool<Dice>, depth: usize) -> Result<Distribution, OddsFault> {
        let mut members = Vec::with_capacity(written.members.len());
        for member in &written.members {
            members.push(self.value(member, depth)?);
        }
        let mut numbers = Vec::new();
        for modifier in &written.modifiers {
            if matches!(modifier, Modifier::Explode(..) | Modifier::ExplodeTop(_) | Modifier::Reroll(..)) {
                return Err(DiceFault::PoolModifier { modifier: modifier.to_string() }.into());
            }
            for number in modifier_numbers(modifier) {
                numbers.push(self.value(number, depth)?);
            }
        }
        only_at_the_end(&written.modifiers)?;
        let bounds = self.bounds;
        let named = |fault| named(fault, || written.to_string());
        let total = |numbers: &[i64], budget: &mut Budget| {
            let steps = step::steps(&written.modifiers, &Sides::none(), numbers);
            for step in &steps {
                let count = u32::try_from(members.len()).unwrap_or(u32::MAX);
                match step {
                    step::Step::Keep(_, keep) => step::within(*keep, count, true)?,
                    step::Step::Drop(_, drop) => step::within(*drop, count, false)?,
                    _ => 0,
                };
            }
            pool::total(&members, &steps, bounds, budget)
        };
        self.mixture(&numbers, total).map_err(named)
    }

    /// Every way the computed numbers can fall, each with the total it leads to.
    fn mixture(
        &mut self,
        numbers: &[Distribution],
        mut total: impl FnMut(&[i64], &mut Budget) -> Result<Distribution, OddsFault>,
    ) -> Result<Distribution, OddsFault> {
        let ways = numbers.iter().map(|number| number.values().len() as u128).fold(1, u128::saturating_mul);
        if ways > WAYS {
            let what = "the ways its computed numbers can fall".to_owned();
            return Err(OddsFault::TooLarge { what, cost: ways, limit: WAYS });
        }
        let mut open: Vec<(BigUint, Vec<i64>)> = vec![(BigUint::one(), Vec::new())];
        for number in numbers {
            let weights = number.weights();
            let longer = |(weight, numbers): (BigUint, Vec<i64>)| {
                let with =
                    move |(value, times): &(i64, BigUint)| (&weight * times, [numbers.as_slice(), &[*value]].concat());
                weights.iter().map(with).collect::<Vec<_>>()
            };
            open = open.into_iter().flat_map(longer).collect();
        }
        let mut parts = Vec::with_capacity(open.len());
        for (weight, numbers) in open {
            parts.push((weight, total(&numbers, &mut self.budget)?));
        }
        let mut mixed = Distribution::mixture(&parts);
        for number in numbers.iter().filter(|number| !number.is_exact()) {
            // A bound reached on the way to the number is one reached by the whole.
            mixed = mixed.plus(&number.map(|_| Ok::<i64, DiceFault>(0))?)?;
        }
        Ok(mixed)
    }
}

/// Names the dice that take too long.
fn named(fault: OddsFault, written: impl FnOnce() -> String) -> OddsFault {
    match fault {
        OddsFault::TooLarge { what, cost, limit } if !what.contains('`') => {
            OddsFault::TooLarge { what: format!("{what} in `{}`", written()), cost, limit }
        }
        other => other,
    }
}

fn symbol(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide(_) => "/",
        Operator::Remainder => "%",
        Operator::Compare(compare) => Compare::as_str(compare),
    }
}
