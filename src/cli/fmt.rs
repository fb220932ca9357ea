//! `cicatriz fmt`: canonical layout.

use std::path::PathBuf;

use clap::ValueHint;

use super::{Common, Exit};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz fmt --check rules")]
pub struct Args {
    /// Rule files; a folder means all `.rules` below it, `-` standard input
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    /// Change nothing, only say which files are not in the canonical layout
    #[arg(long)]
    pub check: bool,
}

/// Brings files into the canonical layout.
pub fn run(args: Args, common: &Common) -> Exit {
    let _ = (args, common);
    super::unbuilt("fmt")
}
