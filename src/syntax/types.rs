//! Names with types: parameters, ranges, what a track or a column can hold.

use super::dice::number;
use super::grammar::{Pair, Rule};
use super::pasted;
use super::reader::Reader;
use super::tree::{ExprKind, Param, Range, Type, TypeKind};

impl<'t> Reader<'_, 't> {
    pub fn params(&mut self, pair: Pair<'t>) -> Vec<Param> {
        pair.into_inner().filter_map(|param| self.param(param)).collect()
    }

    fn param(&mut self, pair: Pair<'t>) -> Option<Param> {
        let mut name = None;
        let (mut title, mut ty, mut default) = (None, None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => name = Some(self.name(&part)),
                Rule::text => title = Some(self.string(&part)),
                Rule::r#type => ty = Some(self.ty(part)),
                Rule::expression => default = Some(self.value(part)),
                _ => {}
            }
        }
        Some(Param { name: name?, title, ty, default })
    }

    pub fn ty(&mut self, pair: Pair<'t>) -> Type {
        let span = self.span(&pair);
        let mut kind = TypeKind::Number;
        let mut or_none = false;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::yes_no => kind = TypeKind::YesNo,
                Rule::number_type => kind = TypeKind::Number,
                Rule::dice_type => kind = TypeKind::Dice,
                Rule::text_type => kind = TypeKind::Text,
                Rule::set_of | Rule::list_of | Rule::one_of | Rule::up_to => {
                    if let Some(several) = self.several(part) {
                        kind = several;
                    }
                }
                Rule::range => kind = self.range_or_name(part),
                Rule::none_word => or_none = true,
                _ => {}
            }
        }
        if let TypeKind::Named { or_none: none, .. } = &mut kind {
            *none = or_none;
        } else if or_none {
            pasted::none_of_numbers(self, span);
        }
        Type { kind, span }
    }

    fn several(&mut self, pair: Pair<'t>) -> Option<TypeKind> {
        let rule = pair.as_rule();
        let (mut name, mut most, mut list) = (None, None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => name = Some(self.name(&part)),
                Rule::range_end => most = Some(self.range_end(part)),
                Rule::clause => most = Some(self.value(part)),
                Rule::list => list = Some(self.list(part).0),
                _ => {}
            }
        }
        Some(match rule {
            Rule::set_of => TypeKind::Set(name?),
            Rule::list_of => TypeKind::List { sheet: name?, most },
            Rule::one_of => TypeKind::OneOf(list?),
            _ => TypeKind::UpTo { most: most?, list: list? },
        })
    }

    /// A name alone is a kind or a sheet; anything else is a range.
    fn range_or_name(&mut self, pair: Pair<'t>) -> TypeKind {
        let single = !pair.as_str().contains("..") && !pair.as_str().trim_end().ends_with('+');
        let range = self.bounds(pair);
        match range.low.as_ref().map(|low| &*low.kind) {
            Some(ExprKind::Name(name)) if single => TypeKind::Named { name: name.clone(), or_none: false },
            _ => TypeKind::Range(range),
        }
    }

    /// `1..10`, `1+`, `..(skill)`, `7`
    pub fn bounds(&mut self, pair: Pair<'t>) -> Range {
        let span = self.span(&pair);
        let (mut low, mut high) = (None, None);
        let mut open = false;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::range_end if open => high = Some(self.range_end(part)),
                Rule::range_end => low = Some(self.range_end(part)),
                _ => open = true,
            }
        }
        if !open {
            high = low.clone();
        }
        Range { low, high, span }
    }

    fn range_end(&mut self, pair: Pair<'t>) -> super::tree::Expr {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let Some(first) = inner.next() else { return number(0, span) };
        match first.as_rule() {
            Rule::minus_number => {
                let mut negative = false;
                let mut value = 0;
                for part in first.into_inner() {
                    match part.as_rule() {
                        Rule::dash => negative = true,
                        _ => value = self.number(&part, negative),
                    }
                }
                number(value, span)
            }
            Rule::group => self.group(first).expr,
            _ => self.path(first, inner.collect()),
        }
    }
}
