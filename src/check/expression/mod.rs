//! Expressions: what each name in them means, what type they give, and the code that does it.

mod call;
mod list;
mod name;
mod operation;
mod read;

use crate::check::Result;
use crate::check::body::{Body, From, SheetRef};
use crate::check::types;
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::dice::Compare;
use crate::program::{NONE, Op, Type};
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{Expr, ExprKind, Query};
use crate::wording::Wording;

impl<'t> Body<'_, 't> {
    /// Code that leaves the value of an expression; `want` is what has to stand here, if known.
    pub fn expr(&mut self, expr: &'t Expr, want: Option<Type>) -> Result<Type> {
        if want == Some(Type::Dice) {
            self.dice_value(expr)?;
            return Ok(Type::Dice);
        }
        let found = self.bare(expr, want)?;
        match want {
            None => Ok(found),
            Some(want) => self.fit(expr, found, want),
        }
    }

    /// Makes a value of one type serve where another is wanted, where that is what was meant.
    pub(super) fn fit(&mut self, expr: &Expr, found: Type, want: Type) -> Result<Type> {
        use Type::*;
        let fits = match (found, want) {
            (Number { .. }, Number { .. }) | (YesNo, YesNo) | (Text, Text) | (Dice, Dice) => true,
            (Number { .. }, YesNo) if counts(expr) => {
                self.push(Op::Push(1));
                self.push(Op::Compare(Compare::AtLeast));
                return Ok(YesNo);
            }
            (Kind { kind: a, .. }, Kind { kind: b, .. }) => a == b,
            (Row { table: a, .. }, Row { table: b, .. }) => a == b,
            (Kind { kind: a, .. }, SetOfKind(b)) if a == b => {
                self.push(Op::Single);
                return Ok(want);
            }
            (Row { table: a, .. }, SetOfRows(b)) if a == b => {
                self.push(Op::Single);
                return Ok(want);
            }
            (Sheet { sheet: a, .. }, Sheet { sheet: b, .. }) => self.ck.is_like(a, b),
            (Sheets(a), Sheets(b)) => self.ck.is_like(a, b),
            (a, b) => a == b,
        };
        if fits {
            return Ok(found);
        }
        let wanted = self.ck.type_name(want);
        let help = match (found, want) {
            (Number { .. }, YesNo) => Some(say!("say what it is compared with: `… > 0`")),
            (Dice, Number { .. }) => Some(say!("roll it: `roll {expr}`", expr = self.text(expr.span))),
            (Text, Number { .. }) => Some(say!("write a number")),
            (Row { .. }, Number { .. }) => {
                Some(say!("read a number of the row, from a column: `what = roll …`, then `what.price`"))
            }
            (Sheets(_), YesNo) => Some(say!("write `any {expr}`", expr = self.text(expr.span))),
            (Sheets(_), Number { .. }) => Some(say!("write `count {expr}`", expr = self.text(expr.span))),
            (Number { .. } | YesNo, Kind { .. } | Row { .. } | State(_) | Option(_)) => self.one_of(want),
            (Text, _) => Some(say!("take the quotes off: a name stands without them")),
            _ => None,
        };
        self.mismatch(expr.span, found, wanted, help)
    }

    /// What can stand for a closed list, where it is short.
    fn one_of(&self, want: Type) -> Option<Wording> {
        let ids: Vec<&str> = match want {
            Type::Kind { kind, .. } => {
                self.ck.program.kinds[kind.index()].members.iter().map(|m| m.id.as_str()).collect()
            }
            Type::Row { table, .. } => {
                self.ck.program.tables[table.index()].rows.iter().map(|r| r.id.as_str()).collect()
            }
            Type::State(sheet) => self.ck.sheet(sheet).states.iter().map(|s| s.id.as_str()).collect(),
            Type::Option(option) => {
                self.ck.program.options[option.index()].members.iter().map(|m| m.id.as_str()).collect()
            }
            _ => Vec::new(),
        };
        (1..=crate::check::names::LISTED)
            .contains(&ids.len())
            .then(|| say!("write one of `{ids}`", ids = ids.join("`, `")))
    }

    pub fn text(&self, span: Span) -> String {
        self.ck.files.get(span.file.0 as usize).map(|f| f.slice(span).to_owned()).unwrap_or_default()
    }

    pub(super) fn bare(&mut self, expr: &'t Expr, want: Option<Type>) -> Result<Type> {
        if crate::check::dice::rolls(expr) {
            return self.roll_written(expr);
        }
        match &*expr.kind {
            ExprKind::Number(n) => {
                self.push(Op::Push(*n));
                Ok(Type::Number { low: *n, high: *n })
            }
            ExprKind::Yes | ExprKind::No => {
                self.push(Op::Push((*expr.kind).is_yes()));
                Ok(Type::YesNo)
            }
            ExprKind::None => match want {
                Some(set @ (Type::SetOfKind(_) | Type::SetOfRows(_))) => {
                    self.push(Op::Push(0));
                    Ok(set)
                }
                Some(Type::Sheets(sheet)) => {
                    self.push(Op::NoSheets);
                    Ok(Type::Sheets(sheet))
                }
                // A cure or an effect may itself be called `none`.
                Some(Type::Kind { .. } | Type::Row { .. }) if self.member_of("none", want).is_some() => {
                    self.member("none", expr.span, want)
                }
                Some(ty @ (Type::Sheet { .. } | Type::Kind { .. } | Type::Row { .. })) => {
                    self.push(Op::Push(NONE));
                    Ok(types::with_none(ty))
                }
                Some(other) => {
                    let wanted = self.ck.type_name(other);
                    Err(self.ck.tell(
                        Diagnostic::error(Fault::TypeMismatch, say!("{wanted} has to stand here, not `none`", wanted))
                            .label(expr.span, "nobody, nothing or the empty set")
                            .help(match other {
                                Type::YesNo => "write `no`",
                                _ => "write `0`",
                            }),
                    ))
                }
                None => Err(self.ck.tell(
                    Diagnostic::error(Fault::TypeMismatch, "`none` of what is not clear here")
                        .label(expr.span, "none of what")
                        .help("write it where a track says what it can be: `target = none`"),
                )),
            },
            ExprKind::All => match want {
                Some(set @ Type::SetOfKind(kind)) => {
                    let members = self.ck.program.kinds[kind.index()].members.len();
                    self.push(Op::Push(full_set(members)));
                    Ok(set)
                }
                Some(set @ Type::SetOfRows(table)) => {
                    let members = self.ck.program.tables[table.index()].rows.len();
                    self.push(Op::Push(full_set(members)));
                    Ok(set)
                }
                _ => Err(self.ck.tell(
                    Diagnostic::error(Fault::TypeMismatch, "`all` can only stand for a set")
                        .label(expr.span, "all of what")
                        .help("give it to a track that is a set: `arms: set of side = all`"),
                )),
            },
            ExprKind::Text(text) => {
                self.texts += 1;
                let path = (!self.path.is_empty()).then(|| format!("{}/text_{}", self.path, self.texts));
                let message = self.ck.message(path, std::slice::from_ref(text), None, &[]);
                self.push(Op::Push(i64::from(message.0)));
                Ok(Type::Text)
            }
            ExprKind::Name(name) => self.name(name, want),
            ExprKind::My(name) => match self.me {
                Some(sheet) => {
                    let me = SheetRef { from: From::Me, up: 0, sheet };
                    match self.member_of_sheet(me, name, want) {
                        Some(found) => found,
                        None => {
                            let known: Vec<String> = self.ck.sheet_names(sheet).all().map(str::to_owned).collect();
                            Err(self.ck.unknown(
                                name,
                                say!("track or value of this sheet"),
                                known.iter().map(String::as_str),
                            ))
                        }
                    }
                }
                None => Err(self.ck.tell(
                    Diagnostic::error(Fault::NameUnknown, "`my` belongs in a sheet's own rules")
                        .label(expr.span, "whose")
                        .help(say!("write `{name}` without `my`", name = name.text))
                        .edit(Span { end: name.span.start, ..expr.span }, ""),
                )),
            },
            ExprKind::Field(of, name) => self.field(of, name, want),
            ExprKind::Call(name, args) => self.call(name, args, expr.span),
            ExprKind::CallOf(of, name, args) => {
                let sheet = self.sheet_of(of)?;
                self.value_of(sheet, name, args)
            }
            ExprKind::Exploding(..) | ExprKind::Dice(_) | ExprKind::Pool(_) | ExprKind::Label(..) => {
                self.dice_value(expr)?;
                Ok(Type::Dice)
            }
            ExprKind::Group(inner) => self.bare(inner, want),
            ExprKind::Set(members) => self.set(members, want),
            ExprKind::Negate(inner) => {
                let (low, high) = self.number(inner)?;
                self.push(Op::Negate);
                Ok(Type::Number {
                    low: high.checked_neg().unwrap_or(i64::MAX),
                    high: low.checked_neg().unwrap_or(i64::MAX),
                })
            }
            ExprKind::Not(inner) => {
                self.yes_no(inner)?;
                self.push(Op::Not);
                Ok(Type::YesNo)
            }
            ExprKind::Arithmetic(op, a, b) => self.arithmetic(*op, a, b, expr.span, want),
            ExprKind::Compare(compare, a, b) => self.compare(*compare, a, b),
            ExprKind::And(a, b) => {
                self.yes_no(a)?;
                let no = self.jump(Op::JumpUnless);
                self.yes_no(b)?;
                let end = self.jump(Op::Jump);
                self.land(no);
                self.push(Op::Push(0));
                self.land(end);
                Ok(Type::YesNo)
            }
            ExprKind::Or(a, b) => {
                // `fire or cold` where a set is wanted.
                if let Some(set @ (Type::SetOfKind(_) | Type::SetOfRows(_))) = want {
                    self.expr(a, Some(set))?;
                    self.expr(b, Some(set))?;
                    self.push(Op::Union);
                    return Ok(set);
                }
                self.yes_no(a)?;
                let yes = self.jump(Op::JumpIf);
                self.yes_no(b)?;
                let end = self.jump(Op::Jump);
                self.land(yes);
                self.push(Op::Push(1));
                self.land(end);
                Ok(Type::YesNo)
            }
            ExprKind::In { item, set, negated } => {
                // The set says of what; a list in parentheses takes it from the member.
                let listed = matches!(&*set.kind, ExprKind::Set(_));
                if listed {
                    let ty = self.expr(item, None)?;
                    let want = self.set_of(ty, item.span)?;
                    self.expr(set, Some(want))?;
                } else {
                    let want = self.expr(set, None)?;
                    let member = match want {
                        Type::SetOfKind(kind) => Type::Kind { kind, or_none: true },
                        Type::SetOfRows(table) => Type::Row { table, or_none: true },
                        Type::Sheets(_) => return self.sheet_in(item, want, *negated),
                        other => return self.mismatch(set.span, other, say!("a set"), None),
                    };
                    let kept = self.temporary();
                    self.push(Op::Store(kept));
                    self.expr(item, Some(member))?;
                    self.push(Op::Load(kept));
                }
                self.push(Op::Within);
                if *negated {
                    self.push(Op::Not);
                }
                Ok(Type::YesNo)
            }
            ExprKind::If { then, condition, otherwise } => {
                self.yes_no(condition)?;
                self.condition(condition.span);
                let no = self.jump(Op::JumpUnless);
                let a = self.expr(then, want)?;
                let end = self.jump(Op::Jump);
                self.land(no);
                let b = self.expr(otherwise, want.or(Some(types::with_none(a))))?;
                self.land(end);
                Ok(match (a, b) {
                    (Type::Number { low: l, high: h }, Type::Number { low, high }) => {
                        Type::Number { low: low.min(l), high: high.max(h) }
                    }
                    _ if types::takes_none(b) => b,
                    _ => a,
                })
            }
            ExprKind::Roll(inner) => self.roll(inner),
            ExprKind::Random(inner) => {
                self.impure(expr.span, say!("roll a die"))?;
                match self.expr(inner, None)? {
                    ty @ Type::SetOfKind(kind) => {
                        self.push(Op::PickMember(ty));
                        Ok(Type::Kind { kind, or_none: true })
                    }
                    ty @ Type::SetOfRows(table) => {
                        self.push(Op::PickMember(ty));
                        Ok(Type::Row { table, or_none: true })
                    }
                    Type::Sheets(sheet) => {
                        self.push(Op::PickSheet);
                        Ok(Type::Sheet { sheet, or_none: true })
                    }
                    other => self.mismatch(inner.span, other, say!("a set or a list of sheets"), None),
                }
            }
            ExprKind::Query { query, list } => self.query(query, list),
            ExprKind::Passes { check, passes } => {
                self.impure(expr.span, say!("roll a check"))?;
                self.check_call(check, true)?;
                if !passes {
                    self.push(Op::Not);
                }
                Ok(Type::YesNo)
            }
        }
    }
}

impl crate::check::body::Local {
    /// A table's argument that the sheet made keeps under the same name is one thing, not two.
    pub(super) fn is_kept(&self, body: &Body) -> bool {
        self.is_param && body.row.is_some()
    }
}

impl ExprKind {
    pub(super) fn is_yes(&self) -> i64 {
        i64::from(matches!(self, ExprKind::Yes))
    }
}

/// Whether a number counts something, so that it can also answer yes (from 1 on).
pub(super) fn counts(expr: &Expr) -> bool {
    match &*expr.kind {
        ExprKind::Group(inner) => counts(inner),
        ExprKind::Dice(_) | ExprKind::Pool(_) | ExprKind::Query { query: Query::Count, .. } => true,
        _ => false,
    }
}

pub(super) fn full_set(members: usize) -> i64 {
    if members >= 64 { -1 } else { (1i64 << members) - 1 }
}
