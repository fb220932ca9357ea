//! How far a wait has come, and what an event does to it.

use super::limits::{DEPTH, WAIT};
use crate::program::{EventId, Program, Wait};

/// How far a wait has come: one number in a slot, 0 where it has not begun and -1 where it is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Progress {
    /// For a count, how many are left; for a sequence, how many have come.
    pub left: i64,
    /// How many events stood on top of each other when it began: none of those counts for it.
    pub begun: u8,
}

/// A wait that is over for good, as long as its surroundings last.
pub(super) const OVER: i64 = -1;

const _: () = assert!(DEPTH < 256 && WAIT < i64::MAX >> 9);

impl Progress {
    pub fn new(left: i64, depth: usize) -> Self {
        Progress { left, begun: u8::try_from(depth).unwrap_or(u8::MAX) }
    }

    pub fn pack(self) -> i64 {
        ((self.left << 8) | i64::from(self.begun)) + 1
    }

    /// Where the wait has begun and is not over.
    pub fn unpack(number: i64) -> Option<Self> {
        let number = number.checked_sub(1).filter(|n| *n >= 0)?;
        Some(Progress { left: number >> 8, begun: (number & 0xff) as u8 })
    }
}

/// What an event did to a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heard {
    /// It goes on, from here.
    Further(Progress),
    /// It is over before its time.
    Ended,
    /// Its time has run out.
    RunOut,
}

/// The end of an event, `depth` events deep (1: the outermost); the innermost around it that is not
/// counted yet stands `around` deep. `reached`: it was sent to the sheet concerned or one that owns it.
pub(super) fn hear(
    program: &Program,
    wait: &Wait,
    progress: Progress,
    event: EventId,
    depth: usize,
    around: usize,
    reached: bool,
) -> Heard {
    if usize::from(progress.begun) >= depth {
        // What begins during an event does not count that event.
        return Heard::Further(Progress::new(progress.left, around));
    }
    if !reached {
        return Heard::Further(progress);
    }
    if wait.any.contains(&event) {
        return Heard::Ended;
    }
    if wait.counted == Some(event) {
        let left = progress.left - 1;
        return if left <= 0 { Heard::RunOut } else { Heard::Further(Progress { left, ..progress }) };
    }
    let next = usize::try_from(progress.left).ok().and_then(|come| wait.sequence.get(come));
    if wait.counted.is_none() && next == Some(&event) {
        let left = progress.left + 1;
        let all = i64::try_from(wait.sequence.len()).unwrap_or(i64::MAX);
        return if left >= all { Heard::RunOut } else { Heard::Further(Progress { left, ..progress }) };
    }
    if outlasts(program, wait, event) { Heard::Ended } else { Heard::Further(progress) }
}

/// Whether the event belongs to a longer clock than all that is waited for.
fn outlasts(program: &Program, wait: &Wait, event: EventId) -> bool {
    let clock = |event: &EventId| program.events.get(event.index()).and_then(|e| e.clock);
    let awaited = wait.counted.iter().chain(&wait.sequence).chain(&wait.any);
    match (clock(&event), awaited.filter_map(clock).max()) {
        (Some(this), Some(longest)) => this > longest,
        _ => false,
    }
}

/// Whether two waits go by the same clock.
pub(super) fn same_clock(a: &Wait, b: &Wait) -> bool {
    match (a.counted, b.counted) {
        (Some(a), Some(b)) => a == b,
        (None, None) => a.any == b.any && a.sequence == b.sequence && a.states == b.states,
        _ => false,
    }
}

/// Whether the first of two waits on the same clock ends later than the second.
pub(super) fn longer(wait: &Wait, a: Progress, b: Progress) -> bool {
    let rank = |p: Progress| if wait.counted.is_some() { (p.left, p.begun) } else { (-p.left, p.begun) };
    rank(a) > rank(b)
}
