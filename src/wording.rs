//! What the program itself says to people, kept so that it can be said in any language.
//!
//! A [`Wording`] is a text in English with named holes, and what stands in them; [`crate::say!`] makes
//! one. As it is it reads in English; a [`Ui`] says it in the language of its catalog, whole, and so
//! the parts of it that are language themselves. Whatever the users wrote stays as it is.

mod fill;
mod say;
mod ui;

pub use fill::holes;
pub use say::Say;
pub use ui::{Texts, Ui};

#[doc(hidden)]
pub use fill::check;

use std::fmt;

/// A text to be said in the user's language. Shown as it is, it is English.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Wording(Kind);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Kind {
    /// No language: what users wrote, ids, numbers, what to type.
    Text(String),
    /// A text of ours without holes.
    Plain(&'static str),
    /// A text of ours with holes.
    Holes(Box<Holes>),
    /// Several, one behind the other, with this between; in a box, as diagnostics are handed on and should be small.
    List(Box<(Vec<Wording>, &'static str)>),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Holes {
    one: &'static str,
    /// What is said of any number but one; the first value is the number.
    many: Option<&'static str>,
    values: Vec<(&'static str, Part)>,
}

/// What stands in a hole.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Part {
    /// A number, by which a plural can be chosen.
    Number(i128),
    /// Any other text.
    Wording(Wording),
}

impl Wording {
    /// What is the same in every language: what users wrote, ids, what to type.
    pub fn text(text: impl Into<String>) -> Wording {
        Wording(Kind::Text(text.into()))
    }

    /// A text with holes; [`crate::say!`] makes sure that they and the values fit.
    #[doc(hidden)]
    pub fn with(one: &'static str, many: Option<&'static str>, values: Vec<(&'static str, Part)>) -> Wording {
        match values.is_empty() {
            true => Wording(Kind::Plain(one)),
            false => Wording(Kind::Holes(Box::new(Holes { one, many, values }))),
        }
    }

    /// Several texts, one behind the other, with this between: `, `, a line break.
    pub fn list(parts: impl IntoIterator<Item = impl Into<Wording>>, between: &'static str) -> Wording {
        Wording(Kind::List(Box::new((parts.into_iter().map(Into::into).collect(), between))))
    }

    /// A number as people read it: `10,000`.
    pub fn grouped(number: i64) -> Wording {
        let digits = number.unsigned_abs().to_string();
        let first = (digits.len() - 1) % 3 + 1;
        let mut groups = vec![format!("{}{}", if number < 0 { "-" } else { "" }, &digits[..first])];
        let rest = digits.as_bytes()[first..].chunks(3);
        groups.extend(rest.map(|three| three.iter().map(|digit| char::from(*digit)).collect()));
        Wording::list(groups, ",")
    }

    /// `a, b or c`
    pub fn either(parts: impl IntoIterator<Item = impl Into<Wording>>) -> Wording {
        Wording::ended(parts, |head, last| crate::say!("{head} or {last}", head, last))
    }

    /// `a, b and c`
    pub fn all_of(parts: impl IntoIterator<Item = impl Into<Wording>>) -> Wording {
        Wording::ended(parts, |head, last| crate::say!("{head} and {last}", head, last))
    }

    fn ended(
        parts: impl IntoIterator<Item = impl Into<Wording>>,
        end: impl FnOnce(Wording, Wording) -> Wording,
    ) -> Wording {
        let mut parts: Vec<Wording> = parts.into_iter().map(Into::into).collect();
        match (parts.pop(), parts.len()) {
            (None, _) => Wording::default(),
            (Some(only), 0) => only,
            (Some(last), 1) => end(parts.remove(0), last),
            (Some(last), _) => end(Wording::list(parts, ", "), last),
        }
    }

    /// Whether the English text begins so.
    pub fn starts_with(&self, text: &str) -> bool {
        self.to_string().starts_with(text)
    }

    /// Whether the English text ends so.
    pub fn ends_with(&self, text: &str) -> bool {
        self.to_string().ends_with(text)
    }

    /// Whether this stands in the English text.
    pub fn contains(&self, text: &str) -> bool {
        self.to_string().contains(text)
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        match &self.0 {
            Kind::Text(text) => text.is_empty(),
            Kind::Plain(text) => text.is_empty(),
            Kind::Holes(_) => false,
            Kind::List(list) => list.0.iter().all(Wording::is_empty),
        }
    }
}

impl Default for Wording {
    /// Nothing.
    fn default() -> Self {
        Wording(Kind::Plain(""))
    }
}

impl fmt::Display for Wording {
    /// In English.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&Ui::english().say(self))
    }
}

impl From<&'static str> for Wording {
    /// A text of ours without holes.
    fn from(text: &'static str) -> Self {
        Wording(Kind::Plain(text))
    }
}

impl From<String> for Wording {
    /// As [`Wording::text`].
    fn from(text: String) -> Self {
        Wording::text(text)
    }
}

impl From<&String> for Wording {
    /// As [`Wording::text`].
    fn from(text: &String) -> Self {
        Wording::text(text)
    }
}

impl From<&Wording> for Wording {
    fn from(wording: &Wording) -> Self {
        wording.clone()
    }
}

impl PartialEq<str> for Wording {
    fn eq(&self, text: &str) -> bool {
        Ui::english().say(self) == text
    }
}

impl PartialEq<&str> for Wording {
    fn eq(&self, text: &&str) -> bool {
        Ui::english().say(self) == *text
    }
}

impl PartialEq<Wording> for &str {
    fn eq(&self, wording: &Wording) -> bool {
        wording == self
    }
}

#[cfg(test)]
mod tests;
