//! Which form of a text a number takes: the formulas of gettext catalogs,
//! `nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);`.

use std::fmt;

/// The longest formula that is read, in bytes. The longest known one has some 130.
pub const FORMULA_BYTES: usize = 1_000;
/// The deepest nesting that is read.
pub const FORMULA_DEPTH: usize = 32;
/// The most forms a language can have here; Arabic has six.
pub const FORMS: usize = 16;

/// A plural formula that was read, with the number of its forms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plural {
    count: usize,
    formula: Formula,
}

/// Why a formula cannot be read, and at which byte of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluralFault {
    pub at: usize,
    pub message: String,
}

impl fmt::Display for PluralFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Formula {
    N,
    Number(u64),
    Not(Box<Formula>),
    Two(Operator, Box<Formula>, Box<Formula>),
    Choose(Box<[Formula; 3]>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    Greater,
    AtMost,
    AtLeast,
    Plus,
    Minus,
    Times,
    Over,
    Remainder,
}

impl Plural {
    /// One form for one, another for all else: Spanish, English, most of Europe.
    pub fn two() -> Plural {
        let formula = Formula::Two(Operator::Unequal, Box::new(Formula::N), Box::new(Formula::Number(1)));
        Plural { count: 2, formula }
    }

    /// Reads a formula as it stands behind `plural=`, for so many forms.
    pub fn read(count: usize, formula: &str) -> Result<Plural, PluralFault> {
        if formula.len() > FORMULA_BYTES {
            let message = format!("the formula has {} bytes; at most {FORMULA_BYTES} are read", formula.len());
            return Err(PluralFault { at: 0, message });
        }
        if count == 0 || count > FORMS {
            return Err(PluralFault { at: 0, message: format!("a language has 1 to {FORMS} forms, not {count}") });
        }
        let mut reader = Reader { text: formula, at: 0, depth: 0 };
        let formula = reader.choice()?;
        reader.blanks();
        match reader.rest().chars().next() {
            None => Ok(Plural { count, formula }),
            Some(_) => Err(reader.fault("this does not belong to the formula")),
        }
    }

    /// How many forms there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The form of a number, from 0; none where the formula divides by zero or leads beyond the
    /// last form.
    pub fn form(&self, n: u64) -> Option<usize> {
        let form = usize::try_from(self.formula.value(n)?).ok()?;
        (form < self.count).then_some(form)
    }
}

impl Formula {
    fn value(&self, n: u64) -> Option<u64> {
        Some(match self {
            Formula::N => n,
            Formula::Number(number) => *number,
            Formula::Not(inner) => u64::from(inner.value(n)? == 0),
            Formula::Two(Operator::Or, a, b) => u64::from(a.value(n)? != 0 || b.value(n)? != 0),
            Formula::Two(Operator::And, a, b) => u64::from(a.value(n)? != 0 && b.value(n)? != 0),
            Formula::Two(operator, a, b) => {
                let (a, b) = (a.value(n)?, b.value(n)?);
                match operator {
                    Operator::Equal => u64::from(a == b),
                    Operator::Unequal => u64::from(a != b),
                    Operator::Less => u64::from(a < b),
                    Operator::Greater => u64::from(a > b),
                    Operator::AtMost => u64::from(a <= b),
                    Operator::AtLeast => u64::from(a >= b),
                    Operator::Plus => a.wrapping_add(b),
                    Operator::Minus => a.wrapping_sub(b),
                    Operator::Times => a.wrapping_mul(b),
                    Operator::Over => a.checked_div(b)?,
                    Operator::Remainder => a.checked_rem(b)?,
                    Operator::Or | Operator::And => return None,
                }
            }
            Formula::Choose(parts) => {
                let [when, then, otherwise] = &**parts;
                if when.value(n)? != 0 { then.value(n)? } else { otherwise.value(n)? }
            }
        })
    }
}

/// Operators by how tightly they bind, the loosest first; of two that begin alike the longer first.
const LEVELS: &[&[(&str, Operator)]] = &[
    &[("||", Operator::Or)],
    &[("&&", Operator::And)],
    &[("==", Operator::Equal), ("!=", Operator::Unequal)],
    &[("<=", Operator::AtMost), (">=", Operator::AtLeast), ("<", Operator::Less), (">", Operator::Greater)],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[("*", Operator::Times), ("/", Operator::Over), ("%", Operator::Remainder)],
];

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

type Read = Result<Formula, PluralFault>;

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn takes(&mut self, word: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn fault(&self, message: &str) -> PluralFault {
        PluralFault { at: self.at, message: message.to_owned() }
    }

    fn deeper(&mut self) -> Result<(), PluralFault> {
        self.depth += 1;
        if self.depth > FORMULA_DEPTH {
            return Err(self.fault(&format!("nested deeper than {FORMULA_DEPTH}")));
        }
        Ok(())
    }

    fn choice(&mut self) -> Read {
        self.deeper()?;
        let when = self.level(0)?;
        let read = if self.takes("?") {
            let then = self.choice()?;
            if !self.takes(":") {
                return Err(self.fault("`:` is missing"));
            }
            // What stands behind the colon is no nesting: chains of choices are long.
            self.depth -= 1;
            let otherwise = self.choice();
            self.depth += 1;
            Formula::Choose(Box::new([when, then, otherwise?]))
        } else {
            when
        };
        self.depth -= 1;
        Ok(read)
    }

    fn level(&mut self, level: usize) -> Read {
        let Some(operators) = LEVELS.get(level) else { return self.single() };
        let mut left = self.level(level + 1)?;
        while let Some((_, operator)) = operators.iter().find(|(word, _)| self.takes(word)) {
            let right = self.level(level + 1)?;
            left = Formula::Two(*operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn single(&mut self) -> Read {
        if self.takes("!") {
            self.deeper()?;
            let inner = self.single()?;
            self.depth -= 1;
            return Ok(Formula::Not(Box::new(inner)));
        }
        if self.takes("(") {
            let inner = self.choice()?;
            return if self.takes(")") { Ok(inner) } else { Err(self.fault("`)` is missing")) };
        }
        if self.takes("n") {
            return Ok(Formula::N);
        }
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        match self.rest()[..digits].parse() {
            Ok(number) => {
                self.at += digits;
                Ok(Formula::Number(number))
            }
            Err(_) if digits > 0 => Err(self.fault("this number is too large")),
            Err(_) => Err(self.fault("`n`, a number or `(` belongs here")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(count: usize, formula: &str, numbers: &[u64]) -> Vec<Option<usize>> {
        let plural = Plural::read(count, formula).expect(formula);
        numbers.iter().map(|n| plural.form(*n)).collect()
    }

    #[test]
    fn formulas_of_languages() {
        let some = |list: &[usize]| list.iter().map(|form| Some(*form)).collect::<Vec<_>>();
        assert_eq!(forms(2, "n != 1", &[0, 1, 2]), some(&[1, 0, 1]));
        let polish = "(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2)";
        assert_eq!(forms(3, polish, &[1, 2, 4, 5, 12, 22, 112]), some(&[0, 1, 1, 2, 2, 1, 2]));
        let arabic = "n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5";
        assert_eq!(forms(6, arabic, &[0, 1, 2, 3, 11, 100]), some(&[0, 1, 2, 3, 4, 5]));
        assert_eq!(forms(1, "0", &[0, 7]), some(&[0, 0]));
        assert_eq!(Plural::two(), Plural::read(2, "n!=1").expect("a formula"));
    }

    #[test]
    fn what_leads_nowhere_has_no_form() {
        assert_eq!(forms(2, "1/n", &[0, 1, 2]), [None, Some(1), Some(0)]);
        assert_eq!(forms(2, "n%0", &[1]), [None]);
        assert_eq!(forms(2, "n", &[2]), [None]);
        assert_eq!(forms(2, "n-1", &[0]), [None]);
        assert_eq!(forms(2, "!n", &[0, 5]), [Some(1), Some(0)]);
    }

    #[test]
    fn faults_say_where() {
        let fault = |text: &str| Plural::read(2, text).map_err(|fault| (fault.at, fault.message));
        assert_eq!(fault("n=1").map_err(|f| f.0), Err(1));
        assert_eq!(fault("n ? 1"), Err((5, "`:` is missing".into())));
        assert_eq!(fault("(n"), Err((2, "`)` is missing".into())));
        assert_eq!(fault(""), Err((0, "`n`, a number or `(` belongs here".into())));
        assert!(fault("99999999999999999999").is_err());
    }

    #[test]
    fn limits_hold() {
        let nested = |depth: usize| format!("{}n{}", "(".repeat(depth), ")".repeat(depth));
        assert!(Plural::read(2, &nested(FORMULA_DEPTH - 1)).is_ok());
        assert!(Plural::read(2, &nested(FORMULA_DEPTH)).is_err());
        assert!(Plural::read(2, &"!".repeat(FORMULA_BYTES)).is_err());
        assert!(Plural::read(2, &"n+".repeat(FORMULA_BYTES)).is_err());
        assert!(Plural::read(2, &format!("{}n", "n?0:".repeat(200))).is_ok());
        assert!(Plural::read(0, "n").is_err() && Plural::read(FORMS + 1, "n").is_err());
    }
}
