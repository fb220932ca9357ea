//! The trace: all that a run told, in order, as data that outlives it.

use std::collections::HashMap;

use super::frame::Picking;
use super::machine::Machine;
use super::note::{Note, Observer};
use super::set::members;
use super::state::Value;
use crate::choices::GENDER;
use crate::dice::Rolled;
use crate::program::{EventId, ExpectId, MessageId, NONE, Program, QuestionId, SheetId, TableId, Type, WaitId};

/// What a run told, written down. Sheets are their places in the story.
#[derive(Debug, Clone)]
pub struct Trace<'p> {
    /// What happened, in order.
    pub entries: Vec<Entry>,
    /// The sheets of the story, oldest first.
    pub sheets: Vec<Named>,
    /// What sheets are called at the table, by their place in the story.
    pub names: Vec<(u32, String)>,
    blank: Machine<'p>,
    /// Conditions as last told, by sheet and slot.
    known: HashMap<(u32, u16), i64>,
    /// Genders as they were said: the entry from which on, the sheet, the gender's place in its kind.
    genders: Vec<(usize, u32, usize)>,
}

/// What a sheet is called by: its type, and the row that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    pub ty: SheetId,
    pub owner: Option<u32>,
    pub row: Option<(TableId, u32)>,
    /// Which of its type it is, from 1.
    pub nth: u32,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    Roll {
        expression: String,
        rolled: Rolled,
    },
    Picked {
        among: Picking,
        face: i64,
        picked: i64,
    },
    Made {
        sheet: u32,
    },
    Event {
        event: EventId,
        sheet: u32,
        args: Vec<Value>,
    },
    Forbidden {
        event: EventId,
        sheet: u32,
        by: u32,
    },
    Spared {
        sheet: u32,
        slot: u16,
        set: i64,
        by: u32,
    },
    NotSent {
        event: EventId,
        sheet: Option<u32>,
    },
    Unanswered {
        event: EventId,
    },
    Instead {
        table: TableId,
        from: u32,
        to: u32,
    },
    /// `shown`: the values its texts show; none where its body did not run.
    Row {
        table: TableId,
        row: u32,
        sheet: Option<u32>,
        shown: Vec<Option<Value>>,
        cells: Vec<Value>,
    },
    Change {
        sheet: u32,
        slot: u16,
        from: Value,
        to: Value,
    },
    State {
        sheet: u32,
        from: i64,
        to: i64,
    },
    /// One condition; `by`: the sheet whose block gives it.
    Condition {
        sheet: u32,
        slot: u16,
        member: i64,
        added: bool,
        by: Option<u32>,
    },
    Ended {
        sheet: u32,
        wait: WaitId,
        conditions: Option<(u16, i64)>,
        run_out: bool,
    },
    Say {
        message: MessageId,
        values: Vec<(Type, Value)>,
        sheet: Option<u32>,
    },
    Check {
        sheet: u32,
        check: u16,
        number: i64,
        passes: bool,
    },
    Question {
        question: QuestionId,
        sheet: Option<u32>,
        shown: Vec<Value>,
        answer: Value,
        default: bool,
    },
    Expect {
        expect: ExpectId,
        met: bool,
        sides: Option<(Value, Value)>,
    },
}

impl Entry {
    /// The sheet that it tells of.
    pub(super) fn sheet(&self) -> Option<u32> {
        match self {
            Entry::Made { sheet }
            | Entry::Event { sheet, .. }
            | Entry::Forbidden { sheet, .. }
            | Entry::Spared { sheet, .. }
            | Entry::Change { sheet, .. }
            | Entry::State { sheet, .. }
            | Entry::Condition { sheet, .. }
            | Entry::Ended { sheet, .. }
            | Entry::Check { sheet, .. } => Some(*sheet),
            Entry::NotSent { sheet, .. }
            | Entry::Row { sheet, .. }
            | Entry::Say { sheet, .. }
            | Entry::Question { sheet, .. } => *sheet,
            Entry::Roll { .. }
            | Entry::Picked { .. }
            | Entry::Unanswered { .. }
            | Entry::Instead { .. }
            | Entry::Expect { .. } => None,
        }
    }
}

impl<'p> Trace<'p> {
    /// An empty trace that begins where this machine stands.
    pub fn new(machine: &Machine<'p>) -> Self {
        let blank = machine.blank();
        let mut trace = Trace {
            entries: Vec::new(),
            sheets: Vec::new(),
            names: Vec::new(),
            blank,
            known: HashMap::new(),
            genders: Vec::new(),
        };
        for sheet in &machine.state().sheets {
            trace.name(sheet.ty, sheet.owner, sheet.row);
        }
        trace.compare(machine, true);
        trace
    }

    /// The program whose rules ran.
    pub fn program(&self) -> &'p Program {
        self.blank.program()
    }

    /// The gender of a sheet, or of the one it belongs to, as of an entry: its place in the kind.
    pub(super) fn gender(&self, sheet: u32, entry: usize) -> Option<usize> {
        let mut at = Some(sheet);
        while let Some(sheet) = at {
            let said = self.genders.iter().rev().find(|(from, of, _)| *of == sheet && *from <= entry);
            if let Some((.., gender)) = said {
                return Some(*gender);
            }
            at = self.sheets.get(sheet as usize).and_then(|named| named.owner).filter(|owner| *owner < sheet);
        }
        None
    }

    fn say_gender(&mut self, sheet: u32, gender: i64) {
        let entry = self.entries.len();
        let known = self.genders.iter().rev().find(|(_, of, _)| *of == sheet).map(|(.., gender)| *gender);
        if let Ok(gender) = usize::try_from(gender)
            && known != Some(gender)
        {
            self.genders.push((entry, sheet, gender));
        }
    }

    fn is_gender(&self, ty: Type) -> bool {
        let Type::Kind { kind, .. } = ty else { return false };
        self.program().kinds.get(kind.index()).is_some_and(|kind| kind.id == GENDER)
    }

    fn name(&mut self, ty: SheetId, owner: Option<u32>, row: Option<(TableId, u32)>) {
        let nth = self.sheets.iter().filter(|sheet| sheet.ty == ty).count() as u32 + 1;
        self.sheets.push(Named { ty, owner, row, nth });
    }

    /// What holds may give or take conditions without a word: they are told as they come to rest.
    fn compare(&mut self, machine: &Machine<'p>, quiet: bool) {
        let mut copy = machine.clone();
        for sheet in (0u32..).take(machine.state().sheets.len()) {
            let Some(ty) = self.sheets.get(sheet as usize).map(|sheet| sheet.ty) else { continue };
            let Some(ty) = self.program().sheets.get(ty.index()) else { continue };
            for (slot, entry) in (0u16..).zip(&ty.slots) {
                if self.is_gender(entry.ty) {
                    let now = machine.read_number(sheet, slot).ok();
                    self.say_gender(sheet, now.unwrap_or(NONE));
                }
                if !matches!(entry.ty, Type::SetOfKind(_)) {
                    continue;
                }
                // A fault here stops the run itself, where the rules read it.
                let Ok(now) = copy.all_conditions(sheet, slot) else { continue };
                let before = self.known.insert((sheet, slot), now).unwrap_or(0);
                if quiet || now == before {
                    continue;
                }
                let gifts = copy.gifts_to(sheet).unwrap_or_default();
                let by = |member: i64| {
                    gifts.iter().find(|gift| gift.slot == slot && gift.set >> member & 1 == 1).map(|gift| gift.by)
                };
                let gone = members(before & !now).map(|member| (member, false, None));
                let come = members(now & !before).map(|member| (member, true, by(member)));
                for (member, added, by) in gone.chain(come) {
                    self.entries.push(Entry::Condition { sheet, slot, member, added, by });
                }
            }
        }
    }

    fn row(&mut self, table: TableId, row: u32, args: &[Value], locals: Option<&[Value]>, sheet: Option<u32>) {
        let program = self.program();
        let columns = program.tables.get(table.index()).map_or(0, |table| table.columns.len());
        let entry = program.tables.get(table.index()).and_then(|table| table.rows.get(row as usize));
        let known = locals.unwrap_or(args);
        let shown = entry.map_or(&[][..], |row| &row.shown);
        let shown = shown.iter().map(|shown| known.get(usize::from(shown.local)).cloned()).collect();
        let cell = |column: usize| {
            let value = self.blank.cell(table, i64::from(row), column as u16, args);
            value.unwrap_or(Value::Number(crate::program::NONE))
        };
        let cells = (0..columns).map(cell).collect();
        self.entries.push(Entry::Row { table, row, sheet, shown, cells });
    }
}

impl<'p> Observer for Trace<'p> {
    fn note(&mut self, note: Note<'_>) {
        let entry = match note {
            Note::Roll { dice, rolled } => Entry::Roll { expression: dice.to_string(), rolled: rolled.clone() },
            Note::Picked { among, face, picked } => Entry::Picked { among: among.clone(), face, picked },
            Note::Made { sheet, ty, owner, row, given } => {
                self.name(ty, owner, row);
                if given {
                    return;
                }
                Entry::Made { sheet }
            }
            Note::Event { event, sheet, args } => Entry::Event { event, sheet, args: args.to_vec() },
            Note::Forbidden { event, sheet, by } => Entry::Forbidden { event, sheet, by },
            Note::Spared { sheet, slot, set, by } => Entry::Spared { sheet, slot, set, by },
            // Time goes by whether anybody minds or not.
            Note::Unanswered { event }
                if self.program().events.get(event.index()).is_some_and(|e| e.clock.is_some()) =>
            {
                return;
            }
            Note::Unanswered { event } => Entry::Unanswered { event },
            Note::NotSent { event, sheet } => Entry::NotSent { event, sheet },
            Note::Instead { table, from, to } => Entry::Instead { table, from, to },
            Note::Row { table, row, args, locals, sheet } => return self.row(table, row, args, locals, sheet),
            Note::Change { sheet, slot, from, to } => {
                if let (Value::Number(from), Value::Number(to), Some(known)) =
                    (from, to, self.known.get_mut(&(sheet, slot)))
                {
                    *known = (*known | (to & !from)) & !(from & !to);
                }
                if let Value::Number(to) = to
                    && self.is_gender(self.slot_type(sheet, slot))
                {
                    self.say_gender(sheet, *to);
                }
                Entry::Change { sheet, slot, from: from.clone(), to: to.clone() }
            }
            Note::State { sheet, from, to } => Entry::State { sheet, from, to },
            Note::Condition { sheet, slot, set, added } => {
                if added {
                    let known = self.known.entry((sheet, slot)).or_insert(0);
                    let new = set & !*known;
                    *known |= set;
                    let told = |member| Entry::Condition { sheet, slot, member, added, by: None };
                    self.entries.extend(members(new).map(told));
                }
                // What is lost may still be given by a block: told when all is at rest.
                return;
            }
            Note::Ended { sheet, wait, conditions, run_out } => Entry::Ended { sheet, wait, conditions, run_out },
            Note::Say { message, values, locals, sheet } => {
                let value = |(local, ty): &(u16, Type)| Some((*ty, locals.get(usize::from(*local))?.clone()));
                Entry::Say { message, values: values.iter().filter_map(value).collect(), sheet }
            }
            Note::Check { sheet, check, number, passes } => Entry::Check { sheet, check, number, passes },
            Note::Question { question, asked, answer, default } => Entry::Question {
                question,
                sheet: asked.sheet,
                shown: asked.shown.to_vec(),
                answer: answer.clone(),
                default,
            },
            Note::Expect { expect, met, sides } => {
                Entry::Expect { expect, met, sides: sides.map(|(left, right)| (left.clone(), right.clone())) }
            }
        };
        self.entries.push(entry);
    }

    fn settled(&mut self, machine: &Machine<'_>, quiet: bool) {
        let mut own = self.blank.clone();
        own.set_state(machine.state().clone());
        self.compare(&own, quiet);
    }
}
