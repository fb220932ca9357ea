//! What runs have exercised: rows, transitions, operations.

use std::collections::BTreeSet;

use crate::program::{CodeId, Program, SheetId, TableId};

/// What has been exercised, as bits.
#[derive(Debug, Clone)]
pub struct Hits {
    /// Where each table's rows begin among the bits.
    row_from: Vec<usize>,
    rows: Vec<u64>,
    /// Where each code's operations begin.
    op_from: Vec<usize>,
    ops: Vec<u64>,
    /// Conditions that were true, and that were false, by the operation that decides.
    yes: Vec<u64>,
    no: Vec<u64>,
    /// Whose state, from which, to which.
    transitions: BTreeSet<(SheetId, i64, i64)>,
}

impl Hits {
    /// Nothing yet.
    pub fn new(program: &Program) -> Self {
        let (row_from, rows) = starts(program.tables.iter().map(|table| table.rows.len()));
        let (op_from, ops) = starts(program.code.iter().map(|code| code.ops.len()));
        let (rows, ops) = (bits(rows), bits(ops));
        let (yes, no) = (ops.clone(), ops.clone());
        Hits { row_from, rows, op_from, ops, yes, no, transitions: BTreeSet::new() }
    }

    pub(super) fn row(&mut self, table: TableId, row: u32) {
        if let Some(from) = self.row_from.get(table.index()) {
            set(&mut self.rows, from + row as usize);
        }
    }

    #[inline]
    pub(super) fn op(&mut self, code: CodeId, op: u32) {
        if let Some(from) = self.op_from.get(code.index()) {
            set(&mut self.ops, from + op as usize);
        }
    }

    pub(super) fn answered(&mut self, code: CodeId, op: u32, yes: bool) {
        if let Some(from) = self.op_from.get(code.index()) {
            set(if yes { &mut self.yes } else { &mut self.no }, from + op as usize);
        }
    }

    pub(super) fn transition(&mut self, sheet: SheetId, from: i64, to: i64) {
        self.transitions.insert((sheet, from, to));
    }

    /// Whether a row was read or happened.
    pub fn has_row(&self, table: TableId, row: u32) -> bool {
        self.row_from.get(table.index()).is_some_and(|from| get(&self.rows, from + row as usize))
    }

    /// Whether an operation ran.
    pub fn has_op(&self, code: CodeId, op: u32) -> bool {
        self.op_from.get(code.index()).is_some_and(|from| get(&self.ops, from + op as usize))
    }

    /// Whether the condition that an operation decides was ever answered so.
    pub fn has_answer(&self, code: CodeId, op: u32, yes: bool) -> bool {
        let bits = if yes { &self.yes } else { &self.no };
        self.op_from.get(code.index()).is_some_and(|from| get(bits, from + op as usize))
    }

    /// Whose state went from which to which.
    pub fn transitions(&self) -> impl Iterator<Item = (SheetId, i64, i64)> + '_ {
        self.transitions.iter().copied()
    }

    /// All of another's, too.
    pub fn add(&mut self, other: &Hits) {
        let all = [
            (&mut self.rows, &other.rows),
            (&mut self.ops, &other.ops),
            (&mut self.yes, &other.yes),
            (&mut self.no, &other.no),
        ];
        for (mine, theirs) in all {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine |= theirs);
        }
        self.transitions.extend(&other.transitions);
    }
}

/// Where each begins, and how many there are.
fn starts(lengths: impl Iterator<Item = usize>) -> (Vec<usize>, usize) {
    let (mut from, mut all) = (Vec::new(), 0);
    for length in lengths {
        from.push(all);
        all += length;
    }
    (from, all)
}

fn bits(count: usize) -> Vec<u64> {
    vec![0; count.div_ceil(64)]
}

#[inline]
fn set(bits: &mut [u64], at: usize) {
    if let Some(word) = bits.get_mut(at / 64) {
        *word |= 1 << (at % 64);
    }
}

fn get(bits: &[u64], at: usize) -> bool {
    bits.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
}
