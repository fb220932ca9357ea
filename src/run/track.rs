//! Tracks: their bounds, and changes that are told.

use std::sync::Arc;

use super::fault::{FaultKind, Result};
use super::machine::Machine;
use super::note::{Note, Observer};
use super::state::Value;
use crate::dice::Dice;
use crate::program::{Change, NONE, Role, Slot, Type};

impl<'p> Machine<'p> {
    /// The bounds of a track as they are now.
    pub(super) fn bounds(&mut self, sheet: u32, slot: &'p Slot) -> Result<(i64, i64)> {
        let (mut low, mut high) = match slot.ty {
            Type::Number { low, high } => (low, high),
            _ => return Ok((i64::MIN, i64::MAX)),
        };
        let me = i64::from(sheet);
        if let Some(code) = slot.low {
            low = low.max(self.pure_number(code, me, &[])?);
        }
        if let Some(code) = slot.high {
            high = high.min(self.pure_number(code, me, &[])?);
        }
        Ok((low, high))
    }

    /// A value as the track takes it: within its bounds, or at the bound it stops at.
    pub(super) fn fitted(&mut self, sheet: u32, index: u16, value: Value) -> Result<Value> {
        let stops = self.slot_of(sheet, index)?.stops;
        self.fitted_where(sheet, index, value, stops)
    }

    /// Likewise; `stops`: at a bound, instead of a fault.
    pub(super) fn fitted_where(&mut self, sheet: u32, index: u16, value: Value, stops: bool) -> Result<Value> {
        let slot = self.slot_of(sheet, index)?;
        let ty = self.sheet(sheet)?.ty;
        match (slot.ty, &value) {
            (Type::Number { .. }, Value::Number(number)) => {
                let number = *number;
                let (low, high) = self.bounds(sheet, slot)?;
                if (low..=high).contains(&number) {
                    Ok(value)
                } else if stops {
                    // Where the bounds have crossed, the upper one holds.
                    Ok(Value::Number(number.max(low).min(high)))
                } else {
                    Err(FaultKind::Bounds { sheet: ty, slot: index, value: number, low, high })
                }
            }
            (Type::Dice, Value::Dice(_)) | (Type::Sheets(_), Value::Sheets(_)) => Ok(value),
            (Type::Dice, Value::Number(number)) => Ok(Value::Dice(Arc::new(Dice::Number(*number)))),
            (Type::Kind { or_none: false, .. } | Type::Row { or_none: false, .. }, Value::Number(NONE))
                if slot.role == Role::Track =>
            {
                Err(FaultKind::NotNone { sheet: ty, slot: index })
            }
            (_, Value::Number(_)) => Ok(value),
            _ => Err(FaultKind::Internal("a value of another type")),
        }
    }

    /// Changes a track and tells of it, if it really changes.
    pub(super) fn change<O: Observer>(
        &mut self,
        sheet: u32,
        index: u16,
        change: Change,
        value: Value,
        observer: &mut O,
    ) -> Result<()> {
        let slot = self.slot_of(sheet, index)?;
        let from = self.read(sheet, index)?.clone();
        let to = match (slot.ty, change, &from, &value) {
            (_, Change::To, ..) => value,
            (Type::SetOfKind(_) | Type::SetOfRows(_), _, Value::Number(set), Value::Number(with)) => match change {
                Change::Up => Value::Number(set | with),
                Change::Down => Value::Number(set & !with),
                _ => return Err(FaultKind::Internal("a set raised or lowered")),
            },
            (_, _, Value::Number(number), Value::Number(by)) => Value::Number(match change {
                Change::Up => number.checked_add(*by).ok_or(FaultKind::Overflow)?,
                Change::Down => number.checked_sub(*by).ok_or(FaultKind::Overflow)?,
                Change::Raise => *number.max(by),
                _ => *number.min(by),
            }),
            _ => return Err(FaultKind::Internal("a change of another type")),
        };
        let to = self.fitted(sheet, index, to)?;
        self.put(sheet, index, from, to, slot.role == Role::Track, observer)
    }

    /// Writes a value that fits; tells of it where it is a change.
    pub(super) fn put<O: Observer>(
        &mut self,
        sheet: u32,
        slot: u16,
        from: Value,
        to: Value,
        told: bool,
        observer: &mut O,
    ) -> Result<()> {
        if from != to {
            if told {
                observer.note(Note::Change { sheet, slot, from: &from, to: &to });
            }
            self.write(sheet, slot, to)?;
        }
        Ok(())
    }
}
