//! Draws diagnostics for people. The one file that names miette.
//!
//! What is drawn is never the file itself but an excerpt of it: a few lines, cut to the width of
//! the drawing. So a file of any size, with any bytes in it, costs a few lines of output.

#[cfg(feature = "cli")]
mod excerpt;
#[cfg(feature = "cli")]
mod line;
mod wording;

use super::{Diagnostic, Severity, TOLD};
use crate::source::Source;

/// How diagnostics are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawing {
    /// With the colours of a terminal (ANSI escapes).
    pub color: bool,
    /// Lines and arrows in Unicode; else in ASCII. The user's own text is shown as it is.
    pub unicode: bool,
    /// Columns to stay within. Less than 40 is taken as 40.
    pub width: usize,
}

impl Default for Drawing {
    /// For a place nothing is known of: no colour, ASCII, 80 columns.
    fn default() -> Self {
        Drawing { color: false, unicode: false, width: 80 }
    }
}

impl Drawing {
    #[cfg(feature = "cli")]
    fn columns(&self) -> usize {
        self.width.max(40)
    }
}

/// Tells the diagnostics in the order given, each with the lines it speaks of, and counts them at
/// the end (`2 errors, 1 warning`). At most [`TOLD`] are told in full: errors before warnings before
/// notes; the rest are a number. A file is the source at the index of its [`crate::source::FileId`].
/// Nothing for no diagnostics. Spans that do not fit their text are cut to it.
pub fn draw(diagnostics: &[Diagnostic], sources: &[Source], drawing: &Drawing) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    for index in told(diagnostics) {
        let one = shape::one(&diagnostics[index], sources, drawing);
        one.lines().for_each(|line| {
            text.push_str(line.trim_end());
            text.push('\n');
        });
        text.push('\n');
    }
    if diagnostics.len() > TOLD {
        let dots = if drawing.unicode { "…" } else { "..." };
        text.push_str(&format!("{dots} and {} more\n", diagnostics.len() - TOLD));
    }
    text.push_str(&summary(diagnostics));
    text.push('\n');
    text
}

/// How many of each: `2 errors, 1 warning`. Empty for no diagnostics.
pub fn summary(diagnostics: &[Diagnostic]) -> String {
    [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")]
        .into_iter()
        .map(|(severity, name)| (diagnostics.iter().filter(|d| d.severity == severity).count(), name))
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}{}", if count == 1 { "" } else { "s" }))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Which ones are told in full, by index: the gravest, in the order given.
fn told(diagnostics: &[Diagnostic]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..diagnostics.len()).collect();
    order.sort_by_key(|index| diagnostics[*index].severity);
    order.truncate(TOLD);
    order.sort_unstable();
    order
}

/// As miette draws it.
#[cfg(feature = "cli")]
mod shape {
    use std::fmt;

    use miette::{
        GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan,
        SpanContents, ThemeCharacters, ThemeStyles,
    };

    use super::excerpt::Excerpt;
    use super::{Drawing, wording};
    use crate::diagnostics::{Diagnostic, Severity};
    use crate::source::Source;

    pub fn one(diagnostic: &Diagnostic, sources: &[Source], drawing: &Drawing) -> String {
        let width = drawing.columns() - 10;
        let report = Report {
            diagnostic,
            message: wording::wrapped(&diagnostic.message, width),
            help: diagnostic.help.as_ref().map(|help| wording::wrapped(help, width)),
            excerpt: Excerpt::of(&diagnostic.labels, sources, drawing),
        };
        let mut text = String::new();
        match handler(drawing).render_report(&mut text, &report) {
            Ok(()) => text,
            Err(fmt::Error) => wording::plain(diagnostic, sources),
        }
    }

    fn handler(drawing: &Drawing) -> GraphicalReportHandler {
        let characters = if drawing.unicode {
            ThemeCharacters::unicode()
        } else {
            // miette's own are `x`, `!` and `>`, which nobody can tell apart unless told.
            ThemeCharacters {
                error: "error:".into(),
                warning: "warning:".into(),
                advice: "note:".into(),
                ..ThemeCharacters::ascii()
            }
        };
        let styles = if drawing.color { ThemeStyles::ansi() } else { ThemeStyles::none() };
        // Wrapping is ours: miette's breaks `1-3` at the hyphen.
        GraphicalReportHandler::new_themed(GraphicalTheme { characters, styles })
            .with_width(drawing.columns())
            .with_wrap_lines(false)
            .with_links(false)
            .without_syntax_highlighting()
    }

    #[derive(Debug)]
    struct Report<'a> {
        diagnostic: &'a Diagnostic,
        message: String,
        help: Option<String>,
        excerpt: Excerpt,
    }

    impl fmt::Display for Report<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&self.message)
        }
    }

    impl std::error::Error for Report<'_> {}

    impl miette::Diagnostic for Report<'_> {
        fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
            Some(Box::new(self.diagnostic.code))
        }

        fn severity(&self) -> Option<miette::Severity> {
            Some(match self.diagnostic.severity {
                Severity::Error => miette::Severity::Error,
                Severity::Warning => miette::Severity::Warning,
                Severity::Note => miette::Severity::Advice,
            })
        }

        fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
            self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
        }

        fn source_code(&self) -> Option<&dyn SourceCode> {
            (!self.excerpt.marks.is_empty()).then_some(&self.excerpt as &dyn SourceCode)
        }

        fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
            Some(Box::new(self.excerpt.marks.iter().map(|mark| {
                let span = SourceSpan::from(mark.range.clone());
                let text = (!mark.text.is_empty()).then(|| mark.text.clone());
                if mark.main {
                    LabeledSpan::new_primary_with_span(text, span)
                } else {
                    LabeledSpan::new_with_span(text, span)
                }
            })))
        }
    }

    /// miette asks twice: without lines around for where a label starts, with them for what to show.
    impl SourceCode for Excerpt {
        fn read_span<'a>(
            &'a self,
            span: &SourceSpan,
            before: usize,
            _after: usize,
        ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
            let range = span.offset()..span.offset() + span.len();
            let run = self.run(&range).ok_or(MietteError::OutOfBounds)?;
            let mark = self.marks.iter().find(|mark| mark.range.start == range.start);
            let (shown, line, column) = match mark {
                Some(mark) if before == 0 => (range, mark.place.line, mark.place.column),
                _ => (run.text.clone(), run.first, 1),
            };
            let data = &self.text.as_bytes()[shown.clone()];
            Ok(Box::new(MietteSpanContents::new_named(
                run.name.clone(),
                data,
                shown.into(),
                line - 1,
                column - 1,
                run.lines,
            )))
        }
    }
}

/// Without the drawing of the command line: a line for each thing to tell.
#[cfg(not(feature = "cli"))]
mod shape {
    use super::{Drawing, wording};
    use crate::diagnostics::Diagnostic;
    use crate::source::Source;

    pub fn one(diagnostic: &Diagnostic, sources: &[Source], _drawing: &Drawing) -> String {
        wording::plain(diagnostic, sources)
    }
}

#[cfg(all(test, feature = "cli"))]
mod tests;
