//! Logarithms. The polynomials in s = f / (2 + f) are those of fdlibm.

use super::portable;

portable! {
    /// `ln`: x = 2^k (1 + f) with 1 + f from √½ to √2, and a polynomial in s = f / (2 + f), as in
    /// fdlibm.
    fn k_ln(x: real) -> real {
        let k: real = k_log_power(x);
        let f: real = k_log_rest(x);
        let q: real = HALF * f * f;
        let small: real = k_log_tail(f) + k * k_real(0x3717f7d1, 0x3dea39ef35793c76);
        let y: real = ((small - q) + f) + k * k_real(0x3f317180, 0x3fe62e42fee00000);
        return k_log_limits(x, y);
    }

    /// k, where x = 2^k (1 + f) with 1 + f from √½ to √2, for positive x.
    fn k_log_power(x: real) -> real {
        let tiny: bool = x < k_real(0x00800000, 0x0010000000000000);
        let ix: bits = bits_of(k_pick(tiny, x * k_real(0x4c000000, 0x4350000000000000), x)) + k_bits(0x4afb0d, 0x95f6200000000);
        let k: bits = (ix >> DIGITS) - k_pick(tiny, k_bits(0x98, 0x435), BIAS);
        return of_bits(k + ROUNDER_BITS) - ROUNDER;
    }

    /// f of [`k_log_power`].
    fn k_log_rest(x: real) -> real {
        let tiny: bool = x < k_real(0x00800000, 0x0010000000000000);
        let ix: bits = bits_of(k_pick(tiny, x * k_real(0x4c000000, 0x4350000000000000), x)) + k_bits(0x4afb0d, 0x95f6200000000);
        return of_bits((ix & k_bits(0x7fffff, 0xfffffffffffff)) + k_bits(0x3f3504f3, 0x3fe6a09e00000000)) - ONE;
    }

    /// ln(1 + f) − f + f² / 2.
    fn k_log_tail(f: real) -> real {
        let s: real = k_div(f, f + TWO);
        let z: real = s * s;
        let w: real = z * z;
        @single let t1: f32 = w * (k_f32(0x3eccce13) + w * k_f32(0x3e789e26));
        @single let t2: f32 = z * (k_f32(0x3f2aaaaa) + w * k_f32(0x3e91e9ee));
        @double let u1: f64 = (k_f64(0x3fc39a09d078c69f) * w + k_f64(0x3fcc71c51d8e78af)) * w;
        @double let t1: f64 = (u1 + k_f64(0x3fd999999997fa04)) * w;
        @double let u2: f64 = (k_f64(0x3fc2f112df3e5244) * w + k_f64(0x3fc7466496cb03de)) * w;
        @double let v2: f64 = (u2 + k_f64(0x3fd2492494229359)) * w;
        @double let t2: f64 = (v2 + k_f64(0x3fe5555555555593)) * z;
        return s * (HALF * f * f + (t1 + t2));
    }

    /// The limits of a logarithm y of x.
    fn k_log_limits(x: real, y: real) -> real {
        let domain: real = k_pick(x < ZERO, NAN, y);
        let zero: real = k_pick(x == ZERO, of_bits(k_bits(0xff800000, 0xfff0000000000000)), domain);
        return k_pick(x != x || x == INFINITY, x, zero);
    }

    /// k (kh + kl) + ln(1 + f + c) (b + bl), for kh with few bits.
    fn k_log_base(k: real, kh: real, kl: real, f: real, c: real, b: real, bl: real) -> real {
        let ff: real = f * f;
        let q: real = HALF * ff;
        let g: real = f - q;
        let gl: real = (((f - g) - q) - HALF * k_product_rest(f, f, ff)) + (k_log_tail(f) + c);
        let h: real = g + gl;
        let l: real = (g - h) + gl;
        let p: real = h * b;
        let pl: real = k_product_rest(h, b, p) + (h * bl + l * b);
        let high: real = k * kh;
        let y: real = high + p;
        return y + (k_sum_rest(high, p, y) + (pl + k * kl));
    }

    /// `log2`.
    fn k_log2(x: real) -> real {
        let y: real = k_log_base(k_log_power(x), ONE, ZERO, k_log_rest(x), ZERO, LOG2_E, k_real(0x32a57060, 0x3c7777d0ffda0d24));
        return k_log_limits(x, y);
    }

    /// `log10`.
    fn k_log10(x: real) -> real {
        let y: real = k_log_base(k_log_power(x), k_real(0x3e9a2000, 0x3fd34413509f6000), k_real(0x369a84fc, 0x3d59fef311f12b36), k_log_rest(x), ZERO, k_real(0x3ede5bd9, 0x3fdbcb7b1526e50e), k_real(0xb22d91af, 0x3c695355baaafad3));
        return k_log_limits(x, y);
    }

    /// `ln_1p`: what 1 + x loses is added to f; f is x itself where that is small.
    fn k_ln_1p(x: real) -> real {
        let u: real = ONE + x;
        let k: real = k_log_power(u);
        let m: real = k_log_rest(u);
        let e: bits = bits_of(k + ROUNDER) - ROUNDER_BITS;
        let lost: real = k_sum_rest(ONE, x, u) * k_pick(k > k_real(0x42c80000, 0x4059000000000000), ZERO, of_bits((BIAS - e) << DIGITS));
        let f: real = k_pick(k == ZERO, x, m);
        let c: real = k_pick(k == ZERO, ZERO, k_div(lost, ONE + m));
        let y: real = k_log_base(k, LN_2_HEAD, LN_2_TAIL, f, c, ONE, ZERO);
        let tiny: bool = x < k_real(0x32800000, 0x3c80000000000000) && x > k_real(0xb2800000, 0xbc80000000000000);
        return k_pick(tiny, x, k_log_limits(u, k_pick(x != x, x, y)));
    }
}
