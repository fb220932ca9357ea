//! Some of many like dice: the counting of dice face by face, as in Albert Julius Liu's "Icepool:
//! Efficient Computation of Dice Pool Probabilities". No roll is ever listed.

use super::OddsFault;
use super::cost::Budget;
use super::table::{Sum, Table};
use super::weight::{Weight, choices, choose};
use crate::dice::DiceFault;

/// One value a die may show.
#[derive(Debug, Clone)]
pub(super) struct Rung<W> {
    /// In how many ways a die shows it.
    pub(super) weight: W,
    /// What such a die adds if it is kept: its weights add up to `weight`; the denominator is of no account.
    pub(super) score: Table<W>,
}

/// Which of the dice count, once they are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// Those between two places, from the lowest; the end is not included.
    Window(u32, u32),
    /// One of each value.
    Unique,
}

/// What the kept ones of `count` dice add up to, and in how many ways. The rungs stand in
/// ascending order of value.
pub(super) fn kept<W: Weight>(
    rungs: &[Rung<W>],
    count: u32,
    kept: Kept,
    bits: u64,
    budget: &mut Budget,
) -> Result<(Vec<i64>, Vec<W>), OddsFault> {
    let rungs: Vec<&Rung<W>> = rungs.iter().collect();
    match kept {
        Kept::Window(from, to) if from < to && to == count => highest(&rungs, count, to - from, bits, budget),
        Kept::Window(0, to) if to > 0 => {
            let down: Vec<&Rung<W>> = rungs.into_iter().rev().collect();
            highest(&down, count, to, bits, budget)
        }
        _ => between(&rungs, count, kept, bits, budget),
    }
}

fn large() -> String {
    "the dice that are kept".to_owned()
}

/// The last `keep` of the sorted dice. Asks what the least of them shows, and which are above it.
fn highest<W: Weight>(
    rungs: &[&Rung<W>],
    count: u32,
    keep: u32,
    bits: u64,
    budget: &mut Budget,
) -> Result<(Vec<i64>, Vec<W>), OddsFault> {
    let ends = rungs.iter().map(|rung| rung.score.ends());
    let (low, high) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 0));
    let edge = |value: i64| value.checked_mul(i64::from(keep)).ok_or(DiceFault::Overflow);
    let span = u128::from(edge(high)?.abs_diff(edge(low)?));
    let longest = rungs.iter().map(|rung| rung.score.values.len()).max().unwrap_or(1) as u128;
    let each = rungs.len() as u128 + longest * u128::from(keep);
    let all_values = rungs.iter().map(|rung| rung.score.values.len() as u128).sum::<u128>();
    let length = span.min(all_values.saturating_pow(keep));
    budget.take(rungs.len() as u128 * u128::from(keep) * length * each / 2, bits, large)?;
    let mut total = Sum::<W>::between(edge(low)?, edge(high)?, usize::try_from(length).unwrap_or(usize::MAX));
    let mut below = rungs.iter().fold(W::default(), |mut sum, rung| {
        sum.plus(&rung.weight);
        sum
    });
    // Of all dice, and of those that are not above the rung: in how many ways so many can be chosen.
    let choose_above = choices::<W>(count);
    let choose_here: Vec<Vec<W>> = (0..keep).map(|more| choices(count - more)).collect();
    // Sums of 0, 1, 2 … dice above the rung.
    let mut above = vec![Table::<W>::certain(0)];
    let mut one_above: Option<Table<W>> = None;
    for rung in rungs.iter().rev() {
        below = below.minus(&rung.weight);
        let (mut score, mut scores) = (Table::certain(0), Vec::with_capacity(keep as usize));
        for _ in 0..keep {
            score = score.convolve(&rung.score)?;
            scores.push(score.clone());
        }
        let (fewer, same) = (powers(&below, count), powers(&rung.weight, count - 1));
        for (more, sums) in above.iter().enumerate() {
            let (Some(ways), Some(choose)) = (choose_above.get(more), choose_here.get(more)) else { continue };
            let more = more as u32;
            let here = keep - more;
            let Some(score) = scores.get(here as usize - 1) else { continue };
            let ways = ways.times(&at_least(here, count - more, choose, &same, &fewer));
            for (value, times) in score.iter() {
                let ways = times.times(&ways);
                sums.iter().for_each(|(sum, weight)| total.at(sum + value).plus_product(&ways, weight));
            }
        }
        one_above = Some(match one_above {
            Some(table) => either(&table, &rung.score),
            None => rung.score.clone(),
        });
        let Some(one) = &one_above else { continue };
        above.truncate(1);
        while above.len() < keep as usize {
            let longer = above.last().unwrap_or(one).convolve(one)?;
            above.push(longer);
        }
    }
    Ok(total.finish())
}

/// In how many ways at least `least` of `dice` show the rung, and the others what is below it. The
/// first `least` are counted once only: what they add is weighed with their score. Given are the ways to
/// choose of the dice, and the powers of the weights of the rung and of all below.
fn at_least<W: Weight>(least: u32, dice: u32, choose: &[W], same: &[W], fewer: &[W]) -> W {
    let mut sum = W::default();
    for here in least..=dice {
        let parts = (choose.get(here as usize), same.get((here - least) as usize), fewer.get((dice - here) as usize));
        if let (Some(choose), Some(same), Some(fewer)) = parts
            && !fewer.is_zero()
        {
            sum.plus_product(&choose.times(same), fewer);
        }
    }
    sum
}

/// 1, the number, its square …
fn powers<W: Weight>(number: &W, last: u32) -> Vec<W> {
    let mut powers = Vec::with_capacity(last as usize + 1);
    let mut power = W::one();
    for _ in 0..last {
        let next = power.times(number);
        powers.push(std::mem::replace(&mut power, next));
    }
    powers.push(power);
    powers
}

/// One table or the other.
fn either<W: Weight>(one: &Table<W>, other: &Table<W>) -> Table<W> {
    Table::mixture(&[(W::one(), one), (W::one(), other)], &W::one(), &W::one())
}

/// Any window, or one of each value: one rung after the other, with how many dice are placed.
fn between<W: Weight>(
    rungs: &[&Rung<W>],
    count: u32,
    kept: Kept,
    bits: u64,
    budget: &mut Budget,
) -> Result<(Vec<i64>, Vec<W>), OddsFault> {
    let all = count as usize;
    let mut placed: Vec<Option<Table<W>>> = vec![None; all + 1];
    placed[0] = Some(Table::certain(0));
    for (at, rung) in rungs.iter().enumerate() {
        let work: u128 = placed.iter().flatten().map(|sums| sums.values.len() as u128).sum();
        let wide = rung.score.values.len() as u128;
        budget.take(work * u128::from(count + 1) * wide, bits, large)?;
        let mut next: Vec<Vec<Table<W>>> = vec![Vec::new(); all + 1];
        for (used, sums) in placed.iter().enumerate() {
            let Some(sums) = sums else { continue };
            let used = used as u32;
            let mut with = sums.clone();
            let (mut counted, mut spare) = (0, W::one());
            for here in 0..=count - used {
                let keeps = match kept {
                    Kept::Unique => here.min(1),
                    Kept::Window(from, to) => to.min(used + here).saturating_sub(from.max(used)),
                };
                if keeps > counted {
                    with = with.convolve(&rung.score)?;
                    counted = keeps;
                } else if here > 0 {
                    spare = spare.times(&rung.weight);
                }
                if at + 1 == rungs.len() && here < count - used {
                    continue;
                }
                let ways = spare.times(&W::of_big(&choose(count - used, here)));
                let mut sums = with.clone();
                sums.weights.iter_mut().for_each(|weight| *weight = weight.times(&ways));
                if let Some(place) = next.get_mut((used + here) as usize) {
                    place.push(sums);
                }
            }
        }
        placed = next.into_iter().map(|sums| sum_up(&sums)).collect();
    }
    let total = placed.pop().flatten().unwrap_or_else(|| Table::certain(0));
    Ok((total.values, total.weights))
}

fn sum_up<W: Weight>(tables: &[Table<W>]) -> Option<Table<W>> {
    if tables.is_empty() {
        return None;
    }
    let parts: Vec<_> = tables.iter().map(|table| (W::one(), table)).collect();
    Some(Table::mixture(&parts, &W::one(), &W::one()))
}
