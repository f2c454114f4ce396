//! Elements arranged in other ways: parts, pads, tiles, and what is made for a shape.

use crate::composed::composed;
use crate::signal::{numbers, only};
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, dimension, extents, fits, if_less, line, select, v};
use ringwood_graph::graph::Value;

composed! {
    /// Cut or filled with zeros on both sides, to the extents that the second operand holds. ONNX's `CenterCropPad`.
    CenterCropPad "center_crop_pad" { axes: [i64] } = center_crop_pad;
    /// Channels of images as blocks of places. ONNX's `DepthToSpace`.
    DepthToSpace "depth_to_space" { blocksize: i64, mode: str } = depth_to_space;
    /// 1 on diagonal `k` of a matrix of the operand's shape, 0 elsewhere. ONNX's `EyeLike`.
    EyeLike "eye_like" { k: i64, dtype: dtype } = eye_like;
    /// The dimensions before an axis as one, the others as another.
    Flatten "flatten" { axis: i64 } = flatten;
    /// The second of two values at the places of indices, else the first: indices, depth, values. ONNX's `OneHot`.
    OneHot "one_hot" { axis: i64 } = one_hot;
    /// More elements before and after those along axes; numbers below 0 cut some off. ONNX's `Pad`.
    Pad "pad" { mode: str, pads: [i64], axes: [i64], value: f32 } = pad;
    /// From the first operand to before the second one in steps of the third. NumPy's `arange`.
    Range "range" = range;
    /// Blocks of places of images as channels. ONNX's `SpaceToDepth`.
    SpaceToDepth "space_to_depth" { blocksize: i64 } = space_to_depth;
    /// Parts along a dimension: as many as results, or of the extents that the second operand or `split` holds.
    Split "split" { axis: i64, split: [i64] } = split;
    /// Parts along several dimensions, whose starts, ends, axes and steps are operands or attributes. ONNX's `Slice`.
    StridedSlice "strided_slice" { starts: [i64], ends: [i64], axes: [i64], steps: [i64] } = slice;
    /// Slices along an axis, by indices of which negative ones count from the end. NumPy's `take`.
    Take "take" { axis: i64 } = gather;
    /// Repeated along each dimension as often as the second operand says. NumPy's `tile`.
    Tile "tile" = tile;
    /// The upper or lower triangle of each matrix; the diagonal may follow. NumPy's `triu` and `tril`.
    Trilu "trilu" { upper: bool } = trilu;
}

fn center_crop_pad(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (mut x, sizes) = (c.operand(0)?, c.operand(1)?);
    let sizes = extents(&c.graph.integers(sizes)?)?;
    let axes = c.or("axes", (0..sizes.len() as i64).collect::<Vec<_>>())?;
    let zero = c.like(x, 0.0)?;
    for (axis, wanted) in axes.into_iter().zip(sizes) {
        let d = c.dimension(x, axis)?;
        let (extent, wanted) = (c.type_of(x)?.shape[d] as i64, wanted as i64);
        // Where the sides differ, the one at the end is larger.
        let before = if wanted > extent { (wanted - extent) / 2 } else { -((extent - wanted) / 2) };
        x = padded(c, x, d, [before, wanted - extent - before], zero)?;
    }
    Ok(vec![x])
}

/// The places along a side of a block; more would be more elements than there are.
fn side(c: &Call<'_>) -> Result<usize> {
    const MOST: usize = 1 << 16;
    match c.count("blocksize")? {
        side if side > MOST => {
            Err(Error::invalid(format!("`blocksize` is {side}, and not at most {MOST}")))
        }
        side => Ok(side),
    }
}

fn depth_to_space(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let b = side(c)?;
    let [n, d, h, w] = c.extents(x)?;
    let depth = d / (b * b);
    let (split, order) = match c.choice("mode", &["DCR", "CRD"])? {
        "CRD" => ([n, depth, b, b, h, w], [0, 1, 4, 2, 5, 3]),
        _ => ([n, b, b, depth, h, w], [0, 3, 4, 1, 5, 2]),
    };
    let x = c.reshape(x, &split)?;
    let x = c.permute(x, &order)?;
    Ok(vec![c.reshape(x, &[n, depth, h * b, w * b])?])
}

fn eye_like(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let ty = c.type_of(c.operand(0)?)?;
    let [rows, columns] = ty.shape[..] else {
        return Err(Error::shape(format!("{ty} is no matrix")));
    };
    fits(rows, columns)?;
    let k = c.or("k", 0_i64)?;
    let dtype = c.or("dtype", ty.dtype)?;
    let place = |i: usize| (i % columns) as i64 - (i / columns) as i64 == k;
    let ones: Vec<_> = (0..rows * columns).map(|i| f64::from(u8::from(place(i)))).collect();
    Ok(vec![c.constant(dtype, &[rows, columns], &ones)?])
}

fn space_to_depth(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let b = side(c)?;
    let [n, d, h, w] = c.extents(x)?;
    let x = c.reshape(x, &[n, d, h / b, b, w / b, b])?;
    let x = c.permute(x, &[0, 3, 5, 1, 2, 4])?;
    Ok(vec![c.reshape(x, &[n, d * b * b, h / b, w / b])?])
}

fn trilu(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let shape = c.type_of(x)?.shape;
    let [.., rows, columns] = shape[..] else {
        return Err(Error::shape(format!("{shape} has no matrices")));
    };
    let k = c.maybe(1).map_or_else(|| c.number(DType::I64, 0.0), Ok)?;
    let (down, along) = (c.counted(&[rows, 1])?, c.counted(&[columns])?);
    let kept = if c.flag("upper", true)? { "greater_equal" } else { "less_equal" };
    Ok(vec![c.eval(select((v(along) - down).with(kept, k), x, 0.0))?])
}

/// Two dimensions: those before an axis, and the others.
fn flatten(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let shape = c.type_of(x)?.shape;
    let axis = c.or("axis", 1_i64)?;
    let from_end = if axis < 0 { axis + shape.len() as i64 } else { axis };
    let axis = usize::try_from(from_end).ok().filter(|d| *d <= shape.len());
    let axis =
        axis.ok_or_else(|| Error::shape(format!("axis {from_end} is no border in {shape}")))?;
    let (before, after) = shape.split_at(axis);
    Ok(vec![c.reshape(x, &[before.iter().product(), after.iter().product()])?])
}

/// Indices, the negative ones counted from the end, as the kernels of Ringwood take them.
fn indices(c: &mut Call<'_>, indices: Value, extent: usize) -> Result<Value> {
    let ty = c.type_of(indices)?;
    if ty.dtype.is_float() || ty.dtype == DType::Bool {
        return Err(Error::dtype(format!("indices are integers, not {}", ty.dtype)));
    }
    reachable(extent)?;
    if c.graph.known(indices)?.is_some() {
        let indices = c.cast(indices, DType::I64)?;
        let fixed = c.graph.integers(indices)?.into_iter().map(|i| {
            let i = if i < 0 { i.saturating_add(extent as i64) } else { i };
            i.clamp(-1, extent as i64) as i32
        });
        return c.graph.constant(&ty.shape, &fixed.collect::<Vec<_>>());
    }
    let dtype = if is_wide(ty.dtype) { DType::I64 } else { DType::I32 };
    let at = from_end(c, indices, dtype, extent)?;
    narrow(c, at, extent)
}

fn is_wide(dtype: DType) -> bool {
    matches!(dtype, DType::I64 | DType::U64 | DType::U32)
}

/// Checks that all places of a dimension have an `i32` as their index.
fn reachable(extent: usize) -> Result<()> {
    match i32::try_from(extent) {
        Ok(_) => Ok(()),
        Err(_) => {
            let message = format!("indices of {extent} elements, which are beyond {}", i32::MAX);
            Err(Error::unsupported(message).help("index parts of them"))
        }
    }
}

/// Indices as `i32`: one that is outside of the extent stays outside of it.
pub(crate) fn narrow(c: &mut Call<'_>, mut at: Value, extent: usize) -> Result<Value> {
    reachable(extent)?;
    if is_wide(c.type_of(at)?.dtype) {
        let (before, after) = (c.number(DType::I64, -1.0)?, c.number(DType::I64, extent as f64)?);
        at = c.eval(v(at).to(DType::I64).with("max", before).with("min", after))?;
    }
    c.cast(at, DType::I32)
}

/// Indices of a type, the negative ones counted from the end.
fn from_end(c: &mut Call<'_>, indices: Value, dtype: DType, extent: usize) -> Result<Value> {
    let (at, extent) = (c.cast(indices, dtype)?, c.number(dtype, extent as f64)?);
    c.eval(if_less(at, 0.0, v(at) + extent, at))
}

/// Slices along an axis: rows of the operand with that axis first.
fn gather(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, at) = (c.operand(0)?, c.operand(1)?);
    let shape = c.type_of(x)?.shape;
    let d = c.dimension(x, c.or("axis", 0_i64)?)?;
    let places = c.type_of(at)?.shape;
    let at = indices(c, at, shape[d])?;
    let order: Vec<_> = [d].into_iter().chain((0..shape.len()).filter(|&i| i != d)).collect();
    let rest: Vec<_> = order[1..].iter().map(|&i| shape[i]).collect();
    let first = c.permute(x, &order)?;
    let rows = c.reshape(first, &[shape[d], rest.iter().product()])?;
    let y = c.apply("gather", &[rows, at])?;
    let whole: Vec<_> = places.iter().chain(&rest).copied().collect();
    let y = c.reshape(y, &whole)?;
    // The axes of the indices stand where the axis stood.
    let k = places.len();
    let order: Vec<_> = (k..k + d).chain(0..k).chain(k + d..whole.len()).collect();
    Ok(vec![c.permute(y, &order)?])
}

fn one_hot(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (at, depth, values) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
    let depth = c.numbers(depth)?.first().copied().unwrap_or_default();
    if depth.is_nan() || depth < 0.0 {
        return Err(Error::invalid(format!("there are no vectors of {depth} elements")));
    }
    let depth = depth as usize;
    let rank = c.rank(at)? + 1;
    let axis = dimension(c.or("axis", -1_i64)?, rank)?;
    let at = from_end(c, at, DType::I64, depth)?;
    let at = c.unsqueeze(at, axis as i64)?;
    let numbers = c.counted(&line(rank, axis, depth))?;
    let (off, on) = (c.slice(values, 0, 0..1, 1)?, c.slice(values, 0, 1..2, 1)?);
    Ok(vec![c.eval(select(v(at).with("equal", numbers), on, off))?])
}

/// Constants before and after the elements along axes; negative counts cut elements off.
fn pad(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let mut x = c.operand(0)?;
    let mode = c.choice("mode", &["constant", "edge", "reflect", "wrap"])?;
    let pads = c.list(1, "pads")?.unwrap_or_default();
    let rank = c.rank(x)? as i64;
    let axes = c.list(3, "axes")?.unwrap_or_else(|| (0..rank).collect());
    if pads.len() != 2 * axes.len() {
        let message = format!("{} pads are not 2 for each of {} axes", pads.len(), axes.len());
        return Err(Error::shape(message));
    }
    let value = match (c.maybe(2), c.attribute::<f32>("value")?) {
        (Some(value), _) => value,
        (None, number) => c.like(x, number.unwrap_or(0.0))?,
    };
    for (i, axis) in axes.iter().enumerate() {
        let d = c.dimension(x, *axis)?;
        let sides = [pads[i], pads[axes.len() + i]];
        let (extent, cut) = (c.type_of(x)?.shape[d], sides.map(|count| count.min(0)));
        if cut[0].saturating_add(cut[1]).unsigned_abs() > extent as u64 {
            return Err(Error::shape(format!(
                "{sides:?} cuts off more than the {extent} of axis {axis}"
            )));
        }
        x = match mode {
            _ if sides == [0, 0] => x,
            "constant" => padded(c, x, d, sides, value)?,
            mode => {
                // What is cut off is repeated nowhere.
                let kept = extent as i64 + cut[0] + cut[1];
                let added = sides.map(|count| count.max(0) as usize);
                fits(added[0].saturating_add(added[1]).saturating_add(kept as usize), 1)?;
                let places = -sides[0].max(0)..kept + sides[1].max(0);
                let places = places.map(|i| Ok(source(mode, i, kept)? - cut[0]));
                let places = places.collect::<Result<Vec<_>>>()?;
                c.picked(x, d, &places)?
            }
        };
    }
    Ok(vec![x])
}

/// The place of a dimension of `extent` that stands at place `i` of the padded one, counted from its start.
fn source(mode: &str, i: i64, extent: i64) -> Result<i64> {
    let last = extent - 1;
    match mode {
        _ if extent == 0 => Err(Error::shape("there is nothing to repeat")),
        "edge" => Ok(i.clamp(0, last)),
        "reflect" => Ok(last - (last - i.rem_euclid((2 * last).max(1))).abs()),
        _ => Ok(i.rem_euclid(extent)),
    }
}

/// A value with constants before and after its elements along a dimension; negative counts cut off elements
/// that are there.
fn padded(c: &mut Call<'_>, x: Value, d: usize, sides: [i64; 2], value: Value) -> Result<Value> {
    let mut shape = c.type_of(x)?.shape.to_vec();
    let cut = sides.map(|count| count.min(0).unsigned_abs() as usize);
    let kept = c.slice(x, d, cut[0]..shape[d] - cut[1], 1)?;
    let mut parts = vec![kept];
    for (count, place) in sides.into_iter().zip([0, usize::MAX]) {
        if count > 0 {
            shape[d] = count as usize;
            let constant = c.reshape(value, &[])?;
            parts.insert(place.min(parts.len()), c.broadcast(constant, &shape)?);
        }
    }
    c.concat(&parts, d)
}

/// `start`, `start + delta` … before `limit`, of numbers that are known before a run.
fn range(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let dtype = c.type_of(c.operand(0)?)?.dtype;
    if !dtype.is_float() {
        return whole_range(c, dtype);
    }
    let [start, limit, delta] = numbers(c)?;
    let count = ((limit - start) / delta).ceil().max(0.0);
    if !count.is_finite() {
        return Err(endless(start, limit, delta));
    }
    let count = count as usize;
    fits(count, 1)?;
    let numbers: Vec<_> = (0..count).map(|i| start + i as f64 * delta).collect();
    Ok(vec![c.constant(dtype, &[count], &numbers)?])
}

fn endless<T: std::fmt::Display>(start: T, limit: T, delta: T) -> Error {
    Error::invalid(format!("from {start} to {limit} in steps of {delta} there is no end"))
}

/// As [`range`], of integers, not all of which an `f64` holds.
fn whole_range(c: &mut Call<'_>, dtype: DType) -> Result<Vec<Value>> {
    let mut given = [0_i64; 3];
    for (i, number) in given.iter_mut().enumerate() {
        let operand = c.operand(i)?;
        let operand = c.cast(operand, DType::I64)?;
        *number = only(i, &c.graph.integers(operand)?)?;
    }
    let [start, limit, delta] = given;
    if delta == 0 {
        return Err(endless(start, limit, delta));
    }
    let (span, step) = (i128::from(limit) - i128::from(start), i128::from(delta));
    let count = span / step + i128::from(span % step != 0 && (span < 0) == (step < 0));
    let count = usize::try_from(count.max(0)).unwrap_or(usize::MAX);
    fits(count, 1)?;
    let numbers: Vec<_> =
        (0..count as i64).map(|i| start.wrapping_add(i.wrapping_mul(delta))).collect();
    let numbers = c.graph.constant(&[count], &numbers)?;
    Ok(vec![c.cast(numbers, dtype)?])
}

fn tile(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, repeats) = (c.operand(0)?, c.operand(1)?);
    let repeats = c.graph.integers(repeats)?;
    let shape = c.type_of(x)?.shape;
    if repeats.len() != shape.len() || repeats.iter().any(|n| *n < 0) {
        return Err(Error::shape(format!("{repeats:?} are no repeats of {shape}")));
    }
    let (mut x, mut tiled) = (x, shape.to_vec());
    for (d, &count) in repeats.iter().enumerate().filter(|(_, count)| **count != 1) {
        let (before, after) = tiled.split_at(d);
        let (rows, row) = (before.iter().product(), after.iter().product());
        let block = c.reshape(x, &[rows, 1, row])?;
        let wide = c.broadcast(block, &[rows, count as usize, row])?;
        tiled[d] *= count as usize;
        x = c.reshape(wide, &tiled)?;
    }
    Ok(vec![x])
}

/// A part along several dimensions: numbers from the end are negative, and those outside are cut.
fn slice(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let mut x = c.operand(0)?;
    let starts = c.list(1, "starts")?.unwrap_or_default();
    let ends = c.list(2, "ends")?.unwrap_or_default();
    let axes = c.list(3, "axes")?.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = c.list(4, "steps")?.unwrap_or_else(|| vec![1; starts.len()]);
    if [ends.len(), axes.len(), steps.len()] != [starts.len(); 3] {
        return Err(Error::shape("starts, ends, axes and steps are lists of one length"));
    }
    for (((start, end), axis), step) in starts.into_iter().zip(ends).zip(axes).zip(steps) {
        let d = c.dimension(x, axis)?;
        let extent = c.type_of(x)?.shape[d] as i64;
        if step <= 0 {
            x = reversed(c, x, d, [start, end, step])?;
            continue;
        }
        let border =
            |at: i64| (if at < 0 { at.saturating_add(extent) } else { at }).clamp(0, extent);
        let (start, end) = (border(start) as usize, border(end) as usize);
        x = c.slice(x, d, start..end.max(start), step as usize)?;
    }
    Ok(vec![x])
}

/// A part along a dimension, from its end to its start.
fn reversed(c: &mut Call<'_>, x: Value, d: usize, part: [i64; 3]) -> Result<Value> {
    let [start, end, step] = part;
    if step == 0 {
        return Err(Error::invalid("a slice has a step of 0"));
    }
    let extent = c.type_of(x)?.shape[d] as i64;
    if extent == 0 {
        return Ok(x);
    }
    let from_start = |at: i64| if at < 0 { at.saturating_add(extent) } else { at };
    let (start, end) =
        (from_start(start).clamp(0, extent - 1), from_start(end).clamp(-1, extent - 1));
    let count = (end - start).min(0) / step.max(-extent.max(1));
    let count = count + i64::from((end - start).min(0) % step.max(-extent.max(1)) != 0);
    fits(count as usize, 1)?;
    let at: Vec<_> = (0..count).map(|i| start + i * step).collect();
    c.picked(x, d, &at)
}

fn split(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let d = c.dimension(x, c.or("axis", 0_i64)?)?;
    let extent = c.type_of(x)?.shape[d];
    let results = c.results()?;
    fits(results, 1)?;
    let sizes = match c.list(1, "split")? {
        Some(sizes) => extents(&sizes)?,
        None => {
            let each = extent.div_ceil(results.max(1));
            let part = |i: usize| each.min(extent.saturating_sub(i * each));
            (0..results).map(part).collect()
        }
    };
    if sizes.len() != results {
        return Err(Error::shape(format!(
            "{results} results are asked for, of {} parts",
            sizes.len()
        )));
    }
    let mut parts = Vec::with_capacity(sizes.len());
    let mut start = 0;
    for size in sizes {
        parts.push(c.slice(x, d, start..start + size, 1)?);
        start += size;
    }
    if start == extent {
        return Ok(parts);
    }
    Err(Error::shape(format!("parts of {start} together, of a dimension of {extent}")))
}
