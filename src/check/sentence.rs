//! Sentences: what happens, once and in order.

use std::collections::HashSet;

use smol_str::SmolStr;

use super::body::{Body, From, SheetRef};
use super::declare;
use super::types;
use super::{Origin, Result, Told};
use crate::diagnostics::{Code as Fault, Diagnostic, nearest};
use crate::program::{self, On, Op, Question, QuestionId, Role, Slot, TableId, Type, WaitId};
use crate::source::Span;
use crate::syntax::tree::{self, Arg, Change, Expr, ExprKind, Name, Sentence, SentenceKind, TypeKind, Who};

impl<'t> Body<'_, 't> {
    pub fn body(&mut self, body: &'t tree::Body) {
        for sentence in &body.sentences {
            self.place(sentence.span);
            // What is at fault has been told; the sentences after it are read all the same.
            let _ = self.sentence(sentence);
        }
    }

    fn inner(&mut self, body: &'t tree::Body) {
        let opened = self.open();
        self.depth += 1;
        self.body(body);
        self.depth -= 1;
        self.close(opened);
    }

    /// After something that may end the block these sentences stand in.
    fn still_holds(&mut self) {
        if self.held {
            self.push(Op::StillHolds);
        }
    }

    pub fn sentence(&mut self, sentence: &'t Sentence) -> Result<()> {
        match &sentence.kind {
            SentenceKind::Set { target, change, value } => self.set_sentence(target, *change, value),
            SentenceKind::Suffer { what, to, wait } => {
                let (sheet, slot) = self.conditions(what, to.as_ref())?;
                let mut amount = None;
                let wait = match wait {
                    None => None,
                    Some(tree::Wait::Until(names)) => Some(self.wait_until(names, Some(sheet))?.0),
                    Some(tree::Wait::For { amount: n, clock, then }) => {
                        amount = Some(n);
                        Some(self.wait_for(clock, then.as_ref(), sheet)?)
                    }
                };
                if let Some(amount) = amount {
                    self.number(amount)?;
                }
                self.push(Op::Suffer { slot, wait });
                self.still_holds();
                Ok(())
            }
            SentenceKind::Lose { what, from } => {
                let (_, slot) = self.conditions(what, from.as_ref())?;
                self.push(Op::Lose { slot });
                self.still_holds();
                Ok(())
            }
            SentenceKind::Roll(what) => self.roll_sentence(what),
            SentenceKind::Take { row, table, args } => {
                let Some(id) = self.ck.names.tables.get(&table.text).copied() else {
                    let known: Vec<String> = self.ck.names.tables.keys().map(|k| k.to_string()).collect();
                    return Err(self.ck.unknown(table, "table", known.iter().map(String::as_str)));
                };
                let rows = &self.ck.program.tables[id.index()].rows;
                let Some(index) = rows.iter().position(|r| r.id == row.text) else {
                    let known: Vec<String> = rows.iter().map(|r| r.id.to_string()).collect();
                    return Err(self.ck.unknown(
                        row,
                        &format!("row of `{}`", table.text),
                        known.iter().map(String::as_str),
                    ));
                };
                let on = self.on(id, table.span)?;
                let first = self.read_args(id, args, table.span)?;
                let count = self.load_args(id, first);
                self.ck.fires(Origin::Table(id), sentence.span);
                self.push(Op::Take { table: id, row: index as u32, args: count, on });
                self.still_holds();
                Ok(())
            }
            SentenceKind::RollRows { dice, rows } => self.roll_rows(dice, rows, sentence.span),
            SentenceKind::If { arms, otherwise } => {
                let mut ends = Vec::new();
                let mut result = Ok(());
                for (condition, body) in arms {
                    if self.yes_no(condition).is_err() {
                        result = Err(Told);
                    }
                    let no = self.jump(Op::JumpUnless);
                    self.inner(body);
                    ends.push(self.jump(Op::Jump));
                    self.land(no);
                }
                if let Some(body) = otherwise {
                    self.inner(body);
                }
                for end in ends {
                    self.land(end);
                }
                result
            }
            SentenceKind::Each { list, body } => {
                let sheet = self.list(list)?;
                self.push_loop_start(
                    sheet,
                    |inside, item, again| {
                        inside.subjects.push(SheetRef { from: From::Local(item), up: 0, sheet });
                        inside.again.push(Vec::new());
                        inside.inner(body);
                        again.extend(inside.again.pop().unwrap_or_default());
                        inside.subjects.pop();
                        Ok(())
                    },
                    None,
                )?;
                self.still_holds();
                Ok(())
            }
            SentenceKind::Ask { who, name, ty, default, question } => {
                self.ask(*who, name, ty, default, question.as_ref())
            }
            SentenceKind::Say(texts) => self.say(texts),
            SentenceKind::Go { sheet, state } => self.go(sheet.as_ref(), state),
            SentenceKind::Fire { event, args, to } => self.fire(event, args, to.as_ref(), sentence.span),
            SentenceKind::Instead { row, .. } => Err(self.ck.tell(
                Diagnostic::error(Fault::TypeMismatch, "`instead` stands first in a row's own braces")
                    .label(row.span, "too late to send on from here")
                    .help("move it to the first line of the row's body"),
            )),
            SentenceKind::Block(block) => self.block_in_body(block),
        }
    }

    // ── Values and tracks ───────────────────────────────────────────────────────────────────

    fn set_sentence(&mut self, target: &'t Expr, change: Change, value: &'t Expr) -> Result<()> {
        let (sheet, name) = match &*target.kind {
            ExprKind::Name(name) => {
                if let Some(known) = self.locals.iter().rev().find(|l| l.name == name.text) {
                    let span = known.span;
                    return Err(self.ck.tell(
                        Diagnostic::error(Fault::NameDuplicate, format!("`{}` has its value already", name.text))
                            .label(name.span, "again here")
                            .label(span, "written here")
                            .help(format!("give the new value its own name: `new_{}`", name.text)),
                    ));
                }
                let found = self.sheets_in_sight().into_iter().find(|s| {
                    let names = self.ck.sheet_names(s.sheet);
                    names.tracks.contains_key(&name.text) || names.values.contains_key(&name.text)
                });
                match found {
                    Some(sheet) => (sheet, name),
                    None if change == Change::To => {
                        self.tell_set_condition(name, value)?;
                        return self.new_value(name, value);
                    }
                    None => {
                        let known = self.names_in_sight();
                        return Err(self.ck.unknown(name, "track", known.iter().map(String::as_str)));
                    }
                }
            }
            ExprKind::My(name) => match self.me {
                Some(sheet) => (SheetRef { from: From::Me, up: 0, sheet }, name),
                None => return Err(Told),
            },
            ExprKind::Field(of, name) => (self.sheet_of(of)?, name),
            _ => {
                return Err(self.ck.tell(
                    Diagnostic::error(Fault::TypeMismatch, "only a track can be changed")
                        .label(target.span, "not a track")
                        .help("write the track's name: `hp -= 3`"),
                ));
            }
        };
        let names = self.ck.sheet_names(sheet.sheet);
        let Some(slot) = names.tracks.get(&name.text).copied() else {
            if names.values.contains_key(&name.text) {
                return Err(self.ck.tell(
                    Diagnostic::error(Fault::TypeMismatch, format!("`{}` is worked out, and cannot be set", name.text))
                        .label(name.span, "a value, not a track")
                        .help(format!("add to it as long as something holds: `until … {{ +1 to {} }}`", name.text)),
                ));
            }
            let known: Vec<String> = names.tracks.keys().map(|k| k.to_string()).collect();
            let what = format!("track of `{}`", self.ck.sheet(sheet.sheet).id);
            return Err(self.ck.unknown(name, &what, known.iter().map(String::as_str)));
        };
        self.impure(name.span, "change a track")?;
        self.push_sheet(sheet);
        self.value_for(sheet, slot, change, value)?;
        self.push(Op::Set { slot, change: how(change) });
        self.still_holds();
        Ok(())
    }

    /// `staggered = no`, `dead = yes`: a condition or a state, not a new value.
    fn tell_set_condition(&mut self, name: &Name, value: &Expr) -> Result<()> {
        let sheets = self.sheets_in_sight();
        let (what, write) = if sheets.iter().any(|s| self.ck.sheet_names(s.sheet).states.contains_key(&name.text)) {
            ("state", format!("-> {}", name.text))
        } else if sheets.iter().any(|s| self.ck.condition_track(s.sheet, &name.text).is_some()) {
            let verb = if matches!(*value.kind, ExprKind::No) { "lose" } else { "suffer" };
            ("condition", format!("{verb} {}", name.text))
        } else {
            return Ok(());
        };
        Err(self.ck.tell(
            Diagnostic::error(Fault::TypeMismatch, format!("`{}` is a {what}, and is not set", name.text))
                .label(name.span, format!("a {what}, not a track"))
                .help(format!("write `{write}`; a new value needs a name of its own"))
                .edit(name.span.to(value.span), write),
        ))
    }

    /// The value for a track, checked against its bounds where both are known.
    pub fn value_for(&mut self, sheet: SheetRef, slot: u16, change: Change, value: &'t Expr) -> Result<()> {
        let track = &self.ck.sheet(sheet.sheet).slots[slot as usize];
        let (ty, stops, id, place) = (track.ty, track.stops, track.id.clone(), track.span);
        let found = self.expr(value, Some(ty))?;
        if let (Type::Number { low, high }, Type::Number { low: least, high: most }, false) = (found, ty, stops) {
            let width = most.saturating_sub(least);
            let (too_low, too_high) = match change {
                Change::To | Change::Raise | Change::Lower => (
                    low < least && low > i64::MIN && change != Change::Raise,
                    high > most && high < i64::MAX && change != Change::Lower,
                ),
                Change::Up => (high.saturating_neg() > width && high < 0, low > width),
                Change::Down => (low > width, high.saturating_neg() > width && high < 0),
            };
            if too_low && least > i64::MIN || too_high && most < i64::MAX {
                let can = match change {
                    Change::To | Change::Raise | Change::Lower if low == high => format!("{low}"),
                    _ => format!("{}..{}", bound(low), bound(high)),
                };
                self.ck.tell(
                    Diagnostic::error(
                        Fault::TypeBounds,
                        format!("`{id}` goes from {} to {}, and this can be {can}", bound(least), bound(most)),
                    )
                    .label(value.span, format!("can be {can}"))
                    .label(place, format!("`{id}` has its bounds here"))
                    .help(format!("widen the bounds of `{id}`, write `stops` behind them, or use `min` and `max`")),
                );
                return Err(Told);
            }
        }
        if types::takes_none(found)
            && !types::takes_none(ty)
            && matches!(ty, Type::Kind { .. } | Type::Row { .. } | Type::Sheet { .. })
            && change == Change::To
        {
            let written = self.text(value.span);
            return Err(self.ck.tell(
                Diagnostic::error(Fault::TypeMismatch, format!("`{written}` may be none, and `{id}` cannot"))
                    .label(value.span, "may be none")
                    .label(place, "does not take none")
                    .help(format!("write `or none` behind the type of `{id}`")),
            ));
        }
        Ok(())
    }

    pub fn new_value(&mut self, name: &Name, value: &'t Expr) -> Result<()> {
        // A row read keeps its arguments, so that its cells can be asked for.
        if let ExprKind::Roll(inner) = &*value.kind
            && let Some((table_name, args)) = self.as_table(inner)
        {
            let table = self.ck.names.tables[&table_name.text];
            self.impure(value.span, "roll on a table")?;
            let first = self.read_args(table, args, table_name.span)?;
            self.push_read(table, first, value.span)?;
            let slot = self.local(name, Some(Type::Row { table, or_none: false }));
            if let Some(local) = self.locals.last_mut() {
                local.reading = Some((table, first));
            }
            self.push(Op::Store(slot));
            self.keep_local(name, slot, Type::Row { table, or_none: false });
            return Ok(());
        }
        match self.expr(value, None) {
            Ok(ty) => {
                let slot = self.local(name, Some(ty));
                self.push(Op::Store(slot));
                self.keep_local(name, slot, ty);
                Ok(())
            }
            Err(told) => {
                self.local(name, None);
                // A block that reads it is not at fault.
                self.ck.damaged.insert(name.text.clone());
                Err(told)
            }
        }
    }

    /// A value that a block of this row reads is kept on the sheet the row makes.
    pub fn keep_local(&mut self, name: &Name, local: u16, ty: Type) {
        if !self.keep.contains(&name.text) {
            return;
        }
        let Some(slot) = self.keeping_slot(ty) else { return };
        self.push(Op::Me);
        self.push(Op::Load(local));
        self.push(Op::Set { slot, change: program::Change::To });
        self.kept.push(super::body::Keeping { name: name.text.clone(), slot, ty });
        if let Some(local) = self.locals.iter_mut().rev().find(|l| l.name == name.text) {
            local.read = true;
        }
    }

    /// The next slot for a value kept from a row; rows share them.
    pub fn keeping_slot(&mut self, ty: Type) -> Option<u16> {
        let sheet = self.me?;
        let used: HashSet<u16> =
            self.kept.iter().map(|k| k.slot).chain(self.blocks.iter().filter_map(|b| b.1)).collect();
        let free = self
            .ck
            .sheet(sheet)
            .slots
            .iter()
            .position(|s| s.role == Role::Kept && s.id.starts_with("kept ") && s.ty == ty);
        let mut at = free;
        while let Some(slot) = at {
            if !used.contains(&(slot as u16)) {
                return Some(slot as u16);
            }
            at = self.ck.sheet(sheet).slots[slot + 1..]
                .iter()
                .position(|s| s.role == Role::Kept && s.id.starts_with("kept ") && s.ty == ty)
                .map(|i| i + slot + 1);
        }
        let number = self.ck.sheet(sheet).slots.len();
        Some(self.ck.add_slot(
            sheet,
            Slot {
                id: format!("kept {number}").into(),
                title: "".into(),
                ty,
                role: Role::Kept,
                default: None,
                low: None,
                high: None,
                stops: false,
                anew: None,
                hold: None,
                span: Span::default(),
            },
        ))
    }

    // ── Conditions ──────────────────────────────────────────────────────────────────────────

    /// `sheet, set` onto the stack for what is suffered or lost; whose, and in which track.
    fn conditions(&mut self, what: &'t [Expr], of: Option<&'t Expr>) -> Result<(SheetRef, u16)> {
        let sheets = match of {
            Some(of) => vec![self.sheet_of(of)?],
            None => self.sheets_in_sight(),
        };
        let Some(first) = what.first() else { return Err(Told) };
        let mut place: Option<(SheetRef, u16)> = None;
        if let ExprKind::Name(name) = &*first.kind
            && self.locals.iter().all(|l| l.name != name.text)
        {
            place = sheets.iter().find_map(|s| self.ck.condition_track(s.sheet, &name.text).map(|slot| (*s, slot)));
            if place.is_none() {
                let known: Vec<String> = sheets
                    .iter()
                    .flat_map(|s| self.ck.sheet(s.sheet).slots.iter())
                    .filter_map(|slot| match slot.ty {
                        Type::SetOfKind(kind) => Some(kind),
                        _ => None,
                    })
                    .flat_map(|kind| self.ck.program.kinds[kind.index()].members.iter().map(|m| m.id.to_string()))
                    .collect();
                if sheets.is_empty() && self.row.is_some() {
                    return Err(self.ck.tell(
                        Diagnostic::error(Fault::NameUnknown, format!("nobody here can suffer `{}`", name.text))
                            .label(name.span, "the table does not say whose")
                            .help(
                                "write `for hero` in the table's head, and a sheet: \
                                 `sheet hero { conditions: set of condition }`",
                            ),
                    ));
                }
                if known.is_empty() {
                    return Err(self.ck.tell(
                        Diagnostic::error(Fault::NameUnknown, format!("nobody here can suffer `{}`", name.text))
                            .label(name.span, "the sheet has no set of conditions")
                            .help("give the sheet one: `conditions: set of condition`"),
                    ));
                }
                return Err(self.ck.unknown(name, "condition", known.iter().map(String::as_str)));
            }
        }
        let place = match place {
            Some(place) => place,
            None => {
                let before = self.ops.len();
                let ty = self.expr(first, None)?;
                self.ops.truncate(before);
                let kind = match ty {
                    Type::Kind { kind, .. } | Type::SetOfKind(kind) => kind,
                    other => return self.mismatch(first.span, other, "a condition", None),
                };
                let found = sheets.iter().find_map(|s| {
                    let slots = &self.ck.sheet(s.sheet).slots;
                    slots.iter().position(|slot| slot.ty == Type::SetOfKind(kind)).map(|slot| (*s, slot as u16))
                });
                match found {
                    Some(place) => place,
                    None => return self.mismatch(first.span, ty, "a condition of the sheet", None),
                }
            }
        };
        self.impure(first.span, "change conditions")?;
        let ty = self.ck.sheet(place.0.sheet).slots[place.1 as usize].ty;
        self.push_sheet(place.0);
        self.push(Op::Push(0));
        for condition in what {
            self.expr(condition, Some(ty))?;
            self.push(Op::Union);
        }
        Ok(place)
    }

    /// `until treated`, `until turn_end, day_end`. The states among the names, as bits, too.
    pub fn wait_until(&mut self, names: &[Name], of: Option<SheetRef>) -> Result<(WaitId, u64)> {
        let mut wait = program::Wait::default();
        for name in names {
            if let Some(sequence) = self.ck.names.times.get(&name.text).cloned() {
                if !wait.sequence.is_empty() {
                    return Err(self.ck.tell(
                        Diagnostic::error(Fault::TypeMismatch, "one wait takes one such time")
                            .label(name.span, "the second")
                            .help("write two sentences"),
                    ));
                }
                wait.sequence = sequence;
            } else if let Some(event) = self.ck.names.events.get(&name.text).copied() {
                wait.any.push(event);
            } else if let Some(state) = of.and_then(|s| self.ck.sheet_names(s.sheet).states.get(&name.text).copied()) {
                wait.states |= 1 << state;
            } else {
                let mut known: Vec<String> =
                    self.ck.names.events.keys().chain(self.ck.names.times.keys()).map(|k| k.to_string()).collect();
                if let Some(of) = of {
                    known.extend(self.ck.sheet_names(of.sheet).states.keys().map(|k| k.to_string()));
                }
                return Err(self.ck.unknown(name, "event or state", known.iter().map(String::as_str)));
            }
        }
        let states = wait.states;
        self.ck.program.waits.push(wait);
        Ok((WaitId(self.ck.program.waits.len() as u32 - 1), states))
    }

    fn wait_for(&mut self, clock: &'t Name, then: Option<&'t tree::Body>, of: SheetRef) -> Result<WaitId> {
        let event = self.clock_event(clock)?;
        let then = then.map(|body| self.ck.then_code(of.sheet, body));
        self.ck.program.waits.push(program::Wait { counted: Some(event), then, ..program::Wait::default() });
        Ok(WaitId(self.ck.program.waits.len() as u32 - 1))
    }

    /// What `for 3 day` counts: a unit of the clock, or any event.
    pub fn clock_event(&mut self, clock: &Name) -> Result<program::EventId> {
        let singular = clock.text.strip_suffix('s').unwrap_or(&clock.text);
        if let Some(event) = self.ck.names.events.get(&clock.text).or_else(|| self.ck.names.events.get(singular)) {
            return Ok(*event);
        }
        let known: Vec<String> = self.ck.names.events.keys().map(|k| k.to_string()).collect();
        Err(self.ck.unknown(clock, "unit of the clock", known.iter().map(String::as_str)))
    }

    // ── Tables ──────────────────────────────────────────────────────────────────────────────

    /// Whose sheet a row happens on, seen from here.
    fn on(&mut self, table: TableId, span: Span) -> Result<On> {
        let Some(subject) = self.ck.program.tables[table.index()].subject else { return Ok(On::Nobody) };
        if self.scenario {
            return Ok(On::First);
        }
        let sheets = self.sheets_in_sight();
        match sheets.iter().find(|s| self.ck.is_like(s.sheet, subject) || self.ck.is_like(subject, s.sheet)) {
            Some(SheetRef { from: From::Me, up, .. }) => Ok(On::Up(*up)),
            _ => {
                let owner = self.ck.sheet(subject).id.clone();
                Err(self.ck.tell(
                    Diagnostic::error(
                        Fault::TypeMismatch,
                        format!("`{}` is written for a `{owner}`", self.ck.program.tables[table.index()].id),
                    )
                    .label(span, format!("no `{owner}` here"))
                    .help(format!("send the `{owner}` an event, and roll in its handler")),
                ))
            }
        }
    }

    fn load_args(&mut self, table: TableId, first: u16) -> u8 {
        let count = self.ck.program.tables[table.index()].params.len() as u16;
        for arg in 0..count {
            self.push(Op::Load(first + arg));
        }
        count as u8
    }

    fn roll_sentence(&mut self, what: &'t Expr) -> Result<()> {
        if let Some((name, args)) = self.as_table(what) {
            let table = self.ck.names.tables[&name.text];
            self.impure(what.span, "roll on a table")?;
            let on = self.on(table, name.span)?;
            let first = self.read_args(table, args, name.span)?;
            let count = self.load_args(table, first);
            self.ck.fires(Origin::Table(table), what.span);
            self.push(Op::Happen { table, args: count, on });
            self.still_holds();
            return Ok(());
        }
        // A check for its own sake, or dice whose result nobody reads.
        self.roll_any(what)?;
        self.push(Op::Drop);
        self.still_holds();
        Ok(())
    }

    fn roll_rows(&mut self, dice: &'t Expr, rows: &'t [tree::InlineRow], span: Span) -> Result<()> {
        self.roll_any(dice)?;
        let shown = self.ck.shown_by(dice);
        let answers = self.ck.inline_ranges(rows, shown.as_ref(), span);
        let switch = self.ops.len();
        self.push(Op::Drop);
        let mut goals = Vec::new();
        let mut ends = Vec::new();
        for row in rows {
            goals.push(self.here());
            self.inner(&row.body);
            ends.push(self.jump(Op::Jump));
        }
        let here = self.here();
        for end in ends {
            self.land(end);
        }
        let (answers, otherwise) = answers;
        let table: Box<[(program::Answer, u32)]> =
            answers.iter().map(|a| (*a, goals.get(a.row as usize).copied().unwrap_or(here))).collect();
        self.ops[switch] = Op::Switch(table, otherwise.and_then(|row| goals.get(row as usize).copied()));
        Ok(())
    }

    // ── Questions and texts ─────────────────────────────────────────────────────────────────

    fn ask(
        &mut self,
        who: Who,
        name: &'t Name,
        ty: &'t tree::Type,
        default: &'t Expr,
        question: Option<&'t tree::Text>,
    ) -> Result<()> {
        self.impure(name.span, "ask")?;
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
                let known: Vec<SmolStr> = shown.iter().map(|s| s.0.clone()).collect();
                let path = format!("{}/{}", self.path, name.text);
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
            for (_, name) in super::text::placeholders(&text.value) {
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
                }
            }
        }
        Ok(list)
    }

    fn say(&mut self, texts: &'t [tree::Text]) -> Result<()> {
        self.impure(texts.first().map(|t| t.span).unwrap_or_default(), "say anything")?;
        let shown = self.showable(texts)?;
        let known: Vec<SmolStr> = shown.iter().map(|s| s.0.clone()).collect();
        self.texts += 1;
        let path = format!("{}/say_{}", self.path, self.texts);
        let message = self.ck.message(Some(path), texts, None, &known);
        let names = self.ck.program.messages[message.0 as usize].names.clone();
        let values = names.iter().filter_map(|n| shown.iter().find(|s| s.0 == *n).map(|s| (s.1, s.2))).collect();
        self.push(Op::Say { message, values });
        Ok(())
    }

    // ── States and events ───────────────────────────────────────────────────────────────────

    fn go(&mut self, sheet: Option<&'t Expr>, state: &'t Name) -> Result<()> {
        self.impure(state.span, "change a state")?;
        let target = match sheet {
            Some(sheet) => self.sheet_of(sheet)?,
            None => {
                let sheets = self.sheets_in_sight();
                match sheets.iter().find(|s| self.ck.sheet_names(s.sheet).states.contains_key(&state.text)) {
                    Some(sheet) => *sheet,
                    None => {
                        let known: Vec<String> = sheets
                            .iter()
                            .flat_map(|s| self.ck.sheet_names(s.sheet).states.keys().map(|k| k.to_string()))
                            .collect();
                        return Err(self.unknown_state(state, &known));
                    }
                }
            }
        };
        let names = self.ck.sheet_names(target.sheet);
        let Some(index) = names.states.get(&state.text).copied() else {
            let known: Vec<String> = names.states.keys().map(|k| k.to_string()).collect();
            return Err(self.unknown_state(state, &known));
        };
        if let Some(by) = &self.ck.sheet(target.sheet).state_by {
            let track = self.ck.sheet(target.sheet).slots[by.slot as usize].id.clone();
            return Err(self.ck.tell(
                Diagnostic::error(Fault::StateUnknown, format!("the state is read off `{track}`, and changes with it"))
                    .label(state.span, "cannot be entered by an arrow")
                    .help(format!("change `{track}`")),
            ));
        }
        self.ck.jumps.push((target.sheet, index, state.span));
        self.push_sheet(target);
        self.push(Op::Go { state: index });
        if sheet.is_some() {
            self.still_holds();
        } else if matches!(target.from, From::Local(_)) && !self.again.is_empty() {
            let jump = self.jump(Op::Jump);
            if let Some(again) = self.again.last_mut() {
                again.push(jump);
            }
        } else if !self.scenario {
            self.push(Op::Return);
        }
        Ok(())
    }

    fn unknown_state(&mut self, state: &Name, known: &[String]) -> Told {
        if self.ck.damaged.contains(&state.text) {
            return Told;
        }
        let fault = super::names::unknown(state, "state", known.iter().map(String::as_str));
        self.ck.tell(Diagnostic { code: Fault::StateUnknown, ..fault })
    }

    pub fn fire(&mut self, event: &'t Name, args: &'t [Arg], to: Option<&'t Expr>, span: Span) -> Result<()> {
        self.impure(event.span, "send an event")?;
        let Some(id) = self.ck.names.events.get(&event.text).copied() else {
            return Err(self.unknown_event(event));
        };
        let mut with_sheet = false;
        let mut target = None;
        if let Some(to) = to {
            let sheet = self.sheet_of(to)?;
            self.push_sheet(sheet);
            with_sheet = true;
            target = Some(sheet.sheet);
        } else if let Some(subject) = self.subject()
            && !self.scenario
        {
            let mut root = subject;
            while let Some(owner) = self.ck.sheet(root.sheet).owner {
                root = SheetRef { up: root.up + 1, sheet: owner, ..root };
            }
            target = Some(root.sheet);
            if matches!(subject.from, From::Local(_)) {
                self.push_sheet(root);
                with_sheet = true;
            }
        }
        if let Some(target) = target
            && self.ck.program.events[id.index()].clock.is_none()
            && !self.ck.is_answered(id, target)
        {
            let sheet = self.ck.sheet(target).id.clone();
            return Err(self.ck.tell(
                Diagnostic::error(Fault::EventUnanswered, format!("no `{sheet}` answers `{}`", event.text))
                    .label(event.span, "nobody listens")
                    .help(format!(
                        "write `on {} {{ … }}` in `sheet {sheet}`, or `event {} \"…\"` if nothing follows",
                        event.text, event.text
                    )),
            ));
        }
        let params = self.ck.program.events[id.index()].params.clone();
        let order = self.order_args(&params, args, event.span, &event.text)?;
        let given = order.iter().rposition(Option::is_some).map_or(0, |i| i + 1);
        for (index, (param, arg)) in params.iter().zip(order).enumerate() {
            match arg {
                Some(arg) => {
                    self.expr(&arg.value, Some(param.ty))?;
                }
                None if param.default.is_none() && param.choices.is_none() && !types::takes_none(param.ty) => {
                    return Err(self.ck.tell(
                        Diagnostic::error(Fault::TypeMismatch, format!("`{}` needs `{}`", event.text, param.id))
                            .label(event.span, format!("`{}` is missing", param.id))
                            .help(format!("write `{}({}: …)`", event.text, param.id)),
                    ));
                }
                None if index >= given => {}
                None => {
                    let constant =
                        param.default.and_then(|code| match self.ck.program.code[code.index()].ops.as_slice() {
                            [op @ (Op::Push(_) | Op::PushDice(_)), Op::Return] => Some(op.clone()),
                            _ => None,
                        });
                    match constant {
                        Some(op) => self.push(op),
                        None => {
                            return Err(self.ck.tell(
                                Diagnostic::error(
                                    Fault::TypeMismatch,
                                    format!("`{}` needs `{}` here", event.text, param.id),
                                )
                                .label(event.span, format!("`{}` stands before one that is given", param.id)),
                            ));
                        }
                    }
                }
            }
        }
        self.ck.used_events.insert(id);
        self.ck.fires(Origin::Handler(id), span);
        self.push(Op::Fire { event: id, args: given as u8, to: with_sheet });
        self.still_holds();
        Ok(())
    }

    fn unknown_event(&mut self, event: &Name) -> Told {
        if self.ck.damaged.contains(&event.text) {
            return Told;
        }
        if self.ck.names.tables.contains_key(&event.text) {
            return self.ck.tell(
                Diagnostic::error(Fault::NameUnknown, format!("`{}` is a table, and is rolled", event.text))
                    .label(event.span, "a table, not an event")
                    .help(format!("write `roll {}`", event.text))
                    .edit(event.span.before(), "roll "),
            );
        }
        if self.sheets_in_sight().iter().any(|s| self.ck.sheet_names(s.sheet).checks.contains_key(&event.text)) {
            return self.ck.tell(
                Diagnostic::error(Fault::NameUnknown, format!("`{}` is a check, and is rolled", event.text))
                    .label(event.span, "a check, not an event")
                    .help(format!("write `if {0} fails {{ … }}` or `roll {0}`", event.text)),
            );
        }
        if self.sheets_in_sight().iter().any(|s| self.ck.sheet_names(s.sheet).states.contains_key(&event.text)) {
            return self.ck.tell(
                Diagnostic::error(Fault::NameUnknown, format!("`{}` is a state, and is entered", event.text))
                    .label(event.span, "a state, not an event")
                    .help(format!("write `-> {}`", event.text))
                    .edit(event.span.before(), "-> "),
            );
        }
        if let Some(track) = self
            .sheets_in_sight()
            .iter()
            .find_map(|s| self.ck.condition_track(s.sheet, &event.text))
            .map(|_| event.text.clone())
        {
            return self.ck.tell(
                Diagnostic::error(Fault::NameUnknown, format!("`{track}` is a condition, and is suffered"))
                    .label(event.span, "a condition, not an event")
                    .help(format!("write `suffer {track}`"))
                    .edit(event.span.before(), "suffer "),
            );
        }
        let known: Vec<String> = self
            .ck
            .names
            .events
            .keys()
            .map(|k| k.to_string())
            .filter(|k| !matches!(k.as_str(), declare::MADE | declare::CHECK))
            .collect();
        match nearest(&event.text, known.iter().map(String::as_str)) {
            Some(_) => {
                let diagnostic = super::names::unknown(event, "event", known.iter().map(String::as_str));
                self.ck.tell(diagnostic)
            }
            None => self.ck.tell(
                Diagnostic::error(Fault::EventUnanswered, format!("nobody answers `{}`", event.text))
                    .label(event.span, "no sheet has this event")
                    .help(format!(
                        "write `on {0} {{ … }}` in a sheet, or `event {0} \"…\"` if nothing follows",
                        event.text
                    )),
            ),
        }
    }

    // ── Blocks ──────────────────────────────────────────────────────────────────────────────

    fn block_in_body(&mut self, block: &'t tree::Block) -> Result<()> {
        let makes = self.row.is_some_and(|(table, _)| self.ck.program.tables[table.index()].makes.is_some());
        if !makes {
            return Err(self.ck.tell(
                Diagnostic::error(Fault::TypeMismatch, "what holds stands on a sheet, or in a row that makes one")
                    .label(block.span, "nothing here to hold it")
                    .help("for a condition that ends by itself write `suffer prone until turn_end`"),
            ));
        }
        let reached = if self.depth > 0 {
            let slot = self.keeping_slot(Type::YesNo);
            if let Some(slot) = slot {
                self.push(Op::Me);
                self.push(Op::Push(1));
                self.push(Op::Set { slot, change: program::Change::To });
            }
            slot
        } else {
            None
        };
        self.blocks.push((block, reached));
        Ok(())
    }
}

pub(crate) fn how(change: Change) -> program::Change {
    match change {
        Change::To => program::Change::To,
        Change::Up => program::Change::Up,
        Change::Down => program::Change::Down,
        Change::Raise => program::Change::Raise,
        Change::Lower => program::Change::Lower,
    }
}

pub(crate) fn bound(number: i64) -> String {
    match number {
        i64::MIN => "any number".into(),
        i64::MAX => "any number".into(),
        n => n.to_string(),
    }
}

impl super::Checker<'_> {
    /// The set track of a sheet whose kind has this member.
    fn condition_track(&self, sheet: program::SheetId, name: &str) -> Option<u16> {
        let meanings = self.names.members.get(name)?;
        self.sheet(sheet)
            .slots
            .iter()
            .position(|slot| match slot.ty {
                Type::SetOfKind(kind) => {
                    meanings.iter().any(|m| matches!(m, super::names::Member::Kind(k, _) if *k == kind))
                }
                _ => false,
            })
            .map(|slot| slot as u16)
    }

    /// Whether a sheet of this type, one like it, or one that belongs to it answers the event.
    pub fn is_answered(&self, event: program::EventId, sheet: program::SheetId) -> bool {
        self.answered.iter().any(|(e, s)| {
            *e == event && {
                let mut at = Some(*s);
                let mut found = false;
                while let Some(id) = at {
                    found |= self.is_like(sheet, id) || self.is_like(id, sheet);
                    at = self.sheet(id).owner;
                }
                found
            }
        })
    }
}
