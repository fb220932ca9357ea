//! The manual is a test: what it shows is read, checked and run, and what it prints is compared.
//!
//! In the manual's Markdown
//!
//! - ` ```console ` holds commands (`$ cicatriz …`) and what each prints. They run in a scratch
//!   folder that has a copy of `rules/`. A line `…` stands for any number of lines;
//!   `$ cicatriz … < lines.txt` gives a command its standard input.
//! - ` ```rules ` holds a whole rule file, which has no fault and no warning; its header may be
//!   left out.
//! - ` ```rules,part=NAME ` holds a part of one; the frame it is read in stands below ([`frame`]).
//!   `part=use` uses other files: a command after it checks it. `part=FILE` (`old_world`) is an
//!   excerpt: it stands in that file under `rules/`, letter by letter.
//! - ` ```rules,fault=CODE ` holds something wrong: this is the code that is told. It may have a
//!   part too.
//! - ` ```rules,file=NAME ` is also put in the scratch folder, for the commands after it; so is
//!   ` ```text,file=NAME `.
//!
//! `DOCS=write cargo test docs` puts what the commands print now into the manual.

use std::path::{Path, PathBuf};

use cicatriz::check::check_text;
use cicatriz::diagnostics::{Code, Severity};

/// One fenced block of a page.
struct Fenced {
    /// The words behind the fence: `rules,part=sheet`.
    kind: String,
    /// The line of the fence, from 1.
    line: usize,
    lines: Vec<String>,
}

impl Fenced {
    fn is(&self, kind: &str) -> bool {
        self.kind.split(',').next() == Some(kind)
    }

    /// `part=sheet` gives `sheet` for `part`.
    fn value(&self, name: &str) -> Option<&str> {
        self.kind.split(',').find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }

    fn text(&self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn page(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn fenced(text: &str) -> Vec<Fenced> {
    let mut blocks = Vec::new();
    let mut open: Option<Fenced> = None;
    for (index, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(kind), None) => {
                open = Some(Fenced { kind: kind.trim().to_owned(), line: index + 1, lines: Vec::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is left open");
    blocks
}

// ── Rules ───────────────────────────────────────────────────────────────────────────────────

/// What the parts in the manual speak of.
const WORLD: &str = r#"
system example "Ejemplo" lang es
option edition "Edición": first "primera" | second "segunda" = second
clock turn "turno" < fight "combate" < day "día"
time end_of_next_turn "el final de su siguiente turno" = turn_end after turn
kind side "Lado" = left "izquierdo" | right "derecho"
kind harm "Daño" = fire "fuego" | cold "frío"
kind cure "Curación" = rest "Descanso" | surgery "Cirugía" | none "Ninguna"
kind condition "Estado" = prone "Tumbado" | dazed "Aturdido" | scarred "Marcado"

table place "Lugar" = 1d6 { 1-2 head "Cabeza"
                            3-4 arm "Brazo"
                            5-6 leg "Pierna" }
table treatment "Cura" by place columns price: 0..1000 { head | 50
                                                         else | 20 }
table hit(deep: 0..3 = 0) "Herida" = (1 + deep)d6 makes wound columns cure: cure {
  1-5  cut  "Corte"  | rest
  6+   gash "Tajo"   | surgery
  -    rot  "Gangrena" | surgery
}

sheet hero "Héroe" {
  toughness "Aguante": 1..20 = 3
  skill "Destreza": 1..10 = 4
  max_hp "Vida máxima": 1..99 = 20
  hp "Vida": 0..max_hp = max_hp stops
  luck "Suerte": 0..20 = 3 stops
  brave "Valiente": yes/no = yes
  arms "Brazos": set of side = all
  proof "Inmune": set of harm = none
  weapon "Arma": dice = 1d8
  conditions "Estados": set of condition
  wounds "Heridas": list of wound up to 20
  value difficulty "Dificultad" = 0
  value penalty(against: harm, on: place or none = none) "Penalización" = 0
  check endurance(need: 1..10 = 1) "Aguante" = (toughness)d10<=(skill) passes on (need)+
  event fight "Combate"
  states standing "en pie" -> down "caído" -> standing
  states standing, down -> dead "muerto" final
  on damage(amount: 0..999, type: harm = fire) "Recibe daño" when not dead {
    hp -= 0 if type in proof else amount
    if hp == 0 -> down
  }
  on stand_up "Se levanta" when down { -> standing }
  on die "Muere" { -> dead }
  on strike "Recibe un golpe" { roll hit }
  on bind "Se venda" { each wounds where open { -> bound } }
  on pray "Reza" { luck += 1 }
  on rest "Descansa" { each wounds where bound { -> healed } }
  //sheet
}

sheet wound "Herida" of hero {
  cure: cure
  deep: 0..3 = 0
  states open "abierta" -> bound "vendada" -> healed "curada" final
  //wound
}
//top
"#;

/// A part of a rule file with what has to stand around it.
fn frame(part: &str, text: &str) -> String {
    let indented = |text: &str| text.lines().map(|l| format!("    {l}\n")).collect::<String>();
    match part {
        // At the top of a file, in the sheet `hero`, in the sheet `wound`.
        "top" | "sheet" | "wound" => WORLD.replace(&format!("//{part}\n"), &format!("{text}\n")),
        // Sentences of a handler of `hero`.
        "body" => WORLD.replace(
            "//sheet\n",
            &format!("on example(foe: hero, hurt: wound, amount: 0..99 = 0) {{\n{}  }}\n", indented(text)),
        ),
        // Rows of a table that makes a `wound`, and what stands in one row's braces.
        "rows" => WORLD.replace(
            "//top\n",
            &format!(
                "table example_table(deep: 0..3 = 0) = 1d100 makes wound columns cure: cure {{\n{text}\n  else other \"Otra\" | rest\n}}\n"
            ),
        ),
        "row" => WORLD.replace(
            "//top\n",
            &format!(
                "table example_table = 1d4 makes wound columns cure: cure {{\n  1-4 torn \"Desgarro\" | rest\n  {{\n{}  }}\n}}\n",
                indented(text)
            ),
        ),
        // Steps of a scenario.
        "scenario" => WORLD.replace("//top\n", &format!("scenario example_scenario {{\n{}}}\n", indented(text))),
        // A value a line.
        "values" => {
            let lines: String = text
                .lines()
                .filter(|line| !line.trim().is_empty())
                .enumerate()
                .map(|(index, line)| format!("example_{index} = {line}\nsay \"{{example_{index}}}\"\n"))
                .collect();
            frame("body", &lines)
        }
        // A type a line.
        "types" => {
            let lines: String = text
                .lines()
                .filter(|line| !line.trim().is_empty())
                .enumerate()
                .map(|(index, line)| format!("example_{index}: {line}\n"))
                .collect();
            frame("sheet", &lines)
        }
        other => panic!("no frame is called `{other}`"),
    }
}

/// What is wrong with a block, if it is not what it says it is.
fn read(path: &str, block: &Fenced) -> Option<String> {
    let text = match block.value("part") {
        Some("use") => return None,
        Some(file) if root().join(format!("rules/{file}.rules")).exists() => {
            let there = page(&format!("rules/{file}.rules")).contains(&block.text());
            return (!there).then(|| format!("{path}:{}: this does not stand in {file}.rules", block.line));
        }
        Some(part) => frame(part, &block.text()),
        None if block.lines.iter().any(|line| line.starts_with("system ")) || block.value("file").is_some() => {
            block.text()
        }
        None => format!("system example \"Ejemplo\" lang es\n{}", block.text()),
    };
    let checked = check_text(path, &text);
    let told: Vec<String> = checked
        .diagnostics
        .iter()
        .filter(|d| d.severity != Severity::Note)
        .map(|d| {
            let at = d.span().map_or("", |span| text.get(span.range()).unwrap_or(""));
            format!("  {}: {} at `{at}` {}", d.code, d.message, d.help.clone().unwrap_or_default())
        })
        .collect();
    let wrong = match block.value("fault") {
        Some(code) if checked.diagnostics.iter().any(|d| d.code.as_str() == code) => return None,
        Some(code) => format!("`{code}` is not told, but\n{}", told.join("\n")),
        None if told.is_empty() => return None,
        None => told.join("\n"),
    };
    Some(format!("{path}:{}:\n{wrong}", block.line))
}

fn all_rules_of(path: &str) {
    let blocks = fenced(&page(path));
    let rules: Vec<&Fenced> = blocks.iter().filter(|b| b.is("rules")).collect();
    assert!(!rules.is_empty(), "{path} shows no rules");
    let wrong: Vec<String> = rules.iter().filter_map(|block| read(path, block)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_rule_in_the_reference_reads_and_checks() {
    all_rules_of("grammar/README.md");
}

#[test]
fn every_rule_in_the_guide_reads_and_checks() {
    all_rules_of("rules/README.md");
}

#[test]
fn every_rule_in_the_readme_reads_and_checks() {
    all_rules_of("README.md");
}

/// The table of limits says what the program's constants say.
#[test]
fn the_limits_are_those_of_the_program() {
    let known: &[(&str, i64)] = &[
        ("source::FILE_BYTES", cicatriz::source::FILE_BYTES as i64),
        ("syntax::PIECE_BYTES", cicatriz::syntax::PIECE_BYTES as i64),
        ("syntax::NESTING", cicatriz::syntax::NESTING as i64),
        ("syntax::STEPS", cicatriz::syntax::STEPS as i64),
        ("syntax::FAULTS", cicatriz::syntax::FAULTS as i64),
        ("diagnostics::TOLD", cicatriz::diagnostics::TOLD as i64),
        ("check::FILES", cicatriz::check::FILES as i64),
        ("program::SET_MEMBERS", cicatriz::program::SET_MEMBERS as i64),
        ("dice::DICE_A_ROLL", cicatriz::dice::DICE_A_ROLL),
        ("dice::FACES_A_DIE", cicatriz::dice::FACES_A_DIE),
        ("dice::EXPLOSIONS_A_DIE", i64::from(cicatriz::dice::EXPLOSIONS_A_DIE)),
        ("dice::REROLLS_A_DIE", i64::from(cicatriz::dice::REROLLS_A_DIE)),
        ("dice::THROWS_A_ROLL", cicatriz::dice::THROWS_A_ROLL),
        ("dice::NESTING", cicatriz::dice::NESTING as i64),
        ("run::limits::STEPS", cicatriz::run::limits::STEPS as i64),
        ("run::limits::DEPTH", cicatriz::run::limits::DEPTH as i64),
        ("run::limits::NESTING", cicatriz::run::limits::NESTING as i64),
        ("run::limits::DICE_A_RUN", cicatriz::run::limits::DICE_A_RUN as i64),
        ("run::limits::SHEETS", cicatriz::run::limits::SHEETS as i64),
        ("run::limits::REPEATS", cicatriz::run::limits::REPEATS as i64),
        ("run::limits::WAIT", cicatriz::run::limits::WAIT),
        ("run::limits::ROUNDS", i64::from(cicatriz::run::limits::ROUNDS)),
        ("run::limits::LIST", cicatriz::run::limits::LIST as i64),
        ("simulate::RUNS", cicatriz::simulate::RUNS as i64),
        ("simulate::OUTCOMES", cicatriz::simulate::OUTCOMES as i64),
        ("simulate::PARTS", cicatriz::simulate::PARTS as i64),
    ];
    let reference = page("grammar/README.md");
    for (name, value) in known {
        let written = reference
            .lines()
            .find(|line| line.contains(&format!("`{name}`")))
            .unwrap_or_else(|| panic!("the reference has no `{name}`"));
        let number: String = written.split('|').nth(2).unwrap_or("").chars().filter(char::is_ascii_digit).collect();
        let unit = if written.contains(" MiB") {
            1024 * 1024
        } else if written.contains(" KiB") {
            1024
        } else {
            1
        };
        assert_eq!(number.parse::<i64>().ok().map(|n| n * unit), Some(*value), "{written}");
    }
}

/// Every code of a fault is told of in the reference.
#[test]
fn every_code_stands_in_the_reference() {
    let reference = page("grammar/README.md");
    let missing: Vec<&str> =
        Code::ALL.iter().map(|c| c.as_str()).filter(|code| !reference.contains(&format!("`{code}`"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// What a page points to is there.
#[test]
fn every_link_leads_somewhere() {
    for path in ["README.md", "grammar/README.md", "rules/README.md", "CHANGELOG.md"] {
        let text = page(path);
        let folder = root().join(path);
        let folder = folder.parent().unwrap_or(Path::new("."));
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            if link.contains("://") {
                continue;
            }
            let target = if file.is_empty() { root().join(path) } else { folder.join(file) };
            assert!(target.exists(), "{path} points to `{link}`");
            if !heading.is_empty() {
                let there = std::fs::read_to_string(&target).unwrap_or_default();
                let found = there.lines().filter(|l| l.starts_with('#')).any(|l| anchor(l) == heading);
                assert!(found, "{path} points to `{link}`");
            }
        }
    }
}

/// `## What holds: blocks` is linked to as `what-holds-blocks`.
fn anchor(heading: &str) -> String {
    heading
        .trim_start_matches('#')
        .trim()
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

// ── Commands ────────────────────────────────────────────────────────────────────────────────

#[cfg(feature = "cli")]
mod commands {
    use std::fs;
    use std::path::Path;
    use std::process::{Command, Stdio};

    use super::{Fenced, fenced, page, root};

    /// A command as it stands in the manual, and what it prints there.
    struct Shown {
        line: usize,
        command: String,
        output: Vec<String>,
    }

    fn shown(block: &Fenced) -> Vec<Shown> {
        let mut list: Vec<Shown> = Vec::new();
        for (index, line) in block.lines.iter().enumerate() {
            if let Some(command) = line.strip_prefix("$ ") {
                let line = block.line + 1 + index;
                list.push(Shown { line, command: command.to_owned(), output: Vec::new() });
            } else if let Some(last) = list.last_mut() {
                last.output.push(line.clone());
            }
        }
        for command in &mut list {
            while command.output.last().is_some_and(String::is_empty) {
                command.output.pop();
            }
        }
        list
    }

    /// Words as a shell takes them apart: blanks, and both kinds of quotes.
    fn words(command: &str) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let (mut word, mut quote): (Option<String>, Option<char>) = (None, None);
        for c in command.chars() {
            match quote {
                Some(q) if c == q => quote = None,
                Some(_) => word.get_or_insert_default().push(c),
                None if c == '"' || c == '\'' => {
                    quote = Some(c);
                    word.get_or_insert_default();
                }
                None if c.is_whitespace() => words.extend(word.take()),
                None => word.get_or_insert_default().push(c),
            }
        }
        assert!(quote.is_none(), "a quote is left open: {command}");
        words.extend(word);
        words
    }

    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).expect("a folder");
        for entry in fs::read_dir(from).expect("a folder") {
            let entry = entry.expect("an entry");
            let target = to.join(entry.file_name());
            if entry.file_type().expect("a type").is_dir() {
                copy(&entry.path(), &target);
            } else {
                fs::copy(entry.path(), target).expect("a copy");
            }
        }
    }

    /// What a command prints, without blanks at the ends of lines.
    fn run(command: &str, folder: &Path) -> Vec<String> {
        let (command, input) = match command.split_once(" < ") {
            Some((command, file)) => (command, Some(file.trim())),
            None => (command, None),
        };
        let mut list = words(command);
        let given: Vec<&str> = list.iter().map(String::as_str).collect();
        let skip = match given[..] {
            ["cargo", "run", "--release", "--", ..] => 4,
            ["cicatriz", ..] => 1,
            _ => panic!("the manual runs `{command}`, which no test can"),
        };
        let stdin = match input {
            Some(file) => Stdio::from(fs::File::open(folder.join(file)).expect("the input")),
            None => Stdio::null(),
        };
        let output = Command::new(env!("CARGO_BIN_EXE_cicatriz"))
            .env("CICATRIZ_UI", "en")
            .args(list.drain(skip..))
            .current_dir(folder)
            .env_remove("NO_COLOR")
            .env_remove("CI")
            .stdin(stdin)
            .output()
            .expect("it runs");
        let mut text = String::from_utf8(output.stdout).expect("UTF-8");
        text.push_str(&String::from_utf8(output.stderr).expect("UTF-8"));
        let mut lines: Vec<String> = text.lines().map(|l| l.trim_end().to_owned()).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }

    /// Whether lines are those expected, where a line `…` stands for any number of them.
    fn alike(expected: &[String], found: &[String]) -> bool {
        match expected.split_first() {
            None => found.is_empty(),
            Some((first, rest)) if first.trim() == "…" => (0..=found.len()).any(|skip| alike(rest, &found[skip..])),
            Some((first, rest)) => found.first().is_some_and(|f| f == first.trim_end()) && alike(rest, &found[1..]),
        }
    }

    /// Runs all commands of a page, in order, in one scratch folder.
    fn all_commands_of(path: &str) {
        let text = page(path);
        let scratch = tempfile::tempdir().expect("a scratch folder");
        copy(&root().join("rules"), &scratch.path().join("rules"));
        let mut wrong: Vec<String> = Vec::new();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut moved = 0isize;
        for block in fenced(&text) {
            if let Some(file) = block.value("file") {
                fs::write(scratch.path().join(file), block.text()).expect("a file");
            }
            if !block.is("console") {
                continue;
            }
            let mut now: Vec<String> = Vec::new();
            for shown in shown(&block) {
                let found = run(&shown.command, scratch.path());
                let same = alike(&shown.output, &found);
                if !same {
                    let (expected, found) = (shown.output.join("\n"), found.join("\n"));
                    wrong.push(format!(
                        "{path}:{}: $ {}\n{found}\n--- in place of\n{expected}",
                        shown.line, shown.command
                    ));
                }
                if !now.is_empty() {
                    now.push(String::new());
                }
                now.push(format!("$ {}", shown.command));
                now.extend(if same { shown.output } else { found });
            }
            let start = (block.line as isize + moved) as usize;
            moved += now.len() as isize - block.lines.len() as isize;
            lines.splice(start..start + block.lines.len(), now);
        }
        if !wrong.is_empty() && std::env::var_os("DOCS").is_some_and(|v| v == "write") {
            fs::write(root().join(path), lines.join("\n") + "\n").expect("the page");
        } else {
            assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
        }
    }

    #[test]
    fn every_command_in_the_readme_prints_what_it_shows() {
        all_commands_of("README.md");
    }

    #[test]
    fn every_command_in_the_reference_prints_what_it_shows() {
        all_commands_of("grammar/README.md");
    }

    #[test]
    fn every_command_in_the_guide_prints_what_it_shows() {
        all_commands_of("rules/README.md");
    }
}
