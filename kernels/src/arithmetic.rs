//! Arithmetic, element by element; operands broadcast.

use ringwood_device::kernel;
use ringwood_graph::register_operator;

/// The sum of two numbers; integers wrap.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])]
pub fn add<T>(a: T, b: T) -> T {
    a + b
}

register_operator! {
    /// The sum of two tensors.
    pub Add = add;
    shape: "..., ... -> ...",
    gradient: |c| {
        let g = c.gradient()?;
        c.add(0, g)?;
        c.add(1, g)
    },
}

/// The difference of two numbers; integers wrap.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])]
pub fn sub<T>(a: T, b: T) -> T {
    a - b
}

register_operator! {
    /// The difference of two tensors.
    pub Sub = sub;
    shape: "..., ... -> ...",
    gradient: |c| {
        let g = c.gradient()?;
        let negative = c.apply("neg", &[g])?;
        c.add(0, g)?;
        c.add(1, negative)
    },
}

/// The product of two numbers; integers wrap.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])]
pub fn mul<T>(a: T, b: T) -> T {
    a * b
}

register_operator! {
    /// The product of two tensors, element by element.
    pub Mul = mul;
    shape: "..., ... -> ...",
    gradient: |c| {
        let (a, b, g) = (c.operand(0), c.operand(1), c.gradient()?);
        let (to_a, to_b) = (c.apply("mul", &[g, b])?, c.apply("mul", &[g, a])?);
        c.add(0, to_a)?;
        c.add(1, to_b)
    },
}

/// The quotient of two numbers; an integer divided by 0 is 0.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])]
pub fn div<T>(a: T, b: T) -> T {
    a / b
}

register_operator! {
    /// The quotient of two tensors, element by element.
    pub Div = div;
    shape: "..., ... -> ...",
    gradient: |c| {
        let (b, quotient, g) = (c.operand(1), c.result(), c.gradient()?);
        let to_a = c.apply("div", &[g, b])?;
        let to_b = c.apply("mul", &[to_a, quotient])?;
        let to_b = c.apply("neg", &[to_b])?;
        c.add(0, to_a)?;
        c.add(1, to_b)
    },
}

/// The smaller of two numbers; a NaN loses, and −0 is below +0.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])]
pub fn min<T>(a: T, b: T) -> T {
    a.min(b)
}

register_operator! {
    /// The smaller of two tensors, element by element. The gradient of equals goes to the first.
    pub Min = min;
    shape: "..., ... -> ...",
    gradient: |c| {
        let (a, b, g, zero) = (c.operand(0), c.operand(1), c.gradient()?, c.constant(0.0)?);
        let to_a = c.apply("if_less", &[b, a, zero, g])?;
        let to_b = c.apply("if_less", &[b, a, g, zero])?;
        c.add(0, to_a)?;
        c.add(1, to_b)
    },
}

/// The larger of two numbers; a NaN loses, and +0 is above −0.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])]
pub fn max<T>(a: T, b: T) -> T {
    a.max(b)
}

register_operator! {
    /// The larger of two tensors, element by element. The gradient of equals goes to the first.
    pub Max = max;
    shape: "..., ... -> ...",
    gradient: |c| {
        let (a, b, g, zero) = (c.operand(0), c.operand(1), c.gradient()?, c.constant(0.0)?);
        let to_a = c.apply("if_less", &[a, b, zero, g])?;
        let to_b = c.apply("if_less", &[a, b, g, zero])?;
        c.add(0, to_a)?;
        c.add(1, to_b)
    },
}

/// The negative of a number; integers wrap.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, i8, i16], device = [cpu, opencl, cuda])]
pub fn neg<T>(x: T) -> T {
    -x
}

register_operator! {
    /// The negative of a tensor.
    pub Neg = neg;
    shape: "... -> ...",
    gradient: |c| {
        let g = c.gradient()?;
        let to_x = c.apply("neg", &[g])?;
        c.add(0, to_x)
    },
}
