//! What each entry of the trace is for scripts.

use super::frame::Picking;
use super::json::{TraceJson, Written};
use super::outcome::member_id;
use super::set::members;
use super::state::Value;
use super::trace::{Entry, Trace};
use super::words::Words;
use crate::dice::{DieFaces, RolledDie};
use crate::program::{EventId, NONE, Type};

impl Trace<'_> {
    /// The trace as scripts read it.
    pub fn json(&self) -> Vec<TraceJson> {
        let words = Words::of(&self.program().system.lang);
        self.entries.iter().enumerate().map(|(at, entry)| self.entry_json(at, entry, words)).collect()
    }

    /// A value as scripts read it.
    pub fn written(&self, ty: Type, value: &Value) -> Written {
        let id = |number| member_id(self.program(), ty, number).unwrap_or_else(|| "none".to_owned());
        match (ty, value) {
            (_, Value::Dice(dice)) => Written::Id(dice.to_string()),
            (_, Value::Sheets(sheets)) => Written::Ids(sheets.iter().map(|sheet| self.sheet_id(*sheet)).collect()),
            (Type::Number { .. } | Type::Dice, Value::Number(number)) => Written::Number(*number),
            (Type::YesNo, Value::Number(number)) => Written::YesNo(*number != 0),
            (Type::SetOfKind(_) | Type::SetOfRows(_), Value::Number(set)) => {
                Written::Ids(members(*set).map(id).collect())
            }
            (_, Value::Number(NONE)) => Written::Nothing,
            (Type::Sheet { .. }, Value::Number(sheet)) => {
                u32::try_from(*sheet).map_or(Written::Nothing, |sheet| Written::Id(self.sheet_id(sheet)))
            }
            (_, Value::Number(number)) => Written::Id(id(*number)),
        }
    }

    fn event_id(&self, event: EventId) -> String {
        self.program().events.get(event.index()).map_or_else(String::new, |event| event.id.to_string())
    }

    fn entry_json(&self, at: usize, entry: &Entry, words: &Words) -> TraceJson {
        let program = self.program();
        let voice = self.voice(at, entry.sheet(), words);
        let sheet_type = |sheet: u32| {
            let named = self.sheets.get(sheet as usize);
            named.and_then(|named| program.sheets.get(named.ty.index()))
        };
        match entry {
            Entry::Roll { expression, rolled } => TraceJson::Roll {
                expression: expression.clone(),
                dice: rolled.dice.clone(),
                total: rolled.total,
                picked: None,
            },
            Entry::Picked { among, face, picked } => {
                let picked = match among {
                    Picking::Members(ty, _) => {
                        Written::Id(member_id(program, *ty, *picked).unwrap_or_else(|| "none".to_owned()))
                    }
                    Picking::Sheets(_) => {
                        u32::try_from(*picked).map_or(Written::Nothing, |sheet| Written::Id(self.sheet_id(sheet)))
                    }
                };
                let faces = among.faces();
                let expression = format!("1d{faces}");
                TraceJson::Roll { expression, dice: vec![die(faces, *face)], total: *face, picked: Some(picked) }
            }
            Entry::Made { sheet } => {
                let named = self.sheets.get(*sheet as usize);
                let row = named.and_then(|named| named.row);
                let row = row.and_then(|(table, row)| program.tables.get(table.index())?.rows.get(row as usize));
                TraceJson::Made {
                    sheet: self.sheet_id(*sheet),
                    of: named.and_then(|named| named.owner).map(|owner| self.sheet_id(owner)),
                    row: row.map(|row| row.id.to_string()),
                }
            }
            Entry::Event { event, sheet, args } => {
                let params = program.events.get(event.index()).map_or(&[][..], |event| &event.params);
                let args = params.iter().zip(args);
                TraceJson::Event {
                    event: self.event_id(*event),
                    sheet: self.sheet_id(*sheet),
                    arguments: args.map(|(param, arg)| (param.id.to_string(), self.written(param.ty, arg))).collect(),
                }
            }
            Entry::Forbidden { event, sheet, by } => TraceJson::Forbidden {
                event: self.event_id(*event),
                sheet: self.sheet_id(*sheet),
                by: self.sheet_id(*by),
            },
            Entry::Spared { sheet, slot, set, by } => TraceJson::Spared {
                sheet: self.sheet_id(*sheet),
                conditions: self.written(self.slot_type(*sheet, *slot), &Value::Number(*set)),
                by: self.sheet_id(*by),
            },
            Entry::Unanswered { event } => TraceJson::Unanswered { event: self.event_id(*event) },
            Entry::NotSent { event, sheet } => {
                TraceJson::NotSent { event: self.event_id(*event), sheet: sheet.map(|sheet| self.sheet_id(sheet)) }
            }
            Entry::Instead { table, from, to } => {
                let table = program.tables.get(table.index());
                let row = |row: &u32| {
                    let row = table.and_then(|table| table.rows.get(*row as usize));
                    row.map_or_else(String::new, |row| row.id.to_string())
                };
                let id = table.map_or_else(String::new, |table| table.id.to_string());
                TraceJson::Instead { table: id, from: row(from), to: row(to) }
            }
            Entry::Row { table, row, shown, cells, .. } => {
                let table = program.tables.get(table.index());
                let row = table.and_then(|table| table.rows.get(*row as usize));
                let columns = table.map_or(&[][..], |table| &table.columns).iter().zip(cells);
                let text = |message| row.map(|row| self.row_text(row, message, shown, voice));
                TraceJson::Row {
                    table: table.map_or_else(String::new, |table| table.id.to_string()),
                    id: row.map_or_else(String::new, |row| row.id.to_string()),
                    range: row.map_or_else(String::new, |row| row.range.to_string()),
                    title: row.and_then(|row| row.title).and_then(text),
                    text: row.and_then(|row| row.prose).and_then(text),
                    cells: columns
                        .map(|(column, cell)| (column.id.to_string(), self.written(column.ty, cell)))
                        .collect(),
                }
            }
            Entry::Change { sheet, slot, from, to } => {
                let ty = self.slot_type(*sheet, *slot);
                let slot = sheet_type(*sheet).and_then(|ty| ty.slots.get(usize::from(*slot)));
                TraceJson::Change {
                    sheet: self.sheet_id(*sheet),
                    track: slot.map_or_else(String::new, |slot| slot.id.to_string()),
                    from: self.written(ty, from),
                    to: self.written(ty, to),
                }
            }
            Entry::State { sheet, from, to } => {
                let ty = self.sheets.get(*sheet as usize).map(|named| Type::State(named.ty));
                let id = |state| ty.and_then(|ty| member_id(program, ty, state)).unwrap_or_default();
                TraceJson::State { sheet: self.sheet_id(*sheet), from: id(*from), to: id(*to) }
            }
            Entry::Condition { sheet, slot, member, added, by } => TraceJson::Condition {
                sheet: self.sheet_id(*sheet),
                condition: member_id(program, self.slot_type(*sheet, *slot), *member).unwrap_or_default(),
                added: *added,
                by: by.map(|by| self.sheet_id(by)),
            },
            Entry::Say { message, values, .. } => TraceJson::Say { text: self.said(*message, values, voice) },
            Entry::Ended { sheet, conditions, run_out, .. } => TraceJson::Ended {
                sheet: self.sheet_id(*sheet),
                conditions: conditions
                    .map(|(slot, set)| self.written(self.slot_type(*sheet, slot), &Value::Number(set))),
                run_out: *run_out,
            },
            Entry::Check { sheet, check, number, passes } => {
                let check = sheet_type(*sheet).and_then(|ty| ty.checks.get(usize::from(*check)));
                TraceJson::Check {
                    sheet: self.sheet_id(*sheet),
                    check: check.map_or_else(String::new, |check| check.id.to_string()),
                    number: *number,
                    passes: *passes,
                }
            }
            Entry::Question { question, shown, answer, default, .. } => {
                let entry = program.questions.get(question.index());
                let text = entry.and_then(|question| {
                    let types = question.values.iter().map(|(_, ty)| *ty);
                    Some(self.said(question.text?, &types.zip(shown.iter().cloned()).collect::<Vec<_>>(), voice))
                });
                TraceJson::Question {
                    question: entry.map_or_else(String::new, |question| question.id.to_string()),
                    text,
                    answer: entry.map_or(Written::Nothing, |question| self.written(question.ty, answer)),
                    default: *default,
                }
            }
            Entry::Expect { expect, met, sides } => {
                let types = program.expectations.get(expect.index()).and_then(|expectation| expectation.sides);
                let sides = types.zip(sides.as_ref());
                let written = sides.map(|((a, b), (left, right))| (self.written(a, left), self.written(b, right)));
                let (left, right) = written.unzip();
                TraceJson::Expect { met: *met, left, right }
            }
        }
    }
}

/// The one die that picks among several things.
fn die(faces: u32, value: i64) -> RolledDie {
    RolledDie {
        faces: DieFaces::Upto(faces),
        value,
        rolls: vec![value],
        kept: true,
        dropped: None,
        exploded: false,
        added: false,
        rerolled: 0,
        counted: None,
        term: 0,
    }
}
