//! Small texts and how they are written.

use super::format;
use super::meaning::{kept, tree};

/// A value in a sheet, formatted.
fn value(text: &str) -> String {
    let made = kept(&format!("sheet a {{\n  value v = {text}\n}}\n"));
    made.lines().nth(1).and_then(|line| line.strip_prefix("  value v = ")).unwrap_or(&made).to_owned()
}

#[test]
fn nothing_and_comments_only() {
    assert_eq!(kept(""), "");
    assert_eq!(kept("\n\r\n  \t\n"), "");
    assert_eq!(kept("\u{FEFF}//a\r\n\r\n\r\n\r\n\r\n///b\t\n  //"), "// a\n\n\n/// b\n//\n");
    assert_eq!(kept("////x\n// ── Tables ──"), "//// x\n// ── Tables ──\n");
}

#[test]
fn blanks_between_words_and_signs() {
    for (written, canonical) in [
        ("a+b*-c", "a + b * -c"),
        ("- a - - 1 + + b", "-a - -1 + +b"),
        ("( a,b )", "(a, b)"),
        ("max( 0 ,a+ 1 )", "max(0, a + 1)"),
        ("a . b ( 1 ) . c", "a.b(1).c"),
        ("0 if a   in(b,c)else 1/2 down", "0 if a in (b, c) else 1 / 2 down"),
        ("f(x :1,y)", "f(x: 1, y)"),
        ("a>=1 and not b!=2", "a >= 1 and not b != 2"),
        ("exploding (a , top 2)", "exploding(a, top 2)"),
        ("count  b where my  row==c", "count b where my row == c"),
    ] {
        assert_eq!(value(written), canonical);
    }
}

#[test]
fn signs_of_prose_are_written_in_ascii() {
    for (written, canonical) in [
        ("a−b × ２ ÷ 3 up", "a - b * 2 / 3 up"),
        ("a ≥ 1 or a≤–２ or a ≠ ０", "a >= 1 or a <= -2 or a != 0"),
        ("\"–１ “x” ×\"", "\"–１ “x” ×\""),
        ("herida１ − ñandú", "herida１ - ñandú"),
        ("\u{FEFF}a\u{A0}+\tb", "a + b"),
    ] {
        assert_eq!(value(written), canonical);
    }
}

#[test]
fn dice_stand_together() {
    for (written, canonical) in [
        ("1 d 6+2", "1d6 + 2"),
        ("4D6k3", "4d6kh3"),
        ("4d6 d1 !", "4d6dl1!"),
        ("4d6k d1", "4d6kh dl1"),
        ("2d6 r<= 2 s", "2d6rr<=2sa"),
        ("6d10>= 7f<= 1", "6d10>=7f<=1"),
        ("6d10>=(a+1)f=(b)", "6d10>=(a + 1)f=(b)"),
        ("( 1+a ) d10<=( b -2 if c else b )", "(1 + a)d10<=(b - 2 if c else b)"),
        ("d[ 1 ,1, −2 ] kh1", "d[1, 1, -2]kh1"),
        ("d66   digits", "d66 digits"),
        ("2d(a+ 1)min2", "2d(a + 1)min2"),
        ("4dF kh1", "4dF kh1"),
        ("1d6[ fire  // x ]", "1d6 [fire  // x]"),
        ("1d6!  !", "1d6! !"),
        ("{ 2d6,1d8 }kh1 + 1", "{2d6, 1d8}kh1 + 1"),
        ("2d%", "2d%"),
    ] {
        if tree(&format!("sheet a {{\n  value v = {written}\n}}\n")).is_some() {
            assert_eq!(value(written), canonical);
        }
    }
}

/// A value in a sheet, formatted; the tree has parentheses more.
fn wrapped(text: &str) -> String {
    let text = format!("sheet a {{\n  value v = {text}\n}}\n");
    let made = format(&text).expect("no fault");
    assert_eq!(kept(&made), made);
    made.lines().nth(1).and_then(|line| line.strip_prefix("  value v = ")).unwrap_or(&made).to_owned()
}

#[test]
fn totals_that_are_compared_stand_in_parentheses() {
    for (written, canonical) in [
        ("2d6 >= 7", "(2d6) >= 7"),
        ("2d6!= 7", "(2d6) != 7"),
        ("a and not (b)d6 [x] < 7 or d6 == 1", "a and not ((b)d6 [x]) < 7 or (d6) == 1"),
        ("{ 2d6,d4 }kh1 >= 7", "({2d6, d4}kh1) >= 7"),
        ("4d6k >= 7", "(4d6kh) >= 7"),
    ] {
        assert_eq!(wrapped(written), canonical);
    }
    for unchanged in ["1 + 2d6 >= 7", "2d6 + a >= 7", "-2d6 >= 7", "2d6>=5", "a >= 2d6", "(2d6) >= 7"] {
        assert_eq!(value(unchanged), unchanged);
    }
}

#[test]
fn a_file_with_a_dialect_keeps_its_dice_as_written() {
    let text = "dialect roll20\n\nsheet a {\n  value v = 4d6k3 + 1\n  value w = 4d6k3 >= 2\n}\n";
    assert_eq!(kept(text), text);
}

#[test]
fn rows_stand_in_columns() {
    let text = "table t(n:0 ..4=0)=1d12 makes x\ncolumns cost:number|kind:kind {\n\n\n1 - 3 a \"Á̃\"|1|left\n//c\n\"Prosa\"|\"Prosas\"\n\
                {a=1;\n-> b}\n10 , 12+ long_name \"Un título\"|100|right {suffer x}\n-  c\n else d \"D\"\n}";
    let canonical = r#"
table t(n: 0..4 = 0) = 1d12 makes x
  columns cost: number | kind: kind {
  1-3      a          "Á̃"          | 1   | left
           // c
           "Prosa" | "Prosas"
           { a = 1
             -> b }
  10, 12+  long_name  "Un título"  | 100 | right  { suffer x }
  -        c
  else     d          "D"
}
"#;
    assert_eq!(kept(text), canonical.trim_start());
}

#[test]
fn a_cell_too_wide_pushes_nobody() {
    let wide = "x".repeat(200);
    let text = format!("table t = 1d2 {{\n  1  {wide}  \"A\"\n  2  b  \"B\"\n}}\n");
    assert_eq!(kept(&text), text);
}

#[test]
fn braces_indent_and_align() {
    let text = "sheet a{\non x{if b{\nc;}\nelse{d}\n\n\n}\nuntil y{has z};while w or ww{has v}\nuntil y {has z}\nwhile w or ww{ has v }\n
                on e\nwhen -1 in (a,\nb\n) {f}\nstates a->b\n,c\n->d final\nvalue s=1 if a\nelse 2\n+ 3\nroll_it:1.. =2\n}";
    let canonical = "
sheet a {
  on x { if b {
           c }
         else { d }
       }
  until y { has z }; while w or ww { has v }
  until y       { has z }
  while w or ww { has v }

  on e
    when -1 in (a,
    b
  ) { f }
  states a -> b
    , c
    -> d final
  value s = 1 if a
    else 2
    + 3
  roll_it: 1.. = 2
}
";
    assert_eq!(kept(text), canonical.trim_start());
}

#[test]
fn a_sign_that_goes_on_with_the_line_before_keeps_its_blank() {
    let text = "sheet a {\n  value v =\n- b\n  +1 to c\n}\n";
    assert_eq!(kept(text), "sheet a {\n  value v =\n    - b\n  +1 to c\n}\n");
}

#[test]
fn semicolons_between_sentences_only() {
    let text = "sheet a {\n on b { ; c = 1;; d = 2 ; }\n on e {\n;f = 1 ; // g\n ; // h\n;\n}\n}\n;\n";
    let canonical = "sheet a {\n  on b { c = 1; d = 2 }\n  on e {\n    f = 1 // g\n    // h\n  }\n}\n";
    assert_eq!(kept(text), canonical);
}

#[test]
fn signs_stay_in_a_column_where_the_author_brought_them() {
    let text = "sheet a {\n  on b {\n      temp_hp -= c\n      hp      -= d\n      e        = f\n      g = 1\n    long = 2\n  }\n}\n";
    let canonical =
        "sheet a {\n  on b {\n    temp_hp -= c\n    hp      -= d\n    e        = f\n    g = 1\n    long = 2\n  }\n}\n";
    assert_eq!(kept(text), canonical);
}

#[test]
fn comments_keep_their_column() {
    let text = "sheet a {\n  x: 0..9 = 1     //one\n  yy:   0..9=1  // two\n  zzz: 0..9=1   // three\n  w: 1..2 = 1//four\n  v: 1..2 = 1\t//\tfive\n}\n";
    let canonical = "sheet a {\n  x: 0..9 = 1     // one\n  yy: 0..9 = 1  // two\n  zzz: 0..9 = 1 // three\n  w: 1..2 = 1 // four\n  v: 1..2 = 1 // five\n}\n";
    assert_eq!(kept(text), canonical);
}

#[test]
fn names_of_a_kind_stand_below_each_other() {
    let text = "kind k \"K\"\n= a \"A\"\n| long_one \"B\"//b\n|c\nkind l\n=a \"A\"|bb \"B\"\n|c \"C\"\noption o:a \"A\"\n|bbb \"B\"=a\n";
    let canonical = "kind k \"K\"\n  = a        \"A\"\n  | long_one \"B\" // b\n  | c\nkind l\n  = a \"A\" | bb \"B\"\n  | c \"C\"\noption o: a \"A\"\n  | bbb \"B\" = a\n";
    assert_eq!(kept(text), canonical);
}

#[test]
fn empty_lines_are_counted() {
    let text = "\n\nsystem a\n\n\n\n\nsheet b {\n\n // x\n\n\n c: yes/no\n\n}\nsheet d {\n}\n\nsheet e { }\n\n\n";
    let canonical = "system a\n\n\nsheet b {\n  // x\n\n  c: yes/no\n}\nsheet d {\n}\n\nsheet e { }\n";
    assert_eq!(kept(text), canonical);
}
