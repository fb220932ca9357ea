//! Common slips where reading stopped, each with its own message, what to type and the edit.

mod forms;
mod names;
mod rows;
mod signs;
mod speech;
mod steps;
mod typed;

pub(super) use names::slug;

use super::fault::Stop;
use crate::diagnostics::{Code, Diagnostic};
use crate::wording::Wording;

/// The slip that explains why reading stopped, if it is one of the common ones.
pub(super) fn find(stop: &Stop<'_>) -> Option<Diagnostic> {
    let slips: [fn(&Stop<'_>) -> Option<Diagnostic>; 56] = [
        typed::reference,
        typed::kept_in_words,
        typed::words_behind,
        speech::language,
        speech::chance_in_percent,
        speech::has_in_a_condition,
        speech::change_in_words,
        speech::text_without_quotes,
        speech::forever,
        speech::spanish,
        rows::other_ranges,
        rows::colon_behind_key,
        rows::number_behind_name,
        rows::two_on_a_line,
        steps::expect,
        steps::is_for_equals,
        steps::sign_missing,
        steps::argument_without_parentheses,
        steps::dice_with_a_sign,
        signs::curly_quotes,
        signs::comment,
        signs::arrow,
        signs::signs_of_other_languages,
        steps::percent_missing,
        signs::decimal,
        forms::elif,
        forms::then_after_if,
        signs::colon_for_brace,
        signs::comma_between_sentences,
        signs::change_without_equals,
        signs::dash_for_dots,
        signs::bar_between_states,
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
        rows::braces_missing,
        rows::text_without_row,
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
