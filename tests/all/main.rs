//! One binary for all tests that see the library or the program from outside.

#[cfg(feature = "cli")]
mod bad_input;
#[cfg(feature = "cli")]
mod breadth;
#[cfg(feature = "cli")]
mod cli;
mod diagnostics;
mod direction;
mod docs;
mod kept;
mod known;
mod locale;
mod notation;
#[cfg(feature = "cli")]
mod odds;
mod rulings;
mod sampled;
#[cfg(feature = "cli")]
mod simulate;
#[cfg(feature = "cli")]
mod suite;
mod traces;
mod ui;
