//! Dice terms and pools of the grammar as nodes of the tree.

use super::dice_words::Changes;
use super::expression::Tall;
use super::grammar::{Pair, Rule};
use super::reader::Reader;
use super::tree::{Expr, ExprKind};
use crate::diagnostics::{Code, Diagnostic};
use crate::dice::{Compare, End, Explosion, FATE_ONE, Faces, Modifier, Order, Point, Pool, Reroll, Term};
use crate::say;
use crate::source::Span;

impl<'t> Reader<'_, 't> {
    /// `thrown`: the dice behind their count. `start` is where the whole term begins.
    pub fn thrown(&mut self, thrown: Pair<'t>, count: Option<Tall>, start: Span) -> Tall {
        let whole = start.to(self.span(&thrown));
        let mut faces = None;
        let mut label = None;
        let one_die = count.as_ref().is_none_or(|c| matches!(*c.expr.kind, ExprKind::Number(1)));
        let mut changes = Changes::of(count.as_ref().map_or(0, |count| count.height), one_die);
        changes.start = start.start;
        changes.count = match count.as_ref().map(|count| &*count.expr.kind) {
            None => Some(1),
            Some(ExprKind::Number(count)) => Some(*count),
            Some(_) => None,
        };
        for part in thrown.into_inner() {
            match part.as_rule() {
                Rule::die => {}
                Rule::faces => {
                    let place = self.span(&part);
                    let read = self.faces(part, &mut changes.height);
                    self.note_digits(&read, place);
                    changes.faces = Some((read.clone(), place));
                    faces = Some(read);
                }
                Rule::label => label = Some(part),
                _ => {
                    if one_die && part.as_str() == "d" {
                        self.lone_d(&part, whole);
                    }
                    self.change(part, &mut changes);
                }
            }
        }
        let count = count.map_or_else(|| number(1, start.before()), |count| count.expr);
        let faces = faces.unwrap_or(Faces::Fate);
        let end = label.as_ref().map_or(whole.end, |label| self.range(label).start as u32);
        let end = changes.compared.as_ref().map_or(end, |(sign, _)| sign.span.start);
        let term = Span { end: start.end.max(self.trimmed(whole.start, end)), ..whole };
        self.settle(&mut changes, term);
        let modifiers = changes.modifiers;
        let dice = self.tall(ExprKind::Dice(Term { count, faces, modifiers }), term, changes.height);
        self.counted_at = changes.counted_at;
        let dice = self.labelled(dice, label, whole);
        self.compared = changes.compared;
        dice
    }

    fn trimmed(&self, start: u32, end: u32) -> u32 {
        start + self.text[start as usize..end as usize].trim_end().len() as u32
    }

    /// `{2d6, 1d8}kh1`
    pub fn pool(&mut self, pair: Pair<'t>) -> Tall {
        let whole = self.span(&pair);
        let mut members = Vec::new();
        let mut label = None;
        let mut changes = Changes::of(0, false);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::pool_members => {
                    for member in part.into_inner().filter(|part| part.as_rule() == Rule::expression) {
                        let member = self.expression(member);
                        changes.height = changes.height.max(member.height);
                        members.push(member.expr);
                    }
                }
                Rule::label => label = Some(part),
                _ => self.change(part, &mut changes),
            }
        }
        self.settle(&mut changes, whole);
        let Changes { mut modifiers, height, counted_at, compared, .. } = changes;
        if self.dialect.orders() && members.len() == 1 && !modifiers.is_empty() {
            self.lone_member(&mut members, &mut modifiers, whole);
        }
        let pool = self.tall(ExprKind::Pool(Pool { members, modifiers }), whole, height);
        self.counted_at = counted_at;
        let pool = self.labelled(pool, label, whole);
        self.compared = compared;
        pool
    }

    pub fn labelled(&mut self, dice: Tall, label: Option<Pair<'t>>, whole: Span) -> Tall {
        let Some(label) = label.and_then(|label| label.into_inner().next()) else { return dice };
        let text = label.as_str().trim().into();
        self.counted_at = None;
        self.tall(ExprKind::Label(dice.expr, text), whole, dice.height)
    }

    fn faces(&mut self, pair: Pair<'t>, height: &mut usize) -> Faces<Expr> {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let Some(first) = inner.next() else { return Faces::Fate };
        match first.as_rule() {
            Rule::percent => Faces::Upto(number(100, span)),
            Rule::fate if first.as_str().ends_with('1') => Faces::List(FATE_ONE.to_vec()),
            Rule::fate => Faces::Fate,
            Rule::group => Faces::Upto(self.grouped_number(first, height)),
            Rule::face_list => Faces::List(
                first
                    .into_inner()
                    .filter(|face| face.as_rule() == Rule::face)
                    .map(|face| {
                        let (mut negative, mut value) = (false, 0);
                        for part in face.into_inner() {
                            match part.as_rule() {
                                Rule::dash => negative = true,
                                _ => value = self.number(&part, negative),
                            }
                        }
                        value
                    })
                    .collect(),
            ),
            _ => {
                let value = self.number(&first, false);
                if inner.next().is_some() {
                    Faces::Digits(u32::try_from(value).unwrap_or_else(|_| {
                        self.spoil(
                            Diagnostic::error(
                                Code::Syntax,
                                say!("`d{value}` has too many digits", value = first.as_str()),
                            )
                            .label(span, "read digit by digit, one die each")
                            .help("write `d66 digits` or `d666 digits`"),
                        );
                        0
                    }))
                } else {
                    Faces::Upto(number(value, self.span(&first)))
                }
            }
        }
    }

    fn grouped_number(&mut self, group: Pair<'t>, height: &mut usize) -> Expr {
        let group = self.group(group);
        *height = (*height).max(group.height);
        if let ExprKind::Set(_) = *group.expr.kind {
            self.spoil(
                Diagnostic::error(Code::Syntax, "one number is wanted here, not several")
                    .label(group.expr.span, "several values")
                    .help("leave one of them"),
            );
        }
        group.expr
    }

    pub(super) fn modifier(&mut self, pair: Pair<'t>, height: &mut usize) -> Modifier<Expr> {
        let span = self.span(&pair);
        let rule = pair.as_rule();
        let written = pair.as_str();
        let mut inner = pair.into_inner();
        match rule {
            Rule::keep => {
                let how = inner.next().map_or("k", |how| how.as_str());
                let amount = inner.next().map_or_else(|| number(1, span.after()), |n| self.amount(n, height));
                match how {
                    "kl" => Modifier::Keep(End::Low, amount),
                    "dh" => Modifier::Drop(End::High, amount),
                    "dl" | "d" => Modifier::Drop(End::Low, amount),
                    _ => Modifier::Keep(End::High, amount),
                }
            }
            Rule::explode => {
                let how = match inner.next().map_or("!", |how| how.as_str()) {
                    "!!" => Explosion::Compound,
                    "!p" => Explosion::Penetrate,
                    "!o" => Explosion::Once,
                    _ => Explosion::Add,
                };
                Modifier::Explode(how, inner.next().map(|point| self.point(point.into_inner(), height)))
            }
            Rule::reroll => {
                let once = inner.next().is_some_and(|how| how.as_str() == "ro");
                let how = if once { Reroll::Once } else { Reroll::Until };
                Modifier::Reroll(how, inner.next().map(|point| self.point(point.into_inner(), height)))
            }
            Rule::clamp => {
                let least = inner.next().is_some_and(|how| how.as_str() == "min");
                let amount = inner.next().map_or_else(|| number(1, span.after()), |n| self.amount(n, height));
                if least { Modifier::AtLeast(amount) } else { Modifier::AtMost(amount) }
            }
            Rule::counting => {
                let (mut parts, mut failure) = (Vec::new(), None);
                for part in inner {
                    match part.as_rule() {
                        Rule::point => failure = Some(part),
                        _ => parts.push(part),
                    }
                }
                let success = self.point(parts.into_iter(), height);
                let failure = failure.map(|point| self.point(point.into_inner(), height));
                Modifier::Count { success, failure }
            }
            Rule::only => {
                let point = inner.find(|part| part.as_rule() == Rule::point);
                let parts = point.map(Pair::into_inner).into_iter().flatten();
                Modifier::Only(self.point(parts, height))
            }
            Rule::parity if written == "odd" => Modifier::Odd,
            Rule::parity => Modifier::Even,
            Rule::sort if written == "sd" => Modifier::Sort(Order::Descending),
            Rule::sort => Modifier::Sort(Order::Ascending),
            _ => Modifier::Unique,
        }
    }

    /// `>=7`, `9`, `<=(skill)`
    pub(super) fn point(&mut self, parts: impl Iterator<Item = Pair<'t>>, height: &mut usize) -> Point<Expr> {
        let mut point = Point { compare: Compare::Equal, value: number(0, Span::default()) };
        let mut sign = None;
        for part in parts {
            match part.as_rule() {
                Rule::point_compare => {
                    point.compare = self.point_sign(part.as_str());
                    sign = Some(self.span(&part));
                }
                _ => point.value = self.amount(part, height),
            }
        }
        // The span of a plain number is that of the whole point.
        if let (Some(sign), ExprKind::Number(_)) = (sign, &*point.value.kind) {
            point.value.span = sign.to(point.value.span);
        }
        point
    }

    /// A number or an expression in parentheses inside a modifier.
    fn amount(&mut self, pair: Pair<'t>, height: &mut usize) -> Expr {
        let span = self.span(&pair);
        let mut negative = false;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::dash => negative = true,
                Rule::group => return self.grouped_number(part, height),
                _ => return number(self.number(&part, negative), span),
            }
        }
        number(0, span)
    }

    /// `d6d`: the second `d` says to drop a die, and there is only one.
    fn lone_d(&mut self, modifier: &Pair<'t>, whole: Span) {
        let at = self.span(modifier);
        let without = self.text[whole.start as usize..at.start as usize].trim_end().to_owned();
        self.spoil(
            Diagnostic::error(Code::Syntax, say!("the second `d` of `{without}d` has nothing to drop", without))
                .label(at, "drops the lowest die, and there is only one")
                .help(say!("write `{without}`", without))
                .edit(at, ""),
        );
    }
}

/// A number that is not written, or written some other way.
pub(super) fn number(value: i64, span: Span) -> Expr {
    Expr { kind: Box::new(ExprKind::Number(value)), span }
}

/// The comparison that a sign stands for, `=` among them.
pub(super) fn compare(sign: &str) -> Option<Compare> {
    Some(match sign {
        "=" | "==" => Compare::Equal,
        "!=" | "≠" | "<>" => Compare::NotEqual,
        "<" => Compare::Less,
        "<=" | "≤" => Compare::AtMost,
        ">" => Compare::Greater,
        ">=" | "≥" => Compare::AtLeast,
        _ => return None,
    })
}
