//! Vector clocks, shared until they change.

use std::sync::Arc;

/// What an agent, a lane or a proxy, knows to have happened: how far it has seen each agent get.
#[derive(Clone)]
pub(super) struct Clock {
    agent: u32,
    time: u32,
    /// For each agent, the time up to which its operations are known to be done.
    seen: Arc<[u32]>,
}

impl Clock {
    pub(super) fn new(agent: u32, none: &Arc<[u32]>) -> Self {
        Self { agent, time: 0, seen: Arc::clone(none) }
    }

    /// Begins the agent's next operation.
    pub(super) fn tick(&mut self) {
        self.time += 1;
    }

    pub(super) fn agent(&self) -> u32 {
        self.agent
    }

    pub(super) fn time(&self) -> u32 {
        self.time
    }

    /// Whether the operation at `time` of `agent` is known to be done.
    pub(super) fn knows(&self, agent: u32, time: u32) -> bool {
        agent == self.agent || self.seen[agent as usize] >= time
    }

    /// Learns what `other` knew; nothing if it knows that operation of `other`, and with it all
    /// that `other` knew then.
    pub(super) fn join(&mut self, other: &Clock) {
        if self.knows(other.agent, other.time) {
            return;
        }
        let seen = Arc::make_mut(&mut self.seen);
        for (own, new) in seen.iter_mut().zip(other.seen.iter()) {
            *own = (*own).max(*new);
        }
        seen[other.agent as usize] = other.time;
    }
}
