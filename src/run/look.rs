//! Pure operations on sheets, lists of them, and dice.

use std::sync::Arc;

use super::fault::{FaultKind, Limit, Result, known};
use super::form::build;
use super::limits::LIST;
use super::machine::Machine;
use super::pure::Flow;
use super::state::Value;
use crate::dice;
use crate::program::{NONE, Op};

impl<'p> Machine<'p> {
    pub(super) fn of_sheets(&mut self, op: &'p Op) -> Result<Flow> {
        match op {
            Op::Owner => {
                let sheet = self.pop_sheet()?;
                let owner = self.sheet(sheet)?.owner.map_or(NONE, i64::from);
                self.left(owner)
            }
            Op::Conditions(slot) => {
                let sheet = self.pop_sheet()?;
                let set = self.all_conditions(sheet, *slot)?;
                self.left(set)
            }
            Op::State => {
                let sheet = self.pop_sheet()?;
                let state = self.current_state(sheet)?;
                self.left(state)
            }
            Op::Value { value, args } => {
                let args = self.pop_many(*args)?;
                let sheet = self.pop_sheet()?;
                let value = self.worked_out(sheet, *value, &args)?;
                self.left(value)
            }
            Op::RowOf | Op::MadeBy => {
                let sheet = self.pop_sheet()?;
                let row = match (self.sheet(sheet)?.row, op) {
                    (None, _) => NONE,
                    (Some((table, row)), Op::MadeBy) => i64::from(table.0) << 32 | i64::from(row),
                    (Some((_, row)), _) => i64::from(row),
                };
                self.left(row)
            }
            Op::Owned(ty) => {
                let owner = self.pop_sheet()?;
                let sheets = self.all_like(*ty, Some(owner));
                self.left(Value::Sheets(sheets))
            }
            Op::Everyone(ty) => {
                let sheets = self.all_like(*ty, None);
                self.left(Value::Sheets(sheets))
            }
            Op::NoSheets => self.left(Value::Sheets(Arc::new([]))),
            Op::Append => {
                let sheet = self.pop_sheet()?;
                let sheets = self.pop_sheets()?;
                if sheets.len() >= LIST {
                    let count = sheets.len() as u64 + 1;
                    return Err(FaultKind::Limit { what: Limit::ListLength, count, limit: LIST as u64 });
                }
                self.left(Value::Sheets(sheets.iter().copied().chain([sheet]).collect()))
            }
            Op::Length => {
                let sheets = self.pop_sheets()?;
                self.left(sheets.len() as i64)
            }
            Op::Nth => {
                let index = self.pop_number()?;
                let sheets = self.pop_sheets()?;
                let sheet = usize::try_from(index).ok().and_then(|index| sheets.get(index));
                self.left(sheet.map_or(NONE, |sheet| i64::from(*sheet)))
            }
            _ => Ok(Flow::Acts),
        }
    }

    pub(super) fn of_dice(&mut self, op: &'p Op) -> Result<Flow> {
        let made = match op {
            Op::Build { form, holes } => {
                let form = known(self.program.forms.get(form.index()), "a form")?;
                let holes = self.pop_many(*holes)?;
                build(form, &holes)?
            }
            Op::Maximum => dice::maximum(&*self.pop_dice()?)?,
            Op::Minimum => dice::minimum(&*self.pop_dice()?)?,
            Op::Twice => dice::twice(&*self.pop_dice()?)?,
            Op::Exploding(top) => dice::exploding(&*self.pop_dice()?, *top)?,
            _ => return Ok(Flow::Acts),
        };
        self.left(Value::Dice(Arc::new(made)))
    }
}
