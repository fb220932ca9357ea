//! The one roller: throws dice and adds up. What it tells of itself is up to its record.

use super::arithmetic::chain;
use super::pool::together;
use super::record::{Die, Nothing, Record};
use super::sides::Sides;
use super::{
    DICE_A_ROLL, Dice, DiceFault, DiceSource, Faces, Function, NESTING, Operator, Order, Pool, Purpose, Rolled,
    THROWS_A_ROLL, Term,
};

/// Chains of operators up to this long are read by recursion, longer ones taken apart.
const SHORT: usize = 16;

/// Rolls dice and tells of every die.
///
/// Dice are asked for in written order: first the count of a term, then its faces, then all its
/// dice, then what its modifiers need, one modifier after the other.
///
/// Errors: whatever [`super::faults()`] finds, and the source giving no die.
pub fn roll(dice: &Dice, source: &mut dyn DiceSource) -> Result<Rolled, DiceFault> {
    let record = Rolled { total: 0, dice: Vec::new(), terms: Vec::new(), cut: false };
    let mut roller = Roller { source, record, asked: 0, throws: 0, pool: Vec::new() };
    let total = roller.value(dice, Purpose::Total, 0)?;
    Ok(Rolled { total, ..roller.record })
}

/// Rolls dice and tells the total only: the same as that of [`roll`] with the same source, faster.
///
/// Errors: as [`roll`].
#[inline]
pub fn total<S: DiceSource + ?Sized>(dice: &Dice, source: &mut S) -> Result<i64, DiceFault> {
    let mut roller = Roller { source, record: Nothing, asked: 0, throws: 0, pool: Vec::new() };
    roller.value(dice, Purpose::Total, 0)
}

/// Rolls one expression.
pub(super) struct Roller<'s, S: ?Sized, R> {
    pub(super) source: &'s mut S,
    pub(super) record: R,
    /// Dice asked for so far.
    asked: i64,
    /// Throws so far.
    throws: i64,
    /// The dice of the terms being rolled, an inner term's behind those of the outer one.
    pub(super) pool: Vec<Die>,
}

impl<S: DiceSource + ?Sized, R: Record> Roller<'_, S, R> {
    #[inline]
    pub(super) fn value(&mut self, dice: &Dice, purpose: Purpose, depth: usize) -> Result<i64, DiceFault> {
        match dice {
            Dice::Number(number) => Ok(*number),
            Dice::Term(term) => self.term(term, purpose, deeper(depth)?),
            other => self.composed(other, purpose, deeper(depth)?),
        }
    }

    fn composed(&mut self, dice: &Dice, purpose: Purpose, depth: usize) -> Result<i64, DiceFault> {
        match dice {
            Dice::Number(_) | Dice::Term(_) => self.value(dice, purpose, depth),
            Dice::Pool(pool) => self.pool(pool, purpose, depth),
            Dice::Operation(operator, left, right) => self.operation(dice, (*operator, left, right), purpose, depth),
            Dice::Negate(inner) => self.value(inner, purpose, depth)?.checked_neg().ok_or(DiceFault::Overflow),
            Dice::Function(function, arguments) => self.function(*function, arguments, purpose, depth),
            Dice::Label(inner, text) => {
                let from = self.record.terms();
                let value = self.value(inner, purpose, depth)?;
                self.record.label(from, text);
                Ok(value)
            }
        }
    }

    fn operation(
        &mut self,
        whole: &Dice,
        (operator, left, right): (Operator, &Dice, &Dice),
        purpose: Purpose,
        depth: usize,
    ) -> Result<i64, DiceFault> {
        if is_short(whole) {
            let left = match left {
                Dice::Operation(..) => self.composed(left, purpose, depth)?,
                other => self.value(other, purpose, depth)?,
            };
            let right = self.value(right, purpose, depth)?;
            return operator.apply(left, right);
        }
        let (first, rest) = chain(whole);
        let mut value = self.value(first, purpose, depth)?;
        for (operator, operand) in rest {
            let operand = self.value(operand, purpose, depth)?;
            value = operator.apply(value, operand)?;
        }
        Ok(value)
    }

    fn function(
        &mut self,
        function: Function,
        arguments: &[Dice],
        purpose: Purpose,
        depth: usize,
    ) -> Result<i64, DiceFault> {
        let fault = || function.arguments(arguments.len());
        if !function.takes(arguments.len()) {
            return Err(fault());
        }
        let mut result: Option<i64> = None;
        for argument in arguments {
            let value = self.value(argument, purpose, depth)?;
            result = Some(match (function, result) {
                (Function::Abs, _) => value.checked_abs().ok_or(DiceFault::Overflow)?,
                (_, None) => value,
                (Function::Min, Some(least)) => least.min(value),
                (Function::Max, Some(greatest)) => greatest.max(value),
            });
        }
        result.ok_or_else(fault)
    }

    #[inline]
    fn term(&mut self, term: &Term<Dice>, purpose: Purpose, depth: usize) -> Result<i64, DiceFault> {
        let id = self.record.term(purpose, || term.to_string());
        let count = self.value(&term.count, Purpose::Count, depth)?;
        let number = match &term.faces {
            Faces::Upto(faces) => self.value(faces, Purpose::Faces, depth)?,
            _ => 0,
        };
        let sides = Sides::of(&term.faces, number)?;
        self.ask(count)?;
        if !R::KEEPS
            && let Some(total) = self.quick(&term.modifiers, count, sides)?
        {
            return Ok(total);
        }
        self.full(term, id, count, sides, depth)
    }

    fn full(
        &mut self,
        term: &Term<Dice>,
        id: usize,
        count: i64,
        sides: Sides<'_>,
        depth: usize,
    ) -> Result<i64, DiceFault> {
        let base = self.pool.len();
        for _ in 0..count {
            self.join(id, sides, 0, false)?;
        }
        let mut at = 0;
        let mut counts = false;
        let mut order = None;
        while at < term.modifiers.len() {
            let step = together(&term.modifiers, at);
            self.modify(step, at, (id, sides), base, depth)?;
            note(step, &mut counts, &mut order);
            at += step.len();
        }
        let dice = self.pool.get(base..).unwrap_or(&[]);
        let total = add_up(dice, counts)?;
        self.record.settle(dice, counts);
        self.record.close(id, total, order);
        self.pool.truncate(base);
        Ok(total)
    }

    fn pool(&mut self, pool: &Pool<Dice>, purpose: Purpose, depth: usize) -> Result<i64, DiceFault> {
        let id = self.record.term(purpose, || pool.to_string());
        let base = self.pool.len();
        for member in &pool.members {
            let record = self.record.dice();
            let value = self.value(member, purpose, depth)?;
            self.pool.push(Die { value, counted: 0, added: false, dropped: None, record });
        }
        let mut counts = false;
        let mut order = None;
        for (at, modifier) in pool.modifiers.iter().enumerate() {
            self.modify_members(modifier, at, base, depth)?;
            note(std::slice::from_ref(modifier), &mut counts, &mut order);
        }
        let members = self.pool.get(base..).unwrap_or(&[]);
        let total = add_up(members, counts)?;
        self.record.members(id, members, counts);
        self.record.close(id, total, order);
        self.pool.truncate(base);
        Ok(total)
    }

    /// Counts dice asked for against the limit.
    #[inline]
    fn ask(&mut self, count: i64) -> Result<(), DiceFault> {
        if count < 0 {
            return Err(DiceFault::NegativeCount { count });
        }
        self.asked = self.asked.saturating_add(count);
        if self.asked > DICE_A_ROLL {
            return Err(DiceFault::TooManyDice { asked: self.asked, limit: DICE_A_ROLL });
        }
        Ok(())
    }

    /// Counts throws against the limit.
    #[inline]
    pub(super) fn take(&mut self, throws: i64) -> Result<(), DiceFault> {
        self.throws = self.throws.saturating_add(throws);
        if self.throws > THROWS_A_ROLL {
            return Err(DiceFault::TooManyThrows { asked: self.throws, limit: THROWS_A_ROLL });
        }
        Ok(())
    }

    /// One throw of these faces.
    #[inline]
    pub(super) fn throw(&mut self, sides: Sides<'_>) -> Result<i64, DiceFault> {
        self.take(1)?;
        Ok(sides.throw(self.source)?)
    }

    /// A further die of the term, worth what it shows less `less`. Tells what it shows.
    pub(super) fn join(&mut self, term: usize, sides: Sides<'_>, less: i64, added: bool) -> Result<i64, DiceFault> {
        let shown = self.throw(sides)?;
        let record = self.record.die(term, sides, shown, added);
        let value = shown.checked_sub(less).ok_or(DiceFault::Overflow)?;
        self.pool.push(Die { value, counted: 0, added, dropped: None, record });
        Ok(shown)
    }
}

/// One level further down.
#[inline]
pub(super) fn deeper(depth: usize) -> Result<usize, DiceFault> {
    if depth >= NESTING {
        return Err(DiceFault::TooDeep { limit: NESTING });
    }
    Ok(depth + 1)
}

/// Whether a chain of operators is short enough for recursion.
fn is_short(dice: &Dice) -> bool {
    let mut operand = dice;
    for _ in 0..SHORT {
        match operand {
            Dice::Operation(_, left, _) => operand = left,
            _ => return true,
        }
    }
    false
}

fn note(step: &[super::Modifier<Dice>], counts: &mut bool, order: &mut Option<Order>) {
    use super::Modifier::{Count, Even, Odd, Sort};
    match step.first() {
        Some(Count { .. } | Even | Odd) => *counts = true,
        Some(Sort(by)) => *order = Some(*by),
        _ => {}
    }
}

/// The total of the dice still in. Wide, so that the order of adding makes no difference.
fn add_up(dice: &[Die], counts: bool) -> Result<i64, DiceFault> {
    let still_in = dice.iter().filter(|die| die.dropped.is_none());
    let value = |die: &Die| i128::from(if counts { die.counted } else { die.value });
    narrow(still_in.map(value).sum())
}

#[inline]
pub(super) fn narrow(total: i128) -> Result<i64, DiceFault> {
    i64::try_from(total).map_err(|_| DiceFault::Overflow)
}
