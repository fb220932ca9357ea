//! A program's texts as a catalog without translations.

use super::header;
use super::note::Notes;
use super::po::{BRACES, Block, Entry, Po};
use super::texts::texts;
use crate::program::Program;
use crate::source::Source;

/// The template of a program: every text in the order of the rules, its context the path of ids.
/// `files` are those its spans are in; they are named without folder and line, so that nothing
/// changes where nothing was changed.
pub fn extract(program: &Program, files: &[Source]) -> Po {
    let mut entries = vec![header::template(&program.system.id)];
    entries.extend(entries_of(program, files));
    made_of(entries)
}

/// A catalog of entries that were made, not read.
pub(super) fn made_of(entries: Vec<Entry>) -> Po {
    let block = |entry| Block { gap: 0..0, raw: None, entry: Some(entry) };
    Po {
        source: Source::new("", ""),
        blocks: entries.into_iter().map(block).collect(),
        tail: 0..0,
        crlf: false,
        diagnostics: Vec::new(),
    }
}

/// The entries of a program's texts, without translations.
pub(super) fn entries_of(program: &Program, files: &[Source]) -> Vec<Entry> {
    let notes = Notes::new(program);
    let named: Vec<&str> = files.iter().map(|file| file.name.rsplit(['/', '\\']).next().unwrap_or_default()).collect();
    let entry = |told: super::Told<'_>| {
        let message = told.message;
        Entry {
            notes: notes.of(&told),
            references: named.get(usize::from(message.span.file.0)).map(|name| reference(name)).into_iter().collect(),
            flags: if message.names.is_empty() { Vec::new() } else { vec![BRACES.to_owned()] },
            context: Some(message.path.to_string()),
            id: message.one.to_string(),
            plural: message.many.as_ref().map(|many| many.to_string()),
            texts: vec![String::new(); if message.many.is_some() { 2 } else { 1 }],
            ..Entry::default()
        }
    };
    texts(program).into_iter().map(entry).collect()
}

/// A file's name as a reference; with blanks in it, between the marks that gettext has for that.
fn reference(name: &str) -> String {
    if name.contains(char::is_whitespace) { format!("\u{2068}{name}\u{2069}") } else { name.to_owned() }
}
