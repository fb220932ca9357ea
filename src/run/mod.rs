//! Checked rules at work: a machine whose whole state is small, stops at each die and each choice,
//! and tells what happens as ids.
//!
//! [`Machine`] is begun for a scenario, for a table read by itself, or for a story to be played.
//! [`Machine::advance`] goes on to the next [`Step`]; [`Machine::answer`] answers it. A copy of a
//! machine goes on by itself, and two machines in equal [`State`]s go on alike: so the same machine
//! serves one run, a simulation, and exact odds by forking at each die. [`play_out`] drives one to
//! its end with a source of dice; [`Trace`] writes down what it tells.

mod ask;
mod call;
mod change;
mod clauses;
mod cost;
mod dispatch;
mod driver;
mod fault;
mod form;
mod frame;
mod happen;
mod json;
pub mod limits;
mod lines;
mod listen;
mod look;
mod machine;
mod make;
mod note;
mod outcome;
mod passing;
mod phase;
mod pure;
mod scene;
mod set;
mod settle;
mod sheets;
mod standing;
mod state;
mod step;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod trace;
mod track;
mod view;
mod wait;
mod wording;
mod words;
mod written;

pub use clauses::Gift;
pub use driver::{Chooser, Defaults, play_out, play_totals};
pub use fault::{Fault, FaultKind, Limit, Taker};
pub use frame::{Asked, Picking};

pub use json::{TraceJson, Written};
pub use machine::{Machine, Step};
pub use note::{Note, Observer};
pub use outcome::{Outcome, value_id};
pub use standing::Standing;
pub use state::{Instance, State, Timed, Value};
pub use trace::{Entry, Named, Trace};
pub use words::Words;
