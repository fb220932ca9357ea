//! The command line. Arguments, command and exit status; what it does stands in [`cli`].
#![forbid(unsafe_code)]

#[allow(dead_code, unused_imports, reason = "some verbs wait for what they need of the library")]
mod cli;

fn main() -> std::process::ExitCode {
    cli::main(std::env::args_os()).into()
}
