//! Expectations about odds: exact chances against what a scenario says of them.

use super::{Runner, Subject};
use crate::diagnostics::{Code, Diagnostic};
use crate::dice::Compare;
use crate::odds::{Bounds, Fraction, OddsFault, RuleOdds, of_scenario};
use crate::program::{Chance, ChanceIs};
use crate::say;

/// The odds of a scenario that speaks of them; `None` for every other one.
///
/// Errors: what keeps them from being worked out, as it is told.
pub(super) fn odds(runner: &Runner<'_>, subject: Subject) -> Result<Option<RuleOdds>, Box<Diagnostic>> {
    let program = runner.program;
    let scenario = subject.of(program);
    let spoken_of = scenario.chances.first().map(|chance| chance.span).or(scenario.odds.map(|kept| kept.span));
    let Some(place) = spoken_of else { return Ok(None) };
    let args = subject.args(program);
    of_scenario(program, runner.options, subject.scenario, &args, &Bounds::default(), &mut ()).map(Some).map_err(
        |fault| {
            let told = match &fault {
                OddsFault::Run(fault) => fault.diagnostic(program),
                other => Diagnostic::error(Code::RunLimit, other.to_string()),
            };
            let mut placed = Diagnostic { labels: Vec::new(), ..told.clone() }.label(place, "no odds of this");
            placed.labels.extend(told.labels);
            Box::new(placed)
        },
    )
}

/// What is wrong with the chances that a scenario expects.
pub(super) fn wrong(runner: &Runner<'_>, subject: Subject, odds: &RuleOdds) -> Vec<Diagnostic> {
    let program = runner.program;
    let chances = &subject.of(program).chances;
    let unmet = chances.iter().filter_map(|chance| {
        let of_outcome = odds
            .outcomes
            .iter()
            .filter(|found| found.outcome.as_ref().is_some_and(|outcome| outcome.text(program) == chance.outcome));
        let low = of_outcome.fold(Fraction::of(0, 1), |sum, found| sum.plus(&found.chance));
        let high = low.plus(&odds.cut);
        let met = holds(chance, &low) && holds(chance, &high) && (!is_exactly(chance) || low == high);
        (!met).then(|| told(runner, chance, &low, &high))
    });
    unmet.collect()
}

fn is_exactly(chance: &Chance) -> bool {
    matches!(chance.is, ChanceIs::Compared(Compare::Equal | Compare::NotEqual, _))
}

fn holds(chance: &Chance, is: &Fraction) -> bool {
    let share = |(above, below): (i64, u64)| Fraction::of(above, below);
    match chance.is {
        ChanceIs::Between(low, high) => share(low) <= *is && *is <= share(high),
        ChanceIs::Compared(compare, with) => {
            let with = share(with);
            match compare {
                Compare::Equal => *is == with,
                Compare::NotEqual => *is != with,
                Compare::Less => *is < with,
                Compare::AtMost => *is <= with,
                Compare::Greater => *is > with,
                Compare::AtLeast => *is >= with,
            }
        }
    }
}

fn told(runner: &Runner<'_>, chance: &Chance, low: &Fraction, high: &Fraction) -> Diagnostic {
    let written = runner.files.get(chance.span.file.0 as usize).map_or("", |file| file.slice(chance.span));
    let percent = |fraction: &Fraction| format!("{:.3}%", fraction.to_f64() * 100.0);
    let fault = Diagnostic::error(Code::ScenarioFailed, say!("`{written}` is not so", written));
    let outcome = &chance.outcome;
    if low == high {
        return fault.label(chance.span, say!("it is {low}, {percent}", low, percent = percent(low))).help(say!(
            "write `then chance({outcome}) == {low}`, or change the rules",
            outcome,
            low
        ));
    }
    fault
        .label(chance.span, say!("it is between {low} and {high}", low = percent(low), high = percent(high)))
        .help("a bound cuts the rest off: write `between` with two percentages around these")
}
