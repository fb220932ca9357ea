//! Sets, arithmetic and comparisons.

use crate::check::body::Body;
use crate::check::names::Member as Meaning;
use crate::check::types::{self, ANY_NUMBER};
use crate::check::{Result, Told};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::dice::Compare;
use crate::program::{Op, Type};
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{Arithmetic, Expr, ExprKind};

impl<'t> Body<'_, 't> {
    pub(super) fn set(&mut self, members: &'t [Expr], want: Option<Type>) -> Result<Type> {
        let want = match want {
            Some(set @ (Type::SetOfKind(_) | Type::SetOfRows(_))) => set,
            _ => {
                // The first member says of what.
                let Some(first) = members.first() else {
                    self.push(Op::Push(0));
                    return Err(Told);
                };
                let before = self.ops.len();
                let ty = self.expr(first, None)?;
                self.ops.truncate(before);
                self.set_of(ty, first.span)?
            }
        };
        self.push(Op::Push(0));
        for member in members {
            self.expr(member, Some(want))?;
            self.push(Op::Union);
        }
        Ok(want)
    }

    /// The set that members of this type make.
    pub(super) fn set_of(&mut self, ty: Type, span: Span) -> Result<Type> {
        match ty {
            Type::Number { .. } => {
                let name = self.text(span);
                let help =
                    say!("compare the number: `{name} == 3 or {name} == 4`, or `{name} >= 3 and {name} <= 4`", name);
                self.mismatch(span, ty, say!("a member of a kind"), Some(help))
            }
            Type::Kind { kind, .. } => Ok(Type::SetOfKind(kind)),
            Type::Row { table, .. } => Ok(Type::SetOfRows(table)),
            other => self.mismatch(span, other, say!("a member of a kind"), None),
        }
    }

    /// `foe in chosen`: the sheets stand on the stack.
    pub(super) fn sheet_in(&mut self, item: &'t Expr, sheets: Type, negated: bool) -> Result<Type> {
        let Type::Sheets(sheet) = sheets else { return Err(Told) };
        let (list, wanted, found) = (self.temporary(), self.temporary(), self.temporary());
        self.push(Op::Store(list));
        self.expr(item, Some(Type::Sheet { sheet, or_none: true }))?;
        self.push(Op::Store(wanted));
        self.push(Op::Push(0));
        self.push(Op::Store(found));
        self.push(Op::Load(list));
        self.push_loop_start(
            sheet,
            |body, item, again| {
                body.push(Op::Load(item));
                body.push(Op::Load(wanted));
                body.push(Op::Compare(Compare::Equal));
                again.push(body.jump(Op::JumpUnless));
                body.push(Op::Push(1));
                body.push(Op::Store(found));
                Ok(())
            },
            None,
        )?;
        self.push(Op::Load(found));
        if negated {
            self.push(Op::Not);
        }
        Ok(Type::YesNo)
    }

    pub(super) fn arithmetic(
        &mut self,
        op: Arithmetic,
        a: &'t Expr,
        b: &'t Expr,
        span: Span,
        want: Option<Type>,
    ) -> Result<Type> {
        // Sets: what unites and what takes away.
        if let Some(set @ (Type::SetOfKind(_) | Type::SetOfRows(_))) = want {
            self.expr(a, Some(set))?;
            self.expr(b, Some(set))?;
            match op {
                Arithmetic::Add => self.push(Op::Union),
                Arithmetic::Subtract => self.push(Op::Without),
                _ => return self.mismatch(span, set, say!("a number"), None),
            }
            return Ok(set);
        }
        let first = match want {
            None => self.expr(a, None)?,
            Some(_) => self.expr(a, Some(ANY_NUMBER))?,
        };
        let (a_low, a_high) = match first {
            Type::Number { low, high } => (low, high),
            set @ (Type::SetOfKind(_) | Type::SetOfRows(_)) => {
                self.expr(b, Some(set))?;
                self.push(match op {
                    Arithmetic::Add => Op::Union,
                    Arithmetic::Subtract => Op::Without,
                    _ => return self.mismatch(a.span, set, say!("a number"), None),
                });
                return Ok(set);
            }
            other => {
                let wanted = self.ck.type_name(ANY_NUMBER);
                return self.mismatch(a.span, other, wanted, None);
            }
        };
        let (b_low, b_high) = self.number(b)?;
        let (low, high) = match op {
            Arithmetic::Add => {
                self.push(Op::Add);
                (a_low.saturating_add(b_low), a_high.saturating_add(b_high))
            }
            Arithmetic::Subtract => {
                self.push(Op::Subtract);
                (a_low.saturating_sub(b_high), a_high.saturating_sub(b_low))
            }
            Arithmetic::Multiply => {
                self.push(Op::Multiply);
                let corners = [(a_low, b_low), (a_low, b_high), (a_high, b_low), (a_high, b_high)]
                    .map(|(x, y)| x.saturating_mul(y));
                (corners.into_iter().min().unwrap_or(i64::MIN), corners.into_iter().max().unwrap_or(i64::MAX))
            }
            Arithmetic::Divide(rounding) => {
                let Some(rounding) = rounding else {
                    return Err(self.ck.tell(
                        Diagnostic::error(Fault::TypeMismatch, "a division says how it is rounded")
                            .label(span, "rounded up or down")
                            .help(say!("write `{value} down` (or `up`, or `near`)", value = self.text(span)))
                            .edit(span.after(), " down"),
                    ));
                };
                if (b_low, b_high) == (0, 0) {
                    return Err(self.ck.tell(
                        Diagnostic::error(Fault::TypeBounds, "nothing can be divided by 0")
                            .label(b.span, "this is 0")
                            .help("divide by another number: `… / 2 down`"),
                    ));
                }
                self.push(Op::Divide(rounding));
                if b_low > 0 && a_low > i64::MIN && a_high < i64::MAX {
                    ((a_low / b_low).min(a_low / b_high) - 1, (a_high / b_low).max(a_high / b_high) + 1)
                } else {
                    (i64::MIN, i64::MAX)
                }
            }
            Arithmetic::Remainder => {
                self.push(Op::Remainder);
                if b_low > 0 { (0, b_high.saturating_sub(1)) } else { (i64::MIN, i64::MAX) }
            }
        };
        Ok(Type::Number { low, high })
    }

    pub(super) fn compare(&mut self, compare: Compare, a: &'t Expr, b: &'t Expr) -> Result<Type> {
        self.compare_sides(compare, a, b)?;
        self.push(Op::Compare(compare));
        Ok(Type::YesNo)
    }

    /// Both sides onto the stack; their types.
    pub fn compare_sides(&mut self, compare: Compare, a: &'t Expr, b: &'t Expr) -> Result<(Type, Type)> {
        let left = self.expr(a, None)?;
        let want = match left {
            Type::Kind { .. } | Type::Row { .. } | Type::Sheet { .. } => types::with_none(left),
            Type::Number { .. } => ANY_NUMBER,
            other => other,
        };
        if !matches!(left, Type::Number { .. }) && !matches!(compare, Compare::Equal | Compare::NotEqual) {
            let ordered = matches!(left, Type::Kind { .. } | Type::Row { .. });
            if !ordered {
                return self.mismatch(a.span, left, say!("a number"), Some(say!("write `==` or `!=`")));
            }
        }
        // A state is compared with a state's name.
        let right = match (left, &*b.kind) {
            (Type::State(sheet), ExprKind::Name(name)) => {
                match self.ck.sheet_names(sheet).states.get(&name.text).copied() {
                    Some(state) => {
                        self.push(Op::Push(i64::from(state)));
                        left
                    }
                    None => {
                        let known: Vec<String> =
                            self.ck.sheet_names(sheet).states.keys().map(|k| k.to_string()).collect();
                        let fault = crate::check::names::unknown(name, say!("state"), known.iter().map(String::as_str));
                        return Err(self.ck.tell(Diagnostic { code: Fault::StateUnknown, ..fault }));
                    }
                }
            }
            // The same row's name may stand in several tables that make the sheet.
            (Type::Made(sheet), ExprKind::Name(name)) => {
                let rows: Vec<i64> = self
                    .ck
                    .names
                    .members
                    .get(&name.text)
                    .into_iter()
                    .flatten()
                    .filter_map(|m| match m {
                        Meaning::Row(table, row) if self.ck.sheet_names(sheet).makers.contains(table) => {
                            Some(i64::from(table.0) << 32 | i64::from(*row))
                        }
                        _ => None,
                    })
                    .collect();
                match rows[..] {
                    [row] => {
                        self.push(Op::Push(row));
                        left
                    }
                    [] => return self.unknown_name(name, None),
                    _ => {
                        return Err(self.ck.tell(
                            Diagnostic::error(
                                Fault::NameAmbiguous,
                                say!("several tables have a row `{name}`", name = name.text),
                            )
                            .label(name.span, "which table's")
                            .help(say!("give the rows of each table their own names: `{name}_2`", name = name.text)),
                        ));
                    }
                }
            }
            _ => self.expr(b, Some(want))?,
        };
        Ok((left, right))
    }
}
