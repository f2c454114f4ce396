//! Where the chunks of every rank lie in the memory that it shows its peers.

use super::program::{Address, Memory};
use crate::{BufferMode, ChunkRange, Layout, Params, Partition, Request, Space};
use ringwood_base::{DType, Result};

/// Where the chunks of every rank lie in the memory that it shows its peers.
///
/// A schedule in place and a call with a separate output, or the other way round, meet in working
/// copies: the input is copied before the first step, and what does not end in the caller's output
/// is copied there after the last one.
#[derive(Clone, Debug)]
pub struct Places {
    params: Params,
    /// The buffers of the schedule.
    schedule: Layout,
    /// The parameters and the buffers of the caller.
    call: (Params, Layout),
    /// The bytes of scratch chunks.
    scratch: usize,
    /// The bytes of the largest chunk.
    chunk: usize,
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
        let caller = params.clone().in_mode(request.mode.unwrap_or(params.mode()));
        let call = Layout::new(&caller, request)?;
        let pieces = if params.operation().blocked() { params.segments() } else { params.chunks() };
        let size = request.unit();
        let cut = Partition::of_units(request.units(), size, pieces);
        let scratch = schedule.scratch(scratch_extent) * schedule.form(Space::Scratch);
        let chunk = cut.elements(0..1).len() * size;
        Ok(Self { params: params.clone(), schedule, call: (caller, call), scratch, chunk })
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

    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The buffers of the schedule.
    pub fn schedule(&self) -> &Layout {
        &self.schedule
    }

    /// The parameters and the buffers of the caller.
    pub fn call(&self) -> (&Params, &Layout) {
        (&self.call.0, &self.call.1)
    }

    /// The bytes of the largest chunk.
    pub fn largest_chunk(&self) -> usize {
        self.chunk
    }

    /// Whether the schedule and the caller relate input and output in different ways, so that each
    /// rank begins with a copy.
    pub fn copies(&self) -> bool {
        self.params.mode() != self.call.0.mode()
    }

    /// Whether the output chunks of `rank` are not the caller's.
    fn works_aside(&self, rank: usize) -> bool {
        let all = 0..self.params.chunks();
        self.copies()
            && self.params.mode() == BufferMode::InPlace
            && self.call.0.held(rank, Space::Output) != all
    }

    /// The bytes of the working copy of `rank`.
    fn working(&self, rank: usize) -> usize {
        let elements = match self.params.mode() {
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
        let callers = || self.call.1.bytes(rank, chunks.of(Space::Output)).start;
        let in_place = self.params.mode() == BufferMode::InPlace;
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
        let defined = self.params.defined(rank);
        if !self.copies() || defined.is_empty() {
            return None;
        }
        let chunks = |space| range(space, &defined);
        let in_place = self.params.mode() == BufferMode::InPlace;
        let memory = if in_place { Memory::Input } else { Memory::Output };
        let offset = self.call.1.bytes(rank, chunks(Space::Input)).start;
        let source = Address { rank: rank as u32, memory, offset };
        let target = self.place(rank, chunks(Space::Input));
        Some(Move { source, chunks: chunks(Space::Input), target })
    }

    /// What `rank` copies after its last step.
    pub fn copy_out(&self, rank: usize) -> Option<Move> {
        let held = self.call.0.held(rank, Space::Output);
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
