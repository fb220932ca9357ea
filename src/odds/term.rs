//! The dice of one term, by whatever way is the shortest for what is done to them.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::cost::{Bounds, Budget};
use super::die::{Die, Face, branches};
use super::distribution::WORD_BITS;
use super::joint::{Hands, Members};
use super::keep::{Kept, Rung, kept};
use super::sides::Sides;
use super::step::{self, Step};
use super::table::Table;
use super::weight::{Weight, least_multiple};
use super::{Distribution, OddsFault, power};
use crate::dice::{DICE_A_ROLL, Dice, DiceFault, Faces, Term};

/// The total of a term whose numbers, in written order, have come to these.
pub(super) fn total(
    term: &Term<Dice>,
    numbers: &[i64],
    bounds: &Bounds,
    budget: &mut Budget,
) -> Result<Distribution, OddsFault> {
    let (count, rest) = numbers.split_first().unwrap_or((&0, &[]));
    let (faces, rest) = match &term.faces {
        Faces::Upto(_) => rest.split_first().map_or((0, rest), |(faces, rest)| (*faces, rest)),
        _ => (0, rest),
    };
    let sides = Sides::of(&term.faces, faces, budget)?;
    if *count < 0 {
        return Err(DiceFault::NegativeCount { count: *count }.into());
    }
    if *count > DICE_A_ROLL {
        return Err(DiceFault::TooManyDice { asked: *count, limit: DICE_A_ROLL }.into());
    }
    let count = u32::try_from(*count).unwrap_or(0);
    let steps = step::steps(&term.modifiers, &sides, rest);
    for step in &steps {
        match step {
            Step::Keep(_, keep) => step::within(*keep, count, true)?,
            Step::Drop(_, drop) => step::within(*drop, count, false)?,
            _ => 0,
        };
    }
    let mut die = Die::new(&sides, &steps, bounds);
    dice(&mut die, count, budget)
}

fn dice(die: &mut Die<'_>, count: u32, budget: &mut Budget) -> Result<Distribution, OddsFault> {
    let steps = die.steps;
    let Some(from) = steps.iter().position(Step::looks_beside) else {
        let one = die.whole(budget)?;
        return many(&one, count, budget);
    };
    let rest = steps.get(from..).unwrap_or(&[]);
    let length = match rest.first() {
        Some(Step::Unique) => 1,
        _ => rest.iter().take_while(|step| matches!(step, Step::Keep(..) | Step::Drop(..))).count(),
    };
    let apart = !rest.iter().skip(length).any(Step::looks_beside);
    let grows = steps.iter().take(from).any(Step::grows);
    if !apart || grows {
        let members = Members::like(die, count);
        return Hands::new(die).total(members, count, budget);
    }
    let group = rest.get(..length).unwrap_or(&[]);
    let which = match group {
        [Step::Unique] => Kept::Unique,
        group => {
            let (from, to) = step::window(group, count)?;
            Kept::Window(from, to)
        }
    };
    some(die, count, (from, from + length), which, budget)
}

/// So many like dice, one beside the other.
pub(super) fn many(one: &Distribution, count: u32, budget: &mut Budget) -> Result<Distribution, OddsFault> {
    if count == 1 {
        return Ok(one.clone());
    }
    let (low, high) = (one.values().first().copied().unwrap_or(0), one.values().last().copied().unwrap_or(0));
    let edge = |value: i64| value.checked_mul(i64::from(count)).ok_or(DiceFault::Overflow);
    let span = u128::from(edge(high)?.abs_diff(edge(low)?)) + 1;
    let length = span.min((one.values().len() as u128).saturating_pow(count.max(1)));
    let bits = one.bits().saturating_mul(u64::from(count));
    let what = || format!("the sums of {count} dice that show {} values", one.values().len());
    if bits <= WORD_BITS {
        budget.take(length * length / 3, bits, what)?;
    } else {
        budget.take(power::work(&one.to_big(), count, length, bits), 0, what)?;
    }
    Ok(one.times(count)?)
}

/// Dice of which some count, by where they stand among the others: `group` are the steps that say which.
fn some(
    die: &mut Die<'_>,
    count: u32,
    group: (usize, usize),
    which: Kept,
    budget: &mut Budget,
) -> Result<Distribution, OddsFault> {
    if group == (0, die.steps.len()) {
        return plain(die.sides, count, which, budget);
    }
    let before = before(die, group.0, budget)?;
    // What a die of each value adds if it is kept, clear of any bound and not.
    let mut values: BTreeMap<i64, Vec<(BigUint, Distribution)>> = BTreeMap::new();
    for ((value, counted), (weight, cut)) in before {
        let total = die.total(group.1, (value, counted), budget)?;
        let parts = values.entry(value).or_default();
        if !Weight::is_zero(&cut) {
            parts.push((cut.clone(), total.clone().cut_off()));
        }
        if weight > cut {
            parts.push((weight - cut, total));
        }
    }
    let scores: Vec<(BigUint, Distribution)> = values
        .into_values()
        .map(|parts| (parts.iter().map(|part| &part.0).sum(), Distribution::mixture(&parts)))
        .collect();
    let multiple = scores.iter().fold(BigUint::one(), |all, score| least_multiple(&all, &score.1.denominator()));
    let all: BigUint = scores.iter().map(|score| &score.0 * &multiple).sum();
    let denominator = all.pow(count);
    let rungs: Vec<Rung<BigUint>> = scores.iter().map(|(weight, score)| rung(weight, score, &multiple)).collect();
    let bits = denominator.bits();
    let (values, weights) = ways(&rungs, count, which, bits, budget)?;
    let exact = scores.iter().all(|score| score.1.is_exact());
    let cut = if exact {
        BigUint::default()
    } else {
        let clear: Vec<Rung<BigUint>> = scores.iter().map(|(weight, score)| clear(weight, score, &multiple)).collect();
        &denominator - ways(&clear, count, which, bits, budget)?.1.into_iter().sum::<BigUint>()
    };
    Ok(Distribution::of_big(Table { values, weights, cut, denominator }))
}

/// Dice to which nothing else is done.
fn plain(sides: &Sides, count: u32, which: Kept, budget: &mut Budget) -> Result<Distribution, OddsFault> {
    fn rungs<W: Weight>(sides: &Sides) -> Vec<Rung<W>> {
        let rung = |(value, times): &(i64, u64)| {
            let weight = W::of(u128::from(*times));
            Rung { weight: weight.clone(), score: Table { weights: vec![weight], ..Table::certain(*value) } }
        };
        sides.faces.iter().map(rung).collect()
    }
    let denominator = BigUint::from(sides.all).pow(count);
    let bits = denominator.bits();
    if bits > WORD_BITS {
        let (values, weights) = kept(&rungs(sides), count, which, bits, budget)?;
        return Ok(Distribution::of_big(Table { values, weights, cut: BigUint::default(), denominator }));
    }
    let (values, weights) = kept(&rungs(sides), count, which, bits, budget)?;
    let denominator = u128::from(sides.all).pow(count);
    Ok(Distribution::of_words(Table { values, weights, cut: 0, denominator }))
}

fn ways(
    rungs: &[Rung<BigUint>],
    count: u32,
    which: Kept,
    bits: u64,
    budget: &mut Budget,
) -> Result<(Vec<i64>, Vec<BigUint>), OddsFault> {
    if bits > 127 {
        return kept(rungs, count, which, bits, budget);
    }
    let word = |weight: &BigUint| u128::try_from(weight).unwrap_or(u128::MAX);
    let words = rungs.iter().map(|rung| {
        let weights = rung.score.weights.iter().map(word).collect();
        let score = Table { values: rung.score.values.clone(), weights, cut: 0, denominator: 1 };
        Rung { weight: word(&rung.weight), score }
    });
    let (values, weights) = kept(&words.collect::<Vec<_>>(), count, which, bits, budget)?;
    Ok((values, weights.iter().map(Weight::big).collect()))
}

fn rung(weight: &BigUint, score: &Distribution, multiple: &BigUint) -> Rung<BigUint> {
    let scale = weight * (multiple / score.denominator());
    let table = score.to_big();
    let weights = table.weights.iter().map(|weight| weight * &scale).collect();
    let score = Table { values: table.values.clone(), weights, cut: BigUint::default(), denominator: BigUint::one() };
    Rung { weight: weight * multiple, score }
}

/// The same of dice that reached no bound, whatever they show.
fn clear(weight: &BigUint, score: &Distribution, multiple: &BigUint) -> Rung<BigUint> {
    let table = score.to_big();
    let weight = weight * (multiple / &table.denominator) * (&table.denominator - &table.cut);
    let score =
        Table { values: vec![0], weights: vec![weight.clone()], cut: BigUint::default(), denominator: BigUint::one() };
    Rung { weight, score }
}

/// How one die stands before a step, with the ways for it and those of them that reached a bound.
fn before(die: &Die<'_>, steps: usize, budget: &mut Budget) -> Result<BTreeMap<Face, (BigUint, BigUint)>, OddsFault> {
    let mut faces: BTreeMap<Face, (BigUint, BigUint)> = BTreeMap::new();
    for branch in die.thrown() {
        faces.entry(branch.die).or_default().0 += branch.weight;
    }
    for step in die.steps.iter().take(steps) {
        let mut all = BigUint::one();
        let mut reached = Vec::with_capacity(faces.len());
        for (face, weight) in faces {
            let branches = branches(step, face, die.sides, die.bounds, false)?;
            budget.take(branches.len() as u128 * 100, 0, || "the rerolls and explosions of one die".to_owned())?;
            let sum: BigUint = branches.iter().map(|branch| &branch.weight).sum();
            all = least_multiple(&all, &sum);
            reached.push((weight, sum, branches));
        }
        faces = BTreeMap::new();
        for ((weight, cut), sum, branches) in reached {
            let scale = &all / sum;
            for branch in branches {
                let times = &scale * &branch.weight;
                let place = faces.entry(branch.die).or_default();
                place.1 += if branch.cut { &weight } else { &cut } * &times;
                place.0 += &weight * times;
            }
        }
    }
    Ok(faces)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same in big numbers.
    fn grown(rung: &Rung<u128>) -> Rung<BigUint> {
        let weights = rung.score.weights.iter().map(Weight::big).collect();
        let (values, cut) = (rung.score.values.clone(), BigUint::default());
        Rung { weight: rung.weight.big(), score: Table { values, weights, cut, denominator: BigUint::one() } }
    }

    #[test]
    fn words_and_big_numbers_keep_alike() {
        let table = |value: i64| Table::<u128>::certain(value);
        let rungs: Vec<Rung<u128>> = (1..=6).map(|value| Rung { weight: 1, score: table(value) }).collect();
        let big: Vec<_> = rungs.iter().map(grown).collect();
        let budget = &mut Budget::new(u128::MAX);
        for which in [Kept::Window(1, 4), Kept::Window(0, 2), Kept::Window(1, 3), Kept::Unique] {
            let words = kept(&rungs, 4, which, 11, budget).unwrap();
            let large = kept(&big, 4, which, 11, budget).unwrap();
            assert_eq!(words.0, large.0);
            assert_eq!(words.1.iter().map(Weight::big).collect::<Vec<_>>(), large.1);
            assert_eq!(words.1.iter().sum::<u128>(), 1296);
        }
    }
}
