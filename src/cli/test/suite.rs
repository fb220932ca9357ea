//! The rule files of a run, their scenarios, and how those went.

use cicatriz::wording::Wording;
use std::path::PathBuf;
use std::thread;

use cicatriz::check::{self, Checked};
use cicatriz::diagnostics::{Code, Diagnostic, Label};
use cicatriz::program::Program;
use cicatriz::say;
use cicatriz::source::Source;
use cicatriz::suite::snapshot::{self, Snapshot};
use cicatriz::suite::{Hits, Runner, Subject, Told, share, subjects};

use super::super::snapshots::{self, Store, Unwritten};
use super::super::{Common, Exit, files, load, output};
use super::{Args, Unused};

/// One rule file without errors.
pub struct File {
    pub path: PathBuf,
    pub program: Program,
    pub sources: Vec<Source>,
    pub options: Vec<u32>,
    pub subjects: Vec<Subject>,
    pub store: Option<Store>,
}

pub struct Suite {
    pub files: Vec<File>,
    /// Paths that were looked at, readable or not.
    paths: Vec<PathBuf>,
    pub wrong_option: bool,
    pub seed: u64,
}

/// How all went.
pub struct Results<'s> {
    /// By file, in order.
    pub told: Vec<(usize, Told<'s>)>,
    pub hits: Vec<Hits>,
    pub passed: usize,
    pub failed: usize,
    pub snapshots: Snapshots,
    /// Of snapshots that changed: the old text and the new.
    pub changed: Vec<(usize, Subject, String, String)>,
}

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

pub fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Reads and checks all files. What cannot be run is told at once.
pub fn load(args: &Args, common: &Common) -> (Exit, Suite) {
    let found = files::find(&args.paths);
    let mut exit = Exit::Well;
    for unread in &found.faults {
        load::complain_of_unread(unread, common);
        exit = exit.max(Exit::Usage);
    }
    let seed = common.seed.unwrap_or(cicatriz::suite::SEED);
    let mut suite = Suite { files: Vec::new(), paths: found.files.clone(), wrong_option: false, seed };
    // Standard input is read by one only, and every file by itself.
    let loaded = share(found.files.len(), threads(), || (), |(), index| load::load(&found.files[index])).0;
    for (path, loaded) in found.files.iter().zip(loaded) {
        match loaded {
            Err(unread) => {
                load::complain_of_unread(&unread, common);
                exit = exit.max(Exit::Usage);
            }
            Ok(Checked { program: None, diagnostics, files }) => {
                let is_error = |d: &Diagnostic| cicatriz::diagnostics::any_error(std::slice::from_ref(d));
                let errors: Vec<Diagnostic> = diagnostics.into_iter().filter(is_error).collect();
                output::complain_of(&errors, &files, common.color);
                exit = exit.max(Exit::Faults);
            }
            Ok(Checked { program: Some(program), files: sources, .. }) => {
                // An option of one system need not be known to the next.
                let set = common
                    .set
                    .iter()
                    .filter(|set| found.files.len() == 1 || program.options.iter().any(|option| option.id == set.name));
                let set: Vec<(&str, &str)> = set.map(|set| (set.name.as_str(), set.value.as_str())).collect();
                match check::options(&program, &set) {
                    Ok(options) => {
                        let subjects = subjects(&program);
                        let store = Store::of(path);
                        suite.files.push(File { path: path.clone(), program, sources, options, subjects, store });
                    }
                    Err(faults) => {
                        output::complain_of(&faults, &sources, common.color);
                        suite.wrong_option = true;
                    }
                }
            }
        }
    }
    (exit, suite)
}

impl File {
    pub fn runner(&self, seed: u64) -> Runner<'_> {
        Runner { program: &self.program, options: &self.options, files: &self.sources, seed }
    }

    /// Whether a subject's trace is kept, and under which name.
    fn keeps(&self, subject: Subject) -> Option<(&Store, String)> {
        subject.of(&self.program).snapshot?;
        let store = self.store.as_ref()?;
        Some((store, snapshot::name(&self.program, &store.stem, subject)))
    }

    /// The text kept of a subject's trace.
    pub fn kept(&self, subject: Subject) -> Option<String> {
        let (store, name) = self.keeps(subject)?;
        Some(snapshots::read(&store.kept(&name)).ok()??.contents)
    }
}

impl Suite {
    /// Every file that was read.
    pub fn read(&self) -> Vec<PathBuf> {
        let used = self.files.iter().flat_map(|file| &file.sources).map(|source| PathBuf::from(&*source.name));
        self.paths.iter().cloned().chain(used).collect()
    }

    /// Runs all scenarios of all files.
    pub fn results(&self, args: &Args, _: &Common) -> Result<Results<'_>, Unwritten> {
        let all: Vec<(usize, Subject)> = (0..self.files.len())
            .flat_map(|at| self.files[at].subjects.iter().map(move |subject| (at, *subject)))
            .collect();
        let begin = || self.files.iter().map(|file| Hits::new(&file.program)).collect::<Vec<_>>();
        let (told, parts) = share(all.len(), threads(), begin, |hits, index| {
            let (at, subject) = all[index];
            (at, self.files[at].runner(self.seed).one(subject, Some(&mut hits[at])))
        });
        let mut hits = begin();
        for part in &parts {
            hits.iter_mut().zip(part).for_each(|(all, part)| all.add(part));
        }
        let mut results =
            Results { told, hits, passed: 0, failed: 0, snapshots: Snapshots::default(), changed: Vec::new() };
        self.compare(args, &mut results)?;
        self.unused(args, &mut results)?;
        results.failed = results.told.iter().filter(|(_, told)| !told.failures.is_empty()).count();
        results.passed = results.told.len() - results.failed;
        Ok(results)
    }

    /// Holds each trace that is kept against the one that is.
    fn compare(&self, args: &Args, results: &mut Results<'_>) -> Result<(), Unwritten> {
        for (at, told) in &mut results.told {
            let file = &self.files[*at];
            let Some((store, name)) = file.keeps(told.subject) else { continue };
            if !told.failures.is_empty() {
                // First it has to go as expected.
                continue;
            }
            let new = snapshot::contents(told);
            let subject = told.subject.name(&file.program);
            let span = told.subject.of(&file.program).snapshot.unwrap_or_default();
            let kept = store.kept(&name);
            let path = file.path.display();
            let failure = |message: Wording, label: Wording, help: Wording| Diagnostic {
                labels: vec![Label { span, text: label }],
                ..Diagnostic::error(Code::ScenarioFailed, message).help(help)
            };
            match snapshots::read(&kept) {
                Ok(Some(old)) if snapshot::same(&old.contents, &new) => {
                    results.snapshots.matched += 1;
                    if !args.is_ci() {
                        store.reject(&name)?;
                    }
                    continue;
                }
                Ok(Some(old)) => {
                    results.snapshots.changed += 1;
                    told.failures.push(failure(
                        say!("the trace of `{subject}` has changed", subject),
                        say!("kept in `{kept}`", kept = kept.display()),
                        say!(
                            "look at it with `cicatriz review {path}`, and accept it where it is meant to be so",
                            path
                        ),
                    ));
                    results.changed.push((*at, told.subject, old.contents, new.clone()));
                }
                Ok(None) => {
                    results.snapshots.new += 1;
                    told.failures.push(failure(
                        say!("the trace of `{subject}` is not kept yet", subject),
                        say!("there is no `{kept}`", kept = kept.display()),
                        say!("look at it with `cicatriz review {path}`, and accept it where it is right", path),
                    ));
                }
                Err(error) => {
                    told.failures.push(failure(
                        say!("`{kept}` cannot be read: {error}", kept = kept.display(), error),
                        say!("kept there"),
                        say!("delete it, and run the tests again"),
                    ));
                    continue;
                }
            }
            if !args.is_ci() {
                let snapshot = Snapshot { source: store.source.clone(), expression: subject, contents: new };
                store.propose(&name, &snapshot)?;
            }
        }
        Ok(())
    }

    /// Finds snapshots that no scenario uses any more, and deletes them where that is asked for.
    fn unused(&self, args: &Args, results: &mut Results<'_>) -> Result<(), Unwritten> {
        for file in &self.files {
            let Some(store) = &file.store else { continue };
            let used: Vec<String> = file.subjects.iter().filter_map(|subject| Some(file.keeps(*subject)?.1)).collect();
            for name in store.names(false).into_iter().filter(|name| !used.contains(name)) {
                results.snapshots.unused += 1;
                results.snapshots.unused_files.push(store.kept(&name));
                if args.unused == Unused::Delete {
                    store.delete(&name)?;
                }
            }
            if args.unused == Unused::Delete {
                for name in store.names(true).into_iter().filter(|name| !used.contains(name)) {
                    store.reject(&name)?;
                }
            }
        }
        Ok(())
    }
}
