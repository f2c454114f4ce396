// expects: `Ring` is one argument too many
use ringwood::collective::{Collective, Descriptor, Lane, Params, Rank};

struct Ring;

impl Collective for Ring {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("ring")
    }

    fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
}

ringwood::register_collective!(ring, Ring, Ring);

fn main() {}
