//! Powers and roots.

use super::portable;

portable! {
    /// `powf` for positive, finite x: 2^(y log2 x), with log2 x to twice the precision.
    fn k_power(x: real, exponent: real) -> real {
        let big: real = k_real(0x50800000, 0x4410000000000000);
        let less: real = k_pick(exponent < -big, -big, exponent);
        let y: real = k_pick(less > big, big, less);
        let k: real = k_log_power(x);
        let f: real = k_log_rest(x);
        let d: real = f + TWO;
        let s: real = k_div(f, d);
        let sl: real = k_quotient_rest(s, f, ZERO, d, (TWO - d) + f);
        let z: real = s * s;
        let zl: real = k_product_rest(s, s, z) + TWO * s * sl;
        let w: real = z * THIRD;
        @single let q: f32 = (k_f32(0x3dec189e) * z + k_f32(0x3e123cdd)) * z + k_f32(0x3e4cccd2);
        @double let q1: f64 = ((k_f64(0x3fadb5d9c5e16f50) * z + k_f64(0x3fae00823cef305a)) * z + k_f64(0x3fb1115a1c6ff8eb)) * z + k_f64(0x3fb3b13a85d05024);
        @double let q2: f64 = ((q1 * z + k_f64(0x3fb745d174024d63)) * z + k_f64(0x3fbc71c71c7491ee)) * z + k_f64(0x3fc2492492492307);
        @double let q: f64 = q2 * z + k_f64(0x3fc999999999999a);
        let wl: real = (k_product_rest(z, THIRD, w) + (z * k_real(0xb22aaaab, 0x3c75555555555555) + zl * THIRD)) + z * z * q;
        let g: real = s * w;
        let gl: real = k_product_rest(s, w, g) + (s * wl + sl * w);
        let h: real = s + g;
        let hl: real = ((s - h) + g) + (gl + sl);
        let p: real = h * TWO_LOG2_E;
        let pl: real = k_product_rest(h, TWO_LOG2_E, p) + (h * k_real(0x33257060, 0x3c8777d0ffda0d24) + hl * TWO_LOG2_E);
        let v: real = k + p;
        let vl: real = k_sum_rest(k, p, v) + pl;
        let b: real = v + vl;
        let bl: real = (v - b) + vl;
        let m: real = y * b;
        let ml: real = k_product_rest(y, b, m) + y * bl;
        let low: bool = m < k_real(0xc3200000, 0xc091300000000000);
        let high: bool = m > k_real(0x430c0000, 0x4090400000000000);
        let a: real = k_pick(low, k_real(0xc3200000, 0xc091300000000000), k_pick(high, k_real(0x430c0000, 0x4090400000000000), m));
        let al: real = k_pick(low || high, ZERO, ml);
        let t: real = a + ROUNDER;
        let n: real = (a - (t - ROUNDER)) + al;
        let nl: real = ((a - (t - ROUNDER)) - n) + al;
        let r: real = n * LN_2;
        let l: real = k_product_rest(n, LN_2, r) + (n * LN_2_REST + nl * LN_2);
        let c: real = ONE + r;
        let u: real = c + (k_exp_tail(r, l) + ((ONE - c) + r));
        return k_scale(u, bits_of(t) - ROUNDER_BITS);
    }

    /// `powf`, with the limits of IEEE 754.
    fn k_powf(x: real, y: real) -> real {
        let inf: real = INFINITY;
        let a: real = of_bits(bits_of(x) & SIZE);
        let b: real = of_bits(bits_of(y) & SIZE);
        let split: real = y * HALF;
        let whole: bool = k_trunc(y) == y;
        let odd: bool = whole && k_trunc(split) != split && b < k_real(0x4b800000, 0x4340000000000000);
        let edge: real = k_pick((a == ZERO) == (y > ZERO), ZERO, inf);
        let size: real = k_pick(a == ZERO || a == inf, edge, k_power(a, y));
        let domain: real = k_pick(x < ZERO && !whole && a < inf, NAN, size);
        let sign: bits = k_pick(odd, bits_of(x) & SIGN, NO_BITS);
        let z: real = of_bits(bits_of(domain) | sign);
        let nan: real = k_pick(x != x || y != y, NAN, z);
        return k_pick(x == ONE || y == ZERO, ONE, nan);
    }

    /// `cbrt`: a third of the exponent, two or three steps of Halley, and one of Newton with the
    /// residual in two parts.
    fn k_cbrt(x: real) -> real {
        let sign: bits = bits_of(x) & SIGN;
        let size: real = of_bits(bits_of(x) ^ sign);
        let tiny: bool = size < k_real(0x0d800000, 0x07b0000000000000);
        let huge: bool = size > k_real(0x71800000, 0x7830000000000000);
        let a: real = size * k_pick(tiny, k_real(0x5d800000, 0x4ef0000000000000), k_pick(huge, k_real(0x21800000, 0x30f0000000000000), ONE));
        let y0: real = of_bits(bits_of(a) / k_bits(0x3, 0x3) + k_bits(0x2a5119f2, 0x2a9f789300000000));
        let c0: real = y0 * y0 * y0;
        let y1: real = y0 * k_div(c0 + (a + a), (c0 + c0) + a);
        let c1: real = y1 * y1 * y1;
        let y2: real = y1 * k_div(c1 + (a + a), (c1 + c1) + a);
        @single let y: f32 = y2;
        @double let c2: f64 = y2 * y2 * y2;
        @double let y: f64 = y2 * k_div(c2 + (a + a), (c2 + c2) + a);
        let s: real = y * y;
        let c: real = s * y;
        let cl: real = k_product_rest(s, y, c) + k_product_rest(y, y, s) * y;
        let z: real = y + k_div((a - c) - cl, k_real(0x40400000, 0x4008000000000000) * s);
        let scaled: real = z * k_pick(tiny, k_real(0x35800000, 0x3af0000000000000), k_pick(huge, k_real(0x49800000, 0x44f0000000000000), ONE));
        let limit: bool = x == ZERO || x != x || size == INFINITY;
        return k_pick(limit, x, of_bits(bits_of(scaled) | sign));
    }

    /// `hypot`: the root of the sum of both squares, and a step of Newton with its residual.
    fn k_hypot(x: real, y: real) -> real {
        let inf: real = INFINITY;
        let ax: real = of_bits(bits_of(x) & SIZE);
        let ay: real = of_bits(bits_of(y) & SIZE);
        let most: real = k_pick(ax > ay, ax, ay);
        let least: real = k_pick(ax > ay, ay, ax);
        let tiny: bool = most < k_real(0x2b800000, 0x26f0000000000000);
        let huge: bool = most > k_real(0x53800000, 0x58f0000000000000);
        let scale: real = k_pick(tiny, k_real(0x6c800000, 0x6bb0000000000000), k_pick(huge, k_real(0x12800000, 0x1430000000000000), ONE));
        let back: real = k_pick(tiny, k_real(0x12800000, 0x1430000000000000), k_pick(huge, k_real(0x6c800000, 0x6bb0000000000000), ONE));
        let a: real = most * scale;
        let b: real = least * scale;
        let aa: real = a * a;
        let bb: real = b * b;
        let sum: real = aa + bb;
        let sl: real = ((aa - sum) + bb) + (k_product_rest(a, a, aa) + k_product_rest(b, b, bb));
        let h: real = k_sqrt(sum);
        let hh: real = h * h;
        let rest: real = ((sum - hh) - k_product_rest(h, h, hh)) + sl;
        let root: real = k_pick(sum == ZERO, ZERO, (h + k_div(rest, h + h)) * back);
        return k_pick(ax == inf || ay == inf, inf, k_pick(x != x || y != y, x + y, root));
    }

    /// `rsqrt`: 1 / √x, each correctly rounded.
    fn k_rsqrt(x: real) -> real {
        return k_div(ONE, k_sqrt(x));
    }
}
