// expects: a struct of tensors takes the argument `crate = path` alone
use ringwood::prelude::*;

#[derive(Clone, Tensors)]
#[tensors(configuration)]
struct Sizes {
    stride: usize,
}

fn main() {}
