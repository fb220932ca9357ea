//! What modifiers do to the dice of a term and to the totals of a pool.

use super::record::{Die, Record};
use super::roll::Roller;
use super::sides::Sides;
use super::{
    Compare, Dice, DiceFault, DiceSource, EXPLOSIONS_A_DIE, End, Explosion, Modifier, Point, Purpose, REROLLS_A_DIE,
    Reroll,
};

/// The modifiers from `at` on that are one step: rerolls of one kind side by side, which say
/// together which values are rolled again (`r=1r=2` is again until neither), or else a single one.
pub fn together<N>(modifiers: &[Modifier<N>], at: usize) -> &[Modifier<N>] {
    let rest = modifiers.get(at..).unwrap_or(&[]);
    let length = match rest.first() {
        Some(Modifier::Reroll(kind, _)) => {
            let same = |modifier: &&Modifier<N>| matches!(modifier, Modifier::Reroll(k, _) if k == kind);
            rest.iter().take_while(same).count()
        }
        Some(_) => 1,
        None => 0,
    };
    rest.get(..length).unwrap_or(&[])
}

impl<S: DiceSource + ?Sized, R: Record> Roller<'_, S, R> {
    /// One step on the dice from `base` on, which belong to the term with this record and faces.
    pub(super) fn modify(
        &mut self,
        step: &[Modifier<Dice>],
        at: usize,
        (term, sides): (usize, Sides<'_>),
        base: usize,
        depth: usize,
    ) -> Result<(), DiceFault> {
        match step.first() {
            Some(Modifier::Explode(kind, point)) => {
                let point = match point {
                    Some(point) => self.point(point, depth)?,
                    None => Point { compare: Compare::Equal, value: sides.highest() },
                };
                self.explode((term, sides), base, *kind, &point)
            }
            Some(Modifier::ExplodeTop(top)) => self.explode((term, sides), base, Explosion::Add, &sides.top(*top)),
            Some(Modifier::Reroll(kind, _)) => {
                let mut points = Vec::with_capacity(step.len());
                for modifier in step {
                    points.push(match modifier {
                        Modifier::Reroll(_, Some(point)) => self.point(point, depth)?,
                        _ => Point { compare: Compare::Equal, value: sides.lowest() },
                    });
                }
                self.reroll(sides, base, *kind, &points)
            }
            Some(modifier) => self.modify_members(modifier, at, base, depth),
            None => Ok(()),
        }
    }

    /// One modifier that works on totals as well as on dice.
    pub(super) fn modify_members(
        &mut self,
        modifier: &Modifier<Dice>,
        at: usize,
        base: usize,
        depth: usize,
    ) -> Result<(), DiceFault> {
        match modifier {
            Modifier::Explode(..) | Modifier::ExplodeTop(_) | Modifier::Reroll(..) => {
                Err(DiceFault::PoolModifier { modifier: modifier.to_string() })
            }
            Modifier::Keep(end, number) => {
                let keep = self.value(number, Purpose::Modifier, depth)?;
                let rolled = self.rolled(base);
                let keep = within(keep, rolled, |rolled| DiceFault::Keep { keep, rolled })?;
                self.keep(*end, keep, at, base);
                Ok(())
            }
            Modifier::Drop(end, number) => {
                let drop = self.value(number, Purpose::Modifier, depth)?;
                let rolled = self.rolled(base);
                let drop = within(drop, rolled, |rolled| DiceFault::Drop { drop, rolled })?;
                let left = self.dice(base).iter().filter(|die| die.dropped.is_none()).count();
                self.keep(end.other(), left.saturating_sub(drop), at, base);
                Ok(())
            }
            Modifier::Only(point) => {
                let point = self.point(point, depth)?;
                self.each(base, |die| {
                    if !point.holds(die.value) {
                        die.dropped = Some(at as u32);
                    }
                });
                Ok(())
            }
            Modifier::AtLeast(number) => {
                let least = self.value(number, Purpose::Modifier, depth)?;
                self.each(base, |die| die.value = die.value.max(least));
                Ok(())
            }
            Modifier::AtMost(number) => {
                let most = self.value(number, Purpose::Modifier, depth)?;
                self.each(base, |die| die.value = die.value.min(most));
                Ok(())
            }
            Modifier::Count { success, failure } => {
                let success = self.point(success, depth)?;
                let failure = match failure {
                    Some(failure) => Some(self.point(failure, depth)?),
                    None => None,
                };
                self.each(base, |die| die.counted += counted(die.value, &success, &failure));
                Ok(())
            }
            Modifier::Even => {
                self.each(base, |die| die.counted += i64::from(die.value % 2 == 0));
                Ok(())
            }
            Modifier::Odd => {
                self.each(base, |die| die.counted += i64::from(die.value % 2 != 0));
                Ok(())
            }
            Modifier::Unique => {
                self.unique(at, base);
                Ok(())
            }
            Modifier::Sort(_) => Ok(()),
        }
    }

    fn point(&mut self, point: &Point<Dice>, depth: usize) -> Result<Point<i64>, DiceFault> {
        let value = self.value(&point.value, Purpose::Modifier, depth)?;
        Ok(Point { compare: point.compare, value })
    }

    fn dice(&self, base: usize) -> &[Die] {
        self.pool.get(base..).unwrap_or(&[])
    }

    /// How many dice or members there were before any explosion: what can be kept for certain.
    fn rolled(&self, base: usize) -> usize {
        self.dice(base).iter().filter(|die| !die.added).count()
    }

    fn each(&mut self, base: usize, change: impl Fn(&mut Die)) {
        let dice = self.pool.get_mut(base..).unwrap_or(&mut []);
        dice.iter_mut().filter(|die| die.dropped.is_none()).for_each(change);
    }

    /// The dice still in, least value first; of equal ones the first rolled first.
    fn by_value(&self, base: usize) -> Vec<usize> {
        let still_in = |(_, die): &(usize, &Die)| die.dropped.is_none();
        let mut dice: Vec<(i64, usize)> = (self.dice(base).iter().enumerate())
            .filter(still_in)
            .map(|(index, die)| (die.value, base + index))
            .collect();
        dice.sort_unstable();
        dice.into_iter().map(|(_, index)| index).collect()
    }

    fn drop(&mut self, dice: &[usize], at: usize) {
        for index in dice {
            if let Some(die) = self.pool.get_mut(*index) {
                die.dropped = Some(at as u32);
            }
        }
    }

    fn keep(&mut self, end: End, keep: usize, at: usize, base: usize) {
        let dice = self.by_value(base);
        let out = match end {
            End::High => dice.get(..dice.len().saturating_sub(keep)),
            End::Low => dice.get(keep..),
        };
        self.drop(out.unwrap_or(&[]), at);
    }

    fn unique(&mut self, at: usize, base: usize) {
        let dice = self.by_value(base);
        let value = |index: &usize| self.pool.get(*index).map(|die| die.value);
        let repeats = dice.windows(2).filter(|pair| value(&pair[0]) == value(&pair[1]));
        let out: Vec<usize> = repeats.map(|pair| pair[1]).collect();
        self.drop(&out, at);
    }

    fn explode(
        &mut self,
        (term, sides): (usize, Sides<'_>),
        base: usize,
        kind: Explosion,
        point: &Point<i64>,
    ) -> Result<(), DiceFault> {
        for index in base..self.pool.len() {
            let Some(die) = self.pool.get(index).copied() else { continue };
            if die.dropped.is_some() || !point.holds(die.value) {
                continue;
            }
            match kind {
                Explosion::Compound => {
                    let value = self.compound(die, sides, point)?;
                    if let Some(die) = self.pool.get_mut(index) {
                        die.value = value;
                    }
                }
                Explosion::Once => {
                    self.record.exploded(die.record);
                    self.join(term, sides, 0, true)?;
                }
                Explosion::Add => self.further(die, (term, sides), 0, point)?,
                Explosion::Penetrate => self.further(die, (term, sides), 1, point)?,
            }
        }
        Ok(())
    }

    /// Further dice for one that explodes. Whether they explode in turn goes by what they show.
    fn further(
        &mut self,
        first: Die,
        (term, sides): (usize, Sides<'_>),
        less: i64,
        point: &Point<i64>,
    ) -> Result<(), DiceFault> {
        let mut exploding = first.record;
        for _ in 0..EXPLOSIONS_A_DIE {
            self.record.exploded(exploding);
            let shown = self.join(term, sides, less, true)?;
            if !point.holds(shown) {
                return Ok(());
            }
            exploding = self.pool.last().map_or(exploding, |die| die.record);
        }
        self.record.cut();
        Ok(())
    }

    fn compound(&mut self, die: Die, sides: Sides<'_>, point: &Point<i64>) -> Result<i64, DiceFault> {
        let mut value = die.value;
        for _ in 0..EXPLOSIONS_A_DIE {
            let shown = self.throw(sides)?;
            self.record.compounded(die.record, shown);
            value = value.checked_add(shown).ok_or(DiceFault::Overflow)?;
            if !point.holds(shown) {
                return Ok(value);
            }
        }
        self.record.cut();
        Ok(value)
    }

    fn reroll(&mut self, sides: Sides<'_>, base: usize, kind: Reroll, points: &[Point<i64>]) -> Result<(), DiceFault> {
        let again = |value| points.iter().any(|point| point.holds(value));
        let bound = match kind {
            Reroll::Until => REROLLS_A_DIE,
            Reroll::Once => 1,
        };
        for index in base..self.pool.len() {
            let Some(mut die) = self.pool.get(index).copied() else { continue };
            if die.dropped.is_some() {
                continue;
            }
            for _ in 0..bound {
                if !again(die.value) {
                    break;
                }
                die.value = self.throw(sides)?;
                self.record.rerolled(die.record, die.value);
            }
            if kind == Reroll::Until && again(die.value) {
                self.record.cut();
            }
            if let Some(place) = self.pool.get_mut(index) {
                *place = die;
            }
        }
        Ok(())
    }
}

/// What a die of this value adds to a count.
#[inline]
pub(super) fn counted(value: i64, success: &Point<i64>, failure: &Option<Point<i64>>) -> i64 {
    let failed = failure.as_ref().is_some_and(|failure| failure.holds(value));
    i64::from(success.holds(value)) - i64::from(failed)
}

/// A number of dice to keep or drop: from none to all that were rolled.
#[inline]
pub(super) fn within(number: i64, rolled: usize, fault: impl FnOnce(i64) -> DiceFault) -> Result<usize, DiceFault> {
    match usize::try_from(number) {
        Ok(number) if number <= rolled => Ok(number),
        Ok(_) => Err(fault(i64::try_from(rolled).unwrap_or(i64::MAX))),
        Err(_) if number < 0 => Err(DiceFault::NegativeKeep { keep: number }),
        Err(_) => Err(fault(i64::try_from(rolled).unwrap_or(i64::MAX))),
    }
}
