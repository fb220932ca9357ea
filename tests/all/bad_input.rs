//! Bad input, as it comes: each with a clear message and the exit status that scripts rely on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A folder with files in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().expect("a scratch folder"))
    }

    fn with(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        fs::write(self.0.path().join(name), bytes).expect("a file written");
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, words: &[&str]) -> (i32, String, String) {
        run_in(self.0.path(), words)
    }
}

fn run_in(folder: &Path, words: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_cicatriz"))
        .env("CICATRIZ_UI", "en")
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("NO_COLOR", "1")
        .output()
        .expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit status, not a signal"), text(output.stdout), text(output.stderr))
}

const GAME: &str = "system game \"Juego\" lang es\n\
    table wound(extra: 0..3 = 0) \"Heridas\" = 1d6 + extra {\n  1-5  cut   \"Corte\"\n  6+   dead  \"Muerte\"\n}\n\
    scenario big(n: 0..9000000000000000000 = 1) \"Grande\" {\n  outcome n * 4\n}\n";

/// The program says this (on either stream) and ends so.
#[track_caller]
fn says(folder: &Folder, words: &[&str], status: i32, wanted: &[&str]) {
    let (code, out, err) = folder.run(words);
    let all = format!("{out}{err}");
    for text in wanted {
        assert!(all.contains(text), "{words:?} does not say `{text}`:\n{all}");
    }
    assert_eq!(code, status, "{words:?}:\n{all}");
    assert!(!all.contains("panicked"), "{all}");
}

#[test]
fn a_missing_file_and_its_nearest_name() {
    let folder = Folder::new().with("game.rules", GAME);
    says(&folder, &["check", "gane.rules"], 2, &["file::unreadable", "gane.rules", "game.rules"]);
    says(&folder, &["run", "nothing.rules", "wound"], 2, &["file::unreadable", "nothing.rules"]);
}

#[test]
fn a_folder_without_rules() {
    let folder = Folder::new().with("readme.txt", "hola");
    says(&folder, &["check", "."], 2, &["no `.rules`"]);
}

#[test]
fn text_that_is_not_utf_8_says_where() {
    let folder = Folder::new().with("game.rules", b"system game \"Juego\" lang es\nkind c = a \"ca\xf1a\"\n");
    says(&folder, &["check", "game.rules"], 2, &["file::encoding", "2:15"]);
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_fine() {
    let text = format!("\u{feff}{}", GAME.replace('\n', "\r\n"));
    let folder = Folder::new().with("game.rules", text);
    says(&folder, &["check", "game.rules"], 0, &["no faults"]);
    says(&folder, &["run", "game.rules", "wound", "--dice", "6"], 0, &["Muerte"]);
}

#[test]
fn an_empty_file_says_how_to_begin() {
    let folder = Folder::new().with("game.rules", "").with("words.rules", "// nada\n");
    says(&folder, &["check", "game.rules"], 1, &["there are no rules in this file", "system my_game"]);
    says(&folder, &["check", "words.rules"], 1, &["there are no rules in this file"]);
}

#[test]
fn one_line_of_ten_megabytes() {
    let mut text = String::from("system game \"Juego\" lang es\ntable wound \"");
    text.push_str(&"a".repeat(10_000_000));
    let folder = Folder::new().with("game.rules", text);
    let (code, out, err) = folder.run(&["check", "game.rules"]);
    assert_eq!(code, 1);
    assert!(out.contains("syntax"), "{err}");
    assert!(out.len() + err.len() < 10_000, "the line is printed whole");
}

#[test]
fn twenty_thousand_parentheses() {
    let deep = format!("{}1{}", "(".repeat(20_000), ")".repeat(20_000));
    let folder =
        Folder::new().with("game.rules", format!("system game \"J\" lang es\nsheet s {{\n  value v = {deep}\n}}\n"));
    says(&folder, &["check", "game.rules"], 1, &["syntax::depth", "64"]);
    let short = format!("{}1d6{}", "(".repeat(2_000), ")".repeat(2_000));
    says(&folder, &["roll", &short], 2, &["syntax::depth", "64"]);
    says(&folder, &["roll", &deep], 2, &["file::limit", "4096"]);
}

#[test]
fn files_that_use_each_other_or_nothing() {
    let folder = Folder::new()
        .with("a.rules", "system a \"A\" lang es\nuse \"b.rules\"\n")
        .with("b.rules", "system b \"B\" lang es\nuse \"a.rules\"\n")
        .with("c.rules", "system c \"C\" lang es\nuse \"nothing.rules\"\n");
    says(&folder, &["check", "a.rules"], 1, &["use::circle", "a.rules"]);
    says(&folder, &["check", "c.rules"], 1, &["use::missing", "nothing.rules"]);
}

#[test]
fn an_unknown_target_or_argument_gets_the_nearest() {
    let folder = Folder::new().with("game.rules", GAME);
    says(&folder, &["run", "game.rules", "wuond"], 2, &["no table or scenario called `wuond`", "write `wound`"]);
    says(&folder, &["run", "game.rules", "wound", "exrta=1"], 2, &["no argument called `exrta`", "write `extra=1`"]);
    says(&folder, &["run", "game.rules", "wound", "extra=1", "extra=2"], 2, &["`extra` is given twice"]);
    says(&folder, &["run", "game.rules", "wound", "--set", "edition=x"], 2, &["no option called `edition`"]);
}

#[test]
fn an_argument_of_the_wrong_type_or_out_of_bounds() {
    let folder = Folder::new().with("game.rules", GAME);
    says(
        &folder,
        &["run", "game.rules", "wound", "extra=two"],
        2,
        &["run::argument", "`extra` is a number, not `two`"],
    );
    says(&folder, &["run", "game.rules", "wound", "extra=4"], 2, &["`extra` goes from 0 to 3, not 4", "extra=3"]);
}

#[test]
fn dice_too_few_left_over_or_impossible() {
    let folder = Folder::new().with("game.rules", GAME);
    says(&folder, &["run", "game.rules", "wound", "--dice", "7"], 2, &["run::dice", "`7`", "d6"]);
    says(&folder, &["run", "game.rules", "wound", "--dice", "3,4"], 2, &["run::dice", "left over"]);
    says(&folder, &["roll", "2d6", "--dice", "3"], 2, &["run::dice", "d6"]);
    says(&folder, &["roll", "2d6", "--dice", "3,4,5"], 2, &["left over", "`5`"]);
    let (_, out, _) = folder.run(&["roll", "2d6", "--dice", "3,4,5"]);
    assert_eq!(out, "", "nothing is told of a roll that is refused");
}

#[test]
fn a_result_that_no_row_answers() {
    // Found before any die is rolled where the dice are known …
    let gap = GAME.replace("6+ ", "7+ ");
    let folder = Folder::new().with("game.rules", gap);
    says(&folder, &["run", "game.rules", "wound"], 1, &["table::gap", "no row answers 6"]);
    // … and when it happens where they are not.
    let late =
        "system game \"J\" lang es\ntable wound(damage: dice = 1d6) \"H\" = damage {\n  1-6  cut  \"Corte\"\n}\n";
    let folder = Folder::new().with("game.rules", late);
    says(&folder, &["run", "game.rules", "wound", "damage=1d8", "--dice", "8"], 1, &["run::row", "8"]);
}

#[test]
fn a_number_that_does_not_fit() {
    let folder = Folder::new().with("game.rules", GAME);
    says(&folder, &["run", "game.rules", "big", "n=9000000000000000000"], 1, &["run::overflow"]);
    says(&folder, &["run", "game.rules", "big", "n=99999999999999999999"], 2, &["run::argument"]);
    says(&folder, &["roll", "9223372036854775807 + 1"], 2, &["overflow"]);
    says(&folder, &["roll", "99999999999999999999d6"], 2, &["99999999999999999999"]);
}

#[test]
fn json_has_the_faults_too_and_nothing_else() {
    let folder = Folder::new().with("game.rules", GAME.replace("6+ ", "7+ "));
    let (code, out, err) = folder.run(&["check", "game.rules", "--format", "json"]);
    assert_eq!((code, err.as_str()), (1, ""));
    let document: serde_json::Value = serde_json::from_str(&out).expect("one JSON document");
    assert_eq!(document["diagnostics"][0]["code"], "table::gap");
    assert_eq!(document["diagnostics"][0]["severity"], "error");
    assert_eq!(document["diagnostics"][0]["file"], "game.rules");
    assert!(document["diagnostics"][0]["start"]["line"].is_u64());
}

#[test]
fn fmt_leaves_a_faulty_file_alone() {
    let faulty = "system game \"Juego\" lang es\ntable wound = 1d6 {\n  1-6 cut \"Corte\n}\n";
    let folder = Folder::new().with("game.rules", faulty);
    says(&folder, &["fmt", "game.rules"], 1, &["syntax"]);
    assert_eq!(fs::read_to_string(folder.path("game.rules")).expect("the file"), faulty);
}
