//! Common slips: source, message, what is underlined, what to type. Where there is an edit, it
//! leaves a source that reads without a fault.

use super::{edited, parse, told};
use crate::source::FileId;

/// Wraps a sentence, a part or a row in what it stands in.
fn sentence(text: &str) -> String {
    format!("sheet c {{\n  on x {{\n    {text}\n  }}\n}}\n")
}

fn part(text: &str) -> String {
    format!("sheet c {{\n  {text}\n}}\n")
}

fn row(text: &str) -> String {
    format!("table t = 1d6 columns a: text {{\n  {text}\n  5-6  last \"Last\"\n}}\n")
}

#[track_caller]
fn slip(source: &str, expected: &str) {
    let expected: String = expected.lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
    let found: String = told(source).lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
    assert_eq!(found, expected.trim(), "\n{source}");
    let (_, faults) = parse(FileId(0), source);
    if faults.iter().all(|fault| !fault.edits.is_empty()) {
        let text = edited(source);
        assert_eq!(told(&text), "", "after the edits:\n{text}");
    }
}

#[test]
fn dashes_and_tabs_in_a_range_are_read_and_noted() {
    for (written, what) in [("1–3", "an en dash"), ("1—3", "an em dash"), ("1−3", "a minus sign"), ("1-\t3", "a tab")]
    {
        slip(
            &row(&format!("{written} graze \"A\"")),
            &format!("(note) there is {what} in this range\n`{written}`: read as `1-3`\nhelp: write `1-3`"),
        );
        assert!(parse(FileId(0), &row(&format!("{written} graze \"A\""))).0.whole);
    }
}

#[test]
fn a_second_d_that_drops_nothing() {
    slip(
        "table t = d6d { 1-6 a }",
        "the second `d` of `d6d` has nothing to drop
         `d`: drops the lowest die, and there is only one
         help: write `d6`",
    );
    slip("table t = 4d6d { 3-18 a }", "");
}

#[test]
fn equals_for_compare() {
    let fault = "`=` sets a value; `==` compares\n`=`: compares here\nhelp: write `==`";
    slip(&sentence("if hp = 0 -> dead"), fault);
    slip(&sentence("each injuries where row = graze { -> healed }"), fault);
    slip(&part("on x when hp = 0 { fall }"), fault);
    slip("scenario s {\n  then hp = 3\n}", fault);
}

#[test]
fn arrows() {
    slip(&part("states a => b"), "`=>` is written `->`\n`=>`: leads to a state\nhelp: write `-> b`");
    slip(&sentence("if hp == 0 → dead"), "`→` is written `->`\n`→`: leads to a state\nhelp: write `-> dead`");
    slip(
        &sentence("if hp == 0 dead"),
        "`->` is missing before `dead`
         `dead`: a state stands behind `->`, a sentence in braces
         help: write `-> dead` or `{ dead }`",
    );
}

#[test]
fn quotes_that_are_not_straight() {
    slip(
        &row("1-4 graze “A graze”"),
        "`“` is not the quote of a text\n`“`: a text stands between straight quotes\nhelp: write `\"A graze\"`",
    );
    slip(
        &row("1-4 graze «Un {corte»"),
        "`«` is not the quote of a text\n`«`: a text stands between straight quotes\nhelp: write `\"Un {corte\"`",
    );
    slip(
        &row("1-4 graze 'A graze'"),
        "`'` is not the quote of a text\n`'`: a text stands between straight quotes\nhelp: write `\"A graze\"`",
    );
}

#[test]
fn a_row_pasted_from_a_spreadsheet() {
    slip(
        &row("1-4\tgraze\tHerida superficial\tbreath"),
        "this row is pasted from a spreadsheet
         `1-4\tgraze\tHerida superficial\tbreath`: tabs between its cells
         help: write `1-4  graze  \"Herida superficial\" | breath`",
    );
    slip(
        &row("1\t4\tHerida superficial\tSin efecto"),
        "this row is pasted from a spreadsheet
         `1\t4\tHerida superficial\tSin efecto`: tabs between its cells
         help: write `1-4  herida_superficial  \"Herida superficial\" | \"Sin efecto\"`",
    );
    slip(&row("1-4\tgraze\t\"A\"\t| breath"), "");
}

#[test]
fn rows_pasted_from_markdown() {
    slip(
        &row("| 1–4 | Un golpe | breath |\n  |---|:--|---|"),
        "this row is pasted from Markdown
         `| 1–4 | Un golpe | breath |`: begins and ends with `|`
         help: write `1-4  un_golpe  \"Un golpe\" | breath`
         this line only rules off a table of Markdown
         `|---|:--|---|`: no row
         help: take it out",
    );
}

#[test]
fn decimals() {
    slip(
        &sentence("hp -= 2.5"),
        "`2.5` is not a whole number
         `2.5`: numbers have no decimals
         help: write a whole number, or a division: `5 / 2 down`",
    );
    slip(
        &sentence("hp -= 1,25"),
        "`1,25` is not a whole number
         `1,25`: numbers have no decimals
         help: write a whole number, or a division: `5 / 4 down`",
    );
}

#[test]
fn a_word_one_letter_off() {
    for (source, wrong, right) in [
        ("tabel wound = 2d6 { 2-12 a }".to_owned(), "tabel", "table"),
        ("shet c { hp: 0..3 }".to_owned(), "shet", "sheet"),
        ("Sheet c { hp: 0..3 }".to_owned(), "Sheet", "sheet"),
        (sentence("sufer prone"), "sufer", "suffer"),
        (sentence("rol limb"), "rol", "roll"),
        (part("valeu x = 3"), "valeu", "value"),
        (part("stats a -> b"), "stats", "states"),
        (part("hp: 0..3 = 3 stop"), "stop", "stops"),
        ("table t = 2d6 colums a: text { 2-12 a | \"b\" }".to_owned(), "colums", "columns"),
        ("scenario s {\n  whne wounded\n}".to_owned(), "whne", "when"),
    ] {
        slip(
            &source,
            &format!("`{wrong}` is not a word of the language\n`{wrong}`: perhaps `{right}`\nhelp: write `{right}`"),
        );
    }
}

#[test]
fn a_quote_that_is_not_closed() {
    slip(
        &row("1-4  graze \"A graze"),
        "this quote is not closed on its line
         `\"`: opened here
         ``: the line ends here
         help: write `\"` at both ends of the text",
    );
}

#[test]
fn brackets_that_are_not_closed() {
    slip(
        &row("1-4  graze \"A\" { if x { y }"),
        "this `{` is not closed\n`{`: opened here\nhelp: write `}` where it ends",
    );
    slip(&sentence("hp -= (1 + 2"), "this `(` is not closed\n`(`: opened here\nhelp: write `)` where it ends");
    slip(
        "sheet c {\n  on x {\n    if a {\n      b\n  }\n  on y { c }\n",
        "this `{` is not closed\n`{`: opened here\nhelp: write `}` where it ends\n\
         this `{` is not closed\n`{`: opened here\nhelp: write `}` where it ends",
    );
    slip(
        "sheet c {\n  hp: 0..3\n\nsheet d {\n  of x\n}",
        "this `{` is not closed
         `{`: opened here
         help: write `}` where it ends
         `of` is a word of the language
         `of`: cannot be a name
         help: call it `of_`, or something else",
    );
    slip(
        "sheet c {\n  on x { a }\n  }\n  hp: 0..3\n}\nkind a = b",
        "this `}` closes nothing\n`}`: nothing is open here\nhelp: take out `}`, or write what opens before it",
    );
}

#[test]
fn an_opening_brace_that_is_missing() {
    slip(
        "sheet c\n  hp: 0..3\n  on x { fall }\n}\nkind a = b",
        "`{` is missing at the end of this line
         ``: what follows stands between `{` and `}`
         help: write `sheet c {`",
    );
    slip(
        &part("on x when y\n    fall\n  }\n  on z { fall }"),
        "`{` is missing at the end of this line
         ``: what follows stands between `{` and `}`
         help: write `on x when y {`",
    );
}

#[test]
fn else_if_in_other_words() {
    slip(
        &sentence("if a { b }\n    elif c { d }"),
        "`elif` is written `else if`\n`elif`: not a word of the language\nhelp: write `else if`",
    );
    slip(&sentence("if a { b }\n    else if c -> d\n    else -> e"), "");
    slip(
        &sentence("if a then { b }"),
        "`then` is not written behind `if`\n`then`: not needed\nhelp: write what happens in braces: `if … { … }`",
    );
}

#[test]
fn text_behind_the_end_of_a_row() {
    slip(
        &row("1-4  graze \"A\" | b c"),
        "this stands behind the end of the row
         `c`: not part of the row
         help: put `|` before a cell, quotes round a text, `//` before a comment",
    );
    slip(
        &row("1-4  graze \"A\" \"A paragraph.\""),
        "this stands behind the end of the row
         `\"A paragraph.\"`: not part of the row
         help: put the paragraph on a line of its own below",
    );
}

#[test]
fn colons_and_equals() {
    slip(&sentence("hp: 5"), "a value is set with `=`\n`:`: `:` says what a track can hold\nhelp: write `hp =`");
    slip(
        "kind side: left | right",
        "`=` stands before the names of a kind\n`:`: `=` stands here\nhelp: write `kind side =`",
    );
    slip(
        "option e = a | b",
        "`:` stands here, not `=`\n`=`: what it can be stands behind `:`\nhelp: write `option e: …`",
    );
    slip(
        &part("hp = 0..3"),
        "the bounds of a track stand behind `:`\n`=`: a default stands behind `=`\nhelp: write `hp: 0..3`",
    );
    slip(
        &part("hp 0..3 = 3"),
        "`:` is missing before `0..3`\n`0`: what it can be stands behind `:`\nhelp: write `hp: 0..3 = 3`",
    );
    slip(
        "kind side left | right",
        "`=` is missing before `left`\n`left`: stands behind `=`\nhelp: write `= left | right`",
    );
    slip(
        "table t \"T\" 2d6 { 2-12 a }",
        "`=` is missing before the dice\n`2d6`: what is rolled on the table\nhelp: write `= 2d6`",
    );
}

#[test]
fn signs_of_other_languages() {
    for (source, wrong, right) in [
        ("if a && b { c }", "&&", "and"),
        ("if a || b { c }", "||", "or"),
        ("if !a { b }", "!", "not"),
        ("if a <> b { c }", "<>", "!="),
    ] {
        slip(
            &sentence(source),
            &format!("`{wrong}` is written `{right}`\n`{wrong}`: not a sign of the language\nhelp: write `{right}`"),
        );
    }
}

#[test]
fn comments_of_other_languages() {
    for (mark, source) in [("#", "hp: 0..3 # life"), ("--", "hp: 0..3 -- life")] {
        slip(
            &part(source),
            &format!("a comment begins with `//`\n`{mark}`: not how a comment is written\nhelp: write `// life`"),
        );
    }
    slip(
        &part("hp: 0..3 /* life */"),
        "a comment begins with `//`\n`/*`: not how a comment is written\nhelp: write `// life` at the end of a line",
    );
    slip(
        &part("/* a }\n     b */\n  hp: 0..3"),
        "a comment begins with `//`\n`/*`: not how a comment is written\nhelp: write `//` before each line of it",
    );
    slip("# life\nkind a = b", "a comment begins with `//`\n`#`: not how a comment is written\nhelp: write `// life`");
}

#[test]
fn names_with_a_hyphen_or_a_blank() {
    slip(
        &row("1-4  broken-leg \"A\""),
        "`broken-leg` cannot be a name\n`broken-leg`: a name has letters, digits and `_`\nhelp: call it `broken_leg`",
    );
    slip(
        &row("1-4  broken leg \"A\""),
        "`broken leg` cannot be a name\n`broken leg`: a name is one word\nhelp: call it `broken_leg`",
    );
    slip(&part("max hp: 0..3"), "`max hp` cannot be a name\n`max hp`: a name is one word\nhelp: call it `max_hp`");
    slip(
        "sheet old-char { hp: 0..3 }",
        "`old-char` cannot be a name\n`old-char`: a name has letters, digits and `_`\nhelp: call it `old_char`",
    );
}

#[test]
fn titles_and_names_that_are_missing() {
    slip(
        &row("1-4  graze Herida superficial | \"b\""),
        "a title stands in quotes\n`Herida superficial`: not in quotes\nhelp: write `\"Herida superficial\"`",
    );
    slip(
        "table \"Tabla de heridas\" = 2d6 { 2-12 a }",
        "the name is missing before the title
         `\"Tabla de heridas\"`: this is the title
         help: write `table tabla_de_heridas \"Tabla de heridas\"`",
    );
    slip(
        &row("1-4  of \"A\""),
        "`of` is a word of the language\n`of`: cannot be a name\nhelp: call it `of_`, or something else",
    );
}

#[test]
fn dice_that_are_none() {
    slip(
        &sentence("hp -= 1d6x"),
        "`x` is nothing that can be done to dice
         `x`: glued to `1d6`
         help: keep `kh1` `kl1`, drop `dh1` `dl1`, explode `!`, roll again `r1`, count `>=5`",
    );
    slip(
        &sentence("hp -= 1d6x3"),
        "`x3` is nothing that can be done to dice\n`x3`: glued to `1d6`\nhelp: write `1d6 * 3`",
    );
    slip(
        &sentence("hp -= 2d"),
        "these dice have no faces\n`d`: a number is missing behind it\nhelp: write `d6`, `d%` or `dF`",
    );
    slip(
        &sentence("hp = 3 + 1d6>=4"),
        "does `>=4` count the dice of `1d6>=4`, or compare the whole sum?
         `>=4`: glued to dice at the end of a sum
         help: write `(3 + 1d6) >= 4` to compare, `3 + (1d6>=4)` to count",
    );
}

#[test]
fn what_happens_and_what_holds() {
    slip(
        &part("until treated { suffer prone }"),
        "`suffer` happens once; what stands here holds
         `suffer`: nothing happens in a sheet or a block by itself
         help: write `has prone`",
    );
    slip(
        &part("hp -= 3"),
        "a change happens once; what stands here holds
         `-=`: nothing happens in a sheet or a block by itself
         help: put it where it happens (`on made { … }`), or let it hold: `+1 to …`",
    );
    slip(
        &sentence("has prone"),
        "`has` holds; what stands here happens once
         `has`: for how long?
         help: write `suffer prone`, or let it hold: `until … { has prone }`",
    );
}

#[test]
fn forms_the_language_does_not_have() {
    slip(
        &sentence("foe.damage(5)"),
        "nothing happens by this: an event is sent with `to`
         `foe.damage(5)`: a value, not a sentence
         help: write `damage(5) to foe`",
    );
    slip(
        &sentence("if a < b < c { d }"),
        "a comparison cannot be compared again
         `<`: a second comparison
         `a < b`: this is already yes or no
         help: join two comparisons with `and`: `a < b and b < …`",
    );
    slip(
        &sentence("x = a down"),
        "`down` stands behind something that is not divided
         `down`: rounds a division
         help: write it behind the division: `hp / 2 down`",
    );
    slip(
        &sentence("x = 99999999999999999999"),
        "the number `99999999999999999999` is too large
         `99999999999999999999`: too large to count with
         help: the largest number is 9223372036854775807",
    );
    slip(
        &sentence("say hello"),
        "a text stands in quotes
         `hello`: not in quotes
         help: write `say \"hello\"`",
    );
}

#[test]
fn what_could_stand_there_is_told_in_an_authors_words() {
    slip(
        &sentence("5"),
        "no sentence begins with `5`\n`5`: cannot begin here\nhelp: begin with a track (`hp -= 1`), an event (`damage(5)`), `suffer`, `if`, `roll`, `->` …",
    );
    slip(&sentence("x ="), "this sentence ends too soon\n`=`: nothing follows `=`\nhelp: here can stand a value");
    slip(
        &part("check a = 1d6"),
        "this line ends too soon\n`1d6`: nothing follows `1d6`\nhelp: here can stand `passes`, a sign (`+`, `==`, `and` …) or `if`",
    );
    slip(
        &sentence("t = max(1 2)"),
        "`2` cannot stand here\n`2`: not read from here on\nhelp: here can stand `,`, `)`, a sign (`+`, `==`, `and` …) or `if`",
    );
    slip(
        "scenario s {\n  outcome\n}",
        "`outcome` needs more behind it\n`outcome`: the line ends here\nhelp: write, for example, `outcome repeats`",
    );
    slip(
        "foo bar\nbaz",
        "this belongs to no table, sheet or scenario
         `foo bar`: stands by itself
         help: begin with `system`, `dialect`, `option`, `use`, `clock`, `time`, `kind`, `table`, `sheet`, `scenario` or `extend`",
    );
}

#[test]
fn semicolons_behind_everything_are_read() {
    slip("kind a = b;\nsheet c {\n  hp: 0..3;\n  on x { a; b; };\n};\ntable t = 1d6 {\n  1-6 a;\n};", "");
}

#[test]
fn rows_as_other_books_write_them() {
    for (written, right) in [("1/4", "1-4"), ("1 4", "1-4"), ("1 a 4", "1-4"), ("1 to 4", "1-4"), ("3 or 4", "3, 4")] {
        slip(
            &row(&format!("{written} graze \"A\"")),
            &format!(
                "`{written}` is not how a row says what it answers
                 `{written}`: read as a number, and something behind it
                 help: write `{right}`"
            ),
        );
    }
    slip(&row("1-4: graze \"A\""), "a row has no `:` behind what it answers\n`:`: not needed\nhelp: write `1-4`");
    slip(
        &row("1-4 dead_leg 2 \"A\""),
        "`dead_leg 2` cannot be a name\n`dead_leg 2`: a name is one word\nhelp: call it `dead_leg_2`",
    );
    slip(
        &row("1-3 graze \"A\" { suffer prone } 4 cut \"B\""),
        "a row stands on a line of its own\n`4`: the next row begins here\nhelp: begin a new line here",
    );
    slip(
        "table t = 1d6 {\n  \"Duele.\"\n  1-6 graze\n}\n",
        "this text belongs to no row
         `\"Duele.\"`: a row begins with what it answers
         help: write, for example, `1-3  duele  \"Duele.\"`",
    );
    slip(
        &row("1-4 graze \"A\"\n  suffer prone"),
        "what a row does stands in braces\n`suffer prone`: not in braces\nhelp: write `{ suffer prone }`",
    );
}

#[test]
fn what_is_said_as_in_speech() {
    slip(
        &sentence("sufre prone"),
        "`sufre` is written `suffer`\n`sufre`: the words of the language are English\nhelp: write `suffer`",
    );
    slip(
        &sentence("say Te duele"),
        "a text stands in quotes\n`Te duele`: not in quotes\nhelp: write `say \"Te duele\"`",
    );
    for (written, right) in [("gain 2 hp", "hp += 2"), ("lose 1d6 hp", "hp -= 1d6")] {
        slip(
            &sentence(written),
            &format!("a track changes by a sign behind its name\n`{written}`: said in words\nhelp: write `{right}`"),
        );
    }
    slip(
        &sentence("if has prone { hp -= 1 }"),
        "a condition is asked for by its name alone\n`has prone`: `has` gives it\nhelp: write `if prone`",
    );
    slip(
        &part("on x when hp > 2 and has prone { hp -= 1 }"),
        "a condition is asked for by its name alone\n`has prone`: `has` gives it\nhelp: write `and prone`",
    );
    slip(
        &sentence("if 30% { suffer prone }"),
        "a chance is rolled for\n`30%`: a part of a hundred\nhelp: write `1d100 <= 30`",
    );
    slip(
        &sentence("forever { has prone }"),
        "`forever` is written `for ever`\n`forever`: two words\nhelp: write `for ever`",
    );
    slip(
        "system casa \"Casa\" lang español\n",
        "a language is written as its code\n`español`: a name\nhelp: write `lang es`",
    );
}

#[test]
fn signs_that_other_languages_would_take() {
    slip(
        &sentence("if hp < 3: suffer prone"),
        "what follows stands in braces\n`:`: `{` stands here\nhelp: write `{ suffer prone }`",
    );
    slip(
        &sentence("hp -= 1, suffer prone"),
        "sentences stand on lines of their own, or with `;` between them
         `,`: another sentence begins behind this
         help: write `;`",
    );
    for (written, right) in [("teeth - lost", "teeth -= lost"), ("hp++", "hp += 1"), ("hp + 1d6", "hp += 1d6")] {
        slip(
            &sentence(written),
            &format!("`{written}` changes nothing\n`{written}`: worked out, and kept nowhere\nhelp: write `{right}`"),
        );
    }
    slip(
        &sentence("-1 to pain"),
        "`-1 to pain` holds; what stands here happens once
         `-1 to pain`: for how long?
         help: say how long: `until … { -1 to pain }`",
    );
    slip(
        &part("teeth: 0-32 = 32"),
        "the bounds of a track stand with `..` between them\n`-`: a minus sign here\nhelp: write `0..32`",
    );
    slip(
        &part("states awake | dead"),
        "states say with `->` which of them leads where
         `|`: `->` stands here
         help: write `->`: `states awake -> dead final`",
    );
    slip(
        &sentence("if endurance = fails { suffer prone }"),
        "a check has `fails` behind its name\n`=`: no sign stands here\nhelp: write `endurance fails`",
    );
}
