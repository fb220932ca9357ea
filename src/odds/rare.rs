//! What the odds say of rules that are being written: rows as good as never reached, and how likely the
//! results are that have no row.

use super::{Bounds, Distribution, Fraction, of_dice_within};
use crate::diagnostics::{self, Code, Diagnostic};
use crate::dice::{Dice, Unanswered};
use crate::program::{Program, Row, Table, TableId, TableKey, Type};
use crate::run::{Machine, Step, Value};
use crate::say;
use crate::wording::Wording;

/// A row that comes up less often than this is told.
const MILLION: u64 = 1_000_000;

/// The most ways to fill in a table's arguments; a table with more is not looked at.
const WAYS: usize = 256;

/// The most work for one distribution, in steps: a few thousandths of a second.
const COST: u128 = 4_000_000;

/// The most distributions of one file.
const DISTRIBUTIONS: usize = 2_000;

/// A longer fraction is not shown.
const FRACTION: usize = 12;

/// Adds to the diagnostics of a checked file what its odds say: the chance of results that no row answers,
/// and a warning for each row of a table of dice that comes up less than once in a million, whatever the
/// table's arguments. What would take long is left out, so that checking stays quick.
pub fn weigh(program: Option<&Program>, open: &[Unanswered], diagnostics: &mut Vec<Diagnostic>) {
    for unanswered in open {
        let Some(likeliest) = likeliest(unanswered) else { continue };
        let gap = |found: &&mut Diagnostic| found.code == Code::TableGap && found.span() == Some(unanswered.span);
        if let Some(found) = diagnostics.iter_mut().find(gap) {
            found.message = Wording::list([found.message.clone(), likeliest], ": ");
        }
    }
    let Some(program) = program else { return };
    let mut left = DISTRIBUTIONS;
    for (table, index) in program.tables.iter().zip(0..) {
        diagnostics.extend(unlikely(program, table, TableId(index), &mut left));
    }
    diagnostics::sort(diagnostics);
}

fn odds(dice: &Dice) -> Option<Distribution> {
    of_dice_within(dice, &Bounds { cost: COST, ..Bounds::default() }).ok()
}

/// The greatest chance of what has no row, with the arguments it comes up with.
fn likeliest(unanswered: &Unanswered) -> Option<Wording> {
    let within = |total: i64| unanswered.totals.iter().any(|(low, high)| (*low..=*high).contains(&total));
    let mut greatest: Option<(Fraction, &str)> = None;
    for (words, dice) in &unanswered.ways {
        let chance = odds(dice)?.chance_where(within);
        if greatest.as_ref().is_none_or(|(known, _)| chance > *known) {
            greatest = Some((chance, words));
        }
    }
    let (chance, words) = greatest.filter(|(chance, _)| !chance.is_zero())?;
    let chance = shown(&chance);
    let chance = if unanswered.ways.len() > 1 { say!("up to {chance}", chance) } else { chance };
    Some(if words.is_empty() { chance } else { say!("{chance} with {words}", chance, words) })
}

/// `1/6 of all rolls (16.67 %)`
fn shown(chance: &Fraction) -> Wording {
    let percent = chance.to_f64() * 100.0;
    let percent = if percent >= 0.01 { format!("{percent:.2} %") } else { format!("{percent:.1e} %") };
    match chance.to_string() {
        exactly if exactly.len() <= FRACTION && exactly.contains('/') => {
            say!("{exactly} of all rolls ({percent})", exactly, percent)
        }
        _ => say!("{percent} of all rolls", percent),
    }
}

/// A warning for each row that is as good as never reached.
fn unlikely(program: &Program, table: &Table, id: TableId, left: &mut usize) -> Vec<Diagnostic> {
    let TableKey::Dice(_) = table.key else { return Vec::new() };
    let Some(ways) = ways(program, table) else { return Vec::new() };
    // The greatest chance of each row over all ways.
    let mut greatest = vec![0.0f64; table.rows.len()];
    let mut rolled: Vec<Distribution> = Vec::new();
    for args in ways {
        let Some(distribution) = rolls(program, id, &args).filter(|_| *left > 0) else { return Vec::new() };
        *left -= 1;
        for (sum, most) in by_row(table, &distribution).into_iter().zip(&mut greatest) {
            *most = most.max(sum);
        }
        rolled.push(distribution);
        if likely(table, &greatest) {
            return Vec::new();
        }
    }
    let rows = table.rows.iter().enumerate().filter(|(index, row)| {
        // What is never reached at all is a fault of its own; what no die is meant to reach is none.
        greatest[*index] > 0.0 && greatest[*index] < 1.0 / MILLION as f64 && has_key(row)
    });
    rows.map(|(index, row)| warning(table, index, row, &rolled)).collect()
}

fn has_key(row: &Row) -> bool {
    row.range != "-"
}

/// Whether every row comes up often enough.
fn likely(table: &Table, greatest: &[f64]) -> bool {
    table.rows.iter().zip(greatest).all(|(row, chance)| *chance >= 1.0 / MILLION as f64 || !has_key(row))
}

fn warning(table: &Table, index: usize, row: &Row, rolled: &[Distribution]) -> Diagnostic {
    let answers = |total: i64| row_of(table, total) == Some(index);
    let chance = rolled.iter().map(|distribution| distribution.chance_where(answers)).max();
    let chance = chance.unwrap_or_else(Fraction::zero);
    let message =
        say!("the row `{row}` comes up less than once in a million: {chance}", row = row.id, chance = shown(&chance));
    Diagnostic::warning(Code::TableUnlikely, message)
        .label(row.span, "hardly any roll comes here")
        .help("give it more results, or write `-` in their place if the row is only taken by name")
}

/// The row that answers a total.
fn row_of(table: &Table, total: i64) -> Option<usize> {
    let at = table.answers.partition_point(|answer| answer.high < total);
    let answer = table.answers.get(at).filter(|answer| answer.low <= total).map(|answer| answer.row);
    answer.or(table.otherwise).map(|row| row as usize)
}

/// The chance of each row, nearly.
fn by_row(table: &Table, distribution: &Distribution) -> Vec<f64> {
    let mut sums = vec![0.0; table.rows.len()];
    for (total, chance) in distribution.probabilities() {
        if let Some(sum) = row_of(table, total).and_then(|row| sums.get_mut(row)) {
            *sum += chance;
        }
    }
    sums
}

/// Every way to fill in the arguments of a table; `None` where there are too many or other than numbers.
fn ways(program: &Program, table: &Table) -> Option<Vec<Vec<Option<Value>>>> {
    let mut ways: Vec<Vec<Option<Value>>> = vec![Vec::new()];
    for param in &table.params {
        let (low, high) = match param.ty {
            Type::Number { low, high } => (low, high),
            Type::YesNo => (0, 1),
            Type::Kind { kind, .. } => (0, program.kinds.get(kind.index())?.members.len() as i64 - 1),
            _ => return None,
        };
        if low > high || high.abs_diff(low) >= WAYS as u64 || ways.len() * (high.abs_diff(low) as usize + 1) > WAYS {
            return None;
        }
        let with = |way: Vec<Option<Value>>| {
            (low..=high).map(move |value| way.iter().cloned().chain([Some(Value::Number(value))]).collect())
        };
        ways = ways.into_iter().flat_map(with).collect();
    }
    Some(ways)
}

/// The odds of the dice a table rolls with these arguments.
fn rolls(program: &Program, id: TableId, args: &[Option<Value>]) -> Option<Distribution> {
    let mut machine = Machine::reading(program, &[], id, args).ok()?;
    match machine.advance(&mut ()) {
        Step::Roll(dice) => odds(&dice),
        _ => None,
    }
}
