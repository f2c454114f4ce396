//! Functions of `f64`. Coefficients of `exp` and `ln` are those of fdlibm, of `tanh` those of
//! Cephes.

use super::{k_pick, portable};
use crate::MathFn;
use std::num::Wrapping;

/// Integers wrap here, as unsigned ones do in C.
#[allow(non_camel_case_types, reason = "it stands for the type of this name")]
type u64 = Wrapping<std::primitive::u64>;

const fn k_u64(bits: std::primitive::u64) -> u64 {
    Wrapping(bits)
}

const fn k_f64(bits: std::primitive::u64) -> f64 {
    f64::from_bits(bits)
}

#[inline(always)]
const fn f64_of(bits: u64) -> f64 {
    f64::from_bits(bits.0)
}

#[inline(always)]
const fn bits_f64(x: f64) -> u64 {
    Wrapping(x.to_bits())
}

/// The value of a function of one operand.
#[inline(always)]
pub(crate) fn unary(x: f64, function: MathFn) -> f64 {
    match function {
        MathFn::Abs => x.abs(),
        MathFn::Sqrt => x.sqrt(),
        MathFn::Floor => k_floor_f64(x),
        MathFn::Ceil => k_ceil_f64(x),
        MathFn::Trunc => k_trunc_f64(x),
        MathFn::RoundTiesEven => k_round_ties_even_f64(x),
        MathFn::Exp => k_exp_f64(x),
        MathFn::Ln => k_ln_f64(x),
        MathFn::Tanh => k_tanh_f64(x),
        MathFn::Sin => k_sin_f64(x),
        MathFn::Cos => k_cos_f64(x),
        MathFn::Min | MathFn::Max | MathFn::MulAdd => x,
    }
}

#[inline(always)]
const fn k_double(x: u64) -> f64 {
    x.0 as f64
}

#[inline(always)]
const fn k_shl(x: u64, n: u64) -> u64 {
    Wrapping(x.0 << n.0)
}

#[inline(always)]
const fn k_shr(x: u64, n: u64) -> u64 {
    Wrapping(x.0 >> n.0)
}

portable! {
    /// `exp`: as that of `f32`, with a rational function for r.
    fn k_exp_f64(x: f64) -> f64 {
        let low: f64 = k_pick(x < k_f64(0xc087500000000000), k_f64(0xc087500000000000), x);
        let a: f64 = k_pick(low > k_f64(0x4086300000000000), k_f64(0x4086300000000000), low);
        let t: f64 = a * k_f64(0x3ff71547652b82fe) + k_f64(0x4338000000000000);
        let n: f64 = t - k_f64(0x4338000000000000);
        let high: f64 = a - n * k_f64(0x3fe62e42fee00000);
        let lost: f64 = n * k_f64(0x3dea39ef35793c76);
        let r: f64 = high - lost;
        let z: f64 = r * r;
        let p4: f64 = (k_f64(0x3e66376972bea4d0) * z + k_f64(0xbebbbd41c5d26bf1)) * z;
        let p3: f64 = (p4 + k_f64(0x3f11566aaf25de2c)) * z;
        let p2: f64 = (p3 + k_f64(0xbf66c16c16bebd93)) * z;
        let c: f64 = r - (p2 + k_f64(0x3fc555555555553e)) * z;
        let q: f64 = (r * c) / (k_f64(0x4000000000000000) - c);
        let p: f64 = ((q - lost) + high) + k_f64(0x3ff0000000000000);
        let e: u64 = bits_f64(t) - k_u64(0x4338000000000000);
        let h: u64 = ((e + k_u64(0x1000)) >> 1) - k_u64(0x800);
        let y: f64 = p * f64_of((h + k_u64(0x3ff)) << 52);
        let w: f64 = y * f64_of((e - h + k_u64(0x3ff)) << 52);
        return k_pick(x != x, x, w);
    }

    /// `ln`: as that of `f32`.
    fn k_ln_f64(x: f64) -> f64 {
        let tiny: bool = x < k_f64(0x0010000000000000);
        let a: f64 = k_pick(tiny, x * k_f64(0x4350000000000000), x);
        let ix: u64 = bits_f64(a) + k_u64(0x00095f6200000000);
        let k: u64 = (ix >> 52) - k_pick(tiny, k_u64(0x435), k_u64(0x3ff));
        let m: f64 = f64_of((ix & k_u64(0x000fffffffffffff)) + k_u64(0x3fe6a09e00000000));
        let dk: f64 = f64_of(k + k_u64(0x4338000000000000)) - k_f64(0x4338000000000000);
        let f: f64 = m - k_f64(0x3ff0000000000000);
        let s: f64 = f / (f + k_f64(0x4000000000000000));
        let z: f64 = s * s;
        let w: f64 = z * z;
        let u1: f64 = (k_f64(0x3fc39a09d078c69f) * w + k_f64(0x3fcc71c51d8e78af)) * w;
        let t1: f64 = (u1 + k_f64(0x3fd999999997fa04)) * w;
        let u2: f64 = (k_f64(0x3fc2f112df3e5244) * w + k_f64(0x3fc7466496cb03de)) * w;
        let v2: f64 = (u2 + k_f64(0x3fd2492494229359)) * w;
        let t2: f64 = (v2 + k_f64(0x3fe5555555555593)) * z;
        let q: f64 = k_f64(0x3fe0000000000000) * f * f;
        let small: f64 = s * (q + (t1 + t2)) + dk * k_f64(0x3dea39ef35793c76);
        let y: f64 = ((small - q) + f) + dk * k_f64(0x3fe62e42fee00000);
        let domain: f64 = k_pick(x < k_f64(0), k_f64(0x7ff8000000000000), y);
        let zero: f64 = k_pick(x == k_f64(0), k_f64(0xfff0000000000000), domain);
        return k_pick(x != x || x == k_f64(0x7ff0000000000000), x, zero);
    }

    /// `tanh`: a rational function below 0.625, else 1 − 2 / (exp(2x) + 1).
    fn k_tanh_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) & k_u64(0x7fffffffffffffff));
        let z: f64 = a * a;
        let p1: f64 = k_f64(0xbfeedc5baafd6f4b) * z + k_f64(0xc058d26a0e26682d);
        let p: f64 = p1 * z + k_f64(0xc0993ac030580563);
        let q1: f64 = (z + k_f64(0x405c33f28a581b86)) * z + k_f64(0x40a176fa0e5535fa);
        let q: f64 = q1 * z + k_f64(0x40b2ec102442040c);
        let small: f64 = a * z * (p / q) + a;
        let e: f64 = k_exp_f64(a + a);
        let large: f64 = k_f64(0x3ff0000000000000) - k_f64(0x4000000000000000) / (e + k_f64(0x3ff0000000000000));
        let y: f64 = k_pick(a < k_f64(0x3fe4000000000000), small, large);
        return f64_of(bits_f64(y) | sign);
    }

    /// `round_ties_even`: below 2^52, where not every value is an integer, adding that rounds to one.
    /// OpenCL's `rint` of a constant is wrong in some versions of PoCL.
    fn k_round_ties_even_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) & k_u64(0x7fffffffffffffff));
        let n: f64 = (a + k_f64(0x4330000000000000)) - k_f64(0x4330000000000000);
        return k_pick(a < k_f64(0x4330000000000000), f64_of(bits_f64(n) | sign), x);
    }

    /// `trunc`.
    fn k_trunc_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) & k_u64(0x7fffffffffffffff));
        let n: f64 = (a + k_f64(0x4330000000000000)) - k_f64(0x4330000000000000);
        let t: f64 = k_pick(n > a, n - k_f64(0x3ff0000000000000), n);
        return k_pick(a < k_f64(0x4330000000000000), f64_of(bits_f64(t) | sign), x);
    }

    /// `floor`.
    fn k_floor_f64(x: f64) -> f64 {
        let t: f64 = k_trunc_f64(x);
        return k_pick(t > x, t - k_f64(0x3ff0000000000000), t);
    }

    /// `ceil`.
    fn k_ceil_f64(x: f64) -> f64 {
        let t: f64 = k_trunc_f64(x);
        return k_pick(t < x, t + k_f64(0x3ff0000000000000), t);
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

    /// sin(x + quarter · π/2) for positive x: as that of `f32`, with 192 bits of 2/π times the 53 of x,
    /// of which 128 are kept, and the polynomials of fdlibm.
    fn k_wave_f64(x: f64, quarter: u64) -> f64 {
        let ix: u64 = bits_f64(x);
        let start: u64 = ((ix >> 52) - k_u64(0x3f5)) & k_u64(0x7ff);
        let i: u64 = start >> 6;
        let n: u64 = start & k_u64(0x3f);
        let m: u64 = (ix & k_u64(0x000fffffffffffff)) | k_u64(0x0010000000000000);
        let w0: u64 = k_two_over_pi_f64(i);
        let w1: u64 = k_two_over_pi_f64(i + k_u64(1));
        let w2: u64 = k_two_over_pi_f64(i + k_u64(2));
        let w3: u64 = k_two_over_pi_f64(i + k_u64(3));
        let mb: u64 = k_join(w1, w2, n);
        let low: u64 = m * mb + k_high(m, k_join(w2, w3, n));
        let carry: u64 = k_pick(low < m * mb, k_u64(1), k_u64(0));
        let high: u64 = m * k_join(w0, w1, n) + k_high(m, mb) + carry;
        let q: u64 = (high + k_u64(0x2000000000000000)) >> 62;
        let f: u64 = high - (q << 62);
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
        let top: f64 = s1 * k_f64(0x3ff921fb50000000);
        let tail: f64 = s * k_f64(0x3c91a62633145c07) + e * k_f64(0x3ff921fb54442d18) + s2 * k_f64(0x3e5110b460000000);
        let rest: f64 = (s1 * k_f64(0x3e5110b460000000) + s2 * k_f64(0x3ff921fb50000000)) + tail;
        let sum: f64 = top + rest;
        let near: bool = x < k_f64(0x3fe921fb54442d18);
        let r: f64 = k_pick(near, x, sum);
        let d: f64 = k_pick(near, k_f64(0), rest - (sum - top));
        let k: u64 = k_pick(near, k_u64(0), q) + quarter;
        let flip: bool = below && !near;
        let z: f64 = r * r;
        let h: f64 = k_f64(0x3fe0000000000000) * z;
        let v: f64 = z * r;
        let ps4: f64 = k_f64(0x3ec71de357b1fe7d) + z * (k_f64(0xbe5ae5e68a2b9ceb) + z * k_f64(0x3de5d93a5acfd57c));
        let ps: f64 = k_f64(0x3f8111111110f8a6) + z * (k_f64(0xbf2a01a019c161d5) + z * ps4);
        let sine: f64 = r - ((z * (k_f64(0x3fe0000000000000) * d - v * ps) - d) - v * k_f64(0xbfc5555555555549));
        let pc4: f64 = k_f64(0xbe927e4f809c52ad) + z * (k_f64(0x3e21ee9ebdb4b1c4) + z * k_f64(0xbda8fae9be8838d4));
        let pc: f64 = z * (k_f64(0x3fa555555555554c) + z * (k_f64(0xbf56c16c16c15177) + z * (k_f64(0x3efa01a019cb1590) + z * pc4)));
        let w: f64 = k_f64(0x3ff0000000000000) - h;
        let cosine: f64 = w + (((k_f64(0x3ff0000000000000) - w) - h) + (z * pc - r * d));
        let odd: bool = (k & k_u64(1)) != k_u64(0);
        let y: f64 = k_pick(odd, cosine, k_pick(flip, -sine, sine));
        return k_pick((k & k_u64(2)) != k_u64(0), -y, y);
    }

    /// `sin`, for x of any size.
    fn k_sin_f64(x: f64) -> f64 {
        let sign: u64 = bits_f64(x) & k_u64(0x8000000000000000);
        let a: f64 = f64_of(bits_f64(x) & k_u64(0x7fffffffffffffff));
        let y: f64 = f64_of(bits_f64(k_wave_f64(a, k_u64(0))) ^ sign);
        return k_pick(a < k_f64(0x7ff0000000000000), y, k_f64(0x7ff8000000000000));
    }

    /// `cos`, for x of any size.
    fn k_cos_f64(x: f64) -> f64 {
        let a: f64 = f64_of(bits_f64(x) & k_u64(0x7fffffffffffffff));
        let y: f64 = k_wave_f64(a, k_u64(1));
        return k_pick(a < k_f64(0x7ff0000000000000), y, k_f64(0x7ff8000000000000));
    }
}
