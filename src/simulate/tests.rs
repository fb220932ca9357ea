//! Simulations as library calls: whatever the threads and parts, whichever way runs are made.

use super::*;
use crate::check::check_text;
use crate::dice::Seeded;
use crate::run::{Defaults, Step, play_out};

/// A duel: states recur, turns repeat, a circle leads back to where it was.
const DUEL: &str = r#"
system duel "Duelo" lang es
sheet fencer "Esgrimista" {
  hp: 0..9 = 3 stops
  states standing "en pie" -> down "caído" final
  on bout {
    roll 1d6 {
      1-2 { hp -= 1 }
      3   { hp += 1 }
      4-6 { hp -= 0 }
    }
    if hp == 0 -> down
  }
}
scenario to_the_end { given fencer
                      repeat bout until down, hp >= 5
                      outcome { won "Gana" when hp >= 5
                                lost "Pierde" } }
scenario bouts { given fencer
                 repeat bout until down
                 outcome repeats }
table luck(more: 0..5 = 0) "Suerte" = 1d6 + more {
  1-2 bad "Mala"
  3-5 fair "Regular"
  6+  good "Buena"
}
"#;

fn program(text: &str) -> Program {
    let checked = check_text("duel.rules", text);
    checked.program.unwrap_or_else(|| panic!("{:?}", checked.diagnostics))
}

fn whole(simulation: &Simulation<'_>, threads: usize) -> Tally {
    simulation.run(Part::WHOLE, threads, &Watch::default()).expect("no fault")
}

fn simulations(program: &Program, runs: u64) -> Vec<Simulation<'_>> {
    let asked = (7, runs);
    let full = |id| Simulation::in_full(program, &[], ScenarioId(id), &[], asked).expect("a beginning");
    vec![
        Simulation::scenario(program, &[], ScenarioId(0), &[], asked).expect("a beginning"),
        Simulation::scenario(program, &[], ScenarioId(1), &[], asked).expect("a beginning"),
        Simulation::table(program, &[], TableId(0), &[Some(Value::Number(1))], asked).expect("a beginning"),
        full(0),
        full(1),
    ]
}

#[test]
fn threads_and_parts_change_nothing() {
    let program = program(DUEL);
    for simulation in simulations(&program, 3_000) {
        let alone = whole(&simulation, 1);
        assert_eq!(alone.runs, 3_000);
        assert_eq!(alone.outcomes.values().sum::<u64>(), 3_000);
        assert_eq!(whole(&simulation, 5), alone);
        for of in [2, 16, 100] {
            let mut all = Tally::default();
            for number in 1..=of {
                let part = Part { number, of };
                let tally = simulation.run(part, 2, &Watch::default()).expect("no fault");
                assert_eq!(tally.runs, part.runs(3_000));
                all.add(tally).expect("few outcomes");
            }
            assert_eq!(all, alone);
        }
    }
}

#[test]
fn a_chain_says_what_full_runs_say() {
    let program = program(DUEL);
    let runs = 10_000;
    let simulations = simulations(&program, runs);
    assert!(simulations[0].is_chain() && simulations[1].is_chain() && simulations[2].is_chain());
    for (chain, full) in [(0, 3), (1, 4)] {
        let (chain, full) = (whole(&simulations[chain], 2), whole(&simulations[full], 2));
        assert_ne!(chain, full);
        let near = |a: u64, b: u64| {
            let share = (a + b) as f64 / (2.0 * runs as f64);
            let error = (2.0 * share * (1.0 - share) / runs as f64).sqrt();
            assert!((a as f64 - b as f64).abs() / runs as f64 <= 5.0 * error, "{a} and {b} of {runs}");
        };
        for (came, runs) in chain.outcomes.iter().filter(|(_, runs)| **runs > 10) {
            near(*runs, full.outcomes.get(came).copied().unwrap_or(0));
        }
        assert_eq!((chain.turns.len(), full.turns.len()), (1, 1));
        for (turns, runs) in chain.turns[0].iter().filter(|(_, runs)| **runs > 10) {
            near(*runs, full.turns[0].get(turns).copied().unwrap_or(0));
        }
    }
}

#[test]
fn a_run_played_in_full_is_one_of_its_own_seed() {
    let program = program(DUEL);
    let begun = Machine::scenario(&program, &[], ScenarioId(1), &[]).expect("a beginning");
    let simulation = Simulation::in_full(&program, &[], ScenarioId(1), &[], (3, 50)).expect("a beginning");
    let mut by_hand = Tally::default();
    for run in 0..50 {
        let mut machine = begun.clone();
        let step = play_out(&mut machine, &mut Seeded::new(seed_of(3, run)), &mut Defaults, &mut ());
        let Step::Finished(outcome) = step else { panic!("{step:?}") };
        *by_hand.outcomes.entry(Came::To(outcome)).or_default() += 1;
    }
    assert_eq!(whole(&simulation, 3).outcomes, by_hand.outcomes);
}

#[test]
fn the_first_fault_is_told_whatever_the_threads() {
    let text = r#"
system fall "Caída" lang es
sheet climber "Escalador" {
  hp: 0..100 = 100
  on slip { hp -= roll 1d100! - 1 }
}
scenario slips { given climber
                 when slip
                 outcome hp }
"#;
    let checked = check_text("fall.rules", text);
    let program = checked.program.unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let simulation = Simulation::scenario(&program, &[], ScenarioId(0), &[], (1, 100_000)).expect("a beginning");
    assert!(!simulation.is_chain());
    let fault = simulation.run(Part::WHOLE, 1, &Watch::default()).expect_err("it slips too far");
    for threads in [2, 7] {
        assert_eq!(simulation.run(Part::WHOLE, threads, &Watch::default()), Err(fault.clone()));
    }
    let SimulateFault::Run { run, seed: Some(seed), fault } = fault else { panic!("{fault:?}") };
    assert_eq!(seed, seed_of(1, run - 1));
    let mut machine = Machine::scenario(&program, &[], ScenarioId(0), &[]).expect("a beginning");
    assert_eq!(play_out(&mut machine, &mut Seeded::new(seed), &mut Defaults, &mut ()), Step::Fault(*fault));
}

#[test]
fn outcomes_are_bounded() {
    let (dice, _) = crate::check::ad_hoc("1d1000000000");
    let dice = dice.expect("dice");
    let few = Simulation::dice(&dice, 1, OUTCOMES as u64 / 2);
    assert!(few.run(Part::WHOLE, 2, &Watch::default()).is_ok());
    let many = Simulation::dice(&dice, 1, OUTCOMES as u64 * 2);
    assert_eq!(many.run(Part::WHOLE, 1, &Watch::default()), Err(SimulateFault::Outcomes));
    assert_eq!(many.run(Part::WHOLE, 3, &Watch::default()), Err(SimulateFault::Outcomes));
}

#[test]
fn stopped_it_keeps_what_it_has() {
    let program = program(DUEL);
    let simulation = &simulations(&program, RUNS)[0];
    let watch = Watch::default();
    let tally = thread::scope(|scope| {
        scope.spawn(|| {
            while watch.done.load(Ordering::Relaxed) < 10 * BLOCK {
                thread::yield_now();
            }
            watch.stop.store(true, Ordering::Relaxed);
        });
        simulation.run(Part::WHOLE, 2, &watch).expect("no fault")
    });
    assert!(tally.runs >= 10 * BLOCK && tally.runs < RUNS);
    assert_eq!(tally.runs, watch.done.load(Ordering::Relaxed));
    assert_eq!(tally.runs, tally.outcomes.values().sum::<u64>());
}

#[test]
fn no_two_runs_share_a_seed() {
    let mut seeds: Vec<u64> = (0..10_000).map(|run| seed_of(7, run)).collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 10_000);
}
