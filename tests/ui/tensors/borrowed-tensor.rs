// expects: `&'a ringwood::prelude::Lazy` is not made of tensors
use ringwood::prelude::*;

#[derive(Clone, Tensors)]
struct Layer<'a> {
    weight: &'a Lazy,
}

fn main() {}
