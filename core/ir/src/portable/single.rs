//! Functions of `f32`.

use super::{k_pick, portable};
use crate::MathFn;
use std::num::Wrapping;

/// Integers wrap here, as unsigned ones do in C.
#[allow(non_camel_case_types, reason = "it stands for the type of this name")]
type u32 = Wrapping<std::primitive::u32>;

/// As `u32`.
#[allow(non_camel_case_types, reason = "it stands for the type of this name")]
type u64 = Wrapping<std::primitive::u64>;

const fn k_u32(bits: std::primitive::u32) -> u32 {
    Wrapping(bits)
}

const fn k_u64(bits: std::primitive::u64) -> u64 {
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

#[inline(always)]
const fn k_wide(x: u32) -> u64 {
    Wrapping(x.0 as std::primitive::u64)
}

#[inline(always)]
const fn k_low(x: u64) -> u32 {
    Wrapping(x.0 as std::primitive::u32)
}

#[inline(always)]
const fn k_float(x: u32) -> f32 {
    x.0 as f32
}

#[inline(always)]
const fn k_shr(x: u64, n: u32) -> u64 {
    Wrapping(x.0 >> n.0)
}

/// The value of a function of one operand.
#[inline(always)]
pub(crate) fn unary(x: f32, function: MathFn) -> f32 {
    match function {
        MathFn::Abs => x.abs(),
        MathFn::Sqrt => x.sqrt(),
        MathFn::Floor => k_floor_f32(x),
        MathFn::Ceil => k_ceil_f32(x),
        MathFn::Trunc => k_trunc_f32(x),
        MathFn::RoundTiesEven => k_round_ties_even_f32(x),
        MathFn::Exp => k_exp_f32(x),
        MathFn::Ln => k_ln_f32(x),
        MathFn::Tanh => k_tanh_f32(x),
        MathFn::Sin => k_sin_f32(x),
        MathFn::Cos => k_cos_f32(x),
        MathFn::Min | MathFn::Max | MathFn::MulAdd => x,
    }
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

    /// Bits 32i … 32i + 31 of 2/π after its leading 32 zeros, for i < 8.
    fn k_two_over_pi(i: u32) -> u32 {
        let low: u32 = k_pick(i < k_u32(2), k_pick(i < k_u32(1), k_u32(0), k_u32(0xa2f9836e)), k_pick(i < k_u32(3), k_u32(0x4e441529), k_u32(0xfc2757d1)));
        let high: u32 = k_pick(i < k_u32(6), k_pick(i < k_u32(5), k_u32(0xf534ddc0), k_u32(0xdb629599)), k_pick(i < k_u32(7), k_u32(0x3c439041), k_u32(0xfe5163ab)));
        return k_pick(i < k_u32(4), low, high);
    }

    /// x · 2/π modulo 4 in units of 2^-62, for positive x from 2^-7, after Payne and Hanek: of the
    /// bits of 2/π, those that matter, times the 24 bits of x.
    fn k_turns_f32(x: f32) -> u64 {
        let ix: u32 = bits_f32(x);
        let start: u32 = ((ix >> 23) - k_u32(0x78)) & k_u32(0xff);
        let i: u32 = start >> 5;
        let n: u32 = k_u32(0x20) - (start & k_u32(0x1f));
        let m: u64 = k_wide((ix & k_u32(0x007fffff)) | k_u32(0x00800000));
        let w0: u64 = k_wide(k_two_over_pi(i));
        let w1: u64 = k_wide(k_two_over_pi(i + k_u32(1)));
        let w2: u64 = k_wide(k_two_over_pi(i + k_u32(2)));
        let w3: u64 = k_wide(k_two_over_pi(i + k_u32(3)));
        let a: u64 = k_wide(k_low(k_shr((w0 << 32) | w1, n)));
        let b: u64 = k_wide(k_low(k_shr((w1 << 32) | w2, n)));
        let c: u64 = k_wide(k_low(k_shr((w2 << 32) | w3, n)));
        return ((m * a) << 32) + m * b + ((m * c) >> 32);
    }

    /// sin(x + quarter · π/2) for positive x. The rest r of the reduction comes with its error, as
    /// the product of two halves each; polynomials are those of Cephes.
    fn k_wave_f32(x: f32, quarter: u32) -> f32 {
        let turns: u64 = k_turns_f32(x);
        let q: u64 = (turns + k_u64(0x2000000000000000)) >> 62;
        let f: u64 = turns - (q << 62);
        let below: bool = (f >> 63) != k_u64(0);
        let a: u64 = k_pick(below, k_u64(0) - f, f);
        let t1: f32 = k_float(k_low(a >> 38)) * k_f32(0x33800000);
        let t2: f32 = k_float(k_low(a >> 14) & k_u32(0x00ffffff)) * k_f32(0x27800000);
        let t3: f32 = k_float(k_low(a) & k_u32(0x3fff)) * k_f32(0x20800000);
        let s: f32 = t1 + t2;
        let e: f32 = (t2 - (s - t1)) + t3;
        let s1: f32 = f32_of(bits_f32(s) & k_u32(0xfffff000));
        let s2: f32 = s - s1;
        let high: f32 = s1 * k_f32(0x3fc90000);
        let tail: f32 = s * k_f32(0x33a22169) + e * k_f32(0x3fc90fdb) + s2 * k_f32(0x39fda000);
        let rest: f32 = (s1 * k_f32(0x39fda000) + s2 * k_f32(0x3fc90000)) + tail;
        let sum: f32 = high + rest;
        let near: bool = x < k_f32(0x3f490fdb);
        let r: f32 = k_pick(near, x, sum);
        let d: f32 = k_pick(near, k_f32(0), rest - (sum - high));
        let n: u32 = k_pick(near, k_u32(0), k_low(q)) + quarter;
        let flip: bool = below && !near;
        let z: f32 = r * r;
        let h: f32 = k_f32(0x3f000000) * z;
        let ps: f32 = ((k_f32(0xb94ca1f9) * z + k_f32(0x3c08839e)) * z + k_f32(0xbe2aaaa3)) * z;
        let sine: f32 = r + ((ps * r + d) - h * d);
        let pc: f32 = ((k_f32(0x37ccf5ce) * z + k_f32(0xbab6061a)) * z + k_f32(0x3d2aaaa5)) * z;
        let w: f32 = k_f32(0x3f800000) - h;
        let cosine: f32 = w + (((k_f32(0x3f800000) - w) - h) + (pc * z - r * d));
        let odd: bool = (n & k_u32(1)) != k_u32(0);
        let y: f32 = k_pick(odd, cosine, k_pick(flip, -sine, sine));
        return k_pick((n & k_u32(2)) != k_u32(0), -y, y);
    }

    /// `sin`, for x of any size.
    fn k_sin_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let a: f32 = f32_of(bits_f32(x) & k_u32(0x7fffffff));
        let y: f32 = f32_of(bits_f32(k_wave_f32(a, k_u32(0))) ^ sign);
        return k_pick(a < k_f32(0x7f800000), y, k_f32(0x7fc00000));
    }

    /// `cos`, for x of any size.
    fn k_cos_f32(x: f32) -> f32 {
        let a: f32 = f32_of(bits_f32(x) & k_u32(0x7fffffff));
        let y: f32 = k_wave_f32(a, k_u32(1));
        return k_pick(a < k_f32(0x7f800000), y, k_f32(0x7fc00000));
    }

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
}
