//! Functions that are exact, or one operation.

use super::rounding::*;
use super::words::*;
use super::{k_pick, portable};

portable! {
    /// `round`: halves go away from zero.
    fn k_round_f32(x: f32) -> f32 {
        let t: f32 = k_trunc_f32(x);
        let one: f32 = f32_of(k_u32(0x3f800000) | (bits_f32(x) & k_u32(0x80000000)));
        let rest: f32 = x - t;
        let up: bool = rest >= k_f32(0x3f000000) || rest <= -k_f32(0x3f000000);
        return k_pick(up, t + one, t);
    }

    /// `fract`.
    fn k_fract_f32(x: f32) -> f32 {
        return x - k_trunc_f32(x);
    }

    /// `recip`.
    fn k_recip_f32(x: f32) -> f32 {
        return k_div_f32(k_f32(0x3f800000), x);
    }

    /// `signum`: ±1, or a NaN.
    fn k_signum_f32(x: f32) -> f32 {
        let one: f32 = f32_of(k_u32(0x3f800000) | (bits_f32(x) & k_u32(0x80000000)));
        return k_pick(x != x, x, one);
    }

    /// `copysign`. The sign of a NaN counts as positive.
    fn k_copysign_f32(x: f32, y: f32) -> f32 {
        let sign: u32 = k_pick(y != y, k_u32(0x0), bits_f32(y) & k_u32(0x80000000));
        return f32_of((bits_f32(x) & k_u32(0x7fffffff)) | sign);
    }

    /// `to_degrees`.
    fn k_to_degrees_f32(x: f32) -> f32 {
        return x * k_f32(0x42652ee1);
    }

    /// `to_radians`.
    fn k_to_radians_f32(x: f32) -> f32 {
        return x * k_f32(0x3c8efa35);
    }

    /// `round`: halves go away from zero.
    fn k_round_f64(x: f64) -> f64 {
        let t: f64 = k_trunc_f64(x);
        let one: f64 = f64_of(k_u64(0x3ff0000000000000) | (bits_f64(x) & k_u64(0x8000000000000000)));
        let rest: f64 = x - t;
        let up: bool = rest >= k_f64(0x3fe0000000000000) || rest <= -k_f64(0x3fe0000000000000);
        return k_pick(up, t + one, t);
    }

    /// `fract`.
    fn k_fract_f64(x: f64) -> f64 {
        return x - k_trunc_f64(x);
    }

    /// `recip`.
    fn k_recip_f64(x: f64) -> f64 {
        return k_div_f64(k_f64(0x3ff0000000000000), x);
    }

    /// `signum`: ±1, or a NaN.
    fn k_signum_f64(x: f64) -> f64 {
        let one: f64 = f64_of(k_u64(0x3ff0000000000000) | (bits_f64(x) & k_u64(0x8000000000000000)));
        return k_pick(x != x, x, one);
    }

    /// `copysign`. The sign of a NaN counts as positive.
    fn k_copysign_f64(x: f64, y: f64) -> f64 {
        let sign: u64 = k_pick(y != y, k_u64(0x0), bits_f64(y) & k_u64(0x8000000000000000));
        return f64_of((bits_f64(x) & k_u64(0x7fffffffffffffff)) | sign);
    }

    /// `to_degrees`.
    fn k_to_degrees_f64(x: f64) -> f64 {
        return x * k_f64(0x404ca5dc1a63c1f8);
    }

    /// `to_radians`.
    fn k_to_radians_f64(x: f64) -> f64 {
        return x * k_f64(0x3f91df46a2529d39);
    }
}
