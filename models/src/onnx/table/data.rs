//! Operators whose sizes depend on data: the elements are needed before the sizes are known.

use super::Build;
use super::elementwise::one;
use super::positions::picked;
use ringwood_base::{DType, Result};
use ringwood_graph::compose::Call;
use ringwood_graph::graph::Value;
use std::collections::BTreeMap;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("Compress", |c| {
        let (x, d) = sliced(c)?;
        let condition = c.operand(1)?;
        let condition = c.cast(condition, DType::I64)?;
        let kept = c.graph.integers(condition)?;
        let kept = kept.iter().enumerate().filter(|(_, kept)| **kept != 0);
        let kept: Vec<_> = kept.map(|(i, _)| i as i64).collect();
        one(picked(c, x, d, &kept))
    }),
    ("NonMaxSuppression", super::boxes::non_max_suppression),
    ("NonZero", |c| {
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
        one(c.graph.constant(&[shape.len(), hits.len()], &indices))
    }),
    ("Unique", unique),
];

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
    let mut results = vec![picked(c, x, d, &first)?];
    for list in [first, inverse, counts] {
        results.push(c.graph.constant(&[list.len()], &list)?);
    }
    results.truncate(c.results()?.max(1));
    Ok(results)
}
