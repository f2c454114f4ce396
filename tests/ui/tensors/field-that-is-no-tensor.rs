// expects: `usize` is not made of tensors
use ringwood::prelude::*;

#[derive(Clone, Tensors)]
struct Convolution {
    weight: Lazy,
    stride: usize,
}

fn main() {}
