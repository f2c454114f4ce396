//! Kernels over types of 8 and 16 bits and over truth values, with functions and reductions of every kind.

use ringwood::{device_fn, kernel};

/// The element of a table that is nearest, and how many steps led there.
#[device_fn]
fn type_nearest(x: f32, steps: u32) -> f32 {
    let levels = [-1.0_f32, 0.0, 0.25, 4.0];
    let mut best = levels[0];
    let mut left = steps % 7;
    for i in 0..levels.len() {
        if left == 0 {
            break;
        }
        left -= 1;
        if (levels[i] - x).abs() < (best - x).abs() {
            best = levels[i];
        }
    }
    best - left as f32
}

#[device_fn]
fn type_wrapped(a: i64, b: i64) -> i64 {
    let mut c = a;
    while c > b && b > 0 {
        c = c / 2 - b;
    }
    c * 3 + b
}

#[kernel(device = cpu, T in [f32, f16, bf16])]
fn type_row<T>(x: &[T], y: &mut [T], a: f32, n: usize) {
    let i = gid(0);
    let mut s = x[i] * 0.1;
    let mut most = s;
    for k in 0..n {
        s = s * 0.5 + x[(i + k) % x.len()] / 3.0 - a as T;
        most = most.max(s).min(1000.0);
    }
    y[i] = if s < most { s.sqrt() + most.abs() } else { -s };
}

#[kernel(device = cpu, group = 32, groups = y.len().div_ceil(32), T in [f32, f16, bf16])]
fn type_group<T>(x: &[T], y: &mut [T], n: usize) {
    shared!(t: [T; 32]);
    let l = lid(0);
    let i = grp(0) * 32 + l;
    t[l] = if i < x.len() { x[i] } else { 0.5 };
    barrier();
    let mut own = [t[31 - l]; 3];
    for k in group_range(n) {
        own[k % 3] += t[k % 32] * 0.25;
    }
    let sum = group_sum(own[0] - own[1]);
    let least = group_min(own[2]);
    if i < y.len() {
        y[i] = sum * 0.125 + least;
    }
}

#[kernel(device = cpu, group = 16, groups = y.len().div_ceil(16))]
fn type_bytes(x: &[u8], y: &mut [u8], shift: u32) {
    shared!(t: [u8; 16]);
    let l = lid(0);
    let i = grp(0) * 16 + l;
    t[l] = if i < x.len() { x[i] } else { 255 };
    barrier();
    let near = t[(l + 1) % 16];
    let mixed = (t[l] << shift) + near * 3 - (near >> 1) / (t[l] & 15);
    if i < y.len() {
        y[i] = mixed ^ !near;
    }
}

#[kernel(device = cpu, group = 32, groups = y.len().div_ceil(32))]
fn type_functions(x: &[f32], y: &mut [f32], z: &[i64], n: usize) {
    shared!(t: [f32; 32]);
    let l = lid(0);
    let i = grp(0) * 32 + l;
    t[l] = type_nearest(if i < x.len() { x[i] } else { 0.0 }, l as u32);
    barrier();
    let mut s = 0;
    for k in group_range(z.len()) {
        let v: i64 = type_wrapped(z[k], n as i64);
        s += v;
    }
    let total = group_sum(s);
    let level: f32 = type_nearest(t[31 - l], 3);
    if i < y.len() {
        y[i] = level + total as f32;
    }
}

#[kernel(reduce(identity = 1), device = cpu, T in [f32, f64, f16, bf16, i32, u32, i64, u64, u8])]
fn type_product<T>(a: T, b: T) -> T {
    a * b
}

#[kernel(reduce(identity = f32::NEG_INFINITY), device = cpu)]
fn type_farthest(a: f32, b: f32) -> f32 {
    if b.is_infinite() || !a.is_infinite() && a.abs() > b.abs() { a } else { b }
}

#[kernel(device = cpu, group = 16, groups = y.len().div_ceil(16))]
fn type_truths(x: &[bool], y: &mut [bool], flip: bool) {
    shared!(t: [bool; 16]);
    let l = lid(0);
    let i = grp(0) * 16 + l;
    t[l] = if i < x.len() { x[i] } else { flip };
    barrier();
    let mut own = [t[15 - l]; 2];
    own[l % 2] ^= x[l];
    let near = t[(l + 1) % 16];
    if i < y.len() && own[0] != (near < own[1]) {
        y[i] = !y[i] | flip;
    }
}

#[kernel(device = cpu, T in [f32, f16, u8, i64, bool])]
fn type_masked<T>(keep: View<bool, 2>, x: View<T, 2>, y: ViewMut<f64, 2>, hit: ViewMut<bool, 2>) {
    let i = gid(1);
    let j = gid(0);
    let taken = keep[[i, j]] && x[[i, j]] != 0 as T;
    hit[[i, j]] = taken;
    y[[i, j]] = if taken { x[[i, j]] as f64 } else { 1 as T as f64 };
}

#[kernel(device = cpu, racy, domain = x.len())]
fn type_marks(x: &[u32], y: &mut [bool]) {
    y[x[gid(0)] as usize % y.len()] = true;
}
