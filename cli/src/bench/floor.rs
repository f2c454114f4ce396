//! What no all-reduce can beat: every rank reads a buffer that another rank wrote, and writes it.

use super::measure::{Sample, median};
use crate::{Error, ErrorKind, Result};
use std::hint::black_box;
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The passes of a measurement: at least so many, and at most.
const PASSES: (usize, usize) = (15, 2000);

/// The time in which `ranks` threads at once rewrite a buffer each that another of them wrote last:
/// `2 · ranks · bytes` of traffic, without the time in which they wait for each other.
pub(super) fn measure(ranks: usize, sizes: &[usize], budget: Duration) -> Result<Vec<Sample>> {
    sizes.iter().map(|&bytes| of_size(ranks, bytes, budget)).collect()
}

fn of_size(ranks: usize, bytes: usize, budget: Duration) -> Result<Sample> {
    let buffers: Vec<_> = (0..ranks).map(|_| Mutex::new(vec![0.0_f32; bytes / 4])).collect();
    let alone = buffers.iter().map(rewrite).fold(0.0, f64::max);
    let passes = (budget.as_secs_f64() / alone.max(1e-9)) as usize;
    let (passes, barrier) = (passes.clamp(PASSES.0, PASSES.1), Barrier::new(ranks));
    let of_rank = &|rank: usize| {
        let pass = |pass| {
            barrier.wait();
            rewrite(&buffers[(rank + pass) % ranks])
        };
        (0..passes).map(pass).collect::<Vec<f64>>()
    };
    let times: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..ranks).map(|rank| scope.spawn(move || of_rank(rank))).collect();
        threads.into_iter().map(thread::ScopedJoinHandle::join).collect()
    });
    let slowest = times.into_iter().map(|times| times.map(|mut times| median(&mut times)));
    let slowest = slowest.collect::<thread::Result<Vec<f64>>>().map_err(|_| {
        Error::new(ErrorKind::Panic, "a thread that measures the memory's bandwidth panicked")
    })?;
    let microseconds = slowest.into_iter().fold(0.0, f64::max) * 1e6;
    Ok(Sample { bytes, microseconds })
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
