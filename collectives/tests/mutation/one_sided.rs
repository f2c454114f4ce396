//! Schedules whose ranks access each other's memory, so that mutants race.

use ringwood_schedule::{Chunks, Collective, Descriptor, Lane, Params, Rank, Space};

/// Every rank merges its chunk of all inputs and reads the others' chunks; barriers in between.
pub(crate) struct Barriers;

impl Collective for Barriers {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("barriers").chunks(Chunks::PerRank).needs_peer_load()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for distance in 1..p.ranks() {
            s.get_reduce(rank + distance, p.chunk(rank), p.chunk(rank));
        }
        s.barrier();
        for distance in 1..p.ranks() {
            let peer = rank + distance;
            s.get(peer, p.chunk(peer), p.chunk(peer));
        }
        s.barrier();
    }
}

/// The root's successors write to each other around the ring, each telling the next and, at the
/// end, the previous one.
pub(crate) struct Signals;

impl Collective for Signals {
    fn describe(&self) -> Descriptor {
        Descriptor::all_gather("signals").needs_put()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for step in 0..p.ranks() - 1 {
            let block = p.chunk(rank - step);
            s.put(rank.next(), block, block);
            s.signal(rank.next());
            s.wait(rank.prev());
        }
    }
}

/// Every rank writes its input to the scratch memory of all others, which merge it.
pub(crate) struct Scratch;

impl Collective for Scratch {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("scratch").needs_put()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let slot = |of: Rank| p.scratch(of);
        for distance in 1..p.ranks() {
            s.put(rank + distance, p.all(), slot(rank).of(Space::Scratch));
            s.signal(rank + distance);
        }
        for distance in 1..p.ranks() {
            s.wait(rank - distance);
            s.reduce(slot(rank - distance), p.all());
        }
    }
}
