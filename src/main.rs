//! The command line. Arguments, command and exit status; what it does stands in [`cli`].
#![forbid(unsafe_code)]

mod cli;

fn main() -> std::process::ExitCode {
    cli::main(std::env::args_os()).into()
}
