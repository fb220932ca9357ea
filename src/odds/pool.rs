//! Totals side by side, each with its own chances: `{2d6, 1d8}kh1`.

use std::collections::HashMap;

use num_bigint::BigUint;

use super::cost::{Bounds, Budget};
use super::die::{Die, Face, branches};
use super::joint::{Hands, Members};
use super::sides::Sides;
use super::step::{self, Step};
use super::table::{Sum, Table};
use super::weight::Weight;
use super::{Distribution, OddsFault};
use crate::dice::{End, Operator};

/// The total of a pool: its members, and what is done to them.
pub(super) fn total(
    members: &[Distribution],
    steps: &[Step],
    bounds: &Bounds,
    budget: &mut Budget,
) -> Result<Distribution, OddsFault> {
    let count = u32::try_from(members.len()).unwrap_or(u32::MAX);
    let sides = Sides::none();
    let mut die = Die::new(&sides, steps, bounds);
    let Some(from) = steps.iter().position(Step::looks_beside) else {
        let mut total = Distribution::certain(0);
        for member in members {
            let score = scored(&die, member)?;
            let pairs = total.values().len() as u128 * score.values().len() as u128;
            budget.take(pairs, total.bits() + score.bits(), large)?;
            total = total.plus(&score)?;
        }
        return Ok(total);
    };
    let rest = steps.get(from..).unwrap_or(&[]);
    let length = rest.iter().take_while(|step| matches!(step, Step::Keep(..) | Step::Drop(..))).count();
    let apart = length > 0 && !rest.iter().skip(length).any(Step::looks_beside);
    let (low, high) = step::window(rest.get(..length).unwrap_or(&[]), count)?;
    if !apart || step::order_matters(steps) || (low > 0 && high < count) {
        return Hands::new(&mut die).total(Members::unlike(members), count, budget);
    }
    // What each value stands for once some have been kept.
    let mut scores: HashMap<i64, i64> = HashMap::new();
    let mut before = Vec::with_capacity(members.len());
    for member in members {
        before.push(member.map(|value| {
            let face = through(&die, (value, 0), 0, from)?;
            let after = through(&die, face, from, steps.len())?;
            scores.insert(face.0, if die.counts { after.1 } else { after.0 });
            Ok::<i64, OddsFault>(face.0)
        })?);
    }
    let (end, keep) = if high == count { (End::High, high - low) } else { (End::Low, high - low) };
    kept(&before, end, keep, &|value| scores.get(&value).copied().unwrap_or(0), budget)
}

fn large() -> String {
    "the totals of a pool".to_owned()
}

/// A member through all steps, none of which looks at another.
fn scored(die: &Die<'_>, member: &Distribution) -> Result<Distribution, OddsFault> {
    member.map(|value| {
        let face = through(die, (value, 0), 0, die.steps.len())?;
        Ok(if die.counts { face.1 } else { face.0 })
    })
}

/// A total through some of the steps.
fn through(die: &Die<'_>, face: Face, from: usize, to: usize) -> Result<Face, OddsFault> {
    let steps = die.steps.get(from..to).unwrap_or(&[]);
    steps.iter().try_fold(face, |face, step| {
        let branches = branches(step, face, die.sides, die.bounds, false)?;
        Ok(branches.first().map_or(face, |branch| branch.die))
    })
}

/// The highest or lowest so many of unlike totals: asks what the least of those kept shows, and
/// counts the members above it one after the other.
fn kept(
    members: &[Distribution],
    end: End,
    keep: u32,
    score: &dyn Fn(i64) -> i64,
    budget: &mut Budget,
) -> Result<Distribution, OddsFault> {
    let exact = members.iter().all(Distribution::is_exact);
    if keep == 0 && exact {
        return Ok(Distribution::certain(0));
    }
    // The lowest are the highest of the totals turned round.
    let sign = if end == End::High { 1 } else { -1 };
    let turned = |member: &Distribution| member.map(|value| Operator::Multiply.apply(value, sign));
    let members: Vec<Distribution> = members.iter().map(turned).collect::<Result<_, _>>()?;
    let mut values: Vec<i64> = members.iter().flat_map(|member| member.values()).copied().collect();
    values.sort_unstable();
    values.dedup();
    let tables: Vec<_> = members.iter().map(Distribution::to_big).collect();
    let bits: u64 = tables.iter().map(|table| table.denominator.bits()).sum();
    let entries: usize = values.len() * tables.iter().map(|table| table.values.len()).sum::<usize>();
    budget.take(
        entries as u128 * u128::from(keep) * u128::from(keep) * values.len() as u128 * 4,
        bits.max(128),
        large,
    )?;
    let mut sums: HashMap<i64, BigUint> = HashMap::new();
    if keep == 0 {
        // All are dropped: nothing is left to add up.
        sums.insert(0, tables.iter().map(|table| &table.denominator).product());
    }
    for least in values.iter().filter(|_| keep > 0) {
        // How many are above and (as far as needed) equal, with the sums of those above.
        let mut open: HashMap<(u32, u32), HashMap<i64, BigUint>> =
            HashMap::from([((0, 0), HashMap::from([(0, BigUint::one())]))]);
        for table in &tables {
            let mut next: HashMap<(u32, u32), HashMap<i64, BigUint>> = HashMap::new();
            for ((above, equal), sums) in &open {
                for (value, weight) in table.iter() {
                    let (more, same) = match value.cmp(least) {
                        std::cmp::Ordering::Greater => (above + 1, *equal),
                        std::cmp::Ordering::Equal => (*above, (equal + 1).min(keep)),
                        std::cmp::Ordering::Less => (*above, *equal),
                    };
                    if more >= keep.max(1) {
                        continue;
                    }
                    let adds = if value > *least { score(value * sign) } else { 0 };
                    let place = next.entry((more, same)).or_default();
                    for (sum, ways) in sums {
                        let sum = Operator::Add.apply(*sum, adds)?;
                        *place.entry(sum).or_default() += ways * weight;
                    }
                }
            }
            open = next;
        }
        for ((above, equal), found) in open {
            if above + equal < keep.max(1) {
                continue;
            }
            let here = Operator::Multiply.apply(score(least * sign), i64::from(keep - above.min(keep)))?;
            for (sum, ways) in found {
                *sums.entry(Operator::Add.apply(sum, here)?).or_default() += ways;
            }
        }
    }
    let (values, weights) = Sum::Far(sums).finish();
    let denominator: BigUint = tables.iter().map(|table| &table.denominator).product();
    let clear: BigUint = tables.iter().map(|table| &table.denominator - &table.cut).product();
    let cut = &denominator - clear;
    debug_assert_eq!(weights.iter().sum::<BigUint>(), denominator);
    let table = Table { values, weights, cut, denominator };
    Ok(Distribution::of_big(table))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn die(faces: i64) -> Distribution {
        Distribution::weighted(&(1..=faces).map(|face| (face, 1)).collect::<Vec<_>>())
    }

    #[test]
    fn the_highest_of_unlike_dice_is_the_greater() {
        let budget = &mut Budget::new(u128::MAX);
        let members = [die(6), die(8)];
        let greater = kept(&members, End::High, 1, &|value| value, budget).unwrap();
        assert_eq!(greater.chances(), die(6).greater(&die(8)).chances());
        let both = kept(&members, End::Low, 2, &|value| value, budget).unwrap();
        assert_eq!(both.chances(), die(6).plus(&die(8)).unwrap().chances());
    }
}
