//! Brings what stands in columns into columns: the rows of a table, the titles of a kind, the
//! braces of blocks that hold.

use std::collections::{BTreeMap, HashMap};

use super::marks::{BODY, Group, Kind, Marks, Row};
use super::tokens::{Line, Role, Token};
use super::width::width;

/// A cell wider than this does not push the column after it.
const WIDEST_CELL: usize = 80;
/// What stands before a brace or a sign that is aligned is at most this wide.
const WIDEST_HEAD: usize = 24;

/// Of a table's rows: how far from their beginning the lines below them begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Below {
    /// A paragraph, or braces.
    pub title: usize,
    /// More cells.
    pub bar: usize,
}

/// Sets the blanks before all that stands in columns; of each table by its brace, where what is
/// below its rows begins.
pub(super) fn align(tokens: &mut [Token<'_>], lines: &[Line], marks: &Marks<'_>, text: &str) -> HashMap<usize, Below> {
    let mut below = HashMap::new();
    for group in &marks.groups {
        let table = Table { tokens, lines, group, text };
        match group.kind {
            Kind::Rows => {
                let rows = table.all();
                let columns = columns(tokens, &rows, gap);
                below.insert(group.braces.0, below_rows(&columns));
                apply(tokens, &rows, &columns, gap);
            }
            Kind::Names => {
                let rows = table.all();
                let columns = columns(tokens, &rows, |_| 1);
                apply(tokens, &rows, &columns, |_| 1);
            }
            Kind::Holds | Kind::Signs => {
                for run in table.runs() {
                    if group.kind == Kind::Holds {
                        let columns = columns(tokens, &run, |_| 1);
                        apply(tokens, &run, &columns, |_| 1);
                    } else {
                        signs(tokens, &run);
                    }
                }
            }
        }
    }
    below
}

/// Blanks before a column of a table.
fn gap(column: u32) -> usize {
    if column > 3 && column != BODY { 1 } else { 2 }
}

/// A row's cells as tokens, each with its column.
struct Cells {
    cells: Vec<(u32, usize)>,
    /// Where the author had the end of the sign, from the beginning.
    sign: usize,
}

struct Table<'a, 't> {
    tokens: &'a [Token<'t>],
    lines: &'a [Line],
    group: &'a Group,
    text: &'a str,
}

impl Table<'_, '_> {
    fn token(&self, place: usize) -> Option<usize> {
        self.tokens.binary_search_by_key(&place, |token| token.start).ok()
    }

    /// Whether a token begins its line, or stands behind the brace that begins its block.
    fn leads(&self, token: usize) -> bool {
        let first = self.lines[self.tokens[token].line].tokens.start;
        first == token
            || (self.tokens[token - 1].role == Role::BlockOpen && self.tokens[token - 1].start == self.group.braces.0)
    }

    /// The cells of a row that stand on the line it begins, if it leads its line.
    fn cells(&self, row: &Row) -> Option<Cells> {
        let (_, start) = *row.cells.first()?;
        let first = self.token(start).filter(|first| self.leads(*first))?;
        let line = self.tokens[first].line;
        let cells = row.cells.iter().filter_map(|(column, place)| Some((*column, self.token(*place)?)));
        let cells: Vec<_> = cells.take_while(|(_, token)| self.tokens[*token].line == line).collect();
        let sign = match row.cells.get(1) {
            Some((_, sign)) if self.group.kind == Kind::Signs => {
                let end = sign + self.text[*sign..].find('=').map_or(0, |i| i + 1);
                width(&self.text[start..end])
            }
            _ => 0,
        };
        Some(Cells { cells, sign })
    }

    /// All rows that begin a line, none if the braces stand on one line.
    fn all(&self) -> Vec<Cells> {
        let (open, close) = self.group.braces;
        if close > 0 && self.line_at(open) == self.line_at(close) {
            return Vec::new();
        }
        let rows = &self.group.rows;
        let alone = |row: &Row| close > 0 || rows_on_line(self, row) == 1;
        rows.iter().filter(|row| alone(row)).filter_map(|row| self.cells(row)).collect()
    }

    fn line_at(&self, place: usize) -> usize {
        let token = self.tokens.partition_point(|token| token.start < place);
        self.tokens.get(token).map_or(self.lines.len(), |token| token.line)
    }

    /// Rows that follow each other from line to line; the last may go on over several.
    fn runs(&self) -> Vec<Vec<Cells>> {
        let mut runs: Vec<Vec<Cells>> = Vec::new();
        let mut next = None;
        for row in &self.group.rows {
            let Some(cells) = self.cells(row).filter(|cells| self.takes_part(cells)) else {
                next = None;
                continue;
            };
            let line = self.tokens[cells.cells[0].1].line;
            let goes_on = next == Some(line)
                && self.lines[line].blanks == 0
                && runs.last().and_then(|run| run.last()).is_some_and(|last| last.sign == cells.sign);
            match runs.last_mut() {
                Some(run) if goes_on => run.push(cells),
                _ => runs.push(vec![cells]),
            }
            next = Some(self.last_line(row) + 1);
        }
        runs
    }

    fn last_line(&self, row: &Row) -> usize {
        let behind = self.tokens.partition_point(|token| token.start < row.end);
        self.tokens.get(behind.saturating_sub(1)).map_or(0, |token| token.line)
    }

    fn takes_part(&self, cells: &Cells) -> bool {
        let [(_, first), (_, second)] = cells.cells[..] else { return false };
        let block = self.tokens[second].role == Role::BlockOpen;
        let last = self.lines[self.tokens[first].line].tokens.end == second + 1;
        !(block && last) && span(self.tokens, first, second) <= WIDEST_HEAD
    }
}

/// How many names begin on the line of one.
fn rows_on_line(table: &Table<'_, '_>, row: &Row) -> usize {
    let Some(line) = row.cells.first().map(|(_, place)| table.line_at(*place)) else { return 0 };
    let begins = |row: &Row| row.cells.first().map_or(0, |(_, place)| *place);
    let Some(first) = table.lines.get(line).map(|line| table.tokens[line.tokens.start].start) else { return 0 };
    let from = table.group.rows.partition_point(|row| begins(row) < first);
    table.group.rows[from..].iter().take(2).filter(|row| table.line_at(begins(row)) == line).count()
}

/// Columns from the beginning of one token to the end of the one before another.
fn span(tokens: &[Token<'_>], first: usize, behind: usize) -> usize {
    let between: usize = tokens[first..behind].iter().map(|token| token.before + token.width).sum();
    between - tokens.get(first).map_or(0, |token| token.before)
}

/// Where each column begins, as near as its cells allow.
fn columns(tokens: &[Token<'_>], rows: &[Cells], gap: impl Fn(u32) -> usize) -> BTreeMap<u32, usize> {
    // Of each column, the columns before it with their widest cell.
    let mut pairs: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for row in rows {
        for two in row.cells.windows(2) {
            let [(before, first), (column, second)] = *two else { continue };
            let wide = span(tokens, first, second);
            if wide <= WIDEST_CELL {
                let widest = pairs.entry((column, before)).or_default();
                *widest = wide.max(*widest);
            }
        }
    }
    let mut starts = BTreeMap::from([(0, 0)]);
    for ((column, before), wide) in pairs {
        let at = starts.get(&before).copied().unwrap_or(0) + wide + gap(column);
        let start = starts.entry(column).or_default();
        *start = at.max(*start);
    }
    starts
}

fn apply(tokens: &mut [Token<'_>], rows: &[Cells], columns: &BTreeMap<u32, usize>, gap: impl Fn(u32) -> usize) {
    for row in rows {
        let mut at = 0;
        for two in row.cells.windows(2) {
            let [(_, first), (column, second)] = *two else { continue };
            let end = at + span(tokens, first, second);
            at = columns.get(&column).copied().unwrap_or(0).max(end + gap(column));
            tokens[second].before = at - end;
        }
    }
}

fn below_rows(columns: &BTreeMap<u32, usize>) -> Below {
    let column = |of: std::ops::Range<u32>| columns.range(of).next().map(|(_, at)| *at);
    let bar = column(3..BODY);
    let title = column(1..3).unwrap_or(4);
    Below { title, bar: bar.unwrap_or(title) }
}

/// Signs end in one column: `hp      -= 1` below `temp_hp -= 1`.
fn signs(tokens: &mut [Token<'_>], run: &[Cells]) {
    let head = |tokens: &[Token<'_>], row: &Cells| span(tokens, row.cells[0].1, row.cells[1].1);
    let width = |tokens: &[Token<'_>], row: &Cells| head(tokens, row) + 1 + tokens[row.cells[1].1].width;
    let widest = run.iter().map(|row| width(tokens, row)).max().unwrap_or(0);
    for row in run {
        let missing = widest - width(tokens, row);
        tokens[row.cells[1].1].before = 1 + missing;
    }
}
