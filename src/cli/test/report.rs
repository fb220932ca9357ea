//! What a person, or a script, is told of a run.

use cicatriz::diagnostics::json;
use cicatriz::diagnostics::render;
use cicatriz::odds::Fraction;
use cicatriz::run::TraceJson;
use cicatriz::say;
use cicatriz::suite::odds::Moved;
use cicatriz::suite::{Kind, Subject};

use super::super::diff::by_word;
use super::super::output::{Output, Stream, complain};
use super::super::{Common, paint};
use super::coverage::{Covered, Place};
use super::kept::{Difference, Snapshots};
use super::machines;
use super::mutate::Mutated;
use super::suite::{Results, Suite};
use super::{Args, Unused};
use crate::cli::ui::ui;

#[derive(serde::Serialize)]
struct Document<'a> {
    passed: usize,
    failed: usize,
    snapshots: &'a Snapshots,
    coverage: CoverageJson,
    failures: Vec<Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mutation: Option<&'a Mutated>,
}

#[derive(serde::Serialize)]
struct CoverageJson {
    rows: [usize; 2],
    transitions: [usize; 2],
    #[serde(flatten)]
    more: Option<More>,
}

/// What is told with `--coverage` only.
#[derive(serde::Serialize)]
struct More {
    handlers: [usize; 2],
    branches: [usize; 2],
    sentences: [usize; 2],
    missed: Vec<Missed>,
}

#[derive(serde::Serialize)]
struct Missed {
    kind: &'static str,
    what: String,
    file: String,
    line: usize,
    /// Why no scenario can bring it about.
    #[serde(skip_serializing_if = "Option::is_none")]
    out_of_reach: Option<&'static str>,
    /// Ready to paste.
    #[serde(skip_serializing_if = "Option::is_none")]
    scenario: Option<String>,
}

#[derive(serde::Serialize)]
struct Failure {
    file: String,
    scenario: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    case: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    dice: Vec<i64>,
    outcome: Option<String>,
    #[serde(flatten)]
    fault: json::Document,
    /// Of odds kept: the outcomes that moved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moved: Vec<MovedJson>,
    trace: Vec<TraceJson>,
}

#[derive(serde::Serialize)]
struct MovedJson {
    outcome: String,
    was: String,
    is: String,
    /// In points of a hundred.
    by: f64,
}

/// What is below `--min`, each in a sentence.
pub fn below(args: &Args, covered: &Covered, mutated: Option<&Mutated>) -> Vec<String> {
    let Some(min) = args.min.map(usize::from) else { return Vec::new() };
    let mut below = Vec::new();
    if let Some(mutated) = mutated {
        let percent = mutated.percent();
        if percent < min {
            below.push(format!("{percent} % of the changes are noticed, and {min} % are asked for"));
        }
    }
    if !args.mutate || args.coverage {
        for (kind, what) in [(Kind::Row, "rows"), (Kind::Transition, "transitions")] {
            let [hit, all] = covered.count(kind);
            if hit * 100 < min * all {
                below.push(format!("{hit} of {all} {what} were exercised, and {min} % are asked for"));
            }
        }
    }
    below
}

type All<'a> = (&'a Suite, &'a Results<'a>, &'a Covered, Option<&'a Mutated>);

/// Tells of a run in the form asked for.
pub fn tell(args: &Args, common: &Common, out: &mut Output, all: All<'_>) {
    let (suite, results, ..) = all;
    if args.github {
        for (at, told) in &results.told {
            let file = &suite.files[*at];
            for failure in &told.failures {
                let line = machines::annotation(failure, &told.subject.name(&file.program), &file.sources);
                // Standard output holds the document only.
                if common.json() { eprintln!("{line}") } else { out.line(&line) }
            }
        }
    }
    if common.json() { document(args, out, all) } else { text(args, common, out, all) }
}

fn moved_json(results: &Results<'_>, at: usize, subject: Subject) -> Vec<MovedJson> {
    let of_subject = results.changed.iter().filter(|changed| (changed.at, changed.subject) == (at, subject));
    let moved = of_subject.filter_map(|changed| match &changed.difference {
        Difference::Odds(moved) => Some(moved),
        Difference::Trace(..) => None,
    });
    let json = |moved: &Moved| MovedJson {
        outcome: moved.outcome.clone(),
        was: moved.was.to_string(),
        is: moved.is.to_string(),
        by: moved.points(),
    };
    moved.flatten().map(json).collect()
}

fn document(args: &Args, out: &mut Output, (suite, results, covered, mutated): All<'_>) {
    let failures = results.told.iter().filter(|(_, told)| !told.failures.is_empty()).map(|(at, told)| {
        let file = &suite.files[*at];
        let case = told.subject.case_text(&file.program);
        Failure {
            file: file.path.display().to_string(),
            scenario: told.subject.of(&file.program).id.to_string(),
            case: Some(case).filter(|case| !case.is_empty()),
            seed: told.seed,
            dice: told.dice.clone(),
            outcome: told.outcome.clone(),
            fault: json::document_in(&told.failures, &file.sources, ui()),
            moved: moved_json(results, *at, told.subject),
            trace: told.trace.as_ref().map_or_else(Vec::new, |trace| trace.json()),
        }
    });
    let more = args.coverage.then(|| {
        let pasted = covered.pasted(suite);
        let missed = covered.missed().map(|place| Missed {
            kind: kind(place.item.kind),
            what: place.item.what.clone(),
            file: place.file.to_string(),
            line: place.line,
            out_of_reach: place.item.out_of_reach,
            scenario: place.item.row.and_then(|(table, row)| pasted.get(&(place.at, table, row)).cloned()),
        });
        More {
            handlers: covered.count(Kind::Handler),
            branches: covered.count(Kind::Branch),
            sentences: covered.count(Kind::Sentence),
            missed: missed.collect(),
        }
    });
    out.json(&Document {
        passed: results.passed,
        failed: results.failed,
        snapshots: &results.snapshots,
        coverage: CoverageJson { rows: covered.count(Kind::Row), transitions: covered.count(Kind::Transition), more },
        failures: failures.collect(),
        mutation: mutated,
    });
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Row => "row",
        Kind::Transition => "transition",
        Kind::Handler => "handler",
        Kind::Branch => "branch",
        Kind::Sentence => "sentence",
    }
}

fn text(args: &Args, common: &Common, out: &mut Output, (suite, results, covered, mutated): All<'_>) {
    for (at, told) in results.told.iter().filter(|(_, told)| !told.failures.is_empty()) {
        let file = &suite.files[*at];
        out.say(say!("{path}: {name} failed", path = file.path.display(), name = told.subject.name(&file.program)));
        out.text(&render::draw(&told.failures, &file.sources, &common.drawing(Stream::Output)));
        let mut is_shown = false;
        for changed in results.changed.iter().filter(|changed| (changed.at, changed.subject) == (*at, told.subject)) {
            let lines = match &changed.difference {
                Difference::Trace(old, new) => by_word(old, new, Stream::Output.colored(common.color)),
                Difference::Odds(moved) => what_moved(moved),
            };
            lines.iter().for_each(|line| out.line(&format!("  {line}")));
            is_shown = true;
        }
        if let Some(trace) = told.trace.as_ref().filter(|_| !is_shown) {
            paint::indented(trace, common, out);
        }
        if !told.dice.is_empty() {
            let dice: Vec<String> = told.dice.iter().map(i64::to_string).collect();
            let seed = told.seed.map_or_else(String::new, |seed| format!("  (seed {seed})"));
            out.line(&format!("  dice {}{seed}", dice.join(" ")));
        }
        out.line("");
    }
    if args.coverage {
        missed(suite, covered, out);
    }
    if let Some(mutated) = mutated {
        changes(mutated, out);
    }
    for path in &results.snapshots.unused_files {
        let became = if args.unused == Unused::Delete { "deleted" } else { "no scenario uses it any more" };
        out.line(&format!("{}: {became}", path.display()));
    }
    if !results.snapshots.unused_files.is_empty() && args.unused == Unused::Tell {
        complain("`cicatriz test … --unused delete` takes them away");
    }
    out.say(say!("{passed} passed, {failed} failed", passed = results.passed, failed = results.failed));
    let Snapshots { matched, changed, new, unused, .. } = results.snapshots;
    if matched + changed + new + unused > 0 {
        out.say(say!(
            "snapshots: {matched} matched, {changed} changed, {new} new, {unused} unused",
            matched,
            changed,
            new,
            unused
        ));
    }
}

/// The outcomes that moved, one a line: what was kept, what is now, and the difference.
fn what_moved(moved: &[Moved]) -> Vec<String> {
    let percent = |chance: &Fraction| format!("{:.3} %", chance.to_f64() * 100.0);
    let head = ["outcome", "kept", "now", "moved by"].map(str::to_owned);
    let lines = moved.iter().map(|moved| {
        [moved.outcome.clone(), percent(&moved.was), percent(&moved.is), format!("{:+.3} %", moved.points())]
    });
    let all: Vec<[String; 4]> = std::iter::once(head).chain(lines).collect();
    let width = |at: usize| all.iter().map(|line| line[at].chars().count()).max().unwrap_or(0);
    let (first, rest) = (width(0), [width(1), width(2), width(3)]);
    let line = |[outcome, was, is, by]: &[String; 4]| {
        let [a, b, c] = rest;
        format!("{outcome:<first$}  {was:>a$}  {is:>b$}  {by:>c$}")
    };
    all.iter().map(line).collect()
}

/// What no scenario exercised, with its place, and what to paste for rows.
fn missed(suite: &Suite, covered: &Covered, out: &mut Output) {
    let pasted = covered.pasted(suite);
    let kinds = [
        (Kind::Row, "rows"),
        (Kind::Transition, "transitions"),
        (Kind::Handler, "handlers"),
        (Kind::Branch, "branches"),
        (Kind::Sentence, "sentences"),
    ];
    let missed: Vec<&Place> = covered.missed().collect();
    for (kind, what) in kinds {
        let [hit, all] = covered.count(kind);
        out.line(&format!("{hit} of {all} {what} exercised"));
        for place in missed.iter().filter(|place| place.item.kind == kind) {
            let why = place.item.out_of_reach.map_or_else(String::new, |why| format!(" ({why})"));
            out.line(&format!("  {}:{}: {}{why}", place.file, place.line, place.item.what));
            let scenario = place.item.row.and_then(|(table, row)| pasted.get(&(place.at, table, row)));
            for line in scenario.iter().flat_map(|scenario| scenario.lines()) {
                out.line(&format!("    {line}"));
            }
        }
    }
    out.line("");
}

/// The changes that nobody noticed.
fn changes(mutated: &Mutated, out: &mut Output) {
    for change in &mutated.unnoticed {
        out.line(&format!(
            "{}:{}:{}: {} `{}` as `{}`: no scenario notices",
            change.file, change.line, change.column, change.what, change.from, change.to
        ));
    }
    let all = mutated.noticed + mutated.unnoticed.len();
    out.line(&format!(
        "{all} changes: {} noticed, {} not ({} %); {} more the rules do not accept",
        mutated.noticed,
        mutated.unnoticed.len(),
        mutated.percent(),
        mutated.refused
    ));
}
