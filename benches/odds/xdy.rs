//! The same work with `xdy`: pairs of a name and an expression, each timed; or `once` and one expression.

use std::hint::black_box;
use std::time::{Duration, Instant};

use xdy::{Budget, Evaluator, Unobserved, compile};

fn odds(text: &str) -> usize {
    let evaluator = Evaluator::new(compile(text).expect("an expression"));
    let plan = evaluator.plan_distribution([]).expect("a plan");
    let distribution = plan.build(Budget::UNLIMITED, &Unobserved).expect("a distribution");
    black_box(distribution).total().to_string().len()
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [first, text] = words.as_slice()
        && first == "once"
    {
        println!("{}", odds(text));
        return;
    }
    for pair in words.chunks(2) {
        let [name, text] = pair else { continue };
        let begun = Instant::now();
        black_box(odds(text));
        let once = begun.elapsed().max(Duration::from_nanos(100));
        let calls = (Duration::from_millis(1).as_nanos() / once.as_nanos()).clamp(1, 5_000) as u32;
        let mut times: Vec<Duration> = (0..21)
            .map(|_| {
                let begun = Instant::now();
                (0..calls).for_each(|_| drop(black_box(odds(text))));
                begun.elapsed() / calls
            })
            .collect();
        times.sort();
        println!("{name}\t{:.12}", times[times.len() / 2].as_secs_f64());
    }
}
