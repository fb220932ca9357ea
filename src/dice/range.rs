//! What dice can come to, without rolling them: exact where that is cheap, the hull where not.

use super::arithmetic::chain;
use super::points::{parity, scores};
use super::roll::deeper;
use super::sides::Sides;
use super::term_range::term_shown;
use super::{DICE_A_ROLL, Dice, DiceFault, EXPLOSIONS_A_DIE, End, Faces, Function, Modifier, Point, Pool, Shown, Term};

/// How many ways to fill in the computed numbers of a term are tried one by one.
const WAYS: usize = 256;

/// How many ranges [`span`] works with: enough for the gaps that rerolls and explosions leave.
const SPAN_RANGES: usize = 16;

/// The least and the greatest total, explosions bounded at 100 a die. Dice can show both, or the
/// bounds are safe ones; no total lies outside. None where no total fits 64 bits or dice are faulty.
pub fn span(dice: &Dice) -> Option<(i64, i64)> {
    totals(dice, SPAN_RANGES, 0).ok()?.hull()
}

/// The totals these dice can show, in up to `cap` ranges; in one where there would be more.
///
/// Faulty dice may show anything, inexactly. Rerolls that reach their bound of 100 with a chance
/// below 2^-64 are taken to have found a face that stands.
pub fn shown(dice: &Dice, cap: usize) -> Shown {
    totals(dice, cap.max(1), 0).unwrap_or_else(|_| Shown::anything())
}

pub(super) fn totals(dice: &Dice, cap: usize, depth: usize) -> Result<Shown, DiceFault> {
    let depth = deeper(depth)?;
    match dice {
        Dice::Number(number) => Ok(Shown::one(*number)),
        Dice::Term(term) => of_term(term, cap, depth),
        Dice::Pool(pool) => of_pool(pool, cap, depth),
        Dice::Operation(..) => {
            let (first, rest) = chain(dice);
            rest.into_iter().try_fold(totals(first, cap, depth)?, |so_far, (operator, operand)| {
                so_far.apply(operator, &totals(operand, cap, depth)?, cap)
            })
        }
        Dice::Negate(inner) => totals(inner, cap, depth)?.negate(),
        Dice::Function(function, arguments) => {
            if !function.takes(arguments.len()) {
                return Err(function.arguments(arguments.len()));
            }
            let each = arguments.iter().map(|argument| totals(argument, cap, depth));
            Shown::function(*function, &each.collect::<Result<Vec<_>, _>>()?, cap)
        }
        Dice::Label(inner, _) => totals(inner, cap, depth),
    }
}

/// The numbers in a term in written order: count, faces, then those of the modifiers.
pub(super) fn numbers(term: &Term<Dice>) -> Vec<&Dice> {
    let mut numbers = vec![&term.count];
    if let Faces::Upto(faces) = &term.faces {
        numbers.push(faces);
    }
    numbers.extend(term.modifiers.iter().flat_map(modifier_numbers));
    numbers
}

/// The numbers in a modifier in written order.
pub(super) fn modifier_numbers<N>(modifier: &Modifier<N>) -> impl Iterator<Item = &N> {
    let (first, second) = match modifier {
        Modifier::Keep(_, number) | Modifier::Drop(_, number) => (Some(number), None),
        Modifier::AtLeast(number) | Modifier::AtMost(number) => (Some(number), None),
        Modifier::Explode(_, point) | Modifier::Reroll(_, point) => (point.as_ref().map(|point| &point.value), None),
        Modifier::Only(point) => (Some(&point.value), None),
        Modifier::Count { success, failure } => (Some(&success.value), failure.as_ref().map(|failure| &failure.value)),
        _ => (None, None),
    };
    first.into_iter().chain(second)
}

/// A modifier with its numbers put in, taken from `numbers` in written order.
pub(super) fn with_numbers<N, M>(modifier: &Modifier<N>, mut number: impl FnMut(&N) -> M) -> Modifier<M> {
    let mut point = |point: &Point<N>| Point { compare: point.compare, value: number(&point.value) };
    match modifier {
        Modifier::Explode(kind, at) => Modifier::Explode(*kind, at.as_ref().map(point)),
        Modifier::Reroll(kind, at) => Modifier::Reroll(*kind, at.as_ref().map(point)),
        Modifier::Only(only) => Modifier::Only(point(only)),
        Modifier::Count { success, failure } => {
            let success = point(success);
            Modifier::Count { success, failure: failure.as_ref().map(point) }
        }
        Modifier::Keep(end, keep) => Modifier::Keep(*end, number(keep)),
        Modifier::Drop(end, drop) => Modifier::Drop(*end, number(drop)),
        Modifier::AtLeast(least) => Modifier::AtLeast(number(least)),
        Modifier::AtMost(most) => Modifier::AtMost(number(most)),
        Modifier::ExplodeTop(top) => Modifier::ExplodeTop(*top),
        Modifier::Even => Modifier::Even,
        Modifier::Odd => Modifier::Odd,
        Modifier::Unique => Modifier::Unique,
        Modifier::Sort(order) => Modifier::Sort(*order),
    }
}

fn of_term(term: &Term<Dice>, cap: usize, depth: usize) -> Result<Shown, DiceFault> {
    let sets = numbers(term).into_iter().map(|number| totals(number, cap, depth));
    let sets = sets.collect::<Result<Vec<_>, _>>()?;
    let exact = sets.iter().all(|set| set.exact);
    let Some(ways) = ways(&sets) else { return rough(term, &sets) };
    let mut result: Option<Shown> = None;
    let mut fault = None;
    for way in ways {
        match one_way(term, &way, cap) {
            Ok(shown) => {
                result = Some(match result {
                    Some(so_far) => so_far.union(&shown, cap),
                    None => shown,
                });
            }
            Err(found) => fault = Some(found),
        }
    }
    match (result, fault) {
        (Some(_), Some(DiceFault::Overflow)) => Err(DiceFault::Overflow),
        (Some(shown), _) => Ok(Shown { exact: shown.exact && exact, ..shown }),
        (None, Some(fault)) => Err(fault),
        (None, None) => Ok(Shown::none()),
    }
}

/// Every way to choose one number from each set, unless there are too many.
pub(super) fn ways(sets: &[Shown]) -> Option<Vec<Vec<i64>>> {
    let mut ways: Vec<Vec<i64>> = vec![Vec::with_capacity(sets.len())];
    for set in sets {
        let numbers = set.numbers(WAYS)?;
        if ways.len() * numbers.len() > WAYS {
            return None;
        }
        let longer = |way: Vec<i64>| {
            let with = move |number: &i64| [way.as_slice(), &[*number]].concat();
            numbers.iter().map(with).collect::<Vec<_>>()
        };
        ways = ways.into_iter().flat_map(longer).collect();
    }
    Some(ways)
}

fn one_way(term: &Term<Dice>, numbers: &[i64], cap: usize) -> Result<Shown, DiceFault> {
    let (count, sides, modifiers) = put_in(term, numbers)?;
    term_shown(count, sides, &modifiers, cap)
}

/// A term with its numbers put in.
pub(super) fn put_in<'a>(
    term: &'a Term<Dice>,
    numbers: &[i64],
) -> Result<(u32, Sides<'a>, Vec<Modifier<i64>>), DiceFault> {
    let mut left = numbers.iter().copied();
    let mut next = || left.next().unwrap_or(0);
    let count = next();
    let faces = if matches!(term.faces, Faces::Upto(_)) { next() } else { 0 };
    let modifiers = term.modifiers.iter().map(|modifier| with_numbers(modifier, |_| next()));
    let modifiers = modifiers.collect();
    let sides = Sides::of(&term.faces, faces)?;
    if count < 0 {
        return Err(DiceFault::NegativeCount { count });
    }
    if count > DICE_A_ROLL {
        return Err(DiceFault::TooManyDice { asked: count, limit: DICE_A_ROLL });
    }
    Ok((u32::try_from(count).unwrap_or(0), sides, modifiers))
}

/// Bounds for a term with too many ways to fill in its numbers.
fn rough(term: &Term<Dice>, sets: &[Shown]) -> Result<Shown, DiceFault> {
    let hull = |set: &Shown| set.hull().unwrap_or((0, 0));
    let most = sets.first().map(hull).unwrap_or((0, 0)).1.clamp(0, DICE_A_ROLL);
    let (faces, rest) = match term.faces {
        Faces::Upto(_) => (sets.get(1).map(hull).unwrap_or((1, 1)).1.max(1), 2),
        _ => (1, 1),
    };
    let sides = Sides::of(&term.faces, faces)?;
    let mut low = sides.lowest().min(0).saturating_sub(1);
    let mut high = sides.highest().max(1);
    for (bottom, top) in sets.iter().skip(rest).map(hull) {
        (low, high) = (low.min(bottom), high.max(top));
    }
    let simple = term.modifiers.is_empty();
    let grows = |modifier: &&Modifier<Dice>| {
        matches!(
            modifier,
            Modifier::Explode(..) | Modifier::ExplodeTop(_) | Modifier::Count { .. } | Modifier::Even | Modifier::Odd
        )
    };
    let mut times = most;
    for _ in term.modifiers.iter().filter(grows) {
        times = times.saturating_mul(i64::from(EXPLOSIONS_A_DIE) + 1);
    }
    let least = if simple { sets.first().map(hull).unwrap_or((0, 0)).0.max(0) } else { times };
    let low = if simple { sides.lowest() } else { low };
    let edge = |times: i64, value: i64| times.checked_mul(value).ok_or(DiceFault::Overflow);
    let low = edge(least, low)?.min(edge(times, low)?);
    Ok(Shown::between(low, edge(times, high)?.max(low)).inexact())
}

fn of_pool(pool: &Pool<Dice>, cap: usize, depth: usize) -> Result<Shown, DiceFault> {
    let members = pool.members.iter().map(|member| totals(member, cap, depth));
    let mut members = members.collect::<Result<Vec<_>, _>>()?;
    let mut counted: Option<Vec<Shown>> = None;
    let fixed = |number: &Dice| totals(number, cap, depth).map(|set| set.only());
    let steps = pool.modifiers.iter().filter(|modifier| !matches!(modifier, Modifier::Sort(_)));
    let mut steps = steps.peekable();
    while let Some(step) = steps.next() {
        let mut known = true;
        let mut number = |dice: &Dice| match fixed(dice) {
            Ok(Some(number)) => number,
            _ => {
                known = false;
                0
            }
        };
        let modifier = with_numbers(step, &mut number);
        let last = steps.peek().is_none();
        match modifier {
            _ if !known || counted.is_some() => return loose(pool, &members, depth),
            Modifier::Keep(end, keep) if last => return keep_totals(&members, end, keep, cap),
            Modifier::Drop(end, drop) if last => {
                let keep = members.len() as i64 - drop;
                return keep_totals(&members, end.other(), keep, cap);
            }
            Modifier::AtLeast(least) => {
                let floor = Shown::one(least);
                members = raise(members, Function::Max, &floor, cap)?;
            }
            Modifier::AtMost(most) => members = raise(members, Function::Min, &Shown::one(most), cap)?,
            Modifier::Count { success, failure } => {
                let each = members.iter().map(|set| scores(set, &success, failure.as_ref()));
                counted = Some(each.collect());
            }
            Modifier::Even => counted = Some(members.iter().map(|set| parity(set, 0)).collect()),
            Modifier::Odd => counted = Some(members.iter().map(|set| parity(set, 1)).collect()),
            Modifier::Keep(..) | Modifier::Drop(..) | Modifier::Only(_) | Modifier::Unique => {
                return loose(pool, &members, depth);
            }
            Modifier::Explode(..) | Modifier::ExplodeTop(_) | Modifier::Reroll(..) | Modifier::Sort(_) => {
                return Err(DiceFault::PoolModifier { modifier: step.to_string() });
            }
        }
    }
    let summed = counted.unwrap_or(members);
    summed.iter().try_fold(Shown::one(0), |total, set| total.sum(set, cap))
}

fn raise(members: Vec<Shown>, function: Function, bound: &Shown, cap: usize) -> Result<Vec<Shown>, DiceFault> {
    let each = members.into_iter().map(|set| Shown::function(function, &[set, bound.clone()], cap));
    each.collect()
}

/// The highest or lowest so many of unlike totals: exact for one and for all of them.
fn keep_totals(members: &[Shown], end: End, keep: i64, cap: usize) -> Result<Shown, DiceFault> {
    let all = members.len();
    let number = super::pool::within(keep, all, |rolled| DiceFault::Keep { keep, rolled })?;
    if number == 0 {
        return Ok(Shown::one(0));
    }
    if number == all {
        return members.iter().try_fold(Shown::one(0), |total, set| total.sum(set, cap));
    }
    if number == 1 {
        let function = if end == End::High { Function::Max } else { Function::Min };
        return Shown::function(function, members, cap);
    }
    let hulls: Vec<(i64, i64)> = members.iter().filter_map(Shown::hull).collect();
    let pick = |mut values: Vec<i64>| {
        values.sort_unstable();
        if end == End::High {
            values.reverse();
        }
        let sum = |sum: i64, value: &i64| sum.checked_add(*value);
        values.iter().take(number).try_fold(0, sum).ok_or(DiceFault::Overflow)
    };
    let low = pick(hulls.iter().map(|hull| hull.0).collect())?;
    let high = pick(hulls.iter().map(|hull| hull.1).collect())?;
    Ok(Shown::between(low, high).inexact())
}

/// Bounds for whatever else is done to totals.
fn loose(pool: &Pool<Dice>, members: &[Shown], depth: usize) -> Result<Shown, DiceFault> {
    let steps = i64::try_from(pool.modifiers.len()).unwrap_or(i64::MAX);
    let (mut least, mut most) = (-steps, steps);
    for number in pool.modifiers.iter().flat_map(modifier_numbers) {
        let hull = totals(number, 1, depth)?.hull().unwrap_or((0, 0));
        (least, most) = (least.min(hull.0), most.max(hull.1));
    }
    let mut bounds = (0i64, 0i64);
    for (low, high) in members.iter().filter_map(Shown::hull) {
        let (low, high) = (bounds.0.checked_add(low.min(least)), bounds.1.checked_add(high.max(most)));
        bounds = low.zip(high).ok_or(DiceFault::Overflow)?;
    }
    Ok(Shown::between(bounds.0, bounds.1).inexact())
}
