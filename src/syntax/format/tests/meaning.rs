//! Whether a formatted text says the same.

use super::super::super::{parse, pieces, scan};
use super::format;
use crate::source::FileId;

/// The tree of a text without the places of its nodes; nothing if there is an error in it.
pub fn tree(text: &str) -> Option<String> {
    let (tree, faults) = parse(FileId(0), text);
    if !tree.whole || crate::diagnostics::any_error(&faults) {
        return None;
    }
    let shown = format!("{tree:?}");
    let mut parts = shown.split("Span {");
    let mut plain = parts.next().unwrap_or("").to_owned();
    for part in parts {
        plain.push_str(part.split_once('}').map_or("", |(_, rest)| rest));
    }
    Some(plain)
}

/// All comments of a text, without the blanks behind their slashes and at their ends.
pub fn comments(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let (mut at, mut found) = (0, Vec::new());
    while at < bytes.len() {
        let end = scan::past(bytes, at, bytes.len());
        if let (Some(end), b'/') = (end, bytes[at]) {
            let doc = pieces::is_doc(&bytes[at..end]);
            let comment = text[at..end].trim_start_matches('/').trim();
            found.push(format!("{}{}", if doc { "///" } else { "//" }, comment));
        }
        at = end.unwrap_or(at + 1);
    }
    found
}

/// The formatted text, after everything has been looked at that must hold of it.
pub fn kept(text: &str) -> String {
    let made = format(text).unwrap_or_else(|faults| panic!("{faults:#?}\n{text}"));
    let shown = || format!("──── from\n{text}\n──── to\n{made}");
    let again = format(&made).unwrap_or_else(|faults| panic!("{faults:#?}\n{}", shown()));
    assert_eq!(again, made, "formatting again\n{}", shown());
    assert_eq!(tree(&made), tree(text), "{}", shown());
    assert_eq!(comments(&made), comments(text), "{}", shown());
    for line in made.lines() {
        assert!(!line.ends_with(char::is_whitespace), "{line:?}\n{}", shown());
    }
    assert!(made.is_empty() || made.ends_with('\n') && !made.ends_with("\n\n"), "{}", shown());
    assert!(!made.contains(['\r', '\u{FEFF}']), "{}", shown());
    made
}
