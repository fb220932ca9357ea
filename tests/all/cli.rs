//! The command as a process: exit status, what stands on which stream, pipes that close.
#![cfg(feature = "cli")]

use std::io::Read;
use std::process::{Command, Output, Stdio};

fn cicatriz(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cicatriz"));
    command.env("CICATRIZ_UI", "en");
    command.args(words).stdin(Stdio::null()).env_remove("NO_COLOR");
    command
}

fn ran(words: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = cicatriz(words).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn version_and_help_are_asked_for() {
    let (status, out, err) = ran(&["--version"]);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert_eq!(out, format!("cicatriz {}\n", env!("CARGO_PKG_VERSION")));
    let (status, out, err) = ran(&["roll", "--help"]);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert!(out.contains("Example:\n  cicatriz roll 2d6+3 --seed 7\n"), "{out}");
}

#[test]
fn wrong_usage_ends_with_2_and_leaves_standard_output_empty() {
    for words in [
        &["--format", "json"][..],
        &["chekc", "x", "--format", "json"],
        &["roll", "1d6", "--dice", "x", "--format", "json"],
        &["check", "--format", "json"],
    ] {
        let (status, out, err) = ran(words);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{words:?}");
        assert!(!err.is_empty(), "{words:?}");
    }
}

#[test]
fn an_unknown_verb_is_told_the_nearest() {
    let (status, _, err) = ran(&["chekc", "rules"]);
    assert_eq!(status, Some(2));
    assert!(err.contains("'check'"), "{err}");
}

#[test]
fn completions_for_each_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (status, out, err) = ran(&["completions", shell]);
        assert_eq!((status, err.as_str()), (Some(0), ""));
        assert!(out.contains("explain"), "{shell}");
    }
}

#[test]
fn a_pipe_that_closes_ends_quietly() {
    for words in [&["completions", "zsh"][..], &["--help"]] {
        let mut child = cicatriz(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut err).expect("UTF-8");
        let status = child.wait().expect("it ends");
        assert_eq!((status.code(), err.as_str()), (Some(0), ""), "{words:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a full disk");
    let output = cicatriz(&["completions", "zsh"]).stdout(full).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("standard output cannot be written"));
}

#[test]
fn colour_only_where_asked_for() {
    let (_, _, plain) = ran(&["chekc"]);
    assert!(!plain.contains('\u{1b}'));
    let (_, _, colored) = ran(&["chekc", "--color", "always"]);
    assert!(colored.contains('\u{1b}'));
}
