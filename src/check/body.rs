//! A piece of code being made: its operations, its values, and which sheets it sees.

use crate::wording::Wording;
use std::collections::HashSet;

use smol_str::SmolStr;

use super::types::ANY_NUMBER;
use super::{Checker, Result};
use crate::diagnostics::{Code as Fault, Diagnostic, nearest};
use crate::program::{Branch, Code, CodeId, Op, SheetId, TableId, Type};
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{self, Expr, ExprKind, Name, Query};

/// A value with a name, or one the checker needs for itself (without).
#[derive(Debug, Clone)]
pub(crate) struct Local {
    pub name: SmolStr,
    pub slot: u16,
    /// `None`: its own code is at fault, which has been told.
    pub ty: Option<Type>,
    pub span: Span,
    pub read: bool,
    /// `what = roll critical(damage)`: the table read, and where its arguments were put.
    pub reading: Option<(TableId, u16)>,
    pub is_param: bool,
}

/// How to get at a sheet: from the code's own sheet or one in a local, some owners up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SheetRef {
    pub from: From,
    pub up: u8,
    pub sheet: SheetId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    Me,
    Local(u16),
}

/// A value of a row's body that its blocks read: kept on the sheet made.
#[derive(Debug, Clone)]
pub(crate) struct Keeping {
    pub name: SmolStr,
    pub slot: u16,
    pub ty: Type,
}

pub(crate) struct Body<'c, 't> {
    pub ck: &'c mut Checker<'t>,
    pub ops: Vec<Op>,
    places: Vec<(u32, Span)>,
    branches: Vec<Branch>,
    pub locals: Vec<Local>,
    next: u16,
    most: u16,
    /// Whose names are in sight, innermost last.
    pub subjects: Vec<SheetRef>,
    /// The sheet whose code this is.
    pub me: Option<SheetId>,
    /// Nothing may roll, ask or change here: what stands in words, for the message.
    pub pure: Option<Wording>,
    /// A handler inside a block, or on a sheet with a final state: may end before its last sentence.
    pub held: bool,
    /// A scenario whose first sheet could not be given: names that stand for nothing may be its own.
    pub astray: bool,
    /// Scenarios: right of `=` stand only arguments and the scenario's own values.
    pub scenario: bool,
    /// The row whose body or block this is.
    pub row: Option<(TableId, u32)>,
    pub kept: Vec<Keeping>,
    /// Names of a row's values that its blocks read.
    pub keep: HashSet<SmolStr>,
    /// Blocks met in a row's body; one inside an `if` has a slot that says whether it was reached.
    pub blocks: Vec<(&'t tree::Block, Option<u16>)>,
    /// Inside an `if`, `each` or rows of an inline roll.
    pub depth: usize,
    /// Where the code of the last question about a state or a condition ends, and what it is of.
    pub asked: Option<(usize, Type)>,
    /// Jumps to the next turn of the `each` around, innermost last.
    pub again: Vec<Vec<usize>>,
    /// Where texts here are keyed: `old_world/wound/broken_leg`.
    pub path: String,
    pub texts: u32,
}

impl<'c, 't> Body<'c, 't> {
    pub fn new(ck: &'c mut Checker<'t>, me: Option<SheetId>) -> Self {
        Body {
            ck,
            ops: Vec::new(),
            places: Vec::new(),
            branches: Vec::new(),
            locals: Vec::new(),
            next: 0,
            most: 0,
            subjects: me.into_iter().map(|sheet| SheetRef { from: From::Me, up: 0, sheet }).collect(),
            me,
            pure: None,
            held: false,
            astray: false,
            scenario: false,
            row: None,
            kept: Vec::new(),
            keep: HashSet::new(),
            blocks: Vec::new(),
            depth: 0,
            asked: None,
            again: Vec::new(),
            path: String::new(),
            texts: 0,
        }
    }

    /// Code in which nothing may happen; `what` names it in messages.
    pub fn pure(mut self, what: Wording) -> Self {
        self.pure = Some(what);
        self
    }

    pub fn push(&mut self, op: Op) {
        self.ops.push(op);
    }

    /// From here on a fault at run time stands in this sentence.
    pub fn place(&mut self, span: Span) {
        let at = self.ops.len() as u32;
        match self.places.last_mut() {
            Some(last) if last.0 == at => last.1 = span,
            _ => self.places.push((at, span)),
        }
    }

    /// The next operation decides between yes and no for this condition.
    pub fn condition(&mut self, span: Span) {
        self.branch(span, true);
    }

    /// Here begins what happens on one row of a roll.
    pub fn rolled_row(&mut self, span: Span) {
        self.branch(span, false);
    }

    fn branch(&mut self, span: Span, is_condition: bool) {
        // A scenario is no rule.
        if !self.scenario {
            self.branches.push(Branch { op: self.here(), is_condition, span });
        }
    }

    /// Ends the code and stores it.
    pub fn finish(mut self) -> CodeId {
        self.tell_unread(0);
        self.push(Op::Return);
        let id = CodeId(self.ck.program.code.len() as u32);
        self.ck.program.code.push(Code {
            ops: self.ops,
            locals: self.most,
            places: self.places,
            branches: self.branches,
        });
        id
    }

    // ── Jumps ───────────────────────────────────────────────────────────────────────────────

    pub fn here(&self) -> u32 {
        self.ops.len() as u32
    }

    /// A jump whose goal comes later: set it with [`Body::land`].
    pub fn jump(&mut self, op: fn(u32) -> Op) -> usize {
        self.push(op(u32::MAX));
        self.ops.len() - 1
    }

    pub fn land(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.ops[jump] {
            Op::Jump(to) | Op::JumpIf(to) | Op::JumpUnless(to) => *to = here,
            _ => {}
        }
    }

    // ── Locals ──────────────────────────────────────────────────────────────────────────────

    /// A local without a name.
    pub fn temporary(&mut self) -> u16 {
        let slot = self.next;
        self.next += 1;
        self.most = self.most.max(self.next);
        slot
    }

    pub fn local(&mut self, name: &Name, ty: Option<Type>) -> u16 {
        let slot = self.temporary();
        self.name_local(name, ty, slot);
        slot
    }

    pub fn name_local(&mut self, name: &Name, ty: Option<Type>, slot: u16) {
        self.locals.push(Local {
            name: name.text.clone(),
            slot,
            ty,
            span: name.span,
            read: false,
            reading: None,
            is_param: false,
        });
    }

    /// An argument: the first locals, in order. Arguments need not be read.
    pub fn param(&mut self, name: &SmolStr, ty: Type, span: Span) -> u16 {
        let slot = self.temporary();
        self.locals.push(Local {
            name: name.clone(),
            slot,
            ty: (!self.ck.untyped.contains(&span)).then_some(ty),
            span,
            read: true,
            reading: None,
            is_param: true,
        });
        slot
    }

    pub fn find_local(&mut self, name: &str) -> Option<Local> {
        let local = self.locals.iter_mut().rev().find(|l| l.name == name)?;
        local.read = true;
        Some(local.clone())
    }

    /// Values named from here on are gone after [`Body::close`].
    pub fn open(&self) -> (usize, u16) {
        (self.locals.len(), self.next)
    }

    pub fn close(&mut self, opened: (usize, u16)) {
        self.tell_unread(opened.0);
        self.locals.truncate(opened.0);
    }

    /// A new value must be read; one that is nearly an existing name was meant to be that.
    fn tell_unread(&mut self, from: usize) {
        // What could not be read may have read it.
        if !self.ck.whole {
            return;
        }
        let unread: Vec<Local> = self.locals[from..].iter().filter(|l| !l.read && l.ty.is_some()).cloned().collect();
        for local in unread {
            // Another value of these rules is not what was meant: it would be written twice.
            let own = |name: &str| self.locals.iter().any(|l| !l.is_param && l.name == name);
            let known: Vec<String> = self.names_in_sight().into_iter().filter(|n| !own(n)).collect();
            let written = |text: Wording| Diagnostic::error(Fault::NameUnknown, text);
            let diagnostic = match nearest(&local.name, known.iter().map(String::as_str)) {
                Some(near) => written(say!("nothing reads `{name}`", name = local.name))
                    .label(local.span, say!("perhaps `{near}`", near))
                    .help(say!("write `{near}`", near))
                    .edit(local.span, near),
                None => Diagnostic::warning(Fault::NameUnused, say!("nothing reads `{name}`", name = local.name))
                    .label(
                        local.span,
                        if local.is_param { "asked for here, and never read" } else { "written here, and never read" },
                    )
                    .help(if local.is_param {
                        "take the argument out, or use it"
                    } else {
                        "take the line out, or use the value"
                    }),
            };
            self.ck.tell(diagnostic);
        }
    }

    // ── Names in sight ──────────────────────────────────────────────────────────────────────

    /// The sheet whose names come first.
    pub fn subject(&self) -> Option<SheetRef> {
        self.subjects.last().copied()
    }

    /// The subject and its owners, nearest first.
    pub fn sheets_in_sight(&self) -> Vec<SheetRef> {
        let mut list = Vec::new();
        let mut at = self.subject();
        while let Some(sheet) = at {
            list.push(sheet);
            if list.len() > 8 {
                break;
            }
            at = self.ck.sheet(sheet.sheet).owner.map(|owner| SheetRef {
                from: sheet.from,
                up: sheet.up + 1,
                sheet: owner,
            });
        }
        list
    }

    pub fn names_in_sight(&self) -> Vec<String> {
        let mut names: Vec<String> = self.locals.iter().map(|l| l.name.to_string()).collect();
        for sheet in self.sheets_in_sight() {
            names.extend(self.ck.sheet_names(sheet.sheet).all().map(str::to_owned));
        }
        names.extend(self.kept.iter().map(|k| k.name.to_string()));
        names
    }

    pub fn push_sheet(&mut self, sheet: SheetRef) {
        match sheet.from {
            From::Me => self.push(Op::Me),
            From::Local(slot) => self.push(Op::Load(slot)),
        }
        for _ in 0..sheet.up {
            self.push(Op::Owner);
        }
    }

    // ── Faults ──────────────────────────────────────────────────────────────────────────────

    pub fn mismatch<T>(&mut self, span: Span, found: Type, wanted: Wording, help: Option<Wording>) -> Result<T> {
        // A name told to be none is not told again where it is used.
        if self.ck.damaged.contains(self.text(span).as_str()) {
            return Err(super::Told);
        }
        let found = self.ck.type_name(found);
        let message = match wanted == "dice" {
            true => say!("{wanted} have to stand here, and this is {found}", wanted, found),
            false => say!("{wanted} has to stand here, and this is {found}", wanted, found),
        };
        let mut diagnostic =
            Diagnostic::error(Fault::TypeMismatch, message).label(span, say!("this is {found}", found));
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        Err(self.ck.tell(diagnostic))
    }

    /// Something that rolls, asks or changes stands where nothing may happen.
    pub fn impure(&mut self, span: Span, what: Wording) -> Result<()> {
        match self.pure.clone() {
            None => Ok(()),
            Some(place) => Err(self.ck.tell(
                Diagnostic::error(Fault::TypeMismatch, say!("{place} cannot {what}", place, what))
                    .label(span, "nothing can happen here")
                    .help("do it in a sentence of a handler, and read its result here"),
            )),
        }
    }

    /// A number, whatever its bounds.
    pub fn number(&mut self, expr: &'t Expr) -> Result<(i64, i64)> {
        match self.expr(expr, Some(ANY_NUMBER))? {
            Type::Number { low, high } => Ok((low, high)),
            other => self.mismatch(expr.span, other, say!("a number"), None),
        }
    }

    pub fn yes_no(&mut self, expr: &'t Expr) -> Result<()> {
        if let ExprKind::Query { query, list } = &*expr.kind
            && !matches!(query, Query::Any | Query::First | Query::Last)
            && let Some(ExprKind::Compare(_, compared, _)) = list.filter.as_ref().map(|filter| &*filter.kind)
        {
            let (all, at) = (self.text(expr.span), (compared.span.end - expr.span.start) as usize);
            let (number, sign) = all.split_at_checked(at).unwrap_or((&all, ""));
            let fault = Diagnostic::error(Fault::TypeMismatch, "this is a number, and yes or no has to stand here");
            let fault = fault.label(expr.span, "the comparison at the end belongs to `where`");
            return Err(self.ck.tell(fault.help(say!(
                "to compare the number write `({number}){sign}`",
                number = number.trim_end(),
                sign
            ))));
        }
        self.expr(expr, Some(Type::YesNo)).map(|_| ())
    }
}
