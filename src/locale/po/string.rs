//! Strings between double quotes, with their escapes.

use std::ops::Range;

/// What is wrong with a string, and where in the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Slip {
    /// No quote at its beginning.
    Unquoted(Range<usize>),
    /// No quote at its end.
    Unfinished(Range<usize>),
    /// A quote inside it, at the first place.
    Stray(Range<usize>),
    /// A backslash before something it does not go with.
    Escape(Range<usize>),
}

/// Reads the strings of a line (mostly one) and adds them to `value`.
pub(super) fn unquote(line: &str, value: &mut String) -> Result<(), Slip> {
    let end = line.trim_end().len();
    let mut at = line.len() - line.trim_start().len();
    let mut slip = None;
    if at >= end || !line[at..].starts_with('"') {
        value.push_str(line[at.min(end)..end].trim_end_matches('"'));
        return Err(Slip::Unquoted(at.min(end)..end));
    }
    loop {
        let start = at;
        at += 1;
        let mut closed = false;
        while let Some(letter) = line[at..end].chars().next() {
            match letter {
                '"' => {
                    at += 1;
                    closed = true;
                    break;
                }
                '\\' => {
                    let length = escape(&line[at + 1..end], value);
                    if length == 0 {
                        value.push('\\');
                        slip.get_or_insert(Slip::Escape(at..(at + 2).min(end)));
                    }
                    at += 1 + length;
                }
                _ => {
                    value.push(letter);
                    at += letter.len_utf8();
                }
            }
        }
        if !closed {
            return Err(Slip::Unfinished(start..end));
        }
        let rest = &line[at..end];
        if rest.is_empty() {
            return slip.map_or(Ok(()), Err);
        }
        let blanks = rest.len() - rest.trim_start().len();
        if rest[blanks..].starts_with('"') && rest.len() > blanks + 1 {
            at += blanks;
            continue;
        }
        // What follows was most likely meant to stand in the string.
        value.push('"');
        value.push_str(rest.strip_suffix('"').unwrap_or(rest));
        return Err(Slip::Stray(at - 1..at));
    }
}

/// Adds what stands behind a backslash; how many bytes it takes, 0 where it is no escape.
fn escape(rest: &str, value: &mut String) -> usize {
    let mut letters = rest.bytes();
    let plain = match letters.next() {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'a') => '\u{7}',
        Some(b'b') => '\u{8}',
        Some(b'v') => '\u{b}',
        Some(b'f') => '\u{c}',
        _ => {
            let (from, base, most) = if rest.starts_with('x') { (1, 16, 2) } else { (0, 8, 3) };
            let digits = rest[from..].chars().take(most).take_while(|c| c.is_digit(base)).count();
            let number = u32::from_str_radix(&rest[from..from + digits], base).ok().and_then(char::from_u32);
            return match number {
                Some(letter) => {
                    value.push(letter);
                    from + digits
                }
                None => 0,
            };
        }
    };
    value.push(plain);
    1
}

/// A text with its escapes, without quotes around it.
pub(super) fn escaped(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            _ => out.push(letter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (String, Option<Slip>) {
        let mut value = String::new();
        let slip = unquote(line, &mut value).err();
        (value, slip)
    }

    #[test]
    fn escapes_are_resolved_and_written_again() {
        let (value, slip) = read(r#" "a\n\t\"b\" \\ \101\x41 ñ" "#);
        assert_eq!((value.as_str(), slip), ("a\n\t\"b\" \\ AA ñ", None));
        let mut out = String::new();
        escaped("a\n\t\"b\" \\", &mut out);
        assert_eq!(out, r#"a\n\t\"b\" \\"#);
        assert_eq!(read(r#""a" "b""#), ("ab".to_owned(), None));
    }

    #[test]
    fn slips_say_where_and_keep_what_was_meant() {
        assert_eq!(read(r#""open"#), ("open".to_owned(), Some(Slip::Unfinished(0..5))));
        assert_eq!(read(r#""say "hi" now""#), ("say \"hi\" now".to_owned(), Some(Slip::Stray(5..6))));
        assert_eq!(read(r#""\q""#), ("\\q".to_owned(), Some(Slip::Escape(1..3))));
        assert_eq!(read("bare"), ("bare".to_owned(), Some(Slip::Unquoted(0..4))));
        assert_eq!(read(""), (String::new(), Some(Slip::Unquoted(0..0))));
        assert_eq!(read(r#""a""#.trim_end_matches('"')).1, Some(Slip::Unfinished(0..2)));
        assert_eq!(read("\"\\"), ("\\".to_owned(), Some(Slip::Unfinished(0..2))));
    }
}
