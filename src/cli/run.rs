//! `cicatriz run`: one run of a table or scenario.

use std::collections::BTreeMap;
use std::path::PathBuf;

use cicatriz::check::{self, Argument};
use cicatriz::diagnostics::{Code, Diagnostic, json, nearest};
use cicatriz::program::{Param, Program, ScenarioId, TableId};
use cicatriz::run::{Defaults, Machine, Step, Trace, Value, play_out};
use cicatriz::say;
use cicatriz::source::Source;
use clap::ValueHint;

use super::dice::CommandDice;
use super::output::{self, Output};
use super::{Common, Exit, Setting, load, paint};
use crate::cli::ui::ui;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz run rules/old_world.rules wound untreated=2 --seed 7")]
pub struct Args {
    /// The rule file; `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// A table or a scenario; `cicatriz list FILE` tells which there are
    pub target: String,

    /// Arguments: untreated=2
    #[arg(value_name = "NAME=VALUE")]
    pub arguments: Vec<Setting>,
}

/// A table or a scenario.
#[derive(Debug, Clone, Copy)]
pub enum Target {
    Table(TableId),
    Scenario(ScenarioId),
}

/// A target with its arguments and options, ready to run.
pub struct Asked<'p> {
    pub program: &'p Program,
    pub target: Target,
    pub id: &'p str,
    pub params: &'p [Param],
    /// As given; `None` where the default is taken.
    pub args: Vec<Option<Value>>,
    pub options: Vec<u32>,
}

impl<'p> Asked<'p> {
    /// Finds the target and reads its arguments and the options.
    pub fn new(program: &'p Program, name: &str, given: &[Setting], set: &[Setting]) -> Result<Self, Vec<Diagnostic>> {
        let target = target(program, name).map_err(|fault| vec![*fault])?;
        let (id, params) = match target {
            Target::Table(id) => (program.tables[id.index()].id.as_str(), program.tables[id.index()].params.as_slice()),
            Target::Scenario(id) => {
                (program.scenarios[id.index()].id.as_str(), program.scenarios[id.index()].params.as_slice())
            }
        };
        let pairs = |list: &'_ [Setting]| list.iter().map(|s| (s.name.clone(), s.value.clone())).collect::<Vec<_>>();
        let (given, set) = (pairs(given), pairs(set));
        let given: Vec<(&str, &str)> = given.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let set: Vec<(&str, &str)> = set.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let args = check::arguments(program, id, params, &given)?
            .into_iter()
            .map(|argument| {
                argument.map(|argument| match argument {
                    Argument::Number(number) => Value::Number(number),
                    Argument::Dice(dice) => Value::Dice(dice),
                })
            })
            .collect();
        Ok(Asked { program, target, id, params, args, options: check::options(program, &set)? })
    }

    pub fn machine(&self) -> Result<Machine<'p>, Diagnostic> {
        match self.target {
            Target::Table(id) => Machine::reading(self.program, &self.options, id, &self.args),
            Target::Scenario(id) => Machine::scenario(self.program, &self.options, id, &self.args),
        }
        .map_err(|fault| fault.diagnostic(self.program))
    }

    /// The arguments as scripts read them; those left out are not there.
    pub fn arguments(&self) -> BTreeMap<String, serde_json::Value> {
        self.params
            .iter()
            .zip(&self.args)
            .filter_map(|(param, value)| {
                let value = value.as_ref()?;
                let text = cicatriz::run::value_id(self.program, param.ty, value);
                let json = match (param.ty, value) {
                    (cicatriz::program::Type::Number { .. }, Value::Number(n)) => (*n).into(),
                    (cicatriz::program::Type::YesNo, Value::Number(n)) => (*n == 1).into(),
                    _ => text.into(),
                };
                Some((param.id.to_string(), json))
            })
            .collect()
    }
}

fn target(program: &Program, name: &str) -> Result<Target, Box<Diagnostic>> {
    if let Some(index) = program.tables.iter().position(|t| t.id == name) {
        return Ok(Target::Table(TableId(index as u32)));
    }
    if let Some(index) = program.scenarios.iter().position(|s| s.id == name) {
        return Ok(Target::Scenario(ScenarioId(index as u32)));
    }
    let known: Vec<&str> =
        program.tables.iter().map(|t| t.id.as_str()).chain(program.scenarios.iter().map(|s| s.id.as_str())).collect();
    let fault = Diagnostic::error(
        Code::RunTarget,
        say!("`{system}` has no table or scenario called `{name}`", system = program.system.id, name),
    );
    Err(Box::new(match nearest(name, known.iter().copied()) {
        Some(near) => fault.help(say!("write `{near}`", near)),
        None if known.is_empty() => fault.help("it has neither tables nor scenarios"),
        None => fault.help(say!("there are `{known}`", known = known.join("`, `"))),
    }))
}

#[derive(serde::Serialize)]
struct Document<T> {
    system: String,
    target: String,
    arguments: BTreeMap<String, serde_json::Value>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    options: BTreeMap<String, String>,
    seed: Option<u64>,
    outcome: String,
    trace: T,
}

/// One run with its trace.
pub fn run(args: Args, common: &Common) -> Exit {
    let (program, files) = match load::program(&args.file, common) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let asked = match Asked::new(&program, &args.target, &args.arguments, &common.set) {
        Ok(asked) => asked,
        Err(faults) => return refuse(&faults, &files, common, Exit::Usage),
    };
    let mut machine = match asked.machine() {
        Ok(machine) => machine,
        Err(fault) => return refuse(&[fault], &files, common, Exit::Usage),
    };
    let mut trace = Trace::new(&machine);
    let mut dice = CommandDice::new(common);
    let outcome = match play_out(&mut machine, &mut dice, &mut Defaults, &mut trace) {
        Step::Finished(outcome) => outcome.text(&program),
        Step::Fault(fault) => {
            if !common.json() {
                let mut out = Output::stdout();
                paint::tell(&trace, common, &mut out);
                out.flush();
            }
            let fault = fault.diagnostic(&program);
            let exit = if fault.code == Code::RunDice { Exit::Usage } else { Exit::Faults };
            return refuse(&[fault], &files, common, exit);
        }
        _ => String::new(),
    };
    if let Some(fault) = dice.left_over() {
        return refuse(&[fault], &files, common, Exit::Usage);
    }
    let mut out = Output::stdout();
    if common.json() {
        out.json(&Document {
            system: program.system.id.to_string(),
            target: asked.id.to_owned(),
            arguments: asked.arguments(),
            options: program
                .options
                .iter()
                .zip(&asked.options)
                .map(|(o, chosen)| {
                    (o.id.to_string(), o.members.get(*chosen as usize).map(|m| m.id.to_string()).unwrap_or_default())
                })
                .collect(),
            seed: dice.seed(),
            outcome,
            trace: trace.json(),
        });
    } else {
        paint::tell(&trace, common, &mut out);
        if matches!(asked.target, Target::Scenario(_)) {
            out.say(say!("outcome: {outcome}", outcome));
        }
        if let Some(seed) = dice.seed() {
            out.say(say!("seed {seed}", seed));
        }
    }
    out.finish(Exit::Well)
}

/// Tells what is wrong, in the form asked for.
pub fn refuse(faults: &[Diagnostic], files: &[Source], common: &Common, exit: Exit) -> Exit {
    if common.json() {
        let mut out = Output::stdout();
        out.json(&json::document_in(faults, files, ui()));
        return out.finish(exit);
    }
    output::complain_of(faults, files, common.color);
    exit
}
