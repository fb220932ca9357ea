//! Scenarios: who is given, what happens, what is expected, what the outcome is.

use super::body::{Body, From, SheetRef};
use super::merge::Merged;
use super::types::ANY_NUMBER;
use super::{Checker, Result, Told, declare};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::dice::Compare;
use crate::program::{self, ChanceIs, Constant, ExpectId, Expectation, Member, Op, Type};
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{self, Change, Expr, ExprKind, GivenValue, Outcome, OutcomeCase, Step, StepKind};

impl<'t> Checker<'t> {
    pub fn scenario_heads(&mut self, merged: &Merged<'t>) {
        for (index, scenario) in merged.scenarios.iter().enumerate() {
            let params = self.params(&scenario.params);
            self.program.scenarios[index].params = self.param_defaults(None, &scenario.params, params);
        }
    }

    pub fn scenarios(&mut self, merged: &Merged<'t>) {
        for (index, scenario) in merged.scenarios.iter().enumerate() {
            self.scenario(index, scenario);
        }
    }

    fn scenario(&mut self, index: usize, scenario: &'t tree::Scenario) {
        let params = self.program.scenarios[index].params.clone();
        let path = format!("{}/{}", self.program.system.id, scenario.name.text);
        let mut body = Body::new(self, None);
        body.scenario = true;
        body.path = path;
        for (known, written) in params.iter().zip(&scenario.params) {
            body.param(&known.id, known.ty, written.name.span);
            if let Some(local) = body.locals.last_mut() {
                local.read = false;
            }
        }
        let mut telling = Telling {
            repeats: None,
            first: None,
            cases: Vec::new(),
            dice: None,
            dice_spans: Vec::new(),
            expectations: Vec::new(),
            ended: None,
            joined: false,
            snapshot: None,
            chances: Vec::new(),
            lines: Vec::new(),
        };
        for step in &scenario.steps {
            body.place(step.span);
            let _ = body.step(step, &mut telling);
        }
        if telling.ended.is_none() {
            match telling.first.map(|sheet| !body.ck.sheet(sheet.sheet).states.is_empty()) {
                Some(true) => body.push(Op::FinishState),
                _ if telling.needs_no_outcome() => {
                    // Only what is expected counts.
                    body.push(Op::Push(0));
                    body.push(Op::Finish(Box::new([ANY_NUMBER])));
                }
                _ => {
                    if !body.astray
                        && !body
                            .ck
                            .is_damaged(scenario.head.to(scenario.steps.last().map_or(scenario.head, |s| s.span)))
                    {
                        body.ck.tell(
                            Diagnostic::error(
                                Fault::TypeMismatch,
                                say!("`{name}` does not say what its outcome is", name = scenario.name.text),
                            )
                            .label(scenario.head, "no outcome")
                            .help("end it with `outcome repeats`, `outcome` and a track, or named cases"),
                        );
                    }
                }
            }
        }
        let code = body.finish();
        let lines = telling.lines.iter().filter_map(|(line, span)| self.case_line(scenario, &params, line, *span));
        let lines: Vec<program::CaseLine> = lines.collect();
        let chances = std::mem::take(&mut telling.chances);
        let named = lines.iter().filter_map(|line| line.comes_to.clone()).chain(chances.iter().map(|c| c.1.clone()));
        self.outcomes_known(&named.collect::<Vec<_>>(), &telling, scenario);
        let entry = &mut self.program.scenarios[index];
        entry.code = code;
        entry.cases = telling.cases;
        entry.dice = telling.dice;
        entry.dice_spans = telling.dice_spans;
        entry.expectations = telling.expectations;
        entry.lines = lines;
        entry.chances = chances.into_iter().map(|(chance, _)| chance).collect();
        entry.snapshot = telling.snapshot;
    }

    /// The arguments of a case, each a value that is known.
    fn case_line(
        &mut self,
        scenario: &'t tree::Scenario,
        params: &[program::Param],
        line: &'t tree::CaseLine,
        span: Span,
    ) -> Option<program::CaseLine> {
        let mut args: Vec<Option<Constant>> = vec![None; params.len()];
        let mut failed = false;
        for (name, value) in &line.args {
            let Some(at) = params.iter().position(|param| param.id == name.text) else {
                let what = say!("argument of `{name}`", name = scenario.name.text);
                self.unknown(name, what, params.iter().map(|param| param.id.as_str()));
                failed = true;
                continue;
            };
            if args[at].is_some() {
                let fault = Diagnostic::error(Fault::RunArgument, say!("`{name}` is given twice", name = name.text));
                self.tell(fault.label(name.span, "once more").help("give it once"));
                failed = true;
                continue;
            }
            let file = self.files.get(value.span.file.0 as usize);
            let written = file.map_or("", |file| file.slice(value.span)).trim();
            let written = written.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(written);
            match super::argument::argument_with(
                &self.program,
                &params[at],
                &written.replace(['−', '–', '—'], "-"),
                " = ",
            ) {
                Ok(super::Argument::Number(number)) => args[at] = Some(Constant::Number(number)),
                Ok(super::Argument::Dice(dice)) => args[at] = Some(Constant::Dice(dice)),
                Err(fault) => {
                    self.tell(fault.label(value.span, "no such value"));
                    failed = true;
                }
            }
        }
        for (param, arg) in params.iter().zip(&args) {
            if arg.is_none() && param.default.is_none() && !failed && !super::types::takes_none(param.ty) {
                let fault = Diagnostic::error(Fault::RunArgument, say!("this case needs `{param}`", param = param.id));
                self.tell(fault.label(span, "it has no default").help(say!("add `{param} = …`", param = param.id)));
                failed = true;
            }
        }
        let made = program::CaseLine { args, dice: line.dice.clone(), comes_to: line.comes_to.clone(), span };
        (!failed).then_some(made)
    }

    /// What cases come to must be something that the scenario can come to.
    fn outcomes_known(
        &mut self,
        named: &[(smol_str::SmolStr, Span)],
        telling: &Telling<'t>,
        scenario: &'t tree::Scenario,
    ) {
        let known: Vec<String> = match (&telling.ended, telling.first) {
            (Some(_), _) if !telling.cases.is_empty() && !telling.joined => {
                telling.cases.iter().map(|case| case.id.to_string()).collect()
            }
            (None, Some(first)) => self.sheet(first.sheet).states.iter().map(|state| state.id.to_string()).collect(),
            _ => return,
        };
        for (text, span) in named {
            if !known.is_empty() && !known.iter().any(|id| id == text) {
                let name = tree::Name { text: text.clone(), span: *span };
                let what = say!("outcome of `{name}`", name = scenario.name.text);
                self.unknown(&name, what, known.iter().map(String::as_str));
            }
        }
    }
}

/// What a scenario has told so far.
struct Telling<'t> {
    /// Where the turns of the last `repeat` are counted.
    repeats: Option<u16>,
    /// The first sheet given.
    first: Option<SheetRef>,
    cases: Vec<Member>,
    dice: Option<Vec<i64>>,
    dice_spans: Vec<Span>,
    expectations: Vec<ExpectId>,
    ended: Option<Span>,
    /// Whether an outcome joins several values.
    joined: bool,
    snapshot: Option<Span>,
    /// Chances expected, each with its outcome's place.
    chances: Vec<(program::Chance, (smol_str::SmolStr, Span))>,
    lines: Vec<(&'t tree::CaseLine, Span)>,
}

impl Telling<'_> {
    /// Only what is expected or kept counts.
    fn needs_no_outcome(&self) -> bool {
        let told = !self.expectations.is_empty() || self.snapshot.is_some() || !self.lines.is_empty();
        told && self.chances.is_empty() && self.lines.iter().all(|(line, _)| line.comes_to.is_none())
    }
}

impl<'t> Body<'_, 't> {
    fn step(&mut self, step: &'t Step, telling: &mut Telling<'t>) -> Result<()> {
        match &step.kind {
            StepKind::Given { sheet, name, sets } => {
                let given = self.given(sheet, name.as_ref(), sets, telling);
                self.astray |= given.is_err() && telling.first.is_none();
                given
            }
            StepKind::Answer { name, value } => {
                let question = self.ck.program.questions.iter().find(|q| q.id == name.text).cloned();
                let Some(question) = question else {
                    let known: Vec<String> = self.ck.program.questions.iter().map(|q| q.id.to_string()).collect();
                    return Err(self.ck.unknown(name, say!("question"), known.iter().map(String::as_str)));
                };
                self.expr(value, Some(question.ty))?;
                self.push(Op::Answer(name.text.clone()));
                Ok(())
            }
            StepKind::Dice(values) => {
                telling.dice.get_or_insert_default().extend(values.iter().map(|v| v.0));
                telling.dice_spans.extend(values.iter().map(|v| v.1));
                Ok(())
            }
            StepKind::When(sentence) => self.sentence(sentence),
            StepKind::Repeat { what, until } => {
                let count = self.temporary();
                telling.repeats = Some(count);
                self.push(Op::Push(0));
                self.push(Op::Store(count));
                let top = self.here();
                let mut ends = Vec::new();
                for condition in until {
                    self.yes_no(condition)?;
                    ends.push(self.jump(Op::JumpIf));
                }
                self.push(Op::Again);
                self.push(Op::Load(count));
                self.push(Op::Push(1));
                self.push(Op::Add);
                self.push(Op::Store(count));
                self.sentence(what)?;
                self.push(Op::Jump(top));
                for end in ends {
                    self.land(end);
                }
                Ok(())
            }
            StepKind::Chance(line) => {
                for ((above, below), span) in &line.shares {
                    if *below <= 0 || above > below {
                        return Err(self.ck.tell(
                            Diagnostic::error(Fault::TypeMismatch, "a chance is at most 1")
                                .label(*span, "no chance")
                                .help("write a fraction, `3/8`, or a percentage, `37.5%`"),
                        ));
                    }
                }
                let share =
                    |at: usize| line.shares.get(at).map_or((0, 1), |((above, below), _)| (*above, *below as u64));
                let is = match line.compare {
                    Some(compare) => ChanceIs::Compared(compare, share(0)),
                    None => ChanceIs::Between(share(0), share(1)),
                };
                let chance = program::Chance { outcome: line.outcome.0.clone(), is, span: line.span };
                telling.chances.push((chance, line.outcome.clone()));
                Ok(())
            }
            StepKind::Case(line) => {
                telling.lines.push((line, step.span));
                Ok(())
            }
            StepKind::Snapshot => match telling.snapshot {
                Some(first) => Err(self.ck.tell(super::merge::once(say!("`snapshot`"), first, step.span))),
                None => {
                    telling.snapshot = Some(step.span);
                    Ok(())
                }
            },
            StepKind::Then(expected) => self.then(expected, telling),
            StepKind::Let { name, value } => {
                let target = tree::Name { text: name.text.clone(), span: name.span };
                self.let_value(target, value)
            }
            StepKind::Outcome(outcome) => {
                if let Some(first) = telling.ended {
                    return Err(self.ck.tell(super::merge::once(say!("the outcome"), first, step.span)));
                }
                telling.ended = Some(step.span);
                self.outcome(outcome, telling)
            }
        }
    }

    fn let_value(&mut self, name: tree::Name, value: &'t Expr) -> Result<()> {
        if let Some(known) = self.locals.iter().find(|l| l.name == name.text) {
            let diagnostic = super::names::duplicate(&name, known.span);
            return Err(self.ck.tell(diagnostic));
        }
        self.new_value(&name, value)
    }

    // ── Sheets ──────────────────────────────────────────────────────────────────────────────

    fn given(
        &mut self,
        sheet: &'t tree::Name,
        name: Option<&'t tree::Name>,
        sets: &'t [tree::GivenSet],
        telling: &mut Telling<'t>,
    ) -> Result<()> {
        let Some(id) = self.ck.names.sheets.get(&sheet.text).copied() else {
            let known: Vec<String> = self.ck.names.sheets.keys().map(|k| k.to_string()).collect();
            return Err(self.ck.unknown(sheet, say!("sheet"), known.iter().map(String::as_str)));
        };
        if let Some(owner) = self.ck.sheet(id).owner {
            let owner = self.ck.sheet(owner).id.clone();
            return Err(self.ck.tell(
                Diagnostic::error(
                    Fault::TypeMismatch,
                    say!("a `{sheet}` belongs to a `{owner}`, and is not given by itself", sheet = sheet.text, owner),
                )
                .label(sheet.span, "belongs to another sheet")
                .help(say!("give the `{owner}` with rows in its list: `{{ … = 1 of … }}`", owner)),
            ));
        }
        self.push(Op::New(id));
        let slot = match name {
            Some(name) => self.local(name, Some(Type::Sheet { sheet: id, or_none: false })),
            None => self.temporary(),
        };
        if let Some(local) = self.locals.last_mut()
            && local.slot == slot
        {
            local.read = true;
        }
        self.push(Op::Store(slot));
        let given = SheetRef { from: From::Local(slot), up: 0, sheet: id };
        let outer = std::mem::take(&mut self.subjects);
        let result = self.given_sets(given, sets);
        self.subjects = outer;
        if self.subjects.is_empty() {
            self.subjects.push(given);
            telling.first = Some(given);
        }
        result
    }

    fn given_sets(&mut self, given: SheetRef, sets: &'t [tree::GivenSet]) -> Result<()> {
        let mut failed = false;
        for set in sets {
            let names = self.ck.sheet_names(given.sheet);
            let known = names.tracks.contains_key(&set.name.text)
                || names.values.contains_key(&set.name.text)
                || names.lists.contains_key(&set.name.text)
                || set.name.text == "state";
            if !known {
                let known: Vec<String> = names.all().map(str::to_owned).collect();
                let what = say!("track of `{sheet}`", sheet = self.ck.sheet(given.sheet).id);
                self.ck.unknown(&set.name, what, known.iter().map(String::as_str));
                failed = true;
            }
        }
        let slots = self.ck.sheet(given.sheet).slots.len();
        for slot in 1..slots as u16 {
            let entry = &self.ck.sheet(given.sheet).slots[slot as usize];
            if entry.role == program::Role::Progress || entry.hold.is_some() {
                continue;
            }
            let (id, default) = (entry.id.clone(), entry.default);
            match sets.iter().find(|s| s.name.text == id) {
                Some(set) => failed |= self.give(given, slot, set).is_err(),
                None if default.is_some() => {
                    self.push_sheet(given);
                    self.push(Op::Default { slot });
                }
                None => {}
            }
        }
        for set in sets {
            if let Some(value) = self.ck.sheet_names(given.sheet).values.get(&set.name.text).copied() {
                let GivenValue::One(expr) = &set.value else { continue };
                let ty = self.ck.sheet(given.sheet).values[value as usize].ty;
                self.push_sheet(given);
                failed |= self.expr(expr, Some(ty)).is_err();
                self.push(Op::GiveValue { value });
            } else if set.name.text == "state" {
                failed |= self.give_state(given, set).is_err();
            }
        }
        self.push_sheet(given);
        self.push(Op::Settle);
        for slot in 1..slots as u16 {
            let entry = &self.ck.sheet(given.sheet).slots[slot as usize];
            if entry.hold.is_none() {
                continue;
            }
            let id = entry.id.clone();
            if let Some(set) = sets.iter().find(|s| s.name.text == id) {
                failed |= self.give(given, slot, set).is_err();
            }
        }
        for set in sets {
            if let Some(list) = self.ck.sheet_names(given.sheet).lists.get(&set.name.text).copied() {
                failed |= self.give_rows(given, list, set).is_err();
            }
        }
        if failed { Err(Told) } else { Ok(()) }
    }

    fn give(&mut self, given: SheetRef, slot: u16, set: &'t tree::GivenSet) -> Result<()> {
        match &set.value {
            GivenValue::One(expr) => {
                self.push_sheet(given);
                self.value_for(given, slot, Change::To, expr)?;
                self.push(Op::Give { slot });
                Ok(())
            }
            GivenValue::Rows(_) => Err(self.ck.tell(
                Diagnostic::error(Fault::TypeMismatch, say!("`{name}` is no list of sheets", name = set.name.text))
                    .label(set.name.span, "one value")
                    .help(say!("write `{name} = …`", name = set.name.text)),
            )),
        }
    }

    fn give_state(&mut self, given: SheetRef, set: &'t tree::GivenSet) -> Result<()> {
        let GivenValue::One(expr) = &set.value else { return Err(Told) };
        let states = &self.ck.sheet_names(given.sheet).states;
        let state = match &*expr.kind {
            ExprKind::Name(name) => states.get(&name.text).copied(),
            _ => None,
        };
        let Some(state) = state else {
            let known: Vec<String> = states.keys().map(|k| k.to_string()).collect();
            let name = tree::Name { text: self.text(expr.span).into(), span: expr.span };
            let fault = super::names::unknown(&name, say!("state"), known.iter().map(String::as_str));
            return Err(self.ck.tell(Diagnostic { code: Fault::StateUnknown, ..fault }));
        };
        self.push_sheet(given);
        self.push(Op::GiveState { state });
        Ok(())
    }

    fn give_rows(&mut self, given: SheetRef, list: usize, set: &'t tree::GivenSet) -> Result<()> {
        let of = self.ck.sheet(given.sheet).lists[list].sheet;
        let makers = self.ck.sheet_names(of).makers.clone();
        let GivenValue::Rows(rows) = &set.value else {
            if let GivenValue::One(expr) = &set.value
                && matches!(*expr.kind, ExprKind::None)
            {
                return Ok(());
            }
            return Err(self.ck.tell(
                Diagnostic::error(Fault::TypeMismatch, say!("`{name}` is a list of sheets", name = set.name.text))
                    .label(set.name.span, "how many of which row")
                    .help(say!("write `{name} = 2 of …` with the id of a row", name = set.name.text)),
            ));
        };
        for (count, name) in rows {
            let found = makers.iter().find_map(|table| {
                let rows = &self.ck.program.tables[table.index()].rows;
                rows.iter().position(|r| r.id == name.text).map(|row| (*table, row as u32))
            });
            let Some((table, row)) = found else {
                let known: Vec<String> = makers
                    .iter()
                    .flat_map(|t| self.ck.program.tables[t.index()].rows.iter().map(|r| r.id.to_string()))
                    .collect();
                return Err(self.ck.unknown(name, say!("row"), known.iter().map(String::as_str)));
            };
            self.push_sheet(given);
            self.number(count)?;
            self.push(Op::GiveRows { table, row });
        }
        Ok(())
    }

    // ── Expectations and outcomes ───────────────────────────────────────────────────────────

    fn then(&mut self, expected: &'t Expr, telling: &mut Telling<'t>) -> Result<()> {
        let id = ExpectId(self.ck.program.expectations.len() as u32);
        let (sides, compare) = match &*expected.kind {
            ExprKind::Compare(compare, a, b) => {
                let sides = self.compare_sides(*compare, a, b)?;
                let (left, right) = (self.temporary(), self.temporary());
                self.push(Op::Store(right));
                self.push(Op::Store(left));
                for slot in [left, right, left, right] {
                    self.push(Op::Load(slot));
                }
                self.push(Op::Compare(*compare));
                (Some(sides), Some(*compare))
            }
            _ => {
                self.yes_no(expected)?;
                (None::<(Type, Type)>, None::<Compare>)
            }
        };
        self.ck.program.expectations.push(Expectation { span: expected.span, sides, compare });
        telling.expectations.push(id);
        self.push(Op::Expect(id));
        Ok(())
    }

    fn outcome(&mut self, outcome: &'t Outcome, telling: &mut Telling<'t>) -> Result<()> {
        match outcome {
            Outcome::Repeats => match telling.repeats {
                Some(count) => {
                    self.push(Op::Load(count));
                    self.push(Op::Finish(Box::new([ANY_NUMBER])));
                    Ok(())
                }
                None => Err(self.ck.tell(
                    Diagnostic::error(Fault::TypeMismatch, "nothing repeats in this scenario")
                        .label(telling.ended.unwrap_or_default(), "of what")
                        .help("write `repeat … until …` before it"),
                )),
            },
            Outcome::Value(expr) => {
                let ty = self.expr(expr, None)?;
                self.push(Op::Finish(Box::new([ty])));
                Ok(())
            }
            Outcome::Cases(cases) => {
                let mut open = true;
                for case in cases {
                    match case {
                        OutcomeCase::Named { name, title, when } => {
                            let index = telling.cases.len() as u32;
                            telling
                                .cases
                                .push(Member { id: name.text.clone(), title: declare::title(title, &name.text) });
                            let next = match when {
                                Some(when) => {
                                    self.yes_no(when)?;
                                    Some(self.jump(Op::JumpUnless))
                                }
                                None => None,
                            };
                            self.push(Op::FinishCase(index));
                            match next {
                                Some(next) => self.land(next),
                                None => open = false,
                            }
                        }
                        OutcomeCase::Joined(parts) => {
                            telling.joined = true;
                            let mut types = Vec::with_capacity(parts.len());
                            for part in parts {
                                types.push(self.expr(part, None)?);
                            }
                            self.push(Op::Finish(types.into()));
                            open = false;
                        }
                    }
                }
                if open {
                    return Err(self.ck.tell(
                        Diagnostic::error(Fault::TableGap, "no case is left for what none of these is")
                            .label(telling.ended.unwrap_or_default(), "every case has its `when`")
                            .help("end with a case without `when`"),
                    ));
                }
                Ok(())
            }
        }
    }
}
