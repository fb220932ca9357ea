//! What is written on standard output and standard error, and how it looks there.

use cicatriz::say;
use cicatriz::wording::Wording;
use std::env;
use std::ffi::OsStr;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};

use cicatriz::diagnostics::Diagnostic;
use cicatriz::diagnostics::render::{Drawing, draw};
use cicatriz::source::Source;

use super::Exit;
use super::ui::{said, ui};

/// What standard output holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Text for people.
    Text,
    /// One JSON document.
    Json,
    /// Odds as comma-separated values.
    Csv,
    /// Odds as a table in Markdown.
    Markdown,
}

/// When there is colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// In a terminal, unless NO_COLOR is set.
    Auto,
    /// Always, even in a pipe.
    Always,
    /// Never.
    Never,
}

/// One of the two streams a command writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Standard output: what was asked for.
    Output,
    /// Standard error: what went wrong on the way.
    Error,
}

/// Columns where nothing is known of the terminal, as in a pipe.
const COLUMNS: usize = 100;

impl Stream {
    pub fn is_terminal(self) -> bool {
        match self {
            Stream::Output => io::stdout().is_terminal(),
            Stream::Error => io::stderr().is_terminal(),
        }
    }

    /// Columns of the terminal; 100 where it is none.
    pub fn columns(self) -> usize {
        let mut table = comfy_table::Table::new();
        if self == Stream::Error {
            table.use_stderr();
        }
        // A new table is as wide as its terminal.
        table.width().filter(|columns| *columns > 0).map_or(COLUMNS, usize::from)
    }

    /// Whether there is colour on it.
    pub fn colored(self, color: Color) -> bool {
        let variable = |name| env::var_os(name).unwrap_or_default();
        let plain = !variable("NO_COLOR").is_empty() || variable("TERM") == *"dumb";
        match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => self.is_terminal() && !plain,
        }
    }
}

/// How diagnostics are drawn on a stream: as good as its terminal can, in ASCII in a pipe.
pub fn drawing(color: Color, stream: Stream) -> Drawing<'static> {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(|name| env::var_os(name).unwrap_or_default());
    let term = env::var_os("TERM").unwrap_or_default();
    Drawing {
        color: stream.colored(color),
        unicode: stream.is_terminal() && has_unicode(&locale, &term),
        width: stream.columns(),
        ui: ui(),
    }
}

/// Whether a terminal with this locale (the first variable set counts) shows lines and arrows.
fn has_unicode(locale: &[impl AsRef<OsStr>], term: &OsStr) -> bool {
    if cfg!(windows) {
        return true;
    }
    let locale = locale.iter().map(AsRef::as_ref).find(|variable| !variable.is_empty());
    let locale = locale.unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    // The text console of Linux has few glyphs.
    (locale.contains("utf-8") || locale.contains("utf8")) && term != "linux" && term != "dumb"
}

/// Standard output. When its reader has gone (`… | head -1`) the rest is quietly dropped.
pub struct Output<W: Write = BufWriter<StdoutLock<'static>>> {
    writer: W,
    fault: Option<io::Error>,
}

impl Output {
    pub fn stdout() -> Self {
        Output::new(BufWriter::new(io::stdout().lock()))
    }
}

impl<W: Write> Output<W> {
    pub fn new(writer: W) -> Self {
        Output { writer, fault: None }
    }

    /// Writes a text as it is.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Writes a text and ends the line.
    pub fn line(&mut self, text: &str) {
        self.text(text);
        self.text("\n");
    }

    /// Writes a text in the language of the command and ends the line.
    pub fn say(&mut self, text: impl Into<Wording>) {
        self.line(&said(text));
    }

    /// Writes a document as one line of JSON.
    pub fn json(&mut self, document: &impl serde::Serialize) {
        self.attempt(|writer| {
            serde_json::to_writer(&mut *writer, document)?;
            writer.write_all(b"\n")
        });
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.attempt(|writer| writer.write_all(bytes));
    }

    /// Shows what is written so far, as before a question.
    pub fn flush(&mut self) {
        self.attempt(Write::flush);
    }

    /// Whether nothing more can be written: time to stop.
    pub fn closed(&self) -> bool {
        self.fault.is_some()
    }

    /// Writes what is left and tells how the command ends: as it would by itself, or with 2 where
    /// something could not be written though somebody still reads it, as on a full disk.
    #[must_use]
    pub fn finish(mut self, exit: Exit) -> Exit {
        self.flush();
        match self.fault {
            Some(fault) if fault.kind() != ErrorKind::BrokenPipe => {
                complain(say!("standard output cannot be written: {fault}", fault));
                Exit::Usage
            }
            _ => exit,
        }
    }

    fn attempt(&mut self, write: impl FnOnce(&mut W) -> io::Result<()>) {
        if self.fault.is_none() {
            self.fault = write(&mut self.writer).err();
        }
    }
}

/// Tells on standard error what went wrong. Whether anybody reads it does not matter.
pub fn complain(message: impl Into<Wording>) {
    let _ = writeln!(io::stderr(), "cicatriz: {}", said(message));
}

/// Draws diagnostics on standard error.
pub fn complain_of(diagnostics: &[Diagnostic], sources: &[Source], color: Color) {
    let text = draw(diagnostics, sources, &drawing(color, Stream::Error));
    let _ = io::stderr().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes some bytes, then fails.
    struct Pipe {
        room: usize,
        kind: ErrorKind,
        tries: usize,
    }

    impl Write for &mut Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.tries += 1;
            if self.room < bytes.len() {
                return Err(self.kind.into());
            }
            self.room -= bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_went_is_no_fault() {
        let mut pipe = Pipe { room: 4, kind: ErrorKind::BrokenPipe, tries: 0 };
        let mut out = Output::new(&mut pipe);
        out.text("abcd");
        assert!(!out.closed());
        out.text("e");
        assert!(out.closed());
        out.line("never tried");
        assert_eq!(out.finish(Exit::Faults), Exit::Faults);
        assert_eq!(pipe.tries, 2);
    }

    #[test]
    fn a_full_disk_is_one() {
        let mut disk = Pipe { room: 0, kind: ErrorKind::StorageFull, tries: 0 };
        let mut out = Output::new(&mut disk);
        out.json(&[1, 2]);
        assert_eq!(out.finish(Exit::Well), Exit::Usage);
    }

    #[test]
    fn json_is_one_line() {
        let mut written = Vec::new();
        let mut out = Output::new(&mut written);
        out.json(&serde_json::json!({"text": "ñ\n"}));
        assert_eq!(out.finish(Exit::Well), Exit::Well);
        assert_eq!(String::from_utf8_lossy(&written), "{\"text\":\"ñ\\n\"}\n");
    }

    #[test]
    fn unicode_by_the_first_locale_set() {
        let xterm = OsStr::new("xterm");
        assert!(has_unicode(&["", "es_ES.UTF-8", "C"], xterm) || cfg!(windows));
        assert!(has_unicode(&["C.utf8"], xterm) || cfg!(windows));
        assert!(!has_unicode(&["C", "es_ES.UTF-8"], xterm) || cfg!(windows));
        assert!(!has_unicode(&["es_ES.UTF-8"], OsStr::new("linux")) || cfg!(windows));
        assert!(!has_unicode(&["", ""], xterm) || cfg!(windows));
    }

    #[test]
    fn the_flag_is_stronger_than_what_is_found_out() {
        assert!(Stream::Output.colored(Color::Always));
        assert!(!Stream::Output.colored(Color::Never));
    }
}
