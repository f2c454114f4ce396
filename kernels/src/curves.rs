//! Functions of one element, or of those in one place, that are made of several operators.

use crate::axes::magnitude;
use crate::composed::{composed, widened};
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, Formula, clamp, if_less, select, v};
use ringwood_graph::graph::Value;

/// `exp(x) − 1` of a number below 0. Others count as 0: of a large one it is infinite, and so is its slope, of which the
/// gradient of a choice takes none.
fn below(x: Formula) -> Formula {
    x.with("min", 0.0).of("exp_m1")
}

/// Declares functions of the first operand: attributes with their defaults, and the formula.
macro_rules! curves {
    ($(
        $(#[$doc:meta])*
        $type:ident $name:literal $(($($attribute:ident = $default:expr),*))? = |$x:ident| $formula:expr;
    )*) => {
        composed! {$(
            $(#[$doc])*
            $type $name $({ $($attribute: f32),* })? = |c| {
                $($(let $attribute: f32 = c.or(stringify!($attribute), $default)?;)*)?
                let $x = c.operand(0)?;
                Ok(vec![c.eval($formula)?])
            };
        )*}
    };
}

curves! {
    /// `alpha x + beta`.
    Affine "affine" (alpha = 1.0, beta = 0.0) = |x| v(x) * alpha + beta;
    /// `x`, or `alpha (exp(x / alpha) − 1)` where it is negative.
    Celu "celu" (alpha = 1.0) = |x| if_less(x, 0.0, below(v(x) * (1.0 / f64::from(alpha))) * alpha, x);
    /// `x`, or `alpha (exp(x) − 1)` where it is negative.
    Elu "elu" (alpha = 1.0) = |x| if_less(x, 0.0, below(v(x)) * alpha, x);
    /// `alpha x + beta` between 0 and 1.
    HardSigmoid "hard_sigmoid" (alpha = 0.2, beta = 0.5) = |x| clamp(v(x) * alpha + beta, 0.0, 1.0);
    /// `x` times `x / 6 + 1 / 2` between 0 and 1.
    HardSwish "hard_swish" = |x| v(x) * clamp(v(x) * (1.0 / 6.0) + 0.5, 0.0, 1.0);
    /// Whether an element is no number.
    IsNan "is_nan" = |x| v(x).with("not_equal", x);
    /// `x`, or `alpha x` where it is negative.
    LeakyRelu "leaky_relu" (alpha = 0.01) = |x| if_less(x, 0.0, v(x) * alpha, x);
    /// `x tanh(ln(1 + exp(x)))`.
    Mish "mish" = |x| v(x) * softplus(x).of("tanh");
    /// `alpha tanh(beta x)`.
    ScaledTanh "scaled_tanh" (alpha = 1.0, beta = 1.0) = |x| (v(x) * beta).of("tanh") * alpha;
    /// `gamma x`, or `gamma alpha (exp(x) − 1)` where it is negative.
    Selu "selu" (alpha = 1.673_263_2, gamma = 1.050_701) =
        |x| if_less(x, 0.0, below(v(x)) * alpha, x) * gamma;
    /// `ln(1 + exp(x))`.
    Softplus "softplus" = |x| softplus(x);
    /// `x / (1 + |x|)`.
    Softsign "softsign" = |x| v(x) / (v(x).of("abs") + 1.0);
    /// `x sigmoid(alpha x)`.
    Swish "swish" (alpha = 1.0) = |x| v(x) * (v(x) * alpha).of("sigmoid");
    /// `x` where it is larger than `alpha`, else 0.
    ThresholdedRelu "thresholded_relu" (alpha = 1.0) = |x| if_less(alpha, x, x, 0.0);
}

composed! {
    /// The bits of elements as another type of the same size.
    BitCast "bit_cast" { to: dtype } = bit_cast;
    /// No less than the second operand or `min`, no more than the third or `max`.
    Clip "clip" { min: f32, max: f32 } = clip;
    /// Whether an element is infinite, of the signs that count.
    IsInf "is_inf" { detect_negative: bool, detect_positive: bool } = |c| {
        let (x, up, down) =
            (c.operand(0)?, c.flag("detect_positive", true)?, c.flag("detect_negative", true)?);
        let above = v(x).with("equal", f32::INFINITY);
        let below = v(x).with("equal", f32::NEG_INFINITY);
        Ok(vec![c.eval(match (up, down) {
            (true, true) => above.with("or", below),
            (true, false) => above,
            (false, true) => below,
            (false, false) => v(x).with("less", x),
        })?])
    };
    /// The absolute value, also of integers without a sign.
    Magnitude "magnitude" = |c| c.operand(0).and_then(|x| Ok(vec![magnitude(c, x)?]));
    /// The largest of the operands.
    MaxOf "max_of" = |c| folded(c, "max");
    /// The mean of the operands.
    MeanOf "mean_of" = |c| {
        let (first, operands) = (c.operand(0)?, c.operands());
        let mut sum = widened(c, first)?;
        for &operand in &operands[1..] {
            let operand = widened(c, operand)?;
            sum = c.apply("add", &[sum, operand])?;
        }
        let dtype = c.type_of(first)?.dtype;
        Ok(vec![c.eval((v(sum) / operands.len() as f64).to(dtype))?])
    };
    /// The smallest of the operands.
    MinOf "min_of" = |c| folded(c, "min");
    /// The remainder of integers with the sign of the divisor, or, with `fmod`, as `rem`.
    Modulo "modulo" { fmod: bool } = modulo;
    /// `x`, or `slope x` where it is negative: operands are `x` and `slope`.
    PRelu "p_relu" = |c| {
        let [x, slope] = c.exactly()?;
        Ok(vec![c.eval(if_less(x, 0.0, v(x) * slope, x))?])
    };
    /// Powers, of the type of their bases.
    Power "power" = power;
    /// Bits moved to the `LEFT` or to the right, to the end of the type and beyond.
    Shift "shift" { direction: str } = |c| {
        let [x, by] = c.exactly()?;
        let left = c.choice("direction", &["RIGHT", "LEFT"])? == "LEFT";
        let shifted = c.apply(if left { "shift_left" } else { "shift_right" }, &[x, by])?;
        let bits = 8.0 * c.type_of(x)?.dtype.size() as f64;
        Ok(vec![c.eval(if_less(by, bits, shifted, 0.0))?])
    };
    /// `x + bias` below `-lambd`, `x - bias` above `lambd`, else 0.
    Shrink "shrink" { bias: f32, lambd: f32 } = shrink;
    /// 1, 0 or −1, as the sign of an element is; that of a NaN is a NaN.
    Sign "sign" = |c| {
        let x = c.operand(0)?;
        let (dtype, zero) = (c.type_of(x)?.dtype, c.like(x, 0.0)?);
        let (above, below) = (v(zero).with("less", x), v(x).with("less", zero));
        let sign = above.to(dtype) - below.to(dtype);
        Ok(vec![match dtype.is_float() {
            true => c.eval(select(v(x).with("not_equal", x), x, sign))?,
            false => c.eval(sign)?,
        }])
    };
    /// The sum of the operands.
    SumOf "sum_of" = |c| folded(c, "add");
}

/// `ln(1 + eˣ)`, without an overflow for large elements.
fn softplus(x: Value) -> Formula {
    // −|x|, whose slope is 1 at both zeros, as that of `relu` is 0.
    let below = v(x).with("min", -v(x));
    v(x).of("relu") + below.of("exp").of("ln_1p")
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
        return Err(Error::invalid(
            "the remainder of numbers that are no integers needs `fmod = 1`",
        ));
    }
    // The sum of numbers of one sign might be too large.
    let below = if_less(b, 0.0, rest, v(rest) + b);
    let above = if_less(b, 0.0, v(rest) + b, rest);
    Ok(vec![c.eval(if_less(rest, 0.0, below, if_less(0.0, rest, above, rest)))?])
}

/// An operator of two operands, over all of them in their order. A NaN is larger and smaller than all numbers.
fn folded(c: &mut Call<'_>, operator: &'static str) -> Result<Vec<Value>> {
    let operands = c.operands();
    let mut value = c.operand(0)?;
    for &operand in &operands[1..] {
        let chosen = match operator {
            "max" => if_less(value, operand, operand, value),
            "min" => if_less(operand, value, operand, value),
            _ => v(value).with(operator, operand),
        };
        value = match operator != "add" && c.type_of(value)?.dtype.is_float() {
            true => c.eval(select(v(operand).with("not_equal", operand), operand, chosen))?,
            false => c.eval(chosen)?,
        };
    }
    Ok(vec![value])
}

fn shrink(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, bias, lambd) = (c.operand(0)?, c.or("bias", 0.0_f32)?, c.or("lambd", 0.5_f32)?);
    let dtype = c.type_of(x)?.dtype;
    // Attributes need not be whole where elements are.
    let wide = if dtype.is_float() { x } else { c.cast(x, DType::F64)? };
    let moved = |by: f32| match dtype.is_float() || by.fract() == 0.0 {
        // A type without a sign holds no negative number.
        true if by < 0.0 => v(x) - (-by),
        true => v(x) + by,
        false => (v(wide) + by).to(dtype),
    };
    let above = select(v(wide).with("greater", lambd), moved(-bias), 0.0);
    Ok(vec![c.eval(select(v(wide).with("less", -lambd), moved(bias), above))?])
}

fn power(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let [x, y] = c.exactly()?;
    let (dtype, other) = (c.type_of(x)?.dtype, c.type_of(y)?.dtype);
    let (work, operator) = match (dtype.is_float(), other.is_float()) {
        (true, _) => (holding(c, dtype, y)?, "powf"),
        (false, true) => (DType::F64, "powf"),
        (false, false) => (DType::I64, "powi"),
    };
    Ok(vec![c.eval(v(x).to(work).with(operator, v(y).to(work)).to(dtype))?])
}

/// The floats in which powers of bases of a type are computed: those that hold the bases and the exponents.
fn holding(c: &mut Call<'_>, dtype: DType, exponents: Value) -> Result<DType> {
    let other = c.type_of(exponents)?.dtype;
    if dtype == other {
        return Ok(dtype);
    }
    let is_exact = match other.is_float() {
        true => other != DType::F64,
        false => other.size() <= 2 || are_small(c, exponents)?,
    };
    Ok(if dtype == DType::F64 || !is_exact { DType::F64 } else { DType::F32 })
}

/// Whether integers are known before a run to be some that an `f32` holds.
fn are_small(c: &mut Call<'_>, integers: Value) -> Result<bool> {
    const MOST: u64 = 1 << f32::MANTISSA_DIGITS;
    let is_signed = matches!(c.type_of(integers)?.dtype, DType::I32 | DType::I64);
    if !is_signed || c.graph.known(integers)?.is_none() {
        return Ok(false);
    }
    Ok(c.graph.integers(integers)?.iter().all(|n| n.unsigned_abs() <= MOST))
}

fn clip(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let mut bounds = [c.maybe(1), c.maybe(2)];
    for (bound, name) in bounds.iter_mut().zip(["min", "max"]) {
        if let Some(number) = c.attribute::<f32>(name)? {
            *bound = Some(c.like(x, number)?);
        }
    }
    // A NaN stays one.
    let mut value = x;
    if let [Some(low), _] = bounds {
        value = c.eval(if_less(value, low, low, value))?;
    }
    if let [_, Some(high)] = bounds {
        value = c.eval(if_less(high, value, high, value))?;
    }
    Ok(vec![value])
}

/// The bits of elements as another type of the same size.
fn bit_cast(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let (from, to): (_, DType) = (c.type_of(x)?.dtype, c.value("to")?);
    let words = |dtype| match dtype {
        DType::F32 => Some(DType::U32),
        DType::F64 => Some(DType::U64),
        DType::F16 | DType::BF16 => None,
        other => Some(other),
    };
    let (Some(_), Some(word), true) = (words(from), words(to), from.size() == to.size()) else {
        return Err(Error::unsupported(format!("the bits of {from} are not read as {to}")));
    };
    let x = if from.is_float() { c.apply(&format!("bits_of_{from}"), &[x])? } else { x };
    let x = c.cast(x, word)?;
    Ok(vec![if to.is_float() { c.apply(&format!("{to}_of_bits"), &[x])? } else { x }])
}
