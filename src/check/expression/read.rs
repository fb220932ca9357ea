//! Tables that are read, dice and checks that are rolled.

use crate::check::Result;
use crate::check::body::{Body, SheetRef};
use crate::check::declare;
use crate::check::types::ANY_NUMBER;
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::program::{Op, TableId, TableKey, Type};
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{Arg, Expr, ExprKind, Name};

impl<'t> Body<'_, 't> {
    /// A table's arguments, worked out into locals that stand side by side; the first one.
    pub fn read_args(&mut self, table: TableId, args: &'t [Arg], span: Span) -> Result<u16> {
        let params = self.ck.program.tables[table.index()].params.clone();
        let of = self.ck.program.tables[table.index()].id.clone();
        self.args(&params, args, span, &of)?;
        let slots: Vec<u16> = params.iter().map(|_| self.temporary()).collect();
        for slot in slots.iter().rev() {
            self.push(Op::Store(*slot));
        }
        Ok(slots.first().copied().unwrap_or(0))
    }

    pub fn push_read(&mut self, table: TableId, first: u16, span: Span) -> Result<()> {
        let rolls = matches!(self.ck.program.tables[table.index()].key, TableKey::Dice(_));
        if rolls {
            self.impure(span, say!("roll on a table"))?;
        }
        self.ck.fires(crate::check::Origin::Table(table), span);
        let count = self.ck.program.tables[table.index()].params.len() as u16;
        for arg in 0..count {
            self.push(Op::Load(first + arg));
        }
        self.push(Op::Read { table, args: count as u8 });
        Ok(())
    }

    /// Rolls whatever this is, with or without the word `roll` before it.
    pub fn roll_any(&mut self, expr: &'t Expr) -> Result<Type> {
        match &*expr.kind {
            ExprKind::Roll(inner) => self.roll(inner),
            _ => self.roll(expr),
        }
    }

    /// `roll damage`, `roll location`, `roll endurance(2)`.
    pub(super) fn roll(&mut self, inner: &'t Expr) -> Result<Type> {
        self.impure(inner.span, say!("roll dice"))?;
        if self.is_check(inner) {
            self.check_call(inner, false)?;
            return Ok(ANY_NUMBER);
        }
        if let Some((name, args)) = self.as_table(inner) {
            let table = self.ck.names.tables[&name.text];
            let first = self.read_args(table, args, name.span)?;
            self.push_read(table, first, inner.span)?;
            return Ok(Type::Row { table, or_none: false });
        }
        if let ExprKind::Name(name) | ExprKind::Call(name, _) = &*inner.kind
            && self.is_nothing(name)
        {
            let mut known: Vec<String> = self.ck.names.tables.keys().map(|k| k.to_string()).collect();
            for sheet in self.sheets_in_sight() {
                known.extend(self.ck.sheet_names(sheet.sheet).checks.keys().map(|k| k.to_string()));
            }
            known.extend(self.names_in_sight());
            return Err(self.ck.unknown(name, say!("table, check or dice"), known.iter().map(String::as_str)));
        }
        self.dice_value(inner)?;
        self.push(Op::Roll);
        Ok(self.dice_bounds(inner))
    }

    /// Whether a name stands for nothing at all here.
    fn is_nothing(&self, name: &Name) -> bool {
        let functions = ["max", "min", "abs", "maximum", "minimum", "twice", "exploding"];
        !self.astray
            && !functions.contains(&name.text.as_str())
            && !self.ck.names.members.contains_key(&name.text)
            && !self.ck.names.options.contains_key(&name.text)
            && !self.ck.names.sheets.contains_key(&name.text)
            && !self.locals.iter().any(|l| l.name == name.text)
            && !self.kept.iter().any(|k| k.name == name.text)
            && !self.sheets_in_sight().iter().any(|s| self.has_member(*s, &name.text, None))
    }

    pub fn as_table(&self, expr: &'t Expr) -> Option<(&'t Name, &'t [Arg])> {
        let (name, args): (&Name, &[Arg]) = match &*expr.kind {
            ExprKind::Name(name) => (name, &[]),
            ExprKind::Call(name, args) => (name, args),
            _ => return None,
        };
        let taken = self.locals.iter().any(|l| l.name == name.text);
        (!taken && self.ck.names.tables.contains_key(&name.text)).then_some((name, args))
    }

    pub(super) fn is_check(&self, expr: &Expr) -> bool {
        match &*expr.kind {
            ExprKind::Name(name) | ExprKind::Call(name, _) => {
                self.sheets_in_sight().iter().any(|s| self.ck.sheet_names(s.sheet).checks.contains_key(&name.text))
            }
            ExprKind::Field(_, name) | ExprKind::CallOf(_, name, _) => {
                self.ck.sheet_names.iter().any(|s| s.checks.contains_key(&name.text))
            }
            _ => false,
        }
    }

    pub(super) fn check_call(&mut self, expr: &'t Expr, passes: bool) -> Result<()> {
        let (sheet, name, args): (SheetRef, &Name, &[Arg]) = match &*expr.kind {
            ExprKind::Name(name) | ExprKind::Call(name, _) => {
                let args: &[Arg] = match &*expr.kind {
                    ExprKind::Call(_, args) => args,
                    _ => &[],
                };
                let sheets = self.sheets_in_sight();
                let mut found = sheets.iter().filter(|s| self.ck.sheet_names(s.sheet).checks.contains_key(&name.text));
                match found.next() {
                    Some(sheet) => (*sheet, name, args),
                    None => {
                        let known: Vec<String> = sheets
                            .iter()
                            .flat_map(|s| self.ck.sheet_names(s.sheet).checks.keys().map(|k| k.to_string()))
                            .collect();
                        return Err(self.ck.unknown(name, say!("check"), known.iter().map(String::as_str)));
                    }
                }
            }
            ExprKind::Field(of, name) => (self.sheet_of(of)?, name, &[]),
            ExprKind::CallOf(of, name, args) => (self.sheet_of(of)?, name, args.as_slice()),
            _ => {
                return Err(self.ck.tell(
                    Diagnostic::error(Fault::TypeMismatch, "only a check passes or fails")
                        .label(expr.span, "not a check")
                        .help("declare one: `check endurance \"…\" = 2d6 passes on 8+`"),
                ));
            }
        };
        let Some(index) = self.ck.sheet_names(sheet.sheet).checks.get(&name.text).copied() else {
            let known: Vec<String> = self.ck.sheet_names(sheet.sheet).checks.keys().map(|k| k.to_string()).collect();
            let what = say!("check of `{sheet}`", sheet = self.ck.sheet(sheet.sheet).id);
            return Err(self.ck.unknown(name, what, known.iter().map(String::as_str)));
        };
        let params = self.ck.sheet(sheet.sheet).checks[index as usize].params.clone();
        self.push_sheet(sheet);
        self.args(&params, args, name.span, &name.text)?;
        self.push(Op::Check { check: index, args: params.len() as u8, passes });
        if let Some(event) = self.ck.names.events.get(declare::CHECK).copied() {
            self.ck.fires(crate::check::Origin::Handler(event), expr.span);
        }
        Ok(())
    }
}
