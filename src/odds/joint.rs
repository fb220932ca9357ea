//! Dice that cannot be looked at one by one: whole hands of them, equal ones put together.

use std::collections::HashMap;

use num_bigint::BigUint;

use super::cost::Budget;
use super::die::{Branch, Die, Face, branches};
use super::step::{self, Step};
use super::weight::{Weight, least_multiple};
use super::{Distribution, OddsFault};
use crate::dice::End;

/// What a hand is reached with: in how many ways, and how many of them reached a bound.
#[derive(Debug, Clone, Default)]
struct Ways {
    all: BigUint,
    cut: BigUint,
}

impl Ways {
    fn once() -> Self {
        Ways { all: BigUint::one(), cut: BigUint::default() }
    }

    fn with(&self, times: &BigUint, cut: bool) -> Self {
        let all = &self.all * times;
        Ways { cut: if cut { all.clone() } else { &self.cut * times }, all }
    }

    fn add(&mut self, other: Ways) {
        self.all += other.all;
        self.cut += other.cut;
    }
}

/// The dice still in.
type Hand = Vec<Face>;

/// The dice or totals a hand is made of, each with what it may be at first.
pub(super) struct Members {
    each: Vec<Vec<Branch>>,
    count: u32,
}

impl Members {
    /// So many dice of one term.
    pub(super) fn like(die: &Die<'_>, count: u32) -> Self {
        Members { each: vec![die.thrown()], count }
    }

    /// Totals, each with its own chances.
    pub(super) fn unlike(totals: &[Distribution]) -> Self {
        let member = |total: &Distribution| {
            let table = total.to_big();
            let clear = &table.denominator - &table.cut;
            let mut branches = Vec::new();
            for (value, weight) in table.iter() {
                // How a cut falls on single totals is not known: as it falls on all of them.
                for (part, cut) in [(&clear, false), (&table.cut, true)] {
                    if !Weight::is_zero(part) {
                        branches.push(Branch { weight: weight * part, die: (value, 0), added: Vec::new(), cut });
                    }
                }
            }
            branches
        };
        Members { each: totals.iter().map(member).collect(), count: u32::try_from(totals.len()).unwrap_or(u32::MAX) }
    }

    fn at(&self, index: u32) -> &[Branch] {
        let last = self.each.len().saturating_sub(1);
        self.each.get((index as usize).min(last)).map_or(&[], Vec::as_slice)
    }
}

/// Works with whole hands.
pub(super) struct Hands<'d, 's> {
    die: &'d mut Die<'s>,
    /// Whether dice must stay in the order rolled.
    ordered: bool,
}

impl<'d, 's> Hands<'d, 's> {
    pub(super) fn new(die: &'d mut Die<'s>) -> Self {
        let ordered = step::order_matters(die.steps);
        Hands { die, ordered }
    }

    /// The total of all steps on a hand of these.
    pub(super) fn total(
        mut self,
        members: Members,
        count: u32,
        budget: &mut Budget,
    ) -> Result<Distribution, OddsFault> {
        let steps = self.die.steps;
        let last = steps.iter().rposition(Step::looks_beside).map_or(0, |last| last + 1);
        let mut at = if self.ordered { 0 } else { self.alone(0) };
        let mut hands = HashMap::from([(Vec::new(), Ways::once())]);
        let first = self.bags(&members, at, budget)?;
        let trim = (!self.ordered).then(|| self.trim(at, count)).flatten();
        for index in 0..members.count {
            let bags = first.get((index as usize).min(first.len().saturating_sub(1))).map_or(&[][..], Vec::as_slice);
            hands = self.join(hands, bags, trim, budget)?;
        }
        while at < last {
            if steps.get(at).is_some_and(Step::looks_beside) {
                hands = self.beside(hands, at, count)?;
                at += 1;
                continue;
            }
            let to = if self.ordered { at + 1 } else { self.alone(at) };
            hands = self.each(hands, at, to, budget)?;
            at = to;
        }
        self.add_up(hands, last, budget)
    }

    /// The next step from here on that looks beside.
    fn alone(&self, from: usize) -> usize {
        let rest = self.die.steps.get(from..).unwrap_or(&[]);
        from + rest.iter().position(Step::looks_beside).unwrap_or(rest.len())
    }

    /// Where a keep follows, only so many at one end need be remembered.
    fn trim(&self, at: usize, count: u32) -> Option<(End, usize)> {
        match self.die.steps.get(at) {
            Some(Step::Keep(end, keep)) => Some((*end, step::within(*keep, count, true).ok()? as usize)),
            _ => None,
        }
    }

    /// What each member has become before step `to`.
    fn bags(&mut self, members: &Members, to: usize, budget: &mut Budget) -> Result<Vec<Vec<Bag>>, OddsFault> {
        let mut all = Vec::with_capacity(members.each.len());
        for index in 0..members.each.len() as u32 {
            let mut bags: HashMap<Hand, Ways> = HashMap::new();
            for branch in members.at(index) {
                let ways = Ways::once().with(&branch.weight, branch.cut);
                bags.entry(vec![branch.die]).or_default().add(ways);
            }
            let bags = self.each(bags, 0, to, budget)?;
            all.push(bags.into_iter().map(|(dice, ways)| Bag { dice, added: Vec::new(), ways }).collect());
        }
        Ok(all)
    }

    /// Every hand with one more member in it.
    fn join(
        &self,
        hands: HashMap<Hand, Ways>,
        bags: &[Bag],
        trim: Option<(End, usize)>,
        budget: &mut Budget,
    ) -> Result<HashMap<Hand, Ways>, OddsFault> {
        let mut longer: HashMap<Hand, Ways> = HashMap::new();
        self.charge(hands.len(), bags.len(), budget)?;
        for (hand, ways) in &hands {
            for bag in bags {
                let mut hand = hand.clone();
                hand.extend(&bag.dice);
                if !self.ordered {
                    hand.sort_unstable();
                }
                match trim {
                    Some((End::Low, keep)) => hand.truncate(keep),
                    Some((End::High, keep)) => drop(hand.drain(..hand.len().saturating_sub(keep))),
                    None => {}
                }
                longer.entry(hand).or_default().add(ways.beside(&bag.ways));
            }
        }
        Ok(longer)
    }

    /// Every die of every hand through steps that look at one die at a time.
    fn each(
        &mut self,
        hands: HashMap<Hand, Ways>,
        from: usize,
        to: usize,
        budget: &mut Budget,
    ) -> Result<HashMap<Hand, Ways>, OddsFault> {
        let mut hands = hands;
        for at in from..to {
            let Some(step) = self.die.steps.get(at) else { continue };
            hands = self.step(hands, step, budget)?;
        }
        Ok(hands)
    }

    fn step(
        &mut self,
        hands: HashMap<Hand, Ways>,
        step: &Step,
        budget: &mut Budget,
    ) -> Result<HashMap<Hand, Ways>, OddsFault> {
        let mut known: HashMap<Face, (BigUint, Vec<Bag>)> = HashMap::new();
        for face in hands.keys().flatten() {
            if known.contains_key(face) {
                continue;
            }
            let branches = branches(step, *face, self.die.sides, self.die.bounds, self.ordered)?;
            let all: BigUint = branches.iter().map(|branch| &branch.weight).sum();
            let bag = |branch: Branch| Bag {
                dice: vec![branch.die],
                ways: Ways::once().with(&branch.weight, branch.cut),
                added: branch.added,
            };
            known.insert(*face, (all, branches.into_iter().map(bag).collect()));
        }
        // The hands share a denominator, so all need the same number of ways for what follows.
        let scaled =
            |hand: &Hand| -> BigUint { hand.iter().filter_map(|face| known.get(face)).map(|(all, _)| all).product() };
        let multiple = hands.keys().map(&scaled).fold(BigUint::one(), |all, one| least_multiple(&all, &one));
        let mut after: HashMap<Hand, Ways> = HashMap::new();
        for (hand, ways) in &hands {
            let scale = &multiple / scaled(hand);
            let mut partial: HashMap<(Hand, Hand), Ways> =
                HashMap::from([((Vec::new(), Vec::new()), ways.with(&scale, false))]);
            for face in hand {
                let Some((_, bags)) = known.get(face) else { continue };
                self.charge(partial.len(), bags.len(), budget)?;
                let mut longer: HashMap<(Hand, Hand), Ways> = HashMap::with_capacity(partial.len());
                for ((dice, added), ways) in &partial {
                    for bag in bags {
                        let (mut dice, mut added) = (dice.clone(), added.clone());
                        dice.extend(&bag.dice);
                        if self.ordered {
                            added.extend(&bag.added);
                        } else {
                            dice.extend(&bag.added);
                            dice.sort_unstable();
                        }
                        longer.entry((dice, added)).or_default().add(ways.beside(&bag.ways));
                    }
                }
                partial = longer;
            }
            for ((mut hand, added), ways) in partial {
                hand.extend(added);
                after.entry(hand).or_default().add(ways);
            }
        }
        Ok(after)
    }

    /// A step that looks at the dice side by side.
    fn beside(&self, hands: HashMap<Hand, Ways>, at: usize, count: u32) -> Result<HashMap<Hand, Ways>, OddsFault> {
        let mut after: HashMap<Hand, Ways> = HashMap::new();
        let Some(step) = self.die.steps.get(at) else { return Ok(hands) };
        for (hand, ways) in hands {
            after.entry(self.left(hand, step, count)?).or_default().add(ways);
        }
        Ok(after)
    }

    fn left(&self, hand: Hand, step: &Step, count: u32) -> Result<Hand, OddsFault> {
        let all = hand.len();
        let mut places: Vec<usize> = (0..all).collect();
        places.sort_by_key(|place| (hand.get(*place).map(|die| die.0), *place));
        let (end, keep) = match step {
            Step::Keep(end, keep) => (*end, step::within(*keep, count, true)? as usize),
            Step::Drop(end, drop) => (end.other(), all.saturating_sub(step::within(*drop, count, false)? as usize)),
            _ => (End::High, all),
        };
        match end {
            End::High => drop(places.drain(..all.saturating_sub(keep))),
            End::Low => places.truncate(keep),
        }
        if *step == Step::Unique {
            places.dedup_by_key(|place| hand.get(*place).map(|die| die.0));
        }
        places.sort_unstable();
        Ok(places.into_iter().filter_map(|place| hand.get(place).copied()).collect())
    }

    /// The totals of all hands, whose dice have come to step `at`.
    fn add_up(
        &mut self,
        hands: HashMap<Hand, Ways>,
        at: usize,
        budget: &mut Budget,
    ) -> Result<Distribution, OddsFault> {
        let mut sums: HashMap<Hand, Ways> = HashMap::new();
        for (mut hand, ways) in hands {
            hand.sort_unstable();
            sums.entry(hand).or_default().add(ways);
        }
        let mut certain: HashMap<i64, Ways> = HashMap::new();
        let mut parts = Vec::new();
        for (hand, ways) in sums {
            let mut total = Distribution::certain(0);
            for face in hand {
                let one = self.die.total(at, face, budget)?;
                budget.take(total.values().len() as u128 * one.values().len() as u128, total.bits(), large)?;
                total = total.plus(&one)?;
            }
            match total.values() {
                [only] if total.is_exact() => certain.entry(*only).or_default().add(ways),
                _ => parts.push((ways, total)),
            }
        }
        parts.extend(certain.into_iter().map(|(total, ways)| (ways, Distribution::certain(total))));
        let mut mixture = Vec::with_capacity(parts.len());
        for (ways, total) in parts {
            if !Weight::is_zero(&ways.cut) {
                mixture.push((ways.cut.clone(), total.clone().cut_off()));
            }
            if ways.all > ways.cut {
                mixture.push((ways.all - ways.cut, total));
            }
        }
        Ok(Distribution::mixture(&mixture))
    }

    fn charge(&self, hands: usize, bags: usize, budget: &mut Budget) -> Result<(), OddsFault> {
        budget.take(hands as u128 * bags as u128 * 1_500, 0, large)
    }
}

fn large() -> String {
    "the hands of dice that are kept and rolled on".to_owned()
}

/// What may become of one die: the dice that take its place, those that join at the end, and in how many ways.
#[derive(Debug, Clone)]
struct Bag {
    dice: Hand,
    added: Hand,
    ways: Ways,
}

impl Ways {
    /// Of two that know nothing of each other.
    fn beside(&self, other: &Ways) -> Ways {
        let all = &self.all * &other.all;
        if Weight::is_zero(&self.cut) && Weight::is_zero(&other.cut) {
            return Ways { all, cut: BigUint::default() };
        }
        let clear = (&self.all - &self.cut) * (&other.all - &other.cut);
        Ways { cut: &all - clear, all }
    }
}
