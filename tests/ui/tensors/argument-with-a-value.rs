// expects: a field of tensors takes one word
use ringwood::prelude::*;

#[derive(Clone, Tensors)]
struct Convolution {
    weight: Lazy,
    #[tensors(configuration = true)]
    stride: usize,
}

fn main() {}
