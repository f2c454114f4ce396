//! The neutral words of the bodies, in Rust.

macro_rules! words {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $result:ty = $value:expr;)*) => {$(
        #[inline(always)]
        pub(crate) fn $name($($arg: $ty),*) -> $result {
            $value
        }
    )*};
    (const $($name:ident($($arg:ident: $ty:ty),*) -> $result:ty = $value:expr;)*) => {$(
        #[inline(always)]
        pub(crate) const fn $name($($arg: $ty),*) -> $result {
            $value
        }
    )*};
}

/// Words of one meaning. Integers wrap here, as unsigned ones do in C.
#[allow(non_camel_case_types, reason = "the types stand for those of these names")]
pub(crate) mod any {
    use std::num::Wrapping;
    use std::primitive;

    pub(crate) type u32 = Wrapping<primitive::u32>;
    pub(crate) type u64 = Wrapping<primitive::u64>;

    /// `k_pick(c, a, b)`: `a` if `c` holds, else `b`.
    #[inline(always)]
    pub(crate) fn k_pick<T>(c: bool, a: T, b: T) -> T {
        if c { a } else { b }
    }

    words! {
        k_u32(bits: primitive::u32) -> u32 = Wrapping(bits);
        k_u64(bits: primitive::u64) -> u64 = Wrapping(bits);
        k_f32(bits: primitive::u32) -> f32 = f32::from_bits(bits);
        k_f64(bits: primitive::u64) -> f64 = f64::from_bits(bits);
        f32_of(bits: u32) -> f32 = f32::from_bits(bits.0);
        f64_of(bits: u64) -> f64 = f64::from_bits(bits.0);
        bits_f32(x: f32) -> u32 = Wrapping(x.to_bits());
        bits_f64(x: f64) -> u64 = Wrapping(x.to_bits());
        k_wide(x: u32) -> u64 = Wrapping(x.0.into());
        k_low(x: u64) -> u32 = Wrapping(x.0 as primitive::u32);
        k_float(x: u32) -> f32 = x.0 as f32;
        k_double(x: u64) -> f64 = x.0 as f64;
        k_shl(x: u64, n: u64) -> u64 = Wrapping(x.0 << n.0);
        k_shr(x: u64, n: u64) -> u64 = Wrapping(x.0 >> n.0);
    }
}

macro_rules! widths {
    ($($width:ident: $real:ident $bits:ident, $chosen:ident of $single:ident $double:ident;)*) => {$(
        /// What the words that depend on the width stand for.
        #[allow(non_camel_case_types, reason = "the types are written as those of Rust")]
        pub(crate) mod $width {
            use std::num::Wrapping;

            pub(crate) type real = $real;
            pub(crate) type bits = Wrapping<$bits>;

            words! {
                const
                k_real($single: u32, $double: u64) -> real = real::from_bits($chosen);
                k_bits($single: u32, $double: u64) -> bits = Wrapping($chosen);
                k_count($single: usize, $double: usize) -> usize = $chosen;
                of_bits(bits: bits) -> real = real::from_bits(bits.0);
                bits_of(x: real) -> bits = Wrapping(x.to_bits());
            }
            words! {
                k_div(a: real, b: real) -> real = a / b;
                k_sqrt(a: real) -> real = a.sqrt();
                mul_add(x: real, a: real, b: real) -> real = x.mul_add(a, b);
            }
        }
    )*};
}

widths! {
    single: f32 u32, single of single _double;
    double: f64 u64, double of _single double;
}
