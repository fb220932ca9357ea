//! Fields, calls and their arguments.

use crate::check::body::{Body, From, SheetRef};
use crate::check::declare;
use crate::check::{Result, Told};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::program::{Op, Param, TableId, Type};
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{Arg, Expr, ExprKind, Name};

impl<'t> Body<'_, 't> {
    /// The sheet an expression stands for, put where it can be used more than once.
    pub fn sheet_of(&mut self, expr: &'t Expr) -> Result<SheetRef> {
        if let ExprKind::Name(name) = &*expr.kind
            && let Some(local) = self.find_local(&name.text)
        {
            return match local.ty.ok_or(Told)? {
                Type::Sheet { sheet, .. } => Ok(SheetRef { from: From::Local(local.slot), up: 0, sheet }),
                other => self.mismatch(expr.span, other, say!("a sheet"), None),
            };
        }
        match self.expr(expr, None)? {
            Type::Sheet { sheet, .. } => {
                let slot = self.temporary();
                self.push(Op::Store(slot));
                Ok(SheetRef { from: From::Local(slot), up: 0, sheet })
            }
            other => self.mismatch(expr.span, other, say!("a sheet"), None),
        }
    }

    pub(super) fn field(&mut self, of: &'t Expr, name: &'t Name, want: Option<Type>) -> Result<Type> {
        // `what.dealt`, of a row read before.
        if let ExprKind::Name(local) = &*of.kind
            && let Some(found) = self.find_local(&local.text)
            && let Some((table, args_at)) = found.reading
        {
            if name.text == "row" {
                self.push(Op::Load(found.slot));
                return Ok(Type::Row { table, or_none: false });
            }
            let args = self.ck.program.tables[table.index()].params.len() as u16;
            for arg in 0..args {
                self.push(Op::Load(args_at + arg));
            }
            self.push(Op::Load(found.slot));
            return self.cell(table, args as u8, name);
        }
        // `surgery(torso).price`
        if let ExprKind::Call(table_name, args) = &*of.kind
            && let Some(table) = self.ck.names.tables.get(&table_name.text).copied()
            && !self.has_value(&table_name.text)
        {
            let first = self.read_args(table, args, table_name.span)?;
            let count = self.ck.program.tables[table.index()].params.len() as u16;
            self.push_read(table, first, of.span)?;
            let row = self.temporary();
            self.push(Op::Store(row));
            for arg in 0..count {
                self.push(Op::Load(first + arg));
            }
            self.push(Op::Load(row));
            return self.cell(table, count as u8, name);
        }
        let sheet = self.sheet_of(of)?;
        match self.member_of_sheet(sheet, name, want) {
            Some(result) => result,
            None => {
                let known: Vec<String> = self.ck.sheet_names(sheet.sheet).all().map(str::to_owned).collect();
                let what = say!("track or value of `{sheet}`", sheet = self.ck.sheet(sheet.sheet).id);
                Err(self.ck.unknown(name, what, known.iter().map(String::as_str)))
            }
        }
    }

    pub(super) fn cell(&mut self, table: TableId, args: u8, name: &Name) -> Result<Type> {
        let columns = &self.ck.program.tables[table.index()].columns;
        match columns.iter().position(|c| c.id == name.text) {
            Some(column) => {
                let ty = columns[column].ty;
                self.push(Op::Cell { table, column: column as u16, args });
                Ok(ty)
            }
            None => {
                let known: Vec<String> = columns.iter().map(|c| c.id.to_string()).collect();
                let what = say!("column of `{table}`", table = self.ck.program.tables[table.index()].id);
                Err(self.ck.unknown(name, what, known.iter().map(String::as_str)))
            }
        }
    }

    pub(super) fn has_value(&self, name: &str) -> bool {
        self.sheets_in_sight().iter().any(|s| self.ck.sheet_names(s.sheet).values.contains_key(name))
    }

    pub(super) fn call(&mut self, name: &'t Name, args: &'t [Arg], span: Span) -> Result<Type> {
        match name.text.as_str() {
            "max" | "min" => {
                let greatest = name.text == "max";
                if args.is_empty() {
                    return Err(self.arguments(name, true, 0));
                }
                let mut bounds: Option<(i64, i64)> = None;
                for arg in args {
                    let (low, high) = self.number(&arg.value)?;
                    bounds = Some(match bounds {
                        None => (low, high),
                        Some((l, h)) => {
                            self.push(if greatest { Op::Max } else { Op::Min });
                            if greatest { (l.max(low), h.max(high)) } else { (l.min(low), h.min(high)) }
                        }
                    });
                }
                let (low, high) = bounds.unwrap_or((i64::MIN, i64::MAX));
                return Ok(Type::Number { low, high });
            }
            "abs" => {
                let [arg] = args else { return Err(self.arguments(name, false, args.len())) };
                let (low, high) = self.number(&arg.value)?;
                self.push(Op::Abs);
                let most = low.unsigned_abs().max(high.unsigned_abs()).min(i64::MAX as u64) as i64;
                let least = if low <= 0 && high >= 0 { 0 } else { low.unsigned_abs().min(high.unsigned_abs()) as i64 };
                return Ok(Type::Number { low: least, high: most });
            }
            "maximum" | "minimum" | "twice" => {
                let [arg] = args else { return Err(self.arguments(name, false, args.len())) };
                self.dice_value(&arg.value)?;
                self.push(match name.text.as_str() {
                    "maximum" => Op::Maximum,
                    "minimum" => Op::Minimum,
                    _ => Op::Twice,
                });
                return Ok(Type::Dice);
            }
            _ => {}
        }
        for sheet in self.sheets_in_sight() {
            if self.ck.sheet_names(sheet.sheet).values.contains_key(&name.text) {
                return self.value_of(sheet, name, args);
            }
        }
        if let Some(table) = self.ck.names.tables.get(&name.text).copied() {
            let first = self.read_args(table, args, name.span)?;
            self.push_read(table, first, span)?;
            return Ok(Type::Row { table, or_none: false });
        }
        if self.sheets_in_sight().iter().any(|s| self.ck.sheet_names(s.sheet).checks.contains_key(&name.text)) {
            return Err(self.ck.tell(
                Diagnostic::error(
                    Fault::TypeMismatch,
                    say!("`{name}` is a check, and has to be rolled", name = name.text),
                )
                .label(span, "not rolled")
                .help(say!("write `{value} passes`, `{value} fails` or `roll {value}`", value = self.text(span))),
            ));
        }
        let mut known: Vec<String> =
            ["max", "min", "abs", "maximum", "minimum", "twice", "exploding"].map(str::to_owned).to_vec();
        known.extend(self.ck.names.tables.keys().map(|k| k.to_string()));
        for sheet in self.sheets_in_sight() {
            known.extend(self.ck.sheet_names(sheet.sheet).values.keys().map(|k| k.to_string()));
        }
        Err(self.ck.unknown(name, say!("value, table or function"), known.iter().map(String::as_str)))
    }

    pub(super) fn arguments(&mut self, name: &Name, at_least: bool, found: usize) -> Told {
        self.ck.tell(
            Diagnostic::error(
                Fault::TypeMismatch,
                match (at_least, found) {
                    (true, _) => say!("`{name}` takes at least one argument, not none", name = name.text),
                    (false, 0) => say!("`{name}` takes one argument, not none", name = name.text),
                    (false, _) => say!("`{name}` takes one argument, not {found}", name = name.text, found),
                },
            )
            .label(
                name.span,
                if found == 0 { say!("nothing in its parentheses") } else { say!("{found} given", found) },
            )
            .help(match name.text.as_str() {
                "max" | "min" => say!("write `{name}(1, 2)`", name = name.text),
                "abs" => say!("write `abs(1 - 3)`"),
                other => say!("write `{other}(2d6)`", other),
            }),
        )
    }

    /// `sheet, args -> value`
    pub(super) fn value_of(&mut self, sheet: SheetRef, name: &Name, args: &'t [Arg]) -> Result<Type> {
        let Some(index) = self.ck.sheet_names(sheet.sheet).values.get(&name.text).copied() else {
            if args.is_empty()
                && let Some(result) = self.member_of_sheet(sheet, name, None)
            {
                return result;
            }
            let known: Vec<String> = self.ck.sheet_names(sheet.sheet).all().map(str::to_owned).collect();
            let what = say!("value of `{sheet}`", sheet = self.ck.sheet(sheet.sheet).id);
            return Err(self.ck.unknown(name, what, known.iter().map(String::as_str)));
        };
        let value = &self.ck.sheet(sheet.sheet).values[index as usize];
        let (params, ty) = (value.params.clone(), value.ty);
        self.ck.fires(crate::check::Origin::Value(sheet.sheet, index), name.span);
        self.push_sheet(sheet);
        self.args(&params, args, name.span, &name.text)?;
        self.push(Op::Value { value: index, args: params.len() as u8 });
        Ok(ty)
    }

    /// Arguments onto the stack in the order of the parameters. One left out takes its default.
    pub fn args(&mut self, params: &[Param], args: &'t [Arg], span: Span, of: &str) -> Result<()> {
        let order = self.order_args(params, args, of)?;
        for (param, arg) in params.iter().zip(order) {
            match arg {
                Some(arg) => {
                    self.expr(&arg.value, Some(param.ty))?;
                }
                None => match self.default_of(param) {
                    Some(value) => self.push(value),
                    None => {
                        return Err(self.ck.tell(
                            Diagnostic::error(
                                Fault::TypeMismatch,
                                say!("`{of}` needs `{param}`", of, param = param.id),
                            )
                            .label(span, say!("`{param}` is missing", param = param.id))
                            .help(say!("write `{of}({param}: …)`", of, param = param.id)),
                        ));
                    }
                },
            }
        }
        Ok(())
    }

    /// A default that is one number or one dice value can be written at the call.
    pub(super) fn default_of(&self, param: &Param) -> Option<Op> {
        let code = &self.ck.program.code[param.default?.index()];
        match code.ops.as_slice() {
            [op @ (Op::Push(_) | Op::PushDice(_)), Op::Return] => Some(op.clone()),
            _ => None,
        }
    }

    /// Which argument belongs to which parameter.
    pub fn order_args<'a>(&mut self, params: &[Param], args: &'a [Arg], of: &str) -> Result<Vec<Option<&'a Arg>>> {
        let mut order: Vec<Option<&Arg>> = vec![None; params.len()];
        for (place, arg) in args.iter().enumerate() {
            let index = match &arg.name {
                None => place,
                Some(name) => match params.iter().position(|p| p.id == name.text) {
                    Some(index) => index,
                    None => {
                        let known: Vec<String> = params.iter().map(|p| p.id.to_string()).collect();
                        return Err(self.ck.unknown(
                            name,
                            say!("argument of `{of}`", of),
                            known.iter().map(String::as_str),
                        ));
                    }
                },
            };
            match order.get_mut(index) {
                Some(free @ None) => *free = Some(arg),
                Some(Some(_)) => {
                    return Err(self.ck.tell(
                        Diagnostic::error(
                            Fault::NameDuplicate,
                            say!("`{params}` is given twice", params = params[index].id),
                        )
                        .label(arg.value.span, "again here")
                        .help("take one of the two out"),
                    ));
                }
                None => {
                    let takes = declare::arguments_text(params.len());
                    return Err(self.ck.tell(
                        Diagnostic::error(
                            Fault::TypeMismatch,
                            say!("`{of}` takes {takes}, not {args}", of, takes, args = args.len()),
                        )
                        .label(arg.value.span, "too many")
                        .help("take it out"),
                    ));
                }
            }
        }
        Ok(order)
    }
}
