//! Text to tree. Reading never fails: there is always a tree, and the faults beside it.
//!
//! The [outline](outline) cuts the text into items, rows, parts, sentences and steps; each is
//! read by a rule of the grammar under `grammar/` and becomes a node of the [`tree`]. So a fault
//! in one hides nothing in another.

mod brackets;
mod dice;
mod dice_notes;
mod dice_words;
mod expression;
mod fault;
mod format;
mod grammar;
mod item;
mod outline;
mod pasted;
mod pieces;
mod precedence;
mod quick;
mod reader;
mod scan;
mod scenario;
mod sentence;
mod sheet;
mod slip;
mod table;
pub mod tree;
mod types;
mod words;

#[cfg(test)]
mod tests;

pub use expression::STEPS;
pub use format::format;
pub use reader::{ENTRIES, FAULTS, NESTING, PIECE_BYTES};

use crate::diagnostics::{Diagnostic, sort};
use crate::dice::Dialect;
use crate::source::FileId;
use grammar::Rule;
use outline::Outline;
use pieces::{Cut, Pieces};
use reader::Reader;

/// Reads a rule file. What cannot be read is left out of the tree and told in the diagnostics,
/// sorted by place; [`tree::File::whole`] says whether anything was left out.
///
/// At most [`FAULTS`] faults are collected; behind them the file is not read on.
pub fn parse(file: FileId, text: &str) -> (tree::File, Vec<Diagnostic>) {
    read(file, text, true)
}

/// Reads a rule file; without `quick` all of it by the grammar.
fn read(file: FileId, text: &str, quick: bool) -> (tree::File, Vec<Diagnostic>) {
    let mut outline = Outline::new(text);
    let mut broken = Vec::new();
    let items = outline::items(&mut outline, &mut broken);
    let mut reader = Reader::new(file, &outline);
    reader.quick = quick;
    for broken in broken {
        let fault = fault::broken(&reader, broken);
        reader.fault(fault);
    }
    let mut tree = tree::File::default();
    reader.dialect = item::dialect(&items, text);
    for lines in items {
        if reader.given_up() {
            reader.unread = true;
            break;
        }
        tree.items.extend(reader.item(lines));
    }
    tree.whole = !reader.unread;
    let mut faults = reader.faults;
    sort(&mut faults);
    (tree, faults)
}

/// Reads one value, as it is typed at `roll`. A comment may follow `#`. Nothing may be left over:
/// without a value there is an error.
pub fn parse_expression(file: FileId, text: &str) -> (Option<tree::Expr>, Vec<Diagnostic>) {
    parse_expression_in(file, text, Dialect::Cicatriz)
}

/// The same, in another tool's notation.
pub fn parse_expression_in(file: FileId, text: &str, dialect: Dialect) -> (Option<tree::Expr>, Vec<Diagnostic>) {
    let end = scan::remark(text);
    let mut outline = Outline::new(text);
    let mut broken = Vec::new();
    outline::brackets(&mut outline, 0..end, &mut broken);
    let mut reader = Reader::new(file, &outline);
    reader.dialect = dialect;
    for broken in broken {
        let fault = fault::broken(&reader, broken);
        reader.fault(fault);
    }
    if !reader.faults.is_empty() {
        // What stands within is not to be told before it is closed.
        return (None, reader.faults);
    }
    let mut value = None;
    match Pieces::new(&outline, 0..end, Cut::Whole, NESTING).next() {
        Some(piece) => {
            value = reader.piece(Rule::whole_expression, &piece, |reader, pair| Some(reader.value(pair)));
            if let (Some(value), Dialect::Avrae) = (&mut value, dialect) {
                expression::round_at_the_end(value);
            }
        }
        None => {
            let fault = fault::nothing(&reader, end);
            reader.fault(fault);
        }
    }
    let mut faults = reader.faults;
    sort(&mut faults);
    (value, faults)
}
