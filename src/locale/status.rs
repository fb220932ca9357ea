//! How far a catalog is.

use std::collections::HashMap;

use serde::Serialize;

use super::check::faults_of;
use super::header;
use super::po::Po;
use super::texts::texts;
use crate::diagnostics::any_error;
use crate::program::Program;

/// How many texts of a system a catalog has, and in what state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    pub system: String,
    pub lang: String,
    /// All texts of the rules.
    pub texts: usize,
    pub translated: usize,
    /// To be looked at again; not used.
    pub fuzzy: usize,
    pub missing: usize,
    /// A translation that has a fault; told all the same where it can be.
    pub broken: usize,
    /// Of texts that are no longer in the rules.
    pub obsolete: usize,
}

impl Status {
    /// Whether at least so many of a hundred texts are translated.
    pub fn reaches(&self, percent: u32) -> bool {
        self.translated as u64 * 100 >= u64::from(percent) * self.texts as u64
    }

    /// Translated texts in a hundred, rounded down; 100 where there is nothing to translate.
    pub fn percent(&self) -> u32 {
        (self.translated as u64 * 100).checked_div(self.texts as u64).map_or(100, |percent| percent as u32)
    }
}

/// Counts a catalog's translations of a program.
pub fn status(program: &Program, catalog: &Po, lang: &str) -> Status {
    let plural = header::plural(catalog);
    let mut known = HashMap::with_capacity(catalog.blocks.len());
    for entry in catalog.entries() {
        known.entry(entry.key()).or_insert(entry);
    }
    let mut status = Status {
        system: program.system.id.to_string(),
        lang: lang.to_owned(),
        texts: 0,
        translated: 0,
        fuzzy: 0,
        missing: 0,
        broken: 0,
        obsolete: catalog.blocks.iter().filter_map(|b| b.entry.as_ref()).filter(|e| e.obsolete).count(),
    };
    for told in texts(program) {
        status.texts += 1;
        let entry = known.get(&(Some(&*told.message.path), &*told.message.one));
        let entry = entry.filter(|entry| entry.plural.as_deref() == told.message.many.as_deref());
        let count = match entry {
            None => &mut status.missing,
            Some(entry) if entry.broken => &mut status.broken,
            Some(entry) if entry.is_fuzzy() => &mut status.fuzzy,
            Some(entry) if !entry.is_translated() => &mut status.missing,
            Some(entry) if any_error(&faults_of(catalog, entry, plural.as_ref(), lang)) => &mut status.broken,
            Some(_) => &mut status.translated,
        };
        *count += 1;
    }
    status
}
