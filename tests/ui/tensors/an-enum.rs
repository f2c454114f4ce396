// expects: an enum is no struct of tensors
use ringwood::prelude::*;

#[derive(Clone, Tensors)]
enum Layer {
    Linear(Lazy),
    Nothing,
}

fn main() {}
