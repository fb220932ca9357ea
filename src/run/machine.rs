//! The machine: a program, the options chosen, the state, and what it has cost so far.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::cost::Cost;
use super::fault::{Fault, FaultKind, Result, Taker, known};
use super::frame::{Asked, Frame, Leaves, Picking, Waiting};
use super::note::Observer;
use super::outcome::Outcome;
use super::state::{Instance, State, Value};
use crate::dice::Dice;
use crate::program::{CodeId, EventId, NONE, OptionId, Program, ScenarioId, SheetId, TableId};
use crate::source::Span;

/// Runs checked rules. Stops wherever it needs a die or an answer; a copy goes on by itself.
#[derive(Debug, Clone)]
pub struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) options: Arc<[i64]>,
    pub(super) state: State,
    pub(super) cost: Cost,
    /// What nothing else is told of, where somebody wants to know.
    pub(super) ways: Option<Box<Ways>>,
    is_story: bool,
}

/// The ways that rules have gone.
#[derive(Debug, Clone, Default)]
pub(super) struct Ways {
    /// Rows that were looked up in tables without dice.
    pub looked_up: BTreeSet<(TableId, u32)>,
    /// Conditions by the operation that decides, and how they were answered.
    pub answered: BTreeSet<(CodeId, u32, bool)>,
}

/// Where the machine stopped.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// These dice are to be rolled. The answer is their total.
    Roll(Arc<Dice>),
    /// One die with this many faces picks among several things. The answer is its face, from 1.
    Pick { faces: u32, among: Picking },
    /// A choice. The answer is a number, a sheet, or the sheets chosen.
    Ask(Arc<Asked>),
    /// A table or scenario has come to its end.
    Finished(Outcome),
    /// A story waits for the next event.
    Idle,
    /// The run cannot go on.
    Fault(Fault),
}

impl<'p> Machine<'p> {
    fn new(program: &'p Program, options: &[u32], is_story: bool) -> Self {
        let chosen = program.options.iter().enumerate();
        let chosen = chosen.map(|(index, option)| i64::from(options.get(index).copied().unwrap_or(option.default)));
        let options = chosen.collect();
        Machine { program, options, state: State::default(), cost: Cost::default(), ways: None, is_story }
    }

    /// A scenario. `options` are the members chosen, by option; an argument left out (`None`, or
    /// beyond the end) takes its default.
    ///
    /// Errors: an argument out of its bounds, or missing without a default.
    pub fn scenario(
        program: &'p Program,
        options: &[u32],
        scenario: ScenarioId,
        args: &[Option<Value>],
    ) -> std::result::Result<Self, Fault> {
        let mut machine = Machine::new(program, options, false);
        machine.begin_scenario(scenario, args).map_err(|kind| machine.fault(kind))?;
        Ok(machine)
    }

    fn begin_scenario(&mut self, id: ScenarioId, args: &[Option<Value>]) -> Result<()> {
        let scenario = known(self.program.scenarios.get(id.index()), "a scenario")?;
        let args = self.arguments(Taker::Scenario(id), &scenario.params, args, NONE)?;
        self.call(scenario.code, NONE, None, &args, Leaves::Nothing)
    }

    /// A table asked for by itself: rolls and shows its row; nothing happens.
    ///
    /// Errors: as [`Machine::scenario`].
    pub fn reading(
        program: &'p Program,
        options: &[u32],
        table: TableId,
        args: &[Option<Value>],
    ) -> std::result::Result<Self, Fault> {
        let mut machine = Machine::new(program, options, false);
        machine.begin_reading(table, args).map_err(|kind| machine.fault(kind))?;
        Ok(machine)
    }

    fn begin_reading(&mut self, id: TableId, args: &[Option<Value>]) -> Result<()> {
        let table = known(self.program.tables.get(id.index()), "a table")?;
        let args = self.arguments(Taker::Table(id), &table.params, args, NONE)?;
        self.begin_show(id, args);
        Ok(())
    }

    /// A story to be played: no sheets yet, nothing under way.
    pub fn story(program: &'p Program, options: &[u32]) -> Self {
        Machine::new(program, options, true)
    }

    /// Puts a sheet into a story, with its defaults and these slots set; its place in the story.
    /// Its blocks begin with the next [`Machine::advance`].
    ///
    /// Errors: unknown type or slot, too many sheets. A value out of bounds is a fault of that step.
    pub fn make(&mut self, ty: SheetId, sets: &[(u16, Value)]) -> std::result::Result<u32, Fault> {
        self.cost.steps = 0;
        self.make_given(ty, sets).map_err(|kind| self.fault(kind))
    }

    /// A machine of the same program and options in which nothing has happened.
    pub(super) fn blank(&self) -> Self {
        let options = self.options.clone();
        let state = State::default();
        Machine { program: self.program, options, state, cost: Cost::default(), ways: None, is_story: true }
    }

    /// Forgets which row made a sheet where none of that row's blocks is left: for whoever looks for
    /// states that recur, where nothing asks for the row.
    pub(crate) fn forget_rows(&mut self) {
        let program = self.program;
        let idle = |sheet: &Instance| {
            let row = |(table, row): (TableId, u32)| program.tables.get(table.index())?.rows.get(row as usize);
            !sheet.unfinished && sheet.row.and_then(row).is_some_and(|row| row.clauses.is_empty())
        };
        if self.state.sheets.iter().any(|sheet| idle(sheet)) {
            let idle = self.state.sheets.iter_mut().filter(|sheet| idle(sheet));
            idle.for_each(|sheet| Arc::make_mut(sheet).row = None);
        }
    }

    /// Sends an event, to one sheet or to all at the root of the story.
    ///
    /// Errors: unknown event or sheet.
    pub fn fire(&mut self, event: EventId, args: Vec<Value>, to: Option<u32>) -> std::result::Result<(), Fault> {
        self.cost = Cost::default();
        let targets = match to {
            Some(sheet) => vec![sheet],
            None => self.roots(),
        };
        self.send(event, args, targets).map_err(|kind| self.fault(kind))
    }

    /// Goes on to the next die, choice or end.
    pub fn advance<O: Observer>(&mut self, observer: &mut O) -> Step {
        loop {
            if let Some(waiting) = &self.state.waiting {
                return match waiting {
                    Waiting::Roll(dice) => Step::Roll(dice.clone()),
                    Waiting::Pick(among) => Step::Pick { faces: among.faces(), among: among.clone() },
                    Waiting::Ask(asked) => Step::Ask(asked.clone()),
                };
            }
            if let Some(outcome) = &self.state.outcome {
                return Step::Finished(outcome.clone());
            }
            let result = match self.state.frames.last() {
                Some(_) => self.turn(observer),
                None if self.is_story && self.state.stirred => {
                    self.settle(false);
                    Ok(())
                }
                None if self.is_story => return Step::Idle,
                None => Err(FaultKind::Internal("a scenario without an outcome")),
            };
            if let Err(kind) = result {
                return Step::Fault(self.fault(kind));
            }
        }
    }

    /// One step of whatever is on top.
    fn turn<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        match self.state.frames.last() {
            Some(Frame::Code(_)) => self.run(observer),
            Some(Frame::Sending(_)) => self.sending(observer),
            Some(Frame::Dispatch(_)) => self.dispatch(observer),
            Some(Frame::Happening(_)) => self.happening(observer),
            Some(Frame::Checking(_)) => self.checking(observer),
            Some(Frame::Filling(_)) => self.filling(observer),
            Some(Frame::Beginning(_)) => self.beginning(observer),
            Some(Frame::Ending(_)) => self.ending(observer),
            Some(Frame::Settling(_)) => self.settling(observer),
            Some(Frame::Finished(sheet)) => {
                let sheet = *sheet;
                self.state.frames.pop();
                self.sheet_mut(sheet)?.unfinished = false;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The answer to the die or choice the machine stopped at.
    ///
    /// Errors: an answer to nothing, or one that does not fit; the machine still waits then.
    pub fn answer(&mut self, answer: Value) -> std::result::Result<(), Fault> {
        self.take_answer(answer).map_err(|kind| self.fault(kind))
    }

    fn take_answer(&mut self, answer: Value) -> Result<()> {
        let answer = match (&self.state.waiting, &answer) {
            (Some(Waiting::Roll(_)), Value::Number(_)) => answer,
            (Some(Waiting::Pick(among)), Value::Number(face)) => {
                Value::Number(known(among.picked(*face), "a face that picks nothing")?)
            }
            (Some(Waiting::Ask(asked)), _) => self.checked_answer(&asked.clone(), answer)?,
            _ => return Err(FaultKind::Internal("an answer to nothing")),
        };
        self.count_dice(1)?;
        self.state.waiting = None;
        self.state.stack.push(answer);
        Ok(())
    }

    /// The fault with the sentence that was running.
    pub(super) fn fault(&self, kind: FaultKind) -> Fault {
        let running = self.state.frames.iter().rev().filter_map(|frame| match frame {
            Frame::Code(running) => Some((running.code, running.next.saturating_sub(1))),
            _ => None,
        });
        let span = self.cost.at.into_iter().chain(running).find_map(|(code, at)| place(self.program, code, at));
        Fault { kind, span }
    }

    /// Remembers from here on which ways the rules go.
    pub fn note_ways(&mut self) {
        self.ways = Some(Box::default());
    }

    /// The rows looked up since [`Machine::note_ways`].
    pub fn lookups(&self) -> impl Iterator<Item = (TableId, u32)> + '_ {
        self.ways.iter().flat_map(|ways| ways.looked_up.iter().copied())
    }

    /// The conditions met since [`Machine::note_ways`], by the operation that decides, with the answer.
    pub fn answered(&self) -> impl Iterator<Item = (CodeId, u32, bool)> + '_ {
        self.ways.iter().flat_map(|ways| ways.answered.iter().copied())
    }

    /// The program that runs.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The member chosen of an option.
    pub fn option(&self, option: OptionId) -> Option<i64> {
        self.options.get(option.index()).copied()
    }

    /// The state: two machines of one program in equal states go on alike.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes up a state of the same program, such as one kept for undoing.
    pub fn set_state(&mut self, state: State) {
        self.state = state;
        self.cost = Cost::default();
    }
}

/// The sentence an operation belongs to.
fn place(program: &Program, code: CodeId, at: u32) -> Option<Span> {
    let places = &program.code.get(code.index())?.places;
    let index = places.partition_point(|(from, _)| *from <= at).checked_sub(1)?;
    places.get(index).map(|(_, span)| *span)
}
