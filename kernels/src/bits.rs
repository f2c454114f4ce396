//! Bits of integers, and of the floats that they stand for.

use crate::formula::maps;

maps! {
    [<T> (map, T in [i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda]) "..., ... -> ..." "I, I -> I"]
    /// The bits that `a` and `b` both have.
    bit_and BitAnd(a: T, b: T) -> T { a & b };
    /// The bits that `a` or `b` has, or both.
    bit_or BitOr(a: T, b: T) -> T { a | b };
    /// The bits that just one of `a` and `b` has.
    bit_xor BitXor(a: T, b: T) -> T { a ^ b };
    /// The bits of `a`, `b` places higher; `b` counts modulo their number.
    shift_left ShiftLeft(a: T, b: T) -> T { a << b };
    /// The bits of `a`, `b` places lower; `b` counts modulo their number, and the sign stays.
    shift_right ShiftRight(a: T, b: T) -> T { a >> b };
}

maps! {
    [<T> (map, T in [i32, i64, u32, u64, u8, i8, i16, u16], device = [cpu, opencl, cuda]) "... -> ..." "I -> I"]
    /// The bits that `x` has not.
    bit_not BitNot(x: T) -> T { !x };
}

maps! {
    [<> (map, device = [cpu, opencl, cuda]) "... -> ..."]
    /// The bits of numbers; every NaN has those of one.
    bits_of_f32 BitsOfF32(x: f32) -> u32 { x.to_bits() } dtype: "f32 -> u32";
    /// The bits of numbers; every NaN has those of one.
    bits_of_f64 BitsOfF64(x: f64) -> u64 { x.to_bits() } dtype: "f64 -> u64";
    /// The numbers of bits.
    f32_of_bits F32OfBits(x: u32) -> f32 { f32::from_bits(x) } dtype: "u32 -> f32";
    /// The numbers of bits.
    f64_of_bits F64OfBits(x: u64) -> f64 { f64::from_bits(x) } dtype: "u64 -> f64";
}
