//! Questions of the rules, put to whoever sits at the table.

use crate::cli::ui::said;
use cicatriz::wording::Wording;
use std::collections::VecDeque;

use cicatriz::check;
use cicatriz::program::{NONE, Program, Type};
use cicatriz::run::{Asked, Chooser, Machine, Value, value_id};
use cicatriz::say;

use super::input::Input;

/// Asks; or answers from a journal; and keeps what was answered.
pub struct AtTheTable<'i> {
    pub input: Option<&'i mut Input>,
    /// Answers from a journal, in order.
    pub script: VecDeque<String>,
    /// What was answered, as a journal keeps it; an empty text is the default.
    pub answers: Vec<String>,
    /// What the sheets are called.
    pub names: Vec<(u32, String)>,
    pub say: &'i mut dyn FnMut(&str),
}

impl AtTheTable<'_> {
    fn called(&self, sheet: u32, machine: &Machine<'_>) -> String {
        if let Some((_, name)) = self.names.iter().find(|(number, _)| *number == sheet) {
            return name.clone();
        }
        match super::screen::row_title(machine, sheet) {
            Some(title) => format!("#{sheet} {title}"),
            None => format!("#{sheet}"),
        }
    }

    /// The choices, one a line, for whoever asks what there is.
    fn choices(&self, asked: &Asked, ty: Type, machine: &Machine<'_>) -> Wording {
        let program = machine.program();
        match ty {
            Type::Number { .. } => say!("{least} to {most}", least = asked.least, most = asked.most),
            Type::YesNo => say!("yes or no"),
            Type::Sheet { .. } | Type::Sheets(_) => {
                let list: Vec<String> = asked.candidates.iter().map(|sheet| self.called(*sheet, machine)).collect();
                let list = list.join(", ");
                match ty {
                    Type::Sheets(_) => say!("{list}; up to {most}, with `+` between", list, most = asked.most),
                    _ => Wording::text(list),
                }
            }
            ty => Wording::text(check::members(program, ty).join(", ")),
        }
    }

    fn read(&self, text: &str, asked: &Asked, ty: Type, program: &Program) -> Result<Value, Wording> {
        let sheet = |text: &str| -> Result<u32, Wording> {
            let text = text.trim();
            let by_name =
                self.names.iter().find(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(number, _)| *number);
            let by_number = text.trim_start_matches('#').parse::<u32>().ok();
            by_name
                .or(by_number)
                .filter(|sheet| asked.candidates.contains(sheet))
                .ok_or_else(|| say!("`{text}` is not among those that can be chosen", text))
        };
        match ty {
            Type::Number { .. } => {
                let number: i64 = text.parse().map_err(|_| {
                    say!("`{text}` is not a number; {least} to {most}", text, least = asked.least, most = asked.most)
                })?;
                if (asked.least..=asked.most).contains(&number) {
                    Ok(Value::Number(number))
                } else {
                    Err(say!("{least} to {most}, not {number}", least = asked.least, most = asked.most, number))
                }
            }
            Type::Sheet { .. } if text == "none" => Ok(Value::Number(NONE)),
            Type::Sheet { .. } => Ok(Value::Number(i64::from(sheet(text)?))),
            Type::Sheets(_) => {
                if text == "none" {
                    return Ok(Value::Sheets(std::sync::Arc::new([])));
                }
                let sheets: Result<Vec<u32>, Wording> = text.split('+').map(sheet).collect();
                let sheets = sheets?;
                if sheets.len() as i64 > asked.most {
                    return Err(say!("at most {most}, not {sheets}", most = asked.most, sheets = sheets.len()));
                }
                Ok(Value::Sheets(sheets.into()))
            }
            ty => {
                let text = match (ty, text.to_lowercase().as_str()) {
                    (Type::YesNo, "y" | "s" | "si" | "sí") => "yes".to_owned(),
                    (Type::YesNo, "n") => "no".to_owned(),
                    (_, other) => other.to_owned(),
                };
                let known = check::members(program, ty);
                match known.iter().position(|k| *k == text) {
                    Some(member) => Ok(Value::Number(member as i64)),
                    None => Err(match cicatriz::diagnostics::nearest(&text, known.iter().copied()) {
                        Some(near) => say!("there is no `{text}`; write `{near}`", text, near),
                        None => say!("one of {known}", known = known.join(", ")),
                    }),
                }
            }
        }
    }
}

impl Chooser for AtTheTable<'_> {
    fn choose(&mut self, asked: &Asked, machine: &Machine<'_>) -> Option<Value> {
        let program = machine.program();
        let question = program.questions.get(asked.question.index())?;
        let ty = question.ty;
        if self.input.is_none() {
            let text = self.script.pop_front().unwrap_or_default();
            let answer = if text.is_empty() { None } else { self.read(&text, asked, ty, program).ok() };
            self.answers.push(text);
            return answer;
        }
        let default = match (ty, &asked.default) {
            (Type::Sheet { .. }, Value::Number(sheet)) if *sheet != NONE => self.called(*sheet as u32, machine),
            (Type::Sheets(_), Value::Sheets(sheets)) if !sheets.is_empty() => {
                sheets.iter().map(|s| self.called(*s, machine)).collect::<Vec<_>>().join(" + ")
            }
            (ty, value) => value_id(program, ty, value),
        };
        let text = machine.question_text(asked);
        let who = if question.master { say!("the table's master") } else { say!("the player") };
        let choices = self.choices(asked, ty, machine);
        (self.say)(&said(say!("{text} [{choices}] ({who}; Enter: {default})", text, choices, who, default)));
        loop {
            let line = match &mut self.input {
                Some(input) => input.line("? "),
                None => None,
            };
            let Some(line) = line else {
                self.answers.push(String::new());
                return None;
            };
            let line = line.trim();
            if line.is_empty() {
                self.answers.push(String::new());
                return None;
            }
            match self.read(line, asked, ty, program) {
                Ok(value) => {
                    self.answers.push(match &value {
                        Value::Number(sheet) if matches!(ty, Type::Sheet { .. }) && *sheet != NONE => sheet.to_string(),
                        Value::Sheets(sheets) if !sheets.is_empty() => {
                            sheets.iter().map(u32::to_string).collect::<Vec<_>>().join("+")
                        }
                        value => value_id(program, ty, value),
                    });
                    return Some(value);
                }
                Err(why) => (self.say)(&said(why)),
            }
        }
    }
}
