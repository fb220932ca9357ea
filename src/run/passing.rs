//! An event that has come to its end: each wait it counts for comes closer to its own.

use super::dispatch::End;
use super::fault::Result;
use super::machine::Machine;
use super::note::Observer;
use super::phase::PhaseRef;
use super::state::Value;
use super::wait::{Heard, OVER, Progress, hear};
use crate::program::EventId;

impl<'p> Machine<'p> {
    /// The event is over for the waits: each that it counts for comes closer to its end. What
    /// ended, last first.
    pub(super) fn count_waits<O: Observer>(&mut self, observer: &mut O) -> Result<Vec<End>> {
        let dispatch = self.dispatched()?;
        let event = dispatch.event;
        let roots: Vec<u32> = dispatch.targets.iter().map(|(root, _)| *root).collect();
        let depths = (self.depth(), self.depth_to_count());
        let mut ends = Vec::new();
        for sheet in (0u32..).take(self.state.sheets.len()) {
            let reached = roots.iter().any(|root| self.levels(sheet, *root).is_some());
            let [of_type, of_row] = self.clauses(sheet)?;
            for (of_row, clauses) in [(false, of_type), (true, of_row)] {
                let phases = clauses.map_or(&[][..], |clauses| &clauses.phases);
                for (index, phase) in (0u16..).zip(phases) {
                    let Some(wait) = self.timer(phase)? else { continue };
                    let Some(progress) = Progress::unpack(self.read_number(sheet, phase.slot)?) else { continue };
                    let heard = hear(self.program, self.wait(wait)?, progress, event, depths.0, depths.1, reached);
                    let number = match heard {
                        Heard::Further(further) => further.pack(),
                        Heard::Ended | Heard::RunOut => {
                            ends.push(End::Phase(sheet, PhaseRef { of_row, index }, heard == Heard::RunOut));
                            OVER
                        }
                    };
                    if number != progress.pack() {
                        self.write(sheet, phase.slot, Value::Number(number))?;
                    }
                }
            }
            self.count_timed(sheet, event, depths, reached, &mut ends, observer)?;
        }
        ends.reverse();
        Ok(ends)
    }

    fn count_timed<O: Observer>(
        &mut self,
        sheet: u32,
        event: EventId,
        depths: (usize, usize),
        reached: bool,
        ends: &mut Vec<End>,
        observer: &mut O,
    ) -> Result<()> {
        if self.sheet(sheet)?.timed.is_empty() {
            return Ok(());
        }
        let before = self.sheet(sheet)?.timed.clone();
        let mut after = before.clone();
        let mut over = Vec::new();
        for timed in &mut after {
            let Some(progress) = Progress::unpack(timed.progress) else { continue };
            let wait = self.wait(timed.wait)?;
            let heard = hear(self.program, wait, progress, event, depths.0, depths.1, reached);
            match heard {
                Heard::Further(further) => timed.progress = further.pack(),
                Heard::Ended | Heard::RunOut => {
                    over.push((timed.clone(), heard == Heard::RunOut));
                    if let (Heard::RunOut, Some(then)) = (heard, wait.then) {
                        ends.push(End::Then(sheet, then));
                    }
                }
            }
        }
        if after != before {
            after.sort();
            self.sheet_mut(sheet)?.timed = after;
        }
        for (timed, run_out) in over {
            self.end_timed(sheet, &timed, run_out, observer)?;
        }
        Ok(())
    }
}
