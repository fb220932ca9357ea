//! `cicatriz simulate`: sampled odds of dice, a table or a scenario.

use std::collections::BTreeMap;
use std::path::PathBuf;

use cicatriz::check::ad_hoc;
use cicatriz::diagnostics::{Code, Diagnostic};
use cicatriz::dice::Dice;
use cicatriz::program::Program;
use cicatriz::say;
use cicatriz::simulate::{OUTCOMES, Part, RUNS, SimulateFault, Simulation};
use cicatriz::source::{FileId, Source, Span};
use cicatriz::wording::Wording;
use clap::ValueHint;

use super::again::{command, quoted};
use super::chances::{self, Columns};
use super::output::{self, Format, Output};
use super::run::{Asked, Target, refuse};
use super::{Common, Exit, Setting, dice, load};

mod count;
mod merge;
mod sampled;
mod shard;

use sampled::Sampled;
use shard::{Shard, Share, digest};

/// How many runs there are where nobody says.
const USUAL: u64 = 100_000;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz simulate rules/fifth_edition.rules death_saves -n 100000 --seed 7")]
pub struct Args {
    /// The rule file; `-` is standard input. Without a target: dice, as in `cicatriz simulate 4d6kh3`
    #[arg(value_hint = ValueHint::FilePath, required_unless_present = "merge")]
    pub file: Option<PathBuf>,

    /// A table or a scenario; `cicatriz list FILE` tells which there are
    pub target: Option<String>,

    /// Arguments: untreated=2
    #[arg(value_name = "NAME=VALUE")]
    pub arguments: Vec<Setting>,

    /// How many runs [default: 100000]
    #[arg(short = 'n', long, value_name = "N", value_parser = runs, allow_hyphen_values = true)]
    pub runs: Option<u64>,

    /// How many threads; the result is the same with any number [default: one for each core]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub threads: Option<u64>,

    /// Run only this part of all runs, and write JSON for `--merge`; takes `--seed`
    #[arg(long, value_name = "PART/PARTS")]
    pub shard: Option<Share>,

    /// Join all parts of one simulation, as `--shard` wrote them
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["file", "target", "arguments", "runs", "threads", "shard"])]
    pub merge: Vec<PathBuf>,

    #[command(flatten)]
    pub columns: Columns,
}

fn runs(text: &str) -> Result<u64, String> {
    if text.is_empty() || text.chars().any(|c| !c.is_ascii_digit()) {
        return Err("write a whole number in digits: 100000".to_owned());
    }
    match text.parse() {
        Ok(0) => Err("there must be at least 1 run".to_owned()),
        Ok(runs) if runs <= RUNS => Ok(runs),
        _ => Err(format!("at most {RUNS} runs")),
    }
}

/// Sampled odds.
pub fn run(args: Args, common: &Common) -> Exit {
    if common.dice.is_some() {
        output::complain("`simulate` rolls very many times: leave `--dice` out, or give them to `run`");
        return Exit::Usage;
    }
    if !args.merge.is_empty() {
        return join(&args, common);
    }
    if args.shard.is_some() && common.seed.is_none() {
        output::complain("all parts of a simulation need the same seed: give `--seed` with `--shard`");
        return Exit::Usage;
    }
    if args.shard.is_some() && (args.columns.asks() || matches!(common.format, Format::Csv | Format::Markdown)) {
        output::complain("a part is written as JSON for `--merge`: ask `--merge` for columns, forms and pictures");
        return Exit::Usage;
    }
    let file = args.file.clone().unwrap_or_default();
    match &args.target {
        Some(target) => of_rules(&args, &file, target, common),
        None => of_dice(&args, &file.to_string_lossy(), common),
    }
}

fn join(args: &Args, common: &Common) -> Exit {
    let given =
        [("--seed", common.seed.is_some()), ("--set", !common.set.is_empty()), ("--lang", common.lang.is_some())];
    if let Some((flag, _)) = given.into_iter().find(|(_, given)| *given) {
        output::complain(format!("`--merge` takes it from the parts: leave `{flag}` out"));
        return Exit::Usage;
    }
    match merge::merged(&args.merge, common) {
        Ok(sampled) => chances::tell(&sampled.found(), &args.columns, common),
        Err(exit) => exit,
    }
}

/// What was asked for, before anything is counted.
fn asked(args: &Args, common: &Common, target: String, arguments: BTreeMap<String, serde_json::Value>) -> Sampled {
    Sampled {
        target,
        title: None,
        arguments,
        options: BTreeMap::new(),
        seed: dice::seed(common),
        asked: args.runs.unwrap_or(USUAL),
        runs: 0,
        outcomes: Vec::new(),
        turns: Vec::new(),
        defaults: Vec::new(),
    }
}

fn of_rules(args: &Args, file: &std::path::Path, target: &str, common: &Common) -> Exit {
    let (program, files) = match load::program(file, common) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let asked = match Asked::new(&program, target, &args.arguments, &common.set) {
        Ok(asked) => asked,
        Err(faults) => return refuse(&faults, &files, common, Exit::Usage),
    };
    let mut sampled = self::asked(args, common, asked.id.to_owned(), asked.arguments());
    sampled.title = super::odds::title(&program, &asked);
    sampled.options = chosen(&program, &asked.options);
    let many = (sampled.seed, sampled.asked);
    let simulation = match asked.target {
        Target::Table(id) => Simulation::table(&program, &asked.options, id, &asked.args, many),
        Target::Scenario(id) => Simulation::scenario(&program, &asked.options, id, &asked.args, many),
    };
    let simulation = match simulation {
        Ok(simulation) => simulation,
        Err(fault) => return refuse(&[fault.diagnostic(&program)], &files, common, Exit::Usage),
    };
    match counted(args, &simulation, &sampled) {
        Ok(tally) => sampled.count(Some(&program), tally, &simulation.repeats()),
        Err(fault) => {
            let again = |seed: u64| command("run", file, target, &args.arguments, common, &format!("--seed {seed}"));
            let fault = diagnostic(&fault, Some(&program), sampled.asked, again);
            return refuse(&[fault], &files, common, Exit::Faults);
        }
    }
    tell(args, sampled, &files, common)
}

fn of_dice(args: &Args, text: &str, common: &Common) -> Exit {
    let source = Source::new("<dice>", text);
    let sources = std::slice::from_ref(&source);
    let (dice, diagnostics) = match std::path::Path::new(text).exists() || text == "-" {
        true => (None, Vec::new()),
        false => ad_hoc(text),
    };
    let Some(dice) = dice else {
        if diagnostics.is_empty() || text.ends_with(".rules") {
            let list = format!("`cicatriz list {}` tells which there are", quoted(text));
            output::complain(format!("a table or scenario is missing behind the file: {list}"));
            return Exit::Usage;
        }
        return refuse(&diagnostics, sources, common, Exit::Usage);
    };
    if !common.json() {
        output::complain_of(&diagnostics, sources, common.color);
    }
    let mut sampled = asked(args, common, dice.to_string(), BTreeMap::new());
    let simulation = Simulation::dice(&dice, sampled.seed, sampled.asked);
    match counted(args, &simulation, &sampled) {
        Ok(tally) => sampled.count(None, tally, &[]),
        Err(fault) => {
            let again = |seed: u64| format!("cicatriz roll {} --seed {seed}", quoted(&Dice::to_string(&dice)));
            let whole = Span::new(FileId(0), 0..text.len());
            let fault = diagnostic(&fault, None, sampled.asked, again).label(whole, "in these dice");
            return refuse(&[fault], sources, common, Exit::Faults);
        }
    }
    tell(args, sampled, sources, common)
}

fn counted(
    args: &Args,
    simulation: &Simulation<'_>,
    sampled: &Sampled,
) -> Result<cicatriz::simulate::Tally, SimulateFault> {
    let part = args.shard.map_or(Part::WHOLE, |share| share.0);
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.and_then(|threads| usize::try_from(threads).ok()).unwrap_or_else(cores);
    count::count(simulation, part, sampled.asked, threads)
}

fn tell(args: &Args, sampled: Sampled, files: &[Source], common: &Common) -> Exit {
    if let Some(shard) = args.shard {
        if sampled.runs < shard.0.runs(sampled.asked) {
            output::complain(format!("stopped: nothing is written of part {shard}, for a part is whole or none"));
            return Exit::Faults;
        }
        let cicatriz = env!("CARGO_PKG_VERSION").to_owned();
        let mut out = Output::stdout();
        out.json(&Shard { shard, cicatriz, rules: digest(files), lang: common.lang.clone(), sampled });
        return out.finish(Exit::Well);
    }
    if sampled.runs == 0 {
        output::complain("stopped before the first runs were done: nothing is known");
        return Exit::Faults;
    }
    chances::tell(&sampled.found(), &args.columns, common)
}

/// The members chosen of all options.
fn chosen(program: &Program, options: &[u32]) -> BTreeMap<String, String> {
    let chosen = program.options.iter().zip(options);
    chosen
        .map(|(option, chosen)| {
            let member = option.members.get(*chosen as usize).map(|member| member.id.to_string());
            (option.id.to_string(), member.unwrap_or_default())
        })
        .collect()
}

/// Why there is no result. `again` is the command that repeats a run by its seed.
fn diagnostic(
    fault: &SimulateFault,
    program: Option<&Program>,
    runs: u64,
    again: impl Fn(u64) -> String,
) -> Diagnostic {
    let (run, seed, mut told) = match fault {
        SimulateFault::Run { run, seed, fault } => {
            let told = match program {
                Some(program) => fault.diagnostic(program),
                None => Diagnostic::error(Code::RunInternal, format!("{:?}", fault.kind)),
            };
            (*run, *seed, told)
        }
        SimulateFault::Dice { run, seed, fault } => {
            let told = Diagnostic::error(fault.code(), fault.message());
            (*run, Some(*seed), fault.help().into_iter().fold(told, Diagnostic::help))
        }
        SimulateFault::Outcomes => {
            let what = format!("more than {OUTCOMES} different outcomes, or numbers of turns; that is the limit");
            return Diagnostic::error(Code::RunLimit, what)
                .help("ask for less of it: a state, a row or named cases as the outcome, or fewer runs");
        }
    };
    told.message = say!("run {run} of {runs}: {fault}", run, runs, fault = told.message);
    let see = seed.map(|seed| say!("see this run: `{command}`", command = again(seed)));
    let help: Vec<Wording> = told.help.take().into_iter().chain(see).collect();
    match help.is_empty() {
        true => told,
        false => told.help(Wording::list(help, "\n")),
    }
}
