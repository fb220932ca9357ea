//! Joins the parts of one simulation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::super::{Common, Exit, files, load, output};
use super::sampled::Sampled;
use super::shard::Shard;

/// More missing parts than these are only counted.
const NAMED: usize = 12;

/// The whole that these files are the parts of.
///
/// Errors: a file that cannot be read, is no part, belongs to another simulation, or is there twice;
/// parts that are missing. All have been told.
pub fn merged(paths: &[PathBuf], common: &Common) -> Result<Sampled, Exit> {
    let mut parts: BTreeMap<u64, (&Path, Shard)> = BTreeMap::new();
    let mut exit = None;
    let mut tell = |message: String| {
        output::complain(&message);
        exit = Some(Exit::Usage);
    };
    for path in paths {
        let name = path.display();
        let shard = match read(path, common) {
            Ok(shard) => shard,
            Err(None) => return Err(Exit::Usage),
            Err(Some(why)) => {
                tell(format!("`{name}` {why}"));
                continue;
            }
        };
        if let Some(fault) = shard.fault() {
            tell(format!("`{name}` is broken: {fault}"));
            continue;
        }
        if let Some((other, first)) = parts.values().next()
            && let Some(how) = first.differs(&shard)
        {
            tell(format!("`{}` and `{name}` are not parts of one simulation: {how}", other.display()));
            continue;
        }
        if let Some((other, _)) = parts.get(&shard.shard.0.number) {
            tell(format!("`{}` and `{name}` are both part {}: leave one out", other.display(), shard.shard));
            continue;
        }
        parts.insert(shard.shard.0.number, (path, shard));
    }
    if let Some(exit) = exit {
        return Err(exit);
    }
    let of = parts.values().next().map_or(0, |(_, shard)| shard.shard.0.of);
    let missing: Vec<u64> = (1..=of).filter(|number| !parts.contains_key(number)).collect();
    if !missing.is_empty() {
        let named: Vec<String> = missing.iter().take(NAMED).map(|number| format!("{number}/{of}")).collect();
        let more = missing.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        output::complain(format!("parts are missing: {}{more}", named.join(", ")));
        return Err(Exit::Usage);
    }
    let mut all: Option<Sampled> = None;
    for (_, (_, shard)) in parts {
        match &mut all {
            None => all = Some(shard.sampled),
            Some(all) => all.add(shard.sampled),
        }
    }
    all.ok_or(Exit::Usage)
}

/// `Err(None)`: told already.
fn read(path: &Path, common: &Common) -> Result<Shard, Option<String>> {
    let source = files::read(path).map_err(|unread| {
        load::complain_of_unread(&unread, common);
        None
    })?;
    serde_json::from_str(&source.text)
        .map_err(|error| Some(format!("is no part of a simulation, as `--shard` writes them: {error}")))
}
