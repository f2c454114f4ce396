//! Kernels of views, for differential tests.

use ringwood::kernel;

#[kernel(device = [cpu, opencl, cuda], T in [f32, f64, f16, bf16, i32, u64, u8])]
fn view_turn<T>(x: View<T, 2>, y: ViewMut<T, 2>) {
    y[[gid(1), gid(0)]] = x[[gid(0), gid(1)]];
}

/// Outside of its views now and then.
#[kernel(device = [cpu, opencl, cuda])]
fn view_stencil(x: View<f32, 2>, w: View<f32, 1>, y: ViewMut<f32, 2>) {
    let column = gid(0);
    let row = gid(1);
    let mut s = 0.0;
    for k in 0..w.extent(0) {
        s += w[[k]] * x[[row, column + k]];
    }
    y[[row, column]] += s;
}

/// Every rank in one kernel, and a declared domain of extents.
#[kernel(device = [cpu, opencl, cuda], domain = (y.extent(1), y.extent(2) + 1))]
fn view_ranks(a: View<i32, 0>, b: View<i32, 1>, c: View<i32, 8>, y: ViewMut<i32, 3>) {
    let j = gid(1);
    let k = gid(0);
    if k < y.extent(2) {
        for i in 0..y.extent(0) {
            let t = if i < b.extent(0) { b[[i]] } else { a[[]] };
            let mut s = t;
            if i < c.extent(0) && j < c.extent(2) && k < c.extent(7) {
                s += c[[i, 0, j, 0, 0, 0, 0, k]];
            }
            y[[i, j, k]] = s * y[[i, j, k]] + 1;
        }
    }
}

/// Rows that work-items of a group share, of which one writes the sums.
#[kernel(device = [cpu, opencl, cuda], group = 64, groups = x.extent(0))]
fn view_rows(x: View<f32, 2>, y: ViewMut<f32, 2>, sums: ViewMut<f32, 2>) {
    let row = grp(0);
    let mut s = 0.0;
    for k in group_range(x.extent(1)) {
        s += x[[row, k]];
    }
    let sum = group_sum(s);
    for k in group_range(x.extent(1)) {
        y[[row, k]] = x[[row, k]] / sum;
    }
    if lid(0) == 0 {
        sums[[row, 0]] = sum;
        sums[[row, 1]] = sum * 0.5;
    }
}

/// A group for each row, and a scalar for all of them.
#[kernel(device = [cpu, opencl, cuda], row = 64, T in [f32, f64])]
fn row_softmax<T>(scale: T, x: Row<T>, y: RowMut<T>) {
    let mut m = T::NEG_INFINITY;
    for k in group_range(x.len()) {
        m = m.max(x[k] * scale);
    }
    let top = group_max(m);
    let mut s = 0.0;
    for k in group_range(x.len()) {
        s += (x[k] * scale - top).exp();
    }
    let sum = group_sum(s);
    for k in group_range(y.len()) {
        y[k] = (x[k] * scale - top).exp() / sum;
    }
}

/// Rows beside a slice, a view and shared memory; the number of the row.
#[kernel(device = [cpu, opencl, cuda], row = 32)]
fn row_prefix(
    weights: &[i32],
    x: Row<i32>,
    table: View<i32, 1>,
    y: RowMut<i32>,
    last: RowMut<i32>,
) {
    shared!(t: [i32; 32]);
    let l = lid(0);
    t[l] = if l < x.len() && l < weights.len() { x[l] * weights[l] } else { 1 };
    barrier();
    let mut s = grp(0) as i32;
    for k in 0..l + 1 {
        s += t[k];
    }
    if l < y.len() {
        y[l] = if l < table.extent(0) { s - table[[l]] } else { s };
    }
    if l == 0 {
        last[0] = s;
    }
}

/// A tile that is turned in shared memory.
#[kernel(device = [cpu, opencl, cuda], group = (8, 8), groups = (x.extent(0).div_ceil(8), x.extent(1).div_ceil(8)))]
fn view_tile(x: View<i32, 2>, y: ViewMut<i32, 2>) {
    shared!(tile: [[i32; 9]; 8]);
    let i = grp(1) * 8 + lid(1);
    let j = grp(0) * 8 + lid(0);
    tile[lid(1)][lid(0)] = if i < x.extent(0) && j < x.extent(1) { x[[i, j]] } else { 0 };
    barrier();
    let row = grp(0) * 8 + lid(1);
    let column = grp(1) * 8 + lid(0);
    if row < y.extent(0) && column < y.extent(1) {
        y[[row, column]] = tile[lid(0)][lid(1)];
    }
}

/// Several work-items count in one element.
#[kernel(device = [cpu, opencl, cuda], domain = x.extent(0))]
fn view_histogram(x: View<i32, 1>, counts: ViewMut<u32, 2>) {
    let value = x[[gid(0)]] as usize % 4;
    if value / 2 < counts.extent(0) && value % 2 < counts.extent(1) {
        atomic_add(&mut counts[[value / 2, value % 2]], 1);
    }
}

#[kernel(device = cpu, racy, domain = x.extent(0))]
fn view_racy(x: View<f64, 1>, y: ViewMut<f64, 2>) {
    if x[[gid(0)]] > 0.0 {
        y[[0, 0]] = 1.0;
    }
}
