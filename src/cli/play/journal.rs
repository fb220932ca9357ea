//! The journal of a game: one line a step, written as it happens, so that a game can be taken up
//! again where it was.

use crate::cli::ui::said;
use cicatriz::wording::Wording;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cli::files;
use cicatriz::say;

/// The form of the journal. A change of form takes the next number.
pub const VERSION: u32 = 1;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Line {
    /// The first: whose rules, and what was chosen.
    Play { version: u32, system: String, options: BTreeMap<String, String>, seed: u64 },
    /// A sheet was made.
    Make { sheet: String, name: String, set: BTreeMap<String, String>, dice: Vec<i64>, answers: Vec<String> },
    /// An event was sent. `to` is a sheet's number; without it, all.
    Event { event: String, to: Option<u32>, args: Vec<String>, dice: Vec<i64>, answers: Vec<String> },
    /// So many steps were taken back.
    Undo(usize),
}

/// A journal being written.
pub struct Journal {
    pub path: PathBuf,
    file: File,
}

/// What a journal held.
pub struct Read {
    pub lines: Vec<Line>,
    /// The last line was damaged, and was set aside in this file.
    pub set_aside: Option<PathBuf>,
}

impl Journal {
    /// A new journal in the current folder, under a name nobody has yet.
    pub fn create(system: &str) -> io::Result<Journal> {
        for number in 1..10_000u32 {
            let name = if number == 1 { format!("{system}.journal") } else { format!("{system}-{number}.journal") };
            match OpenOptions::new().append(true).create_new(true).open(&name) {
                Ok(file) => return Ok(Journal { path: name.into(), file }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other(said(say!("too many journals here"))))
    }

    /// Goes on in a journal that is there.
    pub fn append(path: &Path) -> io::Result<Journal> {
        Ok(Journal { path: path.to_owned(), file: OpenOptions::new().append(true).open(path)? })
    }

    /// Writes a line, whole, to the disk.
    pub fn write(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_string(line).map_err(io::Error::other)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())?;
        self.file.sync_data()
    }
}

/// Reads a journal. A last line that is cut off or damaged is set aside, and the rest counts.
///
/// Errors: the file cannot be read, or a line before the last is damaged.
pub fn read(path: &Path) -> Result<Read, Wording> {
    let bytes =
        std::fs::read(path).map_err(|error| say!("`{path}` cannot be read: {error}", path = path.display(), error))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut lines = Vec::new();
    let mut good = 0;
    let written: Vec<&str> = text.split_inclusive('\n').collect();
    for (index, line) in written.iter().enumerate() {
        match serde_json::from_str(line.trim_end()) {
            Ok(read) if line.ends_with('\n') => {
                lines.push(read);
                good += line.len();
            }
            _ if line.trim().is_empty() => good += line.len(),
            _ if index + 1 == written.len() => {
                let aside = path.with_extension("damaged");
                let rest = &text[good..];
                files::write_whole(&aside, rest).and_then(|()| files::write_whole(path, &text[..good])).map_err(
                    |error| {
                        say!("the damaged line of `{path}` cannot be set aside: {error}", path = path.display(), error)
                    },
                )?;
                return Ok(Read { lines, set_aside: Some(aside) });
            }
            _ => {
                return Err(say!(
                    "line {value} of `{path}` is damaged; mend it, or take it and what follows out",
                    value = index + 1,
                    path = path.display()
                ));
            }
        }
    }
    Ok(Read { lines, set_aside: None })
}
