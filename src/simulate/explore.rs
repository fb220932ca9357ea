//! Finds all states that a table or scenario can stop at, before the first run: always in the same
//! order, so that whoever simulates the same rules walks the same chain.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;

use num_bigint::BigUint;

use super::alias::columns;
use super::chain::{Chain, Crossing, Goal};
use super::watched::Watched;
use crate::dice::Dice;
use crate::odds::{Bounds, Repeats, of_dice_within};
use crate::program::QuestionId;
use crate::run::{Machine, Outcome, State, Step, Value};

/// The most states of a chain.
const STATES: usize = 100_000;

/// The most steps from state to state.
const STEPS: usize = 2_000_000;

/// Operations of the machine that looking for the chain may take: at least, for each run, at most.
const LEAST: u64 = 1_000_000;
const A_RUN: u64 = 200;
const MOST: u64 = 40_000_000;

/// What trying one answer costs beside the operations that follow it.
const ANSWER: u64 = 100;

/// Work on the distribution of one roll, in steps of about a nanosecond.
const ROLL: u128 = 20_000_000;

/// What the bounds of explosions and rerolls may cut off, in runs that would have met it.
const CUT: f64 = 1e-3;

/// The chain of a machine that has just begun. None where a run can come to a fault, need never end,
/// or where there is more to it than `runs` runs are worth.
pub(super) fn explore(machine: Machine<'_>, rows_matter: bool, repeats: Repeats, runs: u64) -> Option<Chain> {
    let explorer = Explorer {
        machine,
        watched: Watched::new(&repeats),
        rows_matter,
        runs,
        left: runs.saturating_mul(A_RUN).clamp(LEAST, MOST),
        dice: HashMap::new(),
        states: HashMap::new(),
        open: VecDeque::new(),
        crossings: HashMap::new(),
        ends: HashMap::new(),
        defaults: BTreeSet::new(),
    };
    explorer.all(repeats)
}

/// What a die can show, each with its weight.
type Weights = Arc<[(i64, BigUint)]>;

struct Explorer<'m> {
    machine: Machine<'m>,
    watched: Watched,
    /// Whether it matters which row made a sheet.
    rows_matter: bool,
    runs: u64,
    /// Operations left.
    left: u64,
    dice: HashMap<Arc<Dice>, Weights>,
    states: HashMap<Arc<State>, u32>,
    /// States whose steps are not known yet, the first found first.
    open: VecDeque<Arc<State>>,
    /// Turns on the way from die to die met so far, and ends: each with its place.
    crossings: HashMap<Crossing, u32>,
    ends: HashMap<Outcome, u32>,
    defaults: BTreeSet<QuestionId>,
}

impl Explorer<'_> {
    fn all(mut self, repeats: Repeats) -> Option<Chain> {
        let first = self.goes_on()?;
        let (mut begins, mut all) = (vec![0], Vec::new());
        let mut leads: Vec<Vec<u32>> = Vec::new();
        while let Some(state) = self.open.pop_front() {
            let steps: Vec<(Goal, BigUint)> = self.steps(&state)?.into_iter().collect();
            leads.push(steps.iter().map(|(goal, _)| goal.to_state().unwrap_or(u32::MAX)).collect());
            all.extend(columns(&steps));
            begins.push(u32::try_from(all.len()).ok()?);
            if all.len() > STEPS {
                return None;
            }
        }
        let (crossings, ends) = (placed(self.crossings), placed(self.ends));
        let defaults = self.defaults.into_iter().collect();
        all_end(&leads).then_some(Chain { first, begins, columns: all, crossings, ends, repeats, defaults })
    }

    fn steps(&mut self, state: &Arc<State>) -> Option<BTreeMap<Goal, BigUint>> {
        self.machine.set_state((**state).clone());
        let answers = match self.machine.advance(&mut ()) {
            Step::Roll(dice) => self.weights(&dice)?,
            Step::Pick { faces, .. } => (1..=i64::from(faces)).map(|face| (face, BigUint::from(1u32))).collect(),
            _ => return None,
        };
        let mut steps = BTreeMap::new();
        for (value, weight) in answers.iter() {
            self.machine.set_state((**state).clone());
            self.machine.answer(Value::Number(*value)).ok()?;
            *steps.entry(self.goes_on()?).or_default() += weight;
        }
        Some(steps)
    }

    /// On to the next die or to the end, by the defaults of all choices between.
    fn goes_on(&mut self) -> Option<Goal> {
        self.watched.begin();
        let end = loop {
            match self.machine.advance(&mut self.watched) {
                Step::Roll(_) | Step::Pick { .. } => break None,
                Step::Ask(asked) => {
                    self.defaults.insert(asked.question);
                    self.machine.answer(asked.default.clone()).ok()?;
                }
                Step::Finished(outcome) => break Some(outcome),
                Step::Idle | Step::Fault(_) => return None,
            }
        };
        self.left = self.left.checked_sub(ANSWER + self.watched.operations)?;
        let turns = (0u16..).zip(self.watched.turns()).filter(|(_, turns)| **turns > 0);
        let crossing = place(&mut self.crossings, turns.map(|(repeat, turns)| (repeat, *turns)).collect());
        Some(match end {
            Some(outcome) => Goal::end(place(&mut self.ends, outcome), crossing),
            None => Goal::state(self.state()?, crossing),
        })
    }

    fn state(&mut self) -> Option<u32> {
        if !self.rows_matter {
            self.machine.forget_rows();
        }
        if let Some(known) = self.states.get(self.machine.state()) {
            return Some(*known);
        }
        let at = self.states.len();
        if at >= STATES {
            return None;
        }
        let state = Arc::new(self.machine.state().clone());
        self.states.insert(state.clone(), at as u32);
        self.open.push_back(state);
        Some(at as u32)
    }

    /// None where these dice can be faulty, take too long, or where a bound cuts off what may be met.
    fn weights(&mut self, dice: &Arc<Dice>) -> Option<Weights> {
        if let Some(known) = self.dice.get(dice) {
            return Some(known.clone());
        }
        let found = of_dice_within(dice, &Bounds { cost: ROLL, ..Bounds::default() }).ok()?;
        if found.cut().to_f64() * self.runs as f64 > CUT {
            return None;
        }
        let found: Weights = found.weights().into();
        self.dice.insert(dice.clone(), found.clone());
        Some(found)
    }
}

/// The place of something among those met so far.
fn place<T: Eq + Hash>(known: &mut HashMap<T, u32>, thing: T) -> u32 {
    let next = known.len() as u32;
    *known.entry(thing).or_insert(next)
}

/// All things in the order of their places.
fn placed<T>(known: HashMap<T, u32>) -> Vec<T> {
    let mut all: Vec<(T, u32)> = known.into_iter().collect();
    all.sort_unstable_by_key(|(_, place)| *place);
    all.into_iter().map(|(thing, _)| thing).collect()
}

/// Whether an end can be reached from every state. Ends stand as `u32::MAX`.
fn all_end(leads: &[Vec<u32>]) -> bool {
    let mut from: Vec<Vec<u32>> = vec![Vec::new(); leads.len()];
    let mut reach = vec![false; leads.len()];
    let mut open = Vec::new();
    for (at, goals) in leads.iter().enumerate() {
        for goal in goals {
            match from.get_mut(*goal as usize) {
                Some(from) => from.push(at as u32),
                None if !reach[at] => {
                    reach[at] = true;
                    open.push(at);
                }
                None => {}
            }
        }
    }
    while let Some(at) = open.pop() {
        for before in &from[at] {
            if !std::mem::replace(&mut reach[*before as usize], true) {
                open.push(*before as usize);
            }
        }
    }
    reach.into_iter().all(|reach| reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_is_never_left_is_found() {
        assert!(all_end(&[vec![1, u32::MAX], vec![0]]));
        assert!(!all_end(&[vec![1, u32::MAX], vec![1]]));
        assert!(all_end(&[]));
    }
}
