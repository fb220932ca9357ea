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
