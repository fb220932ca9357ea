//! Notes where another tool would read dice differently.

use super::dice_words::Changes;
use super::grammar::{Pair, Rule};
use super::reader::Reader;
use super::tree::{Expr, ExprKind};
use crate::diagnostics::{Code, Diagnostic};
use crate::dice::{Dialect, Faces, out_of_order};
use crate::say;
use crate::source::Span;

impl<'t> Reader<'_, 't> {
    fn note(&mut self, note: Diagnostic) {
        if self.dialect == Dialect::Cicatriz {
            self.fault(note);
        }
    }

    /// `>7` is strict, a bare `r` is until.
    pub fn note_change(&mut self, part: &Pair<'t>, at: Span) {
        if self.dialect != Dialect::Cicatriz {
            return;
        }
        let written = part.as_str().trim_end();
        if part.as_rule() == Rule::reroll
            && written.starts_with('r')
            && !written.starts_with("rr")
            && !written.starts_with("ro")
        {
            let rest = written.get(1..).unwrap_or("");
            self.note(
                Diagnostic::note(
                    Code::DiceDialect,
                    say!("`{written}` rolls again until no die matches; some tools roll once", written),
                )
                .label(at, "until, or once?")
                .help(say!("write `rr{rest}` for until, `ro{rest}` for once", rest))
                .edit(Span { end: at.start + 1, ..at }, "rr"),
            );
        }
        let mut inner = part.clone().into_inner().flatten();
        let points = std::iter::from_fn(|| inner.find(|inner| inner.as_rule() == Rule::point_compare));
        for sign in points.collect::<Vec<_>>() {
            let (text, place) = (sign.as_str(), self.span(&sign));
            if !matches!(text, ">" | "<") {
                continue;
            }
            let value: String = self.text[place.end as usize..at.end.max(place.end) as usize]
                .trim_start()
                .chars()
                .take_while(char::is_ascii_digit)
                .collect();
            let or = if text == ">" { say!("more") } else { say!("less") };
            let number = value.parse::<i64>().ok();
            let strict = match (text, number) {
                (">", Some(n)) => Some(format!("`>={}`", n + 1)),
                ("<", Some(n)) => Some(format!("`<={}`", n - 1)),
                _ => None,
            };
            let shown = if value.is_empty() { "…" } else { &value };
            let help = match strict {
                Some(strict) => {
                    say!("write `{text}={shown}` if {shown} counts too, {strict} if not", text, shown, strict)
                }
                None => say!("write `{text}={shown}` if the number itself counts too", text, shown),
            };
            self.note(
                Diagnostic::note(
                    Code::DiceDialect,
                    say!(
                        "some tools read `{text}{shown}` as {shown} or {or}; here {shown} is not meant",
                        text,
                        shown,
                        or
                    ),
                )
                .label(place, "strict")
                .help(help)
                .edit(place, format!("{text}=")),
            );
        }
    }

    /// `d66` may be two digits.
    pub fn note_digits(&mut self, faces: &Faces<Expr>, at: Span) {
        let Faces::Upto(number) = faces else { return };
        let ExprKind::Number(number) = &*number.kind else { return };
        if !matches!(number, 66 | 666 | 44 | 88 | 33) {
            return;
        }
        self.note(
            Diagnostic::note(
                Code::DiceDialect,
                say!("`d{number}` is one die of {number} faces; many games mean a die a digit", number),
            )
            .label(at, "read as a number of faces")
            .help(say!("for dice read digit by digit write `d{number} digits`", number))
            .edit(at.after(), " digits"),
        );
    }

    /// `4d6kh3!`: tools of a fixed order explode first.
    pub fn note_order(&mut self, to: &Changes<'t>, whole: Span) {
        let Some(late) = out_of_order(&to.modifiers) else { return };
        let (Some(at), Some(first), Some(last)) = (to.spans.get(late), to.spans.first(), to.spans.last()) else {
            return;
        };
        let written = |span: Span| self.text[span.range()].to_owned();
        let before = to.spans.get(late.saturating_sub(1)).map_or_else(String::new, |span| written(*span));
        let mut sorted: Vec<(_, String)> = Vec::new();
        for (modifier, span) in to.modifiers.iter().zip(&to.spans) {
            sorted.push((crate::dice::rank(modifier), written(*span)));
        }
        sorted.sort_by_key(|(rank, _)| *rank);
        let sorted: String = sorted.into_iter().map(|(_, text)| text).collect();
        let head = self.text[whole.start as usize..first.start as usize].trim_end().to_owned();
        let (at, text, all) = (*at, written(*at), first.to(*last));
        self.note(
            Diagnostic::note(
                Code::DiceDialect,
                say!("`{before}` comes before `{text}`, as written; some tools do `{text}` first", before, text),
            )
            .label(at, say!("done to what `{before}` leaves", before))
            .help(say!("to do it first write `{head}{sorted}`", head, sorted))
            .edit(all, sorted),
        );
    }
}
