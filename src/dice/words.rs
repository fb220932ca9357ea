//! Dice in words: what will be rolled and what is done to it, in the order it happens.

use super::sides::digits_of;
use super::{Compare, Dice, End, Explosion, Faces, Function, Modifier, Order, Point, Pool, Reroll, Rounding, Term};

/// One sentence for each term, pool, function and comparison of the dice, in written order: the
/// part as written, and what it means.
pub fn explain(dice: &Dice) -> Vec<(String, String)> {
    let mut said = Vec::new();
    walk(dice, &mut said);
    said
}

fn walk(dice: &Dice, said: &mut Vec<(String, String)>) {
    match dice {
        Dice::Number(_) => {}
        Dice::Term(term) => {
            said.push((dice.to_string(), of_term(term)));
            walk_number(&term.count, said);
            if let Faces::Upto(faces) = &term.faces {
                walk_number(faces, said);
            }
        }
        Dice::Pool(pool) => {
            said.push((dice.to_string(), of_pool(pool)));
            pool.members.iter().for_each(|member| walk(member, said));
        }
        Dice::Operation(..) => {
            let (first, rest) = super::arithmetic::chain(dice);
            for (operator, _) in &rest {
                match operator {
                    super::Operator::Compare(_) => {
                        said.push((
                            dice.to_string(),
                            "1 where the comparison of the totals holds, 0 where not".to_owned(),
                        ));
                    }
                    super::Operator::Divide(how) => {
                        let how = match how {
                            Rounding::Down => "down to the smaller whole number",
                            Rounding::Up => "up to the greater whole number",
                            Rounding::Near => "to the nearest whole number, a half up",
                        };
                        said.push((dice.to_string(), format!("the division is rounded {how}")));
                    }
                    _ => {}
                }
            }
            walk(first, said);
            rest.iter().for_each(|(_, operand)| walk(operand, said));
        }
        Dice::Negate(inner) => walk(inner, said),
        Dice::Function(function, arguments) => {
            let what = match function {
                Function::Min => "the least of these totals",
                Function::Max => "the greatest of these totals",
                Function::Abs => "the total without its sign",
            };
            said.push((dice.to_string(), what.to_owned()));
            arguments.iter().for_each(|argument| walk(argument, said));
        }
        Dice::Label(inner, text) => {
            let from = said.len();
            walk(inner, said);
            if let Some((_, words)) = said.get_mut(from) {
                words.push_str(&format!(" ({text})"));
            }
        }
    }
}

fn walk_number(dice: &Dice, said: &mut Vec<(String, String)>) {
    if !matches!(dice, Dice::Number(_)) {
        walk(dice, said);
    }
}

fn of_term(term: &Term<Dice>) -> String {
    let die = match &term.faces {
        Faces::Upto(faces) => format!("of {faces} faces"),
        Faces::Fate => "that shows -1, 0 or 1".to_owned(),
        Faces::List(values) => {
            format!("that shows one of {}", values.iter().map(i64::to_string).collect::<Vec<_>>().join(", "))
        }
        Faces::Digits(digits) => {
            let each: Vec<String> = digits_of(*digits).map(|digit| format!("1 to {digit}")).collect();
            format!("a digit, read side by side ({})", each.join(", "))
        }
    };
    let rolled = match &term.count {
        Dice::Number(0) => "no dice: the total is 0".to_owned(),
        Dice::Number(1) => format!("roll one die {die}"),
        Dice::Number(count) => format!("roll {count} dice {}", die.replace("that shows", "that show")),
        count => format!("roll as many dice {} as `{count}` says", die.replace("that shows", "that show")),
    };
    let mut parts = vec![rolled];
    parts.extend(term.modifiers.iter().map(|modifier| done(modifier, "dice", "die")));
    if let (true, Dice::Number(count)) = (term.modifiers.is_empty(), &term.count)
        && *count > 1
    {
        parts.push("add them up".to_owned());
    }
    parts.join("; ")
}

fn of_pool(pool: &Pool<Dice>) -> String {
    let mut parts = vec![format!("work out {} totals", pool.members.len())];
    parts.extend(pool.modifiers.iter().map(|modifier| done(modifier, "totals", "total")));
    if pool.modifiers.is_empty() {
        parts.push("add them up".to_owned());
    }
    parts.join("; ")
}

fn done(modifier: &Modifier<Dice>, many: &str, one: &str) -> String {
    let end = |end: &End| if *end == End::High { "highest" } else { "lowest" };
    match modifier {
        Modifier::Keep(side, number) => format!("keep the {} {number}", end(side)),
        Modifier::Drop(side, number) => format!("drop the {} {number}", end(side)),
        Modifier::Explode(kind, point) => {
            let on = match point {
                Some(point) => format!("that shows {}", meant(point)),
                None => "on its highest face".to_owned(),
            };
            let brings = match kind {
                Explosion::Add => "brings another die, which may bring one in turn",
                Explosion::Compound => "is rolled on and adds up, for as long as that goes on",
                Explosion::Penetrate => "brings another die less 1, which may bring one in turn",
                Explosion::Once => "brings one more die",
            };
            format!("each {one} {on} {brings}")
        }
        Modifier::ExplodeTop(top) => {
            format!("each {one} on its {top} highest faces brings another die, which may bring one in turn")
        }
        Modifier::Reroll(kind, point) => {
            let on = match point {
                Some(point) => format!("that shows {}", meant(point)),
                None => "on its lowest face".to_owned(),
            };
            let often = if *kind == Reroll::Until { "until it does not" } else { "once" };
            format!("roll each {one} {on} again, {often}")
        }
        Modifier::Only(point) => format!("keep only the {many} that show {}", meant(point)),
        Modifier::AtLeast(least) => format!("each {one} counts as {least} at least"),
        Modifier::AtMost(most) => format!("each {one} counts as {most} at most"),
        Modifier::Count { success, failure: None } => format!("count the {many} that show {}", meant(success)),
        Modifier::Count { success, failure: Some(failure) } => {
            format!("count the {many} that show {}, less those that show {}", meant(success), meant(failure))
        }
        Modifier::Even => format!("count the even {many}"),
        Modifier::Odd => format!("count the odd {many}"),
        Modifier::Unique => format!("drop every {one} that repeats another"),
        Modifier::Sort(Order::Ascending) => "show them from the lowest up".to_owned(),
        Modifier::Sort(Order::Descending) => "show them from the highest down".to_owned(),
    }
}

fn meant(point: &Point<Dice>) -> String {
    let value = &point.value;
    match point.compare {
        Compare::Equal => format!("{value}"),
        Compare::NotEqual => format!("anything but {value}"),
        Compare::Less => format!("less than {value}"),
        Compare::AtMost => format!("{value} or less"),
        Compare::Greater => format!("more than {value}"),
        Compare::AtLeast => format!("{value} or more"),
    }
}
