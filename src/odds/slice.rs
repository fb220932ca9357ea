//! A program without what a question never reads: rows that only hurt, tracks nobody looks at, checks
//! of which nothing comes. Odds worked out on it are the same, and far fewer states are met.
//!
//! Goes backward from the scenario's own code: what is read there matters; so does every sentence that
//! writes what matters, and what it reads in its turn, until nothing more is found. A sentence that
//! writes nothing that matters is jumped over, with the dice it would roll.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::sentences::{Sentence, sentences};
use crate::program::{
    Add, Cannot, Cell, Clauses, CodeId, EventId, Forbidden, Handler, Has, HoldId, HoldKind, Op, Pattern, Phase,
    Program, ScenarioId, SheetId, TableId, TableKey, WaitId,
};

/// A program of which only what matters is left.
#[derive(Debug)]
pub(super) struct Sliced {
    pub(super) program: Program,
    /// Whether it matters which row made a sheet.
    pub(super) rows_matter: bool,
}

/// What the odds of a scenario need of a program. Ids stay the same.
pub(super) fn sliced(program: &Program, scenario: ScenarioId) -> Sliced {
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

    /// The clauses of all sheets there may be, and of the rows that may make them.
    fn clauses(&self) -> Vec<&'p Clauses> {
        let program = self.program;
        let tables = self.happening.iter().filter_map(|table| program.tables.get(table.index()));
        let rows = tables.flat_map(|table| &table.rows).map(|row| &row.clauses);
        let sheets = self.there.iter().filter_map(|sheet| program.sheets.get(sheet.index()));
        sheets.map(|sheet| &sheet.clauses).chain(rows).collect()
    }

    /// Everything that may run, whether it matters or not: handlers of events that may be sent to sheets
    /// that may be there, rows of tables that may happen, what phases and waits bring.
    fn live(&mut self, root: Option<CodeId>) {
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
    fn met(&mut self, id: CodeId, sent: &mut HashSet<EventId>) {
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

    // ── Clauses ─────────────────────────────────────────────────────────────────────────────

    fn hears(&self, handler: &Handler) -> bool {
        self.bodies.contains(&handler.body)
    }

    fn adds(&self, add: &Add) -> bool {
        self.values.contains(&add.value)
    }

    fn gives(&self, has: &Has) -> bool {
        self.slots.contains(&has.slot)
    }

    fn keeps(&self, cannot: &Cannot) -> bool {
        match &cannot.what {
            Forbidden::Event { event, .. } => self.events.contains(event),
            Forbidden::Suffering { slot, .. } => self.slots.contains(slot),
        }
    }

    fn lasts(&self, phase: &Phase) -> bool {
        let code = [phase.enter, phase.leave, phase.then];
        self.slots.contains(&phase.slot)
            || phase.tracks.iter().any(|slot| self.slots.contains(slot))
            || code.iter().flatten().any(|code| self.bodies.contains(code))
    }

    fn bears(&self, clauses: &Clauses) -> bool {
        clauses.handlers.iter().any(|handler| self.hears(handler))
            || clauses.adds.iter().any(|add| self.adds(add))
            || clauses.has.iter().any(|has| self.gives(has))
            || clauses.cannot.iter().any(|cannot| self.keeps(cannot))
            || clauses.phases.iter().any(|phase| self.lasts(phase))
    }

    /// What the clauses that matter read.
    fn bear(&mut self, clauses: &'p Clauses) {
        for handler in &clauses.handlers {
            if !self.hears(handler) {
                continue;
            }
            self.events.insert(handler.event);
            handler.guard.into_iter().for_each(|guard| self.whole(guard));
            self.hold(handler.hold);
        }
        for add in &clauses.adds {
            if self.adds(add) {
                self.patterns(&add.args);
                self.whole(add.amount);
                add.when.into_iter().for_each(|when| self.whole(when));
                self.hold(add.hold);
            }
        }
        for has in &clauses.has {
            if self.gives(has) {
                self.whole(has.what);
                has.when.into_iter().for_each(|when| self.whole(when));
                self.hold(has.hold);
            }
        }
        for cannot in &clauses.cannot {
            if self.keeps(cannot) {
                match &cannot.what {
                    Forbidden::Event { args, .. } => self.patterns(args),
                    Forbidden::Suffering { what, .. } => self.whole(*what),
                }
                cannot.when.into_iter().for_each(|when| self.whole(when));
                self.hold(cannot.hold);
            }
        }
        for phase in &clauses.phases {
            if self.lasts(phase) {
                self.phases.insert(phase.slot);
                self.slots.insert(phase.slot);
                self.hold(Some(phase.hold));
                phase.amount.into_iter().for_each(|amount| self.whole(amount));
            }
        }
    }

    // ── Tables and sheets ───────────────────────────────────────────────────────────────────

    fn is_like(&self, ty: SheetId, wanted: SheetId) -> bool {
        let mut at = Some(ty);
        for _ in 0..=self.program.sheets.len() {
            match at {
                Some(id) if id == wanted => return true,
                Some(id) => at = self.program.sheets.get(id.index()).and_then(|sheet| sheet.base),
                None => return false,
            }
        }
        false
    }

    fn table_matters(&self, id: TableId) -> bool {
        let Some(table) = self.program.tables.get(id.index()) else { return false };
        let makes = table.makes.as_ref().is_some_and(|making| {
            let clauses = self.program.sheets.get(making.sheet.index()).map(|sheet| &sheet.clauses);
            self.sheets.iter().any(|wanted| self.is_like(making.sheet, *wanted))
                || clauses.is_some_and(|clauses| self.bears(clauses))
                || table.rows.iter().any(|row| self.bears(&row.clauses))
        });
        makes || table.rows.iter().any(|row| row.body.is_some_and(|body| self.bodies.contains(&body)))
    }

    /// What reading a table reads.
    fn table(&mut self, id: TableId) {
        let Some(table) = self.program.tables.get(id.index()) else { return };
        if let TableKey::Dice(code) = table.key {
            self.whole(code);
        }
        for row in &table.rows {
            row.instead.and_then(|instead| instead.when).into_iter().for_each(|when| self.whole(when));
            for cell in &row.cells {
                if let Cell::Code(code) = cell {
                    self.whole(*code);
                }
            }
        }
        table.params.iter().for_each(|param| self.param(param));
    }

    fn param(&mut self, param: &'p crate::program::Param) {
        [param.default, param.choices].into_iter().flatten().for_each(|code| self.whole(code));
    }

    /// What tracks, values, checks and events that matter read.
    fn tracks(&mut self) {
        let program = self.program;
        let there: Vec<SheetId> = self.there.iter().copied().collect();
        for sheet in there.iter().filter_map(|sheet| program.sheets.get(sheet.index())) {
            for (index, slot) in (0u16..).zip(&sheet.slots) {
                if self.slots.contains(&index) {
                    [slot.default, slot.low, slot.high].into_iter().flatten().for_each(|code| self.whole(code));
                    self.events.extend(slot.anew);
                    self.hold(slot.hold);
                }
            }
            for (index, value) in (0u16..).zip(&sheet.values) {
                if self.values.contains(&index) {
                    self.whole(value.formula);
                    value.params.iter().for_each(|param| self.param(param));
                }
            }
            for (index, check) in (0u16..).zip(&sheet.checks) {
                if self.checks.contains(&index) {
                    self.whole(check.formula);
                    self.whole(check.passes);
                    check.params.iter().for_each(|param| self.param(param));
                }
            }
        }
        for (index, event) in program.events.iter().enumerate() {
            if self.events.contains(&EventId(index as u32)) {
                event.params.iter().for_each(|param| self.param(param));
            }
        }
    }

    // ── What is left ────────────────────────────────────────────────────────────────────────

    fn finish(self) -> Sliced {
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

    fn leave(&self, clauses: &mut Clauses) {
        clauses.handlers.retain(|handler| self.hears(handler));
        clauses.adds.retain(|add| self.adds(add));
        clauses.has.retain(|has| self.gives(has));
        clauses.cannot.retain(|cannot| self.keeps(cannot));
        clauses.phases.retain(|phase| self.lasts(phase));
    }

    fn rolls(&self, code: CodeId) -> bool {
        let rolls = |op: &Op| {
            matches!(op, Op::Roll | Op::PickMember(_) | Op::PickSheet | Op::Read { .. } | Op::Check { .. } | Op::Ask(_))
        };
        self.program.code.get(code.index()).is_some_and(|code| code.ops.iter().any(rolls))
    }
}
