//! How fast rule files are read and checked, and what a whole process costs. Figures are ratios
//! taken in one run, so that they hold on another machine.
//!
//! `cargo bench --bench reading`

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cicatriz::check::check_text;

/// Takes the median of several runs, after one that does not count.
fn median(runs: usize, mut work: impl FnMut()) -> Duration {
    work();
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let begun = Instant::now();
            work();
            begun.elapsed()
        })
        .collect();
    times.sort();
    times[times.len() / 2]
}

/// A table of so many rows, each with a cell, a paragraph and a body.
fn table(rows: usize) -> String {
    let mut text =
        String::from("system big \"Grande\" lang es\nkind cure \"Cura\" = night \"Noche\" | rest \"Reposo\"\n");
    let _ = writeln!(text, "table wound \"Heridas\" = 1d{rows}\n  columns cure: cure\n{{");
    for row in 1..=rows {
        let _ = writeln!(text, "  {row}  row_{row}  \"Herida número {row}\"  | night");
        let _ = writeln!(text, "       \"El golpe {row} te alcanza de lleno y la nieve del camino se tiñe de rojo.\"");
        let _ = writeln!(
            text,
            "       {{ lost = 1d6\n         say \"Pierdes un diente.\" | \"Pierdes {{lost}} dientes.\" }}"
        );
    }
    text.push_str("}\n");
    text
}

/// Peak memory of this process so far, in bytes, where the system tells it.
fn peak() -> Option<usize> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok().map(|kb| kb * 1024)
}

fn main() {
    let (half, whole) = (table(10_000), table(20_000));
    let before = peak();
    assert!(black_box(check_text("whole", &whole)).program.is_some());
    let after = peak();
    let small = median(9, || drop(black_box(check_text("half", &half))));
    let large = median(9, || drop(black_box(check_text("whole", &whole))));
    let speed = whole.len() as f64 / 1e6 / large.as_secs_f64();
    println!("check, 20,000 rows ({:.1} MB): {speed:.1} MB/s", whole.len() as f64 / 1e6);
    println!("check, 20,000 rows over 10,000 rows: {:.2} times", large.as_secs_f64() / small.as_secs_f64());
    if let (Some(before), Some(after)) = (before, after) {
        println!("memory of check over the file: {:.1} times", (after - before) as f64 / whole.len() as f64);
    }
    process();
}

/// A whole process that rolls, beside one that prints a line.
fn process() {
    let folder = std::env::temp_dir().join(format!("cicatriz-bench-{}", std::process::id()));
    let (source, program) = (folder.join("line.rs"), folder.join("line"));
    let built = fs::create_dir_all(&folder)
        .and_then(|()| fs::write(&source, "fn main() { println!(\"1d6: [4] = 4\"); }"))
        .and_then(|()| Command::new("rustc").arg("-O").arg("-o").arg(&program).arg(&source).status());
    match built {
        Ok(status) if status.success() => {
            let run = |program: &std::path::Path, words: &[&str]| {
                let _ = Command::new(program).args(words).stdout(Stdio::null()).stderr(Stdio::null()).status();
            };
            let line = median(101, || run(&program, &[]));
            let roll = median(101, || run(env!("CARGO_BIN_EXE_cicatriz").as_ref(), &["roll", "1d6"]));
            println!(
                "process `cicatriz roll 1d6` over a program that prints a line: {:.2} times",
                roll.as_secs_f64() / line.as_secs_f64()
            );
        }
        _ => println!("no rustc here: the process is not measured"),
    }
    let _ = fs::remove_dir_all(folder);
}
