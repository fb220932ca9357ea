use super::*;
use crate::diagnostics::Code;
use crate::source::{FileId, Span};

/// A pipe that takes Unicode.
fn plain() -> Drawing<'static> {
    Drawing { unicode: true, width: 100, ..Drawing::default() }
}

fn file(text: &str) -> Source {
    Source::new("rules/x.rules", text)
}

/// The span of a piece of the first file's text.
fn at(source: &Source, piece: &str) -> Span {
    let start = source.text.find(piece).expect("the piece stands in the text");
    Span::new(FileId(0), start..start + piece.len())
}

fn drawn(diagnostic: Diagnostic, sources: &[Source]) -> String {
    draw(&[diagnostic], sources, &plain())
}

fn gap(span: Span) -> Diagnostic {
    Diagnostic::error(Code::TableGap, "no row answers `4`")
        .label(span, "this row ends at 3")
        .help("type `1-4` here, or `4-6` in the next row")
}

const TABLE: &str = "table wound = 1d10 {\n  1-3  graze  \"Herida superficial\"\n  5-6  \
                     brow   \"Frente cortada\"\n  7+   leg    \"Pierna rota\"\n}\n";

#[test]
fn one_label() {
    let source = file(TABLE);
    insta::assert_snapshot!(drawn(gap(at(&source, "1-3")), &[source]));
}

#[test]
fn one_label_in_ascii() {
    let source = file(TABLE);
    let drawing = Drawing { unicode: false, ..plain() };
    let mut faults = vec![gap(at(&source, "1-3"))];
    faults.push(Diagnostic::warning(Code::NameUnused, "`leg` is never read").label(at(&source, "leg"), ""));
    insta::assert_snapshot!(draw(&faults, &[source], &drawing));
}

#[test]
fn colour_is_only_escapes() {
    let source = file(TABLE);
    let fault = [gap(at(&source, "1-3"))];
    let sources = [source];
    let colored = draw(&fault, &sources, &Drawing { color: true, ..plain() });
    assert!(colored.contains("\u{1b}["));
    assert!(!draw(&fault, &sources, &plain()).contains('\u{1b}'));
}

#[test]
fn two_rows_overlap() {
    let source = file(&TABLE.replace("5-6", "3-6"));
    let fault = Diagnostic::error(Code::TableOverlap, "two rows answer `3`")
        .label(at(&source, "3-6"), "and so does this row")
        .label(at(&source, "1-3"), "this row answers 3")
        .help("type `4-6`");
    insta::assert_snapshot!(drawn(fault, &[source]));
}

#[test]
fn labels_far_apart() {
    let text = format!("sheet a {{\n{}}}\n", "  health: 0..5\n".repeat(30));
    let source = file(&text);
    let fault = Diagnostic::error(Code::Syntax, "this `{` is never closed")
        .label(Span::new(FileId(0), 8..9), "opens here")
        .label(Span::new(FileId(0), text.len() - 2..text.len() - 1), "closes another");
    insta::assert_snapshot!(drawn(fault, &[source]));
}

#[test]
fn labels_within_each_other() {
    let source = file("  1-3  graze  \"Herida\"\n");
    let row = at(&source, "1-3  graze  \"Herida\"");
    let fault = Diagnostic::error(Code::Syntax, "the title comes first")
        .label(row, "this row")
        .label(at(&source, "graze"), "an id")
        .label(at(&source, "1-3"), "a range")
        .label(at(&source, "1-3"), "a key");
    insta::assert_snapshot!(drawn(fault, &[source]));
}

#[test]
fn label_over_several_lines() {
    let source = file(TABLE);
    let rows = at(&source, "1-3  graze").to(at(&source, "brow"));
    let fault = Diagnostic::note(Code::TableUnreachable, "no die shows these").label(rows, "these rows");
    insta::assert_snapshot!(drawn(fault, &[source]));
}

#[test]
fn label_over_many_lines_shows_its_first() {
    let source = file(&"  1  row\n".repeat(500));
    let all = Span::new(FileId(0), 0..source.text.len());
    let fault = Diagnostic::error(Code::TableUnreachable, "nothing reads this").label(all, "the table");
    insta::assert_snapshot!(drawn(fault, &[source]));
}

#[test]
fn label_in_another_file() {
    let source = file(TABLE);
    let other = Source::new("homebrew/más.rules", "system house\n\nextend table wound {\n  4 x \"Ay\"\n}\n");
    let there = Span::new(FileId(1), 38..39);
    let fault = Diagnostic::error(Code::NameDuplicate, "`graze` is written twice")
        .label(at(&source, "graze"), "first here")
        .label(there, "again here");
    insta::assert_snapshot!(drawn(fault, &[source, other]));
}

#[test]
fn text_of_several_bytes_a_character() {
    let source = file("  // la ñ y el moratón\n  1–3  corazón  \"Año nuevo, señal ñandú\" | breath\n");
    let fault = Diagnostic::error(Code::Syntax, "`–` is a dash of prose; a range takes `-`")
        .label(at(&source, "–"), "a long dash")
        .label(at(&source, "ñandú"), "after it, too")
        .help("type `1-3`")
        .edit(at(&source, "–"), "-");
    insta::assert_snapshot!(drawn(fault, &[source]));
}

#[test]
fn tab() {
    let source = file("\t1\t-3\tgraze\n");
    let fault = Diagnostic::error(Code::Syntax, "a tab stands in a range")
        .label(Span::new(FileId(0), 2..3), "here")
        .label(at(&source, "graze"), "the id");
    insta::assert_snapshot!(drawn(fault, &[source]));
}

#[test]
fn crlf() {
    let source = file("table a = 1d6 {\r\n  1-3 x\r\n  5-6 y\r\n}\r\n");
    let fault = Diagnostic::error(Code::Syntax, "a title is missing")
        .label(at(&source, "\r\n"), "here")
        .label(at(&source, "x\r\n  5-6"), "over two lines")
        .label(at(&source, "y"), "and here");
    insta::assert_snapshot!(drawn(fault, &[source]));
}

#[test]
fn end_of_file() {
    let source = file("table a = 1d6 {\n  1-6 x\n");
    let end = Span::new(FileId(0), source.text.len()..source.text.len());
    let fault = Diagnostic::error(Code::Syntax, "the file ends inside a table")
        .label(end, "`}` belongs here")
        .label(at(&source, "{"), "opened here");
    insta::assert_snapshot!(drawn(fault, &[source]));
}

#[test]
fn empty_file() {
    let fault =
        Diagnostic::error(Code::Syntax, "the file is empty").label(Span::new(FileId(0), 0..0), "`system` belongs here");
    insta::assert_snapshot!(drawn(fault, &[file("")]));
}

#[test]
fn without_a_label() {
    let fault = Diagnostic::error(Code::FileUnreadable, "there is no file `x.rules`").help("try `cicatriz list`");
    insta::assert_snapshot!(drawn(fault.clone(), &[]));
    let nowhere = fault.label(Span::new(FileId(0), 0..0), "");
    assert!(!drawn(nowhere, &[file("")]).contains("rules/x.rules:1:1"));
}

#[test]
fn long_line_is_cut_around_its_labels() {
    let mut text = "ñ ".repeat(2_500_000);
    text.push_str("<<HERE>>");
    text.push_str(&"ñ ".repeat(2_500_000));
    text.push_str("THERE");
    let source = file(&text);
    let fault = Diagnostic::error(Code::Syntax, "too much in one line")
        .label(at(&source, "<<HERE>>"), "this one")
        .label(at(&source, "THERE"), "and this one");
    let drawn = drawn(fault, &[source]);
    insta::assert_snapshot!(drawn);
    assert!(drawn.lines().all(|line| line.chars().count() <= plain().width + 4));
}

#[test]
fn control_characters_are_shown_not_obeyed() {
    let source = file("  1-3 \u{1b}[2J\u{202e}x y\n");
    let fault = Diagnostic::error(Code::Syntax, "what is `\u{1b}`").label(at(&source, "y"), "after them");
    insta::assert_snapshot!(drawn(fault, &[source]));
}

#[test]
fn at_most_twenty_are_told() {
    let text = "  1 a\n".repeat(23);
    let fault = |line: usize| {
        let span = Span::new(FileId(0), line * 6 + 4..line * 6 + 5);
        let message = format!("row {} is named `a`", line + 1);
        match line {
            21 => Diagnostic::error(Code::NameDuplicate, message).label(span, "error"),
            _ => Diagnostic::warning(Code::NameDuplicate, message).label(span, "warning"),
        }
    };
    let faults: Vec<_> = (0..23).map(fault).collect();
    let drawn = draw(&faults, &[file(&text)], &plain());
    insta::assert_snapshot!(drawn);
    assert!(drawn.contains("row 22"), "an error is told before any warning");
    assert_eq!(drawn.matches("name::duplicate").count(), TOLD);
}

#[test]
fn no_span_makes_it_panic() {
    let texts = ["", "\n", "\r\n", "ñ", "a\r\nñandú\n\n\tx\r", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj"];
    for text in texts {
        let sources = [file(text), file("other\n")];
        for start in 0..text.len() as u32 + 3 {
            for end in (0..text.len() as u32 + 3).chain([u32::MAX]) {
                for file in [0, 1, 9] {
                    let span = Span { file: FileId(file), start, end };
                    let fault = Diagnostic::error(Code::Syntax, "x")
                        .label(span, "one")
                        .label(Span::new(FileId(0), 0..1), "two")
                        .label(Span { end: start, ..span }, "");
                    let drawing = Drawing { width: 0, ..plain() };
                    assert!(draw(&[fault], &sources, &drawing).contains("1 error\n"));
                }
            }
        }
    }
}

#[test]
fn summary_counts_each_kind() {
    let error = Diagnostic::error(Code::Syntax, "x");
    let warning = Diagnostic::warning(Code::Syntax, "x");
    assert_eq!(summary(&[error.clone(), warning.clone(), error]), "2 errors, 1 warning");
    assert_eq!(summary(&[Diagnostic::note(Code::Syntax, "x")]), "1 note");
    assert_eq!(draw(&[], &[], &plain()), "");
}
