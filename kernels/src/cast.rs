//! Casts, fills and copies.
//!
//! A cast is Rust's `as`: a float goes to an integer towards 0 and saturates, a NaN to 0; an integer
//! goes to another one modulo its range; what a float cannot hold is rounded to nearest, ties to even. A
//! truth value is 0 or 1.

use crate::formula::maps;
use half::{bf16, f16};
use ringwood_device::kernel;

maps! {
    [
        <T> (map, T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool], device = [cpu, opencl, cuda])
        "... -> ..."
    ]
    /// Each element as `f32`; PyTorch's `x.float()`.
    to_f32 ToF32(x: T) -> f32 { x as f32 } dtype: "T -> f32" gradient: |[x], _, g| [x.gets(g.cast_as(x))];
    /// Each element as `f64`; PyTorch's `x.double()`.
    to_f64 ToF64(x: T) -> f64 { x as f64 } dtype: "T -> f64" gradient: |[x], _, g| [x.gets(g.cast_as(x))];
    /// Each element as `f16`; PyTorch's `x.half()`.
    to_f16 ToF16(x: T) -> f16 { x as f16 } dtype: "T -> f16" gradient: |[x], _, g| [x.gets(g.cast_as(x))];
    /// Each element as `bf16`; PyTorch's `x.bfloat16()`.
    to_bf16 ToBf16(x: T) -> bf16 { x as bf16 } dtype: "T -> bf16" gradient: |[x], _, g| [x.gets(g.cast_as(x))];
    /// Each element as `i32`; PyTorch's `x.int()`.
    to_i32 ToI32(x: T) -> i32 { x as i32 } dtype: "T -> i32";
    /// Each element as `i64`; PyTorch's `x.long()`.
    to_i64 ToI64(x: T) -> i64 { x as i64 } dtype: "T -> i64";
    /// Each element as `u32`.
    to_u32 ToU32(x: T) -> u32 { x as u32 } dtype: "T -> u32";
    /// Each element as `u64`.
    to_u64 ToU64(x: T) -> u64 { x as u64 } dtype: "T -> u64";
    /// Each element as `u8`; PyTorch's `x.byte()` but for what it does not hold.
    to_u8 ToU8(x: T) -> u8 { x as u8 } dtype: "T -> u8";
    /// Each element as `i8`; PyTorch's `x.char()` but for what it does not hold.
    to_i8 ToI8(x: T) -> i8 { x as i8 } dtype: "T -> i8";
    /// Each element as `i16`; PyTorch's `x.short()` but for what it does not hold.
    to_i16 ToI16(x: T) -> i16 { x as i16 } dtype: "T -> i16";
    /// Each element as `u16`.
    to_u16 ToU16(x: T) -> u16 { x as u16 } dtype: "T -> u16";
    /// Whether each element is not 0; a NaN is not. PyTorch's `x.bool()`.
    to_bool ToBool(x: T) -> bool { x != 0 as T } dtype: "T -> bool";
    /// A tensor of its own with the same elements, dense; PyTorch's `clone`.
    copy Copy(x: T) -> T { x } gradient: |[x], _, g| [x.gets(g)];
}

/// Each element of `y` becomes `value`; PyTorch's `fill_`. In a graph, `expand` fills a tensor.
#[kernel(T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16, bool], device = [cpu, opencl, cuda])]
pub fn fill<T>(value: T, y: &mut [T]) {
    y[gid(0)] = value;
}
