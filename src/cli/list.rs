//! `cicatriz list`: what a rule file offers.

use crate::cli::ui::said;
use cicatriz::say;
use cicatriz::wording::Wording;
use std::path::PathBuf;

use cicatriz::choices::chosen;
use cicatriz::program::{Op, Param, Program, TableKey, Type};
use clap::ValueHint;

use super::output::Output;
use super::{Common, Exit, load};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cicatriz list rules/old_world.rules")]
pub struct Args {
    /// A rule file, or `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
}

#[derive(serde::Serialize)]
struct Document {
    system: String,
    title: String,
    lang: String,
    options: Vec<Choice>,
    tables: Vec<Table>,
    scenarios: Vec<Scenario>,
    sheets: Vec<Sheet>,
    events: Vec<Event>,
}

#[derive(serde::Serialize)]
struct Choice {
    id: String,
    title: String,
    choices: Vec<String>,
    default: String,
}

#[derive(serde::Serialize)]
struct Argument {
    name: String,
    title: String,
    #[serde(rename = "type")]
    ty: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<i64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    members: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<String>,
}

#[derive(serde::Serialize)]
struct Table {
    id: String,
    title: String,
    key: &'static str,
    arguments: Vec<Argument>,
    rows: Vec<Row>,
}

#[derive(serde::Serialize)]
struct Row {
    id: String,
    range: String,
    title: String,
}

#[derive(serde::Serialize)]
struct Scenario {
    id: String,
    title: String,
    arguments: Vec<Argument>,
    outcomes: Vec<String>,
}

#[derive(serde::Serialize)]
struct Sheet {
    id: String,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    states: Vec<String>,
    tracks: Vec<Argument>,
}

#[derive(serde::Serialize)]
struct Event {
    id: String,
    title: String,
    arguments: Vec<Argument>,
    sheets: Vec<String>,
}

/// Tells what the file offers.
pub fn run(args: Args, common: &Common) -> Exit {
    let program = match load::program(&args.file, common) {
        Ok((program, _)) => program,
        Err(exit) => return exit,
    };
    let document = document(&program);
    let mut out = Output::stdout();
    if common.json() {
        out.json(&document);
    } else {
        tell(&document, &mut out);
    }
    out.finish(Exit::Well)
}

fn document(program: &Program) -> Document {
    let arguments = |params: &[Param]| params.iter().map(|p| argument(program, p)).collect::<Vec<_>>();
    let title = |message: Option<cicatriz::program::MessageId>| {
        message
            .and_then(|m| program.messages.get(m.index()))
            .map(|m| chosen(&m.one, None).into_owned())
            .unwrap_or_default()
    };
    Document {
        system: program.system.id.to_string(),
        title: chosen(&program.system.title, None).into_owned(),
        lang: program.system.lang.to_string(),
        options: program
            .options
            .iter()
            .map(|o| Choice {
                id: o.id.to_string(),
                title: chosen(&o.title, None).into_owned(),
                choices: o.members.iter().map(|m| m.id.to_string()).collect(),
                default: o.members.get(o.default as usize).map(|m| m.id.to_string()).unwrap_or_default(),
            })
            .collect(),
        tables: program
            .tables
            .iter()
            .map(|t| Table {
                id: t.id.to_string(),
                title: chosen(&t.title, None).into_owned(),
                key: match t.key {
                    TableKey::Dice(_) => "dice",
                    TableKey::Kind(_) => "kind",
                    TableKey::Rows(_) => "rows",
                    TableKey::Number => "number",
                },
                arguments: arguments(&t.params),
                rows: t
                    .rows
                    .iter()
                    .map(|r| Row { id: r.id.to_string(), range: r.range.to_string(), title: title(r.title) })
                    .collect(),
            })
            .collect(),
        scenarios: program
            .scenarios
            .iter()
            .map(|s| Scenario {
                id: s.id.to_string(),
                title: chosen(&s.title, None).into_owned(),
                arguments: arguments(&s.params),
                outcomes: s.cases.iter().map(|c| c.id.to_string()).collect(),
            })
            .collect(),
        sheets: program
            .sheets
            .iter()
            .map(|s| Sheet {
                id: s.id.to_string(),
                title: chosen(&s.title, None).into_owned(),
                of: s.owner.map(|o| program.sheets[o.index()].id.to_string()),
                states: s.states.iter().map(|s| s.id.to_string()).collect(),
                tracks: s
                    .slots
                    .iter()
                    .filter(|slot| slot.role == cicatriz::program::Role::Track)
                    .map(|slot| {
                        let param = Param {
                            id: slot.id.clone(),
                            title: slot.title.clone(),
                            ty: slot.ty,
                            default: slot.default,
                            choices: None,
                        };
                        argument(program, &param)
                    })
                    .collect(),
            })
            .collect(),
        events: program
            .events
            .iter()
            .enumerate()
            .filter_map(|(index, e)| {
                let sheets: Vec<String> = program
                    .sheets
                    .iter()
                    .filter(|s| s.clauses.handlers.iter().any(|h| h.event.index() == index))
                    .map(|s| s.id.to_string())
                    .collect();
                let own = matches!(e.id.as_str(), "made" | "check");
                (!own && (!sheets.is_empty() || e.clock.is_none())).then(|| Event {
                    id: e.id.to_string(),
                    title: chosen(&e.title, None).into_owned(),
                    arguments: arguments(&e.params),
                    sheets,
                })
            })
            .collect(),
    }
}

fn argument(program: &Program, param: &Param) -> Argument {
    let kind = |kind: cicatriz::program::KindId| &program.kinds[kind.index()];
    let (mut least, mut most, mut members) = (None, None, Vec::new());
    let ty = match param.ty {
        Type::Number { low, high } => {
            least = (low > i64::MIN).then_some(low);
            most = (high < i64::MAX).then_some(high);
            "number".to_owned()
        }
        Type::YesNo => "yes/no".to_owned(),
        Type::Kind { kind: id, .. } => {
            members = kind(id).members.iter().map(|m| m.id.to_string()).collect();
            kind(id).id.to_string()
        }
        Type::SetOfKind(id) => {
            members = kind(id).members.iter().map(|m| m.id.to_string()).collect();
            format!("set of {}", kind(id).id)
        }
        Type::Row { table, .. } => format!("row of {}", program.tables[table.index()].id),
        Type::SetOfRows(table) => format!("set of rows of {}", program.tables[table.index()].id),
        Type::Made(sheet) => format!("row of {}", program.sheets[sheet.index()].id),
        Type::State(sheet) => format!("state of {}", program.sheets[sheet.index()].id),
        Type::Option(option) => program.options[option.index()].id.to_string(),
        Type::Sheet { sheet, .. } => program.sheets[sheet.index()].id.to_string(),
        Type::Sheets(sheet) => format!("several {}", program.sheets[sheet.index()].id),
        Type::Dice => "dice".to_owned(),
        Type::Text => "text".to_owned(),
    };
    let default = param.default.and_then(|code| match program.code[code.index()].ops.as_slice() {
        [Op::PushDice(index), Op::Return] => program.dice.get(*index as usize).map(|d| d.to_string()),
        [Op::Push(n), Op::Return] => Some(match param.ty {
            Type::YesNo => if *n == 1 { "yes" } else { "no" }.to_owned(),
            Type::Kind { kind: id, .. } => usize::try_from(*n)
                .ok()
                .and_then(|n| kind(id).members.get(n))
                .map_or("none".to_owned(), |m| m.id.to_string()),
            Type::Row { table, .. } => usize::try_from(*n)
                .ok()
                .and_then(|n| program.tables[table.index()].rows.get(n))
                .map_or("none".to_owned(), |r| r.id.to_string()),
            Type::Number { .. } => n.to_string(),
            _ => return None,
        }),
        _ => None,
    });
    Argument {
        name: param.id.to_string(),
        title: chosen(&param.title, None).into_owned(),
        ty,
        least,
        most,
        members,
        default,
    }
}

// ── For people ──────────────────────────────────────────────────────────────────────────────

fn tell(document: &Document, out: &mut Output) {
    out.line(&format!("{}  {} ({})", document.system, document.title, document.lang));
    let section = |out: &mut Output, name: Wording, lines: Vec<(String, String)>| {
        if lines.is_empty() {
            return;
        }
        out.line("");
        out.say(name);
        let width = lines.iter().map(|l| l.0.chars().count()).filter(|w| *w <= 46).max().unwrap_or(0);
        for (left, right) in lines {
            let blanks = width.saturating_sub(left.chars().count());
            out.line(format!("  {left}{}  {right}", " ".repeat(blanks)).trim_end());
        }
    };
    let own_title = |id: &str, title: &str| if id == title { String::new() } else { title.to_owned() };
    section(
        out,
        say!("options (--set NAME=VALUE)"),
        document
            .options
            .iter()
            .map(|o| {
                (
                    format!("{}={}", o.id, o.choices.join("|")),
                    said(say!("{title}; {default} by itself", title = o.title, default = o.default)),
                )
            })
            .collect(),
    );
    section(
        out,
        say!("tables (cicatriz run FILE TABLE)"),
        document
            .tables
            .iter()
            .map(|t| {
                (called(&t.id, &t.arguments), {
                    let (title, rows) = (own_title(&t.id, &t.title), t.rows.len());
                    let rows = said(say!("{count} rows", count = rows));
                    if title.is_empty() { rows } else { format!("{title}, {rows}") }
                })
            })
            .collect(),
    );
    section(
        out,
        say!("scenarios (cicatriz run FILE SCENARIO)"),
        document.scenarios.iter().map(|s| (called(&s.id, &s.arguments), own_title(&s.id, &s.title))).collect(),
    );
    section(
        out,
        say!("sheets (cicatriz play FILE)"),
        document
            .sheets
            .iter()
            .map(|s| {
                let of = s.of.as_ref().map(|of| said(say!(" of {of}", of))).unwrap_or_default();
                let states = if s.states.is_empty() {
                    String::new()
                } else {
                    said(say!("; states {states}", states = s.states.join(", ")))
                };
                (
                    format!("{}{of}", s.id),
                    format!("{}{states}", own_title(&s.id, &s.title)).trim_start_matches("; ").to_owned(),
                )
            })
            .collect(),
    );
    section(
        out,
        say!("events"),
        document.events.iter().map(|e| (called(&e.id, &e.arguments), own_title(&e.id, &e.title))).collect(),
    );
}

/// `wound(untreated: 0..40 = 0)`
fn called(id: &str, arguments: &[Argument]) -> String {
    if arguments.is_empty() {
        return id.to_owned();
    }
    let list: Vec<String> = arguments
        .iter()
        .map(|a| {
            let ty = match (a.least, a.most) {
                (None, None) => a.ty.clone(),
                (low, high) => {
                    let end = |n: Option<i64>| n.map(|n| n.to_string()).unwrap_or_default();
                    format!("{}..{}", end(low), end(high))
                }
            };
            let default = a.default.as_ref().map(|d| format!(" = {d}")).unwrap_or_default();
            format!("{}: {ty}{default}", a.name)
        })
        .collect();
    format!("{id}({})", list.join(", "))
}
