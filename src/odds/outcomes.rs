//! What a table or scenario comes to, each outcome with its chance.

use num_bigint::BigUint;

use super::weight::{Weight, least_multiple};
use super::{Distribution, Fraction, Turns};
use crate::program::{QuestionId, Type};
use crate::run::{Outcome, Value};

/// What a table or scenario comes to, each outcome with its exact chance.
#[derive(Debug, Clone)]
pub struct RuleOdds {
    /// The outcomes, rows and numbers in their order.
    pub outcomes: Vec<OutcomeChance>,
    /// The chance that a bound was reached: of explosions or rerolls, or of states followed.
    pub cut: Fraction,
    /// The choices nobody answered: each took its default.
    pub defaults: Vec<QuestionId>,
    /// How often each `repeat` of the scenario fires, in the order written.
    pub turns: Vec<Turns>,
    /// Which of them is the outcome, where it is `repeats`.
    pub counted: Option<usize>,
    /// Whether the search was stopped before its end: then what is missing is cut off.
    pub stopped: bool,
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
        self.cut.is_zero()
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

impl OutcomeChance {
    /// Where it stands among others: rows, states and numbers in their order, what was cut off last.
    pub fn order(&self) -> (bool, Vec<i64>) {
        order(self.outcome.as_ref())
    }
}

/// The outcome is how often something was repeated: each number with its chance.
pub(super) fn counts(outcomes: &[OutcomeChance], turns: &Turns) -> Vec<OutcomeChance> {
    let ty = outcomes.iter().find_map(|found| match &found.outcome {
        Some(Outcome::Values(values)) => values.first().map(|(ty, _)| *ty),
        _ => None,
    });
    let ty = ty.unwrap_or(Type::Number { low: 0, high: i64::MAX });
    let value = |count: u64| Value::Number(i64::try_from(count).unwrap_or(i64::MAX));
    let counted = turns.distribution.iter().map(|(count, chance)| OutcomeChance {
        outcome: Some(Outcome::Values(Box::new([(ty, value(*count))]))),
        chance: chance.clone(),
    });
    counted.chain([OutcomeChance { outcome: None, chance: turns.rest.clone() }]).collect()
}

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
