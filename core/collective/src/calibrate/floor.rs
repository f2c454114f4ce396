//! What no all-reduce can beat: every rank reads a buffer that another rank wrote, and writes it.

use ringwood_base::{Error, ErrorKind, Result};
use std::hint::black_box;
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The passes of a measurement: at least so many, and at most.
const PASSES: (usize, usize) = (15, 2000);

/// The seconds in which `ranks` threads at once rewrite a buffer each that another of them wrote last: `2 · ranks ·
/// bytes` of traffic, without the time in which they wait for each other. It is measured for about `budget`.
///
/// ```
/// use ringwood_collective::calibrate::floor;
/// use std::time::Duration;
///
/// assert!(floor(2, 4096, Duration::from_millis(1))? > 0.0);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// A thread panicked.
pub fn floor(ranks: usize, bytes: usize, budget: Duration) -> Result<f64> {
    let buffers: Vec<_> = (0..ranks).map(|_| Mutex::new(vec![0.0_f32; bytes / 4])).collect();
    let alone = buffers.iter().map(rewrite).fold(0.0, f64::max);
    let passes = (budget.as_secs_f64() / alone.max(1e-9)) as usize;
    let (passes, barrier) = (passes.clamp(PASSES.0, PASSES.1), Barrier::new(ranks));
    let of_rank = &|rank: usize| {
        let pass = |pass| {
            barrier.wait();
            rewrite(&buffers[(rank + pass) % ranks])
        };
        let mut times: Vec<f64> = (0..passes).map(pass).collect();
        times.sort_by(f64::total_cmp);
        times[passes / 2]
    };
    let medians: thread::Result<Vec<f64>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..ranks).map(|rank| scope.spawn(move || of_rank(rank))).collect();
        threads.into_iter().map(thread::ScopedJoinHandle::join).collect()
    });
    let medians = medians.map_err(|_| {
        Error::new(ErrorKind::Panic, "a thread that measures the memory's bandwidth panicked")
    })?;
    Ok(medians.into_iter().fold(0.0, f64::max))
}

/// Adds to every element; the time that it took.
fn rewrite(buffer: &Mutex<Vec<f32>>) -> f64 {
    let mut buffer = buffer.lock().unwrap_or_else(PoisonError::into_inner);
    let data = black_box(buffer.as_mut_slice());
    let start = Instant::now();
    data.iter_mut().for_each(|x| *x += 1.0);
    black_box(data);
    start.elapsed().as_secs_f64()
}
