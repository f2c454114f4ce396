//! Operators that arrange elements: most of them are views.

use super::Build;
use super::elementwise::one;
use super::positions::picked;
use ringwood_base::Result;
use ringwood_graph::compose::{Call, dimension, fits, invalid, misshapen};
use ringwood_graph::graph::Value;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("Concat", |c| {
        let operands = c.operands();
        let axis = c.or("axis", 0_i64)?;
        one(c.apply_with("concat", &operands, [("axis", axis)]))
    }),
    ("ConstantOfShape", constant_of_shape),
    ("Expand", |c| {
        let (x, shape) = (c.operand(0)?, c.operand(1)?);
        let wanted = extents(&c.graph.integers(shape)?)?;
        let shape = c.type_of(x)?.shape.broadcast(&ringwood_base::Shape::new(&wanted)?)?;
        one(c.broadcast(x, &shape))
    }),
    ("Flatten", |c| {
        let x = c.operand(0)?;
        let shape = c.type_of(x)?.shape;
        let axis = c.or("axis", 1_i64)?;
        let from_end = if axis < 0 { axis + shape.len() as i64 } else { axis };
        let axis = usize::try_from(from_end).ok().filter(|d| *d <= shape.len());
        let axis =
            axis.ok_or_else(|| misshapen(format!("axis {from_end} is no border in {shape}")))?;
        let (before, after) = shape.split_at(axis);
        let rows = [before.iter().product(), after.iter().product()];
        one(c.reshape(x, &rows))
    }),
    ("Reshape", reshape),
    ("Shape", |c| {
        let shape = c.type_of(c.operand(0)?)?.shape;
        let rank = shape.len() as i64;
        let border = |at: i64| (if at < 0 { at + rank } else { at }).clamp(0, rank) as usize;
        let (start, end) = (border(c.or("start", 0_i64)?), border(c.or("end", rank)?));
        let part = &shape[start.min(end)..end];
        let part: Vec<_> = part.iter().map(|&n| n as i64).collect();
        one(c.graph.constant(&[part.len()], &part))
    }),
    ("Size", |c| {
        let elements = c.type_of(c.operand(0)?)?.shape.elements();
        one(c.graph.constant(&[], &[elements as i64]))
    }),
    ("Slice", slice),
    ("Split", split),
    ("Squeeze", |c| {
        let x = c.operand(0)?;
        let shape = c.type_of(x)?.shape;
        let axes = c.axes(1)?.unwrap_or_else(|| {
            (0..shape.len()).filter(|&d| shape[d] == 1).map(|d| d as i64).collect()
        });
        one(c.apply_with("squeeze", &[x], [("axes", axes)]))
    }),
    ("Transpose", |c| {
        let x = c.operand(0)?;
        let rank = c.rank(x)? as i64;
        let axes = c.or("perm", (0..rank).rev().collect::<Vec<_>>())?;
        one(c.apply_with("permute", &[x], [("axes", axes)]))
    }),
    ("Unsqueeze", |c| {
        let axes = c.axes(1)?.unwrap_or_default();
        let x = c.operand(0)?;
        one(c.apply_with("unsqueeze", &[x], [("axes", axes)]))
    }),
];

/// Extents, none of which is negative.
pub(super) fn extents(shape: &[i64]) -> Result<Vec<usize>> {
    let extent = |n: &i64| {
        let message = format!("shape {shape:?} has a negative extent");
        usize::try_from(*n).map_err(|_| misshapen(message))
    };
    shape.iter().map(extent).collect()
}

fn constant_of_shape(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let shape = c.operand(0)?;
    let shape = extents(&c.graph.integers(shape)?)?;
    let value = match c.tensor("value") {
        Some((ty, bytes)) => c.graph.constant_bytes(ty.dtype, &[], bytes)?,
        None => c.graph.constant(&[], &[0.0_f32])?,
    };
    one(c.broadcast(value, &shape))
}

/// An extent of 0 stands for the one that the operand has, unless `allowzero` says otherwise.
fn reshape(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, shape) = (c.operand(0)?, c.operand(1)?);
    let mut shape = c.graph.integers(shape)?;
    if !c.flag("allowzero", false)? {
        let given = c.type_of(x)?.shape;
        for (d, extent) in shape.iter_mut().enumerate().filter(|(_, extent)| **extent == 0) {
            let kept = given
                .get(d)
                .ok_or_else(|| misshapen(format!("extent {d} is kept, and {given} has none")))?;
            *extent = *kept as i64;
        }
    }
    one(c.apply_with("reshape", &[x], [("shape", shape)]))
}

/// A part along several dimensions: numbers from the end are negative, and those outside are cut.
fn slice(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let mut x = c.operand(0)?;
    let list = |c: &mut Call<'_>, place: usize, name: &str| match c.maybe(place) {
        Some(values) => c.graph.integers(values).map(Some),
        None => c.attribute::<Vec<i64>>(name),
    };
    let starts = list(c, 1, "starts")?.unwrap_or_default();
    let ends = list(c, 2, "ends")?.unwrap_or_default();
    let axes = list(c, 3, "axes")?.unwrap_or_else(|| (0..starts.len() as i64).collect());
    let steps = list(c, 4, "steps")?.unwrap_or_else(|| vec![1; starts.len()]);
    if [ends.len(), axes.len(), steps.len()] != [starts.len(); 3] {
        return Err(misshapen("starts, ends, axes and steps are lists of one length"));
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
        let step = step as usize;
        x = c.slice(x, d, start..end.max(start), step)?;
    }
    Ok(vec![x])
}

/// A part along a dimension, from its end to its start.
fn reversed(c: &mut Call<'_>, x: Value, d: usize, part: [i64; 3]) -> Result<Value> {
    let [start, end, step] = part;
    if step == 0 {
        return Err(invalid("a slice has a step of 0"));
    }
    let extent = c.type_of(x)?.shape[d] as i64;
    let border =
        |at: i64| if at < 0 { at.saturating_add(extent) } else { at }.clamp(-1, extent - 1);
    let (start, end) = (border(start), border(end));
    let count = (end - start).min(0) / step.max(-extent.max(1));
    let count = count + i64::from((end - start).min(0) % step.max(-extent.max(1)) != 0);
    fits(count as usize, 1)?;
    let at: Vec<_> = (0..count).map(|i| start + i * step).collect();
    picked(c, x, d, &at)
}

fn split(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let d = dimension(c.or("axis", 0_i64)?, c.rank(x)?)?;
    let extent = c.type_of(x)?.shape[d];
    let sizes = match c.maybe(1) {
        Some(sizes) => Some(c.graph.integers(sizes)?),
        None => c.attribute::<Vec<i64>>("split")?,
    };
    let sizes = match sizes {
        Some(sizes) => extents(&sizes)?,
        None => {
            let each = extent.div_ceil(c.results()?.max(1));
            let part = |i: usize| each.min(extent.saturating_sub(i * each));
            (0..c.results()?).map(part).collect()
        }
    };
    let mut parts = Vec::with_capacity(sizes.len());
    let mut start = 0;
    for size in sizes {
        parts.push(c.slice(x, d, start..start + size, 1)?);
        start += size;
    }
    if start == extent {
        return Ok(parts);
    }
    Err(misshapen(format!("parts of {start} together, of a dimension of {extent}")))
}
