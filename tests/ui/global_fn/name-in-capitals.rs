// expects: help: write `train_step`
use ringwood::global_fn;

#[global_fn(name = "TrainStep")]
fn step() {}

fn main() {}
