//! What every name of the rules stands for, and how a name that stands for nothing is told.

use std::collections::{BTreeSet, HashMap};

use smol_str::SmolStr;

use crate::diagnostics::{Code, Diagnostic, nearest};
use crate::program::{EventId, KindId, OptionId, ScenarioId, SheetId, TableId};
use crate::say;
use crate::source::Span;
use crate::syntax::tree::Name;
use crate::wording::Wording;

/// As many names that would stand for something are listed in a message.
pub(crate) const LISTED: usize = 8;

/// Names at the top of the files. Kinds, tables, sheets and scenarios share one namespace.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub kinds: HashMap<SmolStr, KindId>,
    pub tables: HashMap<SmolStr, TableId>,
    pub sheets: HashMap<SmolStr, SheetId>,
    pub scenarios: HashMap<SmolStr, ScenarioId>,
    pub options: HashMap<SmolStr, OptionId>,
    pub events: HashMap<SmolStr, EventId>,
    /// `time end_of_next_turn = turn_end after turn`, as the events awaited in turn.
    pub times: HashMap<SmolStr, Vec<EventId>>,
    /// Where a name of the shared namespace was first written.
    pub places: HashMap<SmolStr, Span>,
    /// Members of kinds, rows of tables and members of options, by name.
    pub members: HashMap<SmolStr, Vec<Member>>,
}

/// One meaning of a name that belongs to a closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Member {
    Kind(KindId, u32),
    Row(TableId, u32),
    Option(OptionId, u32),
}

/// Names of one type of sheet.
#[derive(Debug, Clone, Default)]
pub(crate) struct SheetNames {
    pub tracks: HashMap<SmolStr, u16>,
    pub lists: HashMap<SmolStr, usize>,
    pub values: HashMap<SmolStr, u16>,
    pub checks: HashMap<SmolStr, u16>,
    pub states: HashMap<SmolStr, u32>,
    pub places: HashMap<SmolStr, Span>,
    /// Tables whose rows make this sheet.
    pub makers: Vec<TableId>,
}

impl SheetNames {
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.tracks
            .keys()
            .chain(self.lists.keys())
            .chain(self.values.keys())
            .chain(self.checks.keys())
            .chain(self.states.keys())
            .map(SmolStr::as_str)
    }
}

/// `name` stands for nothing here; `known` are names that would.
pub(crate) fn unknown<'a>(name: &Name, what: Wording, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
    let fault =
        Diagnostic::error(Code::NameUnknown, say!("there is no {what} called `{name}`", what, name = name.text));
    let known: BTreeSet<&str> = known.into_iter().collect();
    match nearest(&name.text, known.iter().copied()) {
        Some(near) => fault
            .label(name.span, say!("perhaps `{near}`", near))
            .help(say!("write `{near}`", near))
            .edit(name.span, near),
        None => {
            let fault = fault.label(name.span, "not known here");
            match declared(&name.text, &what.to_string(), &known) {
                Some(help) => fault.help(help),
                None => fault,
            }
        }
    }
}

/// How to declare a name that is near to no other; or which there are, where they are few.
fn declared(name: &str, what: &str, known: &BTreeSet<&str>) -> Option<Wording> {
    let is = |word: &str| what == word || what.strip_prefix(word).is_some_and(|rest| rest.starts_with(" of "));
    Some(if is("sheet") {
        say!("declare it: `sheet {name} {{ … }}`", name)
    } else if is("list of sheets") {
        say!("declare it in the sheet: `{name}: list of … up to 20`", name)
    } else if is("track, value or sheet given") {
        say!("give a sheet this name: `given … {name}`, or declare it in the sheet: `{name}: 0..20 = 0`", name)
    } else if is("track") || is("track or value") || is("track, value or name") {
        say!("declare it in the sheet: `{name}: 0..20 = 0`", name)
    } else if is("value") {
        say!("declare it in the sheet: `value {name} = 0`", name)
    } else if is("check") {
        say!("declare it in the sheet: `check {name} = 2d6 passes on 8+`", name)
    } else if is("event") {
        say!("declare it in the sheet: `event {name}`", name)
    } else if (1..=LISTED).contains(&known.len()) {
        let known: Vec<&str> = known.iter().copied().collect();
        match known.as_slice() {
            [only] => say!("write `{only}`", only),
            _ => say!("write one of `{known}`", known = known.join("`, `")),
        }
    } else {
        return None;
    })
}

/// The same name written twice where it may stand once.
pub(crate) fn duplicate(name: &Name, first: Span) -> Diagnostic {
    Diagnostic::error(Code::NameDuplicate, say!("`{name}` is already taken", name = name.text))
        .label(name.span, "again here")
        .label(first, "first here")
        .help(say!("give one of them another name, such as `{name}_2`", name = name.text))
}
