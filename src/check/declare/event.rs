//! Events with the types of their arguments.

use super::{CHECK, ENTER, LEAVE, MADE, arguments_text, each_block, title};
use crate::say;

use smol_str::SmolStr;

use crate::check::merge::Merged;
use crate::check::{Checker, types};
use crate::diagnostics::{Code, Diagnostic};
use crate::program::*;
use crate::source::Span;
use crate::syntax::tree::{self, Part, PartKind};

impl<'t> Checker<'t> {
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

    /// Every event that a sheet declares or answers, with the types of its parameters.
    pub(super) fn declare_events(&mut self, merged: &Merged<'t>) {
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

    pub(super) fn declare_events_of(&mut self, sheet: SheetId, parts: &mut dyn Iterator<Item = &'t Part>) {
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
    pub(super) fn signature(
        &mut self,
        sheet: SheetId,
        event: EventId,
        name: &SmolStr,
        params: &'t [tree::Param],
        span: Span,
    ) {
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
                        say!(
                            "`{name}` has {known} in one place and {params} in another",
                            name,
                            known = arguments_text(known),
                            params = params.len()
                        ),
                    )
                    .label(span, say!("{params} here", params = params.len()))
                    .label(first, say!("{known} here", known))
                    .help("write the same arguments in both"),
                );
            }
            return;
        }
        self.signatures.insert(name.clone(), span);
        self.tell_twice(params);
        let mut list = Vec::with_capacity(params.len());
        for param in params {
            let ty = param.ty.as_ref().and_then(|ty| types::resolve(self, ty).ok());
            if ty.is_none() {
                self.untyped.insert(param.name.span);
            }
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
}
