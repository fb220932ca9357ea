//! `cicatriz test`: all scenarios with expectations.

use std::path::PathBuf;

use cicatriz::check;
use cicatriz::diagnostics::{Diagnostic, render};
use cicatriz::suite;
use clap::ValueHint;

use super::output::{self, Output, Stream};
use super::progress::Progress;
use super::{Common, Exit, files, load};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz test rules")]
pub struct Args {
    /// Rule files; a folder means all `.rules` below it, `-` standard input
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
}

#[derive(Default, serde::Serialize)]
struct Document {
    passed: usize,
    failed: usize,
    failures: Vec<Failure>,
}

#[derive(serde::Serialize)]
struct Failure {
    file: String,
    scenario: String,
    #[serde(flatten)]
    fault: cicatriz::diagnostics::json::Document,
}

/// Runs every scenario that expects something; all failures are told.
pub fn run(args: Args, common: &Common) -> Exit {
    let found = files::find(&args.paths);
    let mut exit = Exit::Well;
    for unread in &found.faults {
        load::complain_of_unread(unread, common);
        exit = exit.max(Exit::Usage);
    }
    let mut out = Output::stdout();
    let mut document = Document::default();
    let mut progress = Progress::new(found.files.len());
    for path in &found.files {
        progress.step(&path.display().to_string());
        let (program, sources) = match load::program(path, common) {
            Ok(loaded) => loaded,
            Err(faults) => {
                exit = exit.max(faults);
                continue;
            }
        };
        // An option of one system need not be known to the next.
        let set: Vec<(&str, &str)> = common
            .set
            .iter()
            .filter(|s| found.files.len() == 1 || program.options.iter().any(|o| o.id == s.name))
            .map(|s| (s.name.as_str(), s.value.as_str()))
            .collect();
        let options = match check::options(&program, &set) {
            Ok(options) => options,
            Err(faults) => {
                output::complain_of(&faults, &sources, common.color);
                return Exit::Usage;
            }
        };
        for told in suite::test(&program, &options, &sources) {
            let scenario = &program.scenarios[told.scenario.index()];
            if told.failures.is_empty() {
                document.passed += 1;
                continue;
            }
            document.failed += 1;
            exit = exit.max(Exit::Faults);
            if common.json() {
                document.failures.push(Failure {
                    file: path.display().to_string(),
                    scenario: scenario.id.to_string(),
                    fault: cicatriz::diagnostics::json::document(&told.failures, &sources),
                });
                continue;
            }
            out.line(&format!("{}: {} failed", path.display(), scenario.id));
            let placed: Vec<Diagnostic> = told.failures.clone();
            out.text(&render::draw(&placed, &sources, &common.drawing(Stream::Output)));
            for line in told.trace.lines() {
                out.line(&format!("  {line}"));
            }
            out.line("");
        }
    }
    drop(progress);
    if common.json() {
        out.json(&document);
    } else {
        out.line(&format!("{} passed, {} failed", document.passed, document.failed));
    }
    out.finish(exit)
}
