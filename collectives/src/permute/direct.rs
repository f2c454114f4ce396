use ringwood_schedule::{
    BufferMode, Collective, Descriptor, Lane, Params, Rank, register_collective,
};

/// Permute in one round: every rank sends its buffer where it goes, and takes the one that comes.
///
/// | | |
/// |---|---|
/// | steps | one send and one receive on each rank that does not keep its buffer |
/// | bytes on the wire | one buffer for each such rank |
/// | memory | both modes; in place over peer memory a copy of the buffer on the ranks of a cycle |
/// | group size | any |
///
/// Source: `Permuter` of TensorFlow.
pub struct Direct;

impl Collective for Direct {
    fn describe(&self) -> Descriptor {
        Descriptor::permute("direct_permute").any_ranks().both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let (to, from) = (p.permuted_to(rank.index()), p.permuted_from(rank.index()));
        let input = p.of_input(p.all());
        if to != rank.index() {
            s.send(p.rank(to), input);
            s.recv(p.rank(from), p.all());
        } else if p.mode() == BufferMode::OutOfPlace {
            s.copy(input, p.all());
        }
    }
}

register_collective!(direct_permute, Direct);
