// expects: help: return `String`
use ringwood::global_fn;

#[global_fn]
fn step() -> &'static str {
    "done"
}

fn main() {}
