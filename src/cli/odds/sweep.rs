//! One distribution for each value of an argument, or of two.

use std::collections::BTreeMap;

use cicatriz::diagnostics::{Code, Diagnostic};
use serde_json::Value as Json;

use super::super::chances::{self, Found, Line, picture};
use super::super::output::{Format, Output};
use super::super::run::refuse;
use super::super::{Common, Exit, Setting};
use super::watch::Live;
use super::{Args, Rules, found, is_table};

mod tell;

/// The most distributions of a sweep.
const POINTS: usize = 1_000;

/// An argument and the values it goes through.
struct Axis {
    name: String,
    values: Vec<String>,
}

/// A whole sweep: the distributions in order of the first axis, within it of the second.
struct Sweep {
    axes: Vec<Axis>,
    /// Arguments that stay.
    fixed: BTreeMap<String, Json>,
    points: Vec<Found>,
    /// Every outcome of any of them, in order.
    outcomes: Vec<Line>,
    /// How many distributions were not begun.
    missing: usize,
}

/// Tells a sweep in the form asked for.
pub fn run(rules: &Rules<'_>, args: &Args, common: &Common) -> Result<Exit, Exit> {
    let wrong = |fault: Diagnostic| refuse(&[fault], rules.files, common, Exit::Usage);
    if args.sweep.len() > 2 {
        let fault = Diagnostic::error(Code::RunArgument, format!("{} arguments to sweep", args.sweep.len()));
        return Err(wrong(fault.help("sweep one or two, and give the others by name: untreated=2")));
    }
    let axes = args.sweep.iter().map(axis).collect::<Result<Vec<Axis>, Diagnostic>>().map_err(wrong)?;
    let twice = axes.len() == 2 && axes[0].name == axes[1].name;
    if let Some(axis) = axes.iter().find(|axis| twice || args.arguments.iter().any(|given| given.name == axis.name)) {
        let fault = Diagnostic::error(Code::RunArgument, format!("`{}` is given twice", axis.name));
        return Err(wrong(fault.help(format!("write `--sweep {}=…` once, and no `{}=…`", axis.name, axis.name))));
    }
    let count = axes.iter().map(|axis| axis.values.len()).product::<usize>();
    if count > POINTS {
        let fault =
            Diagnostic::error(Code::RunLimit, format!("a sweep of {count} distributions; {POINTS} are the most"));
        return Err(wrong(fault.help("sweep fewer values")));
    }
    let sweep = swept(rules, args, axes, common)?;
    if let Some(path) = &args.columns.svg {
        chances::write_picture(path, &picture::of_heat(&sweep.heading(), &sweep.note(), &sweep.fields()))?;
    }
    let mut out = Output::stdout();
    match common.format {
        Format::Json => out.json(&sweep.document(&args.columns)),
        Format::Csv => out.text(&sweep.long().csv()),
        Format::Markdown => out.text(&sweep.markdown()),
        Format::Text => sweep.lines(common).iter().for_each(|line| out.line(line)),
    }
    Ok(out.finish(Exit::Well))
}

fn swept(rules: &Rules<'_>, args: &Args, axes: Vec<Axis>, common: &Common) -> Result<Sweep, Exit> {
    let mut settings: Vec<Vec<Setting>> = vec![Vec::new()];
    for axis in &axes {
        let with = |before: &Vec<Setting>| {
            let value = |value: &String| Setting { name: axis.name.clone(), value: value.clone() };
            axis.values.iter().map(|one| before.iter().cloned().chain([value(one)]).collect()).collect::<Vec<_>>()
        };
        settings = settings.iter().flat_map(with).collect();
    }
    // All arguments are looked at before the first distribution is begun.
    let mut asked = Vec::with_capacity(settings.len());
    for setting in &settings {
        let arguments = [args.arguments.as_slice(), setting].concat();
        asked.push(rules.asked(&args.target, &arguments, &common.set, common)?);
    }
    let mut watch = Live::many(asked.len());
    let mut points = Vec::with_capacity(asked.len());
    for (asked, setting) in asked.iter().zip(&settings) {
        if watch.stopped() {
            break;
        }
        let name: Vec<String> = setting.iter().map(ToString::to_string).collect();
        watch.next(&name.join(" "));
        let mut found = found::of_rules(rules.program, asked, &rules.odds(asked, &common.set, &mut watch, common)?);
        if is_table(asked) {
            found.turns.clear();
        }
        points.push(found);
    }
    drop(watch);
    let mut outcomes: Vec<Line> = Vec::new();
    for line in points.iter().flat_map(|found| &found.lines) {
        if outcomes.iter().all(|known| known.outcome != line.outcome) {
            outcomes.push(line.clone());
        }
    }
    outcomes.sort_by(|a, b| a.order.cmp(&b.order));
    let mut fixed = points.first().map(|found| found.arguments.clone()).unwrap_or_default();
    axes.iter().for_each(|axis| drop(fixed.remove(&axis.name)));
    let missing = settings.len() - points.len();
    Ok(Sweep { axes, fixed, points, outcomes, missing })
}

/// `untreated=0..8`, `weapon=1d6,2d4`
fn axis(setting: &Setting) -> Result<Axis, Diagnostic> {
    let Setting { name, value } = setting;
    let wrong = |what: String| {
        Diagnostic::error(Code::RunArgument, what)
            .help(format!("write `--sweep {name}=0..8` or `--sweep {name}=1,2,5`"))
    };
    let mut values = Vec::new();
    for part in split(value) {
        let part = part.trim();
        let range = part.split_once("..").and_then(|(low, high)| {
            Some((low.trim().parse::<i64>().ok()?, high.trim().trim_start_matches('=').parse::<i64>().ok()?))
        });
        match range {
            Some((low, high)) if low > high => {
                return Err(wrong(format!("`{part}` goes down")).help(format!("write `--sweep {name}={high}..{low}`")));
            }
            Some((low, high)) if high.abs_diff(low) >= POINTS as u64 => {
                let count = high.abs_diff(low).saturating_add(1);
                let fault = format!("a sweep of {count} distributions; {POINTS} are the most");
                return Err(Diagnostic::error(Code::RunLimit, fault).help("sweep fewer values"));
            }
            Some((low, high)) => values.extend((low..=high).map(|value| value.to_string())),
            None if part.is_empty() => return Err(wrong(format!("`{setting}` leaves a value out"))),
            None => values.push(part.to_owned()),
        }
    }
    let mut known: Vec<&String> = Vec::new();
    for value in &values {
        if known.contains(&value) {
            return Err(wrong(format!("`{setting}` has `{value}` twice")));
        }
        known.push(value);
    }
    Ok(Axis { name: name.clone(), values })
}

/// Parts between commas that stand in no parentheses, brackets or braces.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0i32, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth <= 0 => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Result<Vec<String>, String> {
        let setting = text.parse::<Setting>().expect("a setting");
        axis(&setting).map(|axis| axis.values).map_err(|fault| fault.message.to_string())
    }

    #[test]
    fn ranges_and_lists_of_values() {
        assert_eq!(values("a=0..3").unwrap(), ["0", "1", "2", "3"]);
        assert_eq!(values("a=-1..1, 5").unwrap(), ["-1", "0", "1", "5"]);
        assert_eq!(values("a=1d6,{1d4, 1d8}kh1").unwrap(), ["1d6", "{1d4, 1d8}kh1"]);
        assert_eq!(values("a=head").unwrap(), ["head"]);
        assert_eq!(values("a=8..0").unwrap_err(), "`8..0` goes down");
        assert_eq!(values("a=1,,2").unwrap_err(), "`a=1,,2` leaves a value out");
        assert_eq!(values("a=1,1").unwrap_err(), "`a=1,1` has `1` twice");
        assert!(values("a=-9223372036854775808..9223372036854775807").is_err());
    }
}
