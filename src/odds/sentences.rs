//! The sentences of a piece of code, and how far each of them reaches.

use crate::program::{CodeId, Op, Program};

/// One sentence: its own operations, and the whole of it with the sentences within.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    /// Its first operation.
    pub(super) from: u32,
    /// Behind its own operations: there the next sentence begins, which may stand within it.
    pub(super) to: u32,
    /// Behind all of it: wherever it jumps within itself, it comes out here.
    pub(super) end: u32,
    /// Whether it may be jumped over: it never leads back to what stands before it.
    pub(super) closed: bool,
}

/// The sentences of a piece of code in their order.
pub(super) fn sentences(program: &Program, id: CodeId) -> Vec<Sentence> {
    let Some(code) = program.code.get(id.index()) else { return Vec::new() };
    let all = code.ops.len() as u32;
    let mut starts: Vec<u32> = code.places.iter().map(|(from, _)| *from).filter(|from| *from < all).collect();
    if starts.first() != Some(&0) && all > 0 {
        starts.insert(0, 0);
    }
    let ends = starts.iter().skip(1).copied().chain([all]);
    let sentence = |(from, to): (u32, u32)| {
        let (mut end, mut at, mut closed) = (to, from, true);
        while at < end {
            for goal in code.ops.get(at as usize).map_or_else(Vec::new, goals) {
                end = end.max(goal);
                closed &= goal >= from;
            }
            at += 1;
        }
        Sentence { from, to, end: end.min(all.saturating_sub(1)).max(from), closed }
    };
    starts.iter().copied().zip(ends).map(sentence).collect()
}

fn goals(op: &Op) -> Vec<u32> {
    match op {
        Op::Jump(goal) | Op::JumpIf(goal) | Op::JumpUnless(goal) => vec![*goal],
        Op::Switch(ways, other) => ways.iter().map(|(_, goal)| *goal).chain(*other).collect(),
        _ => Vec::new(),
    }
}
