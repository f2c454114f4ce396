//! Operators that find elements by their positions: gathers, scatters, sorts and running totals.

use super::Build;
use super::elementwise::one;
use super::reduce::along;
use ringwood_base::{DType, Result};
use ringwood_graph::compose::{Call, if_less, invalid, inverse, line, misshapen, v};
use ringwood_graph::graph::Value;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("CumProd", |c| running(c, "cumprod")),
    ("CumSum", |c| running(c, "cumsum")),
    ("GatherElements", |c| {
        let (x, at) = (c.operand(0)?, c.operand(1)?);
        let d = c.dimension(x, c.or("axis", 0_i64)?)?;
        let part = corner(c, x, at, d)?;
        one(take(c, part, at, d))
    }),
    ("GatherND", gather_nd),
    ("Hardmax", |c| along(c, hardmax)),
    ("ReverseSequence", reverse_sequence),
    ("Scatter", scatter_elements),
    ("ScatterElements", scatter_elements),
    ("ScatterND", |c| {
        let (x, at, updates) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
        let how = reduction(c)?;
        let shape = c.type_of(x)?.shape;
        let (flat, n) = flat(c, at, &shape)?;
        let (u, rest) = (c.type_of(flat)?.shape.elements(), shape.elements() / n.max(1));
        let rows = c.reshape(x, &[n, rest])?;
        let flat = c.reshape(flat, &[u, 1])?;
        let updates = c.reshape(updates, &[u, rest])?;
        let y = put(c, [rows, flat, updates], 0, how)?;
        one(c.reshape(y, &shape))
    }),
    ("TensorScatter", tensor_scatter),
    ("TopK", |c| {
        let x = c.operand(0)?;
        let d = c.dimension(x, c.or("axis", -1_i64)?)?;
        let count = match c.maybe(1) {
            Some(count) => c.graph.integers(count)?.first().copied(),
            None => c.attribute("k")?,
        };
        let (count, extent) = (count.unwrap_or(0), c.type_of(x)?.shape[d]);
        let m = usize::try_from(count).ok().filter(|m| *m <= extent).ok_or_else(|| {
            misshapen(format!("the first {count} of {extent} elements are asked for"))
        })?;
        let largest = usize::from(c.flag("largest", true)?);
        let attributes = [("axis", d), ("m", m), ("largest", largest)];
        let at = c.apply_with("top", &[x], attributes)?;
        Ok(vec![take(c, x, at, d)?, at])
    }),
];

/// The elements at positions along a dimension.
fn take(c: &mut Call<'_>, x: Value, at: Value, d: usize) -> Result<Value> {
    let at = c.cast(at, DType::I64)?;
    c.apply_with("take_along", &[x, at], [("axis", d)])
}

/// Positions along dimension `d` of a value, each for all of its rows.
pub(super) fn picked(c: &mut Call<'_>, x: Value, d: usize, at: &[i64]) -> Result<Value> {
    let shape = line(c.rank(x)?, d, at.len());
    let at = c.graph.constant(&shape, at)?;
    take(c, x, at, d)
}

/// `[x, at, updates]`: `x` with updates put at positions along a dimension.
fn put(c: &mut Call<'_>, [x, at, u]: [Value; 3], d: usize, how: usize) -> Result<Value> {
    let at = c.cast(at, DType::I64)?;
    if c.type_of(x)?.dtype == DType::Bool {
        let bytes = [c.cast(x, DType::U8)?, at, c.cast(u, DType::U8)?];
        let y = put(c, bytes, d, how)?;
        return c.cast(y, DType::Bool);
    }
    c.apply_with("put_along", &[x, at, u], [("axis", d), ("how", how)])
}

/// What the operator `put_along` does, by its number.
fn reduction(c: &Call<'_>) -> Result<usize> {
    let name = c.text("reduction", "none")?;
    let known = ["none", "add", "mul", "min", "max"].iter().position(|n| *n == name);
    known.ok_or_else(|| invalid(format!("there is no reduction `{name}`")))
}

/// The first elements of `x`, as many as there are positions, along all dimensions but `d`.
fn corner(c: &mut Call<'_>, mut x: Value, at: Value, d: usize) -> Result<Value> {
    let (shape, wanted) = (c.type_of(x)?.shape, c.type_of(at)?.shape);
    let fits = |e: usize| e == d || wanted[e] <= shape[e];
    if shape.len() != wanted.len() || !(0..shape.len()).all(fits) {
        return Err(misshapen(format!(
            "positions of shape {wanted} along dimension {d} of {shape}"
        )));
    }
    for e in (0..shape.len()).filter(|&e| e != d && wanted[e] < shape[e]) {
        x = c.slice(x, e, 0..wanted[e], 1)?;
    }
    Ok(x)
}

fn scatter_elements(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, at, updates) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
    let how = reduction(c)?;
    let d = c.dimension(x, c.or("axis", 0_i64)?)?;
    let (shape, wanted) = (c.type_of(x)?.shape, c.type_of(at)?.shape);
    if wanted.elements() == 0 {
        return Ok(vec![x]);
    }
    let part = corner(c, x, at, d)?;
    let mut y = put(c, [part, at, updates], d, how)?;
    // What is beside the corner stays, dimension by dimension.
    for e in (0..shape.len()).filter(|&e| e != d && wanted[e] < shape[e]) {
        let mut rest = c.slice(x, e, wanted[e]..shape[e], 1)?;
        for later in (e + 1..shape.len()).filter(|&later| later != d) {
            rest = c.slice(rest, later, 0..wanted[later], 1)?;
        }
        y = c.concat(&[y, rest], e)?;
    }
    Ok(vec![y])
}

/// Positions, in row-major order of the first extents of `shape`, that rows of indices name; and the number
/// of such positions.
fn flat(c: &mut Call<'_>, at: Value, shape: &[usize]) -> Result<(Value, usize)> {
    let wanted = c.type_of(at)?.shape;
    let k = wanted
        .last()
        .copied()
        .filter(|k| *k <= shape.len())
        .ok_or_else(|| misshapen(format!("indices of shape {wanted} for {shape:?}")))?;
    let extents: Vec<_> = shape[..k].iter().map(|&n| n as i64).collect();
    let extents = c.graph.constant(&[k], &extents)?;
    let at = c.cast(at, DType::I64)?;
    Ok((c.apply("flat_index", &[at, extents])?, shape[..k].iter().product()))
}

/// Elements or parts by their indices; dimensions that make a batch have their own places among them.
fn gather_nd(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, at) = (c.operand(0)?, c.operand(1)?);
    let (shape, wanted) = (c.type_of(x)?.shape, c.type_of(at)?.shape);
    let batch = c.or("batch_dims", 0_i64)?.max(0) as usize;
    let (Some((k, places)), true) = (wanted.split_last(), batch < wanted.len()) else {
        return Err(misshapen(format!(
            "indices of shape {wanted} with {batch} dimensions of a batch"
        )));
    };
    let mut at = c.cast(at, DType::I64)?;
    for d in (0..batch).rev() {
        let mut column = wanted.to_vec();
        column[places.len()] = 1;
        let numbers = c.counted(&line(wanted.len(), d, wanted[d]))?;
        let column = c.broadcast(numbers, &column)?;
        at = c.apply_with("concat", &[column, at], [("axis", -1_i64)])?;
    }
    let (flat, n) = flat(c, at, &shape)?;
    let u = places.iter().product();
    let (flat, rows) =
        (c.reshape(flat, &[u, 1])?, c.reshape(x, &[n, shape.elements() / n.max(1)])?);
    let y = take(c, rows, flat, 0)?;
    let result: Vec<_> = places.iter().chain(&shape[batch + k..]).copied().collect();
    one(c.reshape(y, &result))
}

/// Updates written into a cache, from a place of each of its entries on.
fn tensor_scatter(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, updates) = (c.operand(0)?, c.operand(1)?);
    let d = c.dimension(x, c.or("axis", -2_i64)?)?;
    let (shape, extents) = (c.type_of(x)?.shape, c.type_of(updates)?.shape);
    if extents.len() != shape.len() {
        return Err(misshapen(format!("updates {extents} of {shape}")));
    }
    let mut at = c.counted(&[extents[d]])?;
    if let Some(start) = c.maybe(2) {
        let mut column = vec![1; d + 1];
        column[0] = shape[0];
        let start = c.reshape(start, &column)?;
        let start = c.cast(start, DType::I64)?;
        at = c.apply("add", &[start, at])?;
    }
    if c.text("mode", "linear")? == "circular" {
        let extent = c.number(DType::I64, shape[d] as f64)?;
        at = c.apply("rem", &[at, extent])?;
    }
    let at = c.broadcast(at, &extents[..=d])?;
    let mut places = extents[..=d].to_vec();
    places.resize(shape.len(), 1);
    let at = c.reshape(at, &places)?;
    one(put(c, [x, at, updates], d, 0))
}

/// The first elements of each sequence, as many as are said, in reverse.
fn reverse_sequence(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, lengths) = (c.operand(0)?, c.operand(1)?);
    let shape = c.type_of(x)?.shape;
    let batch = c.dimension(x, c.or("batch_axis", 1_i64)?)?;
    let time = c.dimension(x, c.or("time_axis", 0_i64)?)?;
    let rest = (0..shape.len()).filter(|&d| d != batch && d != time);
    let order: Vec<_> = [batch, time].into_iter().chain(rest).collect();
    let turned = c.permute(x, &order)?;
    let numbers = c.counted(&[1, shape[time]])?;
    let lengths = c.reshape(lengths, &[shape[batch], 1])?;
    let lengths = c.cast(lengths, DType::I64)?;
    let at = c.eval(if_less(numbers, lengths, v(lengths) - 1.0 - numbers, numbers))?;
    let mut places = vec![1; shape.len()];
    (places[0], places[1]) = (shape[batch], shape[time]);
    let at = c.reshape(at, &places)?;
    let y = take(c, turned, at, 1)?;
    one(c.permute(y, &inverse(&order)))
}

/// 1 at the first largest element of each row, 0 elsewhere.
fn hardmax(c: &mut Call<'_>, rows: Value) -> Result<Value> {
    let ty = c.type_of(rows)?;
    let d = ty.shape.len() - 1;
    let at = c.apply_with("argmax", &[rows], [("axis", d)])?;
    let at = c.unsqueeze(at, -1)?;
    let at = c.cast(at, DType::I64)?;
    let numbers = c.counted(&[ty.shape[d]])?;
    let hot = c.apply("equal", &[at, numbers])?;
    c.cast(hot, ty.dtype)
}

fn running(c: &mut Call<'_>, operator: &str) -> Result<Vec<Value>> {
    let (x, axis) = (c.operand(0)?, c.operand(1)?);
    let axis = c.graph.integers(axis)?.first().copied().unwrap_or(0);
    let d = c.dimension(x, axis)?;
    let (exclusive, reverse) = (c.flag("exclusive", false)?, c.flag("reverse", false)?);
    let attributes = [("axis", d), ("exclusive", exclusive.into()), ("reverse", reverse.into())];
    one(c.apply_with(operator, &[x], attributes))
}
