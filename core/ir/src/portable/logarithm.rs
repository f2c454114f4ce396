//! Logarithms. The polynomials in s = f / (2 + f) are those of fdlibm.

use super::pair::*;
use super::words::*;
use super::{k_pick, portable};

portable! {
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

    /// k, where x = 2^k (1 + f) with 1 + f from √½ to √2, for positive x.
    fn k_log_power_f32(x: f32) -> f32 {
        let tiny: bool = x < k_f32(0x00800000);
        let ix: u32 = bits_f32(k_pick(tiny, x * k_f32(0x4c000000), x)) + k_u32(0x4afb0d);
        let k: u32 = (ix >> 23) - k_pick(tiny, k_u32(0x98), k_u32(0x7f));
        return f32_of(k + bits_f32(k_f32(0x4b400000))) - k_f32(0x4b400000);
    }

    /// f of [`k_log_power_f32`].
    fn k_log_rest_f32(x: f32) -> f32 {
        let tiny: bool = x < k_f32(0x00800000);
        let ix: u32 = bits_f32(k_pick(tiny, x * k_f32(0x4c000000), x)) + k_u32(0x4afb0d);
        return f32_of((ix & k_u32(0x7fffff)) + k_u32(0x3f3504f3)) - k_f32(0x3f800000);
    }

    /// ln(1 + f) − f + f² / 2.
    fn k_log_tail_f32(f: f32) -> f32 {
        let s: f32 = k_div_f32(f, f + k_f32(0x40000000));
        let z: f32 = s * s;
        let w: f32 = z * z;
        let t1: f32 = w * (k_f32(0x3eccce13) + w * k_f32(0x3e789e26));
        let t2: f32 = z * (k_f32(0x3f2aaaaa) + w * k_f32(0x3e91e9ee));
        return s * (k_f32(0x3f000000) * f * f + (t1 + t2));
    }

    /// The limits of a logarithm y of x.
    fn k_log_limits_f32(x: f32, y: f32) -> f32 {
        let domain: f32 = k_pick(x < k_f32(0), f32_of(k_u32(0x7fc00000)), y);
        let zero: f32 = k_pick(x == k_f32(0), f32_of(k_u32(0xff800000)), domain);
        return k_pick(x != x || x == f32_of(k_u32(0x7f800000)), x, zero);
    }

    /// k (kh + kl) + ln(1 + f + c) (b + bl), for kh with few bits.
    fn k_log_base_f32(k: f32, kh: f32, kl: f32, f: f32, c: f32, b: f32, bl: f32) -> f32 {
        let ff: f32 = f * f;
        let q: f32 = k_f32(0x3f000000) * ff;
        let g: f32 = f - q;
        let gl: f32 = (((f - g) - q) - k_f32(0x3f000000) * k_product_rest_f32(f, f, ff)) + (k_log_tail_f32(f) + c);
        let h: f32 = g + gl;
        let l: f32 = (g - h) + gl;
        let p: f32 = h * b;
        let pl: f32 = k_product_rest_f32(h, b, p) + (h * bl + l * b);
        let high: f32 = k * kh;
        let y: f32 = high + p;
        return y + (k_sum_rest_f32(high, p, y) + (pl + k * kl));
    }

    /// `log2`.
    fn k_log2_f32(x: f32) -> f32 {
        let y: f32 = k_log_base_f32(k_log_power_f32(x), k_f32(0x3f800000), k_f32(0), k_log_rest_f32(x), k_f32(0), k_f32(0x3fb8aa3b), k_f32(0x32a57060));
        return k_log_limits_f32(x, y);
    }

    /// `log10`.
    fn k_log10_f32(x: f32) -> f32 {
        let y: f32 = k_log_base_f32(k_log_power_f32(x), k_f32(0x3e9a2000), k_f32(0x369a84fc), k_log_rest_f32(x), k_f32(0), k_f32(0x3ede5bd9), k_f32(0xb22d91af));
        return k_log_limits_f32(x, y);
    }

    /// `ln_1p`: what 1 + x loses is added to f; f is x itself where that is small.
    fn k_ln_1p_f32(x: f32) -> f32 {
        let u: f32 = k_f32(0x3f800000) + x;
        let k: f32 = k_log_power_f32(u);
        let m: f32 = k_log_rest_f32(u);
        let e: u32 = bits_f32(k + k_f32(0x4b400000)) - bits_f32(k_f32(0x4b400000));
        let lost: f32 = k_sum_rest_f32(k_f32(0x3f800000), x, u) * k_pick(k > k_f32(0x42c80000), k_f32(0), f32_of((k_u32(0x7f) - e) << 23));
        let f: f32 = k_pick(k == k_f32(0), x, m);
        let c: f32 = k_pick(k == k_f32(0), k_f32(0), k_div_f32(lost, k_f32(0x3f800000) + m));
        let y: f32 = k_log_base_f32(k, k_f32(0x3f317200), k_f32(0x35bfbe8e), f, c, k_f32(0x3f800000), k_f32(0));
        let tiny: bool = x < k_f32(0x32800000) && x > k_f32(0xb2800000);
        return k_pick(tiny, x, k_log_limits_f32(u, k_pick(x != x, x, y)));
    }

    /// `ln`: as that of `f32`.
    fn k_ln_f64(x: f64) -> f64 {
        let tiny: bool = x < k_f64(0x0010000000000000);
        let a: f64 = k_pick(tiny, x * k_f64(0x4350000000000000), x);
        let ix: u64 = bits_f64(a) + k_u64(0x00095f6200000000);
        let k: u64 = (ix >> 52) - k_pick(tiny, k_u64(0x435), k_u64(0x3ff));
        let m: f64 = f64_of((ix & k_u64(0x000fffffffffffff)) + k_u64(0x3fe6a09e00000000));
        let dk: f64 = f64_of(k + k_u64(0x4338000000000000)) - k_f64(0x4338000000000000);
        let f: f64 = m - k_f64(0x3ff0000000000000);
        let s: f64 = f / (f + k_f64(0x4000000000000000));
        let z: f64 = s * s;
        let w: f64 = z * z;
        let u1: f64 = (k_f64(0x3fc39a09d078c69f) * w + k_f64(0x3fcc71c51d8e78af)) * w;
        let t1: f64 = (u1 + k_f64(0x3fd999999997fa04)) * w;
        let u2: f64 = (k_f64(0x3fc2f112df3e5244) * w + k_f64(0x3fc7466496cb03de)) * w;
        let v2: f64 = (u2 + k_f64(0x3fd2492494229359)) * w;
        let t2: f64 = (v2 + k_f64(0x3fe5555555555593)) * z;
        let q: f64 = k_f64(0x3fe0000000000000) * f * f;
        let small: f64 = s * (q + (t1 + t2)) + dk * k_f64(0x3dea39ef35793c76);
        let y: f64 = ((small - q) + f) + dk * k_f64(0x3fe62e42fee00000);
        let domain: f64 = k_pick(x < k_f64(0), k_f64(0x7ff8000000000000), y);
        let zero: f64 = k_pick(x == k_f64(0), k_f64(0xfff0000000000000), domain);
        return k_pick(x != x || x == k_f64(0x7ff0000000000000), x, zero);
    }

    /// k, where x = 2^k (1 + f) with 1 + f from √½ to √2, for positive x.
    fn k_log_power_f64(x: f64) -> f64 {
        let tiny: bool = x < k_f64(0x0010000000000000);
        let ix: u64 = bits_f64(k_pick(tiny, x * k_f64(0x4350000000000000), x)) + k_u64(0x95f6200000000);
        let k: u64 = (ix >> 52) - k_pick(tiny, k_u64(0x435), k_u64(0x3ff));
        return f64_of(k + bits_f64(k_f64(0x4338000000000000))) - k_f64(0x4338000000000000);
    }

    /// f of [`k_log_power_f64`].
    fn k_log_rest_f64(x: f64) -> f64 {
        let tiny: bool = x < k_f64(0x0010000000000000);
        let ix: u64 = bits_f64(k_pick(tiny, x * k_f64(0x4350000000000000), x)) + k_u64(0x95f6200000000);
        return f64_of((ix & k_u64(0xfffffffffffff)) + k_u64(0x3fe6a09e00000000)) - k_f64(0x3ff0000000000000);
    }

    /// ln(1 + f) − f + f² / 2.
    fn k_log_tail_f64(f: f64) -> f64 {
        let s: f64 = k_div_f64(f, f + k_f64(0x4000000000000000));
        let z: f64 = s * s;
        let w: f64 = z * z;
        let u1: f64 = (k_f64(0x3fc39a09d078c69f) * w + k_f64(0x3fcc71c51d8e78af)) * w;
        let t1: f64 = (u1 + k_f64(0x3fd999999997fa04)) * w;
        let u2: f64 = (k_f64(0x3fc2f112df3e5244) * w + k_f64(0x3fc7466496cb03de)) * w;
        let v2: f64 = (u2 + k_f64(0x3fd2492494229359)) * w;
        let t2: f64 = (v2 + k_f64(0x3fe5555555555593)) * z;
        return s * (k_f64(0x3fe0000000000000) * f * f + (t1 + t2));
    }

    /// The limits of a logarithm y of x.
    fn k_log_limits_f64(x: f64, y: f64) -> f64 {
        let domain: f64 = k_pick(x < k_f64(0), f64_of(k_u64(0x7ff8000000000000)), y);
        let zero: f64 = k_pick(x == k_f64(0), f64_of(k_u64(0xfff0000000000000)), domain);
        return k_pick(x != x || x == f64_of(k_u64(0x7ff0000000000000)), x, zero);
    }

    /// k (kh + kl) + ln(1 + f + c) (b + bl), for kh with few bits.
    fn k_log_base_f64(k: f64, kh: f64, kl: f64, f: f64, c: f64, b: f64, bl: f64) -> f64 {
        let ff: f64 = f * f;
        let q: f64 = k_f64(0x3fe0000000000000) * ff;
        let g: f64 = f - q;
        let gl: f64 = (((f - g) - q) - k_f64(0x3fe0000000000000) * k_product_rest_f64(f, f, ff)) + (k_log_tail_f64(f) + c);
        let h: f64 = g + gl;
        let l: f64 = (g - h) + gl;
        let p: f64 = h * b;
        let pl: f64 = k_product_rest_f64(h, b, p) + (h * bl + l * b);
        let high: f64 = k * kh;
        let y: f64 = high + p;
        return y + (k_sum_rest_f64(high, p, y) + (pl + k * kl));
    }

    /// `log2`.
    fn k_log2_f64(x: f64) -> f64 {
        let y: f64 = k_log_base_f64(k_log_power_f64(x), k_f64(0x3ff0000000000000), k_f64(0), k_log_rest_f64(x), k_f64(0), k_f64(0x3ff71547652b82fe), k_f64(0x3c7777d0ffda0d24));
        return k_log_limits_f64(x, y);
    }

    /// `log10`.
    fn k_log10_f64(x: f64) -> f64 {
        let y: f64 = k_log_base_f64(k_log_power_f64(x), k_f64(0x3fd34413509f6000), k_f64(0x3d59fef311f12b36), k_log_rest_f64(x), k_f64(0), k_f64(0x3fdbcb7b1526e50e), k_f64(0x3c695355baaafad3));
        return k_log_limits_f64(x, y);
    }

    /// `ln_1p`: what 1 + x loses is added to f; f is x itself where that is small.
    fn k_ln_1p_f64(x: f64) -> f64 {
        let u: f64 = k_f64(0x3ff0000000000000) + x;
        let k: f64 = k_log_power_f64(u);
        let m: f64 = k_log_rest_f64(u);
        let e: u64 = bits_f64(k + k_f64(0x4338000000000000)) - bits_f64(k_f64(0x4338000000000000));
        let lost: f64 = k_sum_rest_f64(k_f64(0x3ff0000000000000), x, u) * k_pick(k > k_f64(0x4059000000000000), k_f64(0), f64_of((k_u64(0x3ff) - e) << 52));
        let f: f64 = k_pick(k == k_f64(0), x, m);
        let c: f64 = k_pick(k == k_f64(0), k_f64(0), k_div_f64(lost, k_f64(0x3ff0000000000000) + m));
        let y: f64 = k_log_base_f64(k, k_f64(0x3fe62e42fee00000), k_f64(0x3dea39ef35793c76), f, c, k_f64(0x3ff0000000000000), k_f64(0));
        let tiny: bool = x < k_f64(0x3c80000000000000) && x > k_f64(0xbc80000000000000);
        return k_pick(tiny, x, k_log_limits_f64(u, k_pick(x != x, x, y)));
    }
}
