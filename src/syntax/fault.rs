//! What the grammar could not read, as a diagnostic.

use std::ops::Range;

use pest::error::{Error, InputLocation};

use super::brackets::Broken;
use super::grammar::Rule;
use super::reader::Reader;
use crate::diagnostics::{Code, Diagnostic};

pub(super) fn unread(reader: &Reader<'_, '_>, rule: Rule, range: Range<usize>, error: &Error<Rule>) -> Diagnostic {
    let at = range.start
        + match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
    Diagnostic::error(Code::Syntax, format!("{rule:?} {:?}", error.variant)).label(reader.place(at..range.end), "here")
}

pub(super) fn broken(reader: &Reader<'_, '_>, broken: Broken) -> Diagnostic {
    let at = match &broken {
        Broken::Open { at } | Broken::Close { at } => *at,
        Broken::BraceMissing { head } => head.end,
        Broken::Quote { open, .. } => *open,
    };
    Diagnostic::error(Code::Syntax, format!("{broken:?}")).label(reader.place(at..at), "here")
}

pub(super) fn nothing(reader: &Reader<'_, '_>, end: usize) -> Diagnostic {
    Diagnostic::error(Code::Syntax, "there is nothing to roll")
        .label(reader.place(0..end), "")
        .help("write some dice: `2d6 + 3`")
}

/// A text cut to fit into a message.
pub(super) fn short(text: &str) -> String {
    if text.chars().count() <= 24 {
        text.to_owned()
    } else {
        format!("{}…", text.chars().take(23).collect::<String>())
    }
}
