//! Functions of one element that are made of several operators.

use super::Build;
use super::elementwise::one;
use ringwood_base::{DType, Result};
use ringwood_graph::compose::{Call, Formula, if_less, invalid, v};
use ringwood_graph::graph::Value;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("Acosh", |c| of(c, |x| arcosh(x, -1.0))),
    ("Asinh", |c| {
        // Of the absolute value, with the sign of the element: no two large numbers cancel.
        let x = c.operand(0)?;
        let size = c.eval(v(x).of("abs"))?;
        let y = c.eval(arcosh(size, 1.0))?;
        one(c.eval(if_less(x, 0.0, -v(y), y)))
    }),
    ("Atanh", |c| of(c, |x| (v(x).of("ln_1p") - (-v(x)).of("ln_1p")) * 0.5)),
    ("Celu", |c| {
        let alpha = c.or("alpha", 1.0_f32)?;
        of(c, |x| if_less(x, 0.0, (v(x) * (1.0 / alpha)).of("exp_m1") * alpha, x))
    }),
    ("Elu", |c| {
        let alpha = c.or("alpha", 1.0_f32)?;
        of(c, |x| if_less(x, 0.0, v(x).of("exp_m1") * alpha, x))
    }),
    ("IsInf", |c| {
        let (up, down) = (c.flag("detect_positive", true)?, c.flag("detect_negative", true)?);
        let above = |x| v(x).with("equal", f32::INFINITY);
        let below = |x| v(x).with("equal", f32::NEG_INFINITY);
        match (up, down) {
            (true, true) => of(c, |x| above(x).with("or", below(x))),
            (true, false) => of(c, above),
            (false, true) => of(c, below),
            (false, false) => of(c, |x| v(x).with("less", x)),
        }
    }),
    ("IsNaN", |c| of(c, |x| v(x).with("not_equal", x))),
    ("Mish", |c| of(c, |x| v(x) * softplus(x).of("tanh"))),
    ("Mod", modulo),
    ("Selu", |c| {
        let alpha = c.or("alpha", 1.673_263_2_f32)?;
        let gamma = c.or("gamma", 1.050_701_f32)?;
        of(c, |x| if_less(x, 0.0, v(x).of("exp_m1") * alpha, x) * gamma)
    }),
    ("Shrink", |c| {
        let (bias, lambda) = (c.or("bias", 0.0_f32)?, c.or("lambd", 0.5_f32)?);
        let upper = |x| if_less(lambda, x, v(x) - bias, 0.0);
        of(c, |x| if_less(x, -lambda, v(x) + bias, upper(x)))
    }),
    ("Sign", |c| {
        let x = c.operand(0)?;
        let dtype = c.type_of(x)?.dtype;
        let zero = c.like(x, 0.0)?;
        let (above, below) = (c.apply("less", &[zero, x])?, c.apply("less", &[x, zero])?);
        let (above, below) = (c.cast(above, dtype)?, c.cast(below, dtype)?);
        one(c.eval(v(above) - below))
    }),
    ("Softplus", |c| of(c, softplus)),
    ("Softsign", |c| of(c, |x| v(x) / (v(x).of("abs") + 1.0))),
    ("Swish", |c| {
        let alpha = c.or("alpha", 1.0_f32)?;
        of(c, |x| v(x) * (v(x) * alpha).of("sigmoid"))
    }),
    ("ThresholdedRelu", |c| {
        let alpha = c.or("alpha", 1.0_f32)?;
        of(c, |x| if_less(alpha, x, x, 0.0))
    }),
];

/// A formula of the first operand.
pub(super) fn of(c: &mut Call<'_>, formula: impl Fn(Value) -> Formula) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    one(c.eval(formula(x)))
}

/// `ln(x + √(x² + sign))`.
fn arcosh(x: Value, sign: f32) -> Formula {
    (v(x) + (v(x) * x + sign).of("sqrt")).of("ln")
}

/// `ln(1 + eˣ)`, without an overflow for large elements.
fn softplus(x: Value) -> Formula {
    v(x).of("relu") + (-v(x).of("abs")).of("exp").of("ln_1p")
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
        return Err(invalid("the remainder of numbers that are no integers needs `fmod = 1`"));
    }
    let sum = c.apply("add", &[rest, b])?;
    one(c.apply("rem", &[sum, b]))
}
