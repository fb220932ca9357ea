//! Each fault the checker can tell: a rule file below `tests/diagnostics/<code>/`, and beside it
//! what is told about it.

use std::fs;
use std::path::{Path, PathBuf};

use cicatriz::check::{Checked, Sources, check, check_text};
use cicatriz::diagnostics::render::{Drawing, draw};
use cicatriz::diagnostics::{Code, Diagnostic, any_error, explain};
use cicatriz::odds::weigh;
use cicatriz::say;
use cicatriz::wording::Wording;

/// One rule file with a fault.
pub struct Case {
    /// `table_gap/no_rows`
    pub name: String,
    path: PathBuf,
    pub text: String,
}

impl Case {
    pub fn checked(&self) -> Checked {
        self.checked_as(&self.text)
    }

    /// Checks another text in this file's place. Used files lie below the folder of the case.
    fn checked_as(&self, text: &str) -> Checked {
        let folder = self.path.parent().expect("a folder");
        let name = self.path.file_name().and_then(|n| n.to_str()).expect("a name");
        let mut checked = check(Sources::load(name, text, &mut |_, wanted| {
            let found = fs::read_to_string(folder.join(wanted));
            found.map(|text| (wanted.to_owned(), text)).map_err(|_| say!("there is no file `{name}`", name = wanted))
        }));
        weigh(checked.program.as_ref(), &checked.open, &mut checked.diagnostics);
        checked
    }

    /// The code that the folder is named after.
    fn code(&self) -> Code {
        let folder = self.name.split('/').next().unwrap_or_default();
        Code::parse(&folder.replacen('_', "::", 1)).unwrap_or_else(|| panic!("`{folder}` is no code"))
    }
}

pub fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics");
    let mut cases = Vec::new();
    for folder in fs::read_dir(root).expect("the cases").flatten().map(|entry| entry.path()) {
        for path in fs::read_dir(&folder).expect("a folder of cases").flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|e| e == "rules") {
                let part = |p: &Path| p.file_stem().and_then(|n| n.to_str()).expect("a name").to_owned();
                let name = format!("{}/{}", part(&folder), part(&path));
                let text = fs::read_to_string(&path).expect("a case");
                cases.push(Case { name, path, text });
            }
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(cases.len() > 100, "only {} cases", cases.len());
    cases
}

#[test]
fn each_fault_as_it_is_told() {
    let drawing = Drawing { unicode: true, width: 100, ..Drawing::default() };
    let mut wrong = Vec::new();
    for case in cases() {
        let Checked { diagnostics, files, .. } = case.checked();
        let text = draw(&diagnostics, &files, &drawing);
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(case.path.parent().expect("a folder"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let (_, name) = case.name.split_once('/').expect("a code and a name");
        // All that differ are told, not the first only.
        let same = settings.bind(|| std::panic::catch_unwind(|| insta::assert_snapshot!(name, text)));
        if same.is_err() {
            wrong.push(case.name);
        }
    }
    assert!(wrong.is_empty(), "told otherwise than before: {}", wrong.join(", "));
}

/// Each case has the fault it is named after, and nothing is told that another fault caused.
#[test]
fn each_case_has_its_fault_and_no_other() {
    let mut wrong = Vec::new();
    for case in cases() {
        let codes: Vec<Code> = case.checked().diagnostics.iter().map(|d| d.code).collect();
        let code = case.code();
        if !codes.contains(&code) || codes.iter().any(|c| *c != code) {
            wrong.push(format!("{}: {codes:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_code_of_the_checker_has_a_case() {
    let cases = cases();
    for code in Code::ALL {
        let part = code.as_str().split("::").next().unwrap_or_default();
        let told_elsewhere = matches!(part, "file" | "run" | "scenario" | "locale");
        assert!(told_elsewhere || cases.iter().any(|case| case.code() == *code), "no case for {code}");
    }
}

/// Labels and edits stand in the text, between its characters.
#[test]
fn each_place_lies_in_the_text() {
    for case in cases() {
        let Checked { diagnostics, files, .. } = case.checked();
        for diagnostic in &diagnostics {
            assert!(!diagnostic.labels.is_empty(), "{}: {} stands nowhere", case.name, diagnostic.message);
            let spans = diagnostic.labels.iter().map(|l| l.span).chain(diagnostic.edits.iter().map(|e| e.span));
            for span in spans {
                let text = &files[span.file.0 as usize].text;
                let here = format!("{}: {} at {:?}", case.name, diagnostic.message, span.range());
                assert!(text.get(span.range()).is_some(), "{here}");
                // An empty place is where something is missing: never within a word.
                if span.start == span.end {
                    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                    let (before, behind) = text.split_at(span.start as usize);
                    assert!(!(word(before.chars().next_back()) && word(behind.chars().next())), "{here}");
                }
            }
            for label in &diagnostic.labels {
                let text = files[label.span.file.0 as usize].slice(label.span);
                assert!(text.is_empty() || text.trim() == text, "{}: `{text}` has blanks at its ends", case.name);
            }
        }
    }
}

/// The text with a diagnostic's edits done.
fn edited(text: &str, diagnostic: &Diagnostic) -> String {
    let mut edits = diagnostic.edits.clone();
    edits.sort_by_key(|e| (e.span.start, e.span.end));
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.span.range(), &edit.text);
    }
    text
}

#[test]
fn the_edits_of_a_fault_take_it_away() {
    let mut tried = 0;
    for case in cases() {
        let before = case.checked().diagnostics;
        for diagnostic in &before {
            if diagnostic.edits.is_empty() || diagnostic.edits.iter().any(|e| e.span.file.0 != 0) {
                continue;
            }
            tried += 1;
            let text = edited(&case.text, diagnostic);
            let Checked { diagnostics, files, .. } = case.checked_as(&text);
            let same = |d: &&Diagnostic| d.code == diagnostic.code && d.message == diagnostic.message;
            let drawn = draw(&diagnostics, &files, &Drawing::default());
            // Another one of the same words may stand elsewhere.
            let (was, is) = (before.iter().filter(same).count(), diagnostics.iter().filter(same).count());
            assert!(is < was, "{}\n{text}\n{drawn}", case.name);
            let syntax = diagnostics.iter().any(|d| d.code == Code::Syntax) && diagnostic.code != Code::Syntax;
            assert!(!syntax, "{}\n{text}\n{drawn}", case.name);
        }
    }
    assert!(tried > 50, "only {tried} edits");
}

/// All that is told of a fault.
pub fn wordings(diagnostic: &Diagnostic) -> impl Iterator<Item = &Wording> {
    let labels = diagnostic.labels.iter().map(|label| &label.text);
    [&diagnostic.message].into_iter().chain(labels).chain(&diagnostic.help)
}

/// Messages are for people who write rules: in lower case, without a final stop, and without a word
/// of how the program is made.
#[test]
fn messages_keep_the_style() {
    let words = ["Rule::", "EOI", "token", "parse", "None", "Some(", "i64", "unexpected", "expected", "identifier"];
    for case in cases() {
        for diagnostic in case.checked().diagnostics {
            for text in wordings(&diagnostic).map(ToString::to_string) {
                let plain: String = text.split('`').step_by(2).collect();
                assert!(!text.chars().next().is_some_and(char::is_uppercase), "{}: {text}", case.name);
                assert!(!text.ends_with('.'), "{}: {text}", case.name);
                assert!(text.matches('`').count() % 2 == 0 || text.contains('…'), "{}: {text}", case.name);
                for word in words {
                    assert!(!plain.contains(word), "{}: `{word}` in {text}", case.name);
                }
            }
        }
    }
}

// ── The pages of `explain` ──────────────────────────────────────────────────────────────────────

/// The longest an example of a page may be, in lines.
const LINES: usize = 15;

fn example(rules: &str) -> Checked {
    assert!(rules.lines().count() <= LINES, "an example of more than {LINES} lines:\n{rules}");
    let mut checked = check_text("example.rules", &format!("{rules}\n"));
    weigh(checked.program.as_ref(), &checked.open, &mut checked.diagnostics);
    checked
}

#[test]
fn the_bad_example_of_each_page_has_just_that_fault() {
    for code in Code::ALL {
        let Some(avoid) = explain::page(*code).avoid else { continue };
        let Checked { diagnostics, files, .. } = example(avoid);
        let drawn = draw(&diagnostics, &files, &Drawing::default());
        // What is found only while running has no fault before.
        let runs = matches!(code.as_str().split("::").next(), Some("run" | "scenario"));
        if runs {
            assert!(!any_error(&diagnostics), "{code}\n{drawn}");
        } else {
            assert!(!diagnostics.is_empty() && diagnostics.iter().all(|d| d.code == *code), "{code}\n{drawn}");
        }
    }
}

#[test]
fn the_good_example_of_each_page_has_no_fault() {
    for code in Code::ALL {
        let Some(prefer) = explain::page(*code).prefer else { continue };
        let Checked { diagnostics, files, .. } = example(prefer);
        assert!(diagnostics.is_empty(), "{code}\n{}", draw(&diagnostics, &files, &Drawing::default()));
    }
}

#[cfg(feature = "cli")]
#[test]
fn explain_on_the_command_line() {
    let ran = |words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cicatriz"));
        command.env("CICATRIZ_UI", "en");
        let output = command.arg("explain").args(words).output().expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (status, out, err) = ran(&["table::gap"]);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("table::gap  A result that no row answers\n\n"), "{out}");
    let (status, out, _) = ran(&["4d6kh3"]);
    assert!(status == Some(0) && out.contains("from 3 to 18"), "{out}");
    for (wrong, near) in [("table::gpa", "table::gap"), ("dead_end", "state::dead_end")] {
        let (status, out, err) = ran(&[wrong]);
        assert_eq!((status, out.as_str()), (Some(2), ""));
        assert!(err.contains(&format!("write `cicatriz explain {near}`")) && err.contains("run::internal"), "{err}");
    }
    let (status, out, _) = ran(&["4d6kh9"]);
    assert_eq!((status, out.as_str()), (Some(2), ""));
    for words in [&["syntax", "--format", "json"][..], &["2d6 + 3", "--format", "json"], &["x::y", "--format", "json"]]
    {
        let (_, out, err) = ran(words);
        assert!(serde_json::from_str::<serde_json::Value>(&out).is_ok() && err.is_empty(), "{words:?}: {out}{err}");
    }
}
