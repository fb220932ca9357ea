//! What catalogs of a large system cost, and what a language costs a run.
//!
//! `cargo bench --bench locale`

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cicatriz::check::check_text;
use cicatriz::locale::{check, extract, po, translate, update};
use cicatriz::source::Source;

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

/// A table with so many titles, and as many paragraphs, some of them counting something.
fn table(rows: usize) -> String {
    let mut text = String::from("system big \"Grande\" lang es\n");
    let _ = writeln!(text, "table wound \"Heridas\" = 1d{rows} {{");
    for row in 1..=rows {
        let _ = writeln!(text, "  {row}  row_{row}  \"Herida número {row}\"");
        let _ = match row % 4 {
            0 => writeln!(text, "    \"Pierdes un diente.\" | \"Pierdes {{lost}} dientes.\" {{ lost = 1d6 }}"),
            _ => writeln!(text, "    \"El golpe {row} te alcanza de lleno y la nieve del camino se tiñe de rojo.\""),
        };
    }
    text.push_str("}\n");
    text
}

fn main() {
    let text = table(10_000);
    let checked = check_text("big.rules", &text);
    let (program, files) = (checked.program.expect("rules without faults"), checked.files);
    let template = extract(&program, &files).write();
    let translated = template.replace("msgstr \"\"\n\n", "msgstr \"Algo con el golpe.\"\n\n");
    let catalog = po::read(Source::new("big.po", translated.as_str()));
    let messages = catalog.entries().count();
    let second = |time: Duration| time.as_secs_f64() * 20_000.0 / messages as f64;
    let reading = median(7, || drop(black_box(po::read(Source::new("big.po", translated.as_str())))));
    let extracted = median(7, || drop(black_box(extract(&program, &files).write())));
    let updated = median(7, || {
        let old = po::read(Source::new("big.po", translated.as_str()));
        drop(black_box(update(&old, &program, &files, "en").po.write()));
    });
    let looked = median(7, || {
        let old = po::read(Source::new("big.po", translated.as_str()));
        drop(black_box(check(&old, Some(&program), "en")));
    });
    let put = median(7, || {
        black_box(translate(&mut program.clone(), &catalog, "en"));
    });
    println!("{messages} messages, catalog of {:.1} MB; seconds for 20,000 messages:", translated.len() as f64 / 1e6);
    println!("  read {:.3}, extract {:.3}, update {:.3}", second(reading), second(extracted), second(updated));
    println!("  check {:.3}, put into the program {:.3}", second(looked), second(put));
    process();
}

/// A whole run in English over one in Spanish.
fn process() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/old_world.rules");
    let run = |lang: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicatriz"));
        command.env("CICATRIZ_UI", "en");
        command.args(["run"]).arg(&rules).args(["to_death", "--seed", "7", "--lang", lang]);
        let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    };
    let (mut plain, mut english) = (Vec::new(), Vec::new());
    // One after the other, so that both see the same machine.
    for _ in 0..101 {
        plain.push(median(1, || run("es")));
        english.push(median(1, || run("en")));
    }
    plain.sort();
    english.sort();
    let ratio = english[50].as_secs_f64() / plain[50].as_secs_f64();
    println!("process `cicatriz run --lang en` over `cicatriz run`: {ratio:.2} times");
}
