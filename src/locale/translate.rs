//! A catalog's texts put into a program: every id, die and line of code stays as it is.

use std::collections::HashMap;
use std::sync::Arc;

use super::header;
use super::po::{Entry, Po};
use super::texts::texts;
use crate::plural::Plural;
use crate::program::{Forms, Member, Message, Param, Program, Sheet, SheetId, placeholders};
use crate::run::Words;
use crate::source::Span;

/// How many of a program's texts a catalog has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Translated {
    /// All texts of the program.
    pub texts: usize,
    /// Those told in the language; the rest are told as they stand in the rules.
    pub told: usize,
}

impl Translated {
    /// How many texts are told as they stand in the rules.
    pub fn missing(self) -> usize {
        self.texts - self.told
    }
}

/// Puts the translations of a catalog in the place of a program's texts, one by one: what is
/// missing, fuzzy, broken, or made for another text stays in the language of the rules.
pub fn translate(program: &mut Program, catalog: &Po, lang: &str) -> Translated {
    translate_from(program, std::slice::from_ref(catalog), lang)
}

/// Likewise from several catalogs, of which the first that has a text counts: a system's own, then
/// those of the systems whose files it uses. Paths are compared without the system they begin with.
pub fn translate_from(program: &mut Program, catalogs: &[Po], lang: &str) -> Translated {
    // By path and text: the entry, and the plural of its catalog.
    type Known<'c> = HashMap<(&'c str, &'c str), (&'c Entry, Option<Arc<Plural>>)>;
    let mut known = Known::new();
    for catalog in catalogs {
        let plural = header::plural(catalog).map(Arc::new);
        for entry in catalog.entries().filter(|e| e.is_translated() && !e.is_fuzzy() && !e.broken) {
            if let Some(context) = &entry.context {
                known.entry((below(context), &entry.id)).or_insert_with(|| (entry, plural.clone()));
            }
        }
    }
    let mut done = Translated { texts: 0, told: 0 };
    let mut found = Found { texts: HashMap::new(), titles: HashMap::new() };
    for told in texts(program) {
        let message = told.message;
        done.texts += 1;
        let Some((entry, plural)) = known.get(&(below(&message.path), &*message.one)) else { continue };
        let Some(text) = Text::new(message, entry, plural.as_ref()) else { continue };
        done.told += 1;
        if told.index.is_none() {
            found.titles.insert(message.path.clone(), (message.one.clone(), text.one.clone()));
        }
        found.texts.insert(message.span, text);
    }
    found.put(program);
    let ends: Vec<(usize, String)> = clock_ends(program, Words::of(&program.system.lang), &found.titles);
    for (event, title) in ends {
        program.events[event].title = format!("{title}: {}", Words::of(lang).end).into();
    }
    program.system.lang = lang.into();
    done
}

/// A path without the system that it begins with.
fn below(path: &str) -> &str {
    path.split_once('/').map_or("", |(_, below)| below)
}

/// A translation of one text.
struct Text {
    one: Arc<str>,
    many: Option<Arc<str>>,
    forms: Option<Arc<Forms>>,
}

impl Text {
    /// None where the catalog's forms are not those of its own formula.
    fn new(message: &Message, entry: &Entry, plural: Option<&Arc<Plural>>) -> Option<Text> {
        let Some(many) = &message.many else {
            let one = (entry.texts.len() == 1).then(|| entry.texts.first())??;
            return Some(Text { one: one.as_str().into(), many: None, forms: None });
        };
        let plural = plural.filter(|plural| plural.count() == entry.texts.len())?;
        if entry.plural.as_deref() != Some(&**many) {
            return None;
        }
        let texts: Vec<Arc<str>> = entry.texts.iter().map(|text| text.as_str().into()).collect();
        let one = texts.get(plural.form(1).unwrap_or(0)).cloned().unwrap_or_default();
        let last = texts.last().cloned();
        // The value that counts is the one that counts in the rules, wherever it stands here.
        let counted = placeholders(many).first().map(|(_, name)| (*name).into());
        let forms = Some(Arc::new(Forms { texts, plural: plural.clone(), counted }));
        Some(Text { one, many: last, forms })
    }
}

/// What a catalog has for a program.
struct Found {
    /// By the place of the text, which those share that a variant has from its base.
    texts: HashMap<Span, Text>,
    /// By path: the text of the rules, and the translation.
    titles: HashMap<Arc<str>, (Arc<str>, Arc<str>)>,
}

impl Found {
    fn put(&self, program: &mut Program) {
        for message in program.messages.iter_mut().chain(&mut program.titles) {
            if let Some(text) = self.texts.get(&message.span) {
                message.one = text.one.clone();
                message.many = text.many.clone();
                message.forms = text.forms.clone();
            }
        }
        let system = program.system.id.to_string();
        self.title(&system, &mut program.system.title);
        for option in &mut program.options {
            self.list(&format!("{system}/option/{}", option.id), &mut option.title, &mut option.members);
        }
        for kind in &mut program.kinds {
            self.list(&format!("{system}/kind/{}", kind.id), &mut kind.title, &mut kind.members);
        }
        for event in &mut program.events {
            let path = format!("{system}/event/{}", event.id);
            self.title(&path, &mut event.title);
            self.arguments(&path, &mut event.params);
        }
        for table in &mut program.tables {
            let path = format!("{system}/{}", table.id);
            self.title(&path, &mut table.title);
            self.arguments(&path, &mut table.params);
        }
        for scenario in &mut program.scenarios {
            let path = format!("{system}/{}", scenario.id);
            self.title(&path, &mut scenario.title);
            self.arguments(&path, &mut scenario.params);
            for case in &mut scenario.cases {
                self.title(&format!("{path}/outcome/{}", case.id), &mut case.title);
            }
        }
        // A variant has from its bases what it does not say itself.
        let bases: Vec<Vec<String>> = (0..program.sheets.len()).map(|index| line(program, &system, index)).collect();
        for (sheet, paths) in program.sheets.iter_mut().zip(&bases) {
            self.sheet(paths, sheet);
        }
    }

    fn title(&self, path: &str, title: &mut Arc<str>) {
        if let Some((_, translated)) = self.titles.get(path).filter(|(source, _)| *source == *title) {
            *title = translated.clone();
        }
    }

    fn list(&self, path: &str, title: &mut Arc<str>, members: &mut [Member]) {
        self.title(path, title);
        for member in members {
            self.title(&format!("{path}/{}", member.id), &mut member.title);
        }
    }

    fn arguments(&self, path: &str, params: &mut [Param]) {
        for param in params {
            self.title(&format!("{path}/argument/{}", param.id), &mut param.title);
        }
    }

    fn sheet(&self, paths: &[String], sheet: &mut Sheet) {
        if let Some(own) = paths.first() {
            self.title(own, &mut sheet.title);
        }
        for path in paths {
            for slot in &mut sheet.slots {
                self.title(&format!("{path}/{}", slot.id), &mut slot.title);
            }
            for value in &mut sheet.values {
                self.title(&format!("{path}/{}", value.id), &mut value.title);
                self.arguments(&format!("{path}/{}", value.id), &mut value.params);
            }
            for check in &mut sheet.checks {
                self.title(&format!("{path}/{}", check.id), &mut check.title);
                self.arguments(&format!("{path}/{}", check.id), &mut check.params);
            }
            for state in &mut sheet.states {
                self.title(&format!("{path}/state/{}", state.id), &mut state.title);
            }
            for list in &mut sheet.lists {
                self.title(&format!("{path}/{}", list.id), &mut list.title);
            }
        }
    }
}

/// The paths of a type of sheet and of its bases, its own first.
fn line(program: &Program, system: &str, index: usize) -> Vec<String> {
    let mut paths = Vec::new();
    let mut at = Some(SheetId(index as u32));
    while let Some(sheet) = at.and_then(|id| program.sheets.get(id.index())).filter(|_| paths.len() <= index) {
        paths.push(format!("{system}/{}", sheet.id));
        at = sheet.base;
    }
    paths
}

/// The ends of a clock's units, which the language names itself, with the unit's title now.
fn clock_ends(
    program: &Program,
    words: &Words,
    titles: &HashMap<Arc<str>, (Arc<str>, Arc<str>)>,
) -> Vec<(usize, String)> {
    let units = program.events.iter().filter(|event| event.clock.is_some());
    let end = |unit: &crate::program::Event| {
        let path = format!("{}/event/{}", program.system.id, unit.id);
        let (source, translated) = titles.get(path.as_str())?;
        let id = format!("{}_end", unit.id);
        let index = program.events.iter().position(|event| event.id == id)?;
        let is_own = *program.events[index].title == format!("{source}: {}", words.end);
        is_own.then(|| (index, translated.to_string()))
    };
    units.filter_map(end).collect()
}
