//! Dice made from other dice, as rules ask for: `maximum(2d6)`, `twice(1d4 + 3)`.

use super::arithmetic::chain;
use super::points::part_by;
use super::range::totals;
use super::roll::deeper;
use super::sides::Sides;
use super::{
    Compare, DICE_A_ROLL, Dice, DiceFault, DiceSource, End, Faces, Modifier, NoDie, Operator, Point, Pool, Reroll,
    Shape, Term, total,
};

/// How many ranges are worked with.
const RANGES: usize = 256;

/// The total where every die shows its highest face that is not rolled again; nothing explodes.
///
/// That is not always the greatest total: `10 - 1d6` is 4.
///
/// Errors: as [`super::roll()`].
pub fn maximum(dice: &Dice) -> Result<Dice, DiceFault> {
    still(dice, End::High)
}

/// The total where every die shows its lowest face that is not rolled again; nothing explodes.
///
/// Errors: as [`super::roll()`].
pub fn minimum(dice: &Dice) -> Result<Dice, DiceFault> {
    still(dice, End::Low)
}

/// Every die rolled twice, constants once: `1d4 + 3` becomes `2d4 + 3`.
///
/// A term that looks at its dice side by side, to keep, drop or tell repeats, is rolled a second
/// time as a whole: `2d20kh1` becomes `2d20kh1 + 2d20kh1`. In a pool each member is doubled.
/// What a computed count or face is worked out from stays as it is.
///
/// Errors: [`DiceFault::TooManyDice`], [`DiceFault::Overflow`], [`DiceFault::TooDeep`].
pub fn twice(dice: &Dice) -> Result<Dice, DiceFault> {
    each_term(dice, 0, &|term| {
        let beside =
            |modifier: &Modifier<Dice>| matches!(modifier, Modifier::Keep(..) | Modifier::Drop(..) | Modifier::Unique);
        if term.modifiers.iter().any(beside) {
            let once = || Box::new(Dice::Term(Box::new(term.clone())));
            return Ok(Dice::Operation(Operator::Add, once(), once()));
        }
        let count = match &term.count {
            Dice::Number(count) => {
                let asked = count.checked_mul(2).ok_or(DiceFault::Overflow)?;
                if asked > DICE_A_ROLL {
                    return Err(DiceFault::TooManyDice { asked, limit: DICE_A_ROLL });
                }
                Dice::Number(asked)
            }
            other => {
                let two = Box::new(Dice::Number(2));
                Dice::Operation(Operator::Multiply, two, Box::new(other.clone()))
            }
        };
        Ok(Dice::Term(Box::new(Term { count, ..term.clone() })))
    })
}

/// Every term explodes on its `top` highest faces, before its dice are kept, dropped or counted.
/// Explosions that were there before give way. With a `top` of 0 nothing explodes.
///
/// Errors: [`DiceFault::EndlessExplosion`] where that is every face, [`DiceFault::TooDeep`].
pub fn exploding(dice: &Dice, top: u32) -> Result<Dice, DiceFault> {
    each_term(dice, 0, &|term| {
        let mut modifiers =
            without(&term.modifiers, |modifier| matches!(modifier, Modifier::Explode(..) | Modifier::ExplodeTop(_)));
        let alone = |modifier: &&Modifier<Dice>| {
            matches!(modifier, Modifier::Reroll(..) | Modifier::AtLeast(_) | Modifier::AtMost(_))
        };
        let at = modifiers.iter().take_while(alone).count();
        if top > 0 {
            modifiers.insert(at, Modifier::ExplodeTop(top));
        }
        let term = Term { modifiers, ..term.clone() };
        if let Some(sides) = known_sides(&term)? {
            let point = sides.top(top);
            if part_by(&sides.shown(RANGES), &point)[1].is_none() {
                return Err(DiceFault::EndlessExplosion { written: term.to_string() });
            }
        }
        Ok(Dice::Term(Box::new(term)))
    })
}

/// The dice with each term replaced. Terms within terms are left alone.
fn each_term(
    dice: &Dice,
    depth: usize,
    change: &impl Fn(&Term<Dice>) -> Result<Dice, DiceFault>,
) -> Result<Dice, DiceFault> {
    let depth = deeper(depth)?;
    let again = |dice: &Dice| each_term(dice, depth, change);
    let all = |dice: &[Dice]| dice.iter().map(again).collect::<Result<Vec<_>, _>>();
    Ok(match dice {
        Dice::Number(number) => Dice::Number(*number),
        Dice::Term(term) => change(term)?,
        Dice::Pool(pool) => {
            let (members, modifiers) = (all(&pool.members)?, pool.modifiers.clone());
            Dice::Pool(Box::new(Pool { members, modifiers }))
        }
        Dice::Operation(..) => {
            let (first, rest) = chain(dice);
            rest.into_iter().try_fold(again(first)?, |so_far, (operator, operand)| {
                let operand = Box::new(again(operand)?);
                Ok::<_, DiceFault>(Dice::Operation(operator, Box::new(so_far), operand))
            })?
        }
        Dice::Negate(inner) => Dice::Negate(Box::new(again(inner)?)),
        Dice::Function(function, arguments) => Dice::Function(*function, all(arguments)?),
        Dice::Label(inner, text) => Dice::Label(Box::new(again(inner)?), text.clone()),
    })
}

fn without(modifiers: &[Modifier<Dice>], out: impl Fn(&Modifier<Dice>) -> bool) -> Vec<Modifier<Dice>> {
    modifiers.iter().filter(|modifier| !out(modifier)).cloned().collect()
}

/// The faces of a term, where they are no matter of chance.
fn known_sides(term: &Term<Dice>) -> Result<Option<Sides<'_>>, DiceFault> {
    let number = match &term.faces {
        Faces::Upto(faces) => match totals(faces, RANGES, 0)?.only() {
            Some(number) => number,
            None => return Ok(None),
        },
        _ => 0,
    };
    Sides::of(&term.faces, number).map(Some)
}

/// The total with every die on its highest or lowest face.
fn still(dice: &Dice, end: End) -> Result<Dice, DiceFault> {
    let quiet = each_term(dice, 0, &|term| quiet(term, end))?;
    total(&quiet, &mut Extreme(end)).map(Dice::Number)
}

/// A term without explosions and rerolls, with only the faces left that may stand.
fn quiet(term: &Term<Dice>, end: End) -> Result<Dice, DiceFault> {
    let modifiers = without(&term.modifiers, |modifier| {
        matches!(modifier, Modifier::Explode(..) | Modifier::ExplodeTop(_) | Modifier::Reroll(..))
    });
    let still_number = |number: &Dice| still(number, end);
    let count = still_number(&term.count)?;
    let faces = match &term.faces {
        Faces::Upto(faces) => Faces::Upto(still_number(faces)?),
        other => other.clone(),
    };
    let number = match &faces {
        Faces::Upto(Dice::Number(number)) => *number,
        _ => 0,
    };
    let mut stands = Sides::of(&faces, number)?.shown(RANGES);
    let all = stands.clone();
    for modifier in &term.modifiers {
        let Modifier::Reroll(Reroll::Until, point) = modifier else { continue };
        let point = match point {
            Some(point) => match still_number(&point.value)? {
                Dice::Number(value) => Point { compare: point.compare, value },
                _ => continue,
            },
            None => {
                let value = Sides::of(&faces, number)?.lowest();
                Point { compare: Compare::Equal, value }
            }
        };
        let [_, left] = part_by(&stands, &point);
        stands = left;
    }
    let faces = match stands.hull() {
        None => return Err(DiceFault::EndlessReroll { written: term.to_string() }),
        Some(_) if stands == all => faces,
        Some((low, high)) => Faces::List(vec![if end == End::High { high } else { low }]),
    };
    Ok(Dice::Term(Box::new(Term { count, faces, modifiers })))
}

/// A source whose dice all show their highest or lowest face.
struct Extreme(End);

impl DiceSource for Extreme {
    fn die(&mut self, shape: Shape<'_>) -> Result<i64, NoDie> {
        let sides = Sides::Shape(shape);
        Ok(if self.0 == End::High { sides.highest() } else { sides.lowest() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{d, op, with};
    use super::*;

    #[test]
    fn maximum_and_minimum() {
        let term = with(d(4, 6), [Modifier::Keep(End::High, Dice::Number(3))]);
        assert_eq!(maximum(&term), Ok(Dice::Number(18)));
        assert_eq!(minimum(&term), Ok(Dice::Number(3)));
        let term = with(d(2, 6), [Modifier::Explode(super::super::Explosion::Add, None)]);
        assert_eq!(maximum(&term), Ok(Dice::Number(12)));
        let six = Point { compare: Compare::Equal, value: Dice::Number(6) };
        let term = with(d(2, 6), [Modifier::Reroll(Reroll::Until, Some(six))]);
        assert_eq!(maximum(&term), Ok(Dice::Number(10)));
        let less = op(Operator::Subtract, Dice::Number(10), d(1, 6));
        assert_eq!(maximum(&less), Ok(Dice::Number(4)));
    }

    #[test]
    fn twice_doubles_dice_and_not_constants() {
        let plus = op(Operator::Add, d(1, 4), Dice::Number(3));
        assert_eq!(twice(&plus).unwrap().to_string(), "2d4 + 3");
        let kept = with(d(2, 20), [Modifier::Keep(End::High, Dice::Number(1))]);
        assert_eq!(twice(&kept).unwrap().to_string(), "2d20kh1 + 2d20kh1");
        assert_eq!(twice(&d(6000, 6)), Err(DiceFault::TooManyDice { asked: 12_000, limit: 10_000 }));
    }

    #[test]
    fn exploding_comes_before_keeping() {
        let kept = with(d(4, 6), [Modifier::Keep(End::High, Dice::Number(3))]);
        assert_eq!(exploding(&kept, 2).unwrap().to_string(), "exploding(4d6kh3, top 2)");
        let Dice::Term(term) = exploding(&kept, 2).unwrap() else { panic!() };
        assert_eq!(term.modifiers[0], Modifier::ExplodeTop(2));
        let endless = DiceFault::EndlessExplosion { written: "exploding(1d6, top 6)".to_owned() };
        assert_eq!(exploding(&d(1, 6), 6), Err(endless));
    }
}
