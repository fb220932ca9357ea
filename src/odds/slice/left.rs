//! The program with only what matters left in it.

use std::collections::HashMap;

use super::{Search, Sliced};
use crate::program::{Clauses, CodeId, Op};

impl Search<'_> {
    pub(super) fn finish(self) -> Sliced {
        let mut program = self.program.clone();
        let mut jumps: HashMap<CodeId, Vec<(u32, u32)>> = HashMap::new();
        for (id, sentences) in &self.live {
            if self.read.contains(id) {
                continue;
            }
            let idle = sentences.iter().filter(|sentence| !self.kept.contains(&(*id, sentence.from)));
            jumps.entry(*id).or_default().extend(idle.map(|sentence| (sentence.from, sentence.end)));
        }
        for (id, jumps) in jumps {
            let Some(code) = program.code.get_mut(id.index()) else { continue };
            for (from, to) in jumps {
                if let Some(op) = code.ops.get_mut(from as usize).filter(|op| **op != Op::Return) {
                    *op = Op::Jump(to);
                }
            }
        }
        for sheet in &mut program.sheets {
            self.leave(&mut sheet.clauses);
            for (index, slot) in (0u16..).zip(&mut sheet.slots) {
                if !self.slots.contains(&index) {
                    (slot.low, slot.high, slot.anew) = (None, None, None);
                    slot.default = slot.default.filter(|code| !self.rolls(*code));
                }
            }
        }
        for table in &mut program.tables {
            if let Some(making) = &mut table.makes {
                making.keeps.retain(|(slot, _)| self.slots.contains(slot));
            }
            for row in &mut table.rows {
                self.leave(&mut row.clauses);
                row.body = row.body.filter(|body| self.bodies.contains(body) || self.read.contains(body));
            }
        }
        program.check_event = program.check_event.filter(|event| self.events.contains(event));
        Sliced { program, rows_matter: self.rows_matter }
    }

    pub(super) fn leave(&self, clauses: &mut Clauses) {
        clauses.handlers.retain(|handler| self.hears(handler));
        clauses.adds.retain(|add| self.adds(add));
        clauses.has.retain(|has| self.gives(has));
        clauses.cannot.retain(|cannot| self.keeps(cannot));
        clauses.phases.retain(|phase| self.lasts(phase));
    }

    pub(super) fn rolls(&self, code: CodeId) -> bool {
        let rolls = |op: &Op| {
            matches!(op, Op::Roll | Op::PickMember(_) | Op::PickSheet | Op::Read { .. } | Op::Check { .. } | Op::Ask(_))
        };
        self.program.code.get(code.index()).is_some_and(|code| code.ops.iter().any(rolls))
    }
}
