//! The language in which the program speaks.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::fill::fill;
use super::{Holes, Kind, Part, Wording};
use crate::plural::Plural;

/// The language in which the program speaks, with its translations of the texts.
#[derive(Debug, Clone)]
pub struct Ui {
    lang: String,
    texts: Texts,
    plural: Plural,
}

/// Translations by the English text, which of a plural is that for the number one: one text, or one
/// for each plural form.
pub type Texts = HashMap<String, Vec<String>>;

static ENGLISH: LazyLock<Ui> = LazyLock::new(|| Ui::new("en", Plural::two(), Texts::new()));

impl Ui {
    /// English, in which all texts are written.
    pub fn english() -> &'static Ui {
        &ENGLISH
    }

    /// A language by its translations. What has none is said in English.
    pub fn new(lang: &str, plural: Plural, texts: Texts) -> Ui {
        Ui { lang: lang.to_owned(), texts, plural }
    }

    /// The language: `en`, `es`.
    pub fn lang(&self) -> &str {
        &self.lang
    }

    /// The text in this language.
    pub fn say(&self, wording: &Wording) -> String {
        let mut out = String::new();
        self.write(wording, &mut out);
        out
    }

    /// Likewise of a text of ours without holes.
    pub fn word(&self, text: &'static str) -> String {
        self.one(text).to_owned()
    }

    fn one<'a>(&'a self, text: &'a str) -> &'a str {
        self.texts.get(text).and_then(|texts| texts.first()).map_or(text, String::as_str)
    }

    fn write(&self, wording: &Wording, out: &mut String) {
        match &wording.0 {
            Kind::Text(text) => out.push_str(text),
            Kind::Plain(text) => out.push_str(self.one(text)),
            Kind::Holes(holes) => {
                fill(self.form(holes), out, |name, out| match holes.values.iter().find(|(known, _)| *known == name) {
                    Some((_, Part::Number(number))) => out.push_str(&number.to_string()),
                    Some((_, Part::Wording(wording))) => self.write(wording, out),
                    None => {}
                })
            }
            Kind::List(list) => {
                let (parts, between) = &**list;
                for (number, part) in parts.iter().enumerate() {
                    if number > 0 {
                        out.push_str(self.between(between));
                    }
                    self.write(part, out);
                }
            }
        }
    }

    /// What stands between the parts of a list: thousands are parted by a comma in English, by a
    /// blank that does not break in all other languages.
    fn between<'a>(&'a self, between: &'a str) -> &'a str {
        if between == "," && self.lang != "en" { "\u{a0}" } else { self.one(between) }
    }

    /// The form of a text that its number takes.
    fn form<'a>(&'a self, holes: &'a Holes) -> &'a str {
        let Some(many) = holes.many else { return self.one(holes.one) };
        let number = match holes.values.first() {
            Some((_, Part::Number(number))) => number.unsigned_abs(),
            _ => 0,
        };
        let small = u64::try_from(number).unwrap_or(u64::MAX);
        let form = || self.texts.get(holes.one)?.get(self.plural.form(small)?);
        form().map_or(if number == 1 { holes.one } else { many }, String::as_str)
    }

    /// What of it is said in English because it has no translation: texts of ours, and whatever
    /// letters stand outside backticks in a text that was said to be the same in every language.
    pub fn untranslated(&self, wording: &Wording) -> Vec<String> {
        let mut found = Vec::new();
        self.look(wording, &mut found);
        found
    }

    fn look(&self, wording: &Wording, found: &mut Vec<String>) {
        let mut known = |text: &str| {
            if !self.texts.contains_key(text) && text.chars().any(char::is_alphabetic) {
                found.push(text.to_owned());
            }
        };
        match &wording.0 {
            Kind::Text(_) => {}
            Kind::Plain(text) => known(text),
            Kind::Holes(holes) => {
                known(holes.one);
                for (_, value) in &holes.values {
                    if let Part::Wording(wording) = value {
                        self.look(wording, found);
                    }
                }
            }
            Kind::List(list) => list.0.iter().for_each(|part| self.look(part, found)),
        }
    }
}
