//! What is wrong with dice, found before any is thrown.

use super::arithmetic::chain;
use super::points::part_by;
use super::pool::{together, within};
use super::range::{numbers, put_in, totals, ways};
use super::sides::Sides;
use super::term_range::Hand;
use super::{
    Compare, DICE_A_ROLL, Dice, DiceFault, Explosion, Modifier, NESTING, Operator, Point, Pool, Reroll, Shown, Term,
};
use crate::diagnostics::Severity;

/// How many ranges are worked with.
const RANGES: usize = 256;

/// A fault, and where in the dice it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Found {
    /// What is wrong.
    pub fault: DiceFault,
    /// Which term or pool, where it is in one: they are counted from 0 in written order, a term
    /// before those in its own count, faces and modifiers. As in [`Rolled::terms`](field@super::Rolled::terms).
    pub term: Option<usize>,
    /// Which of its modifiers in written order from 0, where it is in one.
    pub modifier: Option<usize>,
}

/// What is wrong with dice. Those without an error can be rolled: only their source, the bound on
/// throws, or arithmetic of which [`super::shown`] is not exact (a divisor that might be 0) can
/// stop them then.
///
/// Computed counts, faces and points are faulty where any value they can take is.
pub fn faults(dice: &Dice) -> Vec<Found> {
    faults_besides(dice, 0)
}

/// As [`faults`], of dice among which `stand_ins` terms of one die only stand for numbers: these
/// are not rolled.
pub(crate) fn faults_besides(dice: &Dice, stand_ins: usize) -> Vec<Found> {
    let uncounted = i64::try_from(stand_ins).unwrap_or(i64::MAX);
    let mut search = Search { found: Vec::new(), terms: 0, dice: -uncounted };
    search.walk(dice, 0);
    let error = |found: &Found| found.fault.severity() == Severity::Error;
    if !search.found.iter().any(error)
        && let Err(fault) = totals(dice, RANGES, 0)
    {
        search.found.push(Found { fault, term: None, modifier: None });
    }
    search.found
}

struct Search {
    found: Vec<Found>,
    terms: usize,
    /// How many dice can be asked for so far.
    dice: i64,
}

impl Search {
    fn walk(&mut self, dice: &Dice, depth: usize) {
        if depth >= NESTING {
            let fault = DiceFault::TooDeep { limit: NESTING };
            if !self.found.iter().any(|found| found.fault == fault) {
                self.tell(fault, None, None);
            }
            return;
        }
        match dice {
            Dice::Number(_) => {}
            Dice::Term(term) => self.term(term, depth + 1),
            Dice::Pool(pool) => self.pool(pool, depth + 1),
            Dice::Operation(..) => {
                let (first, rest) = chain(dice);
                self.walk(first, depth + 1);
                for (operator, operand) in rest {
                    self.walk(operand, depth + 1);
                    self.divisor(operator, operand, depth + 1);
                }
            }
            Dice::Negate(inner) | Dice::Label(inner, _) => self.walk(inner, depth + 1),
            Dice::Function(function, arguments) => {
                if !function.takes(arguments.len()) {
                    self.tell(function.arguments(arguments.len()), None, None);
                }
                arguments.iter().for_each(|argument| self.walk(argument, depth + 1));
            }
        }
    }

    fn tell(&mut self, fault: DiceFault, term: Option<usize>, modifier: Option<usize>) {
        self.found.push(Found { fault, term, modifier });
    }

    fn divisor(&mut self, operator: Operator, operand: &Dice, depth: usize) {
        if !matches!(operator, Operator::Divide(_) | Operator::Remainder) {
            return;
        }
        if let Ok(shown) = totals(operand, RANGES, depth)
            && shown.exact
            && shown.contains(0)
        {
            self.tell(DiceFault::DivisionByZero, None, None);
        }
    }

    fn term(&mut self, term: &Term<Dice>, depth: usize) {
        let id = self.terms;
        self.terms += 1;
        let parts = numbers(term);
        parts.iter().for_each(|number| self.walk(number, depth));
        let sets: Result<Vec<Shown>, DiceFault> = parts.iter().map(|number| totals(number, RANGES, depth)).collect();
        let Ok(sets) = sets else { return };
        let before = self.dice;
        let most = sets.first().and_then(Shown::hull).map_or(0, |hull| hull.1.max(0));
        self.dice = self.dice.saturating_add(most);
        if self.dice > DICE_A_ROLL {
            if before <= DICE_A_ROLL {
                let fault = DiceFault::TooManyDice { asked: self.dice, limit: DICE_A_ROLL };
                self.tell(fault, Some(id), None);
            }
            return;
        }
        let ways = ways(&sets).unwrap_or_else(|| corners(&sets));
        let mut told: Vec<Found> = Vec::new();
        for (number, way) in ways.iter().enumerate() {
            let mut here = Vec::new();
            if let Err((fault, modifier)) = one_way(term, way, &mut here) {
                here.push((fault, modifier));
            }
            let here: Vec<Found> =
                here.into_iter().map(|(fault, modifier)| Found { fault, term: Some(id), modifier }).collect();
            // A warning holds if it holds whatever the computed numbers are, an error if ever.
            let warns = |found: &Found| found.fault.severity() == Severity::Warning;
            told.retain(|found| !warns(found) || here.iter().any(|other| alike(found, other)));
            for found in here {
                let new = !told.iter().any(|other| alike(&found, other));
                if new && (number == 0 || !warns(&found)) {
                    told.push(found);
                }
            }
        }
        self.found.append(&mut told);
    }

    fn pool(&mut self, pool: &Pool<Dice>, depth: usize) {
        let id = self.terms;
        self.terms += 1;
        pool.members.iter().for_each(|member| self.walk(member, depth));
        for (at, modifier) in pool.modifiers.iter().enumerate() {
            let all = pool.members.len();
            let fault = match modifier {
                Modifier::Explode(..) | Modifier::ExplodeTop(_) | Modifier::Reroll(..) => {
                    Some(DiceFault::PoolModifier { modifier: modifier.to_string() })
                }
                Modifier::Keep(_, number) | Modifier::Drop(_, number) => {
                    let keeps = matches!(modifier, Modifier::Keep(..));
                    let hull = totals(number, RANGES, depth).ok().and_then(|shown| shown.hull());
                    let check = |keep| {
                        within(keep, all, |rolled| match keeps {
                            true => DiceFault::Keep { keep, rolled },
                            false => DiceFault::Drop { drop: keep, rolled },
                        })
                    };
                    hull.and_then(|(low, high)| check(low).and(check(high)).err())
                }
                _ => None,
            };
            if let Some(fault) = fault {
                self.tell(fault, Some(id), Some(at));
            }
            for number in super::range::modifier_numbers(modifier) {
                self.walk(number, depth);
            }
        }
    }
}

/// Whether two faults are the same but for the numbers in them.
fn alike(one: &Found, other: &Found) -> bool {
    one.modifier == other.modifier && std::mem::discriminant(&one.fault) == std::mem::discriminant(&other.fault)
}

/// The ends of each set of numbers in every combination; of very many sets, all least or greatest.
fn corners(sets: &[Shown]) -> Vec<Vec<i64>> {
    let ends: Vec<(i64, i64)> = sets.iter().map(|set| set.hull().unwrap_or((0, 0))).collect();
    let sets: Vec<Shown> = ends.iter().map(|(low, high)| Shown::one(*low).union(&Shown::one(*high), 2)).collect();
    ways(&sets).unwrap_or_else(|| vec![ends.iter().map(|end| end.0).collect(), ends.iter().map(|end| end.1).collect()])
}

type At = (DiceFault, Option<usize>);

/// The faults of a term with its numbers put in.
fn one_way(term: &Term<Dice>, numbers: &[i64], told: &mut Vec<At>) -> Result<(), At> {
    let (count, sides, modifiers) = put_in(term, numbers).map_err(|fault| (fault, None))?;
    let mut hand = Hand::new(count, sides, RANGES);
    let mut at = 0;
    while at < modifiers.len() {
        let step = together(&modifiers, at);
        endless(term, &hand, sides, step, at, told);
        for (index, modifier) in step.iter().enumerate() {
            unmet(term, &hand, modifier, at + index, told);
        }
        hand.step(step).map_err(|fault| (fault, Some(at)))?;
        at += step.len();
    }
    Ok(())
}

/// Explosions and rerolls that no face ends.
fn endless(
    term: &Term<Dice>,
    hand: &Hand<'_>,
    sides: Sides<'_>,
    step: &[Modifier<i64>],
    at: usize,
    told: &mut Vec<At>,
) {
    let exactly = |value| Point { compare: Compare::Equal, value };
    let points: Vec<Point<i64>> = step
        .iter()
        .filter_map(|modifier| match modifier {
            Modifier::Explode(Explosion::Once, _) | Modifier::Reroll(Reroll::Once, _) => None,
            Modifier::ExplodeTop(top) => Some(sides.top(*top)),
            Modifier::Explode(_, point) => Some(point.clone().unwrap_or_else(|| exactly(sides.highest()))),
            Modifier::Reroll(_, point) => Some(point.clone().unwrap_or_else(|| exactly(sides.lowest()))),
            _ => None,
        })
        .collect();
    let unmet = |values: &Shown| points.iter().fold(values.clone(), |left, point| part_by(&left, point)[1].clone());
    let values = hand.values();
    if points.is_empty() || unmet(&values) == values || !unmet(hand.natural()).is_none() {
        return;
    }
    let written = term.to_string();
    let fault = match step.first() {
        Some(Modifier::Reroll(..)) => DiceFault::EndlessReroll { written },
        _ => DiceFault::EndlessExplosion { written },
    };
    told.push((fault, Some(at)));
}

/// Points that no die meets.
fn unmet(term: &Term<Dice>, hand: &Hand<'_>, modifier: &Modifier<i64>, at: usize, told: &mut Vec<At>) {
    let (points, counts) = match modifier {
        Modifier::Explode(_, point) | Modifier::Reroll(_, point) => ([point.as_ref(), None], false),
        Modifier::Only(point) => ([Some(point), None], false),
        Modifier::Count { success, failure } => ([Some(success), failure.as_ref()], true),
        _ => return,
    };
    let values = hand.values();
    for (index, point) in points.into_iter().enumerate() {
        let Some(point) = point else { continue };
        if part_by(&values, point)[0].is_none() && !values.is_none() {
            let counts = counts && index == 0;
            told.push((DiceFault::unmet(term.before(at), point.clone(), counts), Some(at)));
        }
    }
}
