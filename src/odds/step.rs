//! What is done to dice, with its numbers put in.

use super::sides::Sides;
use crate::dice::{Compare, Dice, DiceFault, End, Explosion, Faces, Modifier, Point, Reroll, Term, together};

/// One step on the dice of a term or the totals of a pool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Keep(End, i64),
    Drop(End, i64),
    Explode(Explosion, Point<i64>),
    /// Rolled again where any of the points holds.
    Reroll(Reroll, Vec<Point<i64>>),
    AtLeast(i64),
    AtMost(i64),
    Count(Point<i64>, Option<Point<i64>>),
    /// Those with this rest of a division by two are counted: `even` 0, `odd` 1.
    Parity(i64),
    Unique,
    /// Those that do not match are out. The last step of all.
    Only(Point<i64>),
}

impl Step {
    /// Whether what happens to a die depends on the dice beside it.
    pub(super) fn looks_beside(&self) -> bool {
        matches!(self, Step::Keep(..) | Step::Drop(..) | Step::Unique)
    }

    /// Whether it may bring further dice.
    pub(super) fn grows(&self) -> bool {
        matches!(self, Step::Explode(Explosion::Add | Explosion::Penetrate | Explosion::Once, _))
    }

    pub(super) fn counts(&self) -> bool {
        matches!(self, Step::Count(..) | Step::Parity(_))
    }
}

/// Whether dice of one value may have been counted differently when they are compared, so that
/// it matters which of them was rolled first.
pub(super) fn order_matters(steps: &[Step]) -> bool {
    let Some(counted) = steps.iter().position(Step::counts) else { return false };
    let changes = |step: &Step| !step.counts() && !step.looks_beside();
    let rest = steps.get(counted..).unwrap_or(&[]);
    let Some(changed) = rest.iter().position(changes) else { return false };
    rest.get(changed..).unwrap_or(&[]).iter().any(Step::looks_beside)
}

/// Keeps and drops of a fixed number of dice, one after the other: which of them are left,
/// counted from the lowest. The end is not included.
///
/// Errors: more kept or dropped than rolled.
pub(super) fn window(steps: &[Step], rolled: u32) -> Result<(u32, u32), DiceFault> {
    let (mut from, mut to) = (0, rolled);
    for step in steps {
        let (end, keep) = match step {
            Step::Keep(end, keep) => (*end, within(*keep, rolled, true)?),
            Step::Drop(end, drop) => {
                let drop = within(*drop, rolled, false)?;
                (end.other(), (to - from).saturating_sub(drop))
            }
            _ => continue,
        };
        match end {
            End::High => from = from.max(to.saturating_sub(keep)),
            End::Low => to = to.min(from.saturating_add(keep)),
        }
    }
    Ok((from, to))
}

/// A number of dice to keep or drop: from none to all that were rolled.
pub(super) fn within(number: i64, rolled: u32, keeps: bool) -> Result<u32, DiceFault> {
    match u32::try_from(number) {
        Ok(number) if number <= rolled => Ok(number),
        _ if number < 0 => Err(DiceFault::NegativeKeep { keep: number }),
        _ if keeps => Err(DiceFault::Keep { keep: number, rolled: i64::from(rolled) }),
        _ => Err(DiceFault::Drop { drop: number, rolled: i64::from(rolled) }),
    }
}

/// The numbers of a term in written order: count, faces, then those of the modifiers.
pub(super) fn numbers(term: &Term<Dice>) -> Vec<&Dice> {
    let mut numbers = vec![&term.count];
    if let Faces::Upto(faces) = &term.faces {
        numbers.push(faces);
    }
    numbers.extend(term.modifiers.iter().flat_map(modifier_numbers));
    numbers
}

/// The numbers of a modifier in written order.
pub(super) fn modifier_numbers(modifier: &Modifier<Dice>) -> impl Iterator<Item = &Dice> {
    let (first, second) = match modifier {
        Modifier::Keep(_, number) | Modifier::Drop(_, number) => (Some(number), None),
        Modifier::AtLeast(number) | Modifier::AtMost(number) => (Some(number), None),
        Modifier::Explode(_, point) | Modifier::Reroll(_, point) => (point.as_ref().map(|point| &point.value), None),
        Modifier::Only(point) => (Some(&point.value), None),
        Modifier::Count { success, failure } => (Some(&success.value), failure.as_ref().map(|failure| &failure.value)),
        _ => (None, None),
    };
    first.into_iter().chain(second)
}

/// Modifiers with their numbers, given in written order, as steps. Sorting is none.
pub(super) fn steps(modifiers: &[Modifier<Dice>], sides: &Sides, numbers: &[i64]) -> Vec<Step> {
    let mut left = numbers.iter().copied();
    let mut next = || left.next().unwrap_or(0);
    let mut steps = Vec::with_capacity(modifiers.len());
    let mut at = 0;
    while at < modifiers.len() {
        let group = together(modifiers, at);
        at += group.len().max(1);
        let mut point = |point: &Point<Dice>| Point { compare: point.compare, value: next() };
        let exactly = |value| Point { compare: Compare::Equal, value };
        let Some(first) = group.first() else { continue };
        steps.push(match first {
            Modifier::Reroll(kind, _) => {
                let points = group.iter().map(|modifier| match modifier {
                    Modifier::Reroll(_, Some(written)) => point(written),
                    _ => exactly(sides.lowest()),
                });
                Step::Reroll(*kind, points.collect())
            }
            Modifier::Explode(kind, written) => {
                Step::Explode(*kind, written.as_ref().map_or_else(|| exactly(sides.highest()), point))
            }
            Modifier::ExplodeTop(top) => Step::Explode(Explosion::Add, sides.top(*top)),
            Modifier::Count { success, failure } => {
                let success = point(success);
                Step::Count(success, failure.as_ref().map(point))
            }
            Modifier::Keep(end, _) => Step::Keep(*end, next()),
            Modifier::Drop(end, _) => Step::Drop(*end, next()),
            Modifier::AtLeast(_) => Step::AtLeast(next()),
            Modifier::AtMost(_) => Step::AtMost(next()),
            Modifier::Even => Step::Parity(0),
            Modifier::Odd => Step::Parity(1),
            Modifier::Unique => Step::Unique,
            Modifier::Only(only) => Step::Only(point(only)),
            Modifier::Sort(_) => continue,
        });
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_and_drops_leave_a_window() {
        let high = |keep| Step::Keep(End::High, keep);
        let drop_high = |drop| Step::Drop(End::High, drop);
        assert_eq!(window(&[high(3)], 4), Ok((1, 4)));
        assert_eq!(window(&[high(3), drop_high(1)], 4), Ok((1, 3)));
        assert_eq!(window(&[Step::Keep(End::Low, 2), high(3)], 4), Ok((0, 2)));
        assert_eq!(window(&[drop_high(3), drop_high(3)], 4), Ok((0, 0)));
        assert_eq!(window(&[high(5)], 4), Err(DiceFault::Keep { keep: 5, rolled: 4 }));
    }

    #[test]
    fn order_matters_where_equal_dice_were_counted_differently() {
        let count = Step::Parity(0);
        assert!(!order_matters(&[count.clone(), Step::Unique]));
        assert!(!order_matters(&[Step::AtMost(3), count.clone(), Step::Unique]));
        assert!(order_matters(&[count.clone(), Step::AtMost(3), Step::Unique]));
        assert!(!order_matters(&[Step::Unique, count, Step::AtMost(3)]));
    }
}
