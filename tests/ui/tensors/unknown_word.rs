// expects: a field of tensors has no argument `configure`
use ringwood::prelude::*;

#[derive(Clone, Tensors)]
struct Convolution {
    weight: Lazy,
    #[tensors(configure)]
    stride: usize,
}

fn main() {}
