//! Integers.

use super::{Number, Signed};

/// An integer type of kernels.
pub trait Integer: Number {
    /// The sum, or the bound of the type that it passes.
    fn saturating_add(self, other: Self) -> Self;
    /// The difference, or the bound of the type that it passes.
    fn saturating_sub(self, other: Self) -> Self;
    /// The power; wraps.
    fn pow(self, n: u32) -> Self;
    /// The bits, moved up by `n`, with those that leave coming in below.
    fn rotate_left(self, n: u32) -> Self;
    /// The bits, moved down by `n`, with those that leave coming in above.
    fn rotate_right(self, n: u32) -> Self;
    /// The number of bits that are 1.
    fn count_ones(self) -> u32;
    /// The number of bits above the highest that is 1.
    fn leading_zeros(self) -> u32;
    /// The number of bits below the lowest that is 1.
    fn trailing_zeros(self) -> u32;
}

/// An integer type that holds the bits of a floating-point type of kernels.
pub trait FromBits {
    /// The floating-point type.
    type Float;
    /// The number with these bits.
    fn from_bits(bits: Self) -> Self::Float;
}

impl FromBits for u32 {
    type Float = f32;

    inline! {
        fn from_bits(bits: Self) -> f32 = f32::from_bits(bits);
    }
}

impl FromBits for u64 {
    type Float = f64;

    inline! {
        fn from_bits(bits: Self) -> f64 = f64::from_bits(bits);
    }
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Number for $ty {
            inline! {
                fn add(self, other: Self) -> Self = self.wrapping_add(other);
                fn sub(self, other: Self) -> Self = self.wrapping_sub(other);
                fn mul(self, other: Self) -> Self = self.wrapping_mul(other);
                fn div(self, other: Self) -> Self = if other == 0 { 0 } else { self.wrapping_div(other) };
                fn rem(self, other: Self) -> Self = if other == 0 { 0 } else { self.wrapping_rem(other) };
                fn div_euclid(self, other: Self) -> Self =
                    if other == 0 { 0 } else { self.wrapping_div_euclid(other) };
                fn rem_euclid(self, other: Self) -> Self =
                    if other == 0 { 0 } else { self.wrapping_rem_euclid(other) };
                fn min(self, other: Self) -> Self = Ord::min(self, other);
                fn max(self, other: Self) -> Self = Ord::max(self, other);
                fn clamp(self, low: Self, high: Self) -> Self =
                    if self < low { low } else if self > high { high } else { self };
            }
        }

        impl Integer for $ty {
            inline! {
                fn saturating_add(self, other: Self) -> Self = $ty::saturating_add(self, other);
                fn saturating_sub(self, other: Self) -> Self = $ty::saturating_sub(self, other);
                fn pow(self, n: u32) -> Self = self.wrapping_pow(n);
                fn rotate_left(self, n: u32) -> Self = $ty::rotate_left(self, n);
                fn rotate_right(self, n: u32) -> Self = $ty::rotate_right(self, n);
                fn count_ones(self) -> u32 = $ty::count_ones(self);
                fn leading_zeros(self) -> u32 = $ty::leading_zeros(self);
                fn trailing_zeros(self) -> u32 = $ty::trailing_zeros(self);
            }
        }
    )*};
}

macro_rules! signed_integers {
    ($($ty:ident)*) => {$(
        impl Signed for $ty {
            inline! {
                fn neg(self) -> Self = self.wrapping_neg();
                fn abs(self) -> Self = self.wrapping_abs();
                fn signum(self) -> Self = $ty::signum(self);
            }
        }
    )*};
}

integers! { u8 i8 i16 u16 i32 u32 i64 u64 usize }
signed_integers! { i8 i16 i32 i64 }
