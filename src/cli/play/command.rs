//! What is typed at the table.

use cicatriz::say;
use cicatriz::wording::Wording;

/// A line typed, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Nothing,
    Help,
    Quit,
    Events,
    Sheets,
    /// `:show`, `:show Ana`
    Show(Option<String>),
    /// `:dice 7 3`: what the next dice show; without values, the queue is emptied.
    Dice(Vec<i64>),
    /// `:undo`, `:undo 3`
    Undo(usize),
    /// `:save FILE`
    Save(String),
    /// `new character Ana toughness=4`
    New {
        sheet: String,
        name: Option<String>,
        set: Vec<(String, String)>,
    },
    /// `damage(5, fire) to Ana`, `damage 5 fire to Ana`, `3 to Ana`
    Event {
        event: String,
        args: Vec<(Option<String>, String)>,
        to: Option<String>,
    },
    /// Not to be understood; what to type.
    Unclear(Wording),
}

/// Commands that are understood without their colon too, unless the rules have an event of that
/// name.
pub const BARE: [&str; 9] = ["help", "quit", "exit", "events", "sheets", "show", "dice", "undo", "save"];

/// Reads a line.
pub fn read(line: &str) -> Command {
    let line = line.trim();
    if line.is_empty() || line.starts_with("//") {
        return Command::Nothing;
    }
    if let Some(rest) = line.strip_prefix(':') {
        return colon(rest);
    }
    let mut words = line.split_whitespace();
    match words.next() {
        Some("new") => new(words),
        Some("?") => Command::Help,
        Some(word) if BARE.contains(&word) => colon(line),
        _ => event(line),
    }
}

fn colon(rest: &str) -> Command {
    let mut words = rest.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
    let verb = words.next().unwrap_or("");
    match verb {
        "help" | "h" | "?" => Command::Help,
        "quit" | "q" | "exit" => Command::Quit,
        "events" | "e" => Command::Events,
        "sheets" => Command::Sheets,
        "show" | "s" => Command::Show(words.next().map(str::to_owned)),
        "new" => new(words),
        "dice" | "d" => {
            let values: Result<Vec<i64>, &str> = words.map(|w| w.parse().map_err(|_| w)).collect();
            match values {
                Ok(values) => Command::Dice(values),
                Err(word) => Command::Unclear(say!("`{word}` is not a die's value; write `:dice 7 3`", word)),
            }
        }
        "undo" | "u" => match words.next().map(str::parse) {
            None => Command::Undo(1),
            Some(Ok(steps)) => Command::Undo(steps),
            Some(Err(_)) => Command::Unclear(say!("write `:undo` or `:undo 3`")),
        },
        "save" => match rest.strip_prefix("save").map(str::trim) {
            Some(path) if !path.is_empty() => Command::Save(path.to_owned()),
            _ => Command::Unclear(say!("write `:save game.journal`")),
        },
        other => {
            let known = ["help", "quit", "events", "sheets", "show", "new", "dice", "undo", "save"];
            match cicatriz::diagnostics::nearest(other, known) {
                Some(near) => Command::Unclear(say!("there is no `:{other}`; write `:{near}`", other, near)),
                None => Command::Unclear(say!("there is no `:{other}`; `:help` tells what there is", other)),
            }
        }
    }
}

fn new<'w>(mut words: impl Iterator<Item = &'w str>) -> Command {
    let Some(sheet) = words.next() else {
        return Command::Unclear(say!("write `new` and a sheet: `new character Ana`"));
    };
    let (mut name, mut set) = (None, Vec::new());
    for word in words {
        match word.trim_end_matches(',').split_once('=') {
            Some((track, value)) => set.push((track.to_owned(), value.to_owned())),
            None if name.is_none() && set.is_empty() => name = Some(word.to_owned()),
            None => return Command::Unclear(say!("`{word}` is no track; write `track=value`", word)),
        }
    }
    Command::New { sheet: sheet.to_owned(), name, set }
}

fn event(line: &str) -> Command {
    let (call, to) = match line.rsplit_once(" to ") {
        Some((call, to)) => (call.trim(), Some(to.trim().to_owned())),
        None => (line, None),
    };
    let end = call.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(call.len());
    let (event, rest) = call.split_at(end);
    let rest = rest.trim();
    let (rest, split): (&str, fn(char) -> bool) = match rest.strip_prefix('(') {
        Some(inner) => match inner.strip_suffix(')') {
            Some(inner) => (inner, |c| c == ','),
            None => return Command::Unclear(say!("a parenthesis is open in `{call}`; write `{call})`", call)),
        },
        None => (rest, |c| c == ',' || c.is_whitespace()),
    };
    let args = rest
        .split(split)
        .map(str::trim)
        .filter(|a| !a.is_empty())
        .map(|arg| match arg.split_once(['=', ':']) {
            Some((name, value)) => (Some(name.trim().to_owned()), value.trim().to_owned()),
            None => (None, arg.to_owned()),
        })
        .collect();
    Command::Event { event: event.to_owned(), args, to }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_with_and_without_parentheses() {
        let wanted = Command::Event {
            event: "damage".into(),
            args: vec![(None, "5".into()), (Some("type".into()), "fire".into())],
            to: Some("Ana".into()),
        };
        assert_eq!(read("damage(5, type: fire) to Ana"), wanted);
        assert_eq!(read(" damage 5 type=fire to Ana"), wanted);
    }

    #[test]
    fn slips_are_told() {
        let unclear = |line: &str| match read(line) {
            Command::Unclear(why) => why.to_string(),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(unclear(":dcie 3"), "there is no `:dcie`; write `:dice`");
        assert_eq!(unclear("damage(5"), "a parenthesis is open in `damage(5`; write `damage(5)`");
        assert_eq!(read(":dice 7, 3"), Command::Dice(vec![7, 3]));
    }
}
