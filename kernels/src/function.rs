//! Functions of one element, and choices and comparisons of several; operands broadcast.
//!
//! | kernel | PyTorch |
//! |---|---|
//! | `exp2 exp_m1 log2 log10 ln_1p` | `exp2 expm1 log2 log10 log1p` |
//! | `sin cos tan sinh cosh asin acos atan asinh acosh atanh` | the same names |
//! | `cbrt rsqrt recip` | `x.pow(1/3)`, `rsqrt`, `reciprocal` |
//! | `erf erfc` | `special.erf`, `special.erfc` |
//! | `floor ceil trunc round` (of slope 0) | `floor ceil trunc`, none: halves of `round` go away from 0 here, to an even number there |
//! | `round_ties_even` | `round` |
//! | `abs signum` | `abs`, `sgn`; the sign of +0 is 1 |
//! | `powf powi atan2 rem` | `pow pow atan2 fmod` |
//! | `less less_equal greater greater_equal equal not_equal` | `lt le gt ge eq ne` |
//! | `select clamp` | `where clamp` |

use crate::formula::{Term, maps};
use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, LN_10};

/// `constant + factor * a * a`
fn square(constant: f64, factor: f64, a: Term<'_>) -> Term<'_> {
    constant + a * a * factor
}

/// `factor / sqrt(1 - x²)`
fn arc(factor: f64, x: Term<'_>) -> Term<'_> {
    square(1.0, -1.0, x).apply("rsqrt", []) * factor
}

/// `factor exp(-x²)`
fn bell(factor: f64, x: Term<'_>) -> Term<'_> {
    square(0.0, -1.0, x).apply("exp", []) * factor
}

maps! {
    [<T> (map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda]) "... -> ..." "F -> F"]
    /// The power of 2 of each element.
    exp2 Exp2(x: T) -> T { x.exp2() } gradient: |[x], y, g| [x.gets(g * (y * LN_2))];
    /// The exponential of each element, less 1.
    exp_m1 ExpM1(x: T) -> T { x.exp_m1() } gradient: |[x], y, g| [x.gets(g * (y + 1.0))];
    /// The logarithm to base 2 of each element.
    log2 Log2(x: T) -> T { x.log2() } gradient: |[x], _, g| [x.gets(g / (x * LN_2))];
    /// The logarithm to base 10 of each element.
    log10 Log10(x: T) -> T { x.log10() } gradient: |[x], _, g| [x.gets(g / (x * LN_10))];
    /// The natural logarithm of 1 plus each element.
    ln_1p Ln1p(x: T) -> T { x.ln_1p() } gradient: |[x], _, g| [x.gets(g / (x + 1.0))];
    /// The sine of each element.
    sin Sin(x: T) -> T { x.sin() } gradient: |[x], _, g| [x.gets(g * x.apply("cos", []))];
    /// The cosine of each element.
    cos Cos(x: T) -> T { x.cos() } gradient: |[x], _, g| [x.gets(g * -x.apply("sin", []))];
    /// The tangent of each element.
    tan Tan(x: T) -> T { x.tan() } gradient: |[x], y, g| [x.gets(g * square(1.0, 1.0, y))];
    /// The hyperbolic sine of each element.
    sinh Sinh(x: T) -> T { x.sinh() } gradient: |[x], _, g| [x.gets(g * x.apply("cosh", []))];
    /// The hyperbolic cosine of each element.
    cosh Cosh(x: T) -> T { x.cosh() } gradient: |[x], _, g| [x.gets(g * x.apply("sinh", []))];
    /// The arc sine of each element.
    asin Asin(x: T) -> T { x.asin() } gradient: |[x], _, g| [x.gets(g * arc(1.0, x))];
    /// The arc cosine of each element.
    acos Acos(x: T) -> T { x.acos() } gradient: |[x], _, g| [x.gets(g * arc(-1.0, x))];
    /// The arc tangent of each element.
    atan Atan(x: T) -> T { x.atan() } gradient: |[x], _, g| [x.gets(g / square(1.0, 1.0, x))];
    /// The inverse of `sinh`, of each element.
    asinh Asinh(x: T) -> T { x.asinh() } gradient: |[x], _, g| [x.gets(g * square(1.0, 1.0, x).apply("rsqrt", []))];
    /// The inverse of `cosh`, of each element; below 1 it is a NaN.
    acosh Acosh(x: T) -> T { x.acosh() } gradient: |[x], _, g| [x.gets(g * square(-1.0, 1.0, x).apply("rsqrt", []))];
    /// The inverse of `tanh`, of each element; beyond ±1 it is a NaN.
    atanh Atanh(x: T) -> T { x.atanh() } gradient: |[x], _, g| [x.gets(g / square(1.0, -1.0, x))];
    /// The cubic root of each element.
    cbrt Cbrt(x: T) -> T { x.cbrt() } gradient: |[x], y, g| [x.gets(g / square(0.0, 3.0, y))];
    /// The error function of each element.
    erf Erf(x: T) -> T { x.erf() } gradient: |[x], _, g| [x.gets(g * bell(FRAC_2_SQRT_PI, x))];
    /// 1 less the error function of each element.
    erfc Erfc(x: T) -> T { x.erfc() } gradient: |[x], _, g| [x.gets(g * bell(-FRAC_2_SQRT_PI, x))];
    /// 1 divided by the square root of each element.
    rsqrt Rsqrt(x: T) -> T { x.rsqrt() } gradient: |[x], y, g| [x.gets(g * (square(0.0, -0.5, y) * y))];
    /// 1 divided by each element.
    recip Recip(x: T) -> T { x.recip() } gradient: |[x], y, g| [x.gets(g * square(0.0, -1.0, y))];
    /// The next integer below each element; its slope is 0.
    floor Floor(x: T) -> T { x.floor() } gradient: |[_], _, _| [];
    /// The next integer above each element; its slope is 0.
    ceil Ceil(x: T) -> T { x.ceil() } gradient: |[_], _, _| [];
    /// The next integer from each element towards 0; its slope is 0.
    trunc Trunc(x: T) -> T { x.trunc() } gradient: |[_], _, _| [];
    /// The integer nearest to each element; halves go away from 0. Its slope is 0.
    round Round(x: T) -> T { x.round() } gradient: |[_], _, _| [];
    /// The integer nearest to each element; halves go to an even number. Its slope is 0.
    round_ties_even RoundTiesEven(x: T) -> T { x.round_ties_even() } gradient: |[_], _, _| [];
}

maps! {
    [<T> (map, T in [f32, f64, f16, bf16, i32, i64, i8, i16], device = [cpu, opencl, cuda]) "... -> ..."]
    /// The magnitude of a number; that of the least integer wraps. Its slope at ±0 is 0.
    abs Abs(x: T) -> T { x.abs() } gradient: |[x], _, g| [x.gets(g * x.apply("sign", []))];
    /// The sign of a number: ±1, of a NaN a NaN, of the integer 0 it is 0. Its slope is 0.
    signum Signum(x: T) -> T { x.signum() } gradient: |[_], _, _| [];
}

maps! {
    [
        <T> (map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])
        "..., ... -> ..."
    ]
    /// The remainder of a division, with the sign of `a`; an integer modulo 0 is 0.
    rem Rem(a: T, b: T) -> T { a % b } gradient: |[a, b], rest, g| {
        // A quotient that is almost an integer may be rounded to it: the remainder knows which one counts.
        let whole = ((a - rest) / b).apply("round", []);
        [a.gets(g), b.gets(-(g * whole))]
    };
}

maps! {
    [<T> (map, T in [i32, i64], device = [cpu, opencl, cuda]) "..., ... -> ..." "I, I -> I"]
    /// `x` to the power of `y`, modulo the range of integers; a fraction, of a negative `y`, goes towards 0.
    powi Powi(x: T, y: T) -> T {
        // A power takes 32 bits of an exponent at once.
        let high = (y as i64 / 4294967296) as u32;
        if y >= 0 {
            if high == 0 { x.pow(y as u32) } else { x.pow(65536).pow(65536).pow(high) * x.pow(y as u32) }
        } else if x == 1 || x == -1 {
            if y % 2 == 0 { 1 } else { x }
        } else {
            0
        }
    };
}

maps! {
    [<T> (map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda]) "..., ... -> ..." "F, F -> F"]
    /// `x` to the power of `y`.
    powf Powf(x: T, y: T) -> T { x.powf(y) } gradient: |[x, y], power, g| {
        // At 0 one factor is 0, and the other may be infinite.
        let zero = g.number(0.0);
        let slope = y * x.apply("powf", [y - 1.0]);
        let slope = y.apply("equal", [zero]).apply("select", [zero, slope]);
        let growth = power * x.apply("ln", []);
        let at_zero = y.apply("if_less", [zero, growth, zero]);
        let growth = x.apply("equal", [zero]).apply("select", [at_zero, growth]);
        [x.gets(g * slope), y.gets(g * growth)]
    };
    /// The angle of the point (`x`, `y`), from −π to π.
    atan2 Atan2(y: T, x: T) -> T { y.atan2(x) } gradient: |[y, x], _, g| {
        let share = g / (y * y + x * x);
        [y.gets(share * x), x.gets(-(share * y))]
    };
}

maps! {
    [
        <T> (map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool], device = [cpu, opencl, cuda])
        "..., ... -> ..." "T, T -> bool"
    ]
    /// Whether `a < b`.
    less Less(a: T, b: T) -> bool { a < b };
    /// Whether `a <= b`.
    less_equal LessEqual(a: T, b: T) -> bool { a <= b };
    /// Whether `a > b`.
    greater Greater(a: T, b: T) -> bool { a > b };
    /// Whether `a >= b`.
    greater_equal GreaterEqual(a: T, b: T) -> bool { a >= b };
    /// Whether `a` and `b` are equal; as numbers, its mean is an accuracy.
    equal Equal(a: T, b: T) -> bool { a == b };
    /// Whether `a` and `b` differ; a NaN differs from all.
    not_equal NotEqual(a: T, b: T) -> bool { a != b };
}

maps! {
    [<> (map, device = [cpu, opencl, cuda]) "..., ... -> ..." "bool, bool -> bool"]
    /// Whether `a` and `b` hold; PyTorch's `logical_and`.
    and And(a: bool, b: bool) -> bool { a & b };
    /// Whether `a` or `b` holds, or both; PyTorch's `logical_or`.
    or Or(a: bool, b: bool) -> bool { a | b };
    /// Whether just one of `a` and `b` holds; PyTorch's `logical_xor`.
    xor Xor(a: bool, b: bool) -> bool { a ^ b };
}

maps! {
    [<> (map, device = [cpu, opencl, cuda]) "... -> ..." "bool -> bool"]
    /// Whether `a` does not hold; PyTorch's `logical_not`.
    not Not(a: bool) -> bool { !a };
}

maps! {
    [
        <T> (map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool], device = [cpu, opencl, cuda])
        "..., ..., ... -> ..." "bool, T, T -> T"
    ]
    /// `a` if `c`, else `b`.
    select Select(c: bool, a: T, b: T) -> T { if c { a } else { b } } gradient: |[c, a, b], _, g| {
        let zero = g.number(0.0);
        [a.gets(c.apply("select", [g, zero])), b.gets(c.apply("select", [zero, g]))]
    };
}

maps! {
    [
        <T> (map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])
        "..., ..., ... -> ..."
    ]
    /// `low` below it, else `high` above that, else `x`, which may be a NaN.
    clamp Clamp(x: T, low: T, high: T) -> T { x.clamp(low, high) } gradient: |[x, low, high], _, g| {
        let zero = g.number(0.0);
        let above = high.apply("if_less", [x, g, zero]);
        let not_above = g - above;
        [
            x.gets(x.apply("if_less", [low, zero, not_above])),
            low.gets(x.apply("if_less", [low, g, zero])),
            high.gets(x.apply("if_less", [low, zero, above])),
        ]
    };
}
