//! Exact odds as a process: text with bars, JSON as scripts read it, refusals.

use std::process::{Command, Stdio};

fn ran(words: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cicatriz"));
    command.env("CICATRIZ_UI", "en");
    let output = command.args(words).stdin(Stdio::null()).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn json(words: &[&str]) -> serde_json::Value {
    let (status, out, err) = ran(&[words, &["--format", "json"]].concat());
    assert_eq!((status, err.as_str()), (Some(0), ""), "{words:?}");
    serde_json::from_str(&out).expect("one document")
}

#[test]
fn odds_of_dice_with_ascii_bars_in_a_pipe() {
    let (status, out, _) = ran(&["roll", "2d2", "--odds", "--at-least"]);
    assert_eq!(status, Some(0));
    let expected = "\
2    25.00 %   100.00 %  1/4  ###############
3    50.00 %    75.00 %  1/2  ##############################
4    25.00 %    25.00 %  1/4  ###############
mean 3.0000, standard deviation 0.7071
half of the time 3 or less, one time in ten 2 or less, nine in ten 4 or less
";
    assert_eq!(out, expected);
}

#[test]
fn odds_of_a_table_as_json() {
    let odds = json(&["odds", "rules/old_world.rules", "wound", "untreated=2"]);
    assert_eq!(odds["target"], "wound");
    assert_eq!(odds["arguments"]["untreated"], 2);
    assert_eq!(odds["exact"], true);
    let outcomes = odds["outcomes"].as_array().expect("a list");
    let last = outcomes.last().expect("a row");
    assert_eq!(last["outcome"], "beheaded");
    assert_eq!(last["range"], "27+");
    assert_eq!(last["title"], "Decapitación");
    assert_eq!(last["chance"], "1/50");
    assert_eq!(last["probability"], 0.02);
}

#[test]
fn odds_of_scenarios_as_json() {
    let odds = json(&["odds", "rules/fifth_edition.rules", "death_saves"]);
    let chances: Vec<(&str, &str)> = odds["outcomes"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|found| Some((found["outcome"].as_str()?, found["chance"].as_str()?)))
        .collect();
    assert_eq!(chances, [("awake", "1451/8000"), ("dead", "3239/8000"), ("stable", "331/800")]);
    let odds = json(&["odds", "rules/old_world.rules", "to_death"]);
    assert_eq!(odds["outcomes"][0]["outcome"], "3");
    assert_eq!(odds["outcomes"][0]["chance"], "21/250");
    assert!(odds["mean"].as_f64().is_some_and(|mean| (mean - 4.6285).abs() < 1e-4));
}

#[test]
fn what_a_bound_cuts_off_is_told() {
    let odds = json(&["roll", "1d6!", "--odds"]);
    assert_eq!(odds["exact"], false);
    assert!(odds["reason"].is_string() && odds["cut"].as_f64().is_some_and(|cut| cut > 0.0 && cut < 1e-11));
}

#[test]
fn what_takes_too_long_is_refused_with_what_makes_it_large() {
    let (status, out, err) = ran(&["roll", "3d1000000", "--odds"]);
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(err.contains("3d1000000") && err.contains("run::limit"), "{err}");
}

const SAVES: [&str; 3] = ["odds", "rules/fifth_edition.rules", "death_saves"];

#[test]
fn turns_of_what_repeats() {
    let odds = json(&SAVES);
    let turns = &odds["turns"][0];
    assert_eq!((&turns["event"], &turns["mean_fraction"]), (&"turn".into(), &"1451/400".into()));
    assert_eq!(turns["distribution"][0]["chance"], "1/20");
    assert_eq!(turns["rest"]["chance"], "0");
    let (_, out, _) = ran(&SAVES);
    assert!(out.contains("repeats of turn: mean 3.6275 (1451/400), standard deviation 1.0926; 1: 5.00 %,"), "{out}");
}

#[test]
fn odds_as_csv_and_markdown() {
    let (status, out, _) = ran(&[&SAVES[..], &["--format", "csv"]].concat());
    assert_eq!(status, Some(0));
    let expected = "outcome,title,chance,probability\nawake,consciente,1451/8000,0.181375\n\
                    dead,muerta,3239/8000,0.404875\nstable,estable,331/800,0.41375\n";
    assert_eq!(out, expected);
    let (_, out, _) = ran(&["roll", "1d2", "--odds", "--format", "markdown", "--at-most"]);
    let expected = "| outcome | chance | probability | at\\_most |\n| ---: | ---: | ---: | ---: |\n\
                    | 1 | 1/2 | 50.00 % | 50.00 % |\n| 2 | 1/2 | 50.00 % | 100.00 % |\n";
    assert_eq!(out, expected);
    for words in [&["check", "rules", "--format", "csv"][..], &["roll", "1d6", "--format", "markdown"]] {
        let (status, out, err) = ran(words);
        assert_eq!((status, out.as_str()), (Some(2), ""));
        assert!(err.contains("--format json"), "{err}");
    }
    let (status, _, err) = ran(&["roll", "1d6", "--at-least"]);
    assert!(status == Some(2) && err.contains("add `--odds`"), "{err}");
}

#[test]
fn a_table_with_its_chances() {
    let (status, out, _) = ran(&["odds", "rules/old_world.rules", "wound", "--table"]);
    assert_eq!(status, Some(0));
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines.iter().any(|line| line.starts_with("  30.00 %  3/10  1-3") && line.contains("Herida superficial")));
    assert!(
        lines.iter().any(|line| line.starts_with("   0.00 %     0  27+") && line.contains("Decapitación")),
        "{out}"
    );
    let odds = json(&["odds", "rules/old_world.rules", "wound", "--table"]);
    assert!(odds["outcomes"].as_array().expect("a list").iter().any(|row| row["chance"] == "0"));
    let (status, _, err) = ran(&[&SAVES[..], &["--table"]].concat());
    assert!(status == Some(2) && err.contains("leave `--table` out"), "{err}");
}

#[test]
fn a_sweep_of_one_and_of_two_arguments() {
    let words = ["odds", "rules/old_world.rules", "wound", "--sweep", "untreated=0..2"];
    let sweep = json(&words);
    assert_eq!(sweep["sweep"]["untreated"], serde_json::json!(["0", "1", "2"]));
    assert_eq!(sweep["points"][2]["arguments"]["untreated"], 2);
    let last = sweep["points"][2]["outcomes"].as_array().and_then(|rows| rows.last()).expect("a row");
    assert_eq!((&last["outcome"], &last["chance"]), (&"beheaded".into(), &"1/50".into()));
    let (_, out, _) = ran(&words);
    assert!(out.lines().any(|line| line.starts_with("27+  Decapitación") && line.ends_with("2.0")), "{out}");
    let two = [&SAVES[..], &["--sweep", "failures=0..2", "--sweep", "successes=0,2"]].concat();
    let sweep = json(&two);
    assert_eq!(sweep["points"].as_array().map(Vec::len), Some(6));
    assert_eq!(sweep["points"][1]["arguments"], serde_json::json!({"failures": 0, "successes": 2}));
    let (_, out, _) = ran(&[&two[..], &["--format", "csv"]].concat());
    assert!(
        out.starts_with("failures,successes,outcome,range,title,chance,probability\n0,0,awake,,consciente,1451/8000,")
    );
    assert_eq!(out.lines().count(), 1 + 6 * 3);
}

#[test]
fn sweeps_that_cannot_be_are_refused() {
    for (sweep, why) in [
        ("untreated=0..50", "40"),
        ("untread=0..2", "untreated"),
        ("untreated=3..1", "--sweep untreated=1..3"),
        ("untreated=0..5000", "1000 are the most"),
    ] {
        let (status, out, err) = ran(&["odds", "rules/old_world.rules", "wound", "--sweep", sweep]);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{sweep}");
        assert!(err.contains(why), "{sweep}: {err}");
    }
}

#[test]
fn how_far_each_outcome_moves() {
    let odds = json(&[&SAVES[..], &["--against-with", "failures=1"]].concat());
    assert_eq!(odds["outcomes"][1]["outcome"], "dead");
    assert_eq!(odds["outcomes"][1]["chance"], "3239/8000");
    assert_eq!(odds["outcomes"][1]["against"]["chance"], "233/400");
    assert_eq!(odds["outcomes"][1]["difference"]["chance"], "1421/8000");
    assert_eq!(odds["total_variation"]["chance"], "1421/8000");
    assert_eq!(odds["turns"][0]["event"], "turn");
    let (_, out, _) =
        ran(&[&SAVES[..], &["--against", "rules/fifth_edition.rules", "--against-set", "edition=srd2014"]].concat());
    assert!(out.contains("total variation distance 0.00 %"), "{out}");
    let (status, _, err) = ran(&[&SAVES[..], &["--against-set", "editon=srd2014"]].concat());
    assert!(status == Some(2) && err.contains("edition"), "{err}");
}

#[test]
fn pictures_are_whole_and_escaped() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("odd.rules");
    let text = "system odd \"Raro\" lang es\ntable t(n: 1..2 = 1) \"A < B & C\" = (n)d2 {\n  1 a \"<script>\"\n  2+ b \"\\\"b\\\"\"\n}\n";
    std::fs::write(&rules, text).expect("written");
    let (rules, svg) = (rules.to_str().expect("a path"), folder.path().join("a.svg"));
    let path = svg.to_str().expect("a path");
    for more in [&[][..], &["--sweep", "n=1..2"], &["--against-with", "n=2"], &["--table"]] {
        let (status, _, err) = ran(&[&["odds", rules, "t", "--svg", path][..], more].concat());
        assert_eq!((status, err.as_str()), (Some(0), ""));
        let picture = std::fs::read_to_string(&svg).expect("a picture");
        assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"), "{picture}");
        assert!(picture.contains("A &lt; B &amp; C") && picture.contains("&lt;script&gt;"), "{picture}");
        assert!(!picture.contains("<script>") && picture.contains("prefers-color-scheme: dark"));
        std::fs::remove_file(&svg).expect("it is there");
    }
    let (status, out, err) = ran(&["odds", rules, "t", "--svg", "/no/such/folder/a.svg"]);
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(err.contains("cannot be written"), "{err}");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn the_command_to_use_instead_is_told_as_a_shell_takes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large one.rules");
    let text = "system large \"G\" lang es\noption way: a | b = a\nscenario sum(n: 1..3 = 1) {\n  x = 3d1000000 + n\n  outcome x\n}\n";
    std::fs::write(&path, text).expect("written");
    let path = path.to_str().expect("a path");
    let (status, _, err) = ran(&["odds", path, "sum", "n=2", "--set", "way=b"]);
    assert_eq!(status, Some(1));
    let joined: String = err.lines().map(|line| line.trim_start_matches([' ', '|', ':'])).collect::<Vec<_>>().join(" ");
    assert!(err.contains("3d1000000"), "{err}");
    let help = "simulate '";
    assert!(joined.contains(help) && joined.contains("sum n=2 --set way=b -n 100000"), "{joined}");
}
