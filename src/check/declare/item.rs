//! The header's names: options, kinds, the clock and its times.

use super::title;
use crate::say;
use std::collections::HashMap;

use smol_str::SmolStr;

use crate::check::Checker;
use crate::check::merge::{Merged, once};
use crate::check::names::{Member as Meaning, duplicate};
use crate::diagnostics::{Code, Diagnostic};
use crate::program::*;
use crate::source::Span;
use crate::syntax::tree::{self, ItemKind, Name};

impl<'t> Checker<'t> {
    pub(super) fn declare_items(&mut self, merged: &Merged<'t>) {
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
                    if self.names.options.contains_key(&name.text) {
                        let first = merged.items.iter().find_map(|item| match &item.kind {
                            ItemKind::Option { name: other, .. } if other.text == name.text => Some(other.span),
                            _ => None,
                        });
                        let first = first.unwrap_or(name.span);
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
                                self.unknown(default, say!("choice"), known.iter().map(SmolStr::as_str));
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
                        self.tell(once(say!("the clock"), first, item.span));
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
                            self.unknown(part, say!("event of the clock"), known.iter().map(SmolStr::as_str));
                        }
                    }
                }
                self.names.times.insert(name.text.clone(), awaited);
            }
        }
    }

    /// `extend kind condition = …`: its members come after those the kind has.
    pub(super) fn extend_kind(&mut self, name: &Name, members: &[tree::Member]) {
        self.tell_dice(members);
        let Some(id) = self.names.kinds.get(&name.text).copied() else {
            let known: Vec<SmolStr> = self.names.kinds.keys().cloned().collect();
            self.unknown(name, say!("kind to extend"), known.iter().map(SmolStr::as_str));
            return;
        };
        for member in members {
            let known = &self.program.kinds[id.index()].members;
            if known.iter().any(|m| m.id == member.name.text) {
                self.tell(
                    Diagnostic::error(
                        Code::NameDuplicate,
                        say!("`{name}` has `{member}` already", name = name.text, member = member.name.text),
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

    /// `d6` is a die wherever a value can stand, and so cannot be meant as a name.
    fn tell_dice(&mut self, members: &[tree::Member]) {
        for name in members.iter().map(|member| &member.name) {
            let faces = name.text.strip_prefix(['d', 'D']).filter(|n| !n.is_empty());
            if let Some(faces) = faces.filter(|n| n.bytes().all(|b| b.is_ascii_digit())) {
                let other = format!("die_{faces}");
                self.tell(
                    Diagnostic::error(Code::Syntax, say!("`{name}` is a die, and cannot be a name", name = name.text))
                        .label(name.span, "read as dice wherever it is used")
                        .help(say!("call it `{other}`", other))
                        .edit(name.span, other),
                );
                self.damaged.insert(name.text.clone());
            }
        }
    }

    pub(super) fn members(&mut self, members: &[tree::Member], meaning: impl Fn(u32) -> Meaning) -> Vec<Member> {
        self.tell_dice(members);
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
}
