//! What a rank runs.

/// What a rank runs: data operations and the waits that make them safe.
///
/// The progress of a rank is the number of its steps that are done; it only grows. `Await` and
/// `Publish` are an acquire and a release of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The operations, in order.
    pub ops: Vec<Op>,
    /// The bytes of engine memory that the rank owns, which peers may read.
    pub arena: usize,
    /// The other ranks whose memory the operations read, ascending.
    pub peers: Vec<u32>,
    /// The bytes taken from peers.
    pub moved: u64,
}

/// One operation of a [`Program`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each operation says what its fields are")]
pub enum Op {
    /// Waits until `rank` has done `progress` steps.
    Await { rank: u32, progress: u32 },
    /// Tells everyone that this rank has done `progress` steps.
    Publish { progress: u32 },
    /// Copies bytes to the own memory at `target`.
    Copy { source: Address, target: Address, bytes: usize },
    /// Merges the elements at `source` into those of the own memory at `target`.
    Merge { source: Address, target: Address, bytes: usize },
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

/// The two memories that a rank shows its peers during a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// The caller's buffer.
    Buffer,
    /// Memory of the engine: a copy of the input, scratch chunks, copies of sent chunks.
    Arena,
}
