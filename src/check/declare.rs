//! Every name of the rules gets its id before any code is read, so that order does not matter.

use std::collections::HashMap;

use smol_str::SmolStr;

use super::merge::{Merged, SheetParts, TableParts, once};
use super::names::{Member as Meaning, SheetNames, duplicate};
use super::{Checker, types};
use crate::diagnostics::{Code, Diagnostic};
use crate::program::*;
use crate::source::Span;
use crate::syntax::tree::{self, ItemKind, Name, Part, PartKind};

/// Events the language itself sends.
pub(crate) const MADE: &str = "made";
pub(crate) const CHECK: &str = "check";
/// A block's beginning and end: not events, though written like them.
pub(crate) const ENTER: &str = "enter";
pub(crate) const LEAVE: &str = "leave";

pub(crate) fn title(title: &Option<tree::Text>, id: &SmolStr) -> std::sync::Arc<str> {
    title.as_ref().map_or(id.as_str(), |t| t.value.as_str()).into()
}

impl<'t> Checker<'t> {
    pub fn declare(&mut self, merged: &Merged<'t>) {
        self.declare_items(merged);
        for table in &merged.tables {
            self.declare_table(table);
        }
        for sheet in &merged.sheets {
            self.declare_sheet(sheet.tree);
        }
        for scenario in &merged.scenarios {
            if self.claim(&scenario.name) {
                let id = ScenarioId(self.program.scenarios.len() as u32);
                self.names.scenarios.insert(scenario.name.text.clone(), id);
            }
            // A duplicate has been told; it keeps its place so that ids and trees stay in step.
            self.program.scenarios.push(Scenario {
                id: scenario.name.text.clone(),
                title: title(&scenario.title, &scenario.name.text),
                params: Vec::new(),
                code: CodeId(0),
                cases: Vec::new(),
                dice: None,
                expectations: Vec::new(),
                span: scenario.head,
            });
        }
        self.link_sheets(&merged.sheets);
        self.declare_events(merged);
        self.declare_members(merged);
        self.declare_makers(merged);
    }

    /// Takes a name of the shared namespace; tells where it is taken already.
    fn claim(&mut self, name: &Name) -> bool {
        match self.names.places.get(&name.text) {
            Some(first) => {
                let diagnostic = duplicate(name, *first);
                self.tell(diagnostic);
                false
            }
            None => {
                self.names.places.insert(name.text.clone(), name.span);
                true
            }
        }
    }

    fn declare_items(&mut self, merged: &Merged<'t>) {
        let mut clock: Option<Span> = None;
        for item in &merged.items {
            match &item.kind {
                // Of several files the one asked for, which comes last, names the system.
                ItemKind::System { name, title: heading, lang } => {
                    self.program.system = System {
                        id: name.text.clone(),
                        title: title(heading, &name.text),
                        lang: lang.as_ref().map_or_else(|| SmolStr::new("es"), |l| l.text.clone()),
                    };
                }
                ItemKind::Option { name, title: heading, members, default } => {
                    let id = OptionId(self.program.options.len() as u32);
                    if let Some(first) = self.names.options.get(&name.text).map(|_| name.span) {
                        let diagnostic = duplicate(name, first);
                        self.tell(diagnostic);
                        continue;
                    }
                    self.names.options.insert(name.text.clone(), id);
                    let list = self.members(members, |i| Meaning::Option(id, i));
                    let chosen = match default {
                        None => 0,
                        Some(default) => match list.iter().position(|m| m.id == default.text) {
                            Some(index) => index as u32,
                            None => {
                                let known: Vec<SmolStr> = list.iter().map(|m| m.id.clone()).collect();
                                self.unknown(default, "choice", known.iter().map(SmolStr::as_str));
                                0
                            }
                        },
                    };
                    self.program.options.push(Choice {
                        id: name.text.clone(),
                        title: title(heading, &name.text),
                        members: list,
                        default: chosen,
                    });
                }
                ItemKind::Kind { extend: true, .. } => {}
                ItemKind::Kind { name, title: heading, members, .. } => {
                    if !self.claim(name) {
                        continue;
                    }
                    let id = KindId(self.program.kinds.len() as u32);
                    self.names.kinds.insert(name.text.clone(), id);
                    let list = self.members(members, |i| Meaning::Kind(id, i));
                    self.program.kinds.push(Kind {
                        id: name.text.clone(),
                        title: title(heading, &name.text),
                        members: list,
                    });
                }
                ItemKind::Clock(units) => {
                    if let Some(first) = clock {
                        self.tell(once("the clock", first, item.span));
                        continue;
                    }
                    clock = Some(item.span);
                    for (rank, unit) in units.iter().enumerate() {
                        let text = title(&unit.title, &unit.name.text);
                        self.event(&unit.name.text, text.clone(), unit.name.span, Some(rank as u32));
                        let end: SmolStr = format!("{}_end", unit.name.text).into();
                        self.event(&end, format!("{text}: fin").into(), unit.name.span, Some(rank as u32));
                    }
                }
                _ => {}
            }
        }
        for item in &merged.items {
            if let ItemKind::Kind { extend: true, name, members, .. } = &item.kind {
                self.extend_kind(name, members);
            }
        }
        for item in &merged.items {
            if let ItemKind::Time { name, event, after, .. } = &item.kind {
                let known: Vec<SmolStr> = self.names.events.keys().cloned().collect();
                let mut awaited = Vec::new();
                for part in [after, event] {
                    match self.names.events.get(&part.text) {
                        Some(id) => awaited.push(*id),
                        None => {
                            self.unknown(part, "event of the clock", known.iter().map(SmolStr::as_str));
                        }
                    }
                }
                self.names.times.insert(name.text.clone(), awaited);
            }
        }
    }

    /// `extend kind condition = …`: its members come after those the kind has.
    fn extend_kind(&mut self, name: &Name, members: &[tree::Member]) {
        let Some(id) = self.names.kinds.get(&name.text).copied() else {
            let known: Vec<SmolStr> = self.names.kinds.keys().cloned().collect();
            self.unknown(name, "kind to extend", known.iter().map(SmolStr::as_str));
            return;
        };
        for member in members {
            let known = &self.program.kinds[id.index()].members;
            if known.iter().any(|m| m.id == member.name.text) {
                self.tell(
                    Diagnostic::error(
                        Code::NameDuplicate,
                        format!("`{}` has `{}` already", name.text, member.name.text),
                    )
                    .label(member.name.span, "again here")
                    .help("take it out, or give it another name"),
                );
                continue;
            }
            let meaning = Meaning::Kind(id, known.len() as u32);
            self.names.members.entry(member.name.text.clone()).or_default().push(meaning);
            let text = title(&member.title, &member.name.text);
            self.program.kinds[id.index()].members.push(Member { id: member.name.text.clone(), title: text });
        }
    }

    fn members(&mut self, members: &[tree::Member], meaning: impl Fn(u32) -> Meaning) -> Vec<Member> {
        let mut list: Vec<Member> = Vec::with_capacity(members.len());
        let mut places: HashMap<&SmolStr, Span> = HashMap::new();
        for member in members {
            if let Some(first) = places.get(&member.name.text) {
                let diagnostic = duplicate(&member.name, *first);
                self.tell(diagnostic);
                continue;
            }
            places.insert(&member.name.text, member.name.span);
            let entry = self.names.members.entry(member.name.text.clone()).or_default();
            entry.push(meaning(list.len() as u32));
            list.push(Member { id: member.name.text.clone(), title: title(&member.title, &member.name.text) });
        }
        list
    }

    /// An event by its name; a new one where there is none yet.
    pub fn event(&mut self, id: &SmolStr, title: std::sync::Arc<str>, span: Span, clock: Option<u32>) -> EventId {
        if let Some(known) = self.names.events.get(id) {
            let event = &mut self.program.events[known.index()];
            if *event.title == *event.id && *title != **id {
                event.title = title;
            }
            return *known;
        }
        let event = EventId(self.program.events.len() as u32);
        self.names.events.insert(id.clone(), event);
        self.program.events.push(Event { id: id.clone(), title, params: Vec::new(), clock, spreading: false, span });
        event
    }

    fn declare_table(&mut self, parts: &TableParts<'t>) {
        let table = parts.tree;
        let id = TableId(self.program.tables.len() as u32);
        if self.claim(&table.name) {
            self.names.tables.insert(table.name.text.clone(), id);
        }
        let mut rows = Vec::with_capacity(parts.rows.len());
        let mut places: HashMap<&SmolStr, Span> = HashMap::with_capacity(parts.rows.len());
        let numbered = !matches!(table.key, Some(tree::TableKey::Kind(_)));
        for (index, row) in parts.rows.iter().enumerate() {
            let name = row.id.as_ref().or(match &row.key.kind {
                tree::KeyKind::Name(name) => Some(name),
                _ => None,
            });
            let row_id = match name {
                Some(name) => {
                    if let Some(first) = places.get(&name.text) {
                        let diagnostic = duplicate(name, *first);
                        self.tell(diagnostic);
                    } else {
                        places.insert(&name.text, name.span);
                        if numbered {
                            self.names
                                .members
                                .entry(name.text.clone())
                                .or_default()
                                .push(Meaning::Row(id, index as u32));
                        }
                    }
                    name.text.clone()
                }
                // A row without an id is known by its place.
                None => format!("row_{}", index + 1).into(),
            };
            rows.push(Row {
                id: row_id,
                range: SmolStr::default(),
                title: None,
                prose: None,
                cells: Vec::new(),
                instead: None,
                body: None,
                shown: Vec::new(),
                clauses: Clauses::default(),
                span: row.span,
            });
        }
        self.program.tables.push(Table {
            id: table.name.text.clone(),
            title: title(&table.title, &table.name.text),
            params: Vec::new(),
            key: TableKey::Number,
            subject: None,
            makes: None,
            cumulative: table.cumulative,
            columns: Vec::new(),
            rows,
            answers: Vec::new(),
            otherwise: None,
            span: table.head,
        });
    }

    fn declare_sheet(&mut self, sheet: &'t tree::Sheet) {
        let id = SheetId(self.program.sheets.len() as u32);
        if self.claim(&sheet.name) {
            self.names.sheets.insert(sheet.name.text.clone(), id);
        }
        self.program.sheets.push(Sheet {
            id: sheet.name.text.clone(),
            title: title(&sheet.title, &sheet.name.text),
            owner: None,
            base: None,
            slots: vec![Slot {
                id: "state".into(),
                title: "state".into(),
                ty: Type::State(id),
                role: Role::State,
                default: None,
                low: None,
                high: None,
                stops: false,
                anew: None,
                hold: None,
                span: sheet.name.span,
            }],
            values: Vec::new(),
            checks: Vec::new(),
            states: Vec::new(),
            state_by: None,
            lists: Vec::new(),
            clauses: Clauses::default(),
            span: sheet.head,
        });
        self.sheet_names.push(SheetNames::default());
    }

    /// `of` and `like`.
    fn link_sheets(&mut self, sheets: &[SheetParts<'t>]) {
        let known: Vec<SmolStr> = self.names.sheets.keys().cloned().collect();
        for (index, parts) in sheets.iter().enumerate() {
            for (name, is_owner) in [(&parts.tree.owner, true), (&parts.tree.like, false)] {
                let Some(name) = name else { continue };
                match self.names.sheets.get(&name.text).copied() {
                    Some(id) if is_owner => self.program.sheets[index].owner = Some(id),
                    Some(id) => self.program.sheets[index].base = Some(id),
                    None => {
                        self.unknown(name, "sheet", known.iter().map(SmolStr::as_str));
                    }
                }
            }
        }
        for parts in sheets {
            for part in &parts.parts {
                if let PartKind::Track(tree::Track {
                    name,
                    ty: tree::Type { kind: tree::TypeKind::List { sheet, .. }, .. },
                    ..
                }) = &part.kind
                    && let Some(id) = self.names.sheets.get(&sheet.text).copied()
                {
                    self.list_types.insert(name.text.clone(), id);
                }
            }
        }
        for index in 0..sheets.len() {
            let id = SheetId(index as u32);
            let link: [fn(&Sheet) -> Option<SheetId>; 2] = [|s| s.base, |s| s.owner];
            for (which, next) in link.into_iter().enumerate() {
                let mut at = next(self.sheet(id));
                let mut steps = 0;
                while let Some(up) = at {
                    steps += 1;
                    if up == id || steps > sheets.len() {
                        let word = if which == 0 { "is like" } else { "belongs to" };
                        let name = &sheets[index].tree.name;
                        self.tell(
                            Diagnostic::error(Code::EventCircle, format!("the sheet `{}` {word} itself", name.text))
                                .label(name.span, "in a circle")
                                .help(if which == 0 {
                                    "take `like …` out of one of them"
                                } else {
                                    "take `of …` out of one of them"
                                }),
                        );
                        if which == 0 {
                            self.program.sheets[index].base = None;
                        } else {
                            self.program.sheets[index].owner = None;
                        }
                        break;
                    }
                    at = next(self.sheet(up));
                }
            }
        }
        for index in 0..sheets.len() {
            // A variant belongs where its base does, unless it says otherwise.
            let mut at = SheetId(index as u32);
            while self.program.sheets[index].owner.is_none() {
                let Some(base) = self.sheet(at).base else { break };
                self.program.sheets[index].owner = self.sheet(base).owner;
                at = base;
            }
        }
    }

    /// Every event that a sheet declares or answers, with the types of its parameters.
    fn declare_events(&mut self, merged: &Merged<'t>) {
        let made = self.event(&MADE.into(), "made".into(), Span::default(), None);
        self.used_events.insert(made);
        let check = self.event(&CHECK.into(), "check".into(), Span::default(), None);
        self.program.check_event = Some(check);
        self.used_events.insert(check);
        for (index, parts) in merged.sheets.iter().enumerate() {
            self.declare_events_of(SheetId(index as u32), &mut parts.parts.iter().copied());
        }
        // Bodies of rows answer events too, in their blocks.
        for table in &merged.tables {
            let Some(made) = table.tree.makes.as_ref().and_then(|m| self.names.sheets.get(&m.text)).copied() else {
                continue;
            };
            for row in &table.rows {
                if let Some(body) = &row.body {
                    each_block(body, &mut |block| self.declare_events_of(made, &mut block.parts.iter()));
                }
            }
        }
    }

    fn declare_events_of(&mut self, sheet: SheetId, parts: &mut dyn Iterator<Item = &'t Part>) {
        for part in parts {
            match &part.kind {
                PartKind::Event { name, params, title: heading, spreading } => {
                    let event = self.event(&name.text, title(heading, &name.text), name.span, None);
                    self.program.events[event.index()].spreading |= spreading;
                    self.signature(sheet, event, &name.text, params, name.span);
                }
                PartKind::Handler(handler) => {
                    let name = &handler.event;
                    if matches!(name.text.as_str(), ENTER | LEAVE) {
                        continue;
                    }
                    let event = self.event(&name.text, title(&handler.title, &name.text), name.span, None);
                    self.signature(sheet, event, &name.text, &handler.params, name.span);
                }
                PartKind::Block(block) => self.declare_events_of(sheet, &mut block.parts.iter()),
                PartKind::StateBy { rows, .. } => {
                    for row in rows {
                        self.declare_events_of(sheet, &mut row.parts.iter());
                    }
                }
                _ => {}
            }
        }
    }

    /// The first place that gives types to all parameters of an event decides them.
    fn signature(&mut self, sheet: SheetId, event: EventId, name: &SmolStr, params: &'t [tree::Param], span: Span) {
        self.answered.insert((event, sheet));
        if params.is_empty() || params.iter().any(|p| p.ty.is_none()) {
            return;
        }
        let known = self.program.events[event.index()].params.len();
        if let Some(first) = self.signatures.get(name).copied() {
            if params.len() > known {
                self.tell(
                    Diagnostic::error(
                        Code::TypeMismatch,
                        format!("`{name}` has {known} arguments in one place and {} in another", params.len()),
                    )
                    .label(span, format!("{} here", params.len()))
                    .label(first, format!("{known} here"))
                    .help("write the same arguments in both"),
                );
            }
            return;
        }
        self.signatures.insert(name.clone(), span);
        let mut list = Vec::with_capacity(params.len());
        for param in params {
            let ty = param.ty.as_ref().and_then(|ty| types::resolve(self, ty).ok());
            list.push(Param {
                id: param.name.text.clone(),
                title: title(&param.title, &param.name.text),
                ty: ty.unwrap_or(Type::Number { low: i64::MIN, high: i64::MAX }),
                default: None,
                choices: None,
            });
        }
        self.program.events[event.index()].params = list;
    }

    /// Tracks, values, checks and states of every sheet; a variant begins with its base's.
    fn declare_members(&mut self, merged: &Merged<'t>) {
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

    fn declare_parts(&mut self, id: SheetId, parts: &mut dyn Iterator<Item = &'t Part>, in_block: bool) {
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

    fn claim_member(&mut self, id: SheetId, name: &Name) -> bool {
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

    fn declare_track(&mut self, id: SheetId, track: &'t tree::Track) {
        if let tree::TypeKind::List { sheet, most } = &track.ty.kind {
            let most = match most {
                Some(most) => types::constant(self, most).unwrap_or(1).clamp(0, 1_000_000) as u32,
                None => {
                    self.tell(
                        Diagnostic::error(Code::TypeBounds, "a list needs to say how long it can get")
                            .label(track.ty.span, "no bound")
                            .help(format!("write `list of {} up to 20`", sheet.text))
                            .edit(track.ty.span.after(), " up to 20"),
                    );
                    20
                }
            };
            let Some(of) = self.names.sheets.get(&sheet.text).copied() else {
                let known: Vec<SmolStr> = self.names.sheets.keys().cloned().collect();
                self.unknown(sheet, "sheet", known.iter().map(SmolStr::as_str));
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

    fn declare_states(&mut self, id: SheetId, steps: &'t [tree::StateStep]) {
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

    fn declare_state(&mut self, id: SheetId, state: &'t tree::StateName) -> u32 {
        let known = self.sheet_names(id).states.get(&state.name.text).copied();
        let index = match known {
            Some(index) => index,
            None => {
                let index = self.sheet(id).states.len() as u32;
                if index as usize >= SET_MEMBERS {
                    self.tell(
                        Diagnostic::error(
                            Code::FileLimit,
                            format!("a sheet has at most {SET_MEMBERS} states ({} here)", index + 1),
                        )
                        .label(state.name.span, "one too many"),
                    );
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

    /// Parameters with bounds that are numbers; their defaults are read with the code.
    pub fn params(&mut self, params: &'t [tree::Param]) -> Vec<Param> {
        let mut places: HashMap<&SmolStr, Span> = HashMap::new();
        let mut list = Vec::with_capacity(params.len());
        for param in params {
            if let Some(first) = places.insert(&param.name.text, param.name.span) {
                let diagnostic = duplicate(&param.name, first);
                self.tell(diagnostic);
            }
            let ty = match &param.ty {
                Some(ty) => types::resolve(self, ty).ok(),
                None => {
                    self.tell(
                        Diagnostic::error(
                            Code::TypeMismatch,
                            format!("`{}` does not say what it can be", param.name.text),
                        )
                        .label(param.name.span, "no type")
                        .help(format!("write `{}: 0..20`, or a kind, `dice`, `yes/no` or a sheet", param.name.text))
                        .edit(param.name.span.after(), ": 0..20"),
                    );
                    None
                }
            };
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

    /// Which tables make which sheets, and whose sheet a table writes on.
    fn declare_makers(&mut self, merged: &Merged<'t>) {
        let known: Vec<SmolStr> = self.names.sheets.keys().cloned().collect();
        for (index, parts) in merged.tables.iter().enumerate() {
            let id = TableId(index as u32);
            if let Some(name) = &parts.tree.makes {
                match self.names.sheets.get(&name.text).copied() {
                    Some(sheet) => {
                        self.sheet_names[sheet.index()].makers.push(id);
                        self.program.tables[index].makes = Some(Making { sheet, keeps: Vec::new() });
                        self.program.tables[index].subject = self.sheet(sheet).owner;
                    }
                    None => {
                        self.unknown(name, "sheet", known.iter().map(SmolStr::as_str));
                    }
                }
            }
            if let Some(name) = &parts.tree.subject {
                match self.names.sheets.get(&name.text).copied() {
                    Some(sheet) => self.program.tables[index].subject = Some(sheet),
                    None => {
                        self.unknown(name, "sheet", known.iter().map(SmolStr::as_str));
                    }
                }
            }
        }
    }
}

/// Every block in a row's body, also within `if` and `each`; blocks inside blocks are parts.
pub(crate) fn each_block<'t>(body: &'t tree::Body, see: &mut dyn FnMut(&'t tree::Block)) {
    for sentence in &body.sentences {
        match &sentence.kind {
            tree::SentenceKind::Block(block) => see(block),
            tree::SentenceKind::If { arms, otherwise } => {
                for (_, body) in arms {
                    each_block(body, see);
                }
                if let Some(body) = otherwise {
                    each_block(body, see);
                }
            }
            tree::SentenceKind::Each { body, .. } => each_block(body, see),
            tree::SentenceKind::RollRows { rows, .. } => {
                for row in rows {
                    each_block(&row.body, see);
                }
            }
            _ => {}
        }
    }
}
