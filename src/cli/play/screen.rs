//! What the table sees: sheets with their wounds, and what holds now and why.

use crate::cli::ui::said;
use cicatriz::program::{NONE, Role, Type};
use cicatriz::run::{Machine, Standing, Value};
use cicatriz::say;

use super::game::Game;

/// The title of the row that made a sheet.
pub fn row_title(machine: &Machine<'_>, sheet: u32) -> Option<String> {
    let program = machine.program();
    let (table, row) = machine.state().sheets.get(sheet as usize)?.row?;
    let row = program.tables.get(table.index())?.rows.get(row as usize)?;
    let title = row.title.and_then(|id| program.messages.get(id.index())).map(|m| machine.told_of(sheet, &m.one));
    Some(title.unwrap_or_else(|| row.id.to_string()))
}

/// One line a sheet.
pub fn sheets(game: &Game<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, sheet) in game.machine.state().sheets.iter().enumerate() {
        if sheet.owner.is_some() {
            continue;
        }
        let number = number as u32;
        let ty = &game.program.sheets[sheet.ty.index()];
        let state = state(game, number).map(|s| format!(", {s}")).unwrap_or_default();
        lines.push(format!("#{number}  {} ({}{state})", game.called(number), game.machine.told_of(number, &ty.title)));
    }
    lines
}

fn state(game: &Game<'_>, sheet: u32) -> Option<String> {
    let entry = game.machine.state().sheets.get(sheet as usize)?;
    let ty = &game.program.sheets[entry.ty.index()];
    let state = game.machine.state_of(sheet).ok()?;
    ty.states.get(usize::try_from(state).ok()?).map(|s| game.machine.told_of(sheet, &s.title))
}

/// A whole sheet: state, tracks, conditions with their reasons, values, what is forbidden, and all
/// that belongs to it.
pub fn sheet(game: &Game<'_>, number: u32) -> Vec<String> {
    let program = game.program;
    let Some(entry) = game.machine.state().sheets.get(number as usize) else { return Vec::new() };
    let ty = &program.sheets[entry.ty.index()];
    let state = state(game, number).map(|s| format!(": {s}")).unwrap_or_default();
    let mut lines = vec![format!("{} ({}){state}", game.called(number), game.machine.told_of(number, &ty.title))];
    let standing = game.machine.standing(number).unwrap_or_default();
    let reason = |by: u32| -> String {
        match row_title(&game.machine, by) {
            Some(title) => format!("{title} #{by}"),
            None if by == number => said(say!("own rules")),
            None => game.called(by),
        }
    };
    for (index, slot) in (0u16..).zip(&ty.slots) {
        if slot.role != Role::Track || slot.hold.is_some() && !game.machine.holds(number, slot.hold).unwrap_or(false) {
            continue;
        }
        let value = &entry.slots[usize::from(index)];
        if let Type::SetOfKind(kind) = slot.ty {
            let Ok(set) = game.machine.conditions_of(number, index) else { continue };
            let members = &program.kinds[kind.index()].members;
            let mut listed = Vec::new();
            for (bit, member) in members.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1) {
                let why: Vec<String> = standing
                    .iter()
                    .filter_map(|s| match s {
                        Standing::Has { by, slot, set } if *slot == index && set >> bit & 1 == 1 => Some(reason(*by)),
                        _ => None,
                    })
                    .collect();
                let why = if why.is_empty() { String::new() } else { format!(" ({})", why.join(", ")) };
                listed.push(format!("{}{why}", game.machine.told_of(number, &member.title)));
            }
            let list = if listed.is_empty() { "—".to_owned() } else { listed.join(", ") };
            lines.push(format!("  {}: {list}", slot.title));
            continue;
        }
        if *value == Value::Number(NONE) && slot.ty != Type::YesNo {
            continue;
        }
        let shown = game.machine.value_title(slot.ty, value);
        let most = match game.machine.bounds_of(number, index) {
            Ok((_, high)) if matches!(slot.ty, Type::Number { .. }) && high < i64::MAX => format!(" / {high}"),
            _ => String::new(),
        };
        lines.push(format!("  {}: {shown}{most}", slot.title));
    }
    for (index, value) in (0u16..).zip(&ty.values) {
        if value.params.is_empty()
            && let Ok(result) = game.machine.value_of(number, index, &[])
        {
            let why: Vec<String> = standing
                .iter()
                .filter_map(|s| match s {
                    Standing::Adds { by, value, amount } if *value == index => {
                        Some(format!("{amount:+} {}", reason(*by)))
                    }
                    _ => None,
                })
                .collect();
            let why = if why.is_empty() { String::new() } else { format!(" ({})", why.join(", ")) };
            lines.push(format!("  {}: {}{why}", value.title, game.machine.value_title(value.ty, &result)));
        }
    }
    for entry in &standing {
        match entry {
            Standing::CannotDo { by, event, args } => {
                let title = &program.events[event.index()].title;
                let args = if *args { " (…)" } else { "" };
                lines.push(format!("  ✗ {title}{args} ({})", reason(*by)));
            }
            Standing::CannotSuffer { by, slot, set } => {
                let shown = game.machine.value_title(ty.slots[usize::from(*slot)].ty, &Value::Number(*set));
                if *set != 0 {
                    lines.push(format!("  ✗ {shown} ({})", reason(*by)));
                }
            }
            _ => {}
        }
    }
    for (attached, of) in game.machine.state().sheets.iter().enumerate() {
        if of.owner == Some(number) {
            let attached = attached as u32;
            let state = self::state(game, attached).map(|s| format!(" [{s}]")).unwrap_or_default();
            let title = row_title(&game.machine, attached)
                .unwrap_or_else(|| game.machine.told_of(attached, &program.sheets[of.ty.index()].title));
            lines.push(format!("  #{attached} {title}{state}"));
        }
    }
    lines
}
