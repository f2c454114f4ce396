//! What a rank runs.

use crate::chunk::CACHE_LINE;

/// What a rank runs: data operations and the waits that make them safe.
///
/// The progress of a rank is the number of its steps that are done; it only grows. `Await` and
/// `Publish` are an acquire and a release of it.
///
/// Pass `k` runs the body on bytes `k * tile..(k + 1) * tile` of each operation, and its progress
/// counts on from `k * STEPS`; after the last pass the rest of the operations follow. The passes
/// touch different bytes, so what is proved for one holds for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The operations, in order.
    pub ops: Vec<Op>,
    /// How many of them are the body; the rest only waits.
    pub body: usize,
    /// The number of passes; at least 1.
    pub passes: u64,
    /// The bytes of each operation that one pass does.
    pub tile: usize,
    /// The bytes of engine memory that the rank owns, which peers may read.
    pub arena: usize,
    /// The other ranks whose memory the operations name, ascending.
    pub peers: Vec<u32>,
    /// The bytes taken from peers.
    pub moved: u64,
}

impl Program {
    /// The progress of a pass: no lane has more steps.
    pub const STEPS: u64 = 1 << 25;
    /// The most passes.
    pub const PASSES: usize = 1 << 15;

    /// An empty program in as many passes as chunks of up to `bytes` bytes need. Tiles are whole
    /// lines of cache.
    pub fn tiled(bytes: usize, tile: usize) -> Self {
        let (tile, passes) = if bytes <= tile {
            (usize::MAX, 1)
        } else {
            let tile = tile.max(bytes / (Self::PASSES - 1)).next_multiple_of(CACHE_LINE);
            (tile, bytes.div_ceil(tile) as u64)
        };
        Self { ops: Vec::new(), body: 0, passes, tile, arena: 0, peers: Vec::new(), moved: 0 }
    }

    /// The part of an operation on `bytes` bytes that pass `pass` does: where it starts, and its
    /// bytes.
    #[inline]
    pub fn part(&self, bytes: usize, pass: u64) -> (usize, usize) {
        let start = self.tile.saturating_mul(pass as usize).min(bytes);
        (start, self.tile.min(bytes - start))
    }
}

/// One operation of a [`Program`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each operation says what its fields are")]
pub enum Op {
    /// Waits until `rank` has done `progress` steps.
    Await { rank: u32, progress: u32 },
    /// Tells everyone that this rank has done `progress` steps.
    Publish { progress: u32 },
    /// Copies bytes.
    Copy { source: Address, target: Address, bytes: usize },
    /// Merges the elements at `source` into those at `target`, as the left operands if `left`, else
    /// as the right ones.
    Merge { source: Address, target: Address, bytes: usize, left: bool },
    /// Reads elements in one form and puts them to `target` in the other, or, if `merges`, adds
    /// them to the sums there: the bytes say which form is which. See [`Codec`](crate::Codec).
    Convert { source: Address, target: Address, bytes: [usize; 2], merges: bool },
    /// Turns the complete merge at `target` into the result.
    Finish { target: Address, bytes: usize },
}

/// Bytes of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// The rank whose memory it is.
    pub rank: u32,
    /// Which memory.
    pub memory: Memory,
    /// The distance from its start in bytes.
    pub offset: usize,
}

impl Address {
    /// The address that many bytes further on.
    #[inline]
    #[must_use]
    pub const fn plus(self, bytes: usize) -> Self {
        Self { offset: self.offset + bytes, ..self }
    }
}

/// The memories that a rank shows its peers during a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Memory {
    /// What the caller contributes; read only. In place the input is in the output.
    Input,
    /// What the caller gets.
    Output,
    /// Memory of the engine: a working copy, scratch chunks, copies of sent chunks.
    Arena,
}
