//! Outcomes and their weights side by side, for weights of either size.

use std::collections::HashMap;

use super::weight::Weight;
use crate::dice::DiceFault;

/// Outcomes in ascending order, each with a weight above 0; the weights add up to the denominator.
#[derive(Debug, Clone)]
pub(super) struct Table<W> {
    pub(super) values: Vec<i64>,
    pub(super) weights: Vec<W>,
    /// The weight of those rolls in which a bound was reached.
    pub(super) cut: W,
    pub(super) denominator: W,
}

/// Weights being added up by outcome: side by side where the outcomes are near each other.
pub(super) enum Sum<W> {
    Near { low: i64, weights: Vec<W> },
    Far(HashMap<i64, W>),
}

/// The most outcomes that are written side by side.
const NEAR: u64 = 1 << 24;

impl<W: Weight> Sum<W> {
    /// For outcomes between these two, of which about so many will be added.
    pub(super) fn between(low: i64, high: i64, entries: usize) -> Self {
        let span = high.abs_diff(low);
        if span < NEAR && span <= (entries as u64).saturating_mul(8).saturating_add(64) {
            return Sum::Near { low, weights: vec![W::default(); span as usize + 1] };
        }
        Sum::Far(HashMap::with_capacity(entries.min(1 << 16)))
    }

    /// The weight of an outcome, which must lie between the two.
    #[inline]
    pub(super) fn at(&mut self, value: i64) -> &mut W {
        match self {
            Sum::Near { low, weights } => {
                let last = weights.len() - 1;
                let index = (value.wrapping_sub(*low) as usize).min(last);
                &mut weights[index]
            }
            Sum::Far(weights) => weights.entry(value).or_default(),
        }
    }

    /// Outcomes in ascending order with their weights, those of weight 0 left out.
    pub(super) fn finish(self) -> (Vec<i64>, Vec<W>) {
        match self {
            Sum::Near { low, weights } => {
                let all = weights.into_iter().enumerate().filter(|(_, weight)| !weight.is_zero());
                all.map(|(index, weight)| (low + index as i64, weight)).unzip()
            }
            Sum::Far(weights) => {
                let mut all: Vec<(i64, W)> = weights.into_iter().filter(|(_, weight)| !weight.is_zero()).collect();
                all.sort_unstable_by_key(|(value, _)| *value);
                all.into_iter().unzip()
            }
        }
    }
}

impl<W: Weight> Table<W> {
    pub(super) fn certain(value: i64) -> Self {
        Table { values: vec![value], weights: vec![W::one()], cut: W::default(), denominator: W::one() }
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (i64, &W)> {
        self.values.iter().copied().zip(&self.weights)
    }

    /// The least and the greatest outcome.
    pub(super) fn ends(&self) -> (i64, i64) {
        (self.values.first().copied().unwrap_or(0), self.values.last().copied().unwrap_or(0))
    }

    /// The sum of two that know nothing of each other.
    pub(super) fn convolve(&self, other: &Self) -> Result<Self, DiceFault> {
        let (low, high) = (self.ends().0.checked_add(other.ends().0), self.ends().1.checked_add(other.ends().1));
        let (low, high) = low.zip(high).ok_or(DiceFault::Overflow)?;
        let mut sum = Sum::<W>::between(low, high, self.values.len().saturating_mul(other.values.len()));
        let (few, many) = if self.values.len() < other.values.len() { (self, other) } else { (other, self) };
        let runs = many.ends().1.abs_diff(many.ends().0) + 1 == many.values.len() as u64;
        for (value, weight) in few.iter() {
            match &mut sum {
                Sum::Near { low, weights } if runs => {
                    let from = (value + many.ends().0 - *low) as usize;
                    weights
                        .iter_mut()
                        .skip(from)
                        .zip(&many.weights)
                        .for_each(|(sum, other)| sum.plus_product(weight, other));
                }
                sum => many.iter().for_each(|(other, times)| sum.at(value + other).plus_product(weight, times)),
            }
        }
        let (values, weights) = sum.finish();
        Ok(Table {
            values,
            weights,
            cut: self.cut_beside(other),
            denominator: self.denominator.times(&other.denominator),
        })
    }

    /// The weight of a bound reached on either side, over the product of the denominators.
    pub(super) fn cut_beside(&self, other: &Self) -> W {
        if self.cut.is_zero() && other.cut.is_zero() {
            return W::default();
        }
        let clear = self.denominator.minus(&self.cut).times(&other.denominator.minus(&other.cut));
        self.denominator.times(&other.denominator).minus(&clear)
    }

    /// The sum of so many, none of which knows of the others.
    pub(super) fn times(&self, count: u32) -> Result<Self, DiceFault> {
        let (mut total, mut doubled, mut left) = (None::<Self>, None::<Self>, count);
        while left > 0 {
            let square = doubled.as_ref().unwrap_or(self);
            if left % 2 == 1 {
                total = Some(match total {
                    Some(total) => total.convolve(square)?,
                    None => square.clone(),
                });
            }
            left /= 2;
            if left > 0 {
                doubled = Some(square.convolve(square)?);
            }
        }
        Ok(total.unwrap_or_else(|| Table::certain(0)))
    }

    /// Every outcome through a function of it.
    pub(super) fn map<F>(&self, mut change: impl FnMut(i64) -> Result<i64, F>) -> Result<Self, F> {
        let values = self.values.iter().map(|value| change(*value)).collect::<Result<Vec<_>, F>>()?;
        let low = values.iter().copied().min().unwrap_or(0);
        let high = values.iter().copied().max().unwrap_or(0);
        let mut sum = Sum::<W>::between(low, high, values.len());
        values.iter().zip(&self.weights).for_each(|(value, weight)| sum.at(*value).plus(weight));
        let (values, weights) = sum.finish();
        Ok(Table { values, weights, cut: self.cut.clone(), denominator: self.denominator.clone() })
    }

    /// Every pair of outcomes of two that know nothing of each other through a function of both.
    pub(super) fn pairs<F>(&self, other: &Self, mut change: impl FnMut(i64, i64) -> Result<i64, F>) -> Result<Self, F> {
        let mut sums: HashMap<i64, W> = HashMap::new();
        for (left, weight) in self.iter() {
            for (right, times) in other.iter() {
                sums.entry(change(left, right)?).or_default().plus_product(weight, times);
            }
        }
        let (values, weights) = Sum::Far(sums).finish();
        Ok(Table {
            values,
            weights,
            cut: self.cut_beside(other),
            denominator: self.denominator.times(&other.denominator),
        })
    }

    /// The greater of two that know nothing of each other.
    pub(super) fn greater(&self, other: &Self) -> Self {
        let mut all: Vec<i64> = self.values.iter().chain(&other.values).copied().collect();
        all.sort_unstable();
        all.dedup();
        let (mut left, mut right) = (self.iter().peekable(), other.iter().peekable());
        let (mut below, mut beside, mut before) = (W::default(), W::default(), W::default());
        let (mut values, mut weights) = (Vec::with_capacity(all.len()), Vec::with_capacity(all.len()));
        for value in all {
            while let Some((_, weight)) = left.next_if(|(at, _)| *at <= value) {
                below.plus(weight);
            }
            while let Some((_, weight)) = right.next_if(|(at, _)| *at <= value) {
                beside.plus(weight);
            }
            let up_to = below.times(&beside);
            let here = up_to.minus(&before);
            if !here.is_zero() {
                values.push(value);
                weights.push(here);
            }
            before = up_to;
        }
        Table { values, weights, cut: self.cut_beside(other), denominator: self.denominator.times(&other.denominator) }
    }

    /// One of several, each with its weight in `all`. Their denominators divide `multiple`.
    pub(super) fn mixture(parts: &[(W, &Self)], all: &W, multiple: &W) -> Self {
        let low = parts.iter().map(|(_, part)| part.ends().0).min().unwrap_or(0);
        let high = parts.iter().map(|(_, part)| part.ends().1).max().unwrap_or(0);
        let entries = parts.iter().map(|(_, part)| part.values.len()).sum();
        let mut sum = Sum::<W>::between(low, high, entries);
        let mut cut = W::default();
        for (weight, part) in parts {
            let scale = multiple.over(&part.denominator).times(weight);
            part.iter().for_each(|(value, weight)| sum.at(value).plus_product(&scale, weight));
            cut.plus_product(&scale, &part.cut);
        }
        let (values, weights) = sum.finish();
        Table { values, weights, cut, denominator: multiple.times(all) }
    }
}
