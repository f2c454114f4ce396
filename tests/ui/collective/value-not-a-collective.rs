// expects: `Tree` does not implement `Collective`
use ringwood::collective::{Collective, Descriptor, Lane, Params, Rank};

struct Ring;

impl Collective for Ring {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("ring")
    }

    fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
}

struct Tree;

ringwood::register_collective!(tree, Tree);

fn main() {}
