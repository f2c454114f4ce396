//! Functions of `f64`. Coefficients of `exp` and `ln` are those of fdlibm, of `tanh` those of
//! Cephes.

use super::{k_pick, portable};
use crate::MathFn;
use std::num::Wrapping;

/// Integers wrap here, as unsigned ones do in C.
#[allow(non_camel_case_types)]
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
        MathFn::Sin => x.sin(),
        MathFn::Cos => x.cos(),
        MathFn::Min | MathFn::Max | MathFn::MulAdd => x,
    }
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
}
