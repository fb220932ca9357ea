//! Each code in depth: what it means, an example to avoid and one to prefer.

use super::Code;

/// A page of the manual of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Page {
    #[serde(skip)]
    pub code: Code,
    pub title: &'static str,
    /// In words, in paragraphs.
    pub text: &'static str,
    /// Rules that have this fault, and no other.
    pub avoid: Option<&'static str>,
    /// The same rules as they should be: no fault at all.
    pub prefer: Option<&'static str>,
}

/// The page of a code.
pub fn page(code: Code) -> Page {
    let written = written(code);
    let rest = written.strip_prefix("# ").unwrap_or(written);
    let (title, rest) = rest.split_once('\n').unwrap_or((rest, ""));
    let text = rest.split("\n## ").next().unwrap_or_default().trim();
    Page { code, title, text, avoid: example(written, "Avoid"), prefer: example(written, "Prefer") }
}

/// The rules below a heading.
fn example(written: &'static str, heading: &str) -> Option<&'static str> {
    let (_, below) = written.split_once(&format!("\n## {heading}\n"))?;
    let (_, rules) = below.split_once("```rules\n")?;
    rules.split_once("```").map(|(rules, _)| rules)
}

fn written(code: Code) -> &'static str {
    match code {
        Code::DiceDialect => include_str!("pages/dice_dialect.md"),
        Code::DiceEndless => include_str!("pages/dice_endless.md"),
        Code::DiceFaces => include_str!("pages/dice_faces.md"),
        Code::DiceKeep => include_str!("pages/dice_keep.md"),
        Code::DiceTooMany => include_str!("pages/dice_too_many.md"),
        Code::DiceUnreachable => include_str!("pages/dice_unreachable.md"),
        Code::EventCircle => include_str!("pages/event_circle.md"),
        Code::EventUnanswered => include_str!("pages/event_unanswered.md"),
        Code::FileEncoding => include_str!("pages/file_encoding.md"),
        Code::FileLimit => include_str!("pages/file_limit.md"),
        Code::FileUnreadable => include_str!("pages/file_unreadable.md"),
        Code::LocaleFile => include_str!("pages/locale_file.md"),
        Code::LocaleHeader => include_str!("pages/locale_header.md"),
        Code::LocalePlaceholder => include_str!("pages/locale_placeholder.md"),
        Code::LocaleBlanks => include_str!("pages/locale_blanks.md"),
        Code::LocalePunctuation => include_str!("pages/locale_punctuation.md"),
        Code::LocaleSame => include_str!("pages/locale_same.md"),
        Code::LocaleDirection => include_str!("pages/locale_direction.md"),
        Code::LocaleMissing => include_str!("pages/locale_missing.md"),
        Code::LocalePlural => include_str!("pages/locale_plural.md"),
        Code::LocaleStale => include_str!("pages/locale_stale.md"),
        Code::NameAmbiguous => include_str!("pages/name_ambiguous.md"),
        Code::NameDuplicate => include_str!("pages/name_duplicate.md"),
        Code::NameUnknown => include_str!("pages/name_unknown.md"),
        Code::NameUnused => include_str!("pages/name_unused.md"),
        Code::RunArgument => include_str!("pages/run_argument.md"),
        Code::RunBounds => include_str!("pages/run_bounds.md"),
        Code::RunDice => include_str!("pages/run_dice.md"),
        Code::RunEndless => include_str!("pages/run_endless.md"),
        Code::RunInternal => include_str!("pages/run_internal.md"),
        Code::RunLimit => include_str!("pages/run_limit.md"),
        Code::RunNone => include_str!("pages/run_none.md"),
        Code::RunOverflow => include_str!("pages/run_overflow.md"),
        Code::RunRow => include_str!("pages/run_row.md"),
        Code::RunTarget => include_str!("pages/run_target.md"),
        Code::RunTransition => include_str!("pages/run_transition.md"),
        Code::ScenarioEndless => include_str!("pages/scenario_endless.md"),
        Code::ScenarioFailed => include_str!("pages/scenario_failed.md"),
        Code::StateDeadEnd => include_str!("pages/state_dead_end.md"),
        Code::StateFinal => include_str!("pages/state_final.md"),
        Code::StateUnknown => include_str!("pages/state_unknown.md"),
        Code::StateUnreachable => include_str!("pages/state_unreachable.md"),
        Code::Syntax => include_str!("pages/syntax.md"),
        Code::SyntaxDepth => include_str!("pages/syntax_depth.md"),
        Code::TableGap => include_str!("pages/table_gap.md"),
        Code::TableOverlap => include_str!("pages/table_overlap.md"),
        Code::TableReversed => include_str!("pages/table_reversed.md"),
        Code::TableUnreachable => include_str!("pages/table_unreachable.md"),
        Code::TextPlaceholder => include_str!("pages/text_placeholder.md"),
        Code::TypeBounds => include_str!("pages/type_bounds.md"),
        Code::TypeMismatch => include_str!("pages/type_mismatch.md"),
        Code::UseCircle => include_str!("pages/use_circle.md"),
        Code::UseMissing => include_str!("pages/use_missing.md"),
    }
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::check::check_text;
    use crate::diagnostics::{Code, render};

    #[test]
    fn every_example_to_avoid_has_its_fault_and_no_other() {
        let mut seen = 0;
        for code in Code::ALL {
            let Some(avoid) = page(*code).avoid else { continue };
            seen += 1;
            let checked = check_text("avoid", avoid);
            let drawn = render::draw(&checked.diagnostics, &checked.files, &render::Drawing::default());
            assert!(checked.diagnostics.iter().all(|d| d.code == *code), "{code}:\n{drawn}");
            assert!(!checked.diagnostics.is_empty(), "{code} finds nothing in:\n{avoid}");
        }
        assert!(seen > 20, "the examples were not found");
    }

    #[test]
    fn every_example_to_prefer_is_clean() {
        for code in Code::ALL {
            let page = page(*code);
            assert_eq!(page.avoid.is_some(), page.prefer.is_some(), "{code} has only one example");
            let Some(prefer) = page.prefer else { continue };
            let checked = check_text("prefer", prefer);
            let drawn = render::draw(&checked.diagnostics, &checked.files, &render::Drawing::default());
            assert!(checked.diagnostics.is_empty(), "{code}:\n{drawn}");
        }
    }

    #[test]
    fn every_page_says_something() {
        for code in Code::ALL {
            let page = page(*code);
            assert!(!page.title.is_empty() && page.text.len() > 40, "{code}");
        }
    }
}
