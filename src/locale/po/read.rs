//! A file's lines as blocks, whatever is wrong with them.

use crate::wording::Wording;
use std::ops::Range;

use super::string::{Slip, unquote};
use super::{Block, Entry, Po, whole};
use crate::diagnostics::{Code, Diagnostic};
use crate::plural::FORMS;
use crate::say;
use crate::source::{FileId, Source, Span};

/// Reads a catalog. Spans of its diagnostics are in file 0.
pub fn read(source: Source) -> Po {
    let text = source.text.clone();
    let crlf = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
    let mut reader = Reader { at: 0, block: Open::default(), blocks: Vec::new(), diagnostics: Vec::new() };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    reader.block.begin = reader.at;
    for line in text[reader.at..].split_inclusive('\n') {
        let from = reader.at;
        reader.at += line.len();
        reader.line(from, line.trim_end_matches(['\n', '\r']));
    }
    let end = reader.at;
    let tail = reader.close(end);
    let mut po = Po { source, blocks: reader.blocks, tail, crlf, diagnostics: reader.diagnostics };
    whole::look(&mut po);
    po
}

/// The part of an entry that a string belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Context,
    Id,
    Plural,
    Text(usize),
    PreviousContext,
    PreviousId,
    PreviousPlural,
    /// Something that has been told already.
    Lost,
}

/// The block under way.
#[derive(Default)]
struct Open {
    /// Where its gap begins.
    gap: usize,
    begin: usize,
    /// Behind its last line that is not blank.
    end: usize,
    entry: Entry,
    /// Any line but blank ones.
    begun: bool,
    has_id: bool,
    has_text: bool,
    field: Option<Field>,
}

struct Reader {
    at: usize,
    block: Open,
    blocks: Vec<Block>,
    diagnostics: Vec<Diagnostic>,
}

fn span(range: Range<usize>) -> Span {
    Span::new(FileId::default(), range)
}

impl Reader {
    fn tell(
        &mut self,
        range: Range<usize>,
        message: impl Into<Wording>,
        label: impl Into<Wording>,
        help: impl Into<Wording>,
    ) {
        let help = help.into();
        self.block.entry.broken = true;
        let fault = Diagnostic::error(Code::LocaleFile, message).label(span(range), label);
        self.diagnostics.push(if help.is_empty() { fault } else { fault.help(help) });
    }

    fn line(&mut self, from: usize, line: &str) {
        let content = line.trim_start();
        let start = from + line.len() - content.len();
        if content.trim_end().is_empty() {
            if self.block.has_text {
                self.finish(from);
            }
            if !self.block.begun {
                self.block.begin = self.at;
            }
            return;
        }
        if let Some(rest) = content.strip_prefix("#~") {
            let (rest, is_previous) = match rest.strip_prefix('|') {
                Some(rest) => (rest, true),
                None => (rest, false),
            };
            let blanks = rest.len() - rest.trim_start().len();
            let at = from + line.len() - rest.len() + blanks;
            self.word(at, rest.trim(), is_previous, true, from);
        } else if let Some(rest) = content.strip_prefix("#|") {
            let blanks = rest.len() - rest.trim_start().len();
            let at = from + line.len() - rest.len() + blanks;
            self.word(at, rest.trim(), true, self.block.entry.obsolete, from);
        } else if content.starts_with('#') {
            self.comment(start, content.trim_end(), from);
        } else {
            self.word(start, content.trim_end(), false, false, from);
        }
        self.block.end = self.at;
        self.block.begun = true;
    }

    fn comment(&mut self, start: usize, content: &str, from: usize) {
        if self.block.has_text {
            self.finish(from);
        }
        let entry = &mut self.block.entry;
        let inner = |list: &mut Vec<String>| list.push(content[2..].trim().to_owned());
        match content.as_bytes().get(1) {
            None | Some(b' ' | b'\t') => entry.comments.push(content.to_owned()),
            Some(b'.') => inner(&mut entry.notes),
            Some(b':') => inner(&mut entry.references),
            Some(b',') => {
                entry.places.flags = start..start + content.len();
                entry
                    .flags
                    .extend(content[2..].split(',').map(|flag| flag.trim().to_owned()).filter(|f| !f.is_empty()));
            }
            // A second `#` or letters: a comment that somebody typed without a blank.
            Some(b'#') => entry.comments.push(content.to_owned()),
            Some(byte) if byte.is_ascii_alphanumeric() || !byte.is_ascii() => entry.comments.push(content.to_owned()),
            Some(_) => entry.unknown.push(content.to_owned()),
        }
    }

    /// A keyword with its string, or a string that goes on.
    fn word(&mut self, at: usize, content: &str, is_previous: bool, obsolete: bool, from: usize) {
        if content.starts_with('"') {
            return self.string(at, content);
        }
        let length = content.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let (keyword, mut rest) = content.split_at(length);
        let mut field = match (keyword, is_previous) {
            ("msgctxt", false) => Field::Context,
            ("msgid", false) => Field::Id,
            ("msgid_plural", false) => Field::Plural,
            ("msgstr", false) => Field::Text(0),
            ("msgctxt", true) => Field::PreviousContext,
            ("msgid", true) => Field::PreviousId,
            ("msgid_plural", true) => Field::PreviousPlural,
            _ => Field::Lost,
        };
        if field == Field::Lost {
            if is_previous || obsolete {
                // As comments, whatever they are.
                self.block.field = Some(Field::Lost);
                return;
            }
            self.tell(
                at..at + content.len(),
                "this is neither a comment, nor a keyword, nor a string",
                "not read",
                "put a text between double quotes, and `#` before a comment",
            );
            self.block.field = Some(Field::Lost);
            return;
        }
        let begins = match field {
            Field::Id => self.block.has_id || self.block.has_text,
            Field::Text(_) | Field::Plural => false,
            _ => self.block.has_text || (field == Field::Context && self.block.entry.context.is_some()),
        };
        if begins {
            self.finish(from);
        }
        self.block.entry.obsolete |= obsolete;
        if field == Field::Text(0)
            && let Some(index) = rest.strip_prefix('[').and_then(|inner| inner.split_once(']'))
        {
            rest = index.1;
            field = match index.0.trim().parse::<usize>() {
                Ok(form) if form < FORMS => Field::Text(form),
                _ => {
                    let place = at + length + 1;
                    let message = say!("`{value}` is no number of a form", value = index.0);
                    self.tell(place..place + index.0.len(), message, "a number from 0", "");
                    Field::Lost
                }
            };
        }
        self.open_field(field, at..at + length);
        self.string(at + content.len() - rest.len(), rest);
    }

    fn open_field(&mut self, field: Field, range: Range<usize>) {
        let block = &mut self.block;
        block.field = Some(field);
        match field {
            Field::Id => block.has_id = true,
            Field::Context => block.entry.context = Some(String::new()),
            Field::Plural => block.entry.plural = Some(String::new()),
            Field::PreviousContext => block.entry.previous.context = Some(String::new()),
            Field::PreviousId => block.entry.previous.id = Some(String::new()),
            Field::PreviousPlural => block.entry.previous.plural = Some(String::new()),
            Field::Text(form) => {
                let known = block.entry.texts.len();
                let has_id = block.has_id;
                block.has_text = true;
                if known < form + 1 {
                    block.entry.texts.resize(form + 1, String::new());
                    block.entry.places.texts.resize(form + 1, 0..0);
                }
                if !has_id {
                    self.tell(range, "a translation without its message", "no `msgid` before it", "");
                } else if form > known {
                    let label = say!("`msgstr[{known}]` is missing before it", known);
                    self.tell(range, "the forms are not in order", label, "write them from 0 on, one after the other");
                } else if form < known {
                    self.tell(
                        range,
                        "a second translation of the same message",
                        "one too many",
                        "take one of them out",
                    );
                }
            }
            Field::Lost => {}
        }
    }

    fn string(&mut self, at: usize, content: &str) {
        let end = at + content.trim_end().len();
        let start = at + content.len() - content.trim_start().len();
        let entry = &mut self.block.entry;
        let mut lost = String::new();
        let grow =
            |place: &mut Range<usize>| *place = if place.start == place.end { start..end } else { place.start..end };
        let field = self.block.field;
        let value = match field {
            Some(Field::Context) => {
                grow(&mut entry.places.context);
                entry.context.get_or_insert_default()
            }
            Some(Field::Id) => {
                grow(&mut entry.places.id);
                &mut entry.id
            }
            Some(Field::Plural) => entry.plural.get_or_insert_default(),
            Some(Field::PreviousContext) => entry.previous.context.get_or_insert_default(),
            Some(Field::PreviousId) => entry.previous.id.get_or_insert_default(),
            Some(Field::PreviousPlural) => entry.previous.plural.get_or_insert_default(),
            Some(Field::Text(form)) => {
                if let Some(place) = entry.places.texts.get_mut(form) {
                    grow(place);
                }
                entry.texts.get_mut(form).unwrap_or(&mut lost)
            }
            Some(Field::Lost) | None => &mut lost,
        };
        let slip = unquote(content, value);
        if field.is_none() {
            self.tell(
                start..end,
                "a string that belongs to nothing",
                "no keyword before it",
                "write `msgstr` before it",
            );
            self.block.field = Some(Field::Lost);
        }
        let Err(slip) = slip else { return };
        let moved = |range: Range<usize>| at + range.start..at + range.end;
        match slip {
            Slip::Unquoted(range) => {
                self.tell(moved(range), "a text without quotes", "a `\"` is missing here", "put the text between `\"`");
            }
            Slip::Unfinished(range) => {
                self.tell(moved(range), "a string that does not end", "no `\"` at its end", "end the line with `\"`");
            }
            Slip::Stray(range) => {
                self.tell(moved(range), "a quote in the middle of a string", "the string ends here", "write `\\\"`");
            }
            Slip::Escape(range) => {
                self.tell(moved(range), "no such escape", "a backslash before this", "for a backslash write `\\\\`");
            }
        }
    }

    /// Ends the block under way before this place, if there is one.
    fn finish(&mut self, next: usize) {
        let block = std::mem::take(&mut self.block);
        self.block.gap = block.end;
        self.block.begin = next;
        let mut entry = block.entry;
        let is_entry = block.has_id || block.has_text;
        if is_entry && !block.has_text {
            entry.broken = true;
            let place = entry.places.id.clone();
            let fault = Diagnostic::error(Code::LocaleFile, "a message without a place for its translation");
            let fault = fault.label(span(place), "no `msgstr` behind it").help("add `msgstr \"\"`");
            self.diagnostics.push(fault);
        }
        if entry.texts.len() > 1 && entry.plural.is_none() && !entry.broken {
            entry.broken = true;
            let fault = Diagnostic::error(Code::LocaleFile, "several forms of a message that has no plural");
            let fault = fault.label(entry.text_span(1), "one too many").help("write `msgstr` and nothing else");
            self.diagnostics.push(fault);
        }
        self.blocks.push(Block {
            gap: block.gap..block.begin,
            raw: Some(block.begin..block.end),
            entry: is_entry.then_some(entry),
        });
    }

    /// Ends the file; what is left of it is blank.
    fn close(&mut self, end: usize) -> Range<usize> {
        if self.block.begun {
            self.finish(end);
        }
        self.block.gap..end
    }
}
