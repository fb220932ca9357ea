//! The canonical layout of a rule file: one way to write it, whoever wrote it.
//!
//! Where lines break is the author's, and so are the comments. Everything between is not: the
//! [marks] say what each sign is by the grammar, the [tokens] carry the text, [align] brings what
//! stands in columns into columns, [layout] indents and joins.

mod align;
mod comments;
mod cut;
mod layout;
mod marks;
mod tokens;
mod width;

#[cfg(test)]
mod tests;

use crate::diagnostics::{Diagnostic, any_error};
use crate::source::FileId;

/// The text in the canonical layout: the same comments, the same meaning, the same lines.
///
/// The layout of a canonical text is itself. A text with syntax errors is not touched: `Err` is
/// what [`parse`](super::parse) tells of it, in the file [`FileId`] 0.
///
/// ```
/// let text = "kind side=left   \"izquierdo\"|right \"derecho\" //both\n\n\n\n";
/// let canonical = "kind side = left \"izquierdo\" | right \"derecho\" // both\n";
/// assert_eq!(cicatriz::syntax::format(text).as_deref(), Ok(canonical));
/// ```
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let (tree, faults) = super::parse(FileId(0), text);
    if !tree.whole || any_error(&faults) {
        return Err(faults);
    }
    let marks = cut::marks(text);
    let (mut tokens, lines) = tokens::tokens(text, &marks);
    let columns = align::align(&mut tokens, &lines, &marks, text);
    Ok(layout::layout(text, &tokens, &lines, &columns))
}
