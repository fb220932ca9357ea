//! Reading: what the rule files say, every form, every slip.

mod examples;
mod forms;
mod robust;
mod slips;

use super::*;
use crate::diagnostics::Severity;

const RULES: [(&str, &str); 4] = [
    ("fifth_edition", include_str!("../../../rules/fifth_edition.rules")),
    ("investigators", include_str!("../../../rules/investigators.rules")),
    ("old_world", include_str!("../../../rules/old_world.rules")),
    ("wandering_stars", include_str!("../../../rules/wandering_stars.rules")),
];

/// What is told of a source, with the text that each label underlines.
fn told(source: &str) -> String {
    let (_, faults) = parse(FileId(0), source);
    tell(source, &faults)
}

fn tell(source: &str, faults: &[Diagnostic]) -> String {
    let mut out = String::new();
    for fault in faults {
        let kind = if fault.severity == Severity::Error { "" } else { "(note) " };
        out.push_str(&format!("{kind}{}\n", fault.message));
        for label in &fault.labels {
            out.push_str(&format!("  `{}`: {}\n", &source[label.span.range()], label.text));
        }
        if let Some(help) = &fault.help {
            out.push_str(&format!("  help: {help}\n"));
        }
    }
    out
}

/// The source with every edit done.
fn edited(source: &str) -> String {
    let (_, faults) = parse(FileId(0), source);
    let mut edits: Vec<_> = faults.iter().flat_map(|fault| &fault.edits).collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
    let mut text = source.to_owned();
    for edit in edits {
        text.replace_range(edit.span.range(), &edit.text);
    }
    text
}

#[test]
fn the_four_rule_files_read_without_a_fault() {
    for (name, text) in RULES {
        let (file, faults) = parse(FileId(0), text);
        assert_eq!(tell(text, &faults), "", "{name}");
        assert!(file.whole);
    }
}

#[test]
fn an_empty_file_is_an_empty_tree() {
    for source in ["", "\n\n", "// only this\n", "\u{FEFF}", "\u{FEFF}\r\n;\r\n"] {
        let (file, faults) = parse(FileId(0), source);
        assert!(file.items.is_empty() && file.whole && faults.is_empty(), "{source:?}");
    }
}

#[test]
fn carriage_returns_and_a_byte_order_mark_change_nothing() {
    for (name, text) in RULES {
        let crlf = format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
        let (file, faults) = parse(FileId(0), &crlf);
        assert_eq!(tell(&crlf, &faults), "", "{name}");
        assert_eq!(file.items.len(), parse(FileId(0), text).0.items.len());
    }
}

#[test]
fn many_faults_are_told_once_each_in_order_and_hide_nothing() {
    let source = r#"
tabel wound = 2d6 {
  2-6   graze "A" | b c
  7-12  hit   "B"
}

sheet c {
  hp: 0..3 = 3 stop
  on x { hp -= 2.5
         fall
         if hp = 0 -> dead }
  states alive => dead
}

kind side left | right
"#;
    assert_eq!(
        told(source),
        "`tabel` is not a word of the language
  `tabel`: perhaps `table`
  help: write `table`
this stands behind the end of the row
  `c`: not part of the row
  help: put `|` before a cell, quotes round a text, `//` before a comment
`stop` is not a word of the language
  `stop`: perhaps `stops`
  help: write `stops`
`2.5` is not a whole number
  `2.5`: numbers have no decimals
  help: write a whole number, or a division: `5 / 2 down`
`=` sets a value; `==` compares
  `=`: compares here
  help: write `==`
`=>` is written `->`
  `=>`: leads to a state
  help: write `-> dead`
`=` is missing before `left`
  `left`: stands behind `=`
  help: write `= left | right`
"
    );
    let (file, _) = parse(FileId(0), source);
    assert!(!file.whole);
    assert_eq!(file.items.len(), 1, "the sheet is read, without the parts that were not");
}
