//! How far each outcome moves from one rule to another.

use std::collections::BTreeMap;

use cicatriz::odds::Fraction;
use serde_json::Value as Json;

use super::super::chances::{self, Found, Line, Mean, Repeated, grid::Grid, percent, picture};
use super::super::output::{Format, Output};
use super::super::{Common, Exit, Setting, load};
use super::watch::Live;
use super::{Args, Rules, found};

/// One outcome in both.
struct Moved<'f> {
    line: &'f Line,
    before: Fraction,
    after: Fraction,
}

/// Two distributions beside each other.
struct Comparison<'f> {
    before: &'f Found,
    after: &'f Found,
    /// What the other one is.
    against: Against,
    moved: Vec<Moved<'f>>,
    /// Half of the sum of all differences: the greatest by which the chance of anything can differ.
    distance: Fraction,
}

/// What is put in the place of what.
#[derive(serde::Serialize)]
struct Against {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    options: BTreeMap<String, String>,
    arguments: BTreeMap<String, Json>,
}

/// Tells how far outcomes move: from the rules as asked for to those `--against` names.
pub fn run(rules: &Rules<'_>, args: &Args, common: &Common) -> Result<Exit, Exit> {
    let other = match &args.against {
        Some(path) => Some((load::program(path, common)?, path)),
        None => None,
    };
    let theirs = match &other {
        Some(((program, files), path)) => Rules { program, files, path },
        None => Rules { ..*rules },
    };
    let with = |settings: &[Setting], instead: &[Setting]| -> Vec<Setting> {
        let kept = settings.iter().filter(|setting| instead.iter().all(|other| other.name != setting.name));
        kept.chain(instead).cloned().collect()
    };
    let (set, arguments) = (with(&common.set, &args.against_set), with(&args.arguments, &args.against_with));
    let mut watch = Live::new();
    let asked = rules.asked(&args.target, &args.arguments, &common.set, common)?;
    let before = found::of_rules(rules.program, &asked, &rules.odds(&asked, &common.set, &mut watch, common)?);
    let asked = theirs.asked(&args.target, &arguments, &set, common)?;
    let after = found::of_rules(theirs.program, &asked, &theirs.odds(&asked, &set, &mut watch, common)?);
    drop(watch);
    let against = Against {
        file: args.against.as_ref().map(|path| path.display().to_string()),
        options: args.against_set.iter().map(|set| (set.name.clone(), set.value.clone())).collect(),
        arguments: after.arguments.clone(),
    };
    let comparison = compare(&before, &after, against);
    if let Some(path) = &args.columns.svg {
        chances::write_picture(path, &picture(&comparison))?;
    }
    let mut out = Output::stdout();
    match common.format {
        Format::Json => out.json(&document(&comparison)),
        Format::Csv => out.text(&table(&comparison, false).csv()),
        Format::Markdown => out.text(&table(&comparison, true).markdown()),
        Format::Text => lines(&comparison).iter().for_each(|line| out.line(line)),
    }
    Ok(out.finish(Exit::Well))
}

/// Outcomes of the same id are the same; they stand in their order, those of the first before those of the other.
fn compare<'f>(before: &'f Found, after: &'f Found, against: Against) -> Comparison<'f> {
    let chance = |found: &Found, outcome: &str| {
        let line = found.lines.iter().find(|line| line.outcome == outcome);
        line.map_or_else(Fraction::zero, |line| line.chance.clone())
    };
    let new = after.lines.iter().filter(|line| before.lines.iter().all(|other| other.outcome != line.outcome));
    let mut lines: Vec<&Line> = before.lines.iter().chain(new).collect();
    lines.sort_by(|a, b| a.order.cmp(&b.order));
    let moved: Vec<Moved> = lines
        .into_iter()
        .map(|line| Moved { line, before: chance(before, &line.outcome), after: chance(after, &line.outcome) })
        .collect();
    let sum = moved.iter().fold(Fraction::zero(), |sum, moved| sum.plus(&moved.difference().abs()));
    Comparison { before, after, against, moved, distance: sum.times(&Fraction::of(1, 2)) }
}

impl Moved<'_> {
    fn difference(&self) -> Fraction {
        self.after.minus(&self.before)
    }

    /// In hundredths, with its sign.
    fn points(&self) -> String {
        match self.difference().to_f64() * 100.0 {
            0.0 => "0.00".to_owned(),
            points if points.abs() < 0.005 => format!("{points:+.1e}"),
            points => format!("{points:+.2}"),
        }
    }
}

impl Comparison<'_> {
    /// What both are, in few words.
    fn names(&self) -> (String, String) {
        let mut other: Vec<String> = self.against.file.iter().cloned().collect();
        other.extend(self.against.options.iter().map(|(option, value)| format!("{option} = {value}")));
        let moved = |(name, value): &(&String, &Json)| self.before.arguments.get(*name) != Some(value);
        let arguments = self.after.arguments.iter().filter(moved);
        other.extend(arguments.map(|(name, value)| chances::given(&BTreeMap::from([(name.clone(), value.clone())]))));
        let mine = self.before.given();
        (if mine.is_empty() { "as it is".to_owned() } else { mine }, other.join(", "))
    }

    /// The mean turns of each `repeat`, where both have as many of them.
    fn turns(&self) -> Vec<(&str, f64, f64)> {
        let (before, after) = (&self.before.turns, &self.after.turns);
        let both = before.iter().zip(after).filter(|_| before.len() == after.len());
        let mean = |repeated: &Repeated| repeated.mean.as_ref().map(|(mean, _)| mean.to_f64());
        both.filter_map(|(one, other)| Some((one.event.as_str(), mean(one)?, mean(other)?))).collect()
    }

    fn means(&self) -> Option<(&Mean, &Mean)> {
        self.before.mean.as_ref().zip(self.after.mean.as_ref())
    }
}

fn lines(comparison: &Comparison<'_>) -> Vec<String> {
    let (mine, other) = comparison.names();
    let width = comparison.moved.iter().map(|moved| moved.line.name().chars().count()).max().unwrap_or(0);
    let mut lines = vec![format!("from: {mine}"), format!("to:   {other}")];
    lines.extend(comparison.moved.iter().map(|moved| {
        let name = moved.line.name();
        let (before, after) = (percent(moved.before.to_f64()), percent(moved.after.to_f64()));
        let title = moved.line.title.clone().unwrap_or_default();
        let text = format!("{name:<width$}  {before}  {after}  {:>8}  {title}", moved.points());
        text.trim_end().to_owned()
    }));
    if let Some(((before, before_sd), (after, after_sd))) = comparison.means() {
        let difference = after.minus(before).to_f64();
        let (before, after) = (before.to_f64(), after.to_f64());
        lines.push(format!(
            "mean {before:.4} and {after:.4} ({difference:+.4}), standard deviation {before_sd:.4} and {after_sd:.4}"
        ));
    }
    for (event, before, after) in comparison.turns() {
        lines.push(format!("repeats of {event}: mean {before:.4} and {after:.4} ({:+.4})", after - before));
    }
    let distance = percent(comparison.distance.to_f64());
    lines.push(format!("total variation distance {}: no chance of anything moves further", distance.trim()));
    for (name, found) in [("from", comparison.before), ("to", comparison.after)] {
        lines.extend(found.reason().map(|reason| format!("{name}: not exact: {reason}")));
    }
    lines
}

fn table(comparison: &Comparison<'_>, shown: bool) -> Grid {
    let head = ["outcome", "range", "title", "from", "to", "from_probability", "to_probability", "difference"];
    let number = |value: f64| if shown { percent(value).trim().to_owned() } else { value.to_string() };
    let row = |moved: &Moved| {
        let difference = moved.difference().to_f64();
        vec![
            moved.line.outcome.clone(),
            moved.line.range.clone().unwrap_or_default(),
            moved.line.title.clone().unwrap_or_default(),
            moved.before.to_string(),
            moved.after.to_string(),
            number(moved.before.to_f64()),
            number(moved.after.to_f64()),
            if shown { moved.points() } else { difference.to_string() },
        ]
    };
    let rows = comparison.moved.iter().map(row).collect();
    Grid { head: head.map(str::to_owned).to_vec(), rows }
}

fn document(comparison: &Comparison<'_>) -> Json {
    let both = |chance: &Fraction| serde_json::json!({"chance": chance.to_string(), "probability": chance.to_f64()});
    let outcomes: Vec<Json> = comparison
        .moved
        .iter()
        .map(|moved| {
            let mut outcome = serde_json::json!({
                "outcome": moved.line.outcome,
                "chance": moved.before.to_string(),
                "probability": moved.before.to_f64(),
                "against": both(&moved.after),
                "difference": both(&moved.difference()),
            });
            for (name, value) in [("range", &moved.line.range), ("title", &moved.line.title)] {
                if let (Some(fields), Some(value)) = (outcome.as_object_mut(), value) {
                    fields.insert(name.to_owned(), value.as_str().into());
                }
            }
            outcome
        })
        .collect();
    let turns: Vec<Json> = comparison
        .turns()
        .into_iter()
        .map(|(event, before, after)| serde_json::json!({"event": event, "mean": before, "mean_against": after}))
        .collect();
    let mut document = serde_json::json!({
        "target": comparison.before.target,
        "arguments": comparison.before.arguments,
        "against": comparison.against,
        "exact": comparison.before.reason().is_none() && comparison.after.reason().is_none(),
        "outcomes": outcomes,
        "total_variation": both(&comparison.distance),
        "turns": turns,
    });
    if let (Some(fields), Some((before, after))) = (document.as_object_mut(), comparison.means()) {
        let told = [("mean", before.0.to_f64(), after.0.to_f64()), ("sd", before.1, after.1)];
        for (name, before, after) in told {
            fields.insert(name.to_owned(), before.into());
            fields.insert(format!("{name}_against"), after.into());
        }
    }
    document
}

fn picture(comparison: &Comparison<'_>) -> String {
    let (mine, other) = comparison.names();
    let distance = percent(comparison.distance.to_f64());
    let note = format!("total variation distance {}", distance.trim());
    let moved: Vec<picture::Moved> = comparison
        .moved
        .iter()
        .map(|moved| picture::Moved {
            name: moved.line.caption(),
            before: moved.before.to_f64(),
            after: moved.after.to_f64(),
        })
        .collect();
    picture::of_comparison(&comparison.before.heading(), &note, (&mine, &other), &moved)
}
