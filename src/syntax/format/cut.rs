//! Walks a text as the reader does, piece by piece, and marks what stands where.

use std::ops::Range;

use pest::Parser;

use super::super::NESTING;
use super::super::grammar::{Grammar, Pair, Rule};
use super::super::outline::{self, Outline};
use super::super::pieces::{Cut, Piece, Pieces};
use super::super::scan;
use super::marks::{BLOCK, BODY, Group, Kind, Marks, PIECE, ROWS, Row};

/// Marks a text in which there is no fault.
pub(super) fn marks(text: &str) -> Marks<'_> {
    let mut outline = Outline::new(text);
    let items = outline::items(&mut outline, &mut Vec::new());
    let mut walk = Walk { outline: &outline, marks: Marks::new(text) };
    walk.marks.as_written = items.iter().any(|item| scan::word(text, item.range.start) == "dialect");
    for item in &items {
        walk.item(item);
    }
    let mut marks = walk.marks;
    marks.labels.sort_by_key(|label| label.start);
    marks.edits.sort_by_key(|edit| (edit.range.start, !edit.behind));
    marks
}

struct Walk<'o, 't> {
    outline: &'o Outline<'t>,
    marks: Marks<'t>,
}

impl<'t> Walk<'_, 't> {
    fn item(&mut self, item: &outline::Lines) {
        let text = self.outline.text;
        let start = item.range.start;
        self.marks.set(start, PIECE);
        let word = match scan::word(text, start) {
            "extend" => scan::word(text, scan::past_blanks(text.as_bytes(), start + "extend".len(), text.len())),
            word => word,
        };
        let (rule, inside) = match word {
            "system" => (Rule::whole_system, None),
            "dialect" => (Rule::whole_dialect, None),
            "option" => (Rule::whole_option, None),
            "use" => (Rule::whole_use, None),
            "clock" => (Rule::whole_clock, None),
            "time" => (Rule::whole_time, None),
            "kind" => (Rule::whole_kind, None),
            "table" => (Rule::whole_table, Some((Cut::Rows, Rule::whole_row))),
            "sheet" => (Rule::whole_sheet, Some((Cut::Parts, Rule::whole_part))),
            _ => (Rule::whole_scenario, Some((Cut::Steps, Rule::whole_step))),
        };
        let braces = item.braces.filter(|_| inside.is_some());
        let end = braces.map_or(item.range.end, |(open, _)| open);
        if let Some(head) = Pieces::new(self.outline, start..end, Cut::Whole, NESTING).next()
            && let Some(pair) = self.parse(rule, head.range)
        {
            if matches!(pair.as_rule(), Rule::kind | Rule::option) {
                self.members(&pair);
            }
            self.walk(pair, rule, 0);
        }
        if let (Some((open, close)), Some((cut, rule))) = (braces, inside) {
            self.block(open, close, cut, rule, 0);
        }
    }

    fn parse(&self, rule: Rule, range: Range<usize>) -> Option<Pair<'t>> {
        let text: &'t str = &self.outline.text[range];
        Grammar::parse(rule, text).ok()?.next()
    }

    /// Marks a node and all that is in it.
    fn walk(&mut self, pair: Pair<'t>, parent: Rule, depth: usize) {
        let rule = pair.as_rule();
        if rule == Rule::block {
            let range = self.marks.range(&pair);
            let (cut, inner) = match parent {
                Rule::hold | Rule::state_row => (Cut::Parts, Rule::whole_part),
                Rule::state_by => (Cut::ShortRows, Rule::whole_state_row),
                Rule::roll => (Cut::ShortRows, Rule::whole_inline_row),
                Rule::given => (Cut::Steps, Rule::whole_given_set),
                Rule::outcome => (Cut::Steps, Rule::whole_case),
                _ => (Cut::Sentences, Rule::whole_sentence),
            };
            return self.block(range.start, range.end - 1, cut, inner, depth + 1);
        }
        self.marks.node(&pair, parent, depth);
        for part in pair.into_inner() {
            self.walk(part, rule, depth + 1);
        }
    }

    /// Marks braces and the pieces between them.
    fn block(&mut self, open: usize, close: usize, cut: Cut, rule: Rule, depth: usize) {
        self.marks.set(open, if rule == Rule::whole_row { BLOCK | ROWS } else { BLOCK });
        let kinds = [Kind::Rows, Kind::Names, Kind::Holds, Kind::Signs];
        let mut groups = kinds.map(|kind| Group { kind, braces: (open, close), rows: Vec::new() });
        for piece in Pieces::new(self.outline, open + 1..close, cut, NESTING) {
            self.marks.set(piece.range.start, PIECE);
            let first = match piece.below.filter(|_| rule == Rule::whole_row) {
                Some(below) => {
                    if let Some(pair) = self.parse(Rule::whole_below, below..piece.range.end) {
                        self.walk(pair, Rule::whole_below, depth);
                    }
                    let end = self.outline.text[piece.range.start..below].trim_end().len();
                    piece.range.start..piece.range.start + end
                }
                None => piece.range.clone(),
            };
            let Some(pair) = self.parse(rule, first) else { continue };
            if let Some((kind, cells)) = self.cells(&pair, &piece) {
                let group = groups.iter_mut().find(|group| group.kind == kind);
                group.into_iter().for_each(|group| group.rows.push(Row { cells: cells.clone(), end: piece.range.end }));
            }
            self.walk(pair, rule, depth);
        }
        self.marks.groups.extend(groups.into_iter().filter(|group| !group.rows.is_empty()));
    }

    /// Where the cells of a piece begin that may stand in columns.
    fn cells(&self, pair: &Pair<'t>, piece: &Piece) -> Option<(Kind, Vec<(u32, usize)>)> {
        let start = piece.range.start;
        let mut parts = pair.clone().into_inner();
        let place = |part: &Pair<'t>| self.marks.range(part).start;
        let kind = match pair.as_rule() {
            Rule::row | Rule::state_row | Rule::inline_row => {
                let cells = self.row(pair, start)?;
                return Some((Kind::Rows, cells));
            }
            Rule::outcome_case => Kind::Names,
            Rule::hold => Kind::Holds,
            Rule::acts | Rule::let_step | Rule::given_set => Kind::Signs,
            _ => return None,
        };
        let second = parts.find(|part| match kind {
            Kind::Names => part.as_rule() == Rule::text,
            Kind::Holds => part.as_rule() == Rule::block,
            _ => matches!(part.as_rule(), Rule::change_sign | Rule::equals),
        })?;
        Some((kind, vec![(0, start), (1, place(&second))]))
    }

    fn row(&self, pair: &Pair<'t>, start: usize) -> Option<Vec<(u32, usize)>> {
        let mut cells = vec![(0, start)];
        let mut bars = 3;
        let mut parts: Vec<Pair<'t>> = pair.clone().into_inner().collect();
        if let Some(state) = parts.iter().position(|part| part.as_rule() == Rule::state) {
            let of_state: Vec<_> = parts[state].clone().into_inner().collect();
            parts.splice(state..=state, of_state);
        }
        for part in parts.into_iter().skip(1) {
            let column = match part.as_rule() {
                Rule::any_name | Rule::name => 1,
                Rule::text => 2,
                Rule::bar => {
                    bars += 1;
                    bars - 1
                }
                Rule::final_word | Rule::block => BODY,
                _ => continue,
            };
            let place = self.marks.range(&part).start;
            if cells.last().is_some_and(|(before, _)| *before < column) {
                cells.push((column, place));
            }
        }
        let removed = pair.clone().into_inner().next()?.as_rule() == Rule::removed;
        (!removed).then_some(cells)
    }

    /// The names of a kind, each with the sign before it.
    fn members(&mut self, pair: &Pair<'t>) {
        let mut rows = Vec::new();
        let mut sign = None;
        let flat = pair.clone().into_inner().flat_map(|part| match part.as_rule() {
            Rule::members => part.into_inner().collect::<Vec<_>>(),
            _ => vec![part],
        });
        for part in flat {
            let range = self.marks.range(&part);
            match part.as_rule() {
                Rule::equals | Rule::bar => sign = Some(range.start),
                Rule::member => {
                    let title = part.into_inner().find(|part| part.as_rule() == Rule::text);
                    if let Some(sign) = sign.take() {
                        let mut cells = vec![(0, sign)];
                        cells.extend(title.map(|title| (1, self.marks.range(&title).start)));
                        rows.push(Row { cells, end: range.end });
                    }
                }
                _ => {}
            }
        }
        self.marks.groups.push(Group { kind: Kind::Names, braces: (0, 0), rows });
    }
}
