//! `cicatriz check`: every diagnostic of the files.

use std::path::PathBuf;

use clap::ValueHint;

use super::{Common, Exit};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz check rules")]
pub struct Args {
    /// Rule files; a folder means all `.rules` below it, `-` standard input
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
}

/// Tells every diagnostic of the files.
pub fn run(args: Args, common: &Common) -> Exit {
    let _ = (args, common);
    super::unbuilt("check")
}
