//! Odds for people, with bars, and for scripts.

use std::collections::BTreeMap;

use cicatriz::odds::{Distribution, Fraction};

use super::super::output::{Output, Stream};
use super::super::{Common, Exit};

/// Which further columns are shown.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct Columns {
    /// Show the chance of each outcome or one after it: that much or more
    #[arg(long)]
    pub at_least: bool,

    /// Show the chance of each outcome or one before it: that much or less
    #[arg(long)]
    pub at_most: bool,
}

/// Odds to be told.
pub struct Found {
    pub target: String,
    pub arguments: BTreeMap<String, serde_json::Value>,
    /// In their order.
    pub lines: Vec<Line>,
    /// The same as numbers, where they are numbers.
    pub numbers: Option<Distribution>,
    pub cut: Fraction,
    /// Choices that took their default.
    pub defaults: Vec<String>,
}

/// One outcome.
pub struct Line {
    pub outcome: String,
    pub range: Option<String>,
    pub title: Option<String>,
    pub chance: Fraction,
}

#[derive(serde::Serialize)]
struct Document<'f> {
    target: &'f str,
    arguments: &'f BTreeMap<String, serde_json::Value>,
    exact: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<f64>,
    outcomes: Vec<JsonLine<'f>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sd: Option<f64>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    defaults: &'f [String],
}

#[derive(serde::Serialize)]
struct JsonLine<'f> {
    outcome: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: &'f Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: &'f Option<String>,
    chance: String,
    probability: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<f64>,
}

/// How wide the longest bar is.
const BAR: usize = 30;

/// A longer fraction is shown as a percentage only.
const FRACTION: usize = 24;

/// More lines than this are shown without the least likely ends.
const LINES: usize = 60;

/// What counts as unlikely there.
const UNLIKELY: f64 = 1e-6;

/// Tells odds in the form asked for.
pub fn tell(found: Found, columns: &Columns, common: &Common) -> Exit {
    let mut out = Output::stdout();
    let reason = (found.cut > Fraction::of(0, 1)).then(|| {
        format!("a bound of explosions, rerolls or turns is reached with a chance of {:.1e}", found.cut.to_f64())
    });
    let probabilities: Vec<f64> = found.lines.iter().map(|line| line.chance.to_f64()).collect();
    let (at_least, at_most) = (running(&probabilities, true), running(&probabilities, false));
    if common.json() {
        let outcomes = found.lines.iter().enumerate().map(|(at, line)| JsonLine {
            outcome: &line.outcome,
            range: &line.range,
            title: &line.title,
            chance: line.chance.to_string(),
            probability: probabilities[at],
            at_least: columns.at_least.then(|| at_least[at]),
            at_most: columns.at_most.then(|| at_most[at]),
        });
        out.json(&Document {
            target: &found.target,
            arguments: &found.arguments,
            exact: reason.is_none(),
            cut: reason.is_some().then(|| found.cut.to_f64()),
            reason,
            outcomes: outcomes.collect(),
            mean: found.numbers.as_ref().map(|numbers| numbers.mean().to_f64()),
            sd: found.numbers.as_ref().map(Distribution::sd),
            defaults: &found.defaults,
        });
        return out.finish(Exit::Well);
    }
    let unicode = common.drawing(Stream::Output).unicode;
    let (from, to) = shown(&probabilities);
    let most = probabilities.iter().copied().fold(0.0, f64::max);
    let name = |line: &Line| match &line.range {
        Some(range) => format!("{range} {}", line.outcome),
        None => line.outcome.clone(),
    };
    let width = |texts: &[String]| texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let lines = found.lines.get(from..to).unwrap_or(&[]);
    let names: Vec<String> = lines.iter().map(name).collect();
    let fractions: Vec<String> = lines.iter().map(|line| short(&line.chance)).collect();
    let (names_width, fractions_width) = (width(&names), width(&fractions));
    let numbers = found.numbers.is_some();
    for (index, line) in lines.iter().enumerate() {
        let at = from + index;
        let (name, fraction) = (&names[index], &fractions[index]);
        let name = if numbers { format!("{name:>names_width$}") } else { format!("{name:<names_width$}") };
        let mut text = format!("{name}  {}", percent(probabilities[at]));
        if columns.at_least {
            text += &format!("  {}", percent(at_least[at]));
        }
        if columns.at_most {
            text += &format!("  {}", percent(at_most[at]));
        }
        if fractions_width > 0 {
            text += &format!("  {fraction:>fractions_width$}");
        }
        text += &format!("  {}", bar(probabilities[at] / most, unicode));
        if let Some(title) = &line.title {
            let bars = bar(probabilities[at] / most, unicode).chars().count();
            text += &format!("{:pad$}  {title}", "", pad = BAR.saturating_sub(bars));
        }
        out.line(text.trim_end());
    }
    let left: f64 = probabilities.iter().take(from).chain(probabilities.iter().skip(to)).sum();
    if from > 0 || to < probabilities.len() {
        let count = from + probabilities.len() - to;
        out.line(&format!("and {count} outcomes at the ends, together {}", percent(left).trim()));
    }
    if let Some(numbers) = &found.numbers {
        let mean = numbers.mean();
        let exactly = match short(&mean) {
            exactly if exactly.is_empty() || !exactly.contains('/') => String::new(),
            exactly => format!(" ({exactly})"),
        };
        let part = |hundredths: i64| numbers.percentile(&Fraction::of(hundredths, 100));
        out.line(&format!("mean {:.4}{exactly}, standard deviation {:.4}", mean.to_f64(), numbers.sd()));
        out.line(&format!(
            "half of the time {} or less, one time in ten {} or less, nine in ten {} or less",
            part(50),
            part(10),
            part(90)
        ));
    }
    if let Some(reason) = reason {
        out.line(&format!("not exact: {reason}"));
    }
    if !found.defaults.is_empty() {
        out.line(&format!("choices that took their default: {}", found.defaults.join(", ")));
    }
    out.finish(Exit::Well)
}

/// Sums up to each outcome, or from it on.
pub fn running(probabilities: &[f64], from_above: bool) -> Vec<f64> {
    let mut sums = probabilities.to_vec();
    if from_above {
        sums.reverse();
    }
    let mut sum = 0.0;
    for place in &mut sums {
        sum += *place;
        *place = f64::min(sum, 1.0);
    }
    if from_above {
        sums.reverse();
    }
    sums
}

/// The outcomes that are shown: all, or those between the unlikely ends of very many.
pub fn shown(probabilities: &[f64]) -> (usize, usize) {
    if probabilities.len() <= LINES {
        return (0, probabilities.len());
    }
    let likely = |chance: &f64| *chance >= UNLIKELY;
    let from = probabilities.iter().position(likely).unwrap_or(0);
    let to = probabilities.iter().rposition(likely).map_or(probabilities.len(), |last| last + 1);
    (from, to)
}

/// The fraction, where it is short enough to be read.
fn short(fraction: &Fraction) -> String {
    if fraction.denominator().bits() as usize > FRACTION * 2 {
        return String::new();
    }
    let text = fraction.to_string();
    if text.len() <= FRACTION { text } else { String::new() }
}

pub fn percent(probability: f64) -> String {
    let hundredths = probability * 100.0;
    if hundredths >= 0.01 || probability == 0.0 {
        return format!("{hundredths:>7.2} %");
    }
    format!("{hundredths:>7.1e} %")
}

/// A bar of this share of the longest: eighths of a block in a terminal, ASCII in a pipe.
pub fn bar(share: f64, unicode: bool) -> String {
    let length = share.clamp(0.0, 1.0) * BAR as f64;
    if !unicode {
        return "#".repeat(length.round() as usize);
    }
    let eighths = (length * 8.0).round() as usize;
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"].get(eighths % 8).copied().unwrap_or("");
    format!("{}{part}", "█".repeat(eighths / 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_eighths() {
        assert_eq!(bar(1.0, false), "#".repeat(30));
        assert_eq!(bar(0.0, true), "");
        assert_eq!(bar(1.0 / 240.0, true), "▏");
        assert_eq!(bar(9.0 / 240.0, true), "█▏");
    }

    #[test]
    fn percentages_keep_two_digits_or_their_size() {
        assert_eq!(percent(0.5).trim(), "50.00 %");
        assert_eq!(percent(1e-9).trim(), "1.0e-7 %");
    }

    #[test]
    fn sums_from_both_ends() {
        assert_eq!(running(&[0.25, 0.5, 0.25], true), [1.0, 0.75, 0.25]);
        assert_eq!(running(&[0.25, 0.5, 0.25], false), [0.25, 0.75, 1.0]);
    }
}
