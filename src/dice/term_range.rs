//! What the dice of one term can show, once its numbers are known.

use super::points::{parity, part_by, scores};
use super::pool::{together, within};
use super::sides::Sides;
use super::{Compare, DiceFault, EXPLOSIONS_A_DIE, Explosion, Modifier, Point, REROLLS_A_DIE, Reroll, Shown};

/// A chance below this is as good as none where the bound on rerolls is concerned: 2^-64.
const NEGLIGIBLE: f64 = 1.0 / 18_446_744_073_709_551_616.0;

/// What a die can be worth, and what it can add to a count.
#[derive(Debug, Clone)]
struct Part {
    value: Shown,
    counted: Shown,
}

impl Part {
    fn new(value: Shown) -> Self {
        Part { value, counted: Shown::one(0) }
    }
}

/// Dice that bring others: the first die, and each further one, either exploding or not.
#[derive(Debug, Clone)]
struct Chain {
    first: [Part; 2],
    further: [Part; 2],
    most: u32,
}

/// The dice of a term while its modifiers work on them.
pub(super) struct Hand<'a> {
    sides: Sides<'a>,
    natural: Shown,
    cap: usize,
    rolled: u32,
    /// How many dice are still in, at least and at most.
    size: (u32, u32),
    die: Part,
    chain: Option<Chain>,
    counts: bool,
    exact: bool,
}

/// The totals of `count` dice with these faces and modifiers, up to `cap` ranges of them.
pub(super) fn term_shown(
    count: u32,
    sides: Sides<'_>,
    modifiers: &[Modifier<i64>],
    cap: usize,
) -> Result<Shown, DiceFault> {
    let mut hand = Hand::new(count, sides, cap);
    let mut at = 0;
    while at < modifiers.len() {
        let step = together(modifiers, at);
        hand.step(step)?;
        at += step.len();
    }
    hand.total()
}

impl<'a> Hand<'a> {
    /// Dice just rolled.
    pub(super) fn new(count: u32, sides: Sides<'a>, cap: usize) -> Self {
        let natural = sides.shown(cap);
        let die = Part::new(natural.clone());
        let (size, chain) = ((count, count), None);
        Hand { sides, natural, cap, rolled: count, size, die, chain, counts: false, exact: true }
    }

    /// What the dice can be worth at this point.
    pub(super) fn values(&self) -> Shown {
        let further = self.chain.iter().flat_map(|chain| chain.first.iter().chain(&chain.further));
        further.fold(self.die.value.clone(), |all, part| all.union(&part.value, self.cap))
    }

    /// What the dice can be worth as they are thrown.
    pub(super) fn natural(&self) -> &Shown {
        &self.natural
    }
}

impl Hand<'_> {
    /// The next step of the modifiers.
    pub(super) fn step(&mut self, step: &[Modifier<i64>]) -> Result<(), DiceFault> {
        let Some(modifier) = step.first() else { return Ok(()) };
        if self.counts && !matches!(modifier, Modifier::Sort(_)) {
            self.exact = false;
        }
        match modifier {
            Modifier::Keep(_, keep) => {
                let fault = |rolled| DiceFault::Keep { keep: *keep, rolled };
                let keep = self.number(*keep, fault)?;
                self.resize(|size| size.min(keep));
            }
            Modifier::Drop(_, drop) => {
                let fault = |rolled| DiceFault::Drop { drop: *drop, rolled };
                let drop = self.number(*drop, fault)?;
                self.resize(|size| size.saturating_sub(drop));
            }
            Modifier::Explode(kind, point) => {
                let highest = Point { compare: Compare::Equal, value: self.sides.highest() };
                self.explode(*kind, point.as_ref().unwrap_or(&highest))?;
            }
            Modifier::ExplodeTop(top) => self.explode(Explosion::Add, &self.sides.top(*top))?,
            Modifier::Reroll(kind, _) => {
                let lowest = Point { compare: Compare::Equal, value: self.sides.lowest() };
                let points = step.iter().map(|modifier| match modifier {
                    Modifier::Reroll(_, Some(point)) => point.clone(),
                    _ => lowest.clone(),
                });
                self.reroll(*kind, &points.collect::<Vec<_>>());
            }
            Modifier::AtLeast(least) => self.each(|part, cap| {
                let below = part.value.split(&[i64::MIN..=least.saturating_sub(1)]);
                let kept = part.value.split(&[*least..=i64::MAX]);
                let floor = if below.is_none() { Shown::none() } else { Shown::one(*least) };
                part.value = kept.union(&floor, cap);
            }),
            Modifier::AtMost(most) => self.each(|part, cap| {
                let above = part.value.split(&[most.saturating_add(1)..=i64::MAX]);
                let kept = part.value.split(&[i64::MIN..=*most]);
                let roof = if above.is_none() { Shown::none() } else { Shown::one(*most) };
                part.value = kept.union(&roof, cap);
            }),
            Modifier::Count { success, failure } => self.count(|value| scores(value, success, failure.as_ref()))?,
            Modifier::Even => self.count(|value| parity(value, 0))?,
            Modifier::Odd => self.count(|value| parity(value, 1))?,
            Modifier::Unique if self.size.1 > 1 || self.chain.is_some() => {
                self.loosen();
                self.exact = false;
                let distinct = self.die.value.numbers(10_000).map_or(usize::MAX, |all| all.len().max(1));
                let distinct = u32::try_from(distinct).unwrap_or(u32::MAX);
                self.size = (self.size.0.min(1), self.size.1.min(distinct));
            }
            Modifier::Only(point) => self.only(point),
            Modifier::Unique | Modifier::Sort(_) => {}
        }
        Ok(())
    }

    fn number(&self, number: i64, fault: impl FnOnce(i64) -> DiceFault) -> Result<u32, DiceFault> {
        let number = within(number, self.rolled as usize, fault)?;
        Ok(u32::try_from(number).unwrap_or(u32::MAX))
    }

    fn resize(&mut self, size: impl Fn(u32) -> u32) {
        if self.chain.is_some() {
            self.loosen();
            self.exact = false;
        }
        self.size = (size(self.size.0), size(self.size.1));
    }

    /// Any number of the dice may be left, each of them one that matches.
    fn only(&mut self, point: &Point<i64>) {
        self.loosen();
        self.exact = false;
        let [met, unmet] = part_by(&self.die.value, point);
        if met.is_none() {
            self.size = (0, 0);
        } else {
            let least = if unmet.is_none() { self.size.0 } else { 0 };
            self.size = (least, self.size.1);
            self.die.value = met;
        }
    }

    fn each(&mut self, change: impl Fn(&mut Part, usize)) {
        change(&mut self.die, self.cap);
        if let Some(chain) = &mut self.chain {
            chain.first.iter_mut().chain(&mut chain.further).for_each(|part| change(part, self.cap));
        }
    }

    fn count(&mut self, scores: impl Fn(&Shown) -> Shown) -> Result<(), DiceFault> {
        self.counts = true;
        let mut overflow = Ok(());
        let mut change = |part: &mut Part, cap: usize| match part.counted.sum(&scores(&part.value), cap) {
            Ok(sum) => part.counted = sum,
            Err(fault) => overflow = Err(fault),
        };
        change(&mut self.die, self.cap);
        if let Some(chain) = &mut self.chain {
            chain.first.iter_mut().chain(&mut chain.further).for_each(|part| change(part, self.cap));
        }
        overflow
    }

    /// Forgets which dice came from which: any of them may show what any other can.
    fn loosen(&mut self) {
        let Some(chain) = self.chain.take() else { return };
        let mut parts = chain.first.into_iter().chain(chain.further);
        let none = Part { value: Shown::none(), counted: Shown::none() };
        let all = parts.by_ref().fold(none, |all, part| Part {
            value: all.value.union(&part.value, self.cap),
            counted: all.counted.union(&part.counted, self.cap),
        });
        self.die = all;
        self.size.1 = self.size.1.saturating_mul(chain.most.saturating_add(1));
    }

    fn explode(&mut self, kind: Explosion, point: &Point<i64>) -> Result<(), DiceFault> {
        if self.chain.is_some() {
            self.loosen();
            self.exact = false;
        }
        let split = |part: &Part| {
            let [met, unmet] = part_by(&part.value, point);
            [met, unmet].map(|value| Part { value, counted: part.counted.clone() })
        };
        let first = split(&self.die);
        let natural = Part::new(self.natural.clone());
        let mut further = split(&natural);
        let mut most = EXPLOSIONS_A_DIE;
        match kind {
            Explosion::Once => {
                most = 1;
                further = [Part::new(Shown::none()), natural];
            }
            Explosion::Penetrate => {
                for part in &mut further {
                    part.value = part.value.sum(&Shown::one(-1), self.cap)?;
                }
            }
            Explosion::Compound => {
                let chain = Chain { first, further, most };
                self.die.value = chain.total(self.cap, |part| &part.value)?;
                return Ok(());
            }
            Explosion::Add => {}
        }
        self.chain = Some(Chain { first, further, most });
        Ok(())
    }

    fn reroll(&mut self, kind: Reroll, points: &[Point<i64>]) {
        if self.chain.is_some() {
            self.loosen();
            self.exact = false;
        }
        let standing = |value: &Shown| {
            let unmet = |left: Shown, point: &Point<i64>| part_by(&left, point)[1].clone();
            points.iter().fold(value.clone(), unmet)
        };
        let stands = standing(&self.die.value);
        if stands == self.die.value {
            return;
        }
        let natural = standing(&self.natural);
        let faces = self.sides.faces().max(1) as f64;
        let again = 1.0 - self.sides.among(&natural) as f64 / faces;
        let bound = i32::try_from(REROLLS_A_DIE).unwrap_or(i32::MAX).saturating_add(1);
        let until = kind == Reroll::Until && again.powi(bound) < NEGLIGIBLE;
        let rerolled = if until { &natural } else { &self.natural };
        self.die.value = stands.union(rerolled, self.cap);
    }

    fn total(mut self) -> Result<Shown, DiceFault> {
        let counts = self.counts;
        let read = move |part: &Part| if counts { part.counted.clone() } else { part.value.clone() };
        let shown = match &self.chain {
            Some(_) if self.size.0 != self.size.1 => {
                self.loosen();
                return self.rough(&read(&self.die));
            }
            Some(chain) if counts => chain.total(self.cap, |part| &part.counted)?.times(self.size.0, self.cap)?,
            Some(chain) => chain.total(self.cap, |part| &part.value)?.times(self.size.0, self.cap)?,
            None if self.size.0 == self.size.1 => read(&self.die).times(self.size.0, self.cap)?,
            None => return self.rough(&read(&self.die)),
        };
        Ok(Shown { exact: shown.exact && self.exact, ..shown })
    }

    /// The hull of the totals of a number of dice that varies.
    fn rough(&self, die: &Shown) -> Result<Shown, DiceFault> {
        let die = die.as_hull();
        let fewest = die.times(self.size.0, 1)?;
        Ok(fewest.union(&die.times(self.size.1, 1)?, 1).as_hull().inexact())
    }
}

impl Chain {
    fn total(&self, cap: usize, read: impl Fn(&Part) -> &Shown) -> Result<Shown, DiceFault> {
        let [again, last] = self.further.each_ref().map(&read);
        let either = again.clone().union(last, cap);
        let [so_far, alone] = self.first.each_ref().map(&read);
        // What is read may be a count, which is there even for dice that cannot be.
        let possible = |part: &Part| !part.value.is_none();
        let mut total = if possible(&self.first[1]) { alone.clone() } else { Shown::none() };
        if !possible(&self.first[0]) {
            return Ok(total);
        }
        let mut so_far = so_far.clone();
        for number in 1..=self.most {
            let ends = match (number == self.most, possible(&self.further[0])) {
                (true, true) if possible(&self.further[1]) => &either,
                (true, true) => again,
                _ => last,
            };
            if possible(&self.further[1]) || number == self.most {
                total = total.union(&so_far.sum(ends, cap)?, cap);
            }
            if !possible(&self.further[0]) {
                break;
            }
            so_far = so_far.sum(again, cap)?;
        }
        Ok(total)
    }
}
