//! Runs scenarios: quickly first, and once more with a trace where there is something to explain.

use super::fault::{self, Unmet};
use super::odds::{Kept, within};
use super::share::share;
use super::{Hits, Subject};
use crate::diagnostics::Diagnostic;
use crate::dice::{DiceSource, Given, NoDie, Recorded, Seeded, Shape};
use crate::program::{Program, SheetId, Table};
use crate::run::{Defaults, Fault, Machine, Note, Observer, Step, Trace, play_out};
use crate::say;
use crate::source::Source;

/// The seed of a scenario that gives no dice itself.
pub const SEED: u64 = 1;

/// How one scenario, or one case of it, went.
#[derive(Debug)]
pub struct Told<'p> {
    pub subject: Subject,
    /// Expectations that were looked at.
    pub expectations: usize,
    /// What is wrong, in the order found. Empty where it passed.
    pub failures: Vec<Diagnostic>,
    /// What happened, where something is wrong or the trace is kept.
    pub trace: Option<Trace<'p>>,
    /// Its odds, where they are kept and could be worked out.
    pub odds: Option<Kept>,
    /// What it came to, as `run` prints it; `None` where it did not come to its end.
    pub outcome: Option<String>,
    /// With the trace: each die thrown, in order.
    pub dice: Vec<i64>,
    /// The seed, where it does not give its dice itself.
    pub seed: Option<u64>,
}

/// Runs the scenarios of a program.
#[derive(Debug, Clone, Copy)]
pub struct Runner<'p> {
    pub program: &'p Program,
    /// The members chosen, by option.
    pub options: &'p [u32],
    pub files: &'p [Source],
    /// For scenarios that give no dice themselves.
    pub seed: u64,
}

impl<'p> Runner<'p> {
    pub fn new(program: &'p Program, options: &'p [u32], files: &'p [Source]) -> Self {
        Runner { program, options, files, seed: SEED }
    }

    /// Runs these on so many threads: how each went, in their order, and what all exercised.
    pub fn all(&self, subjects: &[Subject], threads: usize) -> (Vec<Told<'p>>, Hits) {
        let begin = || Hits::new(self.program);
        let (told, hits) = share(subjects.len(), threads, begin, |hits, index| self.one(subjects[index], Some(hits)));
        let mut all = Hits::new(self.program);
        hits.iter().for_each(|hits| all.add(hits));
        (told, all)
    }

    /// Whether it goes as expected; what is kept of its trace and of its odds has to be so still.
    pub fn passes(&self, subject: Subject, trace: Option<&str>, odds: Option<&Kept>) -> bool {
        let same_odds = |now: Option<&Kept>| match (odds, now, subject.of(self.program).odds) {
            (Some(old), Some(now), Some(keeps)) => old.moved(now, &within(&keeps)).is_empty(),
            (None, _, _) => true,
            _ => false,
        };
        match trace {
            None => {
                self.quickly(subject, None).is_ok_and(|run| run.passes(self, subject) && same_odds(run.odds.as_ref()))
            }
            Some(trace) => {
                let told = self.one(subject, None);
                let same = super::snapshot::same(&super::snapshot::contents(&told), trace);
                told.failures.is_empty() && same && same_odds(told.odds.as_ref())
            }
        }
    }

    /// Runs one, and again with its trace where something is wrong or the trace is kept.
    pub fn one(&self, subject: Subject, hits: Option<&mut Hits>) -> Told<'p> {
        let run = self.quickly(subject, hits);
        let seed = subject.dice(self.program).is_none().then_some(self.seed);
        match run {
            Ok(run) if run.passes(self, subject) && subject.of(self.program).snapshot.is_none() => Told {
                subject,
                expectations: run.expectations,
                failures: Vec::new(),
                trace: None,
                odds: run.odds,
                outcome: run.outcome,
                dice: Vec::new(),
                seed,
            },
            Ok(run) => {
                let (trace, dice) = self.traced(subject);
                let failures = fault::all(self, subject, &run, &trace);
                let Run { expectations, odds, outcome, .. } = run;
                Told { subject, expectations, failures, trace: Some(trace), odds, outcome, dice, seed }
            }
            Err(fault) => {
                let place = subject.span(self.program);
                let mut failure = fault.diagnostic(self.program);
                failure.labels.insert(0, crate::diagnostics::Label { span: place, text: say!("cannot begin") });
                let (failures, dice) = (vec![failure], Vec::new());
                Told { subject, expectations: 0, failures, trace: None, odds: None, outcome: None, dice, seed }
            }
        }
    }

    fn begin(&self, subject: Subject) -> Result<Machine<'p>, Fault> {
        Machine::scenario(self.program, self.options, subject.scenario, &subject.args(self.program))
    }

    fn source(&self, subject: Subject) -> Dice {
        match subject.dice(self.program) {
            Some(dice) => Dice::Given(Given::new(dice.into_iter().map(|(value, _)| value).collect::<Vec<_>>())),
            None => Dice::Seeded(Box::new(Seeded::new(self.seed))),
        }
    }

    fn quickly(&self, subject: Subject, hits: Option<&mut Hits>) -> Result<Run, Fault> {
        let mut machine = self.begin(subject)?;
        let mut dice = self.source(subject);
        let run = Run::default();
        let mut watch = Watch { program: self.program, run, sheets: Vec::new(), hits };
        if watch.hits.is_some() {
            machine.note_ways();
        }
        let step = play_out(&mut machine, &mut dice, &mut Defaults, &mut watch);
        if let Some(hits) = &mut watch.hits {
            machine.lookups().for_each(|(table, row)| hits.row(table, row));
            machine.answered().for_each(|(code, op, yes)| hits.answered(code, op, yes));
        }
        let mut run = watch.run;
        match step {
            Step::Finished(outcome) => run.outcome = Some(outcome.text(self.program)),
            Step::Fault(fault) => run.fault = Some(fault),
            _ => {}
        }
        if let Dice::Given(given) = &dice {
            run.left = given.left_over().to_vec();
        }
        let scenario = subject.of(self.program);
        match super::chance::odds(self, subject) {
            Ok(Some(odds)) => {
                run.chances = super::chance::wrong(self, subject, &odds);
                run.odds = scenario.odds.map(|_| Kept::of(self.program, &odds));
            }
            Ok(None) => {}
            Err(none) => run.chances.push(*none),
        }
        run.expectations += scenario.chances.len();
        Ok(run)
    }

    fn traced(&self, subject: Subject) -> (Trace<'p>, Vec<i64>) {
        let Ok(mut machine) = self.begin(subject) else {
            return (Trace::new(&Machine::story(self.program, self.options)), Vec::new());
        };
        let mut trace = Trace::new(&machine);
        let mut dice = Recorded::new(self.source(subject));
        play_out(&mut machine, &mut dice, &mut Defaults, &mut trace);
        (trace, dice.throws().iter().map(|throw| throw.value).collect())
    }
}

/// Where the dice of a scenario come from.
enum Dice {
    Given(Given),
    Seeded(Box<Seeded>),
}

impl DiceSource for Dice {
    fn die(&mut self, shape: Shape<'_>) -> Result<i64, NoDie> {
        match self {
            Dice::Given(dice) => dice.die(shape),
            Dice::Seeded(dice) => dice.die(shape),
        }
    }
}

/// What a quick run came to.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub expectations: usize,
    pub unmet: Vec<Unmet>,
    pub outcome: Option<String>,
    pub fault: Option<Fault>,
    /// What is wrong with chances expected, or why there are no odds.
    pub chances: Vec<Diagnostic>,
    /// The odds that are kept.
    pub odds: Option<Kept>,
    /// Dice given and never asked for.
    pub left: Vec<i64>,
}

impl Run {
    fn passes(&self, runner: &Runner<'_>, subject: Subject) -> bool {
        let comes_to = subject.comes_to(runner.program);
        self.unmet.is_empty()
            && self.chances.is_empty()
            && self.fault.is_none()
            && self.left.is_empty()
            && comes_to.is_none_or(|(text, _)| self.outcome.as_deref() == Some(text))
    }
}

/// Looks at expectations as they come, and at what is exercised.
struct Watch<'a> {
    program: &'a Program,
    run: Run,
    /// The types of the sheets, oldest first.
    sheets: Vec<SheetId>,
    hits: Option<&'a mut Hits>,
}

impl Observer for Watch<'_> {
    fn note(&mut self, note: Note<'_>) {
        match note {
            Note::Expect { expect, met, sides } => {
                self.run.expectations += 1;
                if !met {
                    let sides = sides.map(|(left, right)| (left.clone(), right.clone()));
                    self.run.unmet.push(Unmet { expect, sides });
                }
            }
            Note::Made { ty, .. } => self.sheets.push(ty),
            Note::State { sheet, from, to } => {
                if let (Some(hits), Some(ty)) = (&mut self.hits, self.sheets.get(sheet as usize)) {
                    hits.transition(*ty, from, to);
                }
            }
            Note::Row { table, row, locals, .. } => {
                let Some(hits) = &mut self.hits else { return };
                let entry = self.program.tables.get(table.index());
                let does = entry.is_some_and(|table| does(table, row));
                // A row that does something is exercised when it does it, not when it is only read.
                if locals.is_some() || !does {
                    hits.row(table, row);
                }
            }
            _ => {}
        }
    }

    fn settled(&mut self, _: &Machine<'_>, _: bool) {}

    fn ran(&mut self, code: crate::program::CodeId, op: u32) {
        if let Some(hits) = &mut self.hits {
            hits.op(code, op);
        }
    }
}

/// Whether a row writes on somebody's sheet when it happens: more than is seen by reading it.
pub(super) fn does(table: &Table, row: u32) -> bool {
    let has_body = table.rows.get(row as usize).is_some_and(|row| row.body.is_some());
    table.makes.is_some() || table.subject.is_some() && has_body
}
