//! Sheets and how they belong together.

use super::title;
use crate::say;

use smol_str::SmolStr;

use crate::check::Checker;
use crate::check::merge::SheetParts;
use crate::check::names::SheetNames;
use crate::diagnostics::{Code, Diagnostic};
use crate::program::*;
use crate::syntax::tree::{self, PartKind};

impl<'t> Checker<'t> {
    pub(super) fn declare_sheet(&mut self, sheet: &'t tree::Sheet) {
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
    pub(super) fn link_sheets(&mut self, sheets: &[SheetParts<'t>]) {
        let known: Vec<SmolStr> = self.names.sheets.keys().cloned().collect();
        for (index, parts) in sheets.iter().enumerate() {
            for (name, is_owner) in [(&parts.tree.owner, true), (&parts.tree.like, false)] {
                let Some(name) = name else { continue };
                match self.names.sheets.get(&name.text).copied() {
                    Some(id) if is_owner => self.program.sheets[index].owner = Some(id),
                    Some(id) => self.program.sheets[index].base = Some(id),
                    None => {
                        self.unknown(name, say!("sheet"), known.iter().map(SmolStr::as_str));
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
                        let name = &sheets[index].tree.name;
                        let message = match which {
                            0 => say!("the sheet `{name}` is like itself", name = name.text),
                            _ => say!("the sheet `{name}` belongs to itself", name = name.text),
                        };
                        self.tell(Diagnostic::error(Code::EventCircle, message).label(name.span, "in a circle").help(
                            if which == 0 {
                                "take `like …` out of one of them"
                            } else {
                                "take `of …` out of one of them"
                            },
                        ));
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
}
