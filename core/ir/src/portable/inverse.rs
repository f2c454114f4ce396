//! Inverse hyperbolic functions: logarithms of what is computed in two parts.

use super::portable;

portable! {
    /// What remains of √w, where r is the rounded root and wl what w lost.
    fn k_root_rest(w: real, wl: real, r: real) -> real {
        let p: real = r * r;
        let rest: real = ((w - p) - k_product_rest(r, r, p)) + wl;
        return k_pick(r == ZERO, ZERO, k_div(rest, r + r));
    }

    /// ln(1 + t + tl) for t from 0 on, or ln(2a) where that is much.
    fn k_ln_1p_of(t: real, tl: real, a: real) -> real {
        let much: bool = a > MUCH;
        let u: real = ONE + t;
        let x: real = k_pick(much, a, u);
        let p: real = k_log_power(x);
        let k: real = k_pick(much, p + ONE, p);
        let m: real = k_log_rest(x);
        let e: bits = bits_of(k + ROUNDER) - ROUNDER_BITS;
        let scale: real = of_bits((BIAS - e) << DIGITS);
        let lost: real = (k_sum_rest(ONE, t, u) + tl) * scale;
        let near: bool = k == ZERO;
        let f: real = k_pick(near, t, m);
        let c: real = k_div(k_pick(near, tl, lost), ONE + m);
        let y: real = k_log_base(k, LN_2_HEAD, LN_2_TAIL, f, k_pick(much, ZERO, c), ONE, ZERO);
        return k_pick(a == INFINITY, a, y);
    }

    /// `asinh`: ln(1 + t) with t = a + a² / (1 + √(1 + a²)), in two parts.
    fn k_asinh(x: real) -> real {
        let sign: bits = bits_of(x) & SIGN;
        let size: real = of_bits(bits_of(x) ^ sign);
        let a: real = k_pick(size > MUCH, MUCH, size);
        let s: real = a * a;
        let sl: real = k_product_rest(a, a, s);
        let w: real = ONE + s;
        let r: real = k_sqrt(w);
        let rl: real = k_root_rest(w, k_sum_rest(ONE, s, w) + sl, r);
        let d: real = ONE + r;
        let dl: real = k_sum_rest(ONE, r, d) + rl;
        let q: real = k_div(s, d);
        let t: real = a + q;
        let tl: real = k_sum_rest(a, q, t) + k_quotient_rest(q, s, sl, d, dl);
        let y: real = k_pick(size < k_real(0x38800000, 0x3e10000000000000), size, k_ln_1p_of(t, tl, size));
        return k_pick(x != x, x, of_bits(bits_of(y) | sign));
    }

    /// `acosh`: ln(1 + t) with t = z + √(z² + 2z) and z = x − 1, in two parts.
    fn k_acosh(x: real) -> real {
        let a: real = k_pick(x > MUCH, MUCH, x);
        let z: real = a - ONE;
        let zl: real = k_sum_rest(a, -ONE, z);
        let p: real = z * z;
        let s: real = p + (z + z);
        let sl: real = k_sum_rest(p, z + z, s) + (k_product_rest(z, z, p) + (zl + zl) * (z + ONE));
        let r: real = k_sqrt(s);
        let rl: real = k_root_rest(s, sl, r);
        let t: real = z + r;
        let tl: real = k_sum_rest(z, r, t) + (zl + rl);
        let y: real = k_ln_1p_of(t, tl, x);
        return k_pick(x != x, x, k_pick(x < ONE, NAN, y));
    }

    /// `atanh`: ln(1 + t) / 2 with t = 2a / (1 − a), in two parts.
    fn k_atanh(x: real) -> real {
        let sign: bits = bits_of(x) & SIGN;
        let a: real = of_bits(bits_of(x) ^ sign);
        let d: real = ONE - a;
        let dl: real = k_sum_rest(ONE, -a, d);
        let t: real = k_div(a + a, d);
        let y: real = HALF * k_ln_1p_of(t, k_quotient_rest(t, a + a, ZERO, d, dl), ZERO);
        let size: real = k_pick(a < k_real(0x38800000, 0x3e10000000000000), a, k_pick(a == ONE, INFINITY, y));
        let z: real = of_bits(bits_of(size) | sign);
        return k_pick(x != x, x, k_pick(a > ONE, NAN, z));
    }
}
