//! Operators whose sizes depend on data: the elements are needed before the sizes are known.

use crate::composed::composed;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, fits};
use ringwood_graph::graph::Value;
use std::collections::BTreeMap;

composed! {
    /// The slices along an axis, or the elements, for which the second operand is true. NumPy's `compress`.
    Compress "compress" { axis: i64 } = compress;
    /// Of boxes and scores, those of the highest scores that do not overlap a better one. ONNX's `NonMaxSuppression`.
    NonMaxSuppression "non_max_suppression" { center_point_box: bool } = non_max_suppression;
    /// The indices of the elements that are not 0, one row for each dimension. NumPy's `nonzero`.
    NonZero "non_zero" = non_zero;
    /// The slices along an axis, or the elements, each once. NumPy's `unique`.
    Unique "unique" { axis: i64, sorted: bool } = unique;
}

fn compress(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, d) = sliced(c)?;
    let condition = c.operand(1)?;
    let condition = c.cast(condition, DType::I64)?;
    let kept = c.graph.integers(condition)?;
    let kept = kept.iter().enumerate().filter(|(_, kept)| **kept != 0);
    let kept: Vec<_> = kept.map(|(i, _)| i as i64).collect();
    Ok(vec![c.picked(x, d, &kept)?])
}

fn non_zero(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let shape = c.type_of(x)?.shape;
    let x = c.cast(x, DType::Bool)?;
    let hits = c.graph.require(x)?;
    let hits: Vec<_> = (0..hits.len()).filter(|&i| hits[i] != 0).collect();
    let mut indices = Vec::with_capacity(shape.len() * hits.len());
    for d in 0..shape.len() {
        let below: usize = shape[d + 1..].iter().product();
        indices.extend(hits.iter().map(|i| (i / below % shape[d]) as i64));
    }
    Ok(vec![c.graph.constant(&[shape.len(), hits.len()], &indices)?])
}

/// The first operand and the dimension that an axis names: that of all elements in a row if none does.
fn sliced(c: &mut Call<'_>) -> Result<(Value, usize)> {
    let x = c.operand(0)?;
    if let Some(axis) = c.attribute("axis")? {
        return Ok((x, c.dimension(x, axis)?));
    }
    let elements = c.type_of(x)?.shape.elements();
    Ok((c.reshape(x, &[elements])?, 0))
}

/// Integers that have the order of a value's elements, and are equal where those are.
fn keys(c: &mut Call<'_>, x: Value) -> Result<Vec<i128>> {
    let dtype = c.type_of(x)?.dtype;
    if dtype.is_float() {
        // −0 is 0; the bits of negative numbers are turned, so that larger ones come later.
        let bits = c.numbers(x)?.into_iter().map(|number| (number + 0.0).to_bits() as i64);
        return Ok(bits.map(|b| i128::from(if b < 0 { i64::MIN - b } else { b })).collect());
    }
    let x = c.cast(x, DType::I64)?;
    let wide = |i: i64| if dtype == DType::U64 { i128::from(i as u64) } else { i.into() };
    Ok(c.graph.integers(x)?.into_iter().map(wide).collect())
}

/// Slices along an axis without those that were there before; where each was first, which of them each slice
/// is, and how many there are of each.
fn unique(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, d) = sliced(c)?;
    let shape = c.type_of(x)?.shape;
    let (keys, below) = (keys(c, x)?, shape[d + 1..].iter().product::<usize>());
    if keys.is_empty() {
        // Slices of no elements take memory here alone.
        fits(shape[d], 1)?;
    }
    let mut slices = vec![Vec::new(); shape[d]];
    for (i, key) in keys.into_iter().enumerate() {
        slices[i / below % shape[d]].push(key);
    }
    let mut found: BTreeMap<&[i128], Vec<i64>> = BTreeMap::new();
    for (i, slice) in slices.iter().enumerate() {
        found.entry(slice).or_default().push(i as i64);
    }
    let mut groups: Vec<_> = found.into_values().collect();
    if !c.flag("sorted", true)? {
        groups.sort();
    }
    let first: Vec<_> = groups.iter().map(|group| group[0]).collect();
    let counts: Vec<_> = groups.iter().map(|group| group.len() as i64).collect();
    let mut inverse = vec![0; shape[d]];
    for (which, group) in groups.iter().enumerate() {
        group.iter().for_each(|i| inverse[*i as usize] = which as i64);
    }
    let mut results = vec![c.picked(x, d, &first)?];
    for list in [first, inverse, counts] {
        results.push(c.graph.constant(&[list.len()], &list)?);
    }
    results.truncate(c.results()?.max(1));
    Ok(results)
}

/// A box by its corners, the smaller coordinates first.
type Corners = [f32; 4];

/// The elements of a value as `f32`; the default where there is none.
fn floats(c: &mut Call<'_>, value: Option<Value>, default: &[f32]) -> Result<Vec<f32>> {
    let Some(value) = value else { return Ok(default.to_vec()) };
    Ok(c.numbers(value)?.into_iter().map(|number| number as f32).collect())
}

/// Of each class in each image, the boxes with the highest scores that do not overlap one that is kept.
fn non_max_suppression(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (boxes, scores) = (c.operand(0)?, c.operand(1)?);
    let (shape, classes) = (c.type_of(boxes)?.shape, c.type_of(scores)?.shape);
    let ([images, n, 4], [batch, classes, m]) = (&shape[..], &classes[..]) else {
        return Err(Error::shape(format!("boxes of shape {shape} and scores of shape {classes}")));
    };
    if (images, n) != (batch, m) {
        return Err(Error::shape(format!("{images} by {n} boxes, and scores of {batch} by {m}")));
    }
    let most = match c.maybe(2) {
        Some(most) => c.graph.integers(most)?.first().map_or(0, |n| (*n).max(0) as usize),
        None => 0,
    };
    let overlap = floats(c, c.maybe(3), &[0.0])?.first().copied().unwrap_or(0.0);
    let least = floats(c, c.maybe(4), &[f32::NEG_INFINITY])?.first().copied();
    let centred = c.flag("center_point_box", false)?;
    let boxes = floats(c, Some(boxes), &[])?;
    let boxes: Vec<_> = boxes.chunks_exact(4).map(|given| corners(given, centred)).collect();
    let scores = floats(c, Some(scores), &[])?;
    let mut kept = Vec::new();
    for (row, scores) in scores.chunks_exact((*n).max(1)).enumerate() {
        let (image, class) = (row / classes, row % classes);
        let boxes = &boxes[image * n..][..*n];
        let candidate = |i: &usize| least.is_none_or(|least| scores[*i] > least);
        let mut order: Vec<_> = (0..*n).filter(candidate).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        let mut chosen: Vec<usize> = Vec::new();
        for i in order {
            let free = chosen.iter().all(|k| shared(&boxes[*k], &boxes[i]) <= overlap);
            if chosen.len() < most && free {
                chosen.push(i);
            }
        }
        kept.extend(chosen.iter().flat_map(|i| [image as i64, class as i64, *i as i64]));
    }
    Ok(vec![c.graph.constant(&[kept.len() / 3, 3], &kept)?])
}

fn corners(given: &[f32], centred: bool) -> Corners {
    let [a, b, c, d] = [given[0], given[1], given[2], given[3]];
    match centred {
        true => [a - c / 2.0, b - d / 2.0, a + c / 2.0, b + d / 2.0],
        false => [a.min(c), b.min(d), a.max(c), b.max(d)],
    }
}

/// What two boxes share, of what both cover.
fn shared(a: &Corners, b: &Corners) -> f32 {
    let side = |d: usize| (a[d + 2].min(b[d + 2]) - a[d].max(b[d])).max(0.0);
    let area = |c: &Corners| (c[2] - c[0]) * (c[3] - c[1]);
    let both = side(0) * side(1);
    if both <= 0.0 { 0.0 } else { both / (area(a) + area(b) - both) }
}
