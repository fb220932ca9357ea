//! Bytes to text: UTF-8, with or without a byte order mark, lines ended by LF or CRLF.

use cicatriz::diagnostics::{Code, Diagnostic};
use cicatriz::say;
use cicatriz::source::{FileId, Source, Span};
use cicatriz::wording::Wording;

use super::Unread;

const MARK: &[u8] = b"\xEF\xBB\xBF";
/// Bytes shown behind a wrong one.
const BEHIND: usize = 200;

/// The text of a file. A byte order mark is dropped, so places count from behind it; line breaks
/// stay as they are. Anything but UTF-8 is refused, with the place and the value of the first wrong
/// byte.
pub fn decode(name: &str, bytes: Vec<u8>) -> Result<Source, Box<Unread>> {
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        let message = say!("`{name}` is UTF-16 text; rules are UTF-8", name);
        let unread = Unread::whole(name, Code::FileEncoding, message);
        return Err(Box::new(unread.help("save it as UTF-8")));
    }
    let dropped = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
    match std::str::from_utf8(&bytes[dropped..]) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => Err(Box::new(wrong(name, &bytes, dropped, error.valid_up_to()))),
    }
}

/// Tells the first wrong byte, `at` bytes behind the dropped ones.
fn wrong(name: &str, bytes: &[u8], dropped: usize, at: usize) -> Unread {
    let (good, bad) = bytes[dropped..].split_at(at);
    let byte = bad[0];
    let line = bad.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let shown = String::from_utf8_lossy(&line[..line.len().min(BEHIND)]);
    let source = Source::new(name, String::from_utf8_lossy(good) + shown);
    let place = source.place(at);
    let hex = format!("0x{byte:02X}");
    let message = say!(
        "`{name}` is not UTF-8 text: byte {hex} at line {line}, column {column} (byte {number})",
        name,
        hex,
        line = place.line,
        column = place.column,
        number = dropped + at
    );
    let label = match byte {
        // Where Latin-1 and Windows-1252 agree.
        0xA0.. => say!("{hex}; in Latin-1 this is `{letter}`", hex, letter = char::from(byte)),
        _ => Wording::text(hex),
    };
    let span = Span::new(FileId::default(), at..at + '\u{fffd}'.len_utf8());
    let diagnostic = Diagnostic::error(Code::FileEncoding, message).label(span, label);
    Unread::in_text(source, diagnostic).help("save it as UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;
    use cicatriz::diagnostics::render::{Drawing, draw};

    fn fault(bytes: &[u8]) -> (Source, Diagnostic) {
        let unread = decode("x.rules", bytes.to_vec()).expect_err("not UTF-8");
        (unread.source.clone(), unread.diagnostic(FileId(0)))
    }

    #[test]
    fn a_mark_is_dropped_and_line_breaks_stay() {
        let text = |bytes: &[u8]| decode("x", bytes.to_vec()).expect("UTF-8").text.to_string();
        assert_eq!(text(b"\xEF\xBB\xBFa\r\nb"), "a\r\nb");
        assert_eq!(text(b""), "");
        assert_eq!(text(b"\xEF\xBB\xBF"), "");
        assert_eq!(text("ñ – \0".as_bytes()), "ñ – \0");
    }

    #[test]
    fn tells_the_first_wrong_byte() {
        let (source, fault) = fault(b"\xC3\xB1 system\n  a\xF1o \xFF\nnext");
        assert_eq!(fault.message, "`x.rules` is not UTF-8 text: byte 0xF1 at line 2, column 4 (byte 13)");
        assert_eq!(fault.labels[0].text, "0xF1; in Latin-1 this is `ñ`");
        assert_eq!(source.slice(fault.labels[0].span), "\u{fffd}");
        assert_eq!(&*source.text, "ñ system\n  a\u{fffd}o \u{fffd}");
    }

    #[test]
    fn is_drawn_where_it_stands() {
        let (source, fault) = fault(b"system a\n  a\xF1o \"x\"\n");
        let drawn = draw(&[fault], &[source], &Drawing::default());
        insta::assert_snapshot!(drawn);
    }

    #[test]
    fn counts_the_mark_where_bytes_of_the_file_are_told() {
        assert!(fault(b"\xEF\xBB\xBF\x93").1.message.ends_with("line 1, column 1 (byte 3)"));
    }

    #[test]
    fn a_file_may_end_within_a_character() {
        let (source, fault) = fault(b"a\xE2\x80");
        assert!(fault.message.contains("byte 0xE2 at line 1, column 2 (byte 1)"));
        assert_eq!(source.slice(fault.labels[0].span), "\u{fffd}");
    }

    #[test]
    fn utf_16_is_named() {
        assert!(fault(b"\xFF\xFEs\0").1.message.contains("UTF-16"));
    }
}
