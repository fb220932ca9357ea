//! What exact odds cost, as a library call and as a whole process, beside the crate `xdy` 0.14 and Python's
//! `icepool` 2.2 at the same work in the same run. The two are set up below `target/peers` on the first
//! run; where one cannot be had, it is left out with a message.
//!
//! `cargo bench --bench odds`

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cicatriz::check::{ad_hoc, check_text};
use cicatriz::odds::{Bounds, of_dice, of_dice_within, of_machine, of_scenario};
use cicatriz::program::{ScenarioId, TableId};
use cicatriz::run::{Machine, Value};

/// The work by name: here, and what `xdy` calls the same, where it can.
const DICE: [(&str, Option<&str>); 7] = [
    ("4d6kh3", Some("4D6 drop lowest 1")),
    ("100d6", Some("100D6")),
    ("200d6", Some("200D6")),
    ("10d10kh5", Some("10D10 drop lowest 5")),
    ("40d12kh20", Some("40D12 drop lowest 20")),
    ("20d10<=4", Some("20D[1, 1, 1, 1, 0, 0, 0, 0, 0, 0]")),
    ("8d6!>=6", None),
];

/// How often faster than `icepool` each has to be.
fn goal(name: &str) -> f64 {
    if matches!(name, "wound" | "death_saves") { 100.0 } else { 50.0 }
}

/// The median of several runs, each of as many calls as take a millisecond, after one that does not count.
fn median(mut work: impl FnMut()) -> Duration {
    let begun = Instant::now();
    work();
    let once = begun.elapsed().max(Duration::from_nanos(100));
    let calls = (Duration::from_millis(1).as_nanos() / once.as_nanos()).clamp(1, 5_000) as u32;
    let mut times: Vec<Duration> = (0..21)
        .map(|_| {
            let begun = Instant::now();
            (0..calls).for_each(|_| work());
            begun.elapsed() / calls
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}

fn dice(text: &str) {
    let dice = ad_hoc(text).0.expect("dice");
    // The chain to the tenth explosion, as far as `icepool` goes, too.
    let odds = match text.contains('!') {
        true => of_dice_within(&dice, &Bounds { explosions: Some(10), ..Bounds::default() }),
        false => of_dice(&dice),
    };
    black_box(odds.expect("odds"));
}

fn library() -> BTreeMap<&'static str, Duration> {
    let mut times: BTreeMap<&str, Duration> = DICE.iter().map(|(text, _)| (*text, median(|| dice(text)))).collect();
    let old = check_text("old_world", include_str!("../rules/old_world.rules")).program.expect("rules");
    let table = TableId(old.tables.iter().position(|table| table.id == "wound").expect("a table") as u32);
    let bounds = Bounds::default();
    times.insert(
        "wound",
        median(|| {
            for untreated in 0..=26 {
                let machine = Machine::reading(&old, &[], table, &[Some(Value::Number(untreated))]).expect("a table");
                black_box(of_machine(&machine, &bounds, &mut ()).expect("odds"));
            }
        }),
    );
    let fifth = check_text("fifth", include_str!("../rules/fifth_edition.rules")).program.expect("rules");
    let saves = fifth.scenarios.iter().position(|scenario| scenario.id == "death_saves").expect("a scenario");
    times.insert(
        "death_saves",
        median(|| {
            black_box(of_scenario(&fifth, &[], ScenarioId(saves as u32), &[], &bounds, &mut ()).expect("odds"));
        }),
    );
    times
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers")
}

/// Whether a command ends well, in silence.
fn ends_well(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The Python of an environment with `icepool`. It asks for a newer Python than it needs.
fn icepool() -> Option<PathBuf> {
    let environment = folder().join("icepool");
    let python = environment.join("bin/python");
    let has = |python: &Path| ends_well(Command::new(python).args(["-c", "import icepool"]));
    if has(&python) {
        return Some(python);
    }
    let _ = std::fs::create_dir_all(folder());
    let made = ends_well(Command::new("python3").args(["-m", "venv"]).arg(&environment));
    let install = ["-m", "pip", "install", "--ignore-requires-python", "icepool==2.2"];
    (made && ends_well(Command::new(&python).args(install)) && has(&python)).then_some(python)
}

/// A program that does the work with `xdy`.
fn xdy() -> Option<PathBuf> {
    let folder = folder().join("xdy");
    let manifest = "[package]\nname = \"peer\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
                    [dependencies]\nxdy = \"0.14\"\n\n[profile.release]\nlto = \"thin\"\ncodegen-units = 4\n";
    std::fs::create_dir_all(folder.join("src")).ok()?;
    std::fs::write(folder.join("Cargo.toml"), manifest).ok()?;
    std::fs::write(folder.join("src/main.rs"), include_str!("odds/xdy.rs")).ok()?;
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let built = ends_well(Command::new(cargo).args(["build", "--release"]).current_dir(&folder));
    built.then(|| folder.join("target/release/peer"))
}

/// Lines `name<TAB>seconds` that a peer prints.
fn told(command: &mut Command) -> BTreeMap<String, Duration> {
    let output = command.stderr(Stdio::inherit()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let line = |line: &str| {
        let (name, seconds) = line.split_once('\t')?;
        Some((name.to_owned(), Duration::from_secs_f64(seconds.parse().ok()?)))
    };
    text.lines().filter_map(line).collect()
}

/// One whole process, from its start to its end.
fn process(mut command: impl FnMut() -> Command) -> Duration {
    let mut run = || {
        let begun = Instant::now();
        assert!(ends_well(&mut command()), "a process ends well");
        begun.elapsed()
    };
    run();
    let mut times: Vec<Duration> = (0..9).map(|_| run()).collect();
    times.sort();
    times[times.len() / 2]
}

fn ratio(peer: Option<&Duration>, mine: Duration) -> String {
    peer.map_or_else(|| "-".to_owned(), |peer| format!("{:.1}", peer.as_secs_f64() / mine.as_secs_f64()))
}

fn main() {
    let mine = library();
    let python = icepool();
    let rust = xdy();
    let script = include_str!("odds/icepool_peer.py");
    let theirs = python.as_ref().map(|python| told(Command::new(python).args(["-c", script])));
    let theirs = theirs.unwrap_or_else(|| {
        println!("no Python with icepool here: it is left out");
        BTreeMap::new()
    });
    let beside = rust.as_ref().map(|peer| {
        let pairs = DICE.iter().filter_map(|(name, theirs)| Some([*name, (*theirs)?]));
        told(Command::new(peer).args(pairs.flatten()))
    });
    let beside = beside.unwrap_or_else(|| {
        println!("xdy cannot be built here: it is left out");
        BTreeMap::new()
    });
    println!("library call{:>14} times faster than xdy (goal 1), than icepool (goal)", "");
    for (name, time) in &mine {
        let (xdy, icepool) = (ratio(beside.get(*name), *time), ratio(theirs.get(*name), *time));
        println!("  {name:<12} {:>10.1} µs {xdy:>8} {icepool:>9} ({:.0})", time.as_secs_f64() * 1e6, goal(name));
    }
    let of = |name: &str| mine.get(name).map_or(0.0, Duration::as_secs_f64);
    println!("200d6 over 100d6: {:.2} times (goal at most 4.5)", of("200d6") / of("100d6"));
    println!("whole process, odds as JSON: times faster than xdy, than icepool");
    for (name, same) in DICE.iter().filter(|(name, _)| !name.contains('!')) {
        let own = process(|| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_cicatriz"));
            command.args(["roll", name, "--odds", "--format", "json"]);
            command
        });
        let xdy = rust.as_ref().zip(*same).map(|(peer, same)| {
            process(|| {
                let mut command = Command::new(peer);
                command.args(["once", same]);
                command
            })
        });
        let icepool = python.as_ref().map(|python| {
            process(|| {
                let mut command = Command::new(python);
                command.args(["-c", script, name]);
                command
            })
        });
        let (xdy, icepool) = (ratio(xdy.as_ref(), own), ratio(icepool.as_ref(), own));
        println!("  {name:<12} {:>10.2} ms {xdy:>8} {icepool:>9}", own.as_secs_f64() * 1e3);
    }
}
