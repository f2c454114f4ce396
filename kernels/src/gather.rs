//! Rows by index.
//!
//! Indices are of type `i32`. One outside of the rows is an out-of-bounds error of the run.

use crate::formula::gradient;
use ringwood_base::{Error, Result};
use ringwood_device::kernel;
use ringwood_graph::graph::{GradientContext, Value};
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
        let v = c.type_of(c.operand(0))?.shape[0];
        gradient(c, |[x, index], _, g| [x.gets(g.apply_with("scatter_add", [index], [("v", v)]))])
    },
}

/// Where each index comes from, were they in order: position `t` of the result is that of the index with `t` before it. Equals
/// keep their order.
#[kernel(host, device = cpu)]
pub fn index_order(index: &[i32], order: &mut [i32]) {
    order.iter_mut().zip(0..).for_each(|(position, k)| *position = k);
    order.sort_by_key(|&position| index[position as usize]);
}

/// Each work-item stores its own position at its rank, of which there are no two.
#[kernel(unique, device = [opencl, cuda], implements = index_order, domain = (index.len()))]
pub fn index_order_counted(index: &[i32], order: &mut [i32]) {
    let own = index[gid(0)];
    let mut rank = 0_usize;
    for k in 0..index.len() {
        if index[k] < own || index[k] == own && k < gid(0) {
            rank += 1;
        }
    }
    order[rank] = gid(0) as i32;
}

register_operator! {
    /// The positions of indices in order; equals keep theirs.
    pub IndexOrder = index_order;
    shape: "r -> r",
    dtype: "i32 -> i32",
}

/// How many of `index`, whose positions in order are `order`, are below each of the first numbers.
#[kernel(device = [cpu, opencl, cuda])]
pub fn index_starts(index: &[i32], order: &[i32], starts: &mut [i32]) {
    let mut low = 0_usize;
    let mut high = index.len();
    while low < high {
        let middle = (low + high) / 2;
        if index[order[middle] as usize] < gid(0) as i32 {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    starts[gid(0)] = low as i32;
}

register_operator! {
    /// How many indices are below each of the first `n` numbers: where that one starts among them in order.
    pub IndexStarts = index_starts;
    shape: "r, r -> n",
    dtype: "i32, i32 -> i32",
    attributes: { n: usize },
}

/// Rows of `d` elements: row `k` is the sum of the rows `i` of `x` with `index[i] = k`, which stand in `order` from `starts[k]` on.
#[kernel(
    T in [f32, f64, f16, bf16, i32, i64, u32, u64],
    device = [cpu, opencl, cuda],
    domain = (y.len() / d, d)
)]
pub fn sum_picked<T>(x: &[T], index: &[i32], order: &[i32], starts: &[i32], y: &mut [T], d: usize) {
    let mut total = 0 as Acc<T>;
    let mut k = starts[gid(1)] as usize;
    while k < order.len() && index[order[k] as usize] == gid(1) as i32 {
        total += x[order[k] as usize * d + gid(0)] as Acc<T>;
        k += 1;
    }
    y[gid(1) * d + gid(0)] = total as T;
}

register_operator! {
    /// The last part of [`ScatterAdd`]: rows, the index of each, the order of these, and where each row starts there.
    pub SumPicked = sum_picked;
    shape: "r d, r, r, v -> v d",
    dtype: "T, i32, i32, i32 -> T",
    gradient: |c| {
        let index = c.operand(1);
        gradient(c, |[x, _, _, _], _, g| [x.gets(g.step(&|c, g| rows_or_zeros(c, g, index)))])
    },
}

/// The rows of a matrix at each of some indices, zeros where an index is of no row.
fn rows_or_zeros(c: &mut GradientContext<'_>, rows: Value, index: Value) -> Result<Value> {
    let (shape, count) = (c.type_of(rows)?.shape, c.type_of(index)?.shape[0]);
    let zero = c.constant(0.0)?;
    let Some(last) = shape[0].checked_sub(1) else {
        return c.broadcast(zero, &[count, shape[1]]);
    };
    let last = i32::try_from(last).unwrap_or(i32::MAX);
    let (first, last) = (c.graph.constant(&[], &[0_i32])?, c.graph.constant(&[], &[last])?);
    let near = c.apply("clamp", &[index, first, last])?;
    let inside = c.apply("equal", &[index, near])?;
    let inside = c.reshape(inside, &[count, 1])?;
    let picked = c.apply("gather", &[rows, near])?;
    c.apply("select", &[inside, picked, zero])
}

register_operator! {
    /// `v` rows of `d` elements: row `k` is the sum of the rows `i` of the first operand with `index[i] = k`; PyTorch's
    /// `index_add` to zeros. The sum has the order of the indices, on every device; those of no row count nowhere.
    pub ScatterAdd = "scatter_add";
    decompose: |c| {
        let [x, index] = c.exactly()?;
        let v: usize = c.value("v")?;
        let (rows, shape) = (c.type_of(index)?.shape, c.type_of(x)?.shape);
        if shape.len() != rows.len() + 1 || shape[..rows.len()] != rows[..] {
            let message = format!("scatter_add: rows {shape} and indices {rows}: each row has an index");
            return Err(Error::shape(message));
        }
        let r = rows.elements();
        if let Some(count) = [r, v].into_iter().find(|count| i32::try_from(*count).is_err()) {
            let message = format!("scatter_add: {count} rows, whose positions are beyond {}", i32::MAX);
            return Err(Error::unsupported(message).help("add them in parts"));
        }
        let (index, x) = (c.reshape(index, &[r])?, c.reshape(x, &[r, shape[rows.len()]])?);
        let order = c.apply("index_order", &[index])?;
        let starts = c.apply_with("index_starts", &[index, order], [("n", v)])?;
        Ok(vec![c.apply("sum_picked", &[x, index, order, starts])?])
    },
    attributes: { v: usize },
}
