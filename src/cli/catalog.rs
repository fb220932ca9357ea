//! The catalog of a rule file in a language: beside the file, or else the one carried inside.

use cicatriz::wording::Wording;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cicatriz::diagnostics::nearest;
use cicatriz::locale::{self, PSEUDO, po, po::Po, shipped};
use cicatriz::program::Program;
use cicatriz::say;
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
        return Err(io::Error::other(super::ui::said(say!(
            "it has more than {file_bytes} bytes",
            file_bytes = FILE_BYTES
        ))));
    }
    let text = String::from_utf8(fs::read(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        io::Error::other(super::ui::said(say!("line {line} is not UTF-8 text; save it as UTF-8", line)))
    })?;
    Ok(po::read(Source::new(path.to_string_lossy(), text)))
}

/// Puts the texts of a language into a program, and tells on standard error how many of them stay
/// as they are in the rules. `Err`: there is no catalog in this language.
pub fn translate(program: &mut Program, rules: &Path, sources: &[Source], lang: &str) -> Result<(), Wording> {
    let source = program.system.lang.clone();
    if shipped::candidates(lang).any(|lang| lang == *source) {
        return Ok(());
    }
    let (found, own) = match find(program, rules, sources, lang) {
        Ok((found, catalog)) => (found, Ok(catalog)),
        Err(why) => (lang.to_owned(), Err(why)),
    };
    // What comes from the files of other systems is told in their catalogs.
    let used = sources.iter().filter_map(|file| Some((file, system_of(file)?)));
    let used = used.filter(|(_, system)| *system != program.system.id);
    let used: Vec<Po> =
        used.filter_map(|(file, system)| Some(at(system, Path::new(&*file.name), lang)?.ok()?.1)).collect();
    let catalogs: Vec<Po> = match own {
        Err(why) if used.is_empty() => return Err(why),
        own => own.into_iter().chain(used).collect(),
    };
    let done = locale::translate_from(program, &catalogs, &found);
    if done.missing() > 0 {
        let (missing, texts) = (done.missing(), done.texts);
        output::complain(say!(
            "{missing} of {texts} texts are not in `{found}` yet; they are told in `{source}`",
            missing,
            texts,
            found,
            source
        ));
    }
    Ok(())
}

fn find(program: &Program, rules: &Path, sources: &[Source], lang: &str) -> Result<(String, Po), Wording> {
    let system = program.system.id.as_str();
    let is_name = lang.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'@'));
    if let Some(found) = is_name.then(|| at(system, rules, lang)).flatten() {
        return found;
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
        Some(near) => say!("write --lang {near}", near),
        None => say!("there is `{known}`", known = known.join("`, `")),
    };
    Err(say!("`{system}` has no catalog in `{lang}`; {there}", system, lang, there))
}

/// The catalog of a system whose rule file stands here: beside it, or else carried inside. `Err`:
/// there is one, and it cannot be read.
fn at(system: &str, rules: &Path, lang: &str) -> Option<Result<(String, Po), Wording>> {
    for candidate in shipped::candidates(lang) {
        let path = path(rules, system, &candidate);
        match read(&path) {
            Ok(po) => return Some(Ok((candidate, po))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Some(Err(say!("`{path}` cannot be read: {error}", path = path.display(), error))),
        }
    }
    let found = shipped::find(system, lang)?;
    Some(Ok((found.lang.to_owned(), po::read(Source::new(found.lang, found.text)))))
}

/// The id of the system that a rule file is of.
fn system_of(file: &Source) -> Option<&str> {
    let head = file.text.lines().find_map(|line| line.trim_start().strip_prefix("system "))?;
    head.split_whitespace().next()
}
