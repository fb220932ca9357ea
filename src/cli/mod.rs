//! `cicatriz VERB …`: which verbs there are, the flags all of them take, and how they end.

mod again;
mod catalog;
mod chances;
mod check;
mod common;
mod completions;
mod dice;
mod diff;
mod explain;
mod explain_dice;
mod files;
mod fmt;
mod list;
mod load;
mod odds;
mod output;
mod paint;
mod play;
mod progress;
mod review;
mod roll;
mod run;
mod simulate;
mod snapshots;
mod test;
mod translate;
mod ui;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

pub use common::{Common, Setting};
use output::Format;

/// How a command ends. The graver of two is the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// 0: all well.
    Well,
    /// 1: the rules, tests or translations have faults.
    Faults,
    /// 2: wrong usage, or a file that cannot be read.
    Usage,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Well => 0,
            Exit::Faults => 1,
            Exit::Usage => 2,
        })
    }
}

/// Reads tabletop game rules as plain text and runs them: dice, lookup tables and states
#[derive(Debug, Parser)]
#[command(name = "cicatriz", version, max_term_width = 100)]
#[command(subcommand_value_name = "VERB", subcommand_help_heading = "Verbs")]
#[command(subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = "Exit status: 0 all well; 1 the rules or tests have faults; 2 wrong usage, \
                        or a file that cannot be read.")]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Tell every fault of rule files
    Check(check::Args),
    /// Roll dice, every die shown
    Roll(roll::Args),
    /// Run a table or scenario once, with its trace
    Run(run::Args),
    /// Tell the exact odds of a table or scenario
    Odds(odds::Args),
    /// Tell sampled odds: very many runs, with their error
    Simulate(simulate::Args),
    /// Tell what a rule file offers
    List(list::Args),
    /// Play at the table: sheets, events, rolls, undo
    Play(play::Args),
    /// Bring rule files into the canonical layout
    Fmt(fmt::Args),
    /// Explain the code of a fault, or a dice expression
    Explain(explain::Args),
    /// Run all scenarios with expectations
    Test(test::Args),
    /// Look through changed snapshots, accept or reject them
    Review(review::Args),
    /// Catalogs for translators: extract, update, status, check, pseudo
    Translate(translate::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
}

/// Runs the command that these words say; the first is the program's own name.
pub fn main(words: impl IntoIterator<Item = OsString>) -> Exit {
    let words: Vec<OsString> = words.into_iter().map(minus_first).collect();
    if let Err(why) = ui::choose(&words) {
        output::complain(why);
        return Exit::Usage;
    }
    match parse(words) {
        Ok(Cli { verb, common }) => verb.run(&common),
        Err(error) => {
            // Help that nobody reads any more is no fault.
            let _ = error.print();
            if error.use_stderr() { Exit::Usage } else { Exit::Well }
        }
    }
}

/// `-2d6` is a roll and no flag: a blank before it says so.
fn minus_first(word: OsString) -> OsString {
    let mut letters = word.to_str().unwrap_or_default().chars();
    let is_roll =
        letters.next() == Some('-') && letters.next().is_some_and(|c| c.is_ascii_digit() || matches!(c, '(' | '{'));
    let is_dice = word.to_str().is_some_and(|w| w.contains(['d', 'D', '(', '{']));
    if is_roll && is_dice {
        let mut blank = OsString::from(" ");
        blank.push(word);
        return blank;
    }
    word
}

fn parse(words: Vec<OsString>) -> Result<Cli, clap::Error> {
    let mut command = Cli::command().color(color_of_help(&words));
    let matches = command.try_get_matches_from_mut(words)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Help and usage errors keep `--color` too, though they come before it is parsed.
fn color_of_help(words: &[OsString]) -> ColorChoice {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let value = words.iter().enumerate().find_map(|(at, word)| match word.strip_prefix("--color") {
        Some("") => words.get(at + 1).map(AsRef::as_ref),
        Some(rest) => rest.strip_prefix('='),
        None => None,
    });
    match value {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

impl Verb {
    /// Whether it tells distributions, which have more forms than other answers.
    fn tells_odds(&self) -> bool {
        match self {
            Verb::Odds(_) | Verb::Simulate(_) => true,
            Verb::Roll(args) => args.odds,
            _ => false,
        }
    }

    fn run(self, common: &Common) -> Exit {
        if matches!(common.format, Format::Csv | Format::Markdown) && !self.tells_odds() {
            output::complain("only odds are told as csv or markdown: write `--format text` or `--format json`");
            return Exit::Usage;
        }
        match self {
            Verb::Check(args) => check::run(args, common),
            Verb::Roll(args) => roll::run(args, common),
            Verb::Run(args) => run::run(args, common),
            Verb::Odds(args) => odds::run(args, common),
            Verb::Simulate(args) => simulate::run(args, common),
            Verb::List(args) => list::run(args, common),
            Verb::Play(args) => play::run(args, common),
            Verb::Fmt(args) => fmt::run(args, common),
            Verb::Explain(args) => explain::run(args, common),
            Verb::Test(args) => test::run(args, common),
            Verb::Review(args) => review::run(args, common),
            Verb::Translate(args) => translate::run(args, common),
            Verb::Completions(args) => completions::run(args, common),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn the_tree_of_commands_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn each_verb_shows_an_example_that_parses() {
        for verb in Cli::command().get_subcommands().filter(|verb| verb.get_name() != "help") {
            let help = verb.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples: Vec<_> = help.lines().map(str::trim).filter(|line| line.starts_with("cicatriz ")).collect();
            assert!(!examples.is_empty(), "{} has no example", verb.get_name());
            for example in examples {
                let command = example.split(" >").next().unwrap_or(example);
                assert!(parse(words(command)).is_ok(), "{example}");
                assert_eq!(example.split(' ').nth(1), Some(verb.get_name()));
            }
        }
    }

    #[test]
    fn common_flags_stand_before_or_behind_the_verb() {
        for line in ["cicatriz --seed 7 --dice -1,0 roll 2d6", "cicatriz roll 2d6 --seed 7 --dice=-1,0"] {
            let cli = parse(words(line)).expect(line);
            assert_eq!(cli.common.seed, Some(7));
            assert_eq!(cli.common.dice, Some(super::common::Dice(vec![-1, 0])));
        }
    }

    #[test]
    fn an_expression_may_be_several_words() {
        let cli = parse(words("cicatriz roll 2d6 + 1d4 - 1 -2 --times 3")).expect("a roll");
        match cli.verb {
            Verb::Roll(args) => {
                assert_eq!(args.expression.join(" "), "2d6 + 1d4 - 1 -2");
                assert_eq!(args.times, 3);
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn arguments_of_a_run_are_names_and_values() {
        let cli = parse(words("cicatriz run - wound untreated=2 bonus=-1 --set edition=srd2014"));
        let Cli { verb, common } = cli.expect("a run");
        match verb {
            Verb::Run(args) => {
                assert_eq!(args.file.to_str(), Some("-"));
                assert_eq!(args.target, "wound");
                let pairs: Vec<_> = args.arguments.iter().map(ToString::to_string).collect();
                assert_eq!(pairs, ["untreated=2", "bonus=-1"]);
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(common.set[0].to_string(), "edition=srd2014");
    }

    #[test]
    fn wrong_usage_is_an_error() {
        for line in [
            "cicatriz",
            "cicatriz chekc x",
            "cicatriz check",
            "cicatriz roll",
            "cicatriz roll 1d6 --seed x",
            "cicatriz roll 1d6 --seed -1",
            "cicatriz roll 1d6 --dice 1,x",
            "cicatriz roll 1d6 --times 0",
            "cicatriz run a b c",
            "cicatriz list x --format xml",
            "cicatriz completions cobol",
        ] {
            let error = parse(words(line)).expect_err(line);
            assert!(error.use_stderr(), "{line}");
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn help_keeps_the_colour_asked_for() {
        assert_eq!(color_of_help(&words("cicatriz --color never x")), ColorChoice::Never);
        assert_eq!(color_of_help(&words("cicatriz x --color=always")), ColorChoice::Always);
        assert_eq!(color_of_help(&words("cicatriz x --color")), ColorChoice::Auto);
    }

    #[test]
    fn the_graver_end_is_the_greater() {
        assert_eq!(Exit::Well.max(Exit::Usage).max(Exit::Faults), Exit::Usage);
    }
}
