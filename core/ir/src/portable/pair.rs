//! Arithmetic with the rest of each rounding, so that two values hold twice the digits.

use super::portable;
use super::words::*;

portable! {
    /// The upper half of the bits of a value, so that a product of two has no rounding error.
    fn k_head_f32(x: f32) -> f32 {
        return f32_of(bits_f32(x) & k_u32(0xfffff000));
    }

    /// a · b − p, where p is the rounded product (Dekker).
    fn k_product_rest_f32(a: f32, b: f32, p: f32) -> f32 {
        let ah: f32 = k_head_f32(a);
        let al: f32 = a - ah;
        let bh: f32 = k_head_f32(b);
        let bl: f32 = b - bh;
        return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    }

    /// a + b − s, where s is the rounded sum (Knuth).
    fn k_sum_rest_f32(a: f32, b: f32, s: f32) -> f32 {
        let c: f32 = s - a;
        return (a - (s - c)) + (b - c);
    }

    /// (n + nl) / (d + dl) − q, where q is the rounded quotient n / d.
    fn k_quotient_rest_f32(q: f32, n: f32, nl: f32, d: f32, dl: f32) -> f32 {
        let p: f32 = q * d;
        let rest: f32 = ((n - p) - k_product_rest_f32(q, d, p)) + (nl - q * dl);
        return k_div_f32(rest, d);
    }

    /// y · 2^n for |n| below 256, in two factors, so that a subnormal result is rounded once.
    fn k_scale_f32(y: f32, n: u32) -> f32 {
        let h: u32 = ((n + k_u32(0x100)) >> 1) - k_u32(0x80);
        let z: f32 = y * f32_of((h + k_u32(0x7f)) << 23);
        return z * f32_of((n - h + k_u32(0x7f)) << 23);
    }

    /// The upper half of the bits of a value, so that a product of two has no rounding error.
    fn k_head_f64(x: f64) -> f64 {
        return f64_of(bits_f64(x) & k_u64(0xfffffffff8000000));
    }

    /// a · b − p, where p is the rounded product (Dekker).
    fn k_product_rest_f64(a: f64, b: f64, p: f64) -> f64 {
        let ah: f64 = k_head_f64(a);
        let al: f64 = a - ah;
        let bh: f64 = k_head_f64(b);
        let bl: f64 = b - bh;
        return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    }

    /// a + b − s, where s is the rounded sum (Knuth).
    fn k_sum_rest_f64(a: f64, b: f64, s: f64) -> f64 {
        let c: f64 = s - a;
        return (a - (s - c)) + (b - c);
    }

    /// (n + nl) / (d + dl) − q, where q is the rounded quotient n / d.
    fn k_quotient_rest_f64(q: f64, n: f64, nl: f64, d: f64, dl: f64) -> f64 {
        let p: f64 = q * d;
        let rest: f64 = ((n - p) - k_product_rest_f64(q, d, p)) + (nl - q * dl);
        return k_div_f64(rest, d);
    }

    /// y · 2^n for |n| below 4096, in two factors, so that a subnormal result is rounded once.
    fn k_scale_f64(y: f64, n: u64) -> f64 {
        let h: u64 = ((n + k_u64(0x1000)) >> 1) - k_u64(0x800);
        let z: f64 = y * f64_of((h + k_u64(0x3ff)) << 52);
        return z * f64_of((n - h + k_u64(0x3ff)) << 52);
    }
}
