//! Every form of a value, a sentence, a part and an item is read as what it is.

use super::{parse, parse_expression, tell};
use crate::diagnostics::Code;
use crate::dice::{Compare, End, Explosion, Faces, Modifier, Order, Point, Pool, Reroll, Rounding, Term};
use crate::source::FileId;
use crate::syntax::tree::*;

// ── Values, written out with every bracket ──────────────────────────────────────────────────

fn show(e: &Expr) -> String {
    match &*e.kind {
        ExprKind::Number(n) => n.to_string(),
        ExprKind::Yes => "yes".into(),
        ExprKind::No => "no".into(),
        ExprKind::None => "none".into(),
        ExprKind::All => "all".into(),
        ExprKind::Text(text) => format!("{:?}", text.value),
        ExprKind::Name(name) => name.text.to_string(),
        ExprKind::My(name) => format!("(my {})", name.text),
        ExprKind::Field(of, name) => format!("{}.{}", show(of), name.text),
        ExprKind::Call(name, args) => format!("{}({})", name.text, args_of(args)),
        ExprKind::CallOf(of, name, args) => format!("{}.{}({})", show(of), name.text, args_of(args)),
        ExprKind::Exploding(dice, top) => format!("(exploding {} {top})", show(dice)),
        ExprKind::Dice(term) => term_of(term),
        ExprKind::Pool(pool) => pool_of(pool),
        ExprKind::Label(dice, label) => format!("{}[{label}]", show(dice)),
        ExprKind::Group(inner) => format!("<{}>", show(inner)),
        ExprKind::Set(all) => format!("(set {})", all.iter().map(show).collect::<Vec<_>>().join(" ")),
        ExprKind::Negate(inner) => format!("(- {})", show(inner)),
        ExprKind::Not(inner) => format!("(not {})", show(inner)),
        ExprKind::Arithmetic(how, a, b) => {
            let sign = match how {
                Arithmetic::Add => "+",
                Arithmetic::Subtract => "-",
                Arithmetic::Multiply => "*",
                Arithmetic::Divide(None) => "/",
                Arithmetic::Divide(Some(Rounding::Down)) => "/down",
                Arithmetic::Divide(Some(Rounding::Up)) => "/up",
                Arithmetic::Divide(Some(Rounding::Near)) => "/near",
                Arithmetic::Remainder => "%",
            };
            format!("({sign} {} {})", show(a), show(b))
        }
        ExprKind::Compare(how, a, b) => format!("({} {} {})", how.as_str(), show(a), show(b)),
        ExprKind::And(a, b) => format!("(and {} {})", show(a), show(b)),
        ExprKind::Or(a, b) => format!("(or {} {})", show(a), show(b)),
        ExprKind::In { item, set, negated } => {
            format!("({} {} {})", if *negated { "not-in" } else { "in" }, show(item), show(set))
        }
        ExprKind::If { then, condition, otherwise } => {
            format!("(if {} {} {})", show(condition), show(then), show(otherwise))
        }
        ExprKind::Roll(dice) => format!("(roll {})", show(dice)),
        ExprKind::Random(set) => format!("(random {})", show(set)),
        ExprKind::Query { query, list } => {
            let query = match query {
                Query::Count => "count".into(),
                Query::Any => "any".into(),
                Query::First => "first".into(),
                Query::Last => "last".into(),
                Query::Sum(of) => format!("sum {} of", show(of)),
                Query::Highest(of) => format!("highest {} of", show(of)),
                Query::Lowest(of) => format!("lowest {} of", show(of)),
            };
            format!("({query} {})", list_of(list))
        }
        ExprKind::Passes { check, passes } => {
            format!("({} {})", show(check), if *passes { "passes" } else { "fails" })
        }
    }
}

fn args_of(args: &[Arg]) -> String {
    let arg = |arg: &Arg| match &arg.name {
        Some(name) => format!("{}: {}", name.text, show(&arg.value)),
        None => show(&arg.value),
    };
    args.iter().map(arg).collect::<Vec<_>>().join(", ")
}

fn list_of(list: &List) -> String {
    let other = if list.other { "other " } else { "" };
    match &list.filter {
        Some(filter) => format!("{other}{} where {}", show(&list.of), show(filter)),
        None => format!("{other}{}", show(&list.of)),
    }
}

fn term_of(term: &Term<Expr>) -> String {
    let faces = match &term.faces {
        Faces::Upto(n) => show(n),
        Faces::Fate => "F".into(),
        Faces::List(all) => format!("{all:?}"),
        Faces::Digits(n) => format!("{n}digits"),
    };
    format!("{}d{faces}{}", show(&term.count), modifiers_of(&term.modifiers))
}

fn pool_of(pool: &Pool<Expr>) -> String {
    let members = pool.members.iter().map(show).collect::<Vec<_>>().join(", ");
    format!("{{{members}}}{}", modifiers_of(&pool.modifiers))
}

fn modifiers_of(all: &[Modifier<Expr>]) -> String {
    all.iter().map(|m| format!(":{}", modifier_of(m))).collect()
}

fn modifier_of(modifier: &Modifier<Expr>) -> String {
    let point = |p: &Option<Point<Expr>>| p.as_ref().map_or(String::new(), point_of);
    match modifier {
        Modifier::Keep(End::High, n) => format!("kh{}", show(n)),
        Modifier::Keep(End::Low, n) => format!("kl{}", show(n)),
        Modifier::Drop(End::High, n) => format!("dh{}", show(n)),
        Modifier::Drop(End::Low, n) => format!("dl{}", show(n)),
        Modifier::Explode(how, p) => {
            let sign = match how {
                Explosion::Add => "!",
                Explosion::Compound => "!!",
                Explosion::Penetrate => "!p",
                Explosion::Once => "!o",
            };
            format!("{sign}{}", point(p))
        }
        Modifier::ExplodeTop(n) => format!("top{n}"),
        Modifier::Reroll(Reroll::Until, p) => format!("rr{}", point(p)),
        Modifier::Reroll(Reroll::Once, p) => format!("ro{}", point(p)),
        Modifier::Only(point) => format!("only{}", point_of(point)),
        Modifier::AtLeast(n) => format!("min{}", show(n)),
        Modifier::AtMost(n) => format!("max{}", show(n)),
        Modifier::Count { success, failure: None } => point_of(success),
        Modifier::Count { success, failure: Some(failure) } => format!("{}f{}", point_of(success), point_of(failure)),
        Modifier::Even => "even".into(),
        Modifier::Odd => "odd".into(),
        Modifier::Unique => "u".into(),
        Modifier::Sort(Order::Ascending) => "sa".into(),
        Modifier::Sort(Order::Descending) => "sd".into(),
    }
}

fn point_of(point: &Point<Expr>) -> String {
    let sign = if point.compare == Compare::Equal { "=" } else { point.compare.as_str() };
    format!("{sign}{}", show(&point.value))
}

fn value(text: &str) -> String {
    let (value, faults) = parse_expression(FileId(0), text);
    // Notes on other tools are told elsewhere.
    let faults: Vec<_> = faults.into_iter().filter(|fault| fault.code != Code::DiceDialect).collect();
    assert_eq!(tell(text, &faults), "", "{text}");
    show(&value.expect("a value"))
}

#[test]
fn operators_bind_from_the_loosest_to_the_tightest() {
    for (text, tree) in [
        ("a if b else c", "(if b a c)"),
        ("a if b else c if d else e", "(if b a (if d c e))"),
        ("a\n  if b\n  else c", "(if b a c)"),
        ("a or b and not c == d + e * -f", "(or a (and b (not (== c (+ d (* e (- f)))))))"),
        ("not a and b", "(and (not a) b)"),
        ("not a == b", "(not (== a b))"),
        ("not not a", "(not (not a))"),
        ("a and not b or c", "(or (and a (not b)) c)"),
        ("1 - 2 - 3", "(- (- 1 2) 3)"),
        ("1 * 2 + 3 % 4", "(+ (* 1 2) (% 3 4))"),
        ("a / 2 down", "(/down a 2)"),
        ("a / 2 * 3", "(* (/ a 2) 3)"),
        ("2 * a / 3 near - 1", "(- (/near (* 2 a) 3) 1)"),
        ("max_hp / 2 up and b", "(and (/up max_hp 2) b)"),
        ("hp <= max_hp / 2 down and edition == late", "(and (<= hp (/down max_hp 2)) (== edition late))"),
        ("a in b", "(in a b)"),
        ("a not in (b, c)", "(not-in a (set b c))"),
        ("not a in b", "(not (in a b))"),
        ("a != 1", "(!= a 1)"),
        ("-2d6", "(- 2d6)"),
        ("+3", "3"),
        ("a − 1 × 2 ÷ 3 up", "(- a (/up (* 1 2) 3))"),
        ("2 - -3", "(- 2 (- 3))"),
        ("a ≥ 1", "(>= a 1)"),
    ] {
        assert_eq!(value(text), tree, "{text}");
    }
}

#[test]
fn values() {
    for (text, tree) in [
        ("12", "12"),
        ("１２", "12"),
        ("yes", "yes"),
        ("no", "no"),
        ("none", "none"),
        ("all", "all"),
        ("\"a \\\"b\\\" \\\\ c\"", "\"a \\\"b\\\" \\\\ c\""),
        ("hp", "hp"),
        ("herida_ñ", "herida_ñ"),
        ("nothing", "nothing"),
        ("my row", "(my row)"),
        ("by.supplies", "by.supplies"),
        ("a.b.c", "a.b.c"),
        ("damage(amount: 5, fire)", "damage(amount: 5, fire)"),
        ("f()", "f()"),
        ("by.medicine(10) passes", "(by.medicine(10) passes)"),
        ("surgery(hurt.site).price", "surgery(hurt.site).price"),
        ("endurance fails", "(endurance fails)"),
        ("not endurance fails", "(not (endurance fails))"),
        ("exploding(damage, top 2)", "(exploding damage 2)"),
        ("exploding(1d6)", "(exploding 1d6 1)"),
        ("maximum(damage) * 2", "(* maximum(damage) 2)"),
        ("(a)", "<a>"),
        ("(a, b)", "(set a b)"),
        ("roll what.dealt", "(roll what.dealt)"),
        ("roll endurance < wounds", "(< (roll endurance) wounds)"),
        ("roll limb(place, yes)", "(roll limb(place, yes))"),
        ("roll 2d6", "(roll 2d6)"),
        ("random arms", "(random arms)"),
        ("drop(random holding)", "drop((random holding))"),
        ("roll", "roll"),
        ("count injuries", "(count injuries)"),
        ("count injuries where untreated and a == b", "(count injuries where (and untreated (== a b)))"),
        ("any other injuries where row == my row", "(any other injuries where (== row (my row)))"),
        ("not any injuries", "(not (any injuries))"),
        ("first by.injuries", "(first by.injuries)"),
        ("last injuries", "(last injuries)"),
        ("first", "first"),
        ("count + 1", "(+ count 1)"),
        ("sum lost + 1 of injuries where a", "(sum (+ lost 1) of injuries where a)"),
        ("highest lost of injuries", "(highest lost of injuries)"),
        ("lowest (a) of my injuries", "(lowest <a> of (my injuries))"),
        ("chance(dead) == 3239/8000", "(== chance(dead) (/ 3239 8000))"),
        ("2d6 # to hit", "2d6"),
        ("2d6 // to hit", "2d6"),
    ] {
        assert_eq!(value(text), tree, "{text}");
    }
}

#[test]
fn dice() {
    for (text, tree) in [
        ("d6", "1d6"),
        ("D6", "1d6"),
        ("3 d 6", "3d6"),
        ("d%", "1d100"),
        ("4dF", "4dF"),
        ("d[1, 1, -2]", "1d[1, 1, -2]"),
        ("d66 digits", "1d66digits"),
        ("(2d4)d6", "<2d4>d6"),
        ("(1 + n)d(2 * m)", "<(+ 1 n)>d<(* 2 m)>"),
        ("4d6kh3!", "4d6:kh3:!"),
        ("4d6k", "4d6:kh1"),
        ("2d20kl1dh1dl2d3", "2d20:kl1:dh1:dl2:dl3"),
        ("4d6 kh3 dl 1", "error"),
        ("2d6!!>=5", "2d6:!!>=5"),
        ("2d6!p", "2d6:!p"),
        ("2d6!o9", "2d6:!o=9"),
        ("1d20!=3", "1d20:!=3"),
        ("2d6 != 7", "(!= 2d6 7)"),
        ("2d6!= 7", "(!= 2d6 7)"),
        ("1d6rr<=2", "1d6:rr<=2"),
        ("1d6ro1", "1d6:ro=1"),
        ("1d6r", "1d6:rr"),
        ("1d6min2max5", "1d6:min2:max5"),
        ("6d10even", "6d10:even"),
        ("6d10odd", "6d10:odd"),
        ("6d10u", "6d10:u"),
        ("6d10sd", "6d10:sd"),
        ("6d10s", "6d10:sa"),
        ("6d10>=7f<=1", "6d10:>=7f<=1"),
        ("6d10>7", "6d10:>7"),
        ("6d10=7", "6d10:=7"),
        ("2d6==7", "(== 2d6 7)"),
        ("2d6 >= 7", "(>= 2d6 7)"),
        ("(2d6)>=7", "(>= <2d6> 7)"),
        ("6d10>=(skill - 2 if grim else skill)", "6d10:>=<(if grim (- skill 2) skill)>"),
        ("3 + (1d6>=4)", "(+ 3 <1d6:>=4>)"),
        ("1d6>=4 + 2", "(+ 1d6:>=4 2)"),
        ("{2d6, 1d8}kh1", "{2d6, 1d8}:kh1"),
        ("{4d6, 3}>=7", "{4d6, 3}:>=7"),
        ("1d6[fire] + 2", "(+ 1d6[fire] 2)"),
        ("drop", "drop"),
        ("dexterity", "dexterity"),
        ("d", "d"),
        ("dF", "1dF"),
        ("dFoo", "dFoo"),
        ("1d8 + 1d6min2", "(+ 1d8 1d6:min2)"),
    ] {
        if tree == "error" {
            assert!(parse_expression(FileId(0), text).0.is_none(), "{text}");
        } else {
            assert_eq!(value(text), tree, "{text}");
        }
    }
}

#[test]
fn nothing_is_left_unread() {
    for text in ["", " ", "2d6 3", "2d6)", "(2d6", "2d6 foo", "1d6x", "2d6 +", "\"a", "# only this"] {
        let (value, faults) = parse_expression(FileId(0), text);
        assert!(value.is_none(), "{text}");
        assert_eq!(faults.len(), 1, "{text}: {}", tell(text, &faults));
    }
}

// ── Sentences ───────────────────────────────────────────────────────────────────────────────

fn items(text: &str) -> Vec<Item> {
    let (file, faults) = parse(FileId(0), text);
    assert_eq!(tell(text, &faults), "", "{text}");
    file.items
}

fn parts(text: &str) -> Vec<Part> {
    let item = items(&format!("sheet c {{\n{text}\n}}")).remove(0);
    let ItemKind::Sheet(sheet) = item.kind else { panic!("no sheet") };
    sheet.parts
}

fn part(text: &str) -> PartKind {
    let mut parts = parts(text);
    assert_eq!(parts.len(), 1, "{text}");
    parts.remove(0).kind
}

fn sentences(text: &str) -> Vec<Sentence> {
    let PartKind::Handler(handler) = part(&format!("on x {{\n{text}\n}}")) else { panic!("no handler") };
    handler.body.sentences
}

fn sentence(text: &str) -> SentenceKind {
    let mut sentences = sentences(text);
    assert_eq!(sentences.len(), 1, "{text}");
    sentences.remove(0).kind
}

fn all(values: &[Expr]) -> String {
    values.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn names(names: &[Name]) -> String {
    names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ")
}

/// A sentence on one line, short enough to compare.
fn says(kind: &SentenceKind) -> String {
    let body =
        |body: &Body| format!("{{{}}}", body.sentences.iter().map(|s| says(&s.kind)).collect::<Vec<_>>().join("; "));
    let to = |word: &str, to: &Option<Expr>| to.as_ref().map_or(String::new(), |to| format!(" {word} {}", show(to)));
    match kind {
        SentenceKind::Set { target, change, value } => format!("{change:?} {} {}", show(target), show(value)),
        SentenceKind::Suffer { what, to: who, wait } => {
            let wait = match wait {
                None => String::new(),
                Some(Wait::Until(until)) => format!(" until {}", names(until)),
                Some(Wait::For { amount, clock, then }) => {
                    format!(" for {} {}{}", show(amount), clock.text, then.as_ref().map_or(String::new(), body))
                }
            };
            format!("suffer {}{}{wait}", all(what), to("to", who))
        }
        SentenceKind::Lose { what, from } => format!("lose {}{}", all(what), to("from", from)),
        SentenceKind::Roll(dice) => format!("roll {}", show(dice)),
        SentenceKind::Take { row, table, args } => format!("take {} of {}({})", row.text, table.text, args_of(args)),
        SentenceKind::RollRows { dice, rows } => {
            let rows = rows.iter().map(|row| format!("{} {}", key(&row.key), body(&row.body))).collect::<Vec<_>>();
            format!("roll {} [{}]", show(dice), rows.join(", "))
        }
        SentenceKind::If { arms, otherwise } => {
            let arms = arms.iter().map(|(c, b)| format!("{} {}", show(c), body(b))).collect::<Vec<_>>().join(" elif ");
            format!("if {arms}{}", otherwise.as_ref().map_or(String::new(), |b| format!(" else {}", body(b))))
        }
        SentenceKind::Each { list, body: b } => format!("each {} {}", list_of(list), body(b)),
        SentenceKind::Ask { who, name, ty, default, question } => format!(
            "ask {who:?} {} {} = {} {}",
            name.text,
            type_of(ty),
            show(default),
            question.as_ref().map_or("-", |q| &q.value)
        ),
        SentenceKind::Say(texts) => format!("say {}", texts.iter().map(|t| &*t.value).collect::<Vec<_>>().join("|")),
        SentenceKind::Go { sheet, state } => {
            format!("{}-> {}", sheet.as_ref().map_or(String::new(), |s| show(s) + " "), state.text)
        }
        SentenceKind::Fire { event, args, to: who } => format!("{}({}){}", event.text, args_of(args), to("to", who)),
        SentenceKind::Instead { row, when } => format!("instead {}{}", row.text, to("when", when)),
        SentenceKind::Block(block) => holds(block),
    }
}

fn key(key: &Key) -> String {
    match &key.kind {
        KeyKind::Numbers(all) => {
            let end = |n: Option<i64>| n.map_or(String::new(), |n| n.to_string());
            all.iter().map(|r| format!("{}~{}", end(r.low), end(r.high))).collect::<Vec<_>>().join(",")
        }
        KeyKind::Name(name) => name.text.to_string(),
        KeyKind::Else => "else".into(),
        KeyKind::Never => "never".into(),
    }
}

fn range(range: &Range) -> String {
    let end = |e: &Option<Expr>| e.as_ref().map_or(String::new(), show);
    format!("{}~{}", end(&range.low), end(&range.high))
}

fn type_of(ty: &Type) -> String {
    match &ty.kind {
        TypeKind::Range(r) => range(r),
        TypeKind::Number => "number".into(),
        TypeKind::YesNo => "yes/no".into(),
        TypeKind::Dice => "dice".into(),
        TypeKind::Text => "text".into(),
        TypeKind::Named { name, or_none } => format!("{}{}", name.text, if *or_none { "?" } else { "" }),
        TypeKind::Set(name) => format!("set {}", name.text),
        TypeKind::List { sheet, most } => {
            format!("list {} {}", sheet.text, most.as_ref().map_or("-".into(), show))
        }
        TypeKind::OneOf(list) => format!("one {}", list_of(list)),
        TypeKind::UpTo { most, list } => format!("upto {} {}", show(most), list_of(list)),
    }
}

fn holds(block: &Block) -> String {
    let hold = match &block.hold {
        Hold::While(condition) => format!("while {}", show(condition)),
        Hold::Until(until) => format!("until {}", names(until)),
        Hold::For { amount, clock } => format!("for {} {}", show(amount), clock.text),
        Hold::Ever => "ever".into(),
    };
    let then = block.then.as_ref().map_or(String::new(), |then| {
        format!(" then {}", then.sentences.iter().map(|s| says(&s.kind)).collect::<Vec<_>>().join("; "))
    });
    format!("{hold} [{}]{then}", block.parts.len())
}

#[test]
fn every_sentence() {
    for (text, tree) in [
        ("teeth -= lost", "Down teeth lost"),
        ("teeth += 1", "Up teeth 1"),
        ("hand = random arms", "To hand (random arms)"),
        ("hurt.operated = yes", "To hurt.operated yes"),
        ("raise hp to 5 + n", "Raise hp (+ 5 n)"),
        ("lower by.lowest to health", "Lower by.lowest health"),
        ("suffer prone", "suffer prone"),
        ("suffer prone, blinded until end_of_next_turn", "suffer prone, blinded until end_of_next_turn"),
        ("suffer prone to foe until a, b", "suffer prone to foe until a, b"),
        (
            "suffer in_hospital for abs(lowest) day then discharge",
            "suffer in_hospital for abs(lowest) day{discharge()}",
        ),
        ("suffer x for 1d4 hour", "suffer x for 1d4 hour"),
        ("suffer x for 3 day then { -> a }", "suffer x for 3 day{-> a}"),
        ("lose prone", "lose prone"),
        ("lose prone, blinded from foe", "lose prone, blinded from foe"),
        ("roll limb(place, lasting)", "roll limb(place, lasting)"),
        ("roll fate", "roll fate"),
        ("roll wound(untreated: open)", "roll wound(untreated: open)"),
        ("take festering of wound", "take festering of wound()"),
        ("take festering of wound(1)", "take festering of wound(1)"),
        (
            "roll 1d20 {\n 1 { a += 2 }\n 2-9 { b }\n 10+ { c = 1\n -> d } else { } }",
            "roll 1d20 [1~1 {Up a 2}, 2~9 {b()}, 10~ {To c 1; -> d}, else {}]",
        ),
        ("if a { b }", "if a {b()}"),
        ("if a -> dead", "if a {-> dead}"),
        ("if a { b } else if c -> d\n else { e; f }", "if a {b()} elif c {-> d} else {e(); f()}"),
        ("if a { b }\n// no\nelse -> c", "if a {b()} else {-> c}"),
        ("if {2d6, 3}kh1 > 3 { b }", "if (> {2d6, 3}:kh1 3) {b()}"),
        ("each injuries where treated { -> healed }", "each injuries where treated {-> healed}"),
        ("each other injuries -> healed", "each other injuries {-> healed}"),
        ("ask player spend: 0..6 = 0 \"¿Cuántos?\"", "ask Player spend 0~6 = 0 ¿Cuántos?"),
        ("ask master fate: minion_end = killed", "ask Master fate minion_end = killed -"),
        (
            "ask player chosen: up to found of character = first \"¿Quién?\"",
            "ask Player chosen upto found character = first ¿Quién?",
        ),
        ("say \"uno\"", "say uno"),
        ("say \"uno\" | \"{n}\"", "say uno|{n}"),
        ("-> dead", "-> dead"),
        ("hurt -> treated", "hurt -> treated"),
        ("by.hurt -> treated", "by.hurt -> treated"),
        ("damage(5, type: fire) to foe", "damage(5, type: fire) to foe"),
        ("wounded", "wounded()"),
        ("wounded to foe", "wounded() to foe"),
        ("instead next", "instead next"),
        ("instead torn_face when a == b", "instead torn_face when (== a b)"),
        ("until treated { has prone; cannot act(aim) }", "until treated [2]"),
        ("while healed { has prone }", "while healed [1]"),
        ("for ever { has scarred }", "ever [1]"),
        ("for 3 day { has prone } then recovered", "for 3 day [1] then recovered()"),
        ("for 1d4 hour then { heal(1) }", "for 1d4 hour [0] then heal(1)"),
        ("use = 3", "To use 3"),
        ("taken += 1", "Up taken 1"),
        ("a = b\n  + c", "To a (+ b c)"),
    ] {
        assert_eq!(says(&sentence(text)), tree, "{text}");
    }
    assert_eq!(sentences("a; b\n\n c // d\n /// e\n f").len(), 4);
}

// ── Parts and items ─────────────────────────────────────────────────────────────────────────

#[test]
fn every_part() {
    let PartKind::Track(track) = part("teeth \"Dientes\": 0..32 = 32 stops, anew each day_end") else { panic!() };
    assert_eq!(type_of(&track.ty), "0~32");
    assert_eq!(show(&track.default.unwrap()), "32");
    assert!(track.stops && track.anew.unwrap().text == "day_end" && track.title.unwrap().value == "Dientes");

    for (text, ty) in [
        ("a: yes/no", "yes/no"),
        ("a: number", "number"),
        ("a: dice = 1d6", "dice"),
        ("a: text", "text"),
        ("a: ..max", "~max"),
        ("a: 0..", "0~"),
        ("a: -40..by.max", "-40~by.max"),
        ("a: 1+", "1~"),
        ("a: (n)..(m + 1)", "<n>~<(+ m 1)>"),
        ("a: 7", "7~7"),
        ("a: cure", "cure"),
        ("a: location or none = none", "location?"),
        ("a: set of side = all", "set side"),
        ("a: list of injury up to 60", "list injury 60"),
        ("a: list of injury", "list injury -"),
        ("a: one of injuries where untreated", "one injuries where untreated"),
        ("a: up to 3 of other character", "upto 3 other character"),
    ] {
        let PartKind::Track(track) = part(text) else { panic!("{text}") };
        assert_eq!(type_of(&track.ty), ty, "{text}");
    }

    let PartKind::Value { name, params, ty, formula, .. } =
        part("value harder(which: attribute, limb: location or none): 0..9\n  = 2 if a\n  else 3")
    else {
        panic!()
    };
    assert_eq!((name.text.as_str(), params.len(), show(&formula).as_str()), ("harder", 2, "(if a 2 3)"));
    assert_eq!(type_of(&ty.unwrap()), "0~9");

    let PartKind::Check { params, formula, passes, title, .. } =
        part("check endurance(need: 1..10 = 1) \"Aguante\"\n = (toughness)d10<=(skill) passes on (need)+")
    else {
        panic!()
    };
    assert_eq!((params.len(), show(&formula).as_str()), (1, "<toughness>d10:<=<skill>"));
    assert_eq!((range(&passes).as_str(), title.unwrap().value.as_str()), ("<need>~", "Aguante"));
    let PartKind::Check { passes, .. } = part("check a = 1d20 + b passes on ..(skill)") else { panic!() };
    assert_eq!(range(&passes), "~<skill>");

    assert!(matches!(part("event act(what: action) \"Actúa\""), PartKind::Event { spreading: false, .. }));
    assert!(matches!(part("spreading event panic"), PartKind::Event { spreading: true, .. }));

    let PartKind::States(steps) = part("states alive \"vivo\" -> hurt, out\n  -> dead \"muerto\" final") else {
        panic!()
    };
    assert_eq!(steps.iter().map(|step| step.states.len()).collect::<Vec<_>>(), [1, 2, 1]);
    assert!(steps[2].states[0].is_final && !steps[0].states[0].is_final);

    let PartKind::StateBy { track, rows } = part(
        "state by health {\n 1+ hale \"Ileso\"\n -5..0 hurt { +1 to x\n cannot y }\n ..-12 dead \"Muerto\" final }",
    ) else {
        panic!()
    };
    assert_eq!(track.text, "health");
    let rows: Vec<_> = rows.iter().map(|r| (key(&r.key), r.state.name.text.to_string(), r.parts.len())).collect();
    assert_eq!(
        rows,
        [("1~".into(), "hale".into(), 0), ("-5~0".into(), "hurt".into(), 2), ("~-12".into(), "dead".into(), 0)]
    );

    let PartKind::Handler(handler) = part("on use_hand(which) \"Usa\" when which == hand -> dead") else { panic!() };
    assert!(handler.params[0].ty.is_none() && handler.when.is_some() && handler.body.sentences.len() == 1);
    let PartKind::Handler(handler) = part("replace before scene { a }") else { panic!() };
    assert!(handler.before && handler.replace);

    let PartKind::Block(block) = part("until treated, dead {\n hp: 0..3\n on x { a } }") else { panic!() };
    assert_eq!(holds(&block), "until treated, dead [2]");

    for (text, amount) in [("+1 to a", "1"), ("-fewer to a", "(- fewer)"), ("-(a + 1) to b", "(- <(+ a 1)>)")] {
        let PartKind::Add { amount: found, .. } = part(text) else { panic!("{text}") };
        assert_eq!(show(&found), amount, "{text}");
    }
    let PartKind::Add { args, best, when, .. } =
        part("+2 to harder(bio or tec, sight), best counts when penalty == blurred")
    else {
        panic!()
    };
    assert_eq!((args_of(&args).as_str(), best), ("(or bio tec), sight", true));
    assert_eq!(show(&when.unwrap()), "(== penalty blurred)");

    let PartKind::Has { what, when } = part("has prone, badly_wounded when a") else { panic!() };
    assert_eq!((all(&what).as_str(), show(&when.unwrap()).as_str()), ("prone, badly_wounded", "a"));
    let PartKind::Cannot { event, args, .. } = part("cannot suffer(prone) when a") else { panic!() };
    assert_eq!((event.text.as_str(), args_of(&args).as_str()), ("suffer", "prone"));
    assert!(matches!(part("needed = 4"), PartKind::Default { .. }));
    assert!(matches!(part("remove taken"), PartKind::Remove(_)));

    // Words of the language that are names here.
    for text in ["end: 0..3", "check \"Prueba\": yes/no", "value: 0..3", "state: 0..3", "has: yes/no", "first: 0..3"] {
        assert!(matches!(part(text), PartKind::Track(_)), "{text}");
    }
    let parts = parts("/// one\n/// two\nhp: 0..3\n// no\nsp: 0..3");
    assert_eq!(parts[0].doc.as_ref().unwrap().value, "one\ntwo");
    assert!(parts[1].doc.is_none());
}

#[test]
fn every_item() {
    let text = r#"
/// The system.
system old_world "El Viejo Mundo" lang pt-BR
dialect rpg-dice-roller
option edition "Edición": a "A" | b = b
use "other.rules"
clock turn "turno" < day
time next "luego" = turn_end after turn
kind cure "Cura"
  = breath "Aliento"
  | none
extend table wound { remove graze
  4 hit "B" }
extend sheet character { remove taken }
sheet champion "Campeón" like character
sheet injury "Herida" of character { cure: cure }
table surgery by site columns price: 0..9 | each attribute: -2..2 { torso | 4 | 1 }
table fall(from: 0..9) by height: 0..20 cumulative { 0+ a }
table t = {2d6, 1d8}kh1 makes injury { 2-12 a }
table fate = 2d6 for pilot { 2-12 a }
"#;
    let items = items(text);
    assert_eq!(items[0].doc.as_ref().unwrap().value, "The system.");
    let ItemKind::System { lang: Some(lang), .. } = &items[0].kind else { panic!() };
    assert_eq!(lang.text, "pt-BR");
    assert!(matches!(&items[1].kind, ItemKind::Dialect(name) if name.text == "rpg-dice-roller"));
    assert!(
        matches!(&items[2].kind, ItemKind::Option { members, default: Some(d), .. } if members.len() == 2 && d.text == "b")
    );
    assert!(matches!(&items[3].kind, ItemKind::Use(path) if path.value == "other.rules"));
    assert!(matches!(&items[4].kind, ItemKind::Clock(members) if members.len() == 2));
    assert!(
        matches!(&items[5].kind, ItemKind::Time { event, after, .. } if event.text == "turn_end" && after.text == "turn")
    );
    assert!(matches!(&items[6].kind, ItemKind::Kind { members, .. } if members[1].name.text == "none"));
    assert!(matches!(&items[7].kind, ItemKind::Table(t) if t.extend && t.removed.len() == 1 && t.rows.len() == 1));
    assert!(matches!(&items[8].kind, ItemKind::Sheet(s) if s.extend && s.parts.len() == 1));
    assert!(matches!(&items[9].kind, ItemKind::Sheet(s) if s.like.as_ref().unwrap().text == "character"));
    assert!(matches!(&items[10].kind, ItemKind::Sheet(s) if s.owner.as_ref().unwrap().text == "character"));
    assert!(
        matches!(&items[11].kind, ItemKind::Table(t) if matches!(t.key, Some(TableKey::Kind(_))) && t.columns[1].each)
    );
    assert!(
        matches!(&items[12].kind, ItemKind::Table(t) if matches!(t.key, Some(TableKey::Number(_))) && t.cumulative)
    );
    assert!(matches!(&items[13].kind, ItemKind::Table(t) if t.makes.is_some() && t.rows.len() == 1));
    assert!(matches!(&items[14].kind, ItemKind::Table(t) if t.subject.as_ref().unwrap().text == "pilot"));
}

#[test]
fn every_row() {
    let text = r#"table t = 2d6 {
  1-3 a "A" | b | 2d6
    "one" | "many"
    { x }
  4 b
  5 "Only a text"
  27+ c { y }
  ..-12 d
  -11..-6 e
  2, 7–12 f
  91-00 g
  00 h
  1 - 3 i
  else j
  - k "K"
    "Prose, no body."
  torso | 4
  1..3 l
    { z; -> w }
  none "N"
}"#;
    let ItemKind::Table(table) = parse(FileId(0), text).0.items.remove(0).kind else { panic!() };
    let rows: Vec<String> = table
        .rows
        .iter()
        .map(|row| {
            format!(
                "{} {} {} {} {} {}",
                key(&row.key),
                row.id.as_ref().map_or("-", |id| &id.text),
                row.title.as_ref().map_or("-", |title| &title.value),
                row.cells.len(),
                row.prose.len(),
                row.body.as_ref().map_or(0, |body| body.sentences.len())
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            "1~3 a A 2 2 1",
            "4~4 b - 0 0 0",
            "5~5 - Only a text 0 0 0",
            "27~ c - 0 0 1",
            "~-12 d - 0 0 0",
            "-11~-6 e - 0 0 0",
            "2~2,7~12 f - 0 0 0",
            "91~100 g - 0 0 0",
            "100~100 h - 0 0 0",
            "1~3 i - 0 0 0",
            "else j - 0 0 0",
            "never k K 0 1 0",
            "torso - - 1 0 0",
            "1~3 l - 0 0 2",
            "none - N 0 0 0",
        ]
    );
}

#[test]
fn every_step() {
    let text = r#"scenario s(n: 0..3 = 0, damage: dice) "S" {
  given creature foe { hp = 0; state = dying
    injuries = n of graze, 1 of lost_arm }
  given pilot
  answer spend = n
  dice 7 3, -1
  when damage(5, fire) to foe
  repeat turn until stable, dead and a
  then chance(dead) == 1/4
  then chance("Se acabó.") between 40% and 42.5%
  then chances(dead) == 1
  case n = 2, damage = 1d6 + 2, dice 7, -3 2 -> treated/left_arm
  case -> -3
  case = n + 1
  snapshot
  snapshot odds
  snapshot odds within 0.5 %
  snapshot odds within −1/8
  snapshot = 3
  what = roll critical(damage)
  outcome repeats
  outcome max_hp - hp
  outcome roll what.dealt
  outcome {
    festering "F" when any injuries where row == festering
    clean "Limpia"
    bare
    hurt.state, hurt.place
    hurt.row
  }
}"#;
    let ItemKind::Scenario(scenario) = items(text).remove(0).kind else { panic!() };
    let steps: Vec<String> = scenario
        .steps
        .iter()
        .map(|step| match &step.kind {
            StepKind::Given { sheet, name, sets } => {
                let sets: Vec<_> = sets
                    .iter()
                    .map(|set| match &set.value {
                        GivenValue::One(value) => format!("{}={}", set.name.text, show(value)),
                        GivenValue::Rows(rows) => rows.iter().map(|(n, r)| format!("{}x{}", show(n), r.text)).collect(),
                    })
                    .collect();
                format!("given {} {} {}", sheet.text, name.as_ref().map_or("-", |n| &n.text), sets.join(" "))
            }
            StepKind::Answer { name, value } => format!("answer {} {}", name.text, show(value)),
            StepKind::Dice(dice) => format!("dice {:?}", dice.iter().map(|(n, _)| *n).collect::<Vec<_>>()),
            StepKind::When(sentence) => format!("when {}", says(&sentence.kind)),
            StepKind::Repeat { what, until } => format!("repeat {} until {}", says(&what.kind), all(until)),
            StepKind::Then(value) => format!("then {}", show(value)),
            StepKind::Let { name, value } => format!("let {} {}", name.text, show(value)),
            StepKind::Case(line) => format!(
                "case {:?} {:?} {:?}",
                line.args.iter().map(|(name, value)| (name.text.as_str(), show(value))).collect::<Vec<_>>(),
                line.dice.iter().map(|(n, _)| *n).collect::<Vec<_>>(),
                line.comes_to.as_ref().map(|(text, _)| text.as_str())
            ),
            StepKind::Chance(chance) => {
                format!("chance {} {:?} {:?}", chance.outcome.0, chance.compare, chance.shares[0].0)
            }
            StepKind::Snapshot => "snapshot".into(),
            StepKind::SnapshotOdds(within) => format!("odds {:?}", within.map(|within| within.share)),
            StepKind::Outcome(Outcome::Repeats) => "repeats".into(),
            StepKind::Outcome(Outcome::Value(value)) => format!("outcome {}", show(value)),
            StepKind::Outcome(Outcome::Cases(cases)) => cases
                .iter()
                .map(|case| match case {
                    OutcomeCase::Named { name, title, when } => {
                        format!("[{} {} {}]", name.text, title.is_some(), when.is_some())
                    }
                    OutcomeCase::Joined(values) => format!("[{}]", all(values)),
                })
                .collect(),
        })
        .collect();
    assert_eq!(
        steps,
        [
            "given creature foe hp=0 state=dying nxgraze1xlost_arm",
            "given pilot - ",
            "answer spend n",
            "dice [7, 3, -1]",
            "when damage(5, fire) to foe",
            "repeat turn() until stable, (and dead a)",
            "chance dead Some(Equal) (1, 4)",
            "chance Se acabó. None (40, 100)",
            "then (== chances(dead) 1)",
            "case [(\"n\", \"2\"), (\"damage\", \"(+ 1d6 2)\")] [7, -3, 2] Some(\"treated/left_arm\")",
            "case [] [] Some(\"-3\")",
            "let case (+ n 1)",
            "snapshot",
            "odds None",
            "odds Some((5, 1000))",
            "odds Some((-1, 8))",
            "let snapshot 3",
            "let what (roll critical(damage))",
            "repeats",
            "outcome (- max_hp hp)",
            "outcome (roll what.dealt)",
            "[festering true true][clean true false][bare false false][hurt.state, hurt.place][hurt.row]",
        ]
    );
}
