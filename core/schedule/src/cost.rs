//! What steps cost: the LogGP model, and what memory that peers read adds to it.

mod bytes;
mod corrections;
mod rate;

pub use bytes::Bytes;
pub use corrections::Corrections;
pub use rate::Rate;

use crate::{Capabilities, Link};
use ringwood_base::{Error, Result};
use serde::{Deserialize, Serialize};

/// What messages, copies and merges cost on a machine. All times are seconds.
///
/// The first four are the parameters `L`, `o`, `g` and `G` of the LogGP model: a message of `k` bytes
/// occupies its sender for `o`, leaves during `k G`, arrives `L` later and occupies its receiver for
/// `o`. A network moves bytes while the ranks do something else, so its [`receive`](Self::receive) is
/// 0; where a receiver reads the memory of its peer, `G` is 0 and the receiver pays.
///
/// Source: Alexandrov, Ionescu, Schauser and Scheiman, "LogGP: incorporating long messages into the
/// LogP model", 1995.
///
/// ```
/// use ringwood_schedule::CostModel;
///
/// let cluster = CostModel::cluster();
/// let (k, ms) = (1e6, 1e3);
/// let message = 2.0 * cluster.overhead + cluster.latency + k * cluster.per_byte;
/// assert!(message * ms > 0.02 && message * ms < 0.03);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostModel {
    /// `L`: from the last byte sent to the arrival.
    pub latency: f64,
    /// `o`: the work of a rank for each message that it sends or receives.
    pub overhead: f64,
    /// `g`: the least time between two sends of a rank.
    pub gap: f64,
    /// `G`: for each byte on its way, at the sender's port.
    pub per_byte: f64,
    /// `L` and `1 / G` of messages between different tasks of an arrangement, if they are others.
    #[serde(default)]
    pub across: Option<Link>,
    /// For each byte that a rank receives.
    pub receive: Rate,
    /// For each byte that a rank receives and merges, or merges with chunks of its own.
    pub reduce: Rate,
    /// For each byte that a rank copies from chunks of its own.
    pub copy: Rate,
    /// What a call costs beside its steps, for ascending group sizes: the ranks meet and agree.
    pub call: Vec<(usize, f64)>,
    /// How many ranks run at the same time; 0 if each has a core of its own.
    pub cores: usize,
    /// The time until a core goes on with another rank, if there are more ranks than cores.
    pub switch: f64,
    /// Buffers of up to so many bytes travel with the ranks as they meet, in groups of up to
    /// [`eager_ranks`](Self::eager_ranks): every algorithm costs a call and the merges of all inputs.
    pub eager_bytes: u64,
    /// See [`eager_bytes`](Self::eager_bytes).
    pub eager_ranks: usize,
    /// What measured calls took beside what all the above says.
    #[serde(default)]
    pub corrections: Corrections,
}

impl CostModel {
    /// A network of one level with 2 µs latency and 50 GB/s ports, between ranks that merge
    /// 500 GB/s: an assumption, for simulations of machines that are not there.
    pub fn cluster() -> Self {
        Self {
            latency: 2e-6,
            overhead: 0.5e-6,
            gap: 0.0,
            per_byte: 1.0 / 50e9,
            across: None,
            receive: Rate::constant(0.0),
            reduce: Rate::constant(1.0 / 500e9),
            copy: Rate::constant(1.0 / 500e9),
            call: Vec::new(),
            cores: 0,
            switch: 0.0,
            eager_bytes: 0,
            eager_ranks: 0,
            corrections: Corrections::default(),
        }
    }

    /// Threads of one machine with `cores` cores that read each other's memory: an assumption, until
    /// the machine is calibrated.
    pub fn peer_memory(cores: usize) -> Self {
        let plateaus = |near: f64, far: f64| {
            Rate::table(vec![(1 << 20, near), (64 << 20, far)]).expect("two ascending points")
        };
        Self {
            latency: 100e-9,
            overhead: 30e-9,
            gap: 0.0,
            per_byte: 0.0,
            across: None,
            receive: plateaus(1.0 / 15e9, 1.0 / 5e9),
            reduce: plateaus(1.0 / 12e9, 1.0 / 5e9),
            copy: plateaus(1.0 / 40e9, 1.0 / 10e9),
            call: vec![(1, 60e-9), (2, 300e-9), (8, 3e-6)],
            cores,
            switch: 1e-6,
            eager_bytes: 8 << 10,
            eager_ranks: 32,
            corrections: Corrections::default(),
        }
    }

    /// What is assumed of a transport that can do `capabilities`, on a machine with so many cores:
    /// shared memory if its ranks read each other's, else messages through the kernel of the
    /// operating system, and between tasks over a network of 10 Gbit/s.
    pub fn of_transport(capabilities: Capabilities, cores: usize) -> Self {
        if capabilities.peer_load {
            return Self::peer_memory(cores);
        }
        let (overhead, per_byte) = (2e-6, 1.0 / 2e9);
        let across = Some(Link { bandwidth: 1.2e9, latency: 30e-6 });
        Self { latency: 10e-6, overhead, per_byte, across, ..Self::peer_memory(cores) }
    }

    /// Checks a model that was read from a file.
    ///
    /// # Errors
    /// A time is negative or not a number, or group sizes do not ascend.
    pub fn check(&self) -> Result<()> {
        let Self { latency, overhead, gap, per_byte, switch, .. } = self;
        let times = [latency, overhead, gap, per_byte, switch].into_iter().copied();
        let times = times.chain(self.call.iter().map(|point| point.1));
        let across = self.across.into_iter().flat_map(|l| [l.latency, 1.0 / l.bandwidth]);
        let times = times.chain(across).chain(self.corrections.all());
        let right = times.into_iter().all(|t| t >= 0.0 && t.is_finite());
        if right && self.call.windows(2).all(|w| w[0].0 < w[1].0) {
            return Ok(());
        }
        let message = "a cost model has a time that is none, or group sizes that do not ascend";
        Err(Error::invalid(message))
    }

    /// The same ranks, with a network of which only the links cost: their latency and bandwidth are
    /// the topology's.
    #[must_use]
    pub fn over_links(self) -> Self {
        Self { latency: 0.0, per_byte: 0.0, across: None, ..self }
    }

    /// What a call of `ranks` ranks costs beside its steps: interpolated, and beyond the table
    /// proportional to the number of ranks.
    pub fn call_seconds(&self, ranks: usize) -> f64 {
        let above = self.call.partition_point(|point| point.0 < ranks);
        let below = above.checked_sub(1).map(|i| self.call[i]);
        match (below, self.call.get(above)) {
            (None, None) => 0.0,
            (None, Some(&(_, seconds))) => seconds,
            (Some((n, seconds)), None) => seconds * ranks as f64 / n.max(1) as f64,
            (Some((n, low)), Some(&(m, high))) => {
                low + (high - low) * (ranks - n) as f64 / (m - n) as f64
            }
        }
    }

    /// The costs of one call whose ranks touch `working_set` bytes in all.
    pub(super) fn at(&self, working_set: u64) -> Costs<'_> {
        Costs {
            model: self,
            across: self.across.map(|link| (1.0 / link.bandwidth, link.latency)),
            receive: self.receive.at(working_set),
            reduce: self.reduce.at(working_set),
            copy: self.copy.at(working_set),
            remote: self.per_byte > 0.0,
        }
    }
}

/// The costs of a call of known size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs<'a> {
    pub(super) model: &'a CostModel,
    /// For each byte, and the latency, between different tasks.
    pub(super) across: Option<(f64, f64)>,
    pub(super) receive: f64,
    pub(super) reduce: f64,
    pub(super) copy: f64,
    /// Whether bytes travel over a network, instead of memory that ranks share.
    pub(super) remote: bool,
}

#[cfg(test)]
mod tests;
