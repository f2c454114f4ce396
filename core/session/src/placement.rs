//! Where a worker runs on its machine.

use super::Worker;
use super::config::Config;
use ringwood_base::Result;
use ringwood_base::sync::threads;
use ringwood_device::device::Device;
use ringwood_device::processors::{allowed, bind, release};
use ringwood_transport::flight;

/// A worker among those of its machine.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// Its number among them.
    pub number: usize,
    /// Its number among those that may run on the same processors, and how many these are.
    pub part: (usize, usize),
    /// Whether others are threads of the same process, so that pools of threads run on the processors of all.
    pub(super) shares_process: bool,
}

impl Placement {
    /// Worker `number` of `of` of a machine, in a process of its own. All may run on the same processors.
    pub fn new(number: usize, of: usize) -> Self {
        Self { number, part: (number, of), shares_process: false }
    }

    /// Binds this thread to the worker's share of the processors, if the session is to, until what this gives is
    /// dropped.
    pub(super) fn take(self, config: &Config) -> Result<Option<Bound>> {
        if !config.pinned {
            return Ok(None);
        }
        let all = allowed();
        let own = self.share(&all);
        bind(own, if self.shares_process { &all } else { own })
            .map_err(|error| error.help("leave out `SessionBuilder::pinned`"))?;
        Ok(Some(Bound(all)))
    }

    /// An equal part, one after the other; a processor in turn where there are more workers.
    fn share(self, all: &[usize]) -> &[usize] {
        let (number, of) = self.part;
        match all.len() {
            0 => all,
            len if len < of => std::slice::from_ref(&all[number % len]),
            len => &all[number * len / of..(number + 1) * len / of],
        }
    }
}

/// The thread that is bound, with the processors that it had before: that of a process may be a worker of another session
/// later.
pub(super) struct Bound(Vec<usize>);

impl Drop for Bound {
    fn drop(&mut self) {
        release(&self.0);
    }
}

/// Records where this worker runs: `cpu:0, threads: 2, processors: 0-3,6`.
pub(super) fn record(worker: &Worker) {
    let device = worker.device().map_or("no device", Device::name);
    let all = allowed();
    let ranges = all.chunk_by(|a, b| a + 1 == *b).map(|range| match range {
        [first, .., last] => format!("{first}-{last}"),
        one => one[0].to_string(),
    });
    let (threads, ranges) = (threads().unwrap_or(1), ranges.collect::<Vec<_>>().join(","));
    flight::place(&format!("{device}, threads: {threads}, processors: {ranges}"));
}

#[cfg(test)]
mod tests;
