//! Functions that are exact, or one operation.

use super::portable;

portable! {
    /// `round`: halves go away from zero.
    fn k_round(x: real) -> real {
        let t: real = k_trunc(x);
        let one: real = of_bits(k_bits(0x3f800000, 0x3ff0000000000000) | (bits_of(x) & SIGN));
        let rest: real = x - t;
        let up: bool = rest >= HALF || rest <= -HALF;
        return k_pick(up, t + one, t);
    }

    /// `fract`.
    fn k_fract(x: real) -> real {
        return x - k_trunc(x);
    }

    /// `recip`.
    fn k_recip(x: real) -> real {
        return k_div(ONE, x);
    }

    /// `signum`: ±1, or a NaN.
    fn k_signum(x: real) -> real {
        let one: real = of_bits(k_bits(0x3f800000, 0x3ff0000000000000) | (bits_of(x) & SIGN));
        return k_pick(x != x, x, one);
    }

    /// `copysign`. The sign of a NaN counts as positive.
    fn k_copysign(x: real, y: real) -> real {
        let sign: bits = k_pick(y != y, NO_BITS, bits_of(y) & SIGN);
        return of_bits((bits_of(x) & SIZE) | sign);
    }

    /// `to_degrees`.
    fn k_to_degrees(x: real) -> real {
        return x * k_real(0x42652ee1, 0x404ca5dc1a63c1f8);
    }

    /// `to_radians`.
    fn k_to_radians(x: real) -> real {
        return x * k_real(0x3c8efa35, 0x3f91df46a2529d39);
    }
}
