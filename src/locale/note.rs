//! What a translator is told beside a text: whose it is, and which values its braces show.

use std::collections::HashMap;

use smol_str::SmolStr;

use super::texts::Told;
use crate::choices::{GENDER, choices};
use crate::program::{Cell, Op, Program, Row, Table, Type};

/// Where the texts of a program stand and what they show, found once for all.
pub(super) struct Notes<'p> {
    program: &'p Program,
    /// By the message's index.
    rows: HashMap<usize, (&'p Table, &'p Row, Role)>,
    values: HashMap<usize, Vec<Value>>,
    titles: HashMap<&'p str, &'p str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Title,
    Prose,
    Cell(usize),
}

struct Value {
    name: SmolStr,
    ty: Type,
    dice: Option<SmolStr>,
}

impl<'p> Notes<'p> {
    pub fn new(program: &'p Program) -> Self {
        let titles = program.titles.iter().map(|title| (&*title.path, &*title.one)).collect();
        let mut notes = Notes { program, rows: HashMap::new(), values: HashMap::new(), titles };
        for table in &program.tables {
            for row in &table.rows {
                notes.row(table, row);
            }
        }
        for code in &program.code {
            for op in &code.ops {
                if let Op::Say { message, values } = op {
                    notes.shows(message.index(), values);
                }
            }
        }
        for question in &program.questions {
            if let Some(text) = question.text {
                notes.shows(text.index(), &question.values);
            }
        }
        notes
    }

    fn row(&mut self, table: &'p Table, row: &'p Row) {
        let mut place = |index: usize, role: Role| {
            self.rows.insert(index, (table, row, role));
        };
        if let Some(title) = row.title {
            place(title.index(), Role::Title);
        }
        if let Some(prose) = row.prose {
            place(prose.index(), Role::Prose);
        }
        for (column, cell) in row.cells.iter().enumerate() {
            if let Cell::Text(text) = cell {
                place(text.index(), Role::Cell(column));
            }
        }
        let texts = [row.title, row.prose].into_iter().flatten();
        for index in texts.map(|text| text.index()) {
            let names = self.program.messages.get(index).map_or(&[][..], |message| &message.names);
            let shown = |name: &SmolStr| {
                let shown = row.shown.iter().find(|shown| shown.name == *name)?;
                Some(Value { name: name.clone(), ty: shown.ty, dice: shown.dice.clone() })
            };
            self.values.insert(index, names.iter().filter_map(shown).collect());
        }
    }

    fn shows(&mut self, index: usize, values: &[(u16, Type)]) {
        let Some(message) = self.program.messages.get(index) else { return };
        let names = message.names.iter().zip(values);
        let values = names.map(|(name, (_, ty))| Value { name: name.clone(), ty: *ty, dice: None });
        self.values.insert(index, values.collect());
    }

    /// The notes on a text: comments of the rules, then whose it is, then its values.
    pub fn of(&self, told: &Told<'_>) -> Vec<String> {
        let comment = told.message.comment.iter().flat_map(|comment| comment.lines());
        let mut notes: Vec<String> = comment.map(|line| line.trim().to_owned()).filter(|l| !l.is_empty()).collect();
        let Some(index) = told.index else {
            notes.extend(self.around(&told.message.path));
            return notes;
        };
        notes.extend(self.place(index, &told.message.path));
        let values = self.values.get(&index).map_or(&[][..], |values| values);
        notes.extend(values.iter().map(|value| self.value(value)));
        notes.extend(self.genders(&told.message.one));
        notes
    }

    /// Where a text has choices by gender: the genders, as a choice of them would be written.
    fn genders(&self, text: &str) -> Option<String> {
        choices(text).next()?;
        let kind = self.program.kinds.iter().find(|kind| kind.id == GENDER)?;
        let titles: Vec<&str> = kind.members.iter().map(|member| &*member.title).collect();
        Some(format!("{}: [{}]", kind.title, titles.join("|")))
    }

    /// The title of what a thing belongs to: of the kind for its member, of the sheet for its track.
    fn around(&self, path: &str) -> Option<String> {
        let mut at = path;
        while let Some((before, _)) = at.rsplit_once('/').filter(|(before, _)| before.contains('/')) {
            if let Some(title) = self.titles.get(before) {
                return Some((*title).to_owned());
            }
            at = before;
        }
        None
    }

    fn place(&self, index: usize, path: &str) -> Option<String> {
        if let Some((table, row, role)) = self.rows.get(&index) {
            let title = row.title.and_then(|title| self.program.messages.get(title.index()));
            let of_row = title.map_or_else(String::new, |title| format!(": {}", title.one));
            return Some(match role {
                Role::Title => format!("{} [{}]", table.title, row.range),
                Role::Prose => format!("{} [{}]{of_row}", table.title, row.range),
                Role::Cell(column) => {
                    let column = table.columns.get(*column).map_or("", |column| &column.id);
                    format!("{} [{}]{of_row} | {column}", table.title, row.range)
                }
            });
        }
        // What is said or asked in a row's body bears the row's path.
        let mut ids = path.split('/').skip(1);
        let (table, row) = (ids.next()?, ids.next()?);
        let (Some(table), row) = (self.program.tables.iter().find(|known| known.id == table), row) else {
            return self.around(path);
        };
        let row = table.rows.iter().find(|known| known.id == row)?;
        let title = row.title.and_then(|title| self.program.messages.get(title.index()));
        let of_row = title.map_or_else(String::new, |title| format!(": {}", title.one));
        Some(format!("{} [{}]{of_row}", table.title, row.range))
    }

    /// `{lost}: 1..10 = 1d10`, `{hand}: izquierdo, derecho`
    fn value(&self, value: &Value) -> String {
        let members = |list: &[crate::program::Member]| {
            list.iter().take(12).map(|member| member.title.to_string()).collect::<Vec<_>>().join(", ")
        };
        let kind = |kind: crate::program::KindId| self.program.kinds.get(kind.index());
        let what = match value.ty {
            Type::Number { low, high } => {
                let end = |n: i64, none: i64| if n == none { String::new() } else { n.to_string() };
                format!("{}..{}", end(low, i64::MIN), end(high, i64::MAX))
            }
            Type::YesNo => "yes, no".to_owned(),
            Type::Kind { kind: id, .. } => kind(id).map_or_else(String::new, |kind| members(&kind.members)),
            Type::SetOfKind(id) => {
                kind(id).map_or_else(String::new, |kind| format!("any of: {}", members(&kind.members)))
            }
            Type::Row { table, .. } | Type::SetOfRows(table) => {
                self.program.tables.get(table.index()).map_or_else(String::new, |table| table.title.to_string())
            }
            Type::Sheet { sheet, .. } | Type::Sheets(sheet) | Type::State(sheet) | Type::Made(sheet) => {
                self.program.sheets.get(sheet.index()).map_or_else(String::new, |sheet| sheet.title.to_string())
            }
            Type::Option(option) => {
                self.program.options.get(option.index()).map_or_else(String::new, |option| members(&option.members))
            }
            Type::Dice => "dice".to_owned(),
            Type::Text => "a text of the rules".to_owned(),
        };
        let dice = value.dice.as_ref().map_or_else(String::new, |dice| format!(" = {dice}"));
        format!("{{{}}}: {what}{dice}", value.name)
    }
}
