//! Counting semaphores, and what an acquire can be sure of.

use super::clock::Clock;
use std::collections::BTreeMap;

/// A semaphore in an abstract run.
pub(super) struct Semaphore {
    initial: u32,
    count: u32,
    /// What each lane knew at each of its releases.
    released: BTreeMap<u32, Vec<Clock>>,
    /// The acquires of each lane so far: how many, and the last one with what the lane knew then.
    acquired: BTreeMap<u32, (usize, Clock, (u32, u32))>,
}

impl Semaphore {
    pub(super) fn new(initial: u32) -> Self {
        Self { initial, count: initial, released: BTreeMap::new(), acquired: BTreeMap::new() }
    }

    pub(super) fn is_free(&self) -> bool {
        self.count > 0
    }

    /// Takes one, and lets `clock` know what is sure to have happened.
    ///
    /// An acquire takes some release, not a certain one. The m-th acquire of a lane is sure of a
    /// release only if fewer than m tokens exist without it. The run puts acquires off until nothing
    /// else can go on, so that all releases which may come before have come.
    pub(super) fn acquire(&mut self, clock: &mut Clock, at: (u32, u32)) {
        self.count -= 1;
        let needed = self.acquired.get(&clock.agent()).map_or(0, |own| own.0) + 1;
        let all: usize = self.released.values().map(Vec::len).sum();
        for of_lane in self.released.values() {
            let others = self.initial as usize + all - of_lane.len();
            if let Some(sure) = needed.saturating_sub(others).checked_sub(1) {
                clock.join(&of_lane[sure.min(of_lane.len() - 1)]);
            }
        }
        self.acquired.insert(clock.agent(), (needed, clock.clone(), at));
    }

    /// Adds one. The acquire for which this release may have come too early is an error: what that
    /// acquire was sure of counts only the releases before it.
    pub(super) fn release(&mut self, clock: &Clock) -> Result<(), (u32, u32)> {
        let lone = self.released.keys().all(|&lane| lane == clock.agent());
        let unordered =
            self.acquired.values().find(|(_, other, _)| !clock.knows(other.agent(), other.time()));
        if let Some((_, _, at)) = unordered.filter(|_| !lone) {
            return Err(*at);
        }
        self.count = self.count.saturating_add(1);
        self.released.entry(clock.agent()).or_default().push(clock.clone());
        Ok(())
    }
}
