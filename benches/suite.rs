//! How fast scenarios run as tests: a thousand of ten events each in one file, their dice given,
//! without snapshots.
//!
//! `cargo bench --bench suite`

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use cicatriz::check::check_text;
use cicatriz::suite::{Runner, subjects};

const SCENARIOS: usize = 1_000;
const EVENTS: usize = 10;
/// Scenarios a second on one core.
const GOAL: f64 = 20_000.0;

fn rules() -> String {
    let mut text = String::from(
        "system duel \"Duelo\" lang es
table blow \"Golpe\" = 1d6 for fencer {
  1-3  scratch  \"Rasguño\"  { hp -= 1 }
  4-5  cut      \"Corte\"    { hp -= 2 }
  6    thrust   \"Estocada\" { hp -= 4 }
}
sheet fencer \"Esgrimista\" {
  hp \"Vida\": 0..99 = 40 stops
  states standing \"en pie\" -> down \"caído\" -> standing
  on hit \"Recibe un golpe\" { roll blow
                             if hp == 0 -> down }
}
",
    );
    for index in 0..SCENARIOS {
        let dice: Vec<String> = (0..EVENTS).map(|event| (1 + (index + event) % 6).to_string()).collect();
        let _ = writeln!(text, "scenario s{index} {{\n  given fencer\n  dice {}", dice.join(" "));
        for _ in 0..EVENTS {
            text.push_str("  when hit\n");
        }
        text.push_str("  then hp > 0\n  then standing\n}\n");
    }
    text
}

fn main() {
    let checked = check_text("duel.rules", &rules());
    let program = checked.program.expect("rules without faults");
    let subjects = subjects(&program);
    assert_eq!(subjects.len(), SCENARIOS);
    let runner = Runner::new(&program, &[], &checked.files);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for threads in [1, cores] {
        let mut speeds: Vec<f64> = (0..15)
            .map(|_| {
                let begun = Instant::now();
                let (told, _) = black_box(runner.all(&subjects, threads));
                assert!(told.iter().all(|told| told.failures.is_empty()));
                SCENARIOS as f64 / begun.elapsed().as_secs_f64()
            })
            .collect();
        speeds.sort_by(f64::total_cmp);
        let (median, best) = (speeds[speeds.len() / 2], speeds[speeds.len() - 1]);
        println!(
            "{SCENARIOS} scenarios of {EVENTS} events, {threads} thread(s): {median:.0} a second (best {best:.0}), goal {GOAL:.0} a core"
        );
    }
}
