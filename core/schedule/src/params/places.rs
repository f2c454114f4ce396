//! In which task and on which places of rings the ranks are.

use super::Params;
use crate::Rank;
use std::ops::Range;

impl Params {
    /// The number of tasks; at least 1.
    pub fn tasks(&self) -> usize {
        self.arrangement.ends.len().max(1)
    }

    /// The ranks of task `index`.
    ///
    /// # Panics
    /// There are not as many tasks.
    pub fn task(&self, index: usize) -> Range<usize> {
        let ends = &self.arrangement.ends;
        if ends.is_empty() && index == 0 {
            return 0..self.ranks();
        }
        let start = index.checked_sub(1).map_or(0, |previous| ends[previous] as usize);
        start..ends[index] as usize
    }

    /// The task of `rank`.
    pub fn task_of(&self, rank: Rank) -> usize {
        self.arrangement.task_of(rank.index())
    }

    /// The number of rings; at least 1.
    pub fn rings(&self) -> usize {
        self.arrangement.rings.len().max(1)
    }

    /// The place of `rank` on ring `ring` modulo their number.
    pub fn place(&self, ring: usize, rank: Rank) -> Rank {
        let rings = &self.arrangement.rings;
        let index = rank.index() as u32;
        let place = |ring: &Vec<u32>| ring.iter().position(|&r| r == index);
        let ring = rings.get(ring % self.rings());
        ring.and_then(place).map_or(rank, |place| self.rank(place))
    }

    /// The rank at `place` of ring `ring` modulo their number.
    pub fn at_place(&self, ring: usize, place: Rank) -> Rank {
        let ring = self.arrangement.rings.get(ring % self.rings());
        ring.map_or(place, |ring| self.rank(ring[place.index()] as usize))
    }
}

#[cfg(test)]
mod tests;
