//! The pinned meaning of arithmetic, and the table of math functions.
//!
//! Native code and the interpreter call these same functions, so their bits agree. Integers wrap,
//! division by 0 gives 0, `min` and `max` drop a NaN and order −0 below +0. Every function has the
//! same bits on every device; [`Accuracy`] says how far they are from the exact result. For `f16` and
//! `bf16`, each operation is that of `f32`, rounded once.

/// Methods that are one expression, each in line.
macro_rules! inline {
    ($(fn $name:ident($this:ident $(: $of:ty)? $(, $arg:ident: $ty:ty)*) -> $result:ty = $value:expr;)*) => {$(
        #[inline(always)]
        fn $name($this $(: $of)? $(, $arg: $ty)*) -> $result {
            $value
        }
    )*};
}

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
mod tests;
