//! `cicatriz review`: changed snapshots one by one, accepted or rejected.

use std::io::{self, BufRead};
use std::path::PathBuf;

use clap::ValueHint;

use super::diff::by_word;
use super::output::{self, Output, Stream};
use super::snapshots::{self, Store};
use super::{Common, Exit, files, load};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz review rules\n  cicatriz review rules --accept --only old_world__story")]
pub struct Args {
    /// Rule files; a folder means all `.rules` below it
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,

    /// Accept without asking
    #[arg(long, conflicts_with = "reject")]
    pub accept: bool,

    /// Reject without asking
    #[arg(long)]
    pub reject: bool,

    /// Only the snapshot of this name
    #[arg(long, value_name = "NAME")]
    pub only: Option<String>,
}

/// What became of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum Became {
    Accepted,
    Rejected,
    Pending,
}

#[derive(serde::Serialize)]
struct Reviewed {
    name: String,
    file: String,
    expression: String,
    /// Nothing where it is new.
    old: Option<String>,
    new: String,
    became: Became,
}

#[derive(serde::Serialize)]
struct Document {
    accepted: usize,
    rejected: usize,
    pending: usize,
    snapshots: Vec<Reviewed>,
}

/// Goes through all that is proposed. Ends with 1 where something is left to look at.
pub fn run(args: Args, common: &Common) -> Exit {
    let found = files::find(&args.paths);
    let mut exit = Exit::Well;
    for unread in &found.faults {
        load::complain_of_unread(unread, common);
        exit = exit.max(Exit::Usage);
    }
    let mut waiting: Vec<(Store, String, PathBuf)> = Vec::new();
    for path in &found.files {
        let Some(store) = Store::of(path) else { continue };
        let names = store.names(true);
        waiting.extend(names.into_iter().map(|name| (store.clone(), name, path.clone())));
    }
    if let Some(only) = &args.only {
        let known: Vec<String> = waiting.iter().map(|(_, name, _)| name.clone()).collect();
        waiting.retain(|(_, name, _)| name == only);
        if waiting.is_empty() {
            let there =
                if known.is_empty() { "nothing is".to_owned() } else { format!("there are {}", known.join(", ")) };
            output::complain(format!("no snapshot `{only}` waits to be looked at; {there}"));
            return Exit::Usage;
        }
    }
    let mut out = Output::stdout();
    let mut document = Document { accepted: 0, rejected: 0, pending: 0, snapshots: Vec::new() };
    let all = waiting.len();
    let mut stop = false;
    for (index, (store, name, path)) in waiting.into_iter().enumerate() {
        let read =
            snapshots::read(&store.kept(&name)).and_then(|old| Ok((old, snapshots::read(&store.pending(&name))?)));
        let (old, new) = match read {
            Ok((old, Some(new))) => (old, new),
            // Somebody else was faster.
            Ok((_, None)) => continue,
            Err(error) => {
                output::complain(format!("`{}` cannot be read: {error}", store.kept(&name).display()));
                exit = exit.max(Exit::Usage);
                continue;
            }
        };
        let old = old.map(|old| old.contents);
        let became = if args.accept {
            Became::Accepted
        } else if args.reject {
            Became::Rejected
        } else if common.json() || stop {
            Became::Pending
        } else {
            out.line(&format!("{}/{all}  {}: {}", index + 1, path.display(), new.expression));
            show(old.as_deref(), &new.contents, common, &mut out);
            match ask(&mut out) {
                Some(became) => became,
                None => {
                    stop = true;
                    Became::Pending
                }
            }
        };
        let done = match became {
            Became::Accepted => store.accept(&name),
            Became::Rejected => store.reject(&name),
            Became::Pending => Ok(()),
        };
        if let Err(unwritten) = done {
            output::complain(unwritten.to_string());
            return out.finish(Exit::Usage);
        }
        match became {
            Became::Accepted => document.accepted += 1,
            Became::Rejected => document.rejected += 1,
            Became::Pending => document.pending += 1,
        }
        let file = path.display().to_string();
        let expression = new.expression;
        document.snapshots.push(Reviewed { name, file, expression, old, new: new.contents, became });
    }
    if document.pending > 0 {
        exit = exit.max(Exit::Faults);
    }
    if common.json() {
        out.json(&document);
    } else {
        out.line(&format!("{} accepted, {} rejected, {} left", document.accepted, document.rejected, document.pending));
    }
    out.finish(exit)
}

/// Old, new, and what is different.
fn show(old: Option<&str>, new: &str, common: &Common, out: &mut Output) {
    let part = |out: &mut Output, title: &str, lines: &mut dyn Iterator<Item = String>| {
        out.line(&format!("-- {title}"));
        lines.for_each(|line| out.line(&format!("  {line}")));
    };
    match old {
        None => part(out, "new", &mut new.lines().map(str::to_owned)),
        Some(old) => {
            part(out, "old", &mut old.lines().map(str::to_owned));
            part(out, "new", &mut new.lines().map(str::to_owned));
            let colored = Stream::Output.colored(common.color);
            part(out, "difference", &mut by_word(old, new, colored).into_iter());
        }
    }
}

/// The answer typed; `None` to stop.
fn ask(out: &mut Output) -> Option<Became> {
    loop {
        out.text("accept (a), reject (r), skip (s), stop (q)? ");
        out.flush();
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line).unwrap_or(0) == 0 {
            out.line("");
            return None;
        }
        match line.trim() {
            "a" | "accept" => return Some(Became::Accepted),
            "r" | "reject" => return Some(Became::Rejected),
            "s" | "skip" => return Some(Became::Pending),
            "q" | "stop" => return None,
            _ => {}
        }
    }
}
