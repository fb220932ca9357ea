//! What faults of dice are called, in words.

use super::{Compare, DiceFault, DieFaces, NoDie, Shape};
use crate::diagnostics::Code;
use crate::say;
use crate::wording::Wording;

impl DiceFault {
    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            DiceFault::TooManyDice { .. } | DiceFault::TooManyThrows { .. } => Code::DiceTooMany,
            DiceFault::TooDeep { .. } => Code::SyntaxDepth,
            DiceFault::TooManyFaces { .. }
            | DiceFault::NoFaces { .. }
            | DiceFault::NoList
            | DiceFault::ZeroDigit { .. } => Code::DiceFaces,
            DiceFault::NegativeCount { .. } => Code::TypeBounds,
            DiceFault::Keep { .. } | DiceFault::Drop { .. } | DiceFault::NegativeKeep { .. } => Code::DiceKeep,
            DiceFault::EndlessExplosion { .. } | DiceFault::EndlessReroll { .. } => Code::DiceEndless,
            DiceFault::Unmet { .. } => Code::DiceUnreachable,
            DiceFault::PoolModifier { .. } | DiceFault::Arguments { .. } => Code::TypeMismatch,
            DiceFault::Overflow | DiceFault::DivisionByZero => Code::RunOverflow,
            DiceFault::NoDie(_) => Code::RunDice,
        }
    }

    /// What is wrong, in lower case and without a final stop.
    pub fn message(&self) -> Wording {
        match self {
            DiceFault::TooManyDice { asked, limit } => {
                say!(
                    "{asked} in one roll; the limit is {limit}",
                    asked = dice(*asked),
                    limit = Wording::grouped(*limit)
                )
            }
            DiceFault::TooManyThrows { asked, limit } => say!(
                "{asked} throws in one roll, explosions and rerolls included; the limit is {limit}",
                asked = Wording::grouped(*asked),
                limit = Wording::grouped(*limit)
            ),
            DiceFault::TooManyFaces { asked, limit } => {
                say!(
                    "a die of {asked} faces; the limit is {limit}",
                    asked = Wording::grouped(*asked),
                    limit = Wording::grouped(*limit)
                )
            }
            DiceFault::TooDeep { limit } => {
                say!("dice nested deeper than {limit} levels; the limit is {limit}", limit)
            }
            DiceFault::NegativeCount { count } => say!("a number of dice of {count}, below zero", count),
            DiceFault::NoFaces { faces } => {
                say!("a die of {faces} faces; a die has at least 1", faces)
            }
            DiceFault::NoList => say!("a die with an empty list of faces"),
            DiceFault::ZeroDigit { digits } => {
                say!("`d{digits} digits` has a digit 0, which is a die without faces", digits)
            }
            DiceFault::Keep { keep, rolled } => {
                say!("keeps {keep} of {rolled}", keep = dice(*keep), rolled)
            }
            DiceFault::Drop { drop, rolled } => {
                say!("drops {drop} of {rolled}", drop = dice(*drop), rolled)
            }
            DiceFault::NegativeKeep { keep } => {
                say!("a number of dice to keep or drop of {keep}, below zero", keep)
            }
            DiceFault::EndlessExplosion { written } => {
                say!("`{written}` can never stop exploding: every face explodes", written)
            }
            DiceFault::EndlessReroll { written } => {
                say!("`{written}` can never stop rerolling: every face is rolled again", written)
            }
            DiceFault::Unmet { dice, compare, value, .. } => {
                say!("no die of `{dice}` can show {value}", dice, value = meant(*compare, *value))
            }
            DiceFault::PoolModifier { modifier } => {
                say!("`{modifier}` works on dice, and a pool in braces holds totals", modifier)
            }
            DiceFault::Arguments { function, given: 0 } => say!("`{function}()` of nothing", function),
            DiceFault::Arguments { function, given } => {
                say!("`{function}` of {given} values", function, given)
            }
            DiceFault::Overflow => say!("a number that does not fit 64 bits"),
            DiceFault::DivisionByZero => say!("a division by zero"),
            DiceFault::NoDie(no_die) => no_die.message(),
        }
    }

    /// What to type instead, where that is known.
    pub fn help(&self) -> Option<Wording> {
        Some(match self {
            DiceFault::TooManyDice { limit, .. } => {
                say!("roll at most {limit} dice at once", limit = Wording::grouped(*limit))
            }
            DiceFault::TooManyThrows { .. } => say!("roll fewer dice, or explode or reroll on fewer faces"),
            DiceFault::TooManyFaces { limit, .. } => say!("write at most `d{limit}`", limit),
            DiceFault::TooDeep { .. } => say!("take some parentheses out"),
            DiceFault::NegativeCount { .. } => {
                say!("for no dice below zero write `(max(0, n))d6`, with your number for `n`")
            }
            DiceFault::NoFaces { .. } => say!("write a die of 1 face or more, such as `d6`"),
            DiceFault::NoList => say!("write the faces between the brackets: `d[1, 2, 3]`"),
            DiceFault::ZeroDigit { .. } => {
                say!("write digits from 1 to 9, such as `d66 digits`; `d100` counts from 1 to 100")
            }
            DiceFault::Keep { rolled: 0, .. } | DiceFault::Drop { rolled: 0, .. } => say!("roll at least one die"),
            DiceFault::Keep { rolled, .. } => say!("keep at most {rolled}, or roll more dice", rolled),
            DiceFault::Drop { rolled, .. } => say!("drop at most {rolled}, or roll more dice", rolled),
            DiceFault::NegativeKeep { .. } => say!("write a number from 0 on"),
            DiceFault::EndlessExplosion { .. } => {
                say!("let it explode on fewer faces, or write `!o` to explode once")
            }
            DiceFault::EndlessReroll { .. } => say!("roll fewer faces again, or write `ro` to reroll once"),
            DiceFault::Unmet { dice, compare, value, counts: true } => {
                say!("to compare the total write `({dice}) {compare} {value}`", dice, compare = compare.as_str(), value)
            }
            DiceFault::PoolModifier { modifier } => {
                say!("write it inside the braces, behind the dice: `{{2d6{modifier}, 1d8}}`", modifier)
            }
            DiceFault::Arguments { function: "abs", .. } => say!("write `abs(1d6 - 3)`"),
            DiceFault::Arguments { function, .. } => say!("write `{function}(1d6, 1d8)`", function),
            DiceFault::DivisionByZero => say!("divide by a number that is never 0"),
            DiceFault::NoDie(no_die) => return no_die.help(),
            DiceFault::Overflow | DiceFault::Unmet { .. } => return None,
        })
    }
}

impl NoDie {
    /// What is wrong, in lower case and without a final stop.
    pub fn message(&self) -> Wording {
        match self {
            NoDie::TooFew { asked_for_faces, index } => say!(
                "{dice} given, and a {die} more is asked for",
                dice = dice(i64::try_from(*index).unwrap_or(i64::MAX)),
                die = name(asked_for_faces)
            ),
            NoDie::Impossible { value, faces, index } => {
                say!("die {number} shows `{value}`, which no {die} can", number = index + 1, value, die = name(faces))
            }
            NoDie::Stopped => say!("stopped before all dice were rolled"),
        }
    }

    /// What to type instead, where that is known.
    pub fn help(&self) -> Option<Wording> {
        match self {
            NoDie::TooFew { asked_for_faces, .. } => {
                Some(say!("add the value of one {die}", die = name(asked_for_faces)))
            }
            NoDie::Impossible { faces, .. } => Some(match faces {
                DieFaces::Upto(faces) => say!("give a value from 1 to {faces}", faces),
                DieFaces::Fate => say!("give -1, 0 or 1"),
                DieFaces::List(_) => say!("give a value on a face of `{faces}`", faces = name(faces)),
                DieFaces::Digits(_) => say!("give one value a digit"),
            }),
            NoDie::Stopped => None,
        }
    }
}

fn name(faces: &DieFaces) -> String {
    match faces {
        DieFaces::Upto(faces) => Shape::Upto(*faces).to_string(),
        DieFaces::Fate => Shape::Fate.to_string(),
        DieFaces::List(values) => Shape::List(values).to_string(),
        DieFaces::Digits(digits) => format!("d{digits} digits"),
    }
}

fn dice(number: i64) -> Wording {
    if number == 1 { say!("1 die") } else { say!("{number} dice", number = Wording::grouped(number)) }
}

/// `7 or more`, `below 3`.
fn meant(compare: Compare, value: i64) -> Wording {
    match compare {
        Compare::Equal => Wording::text(value.to_string()),
        Compare::NotEqual => say!("anything but {value}", value),
        Compare::Less => say!("less than {value}", value),
        Compare::AtMost => say!("{value} or less", value),
        Compare::Greater => say!("more than {value}", value),
        Compare::AtLeast => say!("{value} or more", value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_name_both_numbers() {
        let fault = DiceFault::TooManyDice { asked: 20_000, limit: 10_000 };
        assert_eq!(fault.message(), "20,000 dice in one roll; the limit is 10,000");
    }

    #[test]
    fn a_point_no_die_meets_offers_the_total() {
        let dice = "2d6".to_owned();
        let fault = DiceFault::Unmet { dice, compare: Compare::AtLeast, value: 7 + 6, counts: true };
        assert_eq!(fault.message(), "no die of `2d6` can show 13 or more");
        assert_eq!(fault.help().unwrap(), "to compare the total write `(2d6) >= 13`");
    }
}
