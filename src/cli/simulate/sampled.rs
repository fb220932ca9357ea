//! What was counted, as it is told and as a part writes it down.

use std::collections::BTreeMap;

use cicatriz::odds::{Fraction, OutcomeChance};
use cicatriz::program::{EventId, Program};
use cicatriz::run::Outcome;
use cicatriz::simulate::{Came, Tally};
use serde::{Deserialize, Serialize};

use super::super::odds::line;

/// A simulation, or what is done of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampled {
    pub target: String,
    pub arguments: BTreeMap<String, serde_json::Value>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    pub seed: u64,
    /// How many runs were asked for, over all parts.
    pub asked: u64,
    /// How many runs are counted here.
    pub runs: u64,
    /// In their order.
    pub outcomes: Vec<Counted>,
    /// One for each `repeat`, in the order written.
    pub turns: Vec<Turns>,
    /// Choices that took their default.
    pub defaults: Vec<String>,
}

/// One outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    pub outcome: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its place among the others.
    pub order: Vec<i64>,
    /// Where it is a number: the same as in `outcome`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
    pub runs: u64,
}

/// How many turns a `repeat` took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turns {
    /// The event it sends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// Numbers of turns, ascending, each with its runs.
    pub counts: Vec<(u64, u64)>,
}

impl Sampled {
    /// Takes over what was counted. `program`: of rules, not of dice.
    pub fn count(&mut self, program: Option<&Program>, tally: Tally, repeats: &[Option<EventId>]) {
        self.runs = tally.runs;
        let counted = tally.outcomes.into_iter().map(|(came, runs)| counted(program, came, runs));
        self.outcomes = together(counted.collect());
        let id = |event: &Option<EventId>| {
            event.and_then(|event| program?.events.get(event.index())).map(|event| event.id.to_string())
        };
        let turns = repeats.iter().zip(tally.turns);
        self.turns =
            turns.map(|(event, counts)| Turns { event: id(event), counts: counts.into_iter().collect() }).collect();
        let question = |id: cicatriz::program::QuestionId| program?.questions.get(id.index());
        self.defaults = tally.defaults.into_iter().filter_map(question).map(|known| known.id.to_string()).collect();
        self.defaults.sort_unstable();
        self.defaults.dedup();
    }

    /// Counts the runs of another part, too.
    pub fn add(&mut self, other: Sampled) {
        self.runs += other.runs;
        self.outcomes.extend(other.outcomes);
        self.outcomes = together(std::mem::take(&mut self.outcomes));
        for (all, turns) in self.turns.iter_mut().zip(other.turns) {
            let mut sums: BTreeMap<u64, u64> = all.counts.iter().copied().collect();
            turns.counts.into_iter().for_each(|(turns, runs)| *sums.entry(turns).or_default() += runs);
            all.counts = sums.into_iter().collect();
        }
        self.defaults.extend(other.defaults);
        self.defaults.sort_unstable();
        self.defaults.dedup();
    }

    /// Whether it was stopped before its end.
    pub fn is_cut_short(&self) -> bool {
        self.runs < self.asked
    }
}

fn counted(program: Option<&Program>, came: Came, runs: u64) -> Counted {
    match (came, program) {
        (Came::To(outcome), Some(program)) => {
            let (order, number) = order(&outcome);
            let found = line(program, &OutcomeChance { outcome: Some(outcome), chance: Fraction::of(0, 1) });
            Counted { outcome: found.outcome, range: found.range, title: found.title, order, number, runs }
        }
        (Came::To(outcome), None) => {
            let (order, number) = order(&outcome);
            Counted { outcome: format!("{outcome:?}"), range: None, title: None, order, number, runs }
        }
        (Came::Total(total), _) => {
            let (outcome, order) = (total.to_string(), vec![total]);
            Counted { outcome, range: None, title: None, order, number: Some(total), runs }
        }
    }
}

/// Rows, states and numbers in their order.
fn order(outcome: &Outcome) -> (Vec<i64>, Option<i64>) {
    match outcome {
        Outcome::Row(_, row) => (vec![i64::from(*row)], None),
        Outcome::Case(_, case) => (vec![i64::from(*case)], None),
        Outcome::State(_, state) => (vec![*state], None),
        Outcome::Values(values) => {
            let numbers = values.iter().map(|(_, value)| value.number().unwrap_or(i64::MAX)).collect();
            let number = match &**values {
                [(cicatriz::program::Type::Number { .. }, value)] => value.number(),
                _ => None,
            };
            (numbers, number)
        }
    }
}

/// In their order, each once.
fn together(mut outcomes: Vec<Counted>) -> Vec<Counted> {
    outcomes.sort_by(|a, b| (&a.order, &a.outcome).cmp(&(&b.order, &b.outcome)));
    outcomes.dedup_by(|next, first| {
        let same = next.order == first.order && next.outcome == first.outcome;
        first.runs += if same { next.runs } else { 0 };
        same
    });
    outcomes
}
