//! A distribution for people: a line an outcome, with its bar, and what is told below.

use cicatriz::odds::{Distribution, Fraction};

use super::super::Common;
use super::super::output::Stream;
use super::bars::{BAR, bar};
use super::{Columns, Found, Line, Repeated};

/// A longer fraction is shown as a percentage only.
const FRACTION: usize = 24;

/// More lines than this are shown without the least likely ends.
const LINES: usize = 60;

/// What counts as unlikely there.
const UNLIKELY: f64 = 1e-6;

/// The lines of a distribution.
pub fn lines(found: &Found, columns: &Columns, common: &Common) -> Vec<String> {
    let probabilities: Vec<f64> = found.lines.iter().map(|line| line.chance.to_f64()).collect();
    let unicode = common.drawing(Stream::Output).unicode;
    let mut text = outcomes(found, &probabilities, columns, unicode);
    let (from, to) = shown(&probabilities);
    let left: f64 = probabilities.iter().take(from).chain(probabilities.iter().skip(to)).sum();
    if from > 0 || to < probabilities.len() {
        let count = from + probabilities.len() - to;
        text.push(format!("and {count} outcomes at the ends, together {}", percent(left).trim()));
    }
    if let Some((mean, sd)) = &found.mean {
        let mean = match found.sample {
            Some(sample) => {
                format!("{:.4} {} {:.4}", mean.to_f64(), plus_minus(unicode), sd / (sample.runs as f64).sqrt())
            }
            None => mean_text(mean),
        };
        text.push(format!("mean {mean}, standard deviation {sd:.4}"));
    }
    text.extend(found.numbers.as_ref().map(percentiles));
    text.extend(
        found.turns.iter().filter(|repeated| !repeated.is_outcome).map(|told| turns(told, found.sample.is_none())),
    );
    text.extend(found.reason().map(|reason| match found.stopped {
        true => reason,
        false => format!("not exact: {reason}"),
    }));
    if !found.defaults.is_empty() {
        text.push(format!("choices that took their default: {}", found.defaults.join(", ")));
    }
    if let Some(sample) = found.sample {
        text.push(format!("{} runs, each chance with its standard error", sample.runs));
        text.push(format!("seed {}", sample.seed));
    }
    text
}

fn plus_minus(unicode: bool) -> &'static str {
    if unicode { "±" } else { "+-" }
}

fn outcomes(found: &Found, probabilities: &[f64], columns: &Columns, unicode: bool) -> Vec<String> {
    let (at_least, at_most) = (running(probabilities, true), running(probabilities, false));
    let (from, to) = shown(probabilities);
    let most = probabilities.iter().copied().fold(0.0, f64::max);
    let lines = found.lines.get(from..to).unwrap_or(&[]);
    let names: Vec<String> = lines.iter().map(Line::name).collect();
    let fraction = |line: &Line| if found.sample.is_some() { String::new() } else { short(&line.chance) };
    let fractions: Vec<String> = lines.iter().map(fraction).collect();
    let width = |texts: &[String]| texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let (names_width, fractions_width) = (width(&names), width(&fractions));
    let one = |(index, line): (usize, &Line)| {
        let at = from + index;
        let name = &names[index];
        let mut text = match found.numbers {
            Some(_) => format!("{name:>names_width$}"),
            None => format!("{name:<names_width$}"),
        };
        text += &format!("  {}", percent(probabilities[at]));
        if let Some(sample) = found.sample {
            text += &format!(" {} {:.2}", plus_minus(unicode), sample.error(probabilities[at]) * 100.0);
        }
        if columns.at_least {
            text += &format!("  {}", percent(at_least[at]));
        }
        if columns.at_most {
            text += &format!("  {}", percent(at_most[at]));
        }
        if fractions_width > 0 {
            text += &format!("  {:>fractions_width$}", fractions[index]);
        }
        let bar = bar(probabilities[at] / most, unicode);
        let pad = BAR.saturating_sub(bar.chars().count());
        text += &format!("  {bar}");
        if let Some(title) = &line.title {
            text += &format!("{:pad$}  {title}", "");
        }
        text.trim_end().to_owned()
    };
    lines.iter().enumerate().map(one).collect()
}

/// `12.2446 (15869/1296)`
fn mean_text(mean: &Fraction) -> String {
    match short(mean) {
        exactly if exactly.contains('/') => format!("{:.4} ({exactly})", mean.to_f64()),
        _ => format!("{:.4}", mean.to_f64()),
    }
}

fn percentiles(numbers: &Distribution) -> String {
    let part = |hundredths: i64| numbers.percentile(&Fraction::of(hundredths, 100));
    format!(
        "half of the time {} or less, one time in ten {} or less, nine in ten {} or less",
        part(50),
        part(10),
        part(90)
    )
}

/// `repeats of turn: mean 3.6275 (1451/400), standard deviation 1.0926; 1: 5.00 %, 2: 9.00 %, …`
fn turns(repeated: &Repeated, exact: bool) -> String {
    let mut text = format!("repeats of {}: ", repeated.event);
    if let Some((mean, sd)) = &repeated.mean {
        let mean = if exact { mean_text(mean) } else { format!("{:.4}", mean.to_f64()) };
        text += &format!("mean {mean}, standard deviation {sd:.4}; ");
    }
    const TOLD: usize = 12;
    let told = repeated.distribution.iter().take(TOLD);
    let mut counts: Vec<String> =
        told.clone().map(|(turns, chance)| format!("{turns}: {}", percent(chance.to_f64()).trim())).collect();
    let left = told.fold(Fraction::of(1, 1), |left, (_, chance)| left.minus(chance));
    if !left.is_zero() {
        counts.push(format!("otherwise: {}", percent(left.to_f64()).trim()));
    }
    text + &counts.join(", ")
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

/// A share as a percentage of eight letters.
pub fn percent(probability: f64) -> String {
    let hundredths = probability * 100.0;
    if hundredths >= 0.01 || probability == 0.0 {
        return format!("{hundredths:>7.2} %");
    }
    format!("{hundredths:>7.1e} %")
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn turns_are_told_with_what_is_left() {
        let repeated = Repeated {
            event: "hit".to_owned(),
            mean: Some((Fraction::of(3, 2), 0.5)),
            distribution: vec![(1, Fraction::of(1, 2)), (2, Fraction::of(1, 4))],
            rest: Fraction::of(1, 4),
            is_outcome: false,
        };
        let expected = "repeats of hit: mean 1.5000 (3/2), standard deviation 0.5000; \
                        1: 50.00 %, 2: 25.00 %, otherwise: 25.00 %";
        assert_eq!(turns(&repeated, true), expected);
    }
}
