//! Texts with their values filled in, and what values and sheets are called.

use super::outcome::{made_by, member_id};
use super::set::members;
use super::state::Value;
use super::trace::Trace;
use super::words::Words;
use crate::program::{Cell, Message, MessageId, NONE, Row, TableId, Type};

impl Trace<'_> {
    /// A text with its values. Where there are two, the first value that the second one shows
    /// decides: 1 takes the first text.
    pub(super) fn text(&self, id: MessageId, shown: &[(&str, Option<i64>, String)]) -> String {
        let Some(message) = self.program().messages.get(id.0 as usize) else { return String::new() };
        if let Some(forms) = &message.forms {
            let counted = match &forms.counted {
                Some(name) => shown.iter().find(|(known, ..)| known == name),
                None => shown.first(),
            };
            return filled(forms.text(counted.and_then(|(_, number, _)| *number)), shown);
        }
        let text = match &message.many {
            Some(many) if deciding(many, shown) != Some(1) => many,
            _ => &message.one,
        };
        filled(text, shown)
    }

    /// The values of a text, in the order of its names.
    pub(super) fn said(&self, message: MessageId, values: &[(Type, Value)], words: &Words) -> String {
        let names = self.program().messages.get(message.0 as usize).map_or(&[][..], |message: &Message| &message.names);
        let shown = names.iter().zip(values);
        let shown: Vec<_> =
            shown.map(|(name, (ty, value))| (name.as_str(), value.number(), self.value(*ty, value, words))).collect();
        self.text(message, &shown)
    }

    /// The values of a row's texts; where its body did not run, the dice they come from.
    pub(super) fn row_text(&self, row: &Row, message: MessageId, values: &[Option<Value>], words: &Words) -> String {
        let shown = row.shown.iter().zip(values);
        let shown: Vec<_> = shown
            .map(|(shown, value)| match value {
                Some(value) => (shown.name.as_str(), value.number(), self.value(shown.ty, value, words)),
                None => (shown.name.as_str(), None, shown.dice.as_ref().map_or("…", |dice| dice.as_str()).to_owned()),
            })
            .collect();
        self.text(message, &shown)
    }

    /// The cells of a row without a title, in words: `Magulladura / Hematoma crónico`.
    pub(super) fn cells_of(&self, table: TableId, row: &Row, words: &Words) -> Option<String> {
        let columns = &self.program().tables.get(table.index())?.columns;
        let cells: Vec<String> = columns
            .iter()
            .zip(&row.cells)
            .filter_map(|(column, cell)| match cell {
                Cell::Text(message) => self.program().messages.get(message.index()).map(|m| m.one.to_string()),
                Cell::Value(number) => Some(self.value(column.ty, &Value::Number(*number), words)),
                Cell::Code(_) => None,
            })
            .collect();
        (!cells.is_empty()).then(|| cells.join(" / "))
    }

    /// What a row is called: its title, or else its id.
    pub(super) fn row_title(&self, row: &Row) -> String {
        let title = row.title.and_then(|title| self.program().messages.get(title.0 as usize));
        title.map_or_else(|| row.id.to_string(), |title| title.one.to_string())
    }

    /// What a sheet is called: the row that made it, or its type, numbered from the second on.
    pub(super) fn called(&self, sheet: u32) -> String {
        let program = self.program();
        if let Some((_, name)) = self.names.iter().find(|(known, _)| *known == sheet) {
            return name.clone();
        }
        let Some(named) = self.sheets.get(sheet as usize) else { return String::new() };
        if let Some((table, row)) = named.row
            && let Some(row) = program.tables.get(table.index()).and_then(|table| table.rows.get(row as usize))
        {
            return self.row_title(row);
        }
        let title = program.sheets.get(named.ty.index()).map_or("", |ty| &*ty.title);
        if named.nth == 1 { title.to_owned() } else { format!("{title} {}", named.nth) }
    }

    /// What a sheet is called by scripts: its type's id, numbered from the second on.
    pub(super) fn sheet_id(&self, sheet: u32) -> String {
        let Some(named) = self.sheets.get(sheet as usize) else { return "none".to_owned() };
        let id = self.program().sheets.get(named.ty.index()).map_or("", |ty| ty.id.as_str());
        if named.nth == 1 { id.to_owned() } else { format!("{id} {}", named.nth) }
    }

    /// A value in words.
    pub(super) fn value(&self, ty: Type, value: &Value, words: &Words) -> String {
        match value {
            Value::Dice(dice) => dice.to_string(),
            Value::Sheets(sheets) if sheets.is_empty() => words.none.to_owned(),
            Value::Sheets(sheets) => sheets.iter().map(|sheet| self.called(*sheet)).collect::<Vec<_>>().join(", "),
            Value::Number(number) => self.number(ty, *number, words),
        }
    }

    fn number(&self, ty: Type, number: i64, words: &Words) -> String {
        match ty {
            Type::Number { .. } | Type::Dice => number.to_string(),
            Type::YesNo => if number == 0 { words.no } else { words.yes }.to_owned(),
            Type::SetOfKind(_) | Type::SetOfRows(_) if number == 0 => words.none.to_owned(),
            Type::SetOfKind(_) | Type::SetOfRows(_) => {
                members(number).map(|member| self.member(ty, member)).collect::<Vec<_>>().join(", ")
            }
            _ if number == NONE => words.none.to_owned(),
            Type::Sheet { .. } => u32::try_from(number).map_or_else(|_| words.none.to_owned(), |s| self.called(s)),
            _ => self.member(ty, number),
        }
    }

    /// The title of a member, row or state; its id where it has none.
    pub(super) fn member(&self, ty: Type, number: i64) -> String {
        let program = self.program();
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let row = |table: usize, row: usize| program.tables.get(table).and_then(|table| table.rows.get(row));
        let title = match ty {
            Type::Kind { kind, .. } | Type::SetOfKind(kind) => {
                program.kinds.get(kind.index()).and_then(|kind| kind.members.get(index)).map(|m| m.title.to_string())
            }
            Type::Row { table, .. } | Type::SetOfRows(table) => {
                row(table.index(), index).map(|row| self.row_title(row))
            }
            Type::Made(_) => {
                let (table, made) = made_by(number);
                row(table.index(), made as usize).map(|row| self.row_title(row))
            }
            Type::State(sheet) => {
                program.sheets.get(sheet.index()).and_then(|sheet| sheet.states.get(index)).map(|s| s.title.to_string())
            }
            Type::Option(option) => {
                program.options.get(option.index()).and_then(|o| o.members.get(index)).map(|m| m.title.to_string())
            }
            _ => member_id(program, ty, number),
        };
        title.unwrap_or_else(|| number.to_string())
    }
}

/// The first value that a text shows.
fn deciding(text: &str, shown: &[(&str, Option<i64>, String)]) -> Option<i64> {
    let place = |name: &str| text.find(&format!("{{{name}}}"));
    let first = shown.iter().filter_map(|(name, number, _)| Some((place(name)?, *number))).min();
    // A text that shows nothing of what it was given goes by the first value there is.
    match first {
        Some((_, number)) => number,
        None => shown.first().and_then(|(_, number, _)| *number),
    }
}

/// Puts values where their names stand in braces; `{{` and `}}` are braces.
fn filled(text: &str, shown: &[(&str, Option<i64>, String)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with("{{") || rest.starts_with("}}") {
            out.push_str(&rest[..1]);
            rest = &rest[2..];
            continue;
        }
        let name = rest.strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let value = name.and_then(|(name, behind)| {
            shown.iter().find(|(known, ..)| *known == name).map(|(_, _, value)| (value, behind))
        });
        match value {
            Some((value, behind)) => {
                out.push_str(value);
                rest = behind;
            }
            None => {
                out.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_in_the_plural_decides() {
        let shown = |n: i64| vec![("words", Some(n), n.to_string())];
        let plural = "Te quedan {words} palabras.";
        assert_eq!(deciding(plural, &shown(1)), Some(1));
        assert_eq!(filled(plural, &shown(7)), "Te quedan 7 palabras.");
        assert_eq!(deciding("Muchas.", &shown(3)), Some(3));
    }

    #[test]
    fn doubled_braces_are_braces_and_unknown_names_stay() {
        let shown = vec![("n", Some(2), "2".to_owned())];
        assert_eq!(filled("{{n}} {n} {m} }}{", &shown), "{n} 2 {m} }{");
    }
}
