//! Messages that have arrived and are not received yet.

use crate::verify::Mix;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasherDefault;

/// Who sends to whom, and on which channel.
pub(super) type Key = u64;

/// Arrival times by key, first in, first out: the first one of each key, and those after it, so that one
/// message at a time, as most keys have, allocates nothing.
#[derive(Default)]
pub(super) struct Queues(HashMap<Key, (f64, VecDeque<f64>), BuildHasherDefault<Mix>>);

impl Queues {
    pub(super) fn push(&mut self, key: Key, arrival: f64) {
        match self.0.entry(key) {
            Entry::Vacant(entry) => _ = entry.insert((arrival, VecDeque::new())),
            Entry::Occupied(mut entry) => entry.get_mut().1.push_back(arrival),
        }
    }

    pub(super) fn pop(&mut self, key: Key) -> Option<f64> {
        let Entry::Occupied(mut entry) = self.0.entry(key) else { return None };
        let (first, others) = entry.get_mut();
        match others.pop_front() {
            Some(next) => Some(std::mem::replace(first, next)),
            None => Some(entry.remove().0),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests;
