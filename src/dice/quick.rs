//! Short cuts for the commonest terms where only the total is asked for: no die is written down.

use super::pool::{counted, within};
use super::record::Record;
use super::roll::{Roller, narrow};
use super::sides::Sides;
use super::{Dice, DiceFault, DiceSource, End, Modifier, Point};

/// Up to this many dice are kept or dropped on the stack.
const FEW: usize = 16;

impl<S: DiceSource + ?Sized, R: Record> Roller<'_, S, R> {
    /// The total of a term with no modifier, one keep or drop, or one count; none for other terms,
    /// of which nothing has been rolled then. The same dice in the same order as the long way.
    #[inline]
    pub(super) fn quick(
        &mut self,
        modifiers: &[Modifier<Dice>],
        count: i64,
        sides: Sides<'_>,
    ) -> Result<Option<i64>, DiceFault> {
        match modifiers {
            [] => {
                let mut total: i128 = 0;
                self.throws(count, sides, |shown| total += i128::from(shown))?;
                narrow(total).map(Some)
            }
            [Modifier::Keep(end, Dice::Number(keep))] => {
                let rolled = count as usize;
                if rolled > FEW {
                    return Ok(None);
                }
                let fault = |rolled| DiceFault::Keep { keep: *keep, rolled };
                match within(*keep, rolled, fault) {
                    Ok(keep) => self.keep_few(rolled, *end, keep, sides).map(Some),
                    Err(_) => Ok(None),
                }
            }
            [Modifier::Drop(end, Dice::Number(drop))] => {
                let rolled = count as usize;
                if rolled > FEW {
                    return Ok(None);
                }
                let fault = |rolled| DiceFault::Drop { drop: *drop, rolled };
                match within(*drop, rolled, fault) {
                    Ok(drop) => self.keep_few(rolled, end.other(), rolled - drop, sides).map(Some),
                    Err(_) => Ok(None),
                }
            }
            [Modifier::Count { success, failure }] => {
                let Some(success) = fixed(success) else { return Ok(None) };
                let failure = match failure {
                    None => None,
                    Some(failure) => match fixed(failure) {
                        None => return Ok(None),
                        point => point,
                    },
                };
                let mut total: i64 = 0;
                self.throws(count, sides, |shown| total += counted(shown, &success, &failure))?;
                Ok(Some(total))
            }
            _ => Ok(None),
        }
    }

    /// Throws so many dice, each to be taken in by `each`.
    #[inline]
    fn throws(&mut self, count: i64, sides: Sides<'_>, mut each: impl FnMut(i64)) -> Result<(), DiceFault> {
        self.take(count)?;
        match sides {
            Sides::Shape(shape) => {
                for _ in 0..count {
                    each(self.source.die(shape)?);
                }
            }
            Sides::Digits(_) => {
                for _ in 0..count {
                    each(sides.throw(self.source)?);
                }
            }
        }
        Ok(())
    }

    /// The total of the `keep` highest or lowest of a few dice.
    #[inline]
    fn keep_few(&mut self, rolled: usize, end: End, keep: usize, sides: Sides<'_>) -> Result<i64, DiceFault> {
        let mut values = [0i64; FEW];
        let mut next = values.iter_mut();
        self.throws(rolled as i64, sides, |shown| {
            if let Some(place) = next.next() {
                *place = shown;
            }
        })?;
        let values = values.get_mut(..rolled).unwrap_or(&mut []);
        let sum = |values: &[i64]| values.iter().map(|value| i128::from(*value)).sum::<i128>();
        if keep + 1 == rolled {
            let out = match end {
                End::High => values.iter().min(),
                End::Low => values.iter().max(),
            };
            return narrow(sum(values) - i128::from(out.copied().unwrap_or(0)));
        }
        values.sort_unstable();
        let kept = match end {
            End::High => values.get(rolled - keep..),
            End::Low => values.get(..keep),
        };
        narrow(sum(kept.unwrap_or(&[])))
    }
}

/// A point that needs no dice.
fn fixed(point: &Point<Dice>) -> Option<Point<i64>> {
    match point.value {
        Dice::Number(value) => Some(Point { compare: point.compare, value }),
        _ => None,
    }
}
