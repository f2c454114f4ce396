// expects: `impl Into<f64>` names no type
use ringwood::global_fn;

#[global_fn]
fn step(rate: impl Into<f64>) -> f64 {
    rate.into()
}

fn main() {}
