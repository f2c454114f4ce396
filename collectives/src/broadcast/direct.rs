use ringwood_schedule::{
    BufferMode, Collective, Descriptor, Lane, Params, Rank, register_collective,
};

/// Broadcast in one round: every rank takes the buffer from the root.
///
/// | | |
/// |---|---|
/// | steps | `n - 1` sends at the root, one receive on each other rank |
/// | bytes on the wire | one buffer to each rank but the root |
/// | memory | both modes, no scratch; out of place the root copies its buffer |
/// | group size | any |
///
/// The choice on one machine, where all read the root's buffer in place at the same time. Over links
/// the root's own is the bottleneck: `n - 1` buffers.
///
/// Source: textbook.
pub struct Direct;

impl Collective for Direct {
    fn describe(&self) -> Descriptor {
        Descriptor::broadcast("direct_broadcast").any_ranks().both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        if rank != p.root() {
            return s.recv(p.root(), p.all());
        }
        let input = p.of_input(p.all());
        for distance in 1..p.ranks() {
            s.send(rank + distance, input);
        }
        if p.mode() == BufferMode::OutOfPlace {
            s.copy(input, p.all());
        }
    }
}

register_collective!(direct_broadcast, Direct);
