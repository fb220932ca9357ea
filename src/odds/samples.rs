//! Odds found the long way, by walking through every face: to compare with.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::dice::{Dice, DiceSource, NoDie, Shape, roll};

/// Any dice as text, faulty ones among them.
pub fn any_dice() -> impl Strategy<Value = String> {
    let compare = || prop::sample::select(vec![">=", "<=", ">", "<", "="]);
    let point = move || (compare(), 1..5).prop_map(|(compare, value)| format!("{compare}{value}"));
    let modifier = prop_oneof![
        (prop::sample::select(vec!["kh", "kl", "dh", "dl"]), 0..4).prop_map(|(end, number)| format!("{end}{number}")),
        (prop::sample::select(vec!["!", "!!", "!p", "!o", "rr", "ro"]), point())
            .prop_map(|(kind, at)| format!("{kind}{at}")),
        (prop::sample::select(vec!["min", "max"]), 1..4).prop_map(|(end, number)| format!("{end}{number}")),
        prop::sample::select(vec!["!", "!o", "even", "odd", "u", "s"]).prop_map(str::to_owned),
        (point(), point()).prop_map(|(success, failure)| format!("{success}f{failure}")),
        point(),
    ];
    let modifiers = move |most| prop::collection::vec(modifier.clone(), 0..most).prop_map(|all| all.concat());
    let pools = modifiers.clone();
    let faces = prop_oneof![
        4 => (1..5).prop_map(|faces: i32| faces.to_string()),
        1 => Just("F ".to_owned()),
        1 => prop::collection::vec(-2..5, 1..4).prop_map(|faces: Vec<i32>| format!("{faces:?}")),
        1 => Just("23 digits ".to_owned()),
    ];
    let term = (0..4, faces, modifiers(4)).prop_map(|(count, faces, modifiers)| format!("{count}d{faces}{modifiers}"));
    prop_oneof![4 => term, 1 => (1..5).prop_map(|number: i32| number.to_string())].prop_recursive(
        2,
        6,
        3,
        move |inner| {
            let operator = prop::sample::select(vec!["+", "-", "*", "/ 2 down +", "%", ">=", "<"]);
            prop_oneof![
                (inner.clone(), operator, inner.clone())
                    .prop_map(|(left, by, right)| format!("({left}) {by} ({right})")),
                (prop::collection::vec(inner.clone(), 1..4), pools(3))
                    .prop_map(|(members, modifiers)| format!("{{{}}}{modifiers}", members.join(", "))),
                inner.clone().prop_map(|inner| format!("-({inner})")),
                (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("min({one}, max(2, {other}))")),
                inner.prop_map(|count| format!("(abs({count}))d3kl0")),
            ]
        },
    )
}

/// Gives every combination of faces in turn.
#[derive(Default)]
struct Walk {
    faces: Vec<(u32, u32)>,
    at: usize,
    most: usize,
}

impl DiceSource for Walk {
    fn die(&mut self, shape: Shape<'_>) -> Result<i64, NoDie> {
        if self.at == self.faces.len() {
            if self.at == self.most {
                return Err(NoDie::Stopped);
            }
            self.faces.push((0, shape.count()));
        }
        let index = self.faces[self.at].0;
        self.at += 1;
        Ok(shape.value(index))
    }
}

/// Every total with its chance, as far as rolls take no more than so many throws and there are no
/// more than so many of them; and the chance of what lies beyond.
pub fn walk(dice: &Dice, throws: usize, rolls: usize) -> Option<(BTreeMap<i64, f64>, f64)> {
    let mut walk = Walk { most: throws, ..Walk::default() };
    let (mut totals, mut beyond) = (BTreeMap::new(), 0.0);
    for _ in 0..rolls {
        walk.at = 0;
        let total = roll(dice, &mut walk);
        let chance: f64 = walk.faces.iter().map(|(_, count)| 1.0 / f64::from(*count)).product();
        match total {
            Ok(rolled) => *totals.entry(rolled.total).or_default() += chance,
            Err(crate::dice::DiceFault::NoDie(_)) => beyond += chance,
            Err(_) => return None,
        }
        loop {
            match walk.faces.last_mut() {
                None => return Some((totals, beyond)),
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
