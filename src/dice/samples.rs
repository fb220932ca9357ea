//! Dice for the tests: short to write, generated, and walked through face by face.

use proptest::prelude::*;

use super::*;

pub fn d(count: i64, faces: i64) -> Dice {
    term(Dice::Number(count), Faces::Upto(Dice::Number(faces)), [])
}

pub fn term<const N: usize>(count: Dice, faces: Faces<Dice>, modifiers: [Modifier<Dice>; N]) -> Dice {
    Dice::Term(Box::new(Term { count, faces, modifiers: modifiers.into() }))
}

/// The term with these modifiers behind its own.
pub fn with<const N: usize>(dice: Dice, modifiers: [Modifier<Dice>; N]) -> Dice {
    let Dice::Term(mut term) = dice else { panic!("no term: {dice}") };
    term.modifiers.extend(modifiers);
    Dice::Term(term)
}

pub fn op(operator: Operator, left: Dice, right: Dice) -> Dice {
    Dice::Operation(operator, Box::new(left), Box::new(right))
}

pub fn point(compare: Compare, value: i64) -> Point<Dice> {
    Point { compare, value: Dice::Number(value) }
}

pub fn kh(number: i64) -> Modifier<Dice> {
    Modifier::Keep(End::High, Dice::Number(number))
}

pub fn kl(number: i64) -> Modifier<Dice> {
    Modifier::Keep(End::Low, Dice::Number(number))
}

pub fn count(compare: Compare, value: i64) -> Modifier<Dice> {
    Modifier::Count { success: point(compare, value), failure: None }
}

pub fn explode(kind: Explosion) -> Modifier<Dice> {
    Modifier::Explode(kind, None)
}

pub fn explode_at(kind: Explosion, compare: Compare, value: i64) -> Modifier<Dice> {
    Modifier::Explode(kind, Some(point(compare, value)))
}

pub fn reroll(kind: Reroll, compare: Compare, value: i64) -> Modifier<Dice> {
    Modifier::Reroll(kind, Some(point(compare, value)))
}

/// Rolls with dice given by hand, all of which must be used.
pub fn given<const N: usize>(dice: &Dice, values: [i64; N]) -> i64 {
    let mut source = Given::new(values);
    let rolled = roll(dice, &mut source).unwrap();
    assert!(source.left_over().is_empty(), "{dice}");
    assert_eq!(total(dice, &mut Given::new(values)), Ok(rolled.total), "{dice}");
    rolled.total
}

/// Gives every combination of faces in turn: the next time another.
#[derive(Default)]
struct Walk {
    faces: Vec<(u32, u32)>,
    at: usize,
}

/// How many throws a walk follows.
const FOLLOWED: usize = 12;

impl DiceSource for Walk {
    fn die(&mut self, shape: Shape<'_>) -> Result<i64, NoDie> {
        if self.at == self.faces.len() {
            if self.at == FOLLOWED {
                return Err(NoDie::Stopped);
            }
            self.faces.push((0, shape.count()));
        }
        let index = self.faces[self.at].0;
        self.at += 1;
        Ok(shape.value(index))
    }
}

/// Every total of dice that take few throws, with its chance.
pub fn every(dice: &Dice) -> Vec<(i64, f64)> {
    walk(dice, usize::MAX).unwrap()
}

/// The same, unless some throws are faulty or there are more than `most` ways for them to fall.
pub fn walk(dice: &Dice, most: usize) -> Option<Vec<(i64, f64)>> {
    let mut walk = Walk::default();
    let mut totals = Vec::new();
    while totals.len() < most {
        walk.at = 0;
        let total = total(dice, &mut walk).ok()?;
        let chance: f64 = walk.faces.iter().map(|(_, count)| 1.0 / f64::from(*count)).product();
        totals.push((total, chance));
        loop {
            match walk.faces.last_mut() {
                None => return Some(totals),
                Some((index, count)) if *index + 1 < *count => {
                    *index += 1;
                    break;
                }
                Some(_) => walk.faces.pop(),
            };
        }
    }
    None
}

pub fn mean(dice: &Dice) -> f64 {
    every(dice).iter().map(|(total, chance)| *total as f64 * chance).sum()
}

pub fn chance(dice: &Dice, total: i64) -> f64 {
    every(dice).iter().filter(|(shown, _)| *shown == total).map(|(_, chance)| chance).sum()
}

fn compare() -> impl Strategy<Value = Compare> {
    use Compare::*;
    prop::sample::select(vec![Equal, NotEqual, Less, AtMost, Greater, AtLeast])
}

fn end() -> impl Strategy<Value = End> {
    prop::sample::select(vec![End::High, End::Low])
}

fn points() -> impl Strategy<Value = Point<Dice>> {
    (compare(), -2i64..8).prop_map(|(compare, value)| point(compare, value))
}

fn modifiers() -> impl Strategy<Value = Vec<Modifier<Dice>>> {
    use Explosion::*;
    let explosions = prop::sample::select(vec![Add, Compound, Penetrate, Once]);
    let rerolls = prop::sample::select(vec![Reroll::Until, Reroll::Once]);
    let one = prop_oneof![
        (end(), 0i64..4).prop_map(|(end, n)| Modifier::Keep(end, Dice::Number(n))),
        (end(), 0i64..4).prop_map(|(end, n)| Modifier::Drop(end, Dice::Number(n))),
        (explosions, prop::option::of(points())).prop_map(|(kind, at)| Modifier::Explode(kind, at)),
        (1u32..3).prop_map(Modifier::ExplodeTop),
        (rerolls, prop::option::of(points())).prop_map(|(kind, at)| Modifier::Reroll(kind, at)),
        points().prop_map(Modifier::Only),
        (-1i64..5).prop_map(|n| Modifier::AtLeast(Dice::Number(n))),
        (1i64..8).prop_map(|n| Modifier::AtMost(Dice::Number(n))),
        (points(), prop::option::of(points())).prop_map(|(success, failure)| Modifier::Count { success, failure }),
        Just(Modifier::Even),
        Just(Modifier::Odd),
        Just(Modifier::Unique),
        Just(Modifier::Sort(Order::Ascending)),
    ];
    prop::collection::vec(one, 0..4)
}

fn operators() -> impl Strategy<Value = Operator> {
    use Operator::*;
    prop_oneof![
        Just(Add),
        Just(Subtract),
        Just(Multiply),
        Just(Remainder),
        prop::sample::select(vec![Rounding::Down, Rounding::Up, Rounding::Near]).prop_map(Divide),
        compare().prop_map(Compare),
    ]
}

/// Any dice, faulty ones among them.
pub fn any_dice() -> impl Strategy<Value = Dice> {
    let leaf = prop_oneof![(-3i64..12).prop_map(Dice::Number), (0i64..5, 1i64..9).prop_map(|(n, m)| d(n, m))];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let faces = prop_oneof![
            6 => (1i64..9).prop_map(|faces| Faces::Upto(Dice::Number(faces))),
            1 => inner.clone().prop_map(Faces::Upto),
            1 => Just(Faces::Fate),
            1 => prop::collection::vec(-3i64..9, 1..5).prop_map(Faces::List),
            1 => prop::sample::select(vec![66, 23, 846, 9]).prop_map(Faces::Digits),
        ];
        let counts = prop_oneof![4 => (0i64..6).prop_map(Dice::Number), 1 => inner.clone()];
        let terms = (counts, faces, modifiers())
            .prop_map(|(count, faces, modifiers)| Dice::Term(Box::new(Term { count, faces, modifiers })));
        let many = || prop::collection::vec(inner.clone(), 1..4);
        let functions = prop::sample::select(vec![Function::Min, Function::Max]);
        prop_oneof![
            4 => terms,
            1 => (many(), modifiers())
                .prop_map(|(members, modifiers)| Dice::Pool(Box::new(Pool { members, modifiers }))),
            2 => (operators(), inner.clone(), inner.clone()).prop_map(|(by, l, r)| op(by, l, r)),
            1 => inner.clone().prop_map(|dice| Dice::Negate(Box::new(dice))),
            1 => inner.clone().prop_map(|dice| Dice::Function(Function::Abs, vec![dice])),
            1 => (functions, many()).prop_map(|(f, dice)| Dice::Function(f, dice)),
            1 => inner.clone().prop_map(|dice| Dice::Label(Box::new(dice), "fire".into())),
        ]
    })
}
