// expects: a field of tensors has no argument `configration`
use ringwood::prelude::*;

#[derive(Clone, Tensors)]
struct Convolution {
    weight: Lazy,
    #[tensors(configration)]
    stride: usize,
}

fn main() {}
