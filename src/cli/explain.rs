//! `cicatriz explain`: a diagnostic in depth, or a dice expression in words.

use super::{Common, Exit};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz explain table::gap\n  cicatriz explain 4d6kh3")]
pub struct Args {
    /// The code of a diagnostic, or dice in one word or several
    #[arg(required = true, value_name = "CODE or EXPR", allow_negative_numbers = true)]
    pub what: Vec<String>,
}

/// Explains a diagnostic in depth, or a dice expression in words.
pub fn run(args: Args, common: &Common) -> Exit {
    let _ = (args, common);
    super::unbuilt("explain")
}
