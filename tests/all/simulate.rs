//! Sampled odds as a process: the same bytes whatever the threads, parts that join, refusals.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn ran_in(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cicatriz"));
    command.env("CICATRIZ_UI", "en");
    let output = command.args(words).current_dir(folder).stdin(Stdio::null()).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn ran(words: &[&str]) -> (Option<i32>, String, String) {
    ran_in(Path::new(env!("CARGO_MANIFEST_DIR")), words)
}

const SAVES: [&str; 3] = ["simulate", "rules/fifth_edition.rules", "death_saves"];

fn well(words: &[&str]) -> String {
    let (status, out, err) = ran(words);
    assert_eq!((status, err.as_str()), (Some(0), ""), "{words:?}");
    out
}

#[test]
fn sampled_odds_for_people() {
    let out = well(&[&SAVES[..], &["-n", "1000", "--seed", "7"]].concat());
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("awake ") && lines[0].contains(" +- ") && lines[0].ends_with(" consciente"), "{out}");
    assert!(lines[3].starts_with("repeats of turn: mean 3."), "{out}");
    assert_eq!(lines[4..], ["1000 runs, each chance with its standard error", "seed 7"]);
}

#[test]
fn sampled_odds_for_scripts() {
    let out = well(&[&SAVES[..], &["-n", "1000", "--seed", "7", "--format", "json", "--at-most"]].concat());
    let found: serde_json::Value = serde_json::from_str(&out).expect("one document");
    assert_eq!(found["target"], "death_saves");
    assert_eq!(found["exact"], false);
    assert_eq!((found["runs"].as_u64(), found["seed"].as_u64()), (Some(1000), Some(7)));
    let outcomes = found["outcomes"].as_array().expect("a list");
    let ids: Vec<&str> = outcomes.iter().filter_map(|o| o["outcome"].as_str()).collect();
    assert_eq!(ids, ["awake", "dead", "stable"]);
    let mut sum = 0.0;
    for outcome in outcomes {
        let (chance, error) = (outcome["probability"].as_f64(), outcome["error"].as_f64());
        let (chance, error) = (chance.expect("a number"), error.expect("a number"));
        assert!((error - (chance * (1.0 - chance) / 1000.0).sqrt()).abs() < 1e-12);
        sum += chance;
        assert!((outcome["at_most"].as_f64().expect("a number") - sum).abs() < 1e-12);
    }
    assert!((sum - 1.0).abs() < 1e-12);
    let turns = found["turns"].as_array().expect("a list");
    assert_eq!((turns.len(), &turns[0]["event"]), (1, &"turn".into()));
    // The mean and its like where outcomes are numbers.
    let out = well(&["simulate", "4d6kh3", "-n", "20000", "--seed", "1", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&out).expect("one document");
    assert!(found["mean"].as_f64().is_some_and(|mean| (mean - 15869.0 / 1296.0).abs() < 0.1), "{out}");
    assert_eq!(found["percentiles"]["50"], 12);
    assert_eq!(found["target"], "4d6kh3");
}

#[test]
fn threads_change_no_byte() {
    let targets: [&[&str]; 4] = [
        &SAVES,
        &["simulate", "rules/old_world.rules", "to_death", "untreated=1"],
        &["simulate", "rules/old_world.rules", "wound", "untreated=2", "--lang", "en"],
        &["simulate", "4d6!kh3"],
    ];
    for target in targets {
        for format in ["text", "json", "csv"] {
            let with = |threads| {
                let rest = ["-n", "3000", "--seed", "7", "--format", format, "--threads", threads];
                well(&[target, &rest].concat())
            };
            let alone = with("1");
            assert_eq!(alone, with("2"));
            assert_eq!(alone, with("7"));
        }
    }
}

#[test]
fn sixteen_parts_joined_are_the_whole() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let targets: [&[&str]; 3] = [
        &[
            "simulate",
            "rules/fifth_edition.rules",
            "last_stand",
            "max_hp=30",
            "damage=2d6+3",
            "--set",
            "edition=srd2014",
        ],
        &["simulate", "rules/old_world.rules", "wound"],
        &["simulate", "2d10!"],
    ];
    for target in targets {
        let many = ["-n", "10000", "--seed", "7"];
        let mut parts: Vec<String> = Vec::new();
        for number in 1..=16 {
            let text = well(&[target, &many, &["--shard", &format!("{number}/16")]].concat());
            let path = scratch.path().join(format!("part-{number}.json"));
            fs::write(&path, text).expect("a file");
            parts.push(path.display().to_string());
        }
        // In whatever order they come.
        parts.reverse();
        for format in ["text", "json", "markdown"] {
            let shown = ["--format", format, "--at-least"];
            let merge: Vec<&str> =
                ["simulate", "--merge"].into_iter().chain(parts.iter().map(String::as_str)).collect();
            assert_eq!(well(&[&merge, &shown[..]].concat()), well(&[target, &many, &shown].concat()));
        }
    }
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    fs::copy(rules.join("fifth_edition.rules"), folder.join("saves.rules")).expect("a copy");
    let part = |name: &str, words: &[&str]| {
        let (status, out, err) = ran_in(folder, &[&["simulate"][..], words].concat());
        assert_eq!(status, Some(0), "{err}");
        fs::write(folder.join(name), out).expect("a file");
    };
    let of = |shard, seed, runs| ["saves.rules", "death_saves", "-n", runs, "--seed", seed, "--shard", shard];
    part("a.json", &of("1/3", "7", "5000"));
    part("b.json", &of("2/3", "7", "5000"));
    part("c.json", &of("3/3", "7", "5000"));
    part("seed.json", &of("3/3", "8", "5000"));
    part("runs.json", &of("3/3", "7", "6000"));
    part("parts.json", &of("4/4", "7", "5000"));
    part("given.json", &[&of("3/3", "7", "5000")[..], &["successes=1"]].concat());
    part("option.json", &[&of("3/3", "7", "5000")[..], &["--set", "edition=srd2014"]].concat());
    let text = fs::read_to_string(folder.join("saves.rules")).expect("the rules");
    fs::write(folder.join("saves.rules"), format!("{text}// one line more\n")).expect("the rules");
    part("rules.json", &of("3/3", "7", "5000"));
    fs::write(folder.join("torn.json"), "{\"shard\":\"3/3\",\"cicatriz\"").expect("a file");
    let whole = fs::read_to_string(folder.join("c.json")).expect("a part");
    let mut broken: serde_json::Value = serde_json::from_str(&whole).expect("a document");
    broken["sampled"]["outcomes"][0]["runs"] = 1.into();
    fs::write(folder.join("broken.json"), broken.to_string()).expect("a file");
    let refused: [(&[&str], &str); 12] = [
        (&["a.json", "b.json", "seed.json"], "the seed is 7 in one and 8 in the other"),
        (&["a.json", "b.json", "runs.json"], "the number of runs is 5000 in one and 6000 in the other"),
        (&["a.json", "b.json", "parts.json"], "the number of parts is 3 in one and 4 in the other"),
        (&["a.json", "b.json", "given.json"], "what is given is {} in one and {\"successes\":1} in the other"),
        (&["a.json", "b.json", "option.json"], "the choice of options is"),
        (&["a.json", "b.json", "rules.json"], "the rule files are not the same"),
        (&["a.json", "b.json", "torn.json"], "`torn.json` is no part of a simulation"),
        (&["a.json", "b.json", "saves.rules"], "`saves.rules` is no part of a simulation"),
        (&["a.json", "b.json", "broken.json"], "`broken.json` is broken: its counts do not add up to its"),
        (&["a.json", "b.json", "a.json"], "`a.json` and `a.json` are both part 1/3: leave one out"),
        (&["a.json", "c.json"], "parts are missing: 2/3"),
        (&["a.json", "b.json", "none.json"], "none.json"),
    ];
    for (files, why) in refused {
        let (status, out, err) = ran_in(folder, &[&["simulate", "--merge"], files].concat());
        assert_eq!((status, out.as_str()), (Some(2), ""), "{files:?}");
        assert!(err.contains(why), "{files:?}: {err}");
    }
    let (status, ..) = ran_in(folder, &["simulate", "--merge", "c.json", "a.json", "b.json"]);
    assert_eq!(status, Some(0));
}

#[test]
fn what_makes_no_sense_is_told() {
    let refused: [(&[&str], &str); 14] = [
        (&["-n", "0"], "there must be at least 1 run"),
        (&["-n", "1000000000001"], "at most 1000000000000 runs"),
        (&["-n", "99999999999999999999999"], "at most 1000000000000 runs"),
        (&["-n", "1e6"], "write a whole number in digits"),
        (&["-n", "-5"], "write a whole number in digits"),
        (&["-n", "many"], "write a whole number in digits"),
        (&["--threads", "0"], "--threads"),
        (&["--threads", "99999"], "--threads"),
        (&["--dice", "1,2"], "leave `--dice` out"),
        (&["--shard", "1/2"], "give `--seed` with `--shard`"),
        (&["--shard", "3/2", "--seed", "1"], "there is no part 3 of 2"),
        (&["--shard", "0/2", "--seed", "1"], "there is no part 0 of 2"),
        (&["--shard", "half", "--seed", "1"], "3/16"),
        (&["failures=9"], "failures"),
    ];
    for (words, why) in refused {
        let (status, out, err) = ran(&[&SAVES[..], words].concat());
        assert_eq!((status, out.as_str()), (Some(2), ""), "{words:?}");
        assert!(err.contains(why), "{words:?}: {err}");
    }
    for (words, why) in [
        (&["simulate", "rules/fifth_edition.rules"][..], "a table or scenario is missing behind the file"),
        (&["simulate", "rules/fifth_edition.rules", "death_save"], "write `death_saves`"),
        (&["simulate", "none.rules", "death_saves"], "none.rules"),
        (&["simulate", "4d6kh"], "4d6kh"),
        (&["simulate", "4d6kh9"], "4d6kh9"),
        (&["simulate", "--merge", "a.json", "--seed", "1"], "leave `--seed` out"),
        (&["simulate", "--merge"], "--merge"),
        (&["simulate"], "FILE"),
    ] {
        let (status, out, err) = ran(words);
        if words == ["simulate", "4d6kh"] {
            // Keeping one is what that says.
            assert_eq!(status, Some(0), "{err}");
            continue;
        }
        assert_eq!((status, out.as_str()), (Some(2), ""), "{words:?}");
        assert!(err.contains(why), "{words:?}: {err}");
    }
}

/// A run that comes to a fault is named with the command that shows it, which comes to the same.
#[test]
fn a_fault_names_the_run_that_comes_to_it() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let text = "system fall \"Caída\" lang es
sheet climber \"Escalador\" {
  hp: 0..200 = 20
  on slip(harm: 0..200) { hp -= harm }
}
scenario slips(harm: dice = 1d6) { given climber
                 repeat slip(roll harm) until hp < 5
                 outcome hp }
";
    fs::write(scratch.path().join("a fall.rules"), text).expect("a file");
    let words = ["simulate", "a fall.rules", "slips", "harm=3d6!", "-n", "2000", "--seed", "7"];
    let (status, out, err) = ran_in(scratch.path(), &words);
    assert_eq!((status, out.as_str()), (Some(1), ""), "{err}");
    assert!(err.contains("run::bounds") && err.contains("of 2000: "), "{err}");
    let shown = err.replace('\n', " ");
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    let command = shown.split("see this run: `").nth(1).and_then(|rest| rest.split('`').next()).expect("a command");
    assert!(command.starts_with("cicatriz run 'a fall.rules' slips 'harm=3d6!' --seed "), "{command}");
    let seed = command.rsplit(' ').next().expect("a seed");
    let (status, _, again) = ran_in(scratch.path(), &["run", "a fall.rules", "slips", "harm=3d6!", "--seed", seed]);
    assert_eq!(status, Some(1));
    assert!(again.contains("run::bounds"), "{again}");
    // The same fault whatever the threads.
    for threads in ["1", "5"] {
        let (_, _, other) = ran_in(scratch.path(), &[&words[..], &["--threads", threads]].concat());
        assert_eq!(other, err);
    }
}

/// What the guide shows in blocks of this kind.
#[cfg(unix)]
fn shown_in_the_guide(kind: &str) -> String {
    let guide = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/rules/README.md")).expect("the guide");
    let block = guide.split(&format!("```{kind}\n")).nth(1).and_then(|rest| rest.split("```").next());
    block.expect("a block").to_owned()
}

/// The lines of the guide that spread a simulation tell what one run of the whole tells.
#[cfg(unix)]
#[test]
fn the_guide_spreads_a_simulation() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let rules = concat!(env!("CARGO_MANIFEST_DIR"), "/rules");
    std::os::unix::fs::symlink(rules, scratch.path().join("rules")).expect("the rules");
    let program = Path::new(env!("CARGO_BIN_EXE_cicatriz"));
    let path =
        format!("{}:{}", program.parent().expect("its folder").display(), std::env::var("PATH").expect("a path"));
    let shell = |script: &str, task: u32| {
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(scratch.path()).stdin(Stdio::null());
        let output = command.env("PATH", &path).env("SLURM_ARRAY_TASK_ID", task.to_string()).output().expect("a shell");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let whole = well(&["simulate", "rules/old_world.rules", "to_death", "-n", "100000", "--seed", "7"]);
    assert_eq!(shell(&shown_in_the_guide("sh,parts"), 0), whole);
    for number in 1..=16 {
        fs::remove_file(scratch.path().join(format!("part-{number}.json"))).expect("a part");
    }
    (1..=16).for_each(|task| drop(shell(&shown_in_the_guide("sh,array"), task)));
    assert_eq!(shell("cicatriz simulate --merge part-*.json", 0), whole);
}

/// Where exact odds would take too long, the line that is named samples instead.
#[test]
fn the_line_that_odds_name_works_as_pasted() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let text = "system many \"Muchos\" lang es
table many(count: 1..9 = 3) = (count)d1000000 {
  1-1000000 low  \"Bajo\"
  1000001+  high \"Alto\"
}
";
    fs::write(scratch.path().join("so many.rules"), text).expect("a file");
    for words in [&["odds", "so many.rules", "many", "count=4"][..], &["roll", "3d1000000 + 1", "--odds"]] {
        let (status, out, err) = ran_in(scratch.path(), words);
        assert!(status != Some(0) && out.is_empty(), "{words:?}");
        let err = err.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = err.split("sample them: `").nth(1).and_then(|rest| rest.split('`').next()).expect("a line");
        // Fewer runs than it says, for these are slow without optimisation.
        let line = line.replace("-n 100000", "-n 300 --seed 7 --format json");
        let mut shell: Vec<String> = Vec::new();
        for (index, part) in line.split('\'').enumerate() {
            match index % 2 {
                0 => shell.extend(part.split_whitespace().map(str::to_owned)),
                _ => shell.push(part.to_owned()),
            }
        }
        let words: Vec<&str> = shell.iter().skip(1).map(String::as_str).collect();
        let (status, out, err) = ran_in(scratch.path(), &words);
        assert_eq!(status, Some(0), "{words:?}: {err}");
        assert!(out.contains("\"runs\":300"), "{out}");
    }
}
