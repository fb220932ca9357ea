//! `cicatriz roll`: one ad-hoc roll.

use cicatriz::check::ad_hoc_in;
use cicatriz::diagnostics::{Code, Diagnostic, json};
use cicatriz::dice::{self, Dialect, Dice, DiceFault, Rolled, RolledDie};
use cicatriz::say;
use cicatriz::source::{FileId, Source, Span};

use super::dice::CommandDice;
use super::output::{self, Output};
use super::{Common, Exit};
use crate::cli::ui::ui;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz roll 2d6+3 --seed 7")]
pub struct Args {
    /// The dice, in one word or several: 2d6+3
    #[arg(required = true, value_name = "EXPR", allow_negative_numbers = true)]
    pub expression: Vec<String>,

    /// Roll so many times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub times: u64,

    /// Read the dice as this tool does: roll20, foundry, avrae, rpg-dice-roller
    #[arg(long, value_name = "DIALECT", value_parser = super::dice::dialect, default_value = "cicatriz", hide_default_value = true)]
    pub dialect: Dialect,

    /// Tell the exact odds instead of rolling
    #[arg(long, conflicts_with = "times")]
    pub odds: bool,

    #[command(flatten)]
    pub columns: super::chances::Columns,
}

/// What `--format json` prints of one roll.
#[derive(serde::Serialize)]
struct Document<'r> {
    expression: String,
    total: i64,
    seed: Option<u64>,
    dice: &'r [RolledDie],
    #[serde(skip_serializing_if = "is_false")]
    cut: bool,
}

fn is_false(cut: &bool) -> bool {
    !cut
}

/// One ad-hoc roll with every die shown.
pub fn run(args: Args, common: &Common) -> Exit {
    if !args.odds && args.columns.asks() {
        output::complain("`--at-least`, `--at-most` and `--svg` belong to odds: add `--odds`");
        return Exit::Usage;
    }
    let text = args.expression.join(" ");
    let source = Source::new("<roll>", text.as_str());
    let sources = std::slice::from_ref(&source);
    let (dice, diagnostics) = ad_hoc_in(&text, args.dialect);
    let Some(dice) = dice else { return refuse(&diagnostics, sources, common) };
    if !common.json() {
        output::complain_of(&diagnostics, sources, common.color);
    }
    if args.odds {
        return match cicatriz::odds::of_dice(&dice) {
            Ok(odds) => super::chances::tell(&super::odds::of_dice(&dice.to_string(), &odds), &args.columns, common),
            Err(fault) => {
                let whole = Span::new(FileId(0), 0..text.len());
                let simulate = format!("cicatriz simulate {} -n 100000", super::again::quoted(text.trim()));
                let fault = super::odds::diagnostic(&fault, None, Some(&simulate)).label(whole, "in these dice");
                refuse(&[fault], sources, common)
            }
        };
    }
    let mut from = CommandDice::new(common);
    let mut out = Output::stdout();
    let written = dice.to_string();
    let mut documents = Vec::new();
    let mut held = Vec::new();
    for _ in 0..args.times {
        if out.closed() {
            break;
        }
        let rolled = match dice::roll(&dice, &mut from) {
            Ok(rolled) => rolled,
            Err(fault) => return refuse(&[fault_of_roll(&fault, &text)], sources, common),
        };
        if common.json() {
            let document = Document {
                expression: written.clone(),
                total: rolled.total,
                seed: from.seed(),
                dice: &rolled.dice,
                cut: rolled.cut,
            };
            match serde_json::to_value(&document) {
                Ok(value) => documents.push(value),
                Err(error) => {
                    output::complain(error.to_string());
                    return Exit::Faults;
                }
            }
        } else if from.seed().is_some() {
            out.line(&line(&dice, &written, &rolled));
        } else {
            // Given dice may turn out too many: nothing is told before that is known.
            held.push(line(&dice, &written, &rolled));
        }
    }
    if let Some(fault) = from.left_over() {
        return refuse(&[fault], sources, common);
    }
    held.iter().for_each(|line| out.line(line));
    if common.json() {
        match <[_; 1]>::try_from(documents) {
            Ok([one]) => out.json(&one),
            Err(many) => out.json(&serde_json::json!({ "rolls": many })),
        }
    } else if let Some(seed) = from.seed() {
        out.say(say!("seed {seed}", seed));
    }
    out.finish(Exit::Well)
}

fn refuse(diagnostics: &[Diagnostic], sources: &[Source], common: &Common) -> Exit {
    if common.json() {
        let mut out = Output::stdout();
        out.json(&json::document_in(diagnostics, sources, ui()));
        out.finish(Exit::Usage)
    } else {
        output::complain_of(diagnostics, sources, common.color);
        Exit::Usage
    }
}

fn fault_of_roll(fault: &DiceFault, text: &str) -> Diagnostic {
    let code = match fault {
        DiceFault::NoDie(_) => Code::RunDice,
        _ => fault.code(),
    };
    let diagnostic =
        Diagnostic::error(code, fault.message()).label(Span::new(FileId(0), 0..text.len()), "in this roll");
    match fault.help() {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// `4d6kh3 = 5 + (2) + 6 + 3 = 14`: dice that do not count stand in parentheses.
fn line(dice: &Dice, written: &str, rolled: &Rolled) -> String {
    if rolled.dice.is_empty() || matches!(dice, Dice::Number(_)) {
        return format!("{written} = {}", rolled.total);
    }
    let mut parts: Vec<String> = Vec::new();
    for (index, term) in rolled.terms.iter().enumerate() {
        let dice: Vec<String> = rolled.dice.iter().filter(|d| d.term == index).map(die).collect();
        if dice.is_empty() {
            continue;
        }
        // A single term is the whole expression: no need to name it again.
        let name = if rolled.terms.len() > 1 { format!("{} ", term.written) } else { String::new() };
        let label = term.label.as_deref().map(|l| format!(" {l}")).unwrap_or_default();
        parts.push(format!("{name}[{}]{label}", dice.join(", ")));
    }
    let cut = if rolled.cut { "  (cut off: a die came to its bound of explosions or rerolls)" } else { "" };
    format!("{written}: {} = {}{cut}", parts.join("  "), rolled.total)
}

/// One die: `5`, `(2)` where it does not count, `6!` where it exploded, `1>4` where it was rerolled,
/// `8*` where it is counted, `1x` where it is counted against.
fn die(die: &RolledDie) -> String {
    let mut text = if die.rolls.len() > 1 {
        let joint = if die.rerolled > 0 { ">" } else { "+" };
        die.rolls.iter().map(i64::to_string).collect::<Vec<_>>().join(joint)
    } else {
        die.value.to_string()
    };
    if die.exploded {
        text.push('!');
    }
    match die.counted {
        Some(counted) if counted > 0 => text.push('*'),
        Some(counted) if counted < 0 => text.push('x'),
        _ => {}
    }
    if die.kept { text } else { format!("({text})") }
}
