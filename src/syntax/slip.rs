//! Common slips, each with its own message.

use super::grammar::Pair;
use super::outline::Lines;
use super::pieces::Piece;
use super::reader::Reader;
use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;

pub(super) fn stray_item(reader: &Reader<'_, '_>, lines: &Lines) -> Diagnostic {
    Diagnostic::error(Code::Syntax, "stray").label(reader.place(lines.range.clone()), "")
}
pub(super) fn pasted_row(_reader: &Reader<'_, '_>, _piece: &Piece) -> Option<Diagnostic> {
    None
}
pub(super) fn two_bodies(first: Span, second: Span) -> Diagnostic {
    Diagnostic::error(Code::Syntax, "two bodies").label(second, "").label(first, "")
}
pub(super) fn odd_range(_reader: &mut Reader<'_, '_>, _span: Span) {}
pub(super) fn dotted_event(reader: &mut Reader<'_, '_>, span: Span, _sheet: &str, _fields: &[Pair<'_>]) {
    reader.spoil(Diagnostic::error(Code::Syntax, "dotted").label(span, ""));
}
pub(super) fn changed_call(reader: &mut Reader<'_, '_>, args: Span, _sign: Option<Span>) {
    reader.spoil(Diagnostic::error(Code::Syntax, "changed call").label(args, ""));
}
pub(super) fn none_of_numbers(reader: &mut Reader<'_, '_>, ty: Span) {
    reader.spoil(Diagnostic::error(Code::Syntax, "or none").label(ty, ""));
}
