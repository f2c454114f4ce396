//! Rounding to integers.

use super::words::*;
use super::{k_pick, portable};

portable! {
    /// `round_ties_even`: below 2^23, where not every value is an integer, adding that rounds to one.
    /// OpenCL's `rint` of a constant is wrong in some versions of PoCL.
    fn k_round_ties_even_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let a: f32 = f32_of(bits_f32(x) & k_u32(0x7fffffff));
        let n: f32 = (a + k_f32(0x4b000000)) - k_f32(0x4b000000);
        return k_pick(a < k_f32(0x4b000000), f32_of(bits_f32(n) | sign), x);
    }

    /// `trunc`.
    fn k_trunc_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let a: f32 = f32_of(bits_f32(x) & k_u32(0x7fffffff));
        let n: f32 = (a + k_f32(0x4b000000)) - k_f32(0x4b000000);
        let t: f32 = k_pick(n > a, n - k_f32(0x3f800000), n);
        return k_pick(a < k_f32(0x4b000000), f32_of(bits_f32(t) | sign), x);
    }

    /// `floor`.
    fn k_floor_f32(x: f32) -> f32 {
        let t: f32 = k_trunc_f32(x);
        return k_pick(t > x, t - k_f32(0x3f800000), t);
    }

    /// `ceil`.
    fn k_ceil_f32(x: f32) -> f32 {
        let t: f32 = k_trunc_f32(x);
        return k_pick(t < x, t + k_f32(0x3f800000), t);
    }

    /// `round_ties_even`: below 2^52, where not every value is an integer, adding that rounds to one.
    /// OpenCL's `rint` of a constant is wrong in some versions of PoCL.
    fn k_round_ties_even_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) & k_u64(0x7fffffffffffffff));
        let n: f64 = (a + k_f64(0x4330000000000000)) - k_f64(0x4330000000000000);
        return k_pick(a < k_f64(0x4330000000000000), f64_of(bits_f64(n) | sign), x);
    }

    /// `trunc`.
    fn k_trunc_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) & k_u64(0x7fffffffffffffff));
        let n: f64 = (a + k_f64(0x4330000000000000)) - k_f64(0x4330000000000000);
        let t: f64 = k_pick(n > a, n - k_f64(0x3ff0000000000000), n);
        return k_pick(a < k_f64(0x4330000000000000), f64_of(bits_f64(t) | sign), x);
    }

    /// `floor`.
    fn k_floor_f64(x: f64) -> f64 {
        let t: f64 = k_trunc_f64(x);
        return k_pick(t > x, t - k_f64(0x3ff0000000000000), t);
    }

    /// `ceil`.
    fn k_ceil_f64(x: f64) -> f64 {
        let t: f64 = k_trunc_f64(x);
        return k_pick(t < x, t + k_f64(0x3ff0000000000000), t);
    }
}
