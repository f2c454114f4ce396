//! The time of a call, measured in the same way for every engine.

use super::wrong;
use crate::Result;
use serde::{Deserialize, Serialize};
use std::ops::DerefMut;
use std::time::{Duration, Instant};

/// A rank of an engine that sums.
pub(super) trait AllReduce {
    fn rank(&self) -> usize;
    fn ranks(&self) -> usize;
    /// So many elements, all 0, where the engine wants them.
    fn buffer(&self, elements: usize) -> Result<Buffer>;
    /// Replaces the elements of every rank by their sum.
    fn sum(&mut self, data: &mut [f32]) -> Result<()>;
}

/// Elements of a rank.
pub(super) type Buffer = Box<dyn DerefMut<Target = [f32]>>;

/// The time of one call.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Sample {
    pub(super) bytes: usize,
    pub(super) microseconds: f64,
}

/// The batches of a measurement; their median counts.
const BATCHES: usize = 15;
/// The most calls in a batch.
const MOST_CALLS: f32 = 4096.0;

/// [`measure`] for each of some sizes.
pub(super) fn measure_all(
    engine: &mut dyn AllReduce,
    sizes: &[usize],
    budget: Duration,
) -> Result<Vec<Sample>> {
    sizes.iter().map(|&bytes| measure(engine, bytes, budget)).collect()
}

/// Checks one sum, then measures calls for about `budget`. Every rank must call it alike.
///
/// # Errors
/// The engine fails, or sums wrongly.
fn measure(engine: &mut dyn AllReduce, bytes: usize, budget: Duration) -> Result<Sample> {
    check(engine, bytes)?;
    // Sums of zeros stay zeros: no call meets larger numbers than the one before.
    let mut data = engine.buffer(bytes / 4)?;
    let calls = calls(engine, &mut data, budget)?;
    let mut batches = [0.0; BATCHES];
    for time in &mut batches {
        *time = batch(engine, &mut data, calls)?;
    }
    Ok(Sample { bytes, microseconds: median(&mut batches) * 1e6 })
}

fn check(engine: &mut dyn AllReduce, bytes: usize) -> Result<()> {
    let (rank, ranks) = (engine.rank() as f32, engine.ranks() as f32);
    // Small whole numbers, whose sum is exact in every order.
    let element = |i: usize| (i % 1000) as f32;
    let mut data = engine.buffer(bytes / 4)?;
    data.iter_mut().enumerate().for_each(|(i, x)| *x = element(i) + rank);
    engine.sum(&mut data)?;
    let of_ranks = ranks * (ranks - 1.0) / 2.0;
    let right = |(i, &sum): (usize, &f32)| sum == element(i) * ranks + of_ranks;
    if data.iter().enumerate().all(right) { Ok(()) } else { Err(wrong("all-reduce", bytes)) }
}

/// The calls of a batch: what fits in the budget by the clock of rank 0, which all ranks learn.
fn calls(engine: &mut dyn AllReduce, data: &mut [f32], budget: Duration) -> Result<usize> {
    let mut calls = 1.0_f32;
    loop {
        let seconds = batch(engine, data, calls as usize)?;
        let share = budget.as_secs_f64() / BATCHES as f64;
        let fits = (share / seconds.max(1e-9)) as f32;
        let mut agreed = [if engine.rank() == 0 { fits.clamp(1.0, MOST_CALLS) } else { 0.0 }];
        engine.sum(&mut agreed)?;
        // The first calls of a size are slow; an estimate from too few of them is made again.
        if agreed[0] <= calls * 8.0 {
            return Ok(agreed[0] as usize);
        }
        calls *= 8.0;
    }
}

fn batch(engine: &mut dyn AllReduce, data: &mut [f32], calls: usize) -> Result<f64> {
    let start = Instant::now();
    for _ in 0..calls {
        engine.sum(data)?;
    }
    Ok(start.elapsed().as_secs_f64() / calls as f64)
}

pub(super) fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
