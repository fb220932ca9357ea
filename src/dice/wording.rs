//! What faults of dice are called, in words.

use super::{Compare, DiceFault, DieFaces, NoDie, Shape};
use crate::diagnostics::Code;

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
    pub fn message(&self) -> String {
        match self {
            DiceFault::TooManyDice { asked, limit } => {
                format!("{} in one roll; the limit is {}", dice(*asked), grouped(*limit))
            }
            DiceFault::TooManyThrows { asked, limit } => format!(
                "{} throws in one roll, explosions and rerolls included; the limit is {}",
                grouped(*asked),
                grouped(*limit)
            ),
            DiceFault::TooManyFaces { asked, limit } => {
                format!("a die of {} faces; the limit is {}", grouped(*asked), grouped(*limit))
            }
            DiceFault::TooDeep { limit } => {
                format!("dice nested deeper than {limit} levels; the limit is {limit}")
            }
            DiceFault::NegativeCount { count } => format!("a number of dice of {count}, below zero"),
            DiceFault::NoFaces { faces } => {
                format!("a die of {faces} faces; a die has at least 1")
            }
            DiceFault::NoList => "a die with an empty list of faces".to_owned(),
            DiceFault::ZeroDigit { digits } => {
                format!("`d{digits} digits` has a digit 0, which is a die without faces")
            }
            DiceFault::Keep { keep, rolled } => {
                format!("keeps {} of {rolled}", dice(*keep))
            }
            DiceFault::Drop { drop, rolled } => {
                format!("drops {} of {rolled}", dice(*drop))
            }
            DiceFault::NegativeKeep { keep } => {
                format!("a number of dice to keep or drop of {keep}, below zero")
            }
            DiceFault::EndlessExplosion { written } => {
                format!("`{written}` can never stop exploding: every face explodes")
            }
            DiceFault::EndlessReroll { written } => {
                format!("`{written}` can never stop rerolling: every face is rolled again")
            }
            DiceFault::Unmet { dice, compare, value, .. } => {
                format!("no die of `{dice}` can show {}", meant(*compare, *value))
            }
            DiceFault::PoolModifier { modifier } => {
                format!("`{modifier}` works on dice, and a pool in braces holds totals")
            }
            DiceFault::Arguments { function, given: 0 } => format!("`{function}()` of nothing"),
            DiceFault::Arguments { function, given } => {
                format!("`{function}` of {given} values")
            }
            DiceFault::Overflow => "a number that does not fit 64 bits".to_owned(),
            DiceFault::DivisionByZero => "a division by zero".to_owned(),
            DiceFault::NoDie(no_die) => no_die.message(),
        }
    }

    /// What to type instead, where that is known.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            DiceFault::TooManyDice { limit, .. } => {
                format!("roll at most {} dice at once", grouped(*limit))
            }
            DiceFault::TooManyThrows { .. } => "roll fewer dice, or explode or reroll on fewer faces".to_owned(),
            DiceFault::TooManyFaces { limit, .. } => format!("write at most `d{limit}`"),
            DiceFault::TooDeep { .. } => "take some parentheses out".to_owned(),
            DiceFault::NegativeCount { .. } => {
                "for no dice below zero write `(max(0, n))d6`, with your number for `n`".to_owned()
            }
            DiceFault::NoFaces { .. } => "write a die of 1 face or more, such as `d6`".to_owned(),
            DiceFault::NoList => "write the faces between the brackets: `d[1, 2, 3]`".to_owned(),
            DiceFault::ZeroDigit { .. } => {
                "write digits from 1 to 9, such as `d66 digits`; `d100` counts from 1 to 100".to_owned()
            }
            DiceFault::Keep { rolled: 0, .. } | DiceFault::Drop { rolled: 0, .. } => "roll at least one die".to_owned(),
            DiceFault::Keep { rolled, .. } => format!("keep at most {rolled}, or roll more dice"),
            DiceFault::Drop { rolled, .. } => format!("drop at most {rolled}, or roll more dice"),
            DiceFault::NegativeKeep { .. } => "write a number from 0 on".to_owned(),
            DiceFault::EndlessExplosion { .. } => {
                "let it explode on fewer faces, or write `!o` to explode once".to_owned()
            }
            DiceFault::EndlessReroll { .. } => "roll fewer faces again, or write `ro` to reroll once".to_owned(),
            DiceFault::Unmet { dice, compare, value, counts: true } => {
                format!("to compare the total write `({dice}) {} {value}`", compare.as_str())
            }
            DiceFault::PoolModifier { modifier } => {
                format!("write it inside the braces, behind the dice: `{{2d6{modifier}, 1d8}}`")
            }
            DiceFault::Arguments { function: "abs", .. } => "write `abs(1d6 - 3)`".to_owned(),
            DiceFault::Arguments { function, .. } => format!("write `{function}(1d6, 1d8)`"),
            DiceFault::DivisionByZero => "divide by a number that is never 0".to_owned(),
            DiceFault::NoDie(no_die) => return no_die.help(),
            DiceFault::Overflow | DiceFault::Unmet { .. } => return None,
        })
    }
}

impl NoDie {
    /// What is wrong, in lower case and without a final stop.
    pub fn message(&self) -> String {
        match self {
            NoDie::TooFew { asked_for_faces, index } => format!(
                "{} given, and a {} more is asked for",
                dice(i64::try_from(*index).unwrap_or(i64::MAX)),
                name(asked_for_faces)
            ),
            NoDie::Impossible { value, faces, index } => {
                format!("die {} shows `{value}`, which no {} can", index + 1, name(faces))
            }
            NoDie::Stopped => "stopped before all dice were rolled".to_owned(),
        }
    }

    /// What to type instead, where that is known.
    pub fn help(&self) -> Option<String> {
        match self {
            NoDie::TooFew { asked_for_faces, .. } => Some(format!("add the value of one {}", name(asked_for_faces))),
            NoDie::Impossible { faces, .. } => Some(match faces {
                DieFaces::Upto(faces) => format!("give a value from 1 to {faces}"),
                DieFaces::Fate => "give -1, 0 or 1".to_owned(),
                DieFaces::List(_) => format!("give a value on a face of `{}`", name(faces)),
                DieFaces::Digits(_) => "give one value a digit".to_owned(),
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

fn dice(number: i64) -> String {
    if number == 1 { "1 die".to_owned() } else { format!("{} dice", grouped(number)) }
}

/// A number as people read it: `10,000`.
fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::from(if number < 0 { "-" } else { "" });
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `7 or more`, `below 3`.
fn meant(compare: Compare, value: i64) -> String {
    match compare {
        Compare::Equal => format!("{value}"),
        Compare::NotEqual => format!("anything but {value}"),
        Compare::Less => format!("less than {value}"),
        Compare::AtMost => format!("{value} or less"),
        Compare::Greater => format!("more than {value}"),
        Compare::AtLeast => format!("{value} or more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_name_both_numbers() {
        let fault = DiceFault::TooManyDice { asked: 20_000, limit: 10_000 };
        assert_eq!(fault.message(), "20,000 dice in one roll; the limit is 10,000");
        assert_eq!(grouped(-1_234_567), "-1,234,567");
        assert_eq!(grouped(100), "100");
    }

    #[test]
    fn a_point_no_die_meets_offers_the_total() {
        let dice = "2d6".to_owned();
        let fault = DiceFault::Unmet { dice, compare: Compare::AtLeast, value: 7 + 6, counts: true };
        assert_eq!(fault.message(), "no die of `2d6` can show 13 or more");
        assert_eq!(fault.help().unwrap(), "to compare the total write `(2d6) >= 13`");
    }
}
