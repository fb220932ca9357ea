//! Catalogs: what translators are given, what becomes of it when rules change, and that no
//! translation changes a rule.

use std::path::{Path, PathBuf};
use std::process::Command;

use cicatriz::check::{Argument, Checked, arguments, check_text};
use cicatriz::diagnostics::{Code, Severity};
use cicatriz::dice::Seeded;
use cicatriz::locale::{self, PSEUDO, po, po::Po, shipped::SHIPPED};
use cicatriz::program::{Program, ScenarioId, TableId, Type};
use cicatriz::run::{Defaults, Machine, Step, Trace, Value, play_out};
use cicatriz::source::Source;

const SYSTEMS: [&str; 4] = ["fifth_edition", "investigators", "old_world", "wandering_stars"];

fn rules() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")
}

fn checked(name: &str, text: &str) -> (Program, Vec<Source>) {
    let Checked { program, files, diagnostics, .. } = check_text(name, text);
    (program.unwrap_or_else(|| panic!("{name}: {diagnostics:?}")), files)
}

fn system(name: &str) -> (Program, Vec<Source>) {
    let path = rules().join(format!("{name}.rules"));
    checked(&path.to_string_lossy(), &std::fs::read_to_string(&path).expect("the system's file"))
}

fn catalog(text: &str) -> Po {
    po::read(Source::new("x.po", text))
}

/// A small system with a row for each of these ids and texts.
fn small(rows: &[(&str, &str)]) -> (Program, Vec<Source>) {
    let mut text = format!("system small \"Pequeño\" lang es\n\ntable fate \"Destino\" = 1d{} {{\n", rows.len());
    for (number, (id, words)) in rows.iter().enumerate() {
        text += &format!("  {}  {id}  \"{words}\"\n", number + 1);
    }
    checked("small.rules", &(text + "}\n"))
}

/// A catalog of it in English: every text with `EN ` before it.
fn small_en(rows: &[(&str, &str)]) -> Po {
    let (program, files) = small(rows);
    let mut po = locale::update(&catalog(""), &program, &files, "en").po;
    for entry in po.blocks.iter_mut().filter_map(|block| block.entry.as_mut()).filter(|e| !e.is_header()) {
        entry.texts = vec![format!("EN {}", entry.id)];
        entry.comments = vec![format!("# mine: {}", entry.id)];
    }
    catalog(&po.write())
}

// ── Reading and writing ─────────────────────────────────────────────────────────────────────

#[test]
fn what_is_read_is_written_byte_for_byte() {
    let whole = "\u{feff}# Anna\r\n#\r\nmsgid \"\"\r\nmsgstr \"Language: en\\n\"\r\n\r\n\r\n#. note\r\n#: a.rules\r\n\
                 #, fuzzy, no-wrap\r\n#= odd\r\n#| msgid \"was\"\r\nmsgctxt \"a/b\"\r\nmsgid \"\"\r\n\"one \"\r\n\"two\"\r\n\
                 msgstr \"x\" \"y\"\r\n#~ msgid \"gone\"\r\n#~ msgstr \"away\"\r\n\r\n# the end\r\n\r\n";
    let po = catalog(whole);
    assert_eq!(po.write(), whole);
    assert!(po.diagnostics.is_empty(), "{:?}", po.diagnostics);
    let entry = po.entries().next().expect("an entry");
    assert_eq!((entry.id.as_str(), entry.texts[0].as_str()), ("one two", "xy"));
    assert_eq!(entry.flags, ["fuzzy", "no-wrap"]);
    assert_eq!(entry.previous.id.as_deref(), Some("was"));
    assert_eq!(entry.unknown, ["#= odd"]);
    assert_eq!(po.blocks.iter().filter_map(|b| b.entry.as_ref()).filter(|e| e.obsolete).count(), 1);
    for text in
        ["", "\n\n", "msgid", "msgid \"a", "\"", "#", "#~", "#|", "msgstr[", "msgstr[99] \"\"", "\u{feff}", "\r\n"]
    {
        assert_eq!(catalog(text).write(), text);
    }
}

#[test]
fn broken_files_are_told_where_they_are_broken() {
    let told = |text: &str| {
        let po = catalog(text);
        assert_eq!(po.write(), text);
        let told = po.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        told.map(|d| (d.message.clone(), po.source.slice(d.span().expect("a place")).to_owned())).collect::<Vec<_>>()
    };
    let header = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n";
    let one = |entry: &str| told(&format!("{header}{entry}")).into_iter().next().expect("a fault");
    assert_eq!(one("msgid \"a\"\nmsgstr \"b\n"), ("a string that does not end".into(), "\"b".into()));
    assert_eq!(one("msgid \"a\"\nmsgstr \"b\" c\"\n"), ("a quote in the middle of a string".into(), "\"".into()));
    assert_eq!(one("msgid \"a\"\nmsgstr b\n"), ("a text without quotes".into(), "b".into()));
    assert_eq!(one("msgid \"a\"\n"), ("a message without a place for its translation".into(), "\"a\"".into()));
    assert_eq!(one("hello\n").1, "hello");
    assert_eq!(one("msgid \"a\"\nmsgstr \"\\q\"\n"), ("no such escape".into(), "\\q".into()));
    assert_eq!(one("msgid \"a\"\nmsgstr \"b\"\n\nmsgid \"a\"\nmsgstr \"c\"\n").0, "`a` stands here twice");
    assert_eq!(one("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[1] \"c\"\n").0, "the forms are not in order");
    let latin = told("msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=ISO-8859-1\\n\"\n");
    assert_eq!(latin[0].1, "Content-Type: text/plain; charset=ISO-8859-1");
    assert_eq!(catalog("msgid \"a\"\nmsgstr \"b\"\n").diagnostics[0].message, "the catalog has no header");
}

#[test]
fn no_damage_to_a_file_makes_reading_fail() {
    let whole = SHIPPED.iter().find(|known| known.lang == "ar").expect("a catalog").text;
    let letters: Vec<char> = whole.chars().take(4_000).collect();
    // A fixed stream of numbers: what fails once fails again.
    let mut state = 7u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (program, files) = system("investigators");
    for round in 0..400 {
        let mut text = letters.clone();
        for _ in 0..=next(8) {
            let (at, other) = (next(text.len()), next(text.len()));
            match next(5) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, ['"', '\\', '\n', '#', '~', '[', '{', '\u{feff}'][next(8)]),
                2 => text.truncate(at.max(1)),
                3 => text.swap(at, other),
                _ => text[at] = text[other],
            }
        }
        let text: String = text.into_iter().collect();
        let po = catalog(&text);
        assert_eq!(po.write(), text);
        let is_whole = po.diagnostics.iter().all(|fault| fault.severity != Severity::Error);
        if is_whole || round % 10 == 0 {
            let updated = locale::update(&po, &program, &files, "ar").po.write();
            let again = locale::update(&catalog(&updated), &program, &files, "ar").po.write();
            // The command leaves alone what cannot be read whole.
            assert!(!is_whole || updated == again, "{text}");
            locale::check(&po, Some(&program), "ar");
        }
    }
}

// ── Extracting and updating ─────────────────────────────────────────────────────────────────

#[test]
fn a_template_tells_what_a_translator_needs() {
    let text = "system s \"S\" lang es\nkind side \"Lado\" = left \"izquierdo\" | right \"derecho\"\n\
                /// On the way down.\ntable fall \"Caída\" = 1d6 {\n  /// Teeth of one's own.\n  1-2 teeth \"Boca\"\n\
                \"Escupes un diente.\" | \"Escupes {lost} dientes.\" { lost = 1d10 }\n  3+ none \"Nada\"\n}\n";
    let (program, files) = checked("rules/some/s.rules", text);
    let written = locale::extract(&program, &files).write();
    let expected = "#. Teeth of one's own.\n#. Caída [1-2]: Boca\n#. {lost}: 1..10 = 1d10\n#: s.rules\n\
                    #, python-brace-format\nmsgctxt \"s/fall/teeth\"\nmsgid \"Escupes un diente.\"\n\
                    msgid_plural \"Escupes {lost} dientes.\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n";
    assert!(written.contains(expected), "{written}");
    assert!(written.contains("#. Lado\n#: s.rules\nmsgctxt \"s/kind/side/left\"\nmsgid \"izquierdo\"\n"), "{written}");
    assert!(written.contains("#. On the way down.\n#: s.rules\nmsgctxt \"s/fall\"\n"), "{written}");
    let order: Vec<_> = ["\"S\"", "Lado", "izquierdo", "derecho", "\"Caída\"", "\"Boca\""].into();
    let places: Vec<_> = order.iter().map(|word| written.find(&format!("msgid {}", quoted(word)))).collect();
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]), "{places:?}");
    assert_eq!(written, locale::extract(&program, &files).write());
}

fn quoted(word: &str) -> String {
    if word.starts_with('"') { word.to_owned() } else { format!("\"{word}\"") }
}

#[test]
fn a_changed_row_turns_its_translation_fuzzy_and_no_other() {
    let old = small_en(&[("a", "Uno."), ("b", "Dos."), ("c", "Tres.")]);
    let (program, files) = small(&[("a", "Uno."), ("b", "Dos, o casi."), ("c", "Tres.")]);
    let updated = locale::update(&old, &program, &files, "en");
    assert_eq!((updated.kept, updated.stale, updated.new, updated.obsolete), (4, 1, 0, 0));
    let text = updated.po.write();
    let fuzzy = "# mine: Dos.\n#. Destino [2]\n#: small.rules\n#, fuzzy\n#| msgid \"Dos.\"\nmsgctxt \"small/fate/b/title\"\n\
                 msgid \"Dos, o casi.\"\nmsgstr \"EN Dos.\"\n";
    assert!(text.contains(fuzzy), "{text}");
    assert_eq!(text.matches("fuzzy").count(), 1);
    let again = locale::update(&catalog(&text), &program, &files, "en");
    assert_eq!((again.po.write(), again.stale), (text, 0));
}

#[test]
fn a_moved_row_keeps_its_translation() {
    let old = small_en(&[("a", "Uno."), ("b", "Dos."), ("c", "Tres.")]);
    // Another place, and another id.
    for rows in [[("c", "Tres."), ("a", "Uno."), ("b", "Dos.")], [("a", "Uno."), ("other", "Dos."), ("c", "Tres.")]] {
        let (program, files) = small(&rows);
        let updated = locale::update(&old, &program, &files, "en");
        assert_eq!((updated.stale, updated.new, updated.obsolete), (0, 0, 0));
        let text = updated.po.write();
        assert!(!text.contains("fuzzy") && text.contains("# mine: Dos.\n"), "{text}");
        let mut translated = program.clone();
        assert_eq!(locale::translate(&mut translated, &catalog(&text), "en").missing(), 0);
    }
}

#[test]
fn what_is_gone_waits_in_the_obsolete_part() {
    let old = small_en(&[("a", "Uno."), ("b", "Dos."), ("c", "Tres.")]);
    let (shorter, files) = small(&[("a", "Uno."), ("c", "Tres.")]);
    let gone = locale::update(&old, &shorter, &files, "en");
    assert_eq!((gone.obsolete, gone.new), (1, 0));
    let text = gone.po.write();
    let obsolete = "# mine: Dos.\n#~ msgctxt \"small/fate/b/title\"\n#~ msgid \"Dos.\"\n#~ msgstr \"EN Dos.\"\n";
    assert!(text.ends_with(obsolete), "{text}");
    assert_eq!(locale::update(&catalog(&text), &shorter, &files, "en").po.write(), text);
    let (whole, files) = small(&[("a", "Uno."), ("b", "Dos."), ("c", "Tres.")]);
    let back = locale::update(&catalog(&text), &whole, &files, "en");
    assert_eq!((back.new, back.stale), (0, 0));
    assert_eq!(back.po.write(), old.write());
}

#[test]
fn a_header_and_what_else_stands_in_a_file_survive() {
    let (program, files) = small(&[("a", "Uno."), ("b", "Dos.")]);
    let head = "# Of Anna and Ben.\nmsgid \"\"\nmsgstr \"\"\n\"Language: en\\n\"\n\"X-Generator: Poedit 3\\n\"\n\
                \"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n";
    let entry = "# why so\n#. Destino [1]\n#: small.rules\n#, no-wrap\n#= later\nmsgctxt \"small/fate/a/title\"\n\
                 msgid \"\"\n\"Uno.\"\nmsgstr \"\"\n\"One.\"\n";
    let text = locale::update(&catalog(&format!("{head}{entry}")), &program, &files, "en").po.write();
    assert!(text.starts_with(head) && text.contains(entry), "{text}");
}

#[test]
fn an_update_of_a_file_with_crlf_stays_one() {
    let old = small_en(&[("a", "Uno."), ("b", "Dos.")]).write().replace('\n', "\r\n");
    let (program, files) = small(&[("a", "Uno."), ("b", "Otro."), ("c", "Nuevo.")]);
    let text = locale::update(&catalog(&old), &program, &files, "en").po.write();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    assert_eq!(locale::update(&catalog(&text), &program, &files, "en").po.write(), text);
}

// ── Checking ────────────────────────────────────────────────────────────────────────────────

/// The codes told of one entry of a catalog in a language, with what they underline.
fn told(lang: &str, formula: &str, entry: &str) -> Vec<(Code, String)> {
    let text = format!("msgid \"\"\nmsgstr \"Language: {lang}\\nPlural-Forms: {formula}\\n\"\n\n{entry}");
    let po = catalog(&text);
    let found = locale::check(&po, None, lang);
    found.iter().map(|d| (d.code, po.source.slice(d.span().expect("a place")).to_owned())).collect()
}

const TWO: &str = "nplurals=2; plural=(n != 1);";

#[test]
fn placeholders_are_counted() {
    let one = |id: &str, text: &str| told("en", TWO, &format!("msgid \"{id}\"\nmsgstr \"{text}\"\n"));
    let fault = |place: &str| vec![(Code::LocalePlaceholder, place.to_owned())];
    assert_eq!(one("a {lost} b", "c {lost} d {lost}"), []);
    assert_eq!(one("a {lost} b", "c d"), fault("\"c d\""));
    assert_eq!(one("a b", "c {lost}"), fault("{lost}"));
    assert_eq!(one("a {lost}", "c {lots} {lost}"), fault("{lots}"));
    assert_eq!(one("a {lost}", "c {lost} {"), fault("{"));
    let forms = |lang: &str, formula: &str, texts: &[&str]| {
        let texts = texts.iter().enumerate().map(|(n, text)| format!("msgstr[{n}] \"{text}\"\n")).collect::<String>();
        told(lang, formula, &format!("msgid \"un diente\"\nmsgid_plural \"{{n}} dientes\"\n{texts}"))
    };
    assert_eq!(forms("en", TWO, &["a tooth", "{n} teeth"]), []);
    assert_eq!(forms("en", TWO, &["{n} tooth", "{n} teeth"]), []);
    assert_eq!(forms("en", TWO, &["a tooth", "teeth"]), fault("\"teeth\""));
    // In French the first form serves 0 too, and has to say which.
    assert_eq!(forms("fr", "nplurals=2; plural=(n > 1);", &["une dent", "{n} dents"]), fault("\"une dent\""));
}

#[test]
fn plural_formulas_are_tried() {
    let entry = "msgid \"a\"\nmsgid_plural \"{n} b\"\nmsgstr[0] \"c\"\nmsgstr[1] \"{n} d\"\n";
    let codes =
        |lang: &str, formula: &str| told(lang, formula, entry).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
    assert_eq!(codes("en", TWO), []);
    assert_eq!(codes("en", "nplurals=2; plural=n==1?0:1;"), []);
    assert_eq!(codes("en", "nplurals=2; plural=(n > 1);")[0], Code::LocalePlural);
    assert_eq!(codes("en", "nplurals=2; plural=(n;")[0], Code::LocalePlural);
    assert_eq!(codes("en", "nplurals=2; plural=n;")[0], Code::LocalePlural);
    assert_eq!(codes("en", "none")[0], Code::LocalePlural);
    assert_eq!(codes("pl", TWO)[0], Code::LocalePlural);
    let polish = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);";
    assert!(codes("pl", polish).contains(&Code::LocalePlural), "two forms where three are meant");
}

#[test]
fn ends_blanks_and_directions_are_compared() {
    let codes = |lang: &str, id: &str, text: &str| {
        let rule = locale::plural::usual(lang)[0];
        let told = told(lang, rule, &format!("msgid \"{id}\"\nmsgstr \"{text}\"\n"));
        told.into_iter().map(|(code, _)| code).collect::<Vec<_>>()
    };
    assert_eq!(codes("en", "Uno.", "One."), []);
    assert_eq!(codes("en", "Uno.", "One"), [Code::LocalePunctuation]);
    assert_eq!(codes("en", "¿Uno?", "One?"), []);
    assert_eq!(codes("ja", "¿Uno?", "一つ？"), []);
    assert_eq!(codes("en", "Uno", "One "), [Code::LocaleBlanks]);
    assert_eq!(codes("en", "torso", "torso"), [Code::LocaleSame]);
    assert_eq!(codes("en", "BIO", "BIO"), []);
    assert_eq!(codes("he", "PS de base", "נקודות HP"), [Code::LocaleDirection]);
    assert_eq!(codes("he", "PS de base", "נקודות \u{2068}HP\u{2069}"), []);
    assert_eq!(codes("en", "Uno", "One \u{2068}x"), [Code::LocaleDirection]);
}

#[test]
fn what_no_longer_fits_the_rules_is_told() {
    let old = small_en(&[("a", "Uno."), ("b", "Dos.")]);
    let (program, _) = small(&[("a", "Otro."), ("c", "Tres.")]);
    let codes: Vec<Code> = locale::check(&old, Some(&program), "en").iter().map(|d| d.code).collect();
    assert_eq!(codes, [Code::LocaleMissing, Code::LocaleStale, Code::LocaleStale]);
    let status = locale::status(&program, &old, "en");
    assert_eq!((status.texts, status.translated, status.missing), (4, 2, 2));
    assert!(status.reaches(50) && !status.reaches(51));
}

// ── The catalogs of this project ────────────────────────────────────────────────────────────

#[test]
fn the_shipped_catalogs_are_up_to_date_and_sound() {
    for known in SHIPPED {
        let (program, files) = system(known.system);
        let name = format!("{}/{}.po", known.lang, known.system);
        let po = po::read(Source::new(name.as_str(), known.text));
        assert_eq!(po.write(), known.text, "{name}");
        let updated = locale::update(&po, &program, &files, known.lang).po.write();
        assert_eq!(updated, known.text, "{name}: run `cicatriz translate update rules`");
        let found = locale::check(&po, Some(&program), known.lang);
        let faults: Vec<_> = found.iter().filter(|d| d.severity != Severity::Note).collect();
        assert!(faults.is_empty(), "{name}: {faults:?}");
        let status = locale::status(&program, &po, known.lang);
        assert!(known.lang != "en" || status.translated == status.texts, "{name}: {status:?}");
    }
    for system in SYSTEMS {
        assert!(SHIPPED.iter().any(|known| known.system == system && known.lang == "en"), "{system} in English");
    }
}

#[test]
fn gettext_itself_accepts_what_is_written() {
    if Command::new("msgfmt").arg("--version").output().is_err() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let accepted = |name: &str, text: &str| {
        let path = folder.path().join("x.po");
        std::fs::write(&path, text).expect("written");
        let told = Command::new("msgfmt").args(["-c", "-o", "-"]).arg(&path).output().expect("it runs");
        assert!(told.status.success(), "{name}: {}", String::from_utf8_lossy(&told.stderr));
    };
    for known in SHIPPED {
        accepted(known.system, known.text);
        let (program, files) = system(known.system);
        accepted("template", &locale::extract(&program, &files).write());
        accepted("pseudo", &locale::pseudo(&program, &files).write());
    }
    let old = small_en(&[("a", "Uno \\\"dos\\\"."), ("b", "Dos.")]);
    let (program, files) = small(&[("a", "Otro \\\"dos\\\"."), ("c", "Tres.")]);
    accepted("updated", &locale::update(&old, &program, &files, "en").po.write());
}

/// A run without its texts, and the outcome.
fn mechanics(program: &Program, machine: Machine<'_>, seed: u64) -> String {
    let mut machine = machine;
    let mut trace = Trace::new(&machine);
    let step = play_out(&mut machine, &mut Seeded::new(seed), &mut Defaults, &mut trace);
    let Step::Finished(outcome) = step else { return format!("{step:?}") };
    let mut json = serde_json::to_value(trace.json()).expect("JSON");
    for entry in json.as_array_mut().into_iter().flatten() {
        if let Some(entry) = entry.as_object_mut() {
            entry.remove("title");
            entry.remove("text");
            let table = entry.get("table").and_then(|id| program.tables.iter().find(|t| id.as_str() == Some(&t.id)));
            if let (Some(table), Some(cells)) = (table, entry.get_mut("cells").and_then(|cells| cells.as_object_mut()))
            {
                cells.retain(|name, _| table.columns.iter().any(|c| c.id == name && c.ty != Type::Text));
            }
        }
    }
    format!("{json}\n{}", outcome.text(program))
}

/// An argument for every parameter without a default.
fn some(program: &Program, id: &str, params: &[cicatriz::program::Param]) -> Option<Vec<Option<Value>>> {
    let given: Vec<(&str, String)> = params
        .iter()
        .filter(|param| param.default.is_none())
        .map(|param| match param.ty {
            Type::Number { low, high } => (param.id.as_str(), low.max(high.min(3)).to_string()),
            Type::Dice => (param.id.as_str(), "2d6".to_owned()),
            Type::YesNo => (param.id.as_str(), "yes".to_owned()),
            Type::Kind { kind, .. } => (param.id.as_str(), program.kinds[kind.index()].members[0].id.to_string()),
            _ => (param.id.as_str(), String::new()),
        })
        .collect();
    let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let args = arguments(program, id, params, &given).ok()?;
    let value = |argument| match argument {
        Argument::Number(number) => Value::Number(number),
        Argument::Dice(dice) => Value::Dice(dice),
    };
    Some(args.into_iter().map(|arg| arg.map(value)).collect())
}

#[test]
fn a_language_changes_no_die_no_id_and_no_number() {
    let mut compared = 0;
    for name in SYSTEMS {
        let (source, files) = system(name);
        let langs = SHIPPED.iter().filter(|known| known.system == name).map(|known| (known.lang, catalog(known.text)));
        for (lang, po) in langs.chain([(PSEUDO, locale::pseudo(&source, &files))]) {
            let mut program = source.clone();
            locale::translate(&mut program, &po, lang);
            assert_eq!(program.system.lang, lang);
            for seed in 1..=5 {
                for (index, scenario) in source.scenarios.iter().enumerate() {
                    let Some(args) = some(&source, &scenario.id, &scenario.params) else { continue };
                    let run = |program: &Program| {
                        let machine = Machine::scenario(program, &[], ScenarioId(index as u32), &args);
                        machine.map(|machine| mechanics(program, machine, seed)).unwrap_or_default()
                    };
                    assert_eq!(run(&source), run(&program), "{name} {} in {lang}", scenario.id);
                    compared += 1;
                }
                for (index, table) in source.tables.iter().enumerate() {
                    let Some(args) = some(&source, &table.id, &table.params) else { continue };
                    let run = |program: &Program| {
                        let machine = Machine::reading(program, &[], TableId(index as u32), &args);
                        machine.map(|machine| mechanics(program, machine, seed)).unwrap_or_default()
                    };
                    assert_eq!(run(&source), run(&program), "{name} {} in {lang}", table.id);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn nothing_in_the_four_systems_is_left_plain() {
    for name in SYSTEMS {
        let (source, files) = system(name);
        let mut program = source.clone();
        let done = locale::translate(&mut program, &locale::pseudo(&source, &files), PSEUDO);
        assert_eq!(done.missing(), 0, "{name}");
        let mut titles = vec![(program.system.id.clone(), program.system.title.clone())];
        let mut add = |id: &smol_str::SmolStr, title: &std::sync::Arc<str>| titles.push((id.clone(), title.clone()));
        program.options.iter().for_each(|o| add(&o.id, &o.title));
        program.options.iter().flat_map(|o| &o.members).for_each(|m| add(&m.id, &m.title));
        program.kinds.iter().for_each(|k| add(&k.id, &k.title));
        program.kinds.iter().flat_map(|k| &k.members).for_each(|m| add(&m.id, &m.title));
        program.tables.iter().for_each(|t| add(&t.id, &t.title));
        program.events.iter().filter(|e| !e.id.ends_with("_end")).for_each(|e| add(&e.id, &e.title));
        program.scenarios.iter().for_each(|s| add(&s.id, &s.title));
        program.scenarios.iter().flat_map(|s| &s.cases).for_each(|c| add(&c.id, &c.title));
        for sheet in &program.sheets {
            add(&sheet.id, &sheet.title);
            sheet.slots.iter().for_each(|s| add(&s.id, &s.title));
            sheet.values.iter().for_each(|v| add(&v.id, &v.title));
            sheet.checks.iter().for_each(|c| add(&c.id, &c.title));
            sheet.states.iter().for_each(|s| add(&s.id, &s.title));
            sheet.lists.iter().for_each(|l| add(&l.id, &l.title));
        }
        for (id, title) in titles {
            // What has no title in the rules is called by its id in every language.
            assert!(title.starts_with('⟦') || *title == *id || title.is_empty(), "{name}: {id} \"{title}\"");
        }
        for message in &program.messages {
            assert!(message.one.starts_with('⟦'), "{name}: {}", message.path);
        }
    }
}

#[test]
fn the_form_goes_by_the_catalogs_formula() {
    let text = "system s \"S\" lang es\ntable fall(lost: 0..200) \"Caída\" = 1d1 {\n  1 teeth \"Boca\"\n\
                \"Escupes un diente.\" | \"Escupes {lost} dientes.\"\n}\n";
    let (source, _) = checked("s.rules", text);
    let po = "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || \
              n%100>14) ? 1 : 2);\\n\"\n\nmsgctxt \"s/fall/teeth\"\nmsgid \"Escupes un diente.\"\n\
              msgid_plural \"Escupes {lost} dientes.\"\nmsgstr[0] \"ząb\"\nmsgstr[1] \"{lost} zęby\"\nmsgstr[2] \"{lost} zębów\"\n";
    let mut program = source.clone();
    assert_eq!(locale::translate(&mut program, &catalog(po), "pl").told, 1);
    for (lost, expected) in
        [(1, "ząb"), (2, "2 zęby"), (5, "5 zębów"), (12, "12 zębów"), (22, "22 zęby"), (0, "0 zębów")]
    {
        let mut machine = Machine::reading(&program, &[], TableId(0), &[Some(Value::Number(lost))]).expect("a run");
        let mut trace = Trace::new(&machine);
        play_out(&mut machine, &mut Seeded::new(1), &mut Defaults, &mut trace);
        assert!(trace.lines().iter().any(|line| line.trim() == expected), "{lost}: {:?}", trace.lines());
    }
}

#[test]
fn what_is_fuzzy_or_made_for_another_text_is_not_told() {
    let rows = [("a", "Uno."), ("b", "Dos."), ("c", "Tres.")];
    let (source, _) = small(&rows);
    let text =
        small_en(&rows).write().replace("#: small.rules\nmsgctxt \"small/fate/a", "#, fuzzy\nmsgctxt \"small/fate/a");
    let text = text.replace("msgid \"Dos.\"", "msgid \"Dos\"");
    let mut program = source.clone();
    let done = locale::translate(&mut program, &catalog(&text), "en");
    assert_eq!((done.texts, done.told), (5, 3));
    let titles: Vec<_> = program.messages.iter().map(|message| &*message.one).collect();
    assert_eq!(titles, ["Uno.", "Dos.", "EN Tres."]);
}

#[test]
fn a_variant_is_called_as_its_base_in_every_language() {
    let text = "system s \"S\" lang es\nsheet hero \"Héroe\" {\n  luck \"Suerte\": 0..9 = 1\n  states up \"en pie\" -> out \"fuera\" final\n\
                on hit \"Recibe\" { luck -= 1\n say \"Ay.\"\n -> out }\n}\nsheet champion \"Campeón\" like hero {\n  luck = 3\n}\n\
                scenario fight \"Lucha\" {\n  given champion\n  when hit\n}\n";
    let (source, files) = checked("s.rules", text);
    let mut program = source.clone();
    assert_eq!(locale::translate(&mut program, &locale::pseudo(&source, &files), PSEUDO).missing(), 0);
    let mut machine = Machine::scenario(&program, &[], ScenarioId(0), &[]).expect("a run");
    let mut trace = Trace::new(&machine);
    play_out(&mut machine, &mut Seeded::new(1), &mut Defaults, &mut trace);
    let lines = trace.lines().join("\n");
    assert!(lines.contains("⟦Åÿ") || lines.contains("⟦Å"), "{lines}");
    for plain in ["Suerte", "suerte", "en pie", "fuera", "Ay.", "Campeón", "Recibe"] {
        assert!(!lines.contains(plain), "{plain} in\n{lines}");
    }
}

// ── The command ─────────────────────────────────────────────────────────────────────────────

#[cfg(feature = "cli")]
mod command {
    use super::*;

    fn ran(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cicatriz"));
        command.env("CICATRIZ_UI", "en");
        let output =
            command.args(words).current_dir(folder).stdin(std::process::Stdio::null()).output().expect("it runs");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    const RULES: &str =
        "system small \"Pequeño\" lang es\n\ntable fate \"Destino\" = 1d2 {\n  1 a \"Uno\"\n  2 b \"Dos\"\n}\n";

    #[test]
    fn from_an_empty_folder_to_a_game_in_another_language() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path();
        std::fs::write(at.join("small.rules"), RULES).expect("written");
        let run = |lang: &str| ran(at, &["run", "small.rules", "fate", "--dice", "2", "--lang", lang]);
        let (status, _, err) = run("en");
        assert_eq!((status, err.as_str()), (Some(2), "cicatriz: `small` has no catalog in `en`; write --lang es\n"));

        let (status, out, _) = ran(at, &["translate", "extract", "small.rules"]);
        assert_eq!((status, out.trim().replace('\\', "/")), (Some(0), "locale/small.pot".to_owned()));
        let (status, out, _) = ran(at, &["translate", "update", "small.rules", "--lang", "en"]);
        assert_eq!(status, Some(0), "{out}");
        let path = at.join("locale/en/small.po");
        let text = std::fs::read_to_string(&path).expect("a catalog");
        std::fs::write(&path, text.replace("msgid \"Dos\"\nmsgstr \"\"", "msgid \"Dos\"\nmsgstr \"Two\""))
            .expect("written");
        let (status, out, err) = run("en_GB");
        assert!(status == Some(0) && out.contains("2  Two\n"), "{out}{err}");
        assert_eq!(err, "cicatriz: 3 of 4 texts are not in `en` yet; they are told in `es`\n");

        let (status, out, _) = ran(at, &["translate", "status", "small.rules", "--min", "50"]);
        assert_eq!(status, Some(1), "{out}");
        let (status, out, _) = ran(at, &["translate", "status", "small.rules", "--format", "json"]);
        let json: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(
            (status, &json["catalogs"][0]["translated"], &json["catalogs"][0]["percent"]),
            (Some(0), &1.into(), &25.into())
        );

        std::fs::write(&path, text.replace("msgid \"Dos\"\nmsgstr \"\"", "msgid \"Dos\"\nmsgstr \"Two {x}\""))
            .expect("written");
        let (status, out, _) = ran(at, &["translate", "check", "small.rules"]);
        assert!(status == Some(1) && out.contains("locale::placeholder"), "{out}");
        std::fs::write(&path, "msgid \"a\nmsgstr \"b\"\n").expect("written");
        let (status, _, err) = ran(at, &["translate", "update", "small.rules"]);
        assert!(status == Some(1) && err.contains("is left as it is"), "{err}");
        std::fs::write(&path, b"msgid \"a\xf1o\"\n").expect("written");
        let (status, _, err) = ran(at, &["translate", "update", "small.rules"]);
        assert!(status == Some(2) && err.contains("line 1 is not UTF-8"), "{err}");
        let (status, out, _) = ran(at, &["translate", "pseudo", "small.rules"]);
        assert!(status == Some(0) && out.contains("qps"), "{out}");
        assert!(run("qps").1.contains("⟦Døš"), "{:?}", run("qps"));
    }

    #[test]
    fn a_homebrew_file_speaks_the_language_of_what_it_uses() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::copy(rules().join("old_world.rules"), folder.path().join("old_world.rules")).expect("copied");
        let own = "system mine \"Lo mío\" lang es\nuse \"old_world.rules\"\n";
        std::fs::write(folder.path().join("mine.rules"), own).expect("written");
        let words = ["run", "mine.rules", "wound", "--dice", "10", "--lang", "en"];
        let (status, out, err) = ran(folder.path(), &words);
        assert!(status == Some(0) && out.contains("10  Crushed rib\n"), "{out}{err}");
        assert!(err.starts_with("cicatriz: 1 of "), "{err}");
    }

    #[test]
    fn the_program_carries_its_catalogs_inside() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::copy(rules().join("old_world.rules"), folder.path().join("mine.rules")).expect("copied");
        let words = ["run", "mine.rules", "wound", "--dice", "10", "--lang", "en"];
        let (status, out, err) = ran(folder.path(), &words);
        assert!(status == Some(0) && out.contains("10  Crushed rib\n") && err.is_empty(), "{out}{err}");
        let words = ["list", "mine.rules", "--lang", "en", "--format", "json"];
        assert!(ran(folder.path(), &words).1.contains("\"title\":\"Wound table\""));
    }
}

// ── Choices by gender ───────────────────────────────────────────────────────────────────────

const GENDERED: &str = r#"system duel "Duelo" lang es

kind gender "Género" = masculine "masculino" | feminine "femenino"
kind condition "Estado" = down "[Derribado|Derribada]"

sheet fighter "[Luchador|Luchadora]" {
  gender "Género": gender = masculine
  conditions "Estados": set of condition
  wounds "Heridas": list of wound up to 3
  states awake "[Despierto|Despierta]" -> asleep "[Dormido|Dormida]"
  states asleep -> awake
  on hit "Golpe" {
    say "Quedas [herido|herida]."
    suffer down
    roll hurt
    -> asleep
  }
  on potion "Poción" {
    gender = feminine
    say "Ahora eres [otro|otra]."
  }
}

sheet wound "Herida" of fighter {
  on look "Mirada" { say "Sigues [marcado|marcada]; [[sic]." }
}

table hurt "Herida" = 1d1 makes wound {
  1  cut "Un tajo [feo|fea]"
     "Te deja [tuerto|tuerta]."
}

scenario she "Ella" {
  given fighter anna { gender = feminine }
  when hit
  when look
  outcome anna.gender
}
scenario he "Él" {
  given fighter leo
  when hit
  when potion
  outcome leo.gender
}
"#;

fn told_in(program: &Program, scenario: &str) -> String {
    let index = program.scenarios.iter().position(|s| s.id == scenario).expect("a scenario");
    let mut machine = Machine::scenario(program, &[], ScenarioId(index as u32), &[]).expect("its start");
    let mut trace = Trace::new(&machine);
    let end = play_out(&mut machine, &mut Seeded::new(1), &mut Defaults, &mut trace);
    assert!(matches!(end, Step::Finished(_)), "{end:?}");
    trace.lines().join("\n")
}

#[test]
fn texts_follow_the_gender_of_the_sheet_they_are_told_of() {
    let (program, files) = checked("duel.rules", GENDERED);
    insta::assert_snapshot!(format!("{}\n\n{}", told_in(&program, "she"), told_in(&program, "he")), @r"
> Golpe
    Quedas herida.
estado: + Derribada
tirada 1d1: 1
1  Un tajo fea
    Te deja tuerta.
Luchadora: Despierta → Dormida
> Mirada
    Sigues marcada; [sic].

> Golpe
    Quedas herido.
estado: + Derribado
tirada 1d1: 1
1  Un tajo feo
    Te deja tuerto.
Luchador: Despierto → Dormido
> Poción
género: masculino → femenino
    Ahora eres otra.
");

    // A translation may choose where the text of the rules does not, and the other way round.
    let mut po = locale::update(&catalog(""), &program, &files, "pl").po;
    for entry in po.blocks.iter_mut().filter_map(|block| block.entry.as_mut()) {
        let text = match entry.id.as_str() {
            "Golpe" => "[Uderzony|Uderzona]",
            "Quedas [herido|herida]." => "Rana.",
            _ => continue,
        };
        entry.texts = vec![text.to_owned()];
    }
    let written = catalog(&po.write());
    assert!(locale::check(&written, Some(&program), "pl").iter().all(|told| told.severity != Severity::Error));
    let mut polish = program.clone();
    locale::translate(&mut polish, &written, "pl");
    let told = told_in(&polish, "she");
    assert!(told.contains("Uderzona") && told.contains("    Rana.") && told.contains("Dormida"), "{told}");
}

#[test]
fn choices_have_a_wording_for_each_gender() {
    let (program, files) = checked("duel.rules", GENDERED);
    let mut po = locale::update(&catalog(""), &program, &files, "pl").po;
    for entry in po.blocks.iter_mut().filter_map(|block| block.entry.as_mut()).filter(|e| e.id == "Golpe") {
        entry.texts = vec!["[a|b|c] [[d|e]".to_owned()];
    }
    let faults = locale::check(&catalog(&po.write()), Some(&program), "pl");
    let faults: Vec<_> = faults.iter().filter(|f| f.severity == Severity::Error).collect();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(
        (faults[0].code, faults[0].message.to_string()),
        (Code::LocaleChoices, "3 wordings for 2 genders".to_owned())
    );

    let (plain, files) = small(&[("one", "Uno")]);
    let mut po = locale::update(&catalog(""), &plain, &files, "en").po;
    for entry in po.blocks.iter_mut().filter_map(|block| block.entry.as_mut()).filter(|e| e.id == "Uno") {
        entry.texts = vec!["[He|She]".to_owned()];
    }
    let faults = locale::check(&catalog(&po.write()), Some(&plain), "en");
    assert!(faults.iter().any(|fault| fault.code == Code::LocaleChoices), "{faults:?}");
}
