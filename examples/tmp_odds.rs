use cicatriz::odds::*;
use std::time::Instant;
fn main() {
    for text in [
        "4d6kh3",
        "100d6",
        "200d6",
        "10d10kh5",
        "40d12kh20",
        "20d10<=4",
        "8d6!>=6",
        "10000d6",
        "10d6!kh3",
        "4d6!kh3!",
        "6d6!dl1",
    ] {
        let (dice, _) = cicatriz::check::ad_hoc(text);
        let dice = dice.unwrap();
        let bounds = Bounds { explosions: if text == "8d6!>=6" { Some(10) } else { None }, ..Bounds::default() };
        let mut best = f64::MAX;
        let begun = Instant::now();
        for _ in 0..200 {
            let start = Instant::now();
            let r = of_dice_within(&dice, &bounds);
            best = best.min(start.elapsed().as_secs_f64());
            if let Err(e) = r {
                println!("{text}: {e}");
                break;
            }
            if begun.elapsed().as_secs() >= 1 {
                break;
            }
        }
        println!("{text}: {:.1} us", best * 1e6);
    }
}
