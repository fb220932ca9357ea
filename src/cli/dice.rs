//! Where the dice of a command come from: given by value, or from a seed that is always told.

use cicatriz::diagnostics::Code;
use cicatriz::diagnostics::{Diagnostic, nearest};
use cicatriz::dice::{Dialect, DiceSource, Given, NoDie, Seeded, Shape};
use cicatriz::say;

use super::Common;
use super::ui::said;

/// The dice of one command.
pub enum CommandDice {
    Seeded(Box<Seeded>, u64),
    Given(Given),
}

impl CommandDice {
    /// From `--dice` or `--seed`; without either, from a seed drawn for this run.
    pub fn new(common: &Common) -> Self {
        match (&common.dice, common.seed) {
            (Some(values), _) => CommandDice::Given(Given::new(values.0.clone())),
            (None, _) => {
                let seed = seed(common);
                CommandDice::Seeded(Box::new(Seeded::new(seed)), seed)
            }
        }
    }

    /// The seed, where there is one.
    pub fn seed(&self) -> Option<u64> {
        match self {
            CommandDice::Seeded(_, seed) => Some(*seed),
            CommandDice::Given(_) => None,
        }
    }

    /// Given dice that nobody asked for are a fault.
    pub fn left_over(&self) -> Option<Diagnostic> {
        let CommandDice::Given(given) = self else { return None };
        let left = given.left_over();
        if left.is_empty() {
            return None;
        }
        let list: Vec<String> = left.iter().map(i64::to_string).collect();
        let dice = |n: usize| if n == 1 { say!("1 die") } else { say!("{n} dice", n) };
        let used = given.used();
        Some(
            Diagnostic::error(
                Code::RunDice,
                say!(
                    "{left} given, and only {used} needed: `{list}` left over",
                    left = dice(used + left.len()),
                    used,
                    list = list.join(",")
                ),
            )
            .help(if used == 0 {
                say!("leave `--dice` out: nothing is rolled")
            } else {
                say!("give {used}", used = dice(used))
            }),
        )
    }
}

impl DiceSource for CommandDice {
    fn die(&mut self, shape: Shape<'_>) -> Result<i64, NoDie> {
        match self {
            CommandDice::Seeded(dice, _) => dice.die(shape),
            CommandDice::Given(dice) => dice.die(shape),
        }
    }
}

/// The seed given, or a fresh one.
pub fn seed(common: &Common) -> u64 {
    common.seed.unwrap_or_else(fresh_seed)
}

/// A seed nobody chose: from the system's own randomness by way of the standard library's hasher.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    // Short enough to be typed again.
    std::collections::hash_map::RandomState::new().build_hasher().finish() % 1_000_000_000
}

/// A dialect by its name.
pub fn dialect(name: &str) -> Result<Dialect, String> {
    let known = || Dialect::OTHERS.into_iter().map(Dialect::as_str);
    Dialect::parse(name).ok_or_else(|| {
        said(match nearest(name, known()) {
            Some(near) => say!("there is no dialect `{name}`; write `{near}`", name, near),
            None => say!(
                "there is no dialect `{name}`; write one of {known}",
                name,
                known = known().collect::<Vec<_>>().join(", ")
            ),
        })
    })
}
