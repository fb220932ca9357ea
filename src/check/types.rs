//! Types as written to types as meant; numbers known before anything runs.

use crate::wording::Wording;
use smol_str::SmolStr;

use super::{Checker, Result};
use crate::diagnostics::{Code, Diagnostic};
use crate::program::{SET_MEMBERS, Type};
use crate::say;
use crate::syntax::tree::{self, Arithmetic, Expr, ExprKind, TypeKind};

pub(crate) const ANY_NUMBER: Type = Type::Number { low: i64::MIN, high: i64::MAX };

/// What a type written in the rules means. Bounds that are worked out count as open here; the
/// track's own code has them.
pub(crate) fn resolve(checker: &mut Checker, ty: &tree::Type) -> Result<Type> {
    match &ty.kind {
        TypeKind::Number => Ok(ANY_NUMBER),
        TypeKind::YesNo => Ok(Type::YesNo),
        TypeKind::Dice => Ok(Type::Dice),
        TypeKind::Text => Ok(Type::Text),
        TypeKind::Range(range) => {
            let low = range.low.as_ref().map_or(Some(i64::MIN), number);
            let high = range.high.as_ref().map_or(Some(i64::MAX), number);
            if let (Some(low), Some(high)) = (low, high)
                && low > high
            {
                return Err(checker.tell(
                    Diagnostic::error(Code::TableReversed, say!("`{low}..{high}` runs backwards", low, high))
                        .label(range.span, "the smaller number comes first")
                        .help(say!("write `{high}..{low}`", high, low))
                        .edit(range.span, format!("{high}..{low}")),
                ));
            }
            Ok(Type::Number { low: low.unwrap_or(i64::MIN), high: high.unwrap_or(i64::MAX) })
        }
        TypeKind::Named { name, or_none } => {
            if let Some(kind) = checker.names.kinds.get(&name.text) {
                return Ok(Type::Kind { kind: *kind, or_none: *or_none });
            }
            if let Some(table) = checker.names.tables.get(&name.text) {
                return Ok(Type::Row { table: *table, or_none: *or_none });
            }
            if let Some(sheet) = checker.names.sheets.get(&name.text) {
                return Ok(Type::Sheet { sheet: *sheet, or_none: *or_none });
            }
            let mut known: Vec<SmolStr> = checker.names.kinds.keys().cloned().collect();
            known.extend(checker.names.tables.keys().cloned());
            known.extend(checker.names.sheets.keys().cloned());
            Err(checker.unknown(name, say!("kind, table or sheet"), known.iter().map(SmolStr::as_str)))
        }
        TypeKind::Set(name) => {
            let (ty, members) = if let Some(kind) = checker.names.kinds.get(&name.text) {
                (Type::SetOfKind(*kind), checker.program.kinds[kind.index()].members.len())
            } else if let Some(table) = checker.names.tables.get(&name.text) {
                (Type::SetOfRows(*table), checker.program.tables[table.index()].rows.len())
            } else {
                let mut known: Vec<SmolStr> = checker.names.kinds.keys().cloned().collect();
                known.extend(checker.names.tables.keys().cloned());
                return Err(checker.unknown(name, say!("kind or table"), known.iter().map(SmolStr::as_str)));
            };
            if members > SET_MEMBERS {
                return Err(checker.tell(
                    Diagnostic::error(
                        Code::FileLimit,
                        say!(
                            "a set is made of at most {set_members} members, and `{name}` has {members}",
                            set_members = SET_MEMBERS,
                            name = name.text,
                            members
                        ),
                    )
                    .label(name.span, "too many members for a set")
                    .help("split the kind, or keep a list of sheets instead"),
                ));
            }
            Ok(ty)
        }
        TypeKind::List { .. } => Err(checker.tell(
            Diagnostic::error(Code::TypeMismatch, "a list can only stand on a sheet")
                .label(ty.span, "not here")
                .help("write `one of …` to ask for one of a list"),
        )),
        TypeKind::OneOf(list) => {
            let sheet = list_sheet(checker, list)?;
            Ok(Type::Sheet { sheet, or_none: false })
        }
        TypeKind::UpTo { list, .. } => {
            let sheet = list_sheet(checker, list)?;
            Ok(Type::Sheets(sheet))
        }
    }
}

/// The type in a list named in a type: any sheet's list of that name, or a sheet's own name.
fn list_sheet(checker: &mut Checker, list: &tree::List) -> Result<crate::program::SheetId> {
    let name = match &*list.of.kind {
        ExprKind::Name(name) | ExprKind::Field(_, name) | ExprKind::My(name) => name,
        _ => {
            return Err(checker.tell(
                Diagnostic::error(Code::TypeMismatch, "this is not a list of sheets").label(list.span, "not a list"),
            ));
        }
    };
    if let Some(sheet) = checker.names.sheets.get(&name.text) {
        return Ok(*sheet);
    }
    // Lists are declared after types are first read: look through the trees' own words.
    if let Some(sheet) = checker.list_types.get(&name.text) {
        return Ok(*sheet);
    }
    let known: Vec<SmolStr> = checker.list_types.keys().cloned().collect();
    Err(checker.unknown(name, say!("list of sheets"), known.iter().map(SmolStr::as_str)))
}

/// A number that stands in the text: `7`, `-3`, `(2 * 5)`.
pub(crate) fn number(expr: &Expr) -> Option<i64> {
    match &*expr.kind {
        ExprKind::Number(n) => Some(*n),
        ExprKind::Negate(inner) => number(inner)?.checked_neg(),
        ExprKind::Group(inner) => number(inner),
        ExprKind::Arithmetic(op, a, b) => {
            let (a, b) = (number(a)?, number(b)?);
            match op {
                Arithmetic::Add => a.checked_add(b),
                Arithmetic::Subtract => a.checked_sub(b),
                Arithmetic::Multiply => a.checked_mul(b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Like [`number`], telling where it is none.
pub(crate) fn constant(checker: &mut Checker, expr: &Expr) -> Result<i64> {
    number(expr).ok_or_else(|| {
        checker.tell(
            Diagnostic::error(Code::TypeMismatch, "a number has to stand here")
                .label(expr.span, "not a number")
                .help("write it out: `20`"),
        )
    })
}

/// What a value's formula gives, by its look: questions give yes or no, all else numbers.
pub(crate) fn guess(formula: &Expr) -> Type {
    match &*formula.kind {
        ExprKind::Yes
        | ExprKind::No
        | ExprKind::Not(_)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Compare(..)
        | ExprKind::In { .. }
        | ExprKind::Query { query: tree::Query::Any, .. } => Type::YesNo,
        ExprKind::Group(inner) => guess(inner),
        ExprKind::If { then, .. } => guess(then),
        _ => ANY_NUMBER,
    }
}

/// Whether none is among a type's values.
pub(crate) fn takes_none(ty: Type) -> bool {
    matches!(ty, Type::Kind { or_none: true, .. } | Type::Row { or_none: true, .. } | Type::Sheet { or_none: true, .. })
}

pub(crate) fn with_none(ty: Type) -> Type {
    match ty {
        Type::Kind { kind, .. } => Type::Kind { kind, or_none: true },
        Type::Row { table, .. } => Type::Row { table, or_none: true },
        Type::Sheet { sheet, .. } => Type::Sheet { sheet, or_none: true },
        other => other,
    }
}

impl Checker<'_> {
    /// A type in words, for messages.
    pub fn type_name(&self, ty: Type) -> Wording {
        let none = |what: Wording, or_none: bool| match or_none {
            true => say!("{what} or none", what),
            false => what,
        };
        match ty {
            Type::Number { .. } => say!("a number"),
            Type::YesNo => say!("yes or no"),
            Type::Kind { kind, or_none } => {
                none(say!("a `{kind}`", kind = self.program.kinds[kind.index()].id), or_none)
            }
            Type::Row { table, or_none } => {
                none(say!("a row of `{table}`", table = self.program.tables[table.index()].id), or_none)
            }
            Type::Made(sheet) => say!("the row of a `{sheet}`", sheet = self.sheet(sheet).id),
            Type::SetOfKind(kind) => say!("a set of `{kind}`", kind = self.program.kinds[kind.index()].id),
            Type::SetOfRows(table) => say!("a set of rows of `{table}`", table = self.program.tables[table.index()].id),
            Type::State(sheet) => say!("a state of `{sheet}`", sheet = self.sheet(sheet).id),
            Type::Option(option) => say!("a choice of `{option}`", option = self.program.options[option.index()].id),
            Type::Sheet { sheet, or_none } => none(say!("a `{sheet}`", sheet = self.sheet(sheet).id), or_none),
            Type::Sheets(sheet) => say!("several of `{sheet}`", sheet = self.sheet(sheet).id),
            Type::Dice => "dice".into(),
            Type::Text => say!("a text"),
        }
    }
}
