//! Values: numbers, names, calls, questions about lists, and what stands before and behind them.

use super::dice::number;
use super::grammar::{Pair, Rule};
use super::precedence::Token;
use super::reader::Reader;
use super::tree::{Arg, Arithmetic, Expr, ExprKind, List, Query};
use crate::diagnostics::{Code, Diagnostic};
use crate::dice::Rounding;
use crate::say;
use crate::source::Span;

/// So many steps of one value may stand one inside another: `1 + 1 + …` is one step a sign.
pub const STEPS: usize = 256;

/// A value and how many steps stand one inside another in it.
pub(super) struct Tall {
    pub expr: Expr,
    pub height: usize,
}

impl<'t> Reader<'_, 't> {
    /// `expression`; only the tree of it.
    pub fn value(&mut self, pair: Pair<'t>) -> Expr {
        match pair.as_rule() {
            Rule::clause => self.clause(pair).expr,
            Rule::operand => self.operand_value(pair).expr,
            _ => self.expression(pair).expr,
        }
    }

    /// A node over others, the tallest of which has the height `below`.
    pub fn tall(&mut self, kind: ExprKind, span: Span, below: usize) -> Tall {
        if below < STEPS {
            return Tall { expr: Expr { kind: Box::new(kind), span }, height: below + 1 };
        }
        if !self.spoiled {
            self.spoil(
                Diagnostic::error(
                    Code::SyntaxDepth,
                    say!(
                        "this value has {below} steps one inside another; at most {steps} are read",
                        below = below + 1,
                        steps = STEPS
                    ),
                )
                .label(span, "this many signs in one value")
                .help("give a part of it a name of its own: `part = …`"),
            );
        }
        Tall { expr: number(0, span), height: 1 }
    }

    pub fn expression(&mut self, pair: Pair<'t>) -> Tall {
        let mut clauses: Vec<Tall> = Vec::new();
        for part in pair.into_inner() {
            if part.as_rule() == Rule::clause {
                clauses.push(self.clause(part));
            }
        }
        let mut otherwise = match clauses.pop() {
            Some(last) => last,
            None => Tall { expr: number(0, Span::default()), height: 1 },
        };
        while let (Some(condition), Some(then)) = (clauses.pop(), clauses.pop()) {
            let span = then.expr.span.to(otherwise.expr.span);
            let below = then.height.max(condition.height).max(otherwise.height);
            let kind = ExprKind::If { then: then.expr, condition: condition.expr, otherwise: otherwise.expr };
            otherwise = self.tall(kind, span, below);
        }
        otherwise
    }

    pub fn operand(&mut self, pair: Pair<'t>, tokens: &mut Vec<Token<'t>>) {
        let mut prefixes: Vec<Pair<'t>> = Vec::new();
        let mut value: Option<Tall> = None;
        self.counted_at = None;
        self.compared = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::not_word | Rule::dash | Rule::plus | Rule::roll_sign | Rule::random_sign => prefixes.push(part),
                Rule::field => {
                    self.counted_at = None;
                    if let Some(of) = value.take() {
                        value = Some(self.field(of, part));
                    }
                }
                Rule::verdict => {
                    self.counted_at = None;
                    if let Some(check) = value.take() {
                        let span = check.expr.span.to(self.span(&part));
                        let kind = ExprKind::Passes { check: check.expr, passes: part.as_str() == "passes" };
                        value = Some(self.tall(kind, span, check.height));
                    }
                }
                _ => value = Some(self.primary(part)),
            }
        }
        let Some(mut value) = value else { return };
        let nots = prefixes.iter().take_while(|p| p.as_rule() == Rule::not_word).count();
        for prefix in prefixes.drain(nots..).rev() {
            let span = self.span(&prefix).to(value.expr.span);
            let kind = match prefix.as_rule() {
                Rule::plus => continue,
                Rule::dash => ExprKind::Negate(value.expr),
                Rule::roll_sign => ExprKind::Roll(value.expr),
                Rule::random_sign => ExprKind::Random(value.expr),
                _ => ExprKind::Not(value.expr),
            };
            if prefix.as_rule() != Rule::dash {
                self.counted_at = None;
            }
            value = self.tall(kind, span, value.height);
        }
        tokens.extend(prefixes.iter().map(|not| Token::Not(self.span(not))));
        tokens.push(Token::Value(value, self.counted_at.take()));
        if let Some((sign, expr)) = self.compared.take() {
            tokens.push(Token::Infix(sign));
            tokens.push(Token::Value(Tall { expr, height: 1 }, None));
        }
    }

    fn primary(&mut self, pair: Pair<'t>) -> Tall {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::text => {
                let text = self.string(&pair);
                self.tall(ExprKind::Text(text), span, 0)
            }
            Rule::counted | Rule::single => {
                let mut inner = pair.into_inner();
                let Some(first) = inner.next() else { return self.tall(ExprKind::None, span, 0) };
                if first.as_rule() == Rule::thrown {
                    return self.thrown(first, None, span.before());
                }
                let value = self.number(&first, false);
                let place = self.span(&first);
                let count = self.tall(ExprKind::Number(value), place, 0);
                match inner.next() {
                    Some(label) if label.as_rule() == Rule::label => self.labelled(count, Some(label), span),
                    Some(thrown) => self.thrown(thrown, Some(count), place),
                    None => count,
                }
            }
            Rule::grouped => {
                let mut inner = pair.into_inner();
                let Some(first) = inner.next() else { return self.tall(ExprKind::None, span, 0) };
                let group = self.group(first);
                match inner.next() {
                    Some(label) if label.as_rule() == Rule::label => self.labelled(group, Some(label), span),
                    Some(thrown) => {
                        let place = group.expr.span;
                        self.thrown(thrown, Some(group), place)
                    }
                    None => {
                        self.counted_at = None;
                        group
                    }
                }
            }
            Rule::pool => self.pool(pair),
            Rule::constant => {
                let kind = match pair.as_str() {
                    "yes" => ExprKind::Yes,
                    "no" => ExprKind::No,
                    "all" => ExprKind::All,
                    _ => ExprKind::None,
                };
                self.tall(kind, span, 0)
            }
            Rule::my_name => {
                let name = self.inner_name(pair);
                self.tall(name.map_or(ExprKind::None, ExprKind::My), span, 0)
            }
            Rule::query => self.query(pair, span),
            Rule::tally => self.tally(pair, span),
            Rule::exploding => {
                let mut dice = None;
                let mut top = 1;
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::expression => dice = Some(self.expression(part)),
                        Rule::number => top = u32::try_from(self.number(&part, false)).unwrap_or(u32::MAX),
                        _ => {}
                    }
                }
                let Some(dice) = dice else { return self.tall(ExprKind::None, span, 0) };
                self.counted_at = None;
                self.tall(ExprKind::Exploding(dice.expr, top), span, dice.height)
            }
            _ => self.called(pair, span),
        }
    }

    /// In parentheses: one value, or several.
    pub fn group(&mut self, pair: Pair<'t>) -> Tall {
        let span = self.span(&pair);
        let mut height = 0;
        let mut all = Vec::new();
        for part in pair.into_inner().filter(|part| part.as_rule() == Rule::expression) {
            let value = self.expression(part);
            height = height.max(value.height);
            all.push(value.expr);
        }
        self.counted_at = None;
        match all.pop() {
            Some(only) if all.is_empty() => self.tall(ExprKind::Group(only), span, height),
            Some(last) => {
                all.push(last);
                self.tall(ExprKind::Set(all), span, height)
            }
            None => self.tall(ExprKind::None, span, 0),
        }
    }

    /// A name, or one that is given something.
    pub fn called(&mut self, pair: Pair<'t>, span: Span) -> Tall {
        let mut inner = pair.into_inner();
        let Some(name) = inner.next() else { return self.tall(ExprKind::None, span, 0) };
        let name = self.name(&name);
        match inner.next() {
            Some(args) => {
                let (mut args, height) = self.args(args);
                self.counted_at = None;
                self.compared = None;
                if let Some(rounding) = rounds(&name.text)
                    && let [arg] = &mut args[..]
                    && arg.name.is_none()
                    && round_division(&mut arg.value, rounding)
                {
                    let inner = std::mem::replace(&mut arg.value, number(0, span));
                    return self.tall(ExprKind::Group(inner), span, height);
                }
                self.tall(ExprKind::Call(name, args), span, height)
            }
            None => self.tall(ExprKind::Name(name), span, 0),
        }
    }

    fn field(&mut self, of: Tall, pair: Pair<'t>) -> Tall {
        let span = of.expr.span.to(self.span(&pair));
        let mut inner = pair.into_inner();
        let Some(name) = inner.next() else { return of };
        let name = self.name(&name);
        match inner.next() {
            Some(args) => {
                let (args, height) = self.args(args);
                self.tall(ExprKind::CallOf(of.expr, name, args), span, height.max(of.height))
            }
            None => self.tall(ExprKind::Field(of.expr, name), span, of.height),
        }
    }

    /// `path`: a name and the fields behind it.
    pub fn path(&mut self, first: Pair<'t>, fields: Vec<Pair<'t>>) -> Expr {
        let span = self.span(&first);
        let mut value = match first.as_rule() {
            Rule::name | Rule::any_name => {
                let name = self.name(&first);
                self.tall(ExprKind::Name(name), span, 0)
            }
            _ => self.primary(first),
        };
        for part in fields {
            value = self.field(value, part);
        }
        value.expr
    }

    /// What is given in parentheses, and the height of the tallest.
    pub fn args(&mut self, pair: Pair<'t>) -> (Vec<Arg>, usize) {
        let mut height = 0;
        let mut all = Vec::new();
        for arg in pair.into_inner() {
            let mut name = None;
            for part in arg.into_inner() {
                if part.as_rule() == Rule::arg_name {
                    name = self.inner_name(part);
                } else {
                    let value = self.expression(part);
                    height = height.max(value.height);
                    all.push(Arg { name: name.take(), value: value.expr });
                }
            }
        }
        (all, height)
    }

    fn query(&mut self, pair: Pair<'t>, span: Span) -> Tall {
        let mut query = Query::Count;
        let mut asked = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::list => asked = Some(self.list(part)),
                _ => {
                    query = match part.as_str() {
                        "any" => Query::Any,
                        "first" => Query::First,
                        "last" => Query::Last,
                        _ => Query::Count,
                    }
                }
            }
        }
        let Some((list, height)) = asked else { return self.tall(ExprKind::None, span, 0) };
        self.counted_at = None;
        self.tall(ExprKind::Query { query, list }, span, height)
    }

    fn tally(&mut self, pair: Pair<'t>, span: Span) -> Tall {
        let mut word = "sum";
        let (mut of, mut asked) = (None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::tally_word => word = part.as_str(),
                Rule::clause => of = Some(self.clause(part)),
                Rule::list => asked = Some(self.list(part)),
                _ => {}
            }
        }
        let (Some(of), Some((list, height))) = (of, asked) else { return self.tall(ExprKind::None, span, 0) };
        let below = of.height.max(height);
        let query = match word {
            "highest" => Query::Highest(of.expr),
            "lowest" => Query::Lowest(of.expr),
            _ => Query::Sum(of.expr),
        };
        self.counted_at = None;
        self.tall(ExprKind::Query { query, list }, span, below)
    }

    /// `other injuries where row == my row`, and its height.
    pub fn list(&mut self, pair: Pair<'t>) -> (List, usize) {
        let span = self.span(&pair);
        let mut other = false;
        let mut of: Option<Tall> = None;
        let mut filter = None;
        let mut height = 0;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::other_word => other = true,
                Rule::where_word => {}
                Rule::clause => {
                    let clause = self.clause(part);
                    height = height.max(clause.height);
                    filter = Some(Box::new(clause.expr));
                }
                Rule::field => {
                    if let Some(before) = of.take() {
                        of = Some(self.field(before, part));
                    }
                }
                _ => of = Some(self.primary(part)),
            }
        }
        let of = of.unwrap_or_else(|| Tall { expr: number(0, span), height: 1 });
        (List { other, of: Box::new(of.expr), filter, span }, height.max(of.height))
    }
}

/// The functions that say how a division is rounded.
fn rounds(name: &str) -> Option<Rounding> {
    Some(match name {
        "floor" => Rounding::Down,
        "ceil" => Rounding::Up,
        "round" => Rounding::Near,
        _ => return None,
    })
}

/// Rounds the division that a value is, unless it says itself how.
fn round_division(expr: &mut Expr, rounding: Rounding) -> bool {
    match &mut *expr.kind {
        ExprKind::Group(inner) => round_division(inner, rounding),
        ExprKind::Arithmetic(Arithmetic::Divide(how @ None), ..) => {
            *how = Some(rounding);
            true
        }
        _ => false,
    }
}

/// Avrae cuts the whole of a roll down to a whole number: the same as rounding the division that it
/// ends with, or that something whole is added to.
pub(super) fn round_at_the_end(expr: &mut Expr) -> bool {
    match &mut *expr.kind {
        ExprKind::Group(inner) => round_at_the_end(inner),
        ExprKind::Arithmetic(Arithmetic::Add, left, right) => round_at_the_end(left) || round_at_the_end(right),
        _ => round_division(expr, Rounding::Down),
    }
}
