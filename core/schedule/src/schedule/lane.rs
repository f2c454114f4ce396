//! Takes the steps of one rank.

use super::compact::{CompactSteps, Packed};
use super::{Action, Site, Step};
use crate::{BufferMode, ChunkRange, Rank};
use std::ops::Range;

/// The most steps one rank may have; an author's endless loop ends there.
const MAX_STEPS: usize = 1 << 24;

/// Takes the steps of one rank in their order.
///
/// A schedule is a pure function, so a reader of a long one asks for a window of it, or for the
/// small form that the verifier follows.
pub struct Lane {
    sink: Sink,
    pushed: usize,
    digest: u64,
    rank: Rank,
    /// Whether input and output are one memory.
    in_place: bool,
    channel: u16,
    left: bool,
    uneven: Option<usize>,
}

/// What becomes of the steps.
enum Sink {
    Window(Range<usize>, Vec<Step>),
    Compact(CompactSteps),
}

impl Lane {
    /// Sends `chunks` to `peer`. The step does not wait for the receiver.
    #[track_caller]
    pub fn send(&mut self, peer: Rank, chunks: ChunkRange) {
        self.add(Action::Send, peer, chunks, chunks);
    }

    /// Receives `chunks` from `peer`.
    #[track_caller]
    pub fn recv(&mut self, peer: Rank, chunks: ChunkRange) {
        self.add(Action::Recv, peer, chunks, chunks);
    }

    /// Receives from `peer` and merges into `chunks`.
    #[track_caller]
    pub fn recv_reduce(&mut self, peer: Rank, chunks: ChunkRange) {
        self.add(Action::RecvReduce, peer, chunks, chunks);
    }

    /// Copies `source` to `target`, both of this rank.
    #[track_caller]
    pub fn copy(&mut self, source: ChunkRange, target: ChunkRange) {
        self.add(Action::Copy, self.rank, source, target);
    }

    /// Merges `source` into `target`, both of this rank.
    #[track_caller]
    pub fn reduce(&mut self, source: ChunkRange, target: ChunkRange) {
        self.add(Action::Reduce, self.rank, source, target);
    }

    /// Writes `source` of this rank to `target` of `peer`.
    #[track_caller]
    pub fn put(&mut self, peer: Rank, source: ChunkRange, target: ChunkRange) {
        self.add(Action::Put, peer, source, target);
    }

    /// Reads `source` of `peer` into `target` of this rank.
    #[track_caller]
    pub fn get(&mut self, peer: Rank, source: ChunkRange, target: ChunkRange) {
        self.add(Action::Get, peer, source, target);
    }

    /// Merges `source` of `peer` into `target` of this rank.
    #[track_caller]
    pub fn get_reduce(&mut self, peer: Rank, source: ChunkRange, target: ChunkRange) {
        self.add(Action::GetReduce, peer, source, target);
    }

    /// Tells `peer` that all earlier steps are done.
    #[track_caller]
    pub fn signal(&mut self, peer: Rank) {
        self.add(Action::Signal, peer, ChunkRange::NONE, ChunkRange::NONE);
    }

    /// Waits for a signal of `peer`: the k-th wait for the k-th signal.
    #[track_caller]
    pub fn wait(&mut self, peer: Rank) {
        self.add(Action::Wait, peer, ChunkRange::NONE, ChunkRange::NONE);
    }

    /// Waits for every rank of the group.
    #[track_caller]
    pub fn barrier(&mut self) {
        self.add(Action::Barrier, self.rank, ChunkRange::NONE, ChunkRange::NONE);
    }

    /// The channel of the messages and signals that follow; 0 at the beginning.
    ///
    /// Messages of different channels between the same ranks do not wait for each other.
    pub fn set_channel(&mut self, channel: u16) {
        self.channel = channel;
    }

    /// Makes what comes in the left operand of the merges that follow, or the right one as at the
    /// beginning. It matters where an operator does not commute.
    pub fn set_left(&mut self, left: bool) {
        self.left = left;
    }

    #[track_caller]
    fn add(&mut self, action: Action, peer: Rank, source: ChunkRange, chunks: ChunkRange) {
        let (peer, site) = (peer.index() as u32, Site::here());
        let step = Step { action, left: false, channel: 0, peer, chunks, source, site };
        let left = self.left && step.merges();
        let channel = if step.has_peer() && !step.one_sided() { self.channel } else { 0 };
        self.push(Step { left, channel, ..step });
    }

    /// Appends a step, for instance one that was read from a file.
    ///
    /// In place, where input and output are one memory, a step that reads the input becomes one that reads
    /// the output: whoever follows the lane sees one name for it.
    ///
    /// # Panics
    /// The lane has 2^24 steps already.
    #[inline]
    pub fn push(&mut self, step: Step) {
        assert!(self.pushed < MAX_STEPS, "more than {MAX_STEPS} steps; an endless loop?");
        if step.source.count != step.chunks.count && self.uneven.is_none() {
            self.uneven = Some(self.pushed);
        }
        let step = if self.in_place { step.in_place() } else { step };
        let packed = Packed::new(&step);
        self.digest = Packed::chain(self.digest, packed);
        match &mut self.sink {
            Sink::Compact(compact) => compact.push(packed),
            Sink::Window(window, steps) if window.contains(&self.pushed) => steps.push(step),
            Sink::Window(..) => {}
        }
        self.pushed += 1;
    }

    fn new(rank: Rank, sink: Sink) -> Self {
        let (in_place, left, uneven) = (false, false, None);
        Self { sink, pushed: 0, digest: 0, rank, in_place, channel: 0, left, uneven }
    }

    /// The same, for a group whose input and output are these.
    pub(super) fn of_mode(self, mode: BufferMode) -> Self {
        Self { in_place: mode == BufferMode::InPlace, ..self }
    }

    /// A lane that keeps the steps within `window`.
    pub(super) fn window(rank: Rank, window: Range<usize>) -> Self {
        Self::new(rank, Sink::Window(window, Vec::new()))
    }

    /// A lane that keeps its steps as compact steps.
    pub(crate) fn compact(rank: Rank) -> Self {
        Self::new(rank, Sink::Compact(CompactSteps::default()))
    }

    pub(super) fn generated(self) -> Generated {
        let (steps, compact) = match self.sink {
            Sink::Window(_, steps) => (steps, CompactSteps::default()),
            Sink::Compact(compact) => (Vec::new(), compact.finish()),
        };
        let (total, digest, uneven) = (self.pushed, self.digest, self.uneven);
        Generated { steps, compact, total, digest, uneven }
    }
}

/// What one generation of a lane gave.
pub struct Generated {
    /// The steps in the window asked for.
    pub steps: Vec<Step>,
    /// All steps, if compact steps were asked for.
    pub(crate) compact: CompactSteps,
    /// The number of all steps.
    pub total: usize,
    /// A digest of all steps: equal schedules have equal ones.
    pub digest: u64,
    /// The first step that reads more or fewer chunks than it writes.
    pub uneven: Option<usize>,
}
