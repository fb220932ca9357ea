//! The faces of a term's dice, each with how often it stands on the die.

use super::OddsFault;
use super::cost::Budget;
use crate::dice::{Compare, Dice, DiceFault, FACES_A_DIE, Faces, Point};

/// The most different faces that are looked at one by one.
const FACES: u64 = 1 << 20;

/// The faces of a die.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sides {
    /// Every value in ascending order, and on how many faces it stands.
    pub(super) faces: Vec<(i64, u64)>,
    /// How many faces there are.
    pub(super) all: u64,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A run of numbers.
    Run,
    /// Faces one by one: the top two of 9, 9 and 1 are both nines.
    List,
    /// Values one by one.
    Digits,
}

impl Sides {
    /// Faces whose number, where they have one, came to `number`.
    pub(super) fn of(faces: &Faces<Dice>, number: i64, budget: &mut Budget) -> Result<Self, OddsFault> {
        match faces {
            Faces::Upto(_) => {
                let last = upto(number)?;
                few(u64::from(last), budget, || format!("the faces of a `d{last}`"))?;
                let faces = (1..=i64::from(last)).map(|value| (value, 1)).collect();
                Ok(Sides { faces, all: u64::from(last), kind: Kind::Run })
            }
            Faces::Fate => Ok(Sides { faces: vec![(-1, 1), (0, 1), (1, 1)], all: 3, kind: Kind::Run }),
            Faces::List(values) if values.is_empty() => Err(DiceFault::NoList.into()),
            Faces::List(values) => {
                let mut sorted = values.clone();
                sorted.sort_unstable();
                let runs = sorted.chunk_by(|a, b| a == b);
                let faces = runs.filter_map(|run| Some((*run.first()?, run.len() as u64))).collect();
                Ok(Sides { faces, all: values.len() as u64, kind: Kind::List })
            }
            Faces::Digits(digits) => Sides::digits(*digits, budget),
        }
    }

    /// No die at all: for totals, which have no faces.
    pub(super) fn none() -> Self {
        Sides { faces: Vec::new(), all: 1, kind: Kind::List }
    }

    fn digits(digits: u32, budget: &mut Budget) -> Result<Self, OddsFault> {
        let each: Vec<i64> = digits.to_string().bytes().map(|digit| i64::from(digit - b'0')).collect();
        if each.contains(&0) {
            return Err(DiceFault::ZeroDigit { digits }.into());
        }
        let all = each.iter().map(|digit| digit.unsigned_abs()).product();
        few(all, budget, || format!("the faces of a `d{digits} digits`"))?;
        let longer = |shown: Vec<i64>, last: &i64| {
            shown.into_iter().flat_map(|shown| (1..=*last).map(move |digit| shown * 10 + digit)).collect()
        };
        let values: Vec<i64> = each.iter().fold(vec![0], longer);
        Ok(Sides { faces: values.into_iter().map(|value| (value, 1)).collect(), all, kind: Kind::Digits })
    }

    pub(super) fn highest(&self) -> i64 {
        self.faces.last().map_or(0, |face| face.0)
    }

    pub(super) fn lowest(&self) -> i64 {
        self.faces.first().map_or(0, |face| face.0)
    }

    /// The values of the `top` highest faces, as a point.
    pub(super) fn top(&self, top: u32) -> Point<i64> {
        if top == 0 {
            return Point { compare: Compare::Greater, value: self.highest() };
        }
        let value = match self.kind {
            Kind::Run => self.highest().saturating_sub(i64::from(top)).saturating_add(1),
            Kind::Digits => {
                let from = self.faces.len().saturating_sub(top as usize);
                self.faces.get(from).map_or(0, |face| face.0)
            }
            Kind::List => {
                let mut left = u64::from(top);
                let mut down = self.faces.iter().rev();
                let at = down.find(|(_, times)| {
                    let here = left <= *times;
                    left = left.saturating_sub(*times);
                    here
                });
                at.map_or(self.lowest(), |face| face.0)
            }
        };
        Point { compare: Compare::AtLeast, value }
    }

    /// On how many faces a value stands for which this holds.
    pub(super) fn among(&self, holds: impl Fn(i64) -> bool) -> u64 {
        self.faces.iter().filter(|(value, _)| holds(*value)).map(|(_, times)| times).sum()
    }
}

fn few(faces: u64, budget: &mut Budget, what: impl FnOnce() -> String) -> Result<(), OddsFault> {
    if faces > FACES {
        return Err(OddsFault::TooLarge { what: what(), cost: u128::from(faces), limit: u128::from(FACES) });
    }
    budget.take(u128::from(faces), 0, what)
}

fn upto(faces: i64) -> Result<u32, DiceFault> {
    if faces < 1 {
        return Err(DiceFault::NoFaces { faces });
    }
    if faces > FACES_A_DIE {
        return Err(DiceFault::TooManyFaces { asked: faces, limit: FACES_A_DIE });
    }
    u32::try_from(faces).map_err(|_| DiceFault::TooManyFaces { asked: faces, limit: FACES_A_DIE })
}
