//! Each ruling of the language, shown by a rule file whose scenarios prove it.

use std::path::Path;

use cicatriz::check::check_text;
use cicatriz::diagnostics::{Code, Severity, any_error, render};
use cicatriz::suite;

/// Checks a file of `tests/rulings` and runs its scenarios; every expectation has to be met.
fn holds(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rulings").join(name);
    let text = std::fs::read_to_string(&path).expect("a ruling's file");
    let checked = check_text(name, &text);
    let drawn = |faults: &[_]| render::draw(faults, &checked.files, &render::Drawing::default());
    assert!(!any_error(&checked.diagnostics), "{}", drawn(&checked.diagnostics));
    let program = checked.program.as_ref().expect("a program without errors");
    let told = suite::test(program, &[], &checked.files);
    assert!(!told.is_empty(), "{name} proves nothing");
    for scenario in &told {
        assert!(scenario.expectations > 0, "{name} expects nothing");
        assert!(
            scenario.failures.is_empty(),
            "{}\n{}",
            drawn(&scenario.failures),
            scenario.trace.as_ref().map_or_else(String::new, |trace| trace.lines().join("\n"))
        );
    }
}

/// The codes of all errors of a text.
fn errors(text: &str) -> Vec<Code> {
    let checked = check_text("text", text);
    checked.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code).collect()
}

#[test]
fn ruling_1_arguments_are_worked_out_once_left_to_right() {
    holds("01_arguments_are_worked_out_once_left_to_right.rules");
}

#[test]
fn ruling_2_who_answers_is_settled_when_it_begins() {
    holds("02_who_answers_is_settled_when_it_begins.rules");
}

#[test]
fn ruling_3_an_arrow_ends_its_own_handler() {
    holds("03_an_arrow_ends_its_own_handler.rules");
}

#[test]
fn ruling_4_reads_are_current_and_jumps_skip() {
    holds("04_reads_are_current_and_jumps_skip.rules");
}

#[test]
fn ruling_5_until_a_state_holds_in_all_states_before_it() {
    holds("05_until_a_state_holds_in_all_states_before_it.rules");
}

#[test]
fn ruling_6_what_begins_during_an_event_does_not_count_it() {
    holds("06_what_begins_during_an_event_does_not_count_it.rules");
    holds("06_what_begins_as_a_wait_runs_out.rules");
}

#[test]
fn ruling_7_the_longer_wait_stays() {
    holds("07_the_longer_wait_stays.rules");
}

#[test]
fn ruling_8_a_track_comes_down_with_its_bound() {
    holds("08_a_track_comes_down_with_its_bound.rules");
}

#[test]
fn ruling_9_halving_and_doubling_stand_in_the_formula() {
    holds("09_halving_and_doubling_stand_in_the_formula.rules");
}

#[test]
fn ruling_10_a_row_goes_in_order() {
    holds("10_a_row_goes_in_order.rules");
}

#[test]
fn ruling_11_a_table_asked_for_by_itself_only_shows_its_row() {
    use cicatriz::dice::Given;
    use cicatriz::program::TableId;
    use cicatriz::run::{Defaults, Machine, Step, Trace, play_out};

    let checked = check_text(
        "text",
        "system s \"S\" lang es\nsheet hero {\n  teeth: 0..32 = 32\n  on hit { roll blow }\n}\n\
         table blow = 1d2 for hero {\n  1-2  out  \"Fuera\"\n       \"Escupes {lost} dientes.\"\n       { lost = 1d6\n         teeth -= lost }\n}\n",
    );
    let program = checked.program.expect("a program");
    let mut machine = Machine::reading(&program, &[], TableId(0), &[]).expect("a reading");
    let mut trace = Trace::new(&machine);
    let mut dice = Given::new(vec![2]);
    let step = play_out(&mut machine, &mut dice, &mut Defaults, &mut trace);
    assert!(matches!(step, Step::Finished(_)), "{step:?}");
    assert_eq!(trace.lines(), ["tirada 1d2: 2", "1-2  Fuera", "    Escupes 1d6 dientes."]);
    assert!(dice.left_over().is_empty());
}

#[test]
fn ruling_12_given_fires_nothing() {
    holds("12_given_fires_nothing.rules");
}

#[test]
fn ruling_13_repeat_looks_first() {
    holds("13_repeat_looks_first.rules");
}

#[test]
fn ruling_13_a_part_that_can_never_end_says_where_it_stays() {
    let checked = check_text(
        "text",
        "system s \"S\" lang es\nsheet hero {\n  n: 0..9 = 0\n  states up -> down final\n  on wait when n > 0 { -> down }\n}\n\
         scenario stuck {\n  given hero\n  repeat wait until down\n  then n == 0\n}\n",
    );
    let program = checked.program.expect("a program");
    let told = suite::test(&program, &[], &checked.files);
    let codes: Vec<Code> = told[0].failures.iter().map(|d| d.code).collect();
    assert_eq!(codes, [Code::RunEndless]);
    assert!(told[0].failures[0].message.contains("up"), "{}", told[0].failures[0].message);
}

#[test]
fn ruling_14_a_circle_is_an_error_unless_it_spreads_or_waits() {
    holds("14_an_event_that_spreads_ends.rules");
    let circle = |between: &str| {
        format!(
            "system s \"S\" lang es\nclock turn < day\nkind c = dazed \"Aturdido\"\nsheet hero {{\n  cs: set of c\n  on a {{ b }}\n  on b {{ {between} }}\n}}\n"
        )
    };
    assert_eq!(errors(&circle("a")), [Code::EventCircle]);
    assert_eq!(errors(&circle("suffer dazed for 1 turn then { a }")), []);
}

#[test]
fn ruling_16_a_choice_with_no_answer_takes_its_default() {
    holds("16_a_choice_with_no_answer_takes_its_default.rules");
}

#[test]
fn ruling_17_random_of_nothing_is_none() {
    holds("17_random_of_nothing_is_none.rules");
}
