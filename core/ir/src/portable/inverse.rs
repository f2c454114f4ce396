//! Inverse hyperbolic functions: logarithms of what is computed in two parts.

use super::logarithm::*;
use super::pair::*;
use super::words::*;
use super::{k_pick, portable};

portable! {
    /// What remains of √w, where r is the rounded root and wl what w lost.
    fn k_root_rest_f32(w: f32, wl: f32, r: f32) -> f32 {
        let p: f32 = r * r;
        let rest: f32 = ((w - p) - k_product_rest_f32(r, r, p)) + wl;
        return k_pick(r == k_f32(0), k_f32(0), k_div_f32(rest, r + r));
    }

    /// ln(1 + t + tl) for t from 0 on, or ln(2a) where that is much.
    fn k_ln_1p_of_f32(t: f32, tl: f32, a: f32) -> f32 {
        let much: bool = a > k_f32(0x45800000);
        let u: f32 = k_f32(0x3f800000) + t;
        let x: f32 = k_pick(much, a, u);
        let p: f32 = k_log_power_f32(x);
        let k: f32 = k_pick(much, p + k_f32(0x3f800000), p);
        let m: f32 = k_log_rest_f32(x);
        let e: u32 = bits_f32(k + k_f32(0x4b400000)) - bits_f32(k_f32(0x4b400000));
        let scale: f32 = f32_of((k_u32(0x7f) - e) << 23);
        let lost: f32 = (k_sum_rest_f32(k_f32(0x3f800000), t, u) + tl) * scale;
        let near: bool = k == k_f32(0);
        let f: f32 = k_pick(near, t, m);
        let c: f32 = k_div_f32(k_pick(near, tl, lost), k_f32(0x3f800000) + m);
        let y: f32 = k_log_base_f32(k, k_f32(0x3f317200), k_f32(0x35bfbe8e), f, k_pick(much, k_f32(0), c), k_f32(0x3f800000), k_f32(0));
        return k_pick(a == f32_of(k_u32(0x7f800000)), a, y);
    }

    /// `asinh`: ln(1 + t) with t = a + a² / (1 + √(1 + a²)), in two parts.
    fn k_asinh_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let size: f32 = f32_of(bits_f32(x) ^ sign);
        let a: f32 = k_pick(size > k_f32(0x45800000), k_f32(0x45800000), size);
        let s: f32 = a * a;
        let sl: f32 = k_product_rest_f32(a, a, s);
        let w: f32 = k_f32(0x3f800000) + s;
        let r: f32 = k_sqrt_f32(w);
        let rl: f32 = k_root_rest_f32(w, k_sum_rest_f32(k_f32(0x3f800000), s, w) + sl, r);
        let d: f32 = k_f32(0x3f800000) + r;
        let dl: f32 = k_sum_rest_f32(k_f32(0x3f800000), r, d) + rl;
        let q: f32 = k_div_f32(s, d);
        let t: f32 = a + q;
        let tl: f32 = k_sum_rest_f32(a, q, t) + k_quotient_rest_f32(q, s, sl, d, dl);
        let y: f32 = k_pick(size < k_f32(0x38800000), size, k_ln_1p_of_f32(t, tl, size));
        return k_pick(x != x, x, f32_of(bits_f32(y) | sign));
    }

    /// `acosh`: ln(1 + t) with t = z + √(z² + 2z) and z = x − 1, in two parts.
    fn k_acosh_f32(x: f32) -> f32 {
        let a: f32 = k_pick(x > k_f32(0x45800000), k_f32(0x45800000), x);
        let z: f32 = a - k_f32(0x3f800000);
        let zl: f32 = k_sum_rest_f32(a, -k_f32(0x3f800000), z);
        let p: f32 = z * z;
        let s: f32 = p + (z + z);
        let sl: f32 = k_sum_rest_f32(p, z + z, s) + (k_product_rest_f32(z, z, p) + (zl + zl) * (z + k_f32(0x3f800000)));
        let r: f32 = k_sqrt_f32(s);
        let rl: f32 = k_root_rest_f32(s, sl, r);
        let t: f32 = z + r;
        let tl: f32 = k_sum_rest_f32(z, r, t) + (zl + rl);
        let y: f32 = k_ln_1p_of_f32(t, tl, x);
        return k_pick(x != x, x, k_pick(x < k_f32(0x3f800000), f32_of(k_u32(0x7fc00000)), y));
    }

    /// `atanh`: ln(1 + t) / 2 with t = 2a / (1 − a), in two parts.
    fn k_atanh_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let a: f32 = f32_of(bits_f32(x) ^ sign);
        let d: f32 = k_f32(0x3f800000) - a;
        let dl: f32 = k_sum_rest_f32(k_f32(0x3f800000), -a, d);
        let t: f32 = k_div_f32(a + a, d);
        let y: f32 = k_f32(0x3f000000) * k_ln_1p_of_f32(t, k_quotient_rest_f32(t, a + a, k_f32(0), d, dl), k_f32(0));
        let size: f32 = k_pick(a < k_f32(0x38800000), a, k_pick(a == k_f32(0x3f800000), f32_of(k_u32(0x7f800000)), y));
        let z: f32 = f32_of(bits_f32(size) | sign);
        return k_pick(x != x, x, k_pick(a > k_f32(0x3f800000), f32_of(k_u32(0x7fc00000)), z));
    }

    /// What remains of √w, where r is the rounded root and wl what w lost.
    fn k_root_rest_f64(w: f64, wl: f64, r: f64) -> f64 {
        let p: f64 = r * r;
        let rest: f64 = ((w - p) - k_product_rest_f64(r, r, p)) + wl;
        return k_pick(r == k_f64(0), k_f64(0), k_div_f64(rest, r + r));
    }

    /// ln(1 + t + tl) for t from 0 on, or ln(2a) where that is much.
    fn k_ln_1p_of_f64(t: f64, tl: f64, a: f64) -> f64 {
        let much: bool = a > k_f64(0x41b0000000000000);
        let u: f64 = k_f64(0x3ff0000000000000) + t;
        let x: f64 = k_pick(much, a, u);
        let p: f64 = k_log_power_f64(x);
        let k: f64 = k_pick(much, p + k_f64(0x3ff0000000000000), p);
        let m: f64 = k_log_rest_f64(x);
        let e: u64 = bits_f64(k + k_f64(0x4338000000000000)) - bits_f64(k_f64(0x4338000000000000));
        let scale: f64 = f64_of((k_u64(0x3ff) - e) << 52);
        let lost: f64 = (k_sum_rest_f64(k_f64(0x3ff0000000000000), t, u) + tl) * scale;
        let near: bool = k == k_f64(0);
        let f: f64 = k_pick(near, t, m);
        let c: f64 = k_div_f64(k_pick(near, tl, lost), k_f64(0x3ff0000000000000) + m);
        let y: f64 = k_log_base_f64(k, k_f64(0x3fe62e42fee00000), k_f64(0x3dea39ef35793c76), f, k_pick(much, k_f64(0), c), k_f64(0x3ff0000000000000), k_f64(0));
        return k_pick(a == f64_of(k_u64(0x7ff0000000000000)), a, y);
    }

    /// `asinh`: ln(1 + t) with t = a + a² / (1 + √(1 + a²)), in two parts.
    fn k_asinh_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let size: f64 = f64_of(bits_f64(x) ^ sign);
        let a: f64 = k_pick(size > k_f64(0x41b0000000000000), k_f64(0x41b0000000000000), size);
        let s: f64 = a * a;
        let sl: f64 = k_product_rest_f64(a, a, s);
        let w: f64 = k_f64(0x3ff0000000000000) + s;
        let r: f64 = k_sqrt_f64(w);
        let rl: f64 = k_root_rest_f64(w, k_sum_rest_f64(k_f64(0x3ff0000000000000), s, w) + sl, r);
        let d: f64 = k_f64(0x3ff0000000000000) + r;
        let dl: f64 = k_sum_rest_f64(k_f64(0x3ff0000000000000), r, d) + rl;
        let q: f64 = k_div_f64(s, d);
        let t: f64 = a + q;
        let tl: f64 = k_sum_rest_f64(a, q, t) + k_quotient_rest_f64(q, s, sl, d, dl);
        let y: f64 = k_pick(size < k_f64(0x3e10000000000000), size, k_ln_1p_of_f64(t, tl, size));
        return k_pick(x != x, x, f64_of(bits_f64(y) | sign));
    }

    /// `acosh`: ln(1 + t) with t = z + √(z² + 2z) and z = x − 1, in two parts.
    fn k_acosh_f64(x: f64) -> f64 {
        let a: f64 = k_pick(x > k_f64(0x41b0000000000000), k_f64(0x41b0000000000000), x);
        let z: f64 = a - k_f64(0x3ff0000000000000);
        let zl: f64 = k_sum_rest_f64(a, -k_f64(0x3ff0000000000000), z);
        let p: f64 = z * z;
        let s: f64 = p + (z + z);
        let sl: f64 = k_sum_rest_f64(p, z + z, s) + (k_product_rest_f64(z, z, p) + (zl + zl) * (z + k_f64(0x3ff0000000000000)));
        let r: f64 = k_sqrt_f64(s);
        let rl: f64 = k_root_rest_f64(s, sl, r);
        let t: f64 = z + r;
        let tl: f64 = k_sum_rest_f64(z, r, t) + (zl + rl);
        let y: f64 = k_ln_1p_of_f64(t, tl, x);
        return k_pick(x != x, x, k_pick(x < k_f64(0x3ff0000000000000), f64_of(k_u64(0x7ff8000000000000)), y));
    }

    /// `atanh`: ln(1 + t) / 2 with t = 2a / (1 − a), in two parts.
    fn k_atanh_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) ^ sign);
        let d: f64 = k_f64(0x3ff0000000000000) - a;
        let dl: f64 = k_sum_rest_f64(k_f64(0x3ff0000000000000), -a, d);
        let t: f64 = k_div_f64(a + a, d);
        let y: f64 = k_f64(0x3fe0000000000000) * k_ln_1p_of_f64(t, k_quotient_rest_f64(t, a + a, k_f64(0), d, dl), k_f64(0));
        let size: f64 = k_pick(a < k_f64(0x3e10000000000000), a, k_pick(a == k_f64(0x3ff0000000000000), f64_of(k_u64(0x7ff0000000000000)), y));
        let z: f64 = f64_of(bits_f64(size) | sign);
        return k_pick(x != x, x, k_pick(a > k_f64(0x3ff0000000000000), f64_of(k_u64(0x7ff8000000000000)), z));
    }
}
