//! What all scenarios together exercised of the files tested.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cicatriz::program::TableId;
use cicatriz::suite::{Coverage, Hits, Item, Kind, paste, subjects};

use super::super::load;
use super::suite::{File, Results, Suite};

/// One thing that can be exercised, with its place.
#[derive(Debug, Clone)]
pub struct Place {
    pub file: Arc<str>,
    pub line: usize,
    pub item: Item,
    /// Which file of the suite it was seen in.
    pub at: usize,
}

/// All of the files tested, each once, sorted by file and place.
#[derive(Debug, Clone, Default)]
pub struct Covered {
    pub places: Vec<Place>,
}

/// Puts together what the scenarios of all files exercised. What a file uses counts where it is
/// tested itself.
pub fn covered(suite: &Suite, results: &Results<'_>) -> Covered {
    let tested: BTreeSet<&str> = suite.files.iter().filter_map(|file| Some(&*file.sources.first()?.name)).collect();
    let mut all: BTreeMap<(Arc<str>, Kind, u32, String), Place> = BTreeMap::new();
    for (at, (file, hits)) in suite.files.iter().zip(&results.hits).enumerate() {
        for mut item in Coverage::of(&file.program, hits).items {
            let Some(source) = file.sources.get(item.span.file.0 as usize) else { continue };
            if !tested.contains(&*source.name) {
                continue;
            }
            let line = source.place(item.span.start as usize).line;
            let written = || source.slice(item.span).lines().next().unwrap_or("").trim().chars().take(60);
            item.what = match item.kind {
                Kind::Sentence => written().collect(),
                Kind::Branch => format!("`{}`: {}", written().collect::<String>(), item.what),
                _ => item.what,
            };
            let key = (source.name.clone(), item.kind, item.span.start, item.what.clone());
            match all.get_mut(&key) {
                Some(known) => known.item.hit |= item.hit,
                None => drop(all.insert(key, Place { file: source.name.clone(), line, item, at })),
            }
        }
    }
    Covered { places: all.into_values().collect() }
}

impl Covered {
    /// How many of a kind were exercised, and how many there are.
    pub fn count(&self, kind: Kind) -> [usize; 2] {
        let of_kind = || self.places.iter().filter(|place| place.item.kind == kind);
        [of_kind().filter(|place| place.item.hit).count(), of_kind().count()]
    }

    /// What was never exercised; of sentences and branches only those of handlers and rows that were.
    pub fn missed(&self) -> impl Iterator<Item = &Place> {
        let whole: Vec<&Place> = self
            .places
            .iter()
            .filter(|place| !place.item.hit && matches!(place.item.kind, Kind::Row | Kind::Handler))
            .collect();
        self.places.iter().filter(move |place| {
            let span = place.item.span;
            let within = |other: &&Place| {
                other.file == place.file && other.item.span.start <= span.start && span.end <= other.item.span.end
            };
            !place.item.hit && (!matches!(place.item.kind, Kind::Sentence | Kind::Branch) || !whole.iter().any(within))
        })
    }

    /// For each row missed that a short story reaches, a scenario that does so.
    pub fn pasted(&self, suite: &Suite) -> BTreeMap<(usize, TableId, u32), String> {
        let mut pasted = BTreeMap::new();
        for (at, file) in suite.files.iter().enumerate() {
            let rows: Vec<(TableId, u32)> = self
                .places
                .iter()
                .filter(|place| place.at == at && !place.item.hit)
                .filter_map(|place| place.item.row)
                .collect();
            if rows.is_empty() {
                continue;
            }
            for ((table, row), text) in paste::scenarios(&file.program, &file.options, &rows) {
                if works(file, &text, (table, row), suite.seed) {
                    pasted.insert((at, table, row), text);
                }
            }
        }
        pasted
    }
}

/// Whether a scenario does what it is offered for, put at the end of its file.
fn works(file: &File, scenario: &str, (table, row): (TableId, u32), seed: u64) -> bool {
    let Some(source) = file.sources.first() else { return false };
    let checked = load::load_text(&source.name, &format!("{}\n{scenario}", source.text));
    let Some(program) = checked.program else { return false };
    let Some(subject) = subjects(&program).last().copied() else { return false };
    let runner = cicatriz::suite::Runner { program: &program, options: &file.options, files: &checked.files, seed };
    let mut hits = Hits::new(&program);
    runner.one(subject, Some(&mut hits)).failures.is_empty() && hits.has_row(table, row)
}
