//! Powers and roots.

use super::exponential::*;
use super::logarithm::*;
use super::pair::*;
use super::rounding::*;
use super::words::*;
use super::{k_pick, portable};

portable! {
    /// `powf` for positive, finite x: 2^(y log2 x), with log2 x to twice the precision.
    fn k_power_f32(x: f32, exponent: f32) -> f32 {
        let big: f32 = k_f32(0x50800000);
        let less: f32 = k_pick(exponent < -big, -big, exponent);
        let y: f32 = k_pick(less > big, big, less);
        let k: f32 = k_log_power_f32(x);
        let f: f32 = k_log_rest_f32(x);
        let d: f32 = f + k_f32(0x40000000);
        let s: f32 = k_div_f32(f, d);
        let sl: f32 = k_quotient_rest_f32(s, f, k_f32(0), d, (k_f32(0x40000000) - d) + f);
        let z: f32 = s * s;
        let zl: f32 = k_product_rest_f32(s, s, z) + k_f32(0x40000000) * s * sl;
        let w: f32 = z * k_f32(0x3eaaaaab);
        let q: f32 = (k_f32(0x3dec189e) * z + k_f32(0x3e123cdd)) * z + k_f32(0x3e4cccd2);
        let wl: f32 = (k_product_rest_f32(z, k_f32(0x3eaaaaab), w) + (z * k_f32(0xb22aaaab) + zl * k_f32(0x3eaaaaab))) + z * z * q;
        let g: f32 = s * w;
        let gl: f32 = k_product_rest_f32(s, w, g) + (s * wl + sl * w);
        let h: f32 = s + g;
        let hl: f32 = ((s - h) + g) + (gl + sl);
        let p: f32 = h * k_f32(0x4038aa3b);
        let pl: f32 = k_product_rest_f32(h, k_f32(0x4038aa3b), p) + (h * k_f32(0x33257060) + hl * k_f32(0x4038aa3b));
        let v: f32 = k + p;
        let vl: f32 = k_sum_rest_f32(k, p, v) + pl;
        let b: f32 = v + vl;
        let bl: f32 = (v - b) + vl;
        let m: f32 = y * b;
        let ml: f32 = k_product_rest_f32(y, b, m) + y * bl;
        let low: bool = m < k_f32(0xc3200000);
        let high: bool = m > k_f32(0x430c0000);
        let a: f32 = k_pick(low, k_f32(0xc3200000), k_pick(high, k_f32(0x430c0000), m));
        let al: f32 = k_pick(low || high, k_f32(0), ml);
        let t: f32 = a + k_f32(0x4b400000);
        let n: f32 = (a - (t - k_f32(0x4b400000))) + al;
        let nl: f32 = ((a - (t - k_f32(0x4b400000))) - n) + al;
        let r: f32 = n * k_f32(0x3f317218);
        let l: f32 = k_product_rest_f32(n, k_f32(0x3f317218), r) + (n * k_f32(0xb102e308) + nl * k_f32(0x3f317218));
        let c: f32 = k_f32(0x3f800000) + r;
        let u: f32 = c + (k_exp_tail_f32(r, l) + ((k_f32(0x3f800000) - c) + r));
        return k_scale_f32(u, bits_f32(t) - bits_f32(k_f32(0x4b400000)));
    }

    /// `powf`, with the limits of IEEE 754.
    fn k_powf_f32(x: f32, y: f32) -> f32 {
        let inf: f32 = f32_of(k_u32(0x7f800000));
        let a: f32 = f32_of(bits_f32(x) & k_u32(0x7fffffff));
        let b: f32 = f32_of(bits_f32(y) & k_u32(0x7fffffff));
        let split: f32 = y * k_f32(0x3f000000);
        let whole: bool = k_trunc_f32(y) == y;
        let odd: bool = whole && k_trunc_f32(split) != split && b < k_f32(0x4b800000);
        let edge: f32 = k_pick((a == k_f32(0)) == (y > k_f32(0)), k_f32(0), inf);
        let size: f32 = k_pick(a == k_f32(0) || a == inf, edge, k_power_f32(a, y));
        let domain: f32 = k_pick(x < k_f32(0) && !whole && a < inf, f32_of(k_u32(0x7fc00000)), size);
        let sign: u32 = k_pick(odd, bits_f32(x) & k_u32(0x80000000), k_u32(0x0));
        let z: f32 = f32_of(bits_f32(domain) | sign);
        let nan: f32 = k_pick(x != x || y != y, f32_of(k_u32(0x7fc00000)), z);
        return k_pick(x == k_f32(0x3f800000) || y == k_f32(0), k_f32(0x3f800000), nan);
    }

    /// `cbrt`: a third of the exponent, two or three steps of Halley, and one of Newton with the
    /// residual in two parts.
    fn k_cbrt_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let size: f32 = f32_of(bits_f32(x) ^ sign);
        let tiny: bool = size < k_f32(0x0d800000);
        let huge: bool = size > k_f32(0x71800000);
        let a: f32 = size * k_pick(tiny, k_f32(0x5d800000), k_pick(huge, k_f32(0x21800000), k_f32(0x3f800000)));
        let y0: f32 = f32_of(bits_f32(a) / k_u32(0x3) + k_u32(0x2a5119f2));
        let c0: f32 = y0 * y0 * y0;
        let y1: f32 = y0 * k_div_f32(c0 + (a + a), (c0 + c0) + a);
        let c1: f32 = y1 * y1 * y1;
        let y2: f32 = y1 * k_div_f32(c1 + (a + a), (c1 + c1) + a);
        let y: f32 = y2;
        let s: f32 = y * y;
        let c: f32 = s * y;
        let cl: f32 = k_product_rest_f32(s, y, c) + k_product_rest_f32(y, y, s) * y;
        let z: f32 = y + k_div_f32((a - c) - cl, k_f32(0x40400000) * s);
        let scaled: f32 = z * k_pick(tiny, k_f32(0x35800000), k_pick(huge, k_f32(0x49800000), k_f32(0x3f800000)));
        let limit: bool = x == k_f32(0) || x != x || size == f32_of(k_u32(0x7f800000));
        return k_pick(limit, x, f32_of(bits_f32(scaled) | sign));
    }

    /// `hypot`: the root of the sum of both squares, and a step of Newton with its residual.
    fn k_hypot_f32(x: f32, y: f32) -> f32 {
        let inf: f32 = f32_of(k_u32(0x7f800000));
        let ax: f32 = f32_of(bits_f32(x) & k_u32(0x7fffffff));
        let ay: f32 = f32_of(bits_f32(y) & k_u32(0x7fffffff));
        let most: f32 = k_pick(ax > ay, ax, ay);
        let least: f32 = k_pick(ax > ay, ay, ax);
        let tiny: bool = most < k_f32(0x2b800000);
        let huge: bool = most > k_f32(0x53800000);
        let scale: f32 = k_pick(tiny, k_f32(0x6c800000), k_pick(huge, k_f32(0x12800000), k_f32(0x3f800000)));
        let back: f32 = k_pick(tiny, k_f32(0x12800000), k_pick(huge, k_f32(0x6c800000), k_f32(0x3f800000)));
        let a: f32 = most * scale;
        let b: f32 = least * scale;
        let aa: f32 = a * a;
        let bb: f32 = b * b;
        let sum: f32 = aa + bb;
        let sl: f32 = ((aa - sum) + bb) + (k_product_rest_f32(a, a, aa) + k_product_rest_f32(b, b, bb));
        let h: f32 = k_sqrt_f32(sum);
        let hh: f32 = h * h;
        let rest: f32 = ((sum - hh) - k_product_rest_f32(h, h, hh)) + sl;
        let root: f32 = k_pick(sum == k_f32(0), k_f32(0), (h + k_div_f32(rest, h + h)) * back);
        return k_pick(ax == inf || ay == inf, inf, k_pick(x != x || y != y, x + y, root));
    }

    /// `rsqrt`: 1 / √x, each correctly rounded.
    fn k_rsqrt_f32(x: f32) -> f32 {
        return k_div_f32(k_f32(0x3f800000), k_sqrt_f32(x));
    }

    /// `powf` for positive, finite x: 2^(y log2 x), with log2 x to twice the precision.
    fn k_power_f64(x: f64, exponent: f64) -> f64 {
        let big: f64 = k_f64(0x4410000000000000);
        let less: f64 = k_pick(exponent < -big, -big, exponent);
        let y: f64 = k_pick(less > big, big, less);
        let k: f64 = k_log_power_f64(x);
        let f: f64 = k_log_rest_f64(x);
        let d: f64 = f + k_f64(0x4000000000000000);
        let s: f64 = k_div_f64(f, d);
        let sl: f64 = k_quotient_rest_f64(s, f, k_f64(0), d, (k_f64(0x4000000000000000) - d) + f);
        let z: f64 = s * s;
        let zl: f64 = k_product_rest_f64(s, s, z) + k_f64(0x4000000000000000) * s * sl;
        let w: f64 = z * k_f64(0x3fd5555555555555);
        let q1: f64 = ((k_f64(0x3fadb5d9c5e16f50) * z + k_f64(0x3fae00823cef305a)) * z + k_f64(0x3fb1115a1c6ff8eb)) * z + k_f64(0x3fb3b13a85d05024);
        let q2: f64 = ((q1 * z + k_f64(0x3fb745d174024d63)) * z + k_f64(0x3fbc71c71c7491ee)) * z + k_f64(0x3fc2492492492307);
        let q: f64 = q2 * z + k_f64(0x3fc999999999999a);
        let wl: f64 = (k_product_rest_f64(z, k_f64(0x3fd5555555555555), w) + (z * k_f64(0x3c75555555555555) + zl * k_f64(0x3fd5555555555555))) + z * z * q;
        let g: f64 = s * w;
        let gl: f64 = k_product_rest_f64(s, w, g) + (s * wl + sl * w);
        let h: f64 = s + g;
        let hl: f64 = ((s - h) + g) + (gl + sl);
        let p: f64 = h * k_f64(0x40071547652b82fe);
        let pl: f64 = k_product_rest_f64(h, k_f64(0x40071547652b82fe), p) + (h * k_f64(0x3c8777d0ffda0d24) + hl * k_f64(0x40071547652b82fe));
        let v: f64 = k + p;
        let vl: f64 = k_sum_rest_f64(k, p, v) + pl;
        let b: f64 = v + vl;
        let bl: f64 = (v - b) + vl;
        let m: f64 = y * b;
        let ml: f64 = k_product_rest_f64(y, b, m) + y * bl;
        let low: bool = m < k_f64(0xc091300000000000);
        let high: bool = m > k_f64(0x4090400000000000);
        let a: f64 = k_pick(low, k_f64(0xc091300000000000), k_pick(high, k_f64(0x4090400000000000), m));
        let al: f64 = k_pick(low || high, k_f64(0), ml);
        let t: f64 = a + k_f64(0x4338000000000000);
        let n: f64 = (a - (t - k_f64(0x4338000000000000))) + al;
        let nl: f64 = ((a - (t - k_f64(0x4338000000000000))) - n) + al;
        let r: f64 = n * k_f64(0x3fe62e42fefa39ef);
        let l: f64 = k_product_rest_f64(n, k_f64(0x3fe62e42fefa39ef), r) + (n * k_f64(0x3c7abc9e3b39803f) + nl * k_f64(0x3fe62e42fefa39ef));
        let c: f64 = k_f64(0x3ff0000000000000) + r;
        let u: f64 = c + (k_exp_tail_f64(r, l) + ((k_f64(0x3ff0000000000000) - c) + r));
        return k_scale_f64(u, bits_f64(t) - bits_f64(k_f64(0x4338000000000000)));
    }

    /// `powf`, with the limits of IEEE 754.
    fn k_powf_f64(x: f64, y: f64) -> f64 {
        let inf: f64 = f64_of(k_u64(0x7ff0000000000000));
        let a: f64 = f64_of(bits_f64(x) & k_u64(0x7fffffffffffffff));
        let b: f64 = f64_of(bits_f64(y) & k_u64(0x7fffffffffffffff));
        let split: f64 = y * k_f64(0x3fe0000000000000);
        let whole: bool = k_trunc_f64(y) == y;
        let odd: bool = whole && k_trunc_f64(split) != split && b < k_f64(0x4340000000000000);
        let edge: f64 = k_pick((a == k_f64(0)) == (y > k_f64(0)), k_f64(0), inf);
        let size: f64 = k_pick(a == k_f64(0) || a == inf, edge, k_power_f64(a, y));
        let domain: f64 = k_pick(x < k_f64(0) && !whole && a < inf, f64_of(k_u64(0x7ff8000000000000)), size);
        let sign: u64 = k_pick(odd, bits_f64(x) & k_u64(0x8000000000000000), k_u64(0x0));
        let z: f64 = f64_of(bits_f64(domain) | sign);
        let nan: f64 = k_pick(x != x || y != y, f64_of(k_u64(0x7ff8000000000000)), z);
        return k_pick(x == k_f64(0x3ff0000000000000) || y == k_f64(0), k_f64(0x3ff0000000000000), nan);
    }

    /// `cbrt`: a third of the exponent, two or three steps of Halley, and one of Newton with the
    /// residual in two parts.
    fn k_cbrt_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let size: f64 = f64_of(bits_f64(x) ^ sign);
        let tiny: bool = size < k_f64(0x07b0000000000000);
        let huge: bool = size > k_f64(0x7830000000000000);
        let a: f64 = size * k_pick(tiny, k_f64(0x4ef0000000000000), k_pick(huge, k_f64(0x30f0000000000000), k_f64(0x3ff0000000000000)));
        let y0: f64 = f64_of(bits_f64(a) / k_u64(0x3) + k_u64(0x2a9f789300000000));
        let c0: f64 = y0 * y0 * y0;
        let y1: f64 = y0 * k_div_f64(c0 + (a + a), (c0 + c0) + a);
        let c1: f64 = y1 * y1 * y1;
        let y2: f64 = y1 * k_div_f64(c1 + (a + a), (c1 + c1) + a);
        let c2: f64 = y2 * y2 * y2;
        let y: f64 = y2 * k_div_f64(c2 + (a + a), (c2 + c2) + a);
        let s: f64 = y * y;
        let c: f64 = s * y;
        let cl: f64 = k_product_rest_f64(s, y, c) + k_product_rest_f64(y, y, s) * y;
        let z: f64 = y + k_div_f64((a - c) - cl, k_f64(0x4008000000000000) * s);
        let scaled: f64 = z * k_pick(tiny, k_f64(0x3af0000000000000), k_pick(huge, k_f64(0x44f0000000000000), k_f64(0x3ff0000000000000)));
        let limit: bool = x == k_f64(0) || x != x || size == f64_of(k_u64(0x7ff0000000000000));
        return k_pick(limit, x, f64_of(bits_f64(scaled) | sign));
    }

    /// `hypot`: the root of the sum of both squares, and a step of Newton with its residual.
    fn k_hypot_f64(x: f64, y: f64) -> f64 {
        let inf: f64 = f64_of(k_u64(0x7ff0000000000000));
        let ax: f64 = f64_of(bits_f64(x) & k_u64(0x7fffffffffffffff));
        let ay: f64 = f64_of(bits_f64(y) & k_u64(0x7fffffffffffffff));
        let most: f64 = k_pick(ax > ay, ax, ay);
        let least: f64 = k_pick(ax > ay, ay, ax);
        let tiny: bool = most < k_f64(0x26f0000000000000);
        let huge: bool = most > k_f64(0x58f0000000000000);
        let scale: f64 = k_pick(tiny, k_f64(0x6bb0000000000000), k_pick(huge, k_f64(0x1430000000000000), k_f64(0x3ff0000000000000)));
        let back: f64 = k_pick(tiny, k_f64(0x1430000000000000), k_pick(huge, k_f64(0x6bb0000000000000), k_f64(0x3ff0000000000000)));
        let a: f64 = most * scale;
        let b: f64 = least * scale;
        let aa: f64 = a * a;
        let bb: f64 = b * b;
        let sum: f64 = aa + bb;
        let sl: f64 = ((aa - sum) + bb) + (k_product_rest_f64(a, a, aa) + k_product_rest_f64(b, b, bb));
        let h: f64 = k_sqrt_f64(sum);
        let hh: f64 = h * h;
        let rest: f64 = ((sum - hh) - k_product_rest_f64(h, h, hh)) + sl;
        let root: f64 = k_pick(sum == k_f64(0), k_f64(0), (h + k_div_f64(rest, h + h)) * back);
        return k_pick(ax == inf || ay == inf, inf, k_pick(x != x || y != y, x + y, root));
    }

    /// `rsqrt`: 1 / √x, each correctly rounded.
    fn k_rsqrt_f64(x: f64) -> f64 {
        return k_div_f64(k_f64(0x3ff0000000000000), k_sqrt_f64(x));
    }
}
