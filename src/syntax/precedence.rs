//! Which operator binds tighter: the grammar's flat list of operands and signs as a tree.

use super::dice::{compare, number};
use super::expression::Tall;
use super::grammar::{Pair, Rule};
use super::reader::{Reader, Sign};
use super::tree::{Arithmetic, Expr, ExprKind};
use crate::diagnostics::{Code, Diagnostic};
use crate::dice::{Dialect, Rounding};
use crate::say;
use crate::source::Span;

/// An operator between two values, from the loosest to the tightest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
    Compare,
    Sum,
    Product,
}

/// One token of the flat list.
pub(super) enum Token<'t> {
    Not(Span),
    Value(Tall, Option<usize>),
    Infix(Sign<'t>),
    Rounding(Pair<'t>),
}

impl<'t> Reader<'_, 't> {
    pub fn clause(&mut self, pair: Pair<'t>) -> Tall {
        let mut tokens = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::operand => self.operand(part, &mut tokens),
                Rule::rounding => tokens.push(Token::Rounding(part)),
                _ => tokens.push(Token::Infix(Sign { text: part.as_str(), span: self.span(&part) })),
            }
        }
        let mut tokens = tokens.into_iter().peekable();
        self.climb(&mut tokens, Level::Or)
    }

    pub fn operand_value(&mut self, pair: Pair<'t>) -> Tall {
        let mut tokens = Vec::new();
        self.operand(pair, &mut tokens);
        let mut tokens = tokens.into_iter().peekable();
        self.climb(&mut tokens, Level::Or)
    }

    /// Reads on as long as the operators bind at least as tightly as `level`.
    fn climb(&mut self, tokens: &mut std::iter::Peekable<std::vec::IntoIter<Token<'t>>>, level: Level) -> Tall {
        let mut nots = Vec::new();
        let mut first = loop {
            match tokens.next() {
                Some(Token::Not(span)) => nots.push(span),
                Some(Token::Value(value, _)) => break value,
                Some(Token::Infix(_) | Token::Rounding(_)) => {}
                None => break Tall { expr: number(0, Span::default()), height: 1 },
            }
        };
        if !nots.is_empty() {
            first = self.go_on(first, tokens, Level::Compare);
            for span in nots.into_iter().rev() {
                let whole = span.to(first.expr.span);
                first = self.tall(ExprKind::Not(first.expr), whole, first.height);
            }
        }
        self.go_on(first, tokens, level)
    }

    fn go_on(
        &mut self,
        mut left: Tall,
        tokens: &mut std::iter::Peekable<std::vec::IntoIter<Token<'t>>>,
        level: Level,
    ) -> Tall {
        let mut compared = false;
        loop {
            match tokens.peek() {
                Some(Token::Infix(sign)) if level_of(sign.text) >= level => {}
                Some(Token::Rounding(_)) => {
                    if let Some(Token::Rounding(word)) = tokens.next() {
                        let fault = stray_rounding(word.as_str(), self.span(&word));
                        self.spoil(fault);
                    }
                    continue;
                }
                _ => return left,
            }
            let Some(Token::Infix(sign)) = tokens.next() else { return left };
            let at = level_of(sign.text);
            if at == Level::Compare && std::mem::replace(&mut compared, true) {
                self.chained(&sign, left.expr.span);
            }
            let tighter = match at {
                Level::Or => Level::And,
                Level::And => Level::Not,
                Level::Not | Level::Compare => Level::Sum,
                Level::Sum => Level::Product,
                Level::Product => Level::Product,
            };
            if matches!(at, Level::Sum | Level::Product)
                && self.dialect == Dialect::Cicatriz
                && let Some(Token::Value(dice, Some(count))) = tokens.peek()
            {
                let (whole, count) = (left.expr.span.to(dice.expr.span), *count);
                let dice = dice.expr.span;
                self.glued_at_the_end(whole, dice, count);
            }
            let right = if at == Level::Product {
                match tokens.next() {
                    Some(Token::Value(value, _)) => value,
                    Some(Token::Not(span)) => {
                        self.not_here(span);
                        self.climb(tokens, Level::Product)
                    }
                    _ => return left,
                }
            } else {
                if let (Some(Token::Not(span)), true) = (tokens.peek(), tighter > Level::Not) {
                    let span = *span;
                    self.not_here(span);
                }
                self.climb(tokens, tighter)
            };
            let mut span = left.expr.span.to(right.expr.span);
            let rounding = match tokens.peek() {
                Some(Token::Rounding(_)) if matches!(sign.text, "/" | "÷") => match tokens.next() {
                    Some(Token::Rounding(word)) => {
                        span = span.to(self.span(&word));
                        rounding(word.as_str())
                    }
                    _ => None,
                },
                _ => None,
            };
            let below = left.height.max(right.height);
            let kind = join(sign.text, rounding, left.expr, right.expr);
            left = self.tall(kind, span, below);
        }
    }

    // ── What the grammar lets pass and the language does not ────────────────────────────────

    fn chained(&mut self, sign: &Sign<'t>, left: Span) {
        let span = sign.span;
        let shown = &self.text[left.range()];
        let middle = shown.rsplit(['<', '>', '=', '!']).next().unwrap_or("").trim();
        let help = if middle.is_empty() || middle == shown {
            say!("join two comparisons with `and`")
        } else {
            say!("join two comparisons with `and`: `{shown} and {middle} {sign} …`", shown, middle, sign = sign.text)
        };
        self.spoil(
            Diagnostic::error(Code::Syntax, "a comparison cannot be compared again")
                .label(span, "a second comparison")
                .label(left, "this is already yes or no")
                .help(help),
        );
    }

    fn not_here(&mut self, span: Span) {
        self.spoil(
            Diagnostic::error(Code::Syntax, "`not` cannot stand behind a sign")
                .label(span, "turns a whole condition round")
                .help("put it in parentheses: `(not …)`"),
        );
    }

    fn glued_at_the_end(&mut self, whole: Span, dice: Span, count: usize) {
        let before = self.text[whole.start as usize..count].to_owned();
        let counted = self.text[dice.range()].to_owned();
        let point = self.text[count..dice.end as usize].to_owned();
        let sum = self.text[whole.start as usize..dice.start as usize].to_owned();
        self.spoil(
            Diagnostic::error(
                Code::Syntax,
                say!("does `{point}` count the dice of `{counted}`, or compare the whole sum?", point, counted),
            )
            .label(self.place(count..dice.end as usize), "glued to dice at the end of a sum")
            .help(say!(
                "write `({before}) {point}` to compare, `{sum}({counted})` to count",
                before,
                point = spaced(&point),
                sum,
                counted
            )),
        );
    }
}

/// `hp down`: a rounding that rounds nothing.
pub(super) fn stray_rounding(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::Syntax, say!("`{word}` stands behind something that is not divided", word))
        .label(span, "rounds a division")
        .help(say!("write it behind the division: `hp / 2 {word}`", word))
}

/// `>=4` as `>= 4`.
fn spaced(point: &str) -> String {
    let value = point.trim_start_matches(['<', '>', '=', '≤', '≥']);
    let sign = &point[..point.len() - value.len()];
    format!("{} {}", if sign == "=" { "==" } else { sign }, value.trim())
}

fn level_of(sign: &str) -> Level {
    match sign {
        "or" => Level::Or,
        "and" => Level::And,
        "+" | "-" | "−" | "–" | "—" => Level::Sum,
        "*" | "×" | "/" | "÷" | "%" => Level::Product,
        _ => Level::Compare,
    }
}

fn rounding(word: &str) -> Option<Rounding> {
    Some(match word {
        "down" => Rounding::Down,
        "up" => Rounding::Up,
        "near" => Rounding::Near,
        _ => return None,
    })
}

fn join(sign: &str, rounding: Option<Rounding>, left: Expr, right: Expr) -> ExprKind {
    let arithmetic = match sign {
        "or" => return ExprKind::Or(left, right),
        "and" => return ExprKind::And(left, right),
        "in" => return ExprKind::In { item: left, set: right, negated: false },
        "+" => Arithmetic::Add,
        "-" | "−" | "–" | "—" => Arithmetic::Subtract,
        "*" | "×" => Arithmetic::Multiply,
        "/" | "÷" => Arithmetic::Divide(rounding),
        "%" => Arithmetic::Remainder,
        _ => {
            return match compare(sign) {
                Some(compare) => ExprKind::Compare(compare, left, right),
                None => ExprKind::In { item: left, set: right, negated: true },
            };
        }
    };
    ExprKind::Arithmetic(arithmetic, left, right)
}
