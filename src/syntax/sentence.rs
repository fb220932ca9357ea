//! What happens: the sentences of handlers and rows.

use std::ops::Range;

use pest::Parser;

use super::grammar::{Grammar, Pair, Rule};
use super::pasted;
use super::pieces::{Cut, Piece};
use super::reader::Reader;
use super::scan;
use super::tree::{Body, Change, Expr, InlineRow, Key, KeyKind, Sentence, SentenceKind, Wait, Who};
use super::words;

impl<'t> Reader<'_, 't> {
    /// The sentences between braces, or the one after `when …` or `if …` without braces.
    pub fn body(&mut self, pair: &Pair<'t>) -> Body {
        let span = self.span(pair);
        if pair.as_rule() != Rule::block {
            let kind = self.sentence_kind(pair.clone());
            return Body { sentences: kind.map(|kind| Sentence { kind, span }).into_iter().collect(), span };
        }
        let braces = self.range(pair);
        self.braces(braces)
    }

    /// The sentences between braces that lie at `range`.
    pub fn braces(&mut self, range: Range<usize>) -> Body {
        let span = self.place(range.clone());
        let sentences = self.inside(range.start + 1..range.end - 1, Cut::Sentences, |reader, piece| {
            let kind = reader.sentence(&piece)?;
            Some(Sentence { kind, span: reader.place(piece.range) })
        });
        Body { sentences, span }
    }

    /// One sentence: by the rule its first word tells, or by the one for all.
    fn sentence(&mut self, piece: &Piece) -> Option<SentenceKind> {
        if !self.may_read(piece) {
            return None;
        }
        let rule = match scan::word(self.text, piece.range.start) {
            "if" => Rule::whole_if,
            "suffer" => Rule::whole_suffer,
            "roll" => Rule::whole_roll,
            "say" => Rule::whole_say,
            "each" => Rule::whole_each,
            "ask" => Rule::whole_ask,
            "until" | "while" | "for" => Rule::whole_hold,
            "lose" | "take" | "raise" | "lower" | "instead" | "" => Rule::whole_sentence,
            _ => Rule::whole_acts,
        };
        let text = &self.text[piece.range.clone()];
        match Grammar::parse(rule, text).ok().and_then(|mut pairs| pairs.next()) {
            Some(pair) => self.made(pair, |reader, pair| reader.sentence_kind(pair)),
            None => self.part(Rule::whole_sentence, piece.range.clone(), |reader, pair| reader.sentence_kind(pair)),
        }
    }

    /// `then recovered`
    pub fn after_all(&mut self, pair: Pair<'t>) -> Option<Body> {
        let body = pair.into_inner().find(|part| part.as_rule() != Rule::then_word)?;
        Some(self.body(&body))
    }

    pub fn sentence_kind(&mut self, pair: Pair<'t>) -> Option<SentenceKind> {
        match pair.as_rule() {
            Rule::go_short => Some(SentenceKind::Go { sheet: None, state: self.inner_name(pair)? }),
            Rule::say => Some(SentenceKind::Say(
                pair.into_inner().filter(|p| p.as_rule() == Rule::text).map(|text| self.string(&text)).collect(),
            )),
            Rule::suffer => self.suffer(pair),
            Rule::lose => {
                let (mut what, mut from) = (Vec::new(), None);
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::things => what = self.things(part),
                        Rule::operand => from = Some(self.value(part)),
                        _ => {}
                    }
                }
                Some(SentenceKind::Lose { what, from })
            }
            Rule::roll => self.roll(pair),
            Rule::take => {
                let (mut names, mut args) = (Vec::new(), Vec::new());
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::name | Rule::any_name => names.push(self.name(&part)),
                        Rule::args => args = self.args(part).0,
                        _ => {}
                    }
                }
                let mut names = names.into_iter();
                Some(SentenceKind::Take { row: names.next()?, table: names.next()?, args })
            }
            Rule::if_sentence => self.if_sentence(pair),
            Rule::each => {
                let (mut list, mut body) = (None, Body::default());
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::list => list = Some(self.list(part).0),
                        Rule::block | Rule::go_short => body = self.body(&part),
                        _ => {}
                    }
                }
                Some(SentenceKind::Each { list: list?, body })
            }
            Rule::ask => self.ask(pair),
            Rule::instead => {
                let (mut row, mut when) = (None, None);
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::any_name => row = Some(self.name(&part)),
                        Rule::expression => when = Some(self.value(part)),
                        _ => {}
                    }
                }
                Some(SentenceKind::Instead { row: row?, when })
            }
            Rule::hold => self.block(pair).map(SentenceKind::Block),
            Rule::change => self.raise_or_lower(pair),
            _ => self.acts(pair),
        }
    }

    /// `teeth -= lost`, `hurt -> treated`, `damage(5, fire) to foe`
    pub fn acts(&mut self, pair: Pair<'t>) -> Option<SentenceKind> {
        let span = self.span(&pair);
        let mut first = None;
        let (mut args, mut fields) = (None, Vec::new());
        let (mut change, mut value, mut to, mut state) = (None, None, None, None);
        let mut sign = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name if first.is_none() => first = Some(part),
                Rule::name => state = Some(self.name(&part)),
                Rule::args => args = Some(part),
                Rule::field => fields.push(part),
                Rule::change_sign => {
                    sign = Some(self.span(&part));
                    change = Some(match part.as_str() {
                        "=" => Change::To,
                        "+=" => Change::Up,
                        _ => Change::Down,
                    });
                }
                Rule::expression => value = Some(self.value(part)),
                Rule::operand => to = Some(self.value(part)),
                _ => {}
            }
        }
        let first = first?;
        if change.is_none() && state.is_none() {
            if !fields.is_empty() {
                let (sheet, event) = (self.text[self.range(&first)].to_owned(), fields);
                pasted::dotted_event(self, span, &sheet, &event);
                return None;
            }
            if args.is_none()
                && let Some(example) =
                    words::example(first.as_str()).filter(|_| words::SENTENCES.contains(&first.as_str()))
            {
                self.spoil(words::needs_more(first.as_str(), span, example));
                return None;
            }
            let args = args.map_or_else(Vec::new, |args| self.args(args).0);
            return Some(SentenceKind::Fire { event: self.name(&first), args, to });
        }
        if let Some(args) = &args {
            let place = self.span(args);
            pasted::changed_call(self, place, sign);
            return None;
        }
        let target = self.path(first, fields);
        Some(match (change, state) {
            (Some(change), _) => SentenceKind::Set { target, change, value: value? },
            (None, state) => SentenceKind::Go { sheet: Some(target), state: state? },
        })
    }

    fn raise_or_lower(&mut self, pair: Pair<'t>) -> Option<SentenceKind> {
        let (mut change, mut first, mut fields, mut value) = (Change::Raise, None, Vec::new(), None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::raise_or_lower if part.as_str() == "lower" => change = Change::Lower,
                Rule::name => first = Some(part),
                Rule::field => fields.push(part),
                Rule::expression => value = Some(self.value(part)),
                _ => {}
            }
        }
        let target = self.path(first?, fields);
        Some(SentenceKind::Set { target, change, value: value? })
    }

    fn suffer(&mut self, pair: Pair<'t>) -> Option<SentenceKind> {
        let (mut what, mut to, mut until, mut amount) = (Vec::new(), None, None, None);
        let (mut clock, mut then) = (None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::things => what = self.things(part),
                Rule::operand => to = Some(self.value(part)),
                Rule::names => until = Some(self.names(part)),
                Rule::clause => amount = Some(self.value(part)),
                Rule::name => clock = Some(self.name(&part)),
                Rule::after_all => then = self.after_all(part),
                _ => {}
            }
        }
        let wait = match (until, amount) {
            (Some(names), _) => Some(Wait::Until(names)),
            (None, Some(amount)) => Some(Wait::For { amount, clock: clock?, then }),
            (None, None) => None,
        };
        Some(SentenceKind::Suffer { what, to, wait })
    }

    fn roll(&mut self, pair: Pair<'t>) -> Option<SentenceKind> {
        let (mut dice, mut rows): (Option<Expr>, Option<Vec<InlineRow>>) = (None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::clause => dice = Some(self.value(part)),
                Rule::block => rows = Some(self.inline_rows(&part)),
                _ => {}
            }
        }
        Some(match rows {
            Some(rows) => SentenceKind::RollRows { dice: dice?, rows },
            None => SentenceKind::Roll(dice?),
        })
    }

    fn inline_rows(&mut self, block: &Pair<'t>) -> Vec<InlineRow> {
        let inside = self.between(block);
        self.inside(inside, Cut::ShortRows, |reader, piece| {
            let span = reader.place(piece.range.clone());
            reader.piece(Rule::whole_inline_row, &piece, |reader, pair| {
                let mut key = Key { kind: KeyKind::Never, span };
                let mut body = None;
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::answers => key = reader.key(part),
                        Rule::any_name => key = reader.name_key(&part),
                        _ => body = Some(reader.body(&part)),
                    }
                }
                Some(InlineRow { key, body: body?, span })
            })
        })
    }

    fn if_sentence(&mut self, pair: Pair<'t>) -> Option<SentenceKind> {
        let (mut arms, mut otherwise) = (Vec::new(), None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::arm => {
                    let (mut condition, mut body) = (None, None);
                    for inner in part.into_inner() {
                        match inner.as_rule() {
                            Rule::expression => condition = Some(self.value(inner)),
                            _ => body = Some(self.body(&inner)),
                        }
                    }
                    arms.push((condition?, body?));
                }
                Rule::block | Rule::go_short => otherwise = Some(self.body(&part)),
                _ => {}
            }
        }
        Some(SentenceKind::If { arms, otherwise })
    }

    fn ask(&mut self, pair: Pair<'t>) -> Option<SentenceKind> {
        let (mut who, mut name, mut ty, mut default, mut question) = (Who::Player, None, None, None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::master_word => who = Who::Master,
                Rule::name => name = Some(self.name(&part)),
                Rule::r#type => ty = Some(self.ty(part)),
                Rule::expression => default = Some(self.value(part)),
                Rule::text => question = Some(self.string(&part)),
                _ => {}
            }
        }
        Some(SentenceKind::Ask { who, name: name?, ty: ty?, default: default?, question })
    }
}
