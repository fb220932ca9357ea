//! What was counted, as it is told and as a part writes it down.

use std::collections::BTreeMap;

use cicatriz::odds::{Distribution, Fraction, OutcomeChance};
use cicatriz::program::{EventId, Program, Type};
use cicatriz::run::Outcome;
use cicatriz::simulate::{Came, Tally};
use serde::{Deserialize, Serialize};

use super::super::chances::{Found, Line, Repeated, Sample};
use super::super::odds::line;

/// A simulation, or what is done of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampled {
    pub target: String,
    /// What a person calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
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

    /// The same to be told.
    pub fn found(&self) -> Found {
        let share = |runs: u64| Fraction::of(whole(runs), self.runs);
        let line = |counted: &Counted| Line {
            outcome: counted.outcome.clone(),
            range: counted.range.clone(),
            title: counted.title.clone(),
            chance: share(counted.runs),
            order: (false, counted.order.clone()),
        };
        let numbers: Option<Vec<(i64, u64)>> =
            self.outcomes.iter().map(|counted| Some((counted.number?, counted.runs))).collect();
        let repeated = |turns: &Turns| {
            let counts: Vec<(i64, u64)> = turns.counts.iter().map(|(turns, runs)| (whole(*turns), *runs)).collect();
            let spread = Distribution::weighted(&counts);
            Repeated {
                event: turns.event.clone().unwrap_or_default(),
                mean: Some((spread.mean(), spread.sd())),
                distribution: turns.counts.iter().map(|(turns, runs)| (*turns, share(*runs))).collect(),
                rest: Fraction::zero(),
                is_outcome: numbers.as_ref() == Some(&counts),
            }
        };
        let turns = self.turns.iter().map(repeated).collect();
        let numbers = numbers.map(|numbers| Distribution::weighted(&numbers));
        Found {
            target: self.target.clone(),
            title: self.title.clone(),
            arguments: self.arguments.clone(),
            lines: self.outcomes.iter().map(line).collect(),
            mean: numbers.as_ref().map(|numbers| (numbers.mean(), numbers.sd())),
            numbers,
            cut: Fraction::zero(),
            stopped: self.runs < self.asked,
            defaults: self.defaults.clone(),
            turns,
            sample: Some(Sample { runs: self.runs, asked: self.asked, seed: self.seed }),
        }
    }
}

fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn counted(program: Option<&Program>, came: Came, runs: u64) -> Counted {
    let number = match &came {
        Came::Total(total) => Some(*total),
        Came::To(Outcome::Values(values)) => match &**values {
            [(Type::Number { .. }, value)] => value.number(),
            _ => None,
        },
        Came::To(_) => None,
    };
    match (came, program) {
        (Came::To(outcome), Some(program)) => {
            let Line { outcome, range, title, order, .. } =
                line(program, &OutcomeChance { outcome: Some(outcome), chance: Fraction::zero() });
            Counted { outcome, range, title, order: order.1, number, runs }
        }
        (Came::To(outcome), None) => {
            Counted { outcome: format!("{outcome:?}"), range: None, title: None, order: Vec::new(), number, runs }
        }
        (Came::Total(total), _) => {
            Counted { outcome: total.to_string(), range: None, title: None, order: vec![total], number, runs }
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
