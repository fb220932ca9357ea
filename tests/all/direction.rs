//! Which part of the library may use which: only what stands left of it.

use std::fs;
use std::path::{Path, PathBuf};

/// From left to right. `check` makes programs and `run` runs them; neither knows the other but
/// for the program between them.
const ORDER: [(&str, &[&str]); 14] = [
    ("choices", &[]),
    ("plural", &[]),
    ("wording", &["plural"]),
    ("source", &[]),
    ("diagnostics", &["wording", "source"]),
    ("dice", &["wording", "source", "diagnostics"]),
    ("syntax", &["wording", "source", "diagnostics", "dice"]),
    ("program", &["wording", "source", "diagnostics", "dice", "choices", "plural"]),
    ("check", &["wording", "source", "diagnostics", "dice", "choices", "syntax", "program"]),
    ("run", &["wording", "source", "diagnostics", "dice", "choices", "program"]),
    ("odds", &["wording", "source", "diagnostics", "dice", "program", "run"]),
    ("simulate", &["wording", "source", "diagnostics", "dice", "program", "run", "odds"]),
    ("suite", &["wording", "source", "diagnostics", "dice", "program", "run", "odds"]),
    ("locale", &["wording", "source", "diagnostics", "dice", "choices", "plural", "program", "run"]),
];

fn files(folder: &Path, list: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the source").flatten() {
        let path = entry.path();
        if path.is_dir() {
            // Tests may look anywhere.
            if path.file_name().is_some_and(|n| n != "tests") {
                files(&path, list);
            }
        } else if path.extension().is_some_and(|e| e == "rs") && path.file_name().is_some_and(|n| n != "tests.rs") {
            list.push(path);
        }
    }
}

#[test]
fn each_part_uses_only_what_stands_left_of_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (part, allowed) in ORDER {
        let mut list = Vec::new();
        let folder = src.join(part);
        if folder.is_dir() {
            files(&folder, &mut list);
        } else if src.join(format!("{part}.rs")).exists() {
            list.push(src.join(format!("{part}.rs")));
        }
        for path in list {
            seen += 1;
            let text = fs::read_to_string(&path).expect("a file of the source");
            // What stands below a file's own tests is theirs.
            let text = text.split("#[cfg(test)]\nmod").next().unwrap_or_default();
            for line in text.lines().filter(|l| !l.trim_start().starts_with("//")) {
                for (other, _) in ORDER {
                    let names = [format!("crate::{other}::"), format!("crate::{other};"), format!("crate::{{{other}")];
                    let may = other == part || other == "wording" && part != "plural" || allowed.contains(&other);
                    if !may && names.iter().any(|n| line.contains(n.as_str())) {
                        wrong.push(format!("{}: {}", path.strip_prefix(&src).unwrap_or(&path).display(), line.trim()));
                    }
                }
            }
        }
    }
    assert!(seen > 20, "the source was not found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_one_file_names_miette_and_only_the_reader_names_pest() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut list = Vec::new();
    files(&src, &mut list);
    for path in list {
        let text = fs::read_to_string(&path).expect("a file of the source");
        let name = path.strip_prefix(&src).unwrap_or(&path).display().to_string();
        let uses = |what: &str| text.lines().any(|l| !l.trim_start().starts_with("//") && l.contains(what));
        assert!(!uses("miette::") || name == "diagnostics/render.rs", "{name} names miette");
        assert!(!uses("pest::") || name.starts_with("syntax"), "{name} names pest");
        assert!(!uses("std::fs") || name.starts_with("cli"), "{name} reads files");
    }
}
