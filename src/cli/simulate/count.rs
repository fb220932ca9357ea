//! Runs a simulation while its progress is shown, and stops it where somebody wants the result now.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use cicatriz::simulate::{Part, SimulateFault, Simulation, Tally, Watch};

use super::super::odds::watch::Live;

/// How often progress is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Does the runs of one part. The first Ctrl-C keeps what is known so far, the second ends at once.
pub fn count(simulation: &Simulation<'_>, part: Part, asked: u64, threads: usize) -> Result<Tally, SimulateFault> {
    let watch = &Watch::default();
    let mut live = Live::new();
    let size = |runs: u64| usize::try_from(runs).unwrap_or(usize::MAX);
    let runs = size(part.runs(asked));
    thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        scope.spawn(move || {
            while wait.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                live.at(size(watch.done.load(Ordering::Relaxed)), runs, "runs");
                if live.stopped() {
                    watch.stop.store(true, Ordering::Relaxed);
                }
            }
        });
        let tally = simulation.run(part, threads, watch);
        drop(done);
        tally
    })
}
