//! `cicatriz translate`: gettext catalogs of rule files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use cicatriz::diagnostics::{Code, Diagnostic, Severity, any_error, json, render};
use cicatriz::locale::{self, PSEUDO, po, po::Po};
use cicatriz::program::Program;
use cicatriz::say;
use cicatriz::source::{FileId, Source};
use clap::{Subcommand, ValueHint};

use super::output::{self, Output, Stream};
use super::{Common, Exit, catalog, files, load};
use crate::cli::ui::ui;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz translate update rules/old_world.rules --lang en\n\n\
                        A catalog stands at locale/LANGUAGE/SYSTEM.po beside its rule file; any editor of gettext \
                        catalogs (Poedit, Weblate, OmegaT) opens it. Without --lang every language there is meant.")]
pub struct Args {
    #[command(subcommand)]
    work: Work,
}

#[derive(Debug, Subcommand)]
enum Work {
    /// Write the templates: all texts, no translations (locale/SYSTEM.pot)
    Extract(Extract),
    /// Bring catalogs up to date with the rules; with --lang a new one too
    Update(Paths),
    /// Tell how far each catalog is
    Status(Status),
    /// Tell what is wrong with catalogs
    Check(Paths),
    /// Write catalogs in no language, to see what cannot be translated yet
    Pseudo(Paths),
}

#[derive(Debug, clap::Args)]
pub struct Paths {
    /// Rule files; a folder means all `.rules` below it
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct Extract {
    #[command(flatten)]
    pub paths: Paths,

    /// Write the templates into this folder; `-` is standard output
    #[arg(short, long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub output: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub struct Status {
    #[command(flatten)]
    pub paths: Paths,

    /// End with 1 where a catalog has fewer of a hundred texts translated
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub min: Option<u32>,
}

/// Does one of the works.
pub fn run(args: Args, common: &Common) -> Exit {
    match args.work {
        Work::Extract(extract) => extract_all(&extract, common),
        Work::Update(paths) => update_all(&paths, common),
        Work::Status(asked) => status_all(&asked, common),
        Work::Check(paths) => check_all(&paths, common),
        Work::Pseudo(paths) => pseudo_all(&paths, common),
    }
}

/// A rule file that has no faults.
struct Rules {
    path: PathBuf,
    program: Program,
    files: Vec<Source>,
}

/// All rule files; those with faults have been told.
fn rules(paths: &Paths, common: &Common) -> (Vec<Rules>, Exit) {
    let found = files::find(&paths.paths);
    let mut exit = Exit::Well;
    for unread in &found.faults {
        load::complain_of_unread(unread, common);
        exit = exit.max(Exit::Usage);
    }
    let mut all = Vec::new();
    for path in found.files {
        match load::source_program(&path, common) {
            Ok((program, files)) => all.push(Rules { path, program, files }),
            Err(faults) => exit = exit.max(faults),
        }
    }
    (all, exit)
}

impl Rules {
    /// The catalogs beside the file, by language: the one asked for, or all.
    fn catalogs(&self, lang: Option<&str>) -> BTreeMap<String, PathBuf> {
        let system = &self.program.system.id;
        match lang {
            Some(lang) => [(lang.to_owned(), catalog::path(&self.path, system, lang))].into(),
            None => catalog::langs(&self.path, system).into_iter().collect(),
        }
    }
}

fn extract_all(asked: &Extract, common: &Common) -> Exit {
    let (all, mut exit) = rules(&asked.paths, common);
    let mut out = Output::stdout();
    for rules in all {
        let text = locale::extract(&rules.program, &rules.files).write();
        let name = format!("{}.pot", rules.program.system.id);
        let path = match &asked.output {
            Some(folder) if folder.as_os_str() == "-" => {
                out.text(&text);
                continue;
            }
            Some(folder) => folder.join(name),
            None => catalog::folder(&rules.path).join(name),
        };
        exit = exit.max(write(&path, &text, &mut out));
    }
    out.finish(exit)
}

fn update_all(paths: &Paths, common: &Common) -> Exit {
    let (all, mut exit) = rules(paths, common);
    let mut out = Output::stdout();
    for rules in all {
        for (lang, path) in rules.catalogs(common.lang.as_deref()) {
            let old = match read(&path) {
                Ok(old) => old,
                Err(error) if error.kind() == io::ErrorKind::NotFound => po::read(Source::new("", "")),
                Err(error) => {
                    output::complain(say!("`{path}` cannot be read: {error}", path = path.display(), error));
                    exit = exit.max(Exit::Usage);
                    continue;
                }
            };
            let broken: Vec<Diagnostic> = old.diagnostics.iter().filter(|d| is_error(d)).cloned().collect();
            if !broken.is_empty() {
                output::complain_of(&broken, std::slice::from_ref(&old.source), common.color);
                output::complain(say!("`{path}` is left as it is until it can be read whole", path = path.display()));
                exit = exit.max(Exit::Faults);
                continue;
            }
            let updated = locale::update(&old, &rules.program, &rules.files, &lang);
            let text = updated.po.write();
            if text == *old.source.text {
                out.say(say!("{path}: up to date", path = path.display()));
                continue;
            }
            let (kept, moved, stale) = (updated.kept, updated.moved, updated.stale);
            let counts = say!(
                "{kept} kept, {moved} moved, {stale} to look at, {new} new",
                kept,
                moved,
                stale,
                new = updated.new
            );
            exit = exit.max(write(&path, &text, &mut out));
            out.say(say!("  {counts}, {obsolete} no longer in the rules", counts, obsolete = updated.obsolete));
        }
    }
    out.finish(exit)
}

fn pseudo_all(paths: &Paths, common: &Common) -> Exit {
    let (all, mut exit) = rules(paths, common);
    let mut out = Output::stdout();
    for rules in all {
        let path = catalog::path(&rules.path, &rules.program.system.id, PSEUDO);
        exit = exit.max(write(&path, &locale::pseudo(&rules.program, &rules.files).write(), &mut out));
    }
    out.finish(exit)
}

fn status_all(asked: &Status, common: &Common) -> Exit {
    let (all, mut exit) = rules(&asked.paths, common);
    let mut list: Vec<locale::Status> = Vec::new();
    for rules in all {
        for (lang, path) in rules.catalogs(common.lang.as_deref()) {
            match read(&path) {
                Ok(po) => list.push(locale::status(&rules.program, &po, &lang)),
                Err(error) => {
                    output::complain(say!("`{path}` cannot be read: {error}", path = path.display(), error));
                    exit = exit.max(Exit::Usage);
                }
            }
        }
    }
    let short = |status: &&locale::Status| asked.min.is_some_and(|min| !status.reaches(min));
    if list.iter().any(|status| short(&status)) {
        exit = exit.max(Exit::Faults);
    }
    let mut out = Output::stdout();
    if common.json() {
        let catalogs: Vec<_> = list
            .iter()
            .map(|status| {
                let mut value = serde_json::to_value(status).unwrap_or_default();
                value["percent"] = status.percent().into();
                value
            })
            .collect();
        out.json(&serde_json::json!({ "catalogs": catalogs }));
        return out.finish(exit);
    }
    let heads = ["system", "language", "texts", "translated", "fuzzy", "missing", "broken", "obsolete", "%"];
    let rows = list.iter().map(|s| {
        let numbers = [s.texts, s.translated, s.fuzzy, s.missing, s.broken, s.obsolete, s.percent() as usize];
        [s.system.clone(), s.lang.clone()].into_iter().chain(numbers.map(|n| n.to_string())).collect::<Vec<_>>()
    });
    let rows: Vec<Vec<String>> = std::iter::once(heads.map(str::to_owned).to_vec()).chain(rows).collect();
    let wide = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..heads.len()).map(wide).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 | 1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        out.line(cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    if let Some(min) = asked.min {
        for status in list.iter().filter(short) {
            let place = say!("{system} in {lang}", system = status.system, lang = status.lang);
            out.say(say!(
                "{place}: {translated} of {texts} texts; {min} % are asked for",
                place,
                translated = status.translated,
                texts = status.texts,
                min
            ));
        }
    }
    out.finish(exit)
}

fn check_all(paths: &Paths, common: &Common) -> Exit {
    let (all, mut exit) = rules(paths, common);
    let (mut diagnostics, mut sources) = (Vec::new(), Vec::new());
    let mut out = Output::stdout();
    for rules in all {
        for (lang, path) in rules.catalogs(common.lang.as_deref()) {
            let found = match read(&path) {
                Ok(po) => {
                    sources.push(po.source.clone());
                    locale::check(&po, Some(&rules.program), &lang)
                }
                Err(error) => {
                    let message = say!("`{path}` cannot be read: {error}", path = path.display(), error);
                    sources.push(Source::new(path.to_string_lossy(), ""));
                    exit = exit.max(Exit::Usage);
                    vec![Diagnostic::error(Code::FileUnreadable, message)]
                }
            };
            if any_error(&found) {
                exit = exit.max(Exit::Faults);
            }
            if !common.json() {
                out.text(&render::draw(&found, &sources[sources.len() - 1..], &common.drawing(Stream::Output)));
            }
            let file = FileId((sources.len() - 1) as u16);
            for mut diagnostic in found {
                diagnostic.labels.iter_mut().for_each(|label| label.span.file = file);
                diagnostic.edits.iter_mut().for_each(|edit| edit.span.file = file);
                diagnostics.push(diagnostic);
            }
        }
    }
    if common.json() {
        out.json(&json::document_in(&diagnostics, &sources, ui()));
    } else if exit == Exit::Well {
        let catalogs =
            if sources.len() == 1 { say!("1 catalog") } else { say!("{sources} catalogs", sources = sources.len()) };
        let told = if diagnostics.is_empty() { say!("no faults") } else { say!("no errors") };
        out.say(say!("{catalogs} checked, {told}", catalogs, told));
    }
    out.finish(exit)
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}

/// A catalog from the disk, with its byte order mark if it has one.
fn read(path: &Path) -> io::Result<Po> {
    catalog::read(path)
}

/// Writes a catalog with the folders it stands in, and tells so.
fn write(path: &Path, text: &str, out: &mut Output) -> Exit {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    match folder.and_then(|()| files::write_whole(path, text)) {
        Ok(()) => {
            out.line(&path.display().to_string());
            Exit::Well
        }
        Err(error) => {
            output::complain(say!("`{path}` cannot be written: {error}", path = path.display(), error));
            Exit::Usage
        }
    }
}
