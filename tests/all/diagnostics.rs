//! What the checker says of the example of each code, whole; and that its edits do what they say.

use cicatriz::check::{Checked, check_text};
use cicatriz::diagnostics::explain::page;
use cicatriz::diagnostics::{Code, render};

fn examples() -> impl Iterator<Item = (Code, &'static str)> {
    Code::ALL.iter().filter_map(|code| Some((*code, page(*code).avoid?)))
}

#[test]
fn every_code_as_it_is_drawn() {
    for (code, text) in examples() {
        let Checked { diagnostics, files, .. } = check_text("example.rules", text);
        let drawn = render::draw(&diagnostics, &files, &render::Drawing::default());
        insta::assert_snapshot!(code.as_str().replace("::", "_"), drawn);
    }
}

/// The edits of a diagnostic, done from the last to the first.
fn edited(text: &str, edits: &[cicatriz::diagnostics::Edit]) -> String {
    let mut text = text.to_owned();
    let mut edits: Vec<_> = edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    for edit in edits {
        text.replace_range(edit.span.range(), &edit.text);
    }
    text
}

#[test]
fn an_edit_that_is_offered_mends_its_fault() {
    let mut tried = 0;
    for (code, text) in examples() {
        for diagnostic in check_text("example.rules", text).diagnostics {
            if diagnostic.edits.is_empty() {
                continue;
            }
            tried += 1;
            let after = edited(text, &diagnostic.edits);
            let left = check_text("example.rules", &after).diagnostics;
            assert!(!left.contains(&diagnostic) && left.iter().all(|d| d.code != code), "{code}:\n{after}");
        }
    }
    assert!(tried > 5, "hardly any edit was tried");
}

#[test]
fn every_label_lies_on_characters_of_its_text() {
    for (code, text) in examples() {
        for diagnostic in check_text("example.rules", text).diagnostics {
            assert!(!diagnostic.labels.is_empty(), "{code} points nowhere");
            for label in &diagnostic.labels {
                assert!(text.get(label.span.range()).is_some(), "{code}: {:?}", label.span);
            }
        }
    }
}
