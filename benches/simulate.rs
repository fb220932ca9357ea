//! How fast rules are simulated, beside the same rules written by hand in Rust with the same generator:
//! a character's wounds to death, and a creature's last stand. One thread.
//!
//! `cargo bench --bench simulate`
//!
//! LuaJIT stands in `benches/lua`: `cargo run --release --manifest-path benches/lua/Cargo.toml`.

use std::hint::black_box;
use std::time::Instant;

use cicatriz::check::{ad_hoc, check_text};
use cicatriz::dice::{DiceSource, Seeded, Shape};
use cicatriz::program::{Program, ScenarioId};
use cicatriz::run::Value;
use cicatriz::simulate::{Part, Simulation, Watch};

/// At most this many times as long as by hand.
const GOAL: f64 = 3.0;

fn program(name: &str) -> Program {
    let path = format!("{}/rules/{name}.rules", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the rules");
    check_text(name, &text).program.expect("rules without faults")
}

fn scenario(program: &Program, name: &str) -> ScenarioId {
    ScenarioId(program.scenarios.iter().position(|scenario| scenario.id == name).expect("a scenario") as u32)
}

fn die(dice: &mut Seeded, faces: u32) -> i64 {
    dice.die(Shape::Upto(faces)).expect("a die")
}

/// Wounds until one kills: only what decides that is rolled, nothing of what a wound does besides.
fn to_death(dice: &mut Seeded) -> u32 {
    let mut wounds = 0;
    loop {
        let total: i64 = (0..1 + wounds).map(|_| die(dice, 10)).sum();
        wounds += 1;
        if total >= 24 {
            return wounds;
        }
    }
}

/// Damage until it falls, halved, then saves against death. 0 stable, 1 dead, 2 awake.
fn last_stand(dice: &mut Seeded) -> u32 {
    let (most, mut hp) = (30, 30);
    while hp > 0 {
        let through = (die(dice, 6) + die(dice, 6) + 3) / 2;
        let had = hp;
        hp = (hp - through).max(0);
        if through - had >= most {
            return 1;
        }
    }
    let (mut good, mut bad) = (0, 0);
    loop {
        match die(dice, 20) {
            1 => bad += 2,
            2..=9 => bad += 1,
            20 => return 2,
            _ => good += 1,
        }
        if bad >= 3 {
            return 1;
        }
        if good >= 3 {
            return 0;
        }
    }
}

/// The best of some, in nanoseconds a run.
fn best(runs: u64, mut work: impl FnMut()) -> f64 {
    let time = |_| {
        let begun = Instant::now();
        work();
        begun.elapsed().as_secs_f64() * 1e9 / runs as f64
    };
    (0..5).map(time).fold(f64::MAX, f64::min)
}

/// Memory in use at its highest so far, in KiB, where the system tells it.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok())
}

fn main() {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load of the machine: {}", load.trim());
    let (old_world, fifth) = (program("old_world"), program("fifth_edition"));
    let damage = Value::Dice(std::sync::Arc::new(ad_hoc("2d6+3").0.expect("dice")));
    type ByHand = fn(&mut Seeded) -> u32;
    type Work<'p> = (&'static str, &'p Program, &'static str, Vec<Option<Value>>, ByHand);
    let works: [Work<'_>; 2] = [
        ("wounds to death", &old_world, "to_death", vec![], to_death),
        (
            "last_stand(30, 2d6+3, resistant)",
            &fifth,
            "last_stand",
            vec![Some(Value::Number(30)), Some(damage), Some(Value::Number(1))],
            last_stand,
        ),
    ];
    for (name, program, id, args, by_hand) in works {
        let runs = 1_000_000;
        let id = scenario(program, id);
        let many = |runs| {
            let simulation = Simulation::scenario(program, &[], id, &args, (7, runs)).expect("a beginning");
            let tally = simulation.run(Part::WHOLE, 1, &Watch::default()).expect("no fault");
            assert_eq!(black_box(tally).runs, runs);
        };
        let hand = best(runs, || {
            let mut dice = Seeded::new(7);
            let mut counts = [0u64; 64];
            (0..runs).for_each(|_| counts[by_hand(&mut dice) as usize % 64] += 1);
            black_box(counts);
        });
        let ours = best(runs, || many(runs));
        let twice = best(2 * runs, || many(2 * runs));
        println!("{name}: {ours:.1} ns a run, by hand {hand:.1} ns: {:.2} times as long, goal {GOAL}", ours / hand);
        println!("  twice the runs take {:.2} times as long", 2.0 * twice / ours);
        let before = memory();
        many(20 * runs);
        if let Some((before, after)) = before.zip(memory()) {
            println!("  memory at its highest: {before} KiB, after twenty times the runs {after} KiB");
        }
        let few = 20_000;
        let full = best(few, || {
            let simulation = Simulation::in_full(program, &[], id, &args, (7, few)).expect("a beginning");
            black_box(simulation.run(Part::WHOLE, 1, &Watch::default()).expect("no fault"));
        });
        println!("  every run played in full: {full:.0} ns a run, {:.0} times as long as by hand", full / hand);
    }
}
