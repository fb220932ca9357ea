//! How much one run may do. A rule file from a stranger ends, whatever it says.

/// The most operations of one run; in a story, of one event with all that follows from it.
pub const STEPS: u64 = 5_000_000;

/// How many sheets are looked through in the time of one operation.
pub const SHEETS_A_STEP: u64 = 8;

/// How deep events may stand within events.
pub const DEPTH: usize = 64;

/// How deep worked-out values and conditions may stand within each other.
pub const NESTING: usize = 64;

/// The most dice of one run.
pub const DICE_A_RUN: u64 = 1_000_000;

/// The most sheets in a story.
pub const SHEETS: usize = 10_000;

/// The most turns of one `repeat`.
pub const REPEATS: u64 = 10_000;

/// The longest wait, in units of its clock.
pub const WAIT: i64 = 1_000_000_000;

/// The most blocks that may begin and end after one handler before what holds has to be at rest.
pub const ROUNDS: u32 = 1_000;

/// The most parts of dice that are put together while rules run.
pub const DICE_PARTS: usize = 10_000;

/// The longest list of sheets a piece of code may put together.
pub const LIST: usize = 10_000;
