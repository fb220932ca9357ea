//! What is wrong with a scenario's run, each where it stands.

use super::play::Run;
use super::{Runner, Subject};
use crate::diagnostics::{Code, Diagnostic};
use crate::dice::{Compare, DiceFault, NoDie};
use crate::program::{Asks, ExpectId, Type};
use crate::run::{Fault, FaultKind, Trace, Value, Written};
use crate::say;
use crate::source::Span;

/// An expectation that is not met, with what stood on each side where it compares.
#[derive(Debug)]
pub(super) struct Unmet {
    pub expect: ExpectId,
    pub sides: Option<(Value, Value)>,
}

/// Everything that is wrong with a run.
pub(super) fn all(runner: &Runner<'_>, subject: Subject, run: &Run, trace: &Trace<'_>) -> Vec<Diagnostic> {
    let mut failures: Vec<Diagnostic> =
        run.unmet.iter().filter_map(|unmet| expectation(runner, unmet, trace)).collect();
    if let (Some((text, span)), Some(outcome)) = (subject.comes_to(runner.program), &run.outcome)
        && outcome != text
    {
        failures.push(
            Diagnostic::error(
                Code::ScenarioFailed,
                say!("`{runner}` does not come to this", runner = subject.name(runner.program)),
            )
            .label(span, say!("it is {outcome}, not {text}", outcome, text))
            .help(say!("write `-> {outcome}`, or change the rules; the trace says how it came to this", outcome)),
        );
    }
    failures.extend(run.chances.iter().cloned());
    let dice = subject.dice(runner.program).unwrap_or_default();
    match &run.fault {
        Some(fault) => failures.push(stopped(runner, subject, fault, &dice)),
        None if !run.left.is_empty() => failures.push(left_over(runner, subject, run.left.len(), &dice)),
        None => {}
    }
    failures
}

fn expectation(runner: &Runner<'_>, unmet: &Unmet, trace: &Trace<'_>) -> Option<Diagnostic> {
    let expected = runner.program.expectations.get(unmet.expect.index())?;
    let written = runner.files.get(expected.span.file.0 as usize).map_or("", |file| file.slice(expected.span));
    let fault = Diagnostic::error(Code::ScenarioFailed, say!("`{written}` is not so", written));
    let help = "change what is expected, or the rules; the trace says how it came to this";
    let (Some((left, right)), Some((left_type, right_type))) = (&unmet.sides, expected.sides) else {
        let label = match expected.asks {
            Asks::Any { negated: false } => "there is none",
            Asks::Any { negated: true } => "there is one at least",
            _ => "this is not true here",
        };
        return Some(fault.label(expected.span, label).help(help));
    };
    let (left, right) = (side(trace, left_type, left), side(trace, right_type, right));
    Some(match expected.asks {
        Asks::Compared(Compare::Equal) => fault
            .label(expected.span, say!("it is {left}, not {right}", left, right))
            .help(say!("change what is expected to `{left}`, or the rules; the trace says how it came to this", left)),
        Asks::Compared(Compare::NotEqual) => fault.label(expected.span, say!("it is {left}", left)).help(help),
        Asks::Condition => fault.label(expected.span, say!("in force: {left}", left)).help(help),
        _ => fault.label(expected.span, say!("{left} on the left, {right} on the right", left, right)).help(help),
    })
}

/// What stood on one side.
fn side(trace: &Trace<'_>, ty: Type, value: &Value) -> String {
    match trace.written(ty, value) {
        Written::Nothing => "none".to_owned(),
        Written::YesNo(yes) => if yes { "yes" } else { "no" }.to_owned(),
        Written::Number(number) => number.to_string(),
        Written::Id(id) => id,
        Written::Ids(ids) if ids.is_empty() => "none".to_owned(),
        Written::Ids(ids) => ids.join(", "),
    }
}

/// A run that could not go on. Where a die was at fault: which one, and what asked for it.
fn stopped(runner: &Runner<'_>, subject: Subject, fault: &Fault, dice: &[(i64, Span)]) -> Diagnostic {
    let told = fault.diagnostic(runner.program);
    let place = match &fault.kind {
        FaultKind::Dice(DiceFault::NoDie(NoDie::TooFew { .. })) => {
            dice.last().map(|(_, span)| (*span, say!("the last die given")))
        }
        FaultKind::Dice(DiceFault::NoDie(NoDie::Impossible { index, value, .. })) => {
            dice.get(*index).map(|(_, span)| (*span, say!("`{value}` is not on that die", value)))
        }
        _ => None,
    };
    let Some((span, text)) = place else {
        let own = told.span().is_some_and(|span| span.file == subject.span(runner.program).file);
        return if told.labels.is_empty() || !own {
            let labels = told.labels.clone();
            let mut placed = Diagnostic { labels: Vec::new(), ..told };
            placed = placed.label(subject.span(runner.program), "stops while this runs");
            placed.labels.extend(labels);
            placed
        } else {
            told
        };
    };
    let mut placed = Diagnostic { labels: Vec::new(), ..told }.label(span, text);
    if let Some(asker) = fault.span {
        placed = placed.label(asker, "this rolls");
    }
    placed
}

fn left_over(runner: &Runner<'_>, subject: Subject, left: usize, dice: &[(i64, Span)]) -> Diagnostic {
    let used = dice.len().saturating_sub(left);
    let rest = dice.get(used..).unwrap_or(&[]);
    let list: Vec<String> = rest.iter().map(|(value, _)| value.to_string()).collect();
    let first = rest.first().map_or(subject.span(runner.program), |(_, span)| *span);
    let last = rest.last().map_or(first, |(_, span)| *span);
    let span = if first.start <= last.start && first.file == last.file { first.to(last) } else { first };
    let name = subject.name(runner.program);
    Diagnostic::error(
        Code::RunDice,
        say!("{left} of the {dice} dice of `{name}` left over", left, dice = dice.len(), name),
    )
    .label(span, say!("nobody rolls `{list}`", list = list.join(" ")))
    .help(if used == 0 { say!("take the dice out: nothing is rolled") } else { say!("give {used}", used) })
}
