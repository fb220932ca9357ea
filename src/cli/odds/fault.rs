//! Why there are no odds, as a diagnostic.

use cicatriz::diagnostics::{Code, Diagnostic};
use cicatriz::odds::OddsFault;
use cicatriz::program::Program;

/// The diagnostic of a fault. `simulate` is the command to use where exact odds take too long.
pub fn diagnostic(fault: &OddsFault, program: Option<&Program>, simulate: Option<&str>) -> Diagnostic {
    match (fault, program) {
        (OddsFault::Run(fault), Some(program)) => fault.diagnostic(program),
        (OddsFault::Dice(fault), _) => {
            let diagnostic = Diagnostic::error(fault.code(), fault.message());
            match fault.help() {
                Some(help) => diagnostic.help(help),
                None => diagnostic,
            }
        }
        (OddsFault::TooLarge { .. }, _) => {
            let diagnostic = Diagnostic::error(Code::RunLimit, fault.to_string());
            match simulate {
                Some(command) => diagnostic.help(format!("sample them: `{command}`")),
                None => diagnostic.help("fewer dice or faces, or `--times` to see many rolls"),
            }
        }
        (OddsFault::Endless, _) => Diagnostic::error(Code::RunEndless, fault.to_string()),
        (OddsFault::Run(_), None) => Diagnostic::error(Code::RunInternal, fault.to_string()),
    }
}
