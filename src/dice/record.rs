//! A roll with every die in it and what happened to it, so that it can be explained.

use serde::ser::{Serialize, Serializer};

use super::sides::Sides;
use super::{Order, Shape};

/// What dice came to, and how.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Rolled {
    /// What it all comes to.
    pub total: i64,
    /// Every die in the order rolled.
    pub dice: Vec<RolledDie>,
    /// Every term and pool in the order begun: a term before those that its count or its
    /// modifiers need. The same numbering as in [`super::Found`].
    pub terms: Vec<RolledTerm>,
    /// Whether a die reached the bound on explosions or rerolls.
    pub cut: bool,
}

/// One die of a roll.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RolledDie {
    /// The die's faces.
    pub faces: DieFaces,
    /// What it counts for in the end: after rerolls, `min`, `max`, `!!` and `!p`.
    pub value: i64,
    /// Everything it showed, the first throw first: more than one after a reroll or a `!!`.
    pub rolls: Vec<i64>,
    /// Whether it is still in the total.
    pub kept: bool,
    /// What took it out of the total.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<Dropped>,
    /// Whether it exploded: brought another die, or with `!!` was rolled on.
    pub exploded: bool,
    /// Whether it is there because another die exploded.
    pub added: bool,
    /// How many times it was rolled again.
    pub rerolled: u32,
    /// What it adds where dice are counted: successes less failures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<i64>,
    /// The index of its term in [`Rolled::terms`](field@Rolled::terms).
    pub term: usize,
}

/// What took a die out of the total. Both are indices of modifiers in written order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dropped {
    /// A modifier of its own term.
    Modifier(usize),
    /// A modifier of the pool around it.
    Pool(usize),
}

/// One term or pool of a roll.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RolledTerm {
    /// As written, in canonical form.
    pub written: String,
    /// What it comes to.
    pub total: i64,
    /// What it was rolled for.
    pub purpose: Purpose,
    /// What the dice are for, in the author's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Box<str>>,
    /// How its dice are to be shown, where not as rolled.
    #[serde(skip)]
    pub order: Option<Order>,
    /// The totals of a pool. Empty for a term.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<RolledMember>,
}

/// One total in a pool.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RolledMember {
    /// What the member counts for.
    pub value: i64,
    /// Whether it is still in the pool's total.
    pub kept: bool,
    /// What it adds where members are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<i64>,
}

/// What dice were rolled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// The total.
    Total,
    /// How many dice: `(2d4)d6`.
    Count,
    /// How many faces: `1d(1d4)`.
    Faces,
    /// The number of a modifier: `4d6kh(1d3)`.
    Modifier,
}

/// The faces of a die, to keep: a [`Shape`] that borrows nothing, or digit dice.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum DieFaces {
    /// 1 up to the number.
    Upto(u32),
    /// -1, 0 or 1.
    Fate,
    /// One of these.
    List(Box<[i64]>),
    /// One die a digit, read side by side.
    Digits(u32),
}

impl From<Shape<'_>> for DieFaces {
    fn from(shape: Shape<'_>) -> Self {
        match shape {
            Shape::Upto(faces) => DieFaces::Upto(faces),
            Shape::Fate => DieFaces::Fate,
            Shape::List(values) => DieFaces::List(values.into()),
        }
    }
}

/// A number of faces is a number, a list is a list; `"F"` and `"66 digits"` are text.
impl Serialize for DieFaces {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            DieFaces::Upto(faces) => serializer.serialize_u32(*faces),
            DieFaces::Fate => serializer.serialize_str("F"),
            DieFaces::List(values) => values.serialize(serializer),
            DieFaces::Digits(digits) => serializer.collect_str(&format_args!("{digits} digits")),
        }
    }
}

/// A die or a member of a pool while modifiers work on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Die {
    pub(super) value: i64,
    pub(super) counted: i64,
    /// Whether an explosion brought it.
    pub(super) added: bool,
    /// The modifier that dropped it.
    pub(super) dropped: Option<u32>,
    /// Its index in the record; for a member of a pool, that of its first die.
    pub(super) record: usize,
}

/// What a roll tells of itself as it goes. Nothing, where only the total is asked for.
pub(super) trait Record {
    const KEEPS: bool;
    fn term(&mut self, _purpose: Purpose, _written: impl FnOnce() -> String) -> usize {
        0
    }
    fn die(&mut self, _term: usize, _sides: Sides<'_>, _shown: i64, _added: bool) -> usize {
        0
    }
    fn rerolled(&mut self, _die: usize, _shown: i64) {}
    fn compounded(&mut self, _die: usize, _shown: i64) {}
    fn exploded(&mut self, _die: usize) {}
    fn cut(&mut self) {}
    fn dice(&self) -> usize {
        0
    }
    fn terms(&self) -> usize {
        0
    }
    fn settle(&mut self, _dice: &[Die], _counts: bool) {}
    fn members(&mut self, _term: usize, _dice: &[Die], _counts: bool) {}
    fn close(&mut self, _term: usize, _total: i64, _order: Option<Order>) {}
    fn label(&mut self, _from: usize, _text: &str) {}
}

/// Keeps nothing.
pub(super) struct Nothing;

impl Record for Nothing {
    const KEEPS: bool = false;
}

/// Keeps everything.
impl Record for Rolled {
    const KEEPS: bool = true;

    fn term(&mut self, purpose: Purpose, written: impl FnOnce() -> String) -> usize {
        let (label, order, members) = (None, None, Vec::new());
        let term = RolledTerm { written: written(), total: 0, purpose, label, order, members };
        self.terms.push(term);
        self.terms.len() - 1
    }

    fn die(&mut self, term: usize, sides: Sides<'_>, shown: i64, added: bool) -> usize {
        self.dice.push(RolledDie {
            faces: sides.name(),
            value: shown,
            rolls: vec![shown],
            kept: true,
            dropped: None,
            exploded: false,
            added,
            rerolled: 0,
            counted: None,
            term,
        });
        self.dice.len() - 1
    }

    fn rerolled(&mut self, die: usize, shown: i64) {
        if let Some(die) = self.dice.get_mut(die) {
            die.rolls.push(shown);
            die.rerolled += 1;
        }
    }

    fn compounded(&mut self, die: usize, shown: i64) {
        if let Some(die) = self.dice.get_mut(die) {
            die.rolls.push(shown);
            die.exploded = true;
        }
    }

    fn exploded(&mut self, die: usize) {
        if let Some(die) = self.dice.get_mut(die) {
            die.exploded = true;
        }
    }

    fn cut(&mut self) {
        self.cut = true;
    }

    fn dice(&self) -> usize {
        self.dice.len()
    }

    fn terms(&self) -> usize {
        self.terms.len()
    }

    fn settle(&mut self, dice: &[Die], counts: bool) {
        for die in dice {
            if let Some(rolled) = self.dice.get_mut(die.record) {
                rolled.value = die.value;
                rolled.kept = die.dropped.is_none();
                rolled.dropped = die.dropped.map(|modifier| Dropped::Modifier(modifier as usize));
                rolled.counted = counts.then_some(die.counted);
            }
        }
    }

    fn members(&mut self, term: usize, dice: &[Die], counts: bool) {
        let ends = dice.iter().skip(1).map(|die| die.record).chain([self.dice.len()]);
        for (member, end) in dice.iter().zip(ends.collect::<Vec<_>>()) {
            let counted = counts.then_some(member.counted);
            let kept = member.dropped.is_none();
            if let Some(term) = self.terms.get_mut(term) {
                term.members.push(RolledMember { value: member.value, kept, counted });
            }
            let Some(modifier) = member.dropped else { continue };
            for die in self.dice.get_mut(member.record..end).unwrap_or(&mut []) {
                if die.kept {
                    die.kept = false;
                    die.dropped = Some(Dropped::Pool(modifier as usize));
                }
            }
        }
    }

    fn close(&mut self, term: usize, total: i64, order: Option<Order>) {
        if let Some(term) = self.terms.get_mut(term) {
            term.total = total;
            term.order = order;
        }
    }

    fn label(&mut self, from: usize, text: &str) {
        for term in self.terms.get_mut(from..).unwrap_or(&mut []) {
            if term.label.is_none() && term.purpose == Purpose::Total {
                term.label = Some(text.into());
            }
        }
    }
}
