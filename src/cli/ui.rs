//! The language in which the command speaks.

use std::sync::OnceLock;

use cicatriz::wording::{Ui, Wording};

static UI: OnceLock<Ui> = OnceLock::new();

/// The language of the command; English until it is known.
pub fn ui() -> &'static Ui {
    UI.get().unwrap_or_else(|| Ui::english())
}

/// A text in the language of the command.
pub fn said(text: impl Into<Wording>) -> String {
    ui().say(&text.into())
}
