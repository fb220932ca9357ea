//! What goes on while odds are worked out: how far they have come, and whether somebody stops them.

use std::ops::ControlFlow;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use cicatriz::odds::Watch;

use super::super::progress::Progress;

/// Whether Ctrl-C was pressed.
static STOPPED: AtomicBool = AtomicBool::new(false);
static LISTENING: Once = Once::new();

/// What a shell takes as "stopped by Ctrl-C".
const INTERRUPTED: i32 = 130;

/// Shows how far it has come on a terminal, and listens to Ctrl-C: the first one ends the search and keeps
/// what is known, a second one ends the program.
pub struct Live {
    progress: Progress,
    /// Whether states are counted, or whole distributions.
    whole: bool,
}

impl Live {
    pub fn new() -> Self {
        Live::of(0, false)
    }

    /// For so many distributions.
    pub fn many(count: usize) -> Self {
        Live::of(count, true)
    }

    fn of(count: usize, whole: bool) -> Self {
        LISTENING.call_once(|| {
            // Where nobody can listen, Ctrl-C ends the program as ever.
            let _ = ctrlc::set_handler(|| {
                if STOPPED.swap(true, Ordering::SeqCst) {
                    std::process::exit(INTERRUPTED);
                }
            });
        });
        Live { progress: Progress::new(count), whole }
    }

    /// One more distribution is begun.
    pub fn next(&mut self, name: &str) {
        self.progress.step(name);
    }

    /// So many of so many are done.
    pub fn at(&mut self, done: usize, total: usize, name: &str) {
        self.progress.at(done, total, name);
    }

    /// Whether somebody pressed Ctrl-C.
    pub fn stopped(&self) -> bool {
        STOPPED.load(Ordering::SeqCst)
    }

    /// Takes the bar away, before something is told.
    pub fn clear(&mut self) {
        self.progress.clear();
    }
}

impl Watch for Live {
    fn states(&mut self, done: usize, known: usize) -> ControlFlow<()> {
        if !self.whole {
            self.progress.at(done, known, "states");
        }
        if self.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
