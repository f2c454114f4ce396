//! Chunks: the pieces of a buffer that steps move.

use std::fmt;
use std::ops::Range;

/// The buffers of a rank that steps may name.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
#[repr(u8)]
pub enum Space {
    /// What the caller passed in; read only.
    Input,
    /// What the caller gets; with [`BufferMode::InPlace`](super::BufferMode::InPlace) it is the
    /// same memory as the input.
    Output,
    /// Memory of the engine, for the duration of a call: as many whole buffers one after the other
    /// as a schedule names, so chunk `i` of a buffer of `c` chunks has the size of chunk `i % c`.
    Scratch,
}

/// Consecutive chunks of one buffer of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct ChunkRange {
    /// The buffer.
    pub space: Space,
    /// The first chunk.
    pub first: u32,
    /// The number of chunks.
    pub count: u32,
}

impl ChunkRange {
    /// No chunks, as signals, waits and barriers name.
    pub(crate) const NONE: Self = Self { space: Space::Output, first: 0, count: 0 };

    /// The chunk numbers.
    pub const fn range(self) -> Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }

    /// The same chunks in another buffer.
    #[must_use]
    pub const fn of(self, space: Space) -> Self {
        Self { space, ..self }
    }

    /// Whether both name a chunk in common.
    pub fn overlaps(self, other: Self) -> bool {
        self.space == other.space
            && self.range().start < other.range().end
            && other.range().start < self.range().end
    }
}

/// `chunk 3`, `chunks 4..6`, `scratch chunk 0`.
impl fmt::Display for ChunkRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.space {
            Space::Input => f.write_str("input ")?,
            Space::Output => {}
            Space::Scratch => f.write_str("scratch ")?,
        }
        match self.count {
            1 => write!(f, "chunk {}", self.first),
            _ => write!(f, "chunks {}..{}", self.range().start, self.range().end),
        }
    }
}

/// How many chunks a buffer has, before segmentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Chunks {
    /// One for each rank.
    PerRank,
    /// The whole buffer is one.
    Whole,
    /// This many.
    Fixed(u32),
    /// The largest power of two that is not above the number of ranks: the core that halving and
    /// doubling work on.
    PowerOfTwo,
}

impl Chunks {
    /// The number of chunks among `ranks` ranks, before segmentation.
    pub const fn count(self, ranks: usize) -> usize {
        match self {
            Chunks::PerRank => ranks,
            Chunks::Whole => 1,
            Chunks::Fixed(count) => count as usize,
            Chunks::PowerOfTwo => match ranks.checked_ilog2() {
                Some(bits) => 1 << bits,
                None => 1,
            },
        }
    }
}

/// The cut of a buffer of `elements` elements into chunks.
///
/// All chunks but the last non-empty one have the same size, a multiple of a cache line as soon as
/// each chunk has at least one line; the tail is short, and chunks after it are empty. Equivalent
/// to the layout of TensorFlow's `RingAlg`, without its surplus unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Partition {
    elements: usize,
    chunk: usize,
    chunks: usize,
}

/// The distance that keeps two writers from sharing a line of cache.
pub const CACHE_LINE: usize = 64;

impl Partition {
    /// Cuts `elements` elements of `unit` bytes each into `chunks` chunks.
    ///
    /// # Panics
    /// `chunks` is 0.
    pub(super) fn new(elements: usize, unit: usize, chunks: usize) -> Self {
        let fair = elements.div_ceil(chunks);
        let line = (CACHE_LINE / unit).max(1);
        let chunk = if fair < line { fair } else { fair.next_multiple_of(line) };
        Self { elements, chunk, chunks }
    }

    /// The elements of a range of chunks.
    pub(super) fn elements(&self, chunks: Range<usize>) -> Range<usize> {
        let border = |i: usize| i.saturating_mul(self.chunk).min(self.elements);
        border(chunks.start)..border(chunks.end)
    }

    /// Whether all chunks have the same number of elements.
    pub(super) const fn even(&self) -> bool {
        self.chunk.saturating_mul(self.chunks) == self.elements
    }
}

#[cfg(test)]
mod tests;
