//! Common slips where reading stopped, each with its own message, what to type and the edit.

mod forms;
mod names;
mod signs;
mod typed;

pub(super) use names::slug;

use super::fault::Stop;
use crate::diagnostics::{Code, Diagnostic};
use crate::wording::Wording;

/// The slip that explains why reading stopped, if it is one of the common ones.
pub(super) fn find(stop: &Stop<'_>) -> Option<Diagnostic> {
    let slips: [fn(&Stop<'_>) -> Option<Diagnostic>; 31] = [
        typed::reference,
        typed::words_behind,
        signs::curly_quotes,
        signs::comment,
        signs::arrow,
        signs::signs_of_other_languages,
        signs::decimal,
        forms::elif,
        forms::then_after_if,
        signs::equals_for_compare,
        signs::colon_for_equals,
        signs::equals_for_colon,
        signs::bounds_behind_equals,
        forms::rounding,
        signs::clock_backwards,
        forms::needs_more,
        names::hyphen_in_name,
        forms::faces_missing,
        forms::glued_to_dice,
        forms::misspelt_here,
        names::name_missing,
        names::reserved,
        forms::misspelt_first,
        forms::happens_or_holds,
        names::title_without_quotes,
        signs::colon_missing,
        signs::equals_missing,
        names::blank_in_name,
        forms::other_form,
        signs::arrow_missing,
        forms::behind_the_row,
    ];
    slips.iter().find_map(|slip| slip(stop))
}

fn error(message: impl Into<Wording>) -> Diagnostic {
    Diagnostic::error(Code::Syntax, message)
}
