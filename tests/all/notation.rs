//! The notation of dice: what players type, in four dialects, and whatever else anybody types.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cicatriz::check::{ad_hoc, ad_hoc_in, check_text};
use cicatriz::diagnostics::{Code, Diagnostic, Severity};
use cicatriz::dice::{Dialect, Dice, Seeded, total, write_as};
use cicatriz::odds::of_dice;
use proptest::prelude::*;

fn read(text: &str, dialect: Dialect) -> Result<String, String> {
    let (dice, told) = ad_hoc_in(text, dialect);
    dice.map(|dice| dice.to_string()).ok_or_else(|| {
        let error = told.into_iter().find(|told| told.severity == Severity::Error);
        error.map_or_else(|| "no dice and no error".to_owned(), |error| format!("{}: {}", error.code, error.message))
    })
}

fn notes(text: &str) -> Vec<Diagnostic> {
    ad_hoc(text).1.into_iter().filter(|told| told.severity != Severity::Error).collect()
}

/// The text with the edits of one diagnostic made.
fn edited(text: &str, told: &Diagnostic) -> String {
    let mut edits = told.edits.clone();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
    let mut text = text.to_owned();
    for edit in edits {
        text.replace_range(edit.span.range(), &edit.text);
    }
    text
}

/// Formulas that their tool rolls and that could be said here. All others refused need a number
/// from a sheet, decimals, powers or a rounding, are words or no dice at all, or go on for ever.
const STILL: [&str; 2] = ["((10d6kh5)kl2)kh1", "(2d6, 2d6)kh1"];

/// Formulas found in tools' tests, modules and adventures, each read in the dialect of its tool.
#[test]
fn what_is_typed_in_the_wild() {
    let formulas = include_str!("../notation/formulas.tsv");
    let mut lines = String::new();
    let mut sums: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    for line in formulas.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(formula), Some(tool)) = (columns.next(), columns.next()) else { panic!("{line}") };
        let dialect = match tool {
            "roll20" => Dialect::Roll20,
            "avrae-d20" => Dialect::Avrae,
            "rpg-dice-roller" => Dialect::RpgDiceRoller,
            _ => Dialect::Foundry,
        };
        let sum = sums.entry(dialect.as_str()).or_default();
        match ad_hoc_in(formula, dialect) {
            (Some(dice), _) => {
                sum.0 += 1;
                let _ = total(&dice, &mut Seeded::new(1));
                let written = dice.to_string();
                if written == formula {
                    continue;
                }
                let _ = writeln!(lines, "{dialect}  {formula}  ->  {written}");
            }
            (None, _) => {
                if STILL.contains(&formula) {
                    sum.2 += 1
                } else {
                    sum.1 += 1
                }
                let why = read(formula, dialect).expect_err("no dice");
                let _ = writeln!(lines, "{dialect}  {formula}  !!  {why}");
            }
        }
    }
    let mut all = String::from("dialect  read  refused rightly  refused still\n");
    for (dialect, (read, rightly, still)) in sums {
        let _ = writeln!(all, "{dialect}  {read}  {rightly}  {still}");
    }
    let _ = write!(all, "\nread as written where not listed\n{lines}");
    insta::assert_snapshot!("formulas", all);
}

#[test]
fn where_the_tools_part() {
    use Dialect::{Avrae, Cicatriz, Foundry, Roll20, RpgDiceRoller};
    let table: [(&str, [&str; 5]); 12] = [
        ("4d6k3", ["4d6kh3", "4d6kh3", "4d6kh3", "4d6only3", "4d6kh3"]),
        ("6d10>7", ["6d10>7", "6d10>=7", "", "(6d10) > 7", "6d10>7"]),
        ("6d10!>8", ["6d10!>8", "6d10!>=8", "", "", "6d10!>8"]),
        ("6d6r2", ["6d6rr2", "6d6rr2", "6d6ro2", "", ""]),
        ("6d6r=2", ["6d6rr2", "6d6rr2", "6d6ro2", "", "6d6rr2"]),
        ("1d20!=3", ["1d20!3", "1d20!3", "", "(1d20) != 3", "1d20!3"]),
        ("7/2", ["", "", "", "7 / 2 down", ""]),
        ("4d6kh3!", ["4d6kh3!", "4d6!kh3", "", "", "4d6!kh3"]),
        ("6d10x>8", ["", "", "6d10!>8", "", ""]),
        ("6d10e>8", ["", "", "", "6d10!>8", ""]),
        ("8d6mi2ma5", ["", "", "", "8d6min2max5", ""]),
        ("6d10cs>7", ["", "6d10", "6d10>7", "", "6d10"]),
    ];
    for (text, readings) in table {
        for (dialect, reading) in [Cicatriz, Roll20, Foundry, Avrae, RpgDiceRoller].into_iter().zip(readings) {
            let got = read(text, dialect).unwrap_or_default();
            assert_eq!(got, reading, "`{text}` in {dialect}");
        }
    }
    assert_eq!(read("3 + 1d6>=4", Avrae), Ok("3 + 1d6 >= 4".to_owned()));
    assert_eq!(read("floor(7/2) + ceil(1d6/2)", Roll20), Ok("7 / 2 down + 1d6 / 2 up".to_owned()));
    assert_eq!(read("{7d%}k3", RpgDiceRoller), Ok("{7d100kh3}".to_owned()));
    assert_eq!(read("10d6p<3pl1", Avrae), Ok("10d6only>=3dl1".to_owned()));
}

#[test]
fn a_file_says_whose_notation_its_dice_are_in() {
    let text = |line: &str| format!("system t \"T\" lang es\n{line}table a \"A\" = 6d6r2 {{\n  6-36 x \"X\"\n}}\n");
    let form = |line: &str| {
        let checked = check_text("t.rules", &text(line));
        checked.program.map(|program| program.dice.iter().map(|dice| dice.to_string()).collect::<Vec<_>>())
    };
    assert_eq!(form("dialect foundry\n"), Some(vec!["6d6ro2".to_owned()]));
    assert_eq!(form("dialect roll20\n"), Some(vec!["6d6rr2".to_owned()]));
    assert_eq!(form("dialect avrae\n"), None);
    let slip = check_text("t.rules", &text("dialect roll21\n"));
    let told = slip.diagnostics.first().expect("a fault");
    assert_eq!(
        (told.code, told.help.clone().unwrap_or_default().to_string()),
        (Code::NameUnknown, "write `roll20`".into())
    );
    // Other tools' readings are noted in rule files too, unless a dialect is named.
    let noted = check_text("t.rules", &text(""));
    assert!(noted.diagnostics.iter().any(|told| told.code == Code::DiceDialect && told.severity == Severity::Note));
    assert!(check_text("t.rules", &text("dialect foundry\n")).diagnostics.is_empty());
}

#[test]
fn notes_offer_what_to_write() {
    let noted = [
        ("4d6kh3!", "4d6!kh3"),
        ("6d10>7", "6d10>=7"),
        ("6d10!<3", "6d10!<=3"),
        ("6d6r", "6d6rr"),
        ("6d6r2 + 1", "6d6rr2 + 1"),
        ("d66", "d66 digits"),
        ("2d6>=7", "(2d6) >= 7"),
        ("2d6>=7 + 3", "((2d6) >= 7) + 3"),
        ("1d4 + {2d6, 1d8}kh1min3", "1d4 + {2d6, 1d8}min3kh1"),
    ];
    for (text, better) in noted {
        let all = notes(text);
        assert_eq!(all.len(), 1, "{text}: {all:?}");
        assert_eq!(edited(text, &all[0]), better, "{text}");
        assert!(notes(better).is_empty(), "{better}");
    }
    for quiet in
        ["4d6!kh3", "6d10>=7f<=1", "4d6kh3dl1", "4d6dl1kh2", "d66 digits", "1d6rr<=2", "4d6sdkh3", "d%", "2d6 > 7"]
    {
        assert_eq!(notes(quiet), [], "{quiet}");
    }
}

#[test]
fn faults_say_what_to_type() {
    let faults = [
        ("4d64d6", "write `4d6 + 4d6`"),
        ("3 + 1d6>=4", "write `(3 + 1d6) >= 4` to compare, `3 + (1d6>=4)` to count"),
        ("7/2", "write `7 / 2 down`, or `up`, or `near`"),
        ("1d6cs>4", "write `>4`"),
        ("4d6 drop lowest", "write `4d6dl1`"),
        ("4d6 keep 3", "write `4d6kh3`"),
        ("4d6 keep lowest 2", "write `4d6kl2`"),
        ("1d20 adv", "write `2d20kh1`"),
        ("1d20dis", "write `2d20kl1`"),
        ("🎲", "write a value: `2d6 + 3`"),
        ("1d6mi2", "write `min2`"),
        ("1d4x10", "write `1d4 * 10`"),
        ("2d6 fire damage", "for a comment write `# fire damage`"),
        ("1d6 + @str.mod + 2", "write the number itself in its place"),
        ("1d6 + flor(7/2)", "write `floor`"),
    ];
    for (text, help) in faults {
        let (dice, told) = ad_hoc(text);
        assert_eq!(dice, None, "{text}");
        let error = told.iter().find(|told| told.severity == Severity::Error).expect(text);
        assert_eq!(error.help.clone().unwrap_or_default(), help, "{text}");
        if !error.edits.is_empty() {
            let better = edited(text, error);
            assert!(ad_hoc(&better).0.is_some(), "{text}: {better}");
        }
    }
}

#[test]
fn signs_of_other_scripts_and_keyboards() {
    for (text, read_as) in [
        ("2d6\u{2212}1", "2d6 - 1"),
        ("2d6 \u{2013} 1", "2d6 - 1"),
        ("2d6 × 3", "2d6 * 3"),
        ("2d6 ÷ 2 down", "2d6 / 2 down"),
        ("\u{ff12}d\u{ff16}", "2d6"),
        ("6d10≥7", "6d10>=7"),
        ("1D6+1d20[fuego] # al pasar", "1d6 + 1d20[fuego]"),
    ] {
        assert_eq!(read(text, Dialect::Cicatriz), Ok(read_as.to_owned()), "{text}");
    }
}

#[test]
fn functions_stand_wherever_dice_can() {
    for (text, read_as) in [
        ("exploding(1dF) > exploding(1d2) * 3", "(exploding(1dF, top 1)) > exploding(1d2, top 1) * 3"),
        ("-twice(1d6)", "-2d6"),
        ("(min(twice(1d6), maximum(1d8)))[frío]", "(min(2d6, 8))[frío]"),
        ("(minimum(2d4))d6", "2d6"),
        ("exploding((d6)[frío])", "(exploding(1d6, top 1))[frío]"),
        ("{twice(1d6), 1d4}kh(abs(-1))", "{2d6, 1d4}kh1"),
        ("floor(2d6) + round(1d4)", "2d6 + 1d4"),
        ("max(1, 3) + (2 > 1)", "3 + 1"),
    ] {
        assert_eq!(read(text, Dialect::Cicatriz), Ok(read_as.to_owned()), "{text}");
    }
    assert!(read("twice(1d6, 2)", Dialect::Cicatriz).is_err());
    assert!(read("min()", Dialect::Cicatriz).is_err());
}

/// Whatever is typed is rolled or refused, never half read; nothing hangs or breaks.
#[test]
fn hostile_input_is_answered() {
    let hostile = [
        format!("{}1d6{}", "(".repeat(20_000), ")".repeat(20_000)),
        format!("{}1d6{}", "(".repeat(2_000), ")".repeat(2_000)),
        vec!["1d6"; 2_000].join("+"),
        vec!["1d6"; 1_000].join("+"),
        vec!["1"; 2_000].join("+"),
        "9999999d999999999".to_owned(),
        "(99^99)d20".to_owned(),
        "9".repeat(300),
        format!("1d{}", "9".repeat(300)),
        "1d1!".to_owned(),
        "d8r=4r<4r>4".to_owned(),
        "1d10000!<10000".to_owned(),
        "1d6r<=6".to_owned(),
        "2d2r=1r=2".to_owned(),
        "\u{2212}".to_owned(),
        "2d6\u{2212}".to_owned(),
        "\u{ff10}d\u{ff16}".to_owned(),
        "2d6 \u{1f3b2}".to_owned(),
        "2d6\0+1".to_owned(),
        "\0".to_owned(),
        String::new(),
        "d".to_owned(),
        "{".repeat(500),
        "{1d6,".repeat(100),
        "-".repeat(4_000),
        "!".repeat(4_000),
        format!("1d6{}", "!".repeat(4_000)),
        format!("1d6{}", "kh1".repeat(1_300)),
        format!("1d6{}", "r1".repeat(2_000)),
        "((((((((1d4)d4)d4)d4)d4)d4)d4)d4)d4!".to_owned(),
        "10000d1000000000!!>1".to_owned(),
        "9223372036854775807*2".to_owned(),
        "-9223372036854775808-1".to_owned(),
        "min()".to_owned(),
        "twice(twice(twice(twice(9000d6))))".to_owned(),
        // Found by the fuzz target.
        "6d90>71!==8".to_owned(),
        "exploding(1dF) > exploding(1d2) * 3".to_owned(),
    ];
    for text in &hostile {
        for dialect in Dialect::OTHERS.into_iter().chain([Dialect::Cicatriz]) {
            let (dice, told) = ad_hoc_in(text, dialect);
            let short: String = text.chars().take(40).collect();
            assert!(dice.is_some() || told.iter().any(|told| told.severity == Severity::Error), "{short}");
            if let Some(dice) = dice {
                let _ = total(&dice, &mut Seeded::new(1));
            }
        }
    }
    for endless in ["1d1!", "1d6r<=6", "2d2r=1r=2", "d8r=4r<4r>4"] {
        assert!(read(endless, Dialect::Cicatriz).is_err_and(|why| why.starts_with("dice::endless")), "{endless}");
    }
    assert!(
        read("9999999d999999999", Dialect::Cicatriz)
            .is_err_and(|why| why.contains("9,999,999") && why.contains("10,000"))
    );
}

#[test]
fn dice_written_for_another_tool() {
    use Dialect::{Avrae, Foundry, Roll20, RpgDiceRoller};
    let written = |text: &str, to| write_as(&ad_hoc(text).0.expect(text), to);
    assert_eq!(written("4d6kh3", Roll20), Ok("4d6kh3".to_owned()));
    assert_eq!(written("6d10>=7f<=1", Roll20), Ok("6d10>7f<1".to_owned()));
    assert_eq!(written("6d10>7", Roll20), Ok("6d10>8".to_owned()));
    assert_eq!(written("6d10>=7", Foundry), Ok("6d10cs>=7".to_owned()));
    assert_eq!(written("4d6!kh3", Foundry), Ok("4d6xkh3".to_owned()));
    assert_eq!(written("4d6!kh3", Avrae), Ok("4d6e6kh3".to_owned()));
    assert_eq!(written("6d6rr2", RpgDiceRoller), Ok("6d6r=2".to_owned()));
    assert_eq!(written("1d6 / 2 down", Roll20), Ok("floor(1d6 / 2)".to_owned()));
    assert!(written("4d6kh3!", Roll20).is_err_and(|why| why.contains("order")));
    assert!(written("6d10>=7", Avrae).is_err());
    assert!(written("d66 digits", Foundry).is_err());
}

fn words() -> impl Strategy<Value = String> {
    let number = || prop::sample::select(vec!["0", "1", "2", "3", "6", "10", "(1 + 1)", "(1d3)"]);
    let sign = || prop::sample::select(vec!["", "=", ">", "<", ">=", "<=", "<>"]);
    let point = move || (sign(), number()).prop_map(|(sign, number)| format!("{sign}{number}"));
    let modifier = prop_oneof![
        (prop::sample::select(vec!["kh", "kl", "dh", "dl", "k", "d"]), number())
            .prop_map(|(how, n)| format!("{how}{n}")),
        (prop::sample::select(vec!["!", "!!", "!p", "!o", "r", "rr", "ro", "only"]), point())
            .prop_map(|(how, p)| format!("{how}{p}")),
        prop::sample::select(vec!["!", "!!", "!p", "!o", "rr", "ro", " even", " odd", " u", " sd", "s"])
            .prop_map(str::to_owned),
        (prop::sample::select(vec!["min", "max"]), number()).prop_map(|(how, n)| format!("{how}{n}")),
        (prop::sample::select(vec![">=", "<=", "=", "<>"]), number()).prop_map(|(sign, n)| format!("{sign}{n}")),
        Just(">=3f<=1".to_owned()),
    ];
    let faces = prop::sample::select(vec!["6", "10", "%", "F", "[1, 1, 4]", "66 digits", "(2 * 3)", "2", "F.1"]);
    let term = (prop::sample::select(vec!["", "1", "2", "4", "(1d3)"]), faces, prop::collection::vec(modifier, 0..3))
        .prop_map(|(count, faces, modifiers)| format!("{count}d{faces}{}", modifiers.concat()));
    let leaf = prop_oneof![4 => term, 1 => number().prop_map(str::to_owned)];
    leaf.prop_recursive(3, 10, 3, |inner| {
        prop_oneof![
            (inner.clone(), prop::sample::select(vec![" + ", " - ", "*", " >= ", " == ", " % "]), inner.clone())
                .prop_map(|(a, sign, b)| format!("{a}{sign}{b}")),
            inner.clone().prop_map(|a| format!("({a})")),
            inner.clone().prop_map(|a| format!("-{a}")),
            inner.clone().prop_map(|a| format!("({a})/2 down")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("max({a}, {b})")),
            inner.clone().prop_map(|a| format!("twice({a})")),
            inner.clone().prop_map(|a| format!("exploding({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{{{a}, {b}}}kh1")),
            inner.prop_map(|a| format!("({a})[fuego]")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_printed_reads_back_as_the_same_tree(text in words()) {
        if let (Some(dice), _) = ad_hoc(&text) {
            let printed = dice.to_string();
            let again = read_dice(&printed, Dialect::Cicatriz);
            prop_assert_eq!(again.as_ref(), Some(&dice), "`{}` printed as `{}`", text, printed);
        }
    }

    #[test]
    fn what_is_written_for_another_tool_rolls_the_same(text in words()) {
        let (Some(dice), _) = ad_hoc(&text) else { return Ok(()) };
        for dialect in Dialect::OTHERS {
            let Ok(written) = write_as(&dice, dialect) else { continue };
            let Some(again) = read_dice(&written, dialect) else {
                let why = read(&written, dialect);
                prop_assert!(false, "`{}` written for {} as `{}`: {:?}", dice, dialect, written, why);
                return Ok(());
            };
            if again == dice {
                continue;
            }
            if let (Ok(one), Ok(other)) = (of_dice(&dice), of_dice(&again)) {
                prop_assert!(one.chances() == other.chances(), "`{}` written for {} as `{}`, read as `{}`", dice, dialect, written, again);
            }
        }
    }

    #[test]
    fn nothing_is_half_read(text in "[0-9dk!r<>=+(){},. a-f\\[\\]%F-]{0,24}") {
        for dialect in Dialect::OTHERS.into_iter().chain([Dialect::Cicatriz]) {
            let (dice, told) = ad_hoc_in(&text, dialect);
            prop_assert!(dice.is_some() || told.iter().any(|told| told.severity == Severity::Error));
        }
    }
}

fn read_dice(text: &str, dialect: Dialect) -> Option<Dice> {
    ad_hoc_in(text, dialect).0
}
