//! Two distributions beside each other.

use super::{EDGE, Picture, WIDTH, captions, cut, share};

const ROW: f64 = 36.0;

/// One outcome in both.
pub struct Moved {
    pub name: String,
    pub before: f64,
    pub after: f64,
}

/// Two bars an outcome: how likely it was, how likely it is, and by how much it moved.
pub fn of_comparison(title: &str, note: &str, names: (&str, &str), moved: &[Moved]) -> String {
    let mut picture = Picture::new(title, note, WIDTH);
    let y = picture.y;
    let mut x = EDGE;
    for (class, name) in [("before", names.0), ("bar", names.1)] {
        picture.bar(class, (x, y - 9.0), (12.0, 12.0), name);
        let name = cut(name, 44.0);
        picture.text((x + 18.0, y + 1.0), "note", &name);
        x += 18.0 + name.chars().count() as f64 * super::LETTER + 24.0;
    }
    picture.y += 16.0;
    let most = moved.iter().map(|outcome| outcome.before.max(outcome.after)).fold(f64::MIN_POSITIVE, f64::max);
    let left = EDGE + captions(moved.iter().map(|outcome| &outcome.name), 300.0) + 10.0;
    let wide = WIDTH - left - EDGE - 140.0;
    for outcome in moved {
        let y = picture.y;
        picture.placed((left - 10.0, y + 22.0), "name", "end", &cut(&outcome.name, 300.0 / super::LETTER));
        let length = |chance: f64| chance / most * wide;
        let told = |chance: f64| format!("{}: {}", outcome.name, share(chance));
        picture.bar("before", (left, y + 5.0), (length(outcome.before), 11.0), &told(outcome.before));
        picture.bar("bar", (left, y + 18.0), (length(outcome.after), 11.0), &told(outcome.after));
        let x = left + length(outcome.before.max(outcome.after)) + 8.0;
        picture.text((x, y + 21.0), "value", &share(outcome.after));
        let points = (outcome.after - outcome.before) * 100.0;
        let class = if points > 0.005 {
            "value up"
        } else if points < -0.005 {
            "value down"
        } else {
            "value"
        };
        picture.text((x + 62.0, y + 21.0), class, &format!("{points:+.2}"));
        picture.y += ROW;
    }
    picture.finish()
}
