//! Scenarios as tests of the rules. Every one that expects something, has cases or keeps its trace
//! is run; whatever is not as expected is told where it stands.
//!
//! [`subjects`] lists what is to be run, [`Runner::all`] runs it, on several threads, always in the
//! order written. [`Coverage`] tells what of the rules it exercised, [`paste`] writes scenarios for
//! what is missing, [`mutate`] changes the rules one place at a time to see who notices,
//! [`snapshot`] is the form in which traces are kept, and [`odds`] that of chances.

mod chance;
mod coverage;
mod fault;
mod hits;
pub mod mutate;
pub mod odds;
pub mod paste;
mod play;
mod share;
pub mod snapshot;
mod subject;

pub use coverage::{Coverage, Item, Kind};
pub use hits::Hits;
pub use play::{Runner, SEED, Told};
pub use share::share;
pub use subject::{Subject, subjects};

use crate::program::Program;
use crate::source::Source;

/// Runs every scenario of the file asked for that expects something, in the order written. Those of
/// the files it uses are left to their own file: what extends them may well mean to change how they go.
pub fn test<'p>(program: &'p Program, options: &'p [u32], files: &'p [Source]) -> Vec<Told<'p>> {
    Runner::new(program, options, files).all(&subjects(program), 1).0
}
