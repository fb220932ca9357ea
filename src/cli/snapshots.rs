//! Where traces are kept: in `snapshots/` beside the rule file, one file each.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use cicatriz::suite::snapshot::Snapshot;

use super::files;

/// The folder beside the rules.
const FOLDER: &str = "snapshots";
const KEPT: &str = "snap";
/// What insta calls one that nobody has looked at.
const PENDING: &str = "snap.new";

/// The snapshots of one rule file.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    /// The rule file's name, without its folder and ending, and with its ending.
    pub stem: String,
    pub source: String,
}

impl Store {
    /// That of a rule file; standard input has none.
    pub fn of(rules: &Path) -> Option<Store> {
        if files::is_stdin(rules) {
            return None;
        }
        Some(Store {
            folder: rules.parent().unwrap_or(Path::new("")).join(FOLDER),
            stem: rules.file_stem()?.to_string_lossy().into_owned(),
            source: rules.file_name()?.to_string_lossy().into_owned(),
        })
    }

    pub fn kept(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.{KEPT}"))
    }

    pub fn pending(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.{PENDING}"))
    }

    /// Puts a new trace beside the one that is kept.
    pub fn propose(&self, name: &str, snapshot: &Snapshot) -> Result<(), Unwritten> {
        let path = self.pending(name);
        let written = fs::create_dir_all(&self.folder).and_then(|()| files::write_whole(&path, &snapshot.write()));
        written.map_err(|error| Unwritten { path, error })
    }

    /// Puts what is proposed in the place of what is kept.
    pub fn accept(&self, name: &str) -> Result<(), Unwritten> {
        let path = self.kept(name);
        let read_only = fs::metadata(&path).is_ok_and(|kept| kept.permissions().readonly());
        let renamed = match read_only {
            true => Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only")),
            false => fs::rename(self.pending(name), &path),
        };
        renamed.map_err(|error| Unwritten { path, error })
    }

    /// Takes away what is proposed, if anything is.
    pub fn reject(&self, name: &str) -> Result<(), Unwritten> {
        remove(self.pending(name))
    }

    /// Takes away what is kept.
    pub fn delete(&self, name: &str) -> Result<(), Unwritten> {
        remove(self.kept(name))
    }

    /// The names of all that is kept of this rule file, or proposed, sorted.
    pub fn names(&self, pending: bool) -> Vec<String> {
        let ending = format!(".{}", if pending { PENDING } else { KEPT });
        let begins = format!("{}__", self.stem);
        let mut names: Vec<String> = fs::read_dir(&self.folder)
            .into_iter()
            .flat_map(|entries| entries.flatten())
            .filter_map(|entry| entry.file_name().to_string_lossy().strip_suffix(&ending).map(str::to_owned))
            .filter(|name| name.starts_with(&begins))
            .filter(|name| {
                // Of a file of the same name with another ending, and of other tools, nothing is ours.
                let path = if pending { self.pending(name) } else { self.kept(name) };
                read(&path).ok().flatten().is_some_and(|snapshot| snapshot.source == self.source)
            })
            .collect();
        names.sort();
        names
    }
}

fn remove(path: PathBuf) -> Result<(), Unwritten> {
    match fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Unwritten { path, error }),
        _ => Ok(()),
    }
}

/// A snapshot's file; `None` where there is none.
pub fn read(path: &Path) -> io::Result<Option<Snapshot>> {
    match fs::read_to_string(path) {
        Ok(text) => {
            let broken = || io::Error::new(ErrorKind::InvalidData, "it is no snapshot: its header is missing");
            Snapshot::read(&text).map(Some).ok_or_else(broken)
        }
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A snapshot that could not be written, accepted or deleted.
#[derive(Debug)]
pub struct Unwritten {
    path: PathBuf,
    error: io::Error,
}

impl std::fmt::Display for Unwritten {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` cannot be written: {}", self.path.display(), self.error)
    }
}
