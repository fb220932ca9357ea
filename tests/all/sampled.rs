//! Exact odds and sampled ones agree: within five standard errors, for dice, tables and scenarios that
//! are generated and for all that the four systems offer. Seeds are fixed, so this never happens to fail.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use cicatriz::check::{ad_hoc, check_text};
use cicatriz::dice::{DiceSource, Seeded, Shape};
use cicatriz::odds::{Bounds, OddsFault, RuleOdds, of_dice, of_machine, of_scenario};
use cicatriz::program::{Program, ScenarioId, TableId};
use cicatriz::run::{Machine, Value};
use cicatriz::simulate::{Came, Part, Simulation, Tally, Watch};

const RUNS: u64 = 100_000;

/// Without optimisation a run in full takes a thousand times as long as it should.
const RUNS_IN_FULL: u64 = if cfg!(debug_assertions) { 500 } else { RUNS };

/// What is worked out exactly: small things.
const BOUNDS: Bounds = Bounds { explosions: None, cost: 30_000_000 };

/// How many standard errors a share may be off.
const ERRORS: f64 = 5.0;

/// Outcomes expected less often than this are looked at together.
const RARE: f64 = 10.0;

/// Makes up rules, always the same ones.
struct Author(Seeded);

impl Author {
    /// 0 up to below `n`.
    fn below(&mut self, n: u32) -> i64 {
        self.0.die(Shape::Upto(n)).expect("a die") - 1
    }

    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u32)
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u32) as usize]
    }

    fn term(&mut self) -> String {
        let (count, faces) = (self.between(0, 5), self.between(2, 12));
        let keep = self.between(1, count.max(1)).min(count);
        let face = self.between(1, faces);
        let mut text = format!("{count}d{faces}");
        for _ in 0..self.below(3) {
            let modifier = match self.below(11) {
                0 => format!("kh{keep}"),
                1 => format!("kl{keep}"),
                2 => format!("dl{}", count - keep),
                3 => format!("dh{}", count - keep),
                4 if faces > 2 => "!".to_owned(),
                5 if faces > 2 => "!!".to_owned(),
                6 if faces > 2 => "!p".to_owned(),
                7 if face < faces => format!("ro<={face}"),
                8 if face < faces => format!("rr<={face}"),
                9 => format!("min{face}"),
                _ => format!("max{face}"),
            };
            text += &modifier;
        }
        if self.below(4) == 0 {
            let _ = write!(text, ">={face}");
            if face > 1 && self.below(2) == 0 {
                let _ = write!(text, "f<={}", self.between(1, face - 1));
            }
        }
        text
    }

    fn dice(&mut self, deep: u32) -> String {
        if deep == 0 {
            return if self.below(6) == 0 { self.between(0, 9).to_string() } else { self.term() };
        }
        let (a, b) = (self.dice(deep - 1), self.dice(deep - 1));
        match self.below(8) {
            0 => format!("({a}) + ({b})"),
            1 => format!("({a}) - ({b})"),
            2 => format!("max({a}, {b})"),
            3 => format!("abs(({a}) - ({b}))"),
            4 => format!("{{{a}, {b}}}kh1"),
            5 => format!("({a}) >= ({b})"),
            6 => format!("(1d{})d{}", self.between(1, 4), self.between(2, 8)),
            _ => a,
        }
    }
}

/// Every share is near its chance. `sampled` and `exact` by what came.
fn agree(what: &str, runs: u64, sampled: &BTreeMap<String, u64>, exact: &BTreeMap<String, f64>) {
    assert_eq!(sampled.values().sum::<u64>(), runs, "{what}");
    let near = |name: &str, count: u64, chance: f64| {
        let expected = chance * runs as f64;
        let error = (expected * (1.0 - chance).max(0.0)).sqrt();
        let off = (count as f64 - expected).abs();
        assert!(off <= ERRORS * error + 1e-6, "{what}: {name} came {count} times of {runs}, expected {expected}");
    };
    let (mut rare, mut rare_chance) = (0, 0.0);
    for (name, chance) in exact {
        let count = sampled.get(name).copied().unwrap_or(0);
        if chance * runs as f64 >= RARE {
            near(name, count, *chance);
        } else {
            (rare, rare_chance) = (rare + count, rare_chance + chance);
        }
    }
    // Few are spread unlike many: a handful is always near enough.
    if rare as f64 > RARE || rare_chance * runs as f64 >= RARE {
        near("what is rare", rare, rare_chance);
    }
    for (name, count) in sampled {
        assert!(exact.contains_key(name), "{what}: {name} came {count} times and cannot come");
    }
}

fn counted(program: Option<&Program>, tally: Tally) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    for (came, runs) in tally.outcomes {
        let name = match (came, program) {
            (Came::To(outcome), Some(program)) => outcome.text(program),
            (Came::Total(total), _) => total.to_string(),
            (came, None) => panic!("{came:?}"),
        };
        *all.entry(name).or_default() += runs;
    }
    all
}

fn whole(simulation: &Simulation<'_>) -> Tally {
    simulation.run(Part::WHOLE, 2, &Watch::default()).unwrap_or_else(|fault| panic!("{fault:?}"))
}

#[test]
fn of_generated_dice() {
    let mut author = Author(Seeded::new(1));
    let mut tried = 0;
    for seed in 0.. {
        let deep = author.below(3) as u32;
        let text = author.dice(deep);
        let (Some(dice), _) = ad_hoc(&text) else { continue };
        let Ok(exact) = of_dice(&dice) else { continue };
        let chances = exact.chances().into_iter().map(|(total, chance)| (total.to_string(), chance.to_f64()));
        let sampled = whole(&Simulation::dice(&dice, seed, RUNS));
        agree(&text, RUNS, &counted(None, sampled), &chances.collect());
        tried += 1;
        if tried == 30 {
            break;
        }
    }
}

fn chances(program: &Program, odds: &RuleOdds) -> BTreeMap<String, f64> {
    let mut all = BTreeMap::new();
    for found in &odds.outcomes {
        if let Some(outcome) = &found.outcome {
            *all.entry(outcome.text(program)).or_default() += found.chance.to_f64();
        }
    }
    all
}

fn scenario(what: &str, program: &Program, id: ScenarioId, args: &[Option<Value>]) -> bool {
    let name = &format!("{what} {}", program.scenarios[id.index()].id);
    let odds = match of_scenario(program, &[], id, args, &BOUNDS, &mut ()) {
        // Half a distribution is nothing to compare with.
        Ok(odds) if odds.cut.to_f64() > 1e-9 => return false,
        Ok(odds) => odds,
        Err(OddsFault::Run(_) | OddsFault::TooLarge { .. }) => return false,
        Err(OddsFault::Endless) => {
            // Nor is there a walk that would go round for ever.
            let simulation = Simulation::scenario(program, &[], id, args, (1, RUNS)).expect("a beginning");
            assert!(!simulation.is_chain(), "{name}");
            return false;
        }
        Err(fault) => panic!("{name}: {fault}"),
    };
    let exact = chances(program, &odds);
    let simulation = Simulation::scenario(program, &[], id, args, (1, RUNS)).expect("a beginning");
    if simulation.is_chain() {
        agree(name, RUNS, &counted(Some(program), whole(&simulation)), &exact);
    }
    let simulation = Simulation::in_full(program, &[], id, args, (2, RUNS_IN_FULL)).expect("a beginning");
    agree(name, RUNS_IN_FULL, &counted(Some(program), whole(&simulation)), &exact);
    simulation.is_chain() || exact.len() > 1
}

fn table(program: &Program, id: TableId, args: &[Option<Value>]) -> bool {
    let name = &program.tables[id.index()].id;
    let Ok(machine) = Machine::reading(program, &[], id, args) else { return false };
    let Ok(odds) = of_machine(&machine, &BOUNDS, &mut ()) else { return false };
    let simulation = Simulation::table(program, &[], id, args, (3, RUNS)).expect("a beginning");
    assert!(simulation.is_chain(), "{name}");
    agree(name, RUNS, &counted(Some(program), whole(&simulation)), &chances(program, &odds));
    true
}

fn program(name: &str, text: &str) -> Program {
    let checked = check_text(name, text);
    checked.program.unwrap_or_else(|| panic!("{text}\n{:?}", checked.diagnostics))
}

/// Rows from `low` to `high`, with gaps in the ids' numbers nowhere.
fn rows(author: &mut Author, low: i64, high: i64, row: &mut dyn FnMut(&mut Author, usize) -> String) -> String {
    let (mut text, mut from, mut index) = (String::new(), low, 0);
    while from <= high {
        let to = if index >= 5 { high } else { author.between(from, high) };
        let key = if from == to { from.to_string() } else { format!("{from}..{to}") };
        let _ = writeln!(text, "  {key}  r{index} \"R{index}\"{}", row(author, index));
        from = to + 1;
        index += 1;
    }
    text
}

#[test]
fn of_generated_tables() {
    let mut author = Author(Seeded::new(2));
    for _ in 0..25 {
        let (count, faces, most) = (author.between(1, 3), author.between(2, 10), author.between(0, 4));
        let mut text = "system made \"Hecho\" lang es\n".to_owned();
        let inner = author.between(2, 8);
        let _ = writeln!(text, "table inner = 1d{inner} columns worth: 0..99 {{");
        text += &rows(&mut author, 1, inner, &mut |author, _| format!(" | {}", author.between(0, 99)));
        text += "}\n";
        let _ = writeln!(text, "table outer(more: 0..{most} = 0) = ({count} + more)d{faces} {{");
        text += &rows(&mut author, count, (count + most) * faces, &mut |author, index| {
            if index < 2 && author.below(3) == 0 { " { instead next when more > 0 }".to_owned() } else { String::new() }
        });
        text += "  -  last \"L\"\n}\n";
        let _ = write!(
            text,
            "scenario twice(more: 0..{most} = 0) {{\n  a = roll inner\n  b = roll outer(more: more)\n  outcome {{\n    a.worth, b\n  }}\n}}\n"
        );
        let program = program("made.rules", &text);
        for more in 0..=most {
            let args = [Some(Value::Number(more))];
            assert!(table(&program, TableId(1), &args));
        }
        assert!(table(&program, TableId(0), &[]));
        scenario(&text, &program, ScenarioId(0), &[Some(Value::Number(most))]);
    }
}

#[test]
fn of_generated_scenarios() {
    let mut author = Author(Seeded::new(3));
    let mut known = 0;
    for _ in 0..16 {
        let (hp, faces) = (author.between(1, 3), author.between(3, 6));
        let mut text = "system made \"Hecho\" lang es\n".to_owned();
        let _ = write!(text, "sheet one {{\n  hp: 0..9 = {hp} stops\n  luck: 0..3 = 1 stops\n");
        text += "  states up \"u\" -> tired \"t\" -> up\n  states up, tired -> gone \"g\" final\n";
        let _ = write!(text, "  on blow {{\n    roll 1d{faces} {{\n");
        text += &rows(&mut author, 1, faces, &mut |author, _| {
            let what = author.one_of(&[
                "hp -= 1",
                "hp -= 1",
                "hp -= 2",
                "hp += 1",
                "luck -= 1",
                "luck += 1",
                "if luck > 0 { hp += 1 }",
                "hp -= roll 1d3",
                "nap",
                "wake",
                "blink",
            ]);
            format!(" {{ {what} }}")
        })
        .lines()
        .map(|line| {
            let (key, rest) = line.trim().split_once("  ").expect("a row");
            format!(
                "      {key} {}\n",
                rest.split_once(" {").map_or("{ }", |(_, body)| &rest[rest.len() - body.len() - 1..])
            )
        })
        .collect::<String>();
        text += "    }\n    if roll 1d2 == 1 { hp -= 1 }\n    if hp == 0 -> gone\n  }\n  on blink { luck += 1 }\n  on nap when up { -> tired }\n  on wake when tired { -> up }\n}\n";
        let until = author.one_of(&["gone", "gone, luck == 3", "gone, hp >= 8"]);
        let outcome =
            author.one_of(&["", "  outcome repeats\n", "  outcome {\n    hp, luck\n  }\n", "  outcome luck\n"]);
        let _ = write!(text, "scenario story {{\n  given one\n  repeat blow until {until}\n{outcome}}}\n");
        let program = program("made.rules", &text);
        known += usize::from(scenario(&text, &program, ScenarioId(0), &[]));
    }
    assert!(known >= 6, "only {known} of them have odds");
}

const SYSTEMS: [&str; 4] = ["old_world", "wandering_stars", "investigators", "fifth_edition"];

#[test]
fn of_all_that_the_four_systems_offer() {
    let (mut tables, mut scenarios) = (0, 0);
    let given: HashMap<&str, Vec<i64>> = HashMap::from([("infection", vec![3, 4, 2])]);
    for system in SYSTEMS {
        let path = format!("{}/rules/{system}.rules", env!("CARGO_MANIFEST_DIR"));
        let program = program(system, &std::fs::read_to_string(path).expect("the rules"));
        for index in 0..program.tables.len() {
            tables += usize::from(table(&program, TableId(index as u32), &[]));
        }
        for (index, known) in program.scenarios.iter().enumerate() {
            // Those with dice of their own say what these come to.
            let args: Vec<Option<Value>> =
                given.get(known.id.as_str()).into_iter().flatten().map(|number| Some(Value::Number(*number))).collect();
            let missing = known.params.iter().skip(args.len()).any(|param| param.default.is_none());
            if known.dice.is_none() && known.expectations.is_empty() && !missing {
                scenarios += usize::from(scenario(system, &program, ScenarioId(index as u32), &args));
            }
        }
    }
    assert!(tables >= 7 && scenarios >= 7, "{tables} tables, {scenarios} scenarios");
}
