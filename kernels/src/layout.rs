//! Elements in another arrangement.

use crate::formula::{gradient, maps};
use ringwood_device::kernel;
use ringwood_graph::register_operator;

/// The transpose of `x`, a matrix of `m` rows and `n` columns, by tiles of 32 by 32.
#[kernel(
    T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool],
    device = [cpu, opencl, cuda],
    group = (8, 32),
    groups = (m.div_ceil(32), n.div_ceil(32))
)]
pub fn transpose<T>(x: &[T], y: &mut [T], m: usize, n: usize) {
    // Elements of a column of the tile lie in different banks of a GPU's memory.
    shared!(tile: [[T; 33]; 32]);
    let column = grp(0) * 32 + lid(0);
    for k in 0..4 {
        let row = grp(1) * 32 + k * 8 + lid(1);
        if row < m && column < n {
            tile[k * 8 + lid(1)][lid(0)] = x[row * n + column];
        }
    }
    barrier();
    let row = grp(1) * 32 + lid(0);
    for k in 0..4 {
        let column = grp(0) * 32 + k * 8 + lid(1);
        if column < n && row < m {
            y[column * m + row] = tile[lid(0)][k * 8 + lid(1)];
        }
    }
}

register_operator! {
    /// The transpose of a matrix.
    pub Transpose = transpose;
    shape: "m n -> n m",
    gradient: |c| gradient(c, |[x], _, g| [x.gets(g.apply("transpose", []))]),
}

maps! {
    [
        <T> (map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool], device = [cpu, opencl, cuda])
        "..., ... -> ..."
    ]
    /// `x`, whatever the other element is: repeated along the dimensions that the other operand has more of.
    expand Expand(x: T, _like: T) -> T { x } gradient: |[x, _], _, g| [x.gets(g)];
}
