//! Every all-reduce between threads, against the floor that the traffic of memory sets.
//!
//! `cargo bench -p ringwood-collectives --bench all_reduce`, with `-- --json` for one JSON object for
//! each line; `-- ring two_shot` for these algorithms only.

use ringwood_base::Result;
use ringwood_base::registry::Registry;
use ringwood_collective::spmd;
use ringwood_collectives as _;
use ringwood_device::kernel;
use ringwood_schedule::{Operation, ReduceOp};
use std::borrow::Cow;
use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

/// The sum.
#[kernel(map, device = cpu, T in [f32])]
pub fn add<T>(a: T, b: T) -> T {
    a + b
}

const SIZES: [usize; 6] = [8, 1 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20];
const TRIALS: usize = 5;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let json = args.iter().any(|arg| arg == "--json");
    let asked: Vec<&String> = args.iter().filter(|arg| !arg.starts_with('-')).collect();
    for ranks in [2, 4] {
        for bytes in SIZES {
            let floor = floor_seconds(ranks, bytes);
            for algorithm in algorithms(ranks)? {
                if asked.is_empty() || asked.iter().any(|name| **name == algorithm) {
                    report(&algorithm, ranks, bytes, floor, json)?;
                }
            }
        }
    }
    Ok(())
}

/// The registered all-reduces for groups of `ranks`.
fn algorithms(ranks: usize) -> Result<Vec<Cow<'static, str>>> {
    let registry = Registry::global()?;
    let described =
        registry.of::<ringwood_schedule::CollectiveDef>().map(|(_, def)| def.collective.describe());
    let fits = described
        .filter(|d| d.operation == Operation::AllReduce && d.constraint.allows(ranks))
        .map(|d| d.name);
    Ok(fits.collect())
}

fn report(algorithm: &str, ranks: usize, bytes: usize, floor: f64, json: bool) -> Result<()> {
    let call = call_seconds(algorithm, ranks, bytes)?;
    let ratio = floor / call;
    if json {
        let line = serde_json::json!({
            "bench": "all_reduce", "algorithm": algorithm, "ranks": ranks, "bytes": bytes,
            "seconds": call, "floor_seconds": floor,
        });
        println!("{line}");
    } else {
        let (call, floor) = (call * 1e6, floor * 1e6);
        println!(
            "{ranks} ranks  {bytes:>9} B  {algorithm:<20} {call:>10.2} us   floor {floor:>9.2} us   {ratio:>5.2} of it"
        );
    }
    Ok(())
}

/// The best time of a call among some trials, each long enough to measure.
fn call_seconds(algorithm: &str, ranks: usize, bytes: usize) -> Result<f64> {
    let trial = || {
        spmd(ranks, |comm| {
            let mut data = vec![0.0_f32; bytes / 4];
            let mut run = |calls: u32| -> Result<Duration> {
                comm.with(algorithm).all_reduce(&mut data, ReduceOp::Sum)?;
                let start = Instant::now();
                for _ in 0..calls {
                    comm.with(algorithm).all_reduce(&mut data, ReduceOp::Sum)?;
                }
                Ok(start.elapsed())
            };
            let calls = ((64 << 20) / (bytes + (64 << 10))).clamp(3, 1_000) as u32;
            Ok(run(calls)?.as_secs_f64() / f64::from(calls))
        })
    };
    let mut best = f64::INFINITY;
    for _ in 0..TRIALS {
        best = best.min(trial()?.into_iter().fold(0.0, f64::max));
    }
    Ok(best)
}

/// The time in which as many threads as there are ranks change a buffer each, all at once: every
/// rank reads and writes its buffer at least once, whatever the algorithm.
fn floor_seconds(ranks: usize, bytes: usize) -> f64 {
    let begin = Barrier::new(ranks);
    let repeats = ((64 << 20) / (bytes + 64)).clamp(3, 100_000);
    let changes = || {
        let mut data = vec![1.0_f32; bytes / 4];
        begin.wait();
        let start = Instant::now();
        for _ in 0..repeats {
            data.iter_mut().for_each(|x| *x += 1.0);
            black_box(&mut data);
        }
        start.elapsed().as_secs_f64() / repeats as f64
    };
    let trial = |_| {
        thread::scope(|scope| {
            let threads: Vec<_> = (0..ranks).map(|_| scope.spawn(changes)).collect();
            let times = threads.into_iter().map(|t| t.join().expect("an addition does not panic"));
            times.fold(0.0, f64::max)
        })
    };
    (0..TRIALS).map(trial).fold(f64::INFINITY, f64::min)
}
