//! Expressions: what each name in them means, what type they give, and the code that does it.

use super::body::{Body, From, SheetRef};
use super::declare;
use super::names::Member as Meaning;
use super::types::{self, ANY_NUMBER};
use super::{Result, Told};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::dice::Compare;
use crate::program::{NONE, Op, Param, SheetId, TableId, TableKey, Type};
use crate::source::Span;
use crate::syntax::tree::{Arg, Arithmetic, Expr, ExprKind, List, Name, Query};

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
    fn fit(&mut self, expr: &Expr, found: Type, want: Type) -> Result<Type> {
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
            (Number { .. }, YesNo) => Some("say what it is compared with: `… > 0`".to_owned()),
            (Dice, Number { .. }) => Some(format!("roll it: `roll {}`", self.text(expr.span))),
            (Sheets(_), YesNo) => Some(format!("write `any {}`", self.text(expr.span))),
            (Sheets(_), Number { .. }) => Some(format!("write `count {}`", self.text(expr.span))),
            (Text, _) => Some("take the quotes off, if an id is meant".to_owned()),
            _ => None,
        };
        self.mismatch(expr.span, found, &wanted, help)
    }

    pub fn text(&self, span: Span) -> String {
        self.ck.files.get(span.file.0 as usize).map(|f| f.slice(span).to_owned()).unwrap_or_default()
    }

    fn bare(&mut self, expr: &'t Expr, want: Option<Type>) -> Result<Type> {
        if super::dice::rolls(expr) {
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
                Some(other) => self.mismatch(
                    expr.span,
                    other,
                    "something else",
                    Some("`none` is nobody, nothing or the empty set".into()),
                ),
                None => Err(self.ck.tell(
                    Diagnostic::error(Fault::TypeMismatch, "`none` of what is not clear here")
                        .label(expr.span, "none of what"),
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
                        .label(expr.span, "all of what"),
                )),
            },
            ExprKind::Text(text) => {
                let message = self.ck.message(None, std::slice::from_ref(text), None, &[]);
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
                            Err(self.ck.unknown(name, "track or value of this sheet", known.iter().map(String::as_str)))
                        }
                    }
                }
                None => Err(self.ck.tell(
                    Diagnostic::error(Fault::NameUnknown, "`my` belongs in a sheet's own rules")
                        .label(expr.span, "whose"),
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
                        other => return self.mismatch(set.span, other, "a set", None),
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
                self.impure(expr.span, "roll a die")?;
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
                    other => self.mismatch(inner.span, other, "a set or a list of sheets", None),
                }
            }
            ExprKind::Query { query, list } => self.query(query, list),
            ExprKind::Passes { check, passes } => {
                self.impure(expr.span, "roll a check")?;
                self.check_call(check, true)?;
                if !passes {
                    self.push(Op::Not);
                }
                Ok(Type::YesNo)
            }
        }
    }

    // ── Names ───────────────────────────────────────────────────────────────────────────────

    fn name(&mut self, name: &Name, want: Option<Type>) -> Result<Type> {
        if let Some(local) = self.find_local(&name.text) {
            if !self.scenario && !local.is_kept(self) {
                self.tell_ambiguous(name, local.span)?;
            }
            self.push(Op::Load(local.slot));
            return local.ty.ok_or(Told);
        }
        if let Some(kept) = self.kept.iter().find(|k| k.name == name.text).cloned() {
            self.push(Op::Me);
            self.push(Op::Slot(kept.slot));
            return Ok(kept.ty);
        }
        let wants_member = self.member_of(&name.text, want).is_some();
        let sheets = self.sheets_in_sight();
        let found: Vec<SheetRef> = sheets.iter().copied().filter(|s| self.has_member(*s, &name.text, want)).collect();
        // What belongs to the sheet itself comes before what a set on it may hold.
        if let Some(first) = found.first() {
            if found.len() > 1 && self.is_written(found[0], name) && self.is_written(found[1], name) {
                let near = self.ck.sheet(found[0].sheet).id.clone();
                let far = self.ck.sheet(found[1].sheet).id.clone();
                return Err(self.ck.tell(
                    Diagnostic::error(Fault::NameAmbiguous, format!("`{}` has two meanings here", name.text))
                        .label(name.span, format!("of `{near}` or of `{far}`"))
                        .help(format!("give one of them another name, such as `{near}_{}`", name.text)),
                ));
            }
            if (!wants_member || self.is_written(*first, name))
                && let Some(result) = self.member_of_sheet(*first, name, want)
            {
                return result;
            }
        }
        if let Some(option) = self.ck.names.options.get(&name.text).copied() {
            self.push(Op::Option(option));
            return Ok(Type::Option(option));
        }
        if self.ck.names.members.contains_key(&name.text) {
            return self.member(&name.text, name.span, want);
        }
        if self.ck.names.sheets.contains_key(&name.text) {
            let sheet = self.ck.names.sheets[&name.text];
            self.push(Op::Everyone(sheet));
            return Ok(Type::Sheets(sheet));
        }
        self.unknown_name(name, want)
    }

    fn unknown_name<T>(&mut self, name: &Name, want: Option<Type>) -> Result<T> {
        let mut known = self.names_in_sight();
        match want {
            Some(Type::Kind { kind, .. } | Type::SetOfKind(kind)) => {
                known = self.ck.program.kinds[kind.index()].members.iter().map(|m| m.id.to_string()).collect();
            }
            Some(Type::Row { table, .. } | Type::SetOfRows(table)) => {
                known = self.ck.program.tables[table.index()].rows.iter().map(|r| r.id.to_string()).collect();
            }
            _ => known.extend(self.ck.names.members.keys().map(|k| k.to_string())),
        }
        let what = match want {
            Some(Type::Kind { kind, .. } | Type::SetOfKind(kind)) => {
                format!("`{}`", self.ck.program.kinds[kind.index()].id)
            }
            Some(Type::Row { table, .. } | Type::SetOfRows(table)) => {
                format!("row of `{}`", self.ck.program.tables[table.index()].id)
            }
            _ => "track, value or name".to_owned(),
        };
        Err(self.ck.unknown(name, &what, known.iter().map(String::as_str)))
    }

    /// A value and a track of the same name, both in sight.
    fn tell_ambiguous(&mut self, name: &Name, local: Span) -> Result<()> {
        let Some(sheet) = self.sheets_in_sight().into_iter().find(|s| self.is_written(*s, name)) else { return Ok(()) };
        let names = self.ck.sheet_names(sheet.sheet);
        if names.states.contains_key(&name.text) {
            return Ok(());
        }
        let of = self.ck.sheet(sheet.sheet).id.clone();
        let mut diagnostic = Diagnostic::error(Fault::NameAmbiguous, format!("`{}` has two meanings here", name.text))
            .label(name.span, "which of the two");
        if let Some(place) = self.ck.sheet_names(sheet.sheet).places.get(&name.text) {
            diagnostic = diagnostic.label(*place, format!("of `{of}`"));
        }
        diagnostic = diagnostic
            .label(local, "and of these rules")
            .help(format!("give the second another name, such as `new_{}`", name.text));
        Err(self.ck.tell(diagnostic))
    }

    /// Whether the sheet's own text declares the name: a track, value, list or state.
    fn is_written(&self, sheet: SheetRef, name: &Name) -> bool {
        let names = self.ck.sheet_names(sheet.sheet);
        names.tracks.contains_key(&name.text)
            || names.values.contains_key(&name.text)
            || names.lists.contains_key(&name.text)
            || names.states.contains_key(&name.text)
    }

    fn has_member(&self, sheet: SheetRef, name: &str, want: Option<Type>) -> bool {
        let names = self.ck.sheet_names(sheet.sheet);
        names.tracks.contains_key(name)
            || names.values.contains_key(name)
            || names.lists.contains_key(name)
            || names.states.contains_key(name)
            || name == "state" && !self.ck.sheet(sheet.sheet).states.is_empty()
            || name == "row" && !names.makers.is_empty()
            || matches!(want, None | Some(Type::YesNo)) && self.condition_of(sheet.sheet, name).is_some()
    }

    /// The set track of a sheet whose kind has this member.
    pub fn condition_of(&self, sheet: SheetId, name: &str) -> Option<(u16, u32)> {
        let meanings = self.ck.names.members.get(name)?;
        self.ck.sheet(sheet).slots.iter().enumerate().find_map(|(slot, entry)| {
            let Type::SetOfKind(kind) = entry.ty else { return None };
            meanings.iter().find_map(|meaning| match meaning {
                Meaning::Kind(k, index) if *k == kind => Some((slot as u16, *index)),
                _ => None,
            })
        })
    }

    /// Code for something of a sheet; `None` where the sheet has nothing of that name.
    fn member_of_sheet(&mut self, sheet: SheetRef, name: &Name, want: Option<Type>) -> Option<Result<Type>> {
        let names = self.ck.sheet_names(sheet.sheet);
        if let Some(slot) = names.tracks.get(&name.text).copied() {
            let ty = self.ck.sheet(sheet.sheet).slots[slot as usize].ty;
            self.push_sheet(sheet);
            self.push(if matches!(ty, Type::SetOfKind(_)) { Op::Conditions(slot) } else { Op::Slot(slot) });
            return Some(Ok(ty));
        }
        if names.values.contains_key(&name.text) {
            return Some(self.value_of(sheet, name, &[]));
        }
        if let Some(list) = names.lists.get(&name.text).copied() {
            let of = self.ck.sheet(sheet.sheet).lists[list].sheet;
            self.push_sheet(sheet);
            self.push(Op::Owned(of));
            return Some(Ok(Type::Sheets(of)));
        }
        if let Some(state) = names.states.get(&name.text).copied() {
            if matches!(want, Some(Type::State(_))) {
                self.push(Op::Push(i64::from(state)));
                return Some(Ok(Type::State(sheet.sheet)));
            }
            self.push_sheet(sheet);
            self.push(Op::State);
            self.push(Op::Push(i64::from(state)));
            self.push(Op::Compare(Compare::Equal));
            return Some(Ok(Type::YesNo));
        }
        if name.text == "state" && !self.ck.sheet(sheet.sheet).states.is_empty() {
            self.push_sheet(sheet);
            self.push(Op::State);
            return Some(Ok(Type::State(sheet.sheet)));
        }
        if name.text == "row" && !names.makers.is_empty() {
            let makers = names.makers.clone();
            self.push_sheet(sheet);
            return Some(Ok(match makers[..] {
                [table] => {
                    self.push(Op::RowOf);
                    Type::Row { table, or_none: true }
                }
                _ => {
                    self.push(Op::MadeBy);
                    Type::Made(sheet.sheet)
                }
            }));
        }
        if let Some((slot, member)) = self.condition_of(sheet.sheet, &name.text) {
            self.push(Op::Push(i64::from(member)));
            self.push_sheet(sheet);
            self.push(Op::Conditions(slot));
            self.push(Op::Within);
            return Some(Ok(Type::YesNo));
        }
        None
    }

    /// The meaning of a name as a member of what is wanted.
    fn member_of(&self, name: &str, want: Option<Type>) -> Option<Meaning> {
        let meanings = self.ck.names.members.get(name)?;
        meanings.iter().copied().find(|meaning| match (meaning, want) {
            (Meaning::Kind(a, _), Some(Type::Kind { kind: b, .. } | Type::SetOfKind(b))) => *a == b,
            (Meaning::Row(a, _), Some(Type::Row { table: b, .. } | Type::SetOfRows(b))) => *a == b,
            (Meaning::Row(a, _), Some(Type::Made(sheet))) => self.ck.sheet_names(sheet).makers.contains(a),
            (Meaning::Option(a, _), Some(Type::Option(b))) => *a == b,
            _ => false,
        })
    }

    /// A member of a closed list: of what is wanted, or of the only list that has it.
    fn member(&mut self, name: &str, span: Span, want: Option<Type>) -> Result<Type> {
        let meanings = self.ck.names.members.get(name).cloned().unwrap_or_default();
        let meaning = match self.member_of(name, want) {
            Some(meaning) => meaning,
            None if want.is_some_and(|w| {
                matches!(
                    w,
                    Type::Kind { .. } | Type::SetOfKind(_) | Type::Row { .. } | Type::SetOfRows(_) | Type::Option(_)
                )
            }) =>
            {
                let name = Name { text: name.into(), span };
                return self.unknown_name(&name, want);
            }
            None if meanings.len() == 1 => meanings[0],
            None => {
                let lists: Vec<String> = meanings.iter().map(|m| self.meaning_name(*m)).collect();
                return Err(self.ck.tell(
                    Diagnostic::error(Fault::NameAmbiguous, format!("`{name}` has {} meanings here", lists.len()))
                        .label(span, format!("of {}", lists.join(" or ")))
                        .help("give one of them another name"),
                ));
            }
        };
        Ok(match meaning {
            Meaning::Kind(kind, index) => {
                self.push(Op::Push(i64::from(index)));
                Type::Kind { kind, or_none: false }
            }
            Meaning::Row(table, index) => {
                if let Some(made @ Type::Made(_)) = want {
                    self.push(Op::Push(i64::from(table.0) << 32 | i64::from(index)));
                    return Ok(made);
                }
                self.push(Op::Push(i64::from(index)));
                Type::Row { table, or_none: false }
            }
            Meaning::Option(option, index) => {
                self.push(Op::Push(i64::from(index)));
                Type::Option(option)
            }
        })
    }

    fn meaning_name(&self, meaning: Meaning) -> String {
        match meaning {
            Meaning::Kind(kind, _) => format!("`{}`", self.ck.program.kinds[kind.index()].id),
            Meaning::Row(table, _) => format!("`{}`", self.ck.program.tables[table.index()].id),
            Meaning::Option(option, _) => format!("`{}`", self.ck.program.options[option.index()].id),
        }
    }

    // ── Fields and calls ────────────────────────────────────────────────────────────────────

    /// The sheet an expression stands for, put where it can be used more than once.
    pub fn sheet_of(&mut self, expr: &'t Expr) -> Result<SheetRef> {
        if let ExprKind::Name(name) = &*expr.kind
            && let Some(local) = self.find_local(&name.text)
        {
            return match local.ty.ok_or(Told)? {
                Type::Sheet { sheet, .. } => Ok(SheetRef { from: From::Local(local.slot), up: 0, sheet }),
                other => self.mismatch(expr.span, other, "a sheet", None),
            };
        }
        match self.expr(expr, None)? {
            Type::Sheet { sheet, .. } => {
                let slot = self.temporary();
                self.push(Op::Store(slot));
                Ok(SheetRef { from: From::Local(slot), up: 0, sheet })
            }
            other => self.mismatch(expr.span, other, "a sheet", None),
        }
    }

    fn field(&mut self, of: &'t Expr, name: &'t Name, want: Option<Type>) -> Result<Type> {
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
                let what = format!("track or value of `{}`", self.ck.sheet(sheet.sheet).id);
                Err(self.ck.unknown(name, &what, known.iter().map(String::as_str)))
            }
        }
    }

    fn cell(&mut self, table: TableId, args: u8, name: &Name) -> Result<Type> {
        let columns = &self.ck.program.tables[table.index()].columns;
        match columns.iter().position(|c| c.id == name.text) {
            Some(column) => {
                let ty = columns[column].ty;
                self.push(Op::Cell { table, column: column as u16, args });
                Ok(ty)
            }
            None => {
                let known: Vec<String> = columns.iter().map(|c| c.id.to_string()).collect();
                let what = format!("column of `{}`", self.ck.program.tables[table.index()].id);
                Err(self.ck.unknown(name, &what, known.iter().map(String::as_str)))
            }
        }
    }

    fn has_value(&self, name: &str) -> bool {
        self.sheets_in_sight().iter().any(|s| self.ck.sheet_names(s.sheet).values.contains_key(name))
    }

    fn call(&mut self, name: &'t Name, args: &'t [Arg], span: Span) -> Result<Type> {
        match name.text.as_str() {
            "max" | "min" => {
                let greatest = name.text == "max";
                if args.is_empty() {
                    return Err(self.arguments(name, "at least one", 0));
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
                let [arg] = args else { return Err(self.arguments(name, "one", args.len())) };
                let (low, high) = self.number(&arg.value)?;
                self.push(Op::Abs);
                let most = low.unsigned_abs().max(high.unsigned_abs()).min(i64::MAX as u64) as i64;
                let least = if low <= 0 && high >= 0 { 0 } else { low.unsigned_abs().min(high.unsigned_abs()) as i64 };
                return Ok(Type::Number { low: least, high: most });
            }
            "maximum" | "minimum" | "twice" => {
                let [arg] = args else { return Err(self.arguments(name, "one", args.len())) };
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
                Diagnostic::error(Fault::TypeMismatch, format!("`{}` is a check, and has to be rolled", name.text))
                    .label(span, "not rolled")
                    .help(format!("write `{0} passes`, `{0} fails` or `roll {0}`", self.text(span))),
            ));
        }
        let mut known: Vec<String> =
            ["max", "min", "abs", "maximum", "minimum", "twice", "exploding"].map(str::to_owned).to_vec();
        known.extend(self.ck.names.tables.keys().map(|k| k.to_string()));
        for sheet in self.sheets_in_sight() {
            known.extend(self.ck.sheet_names(sheet.sheet).values.keys().map(|k| k.to_string()));
        }
        Err(self.ck.unknown(name, "value, table or function", known.iter().map(String::as_str)))
    }

    fn arguments(&mut self, name: &Name, wanted: &str, found: usize) -> Told {
        self.ck.tell(
            Diagnostic::error(Fault::TypeMismatch, format!("`{}` takes {wanted} argument, not {found}", name.text))
                .label(name.span, format!("{found} given")),
        )
    }

    /// `sheet, args -> value`
    fn value_of(&mut self, sheet: SheetRef, name: &Name, args: &'t [Arg]) -> Result<Type> {
        let Some(index) = self.ck.sheet_names(sheet.sheet).values.get(&name.text).copied() else {
            if args.is_empty()
                && let Some(result) = self.member_of_sheet(sheet, name, None)
            {
                return result;
            }
            let known: Vec<String> = self.ck.sheet_names(sheet.sheet).all().map(str::to_owned).collect();
            let what = format!("value of `{}`", self.ck.sheet(sheet.sheet).id);
            return Err(self.ck.unknown(name, &what, known.iter().map(String::as_str)));
        };
        let value = &self.ck.sheet(sheet.sheet).values[index as usize];
        let (params, ty) = (value.params.clone(), value.ty);
        self.ck.fires(super::Origin::Value(sheet.sheet, index), name.span);
        self.push_sheet(sheet);
        self.args(&params, args, name.span, &name.text)?;
        self.push(Op::Value { value: index, args: params.len() as u8 });
        Ok(ty)
    }

    /// Arguments onto the stack in the order of the parameters. One left out takes its default.
    pub fn args(&mut self, params: &[Param], args: &'t [Arg], span: Span, of: &str) -> Result<()> {
        let order = self.order_args(params, args, span, of)?;
        for (param, arg) in params.iter().zip(order) {
            match arg {
                Some(arg) => {
                    self.expr(&arg.value, Some(param.ty))?;
                }
                None => match self.default_of(param) {
                    Some(value) => self.push(value),
                    None => {
                        return Err(self.ck.tell(
                            Diagnostic::error(Fault::TypeMismatch, format!("`{of}` needs `{}`", param.id))
                                .label(span, format!("`{}` is missing", param.id))
                                .help(format!("write `{of}({}: …)`", param.id)),
                        ));
                    }
                },
            }
        }
        Ok(())
    }

    /// A default that is one number or one dice value can be written at the call.
    fn default_of(&self, param: &Param) -> Option<Op> {
        let code = &self.ck.program.code[param.default?.index()];
        match code.ops.as_slice() {
            [op @ (Op::Push(_) | Op::PushDice(_)), Op::Return] => Some(op.clone()),
            _ => None,
        }
    }

    /// Which argument belongs to which parameter.
    pub fn order_args<'a>(
        &mut self,
        params: &[Param],
        args: &'a [Arg],
        span: Span,
        of: &str,
    ) -> Result<Vec<Option<&'a Arg>>> {
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
                            &format!("argument of `{of}`"),
                            known.iter().map(String::as_str),
                        ));
                    }
                },
            };
            match order.get_mut(index) {
                Some(free @ None) => *free = Some(arg),
                Some(Some(_)) => {
                    return Err(self.ck.tell(
                        Diagnostic::error(Fault::NameDuplicate, format!("`{}` is given twice", params[index].id))
                            .label(arg.value.span, "again here"),
                    ));
                }
                None => {
                    let takes = match params.len() {
                        0 => "no argument".to_owned(),
                        1 => "one argument".to_owned(),
                        n => format!("{n} arguments"),
                    };
                    return Err(self.ck.tell(
                        Diagnostic::error(Fault::TypeMismatch, format!("`{of}` takes {takes}, not {}", args.len()))
                            .label(arg.value.span.to(span), "too many"),
                    ));
                }
            }
        }
        Ok(order)
    }

    // ── Tables and checks ───────────────────────────────────────────────────────────────────

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
            self.impure(span, "roll on a table")?;
        }
        self.ck.fires(super::Origin::Table(table), span);
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
    fn roll(&mut self, inner: &'t Expr) -> Result<Type> {
        self.impure(inner.span, "roll dice")?;
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
        self.dice_value(inner)?;
        self.push(Op::Roll);
        Ok(self.dice_bounds(inner))
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

    fn is_check(&self, expr: &Expr) -> bool {
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

    fn check_call(&mut self, expr: &'t Expr, passes: bool) -> Result<()> {
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
                        return Err(self.ck.unknown(name, "check", known.iter().map(String::as_str)));
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
            let what = format!("check of `{}`", self.ck.sheet(sheet.sheet).id);
            return Err(self.ck.unknown(name, &what, known.iter().map(String::as_str)));
        };
        let params = self.ck.sheet(sheet.sheet).checks[index as usize].params.clone();
        self.push_sheet(sheet);
        self.args(&params, args, name.span, &name.text)?;
        self.push(Op::Check { check: index, args: params.len() as u8, passes });
        if let Some(event) = self.ck.names.events.get(declare::CHECK).copied() {
            self.ck.fires(super::Origin::Handler(event), expr.span);
        }
        Ok(())
    }

    // ── Operations ──────────────────────────────────────────────────────────────────────────

    fn set(&mut self, members: &'t [Expr], want: Option<Type>) -> Result<Type> {
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
    fn set_of(&mut self, ty: Type, span: Span) -> Result<Type> {
        match ty {
            Type::Kind { kind, .. } => Ok(Type::SetOfKind(kind)),
            Type::Row { table, .. } => Ok(Type::SetOfRows(table)),
            other => self.mismatch(span, other, "a member of a kind", None),
        }
    }

    /// `foe in chosen`: the sheets stand on the stack.
    fn sheet_in(&mut self, item: &'t Expr, sheets: Type, negated: bool) -> Result<Type> {
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

    fn arithmetic(&mut self, op: Arithmetic, a: &'t Expr, b: &'t Expr, span: Span, want: Option<Type>) -> Result<Type> {
        // Sets: what unites and what takes away.
        if let Some(set @ (Type::SetOfKind(_) | Type::SetOfRows(_))) = want {
            self.expr(a, Some(set))?;
            self.expr(b, Some(set))?;
            match op {
                Arithmetic::Add => self.push(Op::Union),
                Arithmetic::Subtract => self.push(Op::Without),
                _ => return self.mismatch(span, set, "a number", None),
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
                    _ => return self.mismatch(a.span, set, "a number", None),
                });
                return Ok(set);
            }
            other => {
                let wanted = self.ck.type_name(ANY_NUMBER);
                return self.mismatch(a.span, other, &wanted, None);
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
                            .help(format!("write `{} down` (or `up`, or `near`)", self.text(span)))
                            .edit(span.after(), " down"),
                    ));
                };
                if (b_low, b_high) == (0, 0) {
                    return Err(self.ck.tell(
                        Diagnostic::error(Fault::TypeBounds, "nothing can be divided by 0").label(b.span, "this is 0"),
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

    fn compare(&mut self, compare: Compare, a: &'t Expr, b: &'t Expr) -> Result<Type> {
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
                return self.mismatch(a.span, left, "a number", Some("write `==` or `!=`".into()));
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
                        let fault = super::names::unknown(name, "state", known.iter().map(String::as_str));
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
                                format!("several tables have a row `{}`", name.text),
                            )
                            .label(name.span, "which table's")
                            .help("give the rows different ids"),
                        ));
                    }
                }
            }
            _ => self.expr(b, Some(want))?,
        };
        Ok((left, right))
    }

    // ── Lists ───────────────────────────────────────────────────────────────────────────────

    /// Leaves the sheets of a list that pass its filter; their type.
    pub fn list(&mut self, list: &'t List) -> Result<SheetId> {
        let sheet = match &*list.of.kind {
            ExprKind::Name(name) if self.locals.iter().all(|l| l.name != name.text) && !self.knows_list(&name.text) => {
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
                        return Err(self.ck.unknown(name, "list of sheets", known.iter().map(String::as_str)));
                    }
                }
            }
            _ => match self.expr(&list.of, None)? {
                Type::Sheets(sheet) => sheet,
                other => return self.mismatch(list.of.span, other, "a list of sheets", None),
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
                    let outer = body.pure.replace("a condition on sheets");
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

    fn knows_list(&self, name: &str) -> bool {
        self.sheets_in_sight().iter().any(|s| self.ck.sheet_names(s.sheet).lists.contains_key(name))
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

    fn query(&mut self, query: &'t Query, list: &'t List) -> Result<Type> {
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

impl super::body::Local {
    /// A table's argument that the sheet made keeps under the same name is one thing, not two.
    fn is_kept(&self, body: &Body) -> bool {
        self.is_param && body.row.is_some()
    }
}

impl ExprKind {
    fn is_yes(&self) -> i64 {
        i64::from(matches!(self, ExprKind::Yes))
    }
}

/// Whether a number counts something, so that it can also answer yes (from 1 on).
fn counts(expr: &Expr) -> bool {
    match &*expr.kind {
        ExprKind::Group(inner) => counts(inner),
        ExprKind::Dice(_) | ExprKind::Pool(_) | ExprKind::Query { query: Query::Count, .. } => true,
        _ => false,
    }
}

fn full_set(members: usize) -> i64 {
    if members >= 64 { -1 } else { (1i64 << members) - 1 }
}
