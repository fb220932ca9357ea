//! `cicatriz test`: all scenarios with expectations, cases or snapshots.

mod coverage;
mod kept;
mod machines;
mod mutate;
mod report;
mod suite;
mod watch;

use std::path::PathBuf;

use clap::ValueHint;

use super::output::{self, Output};
use super::{Common, Exit};

#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:\n  cicatriz test rules\n  cicatriz test rules --coverage --min 90")]
pub struct Args {
    /// Rule files; a folder means all `.rules` below it, `-` standard input
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    /// Never write a snapshot; so, too, where the variable CI is set
    #[arg(long)]
    pub ci: bool,

    /// What becomes of snapshots that no scenario uses any more
    #[arg(long, value_enum, default_value_t = Unused::Tell, value_name = "WHAT")]
    pub unused: Unused,

    /// Tell what no scenario exercised, with scenarios for it ready to paste
    #[arg(long)]
    pub coverage: bool,

    /// Fail below so many of a hundred: of rows and of transitions, or of changes noticed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub min: Option<u8>,

    /// Change the rules one place at a time, and tell which changes no scenario notices
    #[arg(long)]
    pub mutate: bool,

    /// How many changes are tried in a file at most
    #[arg(long, value_name = "N", default_value_t = cicatriz::suite::mutate::MOST, requires = "mutate")]
    pub most: usize,

    /// Run again whenever a file changes
    #[arg(long)]
    pub watch: bool,

    /// Write the results into a file as JUnit XML
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub junit: Option<PathBuf>,

    /// Write failures as annotations of GitHub, too
    #[arg(long)]
    pub github: bool,
}

/// What becomes of snapshots that no scenario uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Unused {
    /// They are named.
    Tell,
    /// They are deleted.
    Delete,
}

impl Args {
    /// Whether nothing may be written.
    fn is_ci(&self) -> bool {
        let variable = std::env::var_os("CI").unwrap_or_default();
        self.ci || !(variable.is_empty() || variable == "false" || variable == "0")
    }
}

/// Runs every scenario that expects something; all failures are told.
pub fn run(args: Args, common: &Common) -> Exit {
    let wrong = if common.dice.is_some() {
        Some("`--dice` is for one run; a scenario gives its own dice: `dice 7 3 5`")
    } else if args.unused == Unused::Delete && args.is_ci() {
        Some("CI mode never writes: take out `--unused delete`, or `--ci` and the variable CI")
    } else if args.watch && common.json() {
        Some("`--watch` never ends, so there is no document: take out `--format json`")
    } else {
        None
    };
    if let Some(wrong) = wrong {
        output::complain(wrong);
        return Exit::Usage;
    }
    if args.watch { watch::run(&args, common) } else { once(&args, common).0 }
}

/// Runs all once; how it ended, and every file that was read.
fn once(args: &Args, common: &Common) -> (Exit, Vec<PathBuf>) {
    let mut out = Output::stdout();
    let (mut exit, suite) = suite::load(args, common);
    let read = suite.read();
    if suite.wrong_option {
        return (Exit::Usage, read);
    }
    let results = suite.results(args, common);
    if results.failed > 0 {
        exit = exit.max(Exit::Faults);
    }
    let covered = coverage::covered(&suite, &results);
    let mutated = if !args.mutate {
        None
    } else if results.failed > 0 || exit != Exit::Well || !results.unwritten.is_empty() {
        output::complain("nothing is changed as long as a scenario fails: `--mutate` begins with all of them passed");
        None
    } else {
        Some(mutate::all(&suite, args, common))
    };
    let below = report::below(args, &covered, mutated.as_ref());
    if !below.is_empty() {
        exit = exit.max(Exit::Faults);
    }
    report::tell(args, common, &mut out, (&suite, &results, &covered, mutated.as_ref()));
    for line in &below {
        output::complain(line);
    }
    for unwritten in &results.unwritten {
        output::complain(unwritten.to_string());
        exit = Exit::Usage;
    }
    if let Some(path) = &args.junit {
        let written = super::files::write_whole(path, &machines::junit(&suite, &results));
        if let Err(error) = written {
            output::complain(format!("`{}` cannot be written: {error}", path.display()));
            exit = Exit::Usage;
        }
    }
    (out.finish(exit), read)
}
