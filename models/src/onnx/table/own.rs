//! Operators that mean here what no operator of Ringwood does, or that older sets have otherwise.

use super::{Build, opset, same, same_with};
use crate::onnx::tensor::dtype;
use ringwood_base::{DType, Error, Result, Shape};
use ringwood_graph::compose::{Call, extents};
use ringwood_graph::graph::{Attribute, Value};

pub(super) const TABLE: &[(&str, Build)] = &[
    ("BatchNormalization", |c| match c.or("spatial", 1_i64)? {
        0 => Err(Error::unsupported("`spatial` is 0: statistics of each place of an image")),
        _ => same(c, "batch_norm"),
    }),
    ("Cast", |c| {
        let to = dtype(c.attribute("to")?.unwrap_or_default())?;
        one(c.operand(0).and_then(|x| c.cast(x, to)))
    }),
    ("CastLike", |c| {
        let to = c.type_of(c.operand(1)?)?.dtype;
        one(c.operand(0).and_then(|x| c.cast(x, to)))
    }),
    ("ConstantOfShape", constant_of_shape),
    ("Conv", |c| convolved(c, "convolve", 1)),
    ("ConvInteger", |c| convolved(c, "convolve_integers", 1)),
    ("ConvTranspose", |c| convolved(c, "convolve_transposed", 1)),
    ("DFT", |c| {
        let axis = if opset(c)? < 20 { 1_i64 } else { -2 };
        same_with(c, "spectrum", [("axis", axis.into())])
    }),
    ("Dropout", dropout),
    ("Expand", |c| {
        let (x, shape) = (c.operand(0)?, c.operand(1)?);
        let wanted = Shape::new(&extents(&c.graph.integers(shape)?)?)?;
        let shape = c.type_of(x)?.shape.broadcast(&wanted)?;
        one(c.broadcast(x, &shape))
    }),
    ("FlexAttention", super::attention::flex_attention),
    ("Gelu", |c| match c.choice("approximate", &["none", "tanh"])? {
        "tanh" => same(c, "gelu_tanh"),
        _ => same(c, "gelu"),
    }),
    ("Hardmax", |c| along(c, "hardmax_along")),
    ("Identity", |c| one(c.operand(0))),
    ("LogSoftmax", |c| along(c, "log_softmax_along")),
    ("OptionalGetElement", |c| one(c.operand(0))),
    ("OptionalHasElement", |c| {
        let has = c.maybe(0).is_some();
        one(c.graph.constant_bytes(DType::Bool, &[], &[has.into()]))
    }),
    ("QLinearConv", |c| convolved(c, "quantized_convolve", 3)),
    ("Relu", |c| {
        let x = c.operand(0)?;
        match c.type_of(x)?.dtype.is_float() {
            true => same(c, "relu"),
            false => one(c.like(x, 0.0).and_then(|zero| c.apply("max", &[x, zero]))),
        }
    }),
    ("Reshape", reshape),
    ("Resize", resize),
    ("RoiAlign", roi_align),
    ("Softmax", |c| along(c, "softmax_along")),
    ("Split", |c| {
        let (wanted, results) = (c.attribute::<i64>("num_outputs")?, c.results()? as i64);
        match wanted.filter(|wanted| *wanted != results) {
            Some(wanted) => Err(Error::shape(format!(
                "`num_outputs` is {wanted}, and the node names {results} results"
            ))),
            None => same(c, "split"),
        }
    }),
    ("Transpose", |c| {
        let x = c.operand(0)?;
        let rank = c.rank(x)? as i64;
        let axes = c.or("perm", (0..rank).rev().collect::<Vec<_>>())?;
        one(c.apply_with("permute", &[x], [("axes", axes)]))
    }),
    ("Upsample", resize),
];

/// A single result.
pub(super) fn one(value: Result<Value>) -> Result<Vec<Value>> {
    value.map(|value| vec![value])
}

/// A convolution with the filters that an operand is, of the extents that the node may say as well.
fn convolved(c: &mut Call<'_>, operator: &str, filters: usize) -> Result<Vec<Value>> {
    let shape = c.type_of(c.operand(filters)?)?.shape;
    if let Some(said) = c.attribute::<Vec<i64>>("kernel_shape")? {
        let extents = shape.iter().skip(2).map(|&extent| extent as i64);
        if !said.iter().copied().eq(extents) {
            return Err(Error::shape(format!("`kernel_shape` is {said:?}, of filters {shape}")));
        }
    }
    same_with(c, operator, [("group", 1_usize.into())])
}

/// An operator along one axis; before operator set 13, of all elements from it on.
fn along(c: &mut Call<'_>, operator: &str) -> Result<Vec<Value>> {
    if opset(c)? >= 13 {
        return same(c, operator);
    }
    let x = c.operand(0)?;
    let shape = c.type_of(x)?.shape;
    let (before, after) = shape.split_at(c.dimension(x, c.or("axis", 1_i64)?)?);
    let rows = c.reshape(x, &[before.iter().product(), after.iter().product()])?;
    let y = c.apply(operator, &[rows])?;
    Ok(vec![c.reshape(y, &shape)?])
}

/// Images of other extents. Before set 11 there are scales alone, as an operand or, before set 9, as an attribute; and
/// other defaults.
fn resize(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let scales = match opset(c)? {
        11.. => return same(c, "resize"),
        9.. => c.operand(1)?,
        _ => {
            let scales: Vec<f32> = c.or("scales", Vec::new())?;
            c.graph.constant(&[scales.len()], &scales)?
        }
    };
    let attributes: [(_, Attribute); 4] = [
        ("absent", vec![1_i64].into()),
        ("mode", c.text("mode", "nearest")?.into()),
        ("nearest_mode", "ceil_to_shrink".into()),
        ("coordinate_transformation_mode", "asymmetric".into()),
    ];
    let operands = [c.operand(0)?, scales];
    c.apply_all("resize", &operands, attributes)
}

/// The most samples of a region's part along one dimension.
const SAMPLES: i64 = 1024;

/// Regions of images.
fn roi_align(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, regions, batch) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
    let dtype = c.type_of(x)?.dtype;
    if dtype == DType::F64 {
        return Err(Error::unsupported("images of f64 are not sampled: kernels compute in f32"));
    }
    let operands =
        [c.cast(x, DType::F32)?, c.cast(regions, DType::F32)?, c.cast(batch, DType::I32)?];
    let mut words = ["half_pixel", "output_half_pixel"];
    if opset(c)? < 16 {
        words.reverse();
    }
    let half = c.choice("coordinate_transformation_mode", &words)? == "half_pixel";
    let samples: i64 = c.or("sampling_ratio", 0)?;
    if samples > SAMPLES {
        let message = format!("`sampling_ratio` is {samples}, and at most {SAMPLES} is supported");
        return Err(Error::unsupported(message));
    }
    let count =
        |name, default| c.or(name, default).map(|n: i64| Attribute::from(n.max(0) as usize));
    let how = [
        ("p", count("output_height", 1)?),
        ("q", count("output_width", 1)?),
        ("ratio", count("sampling_ratio", 0)?),
        ("scale", c.or("spatial_scale", 1.0_f32)?.into()),
        ("shift", if half { 0.5_f32 } else { 0.0 }.into()),
        ("least", if half { f32::NEG_INFINITY } else { 1.0 }.into()),
        ("largest", (c.choice("mode", &["avg", "max"])? == "max").into()),
    ];
    let y = c.apply_with("roi_align", &operands, how)?;
    one(c.cast(y, dtype))
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
            let none = || Error::shape(format!("extent {d} is kept, and {given} has none"));
            *extent = *given.get(d).ok_or_else(none)? as i64;
        }
    }
    one(c.apply_with("reshape", &[x], [("shape", shape)]))
}
/// What is dropped when a network is used: nothing.
fn dropout(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    if let Some(training) = c.maybe(2)
        && c.graph.require(training)? != [0]
    {
        let ratio = c.maybe(1).map_or_else(|| c.like(x, 0.5), Ok)?;
        let ratio = c.numbers(ratio)?.first().copied().unwrap_or_default();
        if ratio != 0.0 {
            return super::random::dropped(c, x, ratio);
        }
    }
    if c.results()? == 1 {
        return Ok(vec![x]);
    }
    let ty = c.type_of(x)?;
    // The mask is of truth values since operator set 10.
    let kept = match opset(c)? < 10 {
        true => c.like(x, 1.0)?,
        false => c.graph.constant_bytes(DType::Bool, &[], &[1])?,
    };
    Ok(vec![x, c.broadcast(kept, &ty.shape)?])
}
