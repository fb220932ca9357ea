//! The faces of a term once worked out, and which of their values a point means.

use super::{Compare, Dice, DiceFault, DiceSource, DieFaces, FACES_A_DIE, Faces, NoDie, Point, Shape, Shown};

/// The faces of a term's dice, worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sides<'a> {
    Shape(Shape<'a>),
    Digits(u32),
}

impl<'a> Sides<'a> {
    /// From faces whose number, where they have one, came to `number`.
    #[inline]
    pub(super) fn of(faces: &'a Faces<Dice>, number: i64) -> Result<Self, DiceFault> {
        match faces {
            Faces::Upto(_) => upto(number).map(|faces| Sides::Shape(Shape::Upto(faces))),
            Faces::Fate => Ok(Sides::Shape(Shape::Fate)),
            Faces::List(values) if values.is_empty() => Err(DiceFault::NoList),
            Faces::List(values) => Ok(Sides::Shape(Shape::List(values))),
            Faces::Digits(digits) => {
                if digits_of(*digits).any(|digit| digit == 0) {
                    return Err(DiceFault::ZeroDigit { digits: *digits });
                }
                Ok(Sides::Digits(*digits))
            }
        }
    }

    /// One throw: how many dice that takes from the source, and what it shows.
    #[inline]
    pub(super) fn throw<S: DiceSource + ?Sized>(self, source: &mut S) -> Result<i64, NoDie> {
        match self {
            Sides::Shape(shape) => source.die(shape),
            Sides::Digits(digits) => {
                let mut shown = 0;
                for digit in digits_of(digits) {
                    shown = shown * 10 + source.die(Shape::Upto(digit))?;
                }
                Ok(shown)
            }
        }
    }

    /// The greatest value on a face.
    pub(super) fn highest(self) -> i64 {
        match self {
            Sides::Shape(Shape::Upto(faces)) => i64::from(faces),
            Sides::Shape(Shape::Fate) => 1,
            Sides::Shape(Shape::List(values)) => values.iter().copied().max().unwrap_or(0),
            Sides::Digits(digits) => i64::from(digits),
        }
    }

    /// The least value on a face.
    pub(super) fn lowest(self) -> i64 {
        match self {
            Sides::Shape(Shape::Upto(_)) => 1,
            Sides::Shape(Shape::Fate) => -1,
            Sides::Shape(Shape::List(values)) => values.iter().copied().min().unwrap_or(0),
            Sides::Digits(digits) => digits_of(digits).fold(0, |ones, _| ones * 10 + 1),
        }
    }

    /// The values of the `top` highest faces, as a point.
    pub(super) fn top(self, top: u32) -> Point<i64> {
        let value = match self {
            _ if top == 0 => return Point { compare: Compare::Greater, value: self.highest() },
            Sides::Shape(Shape::List(values)) => {
                let mut sorted = values.to_vec();
                sorted.sort_unstable_by(|a, b| b.cmp(a));
                let last = sorted.last().copied();
                sorted.get(top as usize - 1).copied().or(last).unwrap_or(0)
            }
            Sides::Digits(_) => self.digit_value(self.faces().saturating_sub(u64::from(top))),
            Sides::Shape(_) => self.highest().saturating_sub(i64::from(top)).saturating_add(1),
        };
        Point { compare: Compare::AtLeast, value }
    }

    /// The value with this index among all that digit dice show, the least being 0.
    fn digit_value(self, index: u64) -> i64 {
        let Sides::Digits(digits) = self else { return 0 };
        let (mut value, mut left, mut place) = (0, index, 1);
        for digit in digits_of(digits).collect::<Vec<_>>().into_iter().rev() {
            let digit = u64::from(digit.max(1));
            value += (left % digit + 1) as i64 * place;
            left /= digit;
            place *= 10;
        }
        value
    }

    /// How many faces; of digit dice, how many values.
    pub(super) fn faces(self) -> u64 {
        match self {
            Sides::Shape(shape) => u64::from(shape.count()),
            Sides::Digits(digits) => digits_of(digits).map(|digit| u64::from(digit.max(1))).product(),
        }
    }

    /// How many of the faces a value on one of these ranges is shown by. Of digit dice a bound.
    pub(super) fn among(self, shown: &Shown) -> u64 {
        match self {
            Sides::Shape(Shape::List(values)) => values.iter().filter(|value| shown.contains(**value)).count() as u64,
            _ => {
                let size = |(low, high): &(i64, i64)| high.saturating_sub(*low).saturating_add(1);
                let size: i64 = shown.ranges.iter().map(size).fold(0, i64::saturating_add);
                u64::try_from(size).unwrap_or(0).min(self.faces())
            }
        }
    }

    /// Every value on a face.
    pub(super) fn shown(self, cap: usize) -> Shown {
        match self {
            Sides::Shape(Shape::List(values)) => {
                Shown::of(values.iter().map(|value| (*value, *value)).collect(), true, cap)
            }
            Sides::Digits(digits) => {
                let last = u64::from(digits % 10).max(1);
                if self.faces() / last > cap as u64 {
                    return Shown::between(self.lowest(), self.highest()).inexact();
                }
                let firsts = (0..self.faces() / last).map(|prefix| {
                    let low = self.digit_value(prefix * last);
                    (low, low + last as i64 - 1)
                });
                Shown::of(firsts.collect(), true, cap)
            }
            _ => Shown::between(self.lowest(), self.highest()),
        }
    }

    pub(super) fn name(self) -> DieFaces {
        match self {
            Sides::Shape(shape) => shape.into(),
            Sides::Digits(digits) => DieFaces::Digits(digits),
        }
    }
}

/// A number of faces within its limits.
fn upto(faces: i64) -> Result<u32, DiceFault> {
    if faces < 1 {
        return Err(DiceFault::NoFaces { faces });
    }
    if faces > FACES_A_DIE {
        return Err(DiceFault::TooManyFaces { asked: faces, limit: FACES_A_DIE });
    }
    u32::try_from(faces).map_err(|_| DiceFault::TooManyFaces { asked: faces, limit: FACES_A_DIE })
}

/// The digits of digit dice from the left. Of a number without digits, one: 0.
pub(super) fn digits_of(digits: u32) -> impl Iterator<Item = u32> {
    let places = digits.checked_ilog10().unwrap_or(0);
    (0..=places).rev().map(move |place| digits / 10u32.pow(place) % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_read_from_the_left() {
        assert_eq!(digits_of(846).collect::<Vec<_>>(), [8, 4, 6]);
        assert_eq!(digits_of(0).collect::<Vec<_>>(), [0]);
        assert_eq!(Sides::Digits(46).lowest(), 11);
        assert_eq!(Sides::Digits(23).shown(9).ranges, [(11, 13), (21, 23)]);
    }

    #[test]
    fn top_faces() {
        assert_eq!(Sides::Shape(Shape::Upto(6)).top(2).value, 5);
        assert_eq!(Sides::Shape(Shape::List(&[9, 1, 4])).top(2).value, 4);
        assert_eq!(Sides::Digits(23).top(3).value, 21);
        assert!(!Sides::Shape(Shape::Fate).top(0).holds(1));
    }
}
