//! What a training run ends with.

use super::trainer::End;
use crate::collective::Verdict;
use crate::{Error, Result};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// The result of a training run.
#[derive(Serialize)]
pub(super) struct Report {
    /// The share of held-out images that are told right.
    accuracy: f64,
    correct: usize,
    test_images: usize,
    /// FNV-1a of the bits of all weights, the same on every worker.
    weights_hash: String,
    /// Whether the collective was proved for this number of workers before its first use.
    verified: bool,
    collective: String,
    /// What the workers are.
    session: String,
    workers: usize,
    devices: Vec<String>,
    /// Those that the weights have behind them: `steps` are of those that were run now.
    pub(super) passes: usize,
    steps: usize,
    step_seconds: f64,
    /// About the share of the workers' time in steps that they spent in all-reduce, waiting included: of
    /// calls of up to 8 KiB one in 16 is timed.
    all_reduce_share: f64,
    /// The bytes that all workers together took from each other.
    bytes_moved: u64,
    /// Of workers, after which new ones went on from the checkpoint.
    pub(super) failures: Vec<String>,
    pub(super) warnings: Vec<String>,
    /// The file of the network.
    pub(super) saved: Option<PathBuf>,
}

impl Report {
    /// # Errors
    /// The workers ended with different weights.
    pub(super) fn new(
        verdict: Verdict,
        session: &str,
        ends: &[End],
        correct: usize,
        test_images: usize,
        steps: usize,
        seconds: f64,
    ) -> Result<Self> {
        let weights_hash = ends[0].weights_hash.clone();
        if let Some(rank) = ends.iter().position(|end| end.weights_hash != weights_hash) {
            let message = format!("worker {rank} ended with other weights than worker 0");
            return Err(Error::mismatch(message));
        }
        let mut devices: Vec<_> = ends.iter().map(|end| end.device.clone()).collect();
        devices.sort_unstable();
        devices.dedup();
        let in_steps: f64 = ends.iter().map(|end| end.step_seconds).sum();
        let in_all_reduce: f64 = ends.iter().map(|end| end.all_reduce_seconds).sum();
        Ok(Self {
            accuracy: correct as f64 / test_images as f64,
            correct,
            test_images,
            weights_hash,
            verified: verdict.ok(),
            collective: verdict.collective,
            session: session.to_owned(),
            workers: ends.len(),
            devices,
            passes: 0,
            steps,
            step_seconds: if steps == 0 { 0.0 } else { seconds / steps as f64 },
            all_reduce_share: share(in_all_reduce, in_steps),
            bytes_moved: ends.iter().map(|end| end.bytes_moved).sum(),
            failures: Vec::new(),
            warnings: Vec::new(),
            saved: None,
        })
    }
}

/// `4 threads`, `1 process`, `4 (mpi)`.
fn workers_of(count: usize, session: &str) -> String {
    match (count, session) {
        (1, "processes") => "1 process".into(),
        (1, "threads") => "1 thread".into(),
        (_, "processes" | "threads") => format!("{count} {session}"),
        _ => format!("{count} ({session})"),
    }
}

/// The part of a whole that samples tell, which may add up to more.
fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { (part / whole).min(1.0) }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { correct, test_images, session, workers, steps, collective, .. } = self;
        let percent = 100.0 * self.accuracy;
        let share = 100.0 * self.all_reduce_share;
        let moved = self.bytes_moved as f64 / 1e6;
        writeln!(f, "devices        {}", self.devices.join(", "))?;
        writeln!(f, "workers        {}", workers_of(*workers, session))?;
        writeln!(f, "accuracy       {percent:.1} %  ({correct} of {test_images} held-out images)")?;
        writeln!(f, "time per step  {:.2} ms  ({steps} steps)", 1e3 * self.step_seconds)?;
        writeln!(
            f,
            "all-reduce     about {share:.0} % of the step, {moved:.1} MB moved by `{collective}`"
        )?;
        writeln!(f, "weights        {}  (the same on every worker)", self.weights_hash)?;
        match &self.saved {
            Some(path) => writeln!(f, "saved          {}", path.display()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn samples_that_add_up_to_more_than_the_whole_are_the_whole() {
        assert_eq!([share(0.0, 0.0), share(1.0, 4.0), share(9.0, 4.5)], [0.0, 0.25, 1.0]);
    }
}
