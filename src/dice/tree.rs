//! The dice tree: what was written, whatever notation it was written in.
//!
//! A term is generic over the numbers inside it. In a rule file those are expressions
//! (`(1 + untreated)d10`); once worked out they are dice again, ready to roll.

/// `4d6kh3!`: a number of dice with what is done to them, in the order written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term<N> {
    /// How many dice: 0 upwards.
    pub count: N,
    /// What each of them can show.
    pub faces: Faces<N>,
    /// What is done to them, in the order written.
    pub modifiers: Vec<Modifier<N>>,
}

/// What a die can show.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Faces<N> {
    /// `d6`, `d%` (100), `d(2 * n)`: 1 up to the number.
    Upto(N),
    /// `dF`: -1, 0 or 1.
    Fate,
    /// `d[1, 1, 2, 5]`: each face as likely as the next.
    List(Vec<i64>),
    /// `d66 digits`: one die a digit, read side by side (66 means two six-sided dice).
    Digits(u32),
}

/// One thing done to the dice of a term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Modifier<N> {
    /// `kh3`, `kl1`: keep the highest or lowest.
    Keep(End, N),
    /// `dl1`, `dh1`: drop the lowest or highest.
    Drop(End, N),
    /// `!`, `!!`, `!p`, `!o`, `!>=5`: without a point, on the highest face.
    Explode(Explosion, Option<Point<N>>),
    /// Explodes on the highest faces: 2 of a d6 are 5 and 6.
    ExplodeTop(u32),
    /// `rr<=2` again until none matches, `ro<=2` once. Without a point, on the lowest face.
    Reroll(Reroll, Option<Point<N>>),
    /// `only>=5`: the dice that do not match are dropped.
    Only(Point<N>),
    /// `min2`: each die shows at least this much.
    AtLeast(N),
    /// `max5`: each die shows at most this much.
    AtMost(N),
    /// `>=7f<=1`: the total is how many match, less how many match the second point.
    Count {
        /// Adds one.
        success: Point<N>,
        /// Takes one away.
        failure: Option<Point<N>>,
    },
    /// `even`: the total is how many are even.
    Even,
    /// `odd`: the total is how many are odd.
    Odd,
    /// `u`: a die that repeats a value kept before it is dropped.
    Unique,
    /// `s`, `sa`, `sd`: how the dice are shown. No other effect.
    Sort(Order),
}

/// Which end of the dice, once sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// The highest.
    High,
    /// The lowest.
    Low,
}

/// How dice are sorted to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// `s`, `sa`: the lowest first.
    Ascending,
    /// `sd`: the highest first.
    Descending,
}

/// What an explosion brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Explosion {
    /// `!`: another die joins the pool, and may explode in its turn.
    Add,
    /// `!!`: the further rolls add to the same die.
    Compound,
    /// `!p`: another die, less one.
    Penetrate,
    /// `!o`: another die, once only.
    Once,
}

/// How often a die is rolled again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reroll {
    /// `rr`: until no die matches.
    Until,
    /// `ro`: once.
    Once,
}

/// `>=7`, `<3`, `=1`: which values of a die are meant.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Point<N> {
    /// How the die is compared.
    pub compare: Compare,
    /// With what.
    pub value: N,
}

/// A comparison. `>` and `<` are strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compare {
    /// `==`; in a point `=`.
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Compare {
    /// Whether it holds between these two.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Compare::Equal => left == right,
            Compare::NotEqual => left != right,
            Compare::Less => left < right,
            Compare::AtMost => left <= right,
            Compare::Greater => left > right,
            Compare::AtLeast => left >= right,
        }
    }

    /// As written: `==` between totals; a point writes `=`.
    pub fn as_str(self) -> &'static str {
        match self {
            Compare::Equal => "==",
            Compare::NotEqual => "!=",
            Compare::Less => "<",
            Compare::AtMost => "<=",
            Compare::Greater => ">",
            Compare::AtLeast => ">=",
        }
    }
}

/// How a division that does not come out even is rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// Towards the smaller number, also below zero: `-5 / 2 down` is -3.
    Down,
    /// Towards the greater number.
    Up,
    /// To the nearest; a half goes up.
    Near,
}

/// What stands between two totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/` with its rounding: `7 / 2 down`.
    Divide(Rounding),
    /// What is left of a division rounded down: never negative for a positive divisor.
    Remainder,
    /// Compares totals: 1 or 0.
    Compare(Compare),
}

/// `{2d6, 1d8}kh1`: modifiers over whole totals.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pool<N> {
    /// The totals, in the order written.
    pub members: Vec<N>,
    /// What is done to them, in the order written.
    pub modifiers: Vec<Modifier<N>>,
}

/// A function of totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Function {
    /// The least of them.
    Min,
    /// The greatest of them.
    Max,
    /// The distance of one from zero.
    Abs,
}

/// Dice ready to roll: nothing in them is unresolved.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Dice {
    /// `3`
    Number(i64),
    /// `4d6kh3`
    Term(Box<Term<Dice>>),
    /// `{2d6, 1d8}kh1`
    Pool(Box<Pool<Dice>>),
    /// `1d6 + 2`
    Operation(Operator, Box<Dice>, Box<Dice>),
    /// `-1d6`
    Negate(Box<Dice>),
    /// `min(1d6, 3)`
    Function(Function, Vec<Dice>),
    /// `1d6[fire]`: what the dice are for; shown, never read.
    Label(Box<Dice>, Box<str>),
}
