//! Kernels that use every operation of the language, for differential tests.

use ringwood::kernel;

#[kernel(map, device = cpu, T in [i32, u32, i64, u64])]
fn odd_integers<T>(a: T, b: T) -> T {
    let sum = a + b * (a - b);
    let quotient = sum / b + a % b;
    let bits = (quotient ^ a) & (b | 7) | !a;
    let shifted = (bits << b) + (bits >> a) - (a << (b | 33));
    shifted.min(a).max(b) + 3
}

#[kernel(map, device = cpu, T in [i32, i64])]
fn odd_signs<T>(a: T, b: T) -> T {
    -a + b.abs() - (-b).abs() * T::MIN / T::MAX + -5
}

#[kernel(map, device = cpu, T in [f32, f64])]
fn odd_floats<T>(a: T, b: T, c: T) -> T {
    let rounded = a.floor() + b.ceil() - c.trunc() + (a * b).round_ties_even();
    let smooth = a.exp() * b.tanh() + c.abs().ln() - a.sin() / b.cos();
    let extreme = a.min(b).max(c).max(-0.0) + T::EPSILON;
    if a < b || !(b >= c) && a != c { rounded % smooth } else { a.mul_add(b, c.sqrt()) + extreme }
}

#[kernel(map, device = cpu)]
fn odd_max_of_zeros(a: f32, b: f32) -> f32 {
    1.0 / a.max(b) + 1.0 / a.min(b) + -0.0
}

#[kernel(map, device = cpu)]
fn odd_casts_f64(a: f64) -> i64 {
    (a as i32) as i64 + (a as u32) as i64 + a as i64 - (a as f32 as u64) as i64
        + (a as usize as u32) as i64
        + (a > 0.5) as i64
}

#[kernel(map, device = cpu)]
fn odd_casts_i64(a: i64) -> f32 {
    (a as i32) as f32 + a as u32 as f32 * 0.5 - a as f32
        + (a as f64).sqrt() as f32
        + a as u64 as f32
}

#[kernel(device = cpu)]
fn odd_loops(x: &[f32], y: &mut [f32], k: usize, limit: i32) {
    let i = gid(0);
    let mut s = 0.0;
    let mut j = 1000;
    for c in 0..k {
        j = c;
        if c % 2 == 1 {
            s += x[c];
        } else if x[c] > s {
            s = x[c] - s;
        }
    }
    let mut steps = 0;
    while steps < limit && steps < 20 {
        steps += 3;
        s *= 0.5;
    }
    let shadow = s;
    {
        let shadow = shadow + steps as f32;
        s = s + shadow;
    }
    y[i] = s + x[(j + i) % x.len()];
}

#[kernel(device = cpu, domain = k)]
fn odd_blocks(x: &[f64], y: &mut [f64], k: usize) {
    let row = gid(0);
    let base = row * k;
    for c in 0..k {
        y[base + c] += x[c * k + row];
    }
    for c in 0..k {
        y[row * k + c] *= 2.0;
    }
}

#[kernel(device = cpu, domain = (k, 3, k))]
fn odd_cube(x: &[i32], y: &mut [i32], k: usize) {
    let index = (gid(2) * 3 + gid(1)) * k + gid(0);
    y[index] = x[gid(0)] - (gid(1) + gid(2)) as i32;
}

#[kernel(device = cpu)]
fn odd_pairs(x: &[u32], y: &mut [u32], offset: usize) {
    let i = gid(0);
    y[2 * i + offset] = x[i].wrapping_mul(2_654_435_769) >> 7;
    y[offset + i * 2] ^= x[x.len() - 1 - i];
}

#[kernel(device = cpu)]
fn odd_image(x: &[i64], y: &mut [i64], width: usize, on: bool) {
    if on && x.len() > 0 {
        y[gid(1) * width + gid(0)] = x[gid(0)] << gid(1);
    }
}
