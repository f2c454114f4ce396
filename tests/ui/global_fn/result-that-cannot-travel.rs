// expects: `File` cannot be the result of a global function
use ringwood::global_fn;
use std::fs::File;

#[global_fn]
fn step() -> File {
    File::open("data.csv").unwrap()
}

fn main() {}
