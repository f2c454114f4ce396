// expects: temporaries must be immutable
use ringwood::collective::{Collective, Descriptor, Lane, Params, Rank};
use std::sync::atomic::AtomicUsize;

struct Ring(AtomicUsize);

impl Collective for Ring {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("ring")
    }

    fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
}

ringwood::register_collective!(ring, Ring(AtomicUsize::new(0)));

fn main() {}
