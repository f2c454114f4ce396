// expects: help: did you mean `name`?
use ringwood::global_fn;

#[global_fn(nmae = "train")]
fn step() {}

fn main() {}
