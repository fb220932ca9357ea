//! How many runs took so many turns.

use std::collections::BTreeMap;

use super::OUTCOMES;

/// Up to so many turns are counted side by side.
const FEW: u64 = 4_096;

/// The runs of each number of turns.
#[derive(Debug, Clone, Default)]
pub(super) struct Lasted {
    few: Vec<u64>,
    many: BTreeMap<u64, u64>,
}

impl Lasted {
    #[inline]
    pub(super) fn add(&mut self, turns: u64, runs: u64) {
        match self.few.get_mut(turns as usize) {
            Some(place) => *place += runs,
            None => self.add_beyond(turns, runs),
        }
    }

    fn add_beyond(&mut self, turns: u64, runs: u64) {
        if turns >= FEW {
            *self.many.entry(turns).or_default() += runs;
            return;
        }
        self.few.resize(turns as usize + 1, 0);
        self.few[turns as usize] += runs;
    }

    /// Whether no more numbers are kept apart than may be.
    pub(super) fn is_bounded(&self) -> bool {
        self.many.len() <= OUTCOMES
    }

    /// Every number of turns that some run took, ascending, with its runs.
    pub(super) fn all(self) -> BTreeMap<u64, u64> {
        let few = (0u64..).zip(self.few).filter(|(_, runs)| *runs > 0);
        few.chain(self.many).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many() {
        let mut lasted = Lasted::default();
        for turns in [5, 0, FEW - 1, FEW, 1 << 40, 5] {
            lasted.add(turns, 1);
        }
        assert!(lasted.is_bounded());
        let all: Vec<(u64, u64)> = lasted.all().into_iter().collect();
        assert_eq!(all, [(0, 1), (5, 2), (FEW - 1, 1), (FEW, 1), (1 << 40, 1)]);
    }
}
