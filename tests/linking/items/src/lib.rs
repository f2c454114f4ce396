//! One annotated item of each kind, in a crate whose code nobody calls.
#![forbid(unsafe_code)]
#![deny(warnings)]

mod chip;
mod deep;

use ringwood_base::registry::Entry;
use ringwood_device::backend::Registered;
use ringwood_device::kernel;
use ringwood_graph::register_operator;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};
use ringwood_session::global_fn;

/// The list that a program without discovery registers.
pub const ENTRIES: [Entry; 7] = [
    chip::Chip::ENTRY,
    ring::ENTRY,
    Twice::ENTRY,
    double::ENTRY,
    softmax::ENTRY,
    step::ENTRY,
    deep::inside::hidden::ENTRY,
];

struct Ring;

impl Collective for Ring {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("ring")
    }

    fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
}

register_collective!(ring, Ring);

register_operator! {
    /// Two of each element.
    pub Twice = "twice";
    shape: "... -> ...",
}

/// Twice each element.
#[kernel(map, device = [cpu, chip])]
pub fn double(x: f32) -> f32 {
    2.0 * x
}

/// Not what the program calls `softmax`.
#[kernel(map, device = cpu)]
pub fn softmax(x: f32) -> f32 {
    x + 1.0
}

#[global_fn]
pub fn step(x: i64) -> i64 {
    x + 1
}
