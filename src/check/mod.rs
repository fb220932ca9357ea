//! Tree to program: names, types, ranges, states, texts. One file a question.
//!
//! Checking goes through the whole of a file whatever it finds, so that all faults come in one
//! go; a program is made only where none is an error.

mod argument;
mod block;
mod body;
mod circles;
mod declare;
mod dice;
mod expected;
mod expression;
mod given;
mod merge;
mod names;
mod plain_roll;
mod ranges;
mod roll;
mod scenario;
mod sentence;
mod sheet;
mod sources;
mod states;
mod table;
mod text;
mod titles;
mod types;

use crate::say;
use crate::wording::Wording;
pub use argument::{Argument, argument, arguments, members, options};
pub use roll::{EXPRESSION_BYTES, ad_hoc, ad_hoc_in};
pub use sources::{FILES, Finder, Sources};

use std::collections::{HashMap, HashSet};

use smol_str::SmolStr;

use crate::diagnostics::{self, Code, Diagnostic};
use crate::dice::Unanswered;
use crate::program::*;
use crate::source::{Source, Span};
use crate::syntax::tree;

use names::{Names, SheetNames};

/// What checking a file gives.
#[derive(Debug)]
pub struct Checked {
    /// Absent where a diagnostic is an error.
    pub program: Option<Program>,
    /// Sorted by place.
    pub diagnostics: Vec<Diagnostic>,
    /// All files read; a span's file is an index into them.
    pub files: Vec<Source>,
    /// Results without a row, for whoever wants to know their chance.
    pub open: Vec<Unanswered>,
}

/// A fault that has been told already: whoever gets it gives up quietly.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Told;

pub(crate) type Result<T> = std::result::Result<T, Told>;

/// Checks a file with all it uses.
pub fn check(sources: Sources) -> Checked {
    let Sources { files, trees, order, diagnostics } = sources;
    let mut checker = Checker {
        files: &files,
        whole: trees.iter().all(|tree| tree.whole),
        diagnostics,
        program: Program::default(),
        names: Names::default(),
        sheet_names: Vec::new(),
        signatures: HashMap::new(),
        fires: Vec::new(),
        makes: HashMap::new(),
        list_types: HashMap::new(),
        answered: HashSet::new(),
        phase_slots: HashMap::new(),
        row_phases: HashMap::new(),
        used_events: HashSet::new(),
        damaged: HashSet::new(),
        current: Origin::default(),
        untyped: HashSet::new(),
        overfull: HashSet::new(),
        jumps: Vec::new(),
        open: Vec::new(),
    };
    checker.note_damage();
    checker.check_header(&trees);
    let merged = merge::merge(&mut checker, &trees, &order);
    checker.declare(&merged);
    checker.table_heads(&merged);
    checker.scenario_heads(&merged);
    checker.sheets(&merged);
    checker.tables(&merged);
    checker.variants(&merged);
    checker.scenarios(&merged);
    checker.check_states(&merged);
    checker.check_circles();
    checker.titles(&merged, &trees, &order);
    let Checker { mut diagnostics, program, open, .. } = checker;
    diagnostics::sort(&mut diagnostics);
    let program = (!diagnostics::any_error(&diagnostics)).then_some(program);
    Checked { program, diagnostics, files, open }
}

/// Checks one text that uses no others.
pub fn check_text(name: &str, text: &str) -> Checked {
    check(Sources::single(name, text))
}

/// What is under way: the rules' names so far, the program so far, and what was found.
pub(crate) struct Checker<'t> {
    pub files: &'t [Source],
    /// Whether every part of every file could be read.
    pub whole: bool,
    pub diagnostics: Vec<Diagnostic>,
    pub program: Program,
    pub names: Names,
    /// By [`SheetId`].
    pub sheet_names: Vec<SheetNames>,
    /// Where an event's parameters were first written with their types.
    pub signatures: HashMap<SmolStr, Span>,
    /// Which part of the rules fires what, for circles.
    pub fires: Vec<Fires>,
    /// The most sheets a list may hold, by the type in it.
    pub makes: HashMap<SheetId, u32>,
    /// What the lists of sheets hold, by the list's name.
    pub list_types: HashMap<SmolStr, SheetId>,
    /// Which types of sheet answer or declare which events.
    pub answered: HashSet<(EventId, SheetId)>,
    /// Where each block of a sheet remembers how far it has come.
    pub phase_slots: HashMap<(SheetId, Span), u16>,
    /// How many blocks of a row have such a place.
    pub row_phases: HashMap<(TableId, u32), u32>,
    /// Events that something fires or that time brings.
    pub used_events: HashSet<EventId>,
    /// Words in the pieces that could not be read: a name among them is not told as unknown.
    pub damaged: HashSet<SmolStr>,
    /// What the code being made belongs to.
    pub current: Origin,
    /// Arguments whose type is at fault, by where they are named: whatever is done with them has no
    /// fault of its own.
    pub untyped: HashSet<Span>,
    /// Types of sheet with more states than there can be, told once.
    pub overfull: HashSet<SheetId>,
    /// Every `->` of the rules: whose state, to which, where.
    pub jumps: Vec<(SheetId, u32, Span)>,
    /// Results without a row.
    pub open: Vec<Unanswered>,
}

/// What a piece of code belongs to, for following circles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Origin {
    #[default]
    Other,
    /// A handler of this event.
    Handler(EventId),
    /// A row's body, or the table's own dice.
    Table(TableId),
    /// What a sheet of this type does when a row has made it.
    Made(SheetId),
    /// The formula of a value.
    Value(SheetId, u16),
}

/// One arrow of the graph of what leads to what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fires {
    pub from: Origin,
    pub to: Origin,
    pub span: Span,
}

impl<'t> Checker<'t> {
    pub fn tell(&mut self, diagnostic: Diagnostic) -> Told {
        self.diagnostics.push(diagnostic);
        Told
    }

    pub fn fires(&mut self, to: Origin, span: Span) {
        let from = self.current;
        self.fires.push(Fires { from, to, span });
    }

    /// A file says whose rules it holds, or uses one that does.
    fn check_header(&mut self, trees: &[tree::File]) {
        let has_system = trees.iter().flat_map(|t| &t.items).any(|i| matches!(i.kind, tree::ItemKind::System { .. }));
        if has_system || !self.whole {
            return;
        }
        let start = Span::default();
        let is_empty = trees.first().is_none_or(|t| t.items.is_empty());
        let what = match is_empty {
            true => say!("there are no rules in this file"),
            false => say!("nothing says whose rules these are"),
        };
        self.tell(
            Diagnostic::error(diagnostics::Code::Syntax, what)
                .label(start, if is_empty { "nothing here" } else { "before this" })
                .help("begin with `system my_game \"My game\" lang es`")
                .edit(start, "system my_game \"My game\" lang es\n\n"),
        );
    }

    /// Remembers the words of every line with a fault of syntax: what was meant to be declared
    /// there must not be called unknown elsewhere.
    fn note_damage(&mut self) {
        for diagnostic in &self.diagnostics {
            if diagnostic.severity != diagnostics::Severity::Error {
                continue;
            }
            let Some(span) = diagnostic.span() else { continue };
            let Some(file) = self.files.get(span.file.0 as usize) else { continue };
            let first = file.place(span.start as usize).line;
            let mut last = file.place(span.end as usize).line;
            // Where the head of an item could not be read, nothing in its braces is known.
            let starts = |line: usize| file.text[file.line(line)].starts_with(char::is_alphabetic);
            if starts(first) {
                let after = (last + 1..=file.place(file.text.len()).line).take_while(|line| !starts(*line));
                last = after.last().unwrap_or(last);
            }
            for line in first..=last {
                let text = &file.text[file.line(line)];
                if text.contains(" makes ") {
                    self.damaged.insert("row".into());
                }
                for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()) {
                    self.damaged.insert(word.into());
                }
            }
        }
    }

    /// Whether a part that could not be read lies within this stretch.
    pub fn is_damaged(&self, span: Span) -> bool {
        self.diagnostics.iter().any(|d| {
            matches!(d.code, Code::Syntax | Code::SyntaxDepth | Code::FileLimit)
                && d.severity == diagnostics::Severity::Error
                && d.span().is_some_and(|s| s.file == span.file && s.start >= span.start && s.start <= span.end)
        })
    }

    /// Tells of a name that stands for nothing, unless it was most likely declared in a part that
    /// could not be read.
    pub fn unknown<'a>(&mut self, name: &tree::Name, what: Wording, known: impl IntoIterator<Item = &'a str>) -> Told {
        if !self.damaged.contains(&name.text) {
            let diagnostic = names::unknown(name, what, known);
            self.diagnostics.push(diagnostic);
        }
        Told
    }

    pub fn sheet(&self, id: SheetId) -> &Sheet {
        &self.program.sheets[id.index()]
    }

    pub fn sheet_names(&self, id: SheetId) -> &SheetNames {
        &self.sheet_names[id.index()]
    }

    /// Whether a sheet of type `a` is also one of type `b`.
    pub fn is_like(&self, a: SheetId, b: SheetId) -> bool {
        let mut at = Some(a);
        while let Some(id) = at {
            if id == b {
                return true;
            }
            at = self.sheet(id).base;
        }
        false
    }
}
