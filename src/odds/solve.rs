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
pub(super) struct Mass {
    numerator: BigUint,
    denominator: BigUint,
}

impl Mass {
    pub(super) fn none() -> Self {
        Mass { numerator: BigUint::default(), denominator: BigUint::one() }
    }

    /// All of it.
    pub(super) fn whole() -> Self {
        Mass { numerator: BigUint::one(), denominator: BigUint::one() }
    }

    pub(super) fn fraction(&self) -> Fraction {
        Fraction::new(self.numerator.clone(), self.denominator.clone())
    }

    fn is_none(&self) -> bool {
        Weight::is_zero(&self.numerator)
    }

    /// Adds the share `weight / all` of another.
    pub(super) fn add(&mut self, other: &Mass, weight: &BigUint, all: &BigUint) {
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

/// What each state comes to, where every visit of it adds its own share: the mean number of turns from it
/// to the end. Shares and results are numerators and denominators.
///
/// Errors: a state that is reached and never left.
pub(super) fn sums(mut rows: Vec<Row>, mut shares: Vec<Fraction>) -> Result<Vec<Fraction>, OddsFault> {
    let order = order(&rows);
    let mut into = into(&rows);
    let mut left = vec![false; rows.len()];
    for state in &order {
        let state = *state;
        left[state] = true;
        let mut row = std::mem::take(&mut rows[state]);
        let stays = row.remove(&Place::State(state)).unwrap_or_default();
        let all: BigUint = row.values().sum();
        if Weight::is_zero(&all) {
            return Err(OddsFault::Endless);
        }
        shares[state] = shares[state].times(&Fraction::new(&all + stays, all.clone()));
        for from in std::mem::take(&mut into[state]) {
            if left[from] {
                continue;
            }
            let before = &mut rows[from];
            let total: BigUint = before.values().sum();
            let Some(times) = join(before, &row, state, from, &all, &mut into) else { continue };
            let more = shares[state].times(&Fraction::new(times, total));
            shares[from] = shares[from].plus(&more);
        }
        rows[state] = row;
    }
    for state in order.into_iter().rev() {
        let row = std::mem::take(&mut rows[state]);
        let all: BigUint = row.values().sum();
        let mut sum = shares[state].clone();
        for (place, weight) in row {
            if let Place::State(to) = place
                && !shares[to].is_zero()
            {
                sum = sum.plus(&shares[to].times(&Fraction::new(weight, all.clone())));
            }
        }
        shares[state] = sum;
    }
    Ok(shares)
}

/// Which states lead to each.
fn into(rows: &[Row]) -> Vec<Vec<usize>> {
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); rows.len()];
    for (from, row) in rows.iter().enumerate() {
        for place in row.keys() {
            if let Place::State(to) = place {
                into[*to].push(from);
            }
        }
    }
    into
}

/// Puts the steps of a state that is left into the row of one that leads to it; the weight they had there.
fn join(
    before: &mut Row,
    row: &Row,
    state: usize,
    from: usize,
    all: &BigUint,
    into: &mut [Vec<usize>],
) -> Option<BigUint> {
    let times = before.remove(&Place::State(state))?;
    before.values_mut().for_each(|weight| *weight = &*weight * all);
    for (place, weight) in row {
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
    Some(times)
}

/// The chance of each end, from state 0 on. States are left one by one, those of a circle by
/// putting the steps of one that is left into the rows of all that lead to it: sums and products of
/// whole numbers only, so nothing is lost.
///
/// Errors: a state that is reached and never left.
pub(super) fn ends(mut rows: Vec<Row>, ends: usize) -> Result<Vec<Fraction>, OddsFault> {
    let order = order(&rows);
    let mut into = into(&rows);
    let mut masses = vec![Mass::none(); rows.len()];
    if let Some(first) = masses.first_mut() {
        *first = Mass::whole();
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
            join(&mut rows[from], &row, state, from, &all, &mut into);
        }
    }
    Ok(found.iter().map(Mass::fraction).collect())
}

/// States such that steps lead on to later ones, but within circles.
pub(super) fn order(rows: &[Row]) -> Vec<usize> {
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
    fn means_of_what_adds_up() {
        // A die is thrown until it shows a 6; a coin then adds one throw more or none.
        let rows = vec![row(&[(Place::State(0), 5), (Place::State(1), 1)]), row(&[(Place::End(0), 1)])];
        let half = Fraction::of(1, 2);
        assert_eq!(sums(rows, vec![Fraction::of(1, 1), half]).unwrap()[0], Fraction::of(13, 2));
        // The ruin of a gambler with 2 of 4 takes 4 steps in the mean.
        let step = |down, up| row(&[(down, 1), (up, 1)]);
        let rows = vec![
            step(Place::State(1), Place::State(2)),
            step(Place::End(0), Place::State(0)),
            step(Place::State(0), Place::End(1)),
        ];
        let means = sums(rows, vec![Fraction::of(1, 1); 3]).unwrap();
        assert_eq!(means, [Fraction::of(4, 1), Fraction::of(3, 1), Fraction::of(3, 1)]);
    }

    #[test]
    fn what_never_ends_is_an_error() {
        let rows = vec![row(&[(Place::State(1), 1), (Place::End(0), 1)]), row(&[(Place::State(1), 1)])];
        assert_eq!(ends(rows, 1), Err(OddsFault::Endless));
    }
}
