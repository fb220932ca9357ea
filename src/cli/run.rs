//! `cicatriz run`: one run of a table or scenario.

use std::path::PathBuf;

use clap::ValueHint;

use super::{Common, Exit, Setting};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz run rules/old_world.rules wound untreated=2 --seed 7")]
pub struct Args {
    /// The rule file; `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// The table or scenario to run
    pub target: String,

    /// Its arguments; the others keep their defaults
    #[arg(value_name = "NAME=VALUE")]
    pub arguments: Vec<Setting>,
}

/// One run of a table or scenario, with its trace.
pub fn run(args: Args, common: &Common) -> Exit {
    let _ = (args, common);
    super::unbuilt("run")
}
