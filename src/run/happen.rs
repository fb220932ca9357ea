//! A row that is read, and a row that happens: redirect, the sheet it makes, its body, its texts.

use super::fault::{FaultKind, Result, known};
use super::frame::{Frame, Leaves};
use super::machine::Machine;
use super::note::{Note, Observer};
use super::outcome::Outcome;
use super::state::Value;
use crate::program::{NONE, On, TableId, TableKey};

/// A table being read, and perhaps its rows made to happen.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Happening {
    table: TableId,
    args: Vec<Value>,
    purpose: Purpose,
    /// Whose code reads it.
    asker: i64,
    /// Whose sheet the rows write on.
    subject: i64,
    /// The row reached, once known.
    row: Option<u32>,
    /// The row at hand: those before it have happened.
    at: u32,
    /// The sheet the row at hand has made.
    made: Option<u32>,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Purpose {
    /// Its row is a value.
    Read,
    Happen,
    /// It was asked for by itself.
    Show,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Stage {
    Key,
    Dice,
    Number,
    Reached,
    Made,
    Body,
    Told,
}

impl<'p> Machine<'p> {
    pub(super) fn begin_read(&mut self, table: TableId, args: Vec<Value>, asker: i64) -> Result<()> {
        let asker = self.reader(table, asker)?;
        self.begin(table, args, Purpose::Read, asker, NONE, None)
    }

    pub(super) fn begin_show(&mut self, table: TableId, args: Vec<Value>) {
        // Without a subject this cannot fail.
        let _ = self.begin(table, args, Purpose::Show, NONE, NONE, None);
    }

    pub(super) fn begin_happen(
        &mut self,
        table: TableId,
        row: Option<u32>,
        args: Vec<Value>,
        me: i64,
        on: On,
    ) -> Result<()> {
        let subject = match on {
            On::Nobody => NONE,
            On::Up(levels) => {
                let sheet = self.place(me)?;
                i64::from(self.owner(sheet, levels)?.ok_or(FaultKind::None)?)
            }
            On::First => {
                let subject = known(self.table(table)?.subject, "a table's subject")?;
                let first = self.all_like(subject, None).first().copied();
                i64::from(first.ok_or(FaultKind::None)?)
            }
        };
        let asker = if subject == NONE { me } else { subject };
        self.begin(table, args, Purpose::Happen, asker, subject, row)
    }

    fn begin(
        &mut self,
        table: TableId,
        args: Vec<Value>,
        purpose: Purpose,
        asker: i64,
        subject: i64,
        row: Option<u32>,
    ) -> Result<()> {
        if purpose == Purpose::Happen && self.depth() == 0 {
            // Outside every handler, what holds comes to rest after the row.
            self.settle(false);
        }
        let stage = if row.is_some() { Stage::Reached } else { Stage::Key };
        let at = row.unwrap_or(0);
        let happening = Happening { table, args, purpose, asker, subject, row, at, made: None, stage };
        self.state.frames.push(Frame::Happening(Box::new(happening)));
        Ok(())
    }

    fn happens(&mut self) -> Result<&mut Happening> {
        match self.state.frames.last_mut() {
            Some(Frame::Happening(happening)) => Ok(happening),
            _ => Err(FaultKind::Internal("a table being read")),
        }
    }

    /// The next thing to do for the table on top.
    pub(super) fn happening<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        let happening = self.happens()?;
        let (id, asker, stage) = (happening.table, happening.asker, happening.stage);
        let args = happening.args.clone();
        let table = self.table(id)?;
        match stage {
            Stage::Key => match table.key {
                TableKey::Dice(code) => {
                    self.happens()?.stage = Stage::Dice;
                    self.call(code, asker, None, &args, Leaves::Value)
                }
                _ => {
                    let row = self.look_up(id, &args, asker)?;
                    self.reached(row)
                }
            },
            Stage::Dice => {
                self.happens()?.stage = Stage::Number;
                self.roll()
            }
            Stage::Number => {
                let number = self.pop_number()?;
                let row = self.answering(id, number)?;
                match self.instead(id, row, &args, asker)? {
                    Some(other) => {
                        observer.note(Note::Instead { table: id, from: row, to: other });
                        self.reached(other)
                    }
                    None => self.reached(row),
                }
            }
            Stage::Reached => self.begin_row(observer),
            Stage::Made => {
                let happening = self.happens()?;
                happening.stage = Stage::Body;
                let me = happening.made.map_or(happening.subject, i64::from);
                let at = happening.at;
                match self.row(id, at)?.body {
                    Some(body) => self.call(body, me, None, &args, Leaves::Locals),
                    None => self.call_nothing(&args),
                }
            }
            Stage::Body => self.end_row(observer),
            Stage::Told => {
                let happening = self.happens()?;
                let row = known(happening.row, "a row")?;
                let purpose = happening.purpose;
                self.state.frames.pop();
                if purpose == Purpose::Read && matches!(table.key, TableKey::Dice(_)) {
                    observer.note(Note::Row { table: id, row, args: &args, locals: None, sheet: None });
                }
                match purpose {
                    Purpose::Read => self.push(i64::from(row)),
                    Purpose::Show => self.finish(Outcome::Row(id, row)),
                    Purpose::Happen => {}
                }
                Ok(())
            }
        }
    }

    /// The row that was asked for is known.
    fn reached(&mut self, row: u32) -> Result<()> {
        let id = self.happens()?.table;
        self.row(id, row)?;
        let happening = self.happens()?;
        happening.row = Some(row);
        happening.at = row;
        happening.stage = if happening.purpose == Purpose::Read { Stage::Told } else { Stage::Reached };
        let purpose = happening.purpose;
        if purpose != Purpose::Read && self.table(id)?.cumulative {
            let first = self.next_reached(0)?;
            self.happens()?.at = first.unwrap_or(row);
        }
        Ok(())
    }

    /// The next row from here on that a number up to the one rolled reaches.
    fn next_reached(&mut self, from: u32) -> Result<Option<u32>> {
        let happening = self.happens()?;
        let (id, last) = (happening.table, known(happening.row, "a row")?);
        let table = self.table(id)?;
        let answered = |row: &u32| *row == last || table.answers.iter().any(|answer| answer.row == *row);
        Ok((from..=last).find(answered))
    }

    /// Redirected already: the sheet the row makes joins its list, and its `made` handlers run.
    fn begin_row<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        let happening = self.happens()?;
        let (id, row, subject, args) = (happening.table, happening.at, happening.subject, happening.args.clone());
        if happening.purpose == Purpose::Show {
            happening.stage = Stage::Told;
            let last = happening.row;
            observer.note(Note::Row { table: id, row, args: &args, locals: None, sheet: None });
            if self.table(id)?.cumulative && Some(row) != last {
                let next = self.next_reached(row + 1)?;
                let happening = self.happens()?;
                happening.stage = Stage::Reached;
                happening.at = known(next, "a row")?;
            }
            return Ok(());
        }
        happening.stage = Stage::Made;
        if self.table(id)?.makes.is_none() {
            return Ok(());
        }
        let owner = self.place(subject)?;
        let (sheet, slots) = self.make_by_row(id, row, owner, &args, false, observer)?;
        self.happens()?.made = Some(sheet);
        if let Some(made) = self.made_event(sheet)? {
            self.send(made, Vec::new(), vec![sheet])?;
        }
        self.fill(sheet, slots, false);
        Ok(())
    }

    /// A row without a body shows its arguments all the same.
    fn call_nothing(&mut self, args: &[Value]) -> Result<()> {
        self.state.stack.extend_from_slice(args);
        Ok(())
    }

    /// The body is over: title and text are told, now that its numbers are known.
    fn end_row<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        let happening = self.happens()?;
        let (id, row, made, last) = (happening.table, happening.at, happening.made.take(), happening.row);
        let args = happening.args.clone();
        let locals = match self.row(id, row)?.body {
            Some(body) => usize::from(known(self.program.code.get(body.index()), "a piece of code")?.locals),
            None => 0,
        };
        let from = self.state.stack.len().checked_sub(locals.max(args.len()));
        let from = known(from, "the values of a row")?;
        let subject = self.happens()?.subject;
        let sheet = made.or_else(|| u32::try_from(subject).ok());
        let locals = self.state.stack.get(from..).unwrap_or(&[]);
        observer.note(Note::Row { table: id, row, args: &args, locals: Some(locals), sheet });
        self.state.stack.truncate(from);
        let more = Some(row) != last && self.table(id)?.cumulative;
        let next = if more { self.next_reached(row + 1)? } else { None };
        let happening = self.happens()?;
        match next {
            Some(next) => {
                happening.at = next;
                happening.stage = Stage::Reached;
            }
            None => happening.stage = Stage::Told,
        }
        if let Some(sheet) = made {
            self.state.frames.push(Frame::Finished(sheet));
        }
        Ok(())
    }
}
