//! The sheet that a row makes.

use super::fault::{FaultKind, Result, known};
use super::machine::Machine;
use super::note::{Note, Observer};
use super::state::Value;
use crate::program::{EventId, Kept, TableId};

impl<'p> Machine<'p> {
    /// The event `made`, where a handler of the sheet hears it.
    pub(super) fn made_event(&self, sheet: u32) -> Result<Option<EventId>> {
        let Some(index) = self.program.events.iter().position(|event| event.id == "made") else { return Ok(None) };
        let made = EventId(index as u32);
        let clauses = self.clauses(sheet)?;
        let heard = clauses.into_iter().flatten().flat_map(|clauses| &clauses.handlers).any(|h| h.event == made);
        Ok(heard.then_some(made))
    }

    /// A sheet made by a row, with what it keeps; the slots that still get their default.
    pub(super) fn make_by_row<O: Observer>(
        &mut self,
        id: TableId,
        row: u32,
        owner: u32,
        args: &[Value],
        given: bool,
        observer: &mut O,
    ) -> Result<(u32, Vec<u16>)> {
        let making = known(self.table(id)?.makes.as_ref(), "a sheet to make")?;
        self.row(id, row)?;
        let owner_type = self.sheet(owner)?.ty;
        for (index, list) in (0u16..).zip(&self.of_type(owner_type)?.lists) {
            if self.is_like(making.sheet, list.sheet) {
                let count = self.all_like(list.sheet, Some(owner)).len() as u64 + 1;
                let most = u64::from(list.most);
                if count > most {
                    return Err(FaultKind::List { owner: owner_type, list: index, count, most });
                }
            }
        }
        let sheet = self.add_sheet(making.sheet, Some(owner), Some((id, row)))?;
        observer.note(Note::Made { sheet, ty: making.sheet, owner: Some(owner), row: Some((id, row)), given });
        let mut kept = Vec::with_capacity(making.keeps.len());
        for (slot, source) in &making.keeps {
            let value = match source {
                Kept::Argument(arg) => known(args.get(usize::from(*arg)), "an argument")?.clone(),
                Kept::Column(column) => self.cell(id, i64::from(row), *column, args)?,
            };
            self.write(sheet, *slot, value)?;
            kept.push(*slot);
        }
        let slots = self.default_slots(making.sheet, &kept)?;
        Ok((sheet, slots))
    }
}
