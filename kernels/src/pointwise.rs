//! Functions of one element, choices between two, and updates.

use ringwood_device::kernel;
use ringwood_graph::register_operator;

/// `x` if it is not negative, else 0.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn relu<T>(x: T) -> T {
    if x < 0.0 { 0.0 } else { x }
}

register_operator! {
    /// The rectifier; its gradient at 0 is 0.
    pub Relu = relu;
    shape: "... -> ...",
    dtype: "F -> F",
    gradient: |c| {
        let (x, g, zero) = (c.operand(0), c.gradient()?, c.constant(0.0)?);
        let to_x = c.apply("if_less", &[zero, x, g, zero])?;
        c.add(0, to_x)
    },
}

/// The exponential of a number.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn exp<T>(x: T) -> T {
    x.exp()
}

register_operator! {
    /// The exponential, element by element.
    pub Exp = exp;
    shape: "... -> ...",
    dtype: "F -> F",
    gradient: |c| {
        let (y, g) = (c.result(), c.gradient()?);
        let to_x = c.apply("mul", &[g, y])?;
        c.add(0, to_x)
    },
}

/// The natural logarithm of a number.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn ln<T>(x: T) -> T {
    x.ln()
}

register_operator! {
    /// The natural logarithm, element by element.
    pub Ln = ln;
    shape: "... -> ...",
    dtype: "F -> F",
    gradient: |c| {
        let (x, g) = (c.operand(0), c.gradient()?);
        let to_x = c.apply("div", &[g, x])?;
        c.add(0, to_x)
    },
}

/// The hyperbolic tangent of a number.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn tanh<T>(x: T) -> T {
    x.tanh()
}

register_operator! {
    /// The hyperbolic tangent, element by element.
    pub Tanh = tanh;
    shape: "... -> ...",
    dtype: "F -> F",
    gradient: |c| {
        let (y, g) = (c.result(), c.gradient()?);
        let square = c.apply("mul", &[y, y])?;
        let lost = c.apply("mul", &[g, square])?;
        let to_x = c.apply("sub", &[g, lost])?;
        c.add(0, to_x)
    },
}

/// The square root of a number.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn sqrt<T>(x: T) -> T {
    x.sqrt()
}

register_operator! {
    /// The square root, element by element.
    pub Sqrt = sqrt;
    shape: "... -> ...",
    dtype: "F -> F",
    gradient: |c| {
        let (y, g) = (c.result(), c.gradient()?);
        let twice = c.apply("add", &[y, y])?;
        let to_x = c.apply("div", &[g, twice])?;
        c.add(0, to_x)
    },
}

/// `x` if `a < b`, else `y`.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])]
pub fn if_less<T>(a: T, b: T, x: T, y: T) -> T {
    if a < b { x } else { y }
}

register_operator! {
    /// The third operand where the first is less than the second, else the fourth.
    pub IfLess = if_less;
    shape: "..., ..., ..., ... -> ...",
    gradient: |c| {
        let (a, b, g, zero) = (c.operand(0), c.operand(1), c.gradient()?, c.constant(0.0)?);
        let to_x = c.apply("if_less", &[a, b, g, zero])?;
        let to_y = c.apply("if_less", &[a, b, zero, g])?;
        c.add(2, to_x)?;
        c.add(3, to_y)
    },
}

/// A parameter after a step of gradient descent: `p - rate * g`.
#[kernel(map, T in [f32, f64, f16, bf16], device = [cpu, opencl, cuda])]
pub fn sgd<T>(p: T, g: T, rate: T) -> T {
    p - rate * g
}

register_operator! {
    /// Parameters after a step of gradient descent: parameter, gradient, rate.
    pub Sgd = sgd;
    shape: "..., ..., ... -> ...",
    dtype: "F, F, F -> F",
}
