//! A distribution as scripts read it.

use std::collections::BTreeMap;

use cicatriz::odds::Fraction;

use super::{Columns, Found, Line, Repeated, Sample, text};

/// One distribution.
#[derive(serde::Serialize)]
pub struct Document<'f> {
    target: &'f str,
    arguments: &'f BTreeMap<String, serde_json::Value>,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<u64>,
    /// Where fewer runs were done than were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<f64>,
    outcomes: Vec<Outcome<'f>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_fraction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sd: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    percentiles: Option<BTreeMap<&'static str, i64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    turns: Vec<Turns<'f>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    defaults: &'f [String],
}

/// One outcome.
#[derive(serde::Serialize)]
pub struct Outcome<'f> {
    pub outcome: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: &'f Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: &'f Option<String>,
    pub chance: String,
    pub probability: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
}

/// How often something is repeated.
#[derive(serde::Serialize)]
struct Turns<'f> {
    event: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_fraction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sd: Option<f64>,
    distribution: Vec<Count>,
    /// The chance of more turns.
    rest: Chance,
}

#[derive(serde::Serialize)]
struct Count {
    turns: u64,
    chance: String,
    probability: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
}

/// A chance, exactly and as a number.
#[derive(serde::Serialize)]
pub struct Chance {
    pub chance: String,
    pub probability: f64,
}

impl From<&Fraction> for Chance {
    fn from(fraction: &Fraction) -> Chance {
        Chance { chance: fraction.to_string(), probability: fraction.to_f64() }
    }
}

/// Which percentiles are told.
const PERCENTILES: [(&str, i64); 7] =
    [("1", 1), ("10", 10), ("25", 25), ("50", 50), ("75", 75), ("90", 90), ("99", 99)];

pub fn outcome(line: &Line) -> Outcome<'_> {
    Outcome {
        outcome: &line.outcome,
        range: &line.range,
        title: &line.title,
        chance: line.chance.to_string(),
        probability: line.chance.to_f64(),
        error: None,
        at_least: None,
        at_most: None,
    }
}

pub fn document<'f>(found: &'f Found, columns: &Columns) -> Document<'f> {
    let reason = found.reason();
    let mut outcomes: Vec<Outcome> = found.lines.iter().map(outcome).collect();
    let probabilities: Vec<f64> = outcomes.iter().map(|outcome| outcome.probability).collect();
    if columns.at_least {
        let sums = text::running(&probabilities, true);
        outcomes.iter_mut().zip(sums).for_each(|(outcome, sum)| outcome.at_least = Some(sum));
    }
    if columns.at_most {
        let sums = text::running(&probabilities, false);
        outcomes.iter_mut().zip(sums).for_each(|(outcome, sum)| outcome.at_most = Some(sum));
    }
    if let Some(sample) = found.sample {
        outcomes.iter_mut().for_each(|outcome| outcome.error = Some(sample.error(outcome.probability)));
    }
    let exactly = |mean: &Fraction| found.sample.is_none().then(|| mean.to_string());
    let percentile = |numbers: &cicatriz::odds::Distribution| {
        PERCENTILES.iter().map(|(name, share)| (*name, numbers.percentile(&Fraction::of(*share, 100)))).collect()
    };
    Document {
        target: &found.target,
        arguments: &found.arguments,
        exact: reason.is_none() && found.sample.is_none(),
        runs: found.sample.map(|sample| sample.runs),
        asked: found.sample.map(|sample| sample.asked).filter(|_| found.stopped),
        seed: found.sample.map(|sample| sample.seed),
        cut: (reason.is_some() && found.sample.is_none()).then(|| found.cut.to_f64()),
        reason,
        outcomes,
        mean: found.mean.as_ref().map(|(mean, _)| mean.to_f64()),
        mean_fraction: found.mean.as_ref().and_then(|(mean, _)| exactly(mean)),
        sd: found.mean.as_ref().map(|(_, sd)| *sd),
        percentiles: found.numbers.as_ref().map(percentile),
        turns: found.turns.iter().map(|repeated| turns(repeated, found.sample)).collect(),
        defaults: &found.defaults,
    }
}

fn turns(repeated: &Repeated, sample: Option<Sample>) -> Turns<'_> {
    let count = |(turns, chance): &(u64, Fraction)| {
        let Chance { chance, probability } = chance.into();
        let error = sample.map(|sample| sample.error(probability));
        Count { turns: *turns, chance, probability, error }
    };
    Turns {
        event: &repeated.event,
        mean: repeated.mean.as_ref().map(|(mean, _)| mean.to_f64()),
        mean_fraction: repeated.mean.as_ref().filter(|_| sample.is_none()).map(|(mean, _)| mean.to_string()),
        sd: repeated.mean.as_ref().map(|(_, sd)| *sd),
        distribution: repeated.distribution.iter().map(count).collect(),
        rest: (&repeated.rest).into(),
    }
}
