//! The exponential function and what follows from it.

use super::portable;

portable! {
    /// `exp`: x = n ln 2 + r, a polynomial of degree 8 for r or a rational function, two factors for 2^n, so
    /// that a subnormal result is rounded once.
    fn k_exp(x: real) -> real {
        let low: real = k_pick(x < k_real(0xc2d00000, 0xc087500000000000), k_real(0xc2d00000, 0xc087500000000000), x);
        let a: real = k_pick(low > k_real(0x42b20000, 0x4086300000000000), k_real(0x42b20000, 0x4086300000000000), low);
        let t: real = k_turn(a);
        let n: real = t - ROUNDER;
        let r: real = k_exp_head(a, n);
        @single let u4: f32 = (k_f32(0x39502bda) * r + k_f32(0x3ab696c9)) * r + k_f32(0x3c0888a6);
        @single let u2: f32 = (u4 * r + k_f32(0x3d2aaa7a)) * r + k_f32(0x3e2aaaab);
        @single let u: f32 = u2 * r + k_f32(0x3f000000);
        @single let p: f32 = (r * r * u + r) + k_f32(0x3f800000);
        @double let high: f64 = a - n * LN_2_HEAD;
        @double let z: f64 = r * r;
        @double let p4: f64 = (k_f64(0x3e66376972bea4d0) * z + k_f64(0xbebbbd41c5d26bf1)) * z;
        @double let p3: f64 = (p4 + k_f64(0x3f11566aaf25de2c)) * z;
        @double let p2: f64 = (p3 + k_f64(0xbf66c16c16bebd93)) * z;
        @double let c: f64 = r - (p2 + k_f64(0x3fc555555555553e)) * z;
        @double let q: f64 = (r * c) / (k_f64(0x4000000000000000) - c);
        @double let p: f64 = ((q - n * LN_2_TAIL) + high) + k_f64(0x3ff0000000000000);
        return k_pick(x != x, x, k_scale(p, bits_of(t) - ROUNDER_BITS));
    }

    /// a / ln 2, rounded to an integer n by adding 1.5 · 2^23: the lower bits hold n.
    fn k_turn(a: real) -> real {
        return a * LOG2_E + ROUNDER;
    }

    /// exp(r + l) − 1 − r, for |r| up to ln 2 / 2.
    fn k_exp_tail(r: real, l: real) -> real {
        let z: real = r * r;
        @single let q1: f32 = ((k_f32(0x395170c7) * r + k_f32(0x3ab68815)) * r + k_f32(0x3c0887de)) * r + k_f32(0x3d2aaa8d);
        @single let q: f32 = q1 * r + k_f32(0x3e2aaaab);
        @double let q1: f64 = ((k_f64(0x3e21f37bb642c7b5) * r + k_f64(0x3e5af3f4a2ce77f3)) * r + k_f64(0x3e927e4fb7c3ff76)) * r + k_f64(0x3ec71de0a2247d23);
        @double let q2: f64 = ((q1 * r + k_f64(0x3efa01a019b44934)) * r + k_f64(0x3f2a01a01a908491)) * r + k_f64(0x3f56c16c16c17b8f);
        @double let q: f64 = ((q2 * r + k_f64(0x3f81111111110705)) * r + k_f64(0x3fa5555555555554)) * r + k_f64(0x3fc5555555555556);
        return z * HALF + (z * r * q + (l + r * l));
    }

    /// a − n ln 2.
    fn k_exp_head(a: real, n: real) -> real {
        return (a - n * LN_2_HEAD) - n * LN_2_TAIL;
    }

    /// What [`k_exp_head`] lost.
    fn k_exp_rest(a: real, n: real, r: real) -> real {
        return ((a - n * LN_2_HEAD) - r) - n * LN_2_TAIL;
    }

    /// `exp2`: 2^n 2^f with |f| up to ½.
    fn k_exp2(x: real) -> real {
        let low: real = k_pick(x < k_real(0xc3160000, 0xc090d00000000000), k_real(0xc3160000, 0xc090d00000000000), x);
        let a: real = k_pick(low > k_real(0x43010000, 0x4090040000000000), k_real(0x43010000, 0x4090040000000000), low);
        let t: real = a + ROUNDER;
        let f: real = a - (t - ROUNDER);
        let r: real = f * LN_2;
        let l: real = k_product_rest(f, LN_2, r) + f * LN_2_REST;
        let h: real = ONE + r;
        let y: real = h + (k_exp_tail(r, l) + ((ONE - h) + r));
        let z: real = k_scale(y, bits_of(t) - ROUNDER_BITS);
        return k_pick(x != x, x, z);
    }

    /// `exp_m1`: 2^n (1 − 2^−n + (exp(r) − 1)).
    fn k_exp_m1(x: real) -> real {
        let low: real = k_pick(x < k_real(0xc1900000, 0xc043000000000000), k_real(0xc1900000, 0xc043000000000000), x);
        let a: real = k_pick(low > k_real(0x42b30000, 0x4086300000000000), k_real(0x42b30000, 0x4086300000000000), low);
        let t: real = k_turn(a);
        let n: real = t - ROUNDER;
        let e: bits = bits_of(t) - ROUNDER_BITS;
        let r: real = k_exp_head(a, n);
        let tail: real = k_exp_tail(r, k_exp_rest(a, n, r));
        let m: real = k_pick(n > k_real(0x42c80000, 0x4059000000000000), ZERO, of_bits((BIAS - e) << DIGITS));
        let c: real = ONE - m;
        let y: real = c + r;
        let rest: real = k_sum_rest(c, r, y) + (tail + ((ONE - c) - m));
        let z: real = k_scale(y + rest, e);
        let tiny: bool = x < k_real(0x32800000, 0x3c80000000000000) && x > k_real(0xb2800000, 0xbc80000000000000);
        return k_pick(x != x || tiny, x, z);
    }

    /// `tanh`: E / (E + 2) with E = exp(2 |x|) − 1, each in two parts.
    fn k_tanh(x: real) -> real {
        let sign: bits = bits_of(x) & SIGN;
        let a: real = of_bits(bits_of(x) ^ sign);
        let b: real = k_pick(a > k_real(0x41200000, 0x4034000000000000), k_real(0x41a00000, 0x4044000000000000), a + a);
        let t: real = k_turn(b);
        let n: real = t - ROUNDER;
        let s: real = of_bits((bits_of(t) - ROUNDER_BITS + BIAS) << DIGITS);
        let r: real = k_exp_head(b, n);
        let tail: real = k_exp_tail(r, k_exp_rest(b, n, r));
        let m: real = s - ONE;
        let g: real = m + s * r;
        let gl: real = k_sum_rest(m, s * r, g) + s * tail;
        let e: real = g + gl;
        let el: real = (g - e) + gl;
        let d: real = e + TWO;
        let dl: real = k_sum_rest(e, TWO, d) + el;
        let q: real = k_div(e, d);
        let y: real = k_pick(a < k_real(0x38800000, 0x3e30000000000000), a, q + k_quotient_rest(q, e, el, d, dl));
        return of_bits(bits_of(y) | sign);
    }

    /// (exp(a) + sign · exp(−a)) / 2, for a from 0 on.
    fn k_exp_half(a: real, sign: real) -> real {
        let b: real = k_pick(a > k_real(0x42b40000, 0x4086400000000000), k_real(0x42b40000, 0x4086400000000000), a);
        let t: real = k_turn(b);
        let n: real = t - ROUNDER;
        let e: bits = bits_of(t) - ROUNDER_BITS - k_bits(0x1, 0x1);
        let r: real = k_exp_head(b, n);
        let tail: real = k_exp_tail(r, k_exp_rest(b, n, r));
        let c: real = ONE + r;
        let low: real = tail + ((ONE - c) + r);
        let h: real = c + low;
        let y: real = k_scale(h, e);
        let l: real = k_scale((c - h) + low, e);
        return y + (l + sign * k_div(k_real(0x3e800000, 0x3fd0000000000000), y));
    }

    /// `sinh`: an odd polynomial below 1, else by exponentials.
    fn k_sinh(x: real) -> real {
        let sign: bits = bits_of(x) & SIGN;
        let a: real = of_bits(bits_of(x) ^ sign);
        let z: real = a * a;
        @single let p: f32 = ((k_f32(0x36392654) * z + k_f32(0x39501ab4)) * z + k_f32(0x3c088863)) * z + k_f32(0x3e2aaaab);
        @double let p1: f64 = ((k_f64(0x3d6b2506a0a36c69) * z + k_f64(0x3de612265405a8ca)) * z + k_f64(0x3e5ae6452c90dc3d)) * z + k_f64(0x3ec71de3a5f0cb79);
        @double let p: f64 = ((p1 * z + k_f64(0x3f2a01a01a00b347)) * z + k_f64(0x3f8111111111119a)) * z + k_f64(0x3fc5555555555555);
        let y: real = k_pick(a < ONE, a + a * z * p, k_exp_half(a, k_real(0xbf800000, 0xbff0000000000000)));
        return k_pick(x != x, x, of_bits(bits_of(y) | sign));
    }

    /// `cosh`.
    fn k_cosh(x: real) -> real {
        let a: real = of_bits(bits_of(x) & SIZE);
        return k_pick(x != x, x, k_exp_half(a, ONE));
    }
}
