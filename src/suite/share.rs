//! Work shared out among threads, its results in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How much a thread takes at a time: few enough that all end together.
const TAKEN: usize = 8;

/// Does `count` pieces of work on so many threads, each with a state of its own. The results are in
/// the order of the work, whoever did it.
pub fn share<T: Send, S: Send>(
    count: usize,
    threads: usize,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> T + Sync,
) -> (Vec<T>, Vec<S>) {
    let next = AtomicUsize::new(0);
    let one = || {
        let mut state = begin();
        let mut done = Vec::new();
        loop {
            let from = next.fetch_add(TAKEN, Ordering::Relaxed);
            if from >= count {
                return (done, state);
            }
            done.extend((from..count.min(from + TAKEN)).map(|index| (index, work(&mut state, index))));
        }
    };
    let threads = threads.clamp(1, count.div_ceil(TAKEN).max(1));
    let parts: Vec<_> = if threads == 1 {
        vec![one()]
    } else {
        thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
            // A panic in one is a fault of the program itself: it goes on here.
            running.into_iter().map(|thread| thread.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
        })
    };
    let (mut done, mut states) = (Vec::with_capacity(count), Vec::new());
    for (part, state) in parts {
        done.extend(part);
        states.push(state);
    }
    done.sort_by_key(|(index, _)| *index);
    (done.into_iter().map(|(_, result)| result).collect(), states)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_nothing_is_done_twice() {
        for threads in [0, 1, 2, 7, 100] {
            let (done, states) = share(
                100,
                threads,
                || 0,
                |count, index| {
                    *count += 1;
                    index * 2
                },
            );
            assert_eq!(done, (0..100).map(|index| index * 2).collect::<Vec<_>>());
            assert_eq!(states.iter().sum::<usize>(), 100);
        }
        assert!(share(0, 4, || (), |(), _| ()).0.is_empty());
    }
}
