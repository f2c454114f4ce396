//! What no all-reduce can beat: every rank reads its buffer once and writes it once.

use super::measure::{Sample, median};
use crate::{Error, ErrorKind, Result};
use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

/// The passes of a measurement; their median counts.
const PASSES: usize = 15;

/// The time in which `ranks` threads at once rewrite buffers of their own: `2 · ranks · bytes` of
/// traffic.
pub(super) fn measure(ranks: usize, sizes: &[usize], budget: Duration) -> Result<Vec<Sample>> {
    let barrier = Barrier::new(ranks);
    let rank = || sizes.iter().map(|&bytes| of_rank(&barrier, bytes, budget)).collect();
    let of_ranks: Vec<Vec<Sample>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..ranks).map(|_| scope.spawn(rank)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
    });
    let slowest = |i: usize| {
        let times = of_ranks.iter().map(|samples| samples.get(i));
        times.reduce(|a, b| {
            a.zip(b).map(|(a, b)| if a.microseconds > b.microseconds { a } else { b })
        })
    };
    let samples = (0..sizes.len()).map(|i| slowest(i).flatten().copied());
    samples.collect::<Option<_>>().ok_or_else(|| {
        Error::new(ErrorKind::Panic, "a thread that measures the memory's bandwidth panicked")
    })
}

fn of_rank(barrier: &Barrier, bytes: usize, budget: Duration) -> Sample {
    let mut data = vec![0.0_f32; bytes / 4];
    rewrite(&mut data);
    let start = Instant::now();
    rewrite(&mut data);
    let share = budget.as_secs_f64() / PASSES as f64;
    let calls = (share / start.elapsed().as_secs_f64().max(1e-9)).clamp(1.0, 4096.0) as usize;
    let mut passes = [0.0; PASSES];
    for time in &mut passes {
        barrier.wait();
        let start = Instant::now();
        (0..calls).for_each(|_| rewrite(&mut data));
        *time = start.elapsed().as_secs_f64() / calls as f64;
    }
    Sample { bytes, microseconds: median(&mut passes) * 1e6 }
}

fn rewrite(data: &mut [f32]) {
    let data = black_box(data);
    data.iter_mut().for_each(|x| *x += 1.0);
    black_box(data);
}
