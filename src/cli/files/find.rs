//! Which files the paths of a command mean.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use cicatriz::diagnostics::Code;
use cicatriz::say;

use super::{Unread, is_stdin};

/// The files that paths mean, and what could not be looked into.
#[derive(Debug, Default)]
pub struct Found {
    /// Each file once, in the order of the paths; those of a folder sorted.
    pub files: Vec<PathBuf>,
    pub faults: Vec<Unread>,
}

/// A folder means all `.rules` below it, sorted; hidden files and folders in it are skipped, and a
/// folder reached twice, as through a link that leads back, is looked into once. A folder without
/// any is a fault. Any other path is kept as it is: whether it can be read shows when it is read.
pub fn find(paths: &[PathBuf]) -> Found {
    let mut found = Found::default();
    let mut known = HashSet::new();
    for path in paths {
        let files = if !is_stdin(path) && path.is_dir() { below(path, &mut found.faults) } else { vec![path.clone()] };
        for file in files {
            let same = if is_stdin(&file) { None } else { file.canonicalize().ok() };
            if known.insert(same.unwrap_or_else(|| file.clone())) {
                found.files.push(file);
            }
        }
    }
    found
}

/// All `.rules` below a folder, sorted.
fn below(folder: &Path, faults: &mut Vec<Unread>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut seen = HashSet::new();
    let mut open = vec![folder.to_owned()];
    let before = faults.len();
    while let Some(folder) = open.pop() {
        if !folder.canonicalize().is_ok_and(|folder| seen.insert(folder)) {
            continue;
        }
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                faults.push(Unread::io(&folder, &error));
                continue;
            }
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rules") {
                files.push(path);
            }
        }
    }
    if files.is_empty() && faults.len() == before {
        let name = folder.to_string_lossy();
        let message = say!("there is no `.rules` file in the folder `{name}`", name);
        faults.push(Unread::whole(&name, Code::FileUnreadable, message));
    }
    files.sort();
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use cicatriz::source::FileId;

    /// A folder with these files in it; a name that ends in `/` is a folder.
    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for name in names {
            let path = folder.path().join(name);
            let parent = if name.ends_with('/') { Some(path.as_path()) } else { path.parent() };
            fs::create_dir_all(parent.expect("it has a parent")).expect("created");
            if !name.ends_with('/') {
                fs::write(path, "").expect("written");
            }
        }
        folder
    }

    fn names(found: &Found, folder: &Path) -> Vec<String> {
        let name = |file: &PathBuf| file.strip_prefix(folder).unwrap_or(file).to_string_lossy().replace('\\', "/");
        found.files.iter().map(name).collect()
    }

    #[test]
    fn a_folder_means_its_rules_sorted() {
        let names_in = ["b.rules", "a.rules", "c/d.rules", "a.txt", ".git/x.rules", ".#a.rules", "e/"];
        let folder = folder(&names_in);
        let found = find(&[folder.path().to_owned()]);
        assert_eq!(names(&found, folder.path()), ["a.rules", "b.rules", "c/d.rules"]);
        assert!(found.faults.is_empty());
    }

    #[test]
    fn a_file_named_twice_is_taken_once() {
        let folder = folder(&["a.rules", "b.rules"]);
        let a = folder.path().join("a.rules");
        let stdin = PathBuf::from("-");
        let other = folder.path().join("../").join(folder.path()).join("./b.rules");
        let paths = [other, stdin.clone(), a.clone(), folder.path().to_owned(), a, stdin];
        let found = find(&paths);
        assert_eq!(names(&found, folder.path()), ["b.rules", "-", "a.rules"]);
    }

    #[test]
    fn a_folder_without_rules_is_a_fault() {
        let folder = folder(&["readme.md"]);
        let found = find(&[folder.path().to_owned()]);
        assert!(found.files.is_empty());
        let fault = found.faults[0].diagnostic(FileId(0));
        assert!(fault.message.starts_with("there is no `.rules` file in the folder `"));
    }

    #[test]
    fn a_missing_path_is_kept_for_reading_to_tell() {
        assert_eq!(find(&["nowhere.rules".into()]).files, [PathBuf::from("nowhere.rules")]);
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_back_end() {
        let folder = folder(&["a.rules", "deep/b.rules"]);
        let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, folder.path().join(name)).expect("linked");
        link(folder.path(), "deep/back");
        link(Path::new("self"), "self");
        link(&folder.path().join("a.rules"), "z.rules");
        let found = find(&[folder.path().to_owned()]);
        assert_eq!(names(&found, folder.path()), ["a.rules", "deep/b.rules"]);
    }
}
