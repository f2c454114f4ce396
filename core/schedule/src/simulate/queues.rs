//! Messages that have arrived and are not received yet.

use crate::verify::Mix;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;

/// Who sends to whom, and on which channel.
pub(super) type Key = u64;

/// Arrival times by key, first in, first out. Queues share one store, so that a million of them
/// allocate nothing each.
#[derive(Default)]
pub(super) struct Queues {
    ends: HashMap<Key, (u32, u32), BuildHasherDefault<Mix>>,
    arrivals: Vec<(f64, u32)>,
    free: Vec<u32>,
}

const END: u32 = u32::MAX;

impl Queues {
    pub(super) fn push(&mut self, key: Key, arrival: f64) {
        let place = match self.free.pop() {
            Some(place) => {
                self.arrivals[place as usize] = (arrival, END);
                place
            }
            None => {
                self.arrivals.push((arrival, END));
                self.arrivals.len() as u32 - 1
            }
        };
        match self.ends.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert((place, place));
            }
            Entry::Occupied(mut entry) => {
                let last = std::mem::replace(&mut entry.get_mut().1, place);
                self.arrivals[last as usize].1 = place;
            }
        }
    }

    pub(super) fn pop(&mut self, key: Key) -> Option<f64> {
        let Entry::Occupied(mut entry) = self.ends.entry(key) else { return None };
        let (first, last) = *entry.get();
        let (arrival, next) = self.arrivals[first as usize];
        self.free.push(first);
        if first == last {
            entry.remove();
        } else {
            entry.get_mut().0 = next;
        }
        Some(arrival)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

#[cfg(test)]
mod tests;
