//! Functions of one element, and choices and comparisons of several; operands broadcast.
//!
//! | kernel | PyTorch |
//! |---|---|
//! | `exp2 exp_m1 log2 log10 ln_1p` | `exp2 expm1 log2 log10 log1p` |
//! | `sin cos tan sinh cosh asin acos atan` | the same names |
//! | `cbrt rsqrt recip` | `x.pow(1/3)`, `rsqrt`, `reciprocal` |
//! | `erf erfc` | `special.erf`, `special.erfc` |
//! | `floor ceil trunc round` (of slope 0) | `floor ceil trunc`, none: halves of `round` go away from 0 here, to an even number there |
//! | `round_ties_even` | `round` |
//! | `abs signum` | `abs`, `sgn`; the sign of +0 is 1 |
//! | `powf powi atan2 rem` | `pow pow atan2 fmod` |
//! | `less less_equal greater greater_equal not_equal` | `lt le gt ge ne`, as `f32` |
//! | `select clamp` | `where clamp` |

mod chain;

use chain::Chain;
use ringwood_device::kernel;
use ringwood_graph::register_operator;
use std::f64::consts::{FRAC_2_SQRT_PI, LN_2, LN_10};

macro_rules! functions {
    ($(
        $(#[$doc:meta])*
        $name:ident $operator:ident = $text:literal $(, |$c:ident| $gradient:expr)?;
    )*) => {$(
        $(#[$doc])*
        #[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
        pub fn $name<T>(x: T) -> T {
            x.$name()
        }

        register_operator! {
            $(#[$doc])*
            pub $operator = $text;
            shape: "... -> ...",
            dtype: "F -> F",
            gradient: |_context| {
                $(
                    let mut $c = Chain(_context);
                    let to_x = $gradient?;
                    $c.0.add(0, to_x)?;
                )?
                Ok(())
            },
        }
    )*};
}

functions! {
    /// The power of 2 of each element.
    exp2 Exp2 = "exp2", |c| {
        let slope = c.scaled(c.y(), LN_2)?;
        c.times(slope)
    };
    /// The exponential of each element, less 1.
    exp_m1 ExpM1 = "exp_m1", |c| {
        let one = c.0.constant(1.0)?;
        let slope = c.of("add", &[c.y(), one])?;
        c.times(slope)
    };
    /// The logarithm to base 2 of each element.
    log2 Log2 = "log2", |c| {
        let x = c.scaled(c.x(), LN_2)?;
        c.over(x)
    };
    /// The logarithm to base 10 of each element.
    log10 Log10 = "log10", |c| {
        let x = c.scaled(c.x(), LN_10)?;
        c.over(x)
    };
    /// The natural logarithm of 1 plus each element.
    ln_1p Ln1p = "ln_1p", |c| {
        let one = c.0.constant(1.0)?;
        let x = c.of("add", &[c.x(), one])?;
        c.over(x)
    };
    /// The tangent of each element.
    tan Tan = "tan", |c| {
        let slope = c.square(1.0, 1.0, c.y())?;
        c.times(slope)
    };
    /// The hyperbolic sine of each element.
    sinh Sinh = "sinh", |c| {
        let slope = c.of("cosh", &[c.x()])?;
        c.times(slope)
    };
    /// The hyperbolic cosine of each element.
    cosh Cosh = "cosh", |c| {
        let slope = c.of("sinh", &[c.x()])?;
        c.times(slope)
    };
    /// The arc sine of each element.
    asin Asin = "asin", |c| {
        c.arc(1.0)
    };
    /// The arc cosine of each element.
    acos Acos = "acos", |c| {
        c.arc(-1.0)
    };
    /// The arc tangent of each element.
    atan Atan = "atan", |c| {
        let square = c.square(1.0, 1.0, c.x())?;
        c.over(square)
    };
    /// The cubic root of each element.
    cbrt Cbrt = "cbrt", |c| {
        let square = c.square(0.0, 3.0, c.y())?;
        c.over(square)
    };
    /// The error function of each element.
    erf Erf = "erf", |c| {
        c.bell(FRAC_2_SQRT_PI)
    };
    /// 1 less the error function of each element.
    erfc Erfc = "erfc", |c| {
        c.bell(-FRAC_2_SQRT_PI)
    };
    /// 1 divided by the square root of each element.
    rsqrt Rsqrt = "rsqrt", |c| {
        let square = c.square(0.0, -0.5, c.y())?;
        let slope = c.of("mul", &[square, c.y()])?;
        c.times(slope)
    };
    /// 1 divided by each element.
    recip Recip = "recip", |c| {
        let slope = c.square(0.0, -1.0, c.y())?;
        c.times(slope)
    };
    /// The next integer below each element.
    floor Floor = "floor";
    /// The next integer above each element.
    ceil Ceil = "ceil";
    /// The next integer from each element towards 0.
    trunc Trunc = "trunc";
    /// The integer nearest to each element; halves go away from 0.
    round Round = "round";
    /// The integer nearest to each element; halves go to an even number.
    round_ties_even RoundTiesEven = "round_ties_even";
}

/// The sine of each element.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn sin<T>(x: T) -> T {
    x.sin()
}

register_operator! {
    /// The sine, element by element.
    pub Sin = sin;
    shape: "... -> ...",
    dtype: "F -> F",
    gradient: |c| {
        let (x, g) = (c.operand(0), c.gradient()?);
        let slope = c.apply("cos", &[x])?;
        let to_x = c.apply("mul", &[g, slope])?;
        c.add(0, to_x)
    },
}

/// The cosine of each element.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn cos<T>(x: T) -> T {
    x.cos()
}

register_operator! {
    /// The cosine, element by element.
    pub Cos = cos;
    shape: "... -> ...",
    dtype: "F -> F",
    gradient: |c| {
        let (x, g) = (c.operand(0), c.gradient()?);
        let slope = c.apply("sin", &[x])?;
        let slope = c.apply("neg", &[slope])?;
        let to_x = c.apply("mul", &[g, slope])?;
        c.add(0, to_x)
    },
}

/// The magnitude of a number; that of the least integer wraps.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, i8, i16], device = [cpu, opencl, cuda])]
pub fn abs<T>(x: T) -> T {
    x.abs()
}

register_operator! {
    /// The magnitude, element by element; its gradient at ±0 is that of the sign of the zero.
    pub Abs = abs;
    shape: "... -> ...",
    gradient: |c| {
        let (x, g) = (c.operand(0), c.gradient()?);
        let slope = c.apply("signum", &[x])?;
        let to_x = c.apply("mul", &[g, slope])?;
        c.add(0, to_x)
    },
}

/// The sign of a number: ±1, of a NaN a NaN, of the integer 0 it is 0.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, i8, i16], device = [cpu, opencl, cuda])]
pub fn signum<T>(x: T) -> T {
    x.signum()
}

register_operator! {
    /// The sign, element by element; its slope is 0.
    pub Signum = signum;
    shape: "... -> ...",
    gradient: |_| Ok(()),
}

/// `x` to the power of `y`.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn powf<T>(x: T, y: T) -> T {
    x.powf(y)
}

register_operator! {
    /// The powers of a tensor by another, element by element.
    pub Powf = powf;
    shape: "..., ... -> ...",
    dtype: "F, F -> F",
    gradient: |c| {
        let (x, y, result, g) = (c.operand(0), c.operand(1), c.result(), c.gradient()?);
        let one = c.constant(1.0)?;
        let less = c.apply("sub", &[y, one])?;
        let slope = c.apply("powf", &[x, less])?;
        let slope = c.apply("mul", &[y, slope])?;
        let to_x = c.apply("mul", &[g, slope])?;
        c.add(0, to_x)?;
        if c.wants(1) {
            let slope = c.apply("ln", &[x])?;
            let slope = c.apply("mul", &[result, slope])?;
            let to_y = c.apply("mul", &[g, slope])?;
            c.add(1, to_y)?;
        }
        Ok(())
    },
}

/// `x` to the power of `y`, modulo the range of integers; a fraction, of a negative `y`, goes towards 0.
#[kernel(map, T in [i32, i64], device = [cpu, opencl, cuda])]
pub fn powi<T>(x: T, y: T) -> T {
    if y >= 0 {
        x.pow(y as u32)
    } else if x == 1 || x == -1 {
        if y % 2 == 0 { 1 } else { x }
    } else {
        0
    }
}

register_operator! {
    /// The powers of integers by others, element by element.
    pub Powi = powi;
    shape: "..., ... -> ...",
    dtype: "I, I -> I",
}

/// The angle of the point (`x`, `y`), from −π to π.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn atan2<T>(y: T, x: T) -> T {
    y.atan2(x)
}

register_operator! {
    /// The angles of points: ordinates, then abscissas.
    pub Atan2 = atan2;
    shape: "..., ... -> ...",
    dtype: "F, F -> F",
    gradient: |c| {
        let (y, x, g) = (c.operand(0), c.operand(1), c.gradient()?);
        let (yy, xx) = (c.apply("mul", &[y, y])?, c.apply("mul", &[x, x])?);
        let square = c.apply("add", &[yy, xx])?;
        let share = c.apply("div", &[g, square])?;
        let (to_y, to_x) = (c.apply("mul", &[share, x])?, c.apply("mul", &[share, y])?);
        let to_x = c.apply("neg", &[to_x])?;
        c.add(0, to_y)?;
        c.add(1, to_x)
    },
}

/// The remainder of a division, with the sign of `a`; an integer modulo 0 is 0.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])]
pub fn rem<T>(a: T, b: T) -> T {
    a % b
}

register_operator! {
    /// The remainders of divisions, element by element.
    pub Rem = rem;
    shape: "..., ... -> ...",
    gradient: |c| {
        let (a, b, g) = (c.operand(0), c.operand(1), c.gradient()?);
        c.add(0, g)?;
        if c.wants(1) {
            let quotient = c.apply("div", &[a, b])?;
            let whole = c.apply("trunc", &[quotient])?;
            let lost = c.apply("mul", &[g, whole])?;
            let to_b = c.apply("neg", &[lost])?;
            c.add(1, to_b)?;
        }
        Ok(())
    },
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident $operator:ident = $text:literal $symbol:tt;)*) => {$(
        $(#[$doc])*
        #[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool], device = [cpu, opencl, cuda])]
        pub fn $name<T>(a: T, b: T) -> bool {
            a $symbol b
        }

        register_operator! {
            $(#[$doc])*
            pub $operator = $text;
            shape: "..., ... -> ...",
            dtype: "T, T -> bool",
        }
    )*};
}

comparisons! {
    /// Whether `a < b`.
    less Less = "less" <;
    /// Whether `a <= b`.
    less_equal LessEqual = "less_equal" <=;
    /// Whether `a > b`.
    greater Greater = "greater" >;
    /// Whether `a >= b`.
    greater_equal GreaterEqual = "greater_equal" >=;
    /// Whether `a` and `b` are equal; as numbers, its mean is an accuracy.
    equal Equal = "equal" ==;
    /// Whether `a` and `b` differ; a NaN differs from all.
    not_equal NotEqual = "not_equal" !=;
}

macro_rules! logic {
    ($($(#[$doc:meta])* $name:ident $operator:ident = $text:literal $symbol:tt;)*) => {$(
        $(#[$doc])*
        #[kernel(map, device = [cpu, opencl, cuda])]
        pub fn $name(a: bool, b: bool) -> bool {
            a $symbol b
        }

        register_operator! {
            $(#[$doc])*
            pub $operator = $text;
            shape: "..., ... -> ...",
            dtype: "bool, bool -> bool",
        }
    )*};
}

logic! {
    /// Whether `a` and `b` hold; PyTorch's `logical_and`.
    and And = "and" &;
    /// Whether `a` or `b` holds, or both; PyTorch's `logical_or`.
    or Or = "or" |;
    /// Whether just one of `a` and `b` holds; PyTorch's `logical_xor`.
    xor Xor = "xor" ^;
}

/// Whether `a` does not hold; PyTorch's `logical_not`.
#[kernel(map, device = [cpu, opencl, cuda])]
pub fn not(a: bool) -> bool {
    !a
}

register_operator! {
    /// Whether elements do not hold; PyTorch's `logical_not`.
    pub Not = not;
    shape: "... -> ...",
    dtype: "bool -> bool",
}

/// `a` if `c`, else `b`.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool], device = [cpu, opencl, cuda])]
pub fn select<T>(c: bool, a: T, b: T) -> T {
    if c { a } else { b }
}

register_operator! {
    /// The second operand where the first holds, else the third.
    pub Select = select;
    shape: "..., ..., ... -> ...",
    dtype: "bool, T, T -> T",
    gradient: |c| {
        let (which, g, zero) = (c.operand(0), c.gradient()?, c.constant(0.0)?);
        let to_a = c.apply("select", &[which, g, zero])?;
        let to_b = c.apply("select", &[which, zero, g])?;
        c.add(1, to_a)?;
        c.add(2, to_b)
    },
}

/// `low` below it, else `high` above that, else `x`, which may be a NaN.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])]
pub fn clamp<T>(x: T, low: T, high: T) -> T {
    x.clamp(low, high)
}

register_operator! {
    /// A tensor, kept between two others.
    pub Clamp = clamp;
    shape: "..., ..., ... -> ...",
    gradient: |c| {
        let (x, low, high) = (c.operand(0), c.operand(1), c.operand(2));
        let (g, zero) = (c.gradient()?, c.constant(0.0)?);
        let above = c.apply("if_less", &[high, x, g, zero])?;
        let not_above = c.apply("sub", &[g, above])?;
        let to_x = c.apply("if_less", &[x, low, zero, not_above])?;
        let to_low = c.apply("if_less", &[x, low, g, zero])?;
        let to_high = c.apply("if_less", &[x, low, zero, above])?;
        c.add(0, to_x)?;
        c.add(1, to_low)?;
        c.add(2, to_high)
    },
}
