//! Arithmetic with the rest of each rounding, so that two values hold twice the digits.

use super::portable;

portable! {
    /// The upper half of the bits of a value, so that a product of two has no rounding error.
    fn k_head(x: real) -> real {
        return of_bits(bits_of(x) & k_bits(0xfffff000, 0xfffffffff8000000));
    }

    /// a · b − p, where p is the rounded product (Dekker).
    fn k_product_rest(a: real, b: real, p: real) -> real {
        let ah: real = k_head(a);
        let al: real = a - ah;
        let bh: real = k_head(b);
        let bl: real = b - bh;
        return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    }

    /// a + b − s, where s is the rounded sum (Knuth).
    fn k_sum_rest(a: real, b: real, s: real) -> real {
        let c: real = s - a;
        return (a - (s - c)) + (b - c);
    }

    /// (n + nl) / (d + dl) − q, where q is the rounded quotient n / d.
    fn k_quotient_rest(q: real, n: real, nl: real, d: real, dl: real) -> real {
        let p: real = q * d;
        let rest: real = ((n - p) - k_product_rest(q, d, p)) + (nl - q * dl);
        return k_div(rest, d);
    }

    /// y · 2^n for |n| below 256, in two factors, so that a subnormal result is rounded once.
    fn k_scale(y: real, n: bits) -> real {
        let h: bits = ((n + k_bits(0x100, 0x1000)) >> 1) - k_bits(0x80, 0x800);
        let z: real = y * of_bits((h + BIAS) << DIGITS);
        return z * of_bits((n - h + BIAS) << DIGITS);
    }
}
