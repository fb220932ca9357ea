//! Scenarios as tests of the rules: every one that expects something is run, and each expectation
//! that is not met is told where it stands.

use crate::diagnostics::{Code, Diagnostic};
use crate::dice::{DiceSource, Given, Seeded};
use crate::program::{ExpectId, Program, ScenarioId};
use crate::run::{Defaults, Fault, Machine, Note, Observer, Step, Trace, Value, play_out, value_id};
use crate::source::{FileId, Source};

/// The seed of a scenario that gives no dice itself.
pub const SEED: u64 = 1;

/// How one scenario went.
#[derive(Debug)]
pub struct Told<'p> {
    pub scenario: ScenarioId,
    /// Expectations that were looked at.
    pub expectations: usize,
    /// What is wrong, in the order found. Empty where the scenario passed.
    pub failures: Vec<Diagnostic>,
    /// What happened, for whoever wants to know why.
    pub trace: Trace<'p>,
}

/// Runs every scenario of the file asked for that expects something, in the order written. Those of
/// the files it uses are left to their own file: what extends them may well mean to change how they go.
pub fn test<'p>(program: &'p Program, options: &[u32], files: &'p [Source]) -> Vec<Told<'p>> {
    let ids = (0..program.scenarios.len() as u32).map(ScenarioId);
    ids.map(|id| (id, &program.scenarios[id.index()]))
        .filter(|(_, scenario)| scenario.span.file == FileId(0) && !scenario.expectations.is_empty())
        .map(|(id, _)| run(program, options, files, id))
        .collect()
}

/// Runs one scenario with its own dice, or those of [`SEED`].
fn run<'p>(program: &'p Program, options: &[u32], files: &'p [Source], id: ScenarioId) -> Told<'p> {
    let scenario = &program.scenarios[id.index()];
    let begun = Machine::scenario(program, options, id, &[]);
    let blank = Machine::story(program, options);
    let trace = Trace::new(begun.as_ref().unwrap_or(&blank));
    let mut watch = Watch { program, files, trace, failures: Vec::new(), expectations: 0 };
    let mut machine = match begun {
        Ok(machine) => machine,
        Err(fault) => {
            watch.failures.push(failed(&fault, program));
            return watch.told(id);
        }
    };
    match &scenario.dice {
        Some(values) => {
            let mut given = Given::new(values.clone());
            watch.play(&mut machine, &mut given);
            let left = given.left_over();
            if !left.is_empty() && watch.failures.is_empty() {
                let list: Vec<String> = left.iter().map(i64::to_string).collect();
                watch.failures.push(
                    Diagnostic::error(
                        Code::RunDice,
                        format!("{} of the {} dice of `{}` left over", left.len(), values.len(), scenario.id),
                    )
                    .label(scenario.span, format!("nobody rolls `{}`", list.join(" ")))
                    .help(format!("give {}", values.len() - left.len())),
                );
            }
        }
        None => watch.play(&mut machine, &mut Seeded::new(SEED)),
    }
    watch.told(id)
}

fn failed(fault: &Fault, program: &Program) -> Diagnostic {
    fault.diagnostic(program)
}

/// Keeps the trace, and looks at expectations as they come.
struct Watch<'p> {
    program: &'p Program,
    files: &'p [Source],
    trace: Trace<'p>,
    failures: Vec<Diagnostic>,
    expectations: usize,
}

impl<'p> Watch<'p> {
    fn play(&mut self, machine: &mut Machine<'_>, dice: &mut dyn DiceSource) {
        if let Step::Fault(fault) = play_out(machine, dice, &mut Defaults, self) {
            let fault = failed(&fault, self.program);
            self.failures.push(fault);
        }
    }

    fn told(self, scenario: ScenarioId) -> Told<'p> {
        Told { scenario, expectations: self.expectations, failures: self.failures, trace: self.trace }
    }

    fn not_met(&mut self, id: ExpectId, sides: Option<(&Value, &Value)>) {
        let Some(expected) = self.program.expectations.get(id.index()) else { return };
        let written = self.files.get(expected.span.file.0 as usize).map_or("", |f| f.slice(expected.span));
        let fault = Diagnostic::error(Code::ScenarioFailed, format!("`{written}` is not so"));
        self.failures.push(match (sides, expected.sides) {
            (Some((left, right)), Some((left_type, right_type))) => {
                let (left, right) =
                    (value_id(self.program, left_type, left), value_id(self.program, right_type, right));
                fault.label(expected.span, format!("it is {left}, not {right}")).help(format!(
                    "change what is expected to `{left}`, or the rules; the trace says how it came to this"
                ))
            }
            _ => fault
                .label(expected.span, "it is no")
                .help("change what is expected, or the rules; the trace says how it came to this"),
        });
    }
}

impl Observer for Watch<'_> {
    fn note(&mut self, note: Note<'_>) {
        if let Note::Expect { expect, met, sides } = note {
            self.expectations += 1;
            if !met {
                self.not_met(expect, sides);
            }
        }
        self.trace.note(note);
    }

    fn settled(&mut self, machine: &Machine<'_>, quiet: bool) {
        self.trace.settled(machine, quiet);
    }
}
