//! What a name means: a value, something of a sheet in sight, a member of a closed list.

use crate::check::body::{Body, SheetRef};
use crate::check::names::Member as Meaning;
use crate::check::{Result, Told};
use crate::diagnostics::{Code as Fault, Diagnostic, nearest};
use crate::dice::Compare;
use crate::program::{Op, SheetId, Type};
use crate::say;
use crate::source::Span;
use crate::syntax::tree::Name;
use crate::wording::Wording;

impl<'t> Body<'_, 't> {
    pub(super) fn name(&mut self, name: &Name, want: Option<Type>) -> Result<Type> {
        if let Some(local) = self.find_local(&name.text) {
            if !self.scenario && !local.is_kept(self) {
                self.tell_ambiguous(name, local.span)?;
            }
            self.push(Op::Load(local.slot));
            return local.ty.ok_or(Told);
        }
        if let Some(kept) = self.kept.iter().find(|k| k.name == name.text).cloned() {
            self.push(Op::Me);
            self.push(Op::Slot(kept.slot));
            return Ok(kept.ty);
        }
        let wants_member = self.member_of(&name.text, want).is_some();
        let sheets = self.sheets_in_sight();
        let found: Vec<SheetRef> = sheets.iter().copied().filter(|s| self.has_member(*s, &name.text, want)).collect();
        // What belongs to the sheet itself comes before what a set on it may hold.
        if let Some(first) = found.first() {
            if found.len() > 1 && self.is_written(found[0], name) && self.is_written(found[1], name) {
                let near = self.ck.sheet(found[0].sheet).id.clone();
                let far = self.ck.sheet(found[1].sheet).id.clone();
                return Err(self.ck.tell(
                    Diagnostic::error(Fault::NameAmbiguous, say!("`{name}` has two meanings here", name = name.text))
                        .label(name.span, say!("of `{near}` or of `{far}`", near, far))
                        .label(self.declared_at(found[0], name), say!("of `{near}`", near))
                        .label(self.declared_at(found[1], name), say!("of `{far}`", far))
                        .help(say!("give one of them another name, such as `{near}_{name}`", near, name = name.text)),
                ));
            }
            if (!wants_member || self.is_written(*first, name))
                && let Some(result) = self.member_of_sheet(*first, name, want)
            {
                return result;
            }
        }
        if let Some(option) = self.ck.names.options.get(&name.text).copied() {
            self.push(Op::Option(option));
            return Ok(Type::Option(option));
        }
        if self.ck.names.members.contains_key(&name.text) {
            return self.member(&name.text, name.span, want);
        }
        if self.ck.names.sheets.contains_key(&name.text) {
            let sheet = self.ck.names.sheets[&name.text];
            self.push(Op::Everyone(sheet));
            return Ok(Type::Sheets(sheet));
        }
        self.unknown_name(name, want)
    }

    pub(super) fn unknown_name<T>(&mut self, name: &Name, want: Option<Type>) -> Result<T> {
        if self.astray {
            return Err(Told);
        }
        let mut known = self.names_in_sight();
        match want {
            Some(Type::Kind { kind, .. } | Type::SetOfKind(kind)) => {
                known = self.ck.program.kinds[kind.index()].members.iter().map(|m| m.id.to_string()).collect();
            }
            Some(Type::Row { table, .. } | Type::SetOfRows(table)) => {
                known = self.ck.program.tables[table.index()].rows.iter().map(|r| r.id.to_string()).collect();
            }
            _ => known.extend(self.ck.names.members.keys().map(|k| k.to_string())),
        }
        let what = match want {
            Some(Type::Kind { kind, .. } | Type::SetOfKind(kind)) => {
                Wording::text(format!("`{}`", self.ck.program.kinds[kind.index()].id))
            }
            Some(Type::Row { table, .. } | Type::SetOfRows(table)) => {
                say!("row of `{table}`", table = self.ck.program.tables[table.index()].id)
            }
            _ if self.scenario => say!("track, value or sheet given"),
            _ => say!("track, value or name"),
        };
        // What it was meant to be counts as read.
        if let Some(near) = nearest(&name.text, known.iter().map(String::as_str)) {
            self.find_local(near);
        }
        Err(self.ck.unknown(name, what, known.iter().map(String::as_str)))
    }

    /// A value and a track of the same name, both in sight.
    pub fn tell_ambiguous(&mut self, name: &Name, local: Span) -> Result<()> {
        let Some(sheet) = self.sheets_in_sight().into_iter().find(|s| self.is_written(*s, name)) else { return Ok(()) };
        let names = self.ck.sheet_names(sheet.sheet);
        if names.states.contains_key(&name.text) {
            return Ok(());
        }
        let of = self.ck.sheet(sheet.sheet).id.clone();
        let mut diagnostic =
            Diagnostic::error(Fault::NameAmbiguous, say!("`{name}` has two meanings here", name = name.text))
                .label(name.span, "which of the two");
        if let Some(place) = self.ck.sheet_names(sheet.sheet).places.get(&name.text) {
            diagnostic = diagnostic.label(*place, say!("of `{of}`", of));
        }
        diagnostic = diagnostic
            .label(local, "and of these rules")
            .help(say!("give the second another name, such as `new_{name}`", name = name.text));
        Err(self.ck.tell(diagnostic))
    }

    pub(super) fn declared_at(&self, sheet: SheetRef, name: &Name) -> Span {
        self.ck.sheet_names(sheet.sheet).places.get(&name.text).copied().unwrap_or(name.span)
    }

    /// Whether the sheet's own text declares the name: a track, value, list or state.
    pub(super) fn is_written(&self, sheet: SheetRef, name: &Name) -> bool {
        let names = self.ck.sheet_names(sheet.sheet);
        names.tracks.contains_key(&name.text)
            || names.values.contains_key(&name.text)
            || names.lists.contains_key(&name.text)
            || names.states.contains_key(&name.text)
    }

    pub(super) fn has_member(&self, sheet: SheetRef, name: &str, want: Option<Type>) -> bool {
        let names = self.ck.sheet_names(sheet.sheet);
        names.tracks.contains_key(name)
            || names.values.contains_key(name)
            || names.lists.contains_key(name)
            || names.states.contains_key(name)
            || name == "state" && !self.ck.sheet(sheet.sheet).states.is_empty()
            || name == "row" && !names.makers.is_empty()
            || matches!(want, None | Some(Type::YesNo)) && self.condition_of(sheet.sheet, name).is_some()
    }

    /// The set track of a sheet whose kind has this member.
    pub fn condition_of(&self, sheet: SheetId, name: &str) -> Option<(u16, u32)> {
        let meanings = self.ck.names.members.get(name)?;
        self.ck.sheet(sheet).slots.iter().enumerate().find_map(|(slot, entry)| {
            let Type::SetOfKind(kind) = entry.ty else { return None };
            meanings.iter().find_map(|meaning| match meaning {
                Meaning::Kind(k, index) if *k == kind => Some((slot as u16, *index)),
                _ => None,
            })
        })
    }

    /// Code for something of a sheet; `None` where the sheet has nothing of that name.
    pub(super) fn member_of_sheet(&mut self, sheet: SheetRef, name: &Name, want: Option<Type>) -> Option<Result<Type>> {
        let names = self.ck.sheet_names(sheet.sheet);
        if let Some(slot) = names.tracks.get(&name.text).copied() {
            let ty = self.ck.sheet(sheet.sheet).slots[slot as usize].ty;
            self.push_sheet(sheet);
            self.push(if matches!(ty, Type::SetOfKind(_)) { Op::Conditions(slot) } else { Op::Slot(slot) });
            return Some(Ok(ty));
        }
        if names.values.contains_key(&name.text) {
            return Some(self.value_of(sheet, name, &[]));
        }
        if let Some(list) = names.lists.get(&name.text).copied() {
            let of = self.ck.sheet(sheet.sheet).lists[list].sheet;
            self.push_sheet(sheet);
            self.push(Op::Owned(of));
            return Some(Ok(Type::Sheets(of)));
        }
        if let Some(state) = names.states.get(&name.text).copied() {
            if matches!(want, Some(Type::State(_))) {
                self.push(Op::Push(i64::from(state)));
                return Some(Ok(Type::State(sheet.sheet)));
            }
            self.push_sheet(sheet);
            self.push(Op::State);
            self.push(Op::Push(i64::from(state)));
            self.push(Op::Compare(Compare::Equal));
            self.asked = Some((self.ops.len(), Type::State(sheet.sheet)));
            return Some(Ok(Type::YesNo));
        }
        if name.text == "state" && !self.ck.sheet(sheet.sheet).states.is_empty() {
            self.push_sheet(sheet);
            self.push(Op::State);
            return Some(Ok(Type::State(sheet.sheet)));
        }
        if name.text == "row" && !names.makers.is_empty() {
            let makers = names.makers.clone();
            self.push_sheet(sheet);
            return Some(Ok(match makers[..] {
                [table] => {
                    self.push(Op::RowOf);
                    Type::Row { table, or_none: true }
                }
                _ => {
                    self.push(Op::MadeBy);
                    Type::Made(sheet.sheet)
                }
            }));
        }
        if let Some((slot, member)) = self.condition_of(sheet.sheet, &name.text) {
            self.push(Op::Push(i64::from(member)));
            self.push_sheet(sheet);
            self.push(Op::Conditions(slot));
            self.push(Op::Within);
            self.asked = Some((self.ops.len(), self.ck.sheet(sheet.sheet).slots[usize::from(slot)].ty));
            return Some(Ok(Type::YesNo));
        }
        None
    }

    /// The meaning of a name as a member of what is wanted.
    pub(super) fn member_of(&self, name: &str, want: Option<Type>) -> Option<Meaning> {
        let meanings = self.ck.names.members.get(name)?;
        meanings.iter().copied().find(|meaning| match (meaning, want) {
            (Meaning::Kind(a, _), Some(Type::Kind { kind: b, .. } | Type::SetOfKind(b))) => *a == b,
            (Meaning::Row(a, _), Some(Type::Row { table: b, .. } | Type::SetOfRows(b))) => *a == b,
            (Meaning::Row(a, _), Some(Type::Made(sheet))) => self.ck.sheet_names(sheet).makers.contains(a),
            (Meaning::Option(a, _), Some(Type::Option(b))) => *a == b,
            _ => false,
        })
    }

    /// A member of a closed list: of what is wanted, or of the only list that has it.
    pub(super) fn member(&mut self, name: &str, span: Span, want: Option<Type>) -> Result<Type> {
        let meanings = self.ck.names.members.get(name).cloned().unwrap_or_default();
        let meaning = match self.member_of(name, want) {
            Some(meaning) => meaning,
            None if want.is_some_and(|w| {
                matches!(
                    w,
                    Type::Kind { .. } | Type::SetOfKind(_) | Type::Row { .. } | Type::SetOfRows(_) | Type::Option(_)
                )
            }) =>
            {
                let name = Name { text: name.into(), span };
                return self.unknown_name(&name, want);
            }
            None if meanings.len() == 1 => meanings[0],
            None => {
                let lists: Vec<String> = meanings.iter().map(|m| self.meaning_name(*m)).collect();
                return Err(self.ck.tell(
                    Diagnostic::error(
                        Fault::NameAmbiguous,
                        say!("`{name}` has {count} meanings here", name, count = lists.len()),
                    )
                    .label(span, say!("of {lists}", lists = Wording::list(lists, " or ")))
                    .help("give one of them another name"),
                ));
            }
        };
        Ok(match meaning {
            Meaning::Kind(kind, index) => {
                self.push(Op::Push(i64::from(index)));
                Type::Kind { kind, or_none: false }
            }
            Meaning::Row(table, index) => {
                if let Some(made @ Type::Made(_)) = want {
                    self.push(Op::Push(i64::from(table.0) << 32 | i64::from(index)));
                    return Ok(made);
                }
                self.push(Op::Push(i64::from(index)));
                Type::Row { table, or_none: false }
            }
            Meaning::Option(option, index) => {
                self.push(Op::Push(i64::from(index)));
                Type::Option(option)
            }
        })
    }

    pub(super) fn meaning_name(&self, meaning: Meaning) -> String {
        match meaning {
            Meaning::Kind(kind, _) => format!("`{}`", self.ck.program.kinds[kind.index()].id),
            Meaning::Row(table, _) => format!("`{}`", self.ck.program.tables[table.index()].id),
            Meaning::Option(option, _) => format!("`{}`", self.ck.program.options[option.index()].id),
        }
    }
}
