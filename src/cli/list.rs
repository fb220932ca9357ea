//! `cicatriz list`: what a file offers.

use std::path::PathBuf;

use clap::ValueHint;

use super::{Common, Exit};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz list rules/old_world.rules")]
pub struct Args {
    /// The rule file; `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
}

/// Tells what a file offers: tables, scenarios, sheets, events, arguments with their bounds.
pub fn run(args: Args, common: &Common) -> Exit {
    let _ = (args, common);
    super::unbuilt("list")
}
