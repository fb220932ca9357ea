//! One die on its own: what becomes of it, and of the dice it brings, step by step.

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigUint;

use super::cost::{Bounds, Budget};
use super::sides::Sides;
use super::step::Step;
use super::weight::Weight;
use super::{Distribution, OddsFault};
use crate::dice::{DiceFault, Explosion, Point, REROLLS_A_DIE, Reroll};

/// A die as it stands: what it shows, and what it adds to a count.
pub(super) type Face = (i64, i64);

/// What may become of a die in one step.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    pub(super) weight: BigUint,
    /// The die itself.
    pub(super) die: Face,
    /// The dice it brings: as thrown where their order matters, else the least first.
    pub(super) added: Vec<Face>,
    /// Whether a bound was reached.
    pub(super) cut: bool,
}

/// The steps on the dice of one term, as far as they look at one die at a time.
pub(super) struct Die<'a> {
    pub(super) sides: &'a Sides,
    pub(super) steps: &'a [Step],
    /// Whether the total is the count.
    pub(super) counts: bool,
    pub(super) bounds: &'a Bounds,
    known: HashMap<(usize, Face), Distribution>,
    chains: HashMap<usize, Distribution>,
}

impl<'a> Die<'a> {
    pub(super) fn new(sides: &'a Sides, steps: &'a [Step], bounds: &'a Bounds) -> Self {
        let counts = steps.iter().any(Step::counts);
        Die { sides, steps, counts, bounds, known: HashMap::new(), chains: HashMap::new() }
    }

    /// The die as it is thrown.
    pub(super) fn thrown(&self) -> Vec<Branch> {
        let branch = |&(value, times): &(i64, u64)| Branch {
            weight: BigUint::from(times),
            die: (value, 0),
            added: Vec::new(),
            cut: false,
        };
        self.sides.faces.iter().map(branch).collect()
    }

    /// What a die that has come to step `at` adds to the total, with all dice it brings from there
    /// on. None of the steps may look at the dice beside it.
    pub(super) fn total(&mut self, at: usize, die: Face, budget: &mut Budget) -> Result<Distribution, OddsFault> {
        let Some(step) = self.steps.get(at) else {
            return Ok(Distribution::certain(if self.counts { die.1 } else { die.0 }));
        };
        if let Some(known) = self.known.get(&(at, die)) {
            return Ok(known.clone());
        }
        let total = match step {
            Step::Explode(kind, point) if step.grows() && point.holds(die.0) => {
                let (kind, point) = (*kind, point.clone());
                let first = self.total(at + 1, die, budget)?;
                let brought = self.brought(at, kind, &point, budget)?;
                self.charge(&first, &brought, budget)?;
                first.plus(&brought)?
            }
            Step::Explode(..) if step.grows() => self.total(at + 1, die, budget)?,
            step => {
                let branches = branches(step, die, self.sides, self.bounds, false)?;
                let mut parts = Vec::with_capacity(branches.len());
                for branch in branches {
                    let total = self.total(at + 1, branch.die, budget)?;
                    parts.push((branch.weight, if branch.cut { total.cut_off() } else { total }));
                }
                self.mixture(&parts, budget)?
            }
        };
        self.known.insert((at, die), total.clone());
        Ok(total)
    }

    /// The total of a die from its throw on.
    pub(super) fn whole(&mut self, budget: &mut Budget) -> Result<Distribution, OddsFault> {
        let mut parts = Vec::with_capacity(self.sides.faces.len());
        for branch in self.thrown() {
            parts.push((branch.weight, self.total(0, branch.die, budget)?));
        }
        self.mixture(&parts, budget)
    }

    /// What the dice add that one exploding die brings.
    fn brought(
        &mut self,
        at: usize,
        kind: Explosion,
        point: &Point<i64>,
        budget: &mut Budget,
    ) -> Result<Distribution, OddsFault> {
        if let Some(known) = self.chains.get(&at) {
            return Ok(known.clone());
        }
        let less = i64::from(kind == Explosion::Penetrate);
        let (mut ends, mut goes_on) = (Vec::new(), Vec::new());
        for (value, times) in &self.sides.faces {
            let worth = value.checked_sub(less).ok_or(DiceFault::Overflow)?;
            let part = (BigUint::from(*times), self.total(at + 1, (worth, 0), budget)?);
            let again = kind != Explosion::Once && point.holds(*value);
            if again { goes_on.push(part) } else { ends.push(part) }
        }
        let among = |parts: &[(BigUint, Distribution)]| parts.iter().map(|part| &part.0).sum::<BigUint>();
        let (stop, again) = (among(&ends), among(&goes_on));
        let mut chain = Distribution::certain(0).cut_off();
        if goes_on.is_empty() {
            chain = self.mixture(&ends, budget)?;
        } else {
            let matching = self.mixture(&goes_on, budget)?;
            let last = if ends.is_empty() { None } else { Some(self.mixture(&ends, budget)?) };
            let hits = self.sides.among(|value| point.holds(value));
            for _ in 0..self.bounds.chain(hits, self.sides.all) {
                self.charge(&matching, &chain, budget)?;
                let longer = (again.clone(), matching.plus(&chain)?);
                let parts: Vec<_> = last.iter().map(|last| (stop.clone(), last.clone())).chain([longer]).collect();
                chain = self.mixture(&parts, budget)?;
            }
        }
        self.chains.insert(at, chain.clone());
        Ok(chain)
    }

    fn mixture(&self, parts: &[(BigUint, Distribution)], budget: &mut Budget) -> Result<Distribution, OddsFault> {
        let entries: usize = parts.iter().map(|part| part.1.values().len()).sum();
        let bits = parts.iter().map(|part| part.1.bits()).max().unwrap_or(0);
        budget.take(entries as u128 * 8, bits, || "the explosions and rerolls of one die".to_owned())?;
        Ok(Distribution::mixture(parts))
    }

    fn charge(&self, one: &Distribution, other: &Distribution, budget: &mut Budget) -> Result<(), OddsFault> {
        let pairs = one.values().len() as u128 * other.values().len() as u128;
        budget.take(pairs, one.bits() + other.bits(), || "the explosions of one die".to_owned())
    }
}

/// What may become of a die in a step that looks at no other.
pub(super) fn branches(
    step: &Step,
    die: Face,
    sides: &Sides,
    bounds: &Bounds,
    ordered: bool,
) -> Result<Vec<Branch>, DiceFault> {
    let (value, counted) = die;
    let stays = |die| vec![Branch { weight: BigUint::one(), die, added: Vec::new(), cut: false }];
    Ok(match step {
        Step::AtLeast(least) => stays((value.max(*least), counted)),
        Step::AtMost(most) => stays((value.min(*most), counted)),
        Step::Count(success, failure) => {
            let failed = failure.as_ref().is_some_and(|failure| failure.holds(value));
            stays((value, counted + i64::from(success.holds(value)) - i64::from(failed)))
        }
        Step::Parity(rest) => stays((value, counted + i64::from(value.rem_euclid(2) == *rest))),
        Step::Reroll(kind, points) => {
            let again = |value| points.iter().any(|point| point.holds(value));
            if again(value) { rerolled(*kind, again, counted, sides) } else { stays(die) }
        }
        Step::Explode(kind, point) if point.holds(value) => exploded((*kind, point), die, sides, bounds, ordered)?,
        Step::Only(point) if !point.holds(value) => stays((0, 0)),
        Step::Explode(..) | Step::Keep(..) | Step::Drop(..) | Step::Unique | Step::Only(_) => stays(die),
    })
}

/// A die that is rolled again. Where the bound of the roller is reached with a chance below 2^-64
/// it is as good as never: the dice that stand are as likely as they are among themselves.
fn rerolled(kind: Reroll, again: impl Fn(i64) -> bool, counted: i64, sides: &Sides) -> Vec<Branch> {
    let hits = sides.among(&again);
    let bound = match kind {
        Reroll::Until => REROLLS_A_DIE,
        Reroll::Once => 1,
    };
    let negligible = kind == Reroll::Until && (hits as f64 / sides.all as f64).powi(bound as i32) < 2f64.powi(-64);
    let (all, hit) = (BigUint::from(sides.all), BigUint::from(hits));
    let weigh = |times: u64, met: bool| -> BigUint {
        if kind == Reroll::Once || negligible {
            return BigUint::from(times);
        }
        if met {
            return Weight::power(&hit, bound - 1) * times;
        }
        (Weight::power(&all, bound) - Weight::power(&hit, bound)) / (sides.all - hits) * times
    };
    let faces = sides.faces.iter().filter(|(value, _)| !negligible || !again(*value));
    let branch = |&(value, times): &(i64, u64)| {
        let met = again(value);
        let cut = kind == Reroll::Until && met;
        Branch { weight: weigh(times, met), die: (value, counted), added: Vec::new(), cut }
    };
    faces.map(branch).collect()
}

/// An exploding die and the dice it brings.
fn exploded(
    (kind, point): (Explosion, &Point<i64>),
    die: Face,
    sides: &Sides,
    bounds: &Bounds,
    ordered: bool,
) -> Result<Vec<Branch>, DiceFault> {
    let hits = sides.among(|value| point.holds(value));
    let most = if kind == Explosion::Once { 1 } else { bounds.chain(hits, sides.all) };
    let all = BigUint::from(sides.all);
    let less = i64::from(kind == Explosion::Penetrate);
    // What has come so far in chains that go on, with the ways for it to come.
    let mut open: BTreeMap<(i64, Vec<Face>), BigUint> = BTreeMap::from([((die.0, Vec::new()), BigUint::one())]);
    let mut ended: BTreeMap<(i64, Vec<Face>), BigUint> = BTreeMap::new();
    for left in (0..most).rev() {
        let scale = Weight::power(&all, left);
        let mut longer: BTreeMap<(i64, Vec<Face>), BigUint> = BTreeMap::new();
        for ((value, added), weight) in open {
            for (shown, times) in &sides.faces {
                let (mut value, mut added) = (value, added.clone());
                if kind == Explosion::Compound {
                    value = value.checked_add(*shown).ok_or(DiceFault::Overflow)?;
                } else {
                    let face = (shown.checked_sub(less).ok_or(DiceFault::Overflow)?, 0);
                    let at = if ordered { added.len() } else { added.partition_point(|other| *other < face) };
                    added.insert(at, face);
                }
                if kind != Explosion::Once && point.holds(*shown) {
                    *longer.entry((value, added)).or_default() += &weight * times;
                } else {
                    *ended.entry((value, added)).or_default() += &weight * times * &scale;
                }
            }
        }
        open = longer;
    }
    let branch = |cut| {
        move |((value, added), weight): ((i64, Vec<Face>), BigUint)| Branch { weight, die: (value, die.1), added, cut }
    };
    Ok(ended.into_iter().map(branch(false)).chain(open.into_iter().map(branch(true))).collect())
}
