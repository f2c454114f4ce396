//! All-reduce between threads against a copy of the same bytes, and the time of a proof.
//!
//! `cargo bench -p ringwood-collectives`, with `-- --json` for one JSON object for each line.

use ringwood_collectives::RingReducer;
use ringwood_core::collective::{Collective, Params, ReduceOp, spmd, verify};
use ringwood_core::{Result, kernel};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The sum.
#[kernel(map, device = cpu, T in [f32])]
pub fn add<T>(a: T, b: T) -> T {
    a + b
}

const SIZES: [usize; 6] = [8, 1 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20];
const TRIALS: usize = 5;

fn main() -> Result<()> {
    let json = std::env::args().any(|arg| arg == "--json");
    for ranks in [2, 4] {
        for bytes in SIZES {
            let copy = copy_seconds(bytes);
            let call = call_seconds(ranks, bytes)?;
            // Every rank reads and writes the buffer once: the traffic that no algorithm avoids.
            let ratio = call / (copy * ranks as f64);
            if json {
                let line = serde_json::json!({
                    "bench": "all_reduce", "algorithm": "ring", "ranks": ranks, "bytes": bytes,
                    "seconds": call, "copy_seconds": copy,
                });
                println!("{line}");
            } else {
                let (call, copy) = (call * 1e6, copy * 1e6);
                println!(
                    "all_reduce ring  {ranks} ranks  {bytes:>9} B  {call:>10.2} us   copy {copy:>9.2} us   {ratio:>6.2} of {ranks} copies"
                );
            }
        }
    }
    for ranks in [4, 64, 256, 1024] {
        println!("{}", verify(&RingReducer, &Params::new(&RingReducer.describe(), ranks)?)?);
    }
    Ok(())
}

/// The best time of a call among some trials, each long enough to measure.
fn call_seconds(ranks: usize, bytes: usize) -> Result<f64> {
    let trial = || {
        spmd(ranks, |comm| {
            let mut data = vec![0.0_f32; bytes / 4];
            let mut run = |calls: u32| -> Result<Duration> {
                comm.with("ring").all_reduce(&mut data, ReduceOp::Sum)?;
                let start = Instant::now();
                for _ in 0..calls {
                    comm.with("ring").all_reduce(&mut data, ReduceOp::Sum)?;
                }
                Ok(start.elapsed())
            };
            let calls = ((256 << 20) / (bytes + (64 << 10))).clamp(3, 2_000) as u32;
            Ok(run(calls)?.as_secs_f64() / f64::from(calls))
        })
    };
    let mut best = f64::INFINITY;
    for _ in 0..TRIALS {
        best = best.min(trial()?.into_iter().fold(0.0, f64::max));
    }
    Ok(best)
}

fn copy_seconds(bytes: usize) -> f64 {
    let (source, mut target) = (vec![1_u8; bytes], vec![0_u8; bytes]);
    let repeats = ((256 << 20) / (bytes + 64)).clamp(3, 100_000);
    let trial = |_| {
        let start = Instant::now();
        for _ in 0..repeats {
            target.copy_from_slice(black_box(&source));
            black_box(&mut target);
        }
        start.elapsed().as_secs_f64() / repeats as f64
    };
    (0..TRIALS).map(trial).fold(f64::INFINITY, f64::min)
}
