//! Operators that compute each element by itself.

use super::Build;
use super::reduce::magnitude;
use crate::onnx::tensor::dtype;
use ringwood_base::{DType, Result};
use ringwood_graph::compose::{Call, clamp, if_less, unsupported, v};
use ringwood_graph::graph::Value;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("Abs", |c| {
        let x = c.operand(0)?;
        one(magnitude(c, x))
    }),
    ("BitCast", bit_cast),
    ("BitShift", |c| {
        let (x, by) = (c.operand(0)?, c.operand(1)?);
        let left = c.text("direction", "")? == "LEFT";
        let shifted = c.apply(if left { "shift_left" } else { "shift_right" }, &[x, by])?;
        let dtype = c.type_of(x)?.dtype;
        one(c.eval(if_less(by, 8.0 * dtype.size() as f32, shifted, 0.0)))
    }),
    ("Cast", |c| {
        let to = dtype(c.attribute("to")?.unwrap_or_default())?;
        one(c.operand(0).and_then(|x| c.cast(x, to)))
    }),
    ("CastLike", |c| {
        let to = c.type_of(c.operand(1)?)?.dtype;
        one(c.operand(0).and_then(|x| c.cast(x, to)))
    }),
    ("Clip", clip),
    ("Dropout", dropout),
    ("Gelu", |c| match c.text("approximate", "none")?.as_str() {
        "tanh" => same(c, "gelu_tanh"),
        _ => same(c, "gelu"),
    }),
    ("HardSigmoid", |c| {
        let (alpha, beta) = (c.or("alpha", 0.2_f32)?, c.or("beta", 0.5_f32)?);
        let x = c.operand(0)?;
        one(c.eval(clamp(v(x) * alpha + beta, 0.0, 1.0)))
    }),
    ("HardSwish", |c| {
        let x = c.operand(0)?;
        one(c.eval(v(x) * clamp(v(x) * (1.0 / 6.0) + 0.5, 0.0, 1.0)))
    }),
    ("Identity", |c| one(c.operand(0))),
    ("LeakyRelu", |c| {
        let alpha = c.or("alpha", 0.01_f32)?;
        let x = c.operand(0)?;
        one(c.eval(if_less(x, 0.0, v(x) * alpha, x)))
    }),
    ("Max", |c| folded(c, "max")),
    ("Mean", |c| {
        let count = c.operands().len();
        let sum = folded(c, "add")?[0];
        one(c.eval(v(sum) / count as f32))
    }),
    ("Min", |c| folded(c, "min")),
    ("PRelu", |c| {
        let (x, slope) = (c.operand(0)?, c.operand(1)?);
        one(c.eval(if_less(x, 0.0, v(x) * slope, x)))
    }),
    ("Pow", |c| {
        let (x, y) = (c.operand(0)?, c.operand(1)?);
        let (dtype, other) = (c.type_of(x)?.dtype, c.type_of(y)?.dtype);
        let (work, operator) = match (dtype.is_float(), other.is_float()) {
            (true, _) => (dtype, "powf"),
            (false, true) => (other, "powf"),
            (false, false) => (DType::I64, "powi"),
        };
        let operands = [c.cast(x, work)?, c.cast(y, work)?];
        let y = c.apply(operator, &operands)?;
        one(c.cast(y, dtype))
    }),
    ("Sum", |c| folded(c, "add")),
];

/// A single result.
pub(super) fn one(value: Result<Value>) -> Result<Vec<Value>> {
    value.map(|value| vec![value])
}

/// The operator of Ringwood that does the same.
pub(super) fn same(c: &mut Call<'_>, operator: &str) -> Result<Vec<Value>> {
    let operands = c.operands();
    one(c.apply(operator, &operands))
}

/// An operator of two operands, over all of them in their order.
fn folded(c: &mut Call<'_>, operator: &str) -> Result<Vec<Value>> {
    let operands = c.operands();
    let mut value = c.operand(0)?;
    for operand in &operands[1..] {
        value = c.apply(operator, &[value, *operand])?;
    }
    Ok(vec![value])
}

fn clip(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let mut bounds = [c.maybe(1), c.maybe(2)];
    for (bound, name) in bounds.iter_mut().zip(["min", "max"]) {
        if let Some(number) = c.attribute::<f32>(name)? {
            *bound = Some(c.like(x, number)?);
        }
    }
    let mut value = x;
    for (bound, operator) in bounds.into_iter().zip(["max", "min"]) {
        if let Some(bound) = bound {
            value = c.apply(operator, &[value, bound])?;
        }
    }
    Ok(vec![value])
}

/// The bits of elements as another type of the same size.
fn bit_cast(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let (from, to) = (c.type_of(x)?.dtype, dtype(c.or("to", 0_i64)?)?);
    let words = |dtype| match dtype {
        DType::F32 => Some(DType::U32),
        DType::F64 => Some(DType::U64),
        DType::F16 | DType::BF16 => None,
        other => Some(other),
    };
    let (Some(_), Some(word), true) = (words(from), words(to), from.size() == to.size()) else {
        return Err(unsupported(format!("the bits of {from} are not read as {to}")));
    };
    let x = if from.is_float() { c.apply(&format!("bits_of_{from}"), &[x])? } else { x };
    let x = c.cast(x, word)?;
    one(if to.is_float() { c.apply(&format!("{to}_of_bits"), &[x]) } else { Ok(x) })
}

/// What is dropped when a network is used: nothing.
fn dropout(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    if let Some(training) = c.maybe(2)
        && c.graph.require(training)? != [0]
    {
        let ratio = c.maybe(1).map_or_else(|| c.like(x, 0.5), Ok)?;
        let ratio = c.cast(ratio, DType::F32)?;
        if c.graph.require(ratio)? != [0; 4] {
            return Err(unsupported("training mode needs random numbers, which are not made"));
        }
    }
    if c.results()? == 1 {
        return Ok(vec![x]);
    }
    let ty = c.type_of(x)?;
    let kept = c.graph.constant_bytes(DType::Bool, &[], &[1])?;
    Ok(vec![x, c.broadcast(kept, &ty.shape)?])
}
