//! What can be wrong with a rule file, as plain data. One list of codes; one file draws them.

mod code;
pub mod explain;
pub mod json;
pub mod render;

pub use code::Code;

use std::cmp::Reverse;

use crate::source::Span;
use crate::wording::Wording;

/// At most this many diagnostics of a file are told in full; the rest are counted.
pub const TOLD: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The file cannot be run.
    Error,
    /// The file runs; most likely something else was meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// A stretch of text with what stands there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub text: Wording,
}

/// An edit that an editor can apply: put `text` where `span` is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// One fault: what is wrong (message), where (labels, the first is the main one),
/// what to type (help) and, where it is certain, the edits that do it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    pub message: Wording,
    pub labels: Vec<Label>,
    pub help: Option<Wording>,
    pub edits: Vec<Edit>,
}

impl Diagnostic {
    pub fn error(code: Code, message: impl Into<Wording>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            labels: Vec::new(),
            help: None,
            edits: Vec::new(),
        }
    }

    pub fn warning(code: Code, message: impl Into<Wording>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, message) }
    }

    pub fn note(code: Code, message: impl Into<Wording>) -> Self {
        Diagnostic { severity: Severity::Note, ..Self::error(code, message) }
    }

    /// The first label is the main one.
    pub fn label(mut self, span: Span, text: impl Into<Wording>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// What to type, ready to paste.
    pub fn help(mut self, help: impl Into<Wording>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The edit that does what the help says.
    pub fn edit(mut self, span: Span, text: impl Into<String>) -> Self {
        self.edits.push(Edit { span, text: text.into() });
        self
    }

    /// Where it is: the main label's span.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}

/// Sorts by place and drops exact repeats.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    let by_place = |a: &Diagnostic, b: &Diagnostic| (a.span(), a.code).cmp(&(b.span(), b.code));
    diagnostics.sort_by(|a, b| by_place(a, b).then_with(|| a.message.to_string().cmp(&b.message.to_string())));
    diagnostics.dedup();
}

/// Whether any of these keeps the rules from running.
pub fn any_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

/// The name in `known` nearest to `name`, if one is near enough to be a slip of the hand.
/// Case and accents count as a slight difference; a longer name allows more slips.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (name.chars().count() / 3).clamp(1, 3);
    known
        .into_iter()
        .filter(|k| *k != name)
        .map(|k| (strsim::osa_distance(&fold(name), &fold(k)), k))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, k)| {
            (*distance, Reverse(alike(&fold(name), &fold(k))), k.len().abs_diff(name.len()), *k)
        })
        .map(|(_, k)| k)
}

/// How many letters two names share at their beginning and at their end.
fn alike(a: &str, b: &str) -> usize {
    let beginning = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    beginning + a.chars().rev().zip(b.chars().rev()).take_while(|(x, y)| x == y).count()
}

/// Lower case without the accents of Spanish, so that `Pröne` is near `prone`.
pub(crate) fn fold(name: &str) -> String {
    name.chars()
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            'á' | 'à' | 'ä' | 'â' => 'a',
            'é' | 'è' | 'ë' | 'ê' => 'e',
            'í' | 'ì' | 'ï' | 'î' => 'i',
            'ó' | 'ò' | 'ö' | 'ô' => 'o',
            'ú' | 'ù' | 'ü' | 'û' => 'u',
            'ñ' => 'n',
            other => other,
        })
        .collect()
}
