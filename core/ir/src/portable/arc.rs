//! Inverse trigonometric functions.

use super::pair::*;
use super::words::*;
use super::{k_pick, portable};

portable! {
    /// atan(u + ul) − u, for |u| up to ½.
    fn k_atan_tail_f32(u: f32, ul: f32) -> f32 {
        let z: f32 = u * u;
        let p1: f32 = ((k_f32(0x3d32167a) * z + k_f32(0xbdaa67d7)) * z + k_f32(0x3de1dd00)) * z + k_f32(0xbe123ff4);
        let p: f32 = (p1 * z + k_f32(0x3e4cccc3)) * z + k_f32(0xbeaaaaab);
        return u * z * p + (ul - ul * z);
    }

    /// `atan2(y, x)`: the arc tangent of the smaller over the larger size, itself reduced by π/4, and
    /// what the octant adds.
    fn k_atan2_f32(y: f32, x: f32) -> f32 {
        let inf: f32 = f32_of(k_u32(0x7f800000));
        let sign: u32 = bits_f32(y) & k_u32(0x80000000);
        let left: bool = (bits_f32(x) >> 31) != k_u32(0x0);
        let ay: f32 = f32_of(bits_f32(y) ^ sign);
        let ax: f32 = f32_of(bits_f32(x) & k_u32(0x7fffffff));
        let steep: bool = ay > ax;
        let most: f32 = k_pick(steep, ay, ax);
        let least: f32 = k_pick(steep, ax, ay);
        let scale: f32 = k_pick(most < k_f32(0x21800000), k_f32(0x6c800000), k_pick(most > k_f32(0x71800000), k_f32(0x26800000), k_f32(0x3f800000)));
        let n: f32 = least * scale;
        let d: f32 = most * scale;
        let q0: f32 = k_div_f32(n, d);
        let l0: f32 = k_pick(n < k_f32(0x17800000), k_f32(0), k_quotient_rest_f32(q0, n, k_f32(0), d, k_f32(0)));
        let limit: bool = most == inf || most == k_f32(0);
        let q: f32 = k_pick(limit, k_pick(least == inf, k_f32(0x3f800000), k_f32(0)), q0);
        let l: f32 = k_pick(limit, k_f32(0), l0);
        let far: bool = q > k_f32(0x3f000000);
        let m: f32 = q + k_f32(0x3f800000);
        let v: f32 = k_div_f32(q - k_f32(0x3f800000), m);
        let vl: f32 = k_quotient_rest_f32(v, q - k_f32(0x3f800000), l, m, ((k_f32(0x3f800000) - m) + q) + l);
        let u: f32 = k_pick(far, v, q);
        let tail: f32 = k_atan_tail_f32(u, k_pick(far, vl, l)) + k_pick(far, k_f32(0xb2bbbd2e), k_f32(0));
        let base: f32 = k_pick(far, k_f32(0x3f490fdb), k_f32(0));
        let h: f32 = base + u;
        let hl: f32 = ((base - h) + u) + tail;
        let a: f32 = h + hl;
        let al: f32 = (h - a) + hl;
        let b: f32 = k_pick(steep, k_f32(0x3fc90fdb) - a, a);
        let bl: f32 = k_pick(steep, ((k_f32(0x3fc90fdb) - b) - a) + (k_f32(0xb33bbd2e) - al), al);
        let c: f32 = k_pick(left, k_f32(0x40490fdb) - b, b);
        let cl: f32 = k_pick(left, ((k_f32(0x40490fdb) - c) - b) + (k_f32(0xb3bbbd2e) - bl), bl);
        let z: f32 = f32_of(bits_f32(c + cl) | sign);
        return k_pick(x != x || y != y, f32_of(k_u32(0x7fc00000)), z);
    }

    /// `atan`.
    fn k_atan_f32(x: f32) -> f32 {
        return k_atan2_f32(x, k_f32(0x3f800000));
    }

    /// s of asin(a) = s + s³ p(s²) or π/2 − 2 (s + s³ p(s²)), below and above ½.
    fn k_asin_root_f32(a: f32) -> f32 {
        return k_pick(a > k_f32(0x3f000000), k_sqrt_f32((k_f32(0x3f800000) - a) * k_f32(0x3f000000)), a);
    }

    /// s³ p(s²) of [`k_asin_root_f32`], and what s lost.
    fn k_asin_tail_f32(a: f32, s: f32) -> f32 {
        let far: bool = a > k_f32(0x3f000000);
        let z: f32 = k_pick(far, (k_f32(0x3f800000) - a) * k_f32(0x3f000000), a * a);
        let p1: f32 = ((k_f32(0x3d0cc1b2) * z + k_f32(0x3c88ba62)) * z + k_f32(0x3cffb4e2)) * z + k_f32(0x3d36a0ff);
        let p: f32 = (p1 * z + k_f32(0x3d999a61)) * z + k_f32(0x3e2aaaaa);
        let ss: f32 = s * s;
        let lost: f32 = k_div_f32((z - ss) - k_product_rest_f32(s, s, ss), s + s);
        return s * z * p + k_pick(far && s > k_f32(0), lost, k_f32(0));
    }

    /// `asin`.
    fn k_asin_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let a: f32 = f32_of(bits_f32(x) ^ sign);
        let s: f32 = k_asin_root_f32(a);
        let tail: f32 = k_asin_tail_f32(a, s);
        let h: f32 = k_f32(0x3fc90fdb) - (s + s);
        let far: f32 = h + (((k_f32(0x3fc90fdb) - h) - (s + s)) + (k_f32(0xb33bbd2e) - (tail + tail)));
        let y: f32 = k_pick(a > k_f32(0x3f000000), far, s + tail);
        return f32_of(bits_f32(y) | sign);
    }

    /// `acos`.
    fn k_acos_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let a: f32 = f32_of(bits_f32(x) ^ sign);
        let s: f32 = k_asin_root_f32(a);
        let tail: f32 = k_asin_tail_f32(a, s);
        let h: f32 = k_f32(0x3fc90fdb) - x;
        let near: f32 = h + (((k_f32(0x3fc90fdb) - h) - x) + (k_f32(0xb33bbd2e) - f32_of(bits_f32(tail) ^ sign)));
        let b: f32 = k_f32(0x40490fdb) - (s + s);
        let back: f32 = b + (((k_f32(0x40490fdb) - b) - (s + s)) + (k_f32(0xb3bbbd2e) - (tail + tail)));
        let far: f32 = k_pick(sign != k_u32(0x0), back, (s + s) + (tail + tail));
        return k_pick(a > k_f32(0x3f000000), far, near);
    }

    /// atan(u + ul) − u, for |u| up to ½.
    fn k_atan_tail_f64(u: f64, ul: f64) -> f64 {
        let z: f64 = u * u;
        let p1: f64 = ((k_f64(0x3f73a9ffac978f5a) * z + k_f64(0xbf9140e5dfc69e3f)) * z + k_f64(0x3f9f140b4f0e1ff0)) * z + k_f64(0xbfa4991c4b4046b8);
        let p2: f64 = ((p1 * z + k_f64(0x3fa7fb7bc0b2b248)) * z + k_f64(0xbfaae0f882f8551f)) * z + k_f64(0x3fae1bf3714d9a04);
        let p3: f64 = ((p2 * z + k_f64(0xbfb110f8c284ec0d)) * z + k_f64(0x3fb3b13998cc6f02)) * z + k_f64(0xbfb745d164ed56d0);
        let p4: f64 = ((p3 * z + k_f64(0x3fbc71c71c0c7c9d)) * z + k_f64(0xbfc249249248680a)) * z + k_f64(0x3fc9999999999851);
        let p: f64 = p4 * z + k_f64(0xbfd5555555555555);
        return u * z * p + (ul - ul * z);
    }

    /// `atan2(y, x)`: the arc tangent of the smaller over the larger size, itself reduced by π/4, and
    /// what the octant adds.
    fn k_atan2_f64(y: f64, x: f64) -> f64 {
        let inf: f64 = f64_of(k_u64(0x7ff0000000000000));
        let sign: u64 = bits_f64(y) & k_u64(0x8000000000000000);
        let left: bool = (bits_f64(x) >> 63) != k_u64(0x0);
        let ay: f64 = f64_of(bits_f64(y) ^ sign);
        let ax: f64 = f64_of(bits_f64(x) & k_u64(0x7fffffffffffffff));
        let steep: bool = ay > ax;
        let most: f64 = k_pick(steep, ay, ax);
        let least: f64 = k_pick(steep, ax, ay);
        let scale: f64 = k_pick(most < k_f64(0x1a70000000000000), k_f64(0x6bb0000000000000), k_pick(most > k_f64(0x71f0000000000000), k_f64(0x2d30000000000000), k_f64(0x3ff0000000000000)));
        let n: f64 = least * scale;
        let d: f64 = most * scale;
        let q0: f64 = k_div_f64(n, d);
        let l0: f64 = k_pick(n < k_f64(0x1430000000000000), k_f64(0), k_quotient_rest_f64(q0, n, k_f64(0), d, k_f64(0)));
        let limit: bool = most == inf || most == k_f64(0);
        let q: f64 = k_pick(limit, k_pick(least == inf, k_f64(0x3ff0000000000000), k_f64(0)), q0);
        let l: f64 = k_pick(limit, k_f64(0), l0);
        let far: bool = q > k_f64(0x3fe0000000000000);
        let m: f64 = q + k_f64(0x3ff0000000000000);
        let v: f64 = k_div_f64(q - k_f64(0x3ff0000000000000), m);
        let vl: f64 = k_quotient_rest_f64(v, q - k_f64(0x3ff0000000000000), l, m, ((k_f64(0x3ff0000000000000) - m) + q) + l);
        let u: f64 = k_pick(far, v, q);
        let tail: f64 = k_atan_tail_f64(u, k_pick(far, vl, l)) + k_pick(far, k_f64(0x3c81a62633145c07), k_f64(0));
        let base: f64 = k_pick(far, k_f64(0x3fe921fb54442d18), k_f64(0));
        let h: f64 = base + u;
        let hl: f64 = ((base - h) + u) + tail;
        let a: f64 = h + hl;
        let al: f64 = (h - a) + hl;
        let b: f64 = k_pick(steep, k_f64(0x3ff921fb54442d18) - a, a);
        let bl: f64 = k_pick(steep, ((k_f64(0x3ff921fb54442d18) - b) - a) + (k_f64(0x3c91a62633145c07) - al), al);
        let c: f64 = k_pick(left, k_f64(0x400921fb54442d18) - b, b);
        let cl: f64 = k_pick(left, ((k_f64(0x400921fb54442d18) - c) - b) + (k_f64(0x3ca1a62633145c07) - bl), bl);
        let z: f64 = f64_of(bits_f64(c + cl) | sign);
        return k_pick(x != x || y != y, f64_of(k_u64(0x7ff8000000000000)), z);
    }

    /// `atan`.
    fn k_atan_f64(x: f64) -> f64 {
        return k_atan2_f64(x, k_f64(0x3ff0000000000000));
    }

    /// s of asin(a) = s + s³ p(s²) or π/2 − 2 (s + s³ p(s²)), below and above ½.
    fn k_asin_root_f64(a: f64) -> f64 {
        return k_pick(a > k_f64(0x3fe0000000000000), k_sqrt_f64((k_f64(0x3ff0000000000000) - a) * k_f64(0x3fe0000000000000)), a);
    }

    /// s³ p(s²) of [`k_asin_root_f64`], and what s lost.
    fn k_asin_tail_f64(a: f64, s: f64) -> f64 {
        let far: bool = a > k_f64(0x3fe0000000000000);
        let z: f64 = k_pick(far, (k_f64(0x3ff0000000000000) - a) * k_f64(0x3fe0000000000000), a * a);
        let p1: f64 = ((k_f64(0x3f9d9382c2a35057) * z + k_f64(0xbf8ece2087352db9)) * z + k_f64(0x3f91f2a8ff12d9d1)) * z + k_f64(0x3f76279f27be53a5);
        let p2: f64 = ((p1 * z + k_f64(0x3f852a655b9faacb)) * z + k_f64(0x3f87815df1b4a9e4)) * z + k_f64(0x3f8c9d0da470b765);
        let p3: f64 = ((p2 * z + k_f64(0x3f91c4d24729c7ca)) * z + k_f64(0x3f96e8bb29fa8302)) * z + k_f64(0x3f9f1c71c173e6ad);
        let p: f64 = ((p3 * z + k_f64(0x3fa6db6db6e3fb8b)) * z + k_f64(0x3fb3333333332df0)) * z + k_f64(0x3fc5555555555556);
        let ss: f64 = s * s;
        let lost: f64 = k_div_f64((z - ss) - k_product_rest_f64(s, s, ss), s + s);
        return s * z * p + k_pick(far && s > k_f64(0), lost, k_f64(0));
    }

    /// `asin`.
    fn k_asin_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) ^ sign);
        let s: f64 = k_asin_root_f64(a);
        let tail: f64 = k_asin_tail_f64(a, s);
        let h: f64 = k_f64(0x3ff921fb54442d18) - (s + s);
        let far: f64 = h + (((k_f64(0x3ff921fb54442d18) - h) - (s + s)) + (k_f64(0x3c91a62633145c07) - (tail + tail)));
        let y: f64 = k_pick(a > k_f64(0x3fe0000000000000), far, s + tail);
        return f64_of(bits_f64(y) | sign);
    }

    /// `acos`.
    fn k_acos_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) ^ sign);
        let s: f64 = k_asin_root_f64(a);
        let tail: f64 = k_asin_tail_f64(a, s);
        let h: f64 = k_f64(0x3ff921fb54442d18) - x;
        let near: f64 = h + (((k_f64(0x3ff921fb54442d18) - h) - x) + (k_f64(0x3c91a62633145c07) - f64_of(bits_f64(tail) ^ sign)));
        let b: f64 = k_f64(0x400921fb54442d18) - (s + s);
        let back: f64 = b + (((k_f64(0x400921fb54442d18) - b) - (s + s)) + (k_f64(0x3ca1a62633145c07) - (tail + tail)));
        let far: f64 = k_pick(sign != k_u64(0x0), back, (s + s) + (tail + tail));
        return k_pick(a > k_f64(0x3fe0000000000000), far, near);
    }
}
