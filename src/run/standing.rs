//! What stands on a sheet now and why, for whoever plays: conditions, additions, what is forbidden.

use super::clauses::Gift;
use super::fault::{Fault, Result as Ran};
use super::frame::Asked;
use super::machine::Machine;
use super::state::Value;
use super::trace::Trace;
use super::words::Words;
use crate::choices::chosen;
use crate::program::{EventId, Forbidden, Type};

/// Something that a block in force does to a sheet. `by`: the sheet whose block it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// These conditions are given, as bits.
    Has { by: u32, slot: u16, set: i64 },
    /// So much is added to a value.
    Adds { by: u32, value: u16, amount: i64 },
    /// The event is not answered; `args`: only with certain arguments.
    CannotDo { by: u32, event: EventId, args: bool },
    /// These conditions are not suffered, as bits.
    CannotSuffer { by: u32, slot: u16, set: i64 },
}

impl Machine<'_> {
    /// All that stands on a sheet, by whose block it is, the oldest first.
    ///
    /// Errors: no such sheet; whatever a condition of a block runs into.
    pub fn standing(&self, sheet: u32) -> Result<Vec<Standing>, Fault> {
        let mut copy = self.clone();
        copy.standing_on(sheet).map_err(|kind| copy.fault(kind))
    }

    fn standing_on(&mut self, sheet: u32) -> Ran<Vec<Standing>> {
        let gifts = self.gifts_to(sheet)?;
        let mut list: Vec<Standing> =
            gifts.into_iter().map(|Gift { by, slot, set }| Standing::Has { by, slot, set }).collect();
        for (by, up, clauses) in self.borne(sheet)? {
            for add in clauses.adds.iter().filter(|add| add.up == up) {
                if self.applies(by, add.hold, add.when)? {
                    let amount = self.pure_number(add.amount, i64::from(by), &[])?;
                    if amount != 0 {
                        list.push(Standing::Adds { by, value: add.value, amount });
                    }
                }
            }
            for cannot in clauses.cannot.iter().filter(|cannot| cannot.up == up) {
                if !self.applies(by, cannot.hold, cannot.when)? {
                    continue;
                }
                list.push(match &cannot.what {
                    Forbidden::Event { event, args } => {
                        Standing::CannotDo { by, event: *event, args: args.iter().any(Option::is_some) }
                    }
                    Forbidden::Suffering { slot, what } => {
                        Standing::CannotSuffer { by, slot: *slot, set: self.pure_number(*what, i64::from(by), &[])? }
                    }
                });
            }
        }
        Ok(list)
    }

    /// A value in words, in the language of the rules.
    pub fn value_title(&self, ty: Type, value: &Value) -> String {
        let trace = Trace::new(self);
        trace.value(ty, value, trace.voice(usize::MAX, None, Words::of(&self.program().system.lang)))
    }

    /// A title as it is told of a sheet: where it has a choice by gender, that sheet's.
    pub fn told_of(&self, sheet: u32, title: &str) -> String {
        chosen(title, Trace::new(self).gender(sheet, usize::MAX)).into_owned()
    }

    /// A question in words, its values filled in; its name where it has no text.
    pub fn question_text(&self, asked: &Asked) -> String {
        let Some(question) = self.program().questions.get(asked.question.index()) else { return String::new() };
        let Some(text) = question.text else { return question.id.to_string() };
        let values: Vec<(Type, Value)> =
            question.values.iter().zip(asked.shown.iter()).map(|((_, ty), value)| (*ty, value.clone())).collect();
        let trace = Trace::new(self);
        trace.said(text, &values, trace.voice(usize::MAX, asked.sheet, Words::of(&self.program().system.lang)))
    }
}
