//! How often something is repeated: its mean and spread, solved on the chain, and its distribution, walked
//! through turn by turn.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;

use super::cost::Budget;
use super::solve::{Mass, Place, Row, order, sums};
use super::{Fraction, OddsFault};
use crate::program::EventId;

/// The most turns that are told apart.
const TURNS: usize = 10_000;

/// What is left after so many turns is no longer followed when its chance is below this.
const NEGLIGIBLE: f64 = 1e-12;

/// What adding up two chances costs, in steps.
const SUM: u128 = 2_000;

/// Means are solved for no more states than this where the walk does not come to an end.
const SOLVED: usize = 20_000;

/// How often a `repeat` fires.
#[derive(Debug, Clone)]
pub struct Turns {
    /// The event it sends, where it sends one.
    pub event: Option<EventId>,
    /// Numbers of turns with their chances, ascending.
    pub distribution: Vec<(u64, Fraction)>,
    /// The chance of more turns than are told apart.
    pub rest: Fraction,
    /// Exact, whatever the distribution leaves out; `None` where some runs are not known to their end.
    pub mean: Option<Fraction>,
    /// Likewise.
    pub variance: Option<Fraction>,
}

impl Turns {
    /// The standard deviation: the root of the exact variance.
    pub fn sd(&self) -> Option<f64> {
        self.variance.as_ref().map(|variance| variance.to_f64().sqrt())
    }
}

/// How often each `repeat` fires on the way, by its place in the list of them; empty for never.
pub(crate) type Crossed = Vec<u32>;

/// The steps from a state: where each leads, and what is repeated on the way.
pub(super) type Steps = BTreeMap<(Place, Crossed), BigUint>;

/// Steps without what is repeated on the way.
pub(super) fn plain(steps: &Steps) -> Row {
    let mut row = Row::new();
    for ((place, _), weight) in steps {
        *row.entry(*place).or_default() += weight;
    }
    row
}

/// A chain, looked at for one `repeat`.
pub(super) struct Chain<'s> {
    pub(super) steps: &'s [Steps],
    /// What is repeated before the first state.
    pub(super) first: u32,
    pub(super) repeat: usize,
    /// The end of what is not known to its end.
    pub(super) cut: Option<usize>,
}

impl Chain<'_> {
    fn turns(&self, crossed: &Crossed) -> u32 {
        crossed.get(self.repeat).copied().unwrap_or(0)
    }

    /// All of it, as far as the budget goes.
    ///
    /// Errors: what never ends. A budget that runs out leaves a rest.
    pub(super) fn solve(&self, event: Option<EventId>, budget: &mut Budget) -> Result<Turns, OddsFault> {
        let (distribution, rest) = self.walk(budget);
        let mut turns = Turns { event, distribution, rest, mean: None, variance: None };
        if turns.rest.is_zero() {
            let mean = |power: u32| {
                turns.distribution.iter().fold(Fraction::zero(), |sum, (count, chance)| {
                    sum.plus(&chance.times(&Fraction::new(BigUint::from(*count).pow(power), BigUint::from(1u32))))
                })
            };
            let (mean, squares) = (mean(1), mean(2));
            turns.variance = Some(squares.minus(&mean.times(&mean)));
            turns.mean = Some(mean);
        } else if self.cut.is_none() && self.steps.len() <= SOLVED {
            let (mean, variance) = self.moments()?;
            (turns.mean, turns.variance) = (Some(mean), Some(variance));
        }
        Ok(turns)
    }

    /// Layer by layer: everything that comes to pass between one turn and the next.
    fn walk(&self, budget: &mut Budget) -> (Vec<(u64, Fraction)>, Fraction) {
        let within: Vec<Row> = self.steps.iter().map(|steps| self.within(steps)).collect();
        let order = order(&within);
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, state)| rank[*state] = at);
        let steps = self.straight(&order, &rank);
        let mut layers: BTreeMap<u64, BTreeMap<usize, Mass>> = BTreeMap::new();
        let mut found: BTreeMap<u64, Mass> = BTreeMap::new();
        if let Some(start) = rank.first() {
            layers.entry(u64::from(self.first)).or_default().insert(*start, Mass::whole());
        }
        let mut left = 1.0;
        while let Some((at, mut layer)) = layers.pop_first() {
            if at as usize > TURNS || (left < NEGLIGIBLE && self.goes_round()) {
                break;
            }
            while let Some((place, mass)) = layer.pop_first() {
                let steps = &steps[order[place]];
                if budget.take(steps.len() as u128 * SUM, 0, String::new).is_err() {
                    return told(found);
                }
                let all: BigUint = steps.values().sum();
                for ((to, turns), weight) in steps {
                    let turns = u64::from(*turns);
                    let goal = match to {
                        Place::End(end) if Some(*end) == self.cut => continue,
                        Place::End(_) => found.entry(at + turns).or_insert_with(Mass::none),
                        Place::State(to) if turns == 0 => layer.entry(rank[*to]).or_insert_with(Mass::none),
                        Place::State(to) => {
                            let later = layers.entry(at + turns).or_default();
                            later.entry(rank[*to]).or_insert_with(Mass::none)
                        }
                    };
                    goal.add(&mass, weight, &all);
                }
            }
            left -= found.get(&at).map_or(0.0, |mass| mass.fraction().to_f64());
        }
        told(found)
    }

    /// The same steps, so that between two turns none leads back in this order: what goes round without a
    /// turn, as another `repeat` does, is put into the steps that lead there.
    fn straight(&self, order: &[usize], rank: &[usize]) -> Vec<BTreeMap<(Place, u32), BigUint>> {
        let counted = |steps: &Steps| {
            let mut counted: BTreeMap<(Place, u32), BigUint> = BTreeMap::new();
            for ((place, crossed), weight) in steps {
                *counted.entry((*place, self.turns(crossed))).or_default() += weight;
            }
            counted
        };
        let mut all: Vec<BTreeMap<(Place, u32), BigUint>> = self.steps.iter().map(counted).collect();
        let mut back: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); all.len()];
        for (from, steps) in all.iter().enumerate() {
            for (place, turns) in steps.keys() {
                if let (Place::State(to), 0) = (place, turns)
                    && rank[*to] < rank[from]
                {
                    back[*to].insert(from);
                }
            }
        }
        for state in order {
            let mut steps = std::mem::take(&mut all[*state]);
            steps.remove(&(Place::State(*state), 0));
            let sum: BigUint = steps.values().sum();
            for from in std::mem::take(&mut back[*state]) {
                let before = &mut all[from];
                let Some(times) = before.remove(&(Place::State(*state), 0)) else { continue };
                before.values_mut().for_each(|weight| *weight = &*weight * &sum);
                for ((place, turns), weight) in &steps {
                    *before.entry((*place, *turns)).or_default() += weight * &times;
                    if let (Place::State(to), 0) = (place, turns)
                        && rank[*to] < rank[from]
                    {
                        back[*to].insert(from);
                    }
                }
            }
            all[*state] = steps;
        }
        all
    }

    /// Whether a state can come back to itself: then there is no last turn.
    fn goes_round(&self) -> bool {
        let rows: Vec<Row> = self.steps.iter().map(plain).collect();
        let order = order(&rows);
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, state)| rank[*state] = at);
        let back = |(from, row): (usize, &Row)| {
            row.keys().any(|place| matches!(place, Place::State(to) if rank[*to] <= rank[from]))
        };
        rows.iter().enumerate().any(back)
    }

    /// The steps that no turn is taken on.
    fn within(&self, steps: &Steps) -> Row {
        let none = steps.iter().filter(|((_, crossed), _)| self.turns(crossed) == 0);
        none.map(|((place, _), weight)| (*place, weight.clone())).collect()
    }

    /// Mean and variance by the equations of the chain.
    fn moments(&self) -> Result<(Fraction, Fraction), OddsFault> {
        let rows: Vec<Row> = self.steps.iter().map(plain).collect();
        let share = |steps: &Steps, of: &dyn Fn(Place, &Crossed) -> Fraction| {
            let all: BigUint = steps.values().sum();
            steps.iter().filter(|((_, crossed), _)| self.turns(crossed) > 0).fold(
                Fraction::zero(),
                |sum, ((place, crossed), weight)| {
                    sum.plus(&of(*place, crossed).times(&Fraction::new(weight.clone(), all.clone())))
                },
            )
        };
        let turns = |crossed: &Crossed| Fraction::of(i64::from(self.turns(crossed)), 1);
        let once = self.steps.iter().map(|steps| share(steps, &|_, crossed| turns(crossed))).collect();
        let means = sums(rows.clone(), once)?;
        // The square of a sum: turns on this step, those after it, and twice their product.
        let square = |place: Place, crossed: &Crossed| {
            let here = turns(crossed);
            let after = match place {
                Place::State(to) => means.get(to).cloned().unwrap_or_else(Fraction::zero),
                Place::End(_) => Fraction::zero(),
            };
            here.times(&here.plus(&after).plus(&after))
        };
        let squares = sums(rows, self.steps.iter().map(|steps| share(steps, &square)).collect())?;
        let zero = Fraction::zero();
        let (mean, square) = (means.first().unwrap_or(&zero), squares.first().unwrap_or(&zero));
        Ok((mean.plus(&Fraction::of(i64::from(self.first), 1)), square.minus(&mean.times(mean))))
    }
}

/// What was found, and what is left of 1.
fn told(found: BTreeMap<u64, Mass>) -> (Vec<(u64, Fraction)>, Fraction) {
    let all: Vec<(u64, Fraction)> = found.into_iter().map(|(turns, mass)| (turns, mass.fraction())).collect();
    let known = all.iter().fold(Fraction::zero(), |sum, (_, chance)| sum.plus(chance));
    (all, Fraction::of(1, 1).minus(&known))
}
