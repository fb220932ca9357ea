use super::*;
use crate::plural::Plural;
use crate::say;

fn spanish() -> Ui {
    let texts = [
        ("there is no {what} called `{name}`", vec!["no hay {what} que se llame `{name}`"]),
        ("a table", vec!["una tabla"]),
        ("{head} or {last}", vec!["{head} o {last}"]),
        ("{left} die is left", vec!["sobra {left} dado", "sobran {left} dados"]),
    ];
    let texts = texts.map(|(id, forms)| (id.to_owned(), forms.into_iter().map(str::to_owned).collect()));
    Ui::new("es", Plural::two(), texts.into())
}

#[test]
fn holes_are_filled_in_both_languages() {
    let name = "herida";
    let wording = say!("there is no {what} called `{name}`", what = say!("a table"), name);
    assert_eq!(wording, "there is no a table called `herida`");
    assert_eq!(spanish().say(&wording), "no hay una tabla que se llame `herida`");
    assert_eq!(spanish().untranslated(&wording), Vec::<String>::new());
}

#[test]
fn what_has_no_translation_is_said_in_english_and_told() {
    let wording = say!("{what}, for ever", what = say!("a chair"));
    assert_eq!(spanish().say(&wording), "a chair, for ever");
    assert_eq!(spanish().untranslated(&wording), ["{what}, for ever", "a chair"]);
}

#[test]
fn the_first_value_chooses_the_form() {
    let told = |left: i64| say!("{left} die is left" | "{left} dice are left", left);
    assert_eq!(
        [told(1), told(0), told(7)].map(|t| t.to_string()),
        ["1 die is left", "0 dice are left", "7 dice are left"]
    );
    assert_eq!([told(1), told(2)].map(|t| spanish().say(&t)), ["sobra 1 dado", "sobran 2 dados"]);
}

#[test]
fn lists_read_as_people_write_them() {
    let either = |names: &[&str]| Wording::either(names.iter().map(|name| Wording::text(*name)));
    assert_eq!(either(&[]), "");
    assert_eq!(either(&["a"]), "a");
    assert_eq!(either(&["a", "b"]), "a or b");
    assert_eq!(spanish().say(&either(&["a", "b", "c"])), "a, b o c");
    assert_eq!(Wording::all_of(["a", "b", "c"]), "a, b and c");
}

#[test]
fn large_numbers_are_read_in_threes() {
    let read = |number| Wording::grouped(number).to_string();
    assert_eq!([0, 100, -1_234_567].map(read), ["0", "100", "-1,234,567"]);
    assert_eq!(read(i64::MIN), "-9,223,372,036,854,775,808");
    assert_eq!(spanish().say(&Wording::grouped(10_000)), "10\u{a0}000");
}

#[test]
fn braces_stand_as_written() {
    assert_eq!(say!("write `{`"), "write `{`");
    assert_eq!(say!("write `{{{name}}}`", name = "teeth"), "write `{teeth}`");
    assert_eq!(say!("{name} as it is", name = "{left}"), "{left} as it is");
    assert_eq!(holes("{{a}} {b} {c}{b}"), ["b", "c", "b"]);
}
