//! Floating-point types of 16 bits, whose values are held as `f32`.

use super::portable;

portable! {
    any:

    /// The value of the bits of an `f16`.
    fn k_wide_f16(h: u32) -> f32 {
        let sign: u32 = (h & k_u32(0x8000)) << 16;
        let m: u32 = (h & k_u32(0x7fff)) << 13;
        let tiny: f32 = f32_of(m + k_u32(0x38800000)) - k_f32(0x38800000);
        let usual: f32 = f32_of(m + k_u32(0x38000000));
        let limit: f32 = f32_of(m | k_u32(0x7f800000));
        let size: f32 = k_pick(m < k_u32(0x00800000), tiny, k_pick(m < k_u32(0x0f800000), usual, limit));
        return f32_of(bits_f32(size) | sign);
    }

    /// The bits of the nearest `f16`; ties go to even, what exceeds the range to infinity.
    fn k_narrow_f16(x: f32) -> u32 {
        let a: u32 = bits_f32(x) & k_u32(0x7fffffff);
        let usual: u32 = (a - k_u32(0x38000000) + k_u32(0xfff) + ((a >> 13) & k_u32(1))) >> 13;
        let size: u32 = k_pick(a > k_u32(0x477fefff), k_u32(0x7c00), usual);
        let tiny: u32 = bits_f32(f32_of(a) + k_f32(0x3f000000)) - k_u32(0x3f000000);
        let number: u32 = k_pick(a < k_u32(0x38800000), tiny, size);
        return k_pick(x != x, k_u32(0x7e00), number) | ((bits_f32(x) >> 16) & k_u32(0x8000));
    }

    /// The nearest `f16`, as `f32`.
    fn k_round_f16(x: f32) -> f32 {
        return k_wide_f16(k_narrow_f16(x));
    }

    /// The value of the bits of a `bf16`.
    fn k_wide_bf16(h: u32) -> f32 {
        return f32_of(h << 16);
    }

    /// The bits of the nearest `bf16`; ties go to even.
    fn k_narrow_bf16(x: f32) -> u32 {
        let bits: u32 = bits_f32(x);
        let number: u32 = (bits + k_u32(0x7fff) + ((bits >> 16) & k_u32(1))) >> 16;
        return k_pick(x != x, k_u32(0x7fc0), number);
    }

    /// The nearest `bf16`, as `f32`.
    fn k_round_bf16(x: f32) -> f32 {
        return k_wide_bf16(k_narrow_bf16(x));
    }
}
