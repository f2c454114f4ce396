//! Sums the gradient of each layer while the next one is computed, by calls that are submitted and complete later:
//! `cargo run --example overlap -- --session processes --workers 4`, or
//! `cargo build --example overlap && mpirun -n 4 target/debug/examples/overlap`.

use ringwood::Error;
use ringwood::collective::executor::Executor;
use ringwood::prelude::*;
use std::time::{Duration, Instant};

const LAYERS: usize = 8;
const LENGTH: usize = 1 << 18;

/// What a rank gets from its part of the data; any computation.
fn gradient(layer: usize, rank: usize) -> Vec<f32> {
    let wave = |i: usize| ((i + layer) as f32 * 1e-3).sin();
    (0..LENGTH).map(|i| wave(i) + rank as f32).collect()
}

fn main() -> ringwood::Result<()> {
    let ranks = ringwood::init()?;
    let calls = Executor::new().adopt(1, ranks.duplicate(1)?)?;
    let start = Instant::now();

    // The last layer's gradient comes first, and travels while the others are computed.
    let backward = (0..LAYERS).rev().map(|layer| {
        let gradient = gradient(layer, ranks.rank());
        let mean = calls.submit(layer as u64, gradient, |comm, gradient| {
            comm.all_reduce(gradient, ReduceOp::Mean)
        });
        (layer, mean)
    });
    let submitted: Vec<_> = backward.collect();
    let computed = start.elapsed();

    for (layer, mean) in submitted {
        let late = |_| Error::timeout(format!("the gradient of layer {layer} did not come"));
        let mean = mean.finish(Duration::from_secs(60)).map_err(late)?.ok()?;
        // The mean of the ranks' numbers is what the ranks add to the same wave.
        let own = gradient(layer, 0);
        let moved = mean[LENGTH / 2] - own[LENGTH / 2];
        assert!((moved - (ranks.size() - 1) as f32 / 2.0).abs() < 1e-4, "layer {layer}: {moved}");
    }
    let (rank, size, all) = (ranks.rank(), ranks.size(), start.elapsed());
    println!(
        "rank {rank} of {size} has computed after {computed:.1?}, and has all sums after {all:.1?}"
    );
    Ok(())
}
