//! Rows and columns of text, as CSV or Markdown.

/// A table of texts, each row as long as its head.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grid {
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// Comma-separated values (RFC 4180), lines ended by LF.
    pub fn csv(&self) -> String {
        let line = |cells: &Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
            format!("{}\n", cells.join(","))
        };
        std::iter::once(&self.head).chain(&self.rows).map(line).collect()
    }

    /// A table in Markdown, as GitHub reads it; columns of numbers to the right.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let plain = |cells: &Vec<String>| cells.iter().map(|cell| escaped(cell)).collect::<Vec<_>>();
        let is_number = |column: usize| {
            let mut cells =
                self.rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty()).peekable();
            cells.peek().is_some()
                && cells.all(|cell| cell.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c)))
        };
        let rule = |column: usize| if is_number(column) { "---:" } else { "---" }.to_owned();
        let mut text = line(&plain(&self.head));
        text += &line(&(0..self.head.len()).map(rule).collect::<Vec<_>>());
        self.rows.iter().for_each(|row| text += &line(&plain(row)));
        text
    }
}

/// A cell of CSV; quoted where it has to be, and where a spreadsheet would take it for a formula.
fn quoted(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '@']) && cell.parse::<f64>().is_err();
    if is_formula || cell.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell.to_owned()
}

/// A cell of Markdown: what would end it or mean something there is escaped.
fn escaped(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len());
    for letter in cell.chars() {
        match letter {
            '|' | '\\' | '*' | '_' | '`' | '<' | '[' => text.extend(['\\', letter]),
            '\n' | '\r' => text.push(' '),
            letter => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&[&str]]) -> Grid {
        let row = |cells: &&[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
        Grid { head: row(&rows[0]), rows: rows[1..].iter().map(row).collect() }
    }

    #[test]
    fn cells_that_would_break_a_line_are_quoted() {
        let grid = grid(&[&["a", "b"], &["x, y", "say \"so\""], &["-1", "two\nlines"], &["=1+1", ""]]);
        assert_eq!(grid.csv(), "a,b\n\"x, y\",\"say \"\"so\"\"\"\n-1,\"two\nlines\"\n\"=1+1\",\n");
    }

    #[test]
    fn cells_that_would_end_a_column_are_escaped() {
        let grid = grid(&[&["a", "b"], &["x|y_z", "1/2"], &["two\nlines", "12 %"]]);
        assert_eq!(grid.markdown(), "| a | b |\n| --- | ---: |\n| x\\|y\\_z | 1/2 |\n| two lines | 12 % |\n");
    }
}
