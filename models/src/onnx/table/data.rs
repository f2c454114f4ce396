//! Operators whose sizes depend on data: the elements are needed before the sizes are known.

use super::Build;
use super::elementwise::one;
use super::positions::picked;
use crate::onnx::call::Call;
use ringwood_base::{DType, Result};
use ringwood_graph::graph::Value;
use std::collections::BTreeMap;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("Compress", |c| {
        let (mut x, condition) = (c.operand(0)?, c.operand(1)?);
        let d = match c.attribute::<i64>("axis")? {
            Some(axis) => c.dimension(x, axis)?,
            None => {
                let elements = c.type_of(x)?.shape.elements();
                x = c.reshape(x, &[elements])?;
                0
            }
        };
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

/// The bytes of a value's elements, by eight.
fn words(c: &mut Call<'_>, x: Value, dtype: DType) -> Result<Vec<[u8; 8]>> {
    let x = c.cast(x, dtype)?;
    let words = c.graph.require(x)?.chunks_exact(8);
    Ok(words.filter_map(|word| word.try_into().ok()).collect())
}

/// Integers that have the order of a value's elements, and are equal where those are.
fn keys(c: &mut Call<'_>, x: Value) -> Result<Vec<i128>> {
    let dtype = c.type_of(x)?.dtype;
    let float = |word| {
        // −0 is 0; the bits of negative numbers are turned, so that larger ones come later.
        let bits = (f64::from_ne_bytes(word) + 0.0).to_bits() as i64;
        i128::from(if bits < 0 { i64::MIN - bits } else { bits })
    };
    Ok(match dtype {
        dtype if dtype.is_float() => words(c, x, DType::F64)?.into_iter().map(float).collect(),
        DType::U64 => {
            words(c, x, dtype)?.into_iter().map(|w| u64::from_ne_bytes(w).into()).collect()
        }
        _ => words(c, x, DType::I64)?.into_iter().map(|w| i64::from_ne_bytes(w).into()).collect(),
    })
}

/// Slices along an axis without those that were there before; where each was first, which of them each slice
/// is, and how many there are of each.
fn unique(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let mut x = c.operand(0)?;
    let mut shape = c.type_of(x)?.shape.to_vec();
    let d = match c.attribute::<i64>("axis")? {
        Some(axis) => c.dimension(x, axis)?,
        None => {
            shape = vec![shape.iter().product()];
            x = c.reshape(x, &shape)?;
            0
        }
    };
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
    results.truncate(c.results.max(1));
    Ok(results)
}
