//! Kernels written by hand in OpenCL C, with bodies that say what they compute.

use ringwood_device::kernel;

#[kernel(opencl = include_str!("scaled.cl"), requires(x.len() == y.len()))]
pub(crate) fn scaled(a: f32, x: &[f32], y: &mut [f32]) {
    y[gid(0)] = a * x[gid(0)] + 1.0;
}

#[kernel(
    T in [f32, i32, u8, bool],
    const LANES: usize in [8, 32],
    group = LANES,
    groups = y.len() / LANES,
    requires(x.len() == y.len(), y.len() % LANES == 0),
    opencl = include_str!("reversed.cl")
)]
pub(crate) fn reversed<T, const LANES: usize>(x: &[T], y: &mut [T]) {
    shared!(row: [T; LANES]);
    let at = grp(0) * LANES;
    row[lid(0)] = x[at + lid(0)];
    barrier();
    y[at + lid(0)] = row[LANES - 1 - lid(0)];
}
