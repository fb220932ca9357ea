//! The exact odds of tables and scenarios: the machine forked at each die, equal states put together.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use num_bigint::BigUint;

use super::cost::{Bounds, Budget};
use super::slice::sliced;
use super::solve::{Place, Row, ends};
use super::weight::{Weight, least_multiple};
use super::{Distribution, Fraction, OddsFault, of_dice_within};
use crate::dice::Dice;
use crate::program::{Clauses, Program, QuestionId, ScenarioId, TableId};
use crate::run::{Instance, Machine, Outcome, State, Step, Value};

/// The most states that are kept apart.
const STATES: u128 = 200_000;

/// What going on from one die to the next costs, in steps.
const FORK: u128 = 2_000;

/// A state reached with less than this chance, once many are known, is where an endless story is cut off.
const NEGLIGIBLE: f64 = 1e-15;

/// How many states are followed however unlikely they are.
const FOLLOWED: usize = 2_000;

/// What a table or scenario comes to, each outcome with its exact chance.
#[derive(Debug, Clone)]
pub struct RuleOdds {
    /// The outcomes, rows and numbers in their order.
    pub outcomes: Vec<OutcomeChance>,
    /// The chance that a bound was reached: of explosions or rerolls, or of states followed.
    pub cut: Fraction,
    /// The choices nobody answered: each took its default.
    pub defaults: Vec<QuestionId>,
    /// How many states were kept apart.
    pub states: usize,
}

/// One outcome.
#[derive(Debug, Clone)]
pub struct OutcomeChance {
    /// What it is; `None` for what was cut off before it came to an end.
    pub outcome: Option<Outcome>,
    /// Its chance.
    pub chance: Fraction,
}

impl RuleOdds {
    /// Whether no bound cut anything off.
    pub fn is_exact(&self) -> bool {
        self.cut == Fraction::of(0, 1)
    }

    /// The chances of outcomes that are numbers, where all are.
    pub fn numbers(&self) -> Option<Distribution> {
        let number = |found: &OutcomeChance| match &found.outcome {
            Some(Outcome::Values(values)) => match &**values {
                [(crate::program::Type::Number { .. }, Value::Number(number))] => Some(*number),
                _ => None,
            },
            _ => None,
        };
        let mut parts = Vec::with_capacity(self.outcomes.len());
        let all =
            self.outcomes.iter().fold(BigUint::one(), |all, found| least_multiple(&all, found.chance.denominator()));
        for found in &self.outcomes {
            let weight = found.chance.numerator() * (&all / found.chance.denominator());
            parts.push((weight, Distribution::certain(number(found)?)));
        }
        Some(Distribution::mixture(&parts))
    }
}

/// The odds of a machine that has just begun. Choices take their defaults. States that can come
/// back to themselves are solved as an absorbing chain; nothing is cut off there.
///
/// Errors: a run that comes to a fault, one that never ends, and odds that would take too long.
pub fn of_machine(machine: &Machine<'_>, bounds: &Bounds) -> Result<RuleOdds, OddsFault> {
    search(machine.clone(), bounds, true)
}

/// The odds of a scenario, as those of a machine begun for it. What the scenario never reads is left out
/// before it is begun: neither tracks nor dice outside make further states, and a fault there is not
/// come upon.
///
/// Errors: as [`of_machine`].
pub fn of_scenario(
    program: &Program,
    options: &[u32],
    scenario: ScenarioId,
    args: &[Option<Value>],
    bounds: &Bounds,
) -> Result<RuleOdds, OddsFault> {
    let needed = sliced(program, scenario);
    let machine = Machine::scenario(&needed.program, options, scenario, args);
    search(machine.map_err(|fault| OddsFault::Run(Box::new(fault)))?, bounds, needed.rows_matter)
}

fn search(machine: Machine<'_>, bounds: &Bounds, rows_matter: bool) -> Result<RuleOdds, OddsFault> {
    let search = Search {
        machine: machine.clone(),
        rows_matter,
        bounds,
        budget: Budget::new(bounds.cost),
        dice: HashMap::new(),
        states: HashMap::new(),
        open: VecDeque::new(),
        rows: Vec::new(),
        ends: Vec::new(),
        cut: None,
        defaults: Vec::new(),
    };
    search.all(machine)
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
    states: HashMap<Arc<State>, usize>,
    /// States whose steps are not known yet, with what is known of their chance.
    open: VecDeque<(Arc<State>, usize)>,
    rows: Vec<Row>,
    ends: Vec<Option<Outcome>>,
    /// The end of what was cut off.
    cut: Option<usize>,
    defaults: Vec<QuestionId>,
}

impl<'m> Search<'m, '_> {
    fn all(mut self, machine: Machine<'m>) -> Result<RuleOdds, OddsFault> {
        self.machine = machine;
        let mut likely: Vec<f64> = vec![1.0];
        let mut cut_dice: BTreeMap<usize, Fraction> = BTreeMap::new();
        let first = match self.goes_on()? {
            Place::End(end) => {
                let outcome = self.ends.get(end).cloned().flatten();
                let outcomes = vec![OutcomeChance { outcome, chance: Fraction::of(1, 1) }];
                return Ok(RuleOdds { outcomes, cut: Fraction::of(0, 1), defaults: self.defaults, states: 0 });
            }
            Place::State(state) => state,
        };
        debug_assert_eq!(first, 0);
        while let Some((state, at)) = self.open.pop_front() {
            let chance = likely.get(at).copied().unwrap_or(0.0);
            if at >= FOLLOWED && chance < NEGLIGIBLE {
                let end = self.cut_end();
                self.rows[at] = Row::from([(Place::End(end), BigUint::one())]);
                continue;
            }
            let (row, cut) = self.steps(&state)?;
            if let Some(cut) = cut {
                cut_dice.insert(at, cut);
            }
            let all: BigUint = row.values().sum();
            likely.resize(self.rows.len(), 0.0);
            for (place, weight) in &row {
                if let Place::State(to) = place
                    && let Some(place) = likely.get_mut(*to)
                {
                    *place += chance * Fraction::new(weight.clone(), all.clone()).to_f64();
                }
            }
            self.rows[at] = row;
        }
        self.result(&cut_dice)
    }

    /// The steps from a state, and the chance that its dice reach a bound.
    fn steps(&mut self, state: &Arc<State>) -> Result<(Row, Option<Fraction>), OddsFault> {
        self.machine.set_state((**state).clone());
        let mut row = Row::new();
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
        self.budget.take(answers.len() as u128 * FORK, 0, || format!("{} states", self.states.len()))?;
        for (value, weight) in answers {
            self.machine.set_state((**state).clone());
            self.answer(Value::Number(value))?;
            let place = self.goes_on()?;
            *row.entry(place).or_default() += weight;
        }
        Ok((row, cut))
    }

    fn answer(&mut self, value: Value) -> Result<(), OddsFault> {
        self.machine.answer(value).map_err(|fault| OddsFault::Run(Box::new(fault)))
    }

    /// On to the next die or to the end, by the defaults of all choices between.
    fn goes_on(&mut self) -> Result<Place, OddsFault> {
        loop {
            match self.machine.advance(&mut ()) {
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
        self.forget();
        if let Some(known) = self.states.get(self.machine.state()) {
            return Ok(Place::State(*known));
        }
        let at = self.rows.len();
        if at as u128 >= STATES {
            let what = "more states the rules can come to than are kept apart".to_owned();
            return Err(OddsFault::TooLarge { what, cost: STATES + 1, limit: STATES });
        }
        let state = Arc::new(self.machine.state().clone());
        self.states.insert(state.clone(), at);
        self.open.push_back((state, at));
        self.rows.push(Row::new());
        Ok(Place::State(at))
    }

    /// Forgets which row made a sheet where nothing asks for it and none of its blocks is left.
    fn forget(&mut self) {
        let program = self.machine.program();
        let idle = |sheet: &Instance| {
            let row = |(table, row): (TableId, u32)| program.tables.get(table.index())?.rows.get(row as usize);
            !sheet.unfinished && sheet.row.and_then(row).is_some_and(|row| is_empty(&row.clauses))
        };
        if self.rows_matter || !self.machine.state().sheets.iter().any(|sheet| idle(sheet)) {
            return;
        }
        let mut state = self.machine.state().clone();
        for sheet in state.sheets.iter_mut().filter(|sheet| idle(sheet)) {
            Arc::make_mut(sheet).row = None;
        }
        self.machine.set_state(state);
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

    fn result(self, cut_dice: &BTreeMap<usize, Fraction>) -> Result<RuleOdds, OddsFault> {
        let states = self.rows.len();
        let count = self.ends.len();
        let chances = ends(self.rows.clone(), count)?;
        let mut cut = self.cut.and_then(|end| chances.get(end).cloned()).unwrap_or_else(|| Fraction::of(0, 1));
        if !cut_dice.is_empty() {
            cut = self.cut_anywhere(cut_dice, &chances)?;
        }
        let found = self.ends.into_iter().zip(chances);
        let mut outcomes: Vec<OutcomeChance> =
            found.map(|(outcome, chance)| OutcomeChance { outcome, chance }).collect();
        outcomes.retain(|found| found.chance > Fraction::of(0, 1));
        outcomes.sort_by_key(|found| order(found.outcome.as_ref()));
        Ok(RuleOdds { outcomes, cut, defaults: self.defaults, states })
    }

    /// The chance that any of the dice on the way reached its bound: a second walk that ends there.
    fn cut_anywhere(&self, cut_dice: &BTreeMap<usize, Fraction>, chances: &[Fraction]) -> Result<Fraction, OddsFault> {
        let mut rows = self.rows.clone();
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
        let zero = Fraction::of(0, 1);
        Ok(parts.into_iter().flatten().fold(zero, |sum, part| {
            let denominator = sum.denominator() * part.denominator();
            Fraction::new(sum.numerator() * part.denominator() + part.numerator() * sum.denominator(), denominator)
        }))
    }
}

fn is_empty(clauses: &Clauses) -> bool {
    clauses.handlers.is_empty()
        && clauses.adds.is_empty()
        && clauses.has.is_empty()
        && clauses.cannot.is_empty()
        && clauses.phases.is_empty()
}

/// Rows, states and numbers in their order, what was cut off last.
fn order(outcome: Option<&Outcome>) -> (bool, Vec<i64>) {
    let key = match outcome {
        None => return (true, Vec::new()),
        Some(Outcome::Row(_, row)) => vec![i64::from(*row)],
        Some(Outcome::Case(_, case)) => vec![i64::from(*case)],
        Some(Outcome::State(_, state)) => vec![*state],
        Some(Outcome::Values(values)) => values.iter().map(|(_, value)| value.number().unwrap_or(i64::MAX)).collect(),
    };
    (false, key)
}

#[cfg(test)]
mod tests;
