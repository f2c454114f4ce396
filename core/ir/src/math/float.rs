//! `f32` and `f64`.

use super::{MathFn, Number, Signed};
use crate::portable::{
    arc::*,
    error::*,
    exponential::*,
    inverse::*,
    logarithm::*,
    plain::*,
    power::*,
    rounding::*,
    wave::*,
    words::{k_sqrt_f32, k_sqrt_f64, mul_add_f32, mul_add_f64},
};
use half::{bf16, f16};

/// A type whose bits are an integer type of kernels.
pub trait ToBits {
    /// The integer type.
    type Bits;
    /// The bits; those of every NaN are the same.
    fn to_bits(self) -> Self::Bits;
}

macro_rules! numbers {
    ($($ty:ident: $bits:ident $nan:literal $signum:ident;)*) => {$(
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
            fn div_euclid(self, other: Self) -> Self {
                let quotient = Float::trunc(self / other);
                let step = if other > 0.0 { -1.0 } else { 1.0 };
                if self % other < 0.0 { quotient + step } else { quotient }
            }
            #[inline(always)]
            fn rem_euclid(self, other: Self) -> Self {
                let rest = self % other;
                if rest < 0.0 { rest + other.abs() } else { rest }
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
            #[inline(always)]
            fn clamp(self, low: Self, high: Self) -> Self {
                if self < low { low } else if self > high { high } else { self }
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
            #[inline(always)]
            fn signum(self) -> Self {
                $signum(self)
            }
        }

        impl ToBits for $ty {
            type Bits = $bits;

            #[inline(always)]
            fn to_bits(self) -> $bits {
                if self.is_nan() { $nan } else { $ty::to_bits(self) }
            }
        }
    )*};
}

numbers! {
    f32: u32 0x7fc0_0000 k_signum_f32;
    f64: u64 0x7ff8_0000_0000_0000 k_signum_f64;
}

macro_rules! functions {
    ($($(#[$doc:meta])* $variant:ident $name:ident($($arg:ident)*) = $single:ident $double:ident;)*) => {
        /// A floating-point type of kernels.
        pub trait Float: Signed {
            $($(#[$doc])* fn $name(self $(, $arg: Self)*) -> Self;)*
            /// The power by repeated squares: each product is rounded, and for a negative exponent
            /// 1 is divided by the power.
            fn powi(self, n: i32) -> Self;
            /// Whether this is no number.
            fn is_nan(self) -> bool;
            /// Whether this is neither infinite nor a NaN.
            fn is_finite(self) -> bool;
            /// Whether this is an infinity.
            fn is_infinite(self) -> bool;
        }

        /// As [`Float`], where native code chooses between a copy of its own and one function that
        /// all callers share, which is smaller and is not computed for several elements at once.
        pub trait Shared: Float {
            $($(#[$doc])* fn $name<const INLINE: bool>(self $(, $arg: Self)*) -> Self;)*
        }

        functions! { @impl f32 $($name($($arg)*) $single;)* }
        functions! { @impl f64 $($name($($arg)*) $double;)* }
        functions! { @narrow f16 $($name($($arg)*);)* }
        functions! { @narrow bf16 $($name($($arg)*);)* }

        /// The value of a function of operands of one floating-point type that gives one more.
        pub(crate) fn apply<T: Float>(function: MathFn, operands: &[T]) -> Option<T> {
            match (function, operands) {
                $((MathFn::$variant, [x $(, $arg)*]) => Some(Float::$name(*x $(, *$arg)*)),)*
                _ => None,
            }
        }
    };
    (@impl $ty:ident $($name:ident($($arg:ident)*) $function:ident;)*) => {
        impl Float for $ty {
            $(#[inline(always)]
            fn $name(self $(, $arg: Self)*) -> Self {
                $function(self $(, $arg)*)
            })*
            #[inline(always)]
            fn powi(self, n: i32) -> Self {
                let (mut power, mut square, mut rest) = (1.0, self, n.unsigned_abs());
                while rest != 0 {
                    if rest & 1 != 0 {
                        power *= square;
                    }
                    square *= square;
                    rest >>= 1;
                }
                if n < 0 { 1.0 / power } else { power }
            }
            functions! { @classes $ty }
        }

        impl Shared for $ty {
            $(#[inline(always)]
            fn $name<const INLINE: bool>(self $(, $arg: Self)*) -> Self {
                #[inline(never)]
                fn shared(x: $ty $(, $arg: $ty)*) -> $ty {
                    $function(x $(, $arg)*)
                }
                if INLINE { $function(self $(, $arg)*) } else { shared(self $(, $arg)*) }
            })*
        }
    };
    (@narrow $ty:ident $($name:ident($($arg:ident)*);)*) => {
        impl Float for $ty {
            $(#[inline(always)]
            fn $name(self $(, $arg: Self)*) -> Self {
                <$ty>::from_f32(Float::$name(self.to_f32() $(, $arg.to_f32())*))
            })*
            #[inline(always)]
            fn powi(self, n: i32) -> Self {
                <$ty>::from_f32(Float::powi(self.to_f32(), n))
            }
            functions! { @classes $ty }
        }

        impl Shared for $ty {
            $(#[inline(always)]
            fn $name<const INLINE: bool>(self $(, $arg: Self)*) -> Self {
                <$ty>::from_f32(Shared::$name::<INLINE>(self.to_f32() $(, $arg.to_f32())*))
            })*
        }
    };
    (@classes $ty:ident) => {
        #[inline(always)]
        fn is_nan(self) -> bool {
            <$ty>::is_nan(self)
        }
        #[inline(always)]
        fn is_finite(self) -> bool {
            <$ty>::is_finite(self)
        }
        #[inline(always)]
        fn is_infinite(self) -> bool {
            <$ty>::is_infinite(self)
        }
    };
}

functions! {
    /// `self * a + b` with one rounding.
    MulAdd mul_add(a b) = mul_add_f32 mul_add_f64;
    /// The magnitude of this with the sign of another, which is positive for a NaN.
    Copysign copysign(sign) = k_copysign_f32 k_copysign_f64;
    /// The next integer below.
    Floor floor() = k_floor_f32 k_floor_f64;
    /// The next integer above.
    Ceil ceil() = k_ceil_f32 k_ceil_f64;
    /// The next integer towards 0.
    Trunc trunc() = k_trunc_f32 k_trunc_f64;
    /// The nearest integer; halves go away from 0.
    Round round() = k_round_f32 k_round_f64;
    /// The nearest integer; halves go to an even one.
    RoundTiesEven round_ties_even() = k_round_ties_even_f32 k_round_ties_even_f64;
    /// What [`Float::trunc`] drops.
    Fract fract() = k_fract_f32 k_fract_f64;
    /// The square root.
    Sqrt sqrt() = k_sqrt_f32 k_sqrt_f64;
    /// 1 divided by this.
    Recip recip() = k_recip_f32 k_recip_f64;
    /// Radians as degrees.
    ToDegrees to_degrees() = k_to_degrees_f32 k_to_degrees_f64;
    /// Degrees as radians.
    ToRadians to_radians() = k_to_radians_f32 k_to_radians_f64;
    /// The exponential.
    Exp exp() = k_exp_f32 k_exp_f64;
    /// The power of 2.
    Exp2 exp2() = k_exp2_f32 k_exp2_f64;
    /// The exponential less 1.
    ExpM1 exp_m1() = k_exp_m1_f32 k_exp_m1_f64;
    /// The natural logarithm.
    Ln ln() = k_ln_f32 k_ln_f64;
    /// The logarithm to base 2.
    Log2 log2() = k_log2_f32 k_log2_f64;
    /// The logarithm to base 10.
    Log10 log10() = k_log10_f32 k_log10_f64;
    /// The natural logarithm of 1 plus this.
    Ln1p ln_1p() = k_ln_1p_f32 k_ln_1p_f64;
    /// The sine of an angle in radians, of any size.
    Sin sin() = k_sin_f32 k_sin_f64;
    /// The cosine of an angle in radians, of any size.
    Cos cos() = k_cos_f32 k_cos_f64;
    /// The tangent of an angle in radians, of any size.
    Tan tan() = k_tan_f32 k_tan_f64;
    /// The hyperbolic sine.
    Sinh sinh() = k_sinh_f32 k_sinh_f64;
    /// The hyperbolic cosine.
    Cosh cosh() = k_cosh_f32 k_cosh_f64;
    /// The hyperbolic tangent.
    Tanh tanh() = k_tanh_f32 k_tanh_f64;
    /// The arc sine, from −π/2 to π/2.
    Asin asin() = k_asin_f32 k_asin_f64;
    /// The arc cosine, from 0 to π.
    Acos acos() = k_acos_f32 k_acos_f64;
    /// The arc tangent, from −π/2 to π/2.
    Atan atan() = k_atan_f32 k_atan_f64;
    /// The inverse hyperbolic sine.
    Asinh asinh() = k_asinh_f32 k_asinh_f64;
    /// The inverse hyperbolic cosine; a NaN below 1.
    Acosh acosh() = k_acosh_f32 k_acosh_f64;
    /// The inverse hyperbolic tangent; a NaN beyond ±1.
    Atanh atanh() = k_atanh_f32 k_atanh_f64;
    /// The angle of the point with this ordinate and an abscissa, from −π to π.
    Atan2 atan2(x) = k_atan2_f32 k_atan2_f64;
    /// A power; its limits are those of `pow` of IEEE 754.
    Powf powf(y) = k_powf_f32 k_powf_f64;
    /// The cubic root.
    Cbrt cbrt() = k_cbrt_f32 k_cbrt_f64;
    /// The root of the sum of both squares.
    Hypot hypot(other) = k_hypot_f32 k_hypot_f64;
    /// The error function.
    Erf erf() = k_erf_f32 k_erf_f64;
    /// 1 less the error function.
    Erfc erfc() = k_erfc_f32 k_erfc_f64;
    /// 1 divided by the square root.
    Rsqrt rsqrt() = k_rsqrt_f32 k_rsqrt_f64;
}
