// expects: `f32` does not say which program to record
use ringwood::prelude::*;

#[derive(Clone, Tensors)]
struct Dropout {
    weight: Lazy,
    #[tensors(configuration)]
    rate: f32,
}

fn main() {}
