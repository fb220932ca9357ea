//! Sampled odds for people and for scripts.

use std::collections::BTreeMap;

use cicatriz::odds::{Distribution, Fraction};

use super::super::odds::{Columns, bar, percent, running, shown};
use super::super::output::{Output, Stream};
use super::super::{Common, Exit};
use super::sampled::{Sampled, Turns};

#[derive(serde::Serialize)]
struct Document<'s> {
    target: &'s str,
    arguments: &'s BTreeMap<String, serde_json::Value>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    options: &'s BTreeMap<String, String>,
    exact: bool,
    runs: u64,
    /// Where it was stopped before its end: how many were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<u64>,
    seed: u64,
    outcomes: Vec<JsonLine<'s>>,
    #[serde(flatten)]
    numbers: Option<Numbers>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    turns: Vec<JsonTurns<'s>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    defaults: &'s [String],
}

#[derive(serde::Serialize)]
struct JsonLine<'s> {
    outcome: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: &'s Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: &'s Option<String>,
    chance: String,
    probability: f64,
    error: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<f64>,
}

#[derive(serde::Serialize)]
struct Numbers {
    mean: f64,
    sd: f64,
    percentiles: BTreeMap<&'static str, i64>,
}

#[derive(serde::Serialize)]
struct JsonTurns<'s> {
    #[serde(skip_serializing_if = "Option::is_none")]
    event: &'s Option<String>,
    mean: f64,
    sd: f64,
    percentiles: BTreeMap<&'static str, i64>,
    distribution: Vec<JsonCount>,
}

#[derive(serde::Serialize)]
struct JsonCount {
    turns: u64,
    probability: f64,
    error: f64,
}

/// The percentiles that are told.
const PERCENTILES: [(&str, i64); 7] = [("1", 1), ("5", 5), ("10", 10), ("50", 50), ("90", 90), ("95", 95), ("99", 99)];

/// Tells sampled odds in the form asked for.
pub fn tell(sampled: &Sampled, columns: &Columns, common: &Common) -> Exit {
    let mut out = Output::stdout();
    if common.json() {
        out.json(&document(sampled, columns));
        return out.finish(Exit::Well);
    }
    lines(sampled, columns, common, &mut out);
    let sign = if common.drawing(Stream::Output).unicode { "±" } else { "+-" };
    if let Some(numbers) = numbers(sampled) {
        out.line(&format!(
            "mean {:.4} {sign} {:.4}, standard deviation {:.4}",
            mean(&numbers),
            numbers.sd() / (sampled.runs as f64).sqrt(),
            numbers.sd()
        ));
        out.line(&spread(&numbers));
    }
    let outcomes: Vec<(i64, u64)> =
        sampled.outcomes.iter().filter_map(|found| Some((found.number?, found.runs))).collect();
    for turns in &sampled.turns {
        if turns.counts.iter().map(|(turns, runs)| (number(*turns), *runs)).eq(outcomes.iter().copied()) {
            // The outcome is their number: that has been told.
            continue;
        }
        let numbers = distribution(turns.counts.iter().map(|(turns, runs)| (number(*turns), *runs)));
        let name = turns.event.as_deref().map_or_else(|| "turns".to_owned(), |event| format!("turns of `{event}`"));
        out.line(&format!("{name}: mean {:.4}, standard deviation {:.4}", mean(&numbers), numbers.sd()));
        out.line(&format!("  {}", spread(&numbers)));
    }
    if !sampled.defaults.is_empty() {
        out.line(&format!("choices that took their default: {}", sampled.defaults.join(", ")));
    }
    out.line(&format!("{} runs, each chance with its standard error", sampled.runs));
    if sampled.is_cut_short() {
        out.line(&format!("stopped before its end: {} runs were asked for", sampled.asked));
    }
    out.line(&format!("seed {}", sampled.seed));
    out.finish(Exit::Well)
}

fn lines(sampled: &Sampled, columns: &Columns, common: &Common, out: &mut Output) {
    let probabilities = probabilities(sampled);
    let (at_least, at_most) = (running(&probabilities, true), running(&probabilities, false));
    let unicode = common.drawing(Stream::Output).unicode;
    let (from, to) = shown(&probabilities);
    let most = probabilities.iter().copied().fold(0.0, f64::max);
    let found = sampled.outcomes.get(from..to).unwrap_or(&[]);
    let names: Vec<String> = found
        .iter()
        .map(|found| match &found.range {
            Some(range) => format!("{range} {}", found.outcome),
            None => found.outcome.clone(),
        })
        .collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let are_numbers = sampled.outcomes.iter().all(|found| found.number.is_some());
    let sign = if unicode { "±" } else { "+-" };
    for (index, found) in found.iter().enumerate() {
        let at = from + index;
        let name = &names[index];
        let mut text = if are_numbers { format!("{name:>width$}") } else { format!("{name:<width$}") };
        let error = error(probabilities[at], sampled.runs) * 100.0;
        text += &format!("  {} {sign} {error:.2}", percent(probabilities[at]));
        if columns.at_least {
            text += &format!("  {}", percent(at_least[at]));
        }
        if columns.at_most {
            text += &format!("  {}", percent(at_most[at]));
        }
        let bar = bar(probabilities[at] / most, unicode);
        text += &format!("  {bar}");
        if let Some(title) = &found.title {
            text += &format!("{:pad$}  {title}", "", pad = 30usize.saturating_sub(bar.chars().count()));
        }
        out.line(text.trim_end());
    }
    let left: f64 = probabilities.iter().take(from).chain(probabilities.iter().skip(to)).sum();
    if from > 0 || to < probabilities.len() {
        let count = from + probabilities.len() - to;
        out.line(&format!("and {count} outcomes at the ends, together {}", percent(left).trim()));
    }
}

fn document<'s>(sampled: &'s Sampled, columns: &Columns) -> Document<'s> {
    let probabilities = probabilities(sampled);
    let (at_least, at_most) = (running(&probabilities, true), running(&probabilities, false));
    let outcomes = sampled.outcomes.iter().enumerate().map(|(at, found)| JsonLine {
        outcome: &found.outcome,
        range: &found.range,
        title: &found.title,
        chance: Fraction::of(number(found.runs), sampled.runs).to_string(),
        probability: probabilities[at],
        error: error(probabilities[at], sampled.runs),
        at_least: columns.at_least.then(|| at_least[at]),
        at_most: columns.at_most.then(|| at_most[at]),
    });
    Document {
        target: &sampled.target,
        arguments: &sampled.arguments,
        options: &sampled.options,
        exact: false,
        runs: sampled.runs,
        asked: sampled.is_cut_short().then_some(sampled.asked),
        seed: sampled.seed,
        outcomes: outcomes.collect(),
        numbers: numbers(sampled).map(|numbers| Numbers {
            mean: mean(&numbers),
            sd: numbers.sd(),
            percentiles: percentiles(&numbers),
        }),
        turns: sampled.turns.iter().map(|turns| turned(turns, sampled.runs)).collect(),
        defaults: &sampled.defaults,
    }
}

fn turned(turns: &Turns, runs: u64) -> JsonTurns<'_> {
    let numbers = distribution(turns.counts.iter().map(|(turns, runs)| (number(*turns), *runs)));
    let count = |(turns, count): &(u64, u64)| {
        let probability = *count as f64 / runs as f64;
        JsonCount { turns: *turns, probability, error: error(probability, runs) }
    };
    JsonTurns {
        event: &turns.event,
        mean: mean(&numbers),
        sd: numbers.sd(),
        percentiles: percentiles(&numbers),
        distribution: turns.counts.iter().map(count).collect(),
    }
}

fn probabilities(sampled: &Sampled) -> Vec<f64> {
    sampled.outcomes.iter().map(|found| found.runs as f64 / sampled.runs as f64).collect()
}

/// The standard error of a share of so many runs.
fn error(probability: f64, runs: u64) -> f64 {
    (probability * (1.0 - probability) / runs as f64).sqrt()
}

/// The outcomes as numbers, where all are.
fn numbers(sampled: &Sampled) -> Option<Distribution> {
    if sampled.outcomes.is_empty() || sampled.outcomes.iter().any(|found| found.number.is_none()) {
        return None;
    }
    Some(distribution(sampled.outcomes.iter().filter_map(|found| Some((found.number?, found.runs)))))
}

fn distribution(counts: impl Iterator<Item = (i64, u64)>) -> Distribution {
    Distribution::weighted(&counts.collect::<Vec<_>>())
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn mean(numbers: &Distribution) -> f64 {
    numbers.mean().to_f64()
}

fn percentiles(numbers: &Distribution) -> BTreeMap<&'static str, i64> {
    PERCENTILES.into_iter().map(|(name, part)| (name, numbers.percentile(&Fraction::of(part, 100)))).collect()
}

fn spread(numbers: &Distribution) -> String {
    let part = |hundredths: i64| numbers.percentile(&Fraction::of(hundredths, 100));
    format!(
        "half of the time {} or less, one time in ten {} or less, nine in ten {} or less",
        part(50),
        part(10),
        part(90)
    )
}
