//! `cicatriz check`: every diagnostic of the files.

use std::path::PathBuf;

use cicatriz::diagnostics::{self, Diagnostic, json, render};
use cicatriz::odds;
use cicatriz::say;
use cicatriz::source::{FileId, Source};
use clap::ValueHint;

use super::output::{Output, Stream};
use super::progress::Progress;
use super::{Common, Exit, files, load};
use crate::cli::ui::ui;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz check rules")]
pub struct Args {
    /// Rule files; a folder means all `.rules` below it, `-` standard input
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
}

/// Tells every diagnostic of the files.
pub fn run(args: Args, common: &Common) -> Exit {
    let found = files::find(&args.paths);
    let mut exit = Exit::Well;
    let mut out = Output::stdout();
    let mut told = Told::default();
    for unread in &found.faults {
        exit = exit.max(Exit::Usage);
        told.add(vec![unread.diagnostic(FileId(0))], std::slice::from_ref(&unread.source));
    }
    let mut clean = 0;
    let mut progress = Progress::new(found.files.len());
    for path in &found.files {
        progress.step(&path.display().to_string());
        match load::load(path) {
            Err(unread) => {
                exit = exit.max(Exit::Usage);
                told.add(vec![unread.diagnostic(FileId(0))], std::slice::from_ref(&unread.source));
            }
            Ok(mut checked) => {
                odds::weigh(checked.program.as_ref(), &checked.open, &mut checked.diagnostics);
                if diagnostics::any_error(&checked.diagnostics) {
                    exit = exit.max(Exit::Faults);
                } else {
                    clean += 1;
                }
                told.add(checked.diagnostics, &checked.files);
            }
        }
    }
    drop(progress);
    if common.json() {
        let (diagnostics, sources) = told.joined();
        out.json(&json::document_in(&diagnostics, &sources, ui()));
        return out.finish(exit);
    }
    for (diagnostics, sources) in &told.files {
        out.text(&render::draw(diagnostics, sources, &common.drawing(Stream::Output)));
    }
    if exit == Exit::Well {
        let files = if clean == 1 { say!("1 file") } else { say!("{clean} files", clean) };
        out.say(say!("{files} checked, no faults", files));
    }
    out.finish(exit)
}

/// What was found, each with its sources.
#[derive(Default)]
struct Told {
    files: Vec<(Vec<Diagnostic>, Vec<Source>)>,
    seen: std::collections::HashSet<(String, String)>,
}

impl Told {
    /// A file that several use is told of once.
    fn add(&mut self, mut diagnostics: Vec<Diagnostic>, sources: &[Source]) {
        diagnostics.retain(|d| {
            let place =
                d.span().and_then(|s| sources.get(s.file.0 as usize).map(|f| format!("{}:{}", f.name, s.start)));
            self.seen.insert((place.unwrap_or_default(), format!("{}{}", d.code, d.message)))
        });
        if !diagnostics.is_empty() {
            self.files.push((diagnostics, sources.to_vec()));
        }
    }

    /// One list over one list of sources.
    fn joined(self) -> (Vec<Diagnostic>, Vec<Source>) {
        let (mut diagnostics, mut sources) = (Vec::new(), Vec::new());
        for (list, files) in self.files {
            let first = sources.len() as u16;
            sources.extend(files);
            for mut diagnostic in list {
                let moved = |span: &mut cicatriz::source::Span| span.file.0 += first;
                diagnostic.labels.iter_mut().for_each(|l| moved(&mut l.span));
                diagnostic.edits.iter_mut().for_each(|e| moved(&mut e.span));
                diagnostics.push(diagnostic);
            }
        }
        (diagnostics, sources)
    }
}
