//! Every name of the rules gets its id before any code is read, so that order does not matter.

mod event;
mod item;
mod member;
mod sheet;
mod table;

use crate::wording::Wording;
use smol_str::SmolStr;

use crate::check::Checker;
use crate::check::merge::Merged;
use crate::check::names::duplicate;
use crate::program::*;
use crate::say;
use crate::syntax::tree::{self, Name};

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
                dice_spans: Vec::new(),
                expectations: Vec::new(),
                chances: Vec::new(),
                lines: Vec::new(),
                snapshot: None,
                odds: None,
                span: scenario.head,
                whole: scenario.head.to(scenario.steps.last().map_or(scenario.head, |step| step.span)),
            });
        }
        self.link_sheets(&merged.sheets);
        self.declare_events(merged);
        self.declare_members(merged);
        self.declare_makers(merged);
    }

    /// Takes a name of the shared namespace; tells where it is taken already.
    pub(super) fn claim(&mut self, name: &Name) -> bool {
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
}

pub(crate) fn arguments_text(count: usize) -> Wording {
    match count {
        0 => say!("no argument"),
        1 => say!("one argument"),
        n => say!("{n} arguments", n),
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
