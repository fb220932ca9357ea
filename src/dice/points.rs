//! Which values a point means, of one value and of sets of them.

use super::{Compare, Point, Shown};

impl Point<i64> {
    /// Whether a die showing this value is meant.
    #[inline]
    pub fn holds(&self, value: i64) -> bool {
        self.compare.holds(value, self.value)
    }
}

/// The values a point means, and the others.
pub(super) fn part_by(values: &Shown, point: &Point<i64>) -> [Shown; 2] {
    let at = point.value;
    let below = (at > i64::MIN).then(|| i64::MIN..=at.saturating_sub(1));
    let above = (at < i64::MAX).then(|| at.saturating_add(1)..=i64::MAX);
    let equal = Some(at..=at);
    let (met, unmet) = match point.compare {
        Compare::Equal => (vec![equal], vec![below, above]),
        Compare::NotEqual => (vec![below, above], vec![equal]),
        Compare::Less => (vec![below], vec![equal, above]),
        Compare::AtMost => (vec![below, equal], vec![above]),
        Compare::Greater => (vec![above], vec![below, equal]),
        Compare::AtLeast => (vec![equal, above], vec![below]),
    };
    [met, unmet].map(|parts| values.split(&parts.into_iter().flatten().collect::<Vec<_>>()))
}

/// What dice of these values can add to a count.
pub(super) fn scores(values: &Shown, success: &Point<i64>, failure: Option<&Point<i64>>) -> Shown {
    let mut scores = Vec::new();
    for (part, score) in part_by(values, success).into_iter().zip([1, 0]) {
        let parts = match failure {
            Some(failure) => part_by(&part, failure),
            None => [Shown::none(), part],
        };
        for (part, less) in parts.into_iter().zip([1, 0]) {
            if !part.is_none() {
                scores.push((score - less, score - less));
            }
        }
    }
    Shown::of(scores, values.exact, usize::MAX)
}

/// The same where even or odd values count, by what is left of a division by two.
pub(super) fn parity(values: &Shown, odd: i64) -> Shown {
    let has = |low: i64, high: i64, odd: i64| low.rem_euclid(2) == odd || low < high;
    let any = |odd| values.ranges.iter().any(|(low, high)| has(*low, *high, odd));
    let mut scores = Vec::new();
    if any(odd) {
        scores.push((1, 1));
    }
    if any(1 - odd) {
        scores.push((0, 0));
    }
    Shown::of(scores, values.exact, usize::MAX)
}
