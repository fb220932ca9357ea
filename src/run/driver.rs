//! Drives a machine to its end: rolls its dice, puts its questions.

use super::fault::FaultKind;
use super::frame::Asked;
use super::machine::{Machine, Step};
use super::note::{Note, Observer};
use super::state::Value;
use crate::dice::{DiceSource, Shape, roll};

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
