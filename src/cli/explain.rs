//! `cicatriz explain`: a code of the diagnostics in depth, or a dice expression in words.

use cicatriz::diagnostics::explain::{Page, page};
use cicatriz::diagnostics::{Code, nearest};
use cicatriz::dice::Dialect;

use super::output::{self, Output, Stream};
use super::{Common, Exit};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  cicatriz explain table::gap\n  cicatriz explain 4d6kh3")]
pub struct Args {
    /// The code of a fault, or a dice expression
    #[arg(required = true, value_name = "CODE or EXPR", allow_negative_numbers = true)]
    pub what: Vec<String>,

    /// The tool the dice are written for: roll20, foundry, avrae, rpg-dice-roller
    #[arg(long, value_name = "DIALECT", value_parser = super::dice::dialect, default_value = "cicatriz", hide_default_value = true)]
    pub dialect: Dialect,

    /// Write the dice for this tool instead
    #[arg(long = "as", value_name = "DIALECT", value_parser = super::dice::dialect)]
    pub to: Option<Dialect>,
}

/// Explains a code or dice.
pub fn run(args: Args, common: &Common) -> Exit {
    let text = args.what.join(" ");
    match Code::parse(&text) {
        Some(code) => explain_code(page(code), common),
        None if text.contains("::") => unknown(&text),
        None => super::explain_dice::tell(&text, args.dialect, args.to, common),
    }
}

fn unknown(text: &str) -> Exit {
    let known = Code::ALL.iter().map(|c| c.as_str());
    let near = match nearest(text, known) {
        Some(near) => format!("; write `{near}`"),
        None => format!("; there are {}", Code::ALL.iter().map(|c| c.as_str()).collect::<Vec<_>>().join(", ")),
    };
    output::complain(&format!("there is no code `{text}`{near}"));
    Exit::Usage
}

fn explain_code(page: Page, common: &Common) -> Exit {
    let mut out = Output::stdout();
    if common.json() {
        out.json(&serde_json::json!({
            "code": page.code.as_str(),
            "title": page.title,
            "text": page.text,
            "avoid": page.avoid,
            "prefer": page.prefer,
        }));
        return out.finish(Exit::Well);
    }
    let colored = Stream::Output.colored(common.color);
    let bold = |text: &str| if colored { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() };
    out.line(&format!("{}  {}", bold(page.code.as_str()), page.title));
    out.line("");
    for line in wrapped(page.text, Stream::Output.columns().clamp(40, 100)) {
        out.line(&line);
    }
    for (heading, rules) in [("Avoid", page.avoid), ("Prefer", page.prefer)] {
        let Some(rules) = rules else { continue };
        out.line("");
        out.line(&bold(heading));
        for line in rules.lines() {
            out.line(format!("    {line}").trim_end());
        }
    }
    out.finish(Exit::Well)
}

/// Lines of at most so many characters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 0 && last + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
