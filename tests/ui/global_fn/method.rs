// expects: a global function cannot be a method
use ringwood::global_fn;

#[global_fn]
fn step(&self) {}

fn main() {}
