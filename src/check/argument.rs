//! Arguments and options typed by hand, `untreated=2`, against what the rules ask for.

use crate::wording::Wording;
use std::sync::Arc;

use super::{ad_hoc, types};
use crate::diagnostics::{Code as Fault, Diagnostic, nearest};
use crate::dice::Dice;
use crate::program::{NONE, Param, Program, Type};
use crate::say;

/// One argument, worked out.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Argument {
    /// A number, yes (1) or no (0), a member's, row's or state's index, a set's bits.
    Number(i64),
    Dice(Arc<Dice>),
}

/// The members of a type that is a closed list, by id.
pub fn members(program: &Program, ty: Type) -> Vec<&str> {
    match ty {
        Type::YesNo => vec!["no", "yes"],
        Type::Kind { kind, .. } | Type::SetOfKind(kind) => {
            program.kinds.get(kind.index()).map_or(Vec::new(), |k| k.members.iter().map(|m| m.id.as_str()).collect())
        }
        Type::Row { table, .. } | Type::SetOfRows(table) => {
            program.tables.get(table.index()).map_or(Vec::new(), |t| t.rows.iter().map(|r| r.id.as_str()).collect())
        }
        Type::State(sheet) => {
            program.sheets.get(sheet.index()).map_or(Vec::new(), |s| s.states.iter().map(|s| s.id.as_str()).collect())
        }
        Type::Option(option) => program
            .options
            .get(option.index())
            .map_or(Vec::new(), |o| o.members.iter().map(|m| m.id.as_str()).collect()),
        _ => Vec::new(),
    }
}

/// Arguments for a table, scenario or event, in the order of its parameters; `None` where none is
/// given, so that its default is taken.
pub fn arguments(
    program: &Program,
    target: &str,
    params: &[Param],
    given: &[(&str, &str)],
) -> Result<Vec<Option<Argument>>, Vec<Diagnostic>> {
    let mut values: Vec<Option<Argument>> = vec![None; params.len()];
    let mut faults = Vec::new();
    for (name, text) in given {
        let Some(index) = params.iter().position(|p| p.id == *name) else {
            let known: Vec<&str> = params.iter().map(|p| p.id.as_str()).collect();
            let fault =
                Diagnostic::error(Fault::RunArgument, say!("`{target}` has no argument called `{name}`", target, name));
            faults.push(match nearest(name, known.iter().copied()) {
                Some(near) => fault.help(say!("write `{near}={text}`", near, text)),
                None if known.is_empty() => fault.help(say!("`{target}` takes no arguments", target)),
                None => fault.help(say!("its arguments are `{known}`", known = known.join("`, `"))),
            });
            continue;
        };
        if values[index].is_some() {
            faults.push(
                Diagnostic::error(Fault::RunArgument, say!("`{name}` is given twice", name)).help("give it once"),
            );
            continue;
        }
        match argument(program, &params[index], text) {
            Ok(value) => values[index] = Some(value),
            Err(fault) => faults.push(*fault),
        }
    }
    for (param, value) in params.iter().zip(&values) {
        if value.is_none() && param.default.is_none() && !types::takes_none(param.ty) && faults.is_empty() {
            faults.push(
                Diagnostic::error(Fault::RunArgument, say!("`{target}` needs `{param}`", target, param = param.id))
                    .help(say!("write `{param}={example}`", param = param.id, example = example(program, param.ty))),
            );
        }
    }
    if faults.is_empty() { Ok(values) } else { Err(faults) }
}

/// Something that may stand for an argument.
fn example(program: &Program, ty: Type) -> String {
    match ty {
        Type::Number { low, .. } if low > i64::MIN => low.max(1).to_string(),
        Type::Number { .. } => "1".into(),
        Type::Dice => "2d6".into(),
        other => members(program, other).first().copied().unwrap_or("…").into(),
    }
}

/// One argument from its text.
pub fn argument(program: &Program, param: &Param, text: &str) -> Result<Argument, Box<Diagnostic>> {
    argument_with(program, param, text, "=")
}

/// Likewise where this stands between name and value.
pub(super) fn argument_with(
    program: &Program,
    param: &Param,
    text: &str,
    equals: &str,
) -> Result<Argument, Box<Diagnostic>> {
    let name = &param.id;
    let fault = |message: Wording| Diagnostic::error(Fault::RunArgument, message);
    match param.ty {
        Type::Number { low, high } => {
            let number: i64 = text.trim().parse().map_err(|_| {
                Box::new(fault(say!("`{name}` is a number, not `{text}`", name, text)).help(say!(
                    "write `{name}{equals}{value}`",
                    name,
                    equals,
                    value = example(program, param.ty)
                )))
            })?;
            if (low..=high).contains(&number) {
                return Ok(Argument::Number(number));
            }
            let nearest = number.clamp(low, high);
            Err(Box::new(
                fault(say!(
                    "`{name}` goes {range}, not {number}",
                    name,
                    range = super::sentence::goes(low, high),
                    number
                ))
                .help(say!("write `{name}{equals}{value}`", name, equals, value = nearest)),
            ))
        }
        Type::Dice => {
            let (dice, faults) = ad_hoc(text);
            dice.map(|dice| Argument::Dice(Arc::new(dice))).ok_or_else(|| {
                let why = faults.into_iter().next();
                let message = say!("`{name}` is dice, and `{text}` cannot be read as dice", name, text);
                let mut fault = fault(message);
                if let Some(why) = why {
                    fault = fault.help(match why.help {
                        Some(help) => Wording::list([why.message, help], "; "),
                        None => why.message,
                    });
                }
                Box::new(fault)
            })
        }
        Type::SetOfKind(_) | Type::SetOfRows(_) => {
            let known = members(program, param.ty);
            let mut bits = 0i64;
            for part in text.split(['+', ',']).map(str::trim).filter(|p| !p.is_empty() && *p != "none") {
                if part == "all" {
                    bits = if known.len() >= 64 { -1 } else { (1i64 << known.len()) - 1 };
                    continue;
                }
                bits |= 1i64 << member(program, param, part, equals)?;
            }
            Ok(Argument::Number(bits))
        }
        _ if text == "none" && types::takes_none(param.ty) => Ok(Argument::Number(NONE)),
        Type::Kind { .. } | Type::Row { .. } | Type::State(_) | Type::Option(_) | Type::YesNo => {
            Ok(Argument::Number(member(program, param, text, equals)?))
        }
        Type::Sheet { .. } | Type::Sheets(_) | Type::Text | Type::Made(_) => Err(Box::new(
            fault(say!("`{name}` is a sheet, and cannot be given here", name)).help("play it: `cicatriz play FILE`"),
        )),
    }
}

fn member(program: &Program, param: &Param, text: &str, equals: &str) -> Result<i64, Box<Diagnostic>> {
    let known = members(program, param.ty);
    let text = match (param.ty, text) {
        (Type::YesNo, "true" | "1" | "sí" | "si" | "y") => "yes",
        (Type::YesNo, "false" | "0" | "n") => "no",
        (_, other) => other,
    };
    known.iter().position(|k| *k == text).map(|index| index as i64).ok_or_else(|| {
        let fault = Diagnostic::error(Fault::RunArgument, say!("`{param}` cannot be `{text}`", param = param.id, text));
        Box::new(match nearest(text, known.iter().copied()) {
            Some(near) => fault.help(say!("write `{name}{equals}{value}`", name = param.id, equals, value = near)),
            None => fault.help(say!("it is one of `{known}`", known = known.join("`, `"))),
        })
    })
}

/// The options of a system as chosen: by index, the member's index.
pub fn options(program: &Program, set: &[(&str, &str)]) -> Result<Vec<u32>, Vec<Diagnostic>> {
    let mut chosen: Vec<u32> = program.options.iter().map(|o| o.default).collect();
    let mut faults = Vec::new();
    for (name, value) in set {
        let Some(index) = program.options.iter().position(|o| o.id == *name) else {
            let known: Vec<&str> = program.options.iter().map(|o| o.id.as_str()).collect();
            let fault = Diagnostic::error(
                Fault::RunArgument,
                say!("`{system}` has no option called `{name}`", system = program.system.id, name),
            );
            faults.push(match nearest(name, known.iter().copied()) {
                Some(near) => fault.help(say!("write `--set {near}={value}`", near, value)),
                None if known.is_empty() => fault.help("it has no options: leave `--set` out"),
                None => fault.help(say!("its options are `{known}`", known = known.join("`, `"))),
            });
            continue;
        };
        let members: Vec<&str> = program.options[index].members.iter().map(|m| m.id.as_str()).collect();
        match members.iter().position(|m| m == value) {
            Some(member) => chosen[index] = member as u32,
            None => {
                let fault = Diagnostic::error(Fault::RunArgument, say!("`{name}` cannot be `{value}`", name, value));
                faults.push(match nearest(value, members.iter().copied()) {
                    Some(near) => fault.help(say!("write `--set {name}={near}`", name, near)),
                    None => fault.help(say!("it is one of `{members}`", members = members.join("`, `"))),
                });
            }
        }
    }
    if faults.is_empty() { Ok(chosen) } else { Err(faults) }
}
