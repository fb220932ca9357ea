//! What of the rules was exercised, and what never was.

use std::collections::BTreeSet;

use super::Hits;
use crate::program::{Clauses, CodeId, Op, Program, SheetId, TableId};
use crate::source::Span;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A row of a table: it was read, or happened where it does something.
    Row,
    /// One state to another, as `->` may lead.
    Transition,
    /// What answers an event.
    Handler,
    /// A condition that is to be true once and false once, or a row rolled in a sentence.
    Branch,
    /// A sentence in a handler, a row or a block.
    Sentence,
}

/// One thing that can be exercised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub kind: Kind,
    /// `wound/broken_leg`, `character: alive -> dead`, `character: on wounded`; of a branch what
    /// never happened to it: `never true`. Empty for a sentence.
    pub what: String,
    pub span: Span,
    pub hit: bool,
    /// Of a row: which.
    pub row: Option<(TableId, u32)>,
    /// Of a row that no rule can bring about, why: a question to the author, not to the scenarios.
    pub out_of_reach: Option<&'static str>,
}

/// Everything that can be exercised, and whether it was.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    pub items: Vec<Item>,
}

impl Coverage {
    /// All of a program.
    pub fn of(program: &Program, hits: &Hits) -> Self {
        let mut coverage = Coverage::default();
        coverage.rows(program, hits);
        coverage.transitions(program, hits);
        coverage.handlers(program, hits);
        coverage.branches(program, hits);
        coverage.sentences(program, hits);
        coverage
    }

    /// How many of a kind were exercised, and how many there are.
    pub fn count(&self, kind: Kind) -> [usize; 2] {
        let of_kind = || self.items.iter().filter(|item| item.kind == kind);
        [of_kind().filter(|item| item.hit).count(), of_kind().count()]
    }

    /// What was never exercised.
    pub fn missed(&self, kind: Kind) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.kind == kind && !item.hit)
    }

    fn rows(&mut self, program: &Program, hits: &Hits) {
        let asked = Asked::of(program);
        for (index, table) in (0u32..).zip(&program.tables) {
            for (row, entry) in (0u32..).zip(&table.rows) {
                let at = (TableId(index), row);
                let hit = hits.has_row(at.0, row);
                let what = format!("{}/{}", table.id, entry.id);
                let out_of_reach = if hit { None } else { asked.out_of_reach(program, at) };
                self.items.push(Item { kind: Kind::Row, what, span: entry.span, hit, row: Some(at), out_of_reach });
            }
        }
    }

    fn transitions(&mut self, program: &Program, hits: &Hits) {
        // What a variant has from its base counts once, for the base.
        let owner = |mut sheet: SheetId, from: u32, to: u32| {
            while let Some(base) = program.sheets[sheet.index()].base
                && leads(program, base, from, to)
            {
                sheet = base;
            }
            sheet
        };
        let happened: BTreeSet<(SheetId, u32, u32)> = hits
            .transitions()
            .filter_map(|(sheet, from, to)| {
                let (from, to) = (u32::try_from(from).ok()?, u32::try_from(to).ok()?);
                Some((owner(sheet, from, to), from, to))
            })
            .collect();
        for (index, sheet) in (0u32..).zip(&program.sheets) {
            let id = SheetId(index);
            if sheet.state_by.is_some() {
                continue;
            }
            for (from, state) in (0u32..).zip(&sheet.states) {
                for (to, next) in (0u32..).zip(&sheet.states) {
                    if leads(program, id, from, to) && owner(id, from, to) == id {
                        let what = format!("{}: {} -> {}", sheet.id, state.id, next.id);
                        let hit = happened.contains(&(id, from, to));
                        self.items.push(Item {
                            kind: Kind::Transition,
                            what,
                            span: sheet.span,
                            hit,
                            row: None,
                            out_of_reach: None,
                        });
                    }
                }
            }
        }
    }

    fn handlers(&mut self, program: &Program, hits: &Hits) {
        let mut known = std::collections::BTreeMap::<(Span, String), usize>::new();
        for (owner, clauses) in clauses(program) {
            for handler in &clauses.handlers {
                let Some(code) = program.code.get(handler.body.index()).filter(|code| !code.ops.is_empty()) else {
                    continue;
                };
                let _ = code;
                let event = program.events.get(handler.event.index()).map_or("", |event| event.id.as_str());
                let what = format!("{owner}: {} {event}", if handler.before { "before" } else { "on" });
                let hit = hits.has_op(handler.body, 0);
                // A variant's own copy of its base's handler is the same one.
                match known.get(&(handler.span, event.to_owned())) {
                    Some(at) => self.items[*at].hit |= hit,
                    None => {
                        known.insert((handler.span, event.to_owned()), self.items.len());
                        self.items.push(Item {
                            kind: Kind::Handler,
                            what,
                            span: handler.span,
                            hit,
                            row: None,
                            out_of_reach: None,
                        });
                    }
                }
            }
        }
    }

    fn branches(&mut self, program: &Program, hits: &Hits) {
        let mut known = std::collections::BTreeMap::<(Span, &str), bool>::new();
        for (index, code) in (0u32..).zip(&program.code) {
            let id = CodeId(index);
            for branch in &code.branches {
                if branch.is_condition {
                    for (yes, what) in [(true, "never true"), (false, "never false")] {
                        *known.entry((branch.span, what)).or_default() |= hits.has_answer(id, branch.op, yes);
                    }
                } else {
                    *known.entry((branch.span, "never rolled")).or_default() |= hits.has_op(id, branch.op);
                }
            }
        }
        for ((span, what), hit) in known {
            self.items.push(Item {
                kind: Kind::Branch,
                what: what.to_owned(),
                span,
                hit,
                row: None,
                out_of_reach: None,
            });
        }
    }

    fn sentences(&mut self, program: &Program, hits: &Hits) {
        let mut known = std::collections::BTreeMap::<Span, bool>::new();
        for code in bodies(program) {
            let Some(entry) = program.code.get(code.index()) else { continue };
            for (op, span) in entry.places.iter().filter(|(op, _)| (*op as usize) < entry.ops.len()) {
                *known.entry(*span).or_default() |= hits.has_op(code, *op);
            }
        }
        for (span, hit) in known {
            self.items.push(Item {
                kind: Kind::Sentence,
                what: String::new(),
                span,
                hit,
                row: None,
                out_of_reach: None,
            });
        }
    }
}

/// The tables and rows that rules ask for; what scenarios do is not looked at.
struct Asked {
    tables: BTreeSet<TableId>,
    rows: BTreeSet<(TableId, u32)>,
}

impl Asked {
    fn of(program: &Program) -> Self {
        let scenarios: BTreeSet<CodeId> = program.scenarios.iter().map(|scenario| scenario.code).collect();
        let mut asked = Asked { tables: BTreeSet::new(), rows: BTreeSet::new() };
        let of_rules = (0u32..).zip(&program.code).filter(|(index, _)| !scenarios.contains(&CodeId(*index)));
        for op in of_rules.flat_map(|(_, code)| &code.ops) {
            match op {
                Op::Read { table, .. } | Op::Happen { table, .. } => drop(asked.tables.insert(*table)),
                Op::Take { table, row, .. } => drop(asked.rows.insert((*table, *row))),
                _ => {}
            }
        }
        for (index, table) in (0u32..).zip(&program.tables) {
            asked.rows.extend(table.rows.iter().filter_map(|row| Some((TableId(index), row.instead.as_ref()?.row))));
        }
        asked
    }

    fn out_of_reach(&self, program: &Program, (id, row): (TableId, u32)) -> Option<&'static str> {
        let table = program.tables.get(id.index())?;
        let answers = table.otherwise == Some(row) || table.answers.iter().any(|answer| answer.row == row);
        if self.rows.contains(&(id, row)) {
            None
        } else if !answers {
            Some("no die answers it, and no rule takes it")
        } else if super::play::does(table, row) && !self.tables.contains(&id) {
            Some("no rule rolls on its table")
        } else {
            None
        }
    }
}

fn leads(program: &Program, sheet: SheetId, from: u32, to: u32) -> bool {
    let state = program.sheets.get(sheet.index()).and_then(|sheet| sheet.states.get(from as usize));
    from != to && to < 64 && state.is_some_and(|state| state.next >> to & 1 == 1)
}

/// All clauses of a program, with what they belong to.
pub(super) fn clauses(program: &Program) -> impl Iterator<Item = (String, &Clauses)> {
    let sheets = program.sheets.iter().map(|sheet| (sheet.id.to_string(), &sheet.clauses));
    let rows = program
        .tables
        .iter()
        .flat_map(|table| table.rows.iter().map(move |row| (format!("{}/{}", table.id, row.id), &row.clauses)));
    sheets.chain(rows)
}

/// All code in which something happens, but that of scenarios.
fn bodies(program: &Program) -> Vec<CodeId> {
    let mut list: Vec<CodeId> = Vec::new();
    for (_, clauses) in clauses(program) {
        list.extend(clauses.handlers.iter().map(|handler| handler.body));
        list.extend(clauses.phases.iter().flat_map(|phase| [phase.enter, phase.leave, phase.then]).flatten());
    }
    list.extend(program.tables.iter().flat_map(|table| table.rows.iter().filter_map(|row| row.body)));
    list.extend(program.waits.iter().filter_map(|wait| wait.then));
    list.sort();
    list.dedup();
    list
}
