//! Where the chunks of every rank lie in the memory that it shows its peers.

use super::program::{Address, Memory};
use crate::chunk::Partition;
use crate::{BufferMode, ChunkRange, Layout, Params, Request, Space};
use ringwood_base::{DType, Result};

/// Where the chunks of every rank lie in the memory that it shows its peers.
///
/// A schedule in place and a call with a separate output, or the other way round, meet in working
/// copies: the input is copied before the first step, and what does not end in the caller's output
/// is copied there after the last one.
#[derive(Clone, Debug)]
pub struct Places {
    /// The buffers of the schedule.
    pub schedule: Layout,
    /// The buffers of the caller.
    pub call: Layout,
    /// The bytes of scratch chunks.
    scratch: usize,
    /// The bytes of the largest chunk.
    pub(super) largest_chunk: usize,
}

/// Bytes that a rank copies within its own memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    pub source: Address,
    /// The chunks copied, as the schedule names them.
    pub chunks: ChunkRange,
    pub target: Address,
}

impl Places {
    /// The places of `request`, made with buffers in a mode, for a schedule with `params` that names
    /// scratch chunks up to `scratch_extent`.
    ///
    /// # Errors
    /// See [`Layout::new`].
    pub fn new(params: &Params, request: &Request, scratch_extent: usize) -> Result<Self> {
        let schedule = Layout::new(params, request)?;
        let mode = request.mode.unwrap_or(params.mode());
        let call = Layout::new(&params.clone().in_mode(mode), request)?;
        let pieces = if params.operation().blocked() { params.segments() } else { params.chunks() };
        let cut = Partition::new(request.units(), request.unit(), pieces);
        let scratch = schedule.scratch(scratch_extent) * schedule.form(Space::Scratch);
        let largest_chunk = cut.elements(0..1).len() * request.unit();
        Ok(Self { schedule, call, scratch, largest_chunk })
    }

    /// Places of one byte for each chunk: all that the order of accesses depends on.
    ///
    /// # Errors
    /// There are more chunks than memory can hold.
    pub fn abstracted(params: &Params, scratch_extent: usize) -> Result<Self> {
        let blocked = params.operation().blocked();
        let elements = if blocked { params.segments() } else { params.chunks() };
        let request = Request::new(params.operation(), params.ranks(), elements, DType::U8);
        Self::new(params, &request.mode(params.mode()), scratch_extent)
    }

    /// How the schedule relates input and output.
    pub(super) fn mode(&self) -> BufferMode {
        self.schedule.params().mode()
    }

    /// Whether the schedule and the caller relate input and output in different ways, so that each
    /// rank begins with a copy.
    pub fn copies(&self) -> bool {
        self.mode() != self.call.params().mode()
    }

    /// Whether the output chunks of `rank` are not the caller's.
    fn works_aside(&self, rank: usize) -> bool {
        let all = 0..self.schedule.params().chunks();
        self.copies()
            && self.mode() == BufferMode::InPlace
            && self.call.params().held(rank, Space::Output) != all
    }

    /// The bytes of the working copy of `rank`.
    fn working(&self, rank: usize) -> usize {
        let elements = match self.mode() {
            BufferMode::OutOfPlace if self.copies() => self.schedule.length(rank, Space::Input),
            BufferMode::InPlace if self.works_aside(rank) => {
                self.schedule.length(rank, Space::Output)
            }
            _ => 0,
        };
        aligned(elements * self.schedule.unit())
    }

    /// The bytes of the arena of `rank`, before the copies of sent chunks.
    pub fn arena(&self, rank: usize) -> usize {
        aligned(self.working(rank) + self.scratch)
    }

    /// The bytes of `chunks` of `rank`.
    pub fn bytes(&self, rank: usize, chunks: ChunkRange) -> usize {
        self.schedule.bytes(rank, chunks).len()
    }

    /// Where `chunks` of `rank` lie.
    pub fn place(&self, rank: usize, chunks: ChunkRange) -> Address {
        let own = || self.schedule.bytes(rank, chunks).start;
        let callers = || self.call.bytes(rank, chunks.of(Space::Output)).start;
        let in_place = self.mode() == BufferMode::InPlace;
        let (memory, offset) = match chunks.space {
            Space::Scratch => (Memory::Arena, self.working(rank) + own()),
            Space::Input if !in_place && self.copies() => (Memory::Arena, own()),
            Space::Input if !in_place => (Memory::Input, own()),
            _ if self.works_aside(rank) => (Memory::Arena, own()),
            _ => (Memory::Output, callers()),
        };
        Address { rank: rank as u32, memory, offset }
    }

    /// What `rank` copies before its first step.
    pub fn copy_in(&self, rank: usize) -> Option<Move> {
        let defined = self.schedule.params().defined(rank);
        if !self.copies() || defined.is_empty() {
            return None;
        }
        let chunks = |space| range(space, &defined);
        let in_place = self.mode() == BufferMode::InPlace;
        let memory = if in_place { Memory::Input } else { Memory::Output };
        let offset = self.call.bytes(rank, chunks(Space::Input)).start;
        let source = Address { rank: rank as u32, memory, offset };
        let target = self.place(rank, chunks(Space::Input));
        Some(Move { source, chunks: chunks(Space::Input), target })
    }

    /// What `rank` copies after its last step.
    pub fn copy_out(&self, rank: usize) -> Option<Move> {
        let held = self.call.params().held(rank, Space::Output);
        if !self.works_aside(rank) || held.is_empty() {
            return None;
        }
        let chunks = range(Space::Output, &held);
        let target = Address { rank: rank as u32, memory: Memory::Output, offset: 0 };
        Some(Move { source: self.place(rank, chunks), chunks, target })
    }
}

/// Chunks of a buffer as the caller numbers them.
pub(super) fn range(space: Space, chunks: &std::ops::Range<usize>) -> ChunkRange {
    ChunkRange { space, first: chunks.start as u32, count: chunks.len() as u32 }
}

/// Memory is given out in lines of cache.
pub(super) fn aligned(bytes: usize) -> usize {
    bytes.next_multiple_of(crate::chunk::CACHE_LINE)
}
