//! Group kernels that use every statement of the language, for differential tests; and grid kernels
//! whose work-items run loops together.

use ringwood::kernel;

/// A uniform variable that changes in uniform branches and loops changes once, not once a lane.
#[kernel(device = cpu, group = 64, groups = y.len().div_ceil(64))]
fn odd_uniform_branches(x: &[f32], y: &mut [f32], n: usize) {
    let i = grp(0) * 64 + lid(0);
    let mut s = 0.0_f32;
    if n > 3 {
        s += 1.0;
    }
    let mut t = x.len();
    let mut turns = 0;
    while t > 0 {
        if t % 3 == 0 {
            s = s * 0.5 + 1.0;
        } else {
            turns += 1;
        }
        t = t / 2;
    }
    for c in 0..n {
        if c == 4 {
            break;
        }
        if c % 2 == 0 {
            continue;
        }
        s += c as f32;
    }
    if i < y.len() {
        y[i] = (s + -0.0) / -0.0 + turns as f32;
    }
}

/// Values that several runs use: recomputed, kept for each lane, changed in between.
#[kernel(device = cpu, group = 64, groups = y.len().div_ceil(64))]
fn odd_crossing(x: &[f32], y: &mut [f32], n: usize) {
    shared!(t: [f32; 64]);
    let l = lid(0);
    let i = grp(0) * 64 + l;
    let j = i + n;
    let q = j / 3;
    let mut v = if i < x.len() { x[i] } else { 0.25 };
    t[l] = v;
    barrier();
    let w = t[63 - l];
    v = v + w * 0.5;
    let k = l + 1;
    barrier();
    t[l] = v * (j as f32) + k as f32;
    barrier();
    if j - n < y.len() {
        y[i] = t[k % 64] + q as f32 + v;
    }
}

#[kernel(device = cpu, group = 32, groups = y.len().div_ceil(32))]
fn odd_tree(x: &[i32], y: &mut [i32]) {
    shared!(t: [i32; 32]);
    let l = lid(0);
    let i = grp(0) * 32 + l;
    t[l] = if i < x.len() { x[i] } else { 1 };
    barrier();
    let mut half = 16;
    while half > 0 {
        if l < half {
            t[l] = t[l] * 3 + t[l + half];
        }
        barrier();
        half = half / 2;
    }
    if i < y.len() {
        y[i] = t[0] - l as i32;
    }
}

#[kernel(device = cpu, group = 32, groups = y.len().div_ceil(32))]
fn odd_local_arrays(x: &[f32], y: &mut [f32], n: usize) {
    shared!(t: [f32; 32]);
    let l = lid(0);
    let i = grp(0) * 32 + l;
    let mut own = [0.5_f32; 4];
    for c in 0..4 {
        if i * 4 + c < x.len() {
            own[c] = x[i * 4 + c];
        }
    }
    t[l] = own[l % 4];
    barrier();
    let mut seen = [0_u32; 3];
    let mut s = t[31 - l];
    for c in 0..n {
        seen[(c + l) % 3] += c as u32;
        s = s * 0.5 + own[(c + l) % 4];
    }
    if i < y.len() {
        y[i] = s + (seen[0] * 100 + seen[1] * 10 + seen[2]) as f32;
    }
}

#[kernel(device = cpu, group = (4, 8), groups = (1, y.len().div_ceil(32)))]
fn odd_shared_loops(x: &[f32], y: &mut [f32], n: usize) {
    let l = lid(1) * 8 + lid(0);
    let mut s = 0.0;
    let mut last = 0;
    for k in group_range(x.len()) {
        if x[k] < 0.0 {
            continue;
        }
        s += x[k];
        last = k;
    }
    for k in group_range(x.len() + n) {
        if k > 70 {
            break;
        }
        s = s * 0.5 + k as f32;
    }
    let total = group_sum(s) + group_min(s) - group_max(lid(1) as f32);
    let i = grp(0) * 32 + l;
    if i < y.len() {
        y[i] = total + s + last as f32;
    }
}

#[kernel(device = cpu, group = (2, 4, 4), groups = (1, 1, y.len().div_ceil(32)))]
fn odd_reductions(x: &[i64], y: &mut [i64]) {
    let l = lid(2) * 16 + lid(1) * 4 + lid(0);
    let i = grp(0) * 32 + l;
    let v = if i < x.len() { x[i] } else { l as i64 };
    let sum = group_sum(v * 3);
    let least = group_min(v as i32);
    let most = group_max(v as f64 * 0.5);
    let count = group_sum(l as u32);
    if i < y.len() {
        y[i] = sum + least as i64 - most as i64 + count as i64;
    }
}

#[kernel(device = cpu, group = 16, groups = y.len().div_ceil(16))]
fn odd_lane_loops(x: &[i32], y: &mut [i32], n: usize) {
    let i = grp(0) * 16 + lid(0);
    let mut s = 0;
    let mut c = 0;
    while c < n + lid(0) {
        c += 1;
        if i + c < x.len() && x[i + c] < 0 {
            continue;
        }
        if c > 9 + lid(0) {
            break;
        }
        for d in 0..c {
            if d == 3 {
                break;
            }
            s += d as i32;
        }
        s = s * 2 + c as i32;
    }
    let total = group_sum(s);
    if i < y.len() {
        y[i] = total - s;
    }
}

#[kernel(device = cpu, group = 8, groups = y.len().div_ceil(8))]
fn odd_array_bounds(x: &[f32], y: &mut [f32], n: usize) {
    shared!(t: [[f32; 8]; 3]);
    let l = lid(0);
    let i = grp(0) * 8 + l;
    for r in 0..3 {
        t[r][l] = if i < x.len() { x[i] } else { r as f32 };
    }
    barrier();
    let mut own = [2.0_f32; 5];
    own[n] = 1.5;
    let v = t[n][7 - l] + own[l % 5];
    if i < y.len() {
        y[i] = v + own[n];
    }
}

#[kernel(device = cpu, group = (4, 8), groups = (m.div_ceil(4), n.div_ceil(8)))]
fn odd_tiles(a: &[f32], b: &[f32], c: &mut [f32], m: usize, k: usize, n: usize) {
    shared!(ta: [[f32; 8]; 4]);
    shared!(tb: [[f32; 8]; 8]);
    let row = grp(1) * 4 + lid(1);
    let col = grp(0) * 8 + lid(0);
    let mut acc = 0.0;
    for t in 0..k.div_ceil(8) {
        let ka = t * 8 + lid(0);
        ta[lid(1)][lid(0)] = if row < m && ka < k { a[row * k + ka] } else { 0.0 };
        for half in 0..2 {
            let kb = t * 8 + half * 4 + lid(1);
            tb[half * 4 + lid(1)][lid(0)] = if kb < k && col < n { b[kb * n + col] } else { 0.0 };
        }
        barrier();
        for i in 0..8 {
            acc += ta[lid(1)][i] * tb[i][lid(0)];
        }
        barrier();
    }
    if row < m && col < n {
        c[row * n + col] = acc;
    }
}

#[kernel(device = cpu, domain = (m, n))]
fn odd_product(a: &[f32], b: &[f32], c: &mut [f32], m: usize, k: usize, n: usize) {
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

#[kernel(device = cpu)]
fn odd_row_sums(x: &[f32], y: &mut [f32], n: usize) {
    let i = gid(0);
    let mut s = x.len() as f32;
    for k in 0..n {
        if i * n + k < x.len() {
            s = s * 0.5 + x[i * n + k];
        }
    }
    y[i] = s;
}

#[kernel(device = cpu, group = 32, groups = x.len().div_ceil(32), requires(bins.len() == 16))]
fn odd_histogram(x: &[i32], bins: &mut [u32]) {
    shared!(own: [u32; 16]);
    let l = lid(0);
    let i = grp(0) * 32 + l;
    if l < 16 {
        own[l] = 0;
    }
    barrier();
    if i < x.len() {
        atomic_add(&mut own[(x[i] as u32 % 16) as usize], 1);
    }
    barrier();
    if l < 16 {
        atomic_add(&mut bins[l], own[l]);
    }
}

#[kernel(device = cpu, domain = x.len())]
fn odd_atomics(x: &[i64], y: &mut [i64], z: &mut [i64]) {
    let v = x[gid(0)];
    atomic_min(&mut y[0], v);
    atomic_max(&mut y[1], v);
    atomic_and(&mut y[2], v);
    atomic_or(&mut y[3], v);
    atomic_xor(&mut z[0], v);
    atomic_add(&mut z[1], v * 3);
}

#[kernel(device = cpu, racy, domain = x.len())]
fn odd_racy_marks(x: &[i32], y: &mut [i32], z: &mut [f64]) {
    let v = x[gid(0)];
    if v < 0 && y.len() > 2 {
        y[2] = 7;
        z[0] = -0.5;
    }
}
