//! Texts with their values filled in, and what values and sheets are called.

use super::outcome::{made_by, member_id};
use super::set::members;
use super::state::Value;
use super::trace::Trace;
use super::words::Words;
use crate::choices::chosen;
use crate::program::{Cell, Message, MessageId, NONE, Row, TableId, Type};

/// How texts are told: with the joining words of a language, of a sheet of some gender.
#[derive(Debug, Clone, Copy)]
pub(super) struct Voice<'w> {
    pub words: &'w Words,
    /// The gender's place in its kind.
    pub gender: Option<usize>,
    /// The entry that is told: genders are those of then.
    pub at: usize,
}

impl Trace<'_> {
    /// How the texts of an entry are told of a sheet; without one, of the only one at the root of the
    /// story.
    pub(super) fn voice<'w>(&self, at: usize, sheet: Option<u32>, words: &'w Words) -> Voice<'w> {
        let sheet = sheet.or_else(|| {
            let mut roots = (0u32..).zip(&self.sheets).filter(|(_, named)| named.owner.is_none());
            roots.next().filter(|_| roots.next().is_none()).map(|(root, _)| root)
        });
        Voice { words, gender: sheet.and_then(|sheet| self.gender(sheet, at)), at }
    }

    /// A text with its values. Where there are two, the first value that the second one shows
    /// decides: 1 takes the first text.
    fn text(&self, id: MessageId, shown: &[(&str, Option<i64>, String)], gender: Option<usize>) -> String {
        let Some(message) = self.program().messages.get(id.0 as usize) else { return String::new() };
        if let Some(forms) = &message.forms {
            let counted = match &forms.counted {
                Some(name) => shown.iter().find(|(known, ..)| known == name),
                None => shown.first(),
            };
            return filled(&chosen(forms.text(counted.and_then(|(_, number, _)| *number)), gender), shown);
        }
        let text = match &message.many {
            Some(many) if deciding(many, shown) != Some(1) => many,
            _ => &message.one,
        };
        filled(&chosen(text, gender), shown)
    }

    /// The values of a text, in the order of its names.
    pub(super) fn said(&self, message: MessageId, values: &[(Type, Value)], voice: Voice<'_>) -> String {
        let names = self.program().messages.get(message.0 as usize).map_or(&[][..], |message: &Message| &message.names);
        let shown = names.iter().zip(values);
        let shown: Vec<_> =
            shown.map(|(name, (ty, value))| (name.as_str(), value.number(), self.value(*ty, value, voice))).collect();
        self.text(message, &shown, voice.gender)
    }

    /// The values of a row's texts; where its body did not run, the dice they come from.
    pub(super) fn row_text(&self, row: &Row, message: MessageId, values: &[Option<Value>], voice: Voice<'_>) -> String {
        let shown = row.shown.iter().zip(values);
        let shown: Vec<_> = shown
            .map(|(shown, value)| match value {
                Some(value) => (shown.name.as_str(), value.number(), self.value(shown.ty, value, voice)),
                None => (shown.name.as_str(), None, shown.dice.as_ref().map_or("…", |dice| dice.as_str()).to_owned()),
            })
            .collect();
        self.text(message, &shown, voice.gender)
    }

    /// The cells of a row without a title, in words: `Magulladura / Hematoma crónico`.
    pub(super) fn cells_of(&self, table: TableId, row: &Row, voice: Voice<'_>) -> Option<String> {
        let columns = &self.program().tables.get(table.index())?.columns;
        let cells: Vec<String> = columns
            .iter()
            .zip(&row.cells)
            .filter_map(|(column, cell)| match cell {
                Cell::Text(message) => {
                    self.program().messages.get(message.index()).map(|m| chosen(&m.one, voice.gender).into_owned())
                }
                Cell::Value(number) => Some(self.value(column.ty, &Value::Number(*number), voice)),
                Cell::Code(_) => None,
            })
            .collect();
        (!cells.is_empty()).then(|| cells.join(" / "))
    }

    /// What a row is called: its title, or else its id.
    pub(super) fn row_title(&self, row: &Row, gender: Option<usize>) -> String {
        let title = row.title.and_then(|title| self.program().messages.get(title.0 as usize));
        title.map_or_else(|| row.id.to_string(), |title| chosen(&title.one, gender).into_owned())
    }

    /// What a sheet is called: the row that made it, or its type, numbered from the second on.
    pub(super) fn called(&self, sheet: u32, at: usize) -> String {
        let program = self.program();
        if let Some((_, name)) = self.names.iter().find(|(known, _)| *known == sheet) {
            return name.clone();
        }
        let Some(named) = self.sheets.get(sheet as usize) else { return String::new() };
        if let Some((table, row)) = named.row
            && let Some(row) = program.tables.get(table.index()).and_then(|table| table.rows.get(row as usize))
        {
            return self.row_title(row, self.gender(sheet, at));
        }
        let title = program.sheets.get(named.ty.index()).map_or("", |ty| &*ty.title);
        let title = chosen(title, self.gender(sheet, at));
        if named.nth == 1 { title.into_owned() } else { format!("{title} {}", named.nth) }
    }

    /// What a sheet is called by scripts: its type's id, numbered from the second on.
    pub(super) fn sheet_id(&self, sheet: u32) -> String {
        let Some(named) = self.sheets.get(sheet as usize) else { return "none".to_owned() };
        let id = self.program().sheets.get(named.ty.index()).map_or("", |ty| ty.id.as_str());
        if named.nth == 1 { id.to_owned() } else { format!("{id} {}", named.nth) }
    }

    /// A value in words.
    pub(super) fn value(&self, ty: Type, value: &Value, voice: Voice<'_>) -> String {
        match value {
            Value::Dice(dice) => dice.to_string(),
            Value::Sheets(sheets) if sheets.is_empty() => voice.words.none.to_owned(),
            Value::Sheets(sheets) => {
                sheets.iter().map(|sheet| self.called(*sheet, voice.at)).collect::<Vec<_>>().join(", ")
            }
            Value::Number(number) => self.number(ty, *number, voice),
        }
    }

    fn number(&self, ty: Type, number: i64, voice: Voice<'_>) -> String {
        match ty {
            Type::Number { .. } | Type::Dice => number.to_string(),
            Type::YesNo => if number == 0 { voice.words.no } else { voice.words.yes }.to_owned(),
            Type::SetOfKind(_) | Type::SetOfRows(_) if number == 0 => voice.words.none.to_owned(),
            Type::SetOfKind(_) | Type::SetOfRows(_) => {
                members(number).map(|member| self.member(ty, member, voice.gender)).collect::<Vec<_>>().join(", ")
            }
            _ if number == NONE => voice.words.none.to_owned(),
            Type::Sheet { .. } => {
                u32::try_from(number).map_or_else(|_| voice.words.none.to_owned(), |s| self.called(s, voice.at))
            }
            _ => self.member(ty, number, voice.gender),
        }
    }

    /// The title of a member, row or state; its id where it has none.
    pub(super) fn member(&self, ty: Type, number: i64, gender: Option<usize>) -> String {
        let program = self.program();
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let row = |table: usize, row: usize| program.tables.get(table).and_then(|table| table.rows.get(row));
        let title = match ty {
            Type::Kind { kind, .. } | Type::SetOfKind(kind) => program
                .kinds
                .get(kind.index())
                .and_then(|kind| kind.members.get(index))
                .map(|m| chosen(&m.title, gender).into_owned()),
            Type::Row { table, .. } | Type::SetOfRows(table) => {
                row(table.index(), index).map(|row| self.row_title(row, gender))
            }
            Type::Made(_) => {
                let (table, made) = made_by(number);
                row(table.index(), made as usize).map(|row| self.row_title(row, gender))
            }
            Type::State(sheet) => program
                .sheets
                .get(sheet.index())
                .and_then(|sheet| sheet.states.get(index))
                .map(|s| chosen(&s.title, gender).into_owned()),
            Type::Option(option) => program
                .options
                .get(option.index())
                .and_then(|o| o.members.get(index))
                .map(|m| chosen(&m.title, gender).into_owned()),
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
