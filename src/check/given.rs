//! Who is given in a scenario: sheets with their tracks, values, states and rows.

use super::body::{Body, From, SheetRef};
use super::scenario::Telling;
use super::{Result, Told};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::program::{self, Op, Type};
use crate::say;
use crate::syntax::tree::{self, Change, ExprKind, GivenValue};

impl<'t> Body<'_, 't> {
    pub(super) fn given(
        &mut self,
        sheet: &'t tree::Name,
        name: Option<&'t tree::Name>,
        sets: &'t [tree::GivenSet],
        telling: &mut Telling<'t>,
    ) -> Result<()> {
        let Some(id) = self.ck.names.sheets.get(&sheet.text).copied() else {
            let known: Vec<String> = self.ck.names.sheets.keys().map(|k| k.to_string()).collect();
            return Err(self.ck.unknown(sheet, say!("sheet"), known.iter().map(String::as_str)));
        };
        if let Some(owner) = self.ck.sheet(id).owner {
            let owner = self.ck.sheet(owner).id.clone();
            return Err(self.ck.tell(
                Diagnostic::error(
                    Fault::TypeMismatch,
                    say!("a `{sheet}` belongs to a `{owner}`, and is not given by itself", sheet = sheet.text, owner),
                )
                .label(sheet.span, "belongs to another sheet")
                .help(say!("give the `{owner}` with rows in its list: `{{ … = 1 of … }}`", owner)),
            ));
        }
        self.push(Op::New(id));
        let slot = match name {
            Some(name) => self.local(name, Some(Type::Sheet { sheet: id, or_none: false })),
            None => self.temporary(),
        };
        if let Some(local) = self.locals.last_mut()
            && local.slot == slot
        {
            local.read = true;
        }
        self.push(Op::Store(slot));
        let given = SheetRef { from: From::Local(slot), up: 0, sheet: id };
        let outer = std::mem::take(&mut self.subjects);
        let result = self.given_sets(given, sets);
        self.subjects = outer;
        if self.subjects.is_empty() {
            self.subjects.push(given);
            telling.first = Some(given);
        }
        result
    }

    fn given_sets(&mut self, given: SheetRef, sets: &'t [tree::GivenSet]) -> Result<()> {
        let mut failed = false;
        for set in sets {
            let names = self.ck.sheet_names(given.sheet);
            let known = names.tracks.contains_key(&set.name.text)
                || names.values.contains_key(&set.name.text)
                || names.lists.contains_key(&set.name.text)
                || set.name.text == "state";
            if !known {
                let known: Vec<String> = names.all().map(str::to_owned).collect();
                let what = say!("track of `{sheet}`", sheet = self.ck.sheet(given.sheet).id);
                self.ck.unknown(&set.name, what, known.iter().map(String::as_str));
                failed = true;
            }
        }
        let slots = self.ck.sheet(given.sheet).slots.len();
        for slot in 1..slots as u16 {
            let entry = &self.ck.sheet(given.sheet).slots[slot as usize];
            if entry.role == program::Role::Progress || entry.hold.is_some() {
                continue;
            }
            let (id, default) = (entry.id.clone(), entry.default);
            match sets.iter().find(|s| s.name.text == id) {
                Some(set) => failed |= self.give(given, slot, set).is_err(),
                None if default.is_some() => {
                    self.push_sheet(given);
                    self.push(Op::Default { slot });
                }
                None => {}
            }
        }
        for set in sets {
            if let Some(value) = self.ck.sheet_names(given.sheet).values.get(&set.name.text).copied() {
                let GivenValue::One(expr) = &set.value else { continue };
                let ty = self.ck.sheet(given.sheet).values[value as usize].ty;
                self.push_sheet(given);
                failed |= self.expr(expr, Some(ty)).is_err();
                self.push(Op::GiveValue { value });
            } else if set.name.text == "state" {
                failed |= self.give_state(given, set).is_err();
            }
        }
        self.push_sheet(given);
        self.push(Op::Settle);
        for slot in 1..slots as u16 {
            let entry = &self.ck.sheet(given.sheet).slots[slot as usize];
            if entry.hold.is_none() {
                continue;
            }
            let id = entry.id.clone();
            if let Some(set) = sets.iter().find(|s| s.name.text == id) {
                failed |= self.give(given, slot, set).is_err();
            }
        }
        for set in sets {
            if let Some(list) = self.ck.sheet_names(given.sheet).lists.get(&set.name.text).copied() {
                failed |= self.give_rows(given, list, set).is_err();
            }
        }
        if failed { Err(Told) } else { Ok(()) }
    }

    fn give(&mut self, given: SheetRef, slot: u16, set: &'t tree::GivenSet) -> Result<()> {
        match &set.value {
            GivenValue::One(expr) => {
                self.push_sheet(given);
                self.value_for(given, slot, Change::To, expr)?;
                self.push(Op::Give { slot });
                Ok(())
            }
            GivenValue::Rows(_) => Err(self.ck.tell(
                Diagnostic::error(Fault::TypeMismatch, say!("`{name}` is no list of sheets", name = set.name.text))
                    .label(set.name.span, "one value")
                    .help(say!("write `{name} = …`", name = set.name.text)),
            )),
        }
    }

    fn give_state(&mut self, given: SheetRef, set: &'t tree::GivenSet) -> Result<()> {
        let GivenValue::One(expr) = &set.value else { return Err(Told) };
        let states = &self.ck.sheet_names(given.sheet).states;
        let state = match &*expr.kind {
            ExprKind::Name(name) => states.get(&name.text).copied(),
            _ => None,
        };
        let Some(state) = state else {
            let known: Vec<String> = states.keys().map(|k| k.to_string()).collect();
            let name = tree::Name { text: self.text(expr.span).into(), span: expr.span };
            let fault = super::names::unknown(&name, say!("state"), known.iter().map(String::as_str));
            return Err(self.ck.tell(Diagnostic { code: Fault::StateUnknown, ..fault }));
        };
        self.push_sheet(given);
        self.push(Op::GiveState { state });
        Ok(())
    }

    fn give_rows(&mut self, given: SheetRef, list: usize, set: &'t tree::GivenSet) -> Result<()> {
        let of = self.ck.sheet(given.sheet).lists[list].sheet;
        let makers = self.ck.sheet_names(of).makers.clone();
        let GivenValue::Rows(rows) = &set.value else {
            if let GivenValue::One(expr) = &set.value
                && matches!(*expr.kind, ExprKind::None)
            {
                return Ok(());
            }
            return Err(self.ck.tell(
                Diagnostic::error(Fault::TypeMismatch, say!("`{name}` is a list of sheets", name = set.name.text))
                    .label(set.name.span, "how many of which row")
                    .help(say!("write `{name} = 2 of …` with the id of a row", name = set.name.text)),
            ));
        };
        for (count, name) in rows {
            let found = makers.iter().find_map(|table| {
                let rows = &self.ck.program.tables[table.index()].rows;
                rows.iter().position(|r| r.id == name.text).map(|row| (*table, row as u32))
            });
            let Some((table, row)) = found else {
                let known: Vec<String> = makers
                    .iter()
                    .flat_map(|t| self.ck.program.tables[t.index()].rows.iter().map(|r| r.id.to_string()))
                    .collect();
                return Err(self.ck.unknown(name, say!("row"), known.iter().map(String::as_str)));
            };
            self.push_sheet(given);
            self.number(count)?;
            self.push(Op::GiveRows { table, row });
        }
        Ok(())
    }
}
