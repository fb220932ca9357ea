//! Traces kept beside the rules, in the file format of insta, so that its tools read them, too.

use super::{Subject, Told};
use crate::program::Program;

/// A trace as a file keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The rule file's name, without its folder.
    pub source: String,
    /// What was run.
    pub expression: String,
    pub contents: String,
}

/// What is kept of a run: its trace, and what it came to.
pub fn contents(told: &Told<'_>) -> String {
    let mut text = told.trace.as_ref().map_or_else(String::new, |trace| trace.lines().join("\n"));
    if let Some(outcome) = &told.outcome {
        text.push_str(&format!("\noutcome: {outcome}"));
    }
    text.trim_end().to_owned()
}

/// Whether two texts are the same for whoever keeps them: blanks at their end do not count.
pub fn same(a: &str, b: &str) -> bool {
    a.trim_end().lines().map(str::trim_end).eq(b.trim_end().lines().map(str::trim_end))
}

/// The file's name without its ending: `old_world__story`, `old_world__awake__2` for its second case.
pub fn name(program: &Program, stem: &str, subject: Subject) -> String {
    let id = &subject.of(program).id;
    match subject.case {
        Some(case) => format!("{stem}__{id}__{}", case + 1),
        None => format!("{stem}__{id}"),
    }
}

/// The file's name for the odds kept: `old_world__infection.odds`. No id has a point.
pub fn odds_name(program: &Program, stem: &str, subject: Subject) -> String {
    format!("{}.odds", name(program, stem, subject))
}

impl Snapshot {
    /// The file's text.
    pub fn write(&self) -> String {
        let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let plain = |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '/'));
        let value = |text: &str| if plain(text) { text.to_owned() } else { quoted(text) };
        format!(
            "---\nsource: {}\nexpression: {}\n---\n{}\n",
            value(&self.source),
            value(&self.expression),
            self.contents.trim_end()
        )
    }

    /// Reads a file's text; `None` where it is no such file.
    pub fn read(text: &str) -> Option<Snapshot> {
        let text = text.replace("\r\n", "\n");
        let rest = text.strip_prefix("---\n")?;
        let (head, contents) = rest.split_once("\n---\n").or_else(|| Some((rest.strip_suffix("\n---")?, "")))?;
        let field = |name: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?.trim();
            let inner = line.strip_prefix('"').and_then(|line| line.strip_suffix('"'));
            Some(inner.map_or_else(|| line.to_owned(), |line| line.replace("\\\"", "\"").replace("\\\\", "\\")))
        };
        Some(Snapshot {
            source: field("source")?,
            expression: field("expression").unwrap_or_default(),
            contents: contents.trim_end().to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for (expression, contents) in
            [("story", "> Golpe\n---\n  vida: 3 → 2"), ("awake (health = -3)", ""), ("a \"b\"", "x\n\n")]
        {
            let kept = Snapshot {
                source: "old_world.rules".into(),
                expression: expression.into(),
                contents: contents.trim_end().into(),
            };
            assert_eq!(Snapshot::read(&kept.write()), Some(kept));
        }
        assert_eq!(Snapshot::read("no header"), None);
        assert!(same("a  \nb\n\n", "a\nb"));
        assert!(!same("a\nb", "a\n\nb"));
    }
}
