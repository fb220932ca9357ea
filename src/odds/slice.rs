//! A program without what a question never reads: rows that only hurt, tracks nobody looks at, checks
//! of which nothing comes. Odds worked out on it are the same, and far fewer states are met.
//!
//! Goes backward from the scenario's own code: what is read there matters; so does every sentence that
//! writes what matters, and what it reads in its turn, until nothing more is found. A sentence that
//! writes nothing that matters is jumped over, with the dice it would roll.

use std::collections::{BTreeSet, HashSet};

use super::sentences::Sentence;
use crate::program::{CodeId, EventId, HoldId, HoldKind, Op, Pattern, Program, ScenarioId, SheetId, TableId, WaitId};

mod clauses;
mod left;
mod reach;
mod sheets;

/// A program of which only what matters is left.
#[derive(Debug)]
pub(crate) struct Sliced {
    pub(crate) program: Program,
    /// Whether it matters which row made a sheet.
    pub(crate) rows_matter: bool,
}

/// What the odds of a scenario need of a program. Ids stay the same.
pub(crate) fn sliced(program: &Program, scenario: ScenarioId) -> Sliced {
    let mut search = Search::new(program, scenario);
    loop {
        let before = search.size();
        search.once();
        if search.size() == before {
            break;
        }
    }
    search.finish()
}

struct Search<'p> {
    program: &'p Program,
    /// Types of sheets that there may be.
    there: HashSet<SheetId>,
    /// Tables whose rows may happen.
    happening: HashSet<TableId>,
    /// Code that may run and in which something may happen, with its sentences.
    live: Vec<(CodeId, Vec<Sentence>)>,
    /// Tracks that matter, by their place on whatever sheet.
    slots: BTreeSet<u16>,
    values: BTreeSet<u16>,
    events: BTreeSet<EventId>,
    tables: BTreeSet<TableId>,
    /// Types of sheets of which it matters how many there are.
    sheets: BTreeSet<SheetId>,
    rows_matter: bool,
    /// Sentences that matter, by where they begin.
    kept: HashSet<(CodeId, u32)>,
    /// Code of which anything matters.
    bodies: HashSet<CodeId>,
    locals: HashSet<(CodeId, u16)>,
    /// Code that has been read as a whole.
    read: HashSet<CodeId>,
    holds: HashSet<HoldId>,
    phases: HashSet<u16>,
    checks: BTreeSet<u16>,
    waits: BTreeSet<u32>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, scenario: ScenarioId) -> Self {
        let root = program.scenarios.get(scenario.index()).map(|scenario| scenario.code);
        let mut search = Search {
            program,
            there: HashSet::new(),
            happening: HashSet::new(),
            live: Vec::new(),
            slots: BTreeSet::from([0]),
            values: BTreeSet::new(),
            events: BTreeSet::new(),
            tables: BTreeSet::new(),
            sheets: BTreeSet::new(),
            rows_matter: false,
            kept: HashSet::new(),
            bodies: HashSet::new(),
            locals: HashSet::new(),
            read: HashSet::new(),
            holds: HashSet::new(),
            phases: HashSet::new(),
            checks: BTreeSet::new(),
            waits: BTreeSet::new(),
        };
        search.live(root);
        if let Some(root) = root {
            search.whole(root);
        }
        let there = search.there.iter().filter_map(|sheet| program.sheets.get(sheet.index()));
        search.slots.extend(there.filter_map(|sheet| sheet.state_by.as_ref()).map(|by| by.slot));
        search
    }

    fn size(&self) -> usize {
        let sets = [self.slots.len(), self.values.len(), self.events.len(), self.tables.len(), self.sheets.len()];
        let more = [self.kept.len(), self.locals.len(), self.read.len(), self.holds.len(), self.phases.len()];
        let sum: usize = sets.iter().chain(&more).sum();
        sum + self.checks.len() + self.waits.len() + usize::from(self.rows_matter)
    }

    /// One look at everything.
    fn once(&mut self) {
        let live = std::mem::take(&mut self.live);
        for (id, sentences) in &live {
            let id = *id;
            for sentence in sentences {
                let matters = !sentence.closed || self.matters(id, sentence);
                if matters && self.kept.insert((id, sentence.from)) {
                    self.bodies.insert(id);
                }
                if self.kept.contains(&(id, sentence.from)) {
                    self.reads(id, sentence.from, sentence.to);
                }
            }
        }
        self.live = live;
        for clauses in self.clauses() {
            self.bear(clauses);
        }
        let program = self.program;
        for index in 0..program.tables.len() {
            let id = TableId(index as u32);
            if self.table_matters(id) {
                self.tables.insert(id);
            }
            if self.tables.contains(&id) {
                self.table(id);
            }
        }
        self.tracks();
    }

    fn ops(&self, id: CodeId, from: u32, to: u32) -> &'p [Op] {
        let ops = self.program.code.get(id.index()).map_or(&[][..], |code| &code.ops);
        ops.get(from as usize..to as usize).unwrap_or(&[])
    }

    /// Whether anything in a sentence, or in those within it, matters.
    fn matters(&self, id: CodeId, sentence: &Sentence) -> bool {
        let last = self.program.code.get(id.index()).map_or(0, |code| code.ops.len() as u32).saturating_sub(1);
        self.ops(id, sentence.from, sentence.end).iter().zip(sentence.from..).any(|(op, at)| match op {
            Op::Set { slot, .. } | Op::Suffer { slot, .. } | Op::Lose { slot } => self.slots.contains(slot),
            Op::Go { .. } => true,
            Op::Fire { event, .. } => self.events.contains(event),
            Op::Happen { table, .. } | Op::Take { table, .. } => self.tables.contains(table),
            Op::Check { .. } => self.program.check_event.is_some_and(|event| self.events.contains(&event)),
            Op::Store(local) => self.locals.contains(&(id, *local)),
            Op::Return => at < last,
            _ => false,
        })
    }

    /// All that code reads, whatever in it happens.
    fn whole(&mut self, id: CodeId) {
        if self.read.insert(id) {
            let all = self.program.code.get(id.index()).map_or(0, |code| code.ops.len() as u32);
            self.reads(id, 0, all);
        }
    }

    fn reads(&mut self, id: CodeId, from: u32, to: u32) {
        for op in self.ops(id, from, to) {
            match op {
                Op::Load(local) => {
                    self.locals.insert((id, *local));
                }
                Op::Say { .. } => {}
                Op::Slot(slot) | Op::Conditions(slot) | Op::Set { slot, .. } | Op::Lose { slot } => {
                    self.slots.insert(*slot);
                }
                Op::Suffer { slot, wait } => {
                    self.slots.insert(*slot);
                    wait.iter().for_each(|wait| self.wait(*wait));
                }
                Op::Value { value, .. } => {
                    self.values.insert(*value);
                }
                Op::RowOf | Op::MadeBy => self.rows_matter = true,
                Op::Owned(sheet) | Op::Everyone(sheet) => {
                    self.sheets.insert(*sheet);
                }
                Op::Read { table, .. } | Op::Cell { table, .. } => self.table(*table),
                Op::Happen { table, .. } | Op::Take { table, .. } | Op::GiveRows { table, .. } => {
                    self.tables.insert(*table);
                }
                Op::Check { check, .. } => {
                    self.checks.insert(*check);
                }
                Op::Fire { event, .. } => {
                    self.events.insert(*event);
                }
                _ => {}
            }
        }
    }

    fn wait(&mut self, id: WaitId) {
        self.waits.insert(id.0);
        let Some(wait) = self.program.waits.get(id.index()) else { return };
        self.events.extend(wait.any.iter().chain(&wait.sequence).chain(&wait.counted));
    }

    fn hold(&mut self, id: Option<HoldId>) {
        let Some(id) = id else { return };
        if !self.holds.insert(id) {
            return;
        }
        let Some(hold) = self.program.holds.get(id.index()) else { return };
        match &hold.kind {
            HoldKind::While(code) => self.whole(*code),
            HoldKind::Timer { wait, slot } => {
                self.slots.insert(*slot);
                self.wait(*wait);
            }
            HoldKind::States(_) | HoldKind::Ever => {}
        }
        self.hold(hold.around);
    }

    fn patterns(&mut self, patterns: &[Option<Pattern>]) {
        for pattern in patterns.iter().flatten() {
            let (Pattern::Equal(code) | Pattern::Within(code)) = pattern;
            self.whole(*code);
        }
    }
}
