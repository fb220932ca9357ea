//! Translations of the rules' texts, as gettext catalogs that cannot change a rule.
//!
//! A catalog (`locale/<lang>/<system>.po`) holds every text of a program under its path of ids.
//! [`extract()`] writes one without translations, [`update()`] brings an existing one up to date
//! with changed rules, [`check()`] finds what is wrong with it, [`Status`] counts, [`pseudo()`]
//! makes one that shows what cannot be translated yet, and [`translate`] puts a catalog's texts into
//! a program: ids, dice and code stay as they are, so a run is the same die for die.
//!
//! Nothing here reads files: a catalog comes in as text and goes out as text.

pub mod check;
mod direction;
mod extract;
mod header;
mod note;
pub mod plural;
pub mod po;
mod pseudo;
mod punctuation;
pub mod shipped;
mod status;
mod texts;
mod translate;
pub mod ui;
mod update;

pub use check::check;
pub use extract::extract;
pub use pseudo::{PSEUDO, pseudo};
pub use status::{Status, status};
pub use texts::{Told, texts};
pub use translate::{Translated, translate, translate_from};
pub use update::{Updated, update};
