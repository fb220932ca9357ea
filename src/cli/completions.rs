//! `cicatriz completions`: scripts that let a shell complete verbs, flags and files.

use clap::CommandFactory;
use clap_complete::Shell;

use super::output::Output;
use super::{Cli, Common, Exit};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz completions bash > cicatriz.bash")]
pub struct Args {
    /// The shell the script is for
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Prints a completion script for a shell.
pub fn run(args: Args, _common: &Common) -> Exit {
    // Built in memory: clap_complete panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cicatriz", &mut script);
    let mut out = Output::stdout();
    out.bytes(&script);
    out.finish(Exit::Well)
}
