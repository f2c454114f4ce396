// expects: help: write `register_collective!(ring, Ring)`
use ringwood::collective::{Collective, Descriptor, Lane, Params, Rank};

struct Ring;

impl Collective for Ring {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("ring")
    }

    fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
}

ringwood::register_collective!(ring Ring);

fn main() {}
