//! A game under way: the story, who is who in it, the dice on the table, and the way back.

use cicatriz::wording::Wording;
use std::collections::VecDeque;

use cicatriz::check::{self, Argument};
use cicatriz::diagnostics::{Code, Diagnostic, nearest};
use cicatriz::dice::{DiceSource, NoDie, Seeded, Shape};
use cicatriz::program::{EventId, Param, Program, Role, SheetId, Type};
use cicatriz::run::{Chooser, Fault, Machine, State, Step, Trace, Value, play_out};
use cicatriz::say;

/// A game.
pub struct Game<'p> {
    pub program: &'p Program,
    pub machine: Machine<'p>,
    /// Names of the sheets made by hand, by their number.
    pub names: Vec<(u32, String)>,
    /// Values that the next dice show, as thrown on the table.
    pub thrown: VecDeque<i64>,
    seed: u64,
    /// How many steps there have been, taken back or not: each has its own dice.
    steps: u64,
    past: Vec<Moment>,
}

/// What a step can be taken back to.
struct Moment {
    state: State,
    names: Vec<(u32, String)>,
}

/// What a step came to.
pub struct Done<'p> {
    pub trace: Trace<'p>,
    /// Every die of it, by value.
    pub dice: Vec<i64>,
}

/// Why a step was not taken: the game is as it was.
pub enum Refused {
    Said(Vec<Diagnostic>),
    Ran(Fault),
}

impl From<Diagnostic> for Refused {
    fn from(diagnostic: Diagnostic) -> Self {
        Refused::Said(vec![diagnostic])
    }
}

impl From<Vec<Diagnostic>> for Refused {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Refused::Said(diagnostics)
    }
}

impl<'p> Game<'p> {
    pub fn new(program: &'p Program, options: &[u32], seed: u64) -> Self {
        Game {
            program,
            machine: Machine::story(program, options),
            names: Vec::new(),
            thrown: VecDeque::new(),
            seed,
            steps: 0,
            past: Vec::new(),
        }
    }

    // ── Steps ───────────────────────────────────────────────────────────────────────────────

    /// Makes a sheet with these tracks; the others take their default.
    pub fn make(
        &mut self,
        sheet: &str,
        name: &str,
        set: &[(String, String)],
        chooser: &mut dyn Chooser,
    ) -> Result<(u32, Done<'p>), Refused> {
        let ty = self.sheet_type(sheet)?;
        if self.names.iter().any(|(_, known)| known == name) {
            return Err(fault(say!("`{name}` is at the table already", name)).help("give another name").into());
        }
        let tracks = &self.program.sheets[ty.index()].slots;
        let wanted: Vec<(u16, Param)> = (0u16..)
            .zip(tracks)
            .filter(|(_, slot)| slot.role == Role::Track)
            .map(|(index, slot)| {
                let param = Param {
                    id: slot.id.clone(),
                    title: slot.title.clone(),
                    ty: slot.ty,
                    default: Some(cicatriz::program::CodeId(0)),
                    choices: None,
                };
                (index, param)
            })
            .collect();
        let params: Vec<Param> = wanted.iter().map(|(_, p)| p.clone()).collect();
        let given: Vec<(&str, &str)> = set.iter().map(|(track, value)| (track.as_str(), value.as_str())).collect();
        let values = check::arguments(self.program, sheet, &params, &given)?;
        let sets: Vec<(u16, Value)> =
            wanted.iter().zip(values).filter_map(|((slot, _), value)| Some((*slot, value_of(value?)))).collect();
        let moment = self.moment();
        let number = match self.machine.make(ty, &sets) {
            Ok(number) => number,
            Err(fault) => return Err(self.back(moment, fault)),
        };
        self.names.push((number, name.to_owned()));
        let done = self.go(moment, chooser)?;
        Ok((number, done))
    }

    /// Sends an event; to all at the root of the story where `to` is none.
    pub fn fire(
        &mut self,
        event: EventId,
        args: Vec<Value>,
        to: Option<u32>,
        chooser: &mut dyn Chooser,
    ) -> Result<Done<'p>, Refused> {
        let moment = self.moment();
        match self.machine.fire(event, args, to) {
            Ok(()) => self.go(moment, chooser),
            Err(fault) => Err(self.back(moment, fault)),
        }
    }

    fn go(&mut self, moment: Moment, chooser: &mut dyn Chooser) -> Result<Done<'p>, Refused> {
        let thrown = self.thrown.clone();
        let mut trace = Trace::new(&self.machine);
        trace.names = self.names.clone();
        let mut dice =
            OnTheTable { thrown: &mut self.thrown, seeded: Seeded::stream(self.seed, self.steps), record: Vec::new() };
        let step = play_out(&mut self.machine, &mut dice, chooser, &mut trace);
        let record = dice.record;
        match step {
            Step::Fault(fault) => {
                self.thrown = thrown;
                Err(self.back(moment, fault))
            }
            _ => {
                self.past.push(moment);
                self.steps += 1;
                Ok(Done { trace, dice: record })
            }
        }
    }

    fn moment(&self) -> Moment {
        Moment { state: self.machine.state().clone(), names: self.names.clone() }
    }

    fn back(&mut self, moment: Moment, fault: Fault) -> Refused {
        self.machine.set_state(moment.state);
        self.names = moment.names;
        Refused::Ran(fault)
    }

    /// Takes steps back; how many there were.
    pub fn undo(&mut self, steps: usize) -> usize {
        let mut undone = 0;
        while undone < steps
            && let Some(moment) = self.past.pop()
        {
            self.machine.set_state(moment.state);
            self.names = moment.names;
            undone += 1;
        }
        self.steps += 1;
        undone
    }

    // ── Who and what is meant ───────────────────────────────────────────────────────────────

    fn sheet_type(&self, sheet: &str) -> Result<SheetId, Diagnostic> {
        let free = |s: &&cicatriz::program::Sheet| s.owner.is_none();
        match self.program.sheets.iter().position(|s| s.id == sheet && s.owner.is_none()) {
            Some(index) => Ok(SheetId(index as u32)),
            None => {
                let known: Vec<&str> = self.program.sheets.iter().filter(free).map(|s| s.id.as_str()).collect();
                Err(meant(fault(say!("there is no sheet called `{sheet}` to make", sheet)), sheet, &known))
            }
        }
    }

    /// The sheet a name or number means: `Ana`, `#3`, `3`.
    pub fn sheet(&self, text: &str) -> Result<u32, Diagnostic> {
        let folded = text.to_lowercase();
        if let Some((number, _)) = self.names.iter().find(|(_, name)| name.to_lowercase() == folded) {
            return Ok(*number);
        }
        if let Ok(number) = text.trim_start_matches('#').parse::<u32>()
            && (number as usize) < self.machine.state().sheets.len()
        {
            return Ok(number);
        }
        let known: Vec<&str> = self.names.iter().map(|(_, name)| name.as_str()).collect();
        Err(meant(fault(say!("nobody here is called `{text}`", text)), text, &known))
    }

    /// What a sheet is called: its name, or its number.
    pub fn called(&self, sheet: u32) -> String {
        match self.names.iter().find(|(number, _)| *number == sheet) {
            Some((_, name)) => name.clone(),
            None => format!("#{sheet}"),
        }
    }

    /// Events that can be sent, in the order their numbers follow.
    pub fn events(&self) -> Vec<EventId> {
        (0u32..)
            .zip(&self.program.events)
            .filter(|(index, event)| {
                let answered =
                    self.program.sheets.iter().any(|s| s.clauses.handlers.iter().any(|h| h.event.0 == *index));
                !matches!(event.id.as_str(), "made" | "check")
                    && (answered || event.clock.is_some() || self.in_rows(*index))
            })
            .map(|(index, _)| EventId(index))
            .collect()
    }

    /// Whether what a row makes listens to an event.
    fn in_rows(&self, event: u32) -> bool {
        self.program.tables.iter().flat_map(|t| &t.rows).any(|r| r.clauses.handlers.iter().any(|h| h.event.0 == event))
    }

    /// An event by its name, or by its number in [`Game::events`] from 1.
    pub fn event(&self, text: &str) -> Result<EventId, Diagnostic> {
        let events = self.events();
        if let Ok(number) = text.parse::<usize>() {
            return events.get(number.wrapping_sub(1)).copied().ok_or_else(|| {
                fault(say!("there is no event number {number}", number))
                    .help(say!("`:events` lists them, 1 to {events}", events = events.len()))
            });
        }
        let found = events.iter().copied().find(|id| self.program.events[id.index()].id == text);
        found.ok_or_else(|| {
            let known: Vec<&str> = events.iter().map(|id| self.program.events[id.index()].id.as_str()).collect();
            meant(fault(say!("there is no event called `{text}`", text)), text, &known)
        })
    }

    /// Arguments of an event from what was typed; those left out at the end take their default.
    pub fn args(&self, event: EventId, typed: &[(Option<String>, String)]) -> Result<Vec<Value>, Refused> {
        let entry = &self.program.events[event.index()];
        let mut texts: Vec<Option<&str>> = vec![None; entry.params.len()];
        for (place, (name, text)) in typed.iter().enumerate() {
            let index = match name {
                None => place,
                Some(name) => match entry.params.iter().position(|p| p.id == *name) {
                    Some(index) => index,
                    None => {
                        let known: Vec<&str> = entry.params.iter().map(|p| p.id.as_str()).collect();
                        return Err(meant(
                            fault(say!("`{entry}` has no argument called `{name}`", entry = entry.id, name)),
                            name,
                            &known,
                        )
                        .into());
                    }
                },
            };
            match texts.get_mut(index) {
                Some(free @ None) => *free = Some(text),
                Some(Some(_)) => {
                    return Err(fault(say!("`{params}` is given twice", params = entry.params[index].id))
                        .help("give it once")
                        .into());
                }
                None => {
                    let takes = entry.params.iter().map(|p| p.id.as_str()).collect::<Vec<_>>().join(", ");
                    return Err(fault(say!(
                        "`{entry}` takes {params}, not {typed}",
                        entry = entry.id,
                        params = entry.params.len(),
                        typed = typed.len()
                    ))
                    .help(say!("write `{entry}({takes})`", entry = entry.id, takes))
                    .into());
                }
            }
        }
        let given = texts.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let mut values = Vec::new();
        for (param, text) in entry.params.iter().zip(&texts) {
            let Some(text) = text else {
                if values.len() < given || (param.default.is_none() && param.choices.is_none()) {
                    return Err(fault(say!("`{entry}` needs `{param}`", entry = entry.id, param = param.id))
                        .help(say!("write `{entry}({param}=…)`", entry = entry.id, param = param.id))
                        .into());
                }
                continue;
            };
            values.push(match param.ty {
                Type::Sheet { or_none: true, .. } if *text == "none" => Value::Number(cicatriz::program::NONE),
                Type::Sheet { .. } => Value::Number(i64::from(self.sheet(text)?)),
                Type::Sheets(_) => {
                    let sheets: Result<Vec<u32>, Diagnostic> = text.split('+').map(|t| self.sheet(t.trim())).collect();
                    Value::Sheets(sheets?.into())
                }
                _ => value_of(check::argument(self.program, param, text).map_err(|fault| *fault)?),
            });
        }
        Ok(values)
    }
}

fn value_of(argument: Argument) -> Value {
    match argument {
        Argument::Number(number) => Value::Number(number),
        Argument::Dice(dice) => Value::Dice(dice),
    }
}

fn fault(message: impl Into<Wording>) -> Diagnostic {
    Diagnostic::error(Code::RunTarget, message)
}

/// With the nearest of the known names, or all of them where they are few.
fn meant(fault: Diagnostic, text: &str, known: &[&str]) -> Diagnostic {
    match nearest(text, known.iter().copied()) {
        Some(near) => fault.help(say!("write `{near}`", near)),
        None if known.is_empty() => fault,
        None if known.len() <= 12 => fault.help(say!("there are `{known}`", known = known.join("`, `"))),
        None => fault.help("`:events` lists them"),
    }
}

/// Dice thrown by hand first, then the game's own; each is written down.
struct OnTheTable<'t> {
    thrown: &'t mut VecDeque<i64>,
    seeded: Seeded,
    record: Vec<i64>,
}

impl DiceSource for OnTheTable<'_> {
    fn die(&mut self, shape: Shape<'_>) -> Result<i64, NoDie> {
        let value = match self.thrown.pop_front() {
            Some(value) if shape.shows(value) => value,
            Some(value) => return Err(NoDie::Impossible { value, faces: shape.into(), index: self.record.len() }),
            None => self.seeded.die(shape)?,
        };
        self.record.push(value);
        Ok(value)
    }
}
