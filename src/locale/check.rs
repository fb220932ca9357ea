//! What is wrong with a catalog: told inside its own file.

use crate::wording::Wording;
use std::collections::{HashMap, HashSet};

use super::direction::{self, Direction};
use super::po::{Entry, Po};
use super::punctuation::last_sign;
use super::texts::texts;
use super::{header, plural};
use crate::choices::{GENDER, choices};
use crate::diagnostics::{self, Code, Diagnostic, nearest};
use crate::plural::Plural;
use crate::program::{Program, placeholders};
use crate::say;
use crate::source::Span;

/// Everything that is wrong with a catalog of a language, in the order of the file; with its
/// program, also what no longer fits the rules. Fuzzy translations are not looked into: nobody is
/// told them.
pub fn check(catalog: &Po, program: Option<&Program>, lang: &str) -> Vec<Diagnostic> {
    let mut found = catalog.diagnostics.clone();
    let plural = check_plural(catalog, lang, &mut found);
    if let Some(said) = catalog.field("Language").filter(|said| !said.is_empty() && !alike(said, lang)) {
        let fault =
            Diagnostic::warning(Code::LocaleHeader, say!("the header says `{said}`, the folder `{lang}`", said, lang))
                .label(catalog.field_span("Language"), "another language");
        found.push(fault.help(say!("write `Language: {lang}\\n`", lang)));
    }
    for entry in catalog.entries() {
        found.extend(faults_of(catalog, entry, plural.as_ref(), lang));
    }
    if let Some(program) = program {
        check_against(catalog, program, lang, &mut found);
    }
    diagnostics::sort(&mut found);
    found
}

fn alike(a: &str, b: &str) -> bool {
    a.replace('-', "_").eq_ignore_ascii_case(&b.replace('-', "_"))
}

/// The header's plural rule: whether it can be read, gives a form to every number, and is the
/// language's own.
fn check_plural(catalog: &Po, lang: &str, found: &mut Vec<Diagnostic>) -> Option<Plural> {
    let usual = plural::usual(lang);
    let first = usual.first().copied().unwrap_or("nplurals=2; plural=(n != 1);");
    let help = say!("write `{formula}: {first}\\n`", formula = header::FORMULA, first);
    let has_plurals = catalog.entries().any(|entry| entry.plural.is_some());
    let span = catalog.field_span(header::FORMULA);
    let Some((count, formula)) = header::formula(catalog) else {
        if has_plurals && catalog.header().is_some() {
            let fault = Diagnostic::error(Code::LocalePlural, "the header has no plural formula that can be read");
            found.push(fault.label(span, "`nplurals` and `plural` belong here").help(help));
        }
        return None;
    };
    let plural = match Plural::read(count, formula) {
        Ok(plural) => plural,
        Err(fault) => {
            let written = catalog.source.slice(span).find(formula);
            let span = written.map_or(span, |at| {
                let at = span.start as usize + at + fault.at.min(formula.len());
                Span::new(span.file, at..at)
            });
            let message = say!("the plural formula cannot be read");
            found.push(Diagnostic::error(Code::LocalePlural, message).label(span, fault.message).help(help));
            return None;
        }
    };
    if let Some(n) = (0..=plural::COMPARED).find(|n| plural.form(*n).is_none()) {
        let message = say!("the plural formula gives {n} none of its {count} forms", n, count = plural.count());
        found.push(Diagnostic::error(Code::LocalePlural, message).label(span, "beyond the last form").help(help));
        return None;
    }
    let mut rules = usual.iter().filter_map(|rule| plural::read(rule)).peekable();
    if rules.peek().is_some() && !rules.any(|rule| plural::agree(&rule, &plural)) {
        let message = say!("this is not the usual plural rule of `{lang}`", lang);
        found.push(Diagnostic::warning(Code::LocalePlural, message).label(span, "another rule").help(help));
    }
    Some(plural)
}

/// What does not fit the rules any more.
fn check_against(catalog: &Po, program: &Program, lang: &str, found: &mut Vec<Diagnostic>) {
    let update = say!("bring the catalog up to date: `cicatriz translate update FILE --lang {lang}`", lang);
    let texts = texts(program);
    let mut by_path: HashMap<&str, Vec<&str>> = HashMap::with_capacity(texts.len());
    for told in &texts {
        by_path.entry(&told.message.path).or_default().push(&told.message.one);
    }
    let genders = program.kinds.iter().find(|kind| kind.id == GENDER).map(|kind| kind.members.len());
    let mut there = HashSet::new();
    for entry in catalog.entries() {
        let context = entry.context.as_deref().unwrap_or_default();
        there.insert((context, entry.id.as_str()));
        Looking { catalog, entry, found: Vec::new() }.choices(genders, found);
        let fault = match by_path.get(context) {
            Some(texts) if texts.contains(&entry.id.as_str()) => continue,
            Some(_) => Diagnostic::warning(Code::LocaleStale, "the rules say something else here now")
                .label(entry.id_span(), say!("`{context}` has another text", context)),
            None => Diagnostic::warning(Code::LocaleStale, "this text is no longer in the rules")
                .label(entry.id_span(), say!("`{context}` is not there", context)),
        };
        found.push(fault.help(update.clone()));
    }
    let missing = texts.iter().filter(|told| !there.contains(&(&*told.message.path, &*told.message.one)));
    let missing: Vec<&str> = missing.map(|told| &*told.message.path).collect();
    if let Some(first) = missing.first() {
        let message = match missing.len() {
            1 => say!("the catalog lacks a text of the rules: `{first}`", first),
            many => say!("the catalog lacks {many} texts of the rules: `{first}` is the first", many, first),
        };
        let span = catalog.header().map_or(Span::default(), Entry::id_span);
        found.push(Diagnostic::warning(Code::LocaleMissing, message).label(span, "written before them").help(update));
    }
}

/// What is wrong with the translations of one entry.
pub(super) fn faults_of(catalog: &Po, entry: &Entry, plural: Option<&Plural>, lang: &str) -> Vec<Diagnostic> {
    let mut looking = Looking { catalog, entry, found: Vec::new() };
    if entry.is_fuzzy() || entry.broken || !entry.is_begun() {
        return looking.found;
    }
    if let (Some(plural), Some(_)) = (plural, &entry.plural)
        && entry.texts.len() != plural.count()
    {
        let (has, wants) = (entry.texts.len(), plural.count());
        looking.tell(
            0,
            None,
            Code::LocalePlural,
            say!("{has} plural forms, and the header says {wants}", has, wants),
            |fault| fault.help(say!("write `msgstr[0]` to `msgstr[{wants}]`", wants = wants - 1)),
        );
    }
    for (form, text) in entry.texts.iter().enumerate() {
        if text.is_empty() {
            looking.warn(form, Code::LocaleMissing, "a plural form without its text", "empty", "translate it too");
            continue;
        }
        let serves = plural.and_then(|plural| plural::numbers(plural, form, 1));
        looking.placeholders(form, text, serves.is_some());
        looking.blanks(form, text);
        looking.punctuation(form, text, lang);
        looking.direction(form, text, lang);
        let is_same = *text == entry.id || entry.plural.as_ref() == Some(text);
        if is_same && text.chars().any(char::is_lowercase) {
            let fault = Diagnostic::note(Code::LocaleSame, "the translation is the text of the rules itself");
            looking.found.push(fault.label(entry.text_span(form), "not translated?"));
        }
    }
    looking.found
}

struct Looking<'c> {
    catalog: &'c Po,
    entry: &'c Entry,
    found: Vec<Diagnostic>,
}

impl<'c> Looking<'c> {
    /// Tells an error at a piece of a form, or at the whole of it.
    fn tell(
        &mut self,
        form: usize,
        piece: Option<&str>,
        code: Code,
        message: Wording,
        more: impl FnOnce(Diagnostic) -> Diagnostic,
    ) {
        let span = self.piece(form, piece);
        let label = if piece.is_some() { say!("here") } else { say!("in this translation") };
        self.found.push(more(Diagnostic::error(code, message).label(span, label)));
    }

    fn warn(
        &mut self,
        form: usize,
        code: Code,
        message: impl Into<Wording>,
        label: impl Into<Wording>,
        help: impl Into<Wording>,
    ) {
        let fault = Diagnostic::warning(code, message).label(self.entry.text_span(form), label);
        self.found.push(fault.help(help));
    }

    fn piece(&self, form: usize, piece: Option<&str>) -> Span {
        let span = self.entry.text_span(form);
        match piece.and_then(|piece| Some((self.catalog.source.slice(span).find(piece)?, piece.len()))) {
            Some((at, length)) => {
                let start = span.start as usize + at;
                Span::new(span.file, start..start + length)
            }
            None => span,
        }
    }

    /// Names in braces: all of them, and no others. A form that serves a single number may leave
    /// out what the rules' singular leaves out.
    fn placeholders(&mut self, form: usize, text: &str, serves_one: bool) {
        let names = |text: &str| placeholders(text).into_iter().map(|(_, name)| name.to_owned()).collect::<Vec<_>>();
        let one = names(&self.entry.id);
        let many = self.entry.plural.as_deref().map(names);
        let all: Vec<&String> = one.iter().chain(many.iter().flatten()).collect();
        let needed: Vec<&String> = match &many {
            None => one.iter().collect(),
            Some(many) => many.iter().filter(|name| !serves_one || one.contains(name)).collect(),
        };
        let shown = placeholders(text);
        for (at, name) in &shown {
            if all.iter().any(|known| known.as_str() == *name) {
                continue;
            }
            if !text[at + 1 + name.len()..].starts_with('}') {
                let message = say!("a brace that does not close");
                self.tell(form, Some("{"), Code::LocalePlaceholder, message, |f| f.help("for a brace write `{{`"));
                continue;
            }
            let near = nearest(name, all.iter().map(|known| known.as_str()));
            let written = format!("{{{name}}}");
            let message = say!("`{written}` is not in the text of the rules", written);
            let help = match near {
                Some(near) => say!("write `{{{near}}}`", near),
                None if all.is_empty() => say!("take it out; for a brace write `{{`"),
                None => say!("write `{{{all}}}`, or take it out", all = all[0]),
            };
            self.tell(form, Some(&written), Code::LocalePlaceholder, message, |fault| fault.help(help));
        }
        let mut told = HashSet::new();
        for name in needed {
            if !shown.iter().any(|(_, known)| known == name) && told.insert(name) {
                let message = say!("the translation does not show `{{{name}}}`", name);
                let help = say!("write `{{{name}}}` where its value belongs", name);
                self.tell(form, None, Code::LocalePlaceholder, message, |fault| fault.help(help));
            }
        }
    }

    /// Choices by gender: a wording for each gender of the rules.
    fn choices(mut self, genders: Option<usize>, found: &mut Vec<Diagnostic>) {
        if self.entry.is_fuzzy() || self.entry.broken {
            return;
        }
        for (form, text) in self.entry.texts.iter().enumerate() {
            for (place, count) in choices(text).filter(|(_, count)| Some(*count) != genders) {
                let (message, help) = match genders {
                    Some(genders) => (
                        say!("{count} wordings for {genders} genders", count, genders),
                        say!("write {genders}, in the order of the kind `gender` of the rules", genders),
                    ),
                    None => (
                        say!("a choice of wordings, and the rules have no genders to choose by"),
                        say!("word it so that it fits everybody; for brackets that are shown write `[[`"),
                    ),
                };
                self.tell(form, Some(&text[place]), Code::LocaleChoices, message, |fault| fault.help(help));
            }
        }
        found.append(&mut self.found);
    }

    /// The text of the rules that a form stands for.
    fn source(&self, form: usize) -> &'c str {
        let entry: &'c Entry = self.entry;
        match &entry.plural {
            Some(plural) if form > 0 => plural,
            _ => &entry.id,
        }
    }

    fn blanks(&mut self, form: usize, text: &str) {
        let source = self.source(form);
        let before = |text: &str| text.len() - text.trim_start().len();
        let behind = |text: &str| text.len() - text.trim_end().len();
        if (before(text) > 0) != (before(source) > 0) {
            let help = say!("begin it like the text of the rules");
            self.warn(form, Code::LocaleBlanks, "blanks at the beginning differ", "its beginning", help);
        }
        if (behind(text) > 0) != (behind(source) > 0) {
            let help = say!("end it like the text of the rules");
            self.warn(form, Code::LocaleBlanks, "blanks at the end differ", "its end", help);
        }
    }

    fn punctuation(&mut self, form: usize, text: &str, lang: &str) {
        // Languages without full stops.
        if matches!(lang, "th" | "lo" | "my" | "km") {
            return;
        }
        let (source, own) = (last_sign(self.source(form), ""), last_sign(text, lang));
        if source != own {
            let message = match (source, own) {
                (Some(sign), _) => say!("the text of the rules ends in {sign}, the translation does not", sign),
                (None, Some(sign)) => say!("the translation ends in {sign}, the text of the rules does not", sign),
                (None, None) => return,
            };
            let help = say!("end it like the text of the rules");
            self.warn(form, Code::LocalePunctuation, message, "its end", help);
        }
    }

    fn direction(&mut self, form: usize, text: &str, lang: &str) {
        match direction::look(text, direction::is_right_to_left(lang)) {
            None => {}
            Some(Direction::Unclosed) => self.tell(
                form,
                None,
                Code::LocaleDirection,
                say!("a mark of direction without its other half"),
                |fault| fault.help("close U+2066, U+2067 and U+2068 with U+2069"),
            ),
            Some(Direction::Mixed) => self.warn(
                form,
                Code::LocaleDirection,
                "letters of both directions in one text",
                "it may be shown out of order",
                "put U+2068 before the foreign words and U+2069 behind them",
            ),
            Some(Direction::Foreign) => self.warn(
                form,
                Code::LocaleDirection,
                "letters that run from right to left in a language that does not",
                "another script",
                "write it in the language of the catalog",
            ),
        }
    }
}
