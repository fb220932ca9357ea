//! The commonest rolls, read without asking the grammar: `4d6kh3 + 2`, dice and numbers joined by
//! `+` and `-`, a keep or drop at most behind each. The grammar stays the definition: whatever looks
//! at all different, or could be faulty or worth a note, is left to it, and a test holds that both
//! read the same in every dialect.

use crate::dice::{Dice, End, Faces, Modifier, Operator, Term};

/// More dice or totals than this are left to the grammar.
const FEW: i64 = 100;

struct Cursor<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Cursor<'_> {
    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while self.byte() == Some(b' ') {
            self.at += 1;
        }
    }

    /// A number of at most six digits.
    fn number(&mut self) -> Option<i64> {
        let (start, mut value) = (self.at, 0);
        while let Some(digit) = self.byte().filter(|byte| byte.is_ascii_digit() && self.at - start <= 6) {
            value = value * 10 + i64::from(digit - b'0');
            self.at += 1;
        }
        (1..=6).contains(&(self.at - start)).then_some(value)
    }

    fn keep(&mut self, count: i64) -> Option<Modifier<Dice>> {
        let how = self.bytes.get(self.at..self.at + 2)?;
        self.at += 2;
        let number = self.number().filter(|number| *number <= count).map(Dice::Number)?;
        Some(match how {
            b"kh" => Modifier::Keep(End::High, number),
            b"kl" => Modifier::Keep(End::Low, number),
            b"dh" => Modifier::Drop(End::High, number),
            b"dl" => Modifier::Drop(End::Low, number),
            _ => return None,
        })
    }

    fn operand(&mut self) -> Option<Dice> {
        let count = if self.byte() == Some(b'd') { 1 } else { self.number()? };
        if self.byte() != Some(b'd') {
            return Some(Dice::Number(count));
        }
        self.at += 1;
        let faces = self.number().filter(|faces| *faces > 0 && faces % 11 != 0 && faces % 111 != 0)?;
        if count > FEW {
            return None;
        }
        let mut modifiers = Vec::new();
        if matches!(self.byte(), Some(b'k' | b'd')) {
            modifiers.push(self.keep(count)?);
        }
        Some(Dice::Term(Box::new(Term {
            count: Dice::Number(count),
            faces: Faces::Upto(Dice::Number(faces)),
            modifiers,
        })))
    }
}

/// The dice, if they are of the plain kind: there is nothing to say about them then.
pub fn plain(text: &str) -> Option<Dice> {
    let mut cursor = Cursor { bytes: text.as_bytes(), at: 0 };
    cursor.blanks();
    let mut dice = cursor.operand()?;
    for _ in 0..FEW / 10 {
        cursor.blanks();
        let operator = match cursor.byte() {
            None => return Some(dice),
            Some(b'+') => Operator::Add,
            Some(b'-') => Operator::Subtract,
            Some(_) => return None,
        };
        cursor.at += 1;
        cursor.blanks();
        dice = Dice::Operation(operator, Box::new(dice), Box::new(cursor.operand()?));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::roll::by_grammar;
    use super::*;
    use crate::dice::Dialect;
    use proptest::prelude::*;

    #[test]
    fn what_is_plain_and_what_is_not() {
        for text in ["4d6kh3", "d20 + 5", "0d6", " 2d6-1d4dl1 +3", "12"] {
            assert!(plain(text).is_some(), "{text}");
        }
        for text in
            ["d66", "d0", "4d6kh5", "4d6k3", "4d6kh3!", "101d6", "2d6 +", "2d6x", "4d6 kh3", "1d6d1", "2d6>=7", ""]
        {
            assert!(plain(text).is_none(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_grammar_reads_the_same(text in "[0-9]{0,3}d?[0-9]{1,3}(k|kh|kl|dh|dl|d)?[0-9]{0,2}( ?[-+] ?[0-9]?d?[0-9]{1,2}){0,2} ?") {
            if let Some(dice) = plain(&text) {
                for dialect in Dialect::OTHERS.into_iter().chain([Dialect::Cicatriz]) {
                    prop_assert_eq!(by_grammar(&text, dialect), (Some(dice.clone()), Vec::new()), "{}", text);
                }
            }
        }
    }
}
