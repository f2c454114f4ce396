// expects: the trait bound `Layer: Clone` is not satisfied
use ringwood::prelude::*;

#[derive(Tensors)]
struct Layer {
    weight: Lazy,
}

fn main() {}
