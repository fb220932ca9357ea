//! A rule table as it stands in its file, a chance beside each row.

use cicatriz::diagnostics::{Code, Diagnostic};
use cicatriz::odds::Fraction;
use cicatriz::program::{Cell, Program, Row, Table};
use cicatriz::run::{Value, value_id};

use super::super::Exit;
use super::super::chances::{self, Columns, Found, Line, percent, picture};
use super::super::output::{Output, Stream};
use super::super::run::{Asked, Target};
use super::found::{row_title, text};

/// Adds the rows that never come up. The fault where there are no rows at all.
pub fn complete(found: &mut Found, program: &Program, asked: &Asked<'_>) -> Result<(), Box<Diagnostic>> {
    let table = table(program, asked).ok_or_else(|| {
        Box::new(
            Diagnostic::error(Code::RunTarget, format!("`{}` is a scenario, and `--table` shows a table", asked.id))
                .help("leave `--table` out"),
        )
    })?;
    for (row, index) in table.rows.iter().zip(0i64..) {
        let order = (false, vec![index]);
        if found.lines.iter().all(|line| line.order != order) {
            found.lines.push(Line {
                outcome: row.id.to_string(),
                range: Some(row.range.to_string()),
                title: row_title(program, row).filter(|title| !title.is_empty()),
                chance: Fraction::zero(),
                order,
            });
        }
    }
    found.lines.sort_by(|a, b| a.order.cmp(&b.order));
    Ok(())
}

fn table<'p>(program: &'p Program, asked: &Asked<'_>) -> Option<&'p Table> {
    match asked.target {
        Target::Table(id) => program.tables.get(id.index()),
        Target::Scenario(_) => None,
    }
}

/// The table for people.
pub fn tell(found: &Found, program: &Program, asked: &Asked<'_>, columns: &Columns) -> Result<Exit, Exit> {
    if let Some(path) = &columns.svg {
        chances::write_picture(path, &picture::of_distribution(found))?;
    }
    let mut out = Output::stdout();
    let rows = table(program, asked).map_or(&[][..], |table| &table.rows);
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let fractions = width(&mut found.lines.iter().map(|line| line.chance.to_string().chars().count()));
    let ranges = width(&mut rows.iter().map(|row| row.range.chars().count()));
    // Two blanks stand between the columns.
    let left = 9 + 2 + fractions + 2 + ranges + 2;
    let room = Stream::Output.columns().saturating_sub(left).max(20);
    if let Some(table) = table(program, asked) {
        let given = found.given();
        let dash = if given.is_empty() { "" } else { " · " };
        out.line(&format!("{:left$}{}{dash}{given}", "", table.title));
    }
    for line in &found.lines {
        let row = line.order.1.first().and_then(|index| rows.get(usize::try_from(*index).ok()?));
        let range = line.range.as_deref().unwrap_or("");
        let title = line.title.as_ref().unwrap_or(&line.outcome);
        let cells = row.map(|row| cells(program, asked, row)).unwrap_or_default();
        let chance = line.chance.to_string();
        let head = format!("{}  {chance:>fractions$}  {range:<ranges$}  {title}{cells}", percent(line.chance.to_f64()));
        out.line(head.trim_end());
        let prose = row.and_then(|row| text(program, row, row.prose?)).unwrap_or_default();
        for text in wrapped(&prose, room) {
            out.line(&format!("{:left$}{text}", ""));
        }
    }
    if let Some(reason) = found.reason() {
        out.line(&format!("not exact: {reason}"));
    }
    Ok(out.finish(Exit::Well))
}

/// ` | surgery | 40`
fn cells(program: &Program, asked: &Asked<'_>, row: &Row) -> String {
    let columns = table(program, asked).map_or(&[][..], |table| &table.columns);
    let cell = |(cell, column): (&Cell, &cicatriz::program::Column)| match cell {
        Cell::Value(value) => format!(" | {}", value_id(program, column.ty, &Value::Number(*value))),
        Cell::Text(message) => format!(" | {}", text(program, row, *message).unwrap_or_default()),
        Cell::Code(_) => " | …".to_owned(),
    };
    row.cells.iter().zip(columns).map(cell).collect()
}

/// A text in lines of at most so many letters, broken between words.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn texts_are_broken_between_words() {
        assert_eq!(wrapped("uno dos  tres cuatro", 8), ["uno dos", "tres", "cuatro"]);
        assert_eq!(wrapped("larguísimo", 4), ["larguísimo"]);
        assert!(wrapped("", 4).is_empty());
    }
}
