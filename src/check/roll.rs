//! A roll typed by hand: dice and numbers, no rules around them.

use std::borrow::Cow;

use super::dice::{diagnostic, fill, form, found_at, function};
use super::plain_roll::plain;
use crate::diagnostics::{Code as Fault, Diagnostic, Severity, any_error, nearest};
use crate::dice::{self, Dialect, Dice, Operator};
use crate::program::Form;
use crate::say;
use crate::source::{FileId, Span};
use crate::syntax::{
    self,
    tree::{Arithmetic, Expr, ExprKind},
};

/// The most bytes of an expression typed by hand.
pub const EXPRESSION_BYTES: usize = 4096;

/// Functions an expression may call.
const FUNCTIONS: [&str; 10] =
    ["min", "max", "abs", "floor", "ceil", "round", "maximum", "minimum", "twice", "exploding"];

/// The dice an expression means, and what is to be said about it. No dice where that is an error.
pub fn ad_hoc(text: &str) -> (Option<Dice>, Vec<Diagnostic>) {
    ad_hoc_in(text, Dialect::Cicatriz)
}

/// The same, read as another tool reads it.
pub fn ad_hoc_in(text: &str, dialect: Dialect) -> (Option<Dice>, Vec<Diagnostic>) {
    match plain(text) {
        Some(dice) => (Some(dice), Vec::new()),
        None => by_grammar(text, dialect),
    }
}

/// The same by the grammar, as everything but the plainest rolls is read.
pub(super) fn by_grammar(text: &str, dialect: Dialect) -> (Option<Dice>, Vec<Diagnostic>) {
    let (dice, mut diagnostics) = read(text, dialect);
    // How other tools read what nobody can roll helps nobody.
    if dice.is_none() {
        diagnostics.retain(|told| told.severity == Severity::Error);
    }
    (dice, diagnostics)
}

fn read(text: &str, dialect: Dialect) -> (Option<Dice>, Vec<Diagnostic>) {
    let file = FileId(0);
    if text.len() > EXPRESSION_BYTES {
        let message = say!(
            "a roll can be {expression_bytes} bytes long, and this one is {value}",
            expression_bytes = EXPRESSION_BYTES,
            value = text.len()
        );
        return (None, vec![Diagnostic::error(Fault::FileLimit, message).help("roll it in parts")]);
    }
    let text = match unwrapped(text, dialect) {
        Ok(text) => text,
        Err(fault) => return (None, vec![*fault]),
    };
    let (expr, mut diagnostics) = syntax::parse_expression_in(file, &text, dialect);
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
    diagnostics.extend(dice::faults(&dice).iter().map(|found| found_at(found, &expr)));
    crate::diagnostics::sort(&mut diagnostics);
    let dice = (!any_error(&diagnostics)).then_some(dice);
    (dice, diagnostics)
}

/// The text without what a tool writes round a roll or beside it. What is left stands where it stood.
fn unwrapped(text: &str, dialect: Dialect) -> Result<Cow<'_, str>, Box<Diagnostic>> {
    let place = |start: usize, length: usize| Span::new(FileId(0), start..start + length);
    if dialect == Dialect::Avrae
        && let Some(at) = text.find("//")
    {
        return Err(Box::new(
            Diagnostic::error(Fault::DiceDialect, "`//` divides in avrae, and begins a comment here")
                .label(place(at, 2), "divides")
                .help("write `/ 2 down`"),
        ));
    }
    let trimmed = text.trim();
    let rolled_inline = matches!(dialect, Dialect::Roll20 | Dialect::Foundry | Dialect::Avrae)
        && trimmed.starts_with("[[")
        && trimmed.ends_with("]]");
    if rolled_inline {
        return Ok(text.replace("[[", "((").replace("]]", "))").into());
    }
    if dialect == Dialect::RpgDiceRoller
        && let Some((start, rest)) = text.split_once("/*")
        && let Some(end) = rest.find("*/")
    {
        let comment = rest.get(..end).unwrap_or("").len() + 4;
        let behind = rest.get(end + 2..).unwrap_or("");
        return Ok(format!("{start}{}{behind}", " ".repeat(comment)).into());
    }
    Ok(text.into())
}

fn dice_of(expr: &Expr) -> Result<Dice, Box<Diagnostic>> {
    let mut holes = Vec::new();
    let form = form(expr, &mut |hole| -> Result<Form, Box<Diagnostic>> {
        let index = u16::try_from(holes.len()).map_err(|_| Box::new(not_dice(hole)))?;
        holes.push(special(hole)?);
        Ok(Form::Hole(index))
    })?;
    fill(&form, &mut |hole| holes.get(usize::from(hole)).cloned()).ok_or_else(|| Box::new(not_dice(expr)))
}

fn not_dice(expr: &Expr) -> Diagnostic {
    Diagnostic::error(Fault::Syntax, "only dice and numbers can be rolled")
        .label(expr.span, "neither dice nor a number")
}

/// What stands where dice or a number could: a function of dice, or a comparison of numbers.
fn special(expr: &Expr) -> Result<Dice, Box<Diagnostic>> {
    let fault = |fault: dice::DiceFault| Box::new(diagnostic(&fault, expr.span));
    match &*expr.kind {
        ExprKind::Exploding(inner, top) => dice::exploding(&dice_of(inner)?, *top).map_err(fault),
        ExprKind::Call(name, _) if !FUNCTIONS.contains(&name.text.as_str()) => {
            Err(Box::new(unknown(&name.text, name.span, true)))
        }
        ExprKind::Call(name, args) => {
            let mut given = Vec::with_capacity(args.len());
            for arg in args {
                given.push(dice_of(&arg.value)?);
            }
            match (name.text.as_str(), &given[..]) {
                ("maximum", [one]) => dice::maximum(one).map_err(fault),
                ("minimum", [one]) => dice::minimum(one).map_err(fault),
                ("twice", [one]) => dice::twice(one).map_err(fault),
                // Whole numbers stay as they are.
                ("floor" | "ceil" | "round", [one]) => Ok(one.clone()),
                ("maximum" | "minimum" | "twice" | "floor" | "ceil" | "round", _) => Err(Box::new(
                    Diagnostic::error(
                        Fault::TypeMismatch,
                        say!("`{name}` of {given} values", name = name.text, given = given.len()),
                    )
                    .label(expr.span, "works on one")
                    .help(say!("write `{name}(2d6)`", name = name.text)),
                )),
                (word, _) => match function(word) {
                    Some(function) if !function.takes(given.len()) => {
                        Err(fault(dice::DiceFault::Arguments { function: function.as_str(), given: given.len() }))
                    }
                    Some(function) => folded(Dice::Function(function, given)).map_err(fault),
                    None => Err(Box::new(unknown(word, name.span, true))),
                },
            }
        }
        ExprKind::Name(name) => Err(Box::new(unknown(&name.text, name.span, false))),
        ExprKind::Arithmetic(Arithmetic::Divide(None), a, b) => {
            let quotient =
                Dice::Operation(Operator::Divide(dice::Rounding::Down), Box::new(dice_of(a)?), Box::new(dice_of(b)?));
            Err(Box::new(
                Diagnostic::error(Fault::TypeMismatch, "a division says how it is rounded")
                    .label(expr.span, "rounded up or down?")
                    .help(say!("write `{quotient}`, or `up`, or `near`", quotient = quotient.to_string()))
                    .edit(expr.span.after(), " down"),
            ))
        }
        ExprKind::Compare(compare, a, b) => {
            let (a, b) = (Box::new(dice_of(a)?), Box::new(dice_of(b)?));
            folded(Dice::Operation(Operator::Compare(*compare), a, b)).map_err(fault)
        }
        _ => Err(Box::new(not_dice(expr))),
    }
}

/// The number that a function or comparison of plain numbers is.
fn folded(dice: Dice) -> Result<Dice, dice::DiceFault> {
    let number = |dice: &Dice| matches!(dice, Dice::Number(_));
    let plain = match &dice {
        Dice::Function(_, given) => given.iter().all(number),
        Dice::Operation(_, a, b) => number(a) && number(b),
        _ => false,
    };
    if plain { dice::total(&dice, &mut dice::Given::new([])).map(Dice::Number) } else { Ok(dice) }
}

fn unknown(name: &str, span: crate::source::Span, is_call: bool) -> Diagnostic {
    let what = if is_call { say!("function") } else { say!("die or number") };
    let fault = Diagnostic::error(Fault::NameUnknown, say!("there is no {what} called `{name}`", what, name));
    match nearest(name, FUNCTIONS) {
        Some(near) => {
            fault.label(span, say!("perhaps `{near}`", near)).help(say!("write `{near}`", near)).edit(span, near)
        }
        None if is_call => fault
            .label(span, "not known")
            .help(say!("the functions are `{functions}`", functions = FUNCTIONS.join("`, `"))),
        None => fault.label(span, "not known here").help("write dice such as `2d6+3`; for a comment put `#` before it"),
    }
}
