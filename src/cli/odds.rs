//! `cicatriz odds`: the exact odds of a table or scenario.

use std::path::{Path, PathBuf};

use cicatriz::program::Program;
use cicatriz::source::Source;
use clap::ValueHint;

use super::chances::{self, Columns};
use super::run::{Asked, Target, refuse};
use super::{Common, Exit, Setting, load};

mod against;
mod ask;
mod fault;
mod found;
mod rows;
mod sweep;
pub mod watch;

pub use fault::diagnostic;
pub use found::{line, of_dice, title};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cicatriz odds rules/old_world.rules wound untreated=2
  cicatriz odds rules/old_world.rules wound --sweep untreated=0..8 --svg wounds.svg
  cicatriz odds rules/fifth_edition.rules last_stand --against-with resistant=yes")]
pub struct Args {
    /// The rule file; `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// A table or a scenario; `cicatriz list FILE` tells which there are
    pub target: String,

    /// Arguments: untreated=2
    #[arg(value_name = "NAME=VALUE")]
    pub arguments: Vec<Setting>,

    #[command(flatten)]
    pub columns: Columns,

    /// Show the whole table, a chance beside each row, also of rows that never come up
    #[arg(long, conflicts_with_all = ["sweep", "against", "against_set", "against_with"])]
    pub table: bool,

    /// One distribution for each value of an argument: untreated=0..8, or weapon=1d6,2d4; may be given twice
    #[arg(long, value_name = "NAME=VALUES", conflicts_with_all = ["against", "against_set", "against_with"])]
    pub sweep: Vec<Setting>,

    /// How far each outcome moves to another rule file, with the same target and arguments
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub against: Option<PathBuf>,

    /// How far each outcome moves with an option set differently; may be repeated
    #[arg(long, value_name = "OPTION=VALUE")]
    pub against_set: Vec<Setting>,

    /// How far each outcome moves with another argument; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub against_with: Vec<Setting>,
}

impl Args {
    fn compares(&self) -> bool {
        self.against.is_some() || !self.against_set.is_empty() || !self.against_with.is_empty()
    }
}

/// The exact odds of a table or scenario.
pub fn run(args: Args, common: &Common) -> Exit {
    told(&args, common).unwrap_or_else(|exit| exit)
}

fn told(args: &Args, common: &Common) -> Result<Exit, Exit> {
    let (program, files) = load::program(&args.file, common)?;
    let rules = Rules { program: &program, files: &files, path: &args.file };
    if args.compares() {
        return against::run(&rules, args, common);
    }
    if !args.sweep.is_empty() {
        return sweep::run(&rules, args, common);
    }
    let asked = rules.asked(&args.target, &args.arguments, &common.set, common)?;
    let mut watch = watch::Live::new();
    let odds = rules.odds(&asked, &common.set, &mut watch, common)?;
    drop(watch);
    let mut found = found::of_rules(&program, &asked, &odds);
    if args.table {
        rows::complete(&mut found, &program, &asked).map_err(|fault| refuse(&[*fault], &files, common, Exit::Usage))?;
        if !common.is_text() {
            return Ok(chances::tell(&found, &args.columns, common));
        }
        return rows::tell(&found, &program, &asked, &args.columns);
    }
    Ok(chances::tell(&found, &args.columns, common))
}

/// A rule file that is asked about.
pub struct Rules<'p> {
    pub program: &'p Program,
    pub files: &'p [Source],
    pub path: &'p Path,
}

impl<'p> Rules<'p> {
    /// The target with its arguments and options.
    pub fn asked(
        &self,
        target: &str,
        arguments: &[Setting],
        set: &[Setting],
        common: &Common,
    ) -> Result<Asked<'p>, Exit> {
        Asked::new(self.program, target, arguments, set)
            .map_err(|faults| refuse(&faults, self.files, common, Exit::Usage))
    }
}

/// Whether the target is a table.
fn is_table(asked: &Asked<'_>) -> bool {
    matches!(asked.target, Target::Table(_))
}
