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

#[kernel(device = cpu, domain = x.len())]
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

/// Elements between two that are read.
const STRIDE: usize = 3;
const LOWEST: i64 = i64::MIN;
const TENTH: f32 = 0.1;
const ENABLED: bool = true;

#[kernel(device = cpu)]
fn odd_constants(x: &[f32], y: &mut [f32], z: &mut [i64], n: usize) {
    const TAPS: usize = STRIDE_OF_TAPS + 2;
    const STRIDE_OF_TAPS: usize = 1 << 1;
    const WEIGHTS: [f32; TAPS] = [0.25, -0.5, 1.0, 0.125];
    let i = gid(0);
    let mut s = core::f32::consts::PI;
    for k in 0..TAPS {
        s += WEIGHTS[k] * x[(i * STRIDE + k) % x.len()];
    }
    if ENABLED {
        s *= TENTH;
    }
    y[i] = s;
    if i < n {
        z[i] = LOWEST + i as i64;
    }
}

#[kernel(device = cpu)]
fn odd_ranges(x: &[f32], y: &mut [f32], n: usize, low: i32, high: i32) {
    let i = gid(0);
    let mut s = 0.0;
    for k in (0..n).rev() {
        s = s * 0.5 + x[k];
    }
    for k in (i..n).step_by(3) {
        s -= x[k];
    }
    for k in (1..n).step_by(2).rev() {
        s = s * 1.5 + x[k];
    }
    for k in (i..=n).rev().step_by(n % 4) {
        s += k as f32 + x[k];
    }
    for k in low..=high.min(low + 9) {
        s = s * 0.5 + k as f32;
    }
    for k in (low..high).rev().step_by(700_000_000) {
        s += k as f32;
    }
    for k in 250_u8..=255 {
        s += k as f32;
    }
    y[i] = s;
}

#[kernel(device = cpu)]
fn odd_returns(x: &[f32], y: &mut [f32], n: usize) {
    let i = gid(0);
    if i % 7 == 6 {
        return;
    } else if i % 7 == 5 {
        y[i] = -5.0;
        return;
    }
    if i % 2 == 0 {
        if x[i] > 1.0 {
            return;
        }
        y[i] = 0.5;
    }
    for a in 0..n {
        for b in 0..3 {
            if x[(a * 3 + b + i) % x.len()] < 0.0 {
                y[i] = a as f32;
                return;
            }
        }
        y[i] += 1.0;
    }
    match i % 3 {
        0 => return,
        1 => y[i] *= 2.0,
        _ => {}
    }
    y[i] += 100.0;
}

#[kernel(map, device = cpu)]
fn odd_early(x: f32, limit: f32) -> f32 {
    let mut v = x;
    for k in 0..4 {
        if v > limit {
            return k as f32;
        }
        v += v;
    }
    if limit > 0.0 {
        return f32::max(v, 2.0);
    }
    -v
}

#[kernel(device = cpu)]
fn odd_tuples(x: &[f32], y: &mut [f32], n: usize) {
    let i = gid(0);
    let mut t = [0.0; 4];
    for k in 0..4 {
        t[k] = x[(i + k) % x.len()];
    }
    for k in 0..3 {
        if t[k] > t[k + 1] {
            (t[k], t[k + 1]) = (t[k + 1], t[k]);
        }
    }
    let (mut a, mut b) = (t[0], t[3]);
    (a, b) = (b, a);
    y[i] = match (i % 2, n % 3) {
        (0, 0) => a,
        (0, 1 | 2) => a - b,
        (_, 2) if b > 0.0 => b,
        _ => t[1] + t[2],
    };
}

#[kernel(device = cpu, domain = n)]
fn odd_reversed(x: &[f32], y: &mut [f32], z: &mut [f32], n: usize, w: usize) {
    let mut i = gid(0);
    let v = x[i];
    y[n - 1 - i] = v;
    if i >= w {
        return;
    }
    i = w - 1 - i;
    for c in (0..3).rev() {
        z[i * 3 + c] = v + c as f32;
    }
}

#[kernel(device = cpu, domain = n)]
fn odd_transposed(x: &[f32], y: &mut [f32], z: &mut [f32], n: usize, w: usize, h: usize) {
    let i = gid(0);
    let (r, c) = (i / w, i % w);
    y[c * h + r] = x[i];
    let (a, b, c) = (i / (h * w), i / w % h, i % w);
    z[(c * h + b) * n + (n - 1 - a)] = x[i];
}

#[kernel(device = cpu, domain = n)]
fn odd_stockham(x: &[f32], y: &mut [f32], n: usize, p: usize) {
    let i = gid(0);
    let k = i % p;
    let j = ((i - k) << 1) + k;
    let (a, b) = (x[i], x[i + n]);
    y[j] = a + b;
    y[j + p] = a - b;
}
