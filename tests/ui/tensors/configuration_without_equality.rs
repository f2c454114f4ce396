// expects: the trait bound `f32: Eq` is not satisfied
use ringwood::prelude::*;

#[derive(Clone, Tensors)]
struct Dropout {
    mask: Lazy,
    #[tensors(configuration)]
    rate: f32,
}

fn main() {}
