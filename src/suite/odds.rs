//! The odds of a scenario, kept: the chance of every outcome, and which have moved since.

use num_bigint::BigUint;

use crate::odds::{Fraction, RuleOdds};
use crate::program::{KeptOdds, Program};

/// A longer fraction is kept as a percentage with twelve decimals instead.
const FRACTION: usize = 40;

/// What is kept for outcomes that a bound cut off.
const CUT_OFF: &str = "cut off";

/// The chance of each outcome, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    lines: Vec<Line>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    outcome: String,
    chance: Fraction,
    /// The fraction is too long: this is a percentage to twelve decimals.
    rounded: bool,
}

/// By how much they may move.
pub fn within(keeps: &KeptOdds) -> Fraction {
    Fraction::of(keeps.within.0, keeps.within.1)
}

/// An outcome that is more or less likely than it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// As `run` prints it.
    pub outcome: String,
    /// From 0 to 1; 0 where it could not come out.
    pub was: Fraction,
    /// From 0 to 1; 0 where it can no longer come out.
    pub is: Fraction,
}

impl Kept {
    /// Those of a scenario, to the digits that are kept.
    pub fn of(program: &Program, odds: &RuleOdds) -> Kept {
        let mut lines: Vec<(String, Fraction)> = Vec::new();
        for found in &odds.outcomes {
            let outcome = found.outcome.as_ref().map_or_else(|| CUT_OFF.to_owned(), |outcome| outcome.text(program));
            let outcome = outcome.replace('\n', " ");
            match lines.iter_mut().find(|(known, _)| *known == outcome) {
                Some((_, chance)) => *chance = chance.plus(&found.chance),
                None => lines.push((outcome, found.chance.clone())),
            }
        }
        Kept { lines: lines.into_iter().map(|(outcome, chance)| Line::of(outcome, chance)).collect() }
    }

    /// One line for each outcome: `dead    40.4875 %  3239/8000`.
    pub fn write(&self) -> String {
        let width = self.lines.iter().map(|line| line.outcome.chars().count()).max().unwrap_or(0);
        let lines = self.lines.iter().map(|line| {
            let pad = width - line.outcome.chars().count();
            format!("{}{:pad$}  {}", line.outcome, "", line.chance_text())
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Reads what [`Kept::write`] has written; `None` where it is something else.
    pub fn read(text: &str) -> Option<Kept> {
        Some(Kept { lines: text.lines().map(Line::read).collect::<Option<_>>()? })
    }

    /// The outcomes that have moved by more than so much, from these to others.
    pub fn moved(&self, now: &Kept, within: &Fraction) -> Vec<Moved> {
        let find = |kept: &Kept, outcome: &str| {
            let found = kept.lines.iter().find(|line| line.outcome == outcome);
            found.map_or(Fraction::of(0, 1), |line| line.chance.clone())
        };
        let gone = self.lines.iter().filter(|line| !now.lines.iter().any(|other| other.outcome == line.outcome));
        let all = now.lines.iter().chain(gone).map(|line| Moved {
            outcome: line.outcome.clone(),
            was: find(self, &line.outcome),
            is: find(now, &line.outcome),
        });
        all.filter(|moved| moved.was.apart(&moved.is) > *within).collect()
    }
}

impl Line {
    fn of(outcome: String, chance: Fraction) -> Line {
        // A digit takes a little over three bits.
        let bits = chance.numerator().bits() + chance.denominator().bits();
        if bits < 4 * FRACTION as u64 && chance.to_string().len() <= FRACTION {
            return Line { outcome, chance, rounded: false };
        }
        let kept = percent(&long_percent(&chance)).unwrap_or(Fraction::of(0, 1));
        Line { outcome, chance: kept, rounded: true }
    }

    fn read(line: &str) -> Option<Line> {
        let (rest, last) = line.trim_end().rsplit_once("  ")?;
        if let Some((above, below)) = last.split_once('/') {
            let below: BigUint = below.parse().ok()?;
            let none = below == BigUint::ZERO;
            let (outcome, _) = rest.trim_end().rsplit_once("  ")?;
            let chance = Fraction::new(above.parse().ok()?, if none { BigUint::from(1u8) } else { below });
            return (!none).then(|| Line { outcome: outcome.trim_end().to_owned(), chance, rounded: false });
        }
        let chance = percent(last.trim().strip_suffix('%')?)?;
        let rounded = chance.to_string().contains('/');
        Some(Line { outcome: rest.trim_end().to_owned(), chance, rounded })
    }

    /// `40.4875 %  3239/8000`; whole chances and long fractions as a percentage alone.
    fn chance_text(&self) -> String {
        if self.rounded {
            return format!("{} %", long_percent(&self.chance));
        }
        let hundred = self.chance.to_f64() * 100.0;
        let short = if hundred < 0.001 && hundred > 0.0 { format!("{hundred:.1e}") } else { format!("{hundred:.4}") };
        match self.chance.to_string() {
            fraction if fraction.contains('/') => format!("{short:>8} %  {fraction}"),
            _ => format!("{short:>8} %"),
        }
    }
}

impl Moved {
    /// By how much, in points of a hundred: below zero where it has become less likely.
    pub fn points(&self) -> f64 {
        let by = self.was.apart(&self.is).to_f64() * 100.0;
        if self.is < self.was { -by } else { by }
    }
}

fn long_percent(chance: &Fraction) -> String {
    let hundred = chance.to_f64() * 100.0;
    if hundred < 0.001 { format!("{hundred:.9e}") } else { format!("{hundred:.12}") }
}

/// `40.4875` or `8.1e-7`, of a hundred. `None` where it is no such number, or smaller than any chance.
fn percent(text: &str) -> Option<Fraction> {
    let text = text.trim();
    let (digits, power) = match text.split_once('e') {
        Some((digits, power)) => (digits, power.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
    let above: BigUint = format!("{whole}{rest}").parse().ok()?;
    let down = i64::try_from(rest.len()).ok()? - i64::from(power) + 2;
    (0..=1_000).contains(&down).then(|| Fraction::new(above, BigUint::from(10u8).pow(down as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(lines: &[(&str, i64, u64)]) -> Kept {
        let line =
            |(outcome, above, below): &(&str, i64, u64)| Line::of((*outcome).to_owned(), Fraction::of(*above, *below));
        Kept { lines: lines.iter().map(line).collect() }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let some =
            kept(&[("dead", 3239, 8000), ("Pierdes 2 dientes", 1, 3), ("-3", 0, 1), ("sure", 1, 1), ("x", 1, 1 << 50)]);
        assert_eq!(Kept::read(&some.write()), Some(some.clone()));
        assert_eq!(some.write().lines().next(), Some("dead                40.4875 %  3239/8000"));
        let long = Fraction::new(BigUint::from(7u8).pow(300), BigUint::from(10u8).pow(300));
        let once = Kept { lines: vec![Line::of("far".to_owned(), long)] };
        assert!(once.lines[0].rounded && once.write().starts_with("far  3."), "{}", once.write());
        assert_eq!(Kept::read(&once.write()), Some(once.clone()));
        assert_eq!(Kept::read(&once.write()).map(|again| again.write()), Some(once.write()));
        for broken in ["dead", "dead  40", "dead  1  1/0", "dead  x %", "dead  1e-99999 %"] {
            assert_eq!(Kept::read(broken), None, "{broken}");
        }
    }

    #[test]
    fn exactly_the_tolerance_is_within_it() {
        let (was, is) = (kept(&[("a", 1, 2), ("b", 1, 2)]), kept(&[("a", 101, 200), ("c", 99, 200)]));
        let outcomes =
            |within: Fraction| was.moved(&is, &within).into_iter().map(|moved| moved.outcome).collect::<Vec<_>>();
        assert_eq!(outcomes(Fraction::of(1, 200)), ["c", "b"]);
        assert_eq!(outcomes(Fraction::of(0, 1)), ["a", "c", "b"]);
        assert_eq!(outcomes(Fraction::of(1, 1)), Vec::<String>::new());
        assert!(was.moved(&was, &Fraction::of(0, 1)).is_empty());
        assert_eq!(was.moved(&is, &Fraction::of(1, 200))[1].points(), -50.0);
    }
}
