//! `4d6kh3` parsed and rolled, beside other dice crates and a loop written by hand, in one run.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml`

use std::hint::black_box;
use std::time::{Duration, Instant};

use cicatriz::check::ad_hoc;
use cicatriz::dice::{DiceSource, Seeded, Shape, total};
use tyche::dice::roller::FastRand;

const DICE: &str = "4d6kh3";
const ROUNDS: usize = 7;

/// How many times a second, the best of several rounds.
fn rate(name: &str, mut work: impl FnMut() -> i64) -> f64 {
    let mut best = 0.0f64;
    for _ in 0..ROUNDS {
        let (begun, mut times, mut sum) = (Instant::now(), 0u64, 0i64);
        while begun.elapsed() < Duration::from_millis(200) {
            for _ in 0..64 {
                sum = sum.wrapping_add(work());
            }
            times += 64;
        }
        black_box(sum);
        best = best.max(times as f64 / begun.elapsed().as_secs_f64());
    }
    println!("{name:<34} {:>9.3} million a second", best / 1e6);
    best
}

/// The loop that somebody would write for these dice alone.
fn by_hand(source: &mut Seeded) -> i64 {
    let (mut sum, mut least) = (0, i64::MAX);
    for _ in 0..4 {
        let shown = source.die(Shape::Upto(6)).unwrap_or(0);
        sum += shown;
        least = least.min(shown);
    }
    sum - least
}

/// The same with a generator of a few instructions (xorshift), as fast as it gets.
fn by_hand_quickly(state: &mut u64) -> i64 {
    let (mut sum, mut least) = (0, i64::MAX);
    for _ in 0..4 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        let shown = ((u64::from(*state as u32) * 6) >> 32) as i64 + 1;
        sum += shown;
        least = least.min(shown);
    }
    sum - least
}

/// A source of few instructions for this crate's roller too.
struct Xorshift(u64);

impl DiceSource for Xorshift {
    #[inline]
    fn die(&mut self, shape: Shape<'_>) -> Result<i64, cicatriz::dice::NoDie> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Ok(shape.value(((u64::from(self.0 as u32) * u64::from(shape.count())) >> 32) as u32))
    }
}

fn main() {
    let (Some(dice), _) = ad_hoc(black_box(DICE)) else { return };
    println!("{DICE}");
    let mut source = Seeded::new(7);
    let hand = rate("by hand, ChaCha8", || by_hand(&mut source));
    let mut state = 88_172_645_463_325_252;
    let quick = rate("by hand, xorshift", || by_hand_quickly(&mut state));
    let mut source = Seeded::new(7);
    let once = rate("cicatriz, parsed once, ChaCha8", || total(black_box(&dice), &mut source).unwrap_or(0));
    let mut source = Xorshift(88_172_645_463_325_252);
    let once_quick = rate("cicatriz, parsed once, xorshift", || total(black_box(&dice), &mut source).unwrap_or(0));
    let mut source = Seeded::new(7);
    let each = rate("cicatriz, parsed each time", || match ad_hoc(black_box(DICE)).0 {
        Some(dice) => total(&dice, &mut source).unwrap_or(0),
        None => 0,
    });
    let Ok(parsed) = DICE.parse::<tyche::Expr>() else { return };
    let mut roller = FastRand::default();
    let tyche_once = rate("tyche, parsed once", || {
        parsed.eval(&mut roller).ok().and_then(|rolled| rolled.calc().ok()).map_or(0, i64::from)
    });
    let tyche_each = rate("tyche, parsed each time", || {
        let Ok(parsed) = black_box(DICE).parse::<tyche::Expr>() else { return 0 };
        parsed.eval(&mut roller).ok().and_then(|rolled| rolled.calc().ok()).map_or(0, i64::from)
    });
    // Its own words for the same dice.
    let caith = caith::Roller::new("4d6 K3").ok();
    let caith_once = rate("caith", || {
        let rolled = caith.as_ref().and_then(|roller| roller.roll().ok());
        rolled.and_then(|rolled| rolled.as_single().map(caith::SingleRollResult::get_total)).unwrap_or(0)
    });
    println!();
    println!("the loop takes 1, parsed once    {:.2} (ChaCha8), {:.2} (xorshift)", hand / once, quick / once_quick);
    println!("times tyche, parsed once         {:.2}", once / tyche_once);
    println!("times tyche, parsed each time    {:.2}", each / tyche_each);
    println!("times caith                      {:.2}", each / caith_once);
}
