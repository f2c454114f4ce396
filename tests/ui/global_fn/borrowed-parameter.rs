// expects: help: take `name: String`
use ringwood::global_fn;

#[global_fn]
fn step(name: &str) -> usize {
    name.len()
}

fn main() {}
