//! The neutral words of the bodies, in Rust.

use std::num::Wrapping;

/// Integers wrap here, as unsigned ones do in C.
#[allow(non_camel_case_types, reason = "it stands for the type of this name")]
pub(crate) type u32 = Wrapping<std::primitive::u32>;

/// As `u32`.
#[allow(non_camel_case_types, reason = "it stands for the type of this name")]
pub(crate) type u64 = Wrapping<std::primitive::u64>;

macro_rules! words {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $result:ty = $value:expr;)*) => {$(
        #[inline(always)]
        pub(crate) fn $name($($arg: $ty),*) -> $result {
            $value
        }
    )*};
}

words! {
    k_u32(bits: std::primitive::u32) -> u32 = Wrapping(bits);
    k_u64(bits: std::primitive::u64) -> u64 = Wrapping(bits);
    k_f32(bits: std::primitive::u32) -> f32 = f32::from_bits(bits);
    k_f64(bits: std::primitive::u64) -> f64 = f64::from_bits(bits);
    f32_of(bits: u32) -> f32 = f32::from_bits(bits.0);
    f64_of(bits: u64) -> f64 = f64::from_bits(bits.0);
    bits_f32(x: f32) -> u32 = Wrapping(x.to_bits());
    bits_f64(x: f64) -> u64 = Wrapping(x.to_bits());
    k_div_f32(a: f32, b: f32) -> f32 = a / b;
    k_div_f64(a: f64, b: f64) -> f64 = a / b;
    k_sqrt_f32(a: f32) -> f32 = a.sqrt();
    k_sqrt_f64(a: f64) -> f64 = a.sqrt();
    mul_add_f32(x: f32, a: f32, b: f32) -> f32 = x.mul_add(a, b);
    mul_add_f64(x: f64, a: f64, b: f64) -> f64 = x.mul_add(a, b);
    k_wide(x: u32) -> u64 = Wrapping(x.0.into());
    k_low(x: u64) -> u32 = Wrapping(x.0 as std::primitive::u32);
    k_float(x: u32) -> f32 = x.0 as f32;
    k_double(x: u64) -> f64 = x.0 as f64;
    k_shl(x: u64, n: u64) -> u64 = Wrapping(x.0 << n.0);
    k_shr(x: u64, n: u64) -> u64 = Wrapping(x.0 >> n.0);
}
