// expects: `crate = ringwood` is a relative path
use ringwood::prelude::*;

#[derive(Clone, Tensors)]
#[tensors(crate = ringwood)]
struct Layer {
    weight: Lazy,
}

fn main() {}
