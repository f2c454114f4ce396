//! Constants of the bodies.

macro_rules! constants {
    ($($(#[$meta:meta])* $name:ident: $ty:ident = $value:expr;)*) => {
        constants! { @in single $($(#[$meta])* $name: $ty = $value;)* }
        constants! { @in double $($(#[$meta])* $name: $ty = $value;)* }

        /// Their names and texts, in the neutral words.
        pub(super) const TEXTS: &[(&str, &str)] = &[$((stringify!($name), stringify!($value)),)*];
    };
    (@in $width:ident $($(#[$meta:meta])* $name:ident: $ty:ident = $value:expr;)*) => {
        pub(crate) mod $width {
            use crate::portable::words::$width::*;

            $($(#[$meta])* pub(crate) const $name: $ty = $value;)*
        }
    };
}

constants! {
    ZERO: real = k_real(0, 0);
    HALF: real = k_real(0x3f000000, 0x3fe0000000000000);
    ONE: real = k_real(0x3f800000, 0x3ff0000000000000);
    TWO: real = k_real(0x40000000, 0x4000000000000000);
    /// The sum of the thirds is ⅓ to twice the digits, as the sums of the other pairs are.
    THIRD: real = k_real(0x3eaaaaab, 0x3fd5555555555555);
    QUARTER_PI: real = k_real(0x3f490fdb, 0x3fe921fb54442d18);
    HALF_PI: real = k_real(0x3fc90fdb, 0x3ff921fb54442d18);
    HALF_PI_REST: real = k_real(0xb33bbd2e, 0x3c91a62633145c07);
    PI: real = k_real(0x40490fdb, 0x400921fb54442d18);
    PI_REST: real = k_real(0xb3bbbd2e, 0x3ca1a62633145c07);
    LN_2: real = k_real(0x3f317218, 0x3fe62e42fefa39ef);
    LN_2_REST: real = k_real(0xb102e308, 0x3c7abc9e3b39803f);
    /// As [`LN_2`], with few bits, so that a product with an exponent is exact.
    LN_2_HEAD: real = k_real(0x3f317200, 0x3fe62e42fee00000);
    LN_2_TAIL: real = k_real(0x35bfbe8e, 0x3dea39ef35793c76);
    LOG2_E: real = k_real(0x3fb8aa3b, 0x3ff71547652b82fe);
    TWO_LOG2_E: real = k_real(0x4038aa3b, 0x40071547652b82fe);
    /// 1.5 · 2^23 or 1.5 · 2^52: a sum with it is rounded to an integer, in the lower bits.
    ROUNDER: real = k_real(0x4b400000, 0x4338000000000000);
    ROUNDER_BITS: bits = bits_of(k_real(0x4b400000, 0x4338000000000000));
    /// 2^23 or 2^52: from here on, every value is an integer.
    WHOLE: real = k_real(0x4b000000, 0x4330000000000000);
    /// The square of what is above leaves no trace in a sum with 1.
    MUCH: real = k_real(0x45800000, 0x41b0000000000000);
    INFINITY: real = of_bits(k_bits(0x7f800000, 0x7ff0000000000000));
    NAN: real = of_bits(k_bits(0x7fc00000, 0x7ff8000000000000));
    NO_BITS: bits = k_bits(0x0, 0x0);
    /// The bit of the sign, and its place.
    SIGN: bits = k_bits(0x80000000, 0x8000000000000000);
    SIGN_AT: usize = k_count(31, 63);
    /// All bits but that of the sign.
    SIZE: bits = k_bits(0x7fffffff, 0x7fffffffffffffff);
    /// The exponent of 1 as it is stored, and the place of exponents.
    BIAS: bits = k_bits(0x7f, 0x3ff);
    DIGITS: usize = k_count(23, 52);
}
