//! Scenarios: a story step by step, and what is read off its end.

use std::ops::Range;

use smol_str::SmolStr;

use super::grammar::{Pair, Rule};
use super::pieces::{Cut, Piece};
use super::reader::Reader;
use super::tree::{
    CaseLine, ChanceLine, GivenSet, GivenValue, ItemKind, Outcome, OutcomeCase, Scenario, Sentence, SentenceKind, Step,
    StepKind, Tolerance,
};
use crate::dice::Compare;
use crate::source::Span;

impl<'t> Reader<'_, 't> {
    pub fn scenario(&mut self, head: &Piece, inside: Option<(usize, usize)>) -> Option<ItemKind> {
        let span = self.place(head.range.clone());
        let made = self.piece(Rule::whole_scenario, head, |reader, pair| {
            let (mut name, mut params, mut title) = (None, Vec::new(), None);
            for part in pair.into_inner() {
                match part.as_rule() {
                    Rule::name => name = Some(reader.name(&part)),
                    Rule::params => params = reader.params(part),
                    Rule::text => title = Some(reader.string(&part)),
                    _ => {}
                }
            }
            Some(Scenario { name: name?, params, title, steps: Vec::new(), head: span })
        });
        let steps = inside.map_or_else(Vec::new, |(open, close)| self.steps(open + 1..close));
        made.map(|scenario| ItemKind::Scenario(Scenario { steps, ..scenario }))
    }

    pub fn steps(&mut self, inside: Range<usize>) -> Vec<Step> {
        self.inside(inside, Cut::Steps, |reader, piece| {
            let kind = reader.piece(Rule::whole_step, &piece, |reader, pair| reader.step(pair))?;
            Some(Step { kind, span: reader.place(piece.range) })
        })
    }

    fn step(&mut self, pair: Pair<'t>) -> Option<StepKind> {
        let rule = pair.as_rule();
        if rule == Rule::case_line {
            return Some(StepKind::Case(self.case_line(pair)));
        }
        let mut names = Vec::new();
        let (mut values, mut numbers, mut sets) = (Vec::new(), Vec::new(), Vec::new());
        let (mut fires, mut repeats, mut cases) = (None, false, None);
        let (mut below_zero, mut tolerance) = (None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => names.push(self.name(&part)),
                Rule::expression | Rule::clause => values.push(self.value(part)),
                Rule::key_number => {
                    let span = self.span(&part);
                    numbers.push((self.key_number(part), span));
                }
                Rule::chance => return self.chance(part).map(StepKind::Chance),
                Rule::fires => fires = self.fires(part),
                Rule::repeats_word => repeats = true,
                Rule::dash => below_zero = Some(self.span(&part)),
                Rule::share => tolerance = Some(self.tolerance(&part, below_zero)),
                Rule::block if rule == Rule::given => sets = self.given_sets(&part),
                Rule::block => cases = Some(self.cases(&part)),
                _ => {}
            }
        }
        let mut names = names.into_iter();
        let mut values = values.into_iter();
        Some(match rule {
            Rule::given => StepKind::Given { sheet: names.next()?, name: names.next(), sets },
            Rule::answer => StepKind::Answer { name: names.next()?, value: values.next()? },
            Rule::given_dice => StepKind::Dice(numbers),
            Rule::when_step => StepKind::When(fires?),
            Rule::repeat => StepKind::Repeat { what: fires?, until: values.collect() },
            Rule::then_step => StepKind::Then(values.next()?),
            Rule::kept => StepKind::Snapshot,
            Rule::kept_odds => StepKind::SnapshotOdds(tolerance),
            Rule::let_step => StepKind::Let { name: names.next()?, value: values.next()? },
            _ => StepKind::Outcome(match (repeats, cases) {
                (true, _) => Outcome::Repeats,
                (false, Some(cases)) => Outcome::Cases(cases),
                (false, None) => Outcome::Value(values.next()?),
            }),
        })
    }

    /// `chance(dead) between 40% and 42.5%`
    fn chance(&mut self, pair: Pair<'t>) -> Option<ChanceLine> {
        let span = self.span(&pair);
        let (mut outcome, mut compare, mut shares) = (None, None, Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::chance_of => outcome = part.into_inner().next().map(|part| self.comes_to(&part)),
                Rule::chance_sign => {
                    compare = Some(match part.as_str() {
                        "==" => Compare::Equal,
                        "!=" | "≠" => Compare::NotEqual,
                        "<=" | "≤" => Compare::AtMost,
                        ">=" | "≥" => Compare::AtLeast,
                        "<" => Compare::Less,
                        _ => Compare::Greater,
                    });
                }
                Rule::share => shares.push((share(part.as_str()), self.span(&part))),
                _ => {}
            }
        }
        Some(ChanceLine { outcome: outcome?, compare, shares, span })
    }

    /// `within 0.5%`
    fn tolerance(&mut self, part: &Pair<'t>, below_zero: Option<Span>) -> Tolerance {
        let ((above, below), span) = (share(part.as_str()), self.span(part));
        match below_zero {
            Some(dash) => Tolerance { share: (-above, below), span: dash.to(span) },
            None => Tolerance { share: (above, below), span },
        }
    }

    fn comes_to(&mut self, part: &Pair<'t>) -> (SmolStr, Span) {
        let written = part.as_str();
        let text = match written.strip_prefix('"') {
            Some(_) => self.string(part).value,
            None => written.replace(['−', '–', '—'], "-").into(),
        };
        (text, self.span(part))
    }

    /// `case health = -3, dice 2 -> unconscious`
    fn case_line(&mut self, pair: Pair<'t>) -> CaseLine {
        let mut line = CaseLine { args: Vec::new(), dice: Vec::new(), comes_to: None };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::case_given => {
                    let mut name = None;
                    for part in part.into_inner() {
                        match part.as_rule() {
                            Rule::name => name = Some(self.name(&part)),
                            Rule::expression => {
                                let value = self.value(part);
                                line.args.extend(name.take().map(|name| (name, value)));
                            }
                            Rule::case_dice => {
                                for die in part.into_inner().filter(|part| part.as_rule() == Rule::key_number) {
                                    let span = self.span(&die);
                                    line.dice.push((self.key_number(die), span));
                                }
                            }
                            _ => {}
                        }
                    }
                }
                Rule::comes_to => line.comes_to = Some(self.comes_to(&part)),
                _ => {}
            }
        }
        line
    }

    /// `damage(5, fire) to foe`
    fn fires(&mut self, pair: Pair<'t>) -> Option<Sentence> {
        let span = self.span(&pair);
        let (mut event, mut args, mut to) = (None, Vec::new(), None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => event = Some(self.name(&part)),
                Rule::args => args = self.args(part).0,
                Rule::operand => to = Some(self.value(part)),
                _ => {}
            }
        }
        Some(Sentence { kind: SentenceKind::Fire { event: event?, args, to }, span })
    }

    fn given_sets(&mut self, block: &Pair<'t>) -> Vec<GivenSet> {
        let inside = self.between(block);
        self.inside(inside, Cut::Steps, |reader, piece| {
            reader.piece(Rule::whole_given_set, &piece, |reader, pair| {
                let (mut name, mut values, mut rows) = (None, Vec::new(), Vec::new());
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::name => name = Some(reader.name(&part)),
                        Rule::expression => values.push(reader.value(part)),
                        Rule::any_name => rows.push(reader.name(&part)),
                        _ => {}
                    }
                }
                let value = if rows.is_empty() {
                    GivenValue::One(values.pop()?)
                } else {
                    GivenValue::Rows(values.into_iter().zip(rows).collect())
                };
                Some(GivenSet { name: name?, value })
            })
        })
    }

    fn cases(&mut self, block: &Pair<'t>) -> Vec<OutcomeCase> {
        let inside = self.between(block);
        self.inside(inside, Cut::Steps, |reader, piece| {
            reader.piece(Rule::whole_case, &piece, |reader, pair| {
                let (mut joined, mut only, mut title, mut when) = (Vec::new(), None, None, None);
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::case_value => {
                            let mut inner = part.into_inner();
                            let first = inner.next()?;
                            let name = reader.name(&first);
                            let fields: Vec<_> = inner.collect();
                            only = (joined.is_empty() && fields.is_empty()).then_some(name);
                            joined.push(reader.path(first, fields));
                        }
                        Rule::text => title = Some(reader.string(&part)),
                        Rule::expression => when = Some(reader.value(part)),
                        _ => {}
                    }
                }
                match only {
                    Some(name) => Some(OutcomeCase::Named { name, title, when }),
                    None => Some(OutcomeCase::Joined(joined)),
                }
            })
        })
    }
}

/// `3239/8000`, `42.5%` or `0` as numerator and denominator; 0 below where it is too large for either.
fn share(text: &str) -> (i64, i64) {
    let number = |text: &str| text.trim().parse::<i64>();
    let read = || {
        if let Some((above, below)) = text.split_once('/') {
            return Some((number(above).ok()?, number(below).ok()?));
        }
        let Some(percent) = text.strip_suffix('%') else { return Some((number(text).ok()?, 1)) };
        let (whole, rest) = percent.split_once('.').unwrap_or((percent, ""));
        let below = 10i64.checked_pow(u32::try_from(rest.trim().len()).ok()?)?.checked_mul(100)?;
        Some((number(&format!("{}{}", whole.trim(), rest.trim())).ok()?, below))
    };
    read().unwrap_or((0, 0))
}
