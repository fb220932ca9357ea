//! Sampled odds: dice, a table or a scenario run very many times, what they come to counted.
//!
//! The result depends on the rules, the seed and the number of runs, never on threads or machines:
//! runs stand in blocks of [`BLOCK`], every block rolls dice of its own, and what is counted are whole
//! numbers. So a simulation can be cut into [`Part`]s that are added up again.
//!
//! Rules run in one of two ways, settled before the first run. Where the states that a run can stop
//! at recur, all of them are found first, and each run walks from one to the next with one random
//! number a die: the block's own stream of the seed. Where there are too many of them, or where a run can
//! come to a fault, every run is played in full with a seed of its own ([`seed_of`]), so that `run`
//! repeats it with its trace.

mod alias;
mod chain;
mod explore;
mod fault;
mod lasted;
mod tally;
mod watched;
mod worker;

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use chain::Chain;
pub use fault::SimulateFault;
pub use tally::{Came, Tally};
use worker::Worker;

use crate::dice::Dice;
use crate::odds::{Repeats, sliced};
use crate::program::{EventId, Program, ScenarioId, TableId};
use crate::run::{Fault, Machine, Value};

/// The most runs of one simulation.
pub const RUNS: u64 = 1_000_000_000_000;

/// The most different outcomes, and the most different numbers of turns, that are kept apart.
pub const OUTCOMES: usize = 200_000;

/// How many runs stand in one block.
pub const BLOCK: u64 = 256;

/// The most parts of one simulation.
pub const PARTS: u64 = 1_000_000;

/// One part of a simulation that is cut into several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Which part, from 1.
    pub number: u64,
    /// How many parts there are.
    pub of: u64,
}

impl Part {
    /// The simulation as a whole.
    pub const WHOLE: Part = Part { number: 1, of: 1 };

    /// The blocks of this part, out of as many as these runs take.
    fn blocks(self, runs: u64) -> Range<u64> {
        let blocks = u128::from(runs.div_ceil(BLOCK));
        let of = u128::from(self.of.max(1));
        let begin = |part: u64| (blocks * u128::from(part).min(of) / of) as u64;
        begin(self.number.saturating_sub(1))..begin(self.number)
    }

    /// How many of these runs belong to it.
    pub fn runs(self, runs: u64) -> u64 {
        let blocks = self.blocks(runs);
        (blocks.end * BLOCK).min(runs) - (blocks.start * BLOCK).min(runs)
    }
}

/// How far a simulation has come, for those who wait; and the way to stop it.
#[derive(Debug, Default)]
pub struct Watch {
    /// Runs that are done.
    pub done: AtomicU64,
    /// Once true, no further block is begun: the tally is that of the blocks done.
    pub stop: AtomicBool,
}

/// The seed of one run, counted from 0, that is played in full. No two runs of a simulation share one.
pub fn seed_of(seed: u64, run: u64) -> u64 {
    // The steps and the mixing of SplitMix64: every run gets another number.
    let mut mixed = seed.wrapping_add(run.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// How runs are made.
#[derive(Debug)]
enum Way<'p> {
    Dice(&'p Dice),
    Chain(Chain),
    Full { begun: Box<Machine<'p>>, repeats: Repeats },
}

impl Way<'_> {
    fn repeats(&self) -> Option<&Repeats> {
        match self {
            Way::Dice(_) => None,
            Way::Chain(chain) => Some(&chain.repeats),
            Way::Full { repeats, .. } => Some(repeats),
        }
    }
}

/// Something to be run very many times.
#[derive(Debug)]
pub struct Simulation<'p> {
    way: Way<'p>,
    seed: u64,
    runs: u64,
}

impl<'p> Simulation<'p> {
    /// Dice, rolled `runs` times.
    pub fn dice(dice: &'p Dice, seed: u64, runs: u64) -> Self {
        Simulation { way: Way::Dice(dice), seed, runs }
    }

    /// A table read by itself `runs` times. Arguments and options as for [`Machine::reading`].
    ///
    /// Errors: an argument out of its bounds, or missing without a default.
    pub fn table(
        program: &'p Program,
        options: &[u32],
        table: TableId,
        args: &[Option<Value>],
        (seed, runs): (u64, u64),
    ) -> Result<Self, Fault> {
        let begun = Machine::reading(program, options, table, args)?;
        let chain = explore::explore(begun.clone(), true, Repeats::default(), runs);
        let full = || Way::Full { begun: Box::new(begun), repeats: Repeats::default() };
        let way = chain.map_or_else(full, Way::Chain);
        Ok(Simulation { way, seed, runs })
    }

    /// A scenario, run `runs` times. Arguments and options as for [`Machine::scenario`].
    ///
    /// Errors: an argument out of its bounds, or missing without a default.
    pub fn scenario(
        program: &'p Program,
        options: &[u32],
        scenario: ScenarioId,
        args: &[Option<Value>],
        (seed, runs): (u64, u64),
    ) -> Result<Self, Fault> {
        let mut needed = sliced(program, scenario);
        let repeats = Repeats::uncounted(&mut needed.program, scenario);
        let machine = Machine::scenario(&needed.program, options, scenario, args)?;
        match explore::explore(machine, needed.rows_matter, repeats, runs) {
            Some(chain) => Ok(Simulation { way: Way::Chain(chain), seed, runs }),
            None => Simulation::in_full(program, options, scenario, args, (seed, runs)),
        }
    }

    /// The same with every run played in full, whether or not its states recur.
    ///
    /// Errors: as [`Simulation::scenario`].
    pub fn in_full(
        program: &'p Program,
        options: &[u32],
        scenario: ScenarioId,
        args: &[Option<Value>],
        (seed, runs): (u64, u64),
    ) -> Result<Self, Fault> {
        let begun = Machine::scenario(program, options, scenario, args)?;
        let repeats = Repeats::uncounted(&mut program.clone(), scenario);
        Ok(Simulation { way: Way::Full { begun: Box::new(begun), repeats }, seed, runs })
    }

    /// The event that each `repeat` of the scenario sends, where it sends one, in the order written.
    pub fn repeats(&self) -> Vec<Option<EventId>> {
        self.way.repeats().map_or_else(Vec::new, |repeats| repeats.all.iter().map(|repeat| repeat.event).collect())
    }

    /// Whether the runs walk along states found beforehand.
    pub fn is_chain(&self) -> bool {
        matches!(self.way, Way::Chain(_))
    }

    /// Does the runs of one part on so many threads.
    ///
    /// Errors: the fault of the first run that comes to one; more outcomes than [`OUTCOMES`].
    pub fn run(&self, part: Part, threads: usize, watch: &Watch) -> Result<Tally, SimulateFault> {
        let blocks = part.blocks(self.runs);
        let next = AtomicU64::new(blocks.start);
        let first: Mutex<Option<SimulateFault>> = Mutex::new(None);
        let work = || {
            let mut worker = Worker::new(&self.way, self.seed);
            while !watch.stop.load(Ordering::Relaxed) {
                let block = next.fetch_add(1, Ordering::Relaxed);
                if block >= blocks.end {
                    break;
                }
                let runs = block * BLOCK..((block + 1) * BLOCK).min(self.runs);
                let count = runs.end - runs.start;
                if let Err(fault) = worker.block(block, runs) {
                    // All blocks before this one have been taken: one of them may have an earlier fault.
                    next.store(blocks.end, Ordering::Relaxed);
                    let mut first = first.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    if first.as_ref().is_none_or(|known| fault.run() < known.run()) {
                        *first = Some(fault);
                    }
                    break;
                }
                watch.done.fetch_add(count, Ordering::Relaxed);
            }
            worker.finish()
        };
        let threads = threads.clamp(1, usize::try_from(blocks.end - blocks.start).unwrap_or(usize::MAX).max(1));
        let tallies: Vec<Tally> = if threads == 1 {
            vec![work()]
        } else {
            thread::scope(|scope| {
                let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                // A panic in one is a fault of the program itself: it goes on here.
                let done = running.into_iter().map(|thread| thread.join());
                done.map(|done| done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
            })
        };
        if let Some(fault) = first.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
            return Err(fault);
        }
        let mut all = Tally::default();
        tallies.into_iter().try_for_each(|tally| all.add(tally))?;
        Ok(all)
    }
}

#[cfg(test)]
mod tests;
