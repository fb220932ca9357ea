//! Sheets, and the parts that stand in them, in states and in blocks.

use std::ops::Range;

use super::grammar::{Pair, Rule};
use super::pieces::{Cut, Piece};
use super::reader::Reader;
use super::tree::{
    Block, Body, Handler, Hold, ItemKind, Key, KeyKind, Name, Part, PartKind, Sheet, StateName, StateRow, StateStep,
    Track,
};

impl<'t> Reader<'_, 't> {
    pub fn sheet(&mut self, head: &Piece, inside: Option<(usize, usize)>) -> Option<ItemKind> {
        let span = self.place(head.range.clone());
        let made = self.piece(Rule::whole_sheet, head, |reader, pair| {
            let (mut extend, mut name, mut title, mut owner, mut like) = (false, None, None, None, None);
            for part in pair.into_inner() {
                match part.as_rule() {
                    Rule::extend_word => extend = true,
                    Rule::name => name = Some(reader.name(&part)),
                    Rule::text => title = Some(reader.string(&part)),
                    Rule::owner => owner = reader.inner_name(part),
                    Rule::like => like = reader.inner_name(part),
                    _ => {}
                }
            }
            Some(Sheet { extend, name: name?, title, owner, like, parts: Vec::new(), head: span })
        });
        let parts = inside.map_or_else(Vec::new, |(open, close)| self.parts(open + 1..close));
        made.map(|sheet| ItemKind::Sheet(Sheet { parts, ..sheet }))
    }

    pub fn parts(&mut self, inside: Range<usize>) -> Vec<Part> {
        self.inside(inside, Cut::Parts, |reader, piece| {
            let kind = reader.piece(Rule::whole_part, &piece, |reader, pair| reader.part_kind(pair))?;
            let doc = reader.doc(piece.doc);
            Some(Part { doc, kind, span: reader.place(piece.range) })
        })
    }

    fn part_kind(&mut self, pair: Pair<'t>) -> Option<PartKind> {
        match pair.as_rule() {
            Rule::track => self.track(pair),
            Rule::value | Rule::check | Rule::event => self.named_part(pair),
            Rule::states => Some(PartKind::States(
                pair.into_inner()
                    .filter(|part| part.as_rule() == Rule::state_step)
                    .map(|step| StateStep {
                        states: step
                            .into_inner()
                            .filter(|part| part.as_rule() == Rule::state)
                            .filter_map(|state| self.state_name(state))
                            .collect(),
                    })
                    .collect(),
            )),
            Rule::state_by => {
                let (mut track, mut rows) = (None, Vec::new());
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::name => track = Some(self.name(&part)),
                        Rule::block => rows = self.state_rows(&part),
                        _ => {}
                    }
                }
                Some(PartKind::StateBy { track: track?, rows })
            }
            Rule::handler => self.handler(pair),
            Rule::hold => self.block(pair).map(PartKind::Block),
            Rule::remove_part => self.inner_name(pair).map(PartKind::Remove),
            _ => self.holding(pair),
        }
    }

    fn track(&mut self, pair: Pair<'t>) -> Option<PartKind> {
        let (mut name, mut title, mut ty, mut default) = (None, None, None, None);
        let (mut stops, mut anew) = (false, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name if name.is_none() => name = Some(self.name(&part)),
                Rule::name => anew = Some(self.name(&part)),
                Rule::text => title = Some(self.string(&part)),
                Rule::r#type => ty = Some(self.ty(part)),
                Rule::expression => default = Some(self.value(part)),
                Rule::stops_word => stops = true,
                _ => {}
            }
        }
        let name = name?;
        Some(match ty {
            Some(ty) => PartKind::Track(Track { name, title, ty, default, stops, anew }),
            None => PartKind::Default { name, value: default? },
        })
    }

    fn named_part(&mut self, pair: Pair<'t>) -> Option<PartKind> {
        let rule = pair.as_rule();
        let (mut name, mut params, mut title) = (None, Vec::new(), None);
        let (mut ty, mut formula, mut passes, mut spreading) = (None, None, None, false);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::spreading_word => spreading = true,
                Rule::name => name = Some(self.name(&part)),
                Rule::params => params = self.params(part),
                Rule::text => title = Some(self.string(&part)),
                Rule::r#type => ty = Some(self.ty(part)),
                Rule::expression => formula = Some(self.value(part)),
                Rule::range => passes = Some(self.bounds(part)),
                _ => {}
            }
        }
        let name = name?;
        Some(match rule {
            Rule::value => PartKind::Value { name, params, title, ty, formula: formula? },
            Rule::check => PartKind::Check { name, params, title, formula: formula?, passes: passes? },
            _ => PartKind::Event { name, params, title, spreading },
        })
    }

    fn state_name(&mut self, pair: Pair<'t>) -> Option<StateName> {
        let (mut name, mut title, mut is_final) = (None, None, false);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => name = Some(self.name(&part)),
                Rule::text => title = Some(self.string(&part)),
                _ => is_final = true,
            }
        }
        Some(StateName { name: name?, title, is_final })
    }

    fn state_rows(&mut self, block: &Pair<'t>) -> Vec<StateRow> {
        let inside = self.between(block);
        self.inside(inside, Cut::ShortRows, |reader, piece| {
            let span = reader.place(piece.range.clone());
            reader.piece(Rule::whole_state_row, &piece, |reader, pair| {
                let mut key = Key { kind: KeyKind::Never, span };
                let (mut state, mut parts) = (None, Vec::new());
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::answers => key = reader.key(part),
                        Rule::any_name => key = reader.name_key(&part),
                        Rule::state => state = reader.state_name(part),
                        Rule::block => {
                            let inside = reader.between(&part);
                            parts = reader.parts(inside);
                        }
                        _ => {}
                    }
                }
                Some(StateRow { key, state: state?, parts, span })
            })
        })
    }

    fn handler(&mut self, pair: Pair<'t>) -> Option<PartKind> {
        let (mut before, mut replace, mut event, mut title) = (false, false, None, None);
        let (mut params, mut when, mut body) = (Vec::new(), None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::before_word => before = true,
                Rule::replace_word => replace = true,
                Rule::name => event = Some(self.name(&part)),
                Rule::params => params = self.params(part),
                Rule::text => title = Some(self.string(&part)),
                Rule::expression => when = Some(self.value(part)),
                Rule::block | Rule::go_short => body = Some(self.body(&part)),
                _ => {}
            }
        }
        Some(PartKind::Handler(Handler { before, replace, event: event?, params, title, when, body: body? }))
    }

    /// `until treated { … }`, `for 3 day { … } then recovered`
    pub fn block(&mut self, pair: Pair<'t>) -> Option<Block> {
        let span = self.span(&pair);
        let (mut word, mut value, mut names) = (Rule::while_word, None, Vec::new());
        let (mut parts, mut then, mut clock): (_, Option<Body>, Option<Name>) = (Vec::new(), None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::expression | Rule::clause => value = Some(self.value(part)),
                Rule::names => names = self.names(part),
                Rule::name => clock = Some(self.name(&part)),
                Rule::block => {
                    let inside = self.between(&part);
                    parts = self.parts(inside);
                }
                Rule::after_all => then = self.after_all(part),
                other => word = other,
            }
        }
        let hold = match word {
            Rule::while_word => Hold::While(value?),
            Rule::until_word => Hold::Until(names),
            Rule::ever_word => Hold::Ever,
            _ => Hold::For { amount: value?, clock: clock? },
        };
        Some(Block { hold, parts, then, span })
    }

    /// `stable, dead`
    pub fn names(&self, pair: Pair<'t>) -> Vec<Name> {
        pair.into_inner().filter(|part| part.as_rule() == Rule::name).map(|name| self.name(&name)).collect()
    }

    /// `+1 to …`, `has …`, `cannot …`: what holds as long as the block does.
    fn holding(&mut self, pair: Pair<'t>) -> Option<PartKind> {
        let rule = pair.as_rule();
        let (mut name, mut args, mut what, mut amount) = (None, Vec::new(), Vec::new(), None);
        let (mut best, mut when) = (false, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::clause => amount = Some(self.value(part)),
                Rule::name => name = Some(self.name(&part)),
                Rule::args => args = self.args(part).0,
                Rule::best => best = true,
                Rule::things => what = self.things(part),
                Rule::expression => when = Some(self.value(part)),
                _ => {}
            }
        }
        Some(match rule {
            Rule::add => PartKind::Add { amount: amount?, value: name?, args, best, when },
            Rule::has => PartKind::Has { what, when },
            _ => PartKind::Cannot { event: name?, args, when },
        })
    }

    /// `prone, blinded`
    pub fn things(&mut self, pair: Pair<'t>) -> Vec<super::tree::Expr> {
        pair.into_inner().filter(|part| part.as_rule() == Rule::operand).map(|part| self.value(part)).collect()
    }
}
