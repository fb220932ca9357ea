//! Distributions as a command tells them: text with bars, JSON, CSV, Markdown, a picture.
//!
//! [`Found`] is what was found, however it was: exactly or by sampling. [`tell`] tells it in the form asked
//! for; sweeps and comparisons have forms of their own, made of the same parts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use cicatriz::odds::{Distribution, Fraction};
use clap::ValueHint;

use super::output::{Format, Output};
use super::{Common, Exit, files, output};

pub mod bars;
pub mod grid;
mod json;
pub mod picture;
mod text;

pub use json::document;
pub use text::{lines, percent};

/// How distributions are shown.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Columns {
    /// Show the chance of each outcome or one after it: that much or more
    #[arg(long)]
    pub at_least: bool,

    /// Show the chance of each outcome or one before it: that much or less
    #[arg(long)]
    pub at_most: bool,

    /// Draw it as a picture into this file, an SVG
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub svg: Option<PathBuf>,
}

impl Columns {
    /// Whether anything of it is asked for.
    pub fn asks(&self) -> bool {
        self.at_least || self.at_most || self.svg.is_some()
    }
}

/// A distribution to be told.
pub struct Found {
    pub target: String,
    /// What a person calls it, where that is not the target's id.
    pub title: Option<String>,
    pub arguments: BTreeMap<String, serde_json::Value>,
    /// In their order.
    pub lines: Vec<Line>,
    /// The same as numbers, where they are numbers.
    pub numbers: Option<Distribution>,
    /// Mean and standard deviation, where the outcomes are numbers.
    pub mean: Option<Mean>,
    /// The chance of what a bound cut off.
    pub cut: Fraction,
    /// Whether it was stopped before its end.
    pub stopped: bool,
    /// Choices that took their default.
    pub defaults: Vec<String>,
    /// How often something is repeated.
    pub turns: Vec<Repeated>,
    /// Where it was sampled: how.
    pub sample: Option<Sample>,
}

/// How a distribution was sampled.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// How many runs were counted.
    pub runs: u64,
    /// How many were asked for; more where it was stopped before its end.
    pub asked: u64,
    pub seed: u64,
}

impl Sample {
    /// The standard error of a share of all runs.
    pub fn error(&self, share: f64) -> f64 {
        (share * (1.0 - share).max(0.0) / self.runs as f64).sqrt()
    }
}

/// A mean with its standard deviation.
pub type Mean = (Fraction, f64);

/// One outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub outcome: String,
    pub range: Option<String>,
    pub title: Option<String>,
    pub chance: Fraction,
    /// Where it stands among the others: what was cut off comes last.
    pub order: (bool, Vec<i64>),
}

impl Line {
    /// Its key and its id.
    pub fn name(&self) -> String {
        match &self.range {
            Some(range) if *range != self.outcome => format!("{range} {}", self.outcome),
            _ => self.outcome.clone(),
        }
    }

    /// Its key and its title, for people.
    pub fn caption(&self) -> String {
        let title = self.title.as_ref().unwrap_or(&self.outcome);
        match &self.range {
            Some(range) => format!("{range}  {title}"),
            None => title.clone(),
        }
    }
}

/// How often something is repeated.
pub struct Repeated {
    /// The event.
    pub event: String,
    pub mean: Option<Mean>,
    /// Numbers of turns with their chances.
    pub distribution: Vec<(u64, Fraction)>,
    /// The chance of more turns than these.
    pub rest: Fraction,
    /// Whether the outcome says the same.
    pub is_outcome: bool,
}

impl Found {
    /// Why it is not exact.
    pub fn reason(&self) -> Option<String> {
        if let Some(sample) = self.sample {
            return self.stopped.then(|| format!("stopped after {} of {} runs", sample.runs, sample.asked));
        }
        let chance = percent(self.cut.to_f64());
        let chance = chance.trim();
        match self.stopped {
            true => Some(format!("stopped before the end: {chance} of the chance is not known yet")),
            false if self.cut.is_zero() => None,
            false => Some(format!("a bound of explosions, rerolls or turns is reached with a chance of {chance}")),
        }
    }

    /// The title of a picture.
    pub fn heading(&self) -> String {
        self.title.clone().unwrap_or_else(|| self.target.clone())
    }

    /// The arguments in one line: `untreated = 2`.
    pub fn given(&self) -> String {
        given(&self.arguments)
    }
}

/// Arguments in one line.
pub fn given(arguments: &BTreeMap<String, serde_json::Value>) -> String {
    let one = |(name, value): (&String, &serde_json::Value)| match value {
        serde_json::Value::String(text) => format!("{name} = {text}"),
        serde_json::Value::Bool(yes) => format!("{name} = {}", if *yes { "yes" } else { "no" }),
        value => format!("{name} = {value}"),
    };
    arguments.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Tells a distribution in the form asked for, and draws it where a picture is asked for.
pub fn tell(found: &Found, columns: &Columns, common: &Common) -> Exit {
    if let Some(path) = &columns.svg
        && let Err(exit) = write_picture(path, &picture::of_distribution(found))
    {
        return exit;
    }
    let mut out = Output::stdout();
    match common.format {
        Format::Json => out.json(&document(found, columns)),
        Format::Csv => out.text(&table(found, columns, false).csv()),
        Format::Markdown => out.text(&table(found, columns, true).markdown()),
        Format::Text => lines(found, columns, common).iter().for_each(|line| out.line(line)),
    }
    out.finish(Exit::Well)
}

/// Writes a picture whole; the exit to end with where it cannot be written.
pub fn write_picture(path: &std::path::Path, svg: &str) -> Result<(), Exit> {
    files::write_whole(path, svg).map_err(|error| {
        output::complain(format!("the picture `{}` cannot be written: {error}", path.display()));
        Exit::Usage
    })
}

/// The outcomes as a table. `shown`: for people, with percentages.
fn table(found: &Found, columns: &Columns, shown: bool) -> grid::Grid {
    let has = |get: fn(&Line) -> bool| found.lines.iter().any(get);
    let (ranges, titles) = (has(|line| line.range.is_some()), has(|line| line.title.is_some()));
    let mut head = vec!["outcome"];
    let further = [(ranges, "range"), (titles, "title"), (true, "chance"), (true, "probability")];
    let errors = found.sample.is_some().then_some((true, "error"));
    let sums = [(columns.at_least, "at_least"), (columns.at_most, "at_most")];
    head.extend(further.into_iter().chain(errors).chain(sums).filter(|(is, _)| *is).map(|(_, name)| name));
    let probabilities: Vec<f64> = found.lines.iter().map(|line| line.chance.to_f64()).collect();
    let (above, below) = (text::running(&probabilities, true), text::running(&probabilities, false));
    let number = |value: f64| if shown { percent(value).trim().to_owned() } else { value.to_string() };
    let rows = found.lines.iter().enumerate().map(|(at, line)| {
        let mut row = vec![line.outcome.clone()];
        row.extend(ranges.then(|| line.range.clone().unwrap_or_default()));
        row.extend(titles.then(|| line.title.clone().unwrap_or_default()));
        row.push(line.chance.to_string());
        row.push(number(probabilities[at]));
        row.extend(found.sample.map(|sample| number(sample.error(probabilities[at]))));
        row.extend(columns.at_least.then(|| number(above[at])));
        row.extend(columns.at_most.then(|| number(below[at])));
        row
    });
    grid::Grid { head: head.into_iter().map(str::to_owned).collect(), rows: rows.collect() }
}
