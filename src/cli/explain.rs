//! `cicatriz explain`: a code of the diagnostics in depth, or a dice expression in words.

use cicatriz::check::ad_hoc;
use cicatriz::diagnostics::explain::{Page, page};
use cicatriz::diagnostics::{Code, json, nearest};
use cicatriz::dice;
use cicatriz::source::Source;

use super::output::{self, Output, Stream};
use super::{Common, Exit};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  cicatriz explain table::gap\n  cicatriz explain 4d6kh3")]
pub struct Args {
    /// The code of a fault, or a dice expression
    #[arg(required = true, value_name = "CODE or EXPR", allow_negative_numbers = true)]
    pub what: Vec<String>,
}

/// Explains a code or dice.
pub fn run(args: Args, common: &Common) -> Exit {
    let text = args.what.join(" ");
    match Code::parse(&text) {
        Some(code) => explain_code(page(code), common),
        None if text.contains("::") => unknown(&text),
        None => explain_dice(&text, common),
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

fn explain_dice(text: &str, common: &Common) -> Exit {
    let source = Source::new("<roll>", text);
    let sources = std::slice::from_ref(&source);
    let (dice, diagnostics) = ad_hoc(text);
    let mut out = Output::stdout();
    let Some(dice) = dice else {
        if common.json() {
            out.json(&json::document(&diagnostics, sources));
            return out.finish(Exit::Usage);
        }
        output::complain_of(&diagnostics, sources, common.color);
        return Exit::Usage;
    };
    let span = dice::span(&dice);
    if common.json() {
        out.json(&serde_json::json!({
            "expression": dice.to_string(),
            "least": span.map(|s| s.0),
            "most": span.map(|s| s.1),
        }));
        return out.finish(Exit::Well);
    }
    output::complain_of(&diagnostics, sources, common.color);
    out.line(&dice.to_string());
    match span {
        Some((low, high)) => out.line(&format!("from {low} to {high}")),
        None => out.line("its range cannot be told"),
    }
    out.finish(Exit::Well)
}
