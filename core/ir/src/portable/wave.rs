//! Trigonometric functions: the reduction of Payne and Hanek for values of any size, and the
//! polynomials of Cephes (`f32`) and fdlibm (`f64`).

use super::pair::*;
use super::words::*;
use super::{k_pick, portable};

portable! {
    /// Bits 32i … 32i + 31 of 2/π after its leading 32 zeros, for i < 8.
    fn k_two_over_pi(i: u32) -> u32 {
        let low: u32 = k_pick(i < k_u32(2), k_pick(i < k_u32(1), k_u32(0), k_u32(0xa2f9836e)), k_pick(i < k_u32(3), k_u32(0x4e441529), k_u32(0xfc2757d1)));
        let high: u32 = k_pick(i < k_u32(6), k_pick(i < k_u32(5), k_u32(0xf534ddc0), k_u32(0xdb629599)), k_pick(i < k_u32(7), k_u32(0x3c439041), k_u32(0xfe5163ab)));
        return k_pick(i < k_u32(4), low, high);
    }

    /// x · 2/π modulo 4 in units of 2^-62, for positive x from 2^-7, after Payne and Hanek: of the
    /// bits of 2/π, those that matter, times the 24 bits of x.
    fn k_turns_f32(x: f32) -> u64 {
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

    /// The quarter turns nearest to positive x, modulo 4, and 4 if x is below them.
    fn k_quarter_f32(x: f32) -> u32 {
        let turns: u64 = k_turns_f32(x);
        let q: u64 = (turns + k_u64(0x2000000000000000)) >> 62;
        let below: bool = ((turns - (q << 62)) >> 63) != k_u64(0);
        let n: u32 = k_low(q) | k_pick(below, k_u32(4), k_u32(0));
        return k_pick(x < k_f32(0x3f490fdb), k_u32(0), n);
    }

    /// x less its quarter turns, as a size: the product of the fraction of a turn and π/2, of halves.
    fn k_angle_f32(x: f32) -> f32 {
        let turns: u64 = k_turns_f32(x);
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
        return k_pick(x < k_f32(0x3f490fdb), x, high + rest);
    }

    /// What [`k_angle_f32`] lost.
    fn k_angle_rest_f32(x: f32) -> f32 {
        let turns: u64 = k_turns_f32(x);
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
        return k_pick(x < k_f32(0x3f490fdb), k_f32(0), rest - ((high + rest) - high));
    }

    /// sin(r + d) − r.
    fn k_sine_tail_f32(r: f32, d: f32) -> f32 {
        let z: f32 = r * r;
        let p: f32 = ((k_f32(0xb94ca1f9) * z + k_f32(0x3c08839e)) * z + k_f32(0xbe2aaaa3)) * z;
        return (p * r + d) - k_f32(0x3f000000) * z * d;
    }

    /// cos(r + d) − (1 − r² / 2).
    fn k_cosine_tail_f32(r: f32, d: f32) -> f32 {
        let z: f32 = r * r;
        let h: f32 = k_f32(0x3f000000) * z;
        let w: f32 = k_f32(0x3f800000) - h;
        let p: f32 = ((k_f32(0x37ccf5ce) * z + k_f32(0xbab6061a)) * z + k_f32(0x3d2aaaa5)) * z;
        return ((k_f32(0x3f800000) - w) - h) + (p * z - r * d);
    }

    /// sin(x + quarter · π/2) for positive x.
    fn k_wave_f32(x: f32, quarter: u32) -> f32 {
        let q: u32 = k_quarter_f32(x);
        let r: f32 = k_angle_f32(x);
        let d: f32 = k_angle_rest_f32(x);
        let n: u32 = q + quarter;
        let sine: f32 = r + k_sine_tail_f32(r, d);
        let cosine: f32 = (k_f32(0x3f800000) - k_f32(0x3f000000) * (r * r)) + k_cosine_tail_f32(r, d);
        let flip: bool = (q & k_u32(0x4)) != k_u32(0x0);
        let odd: bool = (n & k_u32(0x1)) != k_u32(0x0);
        let y: f32 = k_pick(odd, cosine, k_pick(flip, -sine, sine));
        return k_pick((n & k_u32(0x2)) != k_u32(0x0), -y, y);
    }

    /// `sin`, for x of any size.
    fn k_sin_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let a: f32 = f32_of(bits_f32(x) ^ sign);
        let y: f32 = f32_of(bits_f32(k_wave_f32(a, k_u32(0x0))) ^ sign);
        return k_pick(a < f32_of(k_u32(0x7f800000)), y, f32_of(k_u32(0x7fc00000)));
    }

    /// `cos`, for x of any size.
    fn k_cos_f32(x: f32) -> f32 {
        let a: f32 = f32_of(bits_f32(x) & k_u32(0x7fffffff));
        let y: f32 = k_wave_f32(a, k_u32(0x1));
        return k_pick(a < f32_of(k_u32(0x7f800000)), y, f32_of(k_u32(0x7fc00000)));
    }

    /// `tan`, for x of any size: the quotient of sine and cosine, each in two parts.
    fn k_tan_f32(x: f32) -> f32 {
        let sign: u32 = bits_f32(x) & k_u32(0x80000000);
        let a: f32 = f32_of(bits_f32(x) ^ sign);
        let q: u32 = k_quarter_f32(a);
        let r: f32 = k_angle_f32(a);
        let d: f32 = k_angle_rest_f32(a);
        let st: f32 = k_sine_tail_f32(r, d);
        let s: f32 = r + st;
        let sl: f32 = (r - s) + st;
        let w: f32 = k_f32(0x3f800000) - k_f32(0x3f000000) * (r * r);
        let ct: f32 = k_cosine_tail_f32(r, d);
        let c: f32 = w + ct;
        let cl: f32 = (w - c) + ct;
        let odd: bool = (q & k_u32(0x1)) != k_u32(0x0);
        let n: f32 = k_pick(odd, c, s);
        let nl: f32 = k_pick(odd, cl, sl);
        let m: f32 = k_pick(odd, s, c);
        let ml: f32 = k_pick(odd, sl, cl);
        let t: f32 = k_div_f32(n, m);
        let fine: f32 = t + k_quotient_rest_f32(t, n, nl, m, ml);
        let tiny: bool = a < k_f32(0x38800000);
        let y: f32 = k_pick(tiny, a, fine);
        let turned: bool = odd != ((q & k_u32(0x4)) != k_u32(0x0));
        let flip: u32 = k_pick(turned, k_u32(0x80000000), k_u32(0x0));
        let z: f32 = f32_of(bits_f32(y) ^ sign ^ flip);
        return k_pick(a < f32_of(k_u32(0x7f800000)), z, f32_of(k_u32(0x7fc00000)));
    }

    /// Bits 64i … 64i + 63 of 2/π after 64 leading zeros, for i < 20.
    fn k_two_over_pi_f64(i: u64) -> u64 {
        let t0: u64 = k_pick(i < k_u64(2), k_pick(i < k_u64(1), k_u64(0x0000000000000000), k_u64(0xa2f9836e4e441529)), k_pick(i < k_u64(3), k_u64(0xfc2757d1f534ddc0), k_pick(i < k_u64(4), k_u64(0xdb6295993c439041), k_u64(0xfe5163abdebbc561))));
        let t1: u64 = k_pick(i < k_u64(7), k_pick(i < k_u64(6), k_u64(0xb7246e3a424dd2e0), k_u64(0x06492eea09d1921c)), k_pick(i < k_u64(8), k_u64(0xfe1deb1cb129a73e), k_pick(i < k_u64(9), k_u64(0xe88235f52ebb4484), k_u64(0xe99c7026b45f7e41))));
        let t2: u64 = k_pick(i < k_u64(12), k_pick(i < k_u64(11), k_u64(0x3991d639835339f4), k_u64(0x9c845f8bbdf9283b)), k_pick(i < k_u64(13), k_u64(0x1ff897ffde05980f), k_pick(i < k_u64(14), k_u64(0xef2f118b5a0a6d1f), k_u64(0x6d367ecf27cb09b7))));
        let t3: u64 = k_pick(i < k_u64(17), k_pick(i < k_u64(16), k_u64(0x4f463f669e5fea2d), k_u64(0x7527bac7ebe5f17b)), k_pick(i < k_u64(18), k_u64(0x3d0739f78a5292ea), k_pick(i < k_u64(19), k_u64(0x6bfb5fb11f8d5d08), k_u64(0x56033046fc7b6bab))));
        return k_pick(i < k_u64(10), k_pick(i < k_u64(5), t0, t1), k_pick(i < k_u64(15), t2, t3));
    }

    /// The upper half of the product.
    fn k_high(a: u64, b: u64) -> u64 {
        let al: u64 = a & k_u64(0xffffffff);
        let ah: u64 = a >> 32;
        let bl: u64 = b & k_u64(0xffffffff);
        let bh: u64 = b >> 32;
        let m: u64 = ah * bl + ((al * bl) >> 32);
        let n: u64 = al * bh + (m & k_u64(0xffffffff));
        return ah * bh + (m >> 32) + (n >> 32);
    }

    /// 64 bits of two words from bit `n` on, for n < 64.
    fn k_join(high: u64, low: u64, n: u64) -> u64 {
        return k_shl(high, n) | k_shr(low >> 1, k_u64(63) - n);
    }

    /// x · 2/π modulo 4 in units of 2^-62, for positive x: of the 192 bits of 2/π that matter, times
    /// the 53 of x.
    fn k_turns_f64(x: f64) -> u64 {
        let ix: u64 = bits_f64(x);
        let start: u64 = ((ix >> 52) - k_u64(0x3f5)) & k_u64(0x7ff);
        let i: u64 = start >> 6;
        let n: u64 = start & k_u64(0x3f);
        let m: u64 = (ix & k_u64(0x000fffffffffffff)) | k_u64(0x0010000000000000);
        let w1: u64 = k_two_over_pi_f64(i + k_u64(1));
        let w2: u64 = k_two_over_pi_f64(i + k_u64(2));
        let mb: u64 = k_join(w1, w2, n);
        let low: u64 = m * mb + k_high(m, k_join(w2, k_two_over_pi_f64(i + k_u64(3)), n));
        let carry: u64 = k_pick(low < m * mb, k_u64(1), k_u64(0));
        return m * k_join(k_two_over_pi_f64(i), w1, n) + k_high(m, mb) + carry;
    }

    /// The 64 bits below those of [`k_turns_f64`].
    fn k_turns_rest_f64(x: f64) -> u64 {
        let ix: u64 = bits_f64(x);
        let start: u64 = ((ix >> 52) - k_u64(0x3f5)) & k_u64(0x7ff);
        let i: u64 = start >> 6;
        let n: u64 = start & k_u64(0x3f);
        let m: u64 = (ix & k_u64(0x000fffffffffffff)) | k_u64(0x0010000000000000);
        let w1: u64 = k_two_over_pi_f64(i + k_u64(1));
        let w2: u64 = k_two_over_pi_f64(i + k_u64(2));
        let mb: u64 = k_join(w1, w2, n);
        let low: u64 = m * mb + k_high(m, k_join(w2, k_two_over_pi_f64(i + k_u64(3)), n));
        return low;
    }

    /// The quarter turns nearest to positive x, modulo 4, and 4 if x is below them.
    fn k_quarter_f64(x: f64) -> u64 {
        let turns: u64 = k_turns_f64(x);
        let q: u64 = (turns + k_u64(0x2000000000000000)) >> 62;
        let below: bool = ((turns - (q << 62)) >> 63) != k_u64(0);
        let n: u64 = q | k_pick(below, k_u64(4), k_u64(0));
        return k_pick(x < k_f64(0x3fe921fb54442d18), k_u64(0), n);
    }

    /// x less its quarter turns, as a size: the product of the fraction of a turn and π/2, of halves.
    fn k_angle_f64(x: f64) -> f64 {
        let high_turns: u64 = k_turns_f64(x);
        let low: u64 = k_turns_rest_f64(x);
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
        return k_pick(x < k_f64(0x3fe921fb54442d18), x, high + rest);
    }

    /// What [`k_angle_f64`] lost.
    fn k_angle_rest_f64(x: f64) -> f64 {
        let high_turns: u64 = k_turns_f64(x);
        let low: u64 = k_turns_rest_f64(x);
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
        return k_pick(x < k_f64(0x3fe921fb54442d18), k_f64(0), rest - ((high + rest) - high));
    }

    /// sin(r + d) − r.
    fn k_sine_tail_f64(r: f64, d: f64) -> f64 {
        let z: f64 = r * r;
        let p4: f64 = k_f64(0x3ec71de357b1fe7d) + z * (k_f64(0xbe5ae5e68a2b9ceb) + z * k_f64(0x3de5d93a5acfd57c));
        let p: f64 = k_f64(0x3f8111111110f8a6) + z * (k_f64(0xbf2a01a019c161d5) + z * p4);
        let v: f64 = z * r;
        return (d - z * (k_f64(0x3fe0000000000000) * d - v * p)) + v * k_f64(0xbfc5555555555549);
    }

    /// cos(r + d) − (1 − r² / 2).
    fn k_cosine_tail_f64(r: f64, d: f64) -> f64 {
        let z: f64 = r * r;
        let h: f64 = k_f64(0x3fe0000000000000) * z;
        let w: f64 = k_f64(0x3ff0000000000000) - h;
        let p4: f64 = k_f64(0xbe927e4f809c52ad) + z * (k_f64(0x3e21ee9ebdb4b1c4) + z * k_f64(0xbda8fae9be8838d4));
        let p: f64 = z * (k_f64(0x3fa555555555554c) + z * (k_f64(0xbf56c16c16c15177) + z * (k_f64(0x3efa01a019cb1590) + z * p4)));
        return ((k_f64(0x3ff0000000000000) - w) - h) + (z * p - r * d);
    }

    /// sin(x + quarter · π/2) for positive x.
    fn k_wave_f64(x: f64, quarter: u64) -> f64 {
        let q: u64 = k_quarter_f64(x);
        let r: f64 = k_angle_f64(x);
        let d: f64 = k_angle_rest_f64(x);
        let n: u64 = q + quarter;
        let sine: f64 = r + k_sine_tail_f64(r, d);
        let cosine: f64 = (k_f64(0x3ff0000000000000) - k_f64(0x3fe0000000000000) * (r * r)) + k_cosine_tail_f64(r, d);
        let flip: bool = (q & k_u64(0x4)) != k_u64(0x0);
        let odd: bool = (n & k_u64(0x1)) != k_u64(0x0);
        let y: f64 = k_pick(odd, cosine, k_pick(flip, -sine, sine));
        return k_pick((n & k_u64(0x2)) != k_u64(0x0), -y, y);
    }

    /// `sin`, for x of any size.
    fn k_sin_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) ^ sign);
        let y: f64 = f64_of(bits_f64(k_wave_f64(a, k_u64(0x0))) ^ sign);
        return k_pick(a < f64_of(k_u64(0x7ff0000000000000)), y, f64_of(k_u64(0x7ff8000000000000)));
    }

    /// `cos`, for x of any size.
    fn k_cos_f64(x: f64) -> f64 {
        let a: f64 = f64_of(bits_f64(x) & k_u64(0x7fffffffffffffff));
        let y: f64 = k_wave_f64(a, k_u64(0x1));
        return k_pick(a < f64_of(k_u64(0x7ff0000000000000)), y, f64_of(k_u64(0x7ff8000000000000)));
    }

    /// `tan`, for x of any size: the quotient of sine and cosine, each in two parts.
    fn k_tan_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) ^ sign);
        let q: u64 = k_quarter_f64(a);
        let r: f64 = k_angle_f64(a);
        let d: f64 = k_angle_rest_f64(a);
        let st: f64 = k_sine_tail_f64(r, d);
        let s: f64 = r + st;
        let sl: f64 = (r - s) + st;
        let w: f64 = k_f64(0x3ff0000000000000) - k_f64(0x3fe0000000000000) * (r * r);
        let ct: f64 = k_cosine_tail_f64(r, d);
        let c: f64 = w + ct;
        let cl: f64 = (w - c) + ct;
        let odd: bool = (q & k_u64(0x1)) != k_u64(0x0);
        let n: f64 = k_pick(odd, c, s);
        let nl: f64 = k_pick(odd, cl, sl);
        let m: f64 = k_pick(odd, s, c);
        let ml: f64 = k_pick(odd, sl, cl);
        let t: f64 = k_div_f64(n, m);
        let fine: f64 = t + k_quotient_rest_f64(t, n, nl, m, ml);
        let tiny: bool = a < k_f64(0x3e30000000000000);
        let y: f64 = k_pick(tiny, a, fine);
        let turned: bool = odd != ((q & k_u64(0x4)) != k_u64(0x0));
        let flip: u64 = k_pick(turned, k_u64(0x8000000000000000), k_u64(0x0));
        let z: f64 = f64_of(bits_f64(y) ^ sign ^ flip);
        return k_pick(a < f64_of(k_u64(0x7ff0000000000000)), z, f64_of(k_u64(0x7ff8000000000000)));
    }
}
