//! Dice in words: what somebody at the table would be told to roll.

use cicatriz::dice::{
    Compare, Dice, EXPLOSIONS_A_DIE, End, Explosion, Faces, Function, Modifier, Operator, Order, Point, Pool, Reroll,
    Rounding, Term,
};

/// What will be rolled: `roll four six-sided dice, keep the highest 3`.
pub fn of(dice: &Dice) -> String {
    let mut text = done(dice);
    if explodes(dice) {
        text.push_str(&format!(" (an explosion ends after {EXPLOSIONS_A_DIE} further dice)"));
    }
    text
}

/// As something to do.
fn done(dice: &Dice) -> String {
    match dice {
        Dice::Number(n) => format!("take the number {n}"),
        Dice::Term(_) => format!("roll {}", named(dice)),
        Dice::Pool(pool) => each(pool),
        Dice::Operation(Operator::Compare(compare), a, b) => {
            format!("{}; 1 if that is {}, else 0", done(a), compared(*compare, &named(b)))
        }
        Dice::Operation(operator, a, b) => {
            let b = named(b);
            let then = match operator {
                Operator::Add => format!("add {b}"),
                Operator::Subtract => format!("take off {b}"),
                Operator::Multiply => format!("multiply by {b}"),
                Operator::Divide(rounding) => format!("divide by {b} and round {}", rounded(*rounding)),
                Operator::Remainder => format!("divide by {b} and take what is left over"),
                Operator::Compare(_) => b,
            };
            format!("{}, then {then}", done(a))
        }
        Dice::Negate(inner) => format!("{}, with its sign turned round", done(inner)),
        Dice::Function(function, list) => {
            let members: Vec<String> = list.iter().map(named).collect();
            match function {
                Function::Min => format!("take the lowest of: {}", members.join("; ")),
                Function::Max => format!("take the highest of: {}", members.join("; ")),
                Function::Abs => format!("take without its sign: {}", members.join("; ")),
            }
        }
        Dice::Label(inner, label) => format!("{} for {label}", done(inner)),
    }
}

/// As something that is there: `two six-sided dice`, `3`.
fn named(dice: &Dice) -> String {
    match dice {
        Dice::Number(n) => n.to_string(),
        Dice::Term(term) => term_named(term),
        Dice::Label(inner, label) => format!("{} for {label}", named(inner)),
        other => format!("`{other}` ({})", done(other)),
    }
}

fn term_named(term: &Term<Dice>) -> String {
    let mut text = match (&term.count, &term.faces) {
        (_, Faces::Digits(digits)) => read_digit_by_digit(*digits),
        (Dice::Number(1), faces) => format!("one {}", die(faces, true)),
        (Dice::Number(n), faces) => format!("{} {}", number(*n), die(faces, false)),
        (count, faces) => format!("as many {} as `{count}` comes to", die(faces, false)),
    };
    for modifier in &term.modifiers {
        text.push_str(", ");
        text.push_str(&modified(modifier, term));
    }
    text
}

fn read_digit_by_digit(digits: u32) -> String {
    let text = digits.to_string();
    let dice: Vec<String> = text.chars().map(|digit| format!("d{digit}")).collect();
    format!("{}, read side by side as the digits of one number", dice.join(" and "))
}

fn die(faces: &Faces<Dice>, one: bool) -> String {
    let die = if one { "die" } else { "dice" };
    match faces {
        Faces::Upto(Dice::Number(n)) => format!("{}-sided {die}", number(*n)),
        Faces::Upto(n) => format!("{die} with as many faces as `{n}` comes to"),
        Faces::Fate => format!("Fate {die} (-1, 0 or 1)"),
        Faces::List(list) => {
            let list: Vec<String> = list.iter().map(i64::to_string).collect();
            format!("{die} with the faces {}", list.join(", "))
        }
        Faces::Digits(_) => die.to_owned(),
    }
}

fn modified(modifier: &Modifier<Dice>, term: &Term<Dice>) -> String {
    let highest = match &term.faces {
        Faces::Upto(Dice::Number(n)) => format!("a {n}"),
        _ => "the highest face".to_owned(),
    };
    match modifier {
        Modifier::Explode(how, point) => {
            let on = point.as_ref().map_or(highest, pointed);
            match how {
                Explosion::Add => format!("roll another die for each that shows {on}"),
                Explosion::Compound => format!("roll again and add to the same die for each that shows {on}"),
                Explosion::Penetrate => format!("roll another die, less one, for each that shows {on}"),
                Explosion::Once => format!("roll one further die, once, for each that shows {on}"),
            }
        }
        Modifier::Reroll(how, point) => {
            let on = point.as_ref().map_or("the lowest face".to_owned(), pointed);
            match how {
                Reroll::Until => format!("roll again those that show {on} until none does"),
                Reroll::Once => format!("roll again once those that show {on}"),
            }
        }
        Modifier::Count { success, failure } => {
            let counted = format!("count those that show {}", pointed(success));
            match failure {
                Some(failure) => format!("{counted}, less those that show {}", pointed(failure)),
                None => counted,
            }
        }
        other => common(other, "each die", "those"),
    }
}

/// What is done to the totals of a pool and to dice alike.
fn common(modifier: &Modifier<Dice>, each: &str, those: &str) -> String {
    let ends = |end: &End| if *end == End::High { "highest" } else { "lowest" };
    let many = |n: &Dice| if matches!(n, Dice::Number(1)) { String::new() } else { format!(" {}", named(n)) };
    match modifier {
        Modifier::Keep(end, n) => format!("keep the {}{}", ends(end), many(n)),
        Modifier::Drop(end, n) => format!("drop the {}{}", ends(end), many(n)),
        Modifier::AtLeast(n) => format!("{each} counts at least {}", named(n)),
        Modifier::AtMost(n) => format!("{each} counts at most {}", named(n)),
        Modifier::ExplodeTop(n) => format!("roll another die for each on its highest {n} faces"),
        Modifier::Count { success, .. } => format!("count {those} that come to {}", pointed(success)),
        Modifier::Even => format!("count {those} that are even"),
        Modifier::Odd => format!("count {those} that are odd"),
        Modifier::Unique => "drop whatever repeats a value".to_owned(),
        Modifier::Sort(Order::Ascending) => "shown from the lowest up".to_owned(),
        Modifier::Sort(Order::Descending) => "shown from the highest down".to_owned(),
        Modifier::Explode(..) | Modifier::Reroll(..) => String::new(),
    }
}

fn each(pool: &Pool<Dice>) -> String {
    let members: Vec<String> = pool.members.iter().map(named).collect();
    let mut text = format!("roll separately: {}", members.join("; "));
    for modifier in &pool.modifiers {
        text.push_str("; then of the totals ");
        text.push_str(&common(modifier, "each", "those"));
    }
    text
}

fn pointed(point: &Point<Dice>) -> String {
    compared(point.compare, &named(&point.value))
}

fn compared(compare: Compare, value: &str) -> String {
    match compare {
        Compare::Equal => value.to_owned(),
        Compare::NotEqual => format!("anything but {value}"),
        Compare::Less => format!("less than {value}"),
        Compare::AtMost => format!("{value} or less"),
        Compare::Greater => format!("more than {value}"),
        Compare::AtLeast => format!("{value} or more"),
    }
}

fn rounded(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Down => "down",
        Rounding::Up => "up",
        Rounding::Near => "to the nearest",
    }
}

fn number(n: i64) -> String {
    const WORDS: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    usize::try_from(n).ok().and_then(|n| WORDS.get(n)).map_or_else(|| n.to_string(), |word| (*word).to_owned())
}

fn explodes(dice: &Dice) -> bool {
    let on = |list: &[Modifier<Dice>]| {
        list.iter().any(|m| match m {
            Modifier::Explode(how, _) => *how != Explosion::Once,
            Modifier::ExplodeTop(_) => true,
            _ => false,
        })
    };
    match dice {
        Dice::Number(_) => false,
        Dice::Term(term) => on(&term.modifiers),
        Dice::Pool(pool) => pool.members.iter().any(explodes),
        Dice::Operation(_, a, b) => explodes(a) || explodes(b),
        Dice::Negate(inner) | Dice::Label(inner, _) => explodes(inner),
        Dice::Function(_, list) => list.iter().any(explodes),
    }
}

#[cfg(test)]
mod tests {
    use cicatriz::check::ad_hoc;

    #[test]
    fn dice_in_words() {
        for (dice, words) in [
            ("4d6kh3", "roll four six-sided dice, keep the highest 3"),
            ("d20", "roll one 20-sided die"),
            ("2d20kh1 + 5", "roll two 20-sided dice, keep the highest, then add 5"),
            ("1d8 + 1d6", "roll one eight-sided die, then add one six-sided die"),
            ("6d10>=7f<=1", "roll six ten-sided dice, count those that show 7 or more, less those that show 1 or less"),
            ("4dF", "roll four Fate dice (-1, 0 or 1)"),
            ("d66 digits", "roll d6 and d6, read side by side as the digits of one number"),
            ("2d6 >= 7", "roll two six-sided dice; 1 if that is 7 or more, else 0"),
            ("(2d4)d6", "roll as many six-sided dice as `2d4` comes to"),
            (
                "{2d6, 1d8}kh1",
                "roll separately: two six-sided dice; one eight-sided die; then of the totals keep the highest",
            ),
            ("7 / 2 down", "take the number 7, then divide by 2 and round down"),
            ("1d6ro<=2", "roll one six-sided die, roll again once those that show 2 or less"),
            ("1d6 [fuego]", "roll one six-sided die for fuego"),
            (
                "1d6!",
                "roll one six-sided die, roll another die for each that shows a 6 (an explosion ends after 100 further dice)",
            ),
        ] {
            let (read, faults) = ad_hoc(dice);
            let read = read.unwrap_or_else(|| panic!("{dice}: {faults:?}"));
            assert_eq!(super::of(&read), words, "{dice}");
        }
    }
}
