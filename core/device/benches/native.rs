//! Native kernels on one thread, beside loops written by hand and compiled for the same processor.
//!
//! `cargo bench -p ringwood-device --bench native`; `-- --disassemble` instead counts the packed
//! instructions of each kernel's version without checks, by `objdump`.

#[path = "native/by_hand.rs"]
mod by_hand;
#[path = "native/disassembly.rs"]
mod disassembly;
#[path = "../../../tests/support/group_kernels.rs"]
mod examples;
#[path = "../../../benches/spine/measure.rs"]
mod measure;

use examples::{matmul_tiled, row_softmax};
use measure::{line, median};
use ringwood_base::registry::Entry;
use ringwood_base::{Result, Scalar, Shape};
use ringwood_device::kernel;
use ringwood_device::kernel::{Fault, KernelDef, NativeArg, NativeLaunch, NativeSlice};
use std::hint::black_box;
use std::ptr::NonNull;

#[kernel(device = cpu)]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = a * x[i] + y[i];
}

#[kernel(map, device = cpu)]
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044_715 * x * x * x)).tanh())
}

#[kernel(device = cpu, group = 256, groups = y.len())]
fn row_sums(x: &[f32], y: &mut [f32], n: usize) {
    let row = grp(0) * n;
    let mut s = 0.0;
    for k in group_range(n) {
        s += x[row + k];
    }
    let total = group_sum(s);
    if lid(0) == 0 {
        y[grp(0)] = total;
    }
}

#[kernel(device = cpu, domain = (m, n))]
fn matmul_naive(a: &[f32], b: &[f32], c: &mut [f32], m: usize, k: usize, n: usize) {
    let row = gid(1);
    let col = gid(0);
    let mut acc = 0.0;
    for i in 0..k {
        acc += a[row * k + i] * b[i * n + col];
    }
    if row < m {
        c[row * n + col] = acc;
    }
}

fn def(entry: Entry) -> &'static KernelDef {
    entry.declared().unwrap()
}

fn slice(data: &mut [f32]) -> NativeArg<'_> {
    let bytes = size_of_val(data);
    // SAFETY: the memory is borrowed mutably for as long as the argument, and one thread runs.
    NativeArg::Slice(unsafe { NativeSlice::new(NonNull::from(data).cast(), bytes, None) })
}

fn size(value: usize) -> NativeArg<'static> {
    NativeArg::Scalar(Scalar::Usize(value))
}

/// Runs a kernel over its whole domain; without checks, the caller vouches for every index.
fn run(kernel: &KernelDef, dims: &[usize], args: &[NativeArg<'_>], checked: bool) {
    let domain = Shape::new(dims).expect("a domain");
    let fault = Fault::default();
    let mut launch = NativeLaunch::new(domain, args, &fault);
    if !checked {
        // SAFETY: the arguments of this file have the sizes that their kernels index.
        launch = unsafe { launch.assume_in_bounds() };
    }
    let native = kernel.instances[0].native.expect("native code");
    // SAFETY: the arguments are those that the kernel declares.
    unsafe { native.run(&launch, 0..domain.elements()).expect("a launch") };
    assert_eq!(fault.get(), None);
}

fn numbers(n: usize) -> Vec<f32> {
    (0..n).map(|i| (i * 7919 % 1000) as f32 / 500.0 - 1.0).collect()
}

fn elementwise() {
    for n in [4_096, 16_777_216] {
        let (mut x, mut y) = (numbers(n), numbers(n));
        let a = NativeArg::Scalar(Scalar::F32(0.5));
        let kernel = def(saxpy::ENTRY);
        // The same memory for both: where it lies counts for more than the loops.
        let theirs = median(|| by_hand::saxpy(0.5, black_box(&x), black_box(&mut y)));
        let args = [a, slice(&mut x), slice(&mut y)];
        let ours = median(|| run(kernel, &[n], black_box(&args), false));
        line(&format!("saxpy, {n}"), ours, "zip", theirs);
        let checked = median(|| run(kernel, &[n], black_box(&args), true));
        line(&format!("saxpy, {n}, checked"), checked, "zip", theirs);
    }
    let n = 65_536;
    let (mut x, mut y, mut z) = (numbers(n), numbers(n), numbers(n));
    let theirs = median(|| by_hand::gelu(black_box(&x), black_box(&mut z)));
    let args = [slice(&mut x), slice(&mut y)];
    let ours = median(|| run(def(gelu::ENTRY), &[n], black_box(&args), false));
    line(&format!("gelu, {n}"), ours, "zip", theirs);
    assert_eq!(y, z);
}

fn rows() {
    for (rows, n) in [(64, 1024), (16, 65_536)] {
        let (mut x, mut y, mut z) = (numbers(rows * n), numbers(rows * n), numbers(rows * n));
        let theirs = median(|| by_hand::softmax(black_box(&x), black_box(&mut z), n));
        let (mut sums, mut own_sums) = (vec![0.0; rows], vec![0.0; rows]);
        let sum = median(|| by_hand::row_sums(black_box(&x), black_box(&mut own_sums), n));
        let args = [slice(&mut x), slice(&mut y), size(n)];
        let ours = median(|| run(def(row_softmax::ENTRY), &[rows], black_box(&args), false));
        line(&format!("softmax, {rows} x {n}"), ours, "the same by hand", theirs);
        let args = [args[0], slice(&mut sums), size(n)];
        let ours = median(|| run(def(row_sums::ENTRY), &[rows], black_box(&args), false));
        line(&format!("sums, {rows} x {n}"), ours, "the same by hand", sum);
        assert_eq!((y, sums), (z, own_sums));
    }
}

fn products() {
    let n = 512;
    let (mut a, mut b, mut c, mut d) =
        (numbers(n * n), numbers(n * n), numbers(n * n), numbers(n * n));
    let theirs = median(|| by_hand::matmul(black_box(&a), black_box(&b), black_box(&mut d), n));
    let args = [slice(&mut a), slice(&mut b), slice(&mut c), size(n), size(n), size(n)];
    for (name, kernel, dims) in [
        ("tiled", def(matmul_tiled::ENTRY), [n / 16, n / 16]),
        ("naive", def(matmul_naive::ENTRY), [n, n]),
    ] {
        let ours = median(|| run(kernel, &dims, black_box(&args), false));
        let flops = 2.0 * (n * n * n) as f64 / ours.as_secs_f64() / 1e9;
        line(&format!("matmul {n}, {name}: {flops:.1} GFLOP/s"), ours, "i, k, j by hand", theirs);
    }
}

fn main() -> Result<()> {
    if std::env::args().any(|arg| arg == "--disassemble") {
        return disassembly::report();
    }
    elementwise();
    rows();
    products();
    Ok(())
}
