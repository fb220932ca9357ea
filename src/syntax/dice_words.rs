//! What is done to dice, in the words of each dialect.

use super::dice::compare;
use super::grammar::{Pair, Rule};
use super::reader::{Reader, Sign};
use super::tree::{Expr, ExprKind};
use crate::diagnostics::{Code, Diagnostic};
use crate::dice::{Compare, Dialect, End, Explosion, Faces, Modifier, Point, Reroll, in_fixed_order};
use crate::say;
use crate::source::Span;
use crate::wording::Wording;

/// What is done to the dice of one term or the totals of one pool, as far as it has been read.
pub(super) struct Changes<'t> {
    pub modifiers: Vec<Modifier<Expr>>,
    /// Where each of them stands.
    pub spans: Vec<Span>,
    pub height: usize,
    /// Where the count begins, if the last of them is one.
    pub counted_at: Option<usize>,
    /// A comparison of totals behind them.
    pub compared: Option<(Sign<'t>, Expr)>,
    pub faces: Option<(Faces<Expr>, Span)>,
    one_die: bool,
    /// How many dice, where that is a number.
    pub count: Option<i64>,
    /// Where the term begins.
    pub start: u32,
    /// A `k` that waits for what it keeps.
    bare_keep: Option<Span>,
    /// Failures that wait for what they are taken from.
    failure: Option<(Point<Expr>, Span)>,
}

impl Changes<'_> {
    pub fn of(height: usize, one_die: bool) -> Self {
        Changes {
            modifiers: Vec::new(),
            spans: Vec::new(),
            height,
            counted_at: None,
            compared: None,
            faces: None,
            one_die,
            count: None,
            start: 0,
            bare_keep: None,
            failure: None,
        }
    }

    fn push(&mut self, modifier: Modifier<Expr>, span: Span) {
        self.modifiers.push(modifier);
        self.spans.push(span);
    }
}

impl<'t> Reader<'_, 't> {
    /// One more thing done to the dice.
    pub fn change(&mut self, part: Pair<'t>, to: &mut Changes<'t>) {
        let at = self.span(&part);
        let text = part.as_str().trim_end();
        to.counted_at = None;
        if let Some((sign, _)) = &to.compared {
            let before = sign.span;
            self.spoil(
                Diagnostic::error(Code::Syntax, say!("`{text}` stands behind a comparison of totals", text))
                    .label(at, "nothing can be done to dice here")
                    .label(before, "compares the total")
                    .help("put it before the comparison"),
            );
            return;
        }
        let rule = part.as_rule();
        match (rule, self.dialect) {
            (Rule::foreign, _) => return self.foreign(part, at, to),
            (Rule::counting, Dialect::Avrae) => return self.avrae_compares(part, at, to),
            (Rule::counting, Dialect::Foundry) => {
                return self.instead(at, text, say!("counts nothing"), &format!("cs{text}"));
            }
            (Rule::explode, Dialect::Foundry) => {
                let word = match text {
                    _ if text.starts_with("!o") => text.replacen("!o", "xo", 1),
                    _ if text.starts_with("!!") || text.starts_with("!p") => {
                        return self.no_words(at, text, say!("explodes in no such way"));
                    }
                    _ => text.replacen('!', "x", 1),
                };
                return self.instead(at, text, say!("does not explode"), &word);
            }
            (Rule::explode, Dialect::Avrae) if text.starts_with("!=") => return self.avrae_compares(part, at, to),
            (Rule::explode, Dialect::Avrae) => {
                return match (text, &to.faces) {
                    ("!", Some((Faces::Upto(n), _))) if matches!(*n.kind, ExprKind::Number(_)) => {
                        let ExprKind::Number(n) = &*n.kind else { return };
                        self.instead(at, text, say!("does not explode"), &format!("e{n}"))
                    }
                    (_, _) if text.starts_with("!!") || text.starts_with("!p") || text == "!o" || text == "!" => {
                        self.no_words(at, text, say!("explodes in no such way"))
                    }
                    _ => self.instead(at, text, say!("does not explode"), &text.replacen('!', "e", 1)),
                };
            }
            (Rule::reroll, Dialect::Avrae) if !text.starts_with("rr") && !text.starts_with("ro") => {
                let rest = text.get(1..).unwrap_or("");
                self.spoil(
                    Diagnostic::error(Code::DiceDialect, say!("`{text}` is not how avrae rolls again", text))
                        .label(at, "until, or once?")
                        .help(say!("write `rr{rest}` for until none is left, `ro{rest}` for once", rest)),
                );
                return;
            }
            (Rule::unique, Dialect::RpgDiceRoller) => {
                return self.no_words(at, text, say!("rolls repeats again, and cannot be said here"));
            }
            (Rule::keep, Dialect::Avrae)
                if text.starts_with('k') && !text.starts_with("kh") && !text.starts_with("kl") =>
            {
                let amount = part.into_inner().nth(1);
                match amount {
                    None => to.bare_keep = Some(at),
                    Some(amount) => {
                        let modifier = self.modifier_amount(amount, &mut to.height);
                        let point = Point { compare: Compare::Equal, value: modifier };
                        self.only(point, at, to);
                    }
                }
                return;
            }
            (Rule::explode | Rule::reroll, Dialect::RpgDiceRoller) => {
                let mut points = part.clone().into_inner().filter(|inner| inner.as_rule() == Rule::point);
                if let Some(point) = points.next()
                    && !point.clone().into_inner().any(|inner| inner.as_rule() == Rule::point_compare)
                {
                    let how = text.get(..text.len() - point.as_str().trim_end().len()).unwrap_or("");
                    let better = format!("{how}={}", point.as_str().trim_end());
                    self.spoil(
                        Diagnostic::error(Code::DiceDialect, say!("rpg-dice-roller does not read `{text}`", text))
                            .label(at, "a sign is missing before the number")
                            .help(say!("write `{better}`", better))
                            .edit(at, better),
                    );
                    return;
                }
            }
            _ => {}
        }
        if rule == Rule::keep && self.operator_missing(&part, at, to) {
            return;
        }
        if rule == Rule::counting {
            to.counted_at = Some(self.range(&part).start);
        }
        self.note_change(&part, at);
        let once = rule == Rule::reroll && self.dialect == Dialect::Foundry && !text.starts_with("rr");
        let modifier = match self.modifier(part, &mut to.height) {
            Modifier::Reroll(_, point) if once => Modifier::Reroll(Reroll::Once, point),
            Modifier::Count { success, failure: None } if to.failure.is_some() => {
                Modifier::Count { success, failure: to.failure.take().map(|(point, _)| point) }
            }
            other => other,
        };
        to.push(modifier, at);
    }

    /// `4d64d6`: read to the letter it drops six dice of four.
    fn operator_missing(&mut self, part: &Pair<'t>, at: Span, to: &Changes<'t>) -> bool {
        let (Some(count), Some((Faces::Upto(faces), place))) = (to.count, &to.faces) else { return false };
        let (ExprKind::Number(faces), true) = (&*faces.kind, to.modifiers.is_empty()) else { return false };
        let Some(drop) = part.as_str().strip_prefix('d').and_then(|drop| drop.parse::<i64>().ok()) else {
            return false;
        };
        let digits = faces.to_string();
        if place.end != at.start || drop <= count || digits.len() < 2 {
            return false;
        }
        let (first, second) = digits.split_at(digits.len() - 1);
        let written = &self.text[to.start as usize..at.end as usize];
        let before = &self.text[to.start as usize..place.start as usize];
        let middle = Span { start: place.end - 1, end: place.end - 1, ..*place };
        self.spoil(
            Diagnostic::error(
                Code::Syntax,
                say!("an operator is missing in `{written}`, or it drops {drop} dice of {count}", written, drop, count),
            )
            .label(at, "read as dropping the lowest dice")
            .help(say!("write `{before}{first} + {second}d{drop}`", before, first, second, drop))
            .edit(middle, " + "),
        );
        true
    }

    /// What the sign of a point means.
    pub fn point_sign(&self, sign: &str) -> Compare {
        match (compare(sign), self.dialect) {
            (Some(Compare::Greater), Dialect::Roll20) => Compare::AtLeast,
            (Some(Compare::Less), Dialect::Roll20) => Compare::AtMost,
            (sign, _) => sign.unwrap_or(Compare::Equal),
        }
    }

    /// `>7` behind dice compares their total; behind `k` it says which are kept.
    fn avrae_compares(&mut self, part: Pair<'t>, at: Span, to: &mut Changes<'t>) {
        let explodes = part.as_rule() == Rule::explode;
        let mut inner = part.into_inner();
        let first = inner.next();
        let parts: Vec<Pair<'t>> = match (explodes, inner.next()) {
            (true, Some(point)) => point.into_inner().collect(),
            (_, second) => first.clone().into_iter().chain(second).collect(),
        };
        let (mut sign, mut value) = (None, None);
        for part in parts {
            match part.as_rule() {
                Rule::point_compare => sign = Some(part),
                _ => value = Some(self.modifier_amount(part, &mut to.height)),
            }
        }
        let (Some(sign), Some(value)) = (sign, value) else { return };
        if inner.next().is_some() {
            return self.no_words(at, "f", say!("counts no failures"));
        }
        if to.bare_keep.take().is_some() {
            let point = Point { compare: self.point_sign(sign.as_str()), value };
            return self.only(point, at, to);
        }
        let span = if explodes { at.to(self.span(&sign)) } else { self.span(&sign) };
        let text = if explodes { "!=" } else { sign.as_str() };
        to.compared = Some((Sign { text, span: Span { end: value.span.start, ..span } }, value));
    }

    fn only(&mut self, point: Point<Expr>, at: Span, to: &mut Changes<'t>) {
        if to.modifiers.iter().any(|modifier| matches!(modifier, Modifier::Only(_) | Modifier::Keep(..))) {
            self.spoil(
                Diagnostic::error(
                    Code::DiceDialect,
                    "avrae keeps what any of several `k` keeps; that cannot be said here",
                )
                .label(at, "a second one")
                .help("write one `k`, such as `k<4`"),
            );
            return;
        }
        to.push(Modifier::Only(point), at);
    }

    /// A word that only some tools know.
    fn foreign(&mut self, part: Pair<'t>, at: Span, to: &mut Changes<'t>) {
        let text = part.as_str().trim_end();
        let mut inner = part.into_inner();
        let Some(word) = inner.next() else { return };
        let name = word.as_str();
        let rest = inner.next();
        if word.as_rule() == Rule::foreign_end {
            let amount = rest.map(|rest| self.modifier_amount(rest, &mut to.height));
            return match (self.dialect, name, amount) {
                (Dialect::Avrae, "pl", Some(amount)) => to.push(Modifier::Drop(End::Low, amount), at),
                (Dialect::Avrae, "ph", Some(amount)) => to.push(Modifier::Drop(End::High, amount), at),
                (Dialect::Avrae, ..) => {
                    self.no_words(at, text, say!("works on the highest or lowest dice, which cannot be said here"))
                }
                _ => self.unknown_word(at, text, to),
            };
        }
        let has_point = rest.is_some();
        let mut plain = None;
        let point = rest.map(|rest| {
            plain = (!rest.clone().into_inner().any(|inner| inner.as_rule() == Rule::point_compare))
                .then(|| rest.as_str().trim_end().to_owned());
            self.point(rest.into_inner(), &mut to.height)
        });
        let missing = || {
            Diagnostic::error(Code::Syntax, say!("`{name}` does not say which dice", name))
                .label(at, "a number or a comparison is missing behind it")
                .help(say!("write `{name}6` or `{name}>4`", name))
        };
        match (self.dialect, name, point) {
            (Dialect::Foundry, "x", point) => to.push(Modifier::Explode(Explosion::Add, point), at),
            (Dialect::Foundry, "xo", point) => to.push(Modifier::Explode(Explosion::Once, point), at),
            (Dialect::Foundry, "cs" | "cf", Some(point)) => {
                if to.modifiers.iter().any(|modifier| matches!(modifier, Modifier::Count { .. })) {
                    return self.no_words(at, text, say!("counts anew, and cannot be said here"));
                }
                to.push(Modifier::Count { success: point, failure: None }, at);
            }
            (Dialect::Foundry, "df" | "sf" | "ms", _) => {
                self.no_words(at, text, say!("reckons with dice in a way that cannot be said here"))
            }
            (Dialect::Avrae, "e", Some(point)) => to.push(Modifier::Explode(Explosion::Add, Some(point)), at),
            (Dialect::Avrae, "ra", Some(point)) if to.one_die => {
                to.push(Modifier::Explode(Explosion::Once, Some(point)), at)
            }
            (Dialect::Avrae, "ra", Some(_)) => {
                self.no_words(at, text, say!("brings one die for all of them, which cannot be said here"))
            }
            (Dialect::Avrae, "p", Some(Point { compare, value })) => {
                let compare = match compare {
                    Compare::Equal => Compare::NotEqual,
                    Compare::NotEqual => Compare::Equal,
                    Compare::Less => Compare::AtLeast,
                    Compare::AtMost => Compare::Greater,
                    Compare::Greater => Compare::AtMost,
                    Compare::AtLeast => Compare::Less,
                };
                to.push(Modifier::Only(Point { compare, value }), at);
            }
            (Dialect::Avrae, "mi" | "ma", Some(point)) if plain.is_some() => {
                let amount = point.value;
                to.push(if name == "mi" { Modifier::AtLeast(amount) } else { Modifier::AtMost(amount) }, at);
            }
            (Dialect::Avrae, "e" | "ra" | "p" | "mi" | "ma", None) => self.spoil(missing()),
            (Dialect::Roll20 | Dialect::RpgDiceRoller, "cs" | "cf", Some(_)) => self.fault(
                Diagnostic::note(Code::DiceDialect, say!("`{text}` marks dice and changes no total", text))
                    .label(at, "left out of the roll")
                    .help("take it out, or count dice with `>=5`"),
            ),
            (Dialect::RpgDiceRoller, "u" | "uo", _) => {
                self.no_words(at, text, say!("rolls repeats again, and cannot be said here"))
            }
            (Dialect::Roll20 | Dialect::RpgDiceRoller | Dialect::Cicatriz, "f", Some(point))
                if to.failure.is_none() =>
            {
                to.failure = Some((point, at));
            }
            (_, "f", _) => self.spoil(missing()),
            _ if has_point || self.dialect != Dialect::Cicatriz => self.unknown_word(at, text, to),
            _ => self.unknown_word(at, text, to),
        }
    }

    /// A word of another tool, where this one's notation has its own.
    fn unknown_word(&mut self, at: Span, text: &str, to: &Changes<'t>) {
        let word: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
        let rest = text.get(word.len()..).unwrap_or("");
        let before = self.text[..at.start as usize].rsplit(|c: char| !(c.is_alphanumeric() || c == '%')).next();
        let glued = before.unwrap_or("").to_owned();
        let fault = Diagnostic::error(
            Code::Syntax,
            say!("`{value}` is nothing that can be done to dice", value = super::fault::short(text)),
        )
        .label(at, say!("glued to `{glued}`", glued = super::fault::short(&glued)));
        let digits = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
        if word == "x" && digits {
            self.spoil(fault.help(say!("write `{glued} * {rest}`", glued, rest)).edit(at, format!(" * {rest}")));
            return;
        }
        let signed = || if digits { format!("={rest}") } else { rest.to_owned() };
        let better = match word.as_str() {
            "cs" | "cf" if !rest.is_empty() => Some(signed()),
            "x" | "e" if !rest.is_empty() || word == "x" && to.faces.is_some() && text.len() > 1 => {
                Some(format!("!{rest}"))
            }
            "xo" | "ra" => Some(format!("!o{rest}")),
            "mi" if digits => Some(format!("min{rest}")),
            "ma" if digits => Some(format!("max{rest}")),
            "pl" if digits => Some(format!("dl{rest}")),
            "ph" if digits => Some(format!("dh{rest}")),
            _ => None,
        };
        self.spoil(match better {
            Some(better) => {
                let fault = Diagnostic::error(Code::DiceDialect, say!("`{text}` is how another tool does it", text))
                    .label(at, "not a word of this notation");
                fault.help(say!("write `{better}`", better)).edit(at, better)
            }
            None => fault.help("keep `kh1` `kl1`, drop `dh1` `dl1`, explode `!`, roll again `r1`, count `>=5`"),
        });
    }

    /// What the dialect writes another way.
    fn instead(&mut self, at: Span, text: &str, does: Wording, better: &str) {
        self.spoil(
            Diagnostic::error(
                Code::DiceDialect,
                say!("`{text}` {does} in {dialect}", text, does, dialect = self.dialect),
            )
            .label(at, "written another way there")
            .help(say!("write `{better}`", better))
            .edit(at, better),
        );
    }

    /// What the dialect says and this crate cannot, or the other way round.
    fn no_words(&mut self, at: Span, text: &str, what: Wording) {
        self.spoil(
            Diagnostic::error(
                Code::DiceDialect,
                say!("`{text}` in {dialect} {what}", text, dialect = self.dialect, what),
            )
            .label(at, "not read")
            .help("write the roll another way"),
        );
    }

    fn modifier_amount(&mut self, pair: Pair<'t>, height: &mut usize) -> Expr {
        self.point(std::iter::once(pair), height).value
    }

    /// Brings what is done to the dice into the order in which the dialect does it.
    pub fn settle(&mut self, to: &mut Changes<'t>, whole: Span) {
        if let Some(at) = to.bare_keep.take() {
            self.spoil(
                Diagnostic::error(Code::DiceDialect, "`k` does not say which dice it keeps in avrae")
                    .label(at, "a number or a comparison is missing behind it")
                    .help("write `kh1` for the highest, `k6` for those that show 6"),
            );
        }
        if let Some((_, at)) = to.failure.take() {
            self.spoil(
                Diagnostic::error(Code::Syntax, "failures are taken from successes, and none are counted")
                    .label(at, "only failures")
                    .help("count successes too: `>=5f<=1`"),
            );
        }
        if self.dialect.orders() {
            self.one_end(to, whole);
            in_fixed_order(&mut to.modifiers);
        } else if self.dialect == Dialect::Cicatriz {
            self.note_order(to, whole);
        }
    }

    /// Tools of a fixed order keep and drop among all dice at once: `3d6kh2dl1` keeps two.
    fn one_end(&mut self, to: &mut Changes<'t>, whole: Span) {
        let keep = to.modifiers.iter().position(|modifier| matches!(modifier, Modifier::Keep(..)));
        let drop = to.modifiers.iter().position(|modifier| matches!(modifier, Modifier::Drop(..)));
        let (Some(keep), Some(drop)) = (keep, drop) else { return };
        let (Some(Modifier::Keep(kept, _)), Some(Modifier::Drop(dropped, _))) =
            (to.modifiers.get(keep), to.modifiers.get(drop))
        else {
            return;
        };
        if kept == dropped {
            return;
        }
        let explodes = to.modifiers.iter().any(|modifier| matches!(modifier, Modifier::Explode(..)));
        let number = |at: usize| match to.modifiers.get(at) {
            Some(Modifier::Keep(_, number) | Modifier::Drop(_, number)) => match *number.kind {
                ExprKind::Number(number) => Some(number),
                _ => None,
            },
            _ => None,
        };
        if let (Some(count), Some(kept), Some(dropped), false) = (to.count, number(keep), number(drop), explodes) {
            // Whichever takes out more takes out what the other does.
            let weaker = if count - kept >= dropped { drop } else { keep };
            to.modifiers.remove(weaker);
            to.spans.remove(weaker);
            return;
        }
        self.spoil(
            Diagnostic::error(
                Code::DiceDialect,
                say!(
                    "{dialect} keeps and drops among all the dice at once, and that cannot be said here",
                    dialect = self.dialect
                ),
            )
            .label(to.spans.get(keep).copied().unwrap_or(whole), "keeps")
            .label(to.spans.get(drop).copied().unwrap_or(whole), "drops at the same end")
            .help("write the one that takes out more dice"),
        );
    }

    /// Tools of a fixed order do to the dice of a pool's only member what they do to the pool.
    pub fn lone_member(&mut self, members: &mut [Expr], modifiers: &mut Vec<Modifier<Expr>>, whole: Span) {
        let Some(member) = members.first_mut() else { return };
        match &mut *member.kind {
            ExprKind::Dice(term) => {
                term.modifiers.append(modifiers);
                in_fixed_order(&mut term.modifiers);
            }
            _ if modifiers.iter().all(|modifier| matches!(modifier, Modifier::Sort(_))) => {}
            _ => self.spoil(
                Diagnostic::error(
                    Code::DiceDialect,
                    say!("{dialect} works on the dice in such a pool", dialect = self.dialect),
                )
                .label(whole, "a pool of one total")
                .help("write it behind the dice themselves: `4d6kh3`"),
            ),
        }
    }
}
