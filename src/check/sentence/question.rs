//! Questions to those at the table, and texts that are said.

use smol_str::SmolStr;

use crate::check::Result;
use crate::check::body::Body;
use crate::check::types;
use crate::diagnostics::nearest;
use crate::program::{Op, Question, QuestionId, Type};
use crate::say;
use crate::syntax::tree::{self, Expr, ExprKind, Name, TypeKind, Who};

impl<'t> Body<'_, 't> {
    pub(super) fn ask(
        &mut self,
        who: Who,
        name: &'t Name,
        ty: &'t tree::Type,
        default: &'t Expr,
        question: Option<&'t tree::Text>,
    ) -> Result<()> {
        self.impure(name.span, say!("ask"))?;
        let first = |e: &Expr| matches!(&*e.kind, ExprKind::Name(n) if n.text == "first");
        let answer = match &ty.kind {
            TypeKind::Range(range) => {
                let mut bounds = (i64::MIN, i64::MAX);
                for (end, is_low) in [(&range.low, true), (&range.high, false)] {
                    let found = match end {
                        Some(end) => self.number(end)?,
                        None => {
                            let open = if is_low { i64::MIN } else { i64::MAX };
                            self.push(Op::Push(open));
                            (open, open)
                        }
                    };
                    if is_low { bounds.0 = found.0 } else { bounds.1 = found.1 }
                }
                let ty = Type::Number { low: bounds.0, high: bounds.1 };
                self.expr(default, Some(ty))?;
                ty
            }
            TypeKind::OneOf(list) => {
                let sheet = self.list(list)?;
                if first(default) {
                    self.push(Op::Copy);
                    self.push(Op::Push(0));
                    self.push(Op::Nth);
                } else {
                    self.expr(default, Some(Type::Sheet { sheet, or_none: true }))?;
                }
                Type::Sheet { sheet, or_none: true }
            }
            TypeKind::UpTo { most, list } => {
                let sheet = self.list(list)?;
                let kept = self.temporary();
                self.push(Op::Store(kept));
                self.push(Op::Load(kept));
                self.number(most)?;
                if first(default) {
                    self.push(Op::Load(kept));
                } else {
                    self.expr(default, Some(Type::Sheets(sheet)))?;
                }
                Type::Sheets(sheet)
            }
            _ => {
                let ty = types::resolve(self.ck, ty)?;
                self.expr(default, Some(ty))?;
                ty
            }
        };
        let mut values: Box<[(u16, Type)]> = Box::new([]);
        let text = match question {
            Some(text) => {
                let shown = self.showable(std::slice::from_ref(text))?;
                let path = format!("{}/{}", self.path, name.text);
                // A name whose value is faulty is known all the same.
                let known = self.showable_names();
                let message = self.ck.message(Some(path), std::slice::from_ref(text), None, &known);
                let names = &self.ck.program.messages[message.index()].names;
                values = names.iter().filter_map(|n| shown.iter().find(|s| s.0 == *n).map(|s| (s.1, s.2))).collect();
                Some(message)
            }
            None => None,
        };
        let id = QuestionId(self.ck.program.questions.len() as u32);
        self.ck.program.questions.push(Question {
            master: who == Who::Master,
            id: name.text.clone(),
            text,
            values,
            ty: answer,
            several: matches!(answer, Type::Sheets(_)),
            span: name.span,
        });
        self.push(Op::Ask(id));
        let slot = self.local(name, Some(answer));
        self.push(Op::Store(slot));
        self.keep_local(name, slot, answer);
        Ok(())
    }

    /// The names that these texts show and that have a value here, each put in a local.
    pub fn showable(&mut self, texts: &[tree::Text]) -> Result<Vec<(SmolStr, u16, Type)>> {
        let mut list: Vec<(SmolStr, u16, Type)> = Vec::new();
        for text in texts {
            for (_, name) in crate::check::text::placeholders(&text.value) {
                if list.iter().any(|l| l.0 == name) {
                    continue;
                }
                if let Some(local) = self.find_local(name) {
                    if let Some(ty) = local.ty {
                        list.push((name.into(), local.slot, ty));
                    }
                    continue;
                }
                let in_sight = self.sheets_in_sight().into_iter().find(|s| {
                    let names = self.ck.sheet_names(s.sheet);
                    names.tracks.contains_key(name)
                        || names
                            .values
                            .get(name)
                            .is_some_and(|v| self.ck.sheet(s.sheet).values[*v as usize].params.is_empty())
                });
                if let Some(sheet) = in_sight {
                    let names = self.ck.sheet_names(sheet.sheet);
                    let (op, ty) = match (names.tracks.get(name).copied(), names.values.get(name).copied()) {
                        (Some(slot), _) => (Op::Slot(slot), self.ck.sheet(sheet.sheet).slots[slot as usize].ty),
                        (None, Some(value)) => {
                            (Op::Value { value, args: 0 }, self.ck.sheet(sheet.sheet).values[value as usize].ty)
                        }
                        (None, None) => continue,
                    };
                    self.push_sheet(sheet);
                    self.push(op);
                    let slot = self.temporary();
                    self.push(Op::Store(slot));
                    list.push((name.into(), slot, ty));
                    continue;
                }
                // A misspelt name in a text is one fault: what it was meant to show counts as read.
                let names = self.showable_names();
                if let Some(near) = nearest(name, names.iter().map(SmolStr::as_str)) {
                    self.find_local(near);
                }
            }
        }
        Ok(list)
    }

    /// All names that a text here may show.
    pub(super) fn showable_names(&self) -> Vec<SmolStr> {
        let mut names: Vec<SmolStr> = self.locals.iter().map(|l| l.name.clone()).collect();
        for sheet in self.sheets_in_sight() {
            let known = self.ck.sheet_names(sheet.sheet);
            names.extend(known.tracks.keys().cloned());
            let values = &self.ck.sheet(sheet.sheet).values;
            names.extend(values.iter().filter(|v| v.params.is_empty()).map(|v| v.id.clone()));
        }
        names
    }

    pub(super) fn say(&mut self, texts: &'t [tree::Text]) -> Result<()> {
        self.impure(texts.first().map(|t| t.span).unwrap_or_default(), say!("say anything"))?;
        let shown = self.showable(texts)?;
        let known = self.showable_names();
        self.texts += 1;
        let path = format!("{}/say_{}", self.path, self.texts);
        let message = self.ck.message(Some(path), texts, None, &known);
        let names = self.ck.program.messages[message.0 as usize].names.clone();
        let values = names.iter().filter_map(|n| shown.iter().find(|s| s.0 == *n).map(|s| (s.1, s.2))).collect();
        self.push(Op::Say { message, values });
        Ok(())
    }
}
