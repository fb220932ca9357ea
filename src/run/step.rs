//! The loop that runs a piece of code, and the operations in which something happens.

use super::fault::{FaultKind, Result, known};
use super::frame::{Checking, Frame, Leaves, Picking, Running, Waiting};
use super::machine::Machine;
use super::note::{Note, Observer};
use super::pure::Flow;
use super::set::only;
use super::state::Value;
use crate::dice::Dice;
use crate::program::{NONE, Op, Type};

impl<'p> Machine<'p> {
    /// Runs the code on top until something has to be done elsewhere first.
    pub(super) fn run<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        let Some(Frame::Code(running)) = self.state.frames.last() else {
            return Err(FaultKind::Internal("code to run"));
        };
        let (id, base, me) = (running.code, running.base as usize, running.me);
        let mut next = running.next;
        let code = known(self.program.code.get(id.index()), "a piece of code")?;
        while let Some(op) = code.ops.get(next as usize) {
            self.cost.at = Some((id, next));
            self.tick()?;
            observer.ran(id, next);
            match self.simple(op, base, me)? {
                Flow::Next => next += 1,
                Flow::To(goal) => next = goal,
                Flow::Return => break,
                Flow::Acts => {
                    if let Some(Frame::Code(running)) = self.state.frames.last_mut() {
                        running.next = next + 1;
                    }
                    return self.act(op, base, me, observer);
                }
            }
        }
        self.end_code()
    }

    /// The code on top has come to its end.
    pub(super) fn end_code(&mut self) -> Result<()> {
        let Some(Frame::Code(running)) = self.state.frames.pop() else {
            return Err(FaultKind::Internal("code to end"));
        };
        let base = running.base as usize;
        match running.leaves {
            Leaves::Nothing => self.state.stack.truncate(base),
            Leaves::Value => {
                let value = self.pop()?;
                self.state.stack.truncate(base);
                self.push(value);
            }
            Leaves::Locals => {
                let locals = known(self.program.code.get(running.code.index()), "a piece of code")?.locals;
                self.state.stack.truncate(base + usize::from(locals));
            }
        }
        Ok(())
    }

    fn running(&self) -> Result<&Running> {
        match self.state.frames.last() {
            Some(Frame::Code(running)) => Ok(running),
            _ => Err(FaultKind::Internal("code to run")),
        }
    }

    fn act<O: Observer>(&mut self, op: &'p Op, base: usize, me: i64, observer: &mut O) -> Result<()> {
        match op {
            Op::Roll => self.roll(),
            Op::PickMember(ty) => self.pick_member(*ty),
            Op::PickSheet => self.pick_sheet(),
            Op::Set { slot, change } => {
                let value = self.pop()?;
                let sheet = self.pop_sheet()?;
                self.change(sheet, *slot, *change, value, observer)
            }
            Op::Suffer { slot, wait } => self.suffer(*slot, *wait, observer),
            Op::Lose { slot } => self.lose(*slot, observer),
            Op::Go { state } => {
                let sheet = self.pop_sheet()?;
                self.go(sheet, i64::from(*state), observer)
            }
            Op::StillHolds => self.still_holds(me),
            Op::Fire { event, args, to } => {
                let args = self.pop_many(*args)?;
                let targets = if *to {
                    match self.pop_number()? {
                        NONE => return self.sent_to_nobody(*event, observer),
                        sheet => vec![self.place(sheet)?],
                    }
                } else if me == NONE {
                    self.roots()
                } else {
                    vec![self.root_of(me)?]
                };
                self.send(*event, args, targets)
            }
            Op::Read { table, args } => {
                let args = self.pop_many(*args)?;
                self.begin_read(*table, args, me)
            }
            Op::Happen { table, args, on } => {
                let args = self.pop_many(*args)?;
                self.begin_happen(*table, None, args, me, *on)
            }
            Op::Take { table, row, args, on } => {
                let args = self.pop_many(*args)?;
                self.begin_happen(*table, Some(*row), args, me, *on)
            }
            Op::Check { check, args, passes } => {
                let args = self.pop_many(*args)?;
                let sheet = self.pop_sheet()?;
                let formula = known(self.sheet_type(sheet)?.checks.get(usize::from(*check)), "a check")?.formula;
                let checking = Checking { sheet, check: *check, args: args.clone(), passes: *passes, result: None };
                self.state.frames.push(Frame::Checking(Box::new(checking)));
                self.call(formula, i64::from(sheet), None, &args, Leaves::Value)
            }
            Op::Say { message, values } => {
                let locals = self.state.stack.get(base..).unwrap_or(&[]);
                let sheet = u32::try_from(me).ok();
                observer.note(Note::Say { message: *message, values, locals, sheet });
                Ok(())
            }
            Op::Ask(question) => self.ask(*question, me, base, observer),
            other => self.scene(other, observer),
        }
    }

    // ── Dice ────────────────────────────────────────────────────────────────────────────────

    pub(super) fn roll(&mut self) -> Result<()> {
        match self.pop()? {
            Value::Number(number) => self.push(number),
            Value::Dice(dice) => match &*dice {
                Dice::Number(number) => self.push(*number),
                _ => self.state.waiting = Some(Waiting::Roll(dice)),
            },
            Value::Sheets(_) => return Err(FaultKind::Internal("dice to roll")),
        }
        Ok(())
    }

    fn pick_member(&mut self, ty: Type) -> Result<()> {
        let set = self.pop_number()?;
        match only(set) {
            Some(member) => self.push(member),
            None if set == 0 => self.push(NONE),
            None => self.state.waiting = Some(Waiting::Pick(Picking::Members(ty, set))),
        }
        Ok(())
    }

    fn pick_sheet(&mut self) -> Result<()> {
        let sheets = self.pop_sheets()?;
        match *sheets {
            [] => self.push(NONE),
            [sheet] => self.push(i64::from(sheet)),
            _ => self.state.waiting = Some(Waiting::Pick(Picking::Sheets(sheets))),
        }
        Ok(())
    }

    // ── Checks ──────────────────────────────────────────────────────────────────────────────

    /// A check whose number has been rolled, or whose event is over.
    pub(super) fn checking<O: Observer>(&mut self, observer: &mut O) -> Result<()> {
        let Some(Frame::Checking(checking)) = self.state.frames.last() else {
            return Err(FaultKind::Internal("a check"));
        };
        let (sheet, index) = (checking.sheet, checking.check);
        if let Some((number, passes)) = checking.result {
            let yes_no = checking.passes;
            self.state.frames.pop();
            self.push(if yes_no { i64::from(passes) } else { number });
            return Ok(());
        }
        let mut args = checking.args.clone();
        let number = self.pop_number()?;
        args.push(Value::Number(number));
        let check = known(self.sheet_type(sheet)?.checks.get(usize::from(index)), "a check")?;
        let passes = self.pure_yes(check.passes, i64::from(sheet), &args)?;
        observer.note(Note::Check { sheet, check: index, number, passes });
        if let Some(Frame::Checking(checking)) = self.state.frames.last_mut() {
            checking.result = Some((number, passes));
        }
        match self.program.check_event {
            Some(event) => self.send(event, Vec::new(), vec![sheet]),
            None => Ok(()),
        }
    }

    // ── The handler itself ──────────────────────────────────────────────────────────────────

    /// Ends the handler where its block has ended or its sheet has come to a final state.
    fn still_holds(&mut self, me: i64) -> Result<()> {
        let hold = self.running()?.hold;
        if me == NONE {
            return Ok(());
        }
        let sheet = self.place(me)?;
        if self.acts(sheet, hold)? { Ok(()) } else { self.end_code() }
    }

    pub(super) fn root_of(&self, me: i64) -> Result<u32> {
        let mut at = self.place(me)?;
        while let Some(owner) = self.sheet(at)?.owner.filter(|owner| *owner < at) {
            at = owner;
        }
        Ok(at)
    }
}
