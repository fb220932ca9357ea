//! A set of totals as ranges, and arithmetic on such sets.

use std::ops::RangeInclusive;

use super::{DiceFault, Function, Operator};

/// The totals dice can show, as ranges with gaps between them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Shown {
    /// Sorted, apart from each other by at least one number, both ends included.
    pub ranges: Vec<(i64, i64)>,
    /// Whether every number in the ranges can really be shown. Otherwise some of them cannot;
    /// nothing outside the ranges can, one way or the other.
    pub exact: bool,
}

impl Shown {
    /// From the least to the greatest total; none where nothing can be shown.
    pub fn hull(&self) -> Option<(i64, i64)> {
        Some((self.ranges.first()?.0, self.ranges.last()?.1))
    }

    /// Whether this total is among them.
    pub fn contains(&self, total: i64) -> bool {
        let after = self.ranges.partition_point(|range| range.0 <= total);
        after > 0 && self.ranges.get(after - 1).is_some_and(|range| total <= range.1)
    }

    /// Nothing at all.
    pub(super) fn none() -> Self {
        Shown { ranges: Vec::new(), exact: true }
    }

    pub(super) fn one(value: i64) -> Self {
        Shown { ranges: vec![(value, value)], exact: true }
    }

    pub(super) fn between(low: i64, high: i64) -> Self {
        Shown { ranges: vec![(low, high)], exact: true }
    }

    /// Everything that cannot be said better.
    pub(super) fn anything() -> Self {
        Shown { ranges: vec![(i64::MIN, i64::MAX)], exact: false }
    }

    pub(super) fn is_none(&self) -> bool {
        self.ranges.is_empty()
    }

    pub(super) fn only(&self) -> Option<i64> {
        match self.ranges[..] {
            [(low, high)] if low == high && self.exact => Some(low),
            _ => None,
        }
    }

    pub(super) fn inexact(self) -> Self {
        Shown { exact: false, ..self }
    }

    /// The numbers one by one, if there are no more than this.
    pub(super) fn numbers(&self, most: usize) -> Option<Vec<i64>> {
        let mut size: i128 = 0;
        for (low, high) in &self.ranges {
            size += i128::from(*high) - i128::from(*low) + 1;
        }
        if size > most as i128 {
            return None;
        }
        Some(self.ranges.iter().flat_map(|(low, high)| *low..=*high).collect())
    }

    /// Sorted and joined; over the cap only the hull is left, and a set that has a gap is inexact then.
    pub(super) fn of(mut ranges: Vec<(i64, i64)>, exact: bool, cap: usize) -> Self {
        ranges.sort_unstable();
        let mut joined: Vec<(i64, i64)> = Vec::with_capacity(ranges.len().min(cap));
        for (low, high) in ranges {
            match joined.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        let shown = Shown { ranges: joined, exact };
        if shown.ranges.len() > cap { shown.as_hull() } else { shown }
    }

    /// The hull: inexact if there is a gap.
    pub(super) fn as_hull(&self) -> Self {
        let gaps = self.ranges.len() > 1;
        Shown { ranges: self.hull().into_iter().collect(), exact: self.exact && !gaps }
    }

    pub(super) fn union(mut self, other: &Shown, cap: usize) -> Self {
        self.ranges.extend_from_slice(&other.ranges);
        Shown::of(self.ranges, self.exact && other.exact, cap)
    }

    /// Those for which `holds`, which must hold for a stretch of whole numbers or for all but one.
    pub(super) fn split(&self, kept: &[RangeInclusive<i64>]) -> Self {
        let mut ranges = Vec::new();
        for (low, high) in &self.ranges {
            for part in kept {
                let (low, high) = ((*low).max(*part.start()), (*high).min(*part.end()));
                if low <= high {
                    ranges.push((low, high));
                }
            }
        }
        Shown::of(ranges, self.exact, usize::MAX)
    }

    /// Each number through a function that never falls and skips no number between two neighbours.
    pub(super) fn map(&self, cap: usize, step: impl Fn(i64) -> Result<i64, DiceFault>) -> Result<Self, DiceFault> {
        let mut ranges = Vec::with_capacity(self.ranges.len());
        for (low, high) in &self.ranges {
            let (low, high) = (step(*low)?, step(*high)?);
            ranges.push((low.min(high), low.max(high)));
        }
        Ok(Shown::of(ranges, self.exact, cap))
    }

    pub(super) fn sum(&self, other: &Shown, cap: usize) -> Result<Self, DiceFault> {
        if self.ranges.len().saturating_mul(other.ranges.len()) > cap.saturating_mul(cap).min(1 << 14) {
            return self.as_hull().sum(&other.as_hull(), cap);
        }
        let mut ranges = Vec::with_capacity(self.ranges.len() * other.ranges.len());
        for (low, high) in &self.ranges {
            for (least, most) in &other.ranges {
                let low = low.checked_add(*least).ok_or(DiceFault::Overflow)?;
                ranges.push((low, high.checked_add(*most).ok_or(DiceFault::Overflow)?));
            }
        }
        Ok(Shown::of(ranges, self.exact && other.exact, cap))
    }

    /// The sum of so many, each of this set.
    pub(super) fn times(&self, count: u32, cap: usize) -> Result<Self, DiceFault> {
        let mut total = Shown::one(0);
        let mut doubled = self.clone();
        let mut left = count;
        while left > 0 {
            if left % 2 == 1 {
                total = total.sum(&doubled, cap)?;
            }
            left /= 2;
            if left > 0 {
                doubled = doubled.sum(&doubled.clone(), cap)?;
            }
        }
        Ok(total)
    }

    pub(super) fn apply(&self, operator: Operator, other: &Shown, cap: usize) -> Result<Self, DiceFault> {
        match operator {
            Operator::Add => self.sum(other, cap),
            Operator::Subtract => self.sum(&other.negate()?, cap),
            Operator::Divide(_) if other.only().is_some_and(|by| by != 0) => {
                self.map(cap, |value| operator.apply(value, other.only().unwrap_or(1)))
            }
            _ => self.each_pair(operator, other, cap),
        }
    }

    pub(super) fn negate(&self) -> Result<Self, DiceFault> {
        self.map(usize::MAX, |value| value.checked_neg().ok_or(DiceFault::Overflow))
    }

    fn each_pair(&self, operator: Operator, other: &Shown, cap: usize) -> Result<Self, DiceFault> {
        let divides = matches!(operator, Operator::Divide(_) | Operator::Remainder);
        let others = if divides { other.split(&[i64::MIN..=-1, 1..=i64::MAX]) } else { other.clone() };
        if others.is_none() && !other.is_none() {
            return Err(DiceFault::DivisionByZero);
        }
        let exact = self.exact && other.exact;
        let pairs = self.numbers(cap).zip(others.numbers(cap));
        if let Some((left, right)) = pairs.filter(|(l, r)| l.len() * r.len() <= cap) {
            let mut ranges = Vec::new();
            for left in left {
                for right in &right {
                    let value = operator.apply(left, *right)?;
                    ranges.push((value, value));
                }
            }
            return Ok(Shown::of(ranges, exact, cap));
        }
        let (Some(left), Some(right)) = (self.hull(), others.hull()) else {
            return Ok(Shown::none());
        };
        let unchanged = other.only() == Some(1) && operator == Operator::Multiply;
        match operator {
            _ if unchanged => Ok(self.clone()),
            Operator::Compare(_) if left.1 < right.0 || right.1 < left.0 => {
                Ok(Shown::one(operator.apply(left.0, right.0)?))
            }
            Operator::Compare(_) => Ok(Shown::between(0, 1).inexact()),
            Operator::Remainder if other.only().is_some_and(|by| self.runs(by)) => {
                Ok(Shown { exact, ..Shown::between(0, right.0 - 1) })
            }
            Operator::Remainder => {
                let most = (right.0.unsigned_abs().max(right.1.unsigned_abs()) - 1) as i64;
                let low = if right.0 < 0 { -most } else { 0 };
                let high = if right.1 > 0 { most } else { 0 };
                Ok(Shown::between(low, high).inexact())
            }
            _ => {
                let mut rights = vec![right.0, right.1];
                if divides {
                    rights.extend([-1, 1].into_iter().filter(|by| others.contains(*by)));
                }
                let mut corners = Vec::with_capacity(8);
                for left in [left.0, left.1] {
                    for right in &rights {
                        let value = operator.apply(left, *right)?;
                        corners.push((value, value));
                    }
                }
                if divides {
                    corners.push((0, 0));
                }
                Ok(Shown::of(corners, exact, usize::MAX).as_hull().inexact())
            }
        }
    }

    /// Whether as many numbers stand in a row as this.
    fn runs(&self, length: i64) -> bool {
        length > 0 && self.ranges.iter().any(|(low, high)| high.saturating_sub(*low) >= length - 1)
    }

    /// What a function makes of independent totals.
    pub(super) fn function(function: Function, arguments: &[Shown], cap: usize) -> Result<Self, DiceFault> {
        let Some((first, rest)) = arguments.split_first() else {
            return Err(function.arguments(0));
        };
        if function == Function::Abs {
            let positive = first.split(&[0..=i64::MAX]);
            return Ok(first.split(&[i64::MIN..=-1]).negate()?.union(&positive, cap));
        }
        let mut result = first.clone();
        for other in rest {
            let (Some(a), Some(b)) = (result.hull(), other.hull()) else { return Ok(Shown::none()) };
            let part = match function {
                Function::Max => a.0.max(b.0)..=i64::MAX,
                _ => i64::MIN..=a.1.min(b.1),
            };
            let other = other.split(std::slice::from_ref(&part));
            result = result.split(std::slice::from_ref(&part)).union(&other, cap);
        }
        Ok(result)
    }
}
