//! New values, and tracks that change.

use super::{goes, how, reach};
use crate::say;
use std::collections::HashSet;

use crate::check::body::{Body, From, SheetRef};
use crate::check::types;
use crate::check::{Result, Told};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::program::{self, Op, Role, Slot, Type};
use crate::source::Span;
use crate::syntax::tree::{Change, Expr, ExprKind, Name};

impl<'t> Body<'_, 't> {
    pub(super) fn set_sentence(&mut self, target: &'t Expr, change: Change, value: &'t Expr) -> Result<()> {
        let (sheet, name) = match &*target.kind {
            ExprKind::Name(name) => {
                if let Some(known) = self.locals.iter().rev().find(|l| l.name == name.text) {
                    let span = known.span;
                    if !self.scenario {
                        self.tell_ambiguous(name, span)?;
                    }
                    return Err(self.ck.tell(
                        Diagnostic::error(
                            Fault::NameDuplicate,
                            say!("`{name}` has its value already", name = name.text),
                        )
                        .label(name.span, "again here")
                        .label(span, "written here")
                        .help(say!("give the new value its own name: `new_{name}`", name = name.text)),
                    ));
                }
                let found = self.sheets_in_sight().into_iter().find(|s| {
                    let names = self.ck.sheet_names(s.sheet);
                    names.tracks.contains_key(&name.text) || names.values.contains_key(&name.text)
                });
                match found {
                    Some(sheet) => (sheet, name),
                    None if change == Change::To => {
                        self.tell_set_condition(name, value)?;
                        return self.new_value(name, value);
                    }
                    None => {
                        let known = self.names_in_sight();
                        return Err(self.ck.unknown(name, say!("track"), known.iter().map(String::as_str)));
                    }
                }
            }
            ExprKind::My(name) => match self.me {
                Some(sheet) => (SheetRef { from: From::Me, up: 0, sheet }, name),
                None => return Err(Told),
            },
            ExprKind::Field(of, name) => (self.sheet_of(of)?, name),
            _ => {
                return Err(self.ck.tell(
                    Diagnostic::error(Fault::TypeMismatch, "only a track can be changed")
                        .label(target.span, "not a track")
                        .help("write the track's name: `hp -= 3`"),
                ));
            }
        };
        let names = self.ck.sheet_names(sheet.sheet);
        let Some(slot) = names.tracks.get(&name.text).copied() else {
            if names.values.contains_key(&name.text) {
                return Err(self.ck.tell(
                    Diagnostic::error(
                        Fault::TypeMismatch,
                        say!("`{name}` is worked out, and cannot be set", name = name.text),
                    )
                    .label(name.span, "a value, not a track")
                    .help(say!("add to it as long as something holds: `until … {{ +1 to {name} }}`", name = name.text)),
                ));
            }
            let known: Vec<String> = names.tracks.keys().map(|k| k.to_string()).collect();
            let what = say!("track of `{sheet}`", sheet = self.ck.sheet(sheet.sheet).id);
            return Err(self.ck.unknown(name, what, known.iter().map(String::as_str)));
        };
        self.impure(name.span, say!("change a track"))?;
        self.push_sheet(sheet);
        self.value_for(sheet, slot, change, value)?;
        self.push(Op::Set { slot, change: how(change) });
        self.still_holds();
        Ok(())
    }

    /// `staggered = no`, `dead = yes`: a condition or a state, not a new value.
    fn tell_set_condition(&mut self, name: &Name, value: &Expr) -> Result<()> {
        let sheets = self.sheets_in_sight();
        let (is_state, write) = if sheets.iter().any(|s| self.ck.sheet_names(s.sheet).states.contains_key(&name.text)) {
            (true, format!("-> {}", name.text))
        } else if sheets.iter().any(|s| self.ck.condition_track(s.sheet, &name.text).is_some()) {
            let verb = if matches!(*value.kind, ExprKind::No) { "lose" } else { "suffer" };
            (false, format!("{verb} {}", name.text))
        } else {
            return Ok(());
        };
        Err(self.ck.tell(
            Diagnostic::error(
                Fault::TypeMismatch,
                match is_state {
                    true => say!("`{name}` is a state, and is not set", name = name.text),
                    false => say!("`{name}` is a condition, and is not set", name = name.text),
                },
            )
            .label(name.span, if is_state { "a state, not a track" } else { "a condition, not a track" })
            .help(say!("write `{write}`; a new value needs a name of its own", write))
            .edit(name.span.to(value.span), write),
        ))
    }

    /// The value for a track, checked against its bounds where both are known.
    pub fn value_for(&mut self, sheet: SheetRef, slot: u16, change: Change, value: &'t Expr) -> Result<()> {
        let track = &self.ck.sheet(sheet.sheet).slots[slot as usize];
        let (ty, stops, id, place) = (track.ty, track.stops, track.id.clone(), track.span);
        let found = self.expr(value, Some(ty))?;
        if let (Type::Number { low, high }, Type::Number { low: least, high: most }, false) = (found, ty, stops) {
            let width = most.saturating_sub(least);
            let (too_low, too_high) = match change {
                Change::To | Change::Raise | Change::Lower => (
                    low < least && low > i64::MIN && change != Change::Raise,
                    high > most && high < i64::MAX && change != Change::Lower,
                ),
                Change::Up => (high.saturating_neg() > width && high < 0, low > width),
                Change::Down => (low > width, high.saturating_neg() > width && high < 0),
            };
            if too_low && least > i64::MIN || too_high && most < i64::MAX {
                let can = reach(low, high);
                let goes = goes(least, most);
                let message = match change {
                    Change::Up => say!("`{id}` goes {goes}, and this adds {can}", id, goes, can),
                    Change::Down => say!("`{id}` goes {goes}, and this takes {can} off", id, goes, can),
                    _ => say!("`{id}` goes {goes}, and this can be {can}", id, goes, can),
                };
                self.ck.tell(
                    Diagnostic::error(Fault::TypeBounds, message)
                        .label(value.span, say!("can be {can}", can))
                        .label(place, say!("`{id}` has its bounds here", id))
                        .help(say!(
                            "widen the bounds of `{id}`, write `stops` behind them, or use `min` and `max`",
                            id
                        )),
                );
                return Err(Told);
            }
        }
        if types::takes_none(found)
            && !types::takes_none(ty)
            && matches!(ty, Type::Kind { .. } | Type::Row { .. } | Type::Sheet { .. })
            && change == Change::To
        {
            let written = self.text(value.span);
            return Err(self.ck.tell(
                Diagnostic::error(Fault::TypeMismatch, say!("`{written}` may be none, and `{id}` cannot", written, id))
                    .label(value.span, "may be none")
                    .label(place, "does not take none")
                    .help(say!("write `or none` behind the type of `{id}`", id)),
            ));
        }
        Ok(())
    }

    pub fn new_value(&mut self, name: &Name, value: &'t Expr) -> Result<()> {
        // A row read keeps its arguments, so that its cells can be asked for.
        if let ExprKind::Roll(inner) = &*value.kind
            && let Some((table_name, args)) = self.as_table(inner)
        {
            let table = self.ck.names.tables[&table_name.text];
            self.impure(value.span, say!("roll on a table"))?;
            let first = self.read_args(table, args, table_name.span)?;
            self.push_read(table, first, value.span)?;
            let slot = self.local(name, Some(Type::Row { table, or_none: false }));
            if let Some(local) = self.locals.last_mut() {
                local.reading = Some((table, first));
            }
            self.push(Op::Store(slot));
            self.keep_local(name, slot, Type::Row { table, or_none: false });
            return Ok(());
        }
        match self.expr(value, None) {
            Ok(ty) => {
                let slot = self.local(name, Some(ty));
                self.push(Op::Store(slot));
                self.keep_local(name, slot, ty);
                Ok(())
            }
            Err(told) => {
                self.local(name, None);
                // A block that reads it is not at fault.
                self.ck.damaged.insert(name.text.clone());
                Err(told)
            }
        }
    }

    /// A value that a block of this row reads is kept on the sheet the row makes.
    pub fn keep_local(&mut self, name: &Name, local: u16, ty: Type) {
        if !self.keep.contains(&name.text) {
            return;
        }
        let Some(slot) = self.keeping_slot(ty) else { return };
        self.push(Op::Me);
        self.push(Op::Load(local));
        self.push(Op::Set { slot, change: program::Change::To });
        self.kept.push(crate::check::body::Keeping { name: name.text.clone(), slot, ty });
        if let Some(local) = self.locals.iter_mut().rev().find(|l| l.name == name.text) {
            local.read = true;
        }
    }

    /// The next slot for a value kept from a row; rows share them.
    pub fn keeping_slot(&mut self, ty: Type) -> Option<u16> {
        let sheet = self.me?;
        let used: HashSet<u16> =
            self.kept.iter().map(|k| k.slot).chain(self.blocks.iter().filter_map(|b| b.1)).collect();
        let free = self
            .ck
            .sheet(sheet)
            .slots
            .iter()
            .position(|s| s.role == Role::Kept && s.id.starts_with("kept ") && s.ty == ty);
        let mut at = free;
        while let Some(slot) = at {
            if !used.contains(&(slot as u16)) {
                return Some(slot as u16);
            }
            at = self.ck.sheet(sheet).slots[slot + 1..]
                .iter()
                .position(|s| s.role == Role::Kept && s.id.starts_with("kept ") && s.ty == ty)
                .map(|i| i + slot + 1);
        }
        let number = self.ck.sheet(sheet).slots.len();
        Some(self.ck.add_slot(
            sheet,
            Slot {
                id: format!("kept {number}").into(),
                title: "".into(),
                ty,
                role: Role::Kept,
                default: None,
                low: None,
                high: None,
                stops: false,
                anew: None,
                hold: None,
                span: Span::default(),
            },
        ))
    }
}
