//! Casts, fills and copies.
//!
//! A cast is Rust's `as`: a float goes to an integer towards 0 and saturates, a NaN to 0; an integer
//! goes to another one modulo its range; what a float cannot hold is rounded to nearest, ties to even. A
//! truth value is 0 or 1.

use half::{bf16, f16};
use ringwood_base::Result;
use ringwood_device::kernel;
use ringwood_graph::graph::GradientContext;
use ringwood_graph::register_operator;

macro_rules! casts {
    ($(
        $(#[$doc:meta])*
        $name:ident $operator:ident = $text:literal $ty:ident $rule:literal $(, $gradient:ident)?;
    )*) => {$(
        $(#[$doc])*
        #[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool], device = [cpu, opencl, cuda])]
        pub fn $name<T>(x: T) -> $ty {
            x as $ty
        }

        register_operator! {
            $(#[$doc])*
            pub $operator = $text;
            shape: "... -> ...",
            dtype: $rule,
            $(gradient: $gradient,)?
        }
    )*};
}

casts! {
    /// Each element as `f32`; PyTorch's `x.float()`.
    to_f32 ToF32 = "to_f32" f32 "T -> f32", back;
    /// Each element as `f64`; PyTorch's `x.double()`.
    to_f64 ToF64 = "to_f64" f64 "T -> f64", back;
    /// Each element as `f16`; PyTorch's `x.half()`.
    to_f16 ToF16 = "to_f16" f16 "T -> f16", back;
    /// Each element as `bf16`; PyTorch's `x.bfloat16()`.
    to_bf16 ToBf16 = "to_bf16" bf16 "T -> bf16", back;
    /// Each element as `i32`; PyTorch's `x.int()`.
    to_i32 ToI32 = "to_i32" i32 "T -> i32";
    /// Each element as `i64`; PyTorch's `x.long()`.
    to_i64 ToI64 = "to_i64" i64 "T -> i64";
    /// Each element as `u32`.
    to_u32 ToU32 = "to_u32" u32 "T -> u32";
    /// Each element as `u64`.
    to_u64 ToU64 = "to_u64" u64 "T -> u64";
    /// Each element as `u8`; PyTorch's `x.byte()` but for what it does not hold.
    to_u8 ToU8 = "to_u8" u8 "T -> u8";
    /// Each element as `i8`; PyTorch's `x.char()` but for what it does not hold.
    to_i8 ToI8 = "to_i8" i8 "T -> i8";
    /// Each element as `i16`; PyTorch's `x.short()` but for what it does not hold.
    to_i16 ToI16 = "to_i16" i16 "T -> i16";
    /// Each element as `u16`.
    to_u16 ToU16 = "to_u16" u16 "T -> u16";
}

/// Whether each element is not 0; PyTorch's `x.bool()`.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool], device = [cpu, opencl, cuda])]
pub fn to_bool<T>(x: T) -> bool {
    x != 0 as T
}

register_operator! {
    /// Whether each element is not 0; a NaN is not. PyTorch's `x.bool()`.
    pub ToBool = to_bool;
    shape: "... -> ...",
    dtype: "T -> bool",
}

/// Each element of `y` becomes `value`; PyTorch's `fill_`. In a graph, `expand` fills a tensor.
#[kernel(T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool], device = [cpu, opencl, cuda])]
pub fn fill<T>(value: T, y: &mut [T]) {
    y[gid(0)] = value;
}

/// The same elements, dense; PyTorch's `clone`.
#[kernel(map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool], device = [cpu, opencl, cuda])]
pub fn copy<T>(x: T) -> T {
    x
}

register_operator! {
    /// A tensor of its own with the same elements.
    pub Copy = copy;
    shape: "... -> ...",
    gradient: |c| {
        let g = c.gradient()?;
        c.add(0, g)
    },
}

/// The gradient, as the operand is; integers and truth values have none.
fn back(c: &mut GradientContext<'_>) -> Result<()> {
    let (g, dtype) = (c.gradient()?, c.type_of(c.operand(0))?.dtype);
    if c.wants(0) && dtype.is_float() {
        let to_x = c.apply(&format!("to_{dtype}"), &[g])?;
        c.add(0, to_x)?;
    }
    Ok(())
}
