//! Numbers brought to one scale: normalisations that say what is one row, and reductions of whole images.

use crate::composed::{composed, widened};
use ringwood_base::{DType, Error, Result, Shape};
use ringwood_graph::compose::{Call, last, line, select, unrolled, v};
use ringwood_graph::graph::{TensorType, Value};

composed! {
    /// Images, scales, biases, means and variances: those of the batch in training. ONNX's `BatchNormalization`.
    BatchNorm "batch_norm" { epsilon: f32, momentum: f32, training_mode: bool } = batch_normalization;
    /// Each group of channels of an image by itself, with scales and biases. PyTorch's `group_norm`.
    GroupNorm "group_norm" { num_groups: i64, epsilon: f32 } = |c| {
        let groups = c.or("num_groups", 1_i64)?.max(1) as usize;
        group_normalization(c, Some(groups))
    };
    /// Each channel of an image by itself, with scales and biases. PyTorch's `instance_norm`.
    InstanceNorm "instance_norm" { epsilon: f32 } = |c| group_normalization(c, None);
    /// The largest number of each channel of images.
    ImageLargest "image_largest" = |c| c.operand(0).and_then(|x| Ok(vec![pooled(c, x, "largest")?]));
    /// The mean of each channel of images.
    ImageMean "image_mean" = |c| c.operand(0).and_then(|x| Ok(vec![pooled(c, x, "mean")?]));
    /// The norm of degree `p` of each channel of images.
    ImageNorm "image_norm" { p: i64 } = |c| norms(c, |c, powers| pooled(c, powers, "sum"));
    /// Rows of the elements from an axis on, with scales and biases. ONNX's `LayerNormalization`.
    LayerNormFrom "layer_norm_from" { axis: i64, epsilon: f32, stash_type: dtype } =
        |c| row_normalization(c, "layer_norm");
    /// Elements divided by a power of the squares of the channels beside theirs. PyTorch's `local_response_norm`.
    LocalResponseNorm "local_response_norm" { size: i64, alpha: f32, beta: f32, bias: f32 } = local_response;
    /// Elements over their norm of degree 1 or 2 along an axis. PyTorch's `normalize`.
    LpNormalize "lp_normalize" { axis: i64, p: i64 } = lp_normalization;
    /// Elements less their mean along axes, over their deviation. ONNX's `MeanVarianceNormalization`.
    MeanVarianceNorm "mean_variance_norm" { axes: [i64] } = |c| {
        let x = c.operand(0)?;
        let axes = c.or("axes", vec![0_i64, 2, 3])?;
        let axes = axes.into_iter().map(|axis| c.dimension(x, axis)).collect::<Result<Vec<_>>>()?;
        // The standard adds 1e-9 to the deviation.
        Ok(vec![standardised(c, x, &axes, 1e-18)?])
    };
    /// Rows of the elements from an axis on, by their mean square, with scales. ONNX's `RMSNormalization`.
    RmsNormFrom "rms_norm_from" { axis: i64, epsilon: f32, stash_type: dtype } = |c| row_normalization(c, "rms_norm");
}

/// Checks that there is a number for each channel.
fn one_for_each(c: &Call<'_>, numbers: Value, channels: usize) -> Result<()> {
    let shape = c.type_of(numbers)?.shape;
    match shape.elements() == channels {
        true => Ok(()),
        false => {
            Err(Error::shape(format!("{shape} is not a number for each of {channels} channels")))
        }
    }
}

/// Numbers for channels, in the shape that broadcasts over images.
fn channels(c: &mut Call<'_>, numbers: Value, rank: usize) -> Result<Value> {
    let count = c.type_of(numbers)?.shape.elements();
    c.reshape(numbers, &line(rank.saturating_sub(1), 0, count))
}

fn batch_normalization(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let own = c.operand(0)?;
    let TensorType { dtype, shape } = c.type_of(own)?;
    let rank = shape.len();
    let x = widened(c, own)?;
    let wide = c.type_of(x)?.dtype;
    let mut given = [x; 4];
    for (i, value) in given.iter_mut().enumerate() {
        *value = c.operand(i + 1)?;
        // A batch of numbers, of one dimension, is of one channel.
        one_for_each(c, *value, shape.get(1).copied().unwrap_or(1))?;
    }
    let mut results = vec![x];
    let [_, _, mean, variance] = &mut given;
    if c.flag("training_mode", false)? {
        let momentum = c.or("momentum", 0.9_f32)?;
        let (order, _) = last(rank, &(0..rank).filter(|&d| d != 1).collect::<Vec<_>>());
        let rows = c.permute(x, &order)?;
        let (_, n, _) = images(&shape)?;
        let rows = c.reshape(rows, &[n, shape.elements() / n.max(1)])?;
        for (running, current) in [mean, variance].into_iter().zip(statistics(c, rows)?) {
            let current = c.reshape(current, &[n])?;
            let of_type = c.type_of(*running)?.dtype;
            let cast = c.cast(current, of_type)?;
            results.push(c.eval(v(*running) * momentum + v(cast) * (1.0 - momentum))?);
            *running = current;
        }
    }
    for value in &mut given {
        *value = channels(c, *value, rank)?;
        *value = c.cast(*value, wide)?;
    }
    let [scale, bias, mean, variance] = given;
    let epsilon = c.or("epsilon", 1e-5_f32)?;
    let deviation = (v(variance) + epsilon).of("sqrt");
    results[0] = c.eval(((v(x) - mean) / deviation * scale + bias).to(dtype))?;
    Ok(results)
}

/// The extents of a batch of images: of the batch, of channels, of the places of an image.
fn images(shape: &Shape) -> Result<(usize, usize, usize)> {
    match &shape[..] {
        [n, d, places @ ..] => Ok((*n, *d, places.iter().product())),
        _ => Err(Error::shape(format!("{shape} is no batch of images"))),
    }
}

/// All places of each image reduced to one.
fn pooled(c: &mut Call<'_>, x: Value, operator: &str) -> Result<Value> {
    let shape = c.type_of(x)?.shape;
    let (n, d, places) = images(&shape)?;
    let rows = c.reshape(x, &[n, d, places])?;
    let y = c.apply_with(operator, &[rows], [("axis", 2_usize)])?;
    let mut result = vec![1; shape.len()];
    (result[0], result[1]) = (n, d);
    c.reshape(y, &result)
}

/// The roots of degree `p` of sums of the powers of degree `p`.
pub(crate) fn norms(
    c: &mut Call<'_>,
    sums: impl FnOnce(&mut Call<'_>, Value) -> Result<Value>,
) -> Result<Vec<Value>> {
    let (own, p) = (c.operand(0)?, c.or("p", 2_i64)? as f64);
    let x = widened(c, own)?;
    let powers = c.eval(v(x).of("abs").with("powf", p))?;
    let sums = sums(c, powers)?;
    let dtype = c.type_of(own)?.dtype;
    Ok(vec![c.eval(v(sums).with("powf", 1.0 / p).to(dtype))?])
}

/// Mean and variance along the last dimension of rows.
fn statistics(c: &mut Call<'_>, rows: Value) -> Result<[Value; 2]> {
    let axis = c.rank(rows)? - 1;
    let mean = c.apply_with("mean", &[rows], [("axis", axis)])?;
    let mean = c.unsqueeze(mean, -1)?;
    let difference = c.eval(v(rows) - mean)?;
    let square = c.eval(v(difference) * difference)?;
    let variance = c.apply_with("mean", &[square], [("axis", axis)])?;
    let variance = c.unsqueeze(variance, -1)?;
    Ok([mean, variance])
}

/// `(x − mean) / √(variance + epsilon)`, both of the elements along `axes`.
fn standardised(c: &mut Call<'_>, x: Value, axes: &[usize], epsilon: f32) -> Result<Value> {
    let shape = c.type_of(x)?.shape;
    let n: usize = axes.iter().map(|&d| shape[d]).product();
    c.turned(x, axes, |c, x| {
        let turned = c.type_of(x)?.shape;
        let rows = c.reshape(x, &[shape.elements() / n.max(1), n])?;
        let (ones, zeros) = (c.filled(x, 1.0, &[n])?, c.filled(x, 0.0, &[n])?);
        let y = c.apply_with("layer_norm", &[rows, ones, zeros], [("epsilon", epsilon)])?;
        c.reshape(y, &turned)
    })
}

/// Each group of channels of an image by itself; without a number, each channel.
fn group_normalization(c: &mut Call<'_>, groups: Option<usize>) -> Result<Vec<Value>> {
    let (x, scale, bias) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
    let shape = c.type_of(x)?.shape;
    let epsilon = c.or("epsilon", 1e-5_f32)?;
    let (n, d, places) = images(&shape)?;
    let groups = groups.unwrap_or(d);
    let rows = c.reshape(x, &[n, groups, d / groups.max(1) * places])?;
    let y = standardised(c, rows, &[2], epsilon)?;
    let y = c.reshape(y, &shape)?;
    let scale = per_channel(c, scale, d, shape.len())?;
    let bias = per_channel(c, bias, d, shape.len())?;
    Ok(vec![c.eval(v(y) * scale + bias)?])
}

/// Numbers for channels, or for groups of them, as operator sets below 21 give them.
fn per_channel(c: &mut Call<'_>, numbers: Value, channels_: usize, rank: usize) -> Result<Value> {
    let count = c.type_of(numbers)?.shape.elements();
    let mut wide = c.reshape(numbers, &[count])?;
    if count > 0 && channels_.is_multiple_of(count) {
        wide = c.repeated(wide, 0, channels_ / count)?;
    }
    one_for_each(c, wide, channels_)?;
    channels(c, wide, rank)
}

/// Each row of the elements from an axis on, by the operator of Ringwood for rows.
fn row_normalization(c: &mut Call<'_>, operator: &str) -> Result<Vec<Value>> {
    let (x, scale) = (c.operand(0)?, c.operand(1)?);
    let ty = c.type_of(x)?;
    let d = c.dimension(x, c.or("axis", -1_i64)?)?;
    let epsilon = c.or("epsilon", 1e-5_f32)?;
    let (before, after) = ty.shape.split_at(d);
    let n = after.iter().product();
    // ONNX's `RMSNormalization` gives the type of the scales, which need not be that of the elements.
    let result = if operator == "rms_norm" { c.type_of(scale)?.dtype } else { ty.dtype };
    let dtype = match result == ty.dtype {
        true => result,
        false if [result, ty.dtype].contains(&DType::F64) => DType::F64,
        false => DType::F32,
    };
    let x = c.cast(x, dtype)?;
    let rows = c.reshape(x, &[before.iter().product(), n])?;
    let mut operands = vec![rows];
    let count = if operator == "rms_norm" { 1 } else { 2 };
    for place in 1..=count {
        operands.push(match c.maybe(place) {
            Some(numbers) => {
                let wide = c.broadcast(numbers, after)?;
                let wide = c.reshape(wide, &[n])?;
                c.cast(wide, dtype)?
            }
            None => c.filled(x, 0.0, &[n])?,
        });
    }
    let y = c.apply_with(operator, &operands, [("epsilon", epsilon)])?;
    let y = c.cast(y, result)?;
    let y = c.reshape(y, &ty.shape)?;
    if c.results()? == 1 {
        return Ok(vec![y]);
    }
    let mut kept = before.to_vec();
    kept.resize(ty.shape.len(), 1);
    let rows = c.cast(rows, c.or("stash_type", DType::F32)?)?;
    let [mean, variance] = statistics(c, rows)?;
    let inverse = c.eval((v(variance) + epsilon).of("rsqrt"))?;
    Ok(vec![y, c.reshape(mean, &kept)?, c.reshape(inverse, &kept)?])
}

/// Elements divided by the sum of sizes, or by the root of the sum of squares, along an axis.
fn lp_normalization(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let own = c.operand(0)?;
    let (x, dtype) = (widened(c, own)?, c.type_of(own)?.dtype);
    let d = c.dimension(x, c.or("axis", -1_i64)?)?;
    let p = c.or("p", 2_i64)?;
    if ![1, 2].contains(&p) {
        return Err(Error::unsupported(format!("`p` is {p}, and neither 1 nor 2")));
    }
    let sizes = c.eval(if p == 1 { v(x).of("abs") } else { v(x) * x })?;
    let sum = c.apply_with("sum_keep", &[sizes], [("axis", d)])?;
    let is_zero = || v(sum).with("equal", 0.0);
    // The gradient, too, divides by no 0.
    let some = select(is_zero(), 1.0, sum);
    let norm = if p == 1 { some } else { some.of("sqrt") };
    Ok(vec![c.eval(select(is_zero(), 0.0, v(x) / norm).to(dtype))?])
}

/// Elements divided by a power of the squares of the channels beside theirs.
fn local_response(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let own = c.operand(0)?;
    let (x, TensorType { dtype, shape }) = (widened(c, own)?, c.type_of(own)?);
    let (_, d, _) = images(&shape)?;
    let size = c.or("size", 1_i64)?.max(1) as usize;
    let (alpha, beta) = (c.or("alpha", 1e-4_f32)?, c.or("beta", 0.75_f32)?);
    let squares = c.eval(v(x) * x)?;
    // Beyond all channels there are zeros alone.
    let (before, after) = (((size - 1) / 2).min(d), (size / 2).min(d));
    unrolled(before + after)?;
    let mut wide = shape.to_vec();
    let mut padded = vec![squares; 3];
    for (place, count) in [(0, before), (2, after)] {
        wide[1] = count;
        padded[place] = c.filled(x, 0.0, &wide)?;
    }
    let padded = c.concat(&padded, 1)?;
    let mut sum = c.slice(padded, 1, 0..d, 1)?;
    for first in 1..=before + after {
        let other = c.slice(padded, 1, first..first + d, 1)?;
        sum = c.eval(v(sum) + other)?;
    }
    let base = v(sum) * (f64::from(alpha) / size as f64) + c.or("bias", 1.0_f32)?;
    Ok(vec![c.eval((v(x) / base.with("powf", beta)).to(dtype))?])
}
