//! The languages in which the program itself speaks, by the catalogs it carries inside.

use std::sync::LazyLock;

use super::header;
use super::po::{self, Po};
use crate::plural::Plural;
use crate::source::Source;
use crate::wording::{Texts, Ui};

/// The languages there are, English first.
pub const LANGUAGES: [&str; 2] = ["en", "es"];

/// The catalog of Spanish.
pub const ES: &str = include_str!("ui/es.po");

static SPANISH: LazyLock<Ui> = LazyLock::new(|| speaking(&po::read(Source::new("ui/es.po", ES)), "es"));

/// A language by its name, `es`, or with a country and more, `es_MX.UTF-8`. None where the program
/// does not speak it.
pub fn ui(lang: &str) -> Option<&'static Ui> {
    let short = lang.split(['_', '-', '.', '@']).next().unwrap_or_default();
    match short.to_ascii_lowercase().as_str() {
        "en" => Some(Ui::english()),
        "es" => Some(&SPANISH),
        _ => None,
    }
}

/// A language by its catalog. What is missing, fuzzy or broken there is said in English.
pub fn speaking(catalog: &Po, lang: &str) -> Ui {
    let plural = header::plural(catalog).unwrap_or_else(Plural::two);
    let fits = |entry: &&po::Entry| {
        let forms = if entry.plural.is_some() { plural.count() } else { 1 };
        entry.is_translated() && !entry.is_fuzzy() && !entry.broken && entry.texts.len() == forms
    };
    let texts: Texts = catalog.entries().filter(fits).map(|entry| (entry.id.clone(), entry.texts.clone())).collect();
    Ui::new(lang, plural, texts)
}
