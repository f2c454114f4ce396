//! Normalisations, and averages over images.

use super::Build;
use super::elementwise::{like, one};
use crate::onnx::call::Call;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_graph::graph::Value;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("BatchNormalization", batch_normalization),
    ("GlobalAveragePool", |c| pooled(c, "mean")),
    ("GlobalMaxPool", |c| pooled(c, "largest")),
    ("GroupNormalization", |c| {
        let groups = c.or("num_groups", 1_i64)?.max(1) as usize;
        group_normalization(c, Some(groups))
    }),
    ("InstanceNormalization", |c| group_normalization(c, None)),
    ("LayerNormalization", layer_normalization),
];

/// Numbers for channels, in the shape that broadcasts over images.
fn channels(c: &mut Call<'_>, numbers: Value, rank: usize) -> Result<Value> {
    let mut shape = vec![1; rank.saturating_sub(1)];
    if let Some(first) = shape.first_mut() {
        *first = c.type_of(numbers)?.shape.elements();
    }
    c.reshape(numbers, &shape)
}

fn batch_normalization(c: &mut Call<'_>) -> Result<Vec<Value>> {
    if c.flag("training_mode", false)? {
        let message = "statistics of the batch are asked for, which are made in training";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    let x = c.operand(0)?;
    let rank = c.rank(x)?;
    let epsilon = c.or("epsilon", 1e-5_f32)?;
    let mut given = [x; 4];
    for (i, value) in given.iter_mut().enumerate() {
        let operand = c.operand(i + 1)?;
        *value = channels(c, operand, rank)?;
    }
    let [scale, bias, mean, variance] = given;
    let y = centred(c, x, mean, variance, epsilon)?;
    let y = c.apply("mul", &[y, scale])?;
    one(c.apply("add", &[y, bias]))
}

/// `(x − mean) / √(variance + epsilon)`.
fn centred(
    c: &mut Call<'_>,
    x: Value,
    mean: Value,
    variance: Value,
    epsilon: f32,
) -> Result<Value> {
    let epsilon = like(c, variance, epsilon)?;
    let sum = c.apply("add", &[variance, epsilon])?;
    let root = c.apply("sqrt", &[sum])?;
    let difference = c.apply("sub", &[x, mean])?;
    c.apply("div", &[difference, root])
}

/// All places of each image reduced to one.
fn pooled(c: &mut Call<'_>, operator: &str) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let shape = c.type_of(x)?.shape;
    let [n, d, places @ ..] = &shape[..] else {
        return Err(Error::new(ErrorKind::Shape, format!("{shape} is no batch of images")));
    };
    let rows = c.reshape(x, &[*n, *d, places.iter().product()])?;
    let y = c.apply_with(operator, &[rows], [("axis", 2_usize)])?;
    let mut result = vec![1; shape.len()];
    (result[0], result[1]) = (*n, *d);
    one(c.reshape(y, &result))
}

/// Mean and variance along the last dimension of rows.
fn statistics(c: &mut Call<'_>, rows: Value) -> Result<[Value; 2]> {
    let axis = c.rank(rows)? - 1;
    let mean = c.apply_with("mean", &[rows], [("axis", axis)])?;
    let mean = c.apply_with("unsqueeze", &[mean], [("axes", vec![-1_i64])])?;
    let difference = c.apply("sub", &[rows, mean])?;
    let square = c.apply("mul", &[difference, difference])?;
    let variance = c.apply_with("mean", &[square], [("axis", axis)])?;
    let variance = c.apply_with("unsqueeze", &[variance], [("axes", vec![-1_i64])])?;
    Ok([mean, variance])
}

/// Each group of channels of an image by itself; without a number, each channel.
fn group_normalization(c: &mut Call<'_>, groups: Option<usize>) -> Result<Vec<Value>> {
    let (x, scale, bias) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
    let shape = c.type_of(x)?.shape;
    let epsilon = c.or("epsilon", 1e-5_f32)?;
    let [n, d, places @ ..] = &shape[..] else {
        return Err(Error::new(ErrorKind::Shape, format!("{shape} is no batch of images")));
    };
    let groups = groups.unwrap_or(*d);
    let places: usize = places.iter().product();
    let rows = c.reshape(x, &[*n, groups, d / groups.max(1) * places])?;
    let [mean, variance] = statistics(c, rows)?;
    let y = centred(c, rows, mean, variance, epsilon)?;
    let y = c.reshape(y, &shape)?;
    let (scale, bias) =
        (per_channel(c, scale, *d, shape.len())?, per_channel(c, bias, *d, shape.len())?);
    let y = c.apply("mul", &[y, scale])?;
    one(c.apply("add", &[y, bias]))
}

/// Numbers for channels, or for groups of them, as operator sets below 21 give them.
fn per_channel(c: &mut Call<'_>, numbers: Value, channels_: usize, rank: usize) -> Result<Value> {
    let count = c.type_of(numbers)?.shape.elements();
    let mut numbers = numbers;
    if count < channels_ {
        let column = c.reshape(numbers, &[count, 1])?;
        let shape = vec![count as i64, (channels_ / count.max(1)) as i64];
        let wide = c.apply_with("broadcast_to", &[column], [("shape", shape)])?;
        numbers = c.reshape(wide, &[channels_])?;
    }
    channels(c, numbers, rank)
}

fn layer_normalization(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, scale) = (c.operand(0)?, c.operand(1)?);
    let shape = c.type_of(x)?.shape;
    let d = c.dimension(x, c.or("axis", -1_i64)?)?;
    let epsilon = c.or("epsilon", 1e-5_f32)?;
    let (before, after) = shape.split_at(d);
    let rows = c.reshape(x, &[before.iter().product(), after.iter().product()])?;
    let [mean, variance] = statistics(c, rows)?;
    let y = centred(c, rows, mean, variance, epsilon)?;
    let y = c.reshape(y, &shape)?;
    let mut y = c.apply("mul", &[y, scale])?;
    if let Some(bias) = c.maybe(2) {
        y = c.apply("add", &[y, bias])?;
    }
    if c.results == 1 {
        return Ok(vec![y]);
    }
    let mut kept = before.to_vec();
    kept.resize(shape.len(), 1);
    let epsilon = like(c, variance, epsilon)?;
    let sum = c.apply("add", &[variance, epsilon])?;
    let inverse = c.apply("rsqrt", &[sum])?;
    Ok(vec![y, c.reshape(mean, &kept)?, c.reshape(inverse, &kept)?])
}
