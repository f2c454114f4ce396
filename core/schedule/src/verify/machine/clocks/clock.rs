//! What one agent knows of all others.

use std::rc::Rc;

/// An agent and the number of its step, from 1.
pub(super) type Event = (u32, u32);

/// What an agent knows: how far it has seen each agent get.
#[derive(Clone)]
pub(in crate::verify) struct Clock {
    pub(super) agent: u32,
    pub(super) time: u32,
    /// For each agent, the time up to which its steps are known to be done.
    pub(super) seen: Rc<[u32]>,
    /// The same for its reads alone, where they are known to be further.
    pub(super) read: Option<Rc<[u32]>>,
}

impl Clock {
    pub(in crate::verify) fn event(&self) -> Event {
        (self.agent, self.time)
    }

    /// Whether a step is known to be done.
    pub(in crate::verify) fn knows(&self, (agent, time): Event) -> bool {
        agent == self.agent || self.seen[agent as usize] >= time
    }

    /// Whether the reads of a step are known to be done.
    pub(super) fn knows_read(&self, (agent, time): Event) -> bool {
        let reads = self.read.as_ref().unwrap_or(&self.seen);
        agent == self.agent || reads[agent as usize] >= time
    }

    /// Learns what `other` knew; nothing if it knows that step of `other`, and with it all that
    /// `other` knew then.
    pub(in crate::verify) fn join(&mut self, other: &Clock) {
        if self.knows(other.event()) {
            return;
        }
        if self.read.is_some() || other.read.is_some() {
            self.join_reads(other);
        }
        raise(&mut self.seen, &other.seen, other.event());
    }

    /// Learns what `other` knew to have been read.
    pub(super) fn join_reads(&mut self, other: &Clock) {
        let read = self.read.get_or_insert_with(|| Rc::clone(&self.seen));
        raise(read, other.read.as_ref().unwrap_or(&other.seen), other.event());
    }
}

pub(super) fn raise(times: &mut Rc<[u32]>, others: &[u32], (agent, time): Event) {
    let times = Rc::make_mut(times);
    times.iter_mut().zip(others).for_each(|(own, other)| *own = (*own).max(*other));
    let of_agent = &mut times[agent as usize];
    *of_agent = (*of_agent).max(time);
}
