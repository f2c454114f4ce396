//! Schedules whose times are known.

use crate::{ChunkRange, Chunks, Collective, Descriptor, Lane, Params, Rank, Request};
use ringwood_base::Result;

/// A collective of a function.
pub(super) struct Of(
    pub(super) Descriptor,
    pub(super) fn(&Params, Rank, &mut Lane),
    pub(super) usize,
);

impl Collective for Of {
    fn describe(&self) -> Descriptor {
        self.0.clone()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        self.1(p, rank, s);
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        Params::of_request(&self.0, request)?.segmented(self.2)
    }
}

pub(super) fn ring() -> Of {
    let steps = |p: &Params, rank: Rank, s: &mut Lane| {
        let (next, prev, n) = (rank.next(), rank.prev(), p.ranks());
        for step in 0..n - 1 {
            s.send(next, p.chunk(rank - step));
            s.recv_reduce(prev, p.chunk(rank - step - 1));
        }
        for step in 0..n - 1 {
            s.send(next, p.chunk(rank - step + 1));
            s.recv(prev, p.chunk(rank - step));
        }
    };
    Of(Descriptor::all_reduce("ring").chunks(Chunks::PerRank), steps, 1)
}

/// Broadcast along a chain, in segments.
pub(super) fn chain(segments: usize) -> Of {
    let steps = |p: &Params, rank: Rank, s: &mut Lane| {
        for segment in 0..p.segments() {
            if rank.index() > 0 {
                s.recv(rank.prev(), p.segment(0_usize, segment));
            }
            if rank.index() + 1 < p.ranks() {
                s.send(rank.next(), p.segment(0_usize, segment));
            }
        }
    };
    Of(Descriptor::broadcast("chain"), steps, segments)
}

pub(super) fn doubling() -> Of {
    let steps = |p: &Params, rank: Rank, s: &mut Lane| {
        for bit in 0..p.ranks().ilog2() {
            let peer = p.rank(rank.index() ^ 1 << bit);
            s.send(peer, p.all());
            s.recv_reduce(peer, p.all());
        }
    };
    Of(Descriptor::all_reduce("doubling").power_of_two_ranks(), steps, 1)
}

pub(super) fn rabenseifner() -> Of {
    let steps = |p: &Params, rank: Rank, s: &mut Lane| {
        let (n, me) = (p.ranks(), rank.index());
        let half = |bit: u32, of: usize| {
            let size = n >> (bit + 1);
            let first = of & !(2 * size - 1);
            let mine = first + (of & size);
            let chunks = |first: usize| ChunkRange {
                first: first as u32,
                count: size as u32,
                ..p.chunk(0_usize)
            };
            (p.rank(of ^ size), chunks(mine), chunks(2 * first + size - mine))
        };
        for bit in 0..n.ilog2() {
            let (peer, mine, theirs) = half(bit, me);
            s.send(peer, theirs);
            s.recv_reduce(peer, mine);
        }
        for bit in (0..n.ilog2()).rev() {
            let (peer, mine, theirs) = half(bit, me);
            s.send(peer, mine);
            s.recv(peer, theirs);
        }
    };
    let descriptor = Descriptor::all_reduce("rabenseifner").power_of_two_ranks();
    Of(descriptor.chunks(Chunks::PerRank), steps, 1)
}

/// All-reduce by reading every peer, between two barriers.
pub(super) fn one_shot() -> Of {
    let steps = |p: &Params, rank: Rank, s: &mut Lane| {
        s.copy(p.input(0_usize), p.all());
        for distance in 1..p.ranks() {
            s.get_reduce(rank + distance, p.input(0_usize), p.all());
        }
        s.barrier();
    };
    Of(Descriptor::all_reduce("one_shot").out_of_place().needs_peer_load(), steps, 1)
}

/// Broadcast by writing to everyone and saying so.
pub(super) fn put_all() -> Of {
    let steps = |p: &Params, rank: Rank, s: &mut Lane| {
        for distance in (1..p.ranks()).filter(|_| rank == p.root()) {
            s.put(rank + distance, p.all(), p.all());
            s.signal(rank + distance);
        }
        if rank != p.root() {
            s.wait(p.root());
        }
    };
    Of(Descriptor::broadcast("put_all").needs_put(), steps, 1)
}

/// A ring in which half of each chunk goes the other way round.
pub(super) fn both_ways() -> Of {
    let steps = |p: &Params, rank: Rank, s: &mut Lane| {
        let (next, prev, n) = (rank.next(), rank.prev(), p.ranks());
        for step in 0..n - 1 {
            s.send(next, p.segment(rank - step, 0));
            s.send(prev, p.segment(rank + step, 1));
            s.recv_reduce(prev, p.segment(rank - step - 1, 0));
            s.recv_reduce(next, p.segment(rank + step + 1, 1));
        }
        for step in 0..n - 1 {
            s.send(next, p.segment(rank - step + 1, 0));
            s.send(prev, p.segment(rank + step + (n - 1), 1));
            s.recv(prev, p.segment(rank - step, 0));
            s.recv(next, p.segment(rank + step, 1));
        }
    };
    Of(Descriptor::all_reduce("both_ways").chunks(Chunks::PerRank), steps, 2)
}

/// Gather in which the root takes every block from its rank.
pub(super) fn star(p: &Params, rank: Rank, s: &mut Lane) {
    if rank != p.root() {
        return s.send(p.root(), p.input(rank));
    }
    (1..p.ranks()).for_each(|distance| s.recv(rank + distance, p.chunk(rank + distance)));
}

/// All-gather in which every rank sends to all in the order of their numbers.
pub(super) fn pairs(p: &Params, rank: Rank, s: &mut Lane) {
    let others = || (0..p.ranks()).map(|other| p.rank(other)).filter(move |other| *other != rank);
    others().for_each(|other| s.send(other, p.chunk(rank)));
    others().for_each(|other| s.recv(other, p.chunk(other)));
}
