//! A catalog brought up to date with changed rules.
//!
//! Texts of one table are much alike, so nothing is guessed from likeness. In this order: the same
//! context and text is kept; the same text of the same table under a new context is kept (a row
//! that got another id); the same context with a new text is kept as fuzzy, with the text it was
//! made for; all else is new and empty. What is left goes to the obsolete part, from where it comes
//! back when its text does.

use std::collections::HashMap;

use super::extract::entries_of;
use super::header;
use super::po::{BRACES, Block, Entry, FUZZY, Po, Previous};
use crate::plural::Plural;
use crate::program::Program;
use crate::source::Source;

/// A catalog after its update, and what became of the entries.
#[derive(Debug, Clone)]
pub struct Updated {
    pub po: Po,
    pub kept: usize,
    /// Under another context now.
    pub moved: usize,
    /// Their text changed: fuzzy now.
    pub stale: usize,
    /// New, without a translation.
    pub new: usize,
    /// No longer in the rules: in the obsolete part now.
    pub obsolete: usize,
}

/// Lays the texts of a program over a catalog of a language. The header, comments of translators,
/// flags and whatever else stands in the file stay.
pub fn update(old: &Po, program: &Program, files: &[Source], lang: &str) -> Updated {
    let new = entries_of(program, files);
    let forms = header::plural(old).map_or_else(|| super::plural::forms(lang), |plural| Plural::count(&plural));
    let matched = Match::new(old, &new).all();
    let mut counts = Updated {
        po: Po {
            source: old.source.clone(),
            crlf: old.crlf,
            tail: old.tail.clone(),
            ..super::extract::made_of(vec![])
        },
        kept: 0,
        moved: 0,
        stale: 0,
        new: 0,
        obsolete: 0,
    };
    let mut used = vec![false; old.blocks.len()];
    let mut blocks = Vec::with_capacity(new.len() + old.blocks.len());
    let is_header = |block: &&Block| block.entry.as_ref().is_some_and(Entry::is_header);
    if old.header().is_none() {
        let entry = Some(header::of(&program.system.id, lang));
        blocks.push(Block { gap: 0..0, raw: None, entry });
    }
    blocks.extend(old.blocks.iter().filter(is_header).cloned());
    for (fresh, found) in new.into_iter().zip(matched) {
        let Some((index, how)) = found else {
            counts.new += 1;
            let texts = if fresh.plural.is_some() { vec![String::new(); forms] } else { fresh.texts.clone() };
            blocks.push(Block { gap: 0..0, raw: None, entry: Some(Entry { texts, ..fresh }) });
            continue;
        };
        used[index] = true;
        let block = &old.blocks[index];
        let Some(known) = &block.entry else { continue };
        let merged = merged(known, fresh, forms);
        match how {
            _ if merged.is_fuzzy() && !known.is_fuzzy() => counts.stale += 1,
            How::Moved => counts.moved += 1,
            _ => counts.kept += 1,
        }
        let raw = if same(known, &merged) { block.raw.clone() } else { None };
        // An obsolete entry that comes back stands by itself again.
        let gap = if known.obsolete { 0..0 } else { block.gap.clone() };
        blocks.push(Block { gap, raw, entry: Some(merged) });
    }
    let (mut obsolete, mut last) = (Vec::new(), Vec::new());
    for (block, _) in old.blocks.iter().zip(&used).filter(|(block, used)| !**used && !is_header(block)) {
        match &block.entry {
            None => last.push(block.clone()),
            Some(entry) if entry.obsolete => obsolete.push(block.clone()),
            Some(entry) if entry.is_begun() => {
                counts.obsolete += 1;
                obsolete.push(Block { gap: block.gap.clone(), raw: None, entry: Some(put_aside(entry)) });
            }
            Some(_) => {}
        }
    }
    // Those that were obsolete before stand first, so that a second update moves nothing.
    obsolete.sort_by_key(|block| block.raw.is_none());
    blocks.extend(obsolete.into_iter().chain(last));
    counts.po.blocks = blocks;
    counts
}

/// How an old entry was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Same,
    Moved,
    Changed,
}

/// Finds the old entry of each new one.
struct Match<'e> {
    old: &'e Po,
    new: &'e [Entry],
    taken: Vec<bool>,
    found: Vec<Option<(usize, How)>>,
}

impl<'e> Match<'e> {
    fn new(old: &'e Po, new: &'e [Entry]) -> Self {
        Match { old, new, taken: vec![false; old.blocks.len()], found: vec![None; new.len()] }
    }

    fn all(mut self) -> Vec<Option<(usize, How)>> {
        self.same();
        self.moved();
        self.changed();
        self.found
    }

    /// Old entries that nobody has taken: those in use first, then the obsolete ones.
    fn free(&self) -> impl Iterator<Item = (usize, &'e Entry)> {
        let old = self.old;
        let entries = move |obsolete: bool| {
            let entries = old.blocks.iter().enumerate().filter_map(|(index, b)| Some((index, b.entry.as_ref()?)));
            entries.filter(move |(_, entry)| entry.obsolete == obsolete && !entry.is_header())
        };
        let taken = self.taken.clone();
        entries(false).chain(entries(true)).filter(move |(index, _)| !taken[*index])
    }

    fn take(&mut self, new: usize, old: usize, how: How) {
        self.found[new] = Some((old, how));
        self.taken[old] = true;
    }

    fn open(&self) -> Vec<usize> {
        (0..self.new.len()).filter(|index| self.found[*index].is_none()).collect()
    }

    fn same(&mut self) {
        let mut known: HashMap<(Option<&str>, &str), usize> = HashMap::with_capacity(self.old.blocks.len());
        for (index, entry) in self.free() {
            known.entry(entry.key()).or_insert(index);
        }
        for new in 0..self.new.len() {
            if let Some(old) = known.remove(&self.new[new].key()) {
                self.take(new, old, How::Same);
            }
        }
    }

    fn moved(&mut self) {
        let mut known: HashMap<(&str, &str, Option<&str>), Vec<usize>> = HashMap::new();
        for (index, entry) in self.free().filter(|(_, entry)| entry.is_begun()) {
            let key = (table(entry), entry.id.as_str(), entry.plural.as_deref());
            known.entry(key).or_default().push(index);
        }
        for new in self.open() {
            let entry = &self.new[new];
            let Some(list) = known.get_mut(&(table(entry), entry.id.as_str(), entry.plural.as_deref())) else {
                continue;
            };
            // Of several with the same text rather the one that had the same part of its row.
            let part = |index: usize| self.old.blocks[index].entry.as_ref().and_then(last) == last(entry);
            let at = list.iter().position(|index| part(*index)).unwrap_or(0);
            if at < list.len() {
                let old = list.remove(at);
                self.take(new, old, How::Moved);
            }
        }
    }

    fn changed(&mut self) {
        let mut known: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, entry) in self.free().filter(|(_, entry)| !entry.obsolete) {
            if let Some(context) = &entry.context {
                known.entry(context).or_default().push(index);
            }
        }
        for new in self.open() {
            let Some(list) = self.new[new].context.as_deref().and_then(|context| known.get_mut(context)) else {
                continue;
            };
            if !list.is_empty() {
                let old = list.remove(0);
                self.take(new, old, How::Changed);
            }
        }
    }
}

/// The table, kind or sheet that a text belongs to: `old_world/wound`, `old_world/kind/side`.
fn table(entry: &Entry) -> &str {
    let context = entry.context.as_deref().unwrap_or("");
    let second = context.split('/').nth(1).unwrap_or("");
    let ids = if matches!(second, "kind" | "option") { 3 } else { 2 };
    let end = context.match_indices('/').nth(ids - 1).map_or(context.len(), |(at, _)| at);
    &context[..end]
}

/// The last part of the context: `title`, `say_1`.
fn last(entry: &Entry) -> Option<&str> {
    entry.context.as_deref()?.rsplit('/').next()
}

/// What the rules say now, with what translators wrote.
fn merged(known: &Entry, fresh: Entry, forms: usize) -> Entry {
    let changed = known.id != fresh.id || known.plural != fresh.plural;
    let mut flags: Vec<String> = known.flags.iter().filter(|flag| *flag != BRACES).cloned().collect();
    let mut texts = known.texts.clone();
    let mut previous = known.previous.clone();
    if changed && known.is_begun() {
        if !known.is_fuzzy() {
            flags.insert(0, FUZZY.to_owned());
        }
        if previous.is_empty() || !known.is_fuzzy() {
            previous = Previous { context: None, id: Some(known.id.clone()), plural: known.plural.clone() };
        }
    }
    match (known.plural.is_some(), fresh.plural.is_some()) {
        (false, true) => {
            let whole = texts.into_iter().next().unwrap_or_default();
            texts = vec![whole; forms];
        }
        (true, false) => texts.truncate(1),
        _ => {}
    }
    if texts.is_empty() {
        texts = vec![String::new(); if fresh.plural.is_some() { forms } else { 1 }];
    }
    // Where it stood among the flags.
    if let Some(flag) = fresh.flags.first() {
        let at = known.flags.iter().position(|known| known == BRACES).unwrap_or(flags.len());
        flags.insert(at.min(flags.len()), flag.clone());
    }
    Entry {
        comments: known.comments.clone(),
        unknown: known.unknown.clone(),
        flags,
        previous,
        texts,
        broken: known.broken,
        places: known.places.clone(),
        ..fresh
    }
}

/// Whether two entries say the same, so that the bytes of the first can stay.
fn same(a: &Entry, b: &Entry) -> bool {
    let words = |list: &[String]| list.iter().flat_map(|line| line.split(' ').map(str::to_owned)).collect::<Vec<_>>();
    a.key() == b.key()
        && a.plural == b.plural
        && a.texts == b.texts
        && a.notes == b.notes
        && words(&a.references) == words(&b.references)
        && a.flags == b.flags
        && a.previous == b.previous
        && a.obsolete == b.obsolete
}

/// An entry that is no longer in the rules.
fn put_aside(entry: &Entry) -> Entry {
    let flags = entry.flags.iter().filter(|flag| *flag != BRACES).cloned().collect();
    Entry { notes: Vec::new(), references: Vec::new(), flags, obsolete: true, ..entry.clone() }
}
