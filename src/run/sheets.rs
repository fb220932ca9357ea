//! The sheets of the story: reading and writing what stands on them.

use std::collections::HashMap;
use std::sync::Arc;

use super::fault::{FaultKind, Limit, Result, known};
use super::limits::SHEETS;
use super::machine::Machine;
use super::state::{Instance, Value};
use crate::program::{NONE, Role, Sheet, SheetId, Slot, TableId};

impl<'p> Machine<'p> {
    /// The sheet a number on the stack names.
    pub(super) fn place(&self, number: i64) -> Result<u32> {
        if number == NONE {
            return Err(FaultKind::None);
        }
        let place = u32::try_from(number).ok().filter(|place| (*place as usize) < self.state.sheets.len());
        known(place, "a sheet")
    }

    pub(super) fn sheet(&self, sheet: u32) -> Result<&Instance> {
        known(self.state.sheets.get(sheet as usize).map(|sheet| &**sheet), "a sheet")
    }

    /// Something on a sheet is about to change.
    pub(super) fn sheet_mut(&mut self, sheet: u32) -> Result<&mut Instance> {
        self.state.stirred = true;
        known(self.state.sheets.get_mut(sheet as usize).map(Arc::make_mut), "a sheet")
    }

    pub(super) fn sheet_type(&self, sheet: u32) -> Result<&'p Sheet> {
        let ty = self.sheet(sheet)?.ty;
        self.of_type(ty)
    }

    pub(super) fn of_type(&self, ty: SheetId) -> Result<&'p Sheet> {
        known(self.program.sheets.get(ty.index()), "a type of sheet")
    }

    pub(super) fn slot_of(&self, sheet: u32, slot: u16) -> Result<&'p Slot> {
        known(self.sheet_type(sheet)?.slots.get(usize::from(slot)), "a track")
    }

    pub(super) fn read(&self, sheet: u32, slot: u16) -> Result<&Value> {
        known(self.sheet(sheet)?.slots.get(usize::from(slot)), "a track")
    }

    pub(super) fn read_number(&self, sheet: u32, slot: u16) -> Result<i64> {
        known(self.read(sheet, slot)?.number(), "a number")
    }

    pub(super) fn write(&mut self, sheet: u32, slot: u16, value: Value) -> Result<()> {
        *known(self.sheet_mut(sheet)?.slots.get_mut(usize::from(slot)), "a track")? = value;
        Ok(())
    }

    /// Whether a type is another or a variant of it.
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

    /// The sheets at the root of the story, oldest first.
    pub(super) fn roots(&self) -> Vec<u32> {
        let sheets = (0u32..).zip(&self.state.sheets);
        sheets.filter(|(_, sheet)| sheet.owner.is_none()).map(|(place, _)| place).collect()
    }

    /// How many owners up from one sheet another stands; 0: it is the same.
    pub(super) fn levels(&self, from: u32, to: u32) -> Option<u8> {
        let (mut at, mut levels) = (from, 0u8);
        while at != to {
            at = self.state.sheets.get(at as usize)?.owner.filter(|owner| *owner < at)?;
            levels = levels.checked_add(1)?;
        }
        Some(levels)
    }

    /// The sheet so many owners up.
    pub(super) fn owner(&self, sheet: u32, levels: u8) -> Result<Option<u32>> {
        let mut at = sheet;
        for _ in 0..levels {
            match self.sheet(at)?.owner {
                Some(owner) => at = owner,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    /// A sheet and all attached to it: it first, then each attached one by age with its own.
    pub(super) fn tree(&self, root: u32) -> Vec<u32> {
        let mut list = vec![root];
        let mut nested = false;
        for (place, sheet) in (0u32..).zip(&self.state.sheets).skip(root as usize + 1) {
            let Some(owner) = sheet.owner else { continue };
            // Owners are older than what they own: the list is in order of age.
            if owner == root || (nested || list.len() > 1) && list.binary_search(&owner).is_ok() {
                nested |= owner != root;
                list.push(place);
            }
        }
        if nested { self.by_owner(root, &list) } else { list }
    }

    /// The sheets of a tree, each followed by those attached to it.
    fn by_owner(&self, root: u32, tree: &[u32]) -> Vec<u32> {
        let mut attached: HashMap<u32, Vec<u32>> = HashMap::new();
        for place in tree.iter().rev().filter(|place| **place != root) {
            let owner = self.state.sheets.get(*place as usize).and_then(|sheet| sheet.owner);
            attached.entry(owner.unwrap_or(root)).or_default().push(*place);
        }
        let (mut list, mut next) = (Vec::with_capacity(tree.len()), vec![root]);
        while let Some(place) = next.pop() {
            list.push(place);
            next.extend(attached.remove(&place).unwrap_or_default());
        }
        list
    }

    /// The sheets of a type that one owns, or all in the story, oldest first.
    pub(super) fn all_like(&mut self, wanted: SheetId, owner: Option<u32>) -> Arc<[u32]> {
        let from = owner.map_or(0, |owner| owner as usize + 1);
        self.looked_at(self.state.sheets.len().saturating_sub(from));
        let sheets = (0u32..).zip(&self.state.sheets).skip(from);
        let fits = |sheet: &Instance| (owner.is_none() || sheet.owner == owner) && self.is_like(sheet.ty, wanted);
        sheets.filter(|(_, sheet)| fits(sheet)).map(|(place, _)| place).collect()
    }

    /// A new sheet, all its slots zero.
    pub(super) fn add_sheet(&mut self, ty: SheetId, owner: Option<u32>, row: Option<(TableId, u32)>) -> Result<u32> {
        let place = self.state.sheets.len();
        if place >= SHEETS {
            let count = place as u64 + 1;
            return Err(FaultKind::Limit { what: Limit::Sheets, count, limit: SHEETS as u64 });
        }
        let sheet = self.of_type(ty)?;
        let mut slots: Vec<Value> = sheet.slots.iter().map(Value::zero).collect();
        if sheet.state_by.is_some()
            && let Some(state) = slots.first_mut()
        {
            // Not looked at yet.
            *state = Value::Number(NONE);
        }
        let instance =
            Instance { ty, owner, row, slots, timed: Vec::new(), given: Vec::new(), unfinished: row.is_some() };
        self.state.sheets.push(Arc::new(instance));
        self.state.stirred = true;
        Ok(place as u32)
    }

    /// The slots that a new sheet's defaults go to: tracks outside all blocks.
    pub(super) fn default_slots(&self, ty: SheetId, not: &[u16]) -> Result<Vec<u16>> {
        let slots = (0u16..).zip(&self.of_type(ty)?.slots);
        let wanted = |(place, slot): &(u16, &Slot)| {
            slot.role == Role::Track && slot.hold.is_none() && slot.default.is_some() && !not.contains(place)
        };
        Ok(slots.filter(wanted).map(|(place, _)| place).collect())
    }

    /// The state a sheet is in: read off its track where the rules say so, unless it is final.
    pub(super) fn current_state(&self, sheet: u32) -> Result<i64> {
        let ty = self.sheet_type(sheet)?;
        let kept = self.read_number(sheet, 0)?;
        match &ty.state_by {
            Some(by) if !ty.is_final(kept) => {
                let number = self.read_number(sheet, by.slot)?;
                let answer = by.answers.iter().find(|a| (a.low..=a.high).contains(&number));
                Ok(i64::from(answer.ok_or(FaultKind::Row { table: None, number })?.row))
            }
            _ => Ok(kept),
        }
    }

    pub(super) fn is_final(&self, sheet: u32) -> Result<bool> {
        Ok(self.sheet_type(sheet)?.is_final(self.current_state(sheet)?))
    }

    /// Whether any owner, near or far, is in a final state.
    pub(super) fn owner_is_final(&self, sheet: u32) -> Result<bool> {
        let mut at = self.sheet(sheet)?.owner;
        while let Some(owner) = at {
            if self.is_final(owner)? {
                return Ok(true);
            }
            at = self.sheet(owner)?.owner.filter(|next| *next < owner);
        }
        Ok(false)
    }
}
