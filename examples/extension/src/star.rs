//! An all-reduce through one rank.

use ringwood::collective::{Collective, Descriptor, Lane, Params, Rank};
use ringwood::register_collective;

/// Every rank sends to rank 0, which merges and sends the result back: few steps, and all bytes
/// pass through one rank.
pub struct Star;

impl Collective for Star {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("star").any_ranks()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let hub = p.rank(0);
        if rank == hub {
            (1..p.ranks()).for_each(|other| s.recv_reduce(p.rank(other), p.all()));
            (1..p.ranks()).for_each(|other| s.send(p.rank(other), p.all()));
        } else {
            s.send(hub, p.all());
            s.recv(hub, p.all());
        }
    }
}

register_collective!(star, Star);
