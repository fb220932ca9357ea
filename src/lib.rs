//! Cicatriz reads a tabletop game's rules as plain text and runs them: dice, lookup tables and
//! states. Without its default features the crate is the library alone: it takes text and gives
//! values, and touches no file, clock or environment.
//!
//! # From text to trace
//!
//! Each module uses only those above it.
//!
//! | module | from | to |
//! | --- | --- | --- |
//! | [`source`] | a file's text | spans, lines and columns |
//! | [`diagnostics`] | what is wrong, as data | text or JSON; the list of codes |
//! | [`syntax`] | text | a tree, and the faults beside it; it never fails |
//! | [`check`] | trees | a program, or every fault of the file at once |
//! | [`program`] | | rules that have been checked: ids only, nothing unresolved |
//! | [`dice`] | dice | rolls, what they can show, what is wrong with them |
//! | [`run`] | a program and a source of dice | an outcome and a trace |
//! | [`odds`] | dice, a program | every outcome with its exact chance |
//! | [`simulate`] | dice, a program | outcomes counted over very many runs |
//! | [`suite`] | a program's scenarios | what each expects, met or not |
//!
//! The language is described in `grammar/README.md`, and how to write rules in `rules/README.md`.
//!
//! # An example
//!
//! ```
//! use cicatriz::check::check_text;
//! use cicatriz::dice::Given;
//! use cicatriz::program::TableId;
//! use cicatriz::run::{Defaults, Machine, Step, Trace, play_out};
//!
//! let checked = check_text(
//!     "tavern.rules",
//!     r#"
//! system tavern "La taberna" lang es
//! table drink(purse: 0..3 = 0) "Qué te sirven" = 1d6 + purse {
//!   1-3  ale   "Cerveza"
//!   4-6  wine  "Vino"
//!   7+   best  "Lo mejor de la casa"
//! }
//! "#,
//! );
//! // All faults of the text, if it had any.
//! assert!(checked.diagnostics.is_empty());
//! let program = checked.program.expect("without errors there is a program");
//!
//! // The first table, with no argument given, and a die that shows 5.
//! let mut machine = Machine::reading(&program, &[], TableId(0), &[None]).expect("a beginning");
//! let mut trace = Trace::new(&machine);
//! let step = play_out(&mut machine, &mut Given::new(vec![5]), &mut Defaults, &mut trace);
//! let Step::Finished(outcome) = step else { panic!("{step:?}") };
//!
//! assert_eq!(outcome.text(&program), "wine");
//! assert_eq!(trace.lines()[1], "4-6  Vino");
//! ```
//!
//! A row that no result reaches, a name one letter off: nothing runs, and every fault says where
//! it stands and what to type.
//!
//! ```
//! use cicatriz::check::check_text;
//!
//! let checked = check_text(
//!     "head.rules",
//!     r#"
//! system head "Cabeza" lang es
//! table wound = 1d6 {
//!   1-3  eye  "Ojo"
//!   4-5  ear  "Oído"
//! }
//! "#,
//! );
//! assert!(checked.program.is_none());
//! assert_eq!(checked.diagnostics[0].code.as_str(), "table::gap");
//! assert_eq!(checked.diagnostics[0].message, "no row answers 6");
//! ```
#![forbid(unsafe_code)]

pub mod check;
pub mod choices;
pub mod diagnostics;
pub mod dice;
pub mod locale;
pub mod odds;
pub mod plural;
pub mod program;
pub mod run;
pub mod simulate;
pub mod source;
pub mod suite;
pub mod syntax;
pub mod wording;
