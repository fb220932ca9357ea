//! Choices: what can be answered, and what was.

use std::sync::Arc;

use super::fault::{FaultKind, Result, known};
use super::frame::{Asked, Waiting};
use super::machine::Machine;
use super::note::{Note, Observer};
use super::state::Value;
use crate::program::{NONE, QuestionId, Type};

impl<'p> Machine<'p> {
    /// Stops for an answer, unless the scenario has given it or there is nothing to choose.
    pub(super) fn ask<O: Observer>(&mut self, id: QuestionId, me: i64, base: usize, observer: &mut O) -> Result<()> {
        let question = known(self.program.questions.get(id.index()), "a question")?;
        let none: Arc<[u32]> = Arc::new([]);
        let (default, least, most, candidates) = match question.ty {
            Type::Number { .. } => {
                let default = self.pop()?;
                let most = self.pop_number()?;
                (default, self.pop_number()?, most, none)
            }
            Type::Sheets(_) => {
                let default = self.pop_sheets()?;
                let most = self.pop_number()?;
                let candidates = self.pop_sheets()?;
                let most = most.clamp(0, candidates.len() as i64);
                if most == 0 {
                    self.push(Value::Sheets(none));
                    return Ok(());
                }
                let first = default.iter().copied().take(most as usize).collect();
                (Value::Sheets(first), 0, most, candidates)
            }
            Type::Sheet { .. } => {
                let default = self.pop()?;
                let candidates = self.pop_sheets()?;
                if candidates.is_empty() {
                    self.push(NONE);
                    return Ok(());
                }
                (default, NONE, i64::MAX, candidates)
            }
            ty => (self.pop()?, 0, self.members(ty)? - 1, none),
        };
        let locals = question.values.iter().map(|(local, _)| self.state.stack.get(base + usize::from(*local)).cloned());
        let shown = locals.map(|value| value.unwrap_or(Value::Number(NONE))).collect();
        let sheet = u32::try_from(me).ok();
        let asked = Asked { question: id, sheet, default, least, most, candidates, shown };
        let ahead = self.state.answers.iter().rev().find(|(name, _)| *name == question.id);
        match ahead.map(|(_, answer)| answer.clone()) {
            Some(answer) => {
                let answer = self.checked_answer(&asked, answer)?;
                observer.note(Note::Question { question: id, asked: &asked, answer: &answer, default: false });
                self.push(answer);
            }
            None => {
                self.checked_answer(&asked, asked.default.clone())?;
                self.state.waiting = Some(Waiting::Ask(Arc::new(asked)));
            }
        }
        Ok(())
    }

    fn members(&self, ty: Type) -> Result<i64> {
        let count = match ty {
            Type::YesNo => Some(2),
            Type::Kind { kind, .. } => self.program.kinds.get(kind.index()).map(|kind| kind.members.len()),
            Type::Row { table, .. } => self.program.tables.get(table.index()).map(|table| table.rows.len()),
            Type::Option(option) => self.program.options.get(option.index()).map(|option| option.members.len()),
            Type::State(sheet) => self.program.sheets.get(sheet.index()).map(|sheet| sheet.states.len()),
            Type::SetOfKind(_) | Type::SetOfRows(_) => None,
            _ => return Err(FaultKind::Internal("a question of this type")),
        };
        Ok(count.map_or(i64::MAX, |count| count as i64))
    }

    /// An answer as it may be given to a question.
    pub(super) fn checked_answer(&self, asked: &Asked, answer: Value) -> Result<Value> {
        let question = known(self.program.questions.get(asked.question.index()), "a question")?;
        let wrong = |value: i64| {
            Err(FaultKind::Answer { question: asked.question, value, least: asked.least, most: asked.most })
        };
        match (&answer, question.ty) {
            (Value::Sheets(sheets), Type::Sheets(_)) => {
                let distinct = sheets.iter().enumerate().all(|(i, sheet)| !sheets.iter().take(i).any(|s| s == sheet));
                let known = sheets.iter().all(|sheet| asked.candidates.contains(sheet));
                if sheets.len() as i64 <= asked.most && known && distinct {
                    Ok(answer)
                } else {
                    wrong(sheets.len() as i64)
                }
            }
            (Value::Number(number), Type::Sheet { .. }) => {
                let among = |number: &i64| asked.candidates.iter().any(|sheet| i64::from(*sheet) == *number);
                if *number == NONE || among(number) { Ok(answer) } else { wrong(*number) }
            }
            (Value::Number(_), Type::SetOfKind(_) | Type::SetOfRows(_)) => Ok(answer),
            (Value::Number(NONE), Type::Kind { or_none: true, .. } | Type::Row { or_none: true, .. }) => Ok(answer),
            (Value::Number(number), _) if (asked.least..=asked.most).contains(number) => Ok(answer),
            (Value::Number(number), _) => wrong(*number),
            _ => Err(FaultKind::Internal("an answer of another type")),
        }
    }
}
