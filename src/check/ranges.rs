//! Rows against what the dice can really show: gaps, overlaps, rows written backwards, rows no
//! die reaches.

use crate::wording::Wording;
use std::collections::HashMap;

use smol_str::SmolStr;

use super::sheet::range_text;
use super::{Checker, dice};
use crate::diagnostics::{Code as Fault, Diagnostic};
use crate::dice::{Dice, Shown, Unanswered};
use crate::program::*;
use crate::say;
use crate::source::Span;
use crate::syntax::tree::{self, Expr, ExprKind, Key, KeyKind, KeyRange};

/// How many ways to fill a table's arguments are tried one by one; beyond, bounds are used.
const WAYS: i64 = 256;
/// How many ranges of totals are told apart.
const RANGES: usize = 4096;
/// How many missing values are named in one message.
const NAMED: usize = 6;

/// A row's key and where it stands.
struct Keyed<'t> {
    row: u32,
    key: &'t Key,
    span: Span,
}

/// What the ranges of a table come to.
#[derive(Default)]
struct Covered {
    answers: Vec<Answer>,
    otherwise: Option<u32>,
    gap: Option<Gap>,
}

/// What no row answers, and where that was told.
pub type Gap = (Span, Vec<(i64, i64)>);

impl<'t> Checker<'t> {
    /// What dice written here can show; `None` where that depends on more than numbers.
    pub fn shown_by(&self, expr: &Expr) -> Option<Shown> {
        let inner = match &*expr.kind {
            ExprKind::Roll(inner) => inner,
            _ => expr,
        };
        let form = dice::form::<()>(inner, &mut |_| Err(())).ok()?;
        Some(crate::dice::shown(&dice::fill(&form, &mut |_| None)?, RANGES))
    }

    /// What dice show over all arguments of a table.
    pub fn shown_with(&self, expr: &Expr, written: &[tree::Param], params: &[Param]) -> Option<Shown> {
        if let Some(shown) = self.shown_by(expr) {
            return Some(shown);
        }
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        let mut exact = true;
        for (_, dice) in self.ways(expr, written, params)? {
            let shown = crate::dice::shown(&dice, RANGES);
            exact &= shown.exact;
            ranges.extend(shown.ranges);
        }
        ranges.sort_unstable();
        let mut joined: Vec<(i64, i64)> = Vec::new();
        for (low, high) in ranges {
            match joined.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => joined.push((low, high)),
            }
        }
        Some(Shown { ranges: joined, exact })
    }

    /// The dice for every way to fill the arguments they read, with those arguments in words; `None` where
    /// the ways are too many or depend on more than numbers.
    fn ways(&self, expr: &Expr, written: &[tree::Param], params: &[Param]) -> Option<Vec<(String, Dice)>> {
        let text = self.files.get(expr.span.file.0 as usize).map_or("", |f| f.slice(expr.span));
        let reads = |name: &str| text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|w| w == name);
        let mut count = 1i64;
        let mut names: Vec<(SmolStr, i64, i64)> = Vec::new();
        for param in params.iter().rev().take(written.len()).rev() {
            if !reads(&param.id) {
                continue;
            }
            let Type::Number { low, high } = param.ty else { return None };
            names.push((param.id.clone(), low, high));
            count = high
                .checked_sub(low)
                .and_then(|w| w.checked_add(1))
                .and_then(|w| count.checked_mul(w))
                .unwrap_or(i64::MAX);
        }
        if count > WAYS {
            return None;
        }
        let mut ways = Vec::new();
        for way in 0..count {
            let mut rest = way;
            let mut values: HashMap<&str, i64> = HashMap::new();
            let mut words = Vec::new();
            for (name, low, high) in &names {
                let width = high - low + 1;
                values.insert(name, low + rest % width);
                words.push(format!("{name} = {}", low + rest % width));
                rest /= width;
            }
            let inner = match &*expr.kind {
                ExprKind::Roll(inner) => inner,
                _ => expr,
            };
            let form = dice::form::<()>(inner, &mut |hole| evaluate(hole, &values).map(Form::Number).ok_or(())).ok()?;
            ways.push((words.join(", "), dice::fill(&form, &mut |_| None)?));
        }
        Some(ways)
    }

    /// Remembers the results of dice that no row answers.
    pub fn leave_open(&mut self, expr: &Expr, written: &[tree::Param], params: &[Param], gap: Option<Gap>) {
        let Some((span, totals)) = gap else { return };
        if let Some(ways) = self.ways(expr, written, params) {
            self.open.push(Unanswered { span, ways, totals });
        }
    }

    pub fn table_ranges(
        &mut self,
        id: TableId,
        rows: &[&'t tree::Row],
        shown: Option<Shown>,
        damaged: bool,
    ) -> Option<Gap> {
        let of = match self.program.tables[id.index()].key {
            TableKey::Number => Of::Number,
            _ => Of::Dice,
        };
        let keyed: Vec<Keyed> =
            rows.iter().enumerate().map(|(i, r)| Keyed { row: i as u32, key: &r.key, span: r.key.span }).collect();
        let head = self.program.tables[id.index()].span;
        let covered = self.cover(&keyed, shown.as_ref(), head, damaged, of);
        let table = &mut self.program.tables[id.index()];
        table.answers = covered.answers;
        table.otherwise = covered.otherwise;
        for (row, written) in table.rows.iter_mut().zip(rows) {
            row.range = key_text(&written.key);
        }
        covered.gap
    }

    /// Rows of an inline roll.
    pub fn inline_ranges(
        &mut self,
        rows: &'t [tree::InlineRow],
        shown: Option<&Shown>,
        span: Span,
    ) -> (Vec<Answer>, Option<u32>, Option<Gap>) {
        let keyed: Vec<Keyed> =
            rows.iter().enumerate().map(|(i, r)| Keyed { row: i as u32, key: &r.key, span: r.key.span }).collect();
        let head = self.trimmed(rows.first().map_or(span, |r| Span { end: r.span.start, ..span }));
        let damaged = self.is_damaged(span);
        let covered = self.cover(&keyed, shown, head, damaged, Of::Roll);
        (covered.answers, covered.otherwise, covered.gap)
    }

    /// Rows of states read off a track, over all the track can be.
    pub fn state_ranges(&mut self, rows: &'t [tree::StateRow], low: i64, high: i64, span: Span) -> Vec<Answer> {
        let keyed: Vec<Keyed> =
            rows.iter().enumerate().map(|(i, r)| Keyed { row: i as u32, key: &r.key, span: r.key.span }).collect();
        let head = self.trimmed(rows.first().map_or(span, |r| Span { end: r.span.start, ..span }));
        let shown = Shown { ranges: vec![(low, high)], exact: true };
        let damaged = self.is_damaged(span);
        let covered = self.cover(&keyed, Some(&shown), head, damaged, Of::Track);
        let mut answers = covered.answers;
        if let Some(row) = covered.otherwise {
            let mut at = i64::MIN;
            let mut filled = Vec::new();
            for answer in &answers {
                if answer.low > at {
                    filled.push(Answer { low: at, high: answer.low - 1, row });
                }
                at = answer.high.saturating_add(1);
            }
            if answers.last().is_none_or(|a| a.high < i64::MAX) {
                filled.push(Answer { low: at, high: i64::MAX, row });
            }
            answers.extend(filled);
            answers.sort_by_key(|a| a.low);
        }
        answers
    }

    /// Members of a kind, each answered once.
    pub fn table_members(&mut self, id: TableId, rows: &[&'t tree::Row], damaged: bool) {
        let members: Vec<SmolStr> = match self.program.tables[id.index()].key {
            TableKey::Kind(kind) => self.program.kinds[kind.index()].members.iter().map(|m| m.id.clone()).collect(),
            TableKey::Rows(table) => self.program.tables[table.index()].rows.iter().map(|r| r.id.clone()).collect(),
            _ => return,
        };
        let head = self.program.tables[id.index()].span;
        let mut answers: Vec<Answer> = Vec::new();
        let mut places: HashMap<usize, Span> = HashMap::new();
        let mut otherwise = None;
        for (index, row) in rows.iter().enumerate() {
            match &row.key.kind {
                KeyKind::Name(name) => match members.iter().position(|m| *m == name.text) {
                    Some(member) => match places.get(&member) {
                        // The ids are the same, which has been told.
                        Some(_) => {}
                        None => {
                            places.insert(member, row.key.span);
                            answers.push(Answer { low: member as i64, high: member as i64, row: index as u32 });
                        }
                    },
                    None => {
                        self.unknown(name, say!("member of the kind"), members.iter().map(SmolStr::as_str));
                    }
                },
                KeyKind::Else => otherwise = Some(index as u32),
                KeyKind::Never => {}
                KeyKind::Numbers(_) => {
                    self.tell(
                        Diagnostic::error(Fault::TypeMismatch, "this table is looked up by a name")
                            .label(row.key.span, "a number")
                            .help(say!("write one of `{members}`", members = members.join("`, `"))),
                    );
                }
            }
        }
        if otherwise.is_none() && !damaged {
            let missing: Vec<&str> =
                members.iter().enumerate().filter(|(i, _)| !places.contains_key(i)).map(|(_, m)| m.as_str()).collect();
            if !missing.is_empty() {
                let ticked = missing.iter().map(|name| format!("`{name}`"));
                self.tell(
                    Diagnostic::error(
                        Fault::TableGap,
                        say!("no row answers {ticked}", ticked = Wording::all_of(ticked)),
                    )
                    .label(head, "every member needs a row")
                    .help(say!(
                        "add a row that begins with `{missing}`, or one that begins with `else`",
                        missing = missing[0]
                    )),
                );
            }
        }
        answers.sort_by_key(|a| a.low);
        let table = &mut self.program.tables[id.index()];
        table.answers = answers;
        table.otherwise = otherwise;
        for (row, written) in table.rows.iter_mut().zip(rows) {
            row.range = key_text(&written.key);
        }
    }

    fn cover(&mut self, rows: &[Keyed<'t>], shown: Option<&Shown>, head: Span, damaged: bool, of: Of) -> Covered {
        let mut covered = Covered::default();
        // Every range with its row, as meant.
        let mut ranges: Vec<(i64, i64, u32, Span)> = Vec::new();
        let mut otherwise: Option<Span> = None;
        let mut named: Vec<&tree::Name> = Vec::new();
        for row in rows {
            match &row.key.kind {
                KeyKind::Numbers(list) => {
                    for range in list {
                        let (low, high) = self.ends(range);
                        ranges.push((low, high, row.row, range.span));
                    }
                }
                KeyKind::Else => {
                    if let Some(first) = otherwise {
                        self.tell(
                            Diagnostic::error(Fault::TableOverlap, "`else` stands twice")
                                .label(row.span, "again here")
                                .label(first, "first here")
                                .help("take one of them out"),
                        );
                    } else {
                        otherwise = Some(row.span);
                        covered.otherwise = Some(row.row);
                    }
                }
                KeyKind::Never => {}
                KeyKind::Name(name) => {
                    named.push(name);
                }
            }
        }
        ranges.sort_by_key(|r| (r.0, r.1, r.3));
        let mut last: Option<(i64, i64, u32, Span)> = None;
        for range in &ranges {
            let (low, high, row, span) = *range;
            let mut from = low;
            if let Some((_, last_high, last_row, last_span)) = last
                && low <= last_high
            {
                let upto = high.min(last_high);
                if last_row == row {
                    self.tell(
                        Diagnostic::error(
                            Fault::TableOverlap,
                            say!("this row answers {upto} twice", upto = values(low, upto)),
                        )
                        .label(span.max(last_span), "again here")
                        .label(span.min(last_span), "first here")
                        .help("take one of the two out"),
                    );
                } else {
                    let (first, second) = if span < last_span { (span, last_span) } else { (last_span, span) };
                    let fault = Diagnostic::error(
                        Fault::TableOverlap,
                        say!("two rows answer {upto}", upto = values(low, upto)),
                    )
                    .label(second, "this row")
                    .label(first, "and this row");
                    let both = (Some((low, high, span)), last.map(|l| (l.0, l.1, l.3)));
                    let narrower =
                        [second, first].into_iter().find_map(|at| Some((at, narrowed(both.0?, both.1?, at)?)));
                    self.tell(match narrower {
                        Some((at, text)) => fault
                            .help(say!(
                                "write `{text}` in place of `{at}`",
                                text,
                                at = self.files[at.file.0 as usize].slice(at)
                            ))
                            .edit(at, text),
                        None => fault.help("change one of the two, so that each result has one row"),
                    });
                }
                from = last_high.saturating_add(1);
            }
            if from <= high && last.is_none_or(|l| l.1 != i64::MAX) {
                covered.answers.push(Answer { low: from, high, row });
            }
            if last.is_none_or(|l| high > l.1) {
                last = Some(*range);
            }
        }
        let free = shown.and_then(|shown| self.missing(&covered.answers, shown).first().copied());
        for name in &named {
            let free = free.map_or_else(|| "7".to_owned(), |(low, high)| range_key(low, high));
            self.tell(
                Diagnostic::error(Fault::TypeMismatch, of.takes_numbers()).label(name.span, "not a number").help(say!(
                    "write the result first: `{free}  {name}`",
                    free,
                    name = name.text
                )),
            );
        }
        let Some(shown) = shown else { return covered };
        self.tell_unreachable(&ranges, shown, rows, of);
        let damaged = damaged || !named.is_empty();
        if damaged {
            return covered;
        }
        if let Some(span) = otherwise {
            let rest = self.missing(&covered.answers, shown);
            if rest.is_empty() && shown.exact {
                self.tell(
                    Diagnostic::error(Fault::TableUnreachable, "every result has a row already")
                        .label(span, "nothing is left for this row")
                        .help("take the row out"),
                );
            }
            return covered;
        }
        let missing = self.missing(&covered.answers, shown);
        if !missing.is_empty() {
            covered.gap = Some((self.tell_gap(&missing, rows, &ranges, shown, head, of), missing));
        }
        covered
    }

    /// A stretch without the blanks and the brace at its end.
    fn trimmed(&self, span: Span) -> Span {
        let text = self.files.get(span.file.0 as usize).map_or("", |f| f.slice(span));
        let kept = text.trim_end_matches(|c: char| c.is_whitespace() || c == '{').len();
        Span { end: span.start + kept as u32, ..span }
    }

    /// The ends of a range; one written backwards is told, and meant the other way round.
    fn ends(&mut self, range: &KeyRange) -> (i64, i64) {
        let (low, high) = (range.low.unwrap_or(i64::MIN), range.high.unwrap_or(i64::MAX));
        if low <= high {
            return (low, high);
        }
        let text = range_key(high, low);
        self.tell(
            Diagnostic::error(Fault::TableReversed, say!("`{high}` runs backwards", high = range_key(low, high)))
                .label(range.span, "the smaller number comes first")
                .help(say!("write `{text}`", text))
                .edit(range.span, text),
        );
        (high, low)
    }

    /// What can be shown and has no row.
    fn missing(&self, answers: &[Answer], shown: &Shown) -> Vec<(i64, i64)> {
        let mut missing = Vec::new();
        let mut next = 0;
        for (low, high) in &shown.ranges {
            let mut at = *low;
            while next < answers.len() && answers[next].high < at {
                next += 1;
            }
            let mut index = next;
            loop {
                match answers.get(index) {
                    Some(answer) if answer.low <= *high => {
                        if answer.low > at {
                            missing.push((at, answer.low - 1));
                        }
                        if answer.high >= *high {
                            break;
                        }
                        at = at.max(answer.high + 1);
                        index += 1;
                    }
                    _ => {
                        if at <= *high {
                            missing.push((at, *high));
                        }
                        break;
                    }
                }
            }
        }
        missing
    }

    fn tell_gap(
        &mut self,
        missing: &[(i64, i64)],
        rows: &[Keyed<'t>],
        ranges: &[(i64, i64, u32, Span)],
        shown: &Shown,
        head: Span,
        of: Of,
    ) -> Span {
        let mut named: Vec<Wording> = missing.iter().take(NAMED).map(|(low, high)| values(*low, *high)).collect();
        if missing.len() > NAMED {
            named.push(say!("{count} more", count = missing.len() - NAMED));
        }
        let list = Wording::all_of(named);
        let (low, high) = missing[0];
        // The row before the gap is where the new one goes.
        let before = ranges.iter().filter(|r| r.1 < low).max_by_key(|r| r.1);
        let at = before.map(|r| r.3).or(rows.first().map(|r| r.span)).unwrap_or(head);
        let text = match before {
            Some(_) => say!("the gap comes after this row"),
            None => say!("the gap comes before this row"),
        };
        let mut fault = Diagnostic::error(Fault::TableGap, say!("no row answers {list}", list))
            .label(at, if rows.is_empty() { say!("no rows") } else { text })
            .help(match of {
                Of::Dice | Of::Number => say!("add a row: `{high}  new_row \"…\"`", high = range_key(low, high)),
                Of::Roll => say!("add a row: `{high}  {{ … }}`", high = range_key(low, high)),
                Of::Track => say!("add a row: `{high}  new_state \"…\"`", high = range_key(low, high)),
            });
        if head != at
            && let Some((least, most)) = shown.hull()
        {
            fault = fault.label(head, of.reach(least, most));
        }
        self.tell(fault);
        at
    }

    fn tell_unreachable(&mut self, ranges: &[(i64, i64, u32, Span)], shown: &Shown, rows: &[Keyed<'t>], of: Of) {
        let Some((least, most)) = shown.hull() else { return };
        let reaches = |low: i64, high: i64| {
            let next = shown.ranges.partition_point(|r| r.1 < low);
            shown.ranges.get(next).is_some_and(|r| r.0 <= high)
        };
        let mut by_row: HashMap<u32, Vec<&(i64, i64, u32, Span)>> = HashMap::with_capacity(rows.len());
        for range in ranges {
            by_row.entry(range.2).or_default().push(range);
        }
        for row in rows {
            let Some(mine) = by_row.get(&row.row) else { continue };
            if mine.iter().all(|r| !reaches(r.0, r.1)) {
                self.tell(
                    Diagnostic::error(Fault::TableUnreachable, say!("{of} can never reach this row", of = of.text()))
                        .label(row.span, of.reach(least, most))
                        .help(match of {
                            Of::Dice | Of::Number => "change the range, or write `-` if the row is only taken by name",
                            Of::Roll => "change the range, or take the row out",
                            Of::Track => "change the range, or widen the bounds of the track",
                        }),
                );
                continue;
            }
            for (low, high, _, span) in mine {
                let too_high = *high > most && *high < i64::MAX;
                let too_low = *low < least && *low > i64::MIN;
                if too_high || too_low {
                    let (from, to) = if too_high {
                        (most.saturating_add(1).max(*low), *high)
                    } else {
                        (*low, (least - 1).min(*high))
                    };
                    // An end left open stays so.
                    let text = range_key(
                        if *low == i64::MIN { *low } else { (*low).max(least) },
                        if *high == i64::MAX { *high } else { (*high).min(most) },
                    );
                    self.tell(
                        Diagnostic::warning(Fault::TableUnreachable, of.never(values(from, to)))
                            .label(*span, of.reach(least, most))
                            .help(say!("write `{text}`", text))
                            .edit(*span, text),
                    );
                }
            }
        }
    }
}

/// What rows answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    /// The dice of a table.
    Dice,
    /// The dice of a roll in a sentence.
    Roll,
    /// A number handed to a table.
    Number,
    /// A track that states are read off.
    Track,
}

impl Of {
    fn text(self) -> Wording {
        match self {
            Of::Dice | Of::Roll => say!("the dice"),
            Of::Number => say!("the number"),
            Of::Track => say!("the track"),
        }
    }

    fn takes_numbers(self) -> Wording {
        match self {
            Of::Dice | Of::Roll => say!("this row begins with a name, and the dice show numbers"),
            Of::Number => say!("this row begins with a name, and the number takes numbers"),
            Of::Track => say!("this row begins with a name, and the track takes numbers"),
        }
    }

    fn never(self, to: Wording) -> Wording {
        match self {
            Of::Dice | Of::Roll => say!("the dice never come to {to}", to),
            Of::Number => say!("the number never comes to {to}", to),
            Of::Track => say!("the track never comes to {to}", to),
        }
    }

    /// `the dice show results from 1 to 6`
    fn reach(self, least: i64, most: i64) -> Wording {
        let of = self.text();
        match (self, least, most) {
            (Of::Dice | Of::Roll, i64::MIN, i64::MAX) => say!("the dice show results anywhere"),
            (Of::Dice | Of::Roll, i64::MIN, most) => say!("the dice show results up to {most}", most),
            (Of::Dice | Of::Roll, least, i64::MAX) => say!("the dice show results from {least} up", least),
            (Of::Dice | Of::Roll, least, most) => say!("the dice show results from {least} to {most}", least, most),
            (_, i64::MIN, i64::MAX) => say!("{of} goes anywhere", of),
            (_, i64::MIN, most) => say!("{of} goes up to {most}", of, most),
            (_, least, i64::MAX) => say!("{of} goes from {least} up", of, least),
            (_, least, most) => say!("{of} goes from {least} to {most}", of, least, most),
        }
    }
}

/// One of two overlapping rows without what the other answers, where that leaves one range.
fn narrowed(range: (i64, i64, Span), last: (i64, i64, Span), at: Span) -> Option<String> {
    let (mine, other) = if range.2 == at { (range, last) } else { (last, range) };
    if mine.0 >= other.0 && mine.0 <= other.1 && mine.1 > other.1 {
        return Some(range_key(other.1 + 1, mine.1));
    }
    if mine.1 <= other.1 && mine.1 >= other.0 && mine.0 < other.0 {
        return Some(range_key(mine.0, other.0 - 1));
    }
    if mine.0 < other.0 && mine.1 > other.1 {
        return Some(format!("{}, {}", range_key(mine.0, other.0 - 1), range_key(other.1 + 1, mine.1)));
    }
    None
}

/// An expression of numbers and arguments, worked out.
fn evaluate(expr: &Expr, values: &HashMap<&str, i64>) -> Option<i64> {
    match &*expr.kind {
        ExprKind::Number(n) => Some(*n),
        ExprKind::Name(name) => values.get(name.text.as_str()).copied(),
        ExprKind::Group(inner) => evaluate(inner, values),
        ExprKind::Negate(inner) => evaluate(inner, values)?.checked_neg(),
        ExprKind::Arithmetic(op, a, b) => dice::operator(*op)?.apply(evaluate(a, values)?, evaluate(b, values)?).ok(),
        ExprKind::Call(name, args) => {
            let args: Option<Vec<i64>> = args.iter().map(|a| evaluate(&a.value, values)).collect();
            let args = args?;
            match name.text.as_str() {
                "max" => args.into_iter().max(),
                "min" => args.into_iter().min(),
                "abs" => args.first()?.checked_abs(),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A range as a key is written: `4`, `1-3`, `27+`, `..-12`, `-11..-6`.
pub(crate) fn range_key(low: i64, high: i64) -> String {
    match (low, high) {
        (i64::MIN, i64::MAX) => "else".into(),
        (i64::MIN, high) => format!("..{high}"),
        (low, i64::MAX) => format!("{low}+"),
        (low, high) if low == high => low.to_string(),
        (low, high) if low < 0 || high < 0 => range_text(low, high),
        (low, high) => format!("{low}-{high}"),
    }
}

fn key_text(key: &Key) -> SmolStr {
    match &key.kind {
        KeyKind::Numbers(list) => {
            let parts: Vec<String> =
                list.iter().map(|r| range_key(r.low.unwrap_or(i64::MIN), r.high.unwrap_or(i64::MAX))).collect();
            parts.join(", ").into()
        }
        KeyKind::Name(name) => name.text.clone(),
        KeyKind::Else => "else".into(),
        KeyKind::Never => "-".into(),
    }
}

/// Numbers in words: `7`, `3 and 4`, `3 to 9`, `27 or more`.
fn values(low: i64, high: i64) -> Wording {
    match (low, high) {
        (i64::MIN, i64::MAX) => say!("anything"),
        (i64::MIN, high) => say!("{high} or less", high),
        (low, i64::MAX) => say!("{low} or more", low),
        (low, high) if low == high => Wording::text(low.to_string()),
        (low, high) if high - low == 1 => say!("{low} and {high}", low, high),
        (low, high) => say!("{low} to {high}", low, high),
    }
}
