//! `test` and `review`, as their users see them: files in a scratch folder, the program run on them.
#![cfg(feature = "cli")]

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use cicatriz::check::check_text;
use cicatriz::suite;

pub const DUEL: &str = r#"system duel "Duelo" lang es

kind side "Lado" = left "izquierdo" | right "derecho"

table blow(deep: 0..3 = 0) "Golpe" = 1d6 + deep for fencer {
  1-3  scratch  "Rasguño"  { hp -= 1 }
  4-5  cut      "Corte"    { hp -= 3 / 2 down }
  6+   thrust   "Estocada" { hp -= 4 }
}

table guard "Guardia" by side columns bonus: 0..5 {
  left  | 2
  right | 0
}

sheet fencer "Esgrimista" {
  hp "Vida": 0..5 = 5 stops
  states standing "en pie" -> down "caído" -> standing
  on hit "Recibe un golpe" { roll blow
                             if hp == 0 -> down }
  on rise "Se levanta" when down { -> standing }
}
"#;

pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new(scenarios: &str) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a folder"));
        folder.write("duel.rules", &format!("{DUEL}\n{scenarios}"));
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).expect("written");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn has(&self, name: &str) -> bool {
        self.path().join(name).exists()
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicatriz"));
        command.env("CICATRIZ_UI", "en");
        command.args(words).current_dir(self.path()).stdin(Stdio::null()).env_remove("CI").env_remove("NO_COLOR");
        command
    }

    pub fn run(&self, words: &[&str]) -> (i32, String, String) {
        let output = self.command(words).output().expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code().expect("a status"), text(output.stdout), text(output.stderr))
    }

    pub fn json(&self, words: &[&str]) -> (i32, serde_json::Value) {
        let (status, out, err) = self.run(words);
        (status, serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}")))
    }

    pub fn typed(&self, words: &[&str], lines: &str) -> (i32, String) {
        let mut child = self.command(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
        child.stdin.take().expect("piped").write_all(lines.as_bytes()).expect("typed");
        let output = child.wait_with_output().expect("it ends");
        (output.status.code().expect("a status"), String::from_utf8(output.stdout).expect("UTF-8"))
    }
}

pub const STORY: &str =
    "scenario story {\n  given fencer\n  dice 2 5 6\n  when hit\n  when hit\n  when hit\n  when rise\n  snapshot\n}\n";

// ── Failures ────────────────────────────────────────────────────────────────────────────────

#[test]
fn every_failure_is_told_on_its_own_line_with_both_sides_the_trace_and_the_dice() {
    let folder = Folder::new(
        "scenario first {\n  given fencer\n  dice 2\n  when hit\n  then hp == 5\n  then hp > 4\n  then down\n}\n\
         scenario fine {\n  given fencer\n  then hp == 5\n}\n\
         scenario second {\n  given fencer\n  when hit\n  then hp == 5\n}\n",
    );
    let (status, out, _) = folder.run(&["test", "duel.rules"]);
    assert_eq!(status, 1);
    for told in [
        "duel.rules: first failed",
        "`hp == 5` is not so",
        "it is 4, not 5",
        "[duel.rules:28:8]",
        "`hp > 4` is not so",
        "4 on the left, 4 on the right",
        "[duel.rules:29:8]",
        "`down` is not so",
        "  tirada 1d6 + 0: 2",
        "  dice 2\n",
        "duel.rules: second failed",
        "(seed 1)",
        "1 passed, 2 failed",
    ] {
        assert!(out.contains(told), "{told}\n{out}");
    }
}

#[test]
fn dice_too_few_left_over_or_impossible_say_which_and_who_asked() {
    let folder = Folder::new(
        "scenario few {\n  given fencer\n  dice 2\n  when hit\n  when hit\n  then standing\n}\n\
         scenario many {\n  given fencer\n  dice 2 3\n  dice 4\n  when hit\n  then standing\n}\n\
         scenario odd {\n  given fencer\n  dice 7\n  when hit\n  then standing\n}\n",
    );
    let (status, document) = folder.json(&["test", "duel.rules", "--format", "json"]);
    assert_eq!(status, 1);
    assert_eq!(document["failed"], 3);
    let failures = document["failures"].as_array().expect("failures");
    let told: Vec<(&str, &str, u64, &str)> = failures
        .iter()
        .map(|failure| {
            let fault = &failure["diagnostics"][0];
            let text = |value: &serde_json::Value| -> &'static str {
                Box::leak(value.as_str().expect("a text").to_owned().into_boxed_str())
            };
            let line = fault["start"]["line"].as_u64().expect("a line");
            (text(&failure["scenario"]), text(&fault["message"]), line, text(&fault["labels"][0]["text"]))
        })
        .collect();
    assert_eq!(
        told,
        [
            ("few", "1 die given, and a d6 more is asked for", 26, "the last die given"),
            ("many", "2 of the 3 dice of `many` left over", 33, "nobody rolls `3 4`"),
            ("odd", "die 1 shows `7`, which no d6 can", 40, "`7` is not on that die"),
        ]
    );
    // What asked for it.
    assert_eq!(failures[0]["diagnostics"][0]["labels"][1]["start"]["line"], 5);
}

#[test]
fn the_document_is_as_promised_and_the_order_stable() {
    let folder = Folder::new("scenario a {\n  given fencer\n  dice 6\n  when hit\n  then hp == 1\n}\n");
    folder.write("b.rules", &DUEL.replace("system duel", "system b"));
    folder.write("a.rules", "system broken\n");
    let (status, document) = folder.json(&["test", "duel.rules", "--format", "json"]);
    assert_eq!(status, 0);
    let keys: Vec<&String> = document.as_object().expect("an object").keys().collect();
    assert_eq!(keys.len(), 5, "{keys:?}");
    assert_eq!(document["passed"], 1);
    assert_eq!(document["snapshots"], serde_json::json!({"matched": 0, "changed": 0, "new": 0, "unused": 0}));
    assert_eq!(document["coverage"], serde_json::json!({"rows": [1, 5], "transitions": [0, 2]}));
    assert_eq!(document["failures"], serde_json::json!([]));
    let many: String =
        (0..60).map(|n| format!("scenario s{n} {{\n  given fencer\n  then hp == {}\n}}\n", n % 7)).collect();
    folder.write("duel.rules", &format!("{DUEL}\n{many}"));
    let first = folder.run(&["test", ".", "--format", "json"]);
    for _ in 0..3 {
        assert_eq!(folder.run(&["test", ".", "--format", "json"]), first);
    }
}

#[test]
fn junit_and_github_tell_the_same() {
    let folder = Folder::new(
        "scenario a \"<&>\" {\n  given fencer\n  then hp < 5\n}\nscenario b {\n  given fencer\n  then hp == 5\n}\n",
    );
    let (status, out, _) = folder.run(&["test", "duel.rules", "--junit", "junit.xml", "--github"]);
    assert_eq!(status, 1);
    assert!(out.contains("::error file=duel.rules,line=26,endLine=26,col=8,title=a::`hp < 5` is not so%0A"), "{out}");
    let xml = folder.read("junit.xml");
    assert!(xml.contains("<testsuites name=\"cicatriz\" tests=\"2\" failures=\"1\" errors=\"0\">"), "{xml}");
    assert!(xml.contains("<testcase classname=\"duel.rules\" name=\"b\" file=\"duel.rules\" line=\"28\"/>"), "{xml}");
    assert!(xml.contains("<failure message=\"`hp &lt; 5` is not so\">"), "{xml}");
    let (status, out, _) = folder.run(&["test", "duel.rules", "--github", "--format", "json"]);
    assert_eq!((status, out.lines().count()), (1, 1));
}

#[test]
fn wrong_usage_ends_with_2() {
    let folder = Folder::new("");
    for words in [
        &["test", "duel.rules", "--dice", "1"][..],
        &["test", "duel.rules", "--watch", "--format", "json"],
        &["test", "duel.rules", "--ci", "--unused", "delete"],
        &["test", "duel.rules", "--min", "101"],
        &["test", "no.rules"],
        &["review", "duel.rules", "--accept", "--reject"],
        &["review", "duel.rules", "--only", "nothing"],
    ] {
        let (status, out, err) = folder.run(words);
        assert_eq!(status, 2, "{words:?}");
        assert!(!err.is_empty(), "{words:?} {out}");
    }
}

// ── Cases ───────────────────────────────────────────────────────────────────────────────────

const CASES: &str = "scenario struck(hp: 1..5, times: 1..3 = 1) {\n  given fencer { hp = hp }\n  repeat hit until down\n\
  case hp = 1, dice 1 -> down\n  case hp = 2, dice 5 2 -> down\n  case times = 2, hp = 4, dice 6 -> standing\n}\n";

#[test]
fn each_case_has_its_own_result() {
    let folder = Folder::new(&CASES.replace(", times: 1..3 = 1", "").replace("times = 2, ", ""));
    let (status, document) = folder.json(&["test", "duel.rules", "--format", "json"]);
    assert_eq!(status, 1);
    assert_eq!((document["passed"].as_u64(), document["failed"].as_u64()), (Some(2), Some(1)));
    let failure = &document["failures"][0];
    assert_eq!(failure["case"], "hp = 4, dice 6");
    assert_eq!(failure["outcome"], "down");
    assert_eq!(failure["diagnostics"][0]["labels"][0]["text"], "it is down, not standing");
    let (_, out, _) = folder.run(&["test", "duel.rules"]);
    assert!(out.contains("duel.rules: struck (hp = 4, dice 6) failed"), "{out}");
}

#[test]
fn what_is_wrong_with_a_case_is_told_before_it_runs() {
    let told = |line: &str| -> Vec<String> {
        let text = format!(
            "{DUEL}\nscenario s(hp: 1..5, with: dice = 1d6, on: set of side = all) {{\n  given fencer {{ hp = hp }}\n  when hit\n  {line}\n}}\n"
        );
        let checked = check_text("duel", &text);
        checked
            .diagnostics
            .iter()
            .filter(|d| d.code.as_str() != "name::unused")
            .map(|d| d.message.to_string())
            .collect()
    };
    assert_eq!(told("case hp = 3 -> standing"), Vec::<String>::new());
    assert_eq!(told("case hp = 3, with = 2d6 + 1, on = (left, right), dice 2, 3 -> standing"), Vec::<String>::new());
    assert_eq!(told("case hp = 9 -> standing"), ["`hp` goes from 1 to 5, not 9"]);
    assert_eq!(told("case pv = 3 -> standing").len(), 1);
    assert_eq!(told("case -> standing"), ["this case needs `hp`"]);
    assert_eq!(told("case hp = 1, hp = 2 -> standing"), ["`hp` is given twice"]);
    let unknown = told("case hp = 1 -> stading");
    assert!(unknown.len() == 1 && unknown[0].contains("stading"), "{unknown:?}");
}

// ── Odds ────────────────────────────────────────────────────────────────────────────────────

#[test]
fn chances_are_exact_and_told_as_they_are() {
    let odds = |lines: &str| {
        let text =
            format!("{DUEL}\nscenario s(hp: 1..5 = 2) {{\n  given fencer {{ hp = hp }}\n  when hit\n{lines}}}\n");
        let checked = check_text("duel", &text);
        let program = checked.program.unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
        let told = suite::test(&program, &[], &checked.files);
        let failures = told.iter().flat_map(|told| &told.failures);
        failures.map(|failure| failure.labels[0].text.to_string()).collect::<Vec<_>>()
    };
    for met in [
        "  then chance(down) == 1/6\n",
        "  then chance(down) != 17%\n  then chance(standing) > 83.3%\n",
        "  then chance(down) between 16% and 17 %\n  then chance(down) <= 1 / 6\n",
        "  then chance(down) == 1/6\n  case hp = 2, dice 6 -> down\n",
    ] {
        assert_eq!(odds(met), Vec::<String>::new(), "{met}");
    }
    assert_eq!(odds("  then chance(down) < 1/6\n"), ["it is 1/6, 16.667%"]);
    assert_eq!(odds("  then chance(down) between 0 and 16%\n"), ["it is 1/6, 16.667%"]);
    assert_eq!(odds("  then chance(down) == 1/6\n  case hp = 4, dice 1 -> standing\n"), Vec::<String>::new());
    assert_eq!(odds("  then chance(down) == 0\n  case hp = 1, dice 1 -> down\n"), ["it is 1, 100.000%"]);
    let wrong = |line: &str| {
        let checked = check_text("duel", &format!("{DUEL}\nscenario s {{\n  given fencer\n  when hit\n  {line}\n}}\n"));
        checked.diagnostics.first().map(|fault| fault.message.clone()).unwrap_or_default()
    };
    assert_eq!(wrong("then chance(down) == 101%"), "a chance is at most 1");
    assert_eq!(wrong("then chance(down) == 1/0"), "a chance is at most 1");
    assert!(wrong("then chance(dwon) == 1/2").contains("`dwon`"), "{}", wrong("then chance(dwon) == 1/2"));
}

#[test]
fn the_new_lines_have_a_canonical_layout() {
    let lines = "scenario s(hp: 1..5 = 2) {\n  given fencer { hp = hp }\n  when hit\n  case   hp=3 ,dice 2   5->standing\n  then chance (down)<=1 / 6\n  then chance(down)between 10.5 % and 20%\n  snapshot\n}\n";
    let laid = cicatriz::syntax::format(&format!("{DUEL}\n{lines}")).expect("no faults");
    for line in [
        "  case hp = 3, dice 2 5 -> standing\n",
        "  then chance(down) <= 1/6\n",
        "  then chance(down) between 10.5% and 20%\n",
        "  snapshot\n",
    ] {
        assert!(laid.contains(line), "{line}{laid}");
    }
    assert_eq!(cicatriz::syntax::format(&laid).as_deref(), Ok(laid.as_str()));
}

// ── Snapshots ───────────────────────────────────────────────────────────────────────────────

#[test]
fn a_new_snapshot_waits_is_accepted_matches_and_tells_what_changed() {
    let folder = Folder::new(STORY);
    let (status, document) = folder.json(&["test", ".", "--format", "json"]);
    assert_eq!(status, 1);
    assert_eq!(document["snapshots"]["new"], 1);
    let proposed = folder.read("snapshots/duel__story.snap.new");
    assert!(proposed.starts_with("---\nsource: duel.rules\nexpression: story\n---\n> Recibe un golpe\n"), "{proposed}");
    assert!(proposed.ends_with("outcome: standing\n"), "{proposed}");
    assert!(!folder.has("snapshots/duel__story.snap"));

    let (status, document) = folder.json(&["review", ".", "--format", "json"]);
    assert_eq!((status, document["pending"].as_u64()), (1, Some(1)));
    let (status, out) = folder.typed(&["review", "."], "what\na\n");
    assert_eq!(status, 0);
    assert!(out.contains("1/1  ./duel.rules: story") && out.contains("1 accepted, 0 rejected, 0 left"), "{out}");
    assert!(folder.has("snapshots/duel__story.snap") && !folder.has("snapshots/duel__story.snap.new"));
    let (status, document) = folder.json(&["test", ".", "--format", "json"]);
    assert_eq!((status, document["snapshots"]["matched"].as_u64()), (0, Some(1)));

    folder.write(
        "duel.rules",
        &format!(
            "{}\n{STORY}",
            DUEL.replace("1-3  scratch  \"Rasguño\"  { hp -= 1 }", "1-3  scratch  \"Rasguño\"  { hp -= 2 }")
        ),
    );
    let (status, out, _) = folder.run(&["test", "."]);
    assert_eq!(status, 1);
    assert!(out.contains("the trace of `story` has changed"), "{out}");
    assert!(out.contains("vida: 5 → [-4-]{+3+}"), "{out}");
    assert!(out.contains("snapshots: 0 matched, 1 changed, 0 new, 0 unused"), "{out}");
    let (status, out) = folder.typed(&["review", "."], "s\n");
    assert_eq!(status, 1);
    assert!(out.contains("-- old") && out.contains("-- new") && out.contains("-- difference"), "{out}");
    assert!(folder.has("snapshots/duel__story.snap.new"));
    assert_eq!(folder.run(&["review", ".", "--reject"]).0, 0);
    assert!(!folder.has("snapshots/duel__story.snap.new"));
    assert_eq!(folder.run(&["test", "."]).0, 1);
    assert_eq!(folder.run(&["review", ".", "--accept", "--only", "duel__story"]).0, 0);
    assert_eq!(folder.run(&["test", "."]).0, 0);
    // Back again: what was proposed meanwhile is proposed no more.
    folder.write("duel.rules", &format!("{DUEL}\n{STORY}"));
    assert_eq!(folder.run(&["test", "."]).0, 1);
    assert!(folder.has("snapshots/duel__story.snap.new"));
}

#[test]
fn in_ci_nothing_is_written() {
    let folder = Folder::new(STORY);
    assert_eq!(folder.run(&["test", ".", "--ci"]).0, 1);
    let status = folder.command(&["test", "."]).env("CI", "true").output().expect("it runs").status;
    assert_eq!(status.code(), Some(1));
    assert!(!folder.has("snapshots"));
}

#[test]
fn unused_snapshots_are_named_and_deleted_and_those_of_others_left_alone() {
    let folder = Folder::new(STORY);
    folder.run(&["test", "."]);
    folder.run(&["review", ".", "--accept"]);
    let foreign = "---\nsource: tests/duel.rs\nexpression: x\n---\nx\n";
    folder.write("snapshots/duel__foreign.snap", foreign);
    folder.write("duel.rules", &format!("{DUEL}\n{}", STORY.replace("scenario story", "scenario tale")));
    let (_, document) = folder.json(&["test", ".", "--format", "json"]);
    assert_eq!(document["snapshots"]["unused"], 1);
    let (_, out, _) = folder.run(&["test", "."]);
    assert!(out.contains("duel__story.snap: no scenario uses it any more"), "{out}");
    assert!(folder.has("snapshots/duel__story.snap"));
    folder.run(&["test", ".", "--unused", "delete"]);
    assert!(!folder.has("snapshots/duel__story.snap"));
    assert!(folder.has("snapshots/duel__foreign.snap"));
}

#[test]
fn each_case_keeps_its_own_trace() {
    let cases = "scenario s(hp: 1..5) {\n  given fencer { hp = hp }\n  when hit\n  snapshot\n  case hp = 1, dice 1\n  case hp = 5, dice 6\n}\n";
    let folder = Folder::new(cases);
    folder.run(&["test", "."]);
    assert!(folder.read("snapshots/duel__s__2.snap.new").contains("expression: \"s (hp = 5, dice 6)\""));
    folder.run(&["review", ".", "--accept"]);
    assert_eq!(folder.run(&["test", "."]).0, 0);
}

// ── Coverage ────────────────────────────────────────────────────────────────────────────────

#[test]
fn what_was_missed_is_listed_with_scenarios_that_hit_it() {
    let folder = Folder::new("scenario a {\n  given fencer\n  dice 6\n  when hit\n  then hp == 1\n}\n");
    let (status, out, _) = folder.run(&["test", "duel.rules", "--coverage"]);
    assert_eq!(status, 0);
    for told in [
        "1 of 5 rows exercised",
        "duel.rules:6: blow/scratch",
        "duel.rules:12: guard/left",
        "0 of 2 transitions exercised",
        "fencer: standing -> down",
        "1 of 2 handlers exercised",
        "duel.rules:21: fencer: on rise",
    ] {
        assert!(out.contains(told), "{told}\n{out}");
    }
    let (status, _, err) = folder.run(&["test", "duel.rules", "--min", "90"]);
    assert_eq!(status, 1);
    assert!(err.contains("1 of 5 rows were exercised, and 90 % are asked for"), "{err}");
    let (_, document) = folder.json(&["test", "duel.rules", "--coverage", "--format", "json"]);
    let missed = document["coverage"]["missed"].as_array().expect("missed");
    let pasted: Vec<&str> = missed.iter().filter_map(|missed| missed["scenario"].as_str()).collect();
    assert_eq!(pasted.len(), 4, "{missed:?}");
    folder.write("duel.rules", &format!("{}\n{}", folder.read("duel.rules"), pasted.join("\n")));
    let (status, document) = folder.json(&["test", "duel.rules", "--format", "json"]);
    assert_eq!(status, 0, "{document}");
    assert_eq!(document["coverage"]["rows"], serde_json::json!([5, 5]));
}

// ── Changes ─────────────────────────────────────────────────────────────────────────────────

#[test]
fn changes_that_no_scenario_notices_are_named() {
    let few = "scenario a {\n  given fencer\n  dice 6\n  when hit\n  then hp == 1\n}\n";
    let many = "scenario rows {\n  given fencer\n  dice 3 4 5 6\n  when hit\n  then hp == 4\n  when hit\n  then hp == 3\n  when hit\n  then hp == 2\n  when hit\n  then down\n  when rise\n  then standing\n}\n";
    let folder = Folder::new(few);
    let (status, document) = folder.json(&["test", "duel.rules", "--mutate", "--format", "json"]);
    assert_eq!(status, 0);
    let unnoticed = document["mutation"]["unnoticed"].as_array().expect("a list");
    let named = |from: &str, to: &str| unnoticed.iter().any(|change| change["from"] == from && change["to"] == to);
    assert!(named("down", "up") && named("3 | 4", "2 | 3"), "{unnoticed:?}");
    assert!(!named("4", "5"), "{unnoticed:?}");
    assert_eq!(unnoticed[0]["file"], "duel.rules");
    assert_eq!(folder.run(&["test", "duel.rules", "--mutate", "--min", "90"]).0, 1);
    let first = folder.run(&["test", "duel.rules", "--mutate"]);
    assert_eq!(folder.run(&["test", "duel.rules", "--mutate"]), first);
    let better = Folder::new(&format!("{few}{many}"));
    let (_, more) = better.json(&["test", "duel.rules", "--mutate", "--format", "json"]);
    let count = |document: &serde_json::Value| document["mutation"]["unnoticed"].as_array().map(Vec::len);
    assert!(count(&more) < count(&document));
    let failing = Folder::new("scenario a {\n  given fencer\n  then hp == 1\n}\n");
    let (status, _, err) = failing.run(&["test", "duel.rules", "--mutate"]);
    assert!(status == 1 && err.contains("as long as a scenario fails"), "{err}");
}

// ── Watching ────────────────────────────────────────────────────────────────────────────────

#[test]
fn a_watch_runs_again_when_a_file_changes() {
    use std::io::{BufRead, BufReader};
    let folder = Folder::new("scenario a {\n  given fencer\n  then hp == 5\n}\n");
    let mut child = folder
        .command(&["test", ".", "--watch"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut next = || lines.next().expect("a line").expect("UTF-8");
    assert_eq!(next(), "1 passed, 0 failed");
    std::thread::sleep(std::time::Duration::from_millis(700));
    folder.write("duel.rules", &format!("{DUEL}\nscenario a {{\n  given fencer\n  then hp == 5\n}}\nscenario b {{\n  given fencer\n  then hp == 5\n}}\n"));
    assert_eq!(next(), "2 passed, 0 failed");
    child.kill().expect("it runs still");
    child.wait().expect("it ends");
}
