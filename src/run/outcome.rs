//! How a run ended.

use super::set::members;
use super::state::Value;
use crate::program::{NONE, Program, ScenarioId, SheetId, TableId, Type};

/// What a table or scenario came to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The row of a table read by itself.
    Row(TableId, u32),
    /// A named case of a scenario.
    Case(ScenarioId, u32),
    /// The state of the first sheet given.
    State(SheetId, i64),
    /// Values, with their types.
    Values(Box<[(Type, Value)]>),
}

impl Outcome {
    /// As scripts read it: ids and numbers, several joined by `/`.
    pub fn text(&self, program: &Program) -> String {
        match self {
            Outcome::Row(table, row) => id(program, Type::Row { table: *table, or_none: false }, i64::from(*row)),
            Outcome::Case(scenario, case) => {
                let scenario = program.scenarios.get(scenario.index());
                let case = scenario.and_then(|s| s.cases.get(*case as usize));
                case.map_or_else(String::new, |case| case.id.to_string())
            }
            Outcome::State(sheet, state) => id(program, Type::State(*sheet), *state),
            Outcome::Values(values) => {
                let texts: Vec<String> = values.iter().map(|(ty, value)| value_id(program, *ty, value)).collect();
                texts.join("/")
            }
        }
    }
}

/// A value as scripts read it.
pub fn value_id(program: &Program, ty: Type, value: &Value) -> String {
    match value {
        Value::Number(number) => id(program, ty, *number),
        Value::Dice(dice) => dice.to_string(),
        Value::Sheets(_) => "none".to_owned(),
    }
}

fn id(program: &Program, ty: Type, number: i64) -> String {
    let known = match ty {
        Type::Number { .. } | Type::Dice => return number.to_string(),
        Type::YesNo => return if number == 0 { "no" } else { "yes" }.to_owned(),
        Type::SetOfKind(_) | Type::SetOfRows(_) => {
            let ids: Vec<String> = members(number).map(|m| member_id(program, ty, m).unwrap_or_default()).collect();
            return if ids.is_empty() { "none".to_owned() } else { ids.join(",") };
        }
        _ if number == NONE => None,
        _ => member_id(program, ty, number),
    };
    known.unwrap_or_else(|| "none".to_owned())
}

/// The id of a member, row, state or text.
pub(super) fn member_id(program: &Program, ty: Type, number: i64) -> Option<String> {
    let index = usize::try_from(number).ok()?;
    Some(match ty {
        Type::Kind { kind, .. } | Type::SetOfKind(kind) => {
            program.kinds.get(kind.index())?.members.get(index)?.id.to_string()
        }
        Type::Row { table, .. } | Type::SetOfRows(table) => {
            program.tables.get(table.index())?.rows.get(index)?.id.to_string()
        }
        Type::Made(_) => {
            let (table, row) = made_by(number);
            program.tables.get(table.index())?.rows.get(row as usize)?.id.to_string()
        }
        Type::State(sheet) => program.sheets.get(sheet.index())?.states.get(index)?.id.to_string(),
        Type::Option(option) => program.options.get(option.index())?.members.get(index)?.id.to_string(),
        Type::Text => program.messages.get(index)?.one.to_string(),
        _ => return None,
    })
}

/// The table and row in one number, as [`Type::Made`] has them.
pub(super) fn made_by(number: i64) -> (TableId, u32) {
    (TableId((number >> 32) as u32), number as u32)
}
