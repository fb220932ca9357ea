//! `cicatriz explain EXPR`: dice in words, their odds at the ends, and how other tools read them.

use cicatriz::check::ad_hoc_in;
use cicatriz::diagnostics::{Severity, json};
use cicatriz::dice::{self, Dialect, Dice};
use cicatriz::odds::{Distribution, of_dice};
use cicatriz::source::Source;

use super::output::{self, Output};
use super::ui::{said, ui};
use super::{Common, Exit};

/// How another tool reads the same text.
#[derive(serde::Serialize)]
struct Elsewhere {
    dialect: &'static str,
    /// As this tool's notation writes that reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    reads: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<f64>,
    /// Why it is not read there.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<String>,
}

#[derive(serde::Serialize)]
struct Part {
    written: String,
    means: String,
}

#[derive(serde::Serialize)]
struct End {
    total: i64,
    chance: f64,
}

#[derive(serde::Serialize)]
struct Document {
    expression: String,
    parts: Vec<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<(i64, i64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mean: Option<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ends: Vec<End>,
    elsewhere: Vec<Elsewhere>,
}

/// Tells what dice mean. `dialect` is the tool they are written for; with `to` they are written for
/// another one instead.
pub fn tell(text: &str, dialect: Dialect, to: Option<Dialect>, common: &Common) -> Exit {
    let source = Source::new("<roll>", text);
    let sources = std::slice::from_ref(&source);
    let (dice, diagnostics) = ad_hoc_in(text, dialect);
    let Some(dice) = dice else {
        if common.json() {
            let mut out = Output::stdout();
            out.json(&json::document_in(&diagnostics, sources, ui()));
            return out.finish(Exit::Usage);
        }
        output::complain_of(&diagnostics, sources, common.color);
        return Exit::Usage;
    };
    let mut out = Output::stdout();
    if let Some(to) = to {
        return match dice::write_as(&dice, to) {
            Ok(written) => {
                if common.json() {
                    out.json(&serde_json::json!({ "expression": dice.to_string(), "dialect": to.as_str(), "written": written }));
                } else {
                    out.line(&written);
                }
                out.finish(Exit::Well)
            }
            Err(why) => {
                if common.json() {
                    out.json(
                        &serde_json::json!({ "expression": dice.to_string(), "dialect": to.as_str(), "cannot": why }),
                    );
                    return out.finish(Exit::Faults);
                }
                output::complain(format!("`{dice}`: {why}"));
                Exit::Faults
            }
        };
    }
    let document = document(text, &dice, dialect);
    if common.json() {
        out.json(&document);
    } else {
        show(&document, &mut out);
    }
    out.finish(Exit::Well)
}

fn document(text: &str, dice: &Dice, dialect: Dialect) -> Document {
    let odds = of_dice(dice).ok();
    let parts = dice::explain(dice).into_iter().map(|(written, means)| Part { written, means }).collect();
    let range = match &odds {
        Some(odds) => odds.values().first().copied().zip(odds.values().last().copied()),
        None => dice::span(dice),
    };
    let end = |odds: &Distribution, total: i64| End { total, chance: odds.chance(total).to_f64() };
    let ends = match (&odds, range) {
        (Some(odds), Some((low, high))) if low < high => vec![end(odds, low), end(odds, high)],
        _ => Vec::new(),
    };
    Document {
        expression: dice.to_string(),
        parts,
        range,
        mean: odds.as_ref().map(|odds| odds.mean().to_f64()),
        ends,
        elsewhere: elsewhere(text, dice, dialect),
    }
}

/// How each other dialect reads the same text, where that is not the same roll.
fn elsewhere(text: &str, dice: &Dice, dialect: Dialect) -> Vec<Elsewhere> {
    let others = Dialect::OTHERS.into_iter().chain([Dialect::Cicatriz]).filter(|other| *other != dialect);
    let mut all = Vec::new();
    for other in others {
        let (read, diagnostics) = ad_hoc_in(text, other);
        let dialect = other.as_str();
        match read {
            Some(read) if read == *dice => {}
            Some(read) => all.push(Elsewhere {
                dialect,
                mean: of_dice(&read).ok().map(|odds| odds.mean().to_f64()),
                reads: Some(read.to_string()),
                unread: None,
            }),
            None => {
                let error = diagnostics.into_iter().find(|told| told.severity == Severity::Error);
                let unread = error.map(|told| match told.help {
                    Some(help) => format!("{}; {}", said(told.message), said(help)),
                    None => said(told.message),
                });
                all.push(Elsewhere { dialect, reads: None, mean: None, unread });
            }
        }
    }
    all
}

fn show(document: &Document, out: &mut Output<impl std::io::Write>) {
    out.line(&document.expression);
    for part in &document.parts {
        if document.parts.len() == 1 {
            out.line(&format!("  {}", part.means));
        } else {
            out.line(&format!("  {}: {}", part.written, part.means));
        }
    }
    let mut numbers = Vec::new();
    if let Some((low, high)) = document.range {
        numbers.push(if low == high { format!("always {low}") } else { format!("from {low} to {high}") });
    }
    if let Some(mean) = document.mean {
        numbers.push(format!("mean {}", decimal(mean)));
    }
    numbers.extend(document.ends.iter().map(|end| format!("{} with {}", end.total, percent(end.chance))));
    if !numbers.is_empty() {
        out.line(&format!("  {}", numbers.join(", ")));
    }
    for other in &document.elsewhere {
        let told = match (&other.reads, other.mean, &other.unread) {
            (Some(reads), Some(mean), _) => format!("reads it as `{reads}`, mean {}", decimal(mean)),
            (Some(reads), None, _) => format!("reads it as `{reads}`"),
            (_, _, Some(unread)) => format!("does not read it: {unread}"),
            _ => "does not read it".to_owned(),
        };
        out.line(&format!("  {} {told}", other.dialect));
    }
}

/// Four places at most, without noughts at the end.
fn decimal(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn percent(chance: f64) -> String {
    let percent = chance * 100.0;
    if percent >= 0.01 || percent == 0.0 { format!("{} %", decimal(percent)) } else { format!("{percent:.1e} %") }
}
