//! `cicatriz explain`: a diagnostic in depth, or a dice expression in words.

use cicatriz::diagnostics::explain::{self, Page, Part};
use cicatriz::diagnostics::{Code, Diagnostic, json};
use cicatriz::dice::Dialect;

use super::output::{self, Output, Stream};
use super::{Common, Exit};
use crate::cli::ui::ui;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  cicatriz explain table::gap\n  cicatriz explain 4d6kh3")]
pub struct Args {
    /// The code of a diagnostic, or dice in one word or several
    #[arg(required = true, value_name = "CODE or EXPR", allow_negative_numbers = true)]
    pub what: Vec<String>,

    /// The tool the dice are written for: roll20, foundry, avrae, rpg-dice-roller
    #[arg(long, value_name = "DIALECT", value_parser = super::dice::dialect, default_value = "cicatriz", hide_default_value = true)]
    pub dialect: Dialect,

    /// Write the dice for this tool instead
    #[arg(long = "as", value_name = "DIALECT", value_parser = super::dice::dialect)]
    pub to: Option<Dialect>,
}

/// Columns a text for reading is wrapped to, also where the terminal is wider.
const COLUMNS: usize = 88;

/// What `--format json` prints of a code.
#[derive(serde::Serialize)]
struct PageDocument {
    code: &'static str,
    title: &'static str,
    text: &'static str,
    avoid: Option<&'static str>,
    prefer: Option<&'static str>,
}

/// Explains a diagnostic in depth, or a dice expression in words.
pub fn run(args: Args, common: &Common) -> Exit {
    let text = args.what.join(" ");
    let text = text.trim();
    match Code::parse(text) {
        Some(code) => tell_page(&explain::page(code), common),
        None if is_like_a_code(text) => unknown_code(text, common),
        None => super::explain_dice::tell(text, args.dialect, args.to, common),
    }
}

/// Whether somebody meant a code: dice have digits, brackets or signs.
fn is_like_a_code(text: &str) -> bool {
    text.contains("::") || text.len() > 2 && text.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '_' | ':'))
}

fn tell_page(page: &Page, common: &Common) -> Exit {
    let mut out = Output::stdout();
    if common.json() {
        let Page { code, title, text, avoid, prefer } = *page;
        out.json(&PageDocument { code: code.as_str(), title, text, avoid, prefer });
    } else {
        let width = Stream::Output.columns().min(COLUMNS);
        out.text(&drawn(page, width, Stream::Output.colored(common.color)));
    }
    out.finish(Exit::Well)
}

/// A page as a terminal shows it: paragraphs wrapped, examples indented.
fn drawn(page: &Page, width: usize, color: bool) -> String {
    let styled = |style: &str, text: &str| match color {
        true => format!("\u{1b}[{style}m{text}\u{1b}[0m"),
        false => text.to_owned(),
    };
    let mut text = format!("{}  {}\n", styled("1;31", page.code.as_str()), styled("1", page.title));
    for part in explain::parts(page.text) {
        text.push('\n');
        match part {
            Part::Heading(heading) => text.push_str(&format!("{}\n", styled("1;36", heading))),
            Part::Paragraph(paragraph) => text.push_str(&wrapped(paragraph, width)),
            Part::Example { text: example, .. } => example.lines().for_each(|line| {
                text.push_str(format!("    {line}").trim_end());
                text.push('\n');
            }),
        }
    }
    text
}

/// A paragraph in lines no longer than `width`; what stands in backticks stays together.
fn wrapped(paragraph: &str, width: usize) -> String {
    let (mut lines, mut line) = (String::new(), String::new());
    for word in words_of(paragraph) {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push_str(&line);
            lines.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    format!("{lines}{line}\n")
}

fn words_of(paragraph: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for word in paragraph.split_whitespace() {
        match words.last_mut() {
            Some(last) if open => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
        open ^= word.matches('`').count() % 2 == 1;
    }
    words
}

fn unknown_code(text: &str, common: &Common) -> Exit {
    let last = |code: &&&Code| code.as_str().rsplit("::").next() == Some(text);
    let near = Code::ALL.iter().find(|code| last(&code)).copied().or_else(|| explain::nearest_code(text));
    let fault = Diagnostic::error(Code::NameUnknown, format!("there is no code called `{text}`"));
    let fault = match near {
        Some(near) => fault.help(format!("write `cicatriz explain {near}`")),
        None => fault.help("write one of the codes below"),
    };
    if common.json() {
        let mut out = Output::stdout();
        out.json(&json::document_in(&[fault], &[], ui()));
        return out.finish(Exit::Usage);
    }
    output::complain_of(&[fault], &[], common.color);
    let mut list = String::new();
    let mut group = "";
    for code in Code::ALL.iter().map(|code| code.as_str()) {
        let this = code.split("::").next().unwrap_or(code);
        list.push_str(if group == this { " " } else { "\n  " });
        list.push_str(code);
        group = this;
    }
    output::complain(format!("the codes are:{list}"));
    Exit::Usage
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_backticks_stays_together() {
        assert_eq!(wrapped("write `a -> b` or\n`c` there", 10), "write\n`a -> b`\nor `c`\nthere\n");
    }

    #[test]
    fn a_page_fits_its_width_and_has_colour_only_where_asked_for() {
        for code in Code::ALL {
            let text = drawn(&explain::page(*code), 80, false);
            assert!(!text.contains('\u{1b}') && !text.contains("```"), "{code}");
            for line in text.lines().filter(|line| !line.starts_with("    ")) {
                assert!(line.chars().count() <= 80, "{code}: {line}");
            }
        }
        assert!(drawn(&explain::page(Code::TableGap), 80, true).contains('\u{1b}'));
    }

    #[test]
    fn codes_and_dice_are_told_apart() {
        for code in ["table::gpa", "gap", "dead_end", "x::1"] {
            assert!(is_like_a_code(code), "{code}");
        }
        for dice in ["4d6kh3", "dF", "d%", "min(1d6, 3)", "d"] {
            assert!(!is_like_a_code(dice), "{dice}");
        }
    }
}
