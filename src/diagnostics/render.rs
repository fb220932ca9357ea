//! Draws diagnostics for people. The one file that names miette.
//!
//! What is drawn is never the file itself but an excerpt of it: a few lines, cut to the width of
//! the drawing. So a file of any size, with any bytes in it, costs a few lines of output.

#[cfg(feature = "cli")]
mod excerpt;
#[cfg(feature = "cli")]
mod line;
mod words;

use super::{Diagnostic, Severity, TOLD};
use crate::say;
use crate::source::Source;
use crate::wording::{Ui, Wording};

/// How diagnostics are drawn.
#[derive(Debug, Clone, Copy)]
pub struct Drawing<'u> {
    /// With the colours of a terminal (ANSI escapes).
    pub color: bool,
    /// Lines and arrows in Unicode; else in ASCII. The user's own text is shown as it is.
    pub unicode: bool,
    /// Columns to stay within. Less than 40 is taken as 40.
    pub width: usize,
    /// The language of what is told.
    pub ui: &'u Ui,
}

impl Default for Drawing<'_> {
    /// For a place nothing is known of: no colour, ASCII, 80 columns, English.
    fn default() -> Self {
        Drawing { color: false, unicode: false, width: 80, ui: Ui::english() }
    }
}

impl Drawing<'_> {
    #[cfg(feature = "cli")]
    fn columns(&self) -> usize {
        self.width.max(40)
    }
}

/// Tells the diagnostics in the order given, each with the lines it speaks of, and counts them at
/// the end (`2 errors, 1 warning`). At most [`TOLD`] are told in full: errors before warnings before
/// notes; the rest are a number. A file is the source at the index of its [`crate::source::FileId`].
/// Nothing for no diagnostics. Spans that do not fit their text are cut to it.
pub fn draw(diagnostics: &[Diagnostic], sources: &[Source], drawing: &Drawing<'_>) -> String {
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
        let more = say!("{dots} and {count} more", dots, count = diagnostics.len() - TOLD);
        text.push_str(&drawing.ui.say(&more));
        text.push('\n');
    }
    text.push_str(&drawing.ui.say(&summary(diagnostics)));
    text.push('\n');
    text
}

/// How many of each: `2 errors, 1 warning`. Empty for no diagnostics.
pub fn summary(diagnostics: &[Diagnostic]) -> Wording {
    let counted = [Severity::Error, Severity::Warning, Severity::Note].into_iter().filter_map(|severity| {
        let count = diagnostics.iter().filter(|d| d.severity == severity).count();
        let told = match severity {
            Severity::Error => say!("{count} error" | "{count} errors", count),
            Severity::Warning => say!("{count} warning" | "{count} warnings", count),
            Severity::Note => say!("{count} note" | "{count} notes", count),
        };
        (count > 0).then_some(told)
    });
    Wording::list(counted, ", ")
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
    use super::{Drawing, words};
    use crate::diagnostics::{Diagnostic, Severity};
    use crate::source::Source;

    pub fn one(diagnostic: &Diagnostic, sources: &[Source], drawing: &Drawing<'_>) -> String {
        let width = drawing.columns() - 10;
        let report = Report {
            diagnostic,
            message: words::wrapped(&drawing.ui.say(&diagnostic.message), width),
            help: diagnostic.help.as_ref().map(|help| words::wrapped(&drawing.ui.say(help), width)),
            excerpt: Excerpt::of(&diagnostic.labels, sources, drawing),
        };
        let mut text = String::new();
        match handler(drawing).render_report(&mut text, &report) {
            Ok(()) => helped(&text, &drawing.ui.word("help:")),
            Err(fmt::Error) => words::plain(diagnostic, sources, drawing.ui),
        }
    }

    /// With the user's own word for help, which miette writes in English.
    fn helped(text: &str, word: &str) -> String {
        let more = " ".repeat(word.chars().count().saturating_sub("help:".len()));
        let mut below = false;
        let mut helped = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            match line.split_once("  help: ") {
                Some((before, behind))
                    if !below && !before.contains(|c: char| c != '\u{1b}' && !"[0123456789;m".contains(c)) =>
                {
                    below = true;
                    helped.extend([before, "  ", word, " ", behind]);
                }
                _ => {
                    helped.push_str(if below && line.starts_with("        ") { &more } else { "" });
                    helped.push_str(line);
                }
            }
        }
        helped
    }

    fn handler(drawing: &Drawing<'_>) -> GraphicalReportHandler {
        let characters = if drawing.unicode {
            ThemeCharacters::unicode()
        } else {
            // miette's own are `x`, `!` and `>`, which nobody can tell apart unless told.
            ThemeCharacters {
                error: drawing.ui.word("error:"),
                warning: drawing.ui.word("warning:"),
                advice: drawing.ui.word("note:"),
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
    use super::{Drawing, words};
    use crate::diagnostics::Diagnostic;
    use crate::source::Source;

    pub fn one(diagnostic: &Diagnostic, sources: &[Source], drawing: &Drawing<'_>) -> String {
        words::plain(diagnostic, sources, drawing.ui)
    }
}

#[cfg(all(test, feature = "cli"))]
mod tests;
