//! Where a walk from state to state comes to rest: the chances of an absorbing chain, exactly.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::weight::{Weight, common};
use super::{Fraction, OddsFault};

/// Where a step leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// To another state.
    State(usize),
    /// To an end.
    End(usize),
}

/// The steps from a state, each with its weight.
pub(super) type Row = BTreeMap<Place, BigUint>;

/// A chance that is being added up.
#[derive(Debug, Clone)]
struct Mass {
    numerator: BigUint,
    denominator: BigUint,
}

impl Mass {
    fn none() -> Self {
        Mass { numerator: BigUint::default(), denominator: BigUint::one() }
    }

    fn is_none(&self) -> bool {
        Weight::is_zero(&self.numerator)
    }

    /// Adds the share `weight / all` of another.
    fn add(&mut self, other: &Mass, weight: &BigUint, all: &BigUint) {
        let (numerator, denominator) = (&other.numerator * weight, &other.denominator * all);
        let by = common(&self.denominator, &denominator);
        let (mine, theirs) = (&denominator / &by, &self.denominator / &by);
        self.numerator = &self.numerator * &mine + numerator * theirs;
        self.denominator = &self.denominator * mine;
        let by = common(&self.numerator, &self.denominator);
        if by != BigUint::one() {
            self.numerator = &self.numerator / &by;
            self.denominator = &self.denominator / by;
        }
    }
}

/// The chance of each end, from state 0 on. States are left one by one, those of a circle by
/// putting the steps of one that is left into the rows of all that lead to it: sums and products of
/// whole numbers only, so nothing is lost.
///
/// Errors: a state that is reached and never left.
pub(super) fn ends(mut rows: Vec<Row>, ends: usize) -> Result<Vec<Fraction>, OddsFault> {
    let order = order(&rows);
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
    for (from, row) in rows.iter().enumerate() {
        for place in row.keys() {
            if let Place::State(to) = place {
                into[*to].push(from);
            }
        }
    }
    let mut masses = vec![Mass::none(); rows.len()];
    if let Some(first) = masses.first_mut() {
        *first = Mass { numerator: BigUint::one(), denominator: BigUint::one() };
    }
    let mut found = vec![Mass::none(); ends];
    let mut left = vec![false; rows.len()];
    for state in order {
        left[state] = true;
        let mut row = std::mem::take(&mut rows[state]);
        row.remove(&Place::State(state));
        let all: BigUint = row.values().sum();
        let mass = std::mem::replace(&mut masses[state], Mass::none());
        if Weight::is_zero(&all) {
            return Err(OddsFault::Endless);
        }
        if !mass.is_none() {
            for (place, weight) in &row {
                match place {
                    Place::State(to) => masses[*to].add(&mass, weight, &all),
                    Place::End(end) => found[*end].add(&mass, weight, &all),
                }
            }
        }
        for from in std::mem::take(&mut into[state]) {
            if left[from] {
                continue;
            }
            let before = &mut rows[from];
            let Some(times) = before.remove(&Place::State(state)) else { continue };
            before.values_mut().for_each(|weight| *weight = &*weight * &all);
            for (place, weight) in &row {
                if let Place::State(to) = place
                    && !before.contains_key(place)
                {
                    into[*to].push(from);
                }
                *before.entry(*place).or_default() += weight * &times;
            }
            let by = before.values().fold(BigUint::default(), |by, weight| common(&by, weight));
            if by > BigUint::one() {
                before.values_mut().for_each(|weight| *weight = &*weight / &by);
            }
        }
    }
    Ok(found.into_iter().map(|mass| Fraction::new(mass.numerator, mass.denominator)).collect())
}

/// States such that steps lead on to later ones, but within circles.
fn order(rows: &[Row]) -> Vec<usize> {
    let mut order = Vec::with_capacity(rows.len());
    let mut seen = vec![false; rows.len()];
    for start in 0..rows.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut path: Vec<(usize, Vec<usize>)> = vec![(start, next(rows, start))];
        while let Some((state, rest)) = path.last_mut() {
            match rest.pop() {
                Some(to) if !std::mem::replace(&mut seen[to], true) => path.push((to, next(rows, to))),
                Some(_) => {}
                None => {
                    order.push(*state);
                    path.pop();
                }
            }
        }
    }
    order.reverse();
    order
}

fn next(rows: &[Row], state: usize) -> Vec<usize> {
    let states = rows.get(state).into_iter().flat_map(|row| row.keys());
    states.filter_map(|place| if let Place::State(to) = place { Some(*to) } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(steps: &[(Place, u32)]) -> Row {
        steps.iter().map(|(place, weight)| (*place, BigUint::from(*weight))).collect()
    }

    #[test]
    fn a_state_that_leads_to_itself() {
        let rows = vec![row(&[(Place::State(0), 3), (Place::End(0), 1), (Place::End(1), 2)])];
        assert_eq!(ends(rows, 2).unwrap(), [Fraction::of(1, 3), Fraction::of(2, 3)]);
    }

    #[test]
    fn the_ruin_of_a_gambler() {
        // From 1 of 4, with even chances up and down: reaches 4 once in four times.
        let step = |down, up| row(&[(down, 1), (up, 1)]);
        let rows = vec![
            step(Place::End(0), Place::State(1)),
            step(Place::State(0), Place::State(2)),
            step(Place::State(1), Place::End(1)),
        ];
        assert_eq!(ends(rows, 2).unwrap(), [Fraction::of(3, 4), Fraction::of(1, 4)]);
    }

    #[test]
    fn what_never_ends_is_an_error() {
        let rows = vec![row(&[(Place::State(1), 1), (Place::End(0), 1)]), row(&[(Place::State(1), 1)])];
        assert_eq!(ends(rows, 1), Err(OddsFault::Endless));
    }
}
