//! The text of a diagnostic made fit for a terminal: nothing in it can move the cursor, fill the
//! screen or break in the middle of something to paste.

use super::super::{Diagnostic, Severity};
use crate::source::Source;
use crate::wording::Ui;

/// The most characters of one message, label or help that are shown.
const SHOWN: usize = 2_000;

/// What is shown for a character: control characters, invisible ones and those that turn the
/// direction of writing become a visible one. Line breaks and tabs are the caller's.
pub fn visible(c: char) -> char {
    let hidden = c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    if hidden { '\u{fffd}' } else { c }
}

/// The text with every character visible, cut where it is too long to be read.
pub fn tidy(text: &str) -> String {
    let show = |c| if c == '\n' { c } else { visible(c) };
    let mut tidy: String = text.chars().take(SHOWN).map(show).collect();
    if text.chars().nth(SHOWN).is_some() {
        tidy.push('…');
    }
    tidy
}

/// The text in lines of at most `width` characters where its spaces allow it. Never breaks between
/// backticks, so that what is to be typed stays in one piece; lines that begin with a space are kept.
#[cfg(feature = "cli")]
pub fn wrapped(text: &str, width: usize) -> String {
    let mut wrapped = String::new();
    for (number, line) in tidy(text).split('\n').enumerate() {
        if number > 0 {
            wrapped.push('\n');
        }
        if line.starts_with(' ') {
            wrapped.push_str(line);
            continue;
        }
        let mut column = 0;
        for word in pieces(line) {
            let long = word.chars().count();
            if column > 0 && column + 1 + long > width {
                wrapped.push('\n');
                column = 0;
            } else if column > 0 {
                wrapped.push(' ');
                column += 1;
            }
            wrapped.push_str(word);
            column += long;
        }
    }
    wrapped
}

/// The words of a line; what stands between backticks is one word with what touches it.
#[cfg(feature = "cli")]
fn pieces(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '`' => quoted = !quoted,
            ' ' if !quoted => {
                pieces.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&line[start..]);
    pieces
}

/// Without lines, arrows or source text: `x.rules:3:5: error[table::gap]: …`, then what else to tell.
pub fn plain(diagnostic: &Diagnostic, sources: &[Source], ui: &Ui) -> String {
    let place = |span: crate::source::Span| {
        sources.get(usize::from(span.file.0)).map(|source| {
            let place = source.place(span.start as usize);
            format!("{}:{}:{}: ", tidy(&source.name), place.line, place.column)
        })
    };
    let severity = ui.word(match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    });
    let mut text = diagnostic.span().and_then(place).unwrap_or_default();
    text.push_str(&format!("{severity}[{}]: {}\n", diagnostic.code, tidy(&ui.say(&diagnostic.message))));
    for label in diagnostic.labels.iter().filter(|label| !label.text.is_empty()) {
        let place = place(label.span).unwrap_or_default();
        text.push_str(&format!("  {place}{}\n", tidy(&ui.say(&label.text))));
    }
    if let Some(help) = &diagnostic.help {
        text.push_str(&format!("  {} {}\n", ui.word("help:"), tidy(&ui.say(help)).replace('\n', "\n        ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Code;
    use crate::source::{FileId, Span};

    #[test]
    #[cfg(feature = "cli")]
    fn breaks_at_spaces_but_not_inside_backticks() {
        assert_eq!(wrapped("uno dos tres", 8), "uno dos\ntres");
        assert_eq!(wrapped("write `1-3 graze`, then", 14), "write\n`1-3 graze`,\nthen");
        assert_eq!(wrapped("unclosed ` is one piece", 4), "unclosed\n` is one piece");
        assert_eq!(wrapped("a  b", 80), "a  b");
        assert_eq!(wrapped("first\n  4  keep these spaces as they are", 8).lines().count(), 2);
    }

    #[test]
    fn nothing_in_a_text_moves_the_cursor() {
        assert_eq!(tidy("a\u{1b}[2Jb\rc\u{202e}d\ne"), "a\u{fffd}[2Jb\u{fffd}c\u{fffd}d\ne");
        assert_eq!(tidy(&"x".repeat(SHOWN + 1)).chars().count(), SHOWN + 1);
        assert!(tidy(&"x".repeat(SHOWN + 1)).ends_with('…'));
    }

    #[test]
    fn plain_tells_place_code_labels_and_help() {
        let source = Source::new("x.rules", "1-3\n5");
        let diagnostic = Diagnostic::error(Code::TableGap, "no row answers `4`")
            .label(Span::new(FileId(0), 0..3), "ends at 3")
            .label(Span::new(FileId(0), 4..5), "begins at 5")
            .help("type `1-4`\nor `4-5`");
        assert_eq!(
            plain(&diagnostic, &[source], Ui::english()),
            "x.rules:1:1: error[table::gap]: no row answers `4`\n  x.rules:1:1: ends at 3\n  \
             x.rules:2:1: begins at 5\n  help: type `1-4`\n        or `4-5`\n"
        );
    }
}
