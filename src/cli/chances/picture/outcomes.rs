//! One distribution: bars beside the outcomes' names, or columns over many numbers.

use super::super::Found;
use super::{EDGE, Picture, WIDTH, captions, cut, likely, share, steps};

/// More numbers than this stand as columns.
const BARS: usize = 24;
const ROW: f64 = 24.0;
const COLUMNS: f64 = 260.0;

/// The picture of a distribution.
pub fn of_distribution(found: &Found) -> String {
    let mut note: Vec<String> = Vec::new();
    if !found.arguments.is_empty() {
        note.push(found.given());
    }
    if let Some((mean, sd)) = &found.mean {
        note.push(format!("mean {:.3}, standard deviation {sd:.3}", mean.to_f64()));
    }
    note.extend(found.reason());
    let mut picture = Picture::new(&found.heading(), &note.join(" · "), WIDTH);
    match found.numbers.is_some() && likely(found).len() > BARS {
        true => columns(&mut picture, found),
        false => bars(&mut picture, found),
    }
    picture.finish()
}

fn bars(picture: &mut Picture, found: &Found) {
    let lines = likely(found);
    let names: Vec<String> = lines.iter().map(|line| line.caption()).collect();
    let most = lines.iter().map(|line| line.chance.to_f64()).fold(0.0, f64::max);
    let left = EDGE + captions(names.iter(), 300.0) + 10.0;
    let wide = WIDTH - left - EDGE - 56.0;
    let (top, bottom) = (picture.y, picture.y + ROW * lines.len() as f64);
    axis(picture, most, |at| (left + at / most * wide, top, bottom));
    for (line, name) in lines.iter().zip(&names) {
        let chance = line.chance.to_f64();
        let (y, length) = (picture.y, chance / most * wide);
        picture.placed((left - 10.0, y + 16.0), "name", "end", &cut(name, 300.0 / super::LETTER));
        picture.bar("bar", (left, y + 4.0), (length, ROW - 8.0), &format!("{name}: {}", line.chance));
        picture.text((left + length + 6.0, y + 16.0), "value", &share(chance));
        picture.y += ROW;
    }
    picture.y += 20.0;
}

/// The ticks of an axis from left to right: where each stands, and from where to where its line goes.
fn axis(picture: &mut Picture, most: f64, place: impl Fn(f64) -> (f64, f64, f64)) {
    for at in steps(most) {
        let (x, top, bottom) = place(at);
        picture.line((x, top), (x, bottom));
        picture.placed((x, bottom + 16.0), "tick", "middle", &share(at).replace(".00", "").replace(".0 ", " "));
    }
}

fn columns(picture: &mut Picture, found: &Found) {
    let lines = likely(found);
    let value = |line: &super::Line| line.outcome.parse::<i64>().ok();
    let values: Vec<i64> = lines.iter().filter_map(value).collect();
    let (Some(low), Some(high)) = (values.iter().min().copied(), values.iter().max().copied()) else { return };
    let most = lines.iter().map(|line| line.chance.to_f64()).fold(0.0, f64::max);
    let (left, right) = (EDGE + 48.0, WIDTH - EDGE);
    let (top, bottom) = (picture.y, picture.y + COLUMNS);
    let span = high.abs_diff(low) as f64 + 1.0;
    let each = (right - left) / span;
    for at in steps(most) {
        let y = bottom - at / most * COLUMNS;
        picture.line((left, y), (right, y));
        picture.placed((left - 8.0, y + 4.0), "tick", "end", &share(at));
    }
    for line in lines {
        let Some(value) = value(line) else { continue };
        let chance = line.chance.to_f64();
        let (x, height) = (left + value.abs_diff(low) as f64 * each, chance / most * COLUMNS);
        let told = format!("{value}: {}", share(chance));
        picture.bar("bar", (x + each * 0.1, bottom - height), (each * 0.8, height), &told);
    }
    let every = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 10_000, 100_000, 1_000_000];
    let every = every.into_iter().find(|every| span / *every as f64 <= 16.0).unwrap_or(i64::MAX);
    for value in low..=high {
        if value.rem_euclid(every) == 0 {
            let x = left + (value.abs_diff(low) as f64 + 0.5) * each;
            picture.placed((x, bottom + 18.0), "tick", "middle", &value.to_string());
        }
    }
    picture.y = bottom + 24.0;
    debug_assert!(top < bottom);
}
