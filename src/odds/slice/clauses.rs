//! Clauses that matter, and what they read.

use super::Search;
use crate::program::{Add, Cannot, Clauses, Forbidden, Handler, Has, Phase};

impl<'p> Search<'p> {
    pub(super) fn hears(&self, handler: &Handler) -> bool {
        self.bodies.contains(&handler.body)
    }

    pub(super) fn adds(&self, add: &Add) -> bool {
        self.values.contains(&add.value)
    }

    pub(super) fn gives(&self, has: &Has) -> bool {
        self.slots.contains(&has.slot)
    }

    pub(super) fn keeps(&self, cannot: &Cannot) -> bool {
        match &cannot.what {
            Forbidden::Event { event, .. } => self.events.contains(event),
            Forbidden::Suffering { slot, .. } => self.slots.contains(slot),
        }
    }

    pub(super) fn lasts(&self, phase: &Phase) -> bool {
        let code = [phase.enter, phase.leave, phase.then];
        self.slots.contains(&phase.slot)
            || phase.tracks.iter().any(|slot| self.slots.contains(slot))
            || code.iter().flatten().any(|code| self.bodies.contains(code))
    }

    pub(super) fn bears(&self, clauses: &Clauses) -> bool {
        clauses.handlers.iter().any(|handler| self.hears(handler))
            || clauses.adds.iter().any(|add| self.adds(add))
            || clauses.has.iter().any(|has| self.gives(has))
            || clauses.cannot.iter().any(|cannot| self.keeps(cannot))
            || clauses.phases.iter().any(|phase| self.lasts(phase))
    }

    /// What the clauses that matter read.
    pub(super) fn bear(&mut self, clauses: &'p Clauses) {
        for handler in &clauses.handlers {
            if !self.hears(handler) {
                continue;
            }
            self.events.insert(handler.event);
            handler.guard.into_iter().for_each(|guard| self.whole(guard));
            self.hold(handler.hold);
        }
        for add in &clauses.adds {
            if self.adds(add) {
                self.patterns(&add.args);
                self.whole(add.amount);
                add.when.into_iter().for_each(|when| self.whole(when));
                self.hold(add.hold);
            }
        }
        for has in &clauses.has {
            if self.gives(has) {
                self.whole(has.what);
                has.when.into_iter().for_each(|when| self.whole(when));
                self.hold(has.hold);
            }
        }
        for cannot in &clauses.cannot {
            if self.keeps(cannot) {
                match &cannot.what {
                    Forbidden::Event { args, .. } => self.patterns(args),
                    Forbidden::Suffering { what, .. } => self.whole(*what),
                }
                cannot.when.into_iter().for_each(|when| self.whole(when));
                self.hold(cannot.hold);
            }
        }
        for phase in &clauses.phases {
            if self.lasts(phase) {
                self.phases.insert(phase.slot);
                self.slots.insert(phase.slot);
                self.hold(Some(phase.hold));
                phase.amount.into_iter().for_each(|amount| self.whole(amount));
            }
        }
    }
}
