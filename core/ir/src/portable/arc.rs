//! Inverse trigonometric functions.

use super::portable;

portable! {
    /// atan(u + ul) − u, for |u| up to ½.
    fn k_atan_tail(u: real, ul: real) -> real {
        let z: real = u * u;
        @single let p1: f32 = ((k_f32(0x3d32167a) * z + k_f32(0xbdaa67d7)) * z + k_f32(0x3de1dd00)) * z + k_f32(0xbe123ff4);
        @single let p: f32 = (p1 * z + k_f32(0x3e4cccc3)) * z + k_f32(0xbeaaaaab);
        @double let p1: f64 = ((k_f64(0x3f73a9ffac978f5a) * z + k_f64(0xbf9140e5dfc69e3f)) * z + k_f64(0x3f9f140b4f0e1ff0)) * z + k_f64(0xbfa4991c4b4046b8);
        @double let p2: f64 = ((p1 * z + k_f64(0x3fa7fb7bc0b2b248)) * z + k_f64(0xbfaae0f882f8551f)) * z + k_f64(0x3fae1bf3714d9a04);
        @double let p3: f64 = ((p2 * z + k_f64(0xbfb110f8c284ec0d)) * z + k_f64(0x3fb3b13998cc6f02)) * z + k_f64(0xbfb745d164ed56d0);
        @double let p4: f64 = ((p3 * z + k_f64(0x3fbc71c71c0c7c9d)) * z + k_f64(0xbfc249249248680a)) * z + k_f64(0x3fc9999999999851);
        @double let p: f64 = p4 * z + k_f64(0xbfd5555555555555);
        return u * z * p + (ul - ul * z);
    }

    /// `atan2(y, x)`: the arc tangent of the smaller over the larger size, itself reduced by π/4, and
    /// what the octant adds.
    fn k_atan2(y: real, x: real) -> real {
        let inf: real = INFINITY;
        let sign: bits = bits_of(y) & SIGN;
        let left: bool = (bits_of(x) >> SIGN_AT) != NO_BITS;
        let ay: real = of_bits(bits_of(y) ^ sign);
        let ax: real = of_bits(bits_of(x) & SIZE);
        let steep: bool = ay > ax;
        let most: real = k_pick(steep, ay, ax);
        let least: real = k_pick(steep, ax, ay);
        let scale: real = k_pick(most < k_real(0x21800000, 0x1a70000000000000), k_real(0x6c800000, 0x6bb0000000000000), k_pick(most > k_real(0x71800000, 0x71f0000000000000), k_real(0x26800000, 0x2d30000000000000), ONE));
        let n: real = least * scale;
        let d: real = most * scale;
        let q0: real = k_div(n, d);
        let l0: real = k_pick(n < k_real(0x17800000, 0x1430000000000000), ZERO, k_quotient_rest(q0, n, ZERO, d, ZERO));
        let limit: bool = most == inf || most == ZERO;
        let q: real = k_pick(limit, k_pick(least == inf, ONE, ZERO), q0);
        let l: real = k_pick(limit, ZERO, l0);
        let far: bool = q > HALF;
        let m: real = q + ONE;
        let v: real = k_div(q - ONE, m);
        let vl: real = k_quotient_rest(v, q - ONE, l, m, ((ONE - m) + q) + l);
        let u: real = k_pick(far, v, q);
        let tail: real = k_atan_tail(u, k_pick(far, vl, l)) + k_pick(far, k_real(0xb2bbbd2e, 0x3c81a62633145c07), ZERO);
        let base: real = k_pick(far, QUARTER_PI, ZERO);
        let h: real = base + u;
        let hl: real = ((base - h) + u) + tail;
        let a: real = h + hl;
        let al: real = (h - a) + hl;
        let b: real = k_pick(steep, HALF_PI - a, a);
        let bl: real = k_pick(steep, ((HALF_PI - b) - a) + (HALF_PI_REST - al), al);
        let c: real = k_pick(left, PI - b, b);
        let cl: real = k_pick(left, ((PI - c) - b) + (PI_REST - bl), bl);
        let z: real = of_bits(bits_of(c + cl) | sign);
        return k_pick(x != x || y != y, NAN, z);
    }

    /// `atan`.
    fn k_atan(x: real) -> real {
        return k_atan2(x, ONE);
    }

    /// s of asin(a) = s + s³ p(s²) or π/2 − 2 (s + s³ p(s²)), below and above ½.
    fn k_asin_root(a: real) -> real {
        return k_pick(a > HALF, k_sqrt((ONE - a) * HALF), a);
    }

    /// s³ p(s²) of [`k_asin_root`], and what s lost.
    fn k_asin_tail(a: real, s: real) -> real {
        let far: bool = a > HALF;
        let z: real = k_pick(far, (ONE - a) * HALF, a * a);
        @single let p1: f32 = ((k_f32(0x3d0cc1b2) * z + k_f32(0x3c88ba62)) * z + k_f32(0x3cffb4e2)) * z + k_f32(0x3d36a0ff);
        @single let p: f32 = (p1 * z + k_f32(0x3d999a61)) * z + k_f32(0x3e2aaaaa);
        @double let p1: f64 = ((k_f64(0x3f9d9382c2a35057) * z + k_f64(0xbf8ece2087352db9)) * z + k_f64(0x3f91f2a8ff12d9d1)) * z + k_f64(0x3f76279f27be53a5);
        @double let p2: f64 = ((p1 * z + k_f64(0x3f852a655b9faacb)) * z + k_f64(0x3f87815df1b4a9e4)) * z + k_f64(0x3f8c9d0da470b765);
        @double let p3: f64 = ((p2 * z + k_f64(0x3f91c4d24729c7ca)) * z + k_f64(0x3f96e8bb29fa8302)) * z + k_f64(0x3f9f1c71c173e6ad);
        @double let p: f64 = ((p3 * z + k_f64(0x3fa6db6db6e3fb8b)) * z + k_f64(0x3fb3333333332df0)) * z + k_f64(0x3fc5555555555556);
        let ss: real = s * s;
        let lost: real = k_div((z - ss) - k_product_rest(s, s, ss), s + s);
        return s * z * p + k_pick(far && s > ZERO, lost, ZERO);
    }

    /// `asin`.
    fn k_asin(x: real) -> real {
        let sign: bits = bits_of(x) & SIGN;
        let a: real = of_bits(bits_of(x) ^ sign);
        let s: real = k_asin_root(a);
        let tail: real = k_asin_tail(a, s);
        let h: real = HALF_PI - (s + s);
        let far: real = h + (((HALF_PI - h) - (s + s)) + (HALF_PI_REST - (tail + tail)));
        let y: real = k_pick(a > HALF, far, s + tail);
        return of_bits(bits_of(y) | sign);
    }

    /// `acos`.
    fn k_acos(x: real) -> real {
        let sign: bits = bits_of(x) & SIGN;
        let a: real = of_bits(bits_of(x) ^ sign);
        let s: real = k_asin_root(a);
        let tail: real = k_asin_tail(a, s);
        let h: real = HALF_PI - x;
        let near: real = h + (((HALF_PI - h) - x) + (HALF_PI_REST - of_bits(bits_of(tail) ^ sign)));
        let b: real = PI - (s + s);
        let back: real = b + (((PI - b) - (s + s)) + (PI_REST - (tail + tail)));
        let far: real = k_pick(sign != NO_BITS, back, (s + s) + (tail + tail));
        return k_pick(a > HALF, far, near);
    }
}
