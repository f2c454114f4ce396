// expects: the trait bound `usize: Tensors` is not satisfied
use ringwood::prelude::*;

#[derive(Clone, Tensors)]
struct Convolution {
    weight: Lazy,
    stride: usize,
}

fn main() {}
