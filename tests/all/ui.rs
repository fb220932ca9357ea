//! The program's own messages in the languages it speaks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use cicatriz::diagnostics::Diagnostic;
use cicatriz::diagnostics::render::{Drawing, draw};
use cicatriz::dice::Dialect;
use cicatriz::locale::po::{self, Po};
use cicatriz::locale::ui::{ES, ui};
use cicatriz::locale::{check, ui as languages};
use cicatriz::plural::Plural;
use cicatriz::source::Source;
use cicatriz::wording::{Texts, Ui, Wording, holes};

use crate::diagnostics::{cases, wordings};

fn catalog() -> Po {
    po::read(Source::new("es.po", ES))
}

// ── What there is to translate ──────────────────────────────────────────────────────────────

/// What takes a text of ours as it stands: `.label(span, "opened here")`.
const TAKERS: [&str; 12] =
    ["label", "help", "error", "warning", "note", "tell", "warn", "complain", "said", "say", "word", "list"];

/// A word, a sign or a string of the source.
enum Token<'t> {
    Word(&'t str),
    Sign(char),
    Text(String),
}

/// The source without comments, letters in single quotes and raw strings.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if c == 'r' && rest[1..].trim_start_matches('#').starts_with('"') {
            let marks = rest[1..].bytes().take_while(|b| *b == b'#').count();
            let end = format!("\"{}", "#".repeat(marks));
            let from = marks + 2;
            rest = &rest[from + rest[from..].find(&end).expect("a raw string ends") + end.len()..];
        } else if c == '"' {
            let (string, behind) = string(&rest[1..]);
            tokens.push(Token::Text(string));
            rest = behind;
        } else if c == '\'' {
            let inner = &rest[1..];
            let length = match inner.strip_prefix('\\') {
                Some(escaped) => 1 + escaped.find('\'').filter(|end| *end > 0).unwrap_or(1),
                None => inner.chars().next().map_or(0, char::len_utf8),
            };
            rest = inner.get(length..).and_then(|behind| behind.strip_prefix('\'')).unwrap_or(inner);
        } else if c.is_alphanumeric() || c == '_' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            tokens.push(Token::Word(&rest[..end]));
            rest = &rest[end..];
        } else {
            if !c.is_whitespace() {
                tokens.push(Token::Sign(c));
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    tokens
}

/// A string behind its opening quote, and what follows it.
fn string(text: &str) -> (String, &str) {
    let mut string = String::new();
    let mut rest = text;
    loop {
        let c = rest.chars().next().expect("a string ends");
        rest = &rest[c.len_utf8()..];
        match c {
            '"' => return (string, rest),
            '\\' => {
                let escape = rest.chars().next().expect("an escape");
                rest = &rest[escape.len_utf8()..];
                match escape {
                    'n' => string.push('\n'),
                    't' => string.push('\t'),
                    '\n' => rest = rest.trim_start(),
                    'u' => {
                        let end = rest.find('}').expect("a closing brace");
                        let code = u32::from_str_radix(&rest[1..end], 16).ok().and_then(char::from_u32);
                        string.push(code.expect("a character"));
                        rest = &rest[end + 1..];
                    }
                    other => string.push(other),
                }
            }
            other => string.push(other),
        }
    }
}

fn files(folder: &Path, list: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).expect("a folder of the source").flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && name != "tests" {
            files(&path, list);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            list.push(path);
        }
    }
}

/// Whether letters stand outside backticks and holes.
fn is_language(text: &str) -> bool {
    !left(text).is_empty()
}

/// The letters outside backticks and holes.
fn left(text: &str) -> String {
    let mut plain: String = text.split('`').step_by(2).collect();
    for name in holes(text) {
        plain = plain.replace(&format!("{{{name}}}"), "");
    }
    plain.chars().filter(|c| c.is_alphabetic()).collect()
}

/// Every text of ours in the source, with its plural where it has one.
fn texts() -> BTreeMap<String, Option<String>> {
    let mut list = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut list);
    let mut texts = BTreeMap::new();
    for path in list {
        let source = fs::read_to_string(&path).expect("a file of the source");
        let ends = ["#[cfg(test)]\nmod", "#[cfg(all(test"];
        let end = ends.iter().filter_map(|mark| source.find(mark)).min().unwrap_or(source.len());
        let tokens = tokens(&source[..end]);
        let sign = |at: usize, sign: char| matches!(tokens.get(at), Some(Token::Sign(c)) if *c == sign);
        for (at, token) in tokens.iter().enumerate() {
            let Token::Word(word) = token else { continue };
            if *word == "say" && sign(at + 1, '!') {
                if let Some(Token::Text(one)) = tokens.get(at + 3) {
                    let many = match tokens.get(at + 5) {
                        Some(Token::Text(many)) if sign(at + 4, '|') => Some(many.clone()),
                        _ => None,
                    };
                    texts.insert(one.clone(), many);
                }
            } else if TAKERS.contains(word) && sign(at + 1, '(') {
                taken(&tokens, at + 2, &mut texts);
            }
        }
    }
    texts.retain(|text, _| is_language(text));
    assert!(texts.len() > 800, "only {} texts", texts.len());
    texts
}

/// The strings that are arguments themselves, also within `if` or `match`; patterns are none.
fn taken(tokens: &[Token<'_>], from: usize, texts: &mut BTreeMap<String, Option<String>>) {
    let mut open = vec!['('];
    for (at, token) in tokens.iter().enumerate().skip(from) {
        match token {
            Token::Sign(c @ ('(' | '[' | '{')) => open.push(*c),
            Token::Sign(')' | ']' | '}') => {
                open.pop();
                if open.is_empty() {
                    return;
                }
            }
            Token::Text(text) if open.iter().filter(|c| **c != '{').count() == 1 => {
                let behind = (tokens.get(at + 1), tokens.get(at + 2));
                let is_pattern = matches!(behind, (Some(Token::Sign('=')), Some(Token::Sign('>'))))
                    || matches!(behind.0, Some(Token::Sign('|' | '.')));
                if !is_pattern {
                    texts.entry(text.clone()).or_insert(None);
                }
            }
            _ => {}
        }
    }
}

/// The catalog has each text of the source and no other.
#[test]
fn the_catalog_has_what_the_source_says() {
    let texts = texts();
    let po = catalog();
    let known: BTreeMap<&str, Option<&str>> =
        po.entries().map(|entry| (entry.id.as_str(), entry.plural.as_deref())).collect();
    // As entries to paste.
    let missing: String = texts
        .iter()
        .filter(|(one, many)| known.get(one.as_str()) != Some(&many.as_deref()))
        .map(|(one, many)| match many {
            None => format!("\nmsgid {one:?}\nmsgstr \"\"\n"),
            Some(many) => format!("\nmsgid {one:?}\nmsgid_plural {many:?}\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n"),
        })
        .collect();
    let obsolete: Vec<_> = known.keys().filter(|id| !texts.contains_key(**id)).collect();
    assert!(missing.is_empty(), "not in es.po, or with another plural:\n{missing}");
    assert!(obsolete.is_empty(), "in es.po and no longer in the source: {obsolete:#?}");
}

#[test]
fn each_text_has_its_translation_with_the_same_holes() {
    let po = catalog();
    assert!(
        po.diagnostics.is_empty(),
        "{}",
        draw(&po.diagnostics, std::slice::from_ref(&po.source), &Drawing::default())
    );
    for entry in po.entries() {
        assert!(entry.is_translated() && !entry.is_fuzzy(), "`{}` has no translation", entry.id);
        let set = |text: &str| holes(text).into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
        let wanted = set(&entry.id).union(&set(entry.plural.as_deref().unwrap_or_default())).cloned().collect();
        for text in &entry.texts {
            assert_eq!(set(text), wanted, "`{}` is translated `{text}`", entry.id);
        }
    }
}

/// What the checker of catalogs finds, but for braces: here they are those of the rules.
#[test]
fn the_catalog_is_sound() {
    let po = catalog();
    let found: Vec<Diagnostic> = check(&po, None, "es")
        .into_iter()
        .filter(|fault| !matches!(fault.code.as_str(), "locale::placeholder" | "locale::choices" | "locale::same"))
        .collect();
    assert!(found.is_empty(), "{}", draw(&found, std::slice::from_ref(&po.source), &Drawing::default()));
}

// ── What is said ────────────────────────────────────────────────────────────────────────────

fn spanish() -> &'static Ui {
    ui("es").expect("Spanish")
}

/// A language in which every text of ours is its holes and what stands in backticks.
fn bare() -> Ui {
    let bare = |text: &str| {
        let parts = text.split('`').enumerate().map(|(number, part)| match number % 2 {
            0 => holes(part).iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(" "),
            _ => part.to_owned(),
        });
        parts.collect::<Vec<_>>().join("`")
    };
    let po = catalog();
    let texts: Texts =
        po.entries().map(|entry| (entry.id.clone(), entry.texts.iter().map(|text| bare(text)).collect())).collect();
    Ui::new("bare", Plural::two(), texts)
}

/// Nothing of any case of the checker is left in English.
#[test]
fn each_fault_is_told_in_spanish() {
    let bare = bare();
    let mut wrong = BTreeSet::new();
    for case in cases() {
        for diagnostic in case.checked().diagnostics {
            for wording in wordings(&diagnostic) {
                wrong.extend(spanish().untranslated(wording));
                let said = bare.say(wording);
                let plain: String = said.split('`').step_by(2).collect::<Vec<_>>().join(" ");
                let mut words = plain.split(|c: char| !(c.is_alphabetic() || c == '_')).filter(|word| word.len() > 1);
                // Words of the file itself and names of tools are no language of ours.
                if words.any(|word| !case.text.contains(word) && Dialect::parse(word).is_none()) {
                    wrong.insert(format!("{}: {wording} | {}", case.name, bare.say(wording)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "left in English: {wrong:#?}");
}

#[test]
fn some_faults_whole_in_spanish() {
    let shown = ["table_gap/no_rows", "table_overlap/two_rows"];
    let mut told = String::new();
    let cases = cases();
    for (at, case) in cases.iter().enumerate() {
        // Those above, and one in twenty of all others.
        if shown.contains(&case.name.as_str()) || at % 20 == 0 {
            let checked = case.checked();
            let drawing = Drawing { unicode: true, width: 100, ui: spanish(), ..Drawing::default() };
            told.push_str(&format!("## {}\n{}\n", case.name, draw(&checked.diagnostics, &checked.files, &drawing)));
        }
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_language_is_found_by_its_name_and_country() {
    for name in ["es", "es_MX.UTF-8", "es-AR", "ES"] {
        assert_eq!(ui(name).map(Ui::lang), Some("es"), "{name}");
    }
    assert_eq!(ui("en_GB").map(Ui::lang), Some("en"));
    assert_eq!((ui("fr").map(Ui::lang), ui("").map(Ui::lang)), (None, None));
    assert!(languages::LANGUAGES.iter().all(|lang| ui(lang).is_some_and(|ui| ui.lang() == *lang)));
}

#[test]
fn what_the_catalog_lacks_is_said_in_english() {
    let po = po::read(Source::new("es.po", "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n"));
    let ui = languages::speaking(&po, "es");
    assert_eq!(ui.say(&Wording::from("opened here")), "opened here");
}

#[cfg(feature = "cli")]
mod command {
    use std::process::Command;

    fn ran(words: &[&str], set: &[(&str, &str)]) -> (Option<i32>, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicatriz"));
        command.current_dir(env!("CARGO_MANIFEST_DIR")).args(words);
        for name in ["CICATRIZ_UI", "LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE", "NO_COLOR"] {
            command.env_remove(name);
        }
        let output = command.envs(set.iter().copied()).output().expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    #[test]
    fn the_flag_or_the_environment_chooses() {
        let file = "tests/diagnostics/table_gap/no_rows.rules";
        for (words, set) in [
            (vec!["check", file, "--ui", "es"], vec![]),
            (vec!["--ui=es", "check", file], vec![("LANG", "en_US.UTF-8")]),
            (vec!["check", file], vec![("LANG", "es_ES.UTF-8")]),
            (vec!["check", file], vec![("CICATRIZ_UI", "es"), ("LANG", "C")]),
        ] {
            let (_, out, err) = ran(&words, &set);
            assert!(format!("{out}{err}").contains("falta una fila"), "{words:?} {set:?}: {out}{err}");
        }
        let (_, out, err) = ran(&["check", file], &[]);
        assert!(format!("{out}{err}").contains("no row answers"), "{out}{err}");
    }

    #[test]
    fn json_has_the_same_codes_and_fields_in_each_language() {
        let document = |lang: &str| -> serde_json::Value {
            let file = "tests/diagnostics/table_gap/no_rows.rules";
            let (_, out, _) = ran(&["check", file, "--format", "json", "--ui", lang], &[]);
            serde_json::from_str(&out).expect("JSON")
        };
        let (english, spanish) = (document("en"), document("es"));
        let first = |document: &serde_json::Value, field: &str| document["diagnostics"][0][field].clone();
        for field in ["code", "severity", "file", "start", "end", "edits"] {
            assert_eq!(first(&english, field), first(&spanish, field));
        }
        assert_ne!(first(&english, "message"), first(&spanish, "message"));
    }

    #[test]
    fn runs_and_rolls_speak_spanish() {
        let (status, out, err) = ran(&["run", "rules/old_world.rules", "to_death", "--seed", "7", "--ui", "es"], &[]);
        assert_eq!((status, err.as_str()), (Some(0), ""));
        assert!(out.ends_with("desenlace: 4\nsemilla 7\n"), "{out}");
        let (status, _, err) = ran(&["roll", "99999d6", "--ui", "es"], &[]);
        assert_eq!(status, Some(2));
        assert!(err.contains("99\u{a0}999 dados en una tirada; el límite es 10\u{a0}000"), "{err}");
        let (status, _, err) = ran(&["run", "rules/old_world.rules", "wond", "--ui", "es"], &[]);
        assert_eq!(status, Some(2));
        assert!(err.contains("ayuda: escribe `wound`"), "{err}");
    }

    #[test]
    fn play_speaks_spanish() {
        let folder = tempfile::tempdir().expect("a folder");
        let rules = format!("{}/rules/old_world.rules", env!("CARGO_MANIFEST_DIR"));
        let moves = folder.path().join("moves.txt");
        std::fs::write(&moves, "new character Ana\n:dice 9\nwounded to Ana\n:undoo\n:undo\nfoo\n:quit\n")
            .expect("written");
        let output = Command::new(env!("CARGO_BIN_EXE_cicatriz"))
            .args(["play", &rules, "--seed", "7", "--ui", "es"])
            .current_dir(folder.path())
            .stdin(std::fs::File::open(&moves).expect("the moves"))
            .output()
            .expect("it runs");
        insta::assert_snapshot!(String::from_utf8_lossy(&output.stdout));
    }

    #[test]
    fn a_language_that_is_not_spoken_is_wrong_usage() {
        let (status, out, err) = ran(&["check", "rules", "--ui", "fr"], &[]);
        assert_eq!((status, out.as_str()), (Some(2), ""));
        assert_eq!(err, "cicatriz: the program does not speak `fr`; it speaks `en` and `es`\n");
    }
}
