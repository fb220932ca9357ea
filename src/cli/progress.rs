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
        self.at(self.done + 1, name);
    }

    /// So many steps are done, the last called this.
    pub fn at(&mut self, done: u64, name: &str) {
        self.done = done;
        if self.bar.is_none() && self.begun.elapsed() > QUIET && Stream::Error.is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(self.total), ProgressDrawTarget::stderr());
            // The template is our own and cannot be at fault; without it the bar has its usual look.
            if let Ok(style) = ProgressStyle::with_template("{pos}/{len} {wide_bar} {eta} {msg}") {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
            bar.set_message(name.to_owned());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
