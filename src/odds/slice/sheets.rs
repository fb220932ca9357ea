//! Tables, tracks, values, checks and events that matter, and what they read.

use super::Search;
use crate::program::{Cell, EventId, SheetId, TableId, TableKey};

impl<'p> Search<'p> {
    pub(super) fn is_like(&self, ty: SheetId, wanted: SheetId) -> bool {
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

    pub(super) fn table_matters(&self, id: TableId) -> bool {
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
    pub(super) fn table(&mut self, id: TableId) {
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

    pub(super) fn param(&mut self, param: &'p crate::program::Param) {
        [param.default, param.choices].into_iter().flatten().for_each(|code| self.whole(code));
    }

    /// What tracks, values, checks and events that matter read.
    pub(super) fn tracks(&mut self) {
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
}
