//! The trace in plain lines, in the language of the rules.

use super::frame::Picking;
use super::text::Voice;
use super::trace::{Entry, Trace};
use super::words::Words;
use crate::choices::chosen;
use crate::dice::Rolled;
use crate::program::Type;

impl Trace<'_> {
    /// The trace in lines for people, in the language of the rules' own texts.
    pub fn lines(&self) -> Vec<String> {
        self.lines_in(Words::of(&self.program().system.lang))
    }

    /// Likewise, with the words of another language.
    pub fn lines_in(&self, words: &Words) -> Vec<String> {
        self.told(words).flat_map(|(_, lines)| lines).collect()
    }

    /// Each entry with its lines, for whoever shows them differently; some have none.
    pub fn told<'t>(&'t self, words: &'t Words) -> impl Iterator<Item = (&'t Entry, Vec<String>)> {
        self.entries.iter().enumerate().map(move |(at, entry)| {
            let mut lines = Vec::new();
            self.line(at, entry, words, &mut lines);
            (entry, lines)
        })
    }

    fn line(&self, at: usize, entry: &Entry, words: &Words, lines: &mut Vec<String>) {
        let program = self.program();
        let voice = self.voice(at, entry.sheet(), words);
        let title_of = |title: &str| chosen(title, voice.gender).into_owned();
        let line = match entry {
            Entry::Roll { expression, rolled } => format!("{} {}", words.roll, roll(expression, rolled)),
            Entry::Picked { among, face, picked } => {
                let ty = match among {
                    Picking::Members(ty, _) => *ty,
                    Picking::Sheets(_) => Type::Sheet { sheet: crate::program::SheetId(0), or_none: true },
                };
                let picked = match among {
                    Picking::Members(..) => self.member(ty, *picked, voice.gender),
                    Picking::Sheets(_) => self.value(ty, &(*picked).into(), voice),
                };
                format!("{} 1d{}: {face} → {picked}", words.random, among.faces())
            }
            Entry::Made { .. } => return,
            Entry::Event { event, sheet, args } => {
                let Some(event) = program.events.get(event.index()) else { return };
                let args = event.params.iter().zip(args).map(|(param, arg)| self.value(param.ty, arg, voice));
                let args: Vec<String> = args.collect();
                let args = if args.is_empty() { String::new() } else { format!(" ({})", args.join(", ")) };
                format!("> {}{}{args}", self.before(*sheet, voice), title_of(&event.title))
            }
            Entry::Forbidden { event, sheet, by } => {
                let title = title_of(program.events.get(event.index()).map_or("", |event| &event.title));
                format!(
                    "{}{}: {title}{}",
                    self.before(*sheet, voice),
                    words.forbidden,
                    self.by(*sheet, Some(*by), voice)
                )
            }
            Entry::Spared { sheet, slot, set, by } => {
                let what = self.value(self.slot_type(*sheet, *slot), &(*set).into(), voice);
                format!("{}{}: {what}{}", self.before(*sheet, voice), words.spared, self.by(*sheet, Some(*by), voice))
            }
            Entry::Unanswered { .. } => format!("  {}", words.unanswered),
            Entry::NotSent { event, .. } => {
                let title = title_of(program.events.get(event.index()).map_or("", |event| &event.title));
                format!("{title}: {}", words.not_sent)
            }
            Entry::Instead { table, to, .. } => {
                let row = program.tables.get(table.index()).and_then(|table| table.rows.get(*to as usize));
                let Some(row) = row else { return };
                format!("{}: {}  {}", words.instead, row.range, self.row_title(row, voice.gender))
            }
            Entry::Row { table: id, row, shown, .. } => {
                let row = program.tables.get(id.index()).and_then(|table| table.rows.get(*row as usize));
                let Some(row) = row else { return };
                let title = match row.title {
                    Some(title) => self.row_text(row, title, shown, voice),
                    None => self.cells_of(*id, row, voice).unwrap_or_else(|| row.id.to_string()),
                };
                lines.push(format!("{}  {title}", row.range));
                if let Some(prose) = row.prose {
                    lines.extend(self.row_text(row, prose, shown, voice).lines().map(|line| format!("    {line}")));
                }
                return;
            }
            Entry::Change { sheet, slot, from, to } => {
                let ty = self.slot_type(*sheet, *slot);
                let (from, to) = (self.value(ty, from, voice), self.value(ty, to, voice));
                format!(
                    "{}{}: {from} → {to}",
                    self.before(*sheet, voice),
                    lower(&title_of(&self.slot_title(*sheet, *slot)))
                )
            }
            Entry::State { sheet, from, to } => {
                let Some(named) = self.sheets.get(*sheet as usize) else { return };
                let ty = Type::State(named.ty);
                format!(
                    "{}: {} → {}",
                    self.called(*sheet, at),
                    self.member(ty, *from, voice.gender),
                    self.member(ty, *to, voice.gender)
                )
            }
            Entry::Condition { sheet, slot, member, added, by } => {
                let what = self.member(self.slot_type(*sheet, *slot), *member, voice.gender);
                let sign = if *added { '+' } else { '−' };
                let by = self.by(*sheet, *by, voice);
                format!("{}{}: {sign} {what}{by}", self.before(*sheet, voice), words.condition)
            }
            // The conditions that end are told by themselves.
            Entry::Ended { conditions: Some(_), .. } => return,
            Entry::Ended { sheet, run_out, .. } => {
                format!("{}: {}", self.called(*sheet, at), if *run_out { words.run_out } else { words.ended })
            }
            Entry::Say { message, values, .. } => {
                lines.extend(self.said(*message, values, voice).lines().map(|line| format!("    {line}")));
                return;
            }
            Entry::Check { sheet, check, number, passes } => {
                let ty = self.sheets.get(*sheet as usize).and_then(|named| program.sheets.get(named.ty.index()));
                let check = ty.and_then(|ty| ty.checks.get(usize::from(*check)));
                let title = title_of(check.map_or("", |check| &check.title));
                let result = if *passes { words.passes } else { words.fails };
                format!("{}{title}: {number}, {result}", self.before(*sheet, voice))
            }
            Entry::Question { question, shown, answer, default, .. } => {
                let Some(question) = program.questions.get(question.index()) else { return };
                let text = match question.text {
                    Some(text) => {
                        let types = question.values.iter().map(|(_, ty)| *ty);
                        self.said(text, &types.zip(shown.iter().cloned()).collect::<Vec<_>>(), voice)
                    }
                    None => format!("{}:", question.id),
                };
                let answer = self.value(question.ty, answer, voice);
                let default = if *default { format!(" ({})", words.default) } else { String::new() };
                format!("{text} {answer}{default}")
            }
            Entry::Expect { met, .. } => format!("{}: {}", words.expected, if *met { words.yes } else { words.no }),
        };
        lines.push(line);
    }

    /// The sheet meant, where it is not the only one at the root of the story.
    fn before(&self, sheet: u32, voice: Voice<'_>) -> String {
        let root = |named: &&super::trace::Named| named.owner.is_none();
        let is_root = self.sheets.get(sheet as usize).is_none_or(|named| named.owner.is_none());
        let alone = is_root && self.sheets.iter().filter(root).count() <= 1;
        if alone { String::new() } else { format!("{}, ", self.called(sheet, voice.at)) }
    }

    fn by(&self, sheet: u32, by: Option<u32>, voice: Voice<'_>) -> String {
        match by {
            Some(by) if by != sheet => format!(" ({} {})", voice.words.by, self.called(by, voice.at)),
            _ => String::new(),
        }
    }

    pub(super) fn slot_type(&self, sheet: u32, slot: u16) -> Type {
        let named = self.sheets.get(sheet as usize);
        let ty = named.and_then(|named| self.program().sheets.get(named.ty.index()));
        let slot = ty.and_then(|ty| ty.slots.get(usize::from(slot)));
        slot.map_or(Type::Number { low: i64::MIN, high: i64::MAX }, |slot| slot.ty)
    }

    fn slot_title(&self, sheet: u32, slot: u16) -> String {
        let named = self.sheets.get(sheet as usize);
        let ty = named.and_then(|named| self.program().sheets.get(named.ty.index()));
        ty.and_then(|ty| ty.slots.get(usize::from(slot))).map_or_else(String::new, |slot| slot.title.to_string())
    }
}

/// A title within a sentence: its first letter small, unless it is an abbreviation.
fn lower(title: &str) -> String {
    let mut letters = title.chars();
    match (letters.next(), letters.next()) {
        (Some(first), second) if second.is_none_or(|second| !second.is_uppercase()) => {
            first.to_lowercase().chain(title.chars().skip(1)).collect()
        }
        _ => title.to_owned(),
    }
}

/// `3d10: 4 + 7 + 9 = 20`; where more than adding up was done, every die and what it came to.
fn roll(expression: &str, rolled: &Rolled) -> String {
    let values: Vec<String> = rolled
        .dice
        .iter()
        .map(|die| if die.kept { die.value.to_string() } else { format!("({})", die.value) })
        .collect();
    let sum: i128 = rolled.dice.iter().map(|die| i128::from(die.value)).sum();
    let plain = rolled.dice.iter().all(|die| die.kept && die.counted.is_none() && die.rolls.len() == 1);
    match (values.as_slice(), plain && sum == i128::from(rolled.total)) {
        ([], _) => format!("{expression}: {}", rolled.total),
        ([one], true) => format!("{expression}: {one}"),
        (_, true) => format!("{expression}: {} = {}", values.join(" + "), rolled.total),
        (_, false) => format!("{expression}: {} → {}", values.join(", "), rolled.total),
    }
}
