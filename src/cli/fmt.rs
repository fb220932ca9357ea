//! `cicatriz fmt`: canonical layout.

use crate::cli::ui::said;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use cicatriz::diagnostics::{Diagnostic, json, render};
use cicatriz::say;
use cicatriz::source::{FileId, Source};
use cicatriz::syntax;
use clap::ValueHint;
use serde::Serialize;

use super::output::{self, Output, Stream};
use super::{Common, Exit, files};
use crate::cli::ui::ui;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz fmt --check rules")]
pub struct Args {
    /// Rule files; a folder means all `.rules` below it, `-` standard input to standard output
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    /// Change nothing, only say which files are not in the canonical layout
    #[arg(long)]
    pub check: bool,
}

/// Brings files into the canonical layout.
pub fn run(args: Args, common: &Common) -> Exit {
    let mut out = Output::stdout();
    let exit = bring(&args, common, &mut out);
    out.finish(exit)
}

/// What came of it, as scripts read it.
#[derive(Debug, Default, Serialize)]
struct Report {
    /// Files that were changed, or with `--check` would be.
    changed: Vec<String>,
    unchanged: usize,
    diagnostics: Vec<json::Fault>,
    /// The canonical text of standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

fn bring<W: Write>(args: &Args, common: &Common, out: &mut Output<W>) -> Exit {
    let found = files::find(&args.paths);
    let filter = !args.check && found.files.iter().any(|path| files::is_stdin(path));
    if filter && found.files.len() + found.faults.len() > 1 {
        output::complain("`-` writes to standard output and stands alone: cicatriz fmt -");
        return Exit::Usage;
    }
    let mut work = Work { args, common, filter, out, exit: Exit::Well, report: Report::default() };
    for unread in &found.faults {
        work.fault(Exit::Usage, &[unread.diagnostic(FileId(0))], &unread.source);
    }
    for path in &found.files {
        match files::read(path) {
            Err(unread) => work.fault(Exit::Usage, &[unread.diagnostic(FileId(0))], &unread.source),
            Ok(source) => work.file(path, &source),
        }
    }
    let Work { exit, report, .. } = work;
    if common.json() {
        out.json(&report);
    } else if !filter && exit == Exit::Well && report.changed.is_empty() {
        let files = if report.unchanged == 1 {
            say!("1 file")
        } else {
            say!("{unchanged} files", unchanged = report.unchanged)
        };
        out.say(say!("{files}, nothing to change", files));
    }
    exit
}

struct Work<'a, W: Write> {
    args: &'a Args,
    common: &'a Common,
    /// Standard input is brought to standard output.
    filter: bool,
    out: &'a mut Output<W>,
    exit: Exit,
    report: Report,
}

impl<W: Write> Work<'_, W> {
    fn fault(&mut self, exit: Exit, faults: &[Diagnostic], source: &Source) {
        self.exit = self.exit.max(exit);
        let sources = std::slice::from_ref(source);
        if self.common.json() {
            self.report.diagnostics.extend(json::document_in(faults, sources, ui()).diagnostics);
        } else if self.filter {
            output::complain_of(faults, sources, self.common.color);
        } else {
            self.out.text(&render::draw(faults, sources, &self.common.drawing(Stream::Output)));
        }
    }

    fn file(&mut self, path: &Path, source: &Source) {
        let made = match syntax::format(&source.text) {
            Ok(made) => made,
            Err(faults) => return self.fault(Exit::Faults, &faults, source),
        };
        let same = made == *source.text && !has_mark(path, source);
        if same {
            self.report.unchanged += 1;
        } else if self.args.check {
            self.exit = self.exit.max(Exit::Faults);
            if !self.common.json() {
                self.out.text(&difference(source, &made));
            }
        } else if !self.filter {
            if let Err(error) = files::write_whole(path, &made) {
                output::complain(say!("`{name}` cannot be written: {error}", name = source.name, error));
                self.exit = Exit::Usage;
                return;
            }
            if !self.common.json() {
                self.out.say(say!("changed {name}", name = source.name));
            }
        }
        if !same {
            self.report.changed.push(source.name.to_string());
        }
        if self.filter && self.common.json() {
            self.report.text = Some(made);
        } else if self.filter {
            self.out.text(&made);
        }
    }
}

/// Whether a file begins with a byte order mark, which is no part of its text.
fn has_mark(path: &Path, source: &Source) -> bool {
    !files::is_stdin(path) && fs::metadata(path).is_ok_and(|file| file.len() != source.text.len() as u64)
}

/// The first line that would change, as it is and as it would be.
fn difference(source: &Source, made: &str) -> String {
    let (mut old, mut new) = (source.text.lines(), made.lines());
    let mut line = 1;
    loop {
        let (old, new) = (old.next(), new.next());
        if old.is_none() && new.is_none() {
            return said(say!("{name} would change: only how its lines end\n", name = source.name));
        }
        if old != new {
            let shown =
                |sign: char, line: Option<&str>| line.map_or(String::new(), |l| format!("{sign} {}\n", plain(l)));
            return said(say!(
                "{name}:{line} would change\n{old}{new}",
                name = source.name,
                line,
                old = shown('-', old),
                new = shown('+', new)
            ));
        }
        line += 1;
    }
}

/// Characters of a line shown.
const SHOWN: usize = 200;

/// A line without what a terminal would obey.
fn plain(line: &str) -> String {
    let shown = |c: char| match c {
        '\t' => '→',
        c if c.is_control() => '\u{FFFD}',
        c => c,
    };
    line.chars().take(SHOWN).map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Verb, parse};

    const UGLY: &str = "system a\nsheet b{\n\tc :yes/no\n}\n";
    const CANONICAL: &str = "system a\nsheet b {\n  c: yes/no\n}\n";

    /// A folder with files in it.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("written");
        }
        folder
    }

    fn text(folder: &tempfile::TempDir, name: &str) -> String {
        fs::read_to_string(folder.path().join(name)).expect("read")
    }

    /// Runs `fmt` with flags on a folder; its paths are cut out of what it writes.
    fn ran(folder: &tempfile::TempDir, flags: &[&str]) -> (Exit, String) {
        let path = folder.path().to_string_lossy().into_owned();
        let words = ["cicatriz", "fmt", "--color", "never", path.as_str()]
            .into_iter()
            .chain(flags.iter().copied())
            .map(Into::into);
        let Cli { verb, common } = parse(words.collect()).expect("a command");
        let Verb::Fmt(args) = verb else { panic!("another verb") };
        let mut written = Vec::new();
        let exit = bring(&args, &common, &mut Output::new(&mut written));
        let written = String::from_utf8(written).expect("UTF-8");
        (exit, written.replace(&format!("{path}/"), ""))
    }

    #[test]
    fn files_are_changed_only_where_they_are_not_canonical() {
        let folder = folder(&[("a.rules", UGLY), ("b.rules", CANONICAL)]);
        assert_eq!(ran(&folder, &[]), (Exit::Well, "changed a.rules\n".to_owned()));
        assert_eq!(text(&folder, "a.rules"), CANONICAL);
        assert_eq!(ran(&folder, &[]), (Exit::Well, "2 files, nothing to change\n".to_owned()));
    }

    #[test]
    fn check_writes_nothing_and_shows_the_first_line() {
        let folder = folder(&[("a.rules", UGLY), ("b.rules", CANONICAL), ("c.rules", "system a\r\n")]);
        let (exit, written) = ran(&folder, &["--check"]);
        assert_eq!(exit, Exit::Faults);
        assert_eq!(
            written,
            "a.rules:2 would change\n- sheet b{\n+ sheet b {\nc.rules would change: only how its lines end\n"
        );
        assert_eq!(text(&folder, "a.rules"), UGLY);
        assert_eq!(text(&folder, "c.rules"), "system a\r\n");
    }

    #[test]
    fn a_byte_order_mark_is_taken_away() {
        let folder = folder(&[("a.rules", "\u{FEFF}system a\n")]);
        assert_eq!(ran(&folder, &["--check"]).0, Exit::Faults);
        assert_eq!(ran(&folder, &[]).0, Exit::Well);
        assert_eq!(text(&folder, "a.rules"), "system a\n");
    }

    #[test]
    fn a_file_with_faults_is_drawn_and_left_alone() {
        let wrong = "table t = 1d6 {\n  1  a | \n}\n";
        let folder = folder(&[("a.rules", wrong), ("b.rules", UGLY)]);
        let (exit, written) = ran(&folder, &[]);
        assert_eq!(exit, Exit::Faults);
        assert!(written.contains("a.rules:2:") && written.contains("syntax"), "{written}");
        assert!(written.ends_with("changed b.rules\n"), "{written}");
        assert_eq!(text(&folder, "a.rules"), wrong);
    }

    #[test]
    fn one_document_for_scripts() {
        let folder = folder(&[("a.rules", UGLY), ("b.rules", CANONICAL), ("c.rules", "sheet {\n}\n")]);
        let (exit, written) = ran(&folder, &["--format", "json"]);
        let document: serde_json::Value = serde_json::from_str(&written).expect("JSON");
        assert_eq!(exit, Exit::Faults);
        assert_eq!(document["unchanged"], 1);
        assert!(document["changed"][0].as_str().is_some_and(|name| name.ends_with("a.rules")));
        assert!(document["diagnostics"][0]["file"].as_str().is_some_and(|name| name.ends_with("c.rules")));
        assert_eq!(document.get("text"), None);
    }

    #[test]
    fn a_missing_file_is_wrong_usage() {
        let folder = folder(&[("a.rules", CANONICAL)]);
        let path = folder.path().join("b.rules").to_string_lossy().into_owned();
        assert_eq!(ran(&folder, &[&path]).0, Exit::Usage);
        assert_eq!(ran(&folder, &["-"]).0, Exit::Usage);
    }
}
