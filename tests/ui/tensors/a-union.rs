// expects: a union is no struct of tensors
use ringwood::prelude::*;

#[derive(Tensors)]
union Layer {
    weight: std::mem::ManuallyDrop<Lazy>,
    size: usize,
}

fn main() {}
