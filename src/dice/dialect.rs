//! Which tool's notation dice are written in, and where the tools part.

use std::fmt;

use super::{Dice, End, Explosion, Modifier, Term};

/// Whose notation dice are written in. The tree behind it is always the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// The notation of this crate.
    #[default]
    Cicatriz,
    /// Roll20: `>7` is 7 or more, modifiers work in a fixed order.
    Roll20,
    /// Foundry VTT: `x` explodes, `cs>7` counts, `r` is once.
    Foundry,
    /// Avrae: `e6` explodes, `k3` keeps the dice that show 3, comparisons are of totals.
    Avrae,
    /// rpg-dice-roller: points carry a sign (`r=2`), modifiers work in a fixed order.
    RpgDiceRoller,
}

impl Dialect {
    /// The dialects of other tools.
    pub const OTHERS: [Dialect; 4] = [Dialect::Roll20, Dialect::Foundry, Dialect::Avrae, Dialect::RpgDiceRoller];

    /// As written behind `dialect` in a file and behind `--dialect`.
    pub fn as_str(self) -> &'static str {
        match self {
            Dialect::Cicatriz => "cicatriz",
            Dialect::Roll20 => "roll20",
            Dialect::Foundry => "foundry",
            Dialect::Avrae => "avrae",
            Dialect::RpgDiceRoller => "rpg-dice-roller",
        }
    }

    /// The dialect with this name.
    pub fn parse(name: &str) -> Option<Dialect> {
        let known = |dialect: &Dialect| dialect.as_str() == name;
        Dialect::OTHERS.into_iter().chain([Dialect::Cicatriz]).find(known)
    }

    /// Whether modifiers work in an order of the tool's own, however they are written.
    pub fn orders(self) -> bool {
        matches!(self, Dialect::Roll20 | Dialect::RpgDiceRoller)
    }
}

crate::say_as_shown!(Dialect);

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where a modifier stands among the others in tools of a fixed order. As rpg-dice-roller lists
/// them: minimum, maximum, explode, reroll, unique, keep, drop, count, sort.
pub(crate) fn rank<N>(modifier: &Modifier<N>) -> u8 {
    match modifier {
        Modifier::AtLeast(_) => 1,
        Modifier::AtMost(_) => 2,
        Modifier::Explode(..) | Modifier::ExplodeTop(_) => 3,
        Modifier::Reroll(..) => 4,
        Modifier::Unique => 5,
        Modifier::Keep(..) | Modifier::Only(_) => 6,
        Modifier::Drop(..) => 7,
        Modifier::Count { .. } | Modifier::Even | Modifier::Odd => 8,
        Modifier::Sort(_) => 9,
    }
}

/// Modifiers in the order in which tools of a fixed order apply them.
pub fn in_fixed_order<N>(modifiers: &mut [Modifier<N>]) {
    modifiers.sort_by_key(rank);
}

/// The first modifier that tools of a fixed order would apply before the one in front of it.
pub fn out_of_order<N>(modifiers: &[Modifier<N>]) -> Option<usize> {
    let told: Vec<usize> = (0..modifiers.len()).filter(|at| !matters_not(&modifiers[*at])).collect();
    // Dropping before keeping leaves the same dice as keeping before dropping.
    let rank = |at: usize| if let Modifier::Drop(..) = modifiers[at] { 6 } else { rank(&modifiers[at]) };
    told.windows(2).find(|pair| rank(pair[1]) < rank(pair[0])).map(|pair| pair[1])
}

fn matters_not<N>(modifier: &Modifier<N>) -> bool {
    matches!(modifier, Modifier::Sort(_))
}

/// How dice are written in another dialect, or why they cannot be.
///
/// What is written reads back, in that dialect, as dice that roll the same.
///
/// Errors: what cannot be said there, in words.
pub fn write_as(dice: &Dice, dialect: Dialect) -> Result<String, String> {
    if dialect == Dialect::Cicatriz {
        return Ok(dice.to_string());
    }
    Writer { dialect }.write(dice, Tight::Loose)
}

/// How tightly what stands around binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tight {
    Loose,
    Sum,
    Product,
    Sign,
    Atom,
}

struct Writer {
    dialect: Dialect,
}

impl Writer {
    fn cannot<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("{} has no way to write {what}", self.dialect))
    }

    fn write(&self, dice: &Dice, around: Tight) -> Result<String, String> {
        use super::Operator::{Add, Compare as Compared, Divide, Multiply, Remainder, Subtract};
        let (text, tight) = match dice {
            Dice::Number(number) if *number < 0 => (number.to_string(), Tight::Sign),
            Dice::Number(number) => (number.to_string(), Tight::Atom),
            Dice::Term(term) => (self.term(term)?, Tight::Atom),
            Dice::Pool(pool) => {
                if self.dialect == Dialect::Avrae && pool.modifiers.iter().any(|m| !matches!(m, Modifier::Keep(..))) {
                    return self.cannot("this pool");
                }
                if pool.members.len() < 2 && !pool.modifiers.is_empty() {
                    return self.cannot("a pool of one total");
                }
                let members: Result<Vec<_>, _> = pool.members.iter().map(|m| self.write(m, Tight::Loose)).collect();
                let modifiers = self.modifiers(&pool.modifiers, None, 2)?;
                let members = members?.join(", ");
                match self.dialect {
                    Dialect::Avrae => return self.cannot("a pool of totals"),
                    _ => (format!("{{{members}}}{modifiers}"), Tight::Atom),
                }
            }
            Dice::Operation(..) => {
                let (first, rest) = super::arithmetic::chain(dice);
                let mut level = match rest.first().map(|step| step.0) {
                    Some(Add | Subtract) => Tight::Sum,
                    Some(Multiply | Divide(_) | Remainder) => Tight::Product,
                    _ => Tight::Loose,
                };
                let mut text = self.write(first, level)?;
                for (operator, operand) in rest {
                    let (now, tighter, sign) = match operator {
                        Add => (Tight::Sum, Tight::Product, "+"),
                        Subtract => (Tight::Sum, Tight::Product, "-"),
                        Multiply => (Tight::Product, Tight::Sign, "*"),
                        Remainder => (Tight::Product, Tight::Sign, "%"),
                        Divide(rounding) => {
                            let function = match (rounding, self.dialect) {
                                (super::Rounding::Down, Dialect::Avrae) => {
                                    return self.cannot("a division rounded down inside a roll");
                                }
                                (super::Rounding::Down, _) => "floor",
                                (super::Rounding::Up, d) if d != Dialect::Avrae => "ceil",
                                (super::Rounding::Near, d) if d != Dialect::Avrae => "round",
                                _ => return self.cannot("a division rounded this way"),
                            };
                            let left = if level < Tight::Product { format!("({text})") } else { text };
                            let right = self.write(operand, Tight::Sign)?;
                            text = format!("{function}({left} / {right})");
                            level = Tight::Atom;
                            continue;
                        }
                        Compared(compare) if self.dialect == Dialect::Avrae => {
                            (Tight::Loose, Tight::Sum, compare.as_str())
                        }
                        Compared(_) => return self.cannot("a comparison of totals"),
                    };
                    if level < now || now == Tight::Loose && level == Tight::Loose && text.contains(['<', '>', '=']) {
                        text = format!("({text})");
                    }
                    text = format!("{text} {sign} {}", self.write(operand, tighter)?);
                    level = now;
                }
                (text, level)
            }
            Dice::Negate(inner) => (format!("-{}", self.write(inner, Tight::Sign)?), Tight::Sign),
            Dice::Function(function, arguments) => {
                let known = match (self.dialect, function) {
                    (Dialect::Avrae, _) => false,
                    (Dialect::Roll20, super::Function::Abs) => true,
                    (Dialect::Roll20, _) => false,
                    _ => true,
                };
                if !known {
                    return self.cannot(&format!("`{}`", function.as_str()));
                }
                let arguments: Result<Vec<_>, _> = arguments.iter().map(|a| self.write(a, Tight::Loose)).collect();
                (format!("{}({})", function.as_str(), arguments?.join(", ")), Tight::Atom)
            }
            Dice::Label(inner, text) => {
                let written = match &**inner {
                    Dice::Term(_) | Dice::Pool(_) => self.write(inner, Tight::Atom)?,
                    Dice::Number(number) if *number >= 0 => number.to_string(),
                    _ => format!("({})", self.write(inner, Tight::Loose)?),
                };
                (format!("{written}[{text}]"), Tight::Atom)
            }
        };
        Ok(if tight < around { format!("({text})") } else { text })
    }

    fn number(&self, dice: &Dice) -> Result<String, String> {
        match dice {
            Dice::Number(number) if *number >= 0 => Ok(number.to_string()),
            Dice::Number(_) => self.cannot("a number below zero there"),
            _ if self.dialect == Dialect::Avrae => self.cannot("a computed number inside dice"),
            other => Ok(format!("({})", self.write(other, Tight::Loose)?)),
        }
    }

    fn term(&self, term: &Term<Dice>) -> Result<String, String> {
        use super::Faces;
        let count = self.number(&term.count)?;
        let faces = match &term.faces {
            Faces::Upto(faces) => self.number(faces)?,
            Faces::Fate if self.dialect != Dialect::Avrae => "F".to_owned(),
            Faces::Fate => return self.cannot("Fate dice"),
            Faces::List(faces) if self.dialect == Dialect::RpgDiceRoller && faces[..] == super::FATE_ONE => {
                "F.1".to_owned()
            }
            Faces::List(_) => return self.cannot("a die with a list of faces"),
            Faces::Digits(_) => return self.cannot("digit dice"),
        };
        let highest = match &term.faces {
            Faces::Upto(Dice::Number(faces)) => Some(*faces),
            _ => None,
        };
        let one = i64::from(term.count != Dice::Number(1)) + 1;
        let modifiers = self.modifiers(&term.modifiers, highest, one)?;
        // `dFx` would be a name.
        let bare = |m: &Modifier<Dice>| matches!(m, Modifier::Explode(_, None) | Modifier::Even | Modifier::Odd);
        if faces == "F" && self.dialect == Dialect::Foundry && term.modifiers.iter().any(bare) {
            return self.cannot("this behind Fate dice");
        }
        Ok(format!("{count}d{faces}{modifiers}"))
    }

    /// Modifiers as one word. `highest` is the highest face, where it is known; `dice` is 1 for a single die.
    fn modifiers(&self, modifiers: &[Modifier<Dice>], highest: Option<i64>, dice: i64) -> Result<String, String> {
        if self.dialect.orders() {
            if out_of_order(modifiers).is_some() {
                return self.cannot("modifiers in this order");
            }
            for pair in modifiers.windows(2) {
                if rank(&pair[0]) == rank(&pair[1]) && !matches!(pair[0], Modifier::Reroll(..)) {
                    return self.cannot("one modifier twice");
                }
            }
            if modifiers.iter().filter(|m| matches!(m, Modifier::Keep(..) | Modifier::Drop(..))).count() > 1 {
                return self.cannot("keeping and dropping in turn");
            }
        }
        let only = modifiers.iter().filter(|m| matches!(m, Modifier::Only(_))).count();
        let keeps = modifiers.iter().filter(|m| matches!(m, Modifier::Keep(..))).count();
        if self.dialect == Dialect::Avrae && only > 0 && only + keeps > 1 {
            return self.cannot("keeping twice");
        }
        let counts = |m: &&Modifier<Dice>| matches!(m, Modifier::Count { .. } | Modifier::Even | Modifier::Odd);
        if self.dialect == Dialect::Foundry && modifiers.iter().filter(counts).count() > 1 {
            return self.cannot("dice counted twice");
        }
        let mut text = String::new();
        for modifier in modifiers {
            let next = self.modifier(modifier, highest, dice)?;
            let letter = |c: char| c.is_ascii_alphabetic();
            let word = text.ends_with("even") || text.ends_with("odd");
            if word && next.starts_with(letter) || text.ends_with("!p") && next.starts_with(letter) {
                return self.cannot("modifiers in this order");
            }
            text += &next;
        }
        Ok(text)
    }

    fn point(&self, point: &super::Point<Dice>, bare: bool) -> Result<String, String> {
        use super::Compare::{AtLeast, AtMost, Equal, Greater, Less, NotEqual};
        let bare = bare && self.dialect != Dialect::RpgDiceRoller || self.dialect == Dialect::Avrae;
        let shift = |by: i64| match &point.value {
            Dice::Number(number) => self.number(&Dice::Number(number.saturating_add(by))),
            _ => self.cannot("this comparison with a computed number"),
        };
        let value = || self.number(&point.value);
        Ok(match (point.compare, self.dialect) {
            (Equal, _) if bare => value()?,
            (Equal, _) => format!("={}", value()?),
            (AtLeast, Dialect::Roll20) => format!(">{}", value()?),
            (AtMost, Dialect::Roll20) => format!("<{}", value()?),
            (Greater, Dialect::Roll20) => format!(">{}", shift(1)?),
            (Less, Dialect::Roll20) => format!("<{}", shift(-1)?),
            (Greater, _) => format!(">{}", value()?),
            (Less, _) => format!("<{}", value()?),
            (AtLeast, Dialect::Avrae) => format!(">{}", shift(-1)?),
            (AtMost, Dialect::Avrae) => format!("<{}", shift(1)?),
            (AtLeast, _) => format!(">={}", value()?),
            (AtMost, _) => format!("<={}", value()?),
            (NotEqual, Dialect::RpgDiceRoller) => format!("<>{}", value()?),
            (NotEqual, _) => return self.cannot("a point that any value but one meets"),
        })
    }

    fn modifier(&self, modifier: &Modifier<Dice>, highest: Option<i64>, dice: i64) -> Result<String, String> {
        use Dialect::{Avrae, Cicatriz, Foundry, Roll20, RpgDiceRoller};
        let to = self.dialect;
        let told = |point: &Option<super::Point<Dice>>| match point {
            Some(point) => self.point(point, true),
            None => Ok(String::new()),
        };
        Ok(match modifier {
            Modifier::Keep(end, number) => {
                let end = if *end == End::High { "kh" } else { "kl" };
                format!("{end}{}", self.number(number)?)
            }
            Modifier::Drop(End::High, _) if to == Avrae && dice > 0 => return self.cannot("dropping the highest"),
            Modifier::Drop(End::Low, number) if to == Avrae => format!("pl{}", self.number(number)?),
            Modifier::Drop(end, number) => {
                let end = if *end == End::High { "dh" } else { "dl" };
                format!("{end}{}", self.number(number)?)
            }
            Modifier::Only(point) if to == Avrae => format!("k{}", self.point(point, true)?),
            Modifier::Only(_) => return self.cannot("keeping the dice that show a value"),
            Modifier::Explode(kind, point) => match (to, kind) {
                (Foundry, Explosion::Add) => format!("x{}", told(point)?),
                (Foundry, Explosion::Once) => format!("xo{}", told(point)?),
                (Avrae, Explosion::Add) => match (point, highest) {
                    (Some(point), _) => format!("e{}", self.point(point, true)?),
                    (None, Some(highest)) => format!("e{highest}"),
                    _ => return self.cannot("this explosion"),
                },
                (Avrae, Explosion::Once) if dice == 1 => match (point, highest) {
                    (Some(point), _) => format!("ra{}", self.point(point, true)?),
                    (None, Some(highest)) => format!("ra{highest}"),
                    _ => return self.cannot("this explosion"),
                },
                (Roll20 | RpgDiceRoller | Cicatriz, Explosion::Add) => format!("!{}", told(point)?),
                (Roll20 | RpgDiceRoller | Cicatriz, Explosion::Compound) => format!("!!{}", told(point)?),
                (Roll20 | RpgDiceRoller | Cicatriz, Explosion::Penetrate) => format!("!p{}", told(point)?),
                _ => return self.cannot(&format!("the explosion `{}`", kind.as_str())),
            },
            Modifier::ExplodeTop(_) => return self.cannot("`exploding`"),
            Modifier::Reroll(kind, point) => {
                let word = match (to, kind) {
                    (Foundry, super::Reroll::Once) => "r",
                    (Foundry | Avrae, super::Reroll::Until) => "rr",
                    (_, super::Reroll::Until) => "r",
                    (_, super::Reroll::Once) => "ro",
                };
                match point {
                    None if highest.is_some() && to == RpgDiceRoller => format!("{word}=1"),
                    None if highest.is_some() => format!("{word}1"),
                    None => return self.cannot("this reroll"),
                    point => format!("{word}{}", told(point)?),
                }
            }
            Modifier::AtLeast(number) => match to {
                Foundry | RpgDiceRoller => format!("min{}", self.number(number)?),
                Avrae => format!("mi{}", self.number(number)?),
                _ => return self.cannot("`min` of each die"),
            },
            Modifier::AtMost(number) => match to {
                Foundry | RpgDiceRoller => format!("max{}", self.number(number)?),
                Avrae => format!("ma{}", self.number(number)?),
                _ => return self.cannot("`max` of each die"),
            },
            Modifier::Count { success, failure } => match (to, failure) {
                (Avrae, _) => return self.cannot("a count of dice"),
                (Foundry, None) => format!("cs{}", self.point(success, false)?),
                (Foundry, Some(_)) => return self.cannot("a count less failures"),
                (_, None) => self.point(success, false)?,
                (_, Some(failure)) => format!("{}f{}", self.point(success, false)?, self.point(failure, false)?),
            },
            Modifier::Even | Modifier::Odd if to == Foundry => modifier.to_string(),
            Modifier::Even | Modifier::Odd => return self.cannot("a count of even or odd dice"),
            Modifier::Unique => return self.cannot("dropping repeats"),
            Modifier::Sort(_) if matches!(to, Roll20 | RpgDiceRoller) => modifier.to_string(),
            // Only how the dice are shown.
            Modifier::Sort(_) => String::new(),
        })
    }
}
