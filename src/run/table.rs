//! Tables: which row answers, and what stands in its cells.

use super::fault::{FaultKind, Result, known};
use super::machine::Machine;
use super::state::Value;
use crate::program::{Cell, NONE, Row, Table, TableId};

impl<'p> Machine<'p> {
    pub(super) fn table(&self, table: TableId) -> Result<&'p Table> {
        known(self.program.tables.get(table.index()), "a table")
    }

    pub(super) fn row(&self, table: TableId, row: u32) -> Result<&'p Row> {
        known(self.table(table)?.rows.get(row as usize), "a row")
    }

    /// The row that answers a number.
    pub(super) fn answering(&self, id: TableId, number: i64) -> Result<u32> {
        let table = self.table(id)?;
        let index = table.answers.partition_point(|answer| answer.high < number);
        let answer = table.answers.get(index).filter(|answer| answer.low <= number);
        let row = answer.map(|answer| answer.row).or(table.otherwise);
        row.ok_or(FaultKind::Row { table: Some(id), number })
    }

    /// The row that another sends on to, for these arguments.
    pub(super) fn instead(&mut self, table: TableId, row: u32, args: &[Value], me: i64) -> Result<Option<u32>> {
        let Some(instead) = self.row(table, row)?.instead else { return Ok(None) };
        let applies = match instead.when {
            None => true,
            Some(when) => {
                let (at, nesting, height) = (self.cost.at, self.cost.nesting, self.state.stack.len());
                match self.pure_yes(when, me, args) {
                    // A table read by itself: there is no sheet of which it could be true.
                    Err(FaultKind::None) if me == NONE => {
                        (self.cost.at, self.cost.nesting) = (at, nesting);
                        self.state.stack.truncate(height);
                        false
                    }
                    answer => answer?,
                }
            }
        };
        Ok(applies.then_some(instead.row))
    }

    /// Whose sheet a table's own code sees: the nearest one it is written for, from here up.
    pub(super) fn reader(&self, table: TableId, me: i64) -> Result<i64> {
        let Some(subject) = self.table(table)?.subject else { return Ok(me) };
        let mut at = u32::try_from(me).ok();
        while let Some(sheet) = at {
            let instance = self.sheet(sheet)?;
            if self.is_like(instance.ty, subject) {
                return Ok(i64::from(sheet));
            }
            at = instance.owner.filter(|owner| *owner < sheet);
        }
        Ok(me)
    }

    /// The row of a table that is looked up, not rolled.
    pub(super) fn look_up(&mut self, table: TableId, args: &[Value], me: i64) -> Result<u32> {
        let key = known(args.first().and_then(Value::number), "a key")?;
        if key == NONE && !matches!(self.table(table)?.key, crate::program::TableKey::Number) {
            return Err(FaultKind::None);
        }
        let row = self.answering(table, key)?;
        let row = self.instead(table, row, args, me)?.unwrap_or(row);
        if let Some(rows) = self.ways.as_mut().map(|ways| &mut ways.looked_up) {
            rows.insert((table, row));
        }
        Ok(row)
    }

    /// What stands in a row's column.
    pub(super) fn cell(&mut self, table: TableId, row: i64, column: u16, args: &[Value]) -> Result<Value> {
        if row == NONE {
            return Err(FaultKind::None);
        }
        let row = known(u32::try_from(row).ok(), "a row")?;
        match known(self.row(table, row)?.cells.get(usize::from(column)), "a cell")? {
            Cell::Value(number) => Ok(Value::Number(*number)),
            Cell::Text(message) => Ok(Value::Number(i64::from(message.0))),
            Cell::Code(code) => self.pure(*code, NONE, args),
        }
    }
}
