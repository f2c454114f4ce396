//! The pinned meaning of arithmetic, and the table of math functions.
//!
//! Native code and the interpreter call these same functions, so their bits agree. Integers wrap,
//! division by 0 gives 0, `min` and `max` drop a NaN and order −0 below +0. Of the transcendental
//! functions, `exp`, `ln`, `sin` and `cos` of `f32` have an error of at most 1 ulp, `tanh` of 2; all,
//! those of `f64` too, have the same bits on every device.

use crate::portable::{double, single};
use half::{bf16, f16};

/// A math function of kernels, called as a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of Rust's methods")]
pub enum MathFn {
    Abs,
    Min,
    Max,
    MulAdd,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    RoundTiesEven,
    Exp,
    Ln,
    Tanh,
    Sin,
    Cos,
}

impl MathFn {
    /// Every function.
    pub const ALL: [MathFn; 14] = [
        MathFn::Abs,
        MathFn::Min,
        MathFn::Max,
        MathFn::MulAdd,
        MathFn::Sqrt,
        MathFn::Floor,
        MathFn::Ceil,
        MathFn::Trunc,
        MathFn::RoundTiesEven,
        MathFn::Exp,
        MathFn::Ln,
        MathFn::Tanh,
        MathFn::Sin,
        MathFn::Cos,
    ];

    /// The name of the method in Rust.
    pub const fn name(self) -> &'static str {
        match self {
            MathFn::Abs => "abs",
            MathFn::Min => "min",
            MathFn::Max => "max",
            MathFn::MulAdd => "mul_add",
            MathFn::Sqrt => "sqrt",
            MathFn::Floor => "floor",
            MathFn::Ceil => "ceil",
            MathFn::Trunc => "trunc",
            MathFn::RoundTiesEven => "round_ties_even",
            MathFn::Exp => "exp",
            MathFn::Ln => "ln",
            MathFn::Tanh => "tanh",
            MathFn::Sin => "sin",
            MathFn::Cos => "cos",
        }
    }

    /// The function called `name`.
    pub fn parse(name: &str) -> Option<MathFn> {
        MathFn::ALL.into_iter().find(|f| f.name() == name)
    }

    /// The number of operands, with the receiver. All have the type of the result.
    pub const fn arity(self) -> usize {
        match self {
            MathFn::MulAdd => 3,
            MathFn::Min | MathFn::Max => 2,
            _ => 1,
        }
    }

    /// Whether the function exists for a type.
    pub const fn takes(self, ty: crate::Type) -> bool {
        match self {
            MathFn::Abs => ty.is_signed(),
            MathFn::Min | MathFn::Max => ty.is_float() || ty.is_integer(),
            _ => ty.is_float(),
        }
    }
}

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
    /// The smaller value; a NaN loses, and −0 is below +0.
    fn min(self, other: Self) -> Self;
    /// The larger value; a NaN loses, and +0 is above −0.
    fn max(self, other: Self) -> Self;
}

/// A signed integer or floating-point type of kernels.
pub trait Signed: Number {
    /// The negative; wraps.
    fn neg(self) -> Self;
    /// The magnitude; that of `MIN` wraps.
    fn abs(self) -> Self;
}

/// A floating-point type of kernels.
pub trait Float: Signed {
    /// The value of a function of one operand that exists for floating-point types only.
    fn unary(self, function: MathFn) -> Self;
    /// `self * a + b` with one rounding.
    fn mul_add(self, a: Self, b: Self) -> Self;
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Number for $ty {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_div(other) }
            }
            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                if other == 0 { 0 } else { self.wrapping_rem(other) }
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                Ord::min(self, other)
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                Ord::max(self, other)
            }
        }
    )*};
}

macro_rules! signed_integers {
    ($($ty:ty)*) => {$(
        impl Signed for $ty {
            #[inline(always)]
            fn neg(self) -> Self {
                self.wrapping_neg()
            }
            #[inline(always)]
            fn abs(self) -> Self {
                self.wrapping_abs()
            }
        }
    )*};
}

macro_rules! floats {
    ($($ty:ident $table:ident;)*) => {$(
        impl Number for $ty {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                self / other
            }
            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                self % other
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                // Neither above nor below: the values are equal, and OR keeps a sign of zero.
                let equal = $ty::from_bits(self.to_bits() | other.to_bits());
                let ordered =
                    if self < other { self } else if other < self { other } else { equal };
                if self.is_nan() { other } else if other.is_nan() { self } else { ordered }
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                let equal = $ty::from_bits(self.to_bits() & other.to_bits());
                let ordered =
                    if self > other { self } else if other > self { other } else { equal };
                if self.is_nan() { other } else if other.is_nan() { self } else { ordered }
            }
        }

        impl Signed for $ty {
            #[inline(always)]
            fn neg(self) -> Self {
                -self
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $ty::abs(self)
            }
        }

        impl Float for $ty {
            #[inline(always)]
            fn unary(self, function: MathFn) -> Self {
                $table::unary(self, function)
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                $ty::mul_add(self, a, b)
            }
        }
    )*};
}

integers! { u8 i32 u32 i64 u64 usize }
signed_integers! { i32 i64 }
floats! {
    f32 single;
    f64 double;
}

macro_rules! narrow_floats {
    ($($ty:ident)*) => {$(
        impl Number for $ty {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                $ty::from_f32(self.to_f32() + other.to_f32())
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                $ty::from_f32(self.to_f32() - other.to_f32())
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                $ty::from_f32(self.to_f32() * other.to_f32())
            }
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                $ty::from_f32(self.to_f32() / other.to_f32())
            }
            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                $ty::from_f32(self.to_f32() % other.to_f32())
            }
            #[inline(always)]
            fn min(self, other: Self) -> Self {
                $ty::from_f32(Number::min(self.to_f32(), other.to_f32()))
            }
            #[inline(always)]
            fn max(self, other: Self) -> Self {
                $ty::from_f32(Number::max(self.to_f32(), other.to_f32()))
            }
        }

        impl Signed for $ty {
            #[inline(always)]
            fn neg(self) -> Self {
                -self
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $ty::from_f32(self.to_f32().abs())
            }
        }

        impl Float for $ty {
            #[inline(always)]
            fn unary(self, function: MathFn) -> Self {
                $ty::from_f32(self.to_f32().unary(function))
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                $ty::from_f32(self.to_f32().mul_add(a.to_f32(), b.to_f32()))
            }
        }
    )*};
}

narrow_floats! { f16 bf16 }

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
}
