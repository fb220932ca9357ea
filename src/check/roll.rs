//! A roll typed by hand: dice and numbers, no rules around them.

use super::dice::{diagnostic, fill, form};
use crate::diagnostics::{Code as Fault, Diagnostic, any_error, nearest};
use crate::dice::{self, Dice};
use crate::program::Form;
use crate::source::FileId;
use crate::syntax::{
    self,
    tree::{Arithmetic, Expr, ExprKind},
};

/// The most bytes of an expression typed by hand.
pub const EXPRESSION_BYTES: usize = 4096;

/// Functions an expression may call.
const FUNCTIONS: [&str; 7] = ["min", "max", "abs", "maximum", "minimum", "twice", "exploding"];

/// The dice an expression means, and what is to be said about it. No dice where that is an error.
pub fn ad_hoc(text: &str) -> (Option<Dice>, Vec<Diagnostic>) {
    let file = FileId(0);
    if text.len() > EXPRESSION_BYTES {
        let message = format!("a roll can be {EXPRESSION_BYTES} bytes long, and this one is {}", text.len());
        return (None, vec![Diagnostic::error(Fault::FileLimit, message).help("roll it in parts")]);
    }
    let (expr, mut diagnostics) = syntax::parse_expression(file, text);
    let Some(expr) = expr else { return (None, diagnostics) };
    if any_error(&diagnostics) {
        return (None, diagnostics);
    }
    let dice = match dice_of(&expr) {
        Ok(dice) => dice,
        Err(fault) => {
            diagnostics.push(*fault);
            return (None, diagnostics);
        }
    };
    diagnostics.extend(dice::faults(&dice).iter().map(|found| diagnostic(&found.fault, expr.span)));
    let dice = (!any_error(&diagnostics)).then_some(dice);
    (dice, diagnostics)
}

fn dice_of(expr: &Expr) -> Result<Dice, Box<Diagnostic>> {
    let form = form(expr, &mut |hole| special(hole).map(Form::Number))?;
    // Functions that make other dice stand where a number would: they are filled in last.
    let _ = &form;
    match whole(expr)? {
        Some(dice) => Ok(dice),
        None => fill(&form, &mut |_| None).ok_or_else(|| {
            Box::new(Diagnostic::error(Fault::Syntax, "these are no dice").label(expr.span, "not dice"))
        }),
    }
}

/// `maximum(…)` and its like at the top of an expression, or arithmetic over them.
fn whole(expr: &Expr) -> Result<Option<Dice>, Box<Diagnostic>> {
    let fault = |fault: dice::DiceFault| Box::new(diagnostic(&fault, expr.span));
    Ok(match &*expr.kind {
        ExprKind::Group(inner) => whole(inner)?,
        ExprKind::Exploding(inner, top) => Some(dice::exploding(&dice_of(inner)?, *top).map_err(fault)?),
        ExprKind::Call(name, args) if args.len() == 1 => {
            let change = match name.text.as_str() {
                "maximum" => dice::maximum,
                "minimum" => dice::minimum,
                "twice" => dice::twice,
                _ => return Ok(None),
            };
            Some(change(&dice_of(&args[0].value)?).map_err(fault)?)
        }
        ExprKind::Arithmetic(op, a, b) if has_change(a) || has_change(b) => match super::dice::operator(*op) {
            Some(op) => Some(Dice::Operation(op, Box::new(dice_of(a)?), Box::new(dice_of(b)?))),
            None => None,
        },
        _ => None,
    })
}

fn has_change(expr: &Expr) -> bool {
    match &*expr.kind {
        ExprKind::Group(inner) => has_change(inner),
        ExprKind::Exploding(..) => true,
        ExprKind::Call(name, _) => matches!(name.text.as_str(), "maximum" | "minimum" | "twice"),
        ExprKind::Arithmetic(_, a, b) => has_change(a) || has_change(b),
        _ => false,
    }
}

/// Whatever is neither dice nor a number: told, or a placeholder for dice made by a function.
fn special(expr: &Expr) -> Result<i64, Box<Diagnostic>> {
    match &*expr.kind {
        ExprKind::Exploding(..) => Ok(0),
        ExprKind::Call(name, args) => match name.text.as_str() {
            "maximum" | "minimum" | "twice" => Ok(0),
            "min" | "max" | "abs" => {
                let mut values = Vec::new();
                for arg in args {
                    match dice_of(&arg.value)? {
                        Dice::Number(n) => values.push(n),
                        other => match dice::span(&other) {
                            Some((low, high)) if low == high => values.push(low),
                            _ => {
                                return Err(Box::new(
                                    Diagnostic::error(Fault::TypeMismatch, "a number has to stand here")
                                        .label(arg.value.span, "not a number"),
                                ));
                            }
                        },
                    }
                }
                let value = match name.text.as_str() {
                    "min" => values.into_iter().min(),
                    "max" => values.into_iter().max(),
                    _ => values.first().and_then(|n| n.checked_abs()),
                };
                value.ok_or_else(|| {
                    Box::new(
                        Diagnostic::error(Fault::TypeMismatch, format!("`{}` needs a number", name.text))
                            .label(expr.span, "nothing to work with"),
                    )
                })
            }
            _ => Err(Box::new(unknown(&name.text, name.span, true))),
        },
        ExprKind::Name(name) => Err(Box::new(unknown(&name.text, name.span, false))),
        ExprKind::Arithmetic(Arithmetic::Divide(None), ..) => Err(Box::new(
            Diagnostic::error(Fault::TypeMismatch, "a division says how it is rounded")
                .label(expr.span, "rounded up or down")
                .help("write `… / 2 down`, or `up`, or `near`")
                .edit(expr.span.after(), " down"),
        )),
        ExprKind::Compare(compare, a, b) => {
            // Two plain numbers: as good as their answer.
            match (dice_of(a)?, dice_of(b)?) {
                (Dice::Number(a), Dice::Number(b)) => Ok(i64::from(compare.holds(a, b))),
                _ => Ok(0),
            }
        }
        _ => Err(Box::new(
            Diagnostic::error(Fault::Syntax, "only dice and numbers can be rolled")
                .label(expr.span, "neither dice nor a number"),
        )),
    }
}

fn unknown(name: &str, span: crate::source::Span, is_call: bool) -> Diagnostic {
    let what = if is_call { "function" } else { "die or number" };
    let fault = Diagnostic::error(Fault::NameUnknown, format!("there is no {what} called `{name}`"));
    match nearest(name, FUNCTIONS) {
        Some(near) => fault.label(span, format!("perhaps `{near}`")).help(format!("write `{near}`")).edit(span, near),
        None if is_call => {
            fault.label(span, "not known").help(format!("the functions are `{}`", FUNCTIONS.join("`, `")))
        }
        None => fault.label(span, "not known here").help("write dice such as `2d6+3`; for a comment put `#` before it"),
    }
}
