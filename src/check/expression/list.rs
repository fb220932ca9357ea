//! Lists of sheets, and what is asked of them.

use crate::check::Result;
use crate::check::body::{Body, From, SheetRef};
use crate::check::types::ANY_NUMBER;
use crate::dice::Compare;
use crate::program::{Op, SheetId, Type};
use crate::say;
use crate::syntax::tree::{ExprKind, List, Query};

impl<'t> Body<'_, 't> {
    /// Leaves the sheets of a list that pass its filter; their type.
    pub fn list(&mut self, list: &'t List) -> Result<SheetId> {
        let sheet = match &*list.of.kind {
            ExprKind::Name(name)
                if self.locals.iter().all(|l| l.name != name.text)
                    && !self.sheets_in_sight().iter().any(|s| self.is_written(*s, name)) =>
            {
                match self.ck.names.sheets.get(&name.text).copied() {
                    Some(sheet) => {
                        self.push(Op::Everyone(sheet));
                        sheet
                    }
                    None => {
                        let mut known: Vec<String> = self.ck.names.sheets.keys().map(|k| k.to_string()).collect();
                        for sheet in self.sheets_in_sight() {
                            known.extend(self.ck.sheet_names(sheet.sheet).lists.keys().map(|k| k.to_string()));
                        }
                        return Err(self.ck.unknown(name, say!("list of sheets"), known.iter().map(String::as_str)));
                    }
                }
            }
            _ => match self.expr(&list.of, None)? {
                Type::Sheets(sheet) => sheet,
                other => return self.mismatch(list.of.span, other, say!("a list of sheets"), None),
            },
        };
        if !list.other && list.filter.is_none() {
            return Ok(sheet);
        }
        let kept = self.temporary();
        self.push_loop_start(
            sheet,
            |body, item, again| {
                if list.other {
                    body.push(Op::Load(item));
                    body.push(Op::Me);
                    body.push(Op::Compare(Compare::Equal));
                    again.push(body.jump(Op::JumpIf));
                }
                if let Some(filter) = &list.filter {
                    let outer = body.pure.replace(say!("a condition on sheets"));
                    body.subjects.push(SheetRef { from: From::Local(item), up: 0, sheet });
                    let result = body.yes_no(filter);
                    body.subjects.pop();
                    body.pure = outer;
                    result?;
                    again.push(body.jump(Op::JumpUnless));
                }
                body.push(Op::Load(kept));
                body.push(Op::Load(item));
                body.push(Op::Append);
                body.push(Op::Store(kept));
                Ok(())
            },
            Some(kept),
        )?;
        self.push(Op::Load(kept));
        Ok(sheet)
    }

    /// A loop over the sheets on top of the stack. `inside` may add jumps to the next turn.
    pub fn push_loop_start(
        &mut self,
        _sheet: SheetId,
        inside: impl FnOnce(&mut Self, u16, &mut Vec<usize>) -> Result<()>,
        kept: Option<u16>,
    ) -> Result<()> {
        let (sheets, index, item) = (self.temporary(), self.temporary(), self.temporary());
        self.push(Op::Store(sheets));
        if let Some(kept) = kept {
            self.push(Op::NoSheets);
            self.push(Op::Store(kept));
        }
        self.push(Op::Push(0));
        self.push(Op::Store(index));
        let top = self.here();
        self.push(Op::Load(index));
        self.push(Op::Load(sheets));
        self.push(Op::Length);
        self.push(Op::Compare(Compare::AtLeast));
        let end = self.jump(Op::JumpIf);
        self.push(Op::Load(sheets));
        self.push(Op::Load(index));
        self.push(Op::Nth);
        self.push(Op::Store(item));
        let mut again = Vec::new();
        inside(self, item, &mut again)?;
        for jump in again {
            self.land(jump);
        }
        self.push(Op::Load(index));
        self.push(Op::Push(1));
        self.push(Op::Add);
        self.push(Op::Store(index));
        self.push(Op::Jump(top));
        self.land(end);
        Ok(())
    }

    pub(super) fn query(&mut self, query: &'t Query, list: &'t List) -> Result<Type> {
        let sheet = self.list(list)?;
        match query {
            Query::Count => {
                self.push(Op::Length);
                Ok(Type::Number { low: 0, high: i64::from(self.ck.makes.get(&sheet).copied().unwrap_or(u32::MAX)) })
            }
            Query::Any => {
                self.push(Op::Length);
                self.push(Op::Push(0));
                self.push(Op::Compare(Compare::Greater));
                Ok(Type::YesNo)
            }
            Query::First => {
                self.push(Op::Push(0));
                self.push(Op::Nth);
                Ok(Type::Sheet { sheet, or_none: true })
            }
            Query::Last => {
                self.push(Op::Copy);
                self.push(Op::Length);
                self.push(Op::Push(1));
                self.push(Op::Subtract);
                self.push(Op::Nth);
                Ok(Type::Sheet { sheet, or_none: true })
            }
            Query::Sum(of) | Query::Highest(of) | Query::Lowest(of) => {
                let (total, begun) = (self.temporary(), self.temporary());
                for slot in [total, begun] {
                    self.push(Op::Push(0));
                    self.push(Op::Store(slot));
                }
                self.push_loop_start(
                    sheet,
                    |body, item, _| {
                        body.subjects.push(SheetRef { from: From::Local(item), up: 0, sheet });
                        let value = body.number(of);
                        body.subjects.pop();
                        value?;
                        match query {
                            Query::Sum(_) => {
                                body.push(Op::Load(total));
                                body.push(Op::Add);
                            }
                            _ => {
                                body.push(Op::Load(begun));
                                let first = body.jump(Op::JumpUnless);
                                body.push(Op::Load(total));
                                body.push(if matches!(query, Query::Highest(_)) { Op::Max } else { Op::Min });
                                body.land(first);
                            }
                        }
                        body.push(Op::Store(total));
                        body.push(Op::Push(1));
                        body.push(Op::Store(begun));
                        Ok(())
                    },
                    None,
                )?;
                self.push(Op::Load(total));
                Ok(ANY_NUMBER)
            }
        }
    }
}
