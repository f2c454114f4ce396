//! Recorded programs that are dropped and made again: results outlive the plans in whose memory they lie. The address
//! sanitizer runs this, too.
#![cfg(feature = "lazy")]

use ringwood_backend_cpu as _;
use ringwood_base::{DType, Result};
use ringwood_device::kernel;
use ringwood_graph::lazy::{Lazy, jit, set_limit, stats};
use ringwood_graph::register_operator;
use std::sync::{Mutex, PoisonError};

#[kernel(map, device = cpu)]
fn plus(a: f32, b: f32) -> f32 {
    a + b
}

register_operator! {
    Plus = plus;
    shape: "..., ... -> ...",
}

/// The limit and the counters are those of the process.
static ALONE: Mutex<()> = Mutex::new(());

fn sum(x: &Lazy, y: &Lazy) -> Lazy {
    Plus::on(&[x, y], ())
}

#[test]
fn results_outlive_the_plan_in_whose_memory_they_lie() -> Result<()> {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // A plan goes as soon as another function is called, while its kernels may still run.
    set_limit(0);
    let before = stats().plans;
    let step = jit(|(total, x): (Lazy, Lazy)| sum(&total, &x));
    let twice = jit(|x: Lazy| sum(&x, &x));
    let x = Lazy::full(&[100_000], 1.0_f32);
    let mut total = Lazy::zeros(DType::F32, &[100_000]);
    let mut kept = Vec::new();
    for _ in 0..20 {
        total = step.call((total, x.clone()))?;
        kept.push((total.clone(), twice.call(total.clone())?));
    }
    assert_eq!((stats().plans - before, stats().bytes), (40, twice.stats().bytes));
    drop((step, twice));
    for ((total, twice), want) in kept.iter().zip(1..) {
        assert!(total.to_vec::<f32>()?.iter().all(|&x| x == want as f32), "{want}");
        assert!(twice.to_vec::<f32>()?.iter().all(|&x| x == 2.0 * want as f32), "twice {want}");
    }
    Ok(())
}

/// Adds a constant `n + 1` times: one of twelve programs.
fn program(n: usize) -> impl Fn(Lazy) -> Lazy {
    move |x| (0..=n).fold(x, |x, _| sum(&x, &Lazy::scalar(n as f32)))
}

#[test]
fn eight_threads_take_programs_from_a_cache_that_drops_some() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let limit = 3 << 20;
    set_limit(limit);
    let before = stats();
    std::thread::scope(|threads| {
        for thread in 0..8 {
            threads.spawn(move || {
                for i in 0..60 {
                    let n = (i * 7 + thread * 5) % 12;
                    let x = Lazy::full(&[50_000], thread as f32);
                    let y = jit(program(n)).call(x).unwrap();
                    let want = (thread + (n + 1) * n) as f32;
                    assert!(y.to_vec::<f32>().unwrap().iter().all(|&y| y == want), "{n}: {want}");
                }
            });
        }
    });
    let after = stats();
    let (hits, misses) = (after.hits - before.hits, after.misses - before.misses);
    assert_eq!(hits + misses, 480);
    assert!(hits > 0 && misses > 12, "{hits} hits, {misses} misses");
    assert!(after.bytes <= limit, "{after:?}");
}
