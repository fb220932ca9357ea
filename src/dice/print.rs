//! The canonical form of dice: ASCII, blanks round operators only, no parentheses that are not needed.

use std::fmt::{self, Display, Formatter};

use super::arithmetic::chain;
use super::sides::digits_of;
use super::{Compare, Dice, End, Explosion, Faces, Modifier, Operator, Order, Point, Pool, Reroll, Term};

/// How tightly something binds; an operand that binds less tightly stands in parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binds {
    Compare,
    Sum,
    Product,
    Sign,
    Atom,
}

fn binds(operator: Operator) -> Binds {
    match operator {
        Operator::Add | Operator::Subtract => Binds::Sum,
        Operator::Multiply | Operator::Divide(_) | Operator::Remainder => Binds::Product,
        Operator::Compare(_) => Binds::Compare,
    }
}

fn binds_as(dice: &Dice) -> Binds {
    match dice {
        Dice::Operation(operator, ..) => binds(*operator),
        Dice::Negate(_) => Binds::Sign,
        Dice::Number(number) if *number < 0 => Binds::Sign,
        _ => Binds::Atom,
    }
}

impl Display for Dice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Dice::Number(number) => write!(f, "{number}"),
            Dice::Term(term) => write!(f, "{term}"),
            Dice::Pool(pool) => write!(f, "{pool}"),
            Dice::Operation(..) => operations(f, self),
            Dice::Negate(inner) => {
                f.write_str("-")?;
                operand(f, inner, Binds::Sign)
            }
            Dice::Function(function, arguments) => {
                write!(f, "{}(", function.as_str())?;
                separated(f, arguments)?;
                f.write_str(")")
            }
            Dice::Label(inner, text) => {
                match &**inner {
                    Dice::Function(..) | Dice::Label(..) => write!(f, "({inner})")?,
                    Dice::Term(term) if term.is_written_as_function() => write!(f, "({inner})")?,
                    // A count is none of the whole where its label stands behind.
                    Dice::Term(_) | Dice::Pool(_) => write!(f, "{inner}")?,
                    _ => operand(f, inner, Binds::Atom)?,
                }
                write!(f, "[{text}]")
            }
        }
    }
}

fn operand(f: &mut Formatter<'_>, dice: &Dice, at_least: Binds) -> fmt::Result {
    // Behind a sign a count could be taken for a comparison of the whole.
    if binds_as(dice) < at_least || at_least > Binds::Compare && ends_with_count(dice) {
        write!(f, "({dice})")
    } else {
        write!(f, "{dice}")
    }
}

/// A chain of operators, without recursion along it.
fn operations(f: &mut Formatter<'_>, dice: &Dice) -> fmt::Result {
    let (first, rest) = chain(dice);
    // What stands left of each operator binds as the operator before it: where that is looser,
    // or both compare, everything so far is put in parentheses.
    let mut before = binds_as(first);
    let mut opened = Vec::with_capacity(rest.len());
    let mut counts = is_dice(first);
    for (operator, _) in &rest {
        let now = binds(*operator);
        let compares = now == Binds::Compare && (before == Binds::Compare || counts);
        opened.push(before < now || compares);
        before = now;
        counts = false;
    }
    for _ in opened.iter().filter(|open| **open) {
        f.write_str("(")?;
    }
    let multiplies = rest.first().is_some_and(|(operator, _)| binds(*operator) == Binds::Product);
    if multiplies && ends_with_count(first) {
        write!(f, "({first})")?
    } else {
        write!(f, "{first}")?
    }
    for ((operator, right), open) in rest.into_iter().zip(opened) {
        if open {
            f.write_str(")")?;
        }
        let (text, tighter, behind) = match operator {
            Operator::Add => ("+", Binds::Product, None),
            Operator::Subtract => ("-", Binds::Product, None),
            Operator::Multiply => ("*", Binds::Sign, None),
            Operator::Divide(rounding) => ("/", Binds::Sign, Some(rounding.as_str())),
            Operator::Remainder => ("%", Binds::Sign, None),
            Operator::Compare(compare) => (compare.as_str(), Binds::Sum, None),
        };
        write!(f, " {text} ")?;
        operand(f, right, tighter)?;
        if let Some(rounding) = behind {
            write!(f, " {rounding}")?;
        }
    }
    Ok(())
}

/// Dice that end with a count.
fn ends_with_count(dice: &Dice) -> bool {
    let last = match dice {
        Dice::Term(term) => term.modifiers.last(),
        Dice::Pool(pool) => pool.modifiers.last(),
        _ => None,
    };
    matches!(last, Some(Modifier::Count { .. }))
}

/// Dice that a comparison could be taken to count.
fn is_dice(dice: &Dice) -> bool {
    matches!(dice, Dice::Term(_) | Dice::Pool(_) | Dice::Label(..))
}

fn separated<N: Display>(f: &mut Formatter<'_>, items: &[N]) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{item}")?;
    }
    Ok(())
}

/// `d[1, 1, 2]`.
pub(super) fn list(f: &mut Formatter<'_>, values: &[i64]) -> fmt::Result {
    f.write_str("d[")?;
    separated(f, values)?;
    f.write_str("]")
}

/// A number as it stands within a term: bare where it is one, in parentheses where it is worked out.
struct Bare<'a, N>(&'a N);

impl<N: Display> Display for Bare<'_, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        if is_number(&text) { f.write_str(&text) } else { write!(f, "({text})") }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl<N: Display> Display for Term<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let tops = self.modifiers.iter().filter_map(|modifier| match modifier {
            Modifier::ExplodeTop(top) => Some(*top),
            _ => None,
        });
        let tops: Vec<u32> = tops.collect();
        tops.iter().try_for_each(|_| f.write_str("exploding("))?;
        self.dice_only(f)?;
        let mut spaced = matches!(self.faces, Faces::Digits(_) | Faces::Fate);
        let written = self.modifiers.iter().filter(|m| !matches!(m, Modifier::ExplodeTop(_)));
        let written: Vec<&Modifier<N>> = written.collect();
        for (index, modifier) in written.iter().enumerate() {
            let text = match self.spelt_out(modifier, written.get(index + 1).copied()) {
                Some(text) => text,
                None => modifier.to_string(),
            };
            if spaced && text.starts_with(|c: char| c.is_ascii_alphabetic()) {
                f.write_str(" ")?;
            }
            spaced = text.ends_with(|c: char| c.is_ascii_alphabetic());
            f.write_str(&text)?;
        }
        tops.iter().rev().try_for_each(|top| write!(f, ", top {top})"))
    }
}

impl<N> Term<N> {
    /// `exploding(2d6, top 1)`: a function is what it looks like.
    fn is_written_as_function(&self) -> bool {
        self.modifiers.iter().any(|modifier| matches!(modifier, Modifier::ExplodeTop(_)))
    }
}

impl<N: Display> Term<N> {
    /// The term without its modifiers: `4d6`.
    fn dice_only(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let count = Bare(&self.count).to_string();
        match &self.faces {
            Faces::Upto(faces) => write!(f, "{count}d{}", Bare(faces)),
            Faces::Fate => write!(f, "{count}dF"),
            Faces::List(values) => {
                f.write_str(&count)?;
                list(f, values)
            }
            Faces::Digits(digits) if count == "1" => write!(f, "d{digits} digits"),
            Faces::Digits(digits) => write!(f, "{count}d{digits} digits"),
        }
    }

    /// A modifier without a point before one that would be read as part of it: with its point.
    fn spelt_out(&self, modifier: &Modifier<N>, next: Option<&Modifier<N>>) -> Option<String> {
        let (mark, highest) = match (modifier, next?) {
            (_, Modifier::Count { .. }) => match modifier {
                Modifier::Explode(kind, None) => (kind.as_str(), true),
                Modifier::Reroll(kind, None) => (kind.as_str(), false),
                _ => return None,
            },
            (Modifier::Explode(Explosion::Add, None), Modifier::Odd) => return Some("! ".to_owned()),
            (Modifier::Explode(Explosion::Add, None), next @ Modifier::Explode(..)) => {
                if !next.to_string().starts_with("!=") {
                    return Some("! ".to_owned());
                }
                ("!", true)
            }
            _ => return None,
        };
        let value = match (&self.faces, highest) {
            (Faces::Upto(faces), true) => Bare(faces).to_string(),
            (Faces::Upto(_), false) => "1".to_owned(),
            (Faces::Fate, true) => "1".to_owned(),
            (Faces::Fate, false) => Bare(&-1).to_string(),
            (Faces::List(values), true) => Bare(values.iter().max()?).to_string(),
            (Faces::List(values), false) => Bare(values.iter().min()?).to_string(),
            (Faces::Digits(digits), true) => digits.to_string(),
            (Faces::Digits(digits), false) => "1".repeat(digits_of(*digits).count()),
        };
        let equal = if is_number(&value) { "" } else { "=" };
        Some(format!("{mark}{equal}{value}"))
    }

    /// The term as far as a modifier, as written: `4d6` of `4d6kh3` before 0.
    pub(super) fn before(&self, modifier: usize) -> String
    where
        N: Clone,
    {
        let modifiers = self.modifiers.iter().take(modifier).cloned().collect();
        Term { count: self.count.clone(), faces: self.faces.clone(), modifiers }.to_string()
    }
}

impl<N: Display> Display for Pool<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        separated(f, &self.members)?;
        f.write_str("}")?;
        let mut spaced = false;
        self.modifiers.iter().try_for_each(|modifier| {
            let text = modifier.to_string();
            if spaced && text.starts_with(|c: char| c.is_ascii_alphabetic()) {
                f.write_str(" ")?;
            }
            spaced = text.ends_with(|c: char| c.is_ascii_alphabetic());
            f.write_str(&text)
        })
    }
}

impl Explosion {
    /// As written: `!`, `!!`, `!p`, `!o`.
    pub fn as_str(self) -> &'static str {
        match self {
            Explosion::Add => "!",
            Explosion::Compound => "!!",
            Explosion::Penetrate => "!p",
            Explosion::Once => "!o",
        }
    }
}

impl Reroll {
    /// As written: `rr`, `ro`.
    pub fn as_str(self) -> &'static str {
        match self {
            Reroll::Until => "rr",
            Reroll::Once => "ro",
        }
    }
}

impl<N: Display> Display for Modifier<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Modifier::Keep(End::High, number) => write!(f, "kh{}", Bare(number)),
            Modifier::Keep(End::Low, number) => write!(f, "kl{}", Bare(number)),
            Modifier::Drop(End::High, number) => write!(f, "dh{}", Bare(number)),
            Modifier::Drop(End::Low, number) => write!(f, "dl{}", Bare(number)),
            Modifier::Explode(kind, None) => f.write_str(kind.as_str()),
            Modifier::Explode(kind, Some(point)) => {
                f.write_str(kind.as_str())?;
                exactly(f, point)
            }
            Modifier::ExplodeTop(top) => write!(f, "!{{{top} highest}}"),
            Modifier::Reroll(kind, None) => f.write_str(kind.as_str()),
            Modifier::Reroll(kind, Some(point)) => {
                f.write_str(kind.as_str())?;
                exactly(f, point)
            }
            Modifier::Only(point) => {
                f.write_str("only")?;
                exactly(f, point)
            }
            Modifier::AtLeast(number) => write!(f, "min{}", Bare(number)),
            Modifier::AtMost(number) => write!(f, "max{}", Bare(number)),
            Modifier::Count { success, failure: None } => write!(f, "{success}"),
            Modifier::Count { success, failure: Some(failure) } => write!(f, "{success}f{failure}"),
            Modifier::Even => f.write_str("even"),
            Modifier::Odd => f.write_str("odd"),
            Modifier::Unique => f.write_str("u"),
            Modifier::Sort(Order::Ascending) => f.write_str("sa"),
            Modifier::Sort(Order::Descending) => f.write_str("sd"),
        }
    }
}

/// A point after `!` or `r`: a bare number where exactly that is meant.
fn exactly<N: Display>(f: &mut Formatter<'_>, point: &Point<N>) -> fmt::Result {
    let value = Bare(&point.value).to_string();
    if point.compare == Compare::Equal && is_number(&value) {
        return f.write_str(&value);
    }
    write!(f, "{}{value}", point.compare.in_point())
}

impl<N: Display> Display for Point<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.compare.in_point(), Bare(&self.value))
    }
}
