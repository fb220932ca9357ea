//! The repeats of a scenario, without the count of their turns: a state that comes back is the same state,
//! however often it has come.

use std::collections::HashMap;

use super::turns::Crossed;
use crate::program::{CodeId, EventId, Op, Program, ScenarioId};
use crate::run::{Machine, Note, Observer};

/// One `repeat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Repeat {
    /// Where it begins one more turn.
    at: u32,
    /// The event it sends.
    pub(crate) event: Option<EventId>,
}

/// The repeats of a scenario.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    code: Option<CodeId>,
    pub(crate) all: Vec<Repeat>,
    /// Which of them is the outcome, and is no longer counted in the state.
    pub(crate) outcome: Option<usize>,
}

impl Repeats {
    /// Finds them, and takes the counts out of the code that nothing reads but the outcome.
    pub(crate) fn uncounted(program: &mut Program, scenario: ScenarioId) -> Self {
        let Some(id) = program.scenarios.get(scenario.index()).map(|scenario| scenario.code) else {
            return Repeats::default();
        };
        let Some(code) = program.code.get_mut(id.index()) else { return Repeats::default() };
        let mut repeats = Repeats { code: Some(id), ..Repeats::default() };
        for at in 0..code.ops.len() {
            if code.ops.get(at) != Some(&Op::Again) {
                continue;
            }
            let sent = code.ops.iter().skip(at).take_while(|op| !matches!(op, Op::Jump(to) if (*to as usize) < at));
            let event =
                sent.into_iter().find_map(|op| if let Op::Fire { event, .. } = op { Some(*event) } else { None });
            repeats.all.push(Repeat { at: at as u32, event });
            let Some([Op::Load(count), Op::Push(1), Op::Add, Op::Store(same)]) = code.ops.get(at + 1..at + 5) else {
                continue;
            };
            if count != same {
                continue;
            }
            let reads = |(place, op): (usize, &Op)| (place != at + 1 && *op == Op::Load(*count)).then_some(place);
            let read: Vec<usize> = code.ops.iter().enumerate().filter_map(reads).collect();
            let ends = |place: usize| matches!(code.ops.get(place + 1), Some(Op::Finish(types)) if types.len() == 1);
            match read.as_slice() {
                [] => {}
                [only] if ends(*only) => repeats.outcome = Some(repeats.all.len() - 1),
                _ => continue,
            }
            if let Some(op) = code.ops.get_mut(at + 1) {
                *op = Op::Jump(at as u32 + 5);
            }
        }
        repeats
    }

    /// Counts the turns a machine takes from here on.
    pub(crate) fn watch(&self) -> Turning {
        let places = self.all.iter().zip(0..).map(|(repeat, index)| (repeat.at, index)).collect();
        Turning { code: self.code, places, crossed: Crossed::new() }
    }
}

/// Counts the turns of each repeat.
#[derive(Debug, Clone)]
pub(crate) struct Turning {
    code: Option<CodeId>,
    places: HashMap<u32, usize>,
    pub(crate) crossed: Crossed,
}

impl Observer for Turning {
    fn note(&mut self, _: Note<'_>) {}

    fn settled(&mut self, _: &Machine<'_>, _: bool) {}

    #[inline]
    fn ran(&mut self, code: CodeId, op: u32) {
        if self.code != Some(code) || self.places.is_empty() {
            return;
        }
        if let Some(index) = self.places.get(&op) {
            if self.crossed.len() <= *index {
                self.crossed.resize(*index + 1, 0);
            }
            if let Some(count) = self.crossed.get_mut(*index) {
                *count += 1;
            }
        }
    }
}
