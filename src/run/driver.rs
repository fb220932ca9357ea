//! Drives a machine to its end: rolls its dice, puts its questions.

use super::fault::FaultKind;
use super::frame::Asked;
use super::machine::{Machine, Step};
use super::note::{Note, Observer};
use super::state::Value;
use crate::dice::{DiceSource, NoDie, Shape, roll, total};

/// Answers questions.
pub trait Chooser {
    /// An answer, or none for the default. The machine is there to be looked at.
    fn choose(&mut self, asked: &Asked, machine: &Machine<'_>) -> Option<Value>;
}

/// Takes the default of every question.
#[derive(Debug, Clone, Copy, Default)]
pub struct Defaults;

impl Chooser for Defaults {
    fn choose(&mut self, _: &Asked, _: &Machine<'_>) -> Option<Value> {
        None
    }
}

/// Goes on to the end of a table or scenario, or until a story waits for its next event: the step
/// given is [`Step::Finished`], [`Step::Idle`] or [`Step::Fault`]. Dice come from the source, and
/// each roll is told with every die.
pub fn play_out<O: Observer>(
    machine: &mut Machine<'_>,
    dice: &mut dyn DiceSource,
    chooser: &mut dyn Chooser,
    observer: &mut O,
) -> Step {
    loop {
        let step = machine.advance(observer);
        let answered = match &step {
            Step::Roll(asked) => match roll(asked, dice) {
                Ok(rolled) => {
                    observer.note(Note::Roll { dice: asked, rolled: &rolled });
                    let further = (rolled.dice.len() as u64).saturating_sub(1);
                    match machine.count_dice(further) {
                        Ok(()) => machine.answer(Value::Number(rolled.total)),
                        Err(kind) => Err(machine.fault(kind)),
                    }
                }
                Err(fault) => Err(machine.fault(FaultKind::from(fault))),
            },
            Step::Pick { faces, among } => match dice.die(Shape::Upto(*faces)) {
                Ok(face) => {
                    if let Some(picked) = among.picked(face) {
                        observer.note(Note::Picked { among, face, picked });
                    }
                    machine.answer(Value::Number(face))
                }
                Err(no_die) => Err(machine.fault(FaultKind::Dice(no_die.into()))),
            },
            Step::Ask(asked) => {
                let chosen = chooser.choose(asked, machine);
                let default = chosen.is_none();
                let answer = chosen.unwrap_or_else(|| asked.default.clone());
                let question = asked.question;
                match machine.answer(answer.clone()) {
                    Ok(()) => {
                        observer.note(Note::Question { question, asked, answer: &answer, default });
                        Ok(())
                    }
                    Err(fault) => Err(fault),
                }
            }
            Step::Finished(_) | Step::Idle | Step::Fault(_) => return step,
        };
        if let Err(fault) = answered {
            return Step::Fault(fault);
        }
    }
}

/// Goes on to the end of a table or scenario as [`play_out`] does with the same dice, quicker: no
/// roll is told, and every question takes its default.
pub fn play_totals<S: DiceSource, O: Observer>(machine: &mut Machine<'_>, dice: &mut S, observer: &mut O) -> Step {
    loop {
        let answered = match machine.advance(observer) {
            Step::Roll(asked) => {
                let mut counted = Counted { dice: &mut *dice, thrown: 0 };
                match total(&asked, &mut counted) {
                    Ok(total) => {
                        let further = counted.thrown.saturating_sub(1);
                        match machine.count_dice(further) {
                            Ok(()) => machine.answer(Value::Number(total)),
                            Err(kind) => Err(machine.fault(kind)),
                        }
                    }
                    Err(fault) => Err(machine.fault(FaultKind::from(fault))),
                }
            }
            Step::Pick { faces, .. } => match dice.die(Shape::Upto(faces)) {
                Ok(face) => machine.answer(Value::Number(face)),
                Err(no_die) => Err(machine.fault(FaultKind::Dice(no_die.into()))),
            },
            Step::Ask(asked) => {
                let (question, answer) = (asked.question, asked.default.clone());
                let answered = machine.answer(answer.clone());
                observer.note(Note::Question { question, asked: &asked, answer: &answer, default: true });
                answered
            }
            step => return step,
        };
        if let Err(fault) = answered {
            return Step::Fault(fault);
        }
    }
}

/// Counts the throws of a source.
struct Counted<'s, S> {
    dice: &'s mut S,
    thrown: u64,
}

impl<S: DiceSource> DiceSource for Counted<'_, S> {
    #[inline]
    fn die(&mut self, shape: Shape<'_>) -> std::result::Result<i64, NoDie> {
        self.thrown += 1;
        self.dice.die(shape)
    }
}
