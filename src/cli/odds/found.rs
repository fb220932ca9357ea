//! Exact odds as something to be told.

use std::collections::BTreeMap;

use cicatriz::choices::chosen;
use cicatriz::odds::{Distribution, Fraction, OutcomeChance, RuleOdds, Turns};
use cicatriz::program::{Program, Row};
use cicatriz::run::Outcome;

use super::super::chances::{Found, Line, Repeated};
use super::super::run::{Asked, Target};

/// What is told of the odds of a table or scenario.
pub fn of_rules(program: &Program, asked: &Asked<'_>, odds: &RuleOdds) -> Found {
    let known = odds.outcomes.iter().all(|found| found.outcome.is_some());
    let numbers = odds.numbers().filter(|_| known);
    let solved = odds.counted.and_then(|repeat| odds.turns.get(repeat)).and_then(mean);
    let mean = solved.or_else(|| numbers.as_ref().map(|numbers| (numbers.mean(), numbers.sd())));
    let defaults = odds.defaults.iter().filter_map(|id| program.questions.get(id.index()));
    let mut defaults: Vec<String> = defaults.map(|question| question.id.to_string()).collect();
    defaults.dedup();
    Found {
        target: asked.id.to_owned(),
        title: title(program, asked),
        arguments: asked.arguments(),
        lines: odds.outcomes.iter().map(|found| line(program, found)).collect(),
        numbers,
        mean,
        cut: odds.cut.clone(),
        stopped: odds.stopped,
        defaults,
        turns: odds
            .turns
            .iter()
            .enumerate()
            .map(|(at, turns)| repeated(program, turns, odds.counted == Some(at)))
            .collect(),
        sample: None,
    }
}

/// What a person calls the target, where that is not its id.
pub fn title(program: &Program, asked: &Asked<'_>) -> Option<String> {
    let title = match asked.target {
        Target::Table(id) => program.tables.get(id.index()).map(|table| table.title.to_string()),
        Target::Scenario(id) => program.scenarios.get(id.index()).map(|scenario| scenario.title.to_string()),
    };
    title.filter(|title| !title.is_empty()).map(|title| chosen(&title, None).into_owned())
}

fn mean(turns: &Turns) -> Option<(Fraction, f64)> {
    turns.mean.clone().zip(turns.sd())
}

fn repeated(program: &Program, turns: &Turns, is_outcome: bool) -> Repeated {
    let event = turns.event.and_then(|event| program.events.get(event.index()));
    Repeated {
        event: event.map_or_else(String::new, |event| event.id.to_string()),
        mean: mean(turns),
        distribution: turns.distribution.clone(),
        rest: turns.rest.clone(),
        is_outcome,
    }
}

/// One outcome with what it is called.
pub fn line(program: &Program, found: &OutcomeChance) -> Line {
    let row = match &found.outcome {
        Some(Outcome::Row(table, row)) => {
            program.tables.get(table.index()).and_then(|table| table.rows.get(*row as usize))
        }
        _ => None,
    };
    let title = match &found.outcome {
        Some(Outcome::Row(..)) => row.and_then(|row| row_title(program, row)),
        Some(Outcome::Case(scenario, case)) => {
            let scenario = program.scenarios.get(scenario.index());
            scenario.and_then(|scenario| scenario.cases.get(*case as usize)).map(|case| case.title.to_string())
        }
        Some(Outcome::State(sheet, state)) => {
            let states = program.sheets.get(sheet.index()).map(|sheet| &sheet.states);
            let state = usize::try_from(*state).ok().and_then(|state| states?.get(state));
            state.map(|state| state.title.to_string())
        }
        _ => None,
    };
    Line {
        outcome: found.outcome.as_ref().map_or_else(|| "cut off".to_owned(), |outcome| outcome.text(program)),
        range: row.map(|row| row.range.to_string()),
        title: title.filter(|title| !title.is_empty()).map(|title| chosen(&title, None).into_owned()),
        chance: found.chance.clone(),
        order: found.order(),
    }
}

/// The title of a row, with the dice of values that its body would roll.
pub fn row_title(program: &Program, row: &Row) -> Option<String> {
    text(program, row, row.title?)
}

/// A text of a row, likewise.
pub fn text(program: &Program, row: &Row, message: cicatriz::program::MessageId) -> Option<String> {
    let message = program.messages.get(message.index())?;
    let several = message.many.as_ref().filter(|_| row.shown.iter().any(|shown| shown.dice.is_some()));
    let forms = message.forms.as_ref().map(|forms| forms.text(None));
    let mut text = chosen(forms.unwrap_or(several.unwrap_or(&message.one)), None).into_owned();
    for shown in &row.shown {
        if let Some(dice) = &shown.dice {
            text = text.replace(&format!("{{{}}}", shown.name), dice);
        }
    }
    Some(text)
}

/// What is told of the odds of dice.
pub fn of_dice(expression: &str, odds: &Distribution) -> Found {
    let line = |(value, chance): (i64, Fraction)| Line {
        outcome: value.to_string(),
        range: None,
        title: None,
        chance,
        order: (false, vec![value]),
    };
    Found {
        target: expression.to_owned(),
        title: None,
        arguments: BTreeMap::new(),
        lines: odds.chances().into_iter().map(line).collect(),
        mean: Some((odds.mean(), odds.sd())),
        numbers: Some(odds.clone()),
        cut: odds.cut(),
        stopped: false,
        defaults: Vec::new(),
        turns: Vec::new(),
        sample: None,
    }
}
