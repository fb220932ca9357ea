//! The rule files of a run, their scenarios, and how those went.

use std::path::PathBuf;
use std::thread;

use cicatriz::check::{self, Checked};
use cicatriz::diagnostics::Diagnostic;
use cicatriz::program::Program;
use cicatriz::source::Source;
use cicatriz::suite::{Hits, Runner, Subject, Told, share, subjects};

use super::super::snapshots::{Store, Unwritten};
use super::super::{Common, Exit, files, load, output};
use super::Args;
use super::kept::{Changed, Snapshots};

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
    pub changed: Vec<Changed>,
    /// Snapshots that could not be written or deleted.
    pub unwritten: Vec<Unwritten>,
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
            Ok(Checked { program: None, diagnostics, files, .. }) => {
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
}

impl Suite {
    /// Every file that was read.
    pub fn read(&self) -> Vec<PathBuf> {
        let used = self.files.iter().flat_map(|file| &file.sources).map(|source| PathBuf::from(&*source.name));
        self.paths.iter().cloned().chain(used).collect()
    }

    /// Runs all scenarios of all files.
    pub fn results(&self, args: &Args, _: &Common) -> Results<'_> {
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
        let mut results = Results {
            told,
            hits,
            passed: 0,
            failed: 0,
            snapshots: Snapshots::default(),
            changed: Vec::new(),
            unwritten: Vec::new(),
        };
        self.compare(args, &mut results);
        self.unused(args, &mut results);
        results.failed = results.told.iter().filter(|(_, told)| !told.failures.is_empty()).count();
        results.passed = results.told.len() - results.failed;
        results
    }
}
