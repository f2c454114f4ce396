//! Rounding to integers.

use super::portable;

portable! {
    /// `round_ties_even`: below 2^23, where not every value is an integer, adding that rounds to one.
    /// OpenCL's `rint` of a constant is wrong in some versions of PoCL.
    fn k_round_ties_even(x: real) -> real {
        let sign: bits = bits_of(x) & SIGN;
        let a: real = of_bits(bits_of(x) & SIZE);
        let n: real = (a + WHOLE) - WHOLE;
        return k_pick(a < WHOLE, of_bits(bits_of(n) | sign), x);
    }

    /// `trunc`.
    fn k_trunc(x: real) -> real {
        let sign: bits = bits_of(x) & SIGN;
        let a: real = of_bits(bits_of(x) & SIZE);
        let n: real = (a + WHOLE) - WHOLE;
        let t: real = k_pick(n > a, n - ONE, n);
        return k_pick(a < WHOLE, of_bits(bits_of(t) | sign), x);
    }

    /// `floor`.
    fn k_floor(x: real) -> real {
        let t: real = k_trunc(x);
        return k_pick(t > x, t - ONE, t);
    }

    /// `ceil`.
    fn k_ceil(x: real) -> real {
        let t: real = k_trunc(x);
        return k_pick(t < x, t + ONE, t);
    }
}
