//! The pinned meaning of arithmetic, and the table of math functions.
//!
//! Native code and the interpreter call these same functions, so their bits agree. Integers wrap,
//! division by 0 gives 0, `min` and `max` drop a NaN and order −0 below +0. Every function has the
//! same bits on every device; [`Accuracy`] says how far they are from the exact result. For `f16` and
//! `bf16`, each operation is that of `f32`, rounded once.

mod float;
mod function;
mod integer;
mod narrow;

pub(crate) use float::apply;
pub use float::{Float, Shared, ToBits};
pub use function::{Accuracy, Class, MathFn};
pub use integer::{FromBits, Integer};

/// A numeric type of kernels.
pub trait Number: Copy {
    /// The sum.
    fn add(self, other: Self) -> Self;
    /// The difference.
    fn sub(self, other: Self) -> Self;
    /// The product.
    fn mul(self, other: Self) -> Self;
    /// The quotient; an integer divided by 0 is 0, and `MIN / -1` wraps.
    fn div(self, other: Self) -> Self;
    /// The remainder; an integer modulo 0 or −1 is 0.
    fn rem(self, other: Self) -> Self;
    /// The quotient whose remainder is [`Number::rem_euclid`].
    fn div_euclid(self, other: Self) -> Self;
    /// The remainder that is not negative; of a float, it may be rounded to the divisor.
    fn rem_euclid(self, other: Self) -> Self;
    /// The smaller value; a NaN loses, and −0 is below +0.
    fn min(self, other: Self) -> Self;
    /// The larger value; a NaN loses, and +0 is above −0.
    fn max(self, other: Self) -> Self;
    /// `low` below it, else `high` above that, else the value, which may be a NaN.
    fn clamp(self, low: Self, high: Self) -> Self;
}

/// A signed integer or floating-point type of kernels.
pub trait Signed: Number {
    /// The negative; wraps.
    fn neg(self) -> Self;
    /// The magnitude; that of `MIN` wraps.
    fn abs(self) -> Self;
    /// The sign as a number: that of integer 0 is 0, of −0.0 −1, of a NaN a NaN.
    fn signum(self) -> Self;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn min_and_max_drop_a_nan_and_order_the_zeros() {
        for (a, b) in [(0.0_f32, -0.0_f32), (-0.0, 0.0)] {
            assert_eq!(Number::max(a, b).to_bits(), 0.0_f32.to_bits());
            assert_eq!(Number::min(a, b).to_bits(), (-0.0_f32).to_bits());
        }
        assert_eq!(Number::max(f64::NAN, -1.0), -1.0);
        assert_eq!(Number::min(-1.0, f64::NAN), -1.0);
        assert!(Number::min(f32::NAN, f32::NAN).is_nan());
        assert_eq!(Number::max(f32::NEG_INFINITY, f32::INFINITY), f32::INFINITY);
    }

    #[test]
    fn division_has_a_value_for_every_operand() {
        assert_eq!(Number::div(7_i32, 0), 0);
        assert_eq!(Number::rem(7_i32, 0), 0);
        assert_eq!(Number::div(i32::MIN, -1), i32::MIN);
        assert_eq!(Number::rem(i64::MIN, -1), 0);
        assert_eq!(Number::div(7_usize, 0), 0);
        assert_eq!(Signed::abs(i64::MIN), i64::MIN);
    }

    #[test]
    fn powers_by_squares_have_the_limits_of_products() {
        assert_eq!((Float::powi(3.0_f32, 4), Float::powi(2.0_f64, -3)), (81.0, 0.125));
        assert_eq!((Float::powi(f32::NAN, 0), Float::powi(0.0_f32, -1)), (1.0, f32::INFINITY));
        assert_eq!((Float::powi(-1.0_f32, i32::MIN), Float::powi(-1.0_f32, i32::MAX)), (1.0, -1.0));
        let third = half::f16::from_f32(3.0);
        assert_eq!(Float::powi(third, 3).to_f32(), 27.0);
        assert_eq!((Integer::pow(3_u8, 6), Integer::pow(-2_i32, 31)), (217, i32::MIN));
        assert_eq!(Integer::rotate_left(0x81_u8, 9), 0x03);
        assert_eq!(Integer::rotate_right(1_i64, 1), i64::MIN);
    }
}
