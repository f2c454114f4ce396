//! Bits of integers, and of the floats that they stand for.

use ringwood_device::kernel;
use ringwood_graph::register_operator;

macro_rules! bits {
    ($($(#[$doc:meta])* $name:ident $operator:ident = $text:literal $symbol:tt;)*) => {$(
        $(#[$doc])*
        #[kernel(map, T in [i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])]
        pub fn $name<T>(a: T, b: T) -> T {
            a $symbol b
        }

        register_operator! {
            $(#[$doc])*
            pub $operator = $text;
            shape: "..., ... -> ...",
            dtype: "I, I -> I",
        }
    )*};
}

bits! {
    /// The bits that `a` and `b` both have.
    bit_and BitAnd = "bit_and" &;
    /// The bits that `a` or `b` has, or both.
    bit_or BitOr = "bit_or" |;
    /// The bits that just one of `a` and `b` has.
    bit_xor BitXor = "bit_xor" ^;
    /// The bits of `a`, `b` places higher; `b` counts modulo their number.
    shift_left ShiftLeft = "shift_left" <<;
    /// The bits of `a`, `b` places lower; `b` counts modulo their number, and the sign stays.
    shift_right ShiftRight = "shift_right" >>;
}

/// The bits that `x` has not.
#[kernel(map, T in [i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda])]
pub fn bit_not<T>(x: T) -> T {
    !x
}

register_operator! {
    /// The bits that integers have not.
    pub BitNot = bit_not;
    shape: "... -> ...",
    dtype: "I -> I",
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident $operator:ident = $text:literal |$x:ident: $from:ident| $to:ident $body:expr, $rule:literal;)*) => {$(
        $(#[$doc])*
        #[kernel(map, device = [cpu, opencl, cuda])]
        pub fn $name($x: $from) -> $to {
            $body
        }

        register_operator! {
            $(#[$doc])*
            pub $operator = $text;
            shape: "... -> ...",
            dtype: $rule,
        }
    )*};
}

words! {
    /// The bits of numbers; every NaN has those of one.
    bits_of_f32 BitsOfF32 = "bits_of_f32" |x: f32| u32 x.to_bits(), "f32 -> u32";
    /// The bits of numbers; every NaN has those of one.
    bits_of_f64 BitsOfF64 = "bits_of_f64" |x: f64| u64 x.to_bits(), "f64 -> u64";
    /// The numbers of bits.
    f32_of_bits F32OfBits = "f32_of_bits" |x: u32| f32 f32::from_bits(x), "u32 -> f32";
    /// The numbers of bits.
    f64_of_bits F64OfBits = "f64_of_bits" |x: u64| f64 f64::from_bits(x), "u64 -> f64";
}
