//! `cicatriz roll`: one ad-hoc roll.

use super::{Common, Exit};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz roll 2d6+3 --seed 7")]
pub struct Args {
    /// The dice, in one word or several: 2d6+3
    #[arg(required = true, value_name = "EXPR", allow_negative_numbers = true)]
    pub expression: Vec<String>,

    /// Roll so many times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub times: u64,
}

/// One ad-hoc roll with every die shown.
pub fn run(args: Args, common: &Common) -> Exit {
    let _ = (args, common);
    super::unbuilt("roll")
}
