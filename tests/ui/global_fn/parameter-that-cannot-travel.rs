// expects: `File` cannot travel to a worker
use ringwood::global_fn;
use std::fs::File;

#[global_fn]
fn step(_log: File) {}

fn main() {}
