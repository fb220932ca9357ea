//! What a scenario expects and what it comes to: expectations, chances, cases, outcomes.

use super::body::Body;
use super::scenario::Telling;
use super::types::ANY_NUMBER;
use super::{Checker, Result, declare};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::dice::Compare;
use crate::program::{self, Asks, ChanceIs, Constant, ExpectId, Expectation, Member, Op, Type};
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{self, ChanceLine, Expr, ExprKind, Outcome, OutcomeCase, Query, Tolerance};
use crate::wording::Wording;

impl<'t> Checker<'t> {
    /// The arguments of a case, each a value that is known.
    pub(super) fn case_line(
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
            let written = written.replace(['−', '–', '—'], "-");
            match super::argument::argument_with(&self.program, &params[at], &written, " = ") {
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
    pub(super) fn outcomes_known(
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

impl<'t> Body<'_, 't> {
    pub(super) fn chance(&mut self, line: &'t ChanceLine, telling: &mut Telling<'t>) -> Result<()> {
        for ((above, below), span) in &line.shares {
            if *below <= 0 || above > below {
                return Err(self.ck.tell(
                    Diagnostic::error(Fault::TypeMismatch, "a chance is at most 1")
                        .label(*span, "no chance")
                        .help("write a fraction, `3/8`, or a percentage, `37.5%`"),
                ));
            }
        }
        let share = |at: usize| line.shares.get(at).map_or((0, 1), |((above, below), _)| (*above, *below as u64));
        let is = match line.compare {
            Some(compare) => ChanceIs::Compared(compare, share(0)),
            None => ChanceIs::Between(share(0), share(1)),
        };
        let chance = program::Chance { outcome: line.outcome.0.clone(), is, span: line.span };
        telling.chances.push((chance, line.outcome.clone()));
        Ok(())
    }

    /// `snapshot odds within 0.5%`; without a tolerance nothing may move at all.
    pub(super) fn snapshot_odds(
        &mut self,
        within: Option<Tolerance>,
        span: Span,
        telling: &mut Telling<'t>,
    ) -> Result<()> {
        if let Some(first) = &telling.odds {
            return Err(self.ck.tell(super::merge::once(Wording::text("`snapshot odds`"), first.span, span)));
        }
        let share = match within.map(|within| (within.share, within.span)) {
            None => (0, 1),
            Some(((above, below), _)) if below > 0 && (0..=below).contains(&above) => (above, below as u64),
            Some(((above, _), place)) => {
                let (told, percent) = match above {
                    ..0 => (say!("a chance cannot move by less than nothing"), above.unsigned_abs()),
                    _ => (say!("a chance cannot move by more than 100%"), above.unsigned_abs()),
                };
                let written = self.text(place);
                let help = match written.trim_start_matches(['-', '−', '–', '—']).trim() {
                    positive if above < 0 => say!("write `within {positive}`", positive),
                    whole if percent <= 100 && !whole.contains(['%', '/']) => say!("write `within {whole}%`", whole),
                    _ => say!("write a percentage up to 100, such as `within 0.5%`"),
                };
                return Err(self
                    .ck
                    .tell(Diagnostic::error(Fault::TypeBounds, told).label(place, "by so much").help(help)));
            }
        };
        telling.odds = Some(program::KeptOdds { within: share, span });
        Ok(())
    }

    pub(super) fn then(&mut self, expected: &'t Expr, telling: &mut Telling<'t>) -> Result<()> {
        let id = ExpectId(self.ck.program.expectations.len() as u32);
        let (sides, asks) = match &*expected.kind {
            ExprKind::Compare(compare, a, b) => {
                let sides = self.compare_sides(*compare, a, b)?;
                self.keep_sides(&[Op::Compare(*compare)]);
                (Some(sides), Asks::Compared(*compare))
            }
            _ => {
                self.yes_no(expected)?;
                self.question(expected)
            }
        };
        self.ck.program.expectations.push(Expectation { span: expected.span, sides, asks });
        telling.expectations.push(id);
        self.push(Op::Expect(id));
        Ok(())
    }

    /// The two values on the stack are left there twice, and the second pair answered.
    fn keep_sides(&mut self, answer: &[Op]) {
        let (left, right) = (self.temporary(), self.temporary());
        self.push(Op::Store(right));
        self.push(Op::Store(left));
        for slot in [left, right, left, right] {
            self.push(Op::Load(slot));
        }
        answer.iter().for_each(|op| self.push(op.clone()));
    }

    /// What a question asks whose code has just been made. Of a state and of a condition its code
    /// is changed to leave what there is instead, too.
    fn question(&mut self, expected: &'t Expr) -> (Option<(Type, Type)>, Asks) {
        let (inner, negated) = match &*expected.kind {
            ExprKind::Not(inner) => (inner, true),
            _ => (expected, false),
        };
        if matches!(&*inner.kind, ExprKind::Query { query: Query::Any, .. }) {
            return (None, Asks::Any { negated });
        }
        let last = self.ops.len() - usize::from(negated);
        let Some((_, asked)) = self.asked.filter(|(end, _)| *end == last && inner.is_name()) else {
            return (None, Asks::Other);
        };
        self.ops.truncate(last - 1);
        match asked {
            Type::State(_) => {
                let compare = if negated { Compare::NotEqual } else { Compare::Equal };
                self.keep_sides(&[Op::Compare(compare)]);
                (Some((asked, asked)), Asks::Compared(compare))
            }
            _ => {
                let (member, set) = (self.temporary(), self.temporary());
                self.push(Op::Store(set));
                self.push(Op::Store(member));
                for slot in [set, member, member, set] {
                    self.push(Op::Load(slot));
                }
                self.push(Op::Within);
                if negated {
                    self.push(Op::Not);
                }
                let member = match asked {
                    Type::SetOfKind(kind) => Type::Kind { kind, or_none: false },
                    other => other,
                };
                (Some((asked, member)), Asks::Condition)
            }
        }
    }

    pub(super) fn outcome(&mut self, outcome: &'t Outcome, telling: &mut Telling<'t>) -> Result<()> {
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
