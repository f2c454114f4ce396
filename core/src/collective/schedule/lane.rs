//! Takes the steps of one rank.

use super::{Action, Site, Step};
use crate::collective::{ChunkRange, Rank, Space};
use std::ops::Range;

/// The most steps one rank may have; an author's endless loop ends there.
const MAX_STEPS: usize = 1 << 24;

/// Takes the steps of one rank in their order.
///
/// A lane keeps only a window of the steps pushed to it: a schedule is a pure function, so a reader
/// of a long one asks for it window by window instead of holding it.
pub struct Lane {
    steps: Vec<Step>,
    window: Range<usize>,
    pushed: usize,
    digest: u64,
    rank: u32,
    channel: u16,
    left: bool,
}

/// No chunks, as signals, waits and barriers name.
const NONE: ChunkRange = ChunkRange { space: Space::Output, first: 0, count: 0 };

impl Lane {
    /// Sends `chunks` to `peer`. The step does not wait for the receiver.
    #[track_caller]
    pub fn send(&mut self, peer: Rank, chunks: ChunkRange) {
        self.exchange(Action::Send, peer, chunks);
    }

    /// Receives `chunks` from `peer`.
    #[track_caller]
    pub fn recv(&mut self, peer: Rank, chunks: ChunkRange) {
        self.exchange(Action::Recv, peer, chunks);
    }

    /// Receives from `peer` and merges into `chunks`.
    #[track_caller]
    pub fn recv_reduce(&mut self, peer: Rank, chunks: ChunkRange) {
        self.exchange(Action::RecvReduce, peer, chunks);
    }

    /// Copies `source` to `target`, both of this rank.
    #[track_caller]
    pub fn copy(&mut self, source: ChunkRange, target: ChunkRange) {
        self.local(Action::Copy, source, target);
    }

    /// Merges `source` into `target`, both of this rank.
    #[track_caller]
    pub fn reduce(&mut self, source: ChunkRange, target: ChunkRange) {
        self.local(Action::Reduce, source, target);
    }

    /// Writes `source` of this rank to `target` of `peer`.
    #[track_caller]
    pub fn put(&mut self, peer: Rank, source: ChunkRange, target: ChunkRange) {
        self.access(Action::Put, peer, source, target);
    }

    /// Reads `source` of `peer` into `target` of this rank.
    #[track_caller]
    pub fn get(&mut self, peer: Rank, source: ChunkRange, target: ChunkRange) {
        self.access(Action::Get, peer, source, target);
    }

    /// Merges `source` of `peer` into `target` of this rank.
    #[track_caller]
    pub fn get_reduce(&mut self, peer: Rank, source: ChunkRange, target: ChunkRange) {
        self.access(Action::GetReduce, peer, source, target);
    }

    /// Tells `peer` that all earlier steps are done.
    #[track_caller]
    pub fn signal(&mut self, peer: Rank) {
        self.exchange(Action::Signal, peer, NONE);
    }

    /// Waits for a signal of `peer`: the k-th wait for the k-th signal.
    #[track_caller]
    pub fn wait(&mut self, peer: Rank) {
        self.exchange(Action::Wait, peer, NONE);
    }

    /// Waits for every rank of the group.
    #[track_caller]
    pub fn barrier(&mut self) {
        self.local(Action::Barrier, NONE, NONE);
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
    fn exchange(&mut self, action: Action, peer: Rank, chunks: ChunkRange) {
        self.access(action, peer, chunks, chunks);
    }

    #[track_caller]
    fn access(&mut self, action: Action, peer: Rank, source: ChunkRange, chunks: ChunkRange) {
        self.add(action, peer.index() as u32, source, chunks);
    }

    #[track_caller]
    fn local(&mut self, action: Action, source: ChunkRange, chunks: ChunkRange) {
        self.add(action, self.rank, source, chunks);
    }

    #[track_caller]
    fn add(&mut self, action: Action, peer: u32, source: ChunkRange, chunks: ChunkRange) {
        let site = Site::here();
        let step = Step { action, left: false, channel: 0, peer, chunks, source, site };
        let left = self.left && step.merges();
        let channel = if step.has_peer() && !step.one_sided() { self.channel } else { 0 };
        self.push(Step { left, channel, ..step });
    }

    /// Appends a step, for instance one that was read from a file.
    ///
    /// # Panics
    /// The lane has 2^24 steps already.
    pub fn push(&mut self, step: Step) {
        assert!(self.pushed < MAX_STEPS, "more than {MAX_STEPS} steps; an endless loop?");
        if self.window.contains(&self.pushed) {
            self.steps.push(step);
        }
        let place =
            |c: ChunkRange| u64::from(c.first) << 32 ^ u64::from(c.count) << 8 ^ c.space as u64;
        let head = u64::from(step.peer) << 32
            | u64::from(step.channel) << 16
            | u64::from(step.left) << 8
            | step.action as u64;
        for word in [head, place(step.chunks), place(step.source).rotate_left(17)] {
            self.digest = (self.digest.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        self.pushed += 1;
    }

    pub(super) fn new(rank: Rank, window: Range<usize>, steps: Vec<Step>) -> Self {
        let rank = rank.index() as u32;
        Self { steps, window, pushed: 0, digest: 0, rank, channel: 0, left: false }
    }

    pub(super) fn generated(self) -> Generated {
        Generated { steps: self.steps, total: self.pushed, digest: self.digest }
    }
}

/// What one generation of a lane gave.
pub(crate) struct Generated {
    /// The steps in the window asked for.
    pub(crate) steps: Vec<Step>,
    /// The number of all steps.
    pub(crate) total: usize,
    /// A digest of all steps: equal schedules have equal ones.
    pub(crate) digest: u64,
}
