//! What may come to pass at all: which code may run, on which sheets, by which tables.

use std::collections::HashSet;

use super::super::sentences::sentences;
use super::Search;
use crate::program::{Clauses, CodeId, EventId, Op};

impl<'p> Search<'p> {
    /// The clauses of all sheets there may be, and of the rows that may make them.
    pub(super) fn clauses(&self) -> Vec<&'p Clauses> {
        let program = self.program;
        let tables = self.happening.iter().filter_map(|table| program.tables.get(table.index()));
        let rows = tables.flat_map(|table| &table.rows).map(|row| &row.clauses);
        let sheets = self.there.iter().filter_map(|sheet| program.sheets.get(sheet.index()));
        sheets.map(|sheet| &sheet.clauses).chain(rows).collect()
    }

    /// Everything that may run, whether it matters or not: handlers of events that may be sent to sheets
    /// that may be there, rows of tables that may happen, what phases and waits bring.
    pub(super) fn live(&mut self, root: Option<CodeId>) {
        let program = self.program;
        let made = program.events.iter().position(|event| event.id == "made");
        let mut sent: HashSet<EventId> = program.check_event.into_iter().collect();
        sent.extend(made.map(|index| EventId(index as u32)));
        let mut seen: HashSet<CodeId> = HashSet::new();
        loop {
            let mut open: Vec<CodeId> = root.into_iter().collect();
            open.extend(program.waits.iter().filter_map(|wait| wait.then));
            for clauses in self.clauses() {
                for phase in &clauses.phases {
                    open.extend([phase.amount, phase.enter, phase.leave, phase.then].into_iter().flatten());
                }
                let handlers = clauses.handlers.iter().filter(|handler| sent.contains(&handler.event));
                open.extend(handlers.map(|handler| handler.body));
            }
            let tables = self.happening.iter().filter_map(|table| program.tables.get(table.index()));
            open.extend(tables.flat_map(|table| &table.rows).filter_map(|row| row.body));
            open.retain(|code| seen.insert(*code));
            if open.is_empty() {
                break;
            }
            for id in open {
                self.met(id, &mut sent);
                if Some(id) != root {
                    self.live.push((id, sentences(program, id)));
                }
            }
        }
    }

    /// What a piece of code may send, make and let happen.
    pub(super) fn met(&mut self, id: CodeId, sent: &mut HashSet<EventId>) {
        for op in self.program.code.get(id.index()).map_or(&[][..], |code| &code.ops) {
            match op {
                Op::Fire { event, .. } => {
                    sent.insert(*event);
                }
                Op::New(sheet) => {
                    self.there.insert(*sheet);
                }
                Op::Happen { table, .. } | Op::Take { table, .. } | Op::GiveRows { table, .. } => {
                    self.happening.insert(*table);
                    let makes = self.program.tables.get(table.index()).and_then(|table| table.makes.as_ref());
                    self.there.extend(makes.map(|making| making.sheet));
                }
                _ => {}
            }
        }
    }
}
