//! Cicatriz reads a tabletop game's rules as plain text and runs them.
#![forbid(unsafe_code)]

pub mod check;
pub mod diagnostics;
pub mod dice;
pub mod odds;
pub mod program;
pub mod run;
pub mod source;
pub mod suite;
pub mod syntax;
