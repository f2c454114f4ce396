//! Rows by index.
//!
//! Indices are of type `i32`. One outside of the rows is an out-of-bounds error of the run.

use ringwood_device::kernel;
use ringwood_graph::register_operator;

/// Row `index[i]` of `x`, which has rows of `d` elements; PyTorch's `x[index]` and `embedding`.
#[kernel(
    T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool],
    device = [cpu, opencl, cuda],
    domain = (index.len(), d)
)]
pub fn gather<T>(x: &[T], index: &[i32], y: &mut [T], v: usize, d: usize) {
    let row = index[gid(1)] as usize;
    let at = if row < v { row * d + gid(0) } else { x.len() };
    y[gid(1) * d + gid(0)] = x[at];
}

register_operator! {
    /// The rows of a matrix at each of some indices: an embedding of tokens.
    pub Gather = gather;
    shape: "v d, r... -> r... d",
    dtype: "T, i32 -> T",
    gradient: |c| {
        let (x, index, g) = (c.operand(0), c.operand(1), c.gradient()?);
        let v = c.type_of(x)?.shape[0];
        let to_x = c.apply_with("scatter_add", &[g, index], [("v", v)])?;
        c.add(0, to_x)
    },
}

/// `v` rows of `d` elements: row `k` is the sum of the rows `i` of `x` with `index[i] = k`; PyTorch's
/// `index_add` to zeros.
///
/// Each element looks at all indices, so the sum has the order of the indices, on every device.
#[kernel(
    T in [f32, f64, f16, bf16, i32, i64, u32, u64],
    device = [cpu, opencl, cuda],
    domain = (y.len() / d, d)
)]
pub fn scatter_add<T>(x: &[T], index: &[i32], y: &mut [T], r: usize, d: usize) {
    let row = gid(1);
    let mut total = 0 as Acc<T>;
    for k in 0..r {
        if index[k] as usize == row {
            total += x[k * d + gid(0)] as Acc<T>;
        }
    }
    y[row * d + gid(0)] = total as T;
}

register_operator! {
    /// `v` rows, each the sum of those of the first operand whose index it is.
    pub ScatterAdd = scatter_add;
    shape: "r... d, r... -> v d",
    dtype: "T, i32 -> T",
    attributes: { v: usize },
    gradient: |c| {
        let (index, g) = (c.operand(1), c.gradient()?);
        let to_x = c.apply("gather", &[g, index])?;
        c.add(0, to_x)
    },
}
