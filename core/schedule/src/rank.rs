//! A member of a group, with arithmetic around the ring of its ranks.

use std::fmt;
use std::ops::{Add, Sub};

/// A member of a group: `0..n`, with arithmetic modulo the group size `n`.
///
/// ```
/// use ringwood_schedule::Rank;
///
/// let rank = Rank::new(1, 4);
/// assert_eq!((rank - 3).index(), 2);
/// assert_eq!(rank.prev().prev(), Rank::new(3, 4));
/// assert_eq!(Rank::new(0, 1).prev().index(), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rank {
    index: u32,
    size: u32,
}

impl Rank {
    /// The most ranks of a group.
    pub(crate) const MOST: usize = u32::MAX as usize;

    /// Member `index` of a group of `size`.
    ///
    /// # Panics
    /// `size` is 0 or exceeds `u32::MAX`, or `index` is not below it.
    pub fn new(index: usize, size: usize) -> Self {
        assert!(index < size, "rank {index} is not in a group of {size}");
        let most = Self::MOST;
        assert!(
            size <= most,
            "rank {index} of a group of {size}: a group has at most {most} ranks"
        );
        Self { index: index as u32, size: size as u32 }
    }

    /// The position in the group, from 0.
    pub const fn index(self) -> usize {
        self.index as usize
    }

    /// The size of the group.
    pub const fn group_size(self) -> usize {
        self.size as usize
    }

    /// The successor; of the last rank, rank 0.
    #[must_use]
    pub fn next(self) -> Self {
        self + 1
    }

    /// The predecessor; of rank 0, the last rank.
    #[must_use]
    pub fn prev(self) -> Self {
        self - 1
    }
}

impl Add<usize> for Rank {
    type Output = Rank;

    #[inline]
    fn add(self, step: usize) -> Rank {
        let n = self.size as usize;
        let index = self.index as usize + within(step, n);
        Rank { index: (if index < n { index } else { index - n }) as u32, size: self.size }
    }
}

impl Sub<usize> for Rank {
    type Output = Rank;

    #[inline]
    fn sub(self, step: usize) -> Rank {
        let n = self.size as usize;
        self + (n - within(step, n))
    }
}

/// `step % n`; most steps need no division.
#[inline]
fn within(step: usize, n: usize) -> usize {
    if step < n { step } else { step % n }
}

impl From<Rank> for usize {
    fn from(rank: Rank) -> usize {
        rank.index()
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.index.fmt(f)
    }
}

#[cfg(test)]
mod tests;
