//! Results as other programs read them: JUnit XML, annotations of GitHub.

use crate::cli::ui::{said, ui};
use std::fmt::Write as _;

use cicatriz::diagnostics::Diagnostic;
use cicatriz::diagnostics::render::{Drawing, draw};
use cicatriz::source::Source;

use super::suite::{Results, Suite};

/// The results as JUnit XML.
pub fn junit(suite: &Suite, results: &Results<'_>) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let (all, failed) = (results.told.len(), results.failed);
    let _ = writeln!(text, "<testsuites name=\"cicatriz\" tests=\"{all}\" failures=\"{failed}\" errors=\"0\">");
    for (at, file) in suite.files.iter().enumerate() {
        let told: Vec<_> = results.told.iter().filter(|(of, _)| *of == at).map(|(_, told)| told).collect();
        let name = escaped(&file.path.display().to_string());
        let failed = told.iter().filter(|told| !told.failures.is_empty()).count();
        let count = told.len();
        let _ = writeln!(text, "  <testsuite name=\"{name}\" tests=\"{count}\" failures=\"{failed}\" errors=\"0\">");
        for told in told {
            let case = escaped(&told.subject.name(&file.program));
            let span = told.subject.span(&file.program);
            let line =
                file.sources.get(span.file.0 as usize).map_or(0, |source| source.place(span.start as usize).line);
            let _ = write!(text, "    <testcase classname=\"{name}\" name=\"{case}\" file=\"{name}\" line=\"{line}\"");
            if told.failures.is_empty() {
                text.push_str("/>\n");
                continue;
            }
            text.push_str(">\n");
            let drawn = draw(&told.failures, &file.sources, &Drawing { ui: ui(), ..Drawing::default() });
            let trace = told.trace.as_ref().map_or_else(String::new, |trace| trace.lines().join("\n"));
            let message = told.failures.first().map_or_else(String::new, |failure| said(&failure.message));
            let _ = writeln!(text, "      <failure message=\"{}\">{}</failure>", escaped(&message), escaped(&drawn));
            let _ = writeln!(text, "      <system-out>{}</system-out>", escaped(&trace));
            text.push_str("    </testcase>\n");
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

/// A text within XML. Characters that XML does not know are left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            '\u{FFFE}' | '\u{FFFF}' => {}
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// A failure as an annotation of GitHub.
pub fn annotation(failure: &Diagnostic, scenario: &str, sources: &[Source]) -> String {
    let place = failure.span().and_then(|span| {
        let source = sources.get(span.file.0 as usize)?;
        let (start, end) = (source.place(span.start as usize), source.place(span.end as usize));
        let file = property(&source.name);
        Some(format!("file={file},line={},endLine={},col={},", start.line, end.line, start.column))
    });
    let mut message = said(&failure.message);
    for text in failure.labels.first().map(|label| &label.text).into_iter().chain(&failure.help) {
        message.push('\n');
        message.push_str(&said(text));
    }
    format!("::error {}title={}::{}", place.unwrap_or_default(), property(scenario), data(&message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_any_kind_are_escaped() {
        assert_eq!(escaped("a < \"b\" & c\u{1b}[0m > ñ\n"), "a &lt; &quot;b&quot; &amp; c[0m &gt; ñ\n");
        assert_eq!(property("a, b: 5%\n"), "a%2C b%3A 5%25%0A");
        assert_eq!(data("a, b"), "a, b");
    }
}
