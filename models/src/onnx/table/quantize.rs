//! Numbers as integers with a scale and a zero point.

use super::Build;
use super::convolution::strided;
use super::elementwise::one;
use crate::onnx::tensor;
use ringwood_base::{DType, Result};
use ringwood_graph::compose::{Call, clamp, if_less, line, unsupported, v};
use ringwood_graph::graph::Value;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("ConvInteger", |c| {
        let (zeros, factors) = ([c.maybe(2), c.maybe(3)], [c.operand(0)?, c.operand(1)?]);
        one(convolution(c, factors, zeros))
    }),
    ("DequantizeLinear", |c| {
        let (x, given) = (c.operand(0)?, c.operand(1)?);
        let scale = spread(c, given, x)?;
        let mut x = c.cast(x, DType::I32)?;
        if let Some(zero) = c.maybe(2) {
            let zero = spread(c, zero, x)?;
            let zero = c.cast(zero, DType::I32)?;
            x = c.apply("sub", &[x, zero])?;
        }
        let dtype = match c.or("output_dtype", 0_i64)? {
            0 => c.type_of(scale)?.dtype,
            number => tensor::dtype(number)?,
        };
        let (x, scale) = (c.cast(x, DType::F32)?, c.cast(scale, DType::F32)?);
        let y = c.apply("mul", &[x, scale])?;
        one(c.cast(y, dtype))
    }),
    ("DynamicQuantizeLinear", dynamic),
    ("MatMulInteger", |c| {
        let (zeros, factors) = ([c.maybe(2), c.maybe(3)], [c.operand(0)?, c.operand(1)?]);
        one(product(c, factors, zeros))
    }),
    ("QLinearConv", |c| {
        let given: Vec<_> = (0..8).map(|i| c.operand(i)).collect::<Result<_>>()?;
        let mut y = convolution(c, [given[0], given[3]], [Some(given[2]), Some(given[5])])?;
        let channels = c.rank(y)? - 1;
        if let Some(bias) = c.maybe(8) {
            let bias = column(c, bias, channels)?;
            y = c.apply("add", &[y, bias])?;
        }
        let scale = column(c, given[4], channels)?;
        scaled(c, y, [given[1], scale, given[6]], given[7])
    }),
    ("QLinearMatMul", |c| {
        let given: Vec<_> = (0..8).map(|i| c.operand(i)).collect::<Result<_>>()?;
        let y = product(c, [given[0], given[3]], [Some(given[2]), Some(given[5])])?;
        scaled(c, y, [given[1], given[4], given[6]], given[7])
    }),
    ("QuantizeLinear", |c| {
        let (x, scale) = (c.operand(0)?, c.operand(1)?);
        let zero = match c.maybe(2) {
            Some(zero) => Some(spread(c, zero, x)?),
            None => None,
        };
        let dtype = match (zero, c.or("output_dtype", 0_i64)?) {
            (Some(zero), _) => c.type_of(zero)?.dtype,
            (None, 0) => DType::U8,
            (None, number) => tensor::dtype(number)?,
        };
        let scale = spread(c, scale, x)?;
        let (x, scale) = (c.cast(x, DType::F32)?, c.cast(scale, DType::F32)?);
        let x = c.apply("div", &[x, scale])?;
        one(rounded(c, x, zero, dtype))
    }),
];

/// A scale or a zero point, so that it broadcasts over the elements of `x`: one for all, one for each place
/// of the axis, or one for each block of elements along it.
fn spread(c: &mut Call<'_>, given: Value, x: Value) -> Result<Value> {
    let (shape, whole) = (c.type_of(given)?.shape, c.type_of(x)?.shape);
    let size = c.or("block_size", 0_i64)?.max(0) as usize;
    if shape.elements() == 1 && size == 0 {
        return c.reshape(given, &[]);
    }
    let d = c.dimension(x, c.or("axis", 1_i64)?)?;
    if size == 0 {
        return c.reshape(given, &line(whole.len(), d, whole[d]));
    }
    let wide = c.repeated(given, d, size)?;
    c.slice(wide, d, 0..whole[d], 1)
}

/// Numbers in units of the scale as integers, rounded to nearest and kept in their range.
fn rounded(c: &mut Call<'_>, x: Value, zero: Option<Value>, dtype: DType) -> Result<Value> {
    let (low, high) = match dtype {
        DType::U8 => (0.0, 255.0),
        DType::I8 => (-128.0, 127.0),
        DType::U16 => (0.0, 65_535.0),
        DType::I16 => (-32_768.0, 32_767.0),
        other => {
            return Err(unsupported(format!("numbers are not quantised to {other}")));
        }
    };
    // No sum with a zero point overflows.
    let x = c.eval(clamp(v(x).of("round_ties_even"), -131_072.0, 131_072.0))?;
    let mut x = c.cast(x, DType::I32)?;
    if let Some(zero) = zero {
        let zero = c.cast(zero, DType::I32)?;
        x = c.apply("add", &[x, zero])?;
    }
    let x = c.eval(clamp(x, low, high))?;
    c.cast(x, dtype)
}

/// A number, or one for each place of the first of `rank` dimensions.
fn column(c: &mut Call<'_>, given: Value, rank: usize) -> Result<Value> {
    let n = c.type_of(given)?.shape.elements();
    c.reshape(given, &line(if n == 1 { 0 } else { rank }, 0, n))
}

/// Integers less their zero point, which may be one for each place of the first of `rank` dimensions.
fn shifted(c: &mut Call<'_>, x: Value, zero: Option<Value>, rank: usize) -> Result<Value> {
    let x = c.cast(x, DType::I32)?;
    let Some(zero) = zero else { return Ok(x) };
    let zero = c.cast(zero, DType::I32)?;
    let zero = column(c, zero, rank)?;
    c.apply("sub", &[x, zero])
}

/// The product of matrices of integers less their zero points, as `i32`: those of the first one may be one
/// for each row, those of the second one for each column.
fn product(c: &mut Call<'_>, [a, b]: [Value; 2], zeros: [Option<Value>; 2]) -> Result<Value> {
    let factors = [shifted(c, a, zeros[0], 2)?, shifted(c, b, zeros[1], 1)?];
    c.apply("batched_matmul", &factors)
}

/// The convolution of integers less their zero points, as `i32`: `f64` holds each of its sums.
fn convolution(c: &mut Call<'_>, [x, w]: [Value; 2], zeros: [Option<Value>; 2]) -> Result<Value> {
    let attributes = strided(c, x, w)?;
    let rank = c.rank(w)?;
    let (x, w) = (shifted(c, x, zeros[0], 0)?, shifted(c, w, zeros[1], rank)?);
    let factors = [c.cast(x, DType::F64)?, c.cast(w, DType::F64)?];
    let y = c.apply_with("convolve", &factors, attributes)?;
    c.cast(y, DType::I32)
}

/// Sums of products as integers with a zero point: `scales` are those of the factors and of the result.
fn scaled(c: &mut Call<'_>, y: Value, scales: [Value; 3], zero: Value) -> Result<Vec<Value>> {
    let mut y = c.cast(y, DType::F32)?;
    for (operator, scale) in ["mul", "mul", "div"].into_iter().zip(scales) {
        let scale = c.cast(scale, DType::F32)?;
        y = c.apply(operator, &[y, scale])?;
    }
    let dtype = c.type_of(zero)?.dtype;
    one(rounded(c, y, Some(zero), dtype))
}

/// Numbers as `u8`, with the scale and the zero point that fit their range, which includes 0.
fn dynamic(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let elements = c.type_of(x)?.shape.elements();
    let flat = c.reshape(x, &[elements])?;
    let low = c.apply_with("smallest", &[flat], [("axis", 0_usize)])?;
    let high = c.apply_with("largest", &[flat], [("axis", 0_usize)])?;
    let low = c.eval(v(low).with("min", 0.0))?;
    let width = c.eval(v(high).with("max", 0.0) - low)?;
    let scale = c.eval(if_less(0.0, width, v(width) / 255.0, 1.0))?;
    let start = c.eval(-(v(low) / scale))?;
    let point = rounded(c, start, None, DType::U8)?;
    let x = c.eval(v(x) / scale)?;
    let y = rounded(c, x, Some(point), DType::U8)?;
    Ok(vec![y, scale, point])
}
