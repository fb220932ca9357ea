//! The exact odds of tables and scenarios: the machine forked at each die, equal states put together.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;

use num_bigint::BigUint;

use super::cost::{Bounds, Budget};
use super::large::large;
use super::outcomes::{OutcomeChance, RuleOdds, counts};
use super::repeats::{Repeats, Turning};
use super::slice::sliced;
use super::solve::{Place, Row, ends};
use super::turns::{Chain, Crossed, Steps, Turns, plain};
use super::weight::Weight;
use super::{Distribution, Fraction, OddsFault, of_dice_within};
use crate::dice::Dice;
use crate::program::{Program, QuestionId, ScenarioId};
use crate::run::{Machine, Outcome, State, Step, Value};

/// The most states that are kept apart.
const STATES: u128 = 200_000;

/// What going on from one die to the next costs, in steps.
const FORK: u128 = 2_000;

/// A state reached with less than this chance, once many are known, is where an endless story is cut off.
const NEGLIGIBLE: f64 = 1e-15;

/// The chance of more turns than are told apart, where the outcome is their number.
const NEGLIGIBLE_TURNS: f64 = 1e-9;

/// How many states are followed however unlikely they are.
const FOLLOWED: usize = 2_000;

/// Looks on while states are followed, and may stop it.
pub trait Watch {
    /// So many states are done, and so many known so far. `Break`: what has not come to its end is cut off.
    fn states(&mut self, done: usize, known: usize) -> ControlFlow<()>;
}

/// Lets everything go on.
impl Watch for () {
    fn states(&mut self, _: usize, _: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The watch is asked after so many states.
const WATCHED: usize = 64;

/// The odds of a machine that has just begun. Choices take their defaults. States that can come
/// back to themselves are solved as an absorbing chain; nothing is cut off there.
///
/// Errors: a run that comes to a fault, one that never ends, and odds that would take too long.
pub fn of_machine(machine: &Machine<'_>, bounds: &Bounds, watch: &mut dyn Watch) -> Result<RuleOdds, OddsFault> {
    search(machine.clone(), bounds, true, Repeats::default(), watch)
}

/// The odds of a scenario, as those of a machine begun for it. What the scenario never reads is left out
/// before it is begun: neither tracks nor dice outside make further states, and a fault there is not
/// come upon. Nor do the turns of a `repeat`: how many it takes is solved beside.
///
/// Errors: as [`of_machine`].
pub fn of_scenario(
    program: &Program,
    options: &[u32],
    scenario: ScenarioId,
    args: &[Option<Value>],
    bounds: &Bounds,
    watch: &mut dyn Watch,
) -> Result<RuleOdds, OddsFault> {
    let mut needed = sliced(program, scenario);
    let repeats = Repeats::uncounted(&mut needed.program, scenario);
    let machine = Machine::scenario(&needed.program, options, scenario, args);
    let machine = machine.map_err(|fault| OddsFault::Run(Box::new(fault)))?;
    search(machine, bounds, needed.rows_matter, repeats, watch)
}

fn search(
    machine: Machine<'_>,
    bounds: &Bounds,
    rows_matter: bool,
    repeats: Repeats,
    watch: &mut dyn Watch,
) -> Result<RuleOdds, OddsFault> {
    let search = Search {
        machine,
        rows_matter,
        bounds,
        budget: Budget::new(bounds.cost),
        turning: repeats.watch(),
        repeats,
        dice: HashMap::new(),
        states: HashMap::new(),
        open: VecDeque::new(),
        steps: Vec::new(),
        ends: Vec::new(),
        cut: None,
        defaults: Vec::new(),
        stopped: false,
    };
    search.all(watch)
}

/// The distribution of dice met before.
type Known = HashMap<Arc<Dice>, Arc<Distribution>>;

struct Search<'m, 'b> {
    /// Goes on from one state after the other.
    machine: Machine<'m>,
    /// Whether it matters which row made a sheet.
    rows_matter: bool,
    bounds: &'b Bounds,
    budget: Budget,
    dice: Known,
    repeats: Repeats,
    /// Counts the turns on the way to the next state.
    turning: Turning,
    states: HashMap<Arc<State>, usize>,
    /// States whose steps are not known yet, with what is known of their chance.
    open: VecDeque<(Arc<State>, usize)>,
    steps: Vec<Steps>,
    ends: Vec<Option<Outcome>>,
    /// The end of what was cut off.
    cut: Option<usize>,
    defaults: Vec<QuestionId>,
    stopped: bool,
}

impl Search<'_, '_> {
    fn all(mut self, watch: &mut dyn Watch) -> Result<RuleOdds, OddsFault> {
        let mut likely: Vec<f64> = vec![1.0];
        let mut cut_dice: BTreeMap<usize, Fraction> = BTreeMap::new();
        let (first, before) = self.goes_on()?;
        while let Some((state, at)) = self.open.pop_front() {
            let chance = likely.get(at).copied().unwrap_or(0.0);
            if at % WATCHED == WATCHED - 1 && watch.states(at, self.steps.len()).is_break() {
                self.stopped = true;
            }
            if self.stopped || (at >= FOLLOWED && chance < NEGLIGIBLE) {
                let end = self.cut_end();
                self.steps[at] = Steps::from([((Place::End(end), Crossed::new()), BigUint::one())]);
                continue;
            }
            let (steps, cut) = self.steps(&state)?;
            if let Some(cut) = cut {
                cut_dice.insert(at, cut);
            }
            let all: BigUint = steps.values().sum();
            likely.resize(self.steps.len(), 0.0);
            for ((place, _), weight) in &steps {
                if let Place::State(to) = place
                    && let Some(place) = likely.get_mut(*to)
                {
                    *place += chance * Fraction::new(weight.clone(), all.clone()).to_f64();
                }
            }
            self.steps[at] = steps;
        }
        if let Place::End(_) = first {
            // No die at all: one step to the end, so that turns are counted all the same.
            self.steps.push(Steps::from([((first, Crossed::new()), BigUint::one())]));
        }
        self.result(&cut_dice, &before)
    }

    /// The steps from a state, and the chance that its dice reach a bound.
    fn steps(&mut self, state: &Arc<State>) -> Result<(Steps, Option<Fraction>), OddsFault> {
        self.machine.set_state((**state).clone());
        let mut row = Steps::new();
        let (answers, cut) = match self.machine.advance(&mut ()) {
            Step::Roll(dice) => {
                let known = self.distribution(&dice)?;
                let cut = (!known.is_exact()).then(|| known.cut());
                (known.weights(), cut)
            }
            Step::Pick { faces, .. } => ((1..=i64::from(faces)).map(|face| (face, BigUint::one())).collect(), None),
            Step::Fault(fault) => return Err(OddsFault::Run(Box::new(fault))),
            _ => (Vec::new(), None),
        };
        let states = &self.states;
        let program = self.machine.program();
        self.budget.take(answers.len() as u128 * FORK, 0, || large(states.keys(), program))?;
        for (value, weight) in answers {
            self.machine.set_state((**state).clone());
            self.answer(Value::Number(value))?;
            let step = self.goes_on()?;
            *row.entry(step).or_default() += weight;
        }
        Ok((row, cut))
    }

    fn answer(&mut self, value: Value) -> Result<(), OddsFault> {
        self.machine.answer(value).map_err(|fault| OddsFault::Run(Box::new(fault)))
    }

    /// On to the next die or to the end, by the defaults of all choices between; with the turns on the way.
    fn goes_on(&mut self) -> Result<(Place, Crossed), OddsFault> {
        self.turning.crossed.clear();
        let place = self.place()?;
        Ok((place, std::mem::take(&mut self.turning.crossed)))
    }

    fn place(&mut self) -> Result<Place, OddsFault> {
        loop {
            match self.machine.advance(&mut self.turning) {
                Step::Roll(_) | Step::Pick { .. } => return self.state(),
                Step::Ask(asked) => {
                    if !self.defaults.contains(&asked.question) {
                        self.defaults.push(asked.question);
                    }
                    self.answer(asked.default.clone())?;
                }
                Step::Finished(outcome) => {
                    let outcome = Some(outcome);
                    let known = self.ends.iter().position(|other| *other == outcome);
                    return Ok(Place::End(known.unwrap_or_else(|| {
                        self.ends.push(outcome);
                        self.ends.len() - 1
                    })));
                }
                Step::Idle => return Err(OddsFault::Endless),
                Step::Fault(fault) => return Err(OddsFault::Run(Box::new(fault))),
            }
        }
    }

    fn state(&mut self) -> Result<Place, OddsFault> {
        if !self.rows_matter {
            self.machine.forget_rows();
        }
        if let Some(known) = self.states.get(self.machine.state()) {
            return Ok(Place::State(*known));
        }
        let at = self.steps.len();
        if at as u128 >= STATES {
            let what = large(self.states.keys(), self.machine.program());
            return Err(OddsFault::TooLarge { what, cost: STATES + 1, limit: STATES });
        }
        let state = Arc::new(self.machine.state().clone());
        self.states.insert(state.clone(), at);
        self.open.push_back((state, at));
        self.steps.push(Steps::new());
        Ok(Place::State(at))
    }

    fn distribution(&mut self, dice: &Arc<Dice>) -> Result<Arc<Distribution>, OddsFault> {
        if let Some(known) = self.dice.get(dice) {
            return Ok(known.clone());
        }
        let found = Arc::new(of_dice_within(dice, self.bounds)?);
        self.dice.insert(dice.clone(), found.clone());
        Ok(found)
    }

    fn cut_end(&mut self) -> usize {
        match self.cut {
            Some(end) => end,
            None => {
                self.ends.push(None);
                self.cut = Some(self.ends.len() - 1);
                self.ends.len() - 1
            }
        }
    }

    fn result(mut self, cut_dice: &BTreeMap<usize, Fraction>, before: &Crossed) -> Result<RuleOdds, OddsFault> {
        let rows: Vec<Row> = self.steps.iter().map(plain).collect();
        let chances = ends(rows.clone(), self.ends.len())?;
        let mut cut = self.cut.and_then(|end| chances.get(end).cloned()).unwrap_or_else(Fraction::zero);
        if !cut_dice.is_empty() {
            cut = self.cut_anywhere(rows, cut_dice, &chances)?;
        }
        let turns = self.turns(before)?;
        let found = std::mem::take(&mut self.ends).into_iter().zip(chances);
        let mut outcomes: Vec<OutcomeChance> =
            found.map(|(outcome, chance)| OutcomeChance { outcome, chance }).collect();
        if let Some(counted) = self.repeats.outcome.and_then(|repeat| turns.get(repeat)) {
            outcomes = counts(&outcomes, counted);
            cut = cut.plus(&counted.rest);
        }
        outcomes.retain(|found| !found.chance.is_zero());
        outcomes.sort_by_key(OutcomeChance::order);
        let states = self.states.len();
        let counted = self.repeats.outcome;
        Ok(RuleOdds { outcomes, cut, defaults: self.defaults, turns, counted, stopped: self.stopped, states })
    }

    /// How often each `repeat` fires.
    fn turns(&self, before: &Crossed) -> Result<Vec<Turns>, OddsFault> {
        let mut turns = Vec::with_capacity(self.repeats.all.len());
        for (repeat, known) in self.repeats.all.iter().enumerate() {
            let first = before.get(repeat).copied().unwrap_or(0);
            let chain = Chain { steps: &self.steps, first, repeat, cut: self.cut };
            let found = chain.solve(known.event, &mut Budget::new(self.bounds.cost / 4))?;
            if self.repeats.outcome == Some(repeat) && self.cut.is_none() && found.rest.to_f64() > NEGLIGIBLE_TURNS {
                let what = format!("{} states, over and over", self.steps.len());
                let limit = self.bounds.cost / 4;
                return Err(OddsFault::TooLarge { what, cost: limit + 1, limit });
            }
            turns.push(found);
        }
        Ok(turns)
    }

    /// The chance that any of the dice on the way reached its bound: a second walk that ends there.
    fn cut_anywhere(
        &self,
        mut rows: Vec<Row>,
        cut_dice: &BTreeMap<usize, Fraction>,
        chances: &[Fraction],
    ) -> Result<Fraction, OddsFault> {
        let reached = chances.len();
        for (at, cut) in cut_dice {
            let Some(row) = rows.get_mut(*at) else { continue };
            let clear = cut.denominator() - cut.numerator();
            let all: BigUint = row.values().sum();
            row.values_mut().for_each(|weight| *weight = &*weight * &clear);
            *row.entry(Place::End(reached)).or_default() += all * cut.numerator();
        }
        let chances = ends(rows, reached + 1)?;
        let parts = [chances.get(reached), self.cut.and_then(|end| chances.get(end))];
        Ok(parts.into_iter().flatten().fold(Fraction::zero(), |sum, part| sum.plus(part)))
    }
}

#[cfg(test)]
mod tests;
