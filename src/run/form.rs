//! Dice expressions with holes, filled in.

use super::fault::{FaultKind, Limit, Result};
use super::limits::DICE_PARTS;
use super::state::Value;
use crate::dice::{Dice, Faces, Modifier, Point, Pool, Term};
use crate::program::Form;

/// Fills a form, if the dice in the holes are not too many parts already.
pub(super) fn build(form: &Form, holes: &[Value]) -> Result<Dice> {
    let mut parts = 0;
    for hole in holes {
        if let Value::Dice(dice) = hole {
            count(dice, &mut parts, 0)?;
        }
    }
    fill(form, holes, 0)
}

/// Counts the parts of dice against the limit.
fn count(dice: &Dice, parts: &mut usize, deep: usize) -> Result<()> {
    *parts += 1;
    if *parts > DICE_PARTS || deep > DEEP {
        let (count, limit) = if deep > DEEP { (deep, DEEP) } else { (*parts, DICE_PARTS) };
        return Err(FaultKind::Limit { what: Limit::DiceParts, count: count as u64, limit: limit as u64 });
    }
    let mut inner = |dice: &Dice| count(dice, parts, deep + 1);
    match dice {
        Dice::Number(_) => Ok(()),
        Dice::Term(term) => {
            inner(&term.count)?;
            match &term.faces {
                Faces::Upto(faces) => inner(faces),
                _ => Ok(()),
            }
        }
        Dice::Pool(pool) => pool.members.iter().try_for_each(inner),
        Dice::Operation(_, left, right) => {
            inner(left)?;
            inner(right)
        }
        Dice::Negate(dice) | Dice::Label(dice, _) => inner(dice),
        Dice::Function(_, list) => list.iter().try_for_each(inner),
    }
}

/// How deep forms may stand within forms.
const DEEP: usize = 256;

/// The dice a form gives with these values in its holes.
fn fill(form: &Form, holes: &[Value], deep: usize) -> Result<Dice> {
    if deep > DEEP {
        return Err(FaultKind::Internal("a form nested too deep"));
    }
    let inner = |form: &Form| fill(form, holes, deep + 1);
    Ok(match form {
        Form::Number(number) => Dice::Number(*number),
        Form::Hole(hole) => match holes.get(usize::from(*hole)) {
            Some(Value::Number(number)) => Dice::Number(*number),
            Some(Value::Dice(dice)) => Dice::clone(dice),
            _ => return Err(FaultKind::Internal("a hole without a value")),
        },
        Form::Term(term) => Dice::Term(Box::new(Term {
            count: inner(&term.count)?,
            faces: match &term.faces {
                Faces::Upto(faces) => Faces::Upto(inner(faces)?),
                Faces::Fate => Faces::Fate,
                Faces::List(values) => Faces::List(values.clone()),
                Faces::Digits(digits) => Faces::Digits(*digits),
            },
            modifiers: modifiers(&term.modifiers, &inner)?,
        })),
        Form::Pool(pool) => Dice::Pool(Box::new(Pool {
            members: pool.members.iter().map(inner).collect::<Result<_>>()?,
            modifiers: modifiers(&pool.modifiers, &inner)?,
        })),
        Form::Operation(..) => {
            // A long sum leans to the left: no recursion along it.
            let (mut first, mut rest) = (form, Vec::new());
            while let Form::Operation(operator, left, right) = first {
                rest.push((*operator, right));
                first = left;
            }
            let mut dice = inner(first)?;
            for (operator, right) in rest.into_iter().rev() {
                let right = inner(right)?;
                // Plain numbers are worked out, so that `(1 + 2)d10` is shown as `3d10`.
                dice = match (&dice, &right) {
                    (Dice::Number(a), Dice::Number(b)) => Dice::Number(operator.apply(*a, *b)?),
                    _ => Dice::Operation(operator, Box::new(dice), Box::new(right)),
                };
            }
            dice
        }
        Form::Negate(form) => Dice::Negate(Box::new(inner(form)?)),
        Form::Function(function, list) => Dice::Function(*function, list.iter().map(inner).collect::<Result<_>>()?),
        Form::Label(form, text) => Dice::Label(Box::new(inner(form)?), text.clone()),
    })
}

fn modifiers(list: &[Modifier<Form>], inner: &impl Fn(&Form) -> Result<Dice>) -> Result<Vec<Modifier<Dice>>> {
    let point = |point: &Point<Form>| -> Result<Point<Dice>> {
        Ok(Point { compare: point.compare, value: inner(&point.value)? })
    };
    let one = |modifier: &Modifier<Form>| {
        Ok(match modifier {
            Modifier::Explode(kind, at) => Modifier::Explode(*kind, at.as_ref().map(point).transpose()?),
            Modifier::Reroll(kind, at) => Modifier::Reroll(*kind, at.as_ref().map(point).transpose()?),
            Modifier::Count { success, failure } => {
                Modifier::Count { success: point(success)?, failure: failure.as_ref().map(point).transpose()? }
            }
            Modifier::Only(only) => Modifier::Only(point(only)?),
            Modifier::Keep(end, number) => Modifier::Keep(*end, inner(number)?),
            Modifier::Drop(end, number) => Modifier::Drop(*end, inner(number)?),
            Modifier::AtLeast(number) => Modifier::AtLeast(inner(number)?),
            Modifier::AtMost(number) => Modifier::AtMost(inner(number)?),
            Modifier::ExplodeTop(top) => Modifier::ExplodeTop(*top),
            Modifier::Even => Modifier::Even,
            Modifier::Odd => Modifier::Odd,
            Modifier::Unique => Modifier::Unique,
            Modifier::Sort(order) => Modifier::Sort(*order),
        })
    };
    list.iter().map(one).collect()
}
