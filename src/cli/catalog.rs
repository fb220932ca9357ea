//! The catalog of a rule file in a language: beside the file, or else the one carried inside.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cicatriz::diagnostics::nearest;
use cicatriz::locale::{self, PSEUDO, po, po::Po, shipped};
use cicatriz::program::Program;
use cicatriz::source::{FILE_BYTES, Source};

use super::output;

/// The folder of a rule file's catalogs.
pub fn folder(rules: &Path) -> PathBuf {
    rules.parent().unwrap_or(Path::new("")).join("locale")
}

/// Where the catalog of a system in a language stands.
pub fn path(rules: &Path, system: &str, lang: &str) -> PathBuf {
    folder(rules).join(lang).join(format!("{system}.po"))
}

/// The languages that a system has a catalog in beside its file, sorted, with their paths.
pub fn langs(rules: &Path, system: &str) -> Vec<(String, PathBuf)> {
    let folders = fs::read_dir(folder(rules)).into_iter().flatten().flatten();
    let mut found: Vec<(String, PathBuf)> = folders
        .filter_map(|entry| entry.file_name().into_string().ok())
        .map(|lang| (lang.clone(), path(rules, system, &lang)))
        .filter(|(_, path)| path.is_file())
        .collect();
    found.sort();
    found
}

/// Reads a catalog as it is; bytes that are no UTF-8 are told as such.
pub fn read(path: &Path) -> io::Result<Po> {
    if fs::metadata(path)?.len() > FILE_BYTES as u64 {
        return Err(io::Error::other(format!("it has more than {FILE_BYTES} bytes")));
    }
    let text = String::from_utf8(fs::read(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        io::Error::other(format!("line {line} is not UTF-8 text; save it as UTF-8"))
    })?;
    Ok(po::read(Source::new(path.to_string_lossy(), text)))
}

/// Puts the texts of a language into a program, and tells on standard error how many of them stay
/// as they are in the rules. `Err`: there is no catalog in this language.
pub fn translate(program: &mut Program, rules: &Path, sources: &[Source], lang: &str) -> Result<(), String> {
    let source = program.system.lang.clone();
    if shipped::candidates(lang).any(|lang| lang == *source) {
        return Ok(());
    }
    let (found, catalog) = find(program, rules, sources, lang)?;
    let done = locale::translate(program, &catalog, &found);
    if done.missing() > 0 {
        let (missing, texts) = (done.missing(), done.texts);
        output::complain(&format!("{missing} of {texts} texts are not in `{found}` yet; they are told in `{source}`"));
    }
    Ok(())
}

fn find(program: &Program, rules: &Path, sources: &[Source], lang: &str) -> Result<(String, Po), String> {
    let system = program.system.id.as_str();
    let is_name = lang.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'@'));
    for candidate in shipped::candidates(lang).filter(|_| is_name) {
        let path = path(rules, system, &candidate);
        match read(&path) {
            Ok(po) => return Ok((candidate, po)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("`{}` cannot be read: {error}", path.display())),
        }
    }
    if let Some(found) = shipped::find(system, lang) {
        return Ok((found.lang.to_owned(), po::read(Source::new(found.lang, found.text))));
    }
    if lang == PSEUDO {
        return Ok((lang.to_owned(), locale::pseudo(program, sources)));
    }
    let carried = shipped::SHIPPED.iter().filter(|known| known.system == system).map(|known| known.lang.to_owned());
    let mut known: Vec<String> = langs(rules, system).into_iter().map(|(lang, _)| lang).chain(carried).collect();
    known.push(program.system.lang.to_string());
    known.sort();
    known.dedup();
    let there = match nearest(lang, known.iter().map(String::as_str)) {
        Some(near) => format!("write --lang {near}"),
        None => format!("there is `{}`", known.join("`, `")),
    };
    Err(format!("`{system}` has no catalog in `{lang}`; {there}"))
}
