//! What a simulation shows.

use super::lanes::Lanes;
use super::{Simulation, bound};
use crate::{Level, Network};
use std::fmt;

/// What a simulation shows.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Simulated {
    /// The algorithm's name.
    pub collective: String,
    /// The size of the group.
    pub ranks: usize,
    /// The bytes of the largest buffer of a rank.
    pub bytes: u64,
    /// The time from the first step to the last.
    pub seconds: f64,
    /// The least time of any algorithm for the operation, with this machine's latency, ports and
    /// merges.
    pub lower_bound: f64,
    /// The bytes of a buffer by the time: the algorithm bandwidth of nccl-tests.
    pub bandwidth: f64,
    /// The messages of all ranks.
    pub messages: u64,
    /// Their bytes.
    pub moved: u64,
    /// How the time was found.
    pub method: Method,
    /// What crosses each level of the network; nothing without a network.
    pub levels: Vec<LevelUse>,
    /// The link that is busy for the longest time.
    pub busiest: Option<LinkUse>,
}

/// How a simulation found its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Every step of every rank was simulated.
    Steps,
    /// All ranks do the same in turn, so one of them was simulated.
    Rotation,
    /// The first repeats of the schedule's patterns were simulated, and the rest goes on at their
    /// pace.
    Extrapolation,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Method::Steps => "every step of every rank simulated",
            Method::Rotation => "all ranks do the same in turn: one simulated",
            Method::Extrapolation => "first repeats simulated, the rest at their pace",
        })
    }
}

/// What crosses the links of one kind.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct LevelUse {
    /// What the links connect.
    pub level: &'static str,
    /// Their number.
    pub links: usize,
    /// The bytes that cross them, all together.
    pub bytes: u64,
}

/// What crosses one link.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct LinkUse {
    /// The kind of the link.
    pub level: &'static str,
    /// Its number in its level.
    pub link: usize,
    /// The bytes that cross it.
    pub bytes: u64,
    /// The share of the time for which it is busy.
    pub busy: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) seconds: f64,
    pub(super) messages: u64,
    pub(super) moved: u64,
    /// The bytes that crossed each link.
    pub(super) traffic: Vec<u64>,
}

impl Run {
    /// Of `lanes` lanes like those counted, with the chunks of `of` instead of chunks that are all as long as the first.
    pub(super) fn scaled(mut self, lanes: f64, of: &Lanes<'_>) -> Self {
        let fill = of.fill();
        self.messages = scale(self.messages, lanes * of.filled());
        self.moved = scale(self.moved, lanes * fill);
        self.traffic.iter_mut().for_each(|bytes| *bytes = scale(*bytes, lanes * fill));
        self
    }

    /// Adds `share` of what `longer` has more than `base`.
    pub(super) fn add_difference(&mut self, base: &Run, longer: &Run, share: f64) {
        self.seconds += share * (longer.seconds - base.seconds);
        self.messages += scale(longer.messages - base.messages, share);
        self.moved += scale(longer.moved - base.moved, share);
        let traffic = base.traffic.iter().zip(&longer.traffic);
        for (sum, (base, longer)) in self.traffic.iter_mut().zip(traffic) {
            *sum += scale(longer.saturating_sub(*base), share);
        }
    }

    pub(super) fn report(
        self,
        lanes: &Lanes<'_>,
        on: &Simulation<'_>,
        method: Method,
    ) -> Simulated {
        let (seconds, bytes) = (self.seconds, lanes.bytes);
        let network = on.network;
        Simulated {
            collective: lanes.name().into_owned(),
            ranks: lanes.ranks(),
            bytes,
            seconds,
            lower_bound: bound::seconds(lanes, on.model, network),
            bandwidth: if seconds > 0.0 { bytes as f64 / seconds } else { 0.0 },
            messages: self.messages,
            moved: self.moved,
            method,
            levels: network.map_or(Vec::new(), |n| levels(n, &self.traffic)),
            busiest: network.and_then(|n| busiest(n, &self.traffic, seconds)),
        }
    }
}

fn scale(count: u64, factor: f64) -> u64 {
    if factor == 1.0 { count } else { (count as f64 * factor).round() as u64 }
}

fn levels(network: &Network, bytes: &[u64]) -> Vec<LevelUse> {
    let level = |level: &Level| LevelUse {
        level: level.name,
        links: level.links.len(),
        bytes: bytes[level.links.clone()].iter().sum(),
    };
    network.levels().iter().map(level).collect()
}

fn busiest(network: &Network, bytes: &[u64], seconds: f64) -> Option<LinkUse> {
    let busy = |link: usize| bytes[link] as f64 / network.level(link).link.bandwidth;
    let in_level = |level: &Level| {
        let link =
            level.links.clone().max_by_key(|&link| (bytes[link], std::cmp::Reverse(link)))?;
        Some((link, level.name, link - level.links.start))
    };
    // Of equal ones the first.
    let most = network.levels().iter().rev().filter_map(in_level);
    let (link, level, number) = most.max_by(|a, b| busy(a.0).total_cmp(&busy(b.0)))?;
    let busy = if seconds > 0.0 { busy(link) / seconds } else { 0.0 };
    Some(LinkUse { level, link: number, bytes: bytes[link], busy })
}
