//! What is watched of a run: its turns, its choices, how much it does.

use std::collections::BTreeSet;

use crate::odds::{Repeats, Turning};
use crate::program::{CodeId, QuestionId};
use crate::run::{Machine, Note, Observer};

/// Counts as a run goes.
#[derive(Debug, Clone)]
pub(super) struct Watched {
    turning: Turning,
    /// Operations run.
    pub operations: u64,
    /// Choices that took their default.
    pub defaults: BTreeSet<QuestionId>,
}

impl Watched {
    pub(super) fn new(repeats: &Repeats) -> Self {
        Watched { turning: repeats.watch(), operations: 0, defaults: BTreeSet::new() }
    }

    /// From here on a new run, or a new part of one.
    pub(super) fn begin(&mut self) {
        self.turning.crossed.clear();
        self.operations = 0;
    }

    /// The turns of each repeat; those behind the end of the list took none.
    pub(super) fn turns(&self) -> &[u32] {
        &self.turning.crossed
    }
}

impl Observer for Watched {
    #[inline]
    fn note(&mut self, note: Note<'_>) {
        if let Note::Question { question, default: true, .. } = note {
            self.defaults.insert(question);
        }
    }

    #[inline(always)]
    fn settled(&mut self, _: &Machine<'_>, _: bool) {}

    #[inline(always)]
    fn ran(&mut self, code: CodeId, op: u32) {
        self.operations += 1;
        self.turning.ran(code, op);
    }
}
