//! A rule file from the disk, with all it uses, checked.

use std::path::{Path, PathBuf};

use cicatriz::check::{self, Checked, Sources};
use cicatriz::diagnostics::{Diagnostic, any_error};
use cicatriz::program::Program;
use cicatriz::source::{FileId, Source};

use super::files::{self, Unread};
use super::{Common, Exit, catalog, output};

/// Reads and checks a file. `Err`: it cannot be read at all.
pub fn load(path: &Path) -> Result<Checked, Box<Unread>> {
    let source = files::read(path)?;
    Ok(load_text(&source.name, &source.text))
}

/// Checks a text in the place of the file of this name; what it uses is read.
pub fn load_text(name: &str, text: &str) -> Checked {
    let sources = Sources::load(name, text, &mut |from, wanted| {
        let path = beside(from, wanted);
        match files::read(&path) {
            Ok(used) => Ok((used.name.to_string(), used.text.to_string())),
            Err(unread) => Err(unread.diagnostic(FileId(0)).message),
        }
    });
    check::check(sources)
}

/// `use "other.rules"` is meant from the folder of the file that says it.
fn beside(from: &str, wanted: &str) -> PathBuf {
    let folder = Path::new(from).parent().unwrap_or(Path::new(""));
    let mut path = PathBuf::new();
    // Without `..` in the middle, so that one file has one name.
    for part in folder.join(wanted).components() {
        match part {
            std::path::Component::ParentDir if path.file_name().is_some() => {
                path.pop();
            }
            std::path::Component::CurDir => {}
            part => path.push(part),
        }
    }
    path
}

/// Reads and checks a file for a verb that runs it, its texts in the language asked for: without
/// errors, or the exit to end with.
pub fn program(path: &Path, common: &Common) -> Result<(Program, Vec<Source>), Exit> {
    let (mut program, files) = source_program(path, common)?;
    if let Some(lang) = &common.lang {
        catalog::translate(&mut program, path, &files, lang).map_err(|why| {
            output::complain(&why);
            Exit::Usage
        })?;
    }
    Ok((program, files))
}

/// Reads and checks a file, its texts as they stand there: without errors, or the exit to end with.
pub fn source_program(path: &Path, common: &Common) -> Result<(Program, Vec<Source>), Exit> {
    match load(path) {
        Err(unread) => {
            complain_of_unread(&unread, common);
            Err(Exit::Usage)
        }
        Ok(Checked { program, diagnostics, files, .. }) => match program {
            Some(program) => Ok((program, files)),
            None => {
                let errors: Vec<Diagnostic> =
                    diagnostics.into_iter().filter(|d| any_error(std::slice::from_ref(d))).collect();
                output::complain_of(&errors, &files, common.color);
                Err(Exit::Faults)
            }
        },
    }
}

pub fn complain_of_unread(unread: &Unread, common: &Common) {
    output::complain_of(&[unread.diagnostic(FileId(0))], std::slice::from_ref(&unread.source), common.color);
}
