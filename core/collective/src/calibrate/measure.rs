//! The time of calls between threads of this process.

use crate::{Communicator, Group};
use ringwood_base::Result;
use ringwood_base::registry::Registry;
use ringwood_schedule::{Invocation, ReduceOp, Request};
use ringwood_transport::{Buffers, Region};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How long a call is measured.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The calls between two looks at the clock: as many as fit. Short ones find the moments in
    /// which nothing else runs on the machine.
    pub batch: Duration,
    /// All batches of an algorithm, of which the fastest counts; there are at least three.
    pub total: Duration,
}

impl Default for Effort {
    /// Batches of 0.2 ms, 10 ms in all.
    fn default() -> Self {
        Self { batch: Duration::from_micros(200), total: Duration::from_millis(10) }
    }
}

/// The most calls of a batch, and the most batches.
const MOST_CALLS: f64 = 1000.0;
const MOST_BATCHES: f64 = 200.0;
const LEAST_BATCHES: f64 = 3.0;

/// The seconds of a call of each of these algorithms, in place. Algorithms take turns, so that a
/// disturbance meets them all.
///
/// # Errors
/// The group cannot be opened, there is no memory for its data, or a call fails.
pub fn measure(
    registry: &Registry,
    request: &Request,
    algorithms: &[&str],
    effort: Effort,
) -> Result<Vec<f64>> {
    let what = request.what.clone();
    let shared = Shared {
        what: if what.operation.reduces() { what.reduce(ReduceOp::Sum) } else { what },
        bytes: request.bytes()?,
        turns: algorithms.iter().map(|_| Turns::default()).collect(),
        effort,
    };
    let group = Group::builder(request.ranks).registry(registry.clone());
    let of_ranks = group.spmd(|communicator| shared.run(communicator, algorithms))?;
    let slowest = |i: usize| of_ranks.iter().map(|seconds| seconds[i]).fold(0.0, f64::max);
    Ok((0..algorithms.len()).map(slowest).collect())
}

/// What the ranks of a measurement share.
struct Shared {
    what: Invocation<'static>,
    bytes: usize,
    /// For each algorithm, as rank 0 found it to fit.
    turns: Vec<Turns>,
    effort: Effort,
}

/// How often an algorithm is measured.
#[derive(Default)]
struct Turns {
    calls: AtomicUsize,
    batches: AtomicUsize,
}

impl Shared {
    fn run(&self, communicator: &Communicator, algorithms: &[&str]) -> Result<Vec<f64>> {
        // Sums of zeros stay zeros: no call meets other numbers than the one before.
        let mut data = Region::ordinary(self.bytes)?;
        let data = data.bytes_mut();
        let mut best = vec![f64::INFINITY; algorithms.len()];
        for (i, name) in algorithms.iter().enumerate() {
            self.fit_turns(communicator, name, &self.turns[i], data)?;
        }
        let batches = |turns: &Turns| turns.batches.load(Ordering::Relaxed);
        for round in 0..self.turns.iter().map(batches).max().unwrap_or(0) {
            for (i, name) in algorithms.iter().enumerate() {
                if round < batches(&self.turns[i]) {
                    let calls = self.turns[i].calls.load(Ordering::Relaxed);
                    best[i] = best[i].min(self.batch(communicator, name, calls, data)?);
                }
            }
        }
        Ok(best)
    }

    /// Finds how many calls fit, by the clock of rank 0. The others learn it in the next call, which
    /// ends for nobody before rank 0 has come to it.
    fn fit_turns(
        &self,
        communicator: &Communicator,
        name: &str,
        turns: &Turns,
        data: &mut [u8],
    ) -> Result<()> {
        self.batch(communicator, name, 1, data)?;
        let mut call = f64::INFINITY;
        for _ in 0..3 {
            call = call.min(self.batch(communicator, name, 1, data)?);
        }
        if communicator.rank() == 0 {
            let Effort { batch, total } = self.effort;
            let calls = (batch.as_secs_f64() / call.max(1e-9)).clamp(1.0, MOST_CALLS).floor();
            let batches = total.as_secs_f64() / (calls * call.max(1e-9));
            turns.calls.store(calls as usize, Ordering::Relaxed);
            let batches = batches.clamp(LEAST_BATCHES, MOST_BATCHES) as usize;
            turns.batches.store(batches, Ordering::Relaxed);
        }
        self.batch(communicator, name, 1, data).map(drop)
    }

    fn batch(
        &self,
        communicator: &Communicator,
        name: &str,
        calls: usize,
        data: &mut [u8],
    ) -> Result<f64> {
        let start = Instant::now();
        for _ in 0..calls {
            communicator.with(name).run(&self.what, Buffers::InPlace(data))?;
        }
        Ok(start.elapsed().as_secs_f64() / calls as f64)
    }
}
