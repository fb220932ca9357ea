//! How far a long command has come: shown on a terminal once it takes more than a second.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output::Stream;

/// What goes by without a word.
const QUIET: Duration = Duration::from_secs(1);

/// Counts the steps of a command.
pub struct Progress {
    begun: Instant,
    total: u64,
    done: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    pub fn new(total: usize) -> Self {
        Progress { begun: Instant::now(), total: total as u64, done: 0, bar: None }
    }

    /// One step more, called this.
    pub fn step(&mut self, name: &str) {
        self.at(self.done as usize + 1, self.total as usize, name);
    }

    /// So many steps of so many, where the total may grow.
    pub fn at(&mut self, done: usize, total: usize, name: &str) {
        (self.done, self.total) = (done as u64, total as u64);
        if self.bar.is_none() && self.begun.elapsed() > QUIET && Stream::Error.is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(self.total), ProgressDrawTarget::stderr());
            // The template is our own and cannot be at fault; without it the bar has its usual look.
            if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {wide_bar} {eta} left {msg}") {
                bar.set_style(style);
            }
            // What was done before the bar counts for the time that is left.
            self.bar = Some(bar.with_elapsed(self.begun.elapsed()));
        }
        if let Some(bar) = &self.bar {
            bar.set_length(self.total);
            bar.set_position(self.done);
            bar.set_message(name.to_owned());
        }
    }

    /// Takes the bar away.
    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
