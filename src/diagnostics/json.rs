//! Diagnostics as scripts and editors read them: the JSON of `check --format json`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Code, Diagnostic, Severity};
use crate::source::{FileId, Place, Source, Span};
use crate::wording::Ui;

/// All diagnostics of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Document {
    pub diagnostics: Vec<Fault>,
}

/// One diagnostic. `file`, `start` and `end` are those of its first label; absent without one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    #[serde(serialize_with = "code")]
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    /// What to type.
    pub help: Option<String>,
    pub file: Option<String>,
    pub start: Option<Place>,
    pub end: Option<Place>,
    pub labels: Vec<Stretch>,
    /// What an editor can put in the text's place to do what the help says.
    pub edits: Vec<Stretch>,
}

/// A stretch of a file with what stands there (label) or shall stand there (edit).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stretch {
    pub text: String,
    /// Only where it is another file than the diagnostic's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub start: Option<Place>,
    pub end: Option<Place>,
}

/// Every diagnostic, in the order given. A file is the source at the index of its [`FileId`]; places
/// in a file that is not among the sources are absent. Spans are cut to their text. In English.
pub fn document(diagnostics: &[Diagnostic], sources: &[Source]) -> Document {
    document_in(diagnostics, sources, Ui::english())
}

/// Likewise with messages, labels and helps in a language; all else is the same in each.
pub fn document_in(diagnostics: &[Diagnostic], sources: &[Source], ui: &Ui) -> Document {
    let mut places = Places { sources, ui, columns: BTreeMap::new() };
    Document { diagnostics: diagnostics.iter().map(|d| places.fault(d)).collect() }
}

fn code<S: serde::Serializer>(code: &Code, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}

/// Finds places, many in one long line too, without counting its characters anew for each.
struct Places<'a> {
    sources: &'a [Source],
    ui: &'a Ui,
    columns: BTreeMap<FileId, Vec<usize>>,
}

/// Bytes between two remembered counts of characters.
const BLOCK: usize = 1024;

impl Places<'_> {
    fn fault(&mut self, diagnostic: &Diagnostic) -> Fault {
        let main = diagnostic.span();
        let home = main.map(|span| span.file);
        Fault {
            code: diagnostic.code,
            severity: diagnostic.severity,
            message: self.ui.say(&diagnostic.message),
            help: diagnostic.help.as_ref().map(|help| self.ui.say(help)),
            file: home.and_then(|file| self.name(file)),
            start: main.and_then(|span| self.start(span)),
            end: main.and_then(|span| self.end(span)),
            labels: diagnostic.labels.iter().map(|l| self.stretch(home, l.span, self.ui.say(&l.text))).collect(),
            edits: diagnostic.edits.iter().map(|e| self.stretch(home, e.span, e.text.clone())).collect(),
        }
    }

    fn stretch(&mut self, home: Option<FileId>, span: Span, text: String) -> Stretch {
        Stretch {
            text,
            file: if home == Some(span.file) { None } else { self.name(span.file) },
            start: self.start(span),
            end: self.end(span),
        }
    }

    fn name(&self, file: FileId) -> Option<String> {
        self.sources.get(usize::from(file.0)).map(|source| source.name.to_string())
    }

    fn start(&mut self, span: Span) -> Option<Place> {
        self.place(span.file, span.start as usize)
    }

    fn end(&mut self, span: Span) -> Option<Place> {
        self.place(span.file, span.end.max(span.start) as usize)
    }

    /// As [`Source::place`].
    fn place(&mut self, file: FileId, byte: usize) -> Option<Place> {
        let source = self.sources.get(usize::from(file.0))?;
        let mut byte = byte.min(source.text.len());
        while !source.text.is_char_boundary(byte) {
            byte -= 1;
        }
        let (mut line, mut beyond) = (1, source.line_count() + 1);
        while line + 1 < beyond {
            let middle = line.midpoint(beyond);
            if source.line(middle).start <= byte { line = middle } else { beyond = middle }
        }
        let start = source.line(line).start;
        let counts = self.columns.entry(file).or_insert_with(|| counts(source.text.as_bytes()));
        let count = |byte: usize| {
            let block = byte / BLOCK;
            counts[block] + starts(&source.text.as_bytes()[block * BLOCK..byte])
        };
        Some(Place { line, column: count(byte) - count(start) + 1, byte })
    }
}

/// How many characters begin before each block.
fn counts(text: &[u8]) -> Vec<usize> {
    let mut before = 0;
    let mut counts = vec![0];
    for block in text.chunks(BLOCK) {
        before += starts(block);
        counts.push(before);
    }
    counts
}

/// How many characters begin in these bytes of UTF-8.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn is_the_contract() {
        let sources = [Source::new("a.rules", "año {\n  1–3 x\n"), Source::new("b.rules", "x\n")];
        let dash = Span::new(FileId(0), 10..13);
        let faults = [
            Diagnostic::error(Code::Syntax, "`–` is a dash of prose")
                .label(dash, "a long dash")
                .label(Span::new(FileId(1), 0..1), "as here")
                .help("type `1-3`")
                .edit(dash, "-"),
            Diagnostic::warning(Code::NameUnused, "nobody reads it"),
        ];
        let start = json!({"line": 2, "column": 4, "byte": 10});
        let end = json!({"line": 2, "column": 5, "byte": 13});
        let expected = json!({"diagnostics": [
            {
                "code": "syntax", "severity": "error", "message": "`–` is a dash of prose",
                "help": "type `1-3`", "file": "a.rules", "start": start, "end": end,
                "labels": [
                    {"text": "a long dash", "start": start, "end": end},
                    {"text": "as here", "file": "b.rules", "start": {"line": 1, "column": 1, "byte": 0},
                     "end": {"line": 1, "column": 2, "byte": 1}}
                ],
                "edits": [{"text": "-", "start": start, "end": end}]
            },
            {
                "code": "name::unused", "severity": "warning", "message": "nobody reads it",
                "help": null, "file": null, "start": null, "end": null, "labels": [], "edits": []
            }
        ]});
        let document = serde_json::to_value(document(&faults, &sources)).expect("plain data");
        assert_eq!(document, expected);
    }

    #[test]
    fn keys_stand_in_the_order_of_the_contract() {
        let fault = [Diagnostic::error(Code::Syntax, "x")];
        let text = serde_json::to_string(&document(&fault, &[])).expect("plain data");
        assert!(text.starts_with(r#"{"diagnostics":[{"code":"syntax","severity":"error","message":"#));
    }

    #[test]
    fn all_are_told() {
        let faults = vec![Diagnostic::error(Code::Syntax, "x"); 50];
        assert_eq!(document(&faults, &[]).diagnostics.len(), 50);
    }

    #[test]
    fn places_are_those_of_the_source() {
        let text = format!("año\r\n{}\n\n{}x", "ñandú ".repeat(700), "–".repeat(1000));
        let source = Source::new("x", text.as_str());
        let sources = [source.clone()];
        let mut places = Places { sources: &sources, ui: Ui::english(), columns: BTreeMap::new() };
        for byte in 0..text.len() + 3 {
            assert_eq!(places.place(FileId(0), byte), Some(source.place(byte)));
        }
        let empty = [Source::new("x", "")];
        let mut places = Places { sources: &empty, ui: Ui::english(), columns: BTreeMap::new() };
        assert_eq!(places.place(FileId(0), 7), Some(Place { line: 1, column: 1, byte: 0 }));
        assert_eq!(places.place(FileId(3), 7), None);
    }
}
