//! `test --watch`: runs again whenever a file has changed.

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, SystemTime};

use super::super::{Common, Exit, files};
use super::{Args, once};

/// How often the files are looked at.
const LOOKED_AT: Duration = Duration::from_millis(300);

/// Runs until somebody ends it, or nobody reads its output any more.
pub fn run(args: &Args, common: &Common) -> Exit {
    loop {
        let (exit, read) = once(args, common);
        if exit == Exit::Usage && read.is_empty() {
            return exit;
        }
        super::output::complain("waiting for a change");
        let before = times(args, &read);
        while times(args, &read) == before {
            thread::sleep(LOOKED_AT);
        }
    }
}

/// When each file was last changed; a file that comes or goes is a change, too.
fn times(args: &Args, read: &[PathBuf]) -> Vec<(PathBuf, Option<SystemTime>)> {
    let mut all: Vec<PathBuf> = files::find(&args.paths).files;
    all.extend(read.iter().cloned());
    all.sort();
    all.dedup();
    let time = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok();
    all.into_iter().map(|path| (path.clone(), time(&path))).collect()
}
