//! Operators that move elements: gathers, pads, tiles, and what is made for a shape.

use super::Build;
use super::elementwise::one;
use super::positions::picked;
use super::shape::extents;
use super::signal::numbers;
use ringwood_base::{DType, Result};
use ringwood_graph::compose::{
    Call, fits, if_less, invalid, line, misshapen, select, unsupported, v,
};
use ringwood_graph::graph::Value;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("CenterCropPad", |c| {
        let (mut x, sizes) = (c.operand(0)?, c.operand(1)?);
        let sizes = extents(&c.graph.integers(sizes)?)?;
        let axes = c.or("axes", (0..sizes.len() as i64).collect::<Vec<_>>())?;
        let zero = c.like(x, 0.0)?;
        for (axis, wanted) in axes.into_iter().zip(sizes) {
            let d = c.dimension(x, axis)?;
            let (extent, wanted) = (c.type_of(x)?.shape[d] as i64, wanted as i64);
            // Where the sides differ, the one at the end is larger.
            let before =
                if wanted > extent { (wanted - extent) / 2 } else { -((extent - wanted) / 2) };
            x = padded(c, x, d, [before, wanted - extent - before], zero)?;
        }
        Ok(vec![x])
    }),
    ("DepthToSpace", |c| {
        let x = c.operand(0)?;
        let b = block(c)?;
        let [n, d, h, w] = c.extents(x)?;
        let depth = d / (b * b);
        let (split, order) = match c.text("mode", "DCR")?.as_str() {
            "CRD" => ([n, depth, b, b, h, w], [0, 1, 4, 2, 5, 3]),
            _ => ([n, b, b, depth, h, w], [0, 3, 4, 1, 5, 2]),
        };
        let x = c.reshape(x, &split)?;
        let x = c.permute(x, &order)?;
        one(c.reshape(x, &[n, depth, h * b, w * b]))
    }),
    ("EyeLike", |c| {
        let ty = c.type_of(c.operand(0)?)?;
        let [rows, columns] = ty.shape[..] else {
            return Err(misshapen(format!("{ty} is no matrix")));
        };
        let k = c.or("k", 0_i64)?;
        let dtype = match c.attribute::<i64>("dtype")? {
            Some(number) => crate::onnx::tensor::dtype(number)?,
            None => ty.dtype,
        };
        let place = |i: usize| (i % columns) as i64 - (i / columns) as i64 == k;
        let ones: Vec<_> = (0..rows * columns).map(|i| u8::from(place(i))).collect();
        let mask = c.graph.constant_bytes(DType::Bool, &[rows, columns], &ones)?;
        one(c.cast(mask, dtype))
    }),
    ("Gather", gather),
    ("OneHot", one_hot),
    ("Pad", pad),
    ("Range", range),
    ("SpaceToDepth", |c| {
        let x = c.operand(0)?;
        let b = block(c)?;
        let [n, d, h, w] = c.extents(x)?;
        let x = c.reshape(x, &[n, d, h / b, b, w / b, b])?;
        let x = c.permute(x, &[0, 3, 5, 1, 2, 4])?;
        one(c.reshape(x, &[n, d * b * b, h / b, w / b]))
    }),
    ("Tile", tile),
    ("Trilu", |c| {
        let x = c.operand(0)?;
        let shape = c.type_of(x)?.shape;
        let [.., rows, columns] = shape[..] else {
            return Err(misshapen(format!("{shape} has no matrices")));
        };
        let k = c.maybe(1).map_or_else(|| c.number(DType::I64, 0.0), Ok)?;
        let (down, along) = (c.counted(&[rows, 1])?, c.counted(&[columns])?);
        let kept = if c.flag("upper", true)? { "greater_equal" } else { "less_equal" };
        one(c.eval(select((v(along) - down).with(kept, k), x, 0.0)))
    }),
];

fn block(c: &Call<'_>) -> Result<usize> {
    let size = c.or("blocksize", 0_i64)?;
    usize::try_from(size)
        .ok()
        .filter(|b| *b > 0)
        .ok_or_else(|| invalid(format!("a block has no {size} elements a side")))
}

/// Indices, the negative ones counted from the end, as the kernels of Ringwood take them.
fn indices(c: &mut Call<'_>, indices: Value, extent: usize) -> Result<Value> {
    let ty = c.type_of(indices)?;
    if c.graph.known(indices)?.is_some() {
        let fixed: Vec<i32> = c
            .graph
            .integers(indices)?
            .into_iter()
            .map(|i| if i < 0 { i + extent as i64 } else { i } as i32)
            .collect();
        return c.graph.constant(&ty.shape, &fixed);
    }
    from_end(c, indices, DType::I32, extent)
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
    let order: Vec<_> = (places.len()..places.len() + d)
        .chain(0..places.len())
        .chain(places.len() + d..whole.len())
        .collect();
    one(c.permute(y, &order))
}

fn one_hot(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (at, depth, values) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
    let depth = c.numbers(depth)?.first().map_or(0, |depth| *depth as usize);
    let rank = c.rank(at)? as i64;
    let axis = c.or("axis", -1_i64)?;
    let axis = if axis < 0 { axis + rank + 1 } else { axis };
    let at = from_end(c, at, DType::I64, depth)?;
    let at = c.unsqueeze(at, axis)?;
    let numbers = c.counted(&line(rank as usize + 1, axis as usize, depth))?;
    let off = c.slice(values, 0, 0..1, 1)?;
    let on = c.slice(values, 0, 1..2, 1)?;
    one(c.eval(select(v(at).with("equal", numbers), on, off)))
}

/// Constants before and after the elements along axes; negative counts cut elements off.
fn pad(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let mut x = c.operand(0)?;
    let mode = c.text("mode", "constant")?;
    let pads = match c.maybe(1) {
        Some(pads) => c.graph.integers(pads)?,
        None => c.attribute::<Vec<i64>>("pads")?.unwrap_or_default(),
    };
    let rank = c.rank(x)?;
    let axes = match c.maybe(3) {
        Some(axes) => c.graph.integers(axes)?,
        None => (0..rank as i64).collect(),
    };
    let value = match (c.maybe(2), c.attribute::<f32>("value")?) {
        (Some(value), _) => value,
        (None, number) => c.like(x, number.unwrap_or(0.0))?,
    };
    for (i, axis) in axes.iter().enumerate() {
        let d = c.dimension(x, *axis)?;
        let count = |i: usize| pads.get(i).copied().unwrap_or(0);
        let sides = [count(i), count(axes.len() + i)];
        x = match mode.as_str() {
            "constant" => padded(c, x, d, sides, value)?,
            _ if sides == [0, 0] => x,
            mode => {
                // What is cut off is repeated nowhere.
                let cut = sides.map(|count| count.min(0));
                let kept = (c.type_of(x)?.shape[d] as i64 + cut[0] + cut[1]).max(0);
                let places = -sides[0].max(0)..kept + sides[1].max(0);
                let places = places.map(|i| Ok(source(mode, i, kept)? - cut[0]));
                let places = places.collect::<Result<Vec<_>>>()?;
                picked(c, x, d, &places)?
            }
        };
    }
    Ok(vec![x])
}

/// The place of a dimension of `extent` that stands at place `i` of the padded one, counted from its start.
fn source(mode: &str, i: i64, extent: i64) -> Result<i64> {
    let last = extent - 1;
    match mode {
        _ if extent == 0 => Err(misshapen("there is nothing to repeat")),
        "edge" => Ok(i.clamp(0, last)),
        "reflect" => Ok(last - (last - i.rem_euclid((2 * last).max(1))).abs()),
        "wrap" => Ok(i.rem_euclid(extent)),
        _ => Err(unsupported(format!("there is no padding `{mode}`"))),
    }
}

/// A value with constants before and after its elements along a dimension; negative counts cut elements off.
pub(super) fn padded(
    c: &mut Call<'_>,
    x: Value,
    d: usize,
    sides: [i64; 2],
    value: Value,
) -> Result<Value> {
    let mut shape = c.type_of(x)?.shape.to_vec();
    let cut = sides.map(|count| count.min(0).unsigned_abs() as usize);
    let end = shape[d].saturating_sub(cut[1]);
    let kept = c.slice(x, d, cut[0].min(end)..end, 1)?;
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
    let [start, limit, delta] = numbers(c)?;
    let count = ((limit - start) / delta).ceil().max(0.0);
    if !count.is_finite() {
        return Err(invalid(format!("there is no end of {start}, {} …", start + delta)));
    }
    let count = count as usize;
    fits(count, 1)?;
    let numbers: Vec<f64> = (0..count).map(|i| start + i as f64 * delta).collect();
    let numbers = c.graph.constant(&[count], &numbers)?;
    one(c.cast(numbers, dtype))
}

fn tile(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, repeats) = (c.operand(0)?, c.operand(1)?);
    let repeats = c.graph.integers(repeats)?;
    let shape = c.type_of(x)?.shape;
    if repeats.len() != shape.len() || repeats.iter().any(|n| *n < 0) {
        return Err(misshapen(format!("{repeats:?} are no repeats of {shape}")));
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
