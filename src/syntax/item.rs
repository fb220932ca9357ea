//! What stands at the top of a file.

use super::grammar::{Pair, Rule};
use super::outline::{Lines, nearest_item};
use super::pasted;
use super::pieces::{Cut, Piece, Pieces};
use super::reader::Reader;
use super::scan;
use super::tree::{Item, ItemKind, Member, Name};
use crate::diagnostics::{Code, Diagnostic, nearest};
use crate::dice::Dialect;
use crate::say;

impl<'t> Reader<'_, 't> {
    /// Reads one item. Its head and what stands in its braces are read apart: a fault in one
    /// hides nothing in the other.
    pub fn item(&mut self, lines: Lines) -> Option<Item> {
        let start = lines.range.start;
        let word = scan::word(self.text, start);
        let known = match word {
            "extend" => {
                let next = scan::past_blanks(self.text.as_bytes(), start + word.len(), self.text.len());
                scan::word(self.text, next)
            }
            _ => word,
        };
        let (rule, braced) = match known {
            "system" => (Rule::whole_system, false),
            "dialect" => (Rule::whole_dialect, false),
            "option" => (Rule::whole_option, false),
            "use" => (Rule::whole_use, false),
            "clock" => (Rule::whole_clock, false),
            "time" => (Rule::whole_time, false),
            "kind" => (Rule::whole_kind, false),
            "table" => (Rule::whole_table, true),
            "sheet" => (Rule::whole_sheet, true),
            "scenario" => (Rule::whole_scenario, true),
            _ => return self.stray(lines),
        };
        let inside = if braced { lines.braces } else { None };
        let head = self.head(&lines, inside);
        let made = match rule {
            Rule::whole_table => self.table(&head, inside),
            Rule::whole_sheet => self.sheet(&head, inside),
            Rule::whole_scenario => self.scenario(&head, inside),
            _ => self.piece(rule, &head, |reader, pair| reader.plain(pair)),
        };
        let doc = self.doc(lines.doc);
        Some(Item { doc, kind: made?, span: self.place(lines.range) })
    }

    /// The head of an item as a piece.
    fn head(&self, lines: &Lines, inside: Option<(usize, usize)>) -> Piece {
        let end = inside.map_or(lines.range.end, |(open, _)| open);
        let whole = lines.range.start..end;
        Pieces::new(self.outline, whole.clone(), Cut::Whole, super::NESTING).next().unwrap_or(Piece {
            doc: None,
            range: whole,
            below: None,
            too_deep: None,
        })
    }

    /// A line that begins no item. What stands in its braces is read all the same if it is plain
    /// what was meant.
    fn stray(&mut self, lines: Lines) -> Option<Item> {
        if self.outline.damaged(&lines.range) {
            self.unread = true;
            return None;
        }
        let fault = pasted::stray_item(self, &lines);
        self.fault(fault);
        let inside = lines.braces.map(|(open, close)| open + 1..close);
        match (nearest_item(self.text, lines.range.start), inside) {
            (Some("table"), Some(inside)) => drop(self.rows(inside)),
            (Some("sheet"), Some(inside)) => drop(self.parts(inside)),
            (Some("scenario"), Some(inside)) => drop(self.steps(inside)),
            _ => {}
        }
        None
    }

    fn plain(&mut self, pair: Pair<'t>) -> Option<ItemKind> {
        let rule = pair.as_rule();
        let mut names = Vec::new();
        let (mut title, mut language, mut members, mut extend) = (None, None, Vec::new(), false);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name | Rule::any_name | Rule::dialect_name => names.push(self.name(&part)),
                Rule::text => title = Some(self.string(&part)),
                Rule::extend_word => extend = true,
                Rule::language => language = Some(self.name(&part)),
                Rule::member => members.extend(self.member(part)),
                Rule::members => members.extend(part.into_inner().filter_map(|member| self.member(member))),
                _ => {}
            }
        }
        let mut names = names.into_iter();
        Some(match rule {
            Rule::system => ItemKind::System { name: names.next()?, title, lang: language },
            Rule::dialect => {
                let name = names.next()?;
                if Dialect::parse(&name.text).is_none() {
                    self.unknown_dialect(&name);
                }
                ItemKind::Dialect(name)
            }
            Rule::option => ItemKind::Option { name: names.next()?, title, members, default: names.next() },
            Rule::use_file => ItemKind::Use(title?),
            Rule::clock => ItemKind::Clock(members),
            Rule::time => ItemKind::Time { name: names.next()?, title, event: names.next()?, after: names.next()? },
            _ => ItemKind::Kind { extend, name: names.next()?, title, members },
        })
    }

    fn unknown_dialect(&mut self, name: &Name) {
        let known = || Dialect::OTHERS.into_iter().map(Dialect::as_str);
        let fault = Diagnostic::error(Code::NameUnknown, say!("there is no dialect called `{name}`", name = name.text));
        self.fault(match nearest(&name.text, known()) {
            Some(near) => fault
                .label(name.span, say!("perhaps `{near}`", near))
                .help(say!("write `{near}`", near))
                .edit(name.span, near),
            None => {
                let all: Vec<&str> = known().collect();
                fault.label(name.span, "not known").help(say!("write one of `{all}`", all = all.join("`, `")))
            }
        });
    }

    fn member(&mut self, pair: Pair<'t>) -> Option<Member> {
        if pair.as_rule() != Rule::member {
            return None;
        }
        let (mut name, mut title) = (None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::text => title = Some(self.string(&part)),
                _ => name = Some(self.name(&part)),
            }
        }
        Some(Member { name: name?, title })
    }
}

/// Whose notation the dice of a file are written in: what its line `dialect` says.
pub(super) fn dialect(items: &[Lines], text: &str) -> Dialect {
    let said = items.iter().find(|item| scan::word(text, item.range.start) == "dialect");
    let name = said.and_then(|item| text[item.range.clone()].split_whitespace().nth(1));
    name.and_then(Dialect::parse).unwrap_or_default()
}
