//! `f32` and `f64`.

use super::{MathFn, Number, Signed};
use crate::portable::{double, single};
use half::{bf16, f16};

/// A type whose bits are an integer type of kernels.
pub trait ToBits {
    /// The integer type.
    type Bits;
    /// The bits; those of every NaN are the same.
    fn to_bits(self) -> Self::Bits;
}

macro_rules! numbers {
    ($($ty:ident: $bits:ident $nan:literal $width:ident;)*) => {$(
        impl Number for $ty {
            inline! {
                fn add(self, other: Self) -> Self = self + other;
                fn sub(self, other: Self) -> Self = self - other;
                fn mul(self, other: Self) -> Self = self * other;
                fn div(self, other: Self) -> Self = self / other;
                fn rem(self, other: Self) -> Self = self % other;
                fn div_euclid(self, other: Self) -> Self = {
                    let quotient = Float::trunc(self / other);
                    let step = if other > 0.0 { -1.0 } else { 1.0 };
                    if self % other < 0.0 { quotient + step } else { quotient }
                };
                fn rem_euclid(self, other: Self) -> Self = {
                    let rest = self % other;
                    if rest < 0.0 { rest + other.abs() } else { rest }
                };
                fn min(self, other: Self) -> Self = {
                    // Neither above nor below: the values are equal, and OR keeps a sign of zero.
                    let equal = $ty::from_bits(self.to_bits() | other.to_bits());
                    let ordered =
                        if self < other { self } else if other < self { other } else { equal };
                    if self.is_nan() { other } else if other.is_nan() { self } else { ordered }
                };
                fn max(self, other: Self) -> Self = {
                    let equal = $ty::from_bits(self.to_bits() & other.to_bits());
                    let ordered =
                        if self > other { self } else if other > self { other } else { equal };
                    if self.is_nan() { other } else if other.is_nan() { self } else { ordered }
                };
                fn clamp(self, low: Self, high: Self) -> Self =
                    if self < low { low } else if self > high { high } else { self };
            }
        }

        impl Signed for $ty {
            inline! {
                fn neg(self) -> Self = -self;
                fn abs(self) -> Self = $ty::abs(self);
                fn signum(self) -> Self = $width::k_signum(self);
            }
        }

        impl ToBits for $ty {
            type Bits = $bits;

            inline! {
                fn to_bits(self) -> $bits = if self.is_nan() { $nan } else { $ty::to_bits(self) };
            }
        }
    )*};
}

numbers! {
    f32: u32 0x7fc0_0000 single;
    f64: u64 0x7ff8_0000_0000_0000 double;
}

macro_rules! functions {
    ($($(#[$doc:meta])* $variant:ident $name:ident($($arg:ident)*) = $function:ident;)*) => {
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

        functions! { @impl f32 single $($name($($arg)*) $function;)* }
        functions! { @impl f64 double $($name($($arg)*) $function;)* }
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
    (@impl $ty:ident $width:ident $($name:ident($($arg:ident)*) $function:ident;)*) => {
        impl Float for $ty {
            inline! {
                $(fn $name(self $(, $arg: Self)*) -> Self = $width::$function(self $(, $arg)*);)*
                fn powi(self, n: i32) -> Self = {
                    let (mut power, mut square, mut rest) = (1.0, self, n.unsigned_abs());
                    while rest != 0 {
                        if rest & 1 != 0 {
                            power *= square;
                        }
                        square *= square;
                        rest >>= 1;
                    }
                    if n < 0 { 1.0 / power } else { power }
                };
            }
            functions! { @classes $ty }
        }

        impl Shared for $ty {
            $(#[inline(always)]
            fn $name<const INLINE: bool>(self $(, $arg: Self)*) -> Self {
                #[inline(never)]
                fn shared(x: $ty $(, $arg: $ty)*) -> $ty {
                    $width::$function(x $(, $arg)*)
                }
                if INLINE { $width::$function(self $(, $arg)*) } else { shared(self $(, $arg)*) }
            })*
        }
    };
    (@narrow $ty:ident $($name:ident($($arg:ident)*);)*) => {
        impl Float for $ty {
            inline! {
                $(fn $name(self $(, $arg: Self)*) -> Self =
                    <$ty>::from_f32(Float::$name(self.to_f32() $(, $arg.to_f32())*));)*
                fn powi(self, n: i32) -> Self = <$ty>::from_f32(Float::powi(self.to_f32(), n));
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
        inline! {
            fn is_nan(self) -> bool = <$ty>::is_nan(self);
            fn is_finite(self) -> bool = <$ty>::is_finite(self);
            fn is_infinite(self) -> bool = <$ty>::is_infinite(self);
        }
    };
}

functions! {
    /// `self * a + b` with one rounding.
    MulAdd mul_add(a b) = mul_add;
    /// The magnitude of this with the sign of another, which is positive for a NaN.
    Copysign copysign(sign) = k_copysign;
    /// The next integer below.
    Floor floor() = k_floor;
    /// The next integer above.
    Ceil ceil() = k_ceil;
    /// The next integer towards 0.
    Trunc trunc() = k_trunc;
    /// The nearest integer; halves go away from 0.
    Round round() = k_round;
    /// The nearest integer; halves go to an even one.
    RoundTiesEven round_ties_even() = k_round_ties_even;
    /// What [`Float::trunc`] drops.
    Fract fract() = k_fract;
    /// The square root.
    Sqrt sqrt() = k_sqrt;
    /// 1 divided by this.
    Recip recip() = k_recip;
    /// Radians as degrees.
    ToDegrees to_degrees() = k_to_degrees;
    /// Degrees as radians.
    ToRadians to_radians() = k_to_radians;
    /// The exponential.
    Exp exp() = k_exp;
    /// The power of 2.
    Exp2 exp2() = k_exp2;
    /// The exponential less 1.
    ExpM1 exp_m1() = k_exp_m1;
    /// The natural logarithm.
    Ln ln() = k_ln;
    /// The logarithm to base 2.
    Log2 log2() = k_log2;
    /// The logarithm to base 10.
    Log10 log10() = k_log10;
    /// The natural logarithm of 1 plus this.
    Ln1p ln_1p() = k_ln_1p;
    /// The sine of an angle in radians, of any size.
    Sin sin() = k_sin;
    /// The cosine of an angle in radians, of any size.
    Cos cos() = k_cos;
    /// The tangent of an angle in radians, of any size.
    Tan tan() = k_tan;
    /// The hyperbolic sine.
    Sinh sinh() = k_sinh;
    /// The hyperbolic cosine.
    Cosh cosh() = k_cosh;
    /// The hyperbolic tangent.
    Tanh tanh() = k_tanh;
    /// The arc sine, from −π/2 to π/2.
    Asin asin() = k_asin;
    /// The arc cosine, from 0 to π.
    Acos acos() = k_acos;
    /// The arc tangent, from −π/2 to π/2.
    Atan atan() = k_atan;
    /// The inverse hyperbolic sine.
    Asinh asinh() = k_asinh;
    /// The inverse hyperbolic cosine; a NaN below 1.
    Acosh acosh() = k_acosh;
    /// The inverse hyperbolic tangent; a NaN beyond ±1.
    Atanh atanh() = k_atanh;
    /// The angle of the point with this ordinate and an abscissa, from −π to π.
    Atan2 atan2(x) = k_atan2;
    /// A power; its limits are those of `pow` of IEEE 754.
    Powf powf(y) = k_powf;
    /// The cubic root.
    Cbrt cbrt() = k_cbrt;
    /// The root of the sum of both squares.
    Hypot hypot(other) = k_hypot;
    /// The error function.
    Erf erf() = k_erf;
    /// 1 less the error function.
    Erfc erfc() = k_erfc;
    /// 1 divided by the square root.
    Rsqrt rsqrt() = k_rsqrt;
}
