//! `cicatriz odds`: the exact odds of a table or scenario.

use std::collections::BTreeMap;
use std::path::PathBuf;

use cicatriz::odds::{Bounds, Distribution, Fraction, OutcomeChance, RuleOdds, of_machine, of_scenario};
use cicatriz::program::{Program, Row};
use cicatriz::run::Outcome;
use clap::ValueHint;

use super::run::{Asked, Target, refuse};
use super::{Common, Exit, Setting, load};

mod fault;
mod show;

pub use fault::diagnostic;
pub use show::{Columns, Found, Line, bar, percent, running, shown, tell};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz odds rules/old_world.rules wound untreated=2")]
pub struct Args {
    /// The rule file; `-` is standard input
    #[arg(value_hint = ValueHint::FilePath)]
    pub file: PathBuf,

    /// A table or a scenario; `cicatriz list FILE` tells which there are
    pub target: String,

    /// Arguments: untreated=2
    #[arg(value_name = "NAME=VALUE")]
    pub arguments: Vec<Setting>,

    #[command(flatten)]
    pub columns: Columns,
}

/// The exact odds of a table or scenario.
pub fn run(args: Args, common: &Common) -> Exit {
    let (program, files) = match load::program(&args.file, common) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let asked = match Asked::new(&program, &args.target, &args.arguments, &common.set) {
        Ok(asked) => asked,
        Err(faults) => return refuse(&faults, &files, common, Exit::Usage),
    };
    let machine = match asked.machine() {
        Ok(machine) => machine,
        Err(fault) => return refuse(&[fault], &files, common, Exit::Usage),
    };
    let bounds = Bounds::default();
    let odds = match asked.target {
        Target::Table(_) => of_machine(&machine, &bounds),
        Target::Scenario(id) => of_scenario(&program, &asked.options, id, &asked.args, &bounds),
    };
    let odds = match odds {
        Ok(odds) => odds,
        Err(fault) => {
            let simulate = simulate(&args);
            return refuse(&[diagnostic(&fault, Some(&program), Some(&simulate))], &files, common, Exit::Faults);
        }
    };
    tell(found(&program, &asked, &odds), &args.columns, common)
}

/// The command that samples what cannot be worked out exactly.
fn simulate(args: &Args) -> String {
    let arguments: String = args.arguments.iter().map(|argument| format!(" {argument}")).collect();
    format!("cicatriz simulate {} {}{arguments} -n 100000", args.file.display(), args.target)
}

fn found(program: &Program, asked: &Asked<'_>, odds: &RuleOdds) -> Found {
    let numbers = odds.numbers().filter(|_| odds.outcomes.iter().all(|found| found.outcome.is_some()));
    let defaults = odds.defaults.iter().filter_map(|id| program.questions.get(id.index()));
    let mut defaults: Vec<String> = defaults.map(|question| question.id.to_string()).collect();
    defaults.dedup();
    Found {
        target: asked.id.to_owned(),
        arguments: asked.arguments(),
        lines: odds.outcomes.iter().map(|found| line(program, found)).collect(),
        numbers,
        cut: odds.cut.clone(),
        defaults,
    }
}

pub fn line(program: &Program, found: &OutcomeChance) -> Line {
    let row = match &found.outcome {
        Some(Outcome::Row(table, row)) => {
            program.tables.get(table.index()).and_then(|table| table.rows.get(*row as usize))
        }
        _ => None,
    };
    let title = match &found.outcome {
        Some(Outcome::Row(..)) => row.and_then(|row| row_title(program, row)),
        Some(Outcome::Case(scenario, case)) => {
            let scenario = program.scenarios.get(scenario.index());
            scenario.and_then(|scenario| scenario.cases.get(*case as usize)).map(|case| case.title.to_string())
        }
        Some(Outcome::State(sheet, state)) => {
            let states = program.sheets.get(sheet.index()).map(|sheet| &sheet.states);
            let state = usize::try_from(*state).ok().and_then(|state| states?.get(state));
            state.map(|state| state.title.to_string())
        }
        _ => None,
    };
    Line {
        outcome: found.outcome.as_ref().map_or_else(|| "cut off".to_owned(), |outcome| outcome.text(program)),
        range: row.map(|row| row.range.to_string()),
        title: title.filter(|title| !title.is_empty()),
        chance: found.chance.clone(),
    }
}

/// The title of a row, with the dice of values that its body would roll.
fn row_title(program: &Program, row: &Row) -> Option<String> {
    let mut title = program.messages.get(row.title?.index())?.one.to_string();
    for shown in &row.shown {
        if let Some(dice) = &shown.dice {
            title = title.replace(&format!("{{{}}}", shown.name), dice);
        }
    }
    Some(title)
}

/// What is told of the odds of dice.
pub fn of_dice(expression: &str, odds: &Distribution) -> Found {
    let line = |(value, chance): (i64, Fraction)| Line { outcome: value.to_string(), range: None, title: None, chance };
    Found {
        target: expression.to_owned(),
        arguments: BTreeMap::new(),
        lines: odds.chances().into_iter().map(line).collect(),
        numbers: Some(odds.clone()),
        cut: odds.cut(),
        defaults: Vec::new(),
    }
}
