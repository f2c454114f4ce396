//! A kernel for each rule of code generation that is easy to get wrong.

use ringwood::kernel;

/// A value that is computed again behind a barrier takes with it all that it consists of.
#[kernel(device = cpu, group = 32, groups = y.len().div_ceil(32))]
fn rule_computed_again(x: &[f32], y: &mut [f32], n: usize) {
    shared!(t: [f32; 32]);
    let l = lid(0);
    let first = l + n;
    let second = first * 2;
    let third = second + first;
    t[l] = if third < x.len() { x[third] } else { 0.5 };
    barrier();
    let fourth = third - l;
    if grp(0) * 32 + l < y.len() {
        y[grp(0) * 32 + l] = t[31 - l] + fourth as f32 + second as f32;
    }
}

/// What a value was made of may change; the value does not.
#[kernel(device = cpu, group = 32, groups = y.len().div_ceil(32))]
fn rule_kept(x: &[i32], y: &mut [i32]) {
    shared!(t: [i32; 32]);
    let l = lid(0);
    let mut m = l;
    let k = m + 1;
    t[l] = k as i32;
    barrier();
    m = (31 - l) * 3;
    let before = k;
    m = m + k;
    t[31 - l] = m as i32 + t[31 - l];
    barrier();
    let i = grp(0) * 32 + l;
    if i < y.len() {
        y[i] = t[l] * 1000 + (before + k) as i32 + if i < x.len() { x[i] } else { 0 };
    }
}

/// A uniform variable that changes in a uniform branch without a barrier changes once.
#[kernel(device = cpu, group = 64, groups = y.len().div_ceil(64))]
fn rule_once(y: &mut [f32], n: usize, on: bool) {
    let mut s = 0.0_f32;
    if n > 3 {
        s += 1.0;
    } else if on {
        s -= 2.0;
        for c in 0..n {
            if c > 1 {
                s = s * 2.0;
            }
        }
    }
    let i = grp(0) * 64 + lid(0);
    if i < y.len() {
        y[i] = s;
    }
}

/// The sign of a zero that is written stays.
#[kernel(map, device = cpu, T in [f32, f64])]
fn rule_zeros<T>(a: T) -> T {
    let zero = -0.0;
    1.0 / (zero * a.abs()) + 1.0 / (-0.0 + zero)
}

/// Every NaN has one pattern of bits.
#[kernel(map, device = cpu)]
fn rule_nan(a: f32, b: f32) -> u32 {
    (a / b).to_bits()
        ^ (a - b).sqrt().to_bits()
        ^ (-(a * b)).to_bits()
        ^ b.copysign(a * b - a).to_bits()
}

#[kernel(map, device = cpu)]
fn rule_nan_double(a: f64, b: f64) -> u64 {
    (a / b).to_bits() ^ (a - b).sqrt().to_bits() ^ (-(a * b)).to_bits() ^ (b % a).to_bits()
}

/// Names that C, a dialect or generated code has for itself.
#[kernel(device = cpu, group = 16, groups = double.len().div_ceil(16))]
fn rule_names(int: &[f32], double: &mut [f32], k_len0: usize, register: f32, k_fault: u32) {
    shared!(k_shared: [f32; 16]);
    let float = lid(0);
    let threadIdx = grp(0) * 16 + float;
    let k_cell = if threadIdx < int.len() { int[threadIdx] } else { register };
    k_shared[float] = k_cell;
    barrier();
    let mut volatile = 0.0;
    for lane in 0..k_len0 {
        let group = lane % 16;
        volatile += k_shared[group];
    }
    let args = group_sum(volatile);
    let mut launch = [1.0_f32; 4];
    for range in group_range(20) {
        launch[range % 4] += k_shared[(range + k_fault as usize) % 16];
    }
    let fault = launch[float % 4];
    if threadIdx < double.len() {
        double[threadIdx] = args + fault + volatile;
    }
}

#[kernel(device = cpu)]
fn rule_grid_names(kernel: &[i32], global: &mut [i32], main: i32, unsigned: usize) {
    let k_gid = gid(0);
    let long = main + unsigned as i32;
    let mut short = long;
    let get_global_id = unsigned.min(k_gid);
    let core = get_global_id % (unsigned + 1);
    while short > 100 {
        let std = short / 3;
        short = std;
    }
    let min = short.min(long);
    let max = if core < kernel.len() { kernel[core] } else { min };
    global[k_gid] = max + min - short;
}

/// Amounts of shifts of 32 and more, whatever the width of an index.
#[kernel(device = cpu)]
fn rule_shifts(y: &mut [u64], n: usize) {
    let i = gid(0);
    let amount = i + 30;
    y[i] = ((n >> amount) + (n << 33) + (i >> 33)) as u64 + ((n as u32) << amount) as u64;
}

/// A loop of no turn leaves what was before it.
#[kernel(device = cpu, group = 8, groups = y.len().div_ceil(8))]
fn rule_no_turn(x: &[i32], y: &mut [i32], n: usize) {
    let mut j = 1000;
    for c in 0..lid(0) {
        j = c;
    }
    let mut k = 1000;
    for c in group_range(n / 8) {
        k = c;
    }
    let i = grp(0) * 8 + lid(0);
    if i < y.len() {
        y[i] = x[j] + x[k % x.len().max(1)];
    }
}

/// Behind a barrier in a branch, each work-item has a loop of its own.
#[kernel(device = cpu, group = 64, groups = y.len().div_ceil(64))]
fn rule_behind_a_barrier(x: &[f32], y: &mut [f32], n: usize) {
    shared!(t: [f32; 64]);
    let l = lid(0);
    let i = grp(0) * 64 + l;
    let mut s = 0.0;
    t[l] = if i < x.len() { x[i] } else { 1.5 };
    if n > 2 {
        barrier();
        for k in group_range(n) {
            s += t[63 - k % 64] + k as f32;
        }
    } else {
        s = group_sum(t[l]);
        for k in group_range(3) {
            s += k as f32;
        }
    }
    if i < y.len() {
        y[i] = s;
    }
}
