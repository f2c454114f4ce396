//! What the proof of a launch costs, the first time and again: `cargo bench -p ringwood-device --bench prove`.
//! With `--once`, one proof of each, for counting instructions.

#[path = "../../../tests/support/group_kernels.rs"]
mod examples;

use examples::{matmul_tiled, row_softmax};
use ringwood_base::registry::Entry;
use ringwood_device::kernel;
use ringwood_device::kernel::KernelDef;
use ringwood_ir::prove::{Fact, LaunchFacts, Proof, Prover, prove};
use ringwood_ir::{Kernel, Value};
use std::hint::black_box;
use std::time::Instant;

#[kernel(device = cpu)]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = a * x[i] + y[i];
}

#[kernel(device = cpu)]
fn matmul(a: &[f32], b: &[f32], c: &mut [f32], k: usize, n: usize) {
    let row = gid(0) / n;
    let column = gid(0) % n;
    let mut sum = 0.0;
    for i in 0..k {
        sum += a[row * k + i] * b[i * n + column];
    }
    c[gid(0)] = sum;
}

fn ir(entry: &Entry) -> Kernel {
    let def = entry.declared::<KernelDef>().unwrap();
    let def: &KernelDef = def;
    def.spec(&def.instances[0]).kernel().expect("the macro's IR is well formed")
}

/// Nanoseconds for each call: the best of several rounds.
fn nanoseconds(mut call: impl FnMut()) -> f64 {
    const CALLS: u32 = 2000;
    let round = |call: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..CALLS).for_each(|_| call());
        start.elapsed().as_nanos() as f64 / f64::from(CALLS)
    };
    (0..20).map(|_| round(&mut call)).fold(f64::INFINITY, f64::min)
}

fn main() {
    let size = |n: usize| Fact::Scalar(Value::Usize(n));
    let one = Fact::Scalar(Value::F32(1.0));
    let cases: [(&str, Kernel, &[usize], &[Fact<'_>]); 4] = [
        ("saxpy", ir(&saxpy::ENTRY), &[4096], &[one, Fact::Len(4096), Fact::Len(4096)]),
        (
            "matmul",
            ir(&matmul::ENTRY),
            &[600],
            &[Fact::Len(1000), Fact::Len(1500), Fact::Len(600), size(50), size(30)],
        ),
        (
            "softmax, rows",
            ir(&row_softmax::ENTRY),
            &[64],
            &[Fact::Len(64 * 1000), Fact::Len(64 * 1000), size(1000)],
        ),
        (
            "matmul, tiles",
            ir(&matmul_tiled::ENTRY),
            &[2, 3],
            &[Fact::Len(1000), Fact::Len(1500), Fact::Len(600), size(20), size(50), size(30)],
        ),
    ];
    let once = std::env::args().any(|arg| arg == "--once");
    println!("{:16}{:>12}{:>12}   proved", "kernel", "first, ns", "again, ns");
    for (name, kernel, domain, args) in &cases {
        let facts = LaunchFacts { domain, args };
        let Proof { narrow, failing, .. } = prove(kernel, &facts);
        if once {
            println!("{name:16}{narrow} {failing:?}");
            continue;
        }
        let prover = Prover::default();
        let first = nanoseconds(|| drop(black_box(prove(black_box(kernel), &facts))));
        let again = nanoseconds(|| drop(black_box(prover.prove(kernel, black_box(&facts)))));
        let proved = if failing.is_empty() { "in bounds" } else { "not in bounds" };
        let width = if narrow { ", 32 bits" } else { "" };
        println!("{name:16}{first:12.0}{again:12.0}   {proved}{width}");
    }
}
