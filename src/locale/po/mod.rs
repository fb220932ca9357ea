//! A catalog of gettext (`.po`): read whatever state it is in, written back as it was.
//!
//! A file is kept as blocks, each with its own bytes. What nobody changed is written byte for
//! byte as it stood; only a changed entry is laid out anew. Reading never fails: what is broken is
//! told as diagnostics inside the file, and the entry concerned is marked.

mod read;
mod string;
mod whole;
mod write;

pub use read::read;

use std::ops::Range;

use crate::diagnostics::Diagnostic;
use crate::source::{FileId, Source, Span};

/// A catalog with all that was found while reading it.
#[derive(Debug, Clone)]
pub struct Po {
    /// The text as it was read, with its byte order mark if it has one.
    pub source: Source,
    /// The whole file in order.
    pub blocks: Vec<Block>,
    /// Blank lines behind the last block.
    pub tail: Range<usize>,
    /// Whether its lines end in CRLF.
    pub crlf: bool,
    /// What is broken, in order.
    pub diagnostics: Vec<Diagnostic>,
}

/// An entry, or comments that belong to none, with the bytes they had.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// Blank lines before it, and a byte order mark before the first.
    pub gap: Range<usize>,
    /// Its bytes; none where it was made or changed since.
    pub raw: Option<Range<usize>>,
    pub entry: Option<Entry>,
}

/// One message with its translation.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// Translators' own comments, whole lines: `# not sure about this`.
    pub comments: Vec<String>,
    /// Notes for translators, without their `#.`.
    pub notes: Vec<String>,
    /// Where the text comes from, without the `#:`.
    pub references: Vec<String>,
    /// `fuzzy`, `python-brace-format`
    pub flags: Vec<String>,
    /// Comments of a sort that is not known here, whole lines.
    pub unknown: Vec<String>,
    /// The message that a fuzzy translation was made for.
    pub previous: Previous,
    pub context: Option<String>,
    pub id: String,
    pub plural: Option<String>,
    /// The translation: one text, or one for each plural form.
    pub texts: Vec<String>,
    /// No longer in the rules: `#~`.
    pub obsolete: bool,
    /// Something in it could not be read.
    pub broken: bool,
    pub places: Places,
}

/// A message as it was before: `#| msgid "…"`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Previous {
    pub context: Option<String>,
    pub id: Option<String>,
    pub plural: Option<String>,
}

impl Previous {
    pub fn is_empty(&self) -> bool {
        *self == Previous::default()
    }
}

/// Where the parts of an entry stand; strings with their quotes.
#[derive(Debug, Clone, Default)]
pub struct Places {
    pub context: Range<usize>,
    pub id: Range<usize>,
    pub texts: Vec<Range<usize>>,
    pub flags: Range<usize>,
}

/// The flag of a translation that somebody has to look at again.
pub const FUZZY: &str = "fuzzy";
/// The flag of messages with names in braces.
pub const BRACES: &str = "python-brace-format";

impl Entry {
    pub fn is_header(&self) -> bool {
        self.id.is_empty() && self.context.is_none() && !self.obsolete
    }

    pub fn is_fuzzy(&self) -> bool {
        self.has_flag(FUZZY)
    }

    pub fn has_flag(&self, flag: &str) -> bool {
        self.flags.iter().any(|known| known == flag)
    }

    /// Whether every form has a text.
    pub fn is_translated(&self) -> bool {
        !self.texts.is_empty() && self.texts.iter().all(|text| !text.is_empty())
    }

    /// Whether any form has a text.
    pub fn is_begun(&self) -> bool {
        self.texts.iter().any(|text| !text.is_empty())
    }

    /// What it is found by.
    pub fn key(&self) -> (Option<&str>, &str) {
        (self.context.as_deref(), &self.id)
    }

    /// Where the translation of a form stands.
    pub fn text_span(&self, form: usize) -> Span {
        let range = self.places.texts.get(form).filter(|range| !range.is_empty());
        Span::new(FileId::default(), range.unwrap_or(&self.places.id).clone())
    }

    /// Where the message stands.
    pub fn id_span(&self) -> Span {
        Span::new(FileId::default(), self.places.id.clone())
    }
}

impl Po {
    /// Every entry that is in use, in order; the header is not among them.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.blocks.iter().filter_map(|block| block.entry.as_ref()).filter(|e| !e.obsolete && !e.is_header())
    }

    /// The header's entry.
    pub fn header(&self) -> Option<&Entry> {
        self.blocks.iter().filter_map(|block| block.entry.as_ref()).find(|entry| entry.is_header())
    }

    /// A field of the header: `Language`. Upper and lower case are alike.
    pub fn field(&self, name: &str) -> Option<&str> {
        let text = self.header()?.texts.first()?;
        let fields = text.lines().filter_map(|line| line.split_once(':'));
        let mut found = fields.filter(|(known, _)| known.trim().eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value.trim())
    }

    /// Where a field of the header stands, or the header itself.
    pub fn field_span(&self, name: &str) -> Span {
        let Some(header) = self.header() else { return Span::default() };
        let span = header.text_span(0);
        let written = self.source.slice(span).to_ascii_lowercase();
        match written.find(&format!("{}:", name.to_ascii_lowercase())) {
            Some(at) => {
                let line = written[at..].split(['\n', '"']).next().unwrap_or_default();
                let line = line.strip_suffix("\\n").unwrap_or(line);
                let start = span.start as usize + at;
                Span::new(span.file, start..start + line.len())
            }
            None => span,
        }
    }
}
