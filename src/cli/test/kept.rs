//! What is kept of runs, their traces and their odds, against what came out now.

use std::path::PathBuf;

use cicatriz::diagnostics::{Code, Diagnostic, Label};
use cicatriz::say;
use cicatriz::source::Span;
use cicatriz::suite::odds::{Kept, Moved, within};
use cicatriz::suite::snapshot::{self, Snapshot};
use cicatriz::suite::{Subject, Told};
use cicatriz::wording::Wording;

use super::super::snapshots::{self, Store};
use super::suite::{File, Results, Suite};
use super::{Args, Unused};

/// How snapshots compare.
#[derive(Debug, Default, Clone, serde::Serialize)]
pub struct Snapshots {
    pub matched: usize,
    pub changed: usize,
    pub new: usize,
    pub unused: usize,
    /// Their files.
    #[serde(skip)]
    pub unused_files: Vec<PathBuf>,
}

/// A snapshot that is no longer what it was.
pub struct Changed {
    /// Which file of the suite it belongs to.
    pub at: usize,
    pub subject: Subject,
    pub difference: Difference,
}

pub enum Difference {
    /// Of a trace: the old text and the new.
    Trace(String, String),
    /// Of odds: the outcomes that moved.
    Odds(Vec<Moved>),
}

/// One snapshot of a subject.
struct Keepsake {
    is_odds: bool,
    name: String,
    span: Span,
}

impl File {
    /// What is kept of a subject, and where.
    fn keepsakes(&self, subject: Subject) -> Vec<(&Store, Keepsake)> {
        let Some(store) = &self.store else { return Vec::new() };
        let scenario = subject.of(&self.program);
        let trace = scenario.snapshot.map(|span| Keepsake {
            is_odds: false,
            name: snapshot::name(&self.program, &store.stem, subject),
            span,
        });
        let odds = scenario.odds.map(|keeps| Keepsake {
            is_odds: true,
            name: snapshot::odds_name(&self.program, &store.stem, subject),
            span: keeps.span,
        });
        trace.into_iter().chain(odds).map(|keepsake| (store, keepsake)).collect()
    }

    /// Whether every option is as it is by itself: what is kept was kept so.
    fn has_defaults(&self) -> bool {
        self.program.options.iter().map(|option| option.default).eq(self.options.iter().copied())
    }

    /// What is kept of a subject: its trace and its odds.
    pub fn kept(&self, subject: Subject) -> (Option<String>, Option<Kept>) {
        let (mut trace, mut odds) = (None, None);
        for (store, keepsake) in self.keepsakes(subject) {
            let Ok(Some(found)) = snapshots::read(&store.kept(&keepsake.name)) else { continue };
            match keepsake.is_odds {
                true => odds = Kept::read(&found.contents),
                false => trace = Some(found.contents),
            }
        }
        (trace, odds)
    }

    /// What is different between what was kept and what is now; `None` where nothing is.
    ///
    /// Errors: what is kept cannot be read.
    fn difference(&self, told: &Told<'_>, is_odds: bool, old: &str, new: &str) -> Result<Option<Difference>, ()> {
        if !is_odds {
            let same = snapshot::same(old, new);
            return Ok((!same).then(|| Difference::Trace(old.to_owned(), new.to_owned())));
        }
        let keeps = told.subject.of(&self.program).odds.ok_or(())?;
        let (old, new) = (Kept::read(old).ok_or(())?, told.odds.as_ref().ok_or(())?);
        let moved = old.moved(new, &within(&keeps));
        Ok((!moved.is_empty()).then_some(Difference::Odds(moved)))
    }
}

impl Suite {
    /// Holds everything that is kept against what is now; nothing where options were chosen.
    pub fn compare(&self, args: &Args, results: &mut Results<'_>) {
        for (at, told) in &mut results.told {
            // First it has to go as expected.
            if !told.failures.is_empty() {
                continue;
            }
            let file = &self.files[*at];
            if !file.has_defaults() {
                continue;
            }
            for (store, keepsake) in file.keepsakes(told.subject) {
                let new = match (keepsake.is_odds, &told.odds) {
                    (false, _) => snapshot::contents(told),
                    (true, Some(odds)) => odds.write(),
                    (true, None) => continue,
                };
                let (failure, difference) = match self.judged(file, told, (store, &keepsake), &new) {
                    Verdict::Matched => {
                        results.snapshots.matched += 1;
                        if !args.is_ci() {
                            results.unwritten.extend(store.reject(&keepsake.name).err());
                        }
                        continue;
                    }
                    Verdict::Unread(failure) => {
                        told.failures.push(failure);
                        continue;
                    }
                    Verdict::Changed(failure, difference) => {
                        results.snapshots.changed += 1;
                        (failure, Some(difference))
                    }
                    Verdict::New(failure) => {
                        results.snapshots.new += 1;
                        (failure, None)
                    }
                };
                told.failures.push(failure);
                let subject = told.subject;
                results.changed.extend(difference.map(|difference| Changed { at: *at, subject, difference }));
                if !args.is_ci() {
                    let expression = told.subject.name(&file.program);
                    let snapshot = Snapshot { source: store.source.clone(), expression, contents: new };
                    results.unwritten.extend(store.propose(&keepsake.name, &snapshot).err());
                }
            }
        }
    }

    fn judged(&self, file: &File, told: &Told<'_>, (store, keepsake): (&Store, &Keepsake), new: &str) -> Verdict {
        let subject = told.subject.name(&file.program);
        let (kept, path) = (store.kept(&keepsake.name), file.path.display());
        let failure = |message: Wording, label: Wording, help: Wording| Diagnostic {
            labels: vec![Label { span: keepsake.span, text: label }],
            ..Diagnostic::error(Code::ScenarioFailed, message).help(help)
        };
        let unread = |reason: Wording| {
            Verdict::Unread(failure(
                say!("`{kept}` cannot be read: {reason}", kept = kept.display(), reason),
                say!("kept there"),
                say!("delete it, and run the tests again"),
            ))
        };
        match snapshots::read(&kept) {
            Err(error) => unread(Wording::text(error.to_string())),
            Ok(None) => Verdict::New(failure(
                match keepsake.is_odds {
                    true => say!("the odds of `{subject}` are not kept yet", subject),
                    false => say!("the trace of `{subject}` is not kept yet", subject),
                },
                say!("there is no `{kept}`", kept = kept.display()),
                say!("look at it with `cicatriz review {path}`, and accept it where it is right", path),
            )),
            Ok(Some(old)) => match file.difference(told, keepsake.is_odds, &old.contents, new) {
                Err(()) => unread(say!("it holds no odds")),
                Ok(None) => Verdict::Matched,
                Ok(Some(difference)) => {
                    let message = match (&difference, told.subject.of(&file.program).odds) {
                        (Difference::Odds(_), Some(keeps)) if keeps.within.0 > 0 => {
                            let most = within(&keeps).to_f64() * 100.0;
                            say!(
                                "the odds of `{subject}` have moved by more than {most}%",
                                subject,
                                most = most.to_string()
                            )
                        }
                        (Difference::Odds(_), _) => say!("the odds of `{subject}` have moved", subject),
                        _ => say!("the trace of `{subject}` has changed", subject),
                    };
                    let label = say!("kept in `{kept}`", kept = kept.display());
                    let help = say!(
                        "look at it with `cicatriz review {path}`, and accept it where it is meant to be so",
                        path
                    );
                    Verdict::Changed(failure(message, label, help), difference)
                }
            },
        }
    }

    /// Finds snapshots that no scenario uses any more, and deletes them where that is asked for.
    pub fn unused(&self, args: &Args, results: &mut Results<'_>) {
        for file in &self.files {
            let Some(store) = &file.store else { continue };
            let keepsakes = file.subjects.iter().flat_map(|subject| file.keepsakes(*subject));
            let used: Vec<String> = keepsakes.map(|(_, keepsake)| keepsake.name).collect();
            for name in store.names(false).into_iter().filter(|name| !used.contains(name)) {
                results.snapshots.unused += 1;
                results.snapshots.unused_files.push(store.kept(&name));
                if args.unused == Unused::Delete {
                    results.unwritten.extend(store.delete(&name).err());
                }
            }
            if args.unused == Unused::Delete {
                for name in store.names(true).into_iter().filter(|name| !used.contains(name)) {
                    results.unwritten.extend(store.reject(&name).err());
                }
            }
        }
    }
}

/// What became of one snapshot.
enum Verdict {
    Matched,
    Changed(Diagnostic, Difference),
    New(Diagnostic),
    Unread(Diagnostic),
}
