//! Known values, and agreement with every roll walked through one by one.

use proptest::prelude::*;

use super::samples::{any_dice, walk};
use super::*;
use crate::check::ad_hoc;
use crate::dice::Dice;

fn dice(text: &str) -> Dice {
    ad_hoc(text).0.unwrap_or_else(|| panic!("{text}: {:?}", ad_hoc(text).1))
}

fn odds(text: &str) -> Distribution {
    of_dice(&dice(text)).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn mean(text: &str) -> String {
    odds(text).mean().to_string()
}

fn chance(text: &str, value: i64) -> String {
    odds(text).chance(value).to_string()
}

fn at_least(text: &str, value: i64) -> String {
    odds(text).at_least(value).to_string()
}

/// Against every roll, one by one.
fn compare(dice: &Dice, throws: usize, rolls: usize) -> Result<bool, TestCaseError> {
    let Some((all, beyond)) = walk(dice, throws, rolls) else { return Ok(false) };
    let bounds = Bounds { explosions: Some(5), cost: 100_000_000 };
    let found = match of_dice_within(dice, &bounds) {
        Ok(found) => found,
        Err(OddsFault::TooLarge { .. }) => return Ok(false),
        Err(fault) => return Err(TestCaseError::fail(format!("{dice}: {fault}"))),
    };
    let sum: num_bigint::BigUint = found.weights().into_iter().map(|(_, weight)| weight).sum();
    prop_assert_eq!(sum, found.denominator(), "{}", dice);
    let slack = beyond + found.cut().to_f64() + 1e-9;
    for (value, chance) in found.chances() {
        let walked = all.get(&value).copied().unwrap_or(0.0);
        let near = (chance.to_f64() - walked).abs() <= slack;
        prop_assert!(near, "{}: {} {} and {}", dice, value, chance.to_f64(), walked);
    }
    for (value, walked) in &all {
        let chance = found.chance(*value).to_f64();
        prop_assert!((chance - walked).abs() <= slack, "{}: {} {} and {}", dice, value, chance, walked);
    }
    Ok(true)
}

#[test]
fn known_values() {
    assert_eq!(mean("4d6kh3"), "15869/1296");
    assert_eq!(chance("4d6kh3", 18), "7/432");
    assert_eq!(mean("2d20kh1"), "553/40");
    assert_eq!(mean("2d20kl1"), "287/40");
    assert_eq!(mean("1d6ro<=2"), "25/6");
    assert_eq!(mean("1d6rr<=2"), "9/2");
    assert_eq!(chance("4dF", 0), "19/81");
    assert_eq!(at_least("6d10>=7", 3), "1424/3125");
    assert_eq!(chance("(1d3)d3", 1), "1/9");
    assert_eq!(chance("(2d6) >= 7", 1), "7/12");
}

#[test]
fn exploding_dice_are_cut_off_and_say_so() {
    let near = |text: &str, value: f64| {
        let odds = odds(text);
        assert!((odds.mean().to_f64() - value).abs() < 1e-8, "{text}: {}", odds.mean().to_f64());
        assert!(!odds.is_exact() && odds.cut().to_f64() < 1e-10, "{text}");
    };
    near("1d6!", 4.2);
    near("2d6!!kh1", 5.8);
    near("2d6!kh1", 161.0 / 36.0);
    near("1d6!p", 3.5 + 0.5);
    near("8d6!>=6", 33.6);
    assert_eq!(mean("1d6!o"), "49/12");
}

#[test]
fn explosions_to_a_stated_depth() {
    let bounds = Bounds { explosions: Some(10), ..Bounds::default() };
    let odds = of_dice_within(&dice("8d6!>=6"), &bounds).unwrap();
    assert_eq!(odds.chance(8), Fraction::of(1, 6u64.pow(8)));
    assert_eq!(odds.values().last(), Some(&(8 * 6 * 11)));
    assert!((odds.cut().to_f64() / (8.0 * 6f64.powi(-11)) - 1.0).abs() < 1e-6);
}

#[test]
fn figures_in_print() {
    for (value, chance) in [(4, "1/324"), (5, "5/648"), (8, "31/648"), (12, "167/1296"), (18, "7/432")] {
        assert_eq!(self::chance("4d6dl1", value), chance);
    }
    let scores = |least| format!("{{{}}}>={least}", ["4d6dl1"; 6].join(", "));
    assert_eq!(at_least(&scores(18), 1), "606876045137999/6499837226778624");
    assert_eq!(at_least(&scores(17), 3), "11031586796875/3249918613389312");
    assert_eq!(at_least(&scores(16), 2), "845812984760811509/4738381338321616896");
    assert_eq!(chance("2d20kh1", 20), "39/400");
    assert_eq!(at_least("2d20kl1", 15), "9/100");
    assert_eq!(at_least("2d20kh1", 18), "111/400");
    assert_eq!(at_least("1d20", 10), "11/20");
    assert_eq!(chance("4d6=6", 0), "625/1296");
    assert_eq!(at_least("8d6=6", 1), "1288991/1679616");
    assert_eq!(at_least("6d6=1", 1), "31031/46656");
    assert_eq!(chance("6d6even", 6), "1/64");
    assert_eq!(at_least("4d6=6", 2), "19/144");
    assert_eq!(chance("4d6kh1 <= 3", 1), "1/16");
    assert_eq!(chance("{1d10, 1d6}kh1", 1), "1/60");
    assert_eq!(chance("{1d12, 1d6}kh1", 1), "1/72");
    assert_eq!(chance("{1d4, 1d6}kh1", 1), "1/24");
    assert_eq!(chance("2d6", 11), "1/18");
    let nines = odds("{1d6!!, 1d6!!, 1d6!!}>=9").at_least(1).to_f64();
    assert!((nines - 217.0 / 729.0).abs() < 1e-10);
    let nines = odds("10d6!!6>=9").at_least(1).to_f64();
    assert!((nines - 2413042577.0 / 3486784401.0).abs() < 1e-10);
}

#[test]
fn every_modifier_before_and_behind_every_other() {
    let all = [
        "kh1", "kl2", "dh1", "dl1", "!", "!!", "!p", "!o", "!>=2", "rr1", "ro<=2", "min2", "max2", ">=2", "=3f=1",
        "even", "odd", "u", "s",
    ];
    let mut compared = 0;
    for first in all {
        for second in all {
            let text = format!("2d3{first} {second}");
            let (Some(dice), _) = ad_hoc(&text) else { continue };
            compared += i32::from(compare(&dice, 7, 3_000).unwrap());
        }
    }
    assert!(compared > 250, "{compared}");
}

#[test]
fn three_modifiers_after_one_another() {
    for text in [
        "3d3>=2max1kh1",
        "3d3>=2max1kl2min2",
        "3d3>=2!kh2",
        "2d3!>=2max1kh1",
        "3d4kh2!kl1",
        "3d4kh2ro1u",
        "3d3u kh1!",
        "3d4kh2dl1min3",
        "4d3dh1dl1>=2",
        "4d3dh1dl1!o",
        "3d4rr1!o kh2",
        "3d[1, 1, 5]u kl1",
        "2d23 digits kh1",
        "3dF!kh2",
        "(1d3)d(1d2)kh(1d1)",
        "{1d4, 2d2, 1d3}kh2",
        "{1d4, 2d2, 1d3}kl2>=2",
        "{1d4, 2d2, 1d3}dh1dl1",
        "{1d4, 2d2, 1d3}>=2max1kh1",
        "{1d4, 2d2, 1d3}u",
        "{1d4, 2d2}min2kh1max3",
        "abs(1d4 - 1d3) * 2 + min(1d4, 1d3) - max(1d2, 2)",
        "1d6 / 1d4 up + 1d5 % 1d2",
    ] {
        assert!(compare(&dice(text), 10, 20_000).unwrap(), "{text}");
    }
}

#[test]
fn many_dice_and_large_ones() {
    assert_eq!(mean("100d6"), "350");
    assert_eq!(odds("100d6").variance(), Fraction::of(875, 3));
    assert_eq!(odds("10d10kh5").values(), (5..=50).collect::<Vec<_>>());
    let kept = odds("40d12kh20");
    assert_eq!(kept.weights().into_iter().map(|(_, weight)| weight).sum::<num_bigint::BigUint>(), kept.denominator());
    assert_eq!(mean("20d10<=4"), "8");
    assert_eq!(mean("1d1000000"), "1000001/2");
    assert_eq!(mean("2d200kh1"), mean("{1d200, 1d200}kh1"));
}

#[test]
fn what_takes_too_long_is_refused_and_named() {
    for text in ["1d1000000000", "3d1000000", "10000d6", "(20d100)d(20d100)", "9000d6!!kh4000"] {
        let start = std::time::Instant::now();
        match of_dice(&dice(text)) {
            Err(OddsFault::TooLarge { what, .. }) => assert!(what.contains('`'), "{what}"),
            other => panic!("{text}: {other:?}"),
        }
        assert!(start.elapsed().as_secs() < 20, "{text} took {:?}", start.elapsed());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_dice_agree_with_all_their_rolls(text in any_dice()) {
        if let (Some(dice), _) = ad_hoc(&text) {
            compare(&dice, 12, 3_000)?;
        }
    }
}

#[test]
fn a_pool_that_drops_all_its_members_comes_to_nothing() {
    let (dice, _) = crate::check::ad_hoc("{1, {1d23 digits !}, 2d1}dh3");
    let odds = of_dice(&dice.unwrap()).unwrap();
    assert_eq!(odds.chance(0).to_string(), "1");
}
