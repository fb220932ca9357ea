//! Chances that are known elsewhere: each line of `tests/known/odds.tsv`, with the figure that is right
//! where the one in print is wrong or another reading was meant.

use std::collections::HashMap;
use std::path::Path;

use cicatriz::check::{ad_hoc, check_text};
use cicatriz::odds::{Bounds, Distribution, Fraction, of_dice, of_machine, of_scenario};
use cicatriz::program::{Param, Program, ScenarioId, TableId};
use cicatriz::run::{Machine, Value};

/// What comes up, with its chance; and the same as numbers, where they are numbers.
struct Known {
    chances: HashMap<String, Fraction>,
    numbers: Option<Distribution>,
}

fn of_file(words: &str) -> Known {
    let mut words = words.split(' ');
    let (file, target) = (words.next().expect("a file"), words.next().expect("a target"));
    let given: Vec<(&str, i64)> = words.map(|word| word.split_once('=').expect("name=value")).map(number).collect();
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("a rule file");
    let program = check_text(file, &text).program.unwrap_or_else(|| panic!("{file} has faults"));
    let args = |params: &[Param]| -> Vec<Option<Value>> {
        let value = |param: &Param| given.iter().find(|(name, _)| *name == param.id).map(|(_, n)| Value::Number(*n));
        params.iter().map(value).collect()
    };
    let bounds = Bounds::default();
    let scenario = program.scenarios.iter().position(|scenario| scenario.id == target);
    let odds = match scenario {
        Some(at) => {
            let args = args(&program.scenarios[at].params);
            of_scenario(&program, &[], ScenarioId(at as u32), &args, &bounds, &mut ())
        }
        None => {
            let at = program.tables.iter().position(|table| table.id == target).expect("a table");
            let args = args(&program.tables[at].params);
            of_machine(&Machine::reading(&program, &[], TableId(at as u32), &args).expect("a table"), &bounds, &mut ())
        }
    };
    let odds = odds.unwrap_or_else(|fault| panic!("{file} {target}: {fault}"));
    assert!(odds.is_exact());
    let name = |program: &Program, found: &cicatriz::odds::OutcomeChance| {
        found.outcome.as_ref().expect("an outcome").text(program)
    };
    let chances = odds.outcomes.iter().map(|found| (name(&program, found), found.chance.clone())).collect();
    Known { chances, numbers: odds.numbers() }
}

fn number<'t>((name, value): (&'t str, &str)) -> (&'t str, i64) {
    (name, value.parse().expect("a number"))
}

fn of_expression(text: &str) -> Known {
    let dice = ad_hoc(text).0.unwrap_or_else(|| panic!("{text} has faults"));
    let odds = of_dice(&dice).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    let chances = odds.chances().into_iter().map(|(value, chance)| (value.to_string(), chance)).collect();
    Known { chances, numbers: Some(odds) }
}

#[test]
fn chances_known_elsewhere() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/known/odds.tsv"));
    let text = text.expect("the list");
    let mut asked: HashMap<String, Known> = HashMap::new();
    let (mut lines, mut wrong) = (0, Vec::new());
    for line in text.lines().skip(1) {
        lines += 1;
        let mut cells = line.split('\t');
        let mut cell = || cells.next().unwrap_or("");
        let (ask, outcome, exactly) = (cell(), cell(), cell());
        let known = asked.entry(ask.to_owned()).or_insert_with(|| match ask.contains(".rules ") {
            true => of_file(ask),
            false => of_expression(ask),
        });
        let numbers = || known.numbers.as_ref().unwrap_or_else(|| panic!("{ask} has no numbers"));
        let value = |text: &str| text.parse().unwrap_or_else(|_| panic!("{text} is no number"));
        let found = match outcome.split_once(' ') {
            None => numbers().mean().to_string(),
            Some((">=", least)) => numbers().at_least(value(least)).to_string(),
            Some(("<=", most)) => numbers().at_most(value(most)).to_string(),
            Some((_, id)) => known.chances.get(id).map_or("0".to_owned(), Fraction::to_string),
        };
        if found != exactly {
            wrong.push(format!("{ask} {outcome}: {found}, not {exactly}"));
        }
    }
    assert!(lines > 100, "{lines} lines");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
