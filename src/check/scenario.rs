//! Scenarios: what happens, step by step.

use super::body::{Body, SheetRef};
use super::merge::Merged;
use super::types::ANY_NUMBER;
use super::{Checker, Result};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::program::{self, ExpectId, Member, Op};
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{self, Expr, Step, StepKind};

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
            odds: None,
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
        if let Some((dice, odds)) = telling.idle_dice() {
            self.tell(
                Diagnostic::error(Fault::RunDice, "nothing looks at these dice")
                    .label(dice, "given here")
                    .label(odds, "the odds go through every way the dice can fall")
                    .help("take the dice out, or expect something of this one run: `then …`"),
            );
        }
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
        entry.odds = telling.odds;
    }
}

/// What a scenario has told so far.
pub(super) struct Telling<'t> {
    /// Where the turns of the last `repeat` are counted.
    pub repeats: Option<u16>,
    /// The first sheet given.
    pub first: Option<SheetRef>,
    pub cases: Vec<Member>,
    dice: Option<Vec<i64>>,
    dice_spans: Vec<Span>,
    pub expectations: Vec<ExpectId>,
    pub ended: Option<Span>,
    /// Whether an outcome joins several values.
    pub joined: bool,
    snapshot: Option<Span>,
    pub odds: Option<program::KeptOdds>,
    /// Chances expected, each with its outcome's place.
    pub chances: Vec<(program::Chance, (smol_str::SmolStr, Span))>,
    lines: Vec<(&'t tree::CaseLine, Span)>,
}

impl Telling<'_> {
    /// Dice that nothing looks at: odds go through every way they can fall.
    fn idle_dice(&self) -> Option<(Span, Span)> {
        let odds = self.odds.as_ref()?.span;
        let looked_at = !self.expectations.is_empty() || self.snapshot.is_some();
        let of_cases = self.lines.iter().filter(|(line, _)| line.comes_to.is_none()).flat_map(|(line, _)| &line.dice);
        let own = self.dice_spans.first().copied().filter(|_| self.lines.iter().all(|(l, _)| l.comes_to.is_none()));
        let idle = own.or_else(|| of_cases.map(|(_, span)| *span).next()).filter(|_| !looked_at)?;
        Some((idle, odds))
    }

    /// Only what is expected or kept counts.
    fn needs_no_outcome(&self) -> bool {
        let told = !self.expectations.is_empty() || self.snapshot.is_some() || !self.lines.is_empty();
        told && self.chances.is_empty()
            && self.odds.is_none()
            && self.lines.iter().all(|(line, _)| line.comes_to.is_none())
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
            StepKind::Chance(line) => self.chance(line, telling),
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
            StepKind::SnapshotOdds(within) => self.snapshot_odds(*within, step.span, telling),
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
}
