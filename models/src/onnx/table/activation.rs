//! Functions of one element that are made of several operators.

use super::Build;
use super::elementwise::{like, one};
use crate::onnx::call::Call;
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_graph::graph::Value;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("Acosh", |c| {
        let x = c.operand(0)?;
        one(arcosh(c, x, -1.0))
    }),
    ("Asinh", |c| {
        // Of the absolute value, with the sign of the element: no two large numbers cancel.
        let x = c.operand(0)?;
        let size = c.apply("abs", &[x])?;
        let y = arcosh(c, size, 1.0)?;
        let (zero, minus) = (like(c, x, 0.0)?, c.apply("neg", &[y])?);
        one(c.apply("if_less", &[x, zero, minus, y]))
    }),
    ("Atanh", |c| {
        let x = c.operand(0)?;
        let minus = c.apply("neg", &[x])?;
        let (over, under) = (c.apply("ln_1p", &[x])?, c.apply("ln_1p", &[minus])?);
        let difference = c.apply("sub", &[over, under])?;
        one(times(c, difference, 0.5))
    }),
    ("Celu", |c| {
        let (x, alpha) = (c.operand(0)?, c.or("alpha", 1.0_f32)?);
        let scaled = times(c, x, 1.0 / alpha)?;
        let grown = c.apply("exp_m1", &[scaled])?;
        let below = times(c, grown, alpha)?;
        one(split_at_zero(c, x, below, x))
    }),
    ("Elu", |c| {
        let (x, alpha) = (c.operand(0)?, c.or("alpha", 1.0_f32)?);
        let grown = c.apply("exp_m1", &[x])?;
        let below = times(c, grown, alpha)?;
        one(split_at_zero(c, x, below, x))
    }),
    ("IsInf", |c| {
        let x = c.operand(0)?;
        let (up, down) = (c.flag("detect_positive", true)?, c.flag("detect_negative", true)?);
        let positive = like(c, x, f32::INFINITY)?;
        let negative = like(c, x, f32::NEG_INFINITY)?;
        let above = c.apply("equal", &[x, positive])?;
        let below = c.apply("equal", &[x, negative])?;
        match (up, down) {
            (true, true) => one(c.apply("or", &[above, below])),
            (true, false) => Ok(vec![above]),
            (false, true) => Ok(vec![below]),
            (false, false) => one(c.apply("not_equal", &[above, above])),
        }
    }),
    ("IsNaN", |c| {
        let x = c.operand(0)?;
        one(c.apply("not_equal", &[x, x]))
    }),
    ("Mish", |c| {
        let x = c.operand(0)?;
        let smooth = softplus(c, x)?;
        let gate = c.apply("tanh", &[smooth])?;
        one(c.apply("mul", &[x, gate]))
    }),
    ("Mod", modulo),
    ("Selu", |c| {
        let x = c.operand(0)?;
        let alpha = c.or("alpha", 1.673_263_2_f32)?;
        let gamma = c.or("gamma", 1.050_701_f32)?;
        let grown = c.apply("exp_m1", &[x])?;
        let below = times(c, grown, alpha)?;
        let y = split_at_zero(c, x, below, x)?;
        one(times(c, y, gamma))
    }),
    ("Shrink", |c| {
        let x = c.operand(0)?;
        let (bias, lambda) = (c.or("bias", 0.0_f32)?, c.or("lambd", 0.5_f32)?);
        let (low, high) = (like(c, x, -lambda)?, like(c, x, lambda)?);
        let (bias, zero) = (like(c, x, bias)?, like(c, x, 0.0)?);
        let (up, down) = (c.apply("add", &[x, bias])?, c.apply("sub", &[x, bias])?);
        let upper = c.apply("if_less", &[high, x, down, zero])?;
        one(c.apply("if_less", &[x, low, up, upper]))
    }),
    ("Sign", |c| {
        let x = c.operand(0)?;
        let dtype = c.type_of(x)?.dtype;
        let zero = like(c, x, 0.0)?;
        let (above, below) = (c.apply("less", &[zero, x])?, c.apply("less", &[x, zero])?);
        let (above, below) = (c.cast(above, dtype)?, c.cast(below, dtype)?);
        one(c.apply("sub", &[above, below]))
    }),
    ("Softplus", |c| {
        let x = c.operand(0)?;
        one(softplus(c, x))
    }),
    ("Softsign", |c| {
        let x = c.operand(0)?;
        let size = c.apply("abs", &[x])?;
        let unit = like(c, x, 1.0)?;
        let below = c.apply("add", &[size, unit])?;
        one(c.apply("div", &[x, below]))
    }),
    ("Swish", |c| {
        let (x, alpha) = (c.operand(0)?, c.or("alpha", 1.0_f32)?);
        let scaled = times(c, x, alpha)?;
        let gate = c.apply("sigmoid", &[scaled])?;
        one(c.apply("mul", &[x, gate]))
    }),
    ("ThresholdedRelu", |c| {
        let x = c.operand(0)?;
        let alpha = c.or("alpha", 1.0_f32)?;
        let (alpha, zero) = (like(c, x, alpha)?, like(c, x, 0.0)?);
        one(c.apply("if_less", &[alpha, x, x, zero]))
    }),
];

/// A value times a number; the value itself for 1.
pub(super) fn times(c: &mut Call<'_>, x: Value, factor: f32) -> Result<Value> {
    if factor == 1.0 {
        return Ok(x);
    }
    let factor = like(c, x, factor)?;
    c.apply("mul", &[x, factor])
}

/// `below` where `x` is negative, else `above`.
fn split_at_zero(c: &mut Call<'_>, x: Value, below: Value, above: Value) -> Result<Value> {
    let zero = like(c, x, 0.0)?;
    c.apply("if_less", &[x, zero, below, above])
}

/// `ln(x + √(x² + sign))`.
fn arcosh(c: &mut Call<'_>, x: Value, sign: f32) -> Result<Value> {
    let square = c.apply("mul", &[x, x])?;
    let sign = like(c, x, sign)?;
    let sum = c.apply("add", &[square, sign])?;
    let root = c.apply("sqrt", &[sum])?;
    let sum = c.apply("add", &[x, root])?;
    c.apply("ln", &[sum])
}

/// `ln(1 + eˣ)`, without an overflow for large elements.
fn softplus(c: &mut Call<'_>, x: Value) -> Result<Value> {
    let size = c.apply("abs", &[x])?;
    let minus = c.apply("neg", &[size])?;
    let grown = c.apply("exp", &[minus])?;
    let tail = c.apply("ln_1p", &[grown])?;
    let head = c.apply("relu", &[x])?;
    c.apply("add", &[head, tail])
}

/// The remainder with the sign of the dividend if `fmod` is 1, else of the divisor.
fn modulo(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (a, b) = (c.operand(0)?, c.operand(1)?);
    let rest = c.apply("rem", &[a, b])?;
    let dtype = c.type_of(a)?.dtype;
    if c.flag("fmod", false)? || matches!(dtype, DType::U8 | DType::U16 | DType::U32 | DType::U64) {
        return Ok(vec![rest]);
    }
    if matches!(dtype, DType::F32 | DType::F64 | DType::F16 | DType::BF16) {
        let message = "the remainder of numbers that are no integers needs `fmod = 1`";
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    let sum = c.apply("add", &[rest, b])?;
    one(c.apply("rem", &[sum, b]))
}
