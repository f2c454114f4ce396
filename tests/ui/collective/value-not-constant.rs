// expects: cannot call non-const function
use ringwood::collective::{Collective, Descriptor, Lane, Params, Rank};

struct Ring;

impl Collective for Ring {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("ring")
    }

    fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
}

fn ring() -> Ring {
    Ring
}

ringwood::register_collective!(ring, ring());

fn main() {}
