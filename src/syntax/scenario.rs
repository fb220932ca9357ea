//! Scenarios: a story step by step, and what is read off its end.

use std::ops::Range;

use super::grammar::{Pair, Rule};
use super::pieces::{Cut, Piece};
use super::reader::Reader;
use super::tree::{
    CaseLine, GivenSet, GivenValue, ItemKind, Outcome, OutcomeCase, Scenario, Sentence, SentenceKind, Step, StepKind,
};

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
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => names.push(self.name(&part)),
                Rule::expression | Rule::clause => values.push(self.value(part)),
                Rule::key_number => {
                    let span = self.span(&part);
                    numbers.push((self.key_number(part), span));
                }
                Rule::fires => fires = self.fires(part),
                Rule::repeats_word => repeats = true,
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
            Rule::let_step => StepKind::Let { name: names.next()?, value: values.next()? },
            _ => StepKind::Outcome(match (repeats, cases) {
                (true, _) => Outcome::Repeats,
                (false, Some(cases)) => Outcome::Cases(cases),
                (false, None) => Outcome::Value(values.next()?),
            }),
        })
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
                Rule::comes_to => {
                    let written = part.as_str();
                    let text = match written.strip_prefix('"') {
                        Some(_) => self.string(&part).value,
                        None => written.replace(['−', '–', '—'], "-").into(),
                    };
                    line.comes_to = Some((text, self.span(&part)));
                }
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
