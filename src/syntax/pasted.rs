//! Slips seen before or after a rule reads: pasted rows, odd dashes, forms the grammar lets pass.

use super::fault::short;
use super::grammar::Pair;
use super::outline::{ITEMS, Lines, nearest_item};
use super::pieces::{Piece, is_markdown};
use super::reader::Reader;
use super::scan;
use super::slip::slug;
use crate::diagnostics::{Code, Diagnostic};
use crate::say;
use crate::source::Span;
use crate::wording::Wording;

fn error(message: impl Into<Wording>) -> Diagnostic {
    Diagnostic::error(Code::Syntax, message)
}

/// A row pasted from Markdown or from a spreadsheet.
pub(super) fn row(reader: &Reader<'_, '_>, piece: &Piece) -> Option<Diagnostic> {
    let text = &reader.text[piece.range.clone()];
    let line = text.lines().next().unwrap_or("").trim_end();
    let span = reader.place(piece.range.start..piece.range.start + line.len());
    if is_markdown(line) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if cells.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':' | ' '))) {
            return Some(
                error("this line only rules off a table of Markdown")
                    .label(span, "no row")
                    .help("take it out")
                    .edit(span, ""),
            );
        }
        return Some(rewritten(
            error("this row is pasted from Markdown"),
            span,
            &cells,
            say!("begins and ends with `|`"),
        ));
    }
    let cells: Vec<&str> = line.split('\t').map(str::trim).filter(|cell| !cell.is_empty()).collect();
    if cells.len() > 2 && !line.contains(['"', '|', '{', '“', '«']) && !line.contains("//") {
        return Some(rewritten(
            error("this row is pasted from a spreadsheet"),
            span,
            &cells,
            say!("tabs between its cells"),
        ));
    }
    None
}

/// The row that was most likely meant.
fn rewritten(fault: Diagnostic, span: Span, cells: &[&str], label: Wording) -> Diagnostic {
    let fault = fault.label(span, label);
    let number = |cell: &str| !cell.is_empty() && cell.chars().all(|c| c.is_ascii_digit());
    let mut rest = cells;
    let key = match cells {
        [low, high, _, ..] if number(low) && number(high) => {
            rest = &cells[2..];
            format!("{low}-{high}")
        }
        [first, ..] => {
            rest = &cells[1..];
            first.replace(['–', '—', '−'], "-").replace(' ', "")
        }
        [] => String::new(),
    };
    let answers = |c: char| c.is_ascii_digit() || matches!(c, '-' | '.' | ',' | '+');
    if key.is_empty() || !key.chars().all(answers) || rest.is_empty() {
        return fault.help("write it as `1-3  graze  \"A graze\" | cell | cell`");
    }
    let is_name = |cell: &str| !cell.is_empty() && scan::word(cell, 0) == cell && cell.is_ascii() && !number(cell);
    let id = if is_name(rest[0]) && rest[0].starts_with(|c: char| c.is_ascii_lowercase()) {
        let id = rest[0].to_owned();
        rest = &rest[1..];
        id
    } else {
        slug(rest[0])
    };
    let mut row = format!("{key}  {id}");
    if let [title, ..] = rest {
        row.push_str(&format!("  \"{}\"", title.replace('"', "\\\"")));
    }
    for cell in rest.iter().skip(1) {
        let plain = is_name(cell) || number(cell);
        row.push_str(&if plain { format!(" | {cell}") } else { format!(" | \"{}\"", cell.replace('"', "\\\"")) });
    }
    fault.help(say!("write `{row}`", row)).edit(span, row.clone())
}

/// A range written with another dash than `-`, or with a tab in it: read all the same.
pub(super) fn odd_range(reader: &mut Reader<'_, '_>, span: Span) {
    let written = &reader.text[span.range()];
    let dash = written.chars().find(|c| matches!(c, '–' | '—' | '−'));
    if dash.is_none() && !written.contains('\t') {
        return;
    }
    let plain: String = written
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| if matches!(c, '–' | '—' | '−') { '-' } else { c })
        .collect();
    let what = match dash {
        Some('–') => say!("an en dash"),
        Some('—') => say!("an em dash"),
        Some(_) => say!("a minus sign"),
        None => say!("a tab"),
    };
    let fault = Diagnostic::note(Code::Syntax, say!("there is {what} in this range", what))
        .label(span, say!("read as `{plain}`", plain))
        .help(say!("write `{plain}`", plain))
        .edit(span, plain);
    reader.fault(fault);
}

/// A line at the top of a file that begins no item.
pub(super) fn stray_item(reader: &Reader<'_, '_>, lines: &Lines) -> Diagnostic {
    let start = lines.range.start;
    let text = &reader.text[lines.range.clone()];
    let word = scan::word(reader.text, start);
    if let Some(near) = nearest_item(reader.text, start) {
        let span = reader.place(start..start + word.len());
        return error(say!("`{word}` is not a word of the language", word))
            .label(span, say!("perhaps `{near}`", near))
            .help(say!("write `{near}`", near))
            .edit(span, near);
    }
    let comment = ["#", "--", "/*"].iter().find(|mark| text.starts_with(**mark));
    if let Some(mark) = comment {
        let span = reader.place(start..start + mark.len());
        let line = text[mark.len()..].lines().next().unwrap_or("").trim_end_matches("*/").trim();
        let fault = error("a comment begins with `//`").label(span, "not how a comment is written");
        let fault = fault.help(say!("write `// {line}`", line = short(line)));
        return if *mark == "/*" { fault } else { fault.edit(span, "//") };
    }
    let line = text.lines().next().unwrap_or("").trim_end();
    let span = reader.place(start..start + line.len().max(1).min(text.len()));
    let words = ITEMS.iter().map(|word| format!("`{word}`"));
    error("this belongs to no table, sheet or scenario")
        .label(span, "stands by itself")
        .help(say!("begin with {words}", words = Wording::either(words)))
}

/// Braces on the first line of a row and again below.
pub(super) fn two_bodies(first: Span, second: Span) -> Diagnostic {
    error("this row has two pairs of braces")
        .label(second, "the second")
        .label(first, "the first")
        .help("put what happens into one: `{ …; … }`")
}

/// `foe.damage(5)`
pub(super) fn dotted_event(reader: &mut Reader<'_, '_>, span: Span, sheet: &str, fields: &[Pair<'_>]) {
    let event = fields.last().map_or("", |field| field.as_str()).trim_start_matches('.').trim_end();
    let mut receiver = sheet.to_owned();
    for field in &fields[..fields.len().saturating_sub(1)] {
        receiver.push_str(field.as_str().trim_end());
    }
    let better = format!("{event} to {receiver}");
    reader.spoil(
        error("nothing happens by this: an event is sent with `to`")
            .label(span, "a value, not a sentence")
            .help(say!("write `{better}`", better))
            .edit(span, better),
    );
}

/// `damage(5) = 3`
pub(super) fn changed_call(reader: &mut Reader<'_, '_>, args: Span, sign: Option<Span>) {
    let fault = error("only a track or a value can be set").label(args, "parentheses belong to an event or a table");
    let fault = match sign {
        Some(sign) => fault.label(sign, "sets it"),
        None => fault,
    };
    reader.spoil(fault.help("set a track: `hp -= 3`"));
}

/// `0..3 or none`
pub(super) fn none_of_numbers(reader: &mut Reader<'_, '_>, ty: Span) {
    reader.spoil(
        error("`or none` goes with the name of a kind or a sheet only")
            .label(ty, "there is always some value of this")
            .help("take out `or none`"),
    );
}
