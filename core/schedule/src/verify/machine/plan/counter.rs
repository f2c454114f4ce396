//! Counting semaphores, and what an acquire can be sure of.

use super::super::{At, Clock, Clocks};
use crate::plan::Rounds;
use std::collections::BTreeMap;

/// A semaphore, or a signal between two ranks, in an abstract run.
pub(super) struct Counter {
    initial: u32,
    count: u32,
    /// The releases of each agent.
    released: BTreeMap<u32, Vec<Token>>,
    /// The acquires of each lane so far: how many, and the last one with what the lane knew then.
    acquired: BTreeMap<u32, (usize, Clock, At)>,
}

struct Token {
    at: At,
    rounds: Rounds,
    /// What its giver knew, if it orders memory.
    clock: Option<Clock>,
}

impl Counter {
    pub(super) fn new(initial: u32) -> Self {
        Self { initial, count: initial, released: BTreeMap::new(), acquired: BTreeMap::new() }
    }

    pub(super) fn is_free(&self) -> bool {
        self.count > 0
    }

    /// Takes one, and lets the lane know what is sure to have happened; the release of a loop of
    /// another length that it takes is an error.
    ///
    /// An acquire takes some release, not a certain one. The m-th acquire of a lane is sure of a
    /// release only if fewer than m tokens exist without it. The run puts acquires off until nothing
    /// else can go on, so that all releases which may come before have come.
    pub(super) fn acquire(
        &mut self,
        clocks: &mut Clocks,
        at: At,
        rounds: Rounds,
        orders: bool,
    ) -> Result<(), At> {
        self.count -= 1;
        let lane = at.lane as u32;
        let needed = self.acquired.get(&lane).map_or(0, |own| own.0) + 1;
        let all: usize = self.released.values().map(Vec::len).sum();
        for of_agent in self.released.values() {
            let others = self.initial as usize + all - of_agent.len();
            let Some(sure) = needed.saturating_sub(others).checked_sub(1) else { continue };
            let token = &of_agent[sure.min(of_agent.len() - 1)];
            if token.rounds != rounds {
                return Err(token.at);
            }
            if let Some(clock) = token.clock.as_ref().filter(|_| orders) {
                clocks.join(at.lane, clock);
            }
        }
        self.acquired.insert(lane, (needed, clocks.of(at.lane).clone(), at));
        Ok(())
    }

    /// Adds one. The acquire for which this release may have come too early is an error: what that
    /// acquire was sure of counts only the releases before it.
    pub(super) fn release(
        &mut self,
        clock: &Clock,
        at: At,
        rounds: Rounds,
        orders: bool,
    ) -> Result<(), At> {
        let agent = clock.event().0;
        let lone = self.released.keys().all(|&other| other == agent);
        let unordered = self.acquired.values().find(|(_, other, _)| !clock.knows(other.event()));
        if let Some((_, _, at)) = unordered.filter(|_| !lone) {
            return Err(*at);
        }
        self.count = self.count.saturating_add(1);
        let token = Token { at, rounds, clock: orders.then(|| clock.clone()) };
        self.released.entry(agent).or_default().push(token);
        Ok(())
    }

    /// A release that nobody took.
    pub(super) fn left(&self) -> Option<At> {
        let taken: usize = self.acquired.values().map(|own| own.0).sum();
        let mut releases = self.released.values().flatten().map(|token| token.at);
        releases.nth(taken).filter(|_| self.count > 0)
    }
}
