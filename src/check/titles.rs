//! Titles as they are written, for those who translate them: what each belongs to, as a path of
//! ids, with its comment and its place.
//!
//! What counts is what the program shows: a heading that another one replaces is left out.

use std::collections::HashMap;
use std::sync::Arc;

use super::Checker;
use super::declare::each_block;
use super::merge::{Merged, SheetParts, TableParts};
use crate::program::Message;
use crate::source::{FileId, Span};
use crate::syntax::tree::{self, ItemKind, Outcome, OutcomeCase, Param, Part, PartKind, StepKind, Text};

impl<'t> Checker<'t> {
    /// Collects all titles of the rules into [`crate::program::Program::titles`].
    pub fn titles(&mut self, merged: &Merged<'t>, trees: &'t [tree::File], order: &[FileId]) {
        for item in &merged.items {
            let doc = item.doc.as_ref();
            match &item.kind {
                ItemKind::System { name, title, .. } if name.text == self.program.system.id => {
                    self.titled("", title, doc);
                }
                ItemKind::Option { name, title, members, .. } => {
                    self.listed(&format!("option/{name}", name = name.text), title, members, doc);
                }
                ItemKind::Kind { name, title, members, .. } => {
                    self.listed(&format!("kind/{name}", name = name.text), title, members, doc);
                }
                ItemKind::Clock(units) => {
                    units.iter().for_each(|unit| self.titled_event(&unit.name.text, &unit.title, doc));
                }
                ItemKind::Time { name, title, .. } => {
                    self.titled(&format!("time/{name}", name = name.text), title, doc)
                }
                _ => {}
            }
        }
        let items = || order.iter().filter_map(|file| trees.get(usize::from(file.0))).flat_map(|tree| &tree.items);
        let docs: HashMap<Span, &Text> = items().filter_map(|item| Some((head(item)?, item.doc.as_ref()?))).collect();
        merged.tables.iter().for_each(|table| self.titles_of_table(table, docs.get(&table.tree.head).copied()));
        merged.sheets.iter().for_each(|sheet| self.titles_of_sheet(sheet));
        for scenario in &merged.scenarios {
            self.titles_of_scenario(scenario, docs.get(&scenario.head).copied());
        }
    }

    /// A title under a path below the system's; without one there is nothing to translate.
    fn titled(&mut self, path: &str, title: &Option<Text>, doc: Option<&Text>) {
        let Some(text) = title else { return };
        self.wordings(text);
        let system = &self.program.system.id;
        let path: Arc<str> = if path.is_empty() { system.as_str().into() } else { format!("{system}/{path}").into() };
        if text.value.is_empty() || self.program.titles.iter().rev().take(64).any(|known| known.path == path) {
            return;
        }
        self.program.titles.push(Message {
            path,
            one: text.value.as_str().into(),
            many: None,
            comment: doc.map(|doc| doc.value.as_str().into()),
            names: Vec::new(),
            forms: None,
            span: text.span,
        });
    }

    fn listed(&mut self, path: &str, title: &Option<Text>, members: &[tree::Member], doc: Option<&Text>) {
        self.titled(path, title, doc);
        for member in members {
            self.titled(&format!("{path}/{}", member.name.text), &member.title, None);
        }
    }

    /// One event may have headings in several places: the one that the program shows.
    fn titled_event(&mut self, id: &str, title: &Option<Text>, doc: Option<&Text>) {
        let shown = self.names.events.get(id).map(|event| self.program.events[event.index()].title.clone());
        if title.as_ref().zip(shown).is_some_and(|(written, shown)| written.value.as_str() == &*shown) {
            let path = format!("event/{id}");
            let whole = format!("{}/{path}", self.program.system.id);
            if !self.program.titles.iter().any(|known| *known.path == *whole) {
                self.titled(&path, title, doc);
            }
        }
    }

    fn arguments(&mut self, path: &str, params: &[Param]) {
        for param in params {
            self.titled(&format!("{path}/argument/{name}", name = param.name.text), &param.title, None);
        }
    }

    fn titles_of_table(&mut self, parts: &TableParts<'t>, doc: Option<&Text>) {
        let id = &parts.tree.name.text;
        self.titled(id, &parts.tree.title, doc);
        self.arguments(id, &parts.tree.params);
        for body in parts.rows.iter().filter_map(|row| row.body.as_ref()) {
            each_block(body, &mut |block| self.titles_of_parts(id, &mut block.parts.iter()));
        }
    }

    fn titles_of_sheet(&mut self, parts: &SheetParts<'t>) {
        let id = &parts.tree.name.text;
        self.titled(id, &parts.tree.title, None);
        self.titles_of_parts(id, &mut parts.parts.iter().copied());
    }

    fn titles_of_parts(&mut self, id: &str, parts: &mut dyn Iterator<Item = &'t Part>) {
        for part in parts {
            let doc = part.doc.as_ref();
            match &part.kind {
                PartKind::Track(track) => self.titled(&format!("{id}/{}", track.name.text), &track.title, doc),
                PartKind::Value { name, params, title, .. } | PartKind::Check { name, params, title, .. } => {
                    let path = format!("{id}/{}", name.text);
                    self.titled(&path, title, doc);
                    self.arguments(&path, params);
                }
                PartKind::Event { name, params, title, .. } => {
                    self.titled_event(&name.text, title, doc);
                    self.arguments(&format!("event/{name}", name = name.text), params);
                }
                PartKind::Handler(handler) => {
                    self.titled_event(&handler.event.text, &handler.title, doc);
                    self.arguments(&format!("event/{event}", event = handler.event.text), &handler.params);
                }
                PartKind::States(steps) => {
                    for state in steps.iter().flat_map(|step| &step.states) {
                        self.titled(&format!("{id}/state/{name}", name = state.name.text), &state.title, doc);
                    }
                }
                PartKind::StateBy { rows, .. } => {
                    for row in rows {
                        self.titled(&format!("{id}/state/{name}", name = row.state.name.text), &row.state.title, None);
                        self.titles_of_parts(id, &mut row.parts.iter());
                    }
                }
                PartKind::Block(block) => self.titles_of_parts(id, &mut block.parts.iter()),
                _ => {}
            }
        }
    }

    fn titles_of_scenario(&mut self, scenario: &'t tree::Scenario, doc: Option<&Text>) {
        let id = &scenario.name.text;
        self.titled(id, &scenario.title, doc);
        self.arguments(id, &scenario.params);
        for step in &scenario.steps {
            let StepKind::Outcome(Outcome::Cases(cases)) = &step.kind else { continue };
            for case in cases {
                if let OutcomeCase::Named { name, title, .. } = case {
                    self.titled(&format!("{id}/outcome/{name}", name = name.text), title, None);
                }
            }
        }
    }
}

/// The head of a table or scenario, which tells it from all others.
fn head(item: &tree::Item) -> Option<Span> {
    match &item.kind {
        ItemKind::Table(table) => Some(table.head),
        ItemKind::Scenario(scenario) => Some(scenario.head),
        _ => None,
    }
}
