//! Functions of `f32`.

use super::{k_pick, portable};
use std::num::Wrapping;

/// Integers wrap here, as unsigned ones do in C.
#[allow(non_camel_case_types)]
type u32 = Wrapping<std::primitive::u32>;

const fn k_u32(bits: std::primitive::u32) -> u32 {
    Wrapping(bits)
}

const fn k_f32(bits: std::primitive::u32) -> f32 {
    f32::from_bits(bits)
}

#[inline(always)]
const fn f32_of(bits: u32) -> f32 {
    f32::from_bits(bits.0)
}

#[inline(always)]
const fn bits_f32(x: f32) -> u32 {
    Wrapping(x.to_bits())
}

#[inline(always)]
fn k_div_f32(a: f32, b: f32) -> f32 {
    a / b
}

portable! {
    /// `exp`: x = n ln 2 + r, a polynomial of degree 8 for r, two factors for 2^n, so that a
    /// subnormal result is rounded once. Adding 1.5 · 2^23 rounds to an integer, in the lower bits.
    fn k_exp_f32(x: f32) -> f32 {
        let low: f32 = k_pick(x < k_f32(0xc2d00000), k_f32(0xc2d00000), x);
        let a: f32 = k_pick(low > k_f32(0x42b20000), k_f32(0x42b20000), low);
        let t: f32 = a * k_f32(0x3fb8aa3b) + k_f32(0x4b400000);
        let n: f32 = t - k_f32(0x4b400000);
        let high: f32 = a - n * k_f32(0x3f317200);
        let r: f32 = high - n * k_f32(0x35bfbe8e);
        let u4: f32 = (k_f32(0x39502bda) * r + k_f32(0x3ab696c9)) * r + k_f32(0x3c0888a6);
        let u2: f32 = (u4 * r + k_f32(0x3d2aaa7a)) * r + k_f32(0x3e2aaaab);
        let u: f32 = u2 * r + k_f32(0x3f000000);
        let p: f32 = (r * r * u + r) + k_f32(0x3f800000);
        let e: u32 = bits_f32(t) - k_u32(0x4b400000);
        let h: u32 = ((e + k_u32(0x100)) >> 1) - k_u32(0x80);
        let y: f32 = p * f32_of((h + k_u32(0x7f)) << 23);
        let z: f32 = y * f32_of((e - h + k_u32(0x7f)) << 23);
        return k_pick(x != x, x, z);
    }

    /// `ln`: x = 2^k (1 + f) with 1 + f from √½ to √2, and a polynomial in s = f / (2 + f), as in
    /// fdlibm.
    fn k_ln_f32(x: f32) -> f32 {
        let tiny: bool = x < k_f32(0x00800000);
        let a: f32 = k_pick(tiny, x * k_f32(0x4c000000), x);
        let ix: u32 = bits_f32(a) + k_u32(0x004afb0d);
        let k: u32 = (ix >> 23) - k_pick(tiny, k_u32(0x98), k_u32(0x7f));
        let m: f32 = f32_of((ix & k_u32(0x007fffff)) + k_u32(0x3f3504f3));
        let dk: f32 = f32_of(k + k_u32(0x4b400000)) - k_f32(0x4b400000);
        let f: f32 = m - k_f32(0x3f800000);
        let s: f32 = k_div_f32(f, f + k_f32(0x40000000));
        let z: f32 = s * s;
        let w: f32 = z * z;
        let t1: f32 = w * (k_f32(0x3eccce13) + w * k_f32(0x3e789e26));
        let t2: f32 = z * (k_f32(0x3f2aaaaa) + w * k_f32(0x3e91e9ee));
        let q: f32 = k_f32(0x3f000000) * f * f;
        let small: f32 = s * (q + (t1 + t2)) + dk * k_f32(0x3717f7d1);
        let y: f32 = ((small - q) + f) + dk * k_f32(0x3f317180);
        let domain: f32 = k_pick(x < k_f32(0), k_f32(0x7fc00000), y);
        let zero: f32 = k_pick(x == k_f32(0), k_f32(0xff800000), domain);
        return k_pick(x != x || x == k_f32(0x7f800000), x, zero);
    }

    /// `tanh`: an odd polynomial of degree 11 below 0.625 (Cephes), else 1 − 2 / (exp(2x) + 1).
    fn k_tanh_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let a: f32 = f32_of(bits_f32(x) & k_u32(0x7fffffff));
        let z: f32 = a * a;
        let p4: f32 = (k_f32(0xbbbaf0ea) * z + k_f32(0x3ca9134e)) * z + k_f32(0xbd5c1e2d);
        let p: f32 = (p4 * z + k_f32(0x3e088393)) * z + k_f32(0xbeaaaa99);
        let small: f32 = p * z * a + a;
        let e: f32 = k_exp_f32(a + a);
        let large: f32 = k_f32(0x3f800000) - k_div_f32(k_f32(0x40000000), e + k_f32(0x3f800000));
        let y: f32 = k_pick(a < k_f32(0x3f200000), small, large);
        return f32_of(bits_f32(y) | sign);
    }
}
