//! `cicatriz play`: at the table.

use std::path::PathBuf;

use clap::ValueHint;

use super::{Common, Exit};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz play rules/old_world.rules")]
pub struct Args {
    /// The rule file; `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// Go on with a saved game
    #[arg(long, value_name = "SAVED", value_hint = ValueHint::FilePath)]
    pub load: Option<PathBuf>,
}

/// At the table: keeps sheets, fires events, rolls, undoes, saves.
pub fn run(args: Args, common: &Common) -> Exit {
    let _ = (args, common);
    super::unbuilt("play")
}
