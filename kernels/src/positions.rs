//! Elements by their positions: gathers, scatters, sorts and running totals.

use crate::composed::composed;
use crate::views::integers;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, if_less, inverse, line, v};
use ringwood_graph::graph::Value;

composed! {
    /// Running sums along the axis that the second operand holds. NumPy's `cumsum`.
    RunningSum "running_sum" { exclusive: bool, reverse: bool } = |c| running(c, "cumsum");
    /// Running products along the axis that the second operand holds. NumPy's `cumprod`.
    RunningProduct "running_product" { exclusive: bool, reverse: bool } = |c| running(c, "cumprod");
    /// Elements at positions along an axis; negative ones count from the end. PyTorch's `gather`.
    GatherElements "gather_elements" { axis: i64 } = |c| {
        let (x, at) = (c.operand(0)?, c.operand(1)?);
        let d = c.dimension(x, c.or("axis", 0_i64)?)?;
        let part = corner(c, x, at, d)?;
        Ok(vec![c.take(part, at, d)?])
    };
    /// Elements or parts by their indices. ONNX's `GatherND`.
    GatherNd "gather_nd" { batch_dims: i64 } = gather_nd;
    /// The first elements of each sequence, as many as the second operand says, in reverse. ONNX's `ReverseSequence`.
    ReverseSequence "reverse_sequence" { batch_axis: i64, time_axis: i64 } = reverse_sequence;
    /// Updates put or merged at positions along an axis: a tensor, positions, updates. PyTorch's `scatter_reduce`.
    ScatterElements "scatter_elements" { axis: i64, reduction: str } = scatter_elements;
    /// Parts put or added by their indices: operands are a tensor, indices, updates. ONNX's `ScatterND`.
    ScatterNd "scatter_nd" { reduction: str } = scatter_nd;
    /// Updates written into a cache, from a place of each of its entries on. ONNX's `TensorScatter`.
    WriteCache "write_cache" { axis: i64, mode: str } = tensor_scatter;
    /// The largest or smallest elements along an axis in order, and where they are. PyTorch's `topk`.
    TopK "top_k" { axis: i64, k: i64, largest: bool, sorted: bool } = top_k;
}

fn scatter_nd(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, at, updates) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
    let how = reduction(c)?;
    let shape = c.type_of(x)?.shape;
    let (flat, n) = flat(c, at, &shape)?;
    let (u, rest) = (c.type_of(flat)?.shape.elements(), shape.elements() / n.max(1));
    let rows = c.reshape(x, &[n, rest])?;
    let flat = c.reshape(flat, &[u, 1])?;
    let updates = c.reshape(updates, &[u, rest])?;
    let y = put(c, [rows, flat, updates], 0, how)?;
    Ok(vec![c.reshape(y, &shape)?])
}

fn top_k(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let d = c.dimension(x, c.or("axis", -1_i64)?)?;
    let count = match c.maybe(1) {
        Some(count) => c.graph.integers(count)?.first().copied(),
        None => c.attribute("k")?,
    };
    let (count, extent) = (count.unwrap_or(0), c.type_of(x)?.shape[d]);
    let m = usize::try_from(count).ok().filter(|m| *m <= extent).ok_or_else(|| {
        Error::shape(format!("the first {count} of {extent} elements are asked for"))
    })?;
    let largest = usize::from(c.flag("largest", true)?);
    let attributes = [("axis", d), ("m", m), ("largest", largest)];
    let at = c.apply_with("top", &[x], attributes)?;
    Ok(vec![c.take(x, at, d)?, at])
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
    const WORDS: [&str; 5] = ["none", "add", "mul", "min", "max"];
    let word = c.choice("reduction", &WORDS)?;
    Ok(WORDS.iter().take_while(|known| **known != word).count())
}

/// The first elements of `x`, as many as there are positions, along all dimensions but `d`.
fn corner(c: &mut Call<'_>, mut x: Value, at: Value, d: usize) -> Result<Value> {
    let (shape, wanted) = (c.type_of(x)?.shape, c.type_of(at)?.shape);
    let fits = |e: usize| e == d || wanted[e] <= shape[e];
    if shape.len() != wanted.len() || !(0..shape.len()).all(fits) {
        let message = format!("positions of shape {wanted} along dimension {d} of {shape}");
        return Err(Error::shape(message));
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
    let k = wanted.last().copied().filter(|k| *k <= shape.len());
    let k = k.ok_or_else(|| Error::shape(format!("indices of shape {wanted} for {shape:?}")))?;
    let extents = c.graph.constant(&[k], &integers(&shape[..k]))?;
    let at = c.cast(at, DType::I64)?;
    Ok((c.apply("flat_index", &[at, extents])?, shape[..k].iter().product()))
}

/// Elements or parts by their indices; dimensions that make a batch have their own places among them.
fn gather_nd(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, at) = (c.operand(0)?, c.operand(1)?);
    let (shape, wanted) = (c.type_of(x)?.shape, c.type_of(at)?.shape);
    let batch = c.or("batch_dims", 0_i64)?.max(0) as usize;
    let (Some((k, places)), true) = (wanted.split_last(), batch < wanted.len()) else {
        let message = format!("indices of shape {wanted} with {batch} dimensions of a batch");
        return Err(Error::shape(message));
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
    let y = c.take(rows, flat, 0)?;
    let result: Vec<_> = places.iter().chain(&shape[batch + k..]).copied().collect();
    Ok(vec![c.reshape(y, &result)?])
}

/// Updates written into a cache, from a place of each of its entries on.
fn tensor_scatter(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, updates) = (c.operand(0)?, c.operand(1)?);
    let d = c.dimension(x, c.or("axis", -2_i64)?)?;
    let (shape, extents) = (c.type_of(x)?.shape, c.type_of(updates)?.shape);
    if extents.len() != shape.len() {
        return Err(Error::shape(format!("updates {extents} of {shape}")));
    }
    let mut at = c.counted(&[extents[d]])?;
    if let Some(start) = c.maybe(2) {
        let mut column = vec![1; d + 1];
        column[0] = shape[0];
        let start = c.reshape(start, &column)?;
        at = c.eval(v(start).to(DType::I64) + at)?;
    }
    if c.choice("mode", &["linear", "circular"])? == "circular" {
        let extent = c.number(DType::I64, shape[d] as f64)?;
        at = c.apply("rem", &[at, extent])?;
    }
    let at = c.broadcast(at, &extents[..=d])?;
    let mut places = extents[..=d].to_vec();
    places.resize(shape.len(), 1);
    let at = c.reshape(at, &places)?;
    Ok(vec![put(c, [x, at, updates], d, 0)?])
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
    let lengths = c.cast(lengths, DType::I64)?;
    let lengths = c.reshape(lengths, &[shape[batch], 1])?;
    let at = c.eval(if_less(numbers, lengths, v(lengths) - 1.0 - numbers, numbers))?;
    let mut places = vec![1; shape.len()];
    (places[0], places[1]) = (shape[batch], shape[time]);
    let at = c.reshape(at, &places)?;
    let y = c.take(turned, at, 1)?;
    Ok(vec![c.permute(y, &inverse(&order))?])
}

fn running(c: &mut Call<'_>, operator: &str) -> Result<Vec<Value>> {
    let (x, axis) = (c.operand(0)?, c.operand(1)?);
    let axis = c.graph.integers(axis)?.first().copied().unwrap_or(0);
    let d = c.dimension(x, axis)?;
    let (exclusive, reverse) = (c.flag("exclusive", false)?, c.flag("reverse", false)?);
    let attributes = [("axis", d), ("exclusive", exclusive.into()), ("reverse", reverse.into())];
    Ok(vec![c.apply_with(operator, &[x], attributes)?])
}
