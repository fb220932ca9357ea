//! A sweep in all its forms.

use std::collections::BTreeMap;

use cicatriz::odds::Fraction;
use serde_json::Value as Json;

use super::super::super::Common;
use super::super::super::chances::picture::Heat;
use super::super::super::chances::{self, Columns, Found, bars, document, grid::Grid};
use super::super::super::output::Stream;
use super::Sweep;

/// More outcomes than this are told by their mean where two arguments are swept.
const FIELDS: usize = 12;

/// Outcomes that never reach this chance are left out where there are many.
const UNLIKELY: f64 = 1e-4;

/// How many outcomes count as many.
const MANY: usize = 40;

impl Sweep {
    pub fn heading(&self) -> String {
        self.points.first().map(Found::heading).unwrap_or_default()
    }

    /// What stays the same, and what is missing.
    pub fn note(&self) -> String {
        let mut note = Vec::new();
        let axes: Vec<String> = self.axes.iter().map(|axis| axis.name.clone()).collect();
        note.push(format!("by {}", axes.join(" and ")));
        if !self.fixed.is_empty() {
            note.push(chances::given(&self.fixed));
        }
        note.extend(self.left_out());
        note.extend((self.missing > 0).then(|| format!("stopped: {} distributions are missing", self.missing)));
        note.join(" · ")
    }

    fn chance(&self, point: usize, outcome: &str) -> Option<Fraction> {
        let found = self.points.get(point)?;
        let line = found.lines.iter().find(|line| line.outcome == outcome);
        Some(line.map_or_else(Fraction::zero, |line| line.chance.clone()))
    }

    /// The outcomes that are shown: all, or those of very many that are ever likely.
    fn shown(&self) -> Vec<&super::Line> {
        let likely = |line: &&super::Line| {
            let chances = (0..self.points.len()).filter_map(|point| self.chance(point, &line.outcome));
            self.outcomes.len() <= MANY || chances.fold(0.0, |most, chance| f64::max(most, chance.to_f64())) >= UNLIKELY
        };
        self.outcomes.iter().filter(likely).collect()
    }

    fn left_out(&self) -> Option<String> {
        let left = self.outcomes.len() - self.shown().len();
        (left > 0).then(|| format!("{left} outcomes that stay below 0.01 % are left out"))
    }

    /// The fields of rows and columns it is shown as.
    pub fn fields(&self) -> Vec<Heat> {
        let points = self.points.len();
        if let [across] = self.axes.as_slice() {
            let shown = self.shown();
            let row = |line: &&super::Line| (0..points).map(|at| self.chance(at, &line.outcome)).collect::<Vec<_>>();
            let chances: Vec<Vec<Option<Fraction>>> = shown.iter().map(row).collect();
            let mut rows: Vec<String> = shown.iter().map(|line| line.caption()).collect();
            let mut cells = shaded(&chances);
            if let Some(means) = self.means() {
                rows.push("mean".to_owned());
                cells.push(means.iter().map(|mean| (0.0, format!("{mean:.2}"))).collect());
            }
            let (across, columns) = (across.name.clone(), across.values.iter().take(points).cloned().collect());
            return vec![Heat { title: String::new(), rows, across, columns, cells }];
        }
        let [down, across] = self.axes.as_slice() else { return Vec::new() };
        let wide = across.values.len();
        let field = |title: String, cells: Vec<Vec<(f64, String)>>| Heat {
            title,
            rows: down.values.iter().map(|value| format!("{} = {value}", down.name)).collect(),
            across: across.name.clone(),
            columns: across.values.clone(),
            cells,
        };
        if let Some(means) = self.means().filter(|_| self.outcomes.len() > FIELDS) {
            let (low, high) =
                means.iter().fold((f64::MAX, f64::MIN), |(low, high), mean| (low.min(*mean), high.max(*mean)));
            let depth = |mean: f64| if high > low { (mean - low) / (high - low) } else { 0.5 };
            let cells = means.iter().map(|mean| (depth(*mean), format!("{mean:.2}"))).collect::<Vec<_>>();
            return vec![field("mean".to_owned(), cells.chunks(wide).map(<[_]>::to_vec).collect())];
        }
        let one = |line: &super::Line| {
            let chances: Vec<_> = (0..down.values.len() * wide).map(|at| self.chance(at, &line.outcome)).collect();
            field(line.caption(), shaded(&chances.chunks(wide).map(<[_]>::to_vec).collect::<Vec<_>>()))
        };
        self.shown().into_iter().map(one).collect()
    }

    /// The mean of each, where all have one.
    fn means(&self) -> Option<Vec<f64>> {
        self.points.iter().map(|found| found.mean.as_ref().map(|(mean, _)| mean.to_f64())).collect()
    }

    pub fn lines(&self, common: &Common) -> Vec<String> {
        let colored = Stream::Output.colored(common.color);
        let room = Stream::Output.columns();
        let mut lines = vec![self.note()];
        for field in self.fields() {
            lines.extend((!field.title.is_empty()).then(|| field.title.clone()));
            lines.extend(field_lines(&field, room, colored));
        }
        lines.extend(self.points.iter().find_map(Found::reason).map(|reason| format!("not exact: {reason}")));
        lines
    }

    pub fn markdown(&self) -> String {
        let grid = |field: &Heat| Grid {
            head: [format!("{} →", field.across)].into_iter().chain(field.columns.iter().cloned()).collect(),
            rows: (field.rows.iter().zip(&field.cells))
                .map(|(name, cells)| {
                    [name.clone()].into_iter().chain(cells.iter().map(|cell| cell.1.clone())).collect()
                })
                .collect(),
        };
        let one = |field: &Heat| match field.title.is_empty() {
            true => grid(field).markdown(),
            false => format!("**{}**\n\n{}", field.title.replace('*', "\\*"), grid(field).markdown()),
        };
        self.fields().iter().map(one).collect::<Vec<_>>().join("\n")
    }

    /// A line for each outcome of each distribution.
    pub fn long(&self) -> Grid {
        let mut head: Vec<String> = self.axes.iter().map(|axis| axis.name.clone()).collect();
        head.extend(["outcome", "range", "title", "chance", "probability"].map(str::to_owned));
        let mut rows = Vec::new();
        for found in &self.points {
            let values = self.axes.iter().map(|axis| text(found.arguments.get(&axis.name)));
            let values: Vec<String> = values.collect();
            rows.extend(found.lines.iter().map(|line| {
                let mut row = values.clone();
                row.push(line.outcome.clone());
                row.push(line.range.clone().unwrap_or_default());
                row.push(line.title.clone().unwrap_or_default());
                row.push(line.chance.to_string());
                row.push(line.chance.to_f64().to_string());
                row
            }));
        }
        Grid { head, rows }
    }

    pub fn document(&self, columns: &Columns) -> Json {
        let axes: BTreeMap<&String, &Vec<String>> = self.axes.iter().map(|axis| (&axis.name, &axis.values)).collect();
        let points: Vec<_> = self.points.iter().map(|found| document(found, columns)).collect();
        let target = self.points.first().map(|found| found.target.clone());
        serde_json::json!({
            "target": target,
            "arguments": self.fixed,
            "sweep": axes,
            "exact": self.missing == 0 && self.points.iter().all(|found| found.reason().is_none()),
            "points": points,
        })
    }
}

fn text(value: Option<&Json>) -> String {
    value.map_or_else(String::new, |value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

/// Chances as cells: as deep as their share of the greatest of all.
fn shaded(chances: &[Vec<Option<Fraction>>]) -> Vec<Vec<(f64, String)>> {
    let all = chances.iter().flatten().flatten().map(Fraction::to_f64);
    let most = all.fold(f64::MIN_POSITIVE, f64::max);
    let cell = |chance: &Option<Fraction>| match chance.as_ref().map(Fraction::to_f64) {
        None => (0.0, "?".to_owned()),
        Some(0.0) => (0.0, "·".to_owned()),
        Some(chance) if chance < 0.0005 => (0.0, "<0.1".to_owned()),
        Some(chance) => ((chance / most).sqrt(), format!("{:.1}", chance * 100.0)),
    };
    chances.iter().map(|row| row.iter().map(cell).collect()).collect()
}

/// A field in as many blocks of columns as the terminal's width asks for.
fn field_lines(field: &Heat, room: usize, colored: bool) -> Vec<String> {
    let letters = |text: &String| text.chars().count();
    let names = field.rows.iter().chain([&field.across]).map(letters).max().unwrap_or(0);
    let texts = field.columns.iter().chain(field.cells.iter().flatten().map(|cell| &cell.1));
    let wide = texts.map(letters).max().unwrap_or(0).max(5);
    let block = (room.saturating_sub(names + 1) / (wide + 1)).max(1);
    let mut lines = Vec::new();
    for from in (0..field.columns.len()).step_by(block) {
        if from > 0 {
            lines.push(String::new());
        }
        let head: String =
            field.columns.iter().skip(from).take(block).map(|column| format!(" {column:>wide$}")).collect();
        lines.push(format!("{:<names$}{head}", field.across));
        for (name, cells) in field.rows.iter().zip(&field.cells) {
            let cell = |(depth, text): &(f64, String)| {
                let text = format!(" {text:>wide$}");
                if colored { bars::shaded(&text, *depth) } else { text }
            };
            let cells: String = cells.iter().skip(from).take(block).map(cell).collect();
            lines.push(format!("{name:<names$}{cells}"));
        }
    }
    lines
}
