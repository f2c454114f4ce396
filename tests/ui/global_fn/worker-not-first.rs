// expects: the worker is the first parameter
use ringwood::global_fn;
use ringwood::session::Worker;

#[global_fn]
fn step(rate: f64, w: &Worker) -> f64 {
    rate * w.size() as f64
}

fn main() {}
