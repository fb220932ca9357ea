//! The runs of one thread, block by block.

use std::ops::Range;

use super::chain::Chain;
use super::lasted::Lasted;
use super::watched::Watched;
use super::{Came, SimulateFault, Tally, Way, seed_of};
use crate::dice::{Dice, Seeded, total};
use crate::run::limits::DICE_A_RUN;
use crate::run::{Fault, FaultKind, Limit, Machine, Outcome, Step, Value, play_totals};

/// Does blocks of runs and counts what they come to.
pub(super) struct Worker<'s> {
    way: &'s Way<'s>,
    seed: u64,
    tally: Tally,
    watched: Option<Watched>,
    /// With a chain: the runs that came to each end.
    ends: Vec<u64>,
    /// The turns of one run, by repeat.
    turns: Vec<u64>,
    lasted: Vec<Lasted>,
}

impl<'s> Worker<'s> {
    pub(super) fn new(way: &'s Way<'s>, seed: u64) -> Self {
        let repeats = way.repeats().map_or(0, |repeats| repeats.all.len());
        Worker {
            way,
            seed,
            tally: Tally::default(),
            watched: if let Way::Full { repeats, .. } = way { Some(Watched::new(repeats)) } else { None },
            ends: if let Way::Chain(chain) = way { vec![0; chain.ends.len()] } else { Vec::new() },
            turns: vec![0; repeats],
            lasted: vec![Lasted::default(); repeats],
        }
    }

    /// The runs of one block, numbered from 0.
    pub(super) fn block(&mut self, block: u64, runs: Range<u64>) -> Result<(), SimulateFault> {
        let count = runs.end - runs.start;
        match self.way {
            Way::Dice(dice) => self.rolls(dice, runs)?,
            Way::Chain(chain) => self.walks(chain, block, runs)?,
            Way::Full { begun, .. } => self.plays(begun, runs)?,
        }
        self.tally.runs += count;
        if self.lasted.iter().any(|lasted| !lasted.is_bounded()) {
            return Err(SimulateFault::Outcomes);
        }
        self.tally.bounded()
    }

    fn rolls(&mut self, dice: &Dice, runs: Range<u64>) -> Result<(), SimulateFault> {
        for run in runs {
            let seed = seed_of(self.seed, run);
            let came = total(dice, &mut Seeded::new(seed));
            let came = came.map_err(|fault| SimulateFault::Dice { run: run + 1, seed, fault })?;
            *self.tally.outcomes.entry(Came::Total(came)).or_default() += 1;
        }
        Ok(())
    }

    fn walks(&mut self, chain: &Chain, block: u64, runs: Range<u64>) -> Result<(), SimulateFault> {
        let mut dice = Seeded::stream(self.seed, block);
        for run in runs {
            self.turns.fill(0);
            let Some(end) = chain.walk(&mut dice, &mut self.turns) else {
                let kind = FaultKind::Limit { what: Limit::Dice, count: DICE_A_RUN + 1, limit: DICE_A_RUN };
                let fault = Box::new(Fault { kind, span: None });
                return Err(SimulateFault::Run { run: run + 1, seed: None, fault });
            };
            self.ends[end as usize] += 1;
            for (lasted, turns) in self.lasted.iter_mut().zip(&self.turns) {
                lasted.add(*turns, 1);
            }
        }
        Ok(())
    }

    fn plays(&mut self, begun: &Machine<'s>, runs: Range<u64>) -> Result<(), SimulateFault> {
        let Some(watched) = &mut self.watched else { return Ok(()) };
        for run in runs {
            let seed = seed_of(self.seed, run);
            let mut machine = begun.clone();
            watched.begin();
            let fault = match play_totals(&mut machine, &mut Seeded::new(seed), watched) {
                Step::Finished(outcome) => {
                    *self.tally.outcomes.entry(Came::To(outcome)).or_default() += 1;
                    let turns = watched.turns().iter().chain(std::iter::repeat(&0));
                    for (lasted, turns) in self.lasted.iter_mut().zip(turns) {
                        lasted.add(u64::from(*turns), 1);
                    }
                    continue;
                }
                Step::Fault(fault) => fault,
                _ => Fault { kind: FaultKind::Internal("a run without an end"), span: None },
            };
            return Err(SimulateFault::Run { run: run + 1, seed: Some(seed), fault: Box::new(fault) });
        }
        Ok(())
    }

    /// All that was counted.
    pub(super) fn finish(mut self) -> Tally {
        self.tally.turns = self.lasted.into_iter().map(Lasted::all).collect();
        if let Way::Chain(chain) = self.way {
            let counted = chain.repeats.outcome.and_then(|repeat| self.tally.turns.get(repeat));
            self.tally.outcomes = match (counted, chain.ends.first()) {
                (Some(turns), Some(end)) => turns.iter().map(|(turns, runs)| (number(end, *turns), *runs)).collect(),
                _ => {
                    let ends = chain.ends.iter().zip(&self.ends).filter(|(_, runs)| **runs > 0);
                    ends.map(|(outcome, runs)| (Came::To(outcome.clone()), *runs)).collect()
                }
            };
            if self.tally.runs > 0 {
                self.tally.defaults.extend(&chain.defaults);
            }
        }
        if let Some(watched) = self.watched {
            self.tally.defaults.extend(watched.defaults);
        }
        self.tally
    }
}

/// An outcome that is a number, with another number.
fn number(end: &Outcome, number: u64) -> Came {
    let number = Value::Number(i64::try_from(number).unwrap_or(i64::MAX));
    Came::To(match end {
        Outcome::Values(values) => Outcome::Values(values.iter().map(|(ty, _)| (*ty, number.clone())).collect()),
        other => other.clone(),
    })
}
