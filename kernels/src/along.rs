//! Elements by their positions along a dimension.
//!
//! Positions are of type `i64`; negative ones count from the end. One outside of the dimension is an
//! out-of-bounds error of the run.

use crate::formula::gradient;
use ringwood_base::{Error, Result, Shape};
use ringwood_device::kernel;
use ringwood_graph::graph::{Attributes, TensorType};
use ringwood_graph::register_operator;

/// `y[o, k, i] = x[o, index[o, k, i], i]`: for `a` times `b` rows of `n` elements, `m` positions each. `p`
/// outer and `c` inner rows of positions are repeated where there are fewer than rows.
#[kernel(
    T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool],
    device = [cpu, opencl, cuda]
)]
pub fn take_along<T>(
    x: &[T],
    index: &[i64],
    y: &mut [T],
    n: usize,
    m: usize,
    b: usize,
    p: usize,
    c: usize,
) {
    let (outer, k, inner) = (gid(0) / (m * b), gid(0) / b % m, gid(0) % b);
    let given = index[(outer % p * m + k) * c + inner % c];
    let at = if given < 0 { given + n as i64 } else { given };
    let inside = at >= 0 && at < n as i64;
    y[gid(0)] = x[if inside { (outer * n + at as usize) * b + inner } else { x.len() }];
}

/// Checks that positions along a dimension have the other extents of a tensor, or 1 for all on a side of it.
fn beside(operands: &[TensorType], attributes: &Attributes) -> Result<()> {
    let axis = attributes.value::<usize>("along", "axis")?;
    let sides = |of: Shape| {
        let (before, rest) = of.split_at(axis);
        [before.to_vec(), rest[1..].to_vec()]
    };
    let (x, positions) = (operands[0].shape, operands[1].shape);
    let fits = |(given, own): (Vec<_>, Vec<_>)| given == own || given.iter().all(|&n| n == 1);
    if sides(positions).into_iter().zip(sides(x)).all(fits) {
        return Ok(());
    }
    Err(Error::shape(format!("positions of {positions} along dimension {axis} of {x}"))
        .help("positions have the other extents of the tensor, or 1 for all of them"))
}

register_operator! {
    /// The elements at positions along dimension `axis`; NumPy's `take_along_axis`. Positions have the other
    /// extents of the result, or 1 for all before or all after the dimension.
    pub TakeAlong = take_along;
    shape: "a... n b..., p... m c... -> a... m b...",
    dtype: "T, i64 -> T",
    attributes: { axis: usize },
    fits: beside,
    gradient: |c| {
        let (axis, shape) = (c.value::<usize>("axis")?, c.type_of(c.operand(0))?.shape);
        gradient(c, |[x, index], _, g| {
            let zeros = g.number(0.0).step(&|c, zero| c.broadcast(zero, &shape));
            [x.gets(zeros.apply_with("put_along", [index, g], [("axis", axis), ("how", 1)]))]
        })
    },
}

/// `x`, with `u[o, k, i]` put at `[o, index[o, k, i], i]`, by rising `k`: 0 replaces what is there, 1 adds
/// to it, 2 multiplies it, 3 and 4 keep the smaller and the larger. Other names are those of
/// [`take_along()`].
#[kernel(
    T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16],
    device = [cpu, opencl, cuda],
    domain = (a, b)
)]
pub fn put_along<T>(
    x: &[T],
    index: &[i64],
    u: &[T],
    y: &mut [T],
    a: usize,
    n: usize,
    m: usize,
    b: usize,
    p: usize,
    c: usize,
    how: usize,
) {
    let (outer, inner, row) = (gid(1), gid(0), n.max(1));
    for k in 0..n {
        y[(outer * row + k) * b + inner] = x[(outer * n + k) * b + inner];
    }
    for k in 0..m {
        let given = index[(outer % p * m + k) * c + inner % c];
        let at = if given < 0 { given + n as i64 } else { given } as usize;
        let next = u[if at < n { (outer * m + k) * b + inner } else { u.len() }];
        if at < n {
            // The remainder shows the proof of stores that the element is one of this row.
            let held = y[(outer * row + at % row) * b + inner];
            y[(outer * row + at % row) * b + inner] = match how {
                0 => next,
                1 => held + next,
                2 => held * next,
                3 => held.min(next),
                _ => held.max(next),
            };
        }
    }
}

register_operator! {
    /// The first operand with elements put at positions along dimension `axis`; NumPy's `put_along_axis`.
    /// Several for one position are put in their order, so that the last one stays. `how`: 0 replaces, 1
    /// adds, 2 multiplies, 3 and 4 keep the smaller and the larger. It has a gradient where it adds.
    pub PutAlong = put_along;
    shape: "a... n b..., p... m c..., a... m b... -> a... n b...",
    dtype: "T, i64, T -> T",
    attributes: { axis: usize, how: usize },
    fits: beside,
    gradient: |c| {
        let how = c.value::<usize>("how")?;
        if how != 1 {
            return Err(Error::unsupported(format!("there is one for `how: 1`, which adds, not for {how}")));
        }
        let axis = c.value::<usize>("axis")?;
        gradient(c, |[x, index, u], _, g| {
            [x.gets(g), u.gets(g.apply_with("take_along", [index], [("axis", axis)]))]
        })
    },
}

/// The position in row-major order of the element with `k` indices, in a tensor of extents `dims`; the
/// largest integer if it is outside.
#[kernel(device = [cpu, opencl, cuda])]
pub fn flat_index(index: &[i64], dims: &[i64], y: &mut [i64], k: usize) {
    let mut flat = 0_i64;
    let mut inside = true;
    for j in 0..k {
        let given = index[gid(0) * k + j];
        let at = if given < 0 { given + dims[j] } else { given };
        inside = inside && at >= 0 && at < dims[j];
        flat = flat * dims[j] + at;
    }
    y[gid(0)] = if inside { flat } else { i64::MAX };
}

register_operator! {
    /// Positions in row-major order of elements with `k` indices each, in a tensor whose extents are the
    /// second operand. Negative indices count from the end.
    pub FlatIndex = flat_index;
    shape: "r... k, k -> r...",
    dtype: "i64, i64 -> i64",
}
