// expects: takes one word
use ringwood::prelude::*;

#[derive(Clone, Tensors)]
#[tensors(skip)]
struct Convolution {
    weight: Lazy,
    #[tensors(configration)]
    stride: usize,
    #[tensors]
    padding: usize,
}

fn main() {}
