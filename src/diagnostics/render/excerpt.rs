//! The few lines of the files that a diagnostic speaks of, cut to the width there is.

use std::ops::Range;

use super::Drawing;
use super::line::{Line, content, takes_at_most};
use super::words::tidy;
use crate::diagnostics::Label;
use crate::say;
use crate::source::{Place, Source};
use crate::wording::Ui;

/// Columns taken by line numbers and borders.
const GUTTER: usize = 10;
/// Characters shown before a label that stands far out in a long line.
const LEAD: usize = 16;
/// A label over more lines than this is shown on its first line only.
const TALL: usize = 6;

/// A text of its own: the shown lines of all files, each ended by a line feed.
#[derive(Debug, Default)]
pub struct Excerpt {
    pub text: String,
    pub runs: Vec<Run>,
    pub marks: Vec<Mark>,
}

/// Lines of one file that stand one below the other.
#[derive(Debug)]
pub struct Run {
    pub name: String,
    /// The number of its first line in its file, from 1.
    pub first: usize,
    /// How many lines.
    pub lines: usize,
    /// Where it stands in the excerpt.
    pub text: Range<usize>,
}

/// A label in the excerpt.
#[derive(Debug)]
pub struct Mark {
    /// Where it stands in the excerpt.
    pub range: Range<usize>,
    pub text: String,
    /// Whether it is the diagnostic's first label.
    pub main: bool,
    /// Where it stands in its file.
    pub place: Place,
}

/// A label in its file, its ends within the text.
struct Spot<'a> {
    source: &'a Source,
    file: u16,
    bytes: Range<usize>,
    first: usize,
    last: usize,
    /// Characters at the start of its lines that are not shown.
    skip: usize,
    text: String,
    main: bool,
    place: Place,
}

impl Excerpt {
    /// The lines around each label: those of the main label's file first, then by file and line.
    /// A label of an unknown file, and one without words in an empty file, is left out.
    pub fn of(labels: &[Label], sources: &[Source], drawing: &Drawing<'_>) -> Excerpt {
        let columns = drawing.columns() - GUTTER;
        let main = labels.first().map(|label| label.span.file.0);
        let mut spots: Vec<Spot> = labels
            .iter()
            .enumerate()
            .filter_map(|(index, label)| Spot::of(index == 0, label, sources, columns, drawing.ui))
            .collect();
        // A label over several lines is drawn badly where another stands on its last line.
        for index in 0..spots.len() {
            let (file, last) = (spots[index].file, spots[index].last);
            let meets = |s: &Spot| s.file == file && s.first <= last && last <= s.last;
            let tall = spots[index].first < last;
            if tall && spots.iter().filter(|spot| meets(spot)).count() > 1 {
                spots[index].shorten(drawing.ui);
            }
        }
        spots.sort_by_key(|s| (Some(s.file) != main, s.file, s.bytes.start, s.bytes.end));

        let mut excerpt = Excerpt::default();
        let mut rest = spots.as_slice();
        while let Some(head) = rest.first() {
            let mut last = head.last;
            let mut near = 1;
            while let Some(next) = rest.get(near) {
                // One line of context above and below: with two lines between they touch.
                let touches = next.file == head.file && next.first <= last + 3;
                if !touches || !next.fits(head.skip, columns) {
                    break;
                }
                last = last.max(next.last);
                near += 1;
            }
            excerpt.add(&rest[..near], last, columns, drawing.unicode);
            rest = &rest[near..];
        }
        excerpt.part();
        excerpt
    }

    /// The run that holds all of a range of the excerpt.
    pub fn run(&self, range: &Range<usize>) -> Option<&Run> {
        self.runs.iter().find(|run| run.text.start <= range.start && range.end < run.text.end)
    }

    /// Adds the lines of some spots of one file and their marks.
    fn add(&mut self, spots: &[Spot], last: usize, columns: usize, unicode: bool) {
        let Spot { source, skip, mut first, .. } = spots[0];
        let mut last = last;
        if skip == 0 {
            let worth = |line: usize| !content(source, line).1.trim().is_empty();
            if first > 1 && worth(first - 1) {
                first -= 1;
            }
            if last < source.line_count() && worth(last + 1) {
                last += 1;
            }
        }
        let start = self.text.len();
        let lines: Vec<Line> = (first..=last)
            .map(|line| Line::push(&mut self.text, content(source, line), skip, columns, unicode))
            .collect();
        let find = |line: usize, byte: usize| lines[line - first].find(byte);
        self.marks.extend(spots.iter().map(|spot| {
            let start = find(spot.first, spot.bytes.start);
            Mark {
                range: start..find(spot.last, spot.bytes.end).max(start),
                text: spot.text.clone(),
                main: spot.main,
                place: spot.place,
            }
        }));
        self.runs.push(Run { name: tidy(&source.name), first, lines: lines.len(), text: start..self.text.len() });
    }

    /// Marks on one line must not overlap to be drawn where they stand: the one that begins first
    /// is shown up to the next; of two that begin together the longer is shown from the shorter's
    /// end; two of the same stretch become one.
    fn part(&mut self) {
        self.marks.sort_by_key(|mark| (mark.range.start, mark.range.end));
        let mut at = 0;
        // Each step joins two marks or moves an end; bounded in case it should not settle.
        let mut steps = self.marks.len() * self.marks.len() + 1;
        while at + 1 < self.marks.len() && steps > 0 {
            steps -= 1;
            let (one, two) = (self.marks[at].range.clone(), self.marks[at + 1].range.clone());
            if one == two {
                let two = self.marks.remove(at + 1);
                let one = &mut self.marks[at];
                one.main |= two.main;
                if one.text != two.text && !two.text.is_empty() {
                    let both = [std::mem::take(&mut one.text), two.text];
                    one.text = both.join(if both[0].is_empty() { "" } else { "\n" });
                }
                continue;
            }
            let one_line = !self.text[one.start..two.end.max(one.end)].contains('\n');
            if one_line && two.start < one.end {
                if two.start > one.start {
                    self.marks[at].range.end = two.start;
                } else {
                    self.marks[at + 1].range.start = one.end;
                    self.marks[at + 1..].sort_by_key(|mark| (mark.range.start, mark.range.end));
                    continue;
                }
            }
            at += 1;
        }
    }
}

impl<'a> Spot<'a> {
    fn of(main: bool, label: &Label, sources: &'a [Source], columns: usize, ui: &Ui) -> Option<Spot<'a>> {
        let file = label.span.file.0;
        let source = sources.get(usize::from(file))?;
        if source.text.is_empty() && label.text.is_empty() {
            return None;
        }
        let place = source.place(label.span.start as usize);
        let first = place.line;
        let (first_start, first_text) = content(source, first);
        let start = place.byte.min(first_start + first_text.len());
        let end = source.place(label.span.end as usize);
        // The start of a line is the end of the line before: its break is not worth a line.
        let mut last = if end.column == 1 && end.line > first { end.line - 1 } else { end.line };
        last = last.max(first);
        let (last_start, last_text) = content(source, last);
        let end = end.byte.min(last_start + last_text.len()).max(start);
        let mut spot = Spot {
            source,
            file,
            bytes: start..end,
            first,
            last,
            skip: 0,
            text: tidy(&ui.say(&label.text)),
            main,
            place,
        };
        let indent = first_text[..start - first_start].chars().count();
        if last > first && (last - first > TALL || indent >= columns) {
            spot.shorten(ui);
        }
        let far = !takes_at_most(&source.text[first_start..spot.bytes.end], columns);
        if spot.first == spot.last && far {
            spot.skip = indent.saturating_sub(LEAD);
        }
        Some(spot)
    }

    /// Shows its first line only, and says so.
    fn shorten(&mut self, ui: &Ui) {
        let (start, text) = content(self.source, self.first);
        self.bytes.end = start + text.len();
        let words = say!("{label} (to line {line})", label = self.text, line = self.last);
        self.text = ui.say(&words).trim_start().to_owned();
        self.last = self.first;
    }

    /// Whether it can be shown where so many characters are left out at the start of each line.
    fn fits(&self, skip: usize, columns: usize) -> bool {
        if skip == 0 || self.first != self.last {
            return self.skip == skip;
        }
        let (start, text) = content(self.source, self.first);
        let before = text[..self.bytes.start - start].chars().count();
        let after = before + text[self.bytes.start - start..self.bytes.end - start].chars().count();
        before >= skip && after <= skip + columns
    }
}
