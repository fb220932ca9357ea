//! What is run: a scenario, or one case of it.

use crate::program::{Constant, Program, Scenario, ScenarioId};
use crate::run::{Value, value_id};
use crate::source::{FileId, Span};

/// A scenario, or one of its cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subject {
    pub scenario: ScenarioId,
    /// Which of its cases, from 0.
    pub case: Option<u32>,
}

/// All that is to be run of the file asked for, in the order written: each case of a scenario that
/// has any, and each other scenario that expects something or keeps its trace.
pub fn subjects(program: &Program) -> Vec<Subject> {
    let mut list = Vec::new();
    for (index, scenario) in (0u32..).zip(&program.scenarios) {
        if scenario.span.file != FileId(0) {
            continue;
        }
        let id = ScenarioId(index);
        if !scenario.lines.is_empty() {
            list.extend((0u32..).take(scenario.lines.len()).map(|case| Subject { scenario: id, case: Some(case) }));
        } else if is_test(scenario) {
            list.push(Subject { scenario: id, case: None });
        }
    }
    list
}

impl Subject {
    pub fn of(self, program: &Program) -> &Scenario {
        &program.scenarios[self.scenario.index()]
    }

    fn line(self, program: &Program) -> Option<&crate::program::CaseLine> {
        self.of(program).lines.get(self.case? as usize)
    }

    /// The arguments it is run with.
    pub fn args(self, program: &Program) -> Vec<Option<Value>> {
        let args = self.line(program).map_or(&[][..], |line| &line.args);
        args.iter().map(|arg| arg.as_ref().map(value)).collect()
    }

    /// The dice that it gives itself and where each stands; `None` where it gives none.
    pub fn dice(self, program: &Program) -> Option<Vec<(i64, Span)>> {
        let scenario = self.of(program);
        let of_case = self.line(program).map_or(&[][..], |line| &line.dice);
        if scenario.dice.is_none() && of_case.is_empty() {
            return None;
        }
        let own = scenario.dice.iter().flatten().copied();
        let spans = scenario.dice_spans.iter().copied().chain(std::iter::repeat(scenario.span));
        Some(own.zip(spans).chain(of_case.iter().copied()).collect())
    }

    /// What it is to come to.
    pub fn comes_to(self, program: &Program) -> Option<(&str, Span)> {
        let (text, span) = self.line(program)?.comes_to.as_ref()?;
        Some((text.as_str(), *span))
    }

    /// Where it stands: the case's line, or the scenario's head.
    pub fn span(self, program: &Program) -> Span {
        self.line(program).map_or(self.of(program).span, |line| line.span)
    }

    /// The case in words, `health = -3, dice 2`; empty where there is none.
    pub fn case_text(self, program: &Program) -> String {
        let Some(line) = self.line(program) else { return String::new() };
        let params = &self.of(program).params;
        let given = params.iter().zip(&line.args).filter_map(|(param, arg)| {
            Some(format!("{} = {}", param.id, value_id(program, param.ty, &value(arg.as_ref()?))))
        });
        let mut parts: Vec<String> = given.collect();
        if !line.dice.is_empty() {
            let dice: Vec<String> = line.dice.iter().map(|(value, _)| value.to_string()).collect();
            parts.push(format!("dice {}", dice.join(" ")));
        }
        parts.join(", ")
    }

    /// What it is called in a report: `awake`, `awake (health = -3, dice 2)`.
    pub fn name(self, program: &Program) -> String {
        let id = &self.of(program).id;
        match (self.case, self.case_text(program)) {
            (None, _) => id.to_string(),
            (Some(case), text) if text.is_empty() => format!("{id} ({})", case + 1),
            (Some(_), text) => format!("{id} ({text})"),
        }
    }
}

/// Whether it expects something or keeps something.
fn is_test(scenario: &Scenario) -> bool {
    let expects = !scenario.expectations.is_empty() || !scenario.chances.is_empty();
    expects || scenario.snapshot.is_some() || scenario.odds.is_some()
}

fn value(constant: &Constant) -> Value {
    match constant {
        Constant::Number(number) => Value::Number(*number),
        Constant::Dice(dice) => Value::Dice(dice.clone()),
    }
}
