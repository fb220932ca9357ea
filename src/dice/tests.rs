//! The rulings on dice, each shown on dice given by hand, and what must hold for any dice.

use proptest::prelude::*;

use super::samples::*;
use super::*;
use crate::diagnostics::Severity;

fn near(left: f64, right: f64) {
    assert!((left - right).abs() < 1e-9, "{left} is not {right}");
}

#[test]
fn known_means_and_chances() {
    near(mean(&with(d(4, 6), [kh(3)])), 15869.0 / 1296.0);
    near(chance(&with(d(4, 6), [kh(3)]), 18), 7.0 / 432.0);
    near(mean(&with(d(2, 20), [kh(1)])), 553.0 / 40.0);
    near(mean(&with(d(2, 20), [kl(1)])), 287.0 / 40.0);
    near(mean(&with(d(1, 6), [reroll(Reroll::Once, Compare::AtMost, 2)])), 25.0 / 6.0);
    near(chance(&term(Dice::Number(4), Faces::Fate, []), 0), 19.0 / 81.0);
    near(chance(&term(d(1, 3), Faces::Upto(Dice::Number(3)), []), 1), 1.0 / 9.0);
    near(chance(&op(Operator::Compare(Compare::AtLeast), d(2, 6), Dice::Number(7)), 1), 7.0 / 12.0);
}

#[test]
fn three_or_more_of_six_d10_at_seven() {
    let five = term(Dice::Number(6), Faces::List(vec![1, 1, 1, 7, 7]), [count(Compare::AtLeast, 7)]);
    let dice = op(Operator::Compare(Compare::AtLeast), five, Dice::Number(3));
    near(chance(&dice, 1), 1424.0 / 3125.0);
}

#[test]
fn modifiers_apply_in_written_order() {
    let kept_first = with(d(2, 6), [kh(1), explode(Explosion::Add)]);
    assert_eq!(given(&kept_first, [6, 6, 6, 2]), 14);
    let exploded_first = with(d(2, 6), [explode(Explosion::Add), kh(1)]);
    assert_eq!(given(&exploded_first, [6, 3, 2]), 6);
}

#[test]
fn greater_and_less_are_strict() {
    assert_eq!(given(&with(d(3, 10), [count(Compare::Greater, 7)]), [7, 8, 9]), 2);
    assert_eq!(given(&with(d(3, 10), [count(Compare::Less, 7)]), [7, 6, 9]), 1);
}

#[test]
fn a_glued_comparison_counts_dice_and_one_after_a_sum_compares_totals() {
    let failure = Some(point(Compare::AtMost, 1));
    let counted = Modifier::Count { success: point(Compare::AtLeast, 7), failure };
    assert_eq!(given(&with(d(4, 10), [counted]), [7, 10, 1, 5]), 1);
    let compared = op(Operator::Compare(Compare::AtLeast), d(2, 6), Dice::Number(7));
    assert_eq!(given(&compared, [3, 4]), 1);
    assert_eq!(given(&compared, [3, 3]), 0);
}

#[test]
fn keep_keeps_the_highest() {
    let dice = with(d(4, 6), [kh(3)]);
    assert_eq!(given(&dice, [3, 6, 1, 5]), 14);
    let rolled = roll(&dice, &mut Given::new([3, 6, 1, 5])).unwrap();
    let kept: Vec<bool> = rolled.dice.iter().map(|die| die.kept).collect();
    assert_eq!(kept, [true, true, false, true]);
    assert_eq!(rolled.dice[2].dropped, Some(Dropped::Modifier(0)));
    assert_eq!(rolled.terms[0].written, "4d6kh3");
}

#[test]
fn reroll_until_and_once() {
    let until = with(d(1, 6), [reroll(Reroll::Until, Compare::AtMost, 2)]);
    assert_eq!(given(&until, [1, 2, 1, 5]), 5);
    let once = with(d(1, 6), [reroll(Reroll::Once, Compare::AtMost, 2)]);
    assert_eq!(given(&once, [1, 2]), 2);
    let rolled = roll(&until, &mut Given::new([1, 2, 5])).unwrap();
    assert_eq!((rolled.dice[0].rerolled, &rolled.dice[0].rolls[..]), (2, &[1, 2, 5][..]));
    let both = [reroll(Reroll::Until, Compare::Equal, 1), reroll(Reroll::Until, Compare::Equal, 2)];
    assert_eq!(given(&with(d(1, 6), both), [1, 2, 1, 3]), 3);
}

#[test]
fn a_bare_explosion_point_means_exactly_that() {
    let nine = with(d(1, 10), [explode_at(Explosion::Add, Compare::Equal, 9)]);
    assert_eq!(given(&nine, [10]), 10);
    assert_eq!(given(&nine, [9, 9, 4]), 22);
    let from_nine = with(d(1, 10), [explode_at(Explosion::Add, Compare::AtLeast, 9)]);
    assert_eq!(given(&from_nine, [10, 9, 4]), 23);
}

#[test]
fn explosions_add_to_the_pool_and_compounds_to_the_die() {
    let compound = with(d(2, 6), [explode(Explosion::Compound), kh(1)]);
    assert_eq!(given(&compound, [6, 3, 6, 1]), 13);
    let added = with(d(2, 6), [explode(Explosion::Add), kh(1)]);
    assert_eq!(given(&added, [6, 3, 6, 1]), 6);
    assert_eq!(given(&with(d(1, 6), [explode(Explosion::Penetrate)]), [6, 6, 1]), 11);
    assert_eq!(given(&with(d(1, 6), [explode(Explosion::Once)]), [6, 6]), 12);
    let mean = |dice: &Dice| {
        let mut source = Seeded::new(5);
        (0..40_000).map(|_| total(dice, &mut source).unwrap()).sum::<i64>() as f64 / 40_000.0
    };
    assert!((mean(&compound) - 5.8).abs() < 0.1);
    assert!((mean(&added) - 161.0 / 36.0).abs() < 0.05);
}

#[test]
fn a_second_d_drops_the_lowest_and_nesting_needs_parentheses() {
    let dropped = with(d(4, 6), [Modifier::Drop(End::Low, Dice::Number(1))]);
    assert_eq!(given(&dropped, [3, 6, 1, 5]), 14);
    let nested = term(d(2, 4), Faces::Upto(Dice::Number(6)), []);
    assert_eq!(given(&nested, [1, 2, 4, 5, 6]), 15);
    let rolled = roll(&nested, &mut Given::new([1, 2, 4, 5, 6])).unwrap();
    let purposes: Vec<Purpose> = rolled.terms.iter().map(|term| term.purpose).collect();
    assert_eq!(purposes, [Purpose::Total, Purpose::Count]);
}

#[test]
fn explosions_and_rerolls_are_bounded() {
    let sixes = vec![6; 101];
    let dice = with(d(1, 6), [explode(Explosion::Add)]);
    let rolled = roll(&dice, &mut Given::new(sixes.clone())).unwrap();
    assert_eq!((rolled.total, rolled.cut), (606, true));
    let dice = with(d(1, 6), [reroll(Reroll::Until, Compare::Equal, 6)]);
    let rolled = roll(&dice, &mut Given::new(sixes)).unwrap();
    assert_eq!((rolled.total, rolled.dice[0].rerolled, rolled.cut), (6, 100, true));
}

#[test]
fn digit_dice_are_read_side_by_side() {
    let dice = term(Dice::Number(1), Faces::Digits(66), []);
    assert_eq!(given(&dice, [3, 5]), 35);
    let shown = shown(&dice, 100);
    let tens: Vec<(i64, i64)> = (1..=6).map(|ten| (ten * 10 + 1, ten * 10 + 6)).collect();
    assert_eq!(shown, Shown { ranges: tens, exact: true });
}

#[test]
fn over_a_limit_is_an_error_with_both_numbers() {
    let seeded = &mut Seeded::new(1);
    assert!(total(&d(10_000, 6), seeded).is_ok());
    let many = DiceFault::TooManyDice { asked: 10_001, limit: 10_000 };
    assert_eq!(total(&d(10_001, 6), seeded), Err(many.clone()));
    let both = op(Operator::Add, d(10_000, 6), d(1, 6));
    assert_eq!(total(&both, seeded), Err(many.clone()));
    assert_eq!(faults(&both)[0].fault, many);
    let faces = DiceFault::TooManyFaces { asked: 1_000_000_001, limit: 1_000_000_000 };
    assert_eq!(total(&d(1, 1_000_000_001), seeded), Err(faces));
    let throws = with(d(10_000, 100), [reroll(Reroll::Until, Compare::Less, 100)]);
    let fault = DiceFault::TooManyThrows { asked: 100_001, limit: 100_000 };
    assert_eq!(total(&throws, seeded), Err(fault));
    let negated = |levels| (0..levels).fold(d(1, 6), |dice, _| Dice::Negate(Box::new(dice)));
    assert!(total(&negated(63), seeded).is_ok());
    assert_eq!(total(&negated(64), seeded), Err(DiceFault::TooDeep { limit: 64 }));
}

#[test]
fn a_long_sum_is_not_deep() {
    let sum = (0..2_000).fold(d(1, 6), |sum, _| op(Operator::Add, sum, d(1, 6)));
    assert_eq!(span(&sum), Some((2_001, 12_006)));
    assert_eq!(faults(&sum), []);
    assert!(total(&sum, &mut Seeded::new(1)).is_ok());
    assert_eq!(twice(&sum).unwrap().to_string().len(), sum.to_string().len());
}

#[test]
fn a_pool_keeps_whole_totals() {
    let members = vec![d(2, 6), d(1, 8)];
    let pool = Dice::Pool(Box::new(Pool { members, modifiers: vec![kh(1)] }));
    assert_eq!(given(&pool, [2, 3, 7]), 7);
    let rolled = roll(&pool, &mut Given::new([2, 3, 7])).unwrap();
    assert_eq!(rolled.dice[1].dropped, Some(Dropped::Pool(0)));
    assert!(rolled.dice[2].kept);
    assert_eq!(rolled.terms[0].members.len(), 2);
}

#[test]
fn a_die_is_told_as_json() {
    let rolled = roll(&with(d(2, 6), [kh(1)]), &mut Given::new([2, 5])).unwrap();
    assert_eq!(
        serde_json::to_string(&rolled.dice[1]).unwrap(),
        r#"{"faces":6,"value":5,"rolls":[5],"kept":true,"exploded":false,"added":false,"rerolled":0,"term":0}"#
    );
}

fn found(dice: &Dice) -> Vec<(DiceFault, Option<usize>)> {
    faults(dice).into_iter().map(|found| (found.fault, found.modifier)).collect()
}

#[test]
fn what_can_never_stop_is_an_error_before_rolling() {
    let explosion = |dice: &Dice| DiceFault::EndlessExplosion { written: dice.to_string() };
    let reroll_of = |dice: &Dice| DiceFault::EndlessReroll { written: dice.to_string() };
    let one = with(d(1, 1), [explode(Explosion::Add)]);
    assert_eq!(found(&one), [(explosion(&one), Some(0))]);
    let all = with(d(1, 6), [explode_at(Explosion::Compound, Compare::AtLeast, 1)]);
    assert_eq!(found(&all), [(explosion(&all), Some(0))]);
    let all = with(d(1, 6), [reroll(Reroll::Until, Compare::AtMost, 6)]);
    assert_eq!(found(&all), [(reroll_of(&all), Some(0))]);
    let again = |compare, value| reroll(Reroll::Until, compare, value);
    let set = with(d(2, 2), [again(Compare::Equal, 1), again(Compare::Equal, 2)]);
    assert_eq!(found(&set), [(reroll_of(&set), Some(0))]);
    let three = [again(Compare::Equal, 4), again(Compare::Less, 4), again(Compare::Greater, 4)];
    let set = with(d(1, 8), three);
    assert_eq!(found(&set), [(reroll_of(&set), Some(0))]);
    let computed = term(Dice::Number(1), Faces::Upto(d(1, 4)), [explode(Explosion::Add)]);
    assert_eq!(found(&computed), [(explosion(&computed), Some(0))]);
    for fine in [
        with(d(1, 1), [explode(Explosion::Once)]),
        with(d(1, 6), [reroll(Reroll::Once, Compare::AtMost, 6)]),
        with(d(1, 10_000), [explode_at(Explosion::Add, Compare::Less, 10_000)]),
        with(d(1, 6), [Modifier::AtLeast(Dice::Number(6)), explode(Explosion::Add)]),
    ] {
        assert_eq!(found(&fine), [], "{fine}");
    }
}

#[test]
fn other_faults_before_rolling() {
    assert_eq!(found(&with(d(2, 6), [kh(3)])), [(DiceFault::Keep { keep: 3, rolled: 2 }, Some(0))]);
    let drop = Modifier::Drop(End::Low, Dice::Number(3));
    assert_eq!(found(&with(d(2, 6), [drop])), [(DiceFault::Drop { drop: 3, rolled: 2 }, Some(0))]);
    assert_eq!(found(&d(1, 0)), [(DiceFault::NoFaces { faces: 0 }, None)]);
    assert_eq!(found(&d(1, -2)), [(DiceFault::NoFaces { faces: -2 }, None)]);
    assert_eq!(found(&d(-1, 6)), [(DiceFault::NegativeCount { count: -1 }, None)]);
    assert_eq!(found(&d(0, 6)), []);
    let seven = with(d(2, 6), [count(Compare::AtLeast, 7)]);
    let unmet = found(&seven);
    assert_eq!(unmet[0].0.message(), "no die of `2d6` can show 7 or more");
    assert_eq!(unmet[0].0.severity(), Severity::Warning);
    assert_eq!(found(&with(d(5, 6), [explode(Explosion::Compound), count(Compare::AtLeast, 7)])), []);
    let zero = op(Operator::Divide(Rounding::Down), Dice::Number(7), Dice::Number(0));
    assert_eq!(found(&zero), [(DiceFault::DivisionByZero, None)]);
    let big = op(Operator::Multiply, d(1, 1_000_000_000), Dice::Number(i64::MAX));
    assert_eq!(found(&big), [(DiceFault::Overflow, None)]);
    let pool = Pool { members: vec![d(2, 6)], modifiers: vec![explode(Explosion::Add)] };
    let fault = DiceFault::PoolModifier { modifier: "!".to_owned() };
    assert_eq!(found(&Dice::Pool(Box::new(pool))), [(fault, Some(0))]);
}

#[test]
fn what_dice_can_show() {
    let twos = op(Operator::Multiply, d(1, 6), Dice::Number(2));
    assert_eq!(shown(&twos, 100).ranges, [2, 4, 6, 8, 10, 12].map(|even| (even, even)));
    assert_eq!(shown(&twos, 3), Shown { ranges: vec![(2, 12)], exact: false });
    assert_eq!(shown(&d(2, 6), 100), Shown { ranges: vec![(2, 12)], exact: true });
    assert_eq!(shown(&d(0, 6), 100), Shown { ranges: vec![(0, 0)], exact: true });
    assert_eq!(shown(&d(10_000, 6), 100).ranges, [(10_000, 60_000)]);
    assert_eq!(shown(&with(d(4, 6), [kh(3)]), 100).ranges, [(3, 18)]);
    let list = term(Dice::Number(2), Faces::List(vec![0, 10]), []);
    assert_eq!(shown(&list, 100).ranges, [(0, 0), (10, 10), (20, 20)]);
    let until = with(d(1, 6), [reroll(Reroll::Until, Compare::AtMost, 2)]);
    assert_eq!(shown(&until, 100), Shown { ranges: vec![(3, 6)], exact: true });
    let exploding = shown(&with(d(1, 6), [explode(Explosion::Add)]), 200);
    assert_eq!(exploding.ranges[..2], [(1, 5), (7, 11)]);
    assert!(exploding.exact && !exploding.contains(12) && exploding.hull() == Some((1, 606)));
    let counted = with(d(6, 10), [count(Compare::AtLeast, 7)]);
    assert_eq!(shown(&counted, 100).ranges, [(0, 6)]);
    assert_eq!(span(&d(41, 10)), Some((41, 410)));
    assert_eq!(span(&d(1, 0)), None);
    assert_eq!(shown(&term(d(2, 4), Faces::Upto(Dice::Number(6)), []), 9).ranges, [(2, 48)]);
}

#[test]
fn bounds_hold_for_modifiers_after_one_another() {
    let least = |number| Modifier::AtLeast(Dice::Number(number));
    let unique = with(d(1, 1), [least(2), Modifier::ExplodeTop(1), Modifier::Unique]);
    assert_eq!(span(&unique), Some((1, 4)));
    let zeros = Pool { members: vec![Dice::Number(0); 3], modifiers: vec![kh(1), least(4)] };
    assert!(span(&Dice::Pool(Box::new(zeros))).is_some_and(|(_, most)| most >= 4));
    let none = with(d(0, 3), [explode(Explosion::Add), kh(1)]);
    assert_eq!(found(&none), [(DiceFault::Keep { keep: 1, rolled: 0 }, Some(1))]);
}

#[test]
fn more_kept_than_rolled_is_an_error_even_where_explosions_might_bring_them() {
    let dice = with(d(2, 6), [explode(Explosion::Add), kh(3)]);
    let fault = DiceFault::Keep { keep: 3, rolled: 2 };
    assert_eq!(found(&dice), [(fault.clone(), Some(1))]);
    assert_eq!(total(&dice, &mut Given::new([6, 1, 1])), Err(fault));
}

#[test]
fn hostile_dice_are_answered_at_once() {
    let nested = (0..20).fold(d(1, 4), |count, _| term(count, Faces::Upto(Dice::Number(4)), []));
    let faces = (0..20).fold(d(1, 4), |faces, _| term(Dice::Number(1), Faces::Upto(faces), [explode(Explosion::Add)]));
    let many = |modifier: Modifier<Dice>| {
        let modifiers = vec![modifier; 1_500];
        let (count, faces) = (Dice::Number(9), Faces::Upto(Dice::Number(6)));
        Dice::Term(Box::new(Term { count, faces, modifiers }))
    };
    let list = Faces::List((0..1_000).map(|face| face * face).collect());
    let hostile = [
        nested,
        faces,
        many(explode(Explosion::Add)),
        many(explode(Explosion::Compound)),
        many(explode(Explosion::Once)),
        many(Modifier::Unique),
        many(reroll(Reroll::Once, Compare::Equal, 3)),
        many(count(Compare::AtLeast, 4)),
        with(d(10_000, 6), [explode(Explosion::Add)]),
        with(d(10_000, 6), [explode(Explosion::Compound), Modifier::Unique]),
        with(d(1, 10_000), [explode_at(Explosion::Add, Compare::Less, 10_000)]),
        term(Dice::Number(10_000), list, [kh(5_000), explode(Explosion::Add)]),
        term(d(100, 100), Faces::Upto(d(100, 100)), [Modifier::Keep(End::High, d(9, 9))]),
        d(9_999_999, 999_999_999),
        term(Dice::Number(3), Faces::Digits(999_999_999), [explode(Explosion::Add), kh(2)]),
    ];
    for dice in hostile {
        let start = std::time::Instant::now();
        let _ = (faults(&dice), span(&dice), shown(&dice, 1_000));
        let _ = total(&dice, &mut Seeded::new(1));
        let _ = roll(&dice, &mut Seeded::new(1));
        let text = dice.to_string();
        let short: String = text.chars().take(60).collect();
        assert!(start.elapsed().as_millis() < 2_000, "{short} took {:?}", start.elapsed());
    }
}

#[test]
fn the_canonical_form() {
    let compared = op(Operator::Compare(Compare::AtLeast), d(2, 6), Dice::Number(7));
    let halved = op(Operator::Divide(Rounding::Down), Dice::Number(7), Dice::Number(2));
    let less = op(Operator::Subtract, Dice::Number(9), op(Operator::Subtract, d(1, 6), d(1, 4)));
    let product = op(Operator::Multiply, op(Operator::Add, d(1, 6), Dice::Number(1)), d(1, 2));
    let text = [
        (with(d(4, 6), [kh(3)]), "4d6kh3"),
        (with(d(6, 10), [count(Compare::AtLeast, 7)]), "6d10>=7"),
        (with(d(6, 10), [count(Compare::Equal, 7)]), "6d10=7"),
        (compared, "(2d6) >= 7"),
        (term(d(2, 4), Faces::Upto(Dice::Number(6)), []), "(2d4)d6"),
        (with(d(1, 6), [reroll(Reroll::Until, Compare::AtMost, 2)]), "1d6rr<=2"),
        (term(Dice::Number(1), Faces::Digits(66), []), "d66 digits"),
        (term(Dice::Number(2), Faces::Digits(66), [kh(1)]), "2d66 digits kh1"),
        (with(d(1, 10), [explode_at(Explosion::Add, Compare::Equal, 9)]), "1d10!9"),
        (with(d(5, 6), [explode(Explosion::Add), count(Compare::AtLeast, 5)]), "5d6!6>=5"),
        (term(Dice::Number(4), Faces::Fate, []), "4dF"),
        (term(Dice::Number(1), Faces::List(vec![1, 1, 2]), []), "1d[1, 1, 2]"),
        (halved, "7 / 2 down"),
        (less, "9 - (1d6 - 1d4)"),
        (product, "(1d6 + 1) * 1d2"),
        (Dice::Negate(Box::new(d(2, 6))), "-2d6"),
        (Dice::Label(Box::new(d(1, 6)), "fire".into()), "1d6[fire]"),
    ];
    for (dice, expected) in text {
        assert_eq!(dice.to_string(), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn total_and_roll_agree_and_stay_within_what_is_shown(dice in any_dice(), seed: u64) {
        let rolled = roll(&dice, &mut Seeded::new(seed)).map(|rolled| rolled.total);
        let quick = total(&dice, &mut Seeded::new(seed));
        prop_assert_eq!(&rolled, &quick);
        if let Ok(total) = rolled {
            if let Some((low, high)) = span(&dice) {
                prop_assert!((low..=high).contains(&total), "{} is {}", dice, total);
            }
            for cap in [2, 300] {
                prop_assert!(shown(&dice, cap).contains(total), "{} is {}", dice, total);
            }
        } else {
            let found = faults(&dice).iter().any(|found| found.fault.severity() == Severity::Error);
            let by_chance = matches!(rolled, Err(DiceFault::DivisionByZero | DiceFault::Overflow));
            prop_assert!(found || by_chance, "{} gave {:?}", dice, rolled);
        }
    }

    #[test]
    fn what_is_shown_exactly_can_all_be_rolled(dice in any_dice()) {
        let shown = shown(&dice, 300);
        if let Some(all) = walk(&dice, 3_000).filter(|_| shown.exact) {
            let mut all: Vec<i64> = all.into_iter().map(|(total, _)| total).collect();
            all.sort_unstable();
            all.dedup();
            prop_assert_eq!(shown.numbers(1_000_000).unwrap(), all, "{}", dice);
        }
    }
}
