//! Runs a simulation while its progress is shown, and stops it where somebody wants the result now.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use cicatriz::simulate::{Part, SimulateFault, Simulation, Tally, Watch};

use super::super::output;
use super::super::progress::Progress;

/// How often progress is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// What a command stopped from the keyboard ends with by custom, when it is stopped once more.
const STOPPED: i32 = 130;

/// Does the runs of one part. The first Ctrl-C keeps what is known so far, the second ends at once.
pub fn count(simulation: &Simulation<'_>, part: Part, asked: u64, threads: usize) -> Result<Tally, SimulateFault> {
    let watch = Arc::new(Watch::default());
    let seen = watch.clone();
    let stop = ctrlc::set_handler(move || {
        if seen.stop.swap(true, Ordering::Relaxed) {
            std::process::exit(STOPPED);
        }
    });
    if let Err(error) = stop {
        output::complain(&format!("Ctrl-C will not keep what is known: {error}"));
    }
    let runs = part.runs(asked);
    thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        let watch = &watch;
        scope.spawn(move || {
            let mut progress = Progress::new(usize::try_from(runs).unwrap_or(usize::MAX));
            while wait.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                progress.at(watch.done.load(Ordering::Relaxed), "runs");
            }
        });
        let tally = simulation.run(part, threads, watch);
        drop(done);
        tally
    })
}
