//! Sentences: what happens, once and in order.

mod condition;
mod event;
mod question;
mod table;
mod value;

use crate::check::body::{Body, From, SheetRef};
use crate::check::{Origin, Result, Told};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::program::{self, Op, Type};
use crate::say;
use crate::syntax::tree::{self, Change, Sentence, SentenceKind};
use crate::wording::Wording;

impl<'t> Body<'_, 't> {
    pub fn body(&mut self, body: &'t tree::Body) {
        for sentence in &body.sentences {
            self.place(sentence.span);
            // What is at fault has been told; the sentences after it are read all the same.
            let _ = self.sentence(sentence);
        }
    }

    pub(super) fn inner(&mut self, body: &'t tree::Body) {
        let opened = self.open();
        self.depth += 1;
        self.body(body);
        self.depth -= 1;
        self.close(opened);
    }

    /// After something that may end the block these sentences stand in.
    pub(super) fn still_holds(&mut self) {
        if self.held {
            self.push(Op::StillHolds);
        }
    }

    pub fn sentence(&mut self, sentence: &'t Sentence) -> Result<()> {
        match &sentence.kind {
            SentenceKind::Set { target, change, value } => self.set_sentence(target, *change, value),
            SentenceKind::Suffer { what, to, wait } => {
                let (sheet, slot) = self.conditions(what, to.as_ref())?;
                let mut amount = None;
                let wait = match wait {
                    None => None,
                    Some(tree::Wait::Until(names)) => Some(self.wait_until(names, Some(sheet))?.0),
                    Some(tree::Wait::For { amount: n, clock, then }) => {
                        amount = Some(n);
                        Some(self.wait_for(clock, then.as_ref(), sheet)?)
                    }
                };
                if let Some(amount) = amount {
                    self.number(amount)?;
                }
                self.push(Op::Suffer { slot, wait });
                self.still_holds();
                Ok(())
            }
            SentenceKind::Lose { what, from } => {
                let (_, slot) = self.conditions(what, from.as_ref())?;
                self.push(Op::Lose { slot });
                self.still_holds();
                Ok(())
            }
            SentenceKind::Roll(what) => self.roll_sentence(what),
            SentenceKind::Take { row, table, args } => {
                let Some(id) = self.ck.names.tables.get(&table.text).copied() else {
                    let known: Vec<String> = self.ck.names.tables.keys().map(|k| k.to_string()).collect();
                    return Err(self.ck.unknown(table, say!("table"), known.iter().map(String::as_str)));
                };
                let rows = &self.ck.program.tables[id.index()].rows;
                let Some(index) = rows.iter().position(|r| r.id == row.text) else {
                    let known: Vec<String> = rows.iter().map(|r| r.id.to_string()).collect();
                    return Err(self.ck.unknown(
                        row,
                        say!("row of `{table}`", table = table.text),
                        known.iter().map(String::as_str),
                    ));
                };
                let on = self.on(id, table.span)?;
                let first = self.read_args(id, args, table.span)?;
                let count = self.load_args(id, first);
                self.ck.fires(Origin::Table(id), sentence.span);
                self.makes(id, sentence.span);
                self.push(Op::Take { table: id, row: index as u32, args: count, on });
                self.still_holds();
                Ok(())
            }
            SentenceKind::RollRows { dice, rows } => self.roll_rows(dice, rows, sentence.span),
            SentenceKind::If { arms, otherwise } => {
                let mut ends = Vec::new();
                let mut result = Ok(());
                for (condition, body) in arms {
                    if self.yes_no(condition).is_err() {
                        result = Err(Told);
                    }
                    self.condition(condition.span);
                    let no = self.jump(Op::JumpUnless);
                    self.inner(body);
                    ends.push(self.jump(Op::Jump));
                    self.land(no);
                }
                if let Some(body) = otherwise {
                    self.inner(body);
                }
                for end in ends {
                    self.land(end);
                }
                result
            }
            SentenceKind::Each { list, body } => {
                let sheet = self.list(list)?;
                self.push_loop_start(
                    sheet,
                    |inside, item, again| {
                        inside.subjects.push(SheetRef { from: From::Local(item), up: 0, sheet });
                        inside.again.push(Vec::new());
                        inside.inner(body);
                        again.extend(inside.again.pop().unwrap_or_default());
                        inside.subjects.pop();
                        Ok(())
                    },
                    None,
                )?;
                self.still_holds();
                Ok(())
            }
            SentenceKind::Ask { who, name, ty, default, question } => {
                self.ask(*who, name, ty, default, question.as_ref())
            }
            SentenceKind::Say(texts) => self.say(texts),
            SentenceKind::Go { sheet, state } => self.go(sheet.as_ref(), state),
            SentenceKind::Fire { event, args, to } => self.fire(event, args, to.as_ref(), sentence.span),
            SentenceKind::Instead { row, .. } => Err(self.ck.tell(
                Diagnostic::error(Fault::TypeMismatch, "`instead` stands first in a row's own braces")
                    .label(row.span, "too late to send on from here")
                    .help("move it to the first line of the row's braces"),
            )),
            SentenceKind::Block(block) => self.block_in_body(block),
        }
    }

    // ── Blocks ──────────────────────────────────────────────────────────────────────────────

    pub(super) fn block_in_body(&mut self, block: &'t tree::Block) -> Result<()> {
        let makes = self.row.is_some_and(|(table, _)| self.ck.program.tables[table.index()].makes.is_some());
        if !makes {
            return Err(self.ck.tell(
                Diagnostic::error(Fault::TypeMismatch, "what holds stands on a sheet, or in a row that makes one")
                    .label(block.span, "nothing here to hold it")
                    .help("move it into the sheet; for a condition that ends by itself write `suffer prone until turn_end`"),
            ));
        }
        let reached = if self.depth > 0 {
            let slot = self.keeping_slot(Type::YesNo);
            if let Some(slot) = slot {
                self.push(Op::Me);
                self.push(Op::Push(1));
                self.push(Op::Set { slot, change: program::Change::To });
            }
            slot
        } else {
            None
        };
        self.blocks.push((block, reached));
        Ok(())
    }
}

pub(crate) fn how(change: Change) -> program::Change {
    match change {
        Change::To => program::Change::To,
        Change::Up => program::Change::Up,
        Change::Down => program::Change::Down,
        Change::Raise => program::Change::Raise,
        Change::Lower => program::Change::Lower,
    }
}

/// What a value can be, in words: `12`, `2 to 12`, `2 or more`.
pub(super) fn reach(low: i64, high: i64) -> Wording {
    match (low, high) {
        (i64::MIN, i64::MAX) => say!("any number"),
        (i64::MIN, high) => say!("{high} or less", high),
        (low, i64::MAX) => say!("{low} or more", low),
        (low, high) if low == high => Wording::text(low.to_string()),
        (low, high) => say!("{low} to {high}", low, high),
    }
}

/// How far a track goes: `from 0 to 10`, `from 0 up`.
pub(crate) fn goes(low: i64, high: i64) -> Wording {
    match (low, high) {
        (i64::MIN, i64::MAX) => say!("anywhere"),
        (i64::MIN, high) => say!("up to {high}", high),
        (low, i64::MAX) => say!("from {low} up", low),
        (low, high) => say!("from {low} to {high}", low, high),
    }
}

impl crate::check::Checker<'_> {
    /// The set track of a sheet whose kind has this member.
    pub(super) fn condition_track(&self, sheet: program::SheetId, name: &str) -> Option<u16> {
        let meanings = self.names.members.get(name)?;
        self.sheet(sheet)
            .slots
            .iter()
            .position(|slot| match slot.ty {
                Type::SetOfKind(kind) => {
                    meanings.iter().any(|m| matches!(m, crate::check::names::Member::Kind(k, _) if *k == kind))
                }
                _ => false,
            })
            .map(|slot| slot as u16)
    }

    /// Whether a sheet of this type, one like it, or one that belongs to it answers the event.
    pub fn is_answered(&self, event: program::EventId, sheet: program::SheetId) -> bool {
        self.answered.iter().any(|(e, s)| {
            *e == event && {
                let mut at = Some(*s);
                let mut found = false;
                while let Some(id) = at {
                    found |= self.is_like(sheet, id) || self.is_like(id, sheet);
                    at = self.sheet(id).owner;
                }
                found
            }
        })
    }
}
