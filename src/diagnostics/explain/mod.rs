//! A fault explained in depth: one page for each code.
//!
//! A page is a file of Markdown under `pages/`: a title, what the fault means, and the sections
//! `## Avoid` and `## Prefer`, each with an example. An example of rules stands between
//! ` ```rules ` and ` ``` ` and is a whole file; other examples are something to type at the command
//! line or to write in another kind of file.

use super::{Code, nearest};

/// What there is to know of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    pub code: Code,
    /// The fault in a few words.
    pub title: &'static str,
    /// All below the title, in Markdown.
    pub text: &'static str,
    /// Rules with exactly this fault.
    pub avoid: Option<&'static str>,
    /// The same rules without it.
    pub prefer: Option<&'static str>,
}

/// A stretch of a page's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'t> {
    Heading(&'t str),
    Paragraph(&'t str),
    /// What stands between two fences; the word behind the first one says what it is.
    Example {
        kind: &'t str,
        text: &'t str,
    },
}

/// The page of a code.
pub fn page(code: Code) -> Page {
    let whole = written(code);
    let (first, text) = whole.split_once('\n').unwrap_or((whole, ""));
    let text = text.trim();
    Page {
        code,
        title: first.trim_start_matches('#').trim(),
        text,
        avoid: example(text, "Avoid"),
        prefer: example(text, "Prefer"),
    }
}

/// The code that is nearest to a text that is none.
pub fn nearest_code(text: &str) -> Option<Code> {
    nearest(text, Code::ALL.iter().map(|code| code.as_str())).and_then(Code::parse)
}

/// A text of Markdown in its parts.
pub fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let line = rest.lines().next().unwrap_or("");
        let end = if let Some(kind) = line.strip_prefix("```") {
            let start = (line.len() + 1).min(rest.len());
            let close = rest[start..].find("```").map_or(rest.len(), |at| start + at);
            parts.push(Part::Example { kind, text: rest[start..close].trim_end() });
            (close + 3).min(rest.len())
        } else if line.starts_with('#') {
            parts.push(Part::Heading(line.trim_start_matches('#').trim()));
            line.len()
        } else {
            let end = rest.find("\n\n").unwrap_or(rest.len());
            parts.push(Part::Paragraph(rest[..end].trim_end()));
            end
        };
        rest = rest[end..].trim_start();
    }
    parts
}

/// The example of rules in a section.
fn example<'t>(text: &'t str, section: &str) -> Option<&'t str> {
    let mut here = false;
    parts(text).into_iter().find_map(|part| match part {
        Part::Heading(heading) => {
            here = heading == section;
            None
        }
        Part::Example { kind: "rules", text } if here => Some(text),
        _ => None,
    })
}

macro_rules! pages {
    ($($variant:ident $file:literal)*) => {
        /// A page as it is written.
        fn written(code: Code) -> &'static str {
            match code { $(Code::$variant => include_str!(concat!("pages/", $file, ".md")),)* }
        }
    };
}

pages! {
    FileUnreadable "file_unreadable"
    FileEncoding "file_encoding"
    FileLimit "file_limit"
    UseMissing "use_missing"
    UseCircle "use_circle"
    Syntax "syntax"
    SyntaxDepth "syntax_depth"
    TableGap "table_gap"
    TableOverlap "table_overlap"
    TableReversed "table_reversed"
    TableUnreachable "table_unreachable"
    TableUnlikely "table_unlikely"
    NameUnknown "name_unknown"
    NameDuplicate "name_duplicate"
    NameAmbiguous "name_ambiguous"
    NameUnused "name_unused"
    TypeMismatch "type_mismatch"
    TypeBounds "type_bounds"
    DiceEndless "dice_endless"
    DiceTooMany "dice_too_many"
    DiceKeep "dice_keep"
    DiceFaces "dice_faces"
    DiceDialect "dice_dialect"
    DiceUnreachable "dice_unreachable"
    StateUnknown "state_unknown"
    StateUnreachable "state_unreachable"
    StateDeadEnd "state_dead_end"
    StateFinal "state_final"
    EventCircle "event_circle"
    EventUnanswered "event_unanswered"
    ScenarioEndless "scenario_endless"
    ScenarioFailed "scenario_failed"
    TextPlaceholder "text_placeholder"
    TextChoices "text_choices"
    LocaleFile "locale_file"
    LocaleHeader "locale_header"
    LocalePlaceholder "locale_placeholder"
    LocaleChoices "locale_choices"
    LocaleBlanks "locale_blanks"
    LocalePunctuation "locale_punctuation"
    LocaleSame "locale_same"
    LocaleDirection "locale_direction"
    LocaleMissing "locale_missing"
    LocaleStale "locale_stale"
    LocalePlural "locale_plural"
    RunArgument "run_argument"
    RunTarget "run_target"
    RunDice "run_dice"
    RunRow "run_row"
    RunBounds "run_bounds"
    RunOverflow "run_overflow"
    RunLimit "run_limit"
    RunNone "run_none"
    RunTransition "run_transition"
    RunEndless "run_endless"
    RunInternal "run_internal"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_a_title_and_all_its_sections() {
        for code in Code::ALL {
            let page = page(*code);
            assert!(!page.title.is_empty(), "{code}");
            let headings: Vec<&str> = parts(page.text)
                .iter()
                .filter_map(|part| match part {
                    Part::Heading(heading) => Some(*heading),
                    _ => None,
                })
                .collect();
            assert_eq!(headings, ["Avoid", "Prefer", "Why", "How to mend it"], "{code}");
            assert!(page.text.split("## ").all(|section| section.trim().len() > 20), "{code}");
        }
    }

    #[test]
    fn a_text_in_its_parts() {
        let text = "One\ntwo.\n\n## Avoid\n\n```rules\na\n\nb\n```\n\nEnd.\n";
        assert_eq!(
            parts(text),
            [
                Part::Paragraph("One\ntwo."),
                Part::Heading("Avoid"),
                Part::Example { kind: "rules", text: "a\n\nb" },
                Part::Paragraph("End."),
            ]
        );
        assert_eq!(example(text, "Avoid"), Some("a\n\nb"));
        assert_eq!(example(text, "Prefer"), None);
    }

    #[test]
    fn the_nearest_code() {
        assert_eq!(nearest_code("table::gpa"), Some(Code::TableGap));
        assert_eq!(nearest_code("table::nothing_like_it"), None);
    }
}
