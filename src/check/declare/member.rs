//! What a sheet has: tracks, values, checks and states.

use super::title;
use crate::say;
use std::collections::HashMap;

use smol_str::SmolStr;

use crate::check::merge::Merged;
use crate::check::names::duplicate;
use crate::check::{Checker, types};
use crate::diagnostics::{Code, Diagnostic};
use crate::program::*;
use crate::source::Span;
use crate::syntax::tree::{self, Name, Part, PartKind};

impl<'t> Checker<'t> {
    /// Tracks, values, checks and states of every sheet; a variant begins with its base's.
    pub(super) fn declare_members(&mut self, merged: &Merged<'t>) {
        for index in self.bases_first() {
            if let Some(base) = self.program.sheets[index].base {
                let parent = self.sheet(base).clone();
                let names = self.sheet_names(base).clone();
                let own = &mut self.program.sheets[index];
                own.slots = parent.slots;
                own.slots[0].ty = Type::State(SheetId(index as u32));
                own.values = parent.values;
                own.checks = parent.checks;
                own.states = parent.states;
                own.lists = parent.lists;
                self.sheet_names[index] = names;
            }
            let id = SheetId(index as u32);
            self.declare_parts(id, &mut merged.sheets[index].parts.iter().copied(), false);
            self.reserve_progress(id, &mut merged.sheets[index].parts.iter().copied());
        }
    }

    /// Sheets in an order in which a base stands before its variants.
    pub fn bases_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.program.sheets.len()).collect();
        order.sort_by_key(|index| {
            let mut depth = 0;
            let mut at = self.program.sheets[*index].base;
            while let Some(base) = at {
                depth += 1;
                at = self.sheet(base).base;
            }
            depth
        });
        order
    }

    pub(super) fn declare_parts(&mut self, id: SheetId, parts: &mut dyn Iterator<Item = &'t Part>, in_block: bool) {
        for part in parts {
            match &part.kind {
                PartKind::Track(track) => self.declare_track(id, track),
                PartKind::Value { name, title: heading, params, ty, formula } => {
                    let ty = match ty {
                        Some(ty) => types::resolve(self, ty).unwrap_or(types::ANY_NUMBER),
                        None => types::guess(formula),
                    };
                    let value = Value {
                        id: name.text.clone(),
                        title: title(heading, &name.text),
                        params: self.params(params),
                        ty,
                        formula: CodeId(0),
                    };
                    // A variant's value takes the place of its base's.
                    if let Some(slot) = self.sheet_names(id).values.get(&name.text).copied() {
                        self.program.sheets[id.index()].values[slot as usize] = value;
                        continue;
                    }
                    if self.claim_member(id, name) {
                        let slot = self.sheet(id).values.len() as u16;
                        self.program.sheets[id.index()].values.push(value);
                        self.sheet_names[id.index()].values.insert(name.text.clone(), slot);
                    }
                }
                PartKind::Check { name, params, title: heading, .. } => {
                    let check = Check {
                        id: name.text.clone(),
                        title: title(heading, &name.text),
                        params: self.params(params),
                        formula: CodeId(0),
                        passes: CodeId(0),
                    };
                    if let Some(slot) = self.sheet_names(id).checks.get(&name.text).copied() {
                        self.program.sheets[id.index()].checks[slot as usize] = check;
                        continue;
                    }
                    if self.claim_member(id, name) {
                        let slot = self.sheet(id).checks.len() as u16;
                        self.program.sheets[id.index()].checks.push(check);
                        self.sheet_names[id.index()].checks.insert(name.text.clone(), slot);
                    }
                }
                PartKind::States(steps) => self.declare_states(id, steps),
                PartKind::StateBy { rows, .. } => {
                    for row in rows {
                        self.declare_state(id, &row.state);
                    }
                    for row in rows {
                        self.declare_parts(id, &mut row.parts.iter(), true);
                    }
                }
                PartKind::Block(block) => self.declare_parts(id, &mut block.parts.iter(), true),
                PartKind::Remove(name) if !in_block => {
                    // In an extension it has done its work; in a variant it takes a handler away.
                    let _ = name;
                }
                _ => {}
            }
        }
    }

    pub(super) fn claim_member(&mut self, id: SheetId, name: &Name) -> bool {
        match self.sheet_names(id).places.get(&name.text).copied() {
            Some(first) => {
                if first != name.span {
                    let diagnostic = duplicate(name, first);
                    self.tell(diagnostic);
                }
                false
            }
            None => {
                self.sheet_names[id.index()].places.insert(name.text.clone(), name.span);
                true
            }
        }
    }

    pub(super) fn declare_track(&mut self, id: SheetId, track: &'t tree::Track) {
        if let tree::TypeKind::List { sheet, most } = &track.ty.kind {
            let most = match most {
                Some(most) => types::constant(self, most).unwrap_or(1).clamp(0, 1_000_000) as u32,
                None => {
                    self.tell(
                        Diagnostic::error(Code::TypeBounds, "a list needs to say how long it can get")
                            .label(track.ty.span, "no bound")
                            .help(say!("write `list of {sheet} up to 20`", sheet = sheet.text))
                            .edit(track.ty.span.after(), " up to 20"),
                    );
                    20
                }
            };
            let Some(of) = self.names.sheets.get(&sheet.text).copied() else {
                let known: Vec<SmolStr> = self.names.sheets.keys().cloned().collect();
                self.unknown(sheet, say!("sheet"), known.iter().map(SmolStr::as_str));
                return;
            };
            if !self.claim_member(id, &track.name) {
                return;
            }
            let index = self.sheet(id).lists.len();
            self.makes.insert(of, most);
            self.program.sheets[id.index()].lists.push(List {
                id: track.name.text.clone(),
                title: title(&track.title, &track.name.text),
                sheet: of,
                most,
            });
            self.sheet_names[id.index()].lists.insert(track.name.text.clone(), index);
            return;
        }
        let Ok(ty) = types::resolve(self, &track.ty) else { return };
        if !self.claim_member(id, &track.name) {
            return;
        }
        let slot = self.add_slot(
            id,
            Slot {
                id: track.name.text.clone(),
                title: title(&track.title, &track.name.text),
                ty,
                role: Role::Track,
                default: None,
                low: None,
                high: None,
                stops: track.stops,
                anew: None,
                hold: None,
                span: track.name.span,
            },
        );
        self.sheet_names[id.index()].tracks.insert(track.name.text.clone(), slot);
    }

    pub fn add_slot(&mut self, id: SheetId, slot: Slot) -> u16 {
        let sheet = &mut self.program.sheets[id.index()];
        sheet.slots.push(slot);
        (sheet.slots.len() - 1) as u16
    }

    pub(super) fn declare_states(&mut self, id: SheetId, steps: &'t [tree::StateStep]) {
        let steps: Vec<Vec<u32>> =
            steps.iter().map(|step| step.states.iter().map(|s| self.declare_state(id, s)).collect()).collect();
        for pair in steps.windows(2) {
            for from in &pair[0] {
                for to in &pair[1] {
                    self.program.sheets[id.index()].states[*from as usize].next |= 1 << to;
                }
            }
        }
    }

    pub(super) fn declare_state(&mut self, id: SheetId, state: &'t tree::StateName) -> u32 {
        let known = self.sheet_names(id).states.get(&state.name.text).copied();
        let index = match known {
            Some(index) => index,
            None => {
                let index = self.sheet(id).states.len() as u32;
                if index as usize >= SET_MEMBERS {
                    if self.overfull.insert(id) {
                        self.tell(
                            Diagnostic::error(
                                Code::FileLimit,
                                say!(
                                    "a sheet has at most {set_members} states, and this is one more",
                                    set_members = SET_MEMBERS
                                ),
                            )
                            .label(state.name.span, say!("state {value}", value = index + 1))
                            .help("count in a track what only differs in number: `level: 0..99 = 0`"),
                        );
                    }
                    self.damaged.insert(state.name.text.clone());
                    return 0;
                }
                self.claim_member(id, &state.name);
                self.sheet_names[id.index()].states.insert(state.name.text.clone(), index);
                self.program.sheets[id.index()].states.push(State {
                    id: state.name.text.clone(),
                    title: state.name.text.as_str().into(),
                    is_final: false,
                    next: 0,
                });
                index
            }
        };
        let entry = &mut self.program.sheets[id.index()].states[index as usize];
        if let Some(heading) = &state.title {
            entry.title = heading.value.as_str().into();
        }
        entry.is_final |= state.is_final;
        index
    }

    /// Tells of arguments that bear the same name.
    pub(super) fn tell_twice(&mut self, params: &[tree::Param]) {
        let mut places: HashMap<&SmolStr, Span> = HashMap::new();
        for param in params {
            if let Some(first) = places.insert(&param.name.text, param.name.span) {
                let diagnostic = duplicate(&param.name, first);
                self.tell(diagnostic);
            }
        }
    }

    /// Parameters with bounds that are numbers; their defaults are read with the code.
    pub fn params(&mut self, params: &'t [tree::Param]) -> Vec<Param> {
        self.tell_twice(params);
        let mut list = Vec::with_capacity(params.len());
        for param in params {
            let ty = match &param.ty {
                Some(ty) => types::resolve(self, ty).ok(),
                None => {
                    self.tell(
                        Diagnostic::error(
                            Code::TypeMismatch,
                            say!("`{name}` does not say what it can be", name = param.name.text),
                        )
                        .label(param.name.span, "no type")
                        .help(say!(
                            "write `{name}: 0..20`, or a kind, `dice`, `yes/no` or a sheet",
                            name = param.name.text
                        ))
                        .edit(param.name.span.after(), ": 0..20"),
                    );
                    None
                }
            };
            if ty.is_none() {
                self.untyped.insert(param.name.span);
            }
            list.push(Param {
                id: param.name.text.clone(),
                title: title(&param.title, &param.name.text),
                ty: ty.unwrap_or(types::ANY_NUMBER),
                default: None,
                choices: None,
            });
        }
        list
    }
}
