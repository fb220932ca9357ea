//! `test --mutate`: which changes of the rules no scenario notices.

use cicatriz::suite::mutate::{self, Change};
use cicatriz::suite::odds::Kept;
use cicatriz::suite::{Runner, Subject, share, subjects};

use super::super::{Common, load};
use super::Args;
use super::suite::{File, Suite, threads};

/// A change that nobody noticed.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Unnoticed {
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub what: &'static str,
    pub from: String,
    pub to: String,
}

/// What became of all changes.
#[derive(Debug, Default, Clone, serde::Serialize)]
pub struct Mutated {
    /// A scenario failed.
    pub noticed: usize,
    /// Rules so changed are not accepted in the first place.
    pub refused: usize,
    pub unnoticed: Vec<Unnoticed>,
}

impl Mutated {
    /// Of a hundred changes that rules accept, how many are noticed, rounded down.
    pub fn percent(&self) -> usize {
        let all = self.noticed + self.unnoticed.len();
        (self.noticed * 100).checked_div(all).unwrap_or(100)
    }
}

/// Tries all changes of all files.
pub fn all(suite: &Suite, args: &Args, _: &Common) -> Mutated {
    let mut mutated = Mutated::default();
    for file in &suite.files {
        let Some(source) = file.sources.first() else { continue };
        let changes = mutate::changes(&file.program, &source.text, args.most);
        let kept: Vec<(Option<String>, Option<Kept>)> =
            file.subjects.iter().map(|subject| file.kept(*subject)).collect();
        let fates = share(changes.len(), threads(), || (), |(), at| fate(file, &changes[at], &kept, suite.seed)).0;
        for (change, fate) in changes.iter().zip(fates) {
            match fate {
                Fate::Noticed => mutated.noticed += 1,
                Fate::Refused => mutated.refused += 1,
                Fate::Unnoticed => {
                    let place = source.place(change.at());
                    mutated.unnoticed.push(Unnoticed {
                        file: file.path.display().to_string(),
                        line: place.line,
                        column: place.column,
                        what: change.what,
                        from: change.from.clone(),
                        to: change.to.clone(),
                    });
                }
            }
        }
    }
    mutated
}

enum Fate {
    Noticed,
    Refused,
    Unnoticed,
}

fn fate(file: &File, change: &Change, kept: &[(Option<String>, Option<Kept>)], seed: u64) -> Fate {
    let Some(source) = file.sources.first() else { return Fate::Refused };
    let checked = load::load_text(&source.name, &change.apply(&source.text));
    let Some(program) = checked.program else { return Fate::Refused };
    let subjects: Vec<Subject> = subjects(&program);
    if subjects.len() != file.subjects.len() {
        return Fate::Noticed;
    }
    let runner = Runner { program: &program, options: &file.options, files: &checked.files, seed };
    let all = subjects
        .iter()
        .zip(kept)
        .all(|(subject, (trace, odds))| runner.passes(*subject, trace.as_deref(), odds.as_ref()));
    if all { Fate::Unnoticed } else { Fate::Noticed }
}
