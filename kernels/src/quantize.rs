//! Numbers as integers with a scale and a zero point.

use crate::composed::composed;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, Formula, clamp, if_less, line, v};
use ringwood_graph::graph::{Attributes, Value};

composed! {
    /// The convolution of integers less their zero points, which may follow, as `i32`. ONNX's `ConvInteger`.
    ConvolveIntegers "convolve_integers" {
        strides: [i64], pads: [i64], dilations: [i64], auto_pad: str, group: usize
    } = |c| {
        let (zeros, factors) = ([c.maybe(2), c.maybe(3)], [c.operand(0)?, c.operand(1)?]);
        Ok(vec![convolution(c, factors, zeros)?])
    };
    /// Integers times their scale, less a zero point, which may follow. ONNX's `DequantizeLinear`.
    Dequantize "dequantize" { axis: i64, block_size: i64, output_dtype: dtype } = dequantized;
    /// Numbers as `u8`, with the scale and the zero point that fit their range. ONNX's `DynamicQuantizeLinear`.
    DynamicQuantize "dynamic_quantize" = dynamic;
    /// The product of matrices of integers less their zero points, which may follow, as `i32`. ONNX's `MatMulInteger`.
    ShiftedMatmul "shifted_matmul" = |c| {
        let (zeros, factors) = ([c.maybe(2), c.maybe(3)], [c.operand(0)?, c.operand(1)?]);
        Ok(vec![product(c, factors, zeros)?])
    };
    /// Numbers in units of their scale, divided in `precision` (`f32` where it is left out), as integers; a zero point may
    /// follow. ONNX's `QuantizeLinear`.
    Quantize "quantize" { axis: i64, block_size: i64, output_dtype: dtype, precision: dtype } = quantized;
    /// A convolution of integers, each with scale and zero point, as is the result. ONNX's `QLinearConv`.
    QuantizedConvolve "quantized_convolve" {
        strides: [i64], pads: [i64], dilations: [i64], auto_pad: str, group: usize
    } = quantized_convolution;
    /// A product of matrices of integers, each with scale and zero point, as is the result. ONNX's `QLinearMatMul`.
    QuantizedMatmul "quantized_matmul" = quantized_product;
}

fn dequantized(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, given) = (c.operand(0)?, c.operand(1)?);
    let scale = spread(c, given, x)?;
    let mut y = v(x).to(DType::I32);
    if let Some(zero) = c.maybe(2) {
        y = y - v(spread(c, zero, x)?).to(DType::I32);
    }
    let dtype = c.or("output_dtype", c.type_of(scale)?.dtype)?;
    Ok(vec![c.eval((y.to(DType::F32) * v(scale).to(DType::F32)).to(dtype))?])
}

fn quantized(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, scale) = (c.operand(0)?, c.operand(1)?);
    let zero = c.maybe(2).map(|zero| spread(c, zero, x)).transpose()?;
    let dtype = match zero {
        Some(zero) => c.type_of(zero)?.dtype,
        None => c.or("output_dtype", DType::U8)?,
    };
    let scale = spread(c, scale, x)?;
    let precision = c.or("precision", DType::F32)?;
    if !precision.is_float() {
        return Err(Error::unsupported(format!("numbers are not divided in {precision}"))
            .help("`precision` is a type of floats"));
    }
    let x = v(x).to(precision) / v(scale).to(precision);
    // Types of 16 bits do not hold the bounds of the rounded numbers.
    let wide = if precision == DType::F64 { DType::F64 } else { DType::F32 };
    Ok(vec![rounded(c, x.to(wide), zero, dtype)?])
}

fn quantized_convolution(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let given: Vec<_> = (0..8).map(|i| c.operand(i)).collect::<Result<_>>()?;
    let mut y = convolution(c, [given[0], given[3]], [Some(given[2]), Some(given[5])])?;
    let channels = c.rank(y)? - 1;
    if let Some(bias) = c.maybe(8) {
        let bias = column(c, bias, channels)?;
        y = c.apply("add", &[y, bias])?;
    }
    let scale = column(c, given[4], channels)?;
    scaled(c, y, [given[1], scale, given[6]], given[7])
}

fn quantized_product(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let given: Vec<_> = (0..8).map(|i| c.operand(i)).collect::<Result<_>>()?;
    let y = product(c, [given[0], given[3]], [Some(given[2]), Some(given[5])])?;
    let rows = column(c, given[1], 2)?;
    scaled(c, y, [rows, given[4], given[6]], given[7])
}

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
    if shape.len() != whole.len() {
        return Err(Error::shape(format!("{shape} has not a number for each block of {whole}")));
    }
    let wide = c.repeated(given, d, size)?;
    c.slice(wide, d, 0..whole[d], 1)
}

/// Numbers in units of the scale as integers, rounded to nearest and kept in their range.
fn rounded(c: &mut Call<'_>, x: Formula, zero: Option<Value>, dtype: DType) -> Result<Value> {
    let (low, high) = match dtype {
        DType::U8 => (0.0, 255.0),
        DType::I8 => (-128.0, 127.0),
        DType::U16 => (0.0, 65_535.0),
        DType::I16 => (-32_768.0, 32_767.0),
        other => return Err(Error::unsupported(format!("numbers are not quantised to {other}"))),
    };
    // No sum with a zero point overflows.
    let mut x = clamp(x.of("round_ties_even"), -131_072.0, 131_072.0).to(DType::I32);
    if let Some(zero) = zero {
        x = x + v(zero).to(DType::I32);
    }
    c.eval(clamp(x, low, high).to(dtype))
}

/// A number, or one for each place of the first of `rank` dimensions; of more dimensions what broadcasts by itself.
fn column(c: &mut Call<'_>, given: Value, rank: usize) -> Result<Value> {
    let shape = c.type_of(given)?.shape;
    match shape.elements() {
        1 => c.reshape(given, &[]),
        n if shape.len() < 2 => c.reshape(given, &line(rank, 0, n)),
        _ => Ok(given),
    }
}

/// Integers less their zero point, which may be one for each place of the first of `rank` dimensions.
fn shifted(c: &mut Call<'_>, x: Value, zero: Option<Value>, rank: usize) -> Result<Value> {
    let x = v(x).to(DType::I32);
    let Some(zero) = zero else { return c.eval(x) };
    let zero = column(c, zero, rank)?;
    c.eval(x - v(zero).to(DType::I32))
}

/// The product of matrices of integers less their zero points, as `i32`: those of the first one may be one
/// for each row, those of the second one for each column.
fn product(c: &mut Call<'_>, [a, b]: [Value; 2], zeros: [Option<Value>; 2]) -> Result<Value> {
    let factors = [shifted(c, a, zeros[0], 2)?, shifted(c, b, zeros[1], 1)?];
    c.apply("batched_matmul", &factors)
}

/// The convolution of integers less their zero points, as `i32`: `f64` holds each of its sums.
fn convolution(c: &mut Call<'_>, [x, w]: [Value; 2], zeros: [Option<Value>; 2]) -> Result<Value> {
    let names = ["strides", "pads", "dilations", "auto_pad", "group"];
    let given = |name| Some((name, c.attributes().find(name)?.clone()));
    let attributes: Attributes = names.into_iter().filter_map(given).collect();
    let rank = c.rank(w)?;
    let (x, w) = (shifted(c, x, zeros[0], 0)?, shifted(c, w, zeros[1], rank)?);
    let factors = [c.cast(x, DType::F64)?, c.cast(w, DType::F64)?];
    let y = c.apply_with("convolve", &factors, attributes)?;
    c.cast(y, DType::I32)
}

/// Sums of products as integers with a zero point: `scales` are those of the factors and of the result.
fn scaled(c: &mut Call<'_>, y: Value, scales: [Value; 3], zero: Value) -> Result<Vec<Value>> {
    let [a, b, whole] = scales.map(|scale| v(scale).to(DType::F32));
    let dtype = c.type_of(zero)?.dtype;
    Ok(vec![rounded(c, v(y).to(DType::F32) * a * b / whole, Some(zero), dtype)?])
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
    let point = rounded(c, -(v(low) / scale), None, DType::U8)?;
    let y = rounded(c, v(x) / scale, Some(point), DType::U8)?;
    Ok(vec![y, scale, point])
}
