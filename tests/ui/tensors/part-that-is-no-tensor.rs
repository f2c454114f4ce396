// expects: `Sizes` is not made of tensors
use ringwood::prelude::*;

#[derive(Clone)]
struct Sizes(usize);

#[derive(Clone, Tensors)]
struct With<P> {
    weight: Lazy,
    part: P,
}

fn main() {
    let step = jit(|layer: With<Sizes>| layer.weight);
}
