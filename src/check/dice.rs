//! Dice as written to dice ready to be filled in and rolled.

use std::sync::Arc;

use super::body::Body;
use super::types::ANY_NUMBER;
use super::{Result, Told};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::dice::{self, Dice, Faces, Function, Modifier, Operator, Point, Pool, Term};
use crate::program::{Form, FormId, Op, Type};
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{Arithmetic, Expr, ExprKind};

/// Whether an expression rolls dice that are written in it: `1d6`, `2d6 + wisdom`.
pub(crate) fn rolls(expr: &Expr) -> bool {
    match &*expr.kind {
        ExprKind::Dice(_) | ExprKind::Pool(_) => true,
        ExprKind::Label(inner, _) | ExprKind::Group(inner) | ExprKind::Negate(inner) => rolls(inner),
        ExprKind::Arithmetic(_, a, b) => rolls(a) || rolls(b),
        ExprKind::Call(name, args) if matches!(name.text.as_str(), "max" | "min" | "abs") => {
            args.iter().any(|a| rolls(&a.value))
        }
        _ => false,
    }
}

pub(crate) fn operator(op: Arithmetic) -> Option<Operator> {
    Some(match op {
        Arithmetic::Add => Operator::Add,
        Arithmetic::Subtract => Operator::Subtract,
        Arithmetic::Multiply => Operator::Multiply,
        Arithmetic::Divide(rounding) => Operator::Divide(rounding?),
        Arithmetic::Remainder => Operator::Remainder,
    })
}

pub(crate) fn function(name: &str) -> Option<Function> {
    match name {
        "min" => Some(Function::Min),
        "max" => Some(Function::Max),
        "abs" => Some(Function::Abs),
        _ => None,
    }
}

/// Turns dice as written into a form. What is not dice goes through `hole`, in written order.
pub(crate) fn form<'t, E>(
    expr: &'t Expr,
    hole: &mut dyn FnMut(&'t Expr) -> std::result::Result<Form, E>,
) -> std::result::Result<Form, E> {
    Ok(match &*expr.kind {
        ExprKind::Number(n) => Form::Number(*n),
        ExprKind::Dice(term) => Form::Term(Box::new(Term {
            count: form(&term.count, hole)?,
            faces: match &term.faces {
                Faces::Upto(n) => Faces::Upto(form(n, hole)?),
                Faces::Fate => Faces::Fate,
                Faces::List(list) => Faces::List(list.clone()),
                Faces::Digits(digits) => Faces::Digits(*digits),
            },
            modifiers: term.modifiers.iter().map(|m| modifier(m, hole)).collect::<std::result::Result<_, E>>()?,
        })),
        ExprKind::Pool(pool) => Form::Pool(Box::new(Pool {
            members: pool.members.iter().map(|m| form(m, hole)).collect::<std::result::Result<_, E>>()?,
            modifiers: pool.modifiers.iter().map(|m| modifier(m, hole)).collect::<std::result::Result<_, E>>()?,
        })),
        ExprKind::Label(inner, text) => Form::Label(Box::new(form(inner, hole)?), text.as_str().into()),
        ExprKind::Group(inner) => form(inner, hole)?,
        ExprKind::Negate(inner) => match form(inner, hole)? {
            Form::Number(number) if number != i64::MIN => Form::Number(-number),
            inner => Form::Negate(Box::new(inner)),
        },
        ExprKind::Arithmetic(op, a, b) => match operator(*op) {
            Some(op) => Form::Operation(op, Box::new(form(a, hole)?), Box::new(form(b, hole)?)),
            None => hole(expr)?,
        },
        ExprKind::Compare(compare, a, b) if rolls(a) || rolls(b) => {
            Form::Operation(Operator::Compare(*compare), Box::new(form(a, hole)?), Box::new(form(b, hole)?))
        }
        ExprKind::Call(name, args) if function(&name.text).is_some() && args.iter().any(|a| rolls(&a.value)) => {
            let list = args.iter().map(|a| form(&a.value, hole)).collect::<std::result::Result<_, E>>()?;
            function(&name.text).map_or(Form::Number(0), |f| Form::Function(f, list))
        }
        _ => hole(expr)?,
    })
}

fn modifier<'t, E>(
    modifier: &'t Modifier<Expr>,
    hole: &mut dyn FnMut(&'t Expr) -> std::result::Result<Form, E>,
) -> std::result::Result<Modifier<Form>, E> {
    let mut point = |point: &'t Point<Expr>| -> std::result::Result<Point<Form>, E> {
        Ok(Point { compare: point.compare, value: form(&point.value, hole)? })
    };
    Ok(match modifier {
        Modifier::Explode(kind, at) => Modifier::Explode(*kind, at.as_ref().map(&mut point).transpose()?),
        Modifier::Reroll(kind, at) => Modifier::Reroll(*kind, at.as_ref().map(&mut point).transpose()?),
        Modifier::Count { success, failure } => {
            let success = point(success)?;
            Modifier::Count { success, failure: failure.as_ref().map(point).transpose()? }
        }
        Modifier::Only(only) => Modifier::Only(point(only)?),
        Modifier::Keep(end, n) => Modifier::Keep(*end, form(n, hole)?),
        Modifier::Drop(end, n) => Modifier::Drop(*end, form(n, hole)?),
        Modifier::AtLeast(n) => Modifier::AtLeast(form(n, hole)?),
        Modifier::AtMost(n) => Modifier::AtMost(form(n, hole)?),
        Modifier::ExplodeTop(n) => Modifier::ExplodeTop(*n),
        Modifier::Even => Modifier::Even,
        Modifier::Odd => Modifier::Odd,
        Modifier::Unique => Modifier::Unique,
        Modifier::Sort(order) => Modifier::Sort(*order),
    })
}

/// Fills the holes of a form.
pub(crate) fn fill(form: &Form, holes: &mut dyn FnMut(u16) -> Option<Dice>) -> Option<Dice> {
    let all = |list: &[Form], holes: &mut dyn FnMut(u16) -> Option<Dice>| -> Option<Vec<Dice>> {
        list.iter().map(|f| fill(f, holes)).collect()
    };
    Some(match form {
        Form::Number(n) => Dice::Number(*n),
        Form::Hole(hole) => holes(*hole)?,
        Form::Term(term) => Dice::Term(Box::new(Term {
            count: fill(&term.count, holes)?,
            faces: match &term.faces {
                Faces::Upto(n) => Faces::Upto(fill(n, holes)?),
                Faces::Fate => Faces::Fate,
                Faces::List(list) => Faces::List(list.clone()),
                Faces::Digits(digits) => Faces::Digits(*digits),
            },
            modifiers: fill_modifiers(&term.modifiers, holes)?,
        })),
        Form::Pool(pool) => Dice::Pool(Box::new(Pool {
            members: all(&pool.members, holes)?,
            modifiers: fill_modifiers(&pool.modifiers, holes)?,
        })),
        Form::Operation(op, a, b) => Dice::Operation(*op, Box::new(fill(a, holes)?), Box::new(fill(b, holes)?)),
        Form::Negate(inner) => match fill(inner, holes)? {
            Dice::Number(number) if number != i64::MIN => Dice::Number(-number),
            inner => Dice::Negate(Box::new(inner)),
        },
        Form::Function(function, list) => Dice::Function(*function, all(list, holes)?),
        Form::Label(inner, text) => Dice::Label(Box::new(fill(inner, holes)?), text.clone()),
    })
}

fn fill_modifiers(list: &[Modifier<Form>], holes: &mut dyn FnMut(u16) -> Option<Dice>) -> Option<Vec<Modifier<Dice>>> {
    list.iter()
        .map(|modifier| {
            let mut point = |point: &Point<Form>| -> Option<Point<Dice>> {
                Some(Point { compare: point.compare, value: fill(&point.value, holes)? })
            };
            Some(match modifier {
                Modifier::Explode(kind, None) => Modifier::Explode(*kind, None),
                Modifier::Explode(kind, Some(at)) => Modifier::Explode(*kind, Some(point(at)?)),
                Modifier::Reroll(kind, None) => Modifier::Reroll(*kind, None),
                Modifier::Reroll(kind, Some(at)) => Modifier::Reroll(*kind, Some(point(at)?)),
                Modifier::Count { success, failure: None } => {
                    Modifier::Count { success: point(success)?, failure: None }
                }
                Modifier::Count { success, failure: Some(failure) } => {
                    let success = point(success)?;
                    Modifier::Count { success, failure: Some(point(failure)?) }
                }
                Modifier::Only(only) => Modifier::Only(point(only)?),
                Modifier::Keep(end, n) => Modifier::Keep(*end, fill(n, holes)?),
                Modifier::Drop(end, n) => Modifier::Drop(*end, fill(n, holes)?),
                Modifier::AtLeast(n) => Modifier::AtLeast(fill(n, holes)?),
                Modifier::AtMost(n) => Modifier::AtMost(fill(n, holes)?),
                Modifier::ExplodeTop(n) => Modifier::ExplodeTop(*n),
                Modifier::Even => Modifier::Even,
                Modifier::Odd => Modifier::Odd,
                Modifier::Unique => Modifier::Unique,
                Modifier::Sort(order) => Modifier::Sort(*order),
            })
        })
        .collect()
}

/// A die that shows a number's least and its greatest value stands for the number where only
/// bounds are asked for.
fn stand_in(low: i64, high: i64) -> Option<Dice> {
    if low == i64::MIN || high == i64::MAX {
        return None;
    }
    if low == high {
        return Some(Dice::Number(low));
    }
    Some(Dice::Term(Box::new(Term {
        count: Dice::Number(1),
        faces: Faces::List(vec![low, high]),
        modifiers: Vec::new(),
    })))
}

/// A fault of dice as a diagnostic at the place they are written.
pub(crate) fn diagnostic(fault: &dice::DiceFault, span: Span) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(fault.code(), fault.message()).label(span, "these dice");
    diagnostic.severity = fault.severity();
    if let Some(help) = fault.help() {
        diagnostic = diagnostic.help(help);
    }
    diagnostic
}

/// A fault of dice as a diagnostic at the very term it is in, and what to type instead.
pub(crate) fn found_at(found: &dice::Found, expr: &Expr) -> Diagnostic {
    let mut terms = Vec::new();
    let known = found.term.filter(|_| collect(expr, &mut terms)).and_then(|term| terms.get(term));
    let Some((span, term)) = known else { return diagnostic(&found.fault, expr.span) };
    let diagnostic = diagnostic(&found.fault, *span);
    let (dice::DiceFault::Unmet { compare, value, counts: true, .. }, Some(Term { modifiers, .. })) =
        (&found.fault, term)
    else {
        return diagnostic;
    };
    let Some(at) = found.modifier.filter(|at| at + 1 == modifiers.len()) else { return diagnostic };
    let Some(Modifier::Count { success, failure: None }) = modifiers.get(at) else { return diagnostic };
    let point = success.value.span;
    if !matches!(*success.value.kind, ExprKind::Number(_)) || point.end != span.end {
        return diagnostic;
    }
    // As a part of something greater the comparison stands in parentheses of its own.
    let (open, close) = if *span == expr.span { ("(", "") } else { ("((", ")") };
    let mut diagnostic = diagnostic;
    if !close.is_empty()
        && let dice::DiceFault::Unmet { dice, .. } = &found.fault
    {
        let better = format!("{open}{dice}) {} {value}{close}", compare.as_str());
        diagnostic.help = Some(say!("to compare the total write `{better}` in its place", better));
    }
    diagnostic.edit(span.before(), open).edit(point, format!(") {} {value}{close}", compare.as_str()))
}

type Place<'t> = (Span, Option<&'t Term<Expr>>);

/// The terms and pools in the order in which dice count them. No where functions make other dice.
fn collect<'t>(expr: &'t Expr, all: &mut Vec<Place<'t>>) -> bool {
    match &*expr.kind {
        ExprKind::Number(_) => true,
        ExprKind::Dice(term) => {
            all.push((expr.span, Some(term)));
            let faces = if let Faces::Upto(faces) = &term.faces { Some(faces) } else { None };
            let numbers = term.modifiers.iter().flat_map(numbers);
            [&term.count].into_iter().chain(faces).chain(numbers).all(|number| collect(number, all))
        }
        ExprKind::Pool(pool) => {
            all.push((expr.span, None));
            let numbers = pool.modifiers.iter().flat_map(numbers);
            pool.members.iter().chain(numbers).all(|number| collect(number, all))
        }
        ExprKind::Group(inner) | ExprKind::Negate(inner) | ExprKind::Label(inner, _) => collect(inner, all),
        ExprKind::Arithmetic(_, left, right) | ExprKind::Compare(_, left, right) => {
            collect(left, all) && collect(right, all)
        }
        ExprKind::Call(name, args) if function(&name.text).is_some() => args.iter().all(|arg| collect(&arg.value, all)),
        _ => false,
    }
}

fn numbers(modifier: &Modifier<Expr>) -> Vec<&Expr> {
    match modifier {
        Modifier::Keep(_, number) | Modifier::Drop(_, number) => vec![number],
        Modifier::AtLeast(number) | Modifier::AtMost(number) => vec![number],
        Modifier::Explode(_, point) | Modifier::Reroll(_, point) => point.iter().map(|point| &point.value).collect(),
        Modifier::Only(point) => vec![&point.value],
        Modifier::Count { success, failure } => {
            [&success.value].into_iter().chain(failure.iter().map(|failure| &failure.value)).collect()
        }
        _ => Vec::new(),
    }
}

impl<'t> Body<'_, 't> {
    /// Code that leaves dice, unrolled.
    pub fn dice_value(&mut self, expr: &'t Expr) -> Result<()> {
        match &*expr.kind {
            ExprKind::Group(inner) => return self.dice_value(inner),
            ExprKind::Exploding(inner, top) => {
                self.dice_value(inner)?;
                self.push(Op::Exploding(*top));
                return Ok(());
            }
            ExprKind::Name(_)
            | ExprKind::Field(..)
            | ExprKind::My(_)
            | ExprKind::Call(..)
            | ExprKind::CallOf(..)
            | ExprKind::If { .. }
                if !rolls(expr) =>
            {
                match self.expr(expr, None)? {
                    Type::Dice => return Ok(()),
                    Type::Number { .. } => {
                        let form = self.form_id(Form::Hole(0));
                        self.push(Op::Build { form, holes: 1 });
                        return Ok(());
                    }
                    other => {
                        return self.mismatch(expr.span, other, say!("dice"), Some(say!("write dice, such as `2d6`")));
                    }
                }
            }
            _ => {}
        }
        self.build(expr).map(|_| ())
    }

    fn form_id(&mut self, form: Form) -> FormId {
        let forms = &mut self.ck.program.forms;
        if let Some(known) = forms.iter().position(|f| *f == form) {
            return FormId(known as u32);
        }
        forms.push(form);
        FormId(forms.len() as u32 - 1)
    }

    /// Fills and leaves the dice written here; the least and greatest they can show, if known.
    fn build(&mut self, expr: &'t Expr) -> Result<(i64, i64)> {
        let mut bounds: Vec<Option<(i64, i64)>> = Vec::new();
        let form = form(expr, &mut |hole| -> Result<Form> {
            let index = bounds.len() as u16;
            match self.expr(hole, None)? {
                Type::Number { low, high } => bounds.push(Some((low, high))),
                Type::Dice => bounds.push(None),
                other => return self.mismatch(hole.span, other, say!("a number"), None),
            }
            Ok(Form::Hole(index))
        })?;
        let mut stand_ins = 0;
        let stand_in = fill(&form, &mut |hole| {
            let (low, high) = bounds.get(usize::from(hole)).copied().flatten()?;
            let dice = stand_in(low, high)?;
            stand_ins += usize::from(matches!(dice, Dice::Term(_)));
            Some(dice)
        });
        let mut span = None;
        if let Some(stand_in) = &stand_in {
            let mut wrong = false;
            for found in dice::faults_besides(stand_in, stand_ins) {
                let diagnostic = found_at(&found, expr);
                wrong |= diagnostic.severity == crate::diagnostics::Severity::Error;
                self.ck.tell(diagnostic);
            }
            if wrong {
                return Err(Told);
            }
            span = dice::span(stand_in);
        }
        if bounds.is_empty()
            && let Some(dice) = stand_in
        {
            let index = self.ck.program.dice.len() as u32;
            self.ck.program.dice.push(Arc::new(dice));
            self.push(Op::PushDice(index));
        } else {
            if bounds.len() > u8::MAX as usize {
                return Err(self.ck.tell(
                    Diagnostic::error(
                        Fault::DiceTooMany,
                        say!(
                            "at most 255 numbers can be worked out in one roll ({bounds} here)",
                            bounds = bounds.len()
                        ),
                    )
                    .label(expr.span, "too many"),
                ));
            }
            let form = self.form_id(form);
            self.push(Op::Build { form, holes: bounds.len() as u8 });
        }
        Ok(span.unwrap_or((i64::MIN, i64::MAX)))
    }

    /// Rolls the dice written here.
    pub fn roll_written(&mut self, expr: &'t Expr) -> Result<Type> {
        self.impure(expr.span, say!("roll dice"))?;
        let (low, high) = self.build(expr)?;
        self.push(Op::Roll);
        Ok(Type::Number { low, high })
    }

    /// What rolling a dice value can give: known only for dice written out.
    pub fn dice_bounds(&self, expr: &Expr) -> Type {
        let constant = form::<()>(expr, &mut |_| Err(())).ok().and_then(|f| fill(&f, &mut |_| None));
        match constant.and_then(|d| dice::span(&d)) {
            Some((low, high)) => Type::Number { low, high },
            None => ANY_NUMBER,
        }
    }
}
