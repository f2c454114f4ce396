//! Two group kernels, for tests and benches: rows, and tiles with barriers.

use super::kernel;

#[kernel(device = cpu, group = 256, groups = y.len() / n)]
pub(crate) fn row_softmax(x: &[f32], y: &mut [f32], n: usize) {
    let row = grp(0) * n;
    let mut m = f32::NEG_INFINITY;
    for k in group_range(n) {
        m = m.max(x[row + k]);
    }
    let mx = group_max(m);
    let mut s = 0.0;
    for k in group_range(n) {
        s += (x[row + k] - mx).exp();
    }
    let inv = 1.0 / group_sum(s);
    for k in group_range(n) {
        y[row + k] = (x[row + k] - mx).exp() * inv;
    }
}

#[kernel(device = cpu, group = (16, 16), groups = (m.div_ceil(16), n.div_ceil(16)))]
pub(crate) fn matmul_tiled(a: &[f32], b: &[f32], c: &mut [f32], m: usize, k: usize, n: usize) {
    shared!(ta: [[f32; 16]; 16]);
    shared!(tb: [[f32; 16]; 16]);
    let row = grp(1) * 16 + lid(1);
    let col = grp(0) * 16 + lid(0);
    let mut acc = 0.0;
    for t in 0..k.div_ceil(16) {
        let ka = t * 16 + lid(0);
        let kb = t * 16 + lid(1);
        ta[lid(1)][lid(0)] = if row < m && ka < k { a[row * k + ka] } else { 0.0 };
        tb[lid(1)][lid(0)] = if kb < k && col < n { b[kb * n + col] } else { 0.0 };
        barrier();
        for i in 0..16 {
            acc += ta[lid(1)][i] * tb[i][lid(0)];
        }
        barrier();
    }
    if row < m && col < n {
        c[row * n + col] = acc;
    }
}
