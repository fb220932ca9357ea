//! Operations in which nothing happens, and code made of those only: formulas, conditions, guards.

use std::sync::Arc;

use super::fault::{FaultKind, Limit, Result, known};
use super::limits::NESTING;
use super::machine::Machine;
use super::set::{single, within};
use super::state::Value;
use crate::dice::{Compare, Dice, Operator};
use crate::program::{CodeId, Op, TableKey};

/// Where an operation leads.
pub(super) enum Flow {
    Next,
    To(u32),
    Return,
    /// Something happens here: not for this file.
    Acts,
}

impl<'p> Machine<'p> {
    // ── The stack ───────────────────────────────────────────────────────────────────────────

    #[inline]
    pub(super) fn push(&mut self, value: impl Into<Value>) {
        self.state.stack.push(value.into());
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Result<Value> {
        known(self.state.stack.pop(), "a value on the stack")
    }

    #[inline]
    pub(super) fn pop_number(&mut self) -> Result<i64> {
        match self.state.stack.pop() {
            Some(Value::Number(number)) => Ok(number),
            _ => Err(FaultKind::Internal("a number on the stack")),
        }
    }

    pub(super) fn pop_sheet(&mut self) -> Result<u32> {
        let number = self.pop_number()?;
        self.place(number)
    }

    pub(super) fn pop_sheets(&mut self) -> Result<Arc<[u32]>> {
        match self.pop()? {
            Value::Sheets(sheets) => Ok(sheets),
            _ => Err(FaultKind::Internal("a list on the stack")),
        }
    }

    pub(super) fn pop_dice(&mut self) -> Result<Arc<Dice>> {
        match self.pop()? {
            Value::Dice(dice) => Ok(dice),
            Value::Number(number) => Ok(Arc::new(Dice::Number(number))),
            Value::Sheets(_) => Err(FaultKind::Internal("dice on the stack")),
        }
    }

    /// The topmost values, the one pushed first in front.
    pub(super) fn pop_many(&mut self, count: u8) -> Result<Vec<Value>> {
        let from = self.state.stack.len().checked_sub(usize::from(count));
        Ok(self.state.stack.split_off(known(from, "arguments on the stack")?))
    }

    fn binary(&mut self, apply: impl FnOnce(i64, i64) -> Result<i64>) -> Result<Flow> {
        let b = self.pop_number()?;
        let a = self.pop_number()?;
        self.push(apply(a, b)?);
        Ok(Flow::Next)
    }

    pub(super) fn left(&mut self, value: impl Into<Value>) -> Result<Flow> {
        self.push(value);
        Ok(Flow::Next)
    }

    // ── Code in which nothing happens ───────────────────────────────────────────────────────

    /// What pure code leaves.
    pub(super) fn pure(&mut self, code: CodeId, me: i64, args: &[Value]) -> Result<Value> {
        let body = known(self.program.code.get(code.index()), "a piece of code")?;
        if let [Op::Push(number), Op::Return] = body.ops.as_slice() {
            return Ok(Value::Number(*number));
        }
        self.deeper()?;
        let outside = self.cost.at;
        let base = self.state.stack.len();
        self.state.stack.extend_from_slice(args);
        self.state.stack.resize(base + usize::from(body.locals).max(args.len()), Value::Number(0));
        let mut next = 0usize;
        while let Some(op) = body.ops.get(next) {
            self.cost.at = Some((code, next as u32));
            self.tick()?;
            match self.simple(op, base, me)? {
                Flow::Next => next += 1,
                Flow::To(goal) => next = goal as usize,
                Flow::Return => break,
                Flow::Acts => return Err(FaultKind::Internal("something that happens where nothing may")),
            }
        }
        let value = self.pop()?;
        if let Value::Number(answer) = &value {
            self.answered_with(*answer != 0);
        }
        if self.state.stack.len() < base {
            return Err(FaultKind::Internal("code that takes more than it has"));
        }
        self.state.stack.truncate(base);
        self.cost.at = outside;
        self.cost.nesting -= 1;
        Ok(value)
    }

    pub(super) fn pure_number(&mut self, code: CodeId, me: i64, args: &[Value]) -> Result<i64> {
        known(self.pure(code, me, args)?.number(), "a number")
    }

    pub(super) fn pure_yes(&mut self, code: CodeId, me: i64, args: &[Value]) -> Result<bool> {
        Ok(self.pure_number(code, me, args)? != 0)
    }

    fn deeper(&mut self) -> Result<()> {
        self.cost.nesting += 1;
        if self.cost.nesting > NESTING {
            let count = self.cost.nesting as u64;
            return Err(FaultKind::Limit { what: Limit::Nesting, count, limit: NESTING as u64 });
        }
        Ok(())
    }

    // ── Operations ──────────────────────────────────────────────────────────────────────────

    /// One operation, if nothing happens in it.
    #[inline]
    pub(super) fn simple(&mut self, op: &'p Op, base: usize, me: i64) -> Result<Flow> {
        match op {
            Op::Push(number) => self.left(*number),
            Op::Load(local) => {
                let value = known(self.state.stack.get(base + usize::from(*local)), "a local")?.clone();
                self.left(value)
            }
            Op::Store(local) => {
                let value = self.pop()?;
                *known(self.state.stack.get_mut(base + usize::from(*local)), "a local")? = value;
                Ok(Flow::Next)
            }
            Op::Drop => self.pop().map(|_| Flow::Next),
            Op::Copy => {
                let value = known(self.state.stack.last(), "a value on the stack")?.clone();
                self.left(value)
            }
            Op::Me => self.left(me),
            Op::Slot(slot) => {
                let sheet = self.pop_sheet()?;
                let value = self.read(sheet, *slot)?.clone();
                self.left(value)
            }
            Op::Compare(compare) => self.compare(*compare),
            Op::Not => {
                let yes = self.pop_number()?;
                self.left(yes == 0)
            }
            Op::Jump(goal) => Ok(Flow::To(*goal)),
            Op::JumpIf(goal) => Ok(if self.answer_met()? { Flow::To(*goal) } else { Flow::Next }),
            Op::JumpUnless(goal) => Ok(if self.answer_met()? { Flow::Next } else { Flow::To(*goal) }),
            Op::Switch(goals, otherwise) => {
                let number = self.pop_number()?;
                let goal = goals.iter().find(|(answer, _)| (answer.low..=answer.high).contains(&number));
                let goal = goal.map(|(_, goal)| *goal).or(*otherwise);
                Ok(Flow::To(goal.ok_or(FaultKind::Row { table: None, number })?))
            }
            Op::Return => Ok(Flow::Return),
            Op::Add => self.binary(|a, b| a.checked_add(b).ok_or(FaultKind::Overflow)),
            Op::Subtract => self.binary(|a, b| a.checked_sub(b).ok_or(FaultKind::Overflow)),
            Op::Multiply => self.binary(|a, b| a.checked_mul(b).ok_or(FaultKind::Overflow)),
            Op::Divide(rounding) => self.binary(|a, b| Ok(rounding.divide(a, b)?)),
            Op::Remainder => self.binary(|a, b| Ok(Operator::Remainder.apply(a, b)?)),
            Op::Min => self.binary(|a, b| Ok(a.min(b))),
            Op::Max => self.binary(|a, b| Ok(a.max(b))),
            Op::Negate => {
                let number = self.pop_number()?;
                self.left(number.checked_neg().ok_or(FaultKind::Overflow)?)
            }
            Op::Abs => {
                let number = self.pop_number()?;
                self.left(number.checked_abs().ok_or(FaultKind::Overflow)?)
            }
            Op::Single => {
                let member = self.pop_number()?;
                self.left(single(member)?)
            }
            Op::Union => self.binary(|a, b| Ok(a | b)),
            Op::Without => self.binary(|a, b| Ok(a & !b)),
            Op::Within => self.binary(|member, set| Ok(i64::from(within(member, set)))),
            Op::Size => {
                let set = self.pop_number()?;
                self.left(i64::from(set.count_ones()))
            }
            Op::PushDice(dice) => {
                let dice = known(self.program.dice.get(*dice as usize), "dice")?.clone();
                self.left(Value::Dice(dice))
            }
            Op::Option(option) => {
                let member = known(self.option(*option), "an option")?;
                self.left(member)
            }
            Op::Owner
            | Op::Conditions(_)
            | Op::State
            | Op::Value { .. }
            | Op::RowOf
            | Op::MadeBy
            | Op::Owned(_)
            | Op::Everyone(_)
            | Op::NoSheets
            | Op::Append
            | Op::Length
            | Op::Nth => self.of_sheets(op),
            Op::Build { .. } | Op::Maximum | Op::Minimum | Op::Twice | Op::Exploding(_) => self.of_dice(op),
            Op::Read { table, args } => {
                let entry = known(self.program.tables.get(table.index()), "a table")?;
                if matches!(entry.key, TableKey::Dice(_)) {
                    return Ok(Flow::Acts);
                }
                let args = self.pop_many(*args)?;
                let reader = self.reader(*table, me)?;
                let row = self.look_up(*table, &args, reader)?;
                self.left(i64::from(row))
            }
            Op::Cell { table, column, args } => {
                let row = self.pop_number()?;
                let args = self.pop_many(*args)?;
                let value = self.cell(*table, row, *column, &args)?;
                self.left(value)
            }
            _ => Ok(Flow::Acts),
        }
    }

    /// The answer of a condition, remembered where somebody wants to know.
    #[inline]
    fn answer_met(&mut self) -> Result<bool> {
        let yes = self.pop_number()? != 0;
        self.answered_with(yes);
        Ok(yes)
    }

    #[inline]
    fn answered_with(&mut self, yes: bool) {
        if let (Some(ways), Some((code, op))) = (&mut self.ways, self.cost.at) {
            ways.answered.insert((code, op, yes));
        }
    }

    fn compare(&mut self, compare: Compare) -> Result<Flow> {
        let b = self.pop()?;
        let a = self.pop()?;
        let yes = match (&a, &b, compare) {
            (Value::Number(a), Value::Number(b), _) => compare.holds(*a, *b),
            (_, _, Compare::Equal) => a == b,
            (_, _, Compare::NotEqual) => a != b,
            _ => return Err(FaultKind::Internal("numbers to compare")),
        };
        self.left(yes)
    }
}
