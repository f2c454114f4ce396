//! Schedules for the other operations: messages, accesses of peers' memory, trees, in place and not.

use ringwood_schedule::{
    Chunks, Collective, Descriptor, Lane, Operation, Params, Rank, RankConstraint, Request, Space,
};

type Write = fn(&Params, Rank, &mut Lane);

/// A schedule as a function.
pub(crate) struct Written {
    pub(crate) descriptor: Descriptor,
    pub(crate) segments: usize,
    pub(crate) write: Write,
}

impl Collective for Written {
    fn describe(&self) -> Descriptor {
        self.descriptor.clone()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        (self.write)(p, rank, s);
    }

    fn resolve(&self, request: &Request) -> ringwood_base::Result<Params> {
        Params::of_request(&self.descriptor, request)?.segmented(self.segments)
    }
}

const fn written(descriptor: Descriptor, write: Write) -> Written {
    segmented(1, descriptor, write)
}

const fn segmented(segments: usize, descriptor: Descriptor, write: Write) -> Written {
    Written { descriptor, segments, write }
}

/// The ranks but `rank`, from its successor on.
fn others(p: &Params, rank: Rank) -> impl Iterator<Item = Rank> {
    (1..p.ranks()).map(move |distance| rank + distance)
}

/// Everything, by the names that the tests use.
pub(crate) static ALL: [Written; 22] = [
    written(Descriptor::reduce("reduce_flat"), |p, rank, s| {
        let root = p.root();
        if rank != root {
            return s.send(root, p.all());
        }
        others(p, root).for_each(|from| s.recv_reduce(from, p.all()));
    }),
    // A chain whose chunks end at the root: ranks in between hold partial merges.
    segmented(3, Descriptor::reduce("reduce_chain"), |p, rank, s| {
        let position = (rank - p.root().index()).index();
        for segment in 0..p.segments() {
            let chunk = p.segment(0_usize, segment);
            if position + 1 < p.ranks() {
                s.recv_reduce(rank.next(), chunk);
            }
            if position > 0 {
                s.send(rank.prev(), chunk);
            }
        }
    }),
    written(Descriptor::reduce("reduce_apart").out_of_place(), |p, rank, s| {
        let input = p.of_input(p.all());
        if rank != p.root() {
            return s.send(p.root(), input);
        }
        s.copy(input, p.all());
        others(p, rank).for_each(|from| s.recv_reduce(from, p.all()));
    }),
    written(Descriptor::broadcast("broadcast_flat").both_modes(), |p, rank, s| {
        let input = p.of_input(p.all());
        if rank != p.root() {
            return s.recv(p.root(), p.all());
        }
        others(p, rank).for_each(|to| s.send(to, input));
        if input.space == Space::Input {
            s.copy(input, p.all());
        }
    }),
    written(Descriptor::broadcast("broadcast_get").needs_peer_load(), |p, rank, s| {
        if rank != p.root() {
            s.get(p.root(), p.all(), p.all());
        }
        s.barrier();
    }),
    written(Descriptor::broadcast("broadcast_put").needs_put(), |p, rank, s| {
        if rank != p.root() {
            return s.wait(p.root());
        }
        for to in others(p, rank) {
            s.put(to, p.all(), p.all());
            s.signal(to);
        }
    }),
    segmented(2, Descriptor::all_gather("all_gather_ring"), |p, rank, s| {
        for step in 0..p.ranks() - 1 {
            s.send(rank.next(), p.chunk(rank - step));
            s.recv(rank.prev(), p.chunk(rank - step - 1));
        }
    }),
    written(
        Descriptor::all_gather("all_gather_get").out_of_place().needs_peer_load(),
        |p, r, s| {
            s.copy(p.input(r), p.chunk(r));
            others(p, r).for_each(|from| s.get(from, p.input(from), p.chunk(from)));
            s.barrier();
        },
    ),
    // Bruck: blocks move to other places of the scratch buffer.
    written(Descriptor::all_gather("all_gather_bruck"), |p, rank, s| {
        let n = p.ranks();
        s.copy(p.chunk(rank), p.scratch(0_usize));
        let mut have = 1;
        while have < n {
            let count = have.min(n - have);
            let part = |first| p.span(first, count).of(Space::Scratch);
            s.send(rank - have, part(0));
            s.recv(rank + have, part(have));
            have += count;
        }
        (1..n).for_each(|i| s.copy(p.scratch(i), p.chunk(rank + i)));
    }),
    written(Descriptor::gather("gather_flat").both_modes(), |p, rank, s| {
        if rank != p.root() {
            return s.send(p.root(), p.input(rank));
        }
        if p.input(rank).space == Space::Input {
            s.copy(p.input(rank), p.chunk(rank));
        }
        others(p, rank).for_each(|from| s.recv(from, p.chunk(from)));
    }),
    // Along a chain: ranks in between hold blocks that are not theirs.
    written(Descriptor::gather("gather_chain"), |p, rank, s| {
        let position = (rank - p.root().index()).index();
        for i in position + 1..p.ranks() {
            s.recv(rank.next(), p.chunk(p.root() + i));
        }
        if position > 0 {
            (position..p.ranks()).for_each(|i| s.send(rank.prev(), p.chunk(p.root() + i)));
        }
    }),
    written(Descriptor::scatter("scatter_flat").both_modes(), |p, rank, s| {
        if rank != p.root() {
            return s.recv(p.root(), p.chunk(rank));
        }
        others(p, rank).for_each(|to| s.send(to, p.input(to)));
        if p.input(rank).space == Space::Input {
            s.copy(p.input(rank), p.chunk(rank));
        }
    }),
    written(Descriptor::scatter("scatter_chain"), |p, rank, s| {
        let position = (rank - p.root().index()).index();
        if position > 0 {
            (position..p.ranks()).for_each(|i| s.recv(rank.prev(), p.chunk(p.root() + i)));
        }
        for i in position + 1..p.ranks() {
            s.send(rank.next(), p.chunk(p.root() + i));
        }
    }),
    written(Descriptor::reduce_scatter("reduce_scatter_ring"), |p, rank, s| {
        for step in 1..p.ranks() {
            s.send(rank.next(), p.chunk(rank - step));
            s.recv_reduce(rank.prev(), p.chunk(rank - step - 1));
        }
    }),
    written(
        Descriptor::reduce_scatter("reduce_scatter_get").out_of_place().needs_peer_load(),
        |p, rank, s| {
            s.copy(p.input(rank), p.chunk(rank));
            others(p, rank).for_each(|from| s.get_reduce(from, p.input(rank), p.chunk(rank)));
            others(p, rank).for_each(|to| s.signal(to));
            others(p, rank).for_each(|from| s.wait(from));
        },
    ),
    written(Descriptor::all_to_all("all_to_all_direct").out_of_place(), |p, rank, s| {
        s.copy(p.input(rank), p.chunk(rank));
        others(p, rank).for_each(|to| s.send(to, p.input(to)));
        others(p, rank).for_each(|from| s.recv(from, p.chunk(from)));
    }),
    // In place, pairs exchange blocks.
    written(Descriptor::all_to_all("all_to_all_pairs"), |p, rank, s| {
        for to in others(p, rank) {
            s.send(to, p.chunk(to));
        }
        others(p, rank).for_each(|from| s.recv(from, p.chunk(from)));
    }),
    written(Descriptor::permute("permute_direct").both_modes(), |p, rank, s| {
        let (to, from) = (p.permuted_to(rank.index()), p.permuted_from(rank.index()));
        let input = p.of_input(p.all());
        match to == rank.index() {
            true if input.space == Space::Input => s.copy(input, p.all()),
            true => {}
            false => {
                s.send(p.rank(to), input);
                s.recv(p.rank(from), p.all());
            }
        }
    }),
    // Reads what peers brought, and waits until all have read before it writes.
    written(
        Descriptor::all_reduce("all_reduce_get").chunks(Chunks::PerRank).needs_peer_load(),
        |p, rank, s| {
            others(p, rank).for_each(|from| s.get_reduce(from, p.chunk(rank), p.chunk(rank)));
            s.barrier();
            others(p, rank).for_each(|from| s.get(from, p.chunk(from), p.chunk(from)));
            s.barrier();
        },
    ),
    // Two channels between the same ranks, of which one overtakes the other.
    written(
        Descriptor::all_reduce("all_reduce_channels")
            .chunks(Chunks::PerRank)
            .ranks(RankConstraint::Even),
        |p, rank, s| {
            let (next, prev, n) = (rank.next(), rank.prev(), p.ranks());
            for step in 0..n - 1 {
                s.set_channel((step % 2) as u16);
                s.send(next, p.chunk(rank - step));
                s.recv_reduce(prev, p.chunk(rank - step - 1));
            }
            for step in 0..n - 1 {
                s.set_channel(7);
                s.send(next, p.chunk(rank - step + 1));
                s.recv(prev, p.chunk(rank - step));
            }
        },
    ),
    // What comes in is the left operand.
    written(Descriptor::reduce("reduce_left"), |p, rank, s| {
        let last = p.ranks() - 1;
        s.set_left(true);
        if rank.index() > 0 {
            s.recv_reduce(rank.prev(), p.all());
        }
        if rank.index() < last {
            s.send(rank.next(), p.all());
        }
        s.set_left(false);
        match (rank.index() == last, rank == p.root()) {
            (true, false) => s.send(p.root(), p.all()),
            (false, true) => s.recv(p.rank(last), p.all()),
            _ => {}
        }
    }),
    written(Descriptor::new("barrier_flat", Operation::Barrier), |_, _, s| s.barrier()),
];
