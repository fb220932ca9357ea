//! Code and defaults that are begun, and the arguments they begin with.

use super::fault::{FaultKind, Result, Taker, known};
use super::frame::{Filling, Frame, Leaves, Running};
use super::machine::Machine;
use super::state::Value;
use crate::program::{CodeId, HoldId, Param, Type};

impl<'p> Machine<'p> {
    /// Begins a piece of code with these arguments.
    pub(super) fn call(
        &mut self,
        code: CodeId,
        me: i64,
        hold: Option<HoldId>,
        args: &[Value],
        leaves: Leaves,
    ) -> Result<()> {
        let locals = usize::from(known(self.program.code.get(code.index()), "a piece of code")?.locals);
        let base = self.state.stack.len();
        self.state.stack.extend_from_slice(args);
        self.state.stack.resize(base + locals.max(args.len()), Value::Number(0));
        let base = u32::try_from(base).map_err(|_| FaultKind::Internal("a stack too high"))?;
        self.state.frames.push(Frame::Code(Running { code, next: 0, base, me, hold, leaves }));
        Ok(())
    }

    /// Slots that are to get their default.
    pub(super) fn fill(&mut self, sheet: u32, slots: Vec<u16>, told: bool) {
        if !slots.is_empty() {
            self.fill_with(sheet, slots, Vec::new(), told);
        }
    }

    /// Likewise, with values given in place of some defaults.
    pub(super) fn fill_with(&mut self, sheet: u32, slots: Vec<u16>, given: Vec<(u16, Value)>, told: bool) {
        let filling = Filling { sheet, slots, given, at: 0, waiting: false, told };
        self.state.frames.push(Frame::Filling(Box::new(filling)));
    }

    /// Arguments with defaults for those left out, each within its bounds.
    pub(super) fn arguments(
        &mut self,
        taker: Taker,
        params: &'p [Param],
        given: &[Option<Value>],
        me: i64,
    ) -> Result<Vec<Value>> {
        let mut args: Vec<Value> = Vec::with_capacity(params.len());
        for (index, param) in params.iter().enumerate() {
            let value = match (given.get(index).cloned().flatten(), param.default) {
                (Some(value), _) => value,
                (None, Some(code)) => self.pure(code, me, &args)?,
                (None, None) => return Err(FaultKind::Missing { taker, param: index as u16 }),
            };
            check_argument(taker, index, param, &value)?;
            args.push(value);
        }
        if given.len() > params.len() {
            return Err(FaultKind::Internal("more arguments than parameters"));
        }
        Ok(args)
    }
}

/// Whether a value is within the bounds of its parameter.
pub(super) fn check_argument(taker: Taker, index: usize, param: &Param, value: &Value) -> Result<()> {
    match (param.ty, value) {
        (Type::Number { low, high }, Value::Number(number)) if !(low..=high).contains(number) => {
            Err(FaultKind::Argument { taker, param: index as u16, value: *number, low, high })
        }
        (Type::YesNo, Value::Number(number)) if !(0..=1).contains(number) => {
            Err(FaultKind::Argument { taker, param: index as u16, value: *number, low: 0, high: 1 })
        }
        (Type::Dice, Value::Dice(_)) | (Type::Sheets(_), Value::Sheets(_)) => Ok(()),
        (Type::Dice | Type::Sheets(_), _) | (_, Value::Dice(_) | Value::Sheets(_)) => {
            Err(FaultKind::Internal("an argument of another type"))
        }
        _ => Ok(()),
    }
}
