//! What `test` keeps in `snapshots/`: odds and how far they may move, and what becomes of the files when a
//! run is interrupted, runs at the same time as another, or may not write.
#![cfg(feature = "cli")]

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::suite::{DUEL, Folder, STORY};

// ── Odds ────────────────────────────────────────────────────────────────────────────────────

const LASTS: &str = "scenario lasts(hp: 1..5 = 5) {\n  given fencer { hp = hp }\n  repeat hit until down\n  \
                     outcome repeats\n  snapshot odds within 5%\n}\n";

/// The rules with deeper cuts.
fn changed(scenarios: &str) -> String {
    format!("{}\n{scenarios}", DUEL.replace("3 / 2 down", "3 / 2 up"))
}

#[test]
fn odds_are_kept_and_what_moved_by_more_is_told_in_a_table() {
    let folder = Folder::new(LASTS);
    let (status, out, _) = folder.run(&["test", "."]);
    assert_eq!(status, 1);
    assert!(out.contains("the odds of `lasts` are not kept yet"), "{out}");
    let (status, out) = folder.typed(&["review", "."], "a\n");
    assert_eq!(status, 0, "{out}");
    let kept = folder.read("snapshots/duel__lasts.odds.snap");
    assert_eq!(
        kept,
        "---\nsource: duel.rules\nexpression: lasts\n---\n2   30.5556 %  11/36\n3   11.5741 %  25/216\n\
         4    9.6451 %  125/1296\n5   48.2253 %  625/1296\n"
    );
    assert_eq!(folder.run(&["test", ".", "--ci"]).0, 0);
    folder.write("duel.rules", &changed(LASTS));
    let (status, out, _) = folder.run(&["test", "."]);
    assert_eq!(status, 1);
    for told in [
        "the odds of `lasts` have moved by more than 5%",
        "  outcome      kept       now   moved by",
        "11.574 %  31.944 %  +20.370 %",
        "snapshots: 0 matched, 1 changed, 0 new, 0 unused",
    ] {
        assert!(out.contains(told), "{told}\n{out}");
    }
    // Two thrusts are as likely as before.
    assert!(!out.contains("\n  2 "), "{out}");
    let (_, document) = folder.json(&["test", ".", "--format", "json"]);
    let moved = document["failures"][0]["moved"].as_array().expect("what moved");
    assert_eq!((moved[0]["outcome"].as_str(), moved[0]["was"].as_str()), (Some("3"), Some("25/216")));
    assert_eq!(folder.run(&["review", ".", "--accept", "--only", "duel__lasts.odds"]).0, 0);
    assert_eq!(folder.run(&["test", "."]).0, 0);
}

#[test]
fn within_the_tolerance_nothing_is_told_and_what_is_kept_stays() {
    let wide = LASTS.replace("within 5%", "within 1/2");
    let folder = Folder::new(&wide);
    folder.run(&["test", "."]);
    folder.run(&["review", ".", "--accept"]);
    let kept = folder.read("snapshots/duel__lasts.odds.snap");
    folder.write("duel.rules", &changed(&wide));
    let (status, out, _) = folder.run(&["test", "."]);
    assert_eq!(status, 0, "{out}");
    assert_eq!(folder.read("snapshots/duel__lasts.odds.snap"), kept);
    // Without a tolerance nothing may move at all.
    folder.write("duel.rules", &changed(&wide.replace(" within 1/2", "")));
    let (status, out, _) = folder.run(&["test", ".", "--ci"]);
    assert!(status == 1 && out.contains("the odds of `lasts` have moved\n"), "{out}");
}

#[test]
fn each_case_keeps_its_odds_and_a_trace_stands_beside_them() {
    let cases = "scenario s(hp: 1..5) {\n  given fencer { hp = hp }\n  when hit\n  case hp = 1, dice 1 -> down\n  \
                 case hp = 5, dice 6 -> standing\n  snapshot\n  snapshot odds\n}\n";
    let folder = Folder::new(cases);
    let (_, document) = folder.json(&["test", ".", "--format", "json"]);
    assert_eq!(document["snapshots"]["new"], 4);
    folder.run(&["review", ".", "--accept"]);
    assert_eq!(folder.read("snapshots/duel__s__1.odds.snap").lines().last(), Some("down  100.0000 %"));
    assert!(folder.has("snapshots/duel__s__2.snap"));
    let (status, document) = folder.json(&["test", ".", "--format", "json"]);
    assert_eq!((status, document["snapshots"]["matched"].as_u64()), (0, Some(4)));
    folder.write("duel.rules", DUEL);
    let (_, document) = folder.json(&["test", ".", "--format", "json"]);
    assert_eq!(document["snapshots"]["unused"], 4);
}

#[test]
fn a_file_that_holds_no_odds_is_named() {
    let folder = Folder::new(LASTS);
    folder.run(&["test", "."]);
    folder.run(&["review", ".", "--accept"]);
    folder.write("snapshots/duel__lasts.odds.snap", "---\nsource: duel.rules\nexpression: lasts\n---\nsome\n");
    let (status, out, _) = folder.run(&["test", "."]);
    assert_eq!(status, 1);
    assert!(out.contains("`./snapshots/duel__lasts.odds.snap` cannot be read: it holds no odds"), "{out}");
}

#[test]
fn changes_of_the_rules_are_noticed_by_kept_odds() {
    let blow = "scenario struck {\n  given fencer\n  when hit\n  outcome hp\n  snapshot odds within 10%\n}\n";
    let folder = Folder::new(blow);
    folder.run(&["test", "."]);
    folder.run(&["review", ".", "--accept"]);
    let (_, document) = folder.json(&["test", ".", "--mutate", "--format", "json"]);
    let unnoticed = document["mutation"]["unnoticed"].as_array().expect("a list");
    let border = |change: &&serde_json::Value| change["what"] == "the border of two rows";
    let borders: Vec<&str> = unnoticed.iter().filter(border).filter_map(|change| change["from"].as_str()).collect();
    // A scratch and a cut cost the same: only the border of the thrust shows in the odds.
    assert!(borders.iter().all(|from| *from == "3 | 4"), "{unnoticed:?}");
    assert!(!unnoticed.iter().any(|change| change["what"] == "the rounding"), "{unnoticed:?}");
}

// ── Damage ──────────────────────────────────────────────────────────────────────────────────

#[test]
fn a_run_that_is_cut_short_leaves_whole_files_only() {
    let many: String = (0..60).map(|n| STORY.replace("scenario story", &format!("scenario story_{n}"))).collect();
    let folder = Folder::new(&many);
    let mut seen = 0;
    for wait in 0..16 {
        let mut child =
            folder.command(&["test", "."]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        std::thread::sleep(Duration::from_millis(wait * 12));
        // It may have come to its end by itself.
        let _ = child.kill();
        child.wait().expect("it ends");
        let files = fs::read_dir(folder.path().join("snapshots")).into_iter().flatten().flatten();
        for name in files.map(|entry| entry.file_name().to_string_lossy().into_owned()) {
            if name.ends_with(".snap.new") {
                let text = folder.read(&format!("snapshots/{name}"));
                assert!(text.ends_with("outcome: standing\n"), "{name}: {text}");
                seen += 1;
            }
        }
        let _ = fs::remove_dir_all(folder.path().join("snapshots"));
    }
    let (_, document) = folder.json(&["test", ".", "--format", "json"]);
    assert_eq!(document["snapshots"]["new"], 60, "{seen} seen before");
}

#[test]
fn two_runs_at_once_do_not_mix() {
    // Dice of its own: each seed tells another story.
    let stories: String = (0..20)
        .map(|n| STORY.replace("scenario story", &format!("scenario s{n}")).replace("  dice 2 5 6\n", ""))
        .collect();
    let folder = Folder::new(&stories);
    let alone: Vec<Vec<String>> = ["1", "2"]
        .iter()
        .map(|seed| {
            folder.run(&["test", ".", "--seed", seed]);
            (0..20).map(|n| folder.read(&format!("snapshots/duel__s{n}.snap.new"))).collect()
        })
        .collect();
    assert_ne!(alone[0], alone[1]);
    let both: Vec<_> = (0..6)
        .map(|run| {
            let seed = if run % 2 == 0 { "1" } else { "2" };
            let mut command = folder.command(&["test", ".", "--seed", seed]);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs")
        })
        .collect();
    for mut child in both {
        assert_eq!(child.wait().expect("it ends").code(), Some(1));
    }
    let names: Vec<_> = fs::read_dir(folder.path().join("snapshots")).expect("a folder").flatten().collect();
    assert_eq!(names.len(), 20);
    for n in 0..20 {
        let text = folder.read(&format!("snapshots/duel__s{n}.snap.new"));
        assert!(alone.iter().any(|stories| stories[n] == text), "neither the one nor the other: {text}");
    }
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_is_named_and_the_other_failures_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new(&format!("{STORY}\nscenario wrong {{\n  given fencer\n  then hp == 4\n}}\n"));
    fs::create_dir(folder.path().join("snapshots")).expect("created");
    let mode = |name: &str, bits| {
        fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(bits)).expect("changed");
    };
    // A read-only file is refused to everybody, a folder to most.
    folder.write("snapshots/duel__story.snap.new", "---\nsource: duel.rules\n---\nold\n");
    mode("snapshots/duel__story.snap.new", 0o444);
    mode("snapshots", 0o555);
    let (status, out, err) = folder.run(&["test", "duel.rules"]);
    mode("snapshots", 0o755);
    assert_eq!(status, 2);
    assert!(err.contains("`snapshots/duel__story.snap.new` cannot be written"), "{err}");
    assert!(out.contains("`hp == 4` is not so") && out.contains("0 passed, 2 failed"), "{out}");
    // So is a file kept that may not be written.
    folder.write("snapshots/duel__story.snap", "---\nsource: duel.rules\n---\nold\n");
    mode("snapshots/duel__story.snap", 0o444);
    let (status, _, err) = folder.run(&["review", "duel.rules", "--accept"]);
    assert_eq!(status, 2);
    assert!(err.contains("`snapshots/duel__story.snap` cannot be written"), "{err}");
    assert!(folder.read("snapshots/duel__story.snap").ends_with("old\n"));
    fs::remove_dir_all(folder.path().join("snapshots")).expect("removed");
    // A file in the folder's place.
    folder.write("snapshots", "");
    let (status, _, err) = folder.run(&["test", "duel.rules"]);
    assert_eq!(status, 2);
    assert!(err.contains("`snapshots/duel__story.snap.new` cannot be written"), "{err}");
}
