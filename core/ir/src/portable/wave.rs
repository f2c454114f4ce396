//! Trigonometric functions: the reduction of Payne and Hanek for values of any size, and the
//! polynomials of Cephes (`f32`) and fdlibm (`f64`).

use super::portable;

portable! {
    /// x · 2/π modulo 4 in units of 2^-62, for positive x from 2^-7, after Payne and Hanek: of the
    /// bits of 2/π, those that matter, times the 24 bits of x.
    @single fn k_turns(x: f32) -> u64 {
        let ix: u32 = bits_f32(x);
        let start: u32 = ((ix >> 23) - k_u32(0x78)) & k_u32(0xff);
        let i: u32 = start >> 5;
        let n: u64 = k_wide(k_u32(0x20) - (start & k_u32(0x1f)));
        let m: u64 = k_wide((ix & k_u32(0x007fffff)) | k_u32(0x00800000));
        let w0: u64 = k_wide(k_two_over_pi(i));
        let w1: u64 = k_wide(k_two_over_pi(i + k_u32(1)));
        let w2: u64 = k_wide(k_two_over_pi(i + k_u32(2)));
        let w3: u64 = k_wide(k_two_over_pi(i + k_u32(3)));
        let a: u64 = k_wide(k_low(k_shr((w0 << 32) | w1, n)));
        let b: u64 = k_wide(k_low(k_shr((w1 << 32) | w2, n)));
        let c: u64 = k_wide(k_low(k_shr((w2 << 32) | w3, n)));
        return ((m * a) << 32) + m * b + ((m * c) >> 32);
    }

    /// x · 2/π modulo 4 in units of 2^-62, for positive x: of the 192 bits of 2/π that matter, times
    /// the 53 of x.
    @double fn k_turns(x: f64) -> u64 {
        let ix: u64 = bits_f64(x);
        let start: u64 = ((ix >> 52) - k_u64(0x3f5)) & k_u64(0x7ff);
        let i: u64 = start >> 6;
        let n: u64 = start & k_u64(0x3f);
        let m: u64 = (ix & k_u64(0x000fffffffffffff)) | k_u64(0x0010000000000000);
        let w1: u64 = k_two_over_pi(i + k_u64(1));
        let w2: u64 = k_two_over_pi(i + k_u64(2));
        let mb: u64 = k_join(w1, w2, n);
        let low: u64 = m * mb + k_high(m, k_join(w2, k_two_over_pi(i + k_u64(3)), n));
        let carry: u64 = k_pick(low < m * mb, k_u64(1), k_u64(0));
        return m * k_join(k_two_over_pi(i), w1, n) + k_high(m, mb) + carry;
    }

    /// The quarter turns nearest to positive x, modulo 4, and 4 if x is below them.
    fn k_quarter(x: real) -> bits {
        let turns: u64 = k_turns(x);
        let q: u64 = (turns + k_u64(0x2000000000000000)) >> 62;
        let below: bool = ((turns - (q << 62)) >> 63) != k_u64(0);
        @single let n: u32 = k_low(q) | k_pick(below, k_u32(4), k_u32(0));
        @double let n: u64 = q | k_pick(below, k_u64(4), k_u64(0));
        return k_pick(x < QUARTER_PI, k_bits(0, 0), n);
    }

    /// x less its quarter turns, as a size: the product of the fraction of a turn and π/2, of halves; or what
    /// that has `lost`.
    @single fn k_angle(x: f32, lost: bool) -> f32 {
        let turns: u64 = k_turns(x);
        let q: u64 = (turns + k_u64(0x2000000000000000)) >> 62;
        let f: u64 = turns - (q << 62);
        let below: bool = (f >> 63) != k_u64(0);
        let a: u64 = k_pick(below, k_u64(0) - f, f);
        let t1: f32 = k_float(k_low(a >> 38)) * k_f32(0x33800000);
        let t2: f32 = k_float(k_low(a >> 14) & k_u32(0x00ffffff)) * k_f32(0x27800000);
        let t3: f32 = k_float(k_low(a) & k_u32(0x3fff)) * k_f32(0x20800000);
        let s: f32 = t1 + t2;
        let e: f32 = (t2 - (s - t1)) + t3;
        let s1: f32 = f32_of(bits_f32(s) & k_u32(0xfffff000));
        let s2: f32 = s - s1;
        let high: f32 = s1 * k_f32(0x3fc90000);
        let tail: f32 = s * k_f32(0x33a22169) + e * k_f32(0x3fc90fdb) + s2 * k_f32(0x39fda000);
        let rest: f32 = (s1 * k_f32(0x39fda000) + s2 * k_f32(0x3fc90000)) + tail;
        let angle: f32 = high + rest;
        let value: f32 = k_pick(lost, rest - (angle - high), angle);
        return k_pick(x < k_f32(0x3f490fdb), k_pick(lost, k_f32(0), x), value);
    }

    /// x less its quarter turns, as a size: the product of the fraction of a turn and π/2, of halves; or what
    /// that has `lost`.
    @double fn k_angle(x: f64, lost: bool) -> f64 {
        let high_turns: u64 = k_turns(x);
        let low: u64 = k_turns_rest(x);
        let q: u64 = (high_turns + k_u64(0x2000000000000000)) >> 62;
        let f: u64 = high_turns - (q << 62);
        let below: bool = (f >> 63) != k_u64(0);
        let al: u64 = k_pick(below, k_u64(0) - low, low);
        let borrow: u64 = k_pick(low != k_u64(0), k_u64(1), k_u64(0));
        let ah: u64 = k_pick(below, k_u64(0) - f - borrow, f);
        let t1: f64 = k_double(ah >> 9) * k_f64(0x3ca0000000000000);
        let t2: f64 = k_double(((ah & k_u64(0x1ff)) << 43) | (al >> 21)) * k_f64(0x3960000000000000);
        let t3: f64 = k_double(al & k_u64(0x1fffff)) * k_f64(0x3810000000000000);
        let s: f64 = t1 + t2;
        let e: f64 = (t2 - (s - t1)) + t3;
        let s1: f64 = f64_of(bits_f64(s) & k_u64(0xfffffffff8000000));
        let s2: f64 = s - s1;
        let high: f64 = s1 * k_f64(0x3ff921fb50000000);
        let tail: f64 = s * k_f64(0x3c91a62633145c07) + e * k_f64(0x3ff921fb54442d18) + s2 * k_f64(0x3e5110b460000000);
        let rest: f64 = (s1 * k_f64(0x3e5110b460000000) + s2 * k_f64(0x3ff921fb50000000)) + tail;
        let angle: f64 = high + rest;
        let value: f64 = k_pick(lost, rest - (angle - high), angle);
        return k_pick(x < k_f64(0x3fe921fb54442d18), k_pick(lost, k_f64(0), x), value);
    }

    /// sin(r + d) − r.
    @single fn k_sine_tail(r: f32, d: f32) -> f32 {
        let z: f32 = r * r;
        let p: f32 = ((k_f32(0xb94ca1f9) * z + k_f32(0x3c08839e)) * z + k_f32(0xbe2aaaa3)) * z;
        return (p * r + d) - k_f32(0x3f000000) * z * d;
    }

    /// sin(r + d) − r.
    @double fn k_sine_tail(r: f64, d: f64) -> f64 {
        let z: f64 = r * r;
        let p4: f64 = k_f64(0x3ec71de357b1fe7d) + z * (k_f64(0xbe5ae5e68a2b9ceb) + z * k_f64(0x3de5d93a5acfd57c));
        let p: f64 = k_f64(0x3f8111111110f8a6) + z * (k_f64(0xbf2a01a019c161d5) + z * p4);
        let v: f64 = z * r;
        return (d - z * (k_f64(0x3fe0000000000000) * d - v * p)) + v * k_f64(0xbfc5555555555549);
    }

    /// cos(r + d) − (1 − r² / 2).
    @single fn k_cosine_tail(r: f32, d: f32) -> f32 {
        let z: f32 = r * r;
        let h: f32 = k_f32(0x3f000000) * z;
        let w: f32 = k_f32(0x3f800000) - h;
        let p: f32 = ((k_f32(0x37ccf5ce) * z + k_f32(0xbab6061a)) * z + k_f32(0x3d2aaaa5)) * z;
        return ((k_f32(0x3f800000) - w) - h) + (p * z - r * d);
    }

    /// cos(r + d) − (1 − r² / 2).
    @double fn k_cosine_tail(r: f64, d: f64) -> f64 {
        let z: f64 = r * r;
        let h: f64 = k_f64(0x3fe0000000000000) * z;
        let w: f64 = k_f64(0x3ff0000000000000) - h;
        let p4: f64 = k_f64(0xbe927e4f809c52ad) + z * (k_f64(0x3e21ee9ebdb4b1c4) + z * k_f64(0xbda8fae9be8838d4));
        let p: f64 = z * (k_f64(0x3fa555555555554c) + z * (k_f64(0xbf56c16c16c15177) + z * (k_f64(0x3efa01a019cb1590) + z * p4)));
        return ((k_f64(0x3ff0000000000000) - w) - h) + (z * p - r * d);
    }

    /// sin(x + quarter · π/2) for positive x.
    fn k_wave(x: real, quarter: bits) -> real {
        let q: bits = k_quarter(x);
        let r: real = k_angle(x, false);
        let d: real = k_angle(x, true);
        let n: bits = q + quarter;
        let sine: real = r + k_sine_tail(r, d);
        let cosine: real = (ONE - HALF * (r * r)) + k_cosine_tail(r, d);
        let flip: bool = (q & k_bits(0x4, 0x4)) != NO_BITS;
        let odd: bool = (n & k_bits(0x1, 0x1)) != NO_BITS;
        let y: real = k_pick(odd, cosine, k_pick(flip, -sine, sine));
        return k_pick((n & k_bits(0x2, 0x2)) != NO_BITS, -y, y);
    }

    /// `sin`, for x of any size.
    fn k_sin(x: real) -> real {
        let sign: bits = bits_of(x) & SIGN;
        let a: real = of_bits(bits_of(x) ^ sign);
        let y: real = of_bits(bits_of(k_wave(a, NO_BITS)) ^ sign);
        return k_pick(a < INFINITY, y, NAN);
    }

    /// `cos`, for x of any size.
    fn k_cos(x: real) -> real {
        let a: real = of_bits(bits_of(x) & SIZE);
        let y: real = k_wave(a, k_bits(0x1, 0x1));
        return k_pick(a < INFINITY, y, NAN);
    }

    /// `tan`, for x of any size: the quotient of sine and cosine, each in two parts.
    fn k_tan(x: real) -> real {
        let sign: bits = bits_of(x) & SIGN;
        let a: real = of_bits(bits_of(x) ^ sign);
        let q: bits = k_quarter(a);
        let r: real = k_angle(a, false);
        let d: real = k_angle(a, true);
        let st: real = k_sine_tail(r, d);
        let s: real = r + st;
        let sl: real = (r - s) + st;
        let w: real = ONE - HALF * (r * r);
        let ct: real = k_cosine_tail(r, d);
        let c: real = w + ct;
        let cl: real = (w - c) + ct;
        let odd: bool = (q & k_bits(0x1, 0x1)) != NO_BITS;
        let n: real = k_pick(odd, c, s);
        let nl: real = k_pick(odd, cl, sl);
        let m: real = k_pick(odd, s, c);
        let ml: real = k_pick(odd, sl, cl);
        let t: real = k_div(n, m);
        let fine: real = t + k_quotient_rest(t, n, nl, m, ml);
        let tiny: bool = a < k_real(0x38800000, 0x3e30000000000000);
        let y: real = k_pick(tiny, a, fine);
        let turned: bool = odd != ((q & k_bits(0x4, 0x4)) != NO_BITS);
        let flip: bits = k_pick(turned, SIGN, NO_BITS);
        let z: real = of_bits(bits_of(y) ^ sign ^ flip);
        return k_pick(a < INFINITY, z, NAN);
    }

    /// Bits 64i … 64i + 63 of 2/π after 64 leading zeros, for i < 20.
    @double fn k_two_over_pi(i: u64) -> u64 {
        let t0: u64 = k_pick(i < k_u64(2), k_pick(i < k_u64(1), k_u64(0x0000000000000000), k_u64(0xa2f9836e4e441529)), k_pick(i < k_u64(3), k_u64(0xfc2757d1f534ddc0), k_pick(i < k_u64(4), k_u64(0xdb6295993c439041), k_u64(0xfe5163abdebbc561))));
        let t1: u64 = k_pick(i < k_u64(7), k_pick(i < k_u64(6), k_u64(0xb7246e3a424dd2e0), k_u64(0x06492eea09d1921c)), k_pick(i < k_u64(8), k_u64(0xfe1deb1cb129a73e), k_pick(i < k_u64(9), k_u64(0xe88235f52ebb4484), k_u64(0xe99c7026b45f7e41))));
        let t2: u64 = k_pick(i < k_u64(12), k_pick(i < k_u64(11), k_u64(0x3991d639835339f4), k_u64(0x9c845f8bbdf9283b)), k_pick(i < k_u64(13), k_u64(0x1ff897ffde05980f), k_pick(i < k_u64(14), k_u64(0xef2f118b5a0a6d1f), k_u64(0x6d367ecf27cb09b7))));
        let t3: u64 = k_pick(i < k_u64(17), k_pick(i < k_u64(16), k_u64(0x4f463f669e5fea2d), k_u64(0x7527bac7ebe5f17b)), k_pick(i < k_u64(18), k_u64(0x3d0739f78a5292ea), k_pick(i < k_u64(19), k_u64(0x6bfb5fb11f8d5d08), k_u64(0x56033046fc7b6bab))));
        return k_pick(i < k_u64(10), k_pick(i < k_u64(5), t0, t1), k_pick(i < k_u64(15), t2, t3));
    }

    /// The 64 bits below those of [`k_turns`].
    @double fn k_turns_rest(x: f64) -> u64 {
        let ix: u64 = bits_f64(x);
        let start: u64 = ((ix >> 52) - k_u64(0x3f5)) & k_u64(0x7ff);
        let i: u64 = start >> 6;
        let n: u64 = start & k_u64(0x3f);
        let m: u64 = (ix & k_u64(0x000fffffffffffff)) | k_u64(0x0010000000000000);
        let w1: u64 = k_two_over_pi(i + k_u64(1));
        let w2: u64 = k_two_over_pi(i + k_u64(2));
        let mb: u64 = k_join(w1, w2, n);
        let low: u64 = m * mb + k_high(m, k_join(w2, k_two_over_pi(i + k_u64(3)), n));
        return low;
    }
}
