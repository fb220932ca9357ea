//! Tables made to happen, and rolls with rows of their own.

use crate::check::body::{Body, From, SheetRef};
use crate::check::{Origin, Result};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::program::{self, On, Op, TableId};
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{self, Expr};

impl<'t> Body<'_, 't> {
    /// Whose sheet a row happens on, seen from here.
    pub(super) fn on(&mut self, table: TableId, span: Span) -> Result<On> {
        let Some(subject) = self.ck.program.tables[table.index()].subject else { return Ok(On::Nobody) };
        if self.scenario {
            return Ok(On::First);
        }
        let sheets = self.sheets_in_sight();
        match sheets.iter().find(|s| self.ck.is_like(s.sheet, subject) || self.ck.is_like(subject, s.sheet)) {
            Some(SheetRef { from: From::Me, up, .. }) => Ok(On::Up(*up)),
            _ => {
                let owner = self.ck.sheet(subject).id.clone();
                Err(self.ck.tell(
                    Diagnostic::error(
                        Fault::TypeMismatch,
                        say!(
                            "`{table}` is written for a `{owner}`",
                            table = self.ck.program.tables[table.index()].id,
                            owner
                        ),
                    )
                    .label(span, say!("no `{owner}` here", owner))
                    .help(say!("send the `{owner}` an event, and roll in its handler", owner)),
                ))
            }
        }
    }

    pub(super) fn load_args(&mut self, table: TableId, first: u16) -> u8 {
        let count = self.ck.program.tables[table.index()].params.len() as u16;
        for arg in 0..count {
            self.push(Op::Load(first + arg));
        }
        count as u8
    }

    /// A row that happens may make a sheet, which then does what it does when made.
    pub(super) fn makes(&mut self, table: TableId, span: Span) {
        if let Some(sheet) = self.ck.program.tables[table.index()].makes.as_ref().map(|making| making.sheet) {
            self.ck.fires(Origin::Made(sheet), span);
        }
    }

    pub(super) fn roll_sentence(&mut self, what: &'t Expr) -> Result<()> {
        if let Some((name, args)) = self.as_table(what) {
            let table = self.ck.names.tables[&name.text];
            self.impure(what.span, say!("roll on a table"))?;
            let on = self.on(table, name.span)?;
            let first = self.read_args(table, args, name.span)?;
            let count = self.load_args(table, first);
            self.ck.fires(Origin::Table(table), what.span);
            self.makes(table, what.span);
            self.push(Op::Happen { table, args: count, on });
            self.still_holds();
            return Ok(());
        }
        // A check for its own sake, or dice whose result nobody reads.
        self.roll_any(what)?;
        self.push(Op::Drop);
        self.still_holds();
        Ok(())
    }

    pub(super) fn roll_rows(&mut self, dice: &'t Expr, rows: &'t [tree::InlineRow], span: Span) -> Result<()> {
        self.roll_any(dice)?;
        let shown = self.ck.shown_by(dice);
        let (answers, otherwise, gap) = self.ck.inline_ranges(rows, shown.as_ref(), span);
        self.ck.leave_open(dice, &[], &[], gap);
        let switch = self.ops.len();
        self.push(Op::Drop);
        let mut goals = Vec::new();
        let mut ends = Vec::new();
        for row in rows {
            goals.push(self.here());
            self.rolled_row(row.span);
            self.inner(&row.body);
            ends.push(self.jump(Op::Jump));
        }
        let here = self.here();
        for end in ends {
            self.land(end);
        }
        let table: Box<[(program::Answer, u32)]> =
            answers.iter().map(|a| (*a, goals.get(a.row as usize).copied().unwrap_or(here))).collect();
        self.ops[switch] = Op::Switch(table, otherwise.and_then(|row| goals.get(row as usize).copied()));
        Ok(())
    }
}
