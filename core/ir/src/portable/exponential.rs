//! The exponential function and what follows from it.

use super::pair::*;
use super::words::*;
use super::{k_pick, portable};

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

    /// a / ln 2, rounded to an integer n by adding 1.5 · 2^23: the lower bits hold n.
    fn k_turn_f32(a: f32) -> f32 {
        return a * k_f32(0x3fb8aa3b) + k_f32(0x4b400000);
    }

    /// exp(r + l) − 1 − r, for |r| up to ln 2 / 2.
    fn k_exp_tail_f32(r: f32, l: f32) -> f32 {
        let z: f32 = r * r;
        let q1: f32 = ((k_f32(0x395170c7) * r + k_f32(0x3ab68815)) * r + k_f32(0x3c0887de)) * r + k_f32(0x3d2aaa8d);
        let q: f32 = q1 * r + k_f32(0x3e2aaaab);
        return z * k_f32(0x3f000000) + (z * r * q + (l + r * l));
    }

    /// a − n ln 2.
    fn k_exp_head_f32(a: f32, n: f32) -> f32 {
        return (a - n * k_f32(0x3f317200)) - n * k_f32(0x35bfbe8e);
    }

    /// What [`k_exp_head_f32`] lost.
    fn k_exp_rest_f32(a: f32, n: f32, r: f32) -> f32 {
        return ((a - n * k_f32(0x3f317200)) - r) - n * k_f32(0x35bfbe8e);
    }

    /// `exp2`: 2^n 2^f with |f| up to ½.
    fn k_exp2_f32(x: f32) -> f32 {
        let low: f32 = k_pick(x < k_f32(0xc3160000), k_f32(0xc3160000), x);
        let a: f32 = k_pick(low > k_f32(0x43010000), k_f32(0x43010000), low);
        let t: f32 = a + k_f32(0x4b400000);
        let f: f32 = a - (t - k_f32(0x4b400000));
        let r: f32 = f * k_f32(0x3f317218);
        let l: f32 = k_product_rest_f32(f, k_f32(0x3f317218), r) + f * k_f32(0xb102e308);
        let h: f32 = k_f32(0x3f800000) + r;
        let y: f32 = h + (k_exp_tail_f32(r, l) + ((k_f32(0x3f800000) - h) + r));
        let z: f32 = k_scale_f32(y, bits_f32(t) - bits_f32(k_f32(0x4b400000)));
        return k_pick(x != x, x, z);
    }

    /// `exp_m1`: 2^n (1 − 2^−n + (exp(r) − 1)).
    fn k_exp_m1_f32(x: f32) -> f32 {
        let low: f32 = k_pick(x < k_f32(0xc1900000), k_f32(0xc1900000), x);
        let a: f32 = k_pick(low > k_f32(0x42b30000), k_f32(0x42b30000), low);
        let t: f32 = k_turn_f32(a);
        let n: f32 = t - k_f32(0x4b400000);
        let e: u32 = bits_f32(t) - bits_f32(k_f32(0x4b400000));
        let r: f32 = k_exp_head_f32(a, n);
        let tail: f32 = k_exp_tail_f32(r, k_exp_rest_f32(a, n, r));
        let m: f32 = k_pick(n > k_f32(0x42c80000), k_f32(0), f32_of((k_u32(0x7f) - e) << 23));
        let c: f32 = k_f32(0x3f800000) - m;
        let y: f32 = c + r;
        let rest: f32 = k_sum_rest_f32(c, r, y) + (tail + ((k_f32(0x3f800000) - c) - m));
        let z: f32 = k_scale_f32(y + rest, e);
        let tiny: bool = x < k_f32(0x32800000) && x > k_f32(0xb2800000);
        return k_pick(x != x || tiny, x, z);
    }

    /// `tanh`: E / (E + 2) with E = exp(2 |x|) − 1, each in two parts.
    fn k_tanh_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let a: f32 = f32_of(bits_f32(x) ^ sign);
        let b: f32 = k_pick(a > k_f32(0x41200000), k_f32(0x41a00000), a + a);
        let t: f32 = k_turn_f32(b);
        let n: f32 = t - k_f32(0x4b400000);
        let s: f32 = f32_of((bits_f32(t) - bits_f32(k_f32(0x4b400000)) + k_u32(0x7f)) << 23);
        let r: f32 = k_exp_head_f32(b, n);
        let tail: f32 = k_exp_tail_f32(r, k_exp_rest_f32(b, n, r));
        let m: f32 = s - k_f32(0x3f800000);
        let g: f32 = m + s * r;
        let gl: f32 = k_sum_rest_f32(m, s * r, g) + s * tail;
        let e: f32 = g + gl;
        let el: f32 = (g - e) + gl;
        let d: f32 = e + k_f32(0x40000000);
        let dl: f32 = k_sum_rest_f32(e, k_f32(0x40000000), d) + el;
        let q: f32 = k_div_f32(e, d);
        let y: f32 = k_pick(a < k_f32(0x38800000), a, q + k_quotient_rest_f32(q, e, el, d, dl));
        return f32_of(bits_f32(y) | sign);
    }

    /// (exp(a) + sign · exp(−a)) / 2, for a from 0 on.
    fn k_exp_half_f32(a: f32, sign: f32) -> f32 {
        let b: f32 = k_pick(a > k_f32(0x42b40000), k_f32(0x42b40000), a);
        let t: f32 = k_turn_f32(b);
        let n: f32 = t - k_f32(0x4b400000);
        let e: u32 = bits_f32(t) - bits_f32(k_f32(0x4b400000)) - k_u32(0x1);
        let r: f32 = k_exp_head_f32(b, n);
        let tail: f32 = k_exp_tail_f32(r, k_exp_rest_f32(b, n, r));
        let c: f32 = k_f32(0x3f800000) + r;
        let low: f32 = tail + ((k_f32(0x3f800000) - c) + r);
        let h: f32 = c + low;
        let y: f32 = k_scale_f32(h, e);
        let l: f32 = k_scale_f32((c - h) + low, e);
        return y + (l + sign * k_div_f32(k_f32(0x3e800000), y));
    }

    /// `sinh`: an odd polynomial below 1, else by exponentials.
    fn k_sinh_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let a: f32 = f32_of(bits_f32(x) ^ sign);
        let z: f32 = a * a;
        let p: f32 = ((k_f32(0x36392654) * z + k_f32(0x39501ab4)) * z + k_f32(0x3c088863)) * z + k_f32(0x3e2aaaab);
        let y: f32 = k_pick(a < k_f32(0x3f800000), a + a * z * p, k_exp_half_f32(a, k_f32(0xbf800000)));
        return k_pick(x != x, x, f32_of(bits_f32(y) | sign));
    }

    /// `cosh`.
    fn k_cosh_f32(x: f32) -> f32 {
        let a: f32 = f32_of(bits_f32(x) & k_u32(0x7fffffff));
        return k_pick(x != x, x, k_exp_half_f32(a, k_f32(0x3f800000)));
    }

    /// `exp`: as that of `f32`, with a rational function for r.
    fn k_exp_f64(x: f64) -> f64 {
        let low: f64 = k_pick(x < k_f64(0xc087500000000000), k_f64(0xc087500000000000), x);
        let a: f64 = k_pick(low > k_f64(0x4086300000000000), k_f64(0x4086300000000000), low);
        let t: f64 = a * k_f64(0x3ff71547652b82fe) + k_f64(0x4338000000000000);
        let n: f64 = t - k_f64(0x4338000000000000);
        let high: f64 = a - n * k_f64(0x3fe62e42fee00000);
        let lost: f64 = n * k_f64(0x3dea39ef35793c76);
        let r: f64 = high - lost;
        let z: f64 = r * r;
        let p4: f64 = (k_f64(0x3e66376972bea4d0) * z + k_f64(0xbebbbd41c5d26bf1)) * z;
        let p3: f64 = (p4 + k_f64(0x3f11566aaf25de2c)) * z;
        let p2: f64 = (p3 + k_f64(0xbf66c16c16bebd93)) * z;
        let c: f64 = r - (p2 + k_f64(0x3fc555555555553e)) * z;
        let q: f64 = (r * c) / (k_f64(0x4000000000000000) - c);
        let p: f64 = ((q - lost) + high) + k_f64(0x3ff0000000000000);
        let e: u64 = bits_f64(t) - k_u64(0x4338000000000000);
        let h: u64 = ((e + k_u64(0x1000)) >> 1) - k_u64(0x800);
        let y: f64 = p * f64_of((h + k_u64(0x3ff)) << 52);
        let w: f64 = y * f64_of((e - h + k_u64(0x3ff)) << 52);
        return k_pick(x != x, x, w);
    }

    /// a / ln 2, rounded to an integer n by adding 1.5 · 2^52: the lower bits hold n.
    fn k_turn_f64(a: f64) -> f64 {
        return a * k_f64(0x3ff71547652b82fe) + k_f64(0x4338000000000000);
    }

    /// exp(r + l) − 1 − r, for |r| up to ln 2 / 2.
    fn k_exp_tail_f64(r: f64, l: f64) -> f64 {
        let z: f64 = r * r;
        let q1: f64 = ((k_f64(0x3e21f37bb642c7b5) * r + k_f64(0x3e5af3f4a2ce77f3)) * r + k_f64(0x3e927e4fb7c3ff76)) * r + k_f64(0x3ec71de0a2247d23);
        let q2: f64 = ((q1 * r + k_f64(0x3efa01a019b44934)) * r + k_f64(0x3f2a01a01a908491)) * r + k_f64(0x3f56c16c16c17b8f);
        let q: f64 = ((q2 * r + k_f64(0x3f81111111110705)) * r + k_f64(0x3fa5555555555554)) * r + k_f64(0x3fc5555555555556);
        return z * k_f64(0x3fe0000000000000) + (z * r * q + (l + r * l));
    }

    /// a − n ln 2.
    fn k_exp_head_f64(a: f64, n: f64) -> f64 {
        return (a - n * k_f64(0x3fe62e42fee00000)) - n * k_f64(0x3dea39ef35793c76);
    }

    /// What [`k_exp_head_f64`] lost.
    fn k_exp_rest_f64(a: f64, n: f64, r: f64) -> f64 {
        return ((a - n * k_f64(0x3fe62e42fee00000)) - r) - n * k_f64(0x3dea39ef35793c76);
    }

    /// `exp2`: 2^n 2^f with |f| up to ½.
    fn k_exp2_f64(x: f64) -> f64 {
        let low: f64 = k_pick(x < k_f64(0xc090d00000000000), k_f64(0xc090d00000000000), x);
        let a: f64 = k_pick(low > k_f64(0x4090040000000000), k_f64(0x4090040000000000), low);
        let t: f64 = a + k_f64(0x4338000000000000);
        let f: f64 = a - (t - k_f64(0x4338000000000000));
        let r: f64 = f * k_f64(0x3fe62e42fefa39ef);
        let l: f64 = k_product_rest_f64(f, k_f64(0x3fe62e42fefa39ef), r) + f * k_f64(0x3c7abc9e3b39803f);
        let h: f64 = k_f64(0x3ff0000000000000) + r;
        let y: f64 = h + (k_exp_tail_f64(r, l) + ((k_f64(0x3ff0000000000000) - h) + r));
        let z: f64 = k_scale_f64(y, bits_f64(t) - bits_f64(k_f64(0x4338000000000000)));
        return k_pick(x != x, x, z);
    }

    /// `exp_m1`: 2^n (1 − 2^−n + (exp(r) − 1)).
    fn k_exp_m1_f64(x: f64) -> f64 {
        let low: f64 = k_pick(x < k_f64(0xc043000000000000), k_f64(0xc043000000000000), x);
        let a: f64 = k_pick(low > k_f64(0x4086300000000000), k_f64(0x4086300000000000), low);
        let t: f64 = k_turn_f64(a);
        let n: f64 = t - k_f64(0x4338000000000000);
        let e: u64 = bits_f64(t) - bits_f64(k_f64(0x4338000000000000));
        let r: f64 = k_exp_head_f64(a, n);
        let tail: f64 = k_exp_tail_f64(r, k_exp_rest_f64(a, n, r));
        let m: f64 = k_pick(n > k_f64(0x4059000000000000), k_f64(0), f64_of((k_u64(0x3ff) - e) << 52));
        let c: f64 = k_f64(0x3ff0000000000000) - m;
        let y: f64 = c + r;
        let rest: f64 = k_sum_rest_f64(c, r, y) + (tail + ((k_f64(0x3ff0000000000000) - c) - m));
        let z: f64 = k_scale_f64(y + rest, e);
        let tiny: bool = x < k_f64(0x3c80000000000000) && x > k_f64(0xbc80000000000000);
        return k_pick(x != x || tiny, x, z);
    }

    /// `tanh`: E / (E + 2) with E = exp(2 |x|) − 1, each in two parts.
    fn k_tanh_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) ^ sign);
        let b: f64 = k_pick(a > k_f64(0x4034000000000000), k_f64(0x4044000000000000), a + a);
        let t: f64 = k_turn_f64(b);
        let n: f64 = t - k_f64(0x4338000000000000);
        let s: f64 = f64_of((bits_f64(t) - bits_f64(k_f64(0x4338000000000000)) + k_u64(0x3ff)) << 52);
        let r: f64 = k_exp_head_f64(b, n);
        let tail: f64 = k_exp_tail_f64(r, k_exp_rest_f64(b, n, r));
        let m: f64 = s - k_f64(0x3ff0000000000000);
        let g: f64 = m + s * r;
        let gl: f64 = k_sum_rest_f64(m, s * r, g) + s * tail;
        let e: f64 = g + gl;
        let el: f64 = (g - e) + gl;
        let d: f64 = e + k_f64(0x4000000000000000);
        let dl: f64 = k_sum_rest_f64(e, k_f64(0x4000000000000000), d) + el;
        let q: f64 = k_div_f64(e, d);
        let y: f64 = k_pick(a < k_f64(0x3e30000000000000), a, q + k_quotient_rest_f64(q, e, el, d, dl));
        return f64_of(bits_f64(y) | sign);
    }

    /// (exp(a) + sign · exp(−a)) / 2, for a from 0 on.
    fn k_exp_half_f64(a: f64, sign: f64) -> f64 {
        let b: f64 = k_pick(a > k_f64(0x4086400000000000), k_f64(0x4086400000000000), a);
        let t: f64 = k_turn_f64(b);
        let n: f64 = t - k_f64(0x4338000000000000);
        let e: u64 = bits_f64(t) - bits_f64(k_f64(0x4338000000000000)) - k_u64(0x1);
        let r: f64 = k_exp_head_f64(b, n);
        let tail: f64 = k_exp_tail_f64(r, k_exp_rest_f64(b, n, r));
        let c: f64 = k_f64(0x3ff0000000000000) + r;
        let low: f64 = tail + ((k_f64(0x3ff0000000000000) - c) + r);
        let h: f64 = c + low;
        let y: f64 = k_scale_f64(h, e);
        let l: f64 = k_scale_f64((c - h) + low, e);
        return y + (l + sign * k_div_f64(k_f64(0x3fd0000000000000), y));
    }

    /// `sinh`: an odd polynomial below 1, else by exponentials.
    fn k_sinh_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) ^ sign);
        let z: f64 = a * a;
        let p1: f64 = ((k_f64(0x3d6b2506a0a36c69) * z + k_f64(0x3de612265405a8ca)) * z + k_f64(0x3e5ae6452c90dc3d)) * z + k_f64(0x3ec71de3a5f0cb79);
        let p: f64 = ((p1 * z + k_f64(0x3f2a01a01a00b347)) * z + k_f64(0x3f8111111111119a)) * z + k_f64(0x3fc5555555555555);
        let y: f64 = k_pick(a < k_f64(0x3ff0000000000000), a + a * z * p, k_exp_half_f64(a, k_f64(0xbff0000000000000)));
        return k_pick(x != x, x, f64_of(bits_f64(y) | sign));
    }

    /// `cosh`.
    fn k_cosh_f64(x: f64) -> f64 {
        let a: f64 = f64_of(bits_f64(x) & k_u64(0x7fffffffffffffff));
        return k_pick(x != x, x, k_exp_half_f64(a, k_f64(0x3ff0000000000000)));
    }
}
