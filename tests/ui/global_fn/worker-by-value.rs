// expects: help: write `w: &Worker`
use ringwood::global_fn;
use ringwood::session::Worker;

#[global_fn]
fn step(w: Worker) -> usize {
    w.rank()
}

fn main() {}
