//! The functions of preludes, as C in neutral words.

use crate::Type;

/// Functions of a family of types, one after the other, of each name the first that takes the type. `$T` stands for
/// the type, `$M` for the one that holds it in memory, `$A` for the one that holds it in arrays, `$U` for its
/// unsigned twin, `$B` for the type of its bits, or whose bits it is, `$N` for the bits of a NaN.
pub(super) const FAMILIES: &[(Class, &str)] = &[
    (
        Class::Narrow,
        "fn $T k_load_$T(global const u16* data, usize at, usize len, u32 site, global u32* cell) {
    if (at < len) return k_wide_$T(data[at]);
    k_fault(at, len, site, cell);
    return 0;
}
fn void k_store_$T(global u16* data, usize at, $T value, usize len, u32 site, global u32* cell) {
    if (at < len) data[at] = (u16)k_narrow_$T(value);
    else k_fault(at, len, site, cell);
}
fn $T k_get_global_$T(global const u16* data, usize at) { return at == ~(usize)0 ? 0 : k_wide_$T(data[at]); }
fn void k_set_global_$T(global u16* data, usize at, $T value) { if (at != ~(usize)0) data[at] = (u16)k_narrow_$T(value); }",
    ),
    (
        Class::Any,
        "fn $T k_load_$T(global const $M* data, usize at, usize len, u32 site, global u32* cell) {
    if (at < len) return data[at];
    k_fault(at, len, site, cell);
    return 0;
}
fn void k_store_$T(global $M* data, usize at, $T value, usize len, u32 site, global u32* cell) {
    if (at < len) data[at] = value;
    else k_fault(at, len, site, cell);
}
fn $T k_get_global_$T(global const $M* data, usize at) { return at == ~(usize)0 ? 0 : data[at]; }
fn $T k_get_shared_$T(shared_data const $A* data, usize at) { return at == ~(usize)0 ? 0 : data[at]; }
fn $T k_get_local_$T(const $A* data, usize at) { return at == ~(usize)0 ? 0 : data[at]; }
fn void k_set_global_$T(global $M* data, usize at, $T value) { if (at != ~(usize)0) data[at] = value; }
fn void k_set_shared_$T(shared_data $A* data, usize at, $T value) { if (at != ~(usize)0) data[at] = value; }
fn void k_set_local_$T($A* data, usize at, $T value) { if (at != ~(usize)0) data[at] = value; }
fn $T k_clamp_$T($T a, $T low, $T high) { return a < low ? low : a > high ? high : a; }",
    ),
    (
        Class::Integer,
        "fn $T k_pow_$T($T a, u32 n) {
    $U y = 1;
    $U square = ($U)a;
    while (n != 0u) {
        if ((n & 1u) != 0u) y = ($U)(1u * y * square);
        square = ($U)(1u * square * square);
        n >>= 1;
    }
    return ($T)y;
}
fn $T k_rotate_left_$T($T a, u32 n) {
    u32 last = (u32)sizeof($U) * 8u - 1u;
    return ($T)(($U)(($U)a << (n & last)) | ($U)(($U)a >> ((0u - n) & last)));
}
fn $T k_rotate_right_$T($T a, u32 n) { return k_rotate_left_$T(a, 0u - n); }
fn u32 k_count_ones_$T($T a) {
    $U x = ($U)a;
    u32 n = 0u;
    while (x != 0) {
        x &= ($U)(x - 1);
        n += 1u;
    }
    return n;
}
fn u32 k_leading_zeros_$T($T a) {
    $U x = ($U)a;
    u32 n = (u32)sizeof($U) * 8u;
    while (x != 0) {
        x = ($U)(x >> 1);
        n -= 1u;
    }
    return n;
}
fn u32 k_trailing_zeros_$T($T a) {
    $U x = ($U)a;
    return k_count_ones_$U(($U)(~x & ($U)(x - 1)));
}",
    ),
    (
        Class::Signed,
        "fn $T k_div_$T($T a, $T b) { return b == 0 ? 0 : b == -1 ? ($T)(0u - ($U)a) : a / b; }
fn $T k_rem_$T($T a, $T b) { return b == 0 || b == -1 ? 0 : a % b; }
fn $T k_abs_$T($T a) { return a < 0 ? ($T)(0u - ($U)a) : a; }
fn $T k_min_$T($T a, $T b) { return b < a ? b : a; }
fn $T k_max_$T($T a, $T b) { return b > a ? b : a; }
fn $T k_rem_euclid_$T($T a, $T b) {
    $T r = k_rem_$T(a, b);
    return r < 0 ? b < 0 ? r - b : r + b : r;
}
fn $T k_div_euclid_$T($T a, $T b) {
    $T q = k_div_$T(a, b);
    return k_rem_$T(a, b) < 0 ? b > 0 ? q - 1 : q + 1 : q;
}
fn $T k_signum_$T($T a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }
fn $T k_saturating_add_$T($T a, $T b) {
    $T s = ($T)(($U)a + ($U)b);
    $T most = ($T)(($U)~($U)0 >> 1);
    return (a < 0) == (b < 0) && (s < 0) != (a < 0) ? a < 0 ? -most - 1 : most : s;
}
fn $T k_saturating_sub_$T($T a, $T b) {
    $T s = ($T)(($U)a - ($U)b);
    $T most = ($T)(($U)~($U)0 >> 1);
    return (a < 0) != (b < 0) && (s < 0) != (a < 0) ? a < 0 ? -most - 1 : most : s;
}",
    ),
    (
        Class::Unsigned,
        "fn $T k_div_$T($T a, $T b) { return b == 0 ? 0 : a / b; }
fn $T k_rem_$T($T a, $T b) { return b == 0 ? 0 : a % b; }
fn $T k_min_$T($T a, $T b) { return b < a ? b : a; }
fn $T k_max_$T($T a, $T b) { return b > a ? b : a; }
fn $T k_rem_euclid_$T($T a, $T b) { return k_rem_$T(a, b); }
fn $T k_div_euclid_$T($T a, $T b) { return k_div_$T(a, b); }
fn $T k_saturating_add_$T($T a, $T b) {
    $T s = ($T)(a + b);
    return s < a ? ($T)~($T)0 : s;
}
fn $T k_saturating_sub_$T($T a, $T b) { return a < b ? 0 : ($T)(a - b); }
fn $B k_from_bits_$T($T a) { return $B_of(a); }",
    ),
    (
        Class::Float,
        "fn $T k_min_$T($T a, $T b) {
    return a != a ? b : b != b ? a : a < b ? a : b < a ? b : $T_of(bits_$T(a) | bits_$T(b));
}
fn $T k_max_$T($T a, $T b) {
    return a != a ? b : b != b ? a : a > b ? a : b > a ? b : $T_of(bits_$T(a) & bits_$T(b));
}
fn $T k_rem_euclid_$T($T a, $T b) {
    $T r = rem_$T(a, b);
    return r < 0 ? r + abs_$T(b) : r;
}
fn $T k_div_euclid_$T($T a, $T b) {
    $T q = k_trunc_$T(k_div_$T(a, b));
    return rem_$T(a, b) < 0 ? b > 0 ? q - 1 : q + 1 : q;
}
fn $T k_powi_$T($T x, i32 n) {
    $T y = 1;
    $T square = x;
    u32 rest = n < 0 ? 0u - (u32)n : (u32)n;
    while (rest != 0u) {
        if ((rest & 1u) != 0u) y = y * square;
        square = square * square;
        rest >>= 1;
    }
    return n < 0 ? k_div_$T(1, y) : y;
}
fn bool k_is_nan_$T($T a) { return a != a; }
fn bool k_is_finite_$T($T a) { return a - a == 0; }
fn bool k_is_infinite_$T($T a) { return a == a && a - a != 0; }
fn $B k_to_bits_$T($T a) { return a != a ? $Nu : bits_$T(a); }",
    ),
];

/// The functions where `/` and `sqrt` of `f32` do not round correctly.
pub(super) const DIVIDES_IN_DOUBLE: &str =
    "fn f32 k_div_f32(f32 a, f32 b) { return (f32)((f64)a / (f64)b); }\n";
pub(super) const ROOTS_IN_DOUBLE: &str =
    "fn f32 k_sqrt_f32(f32 a) { return (f32)sqrt_f64((f64)a); }\n";

/// Functions of no family.
pub(super) const SINGLES: &[(&str, &str)] = &[
    (
        "k_fault",
        "fn void k_fault(usize at, usize len, u32 site, global u32* cell) {
    if (cas(cell, 0u, site + 1u) == 0u) {
        cell[2] = (u32)at;
        cell[3] = (u32)(at >> 32);
        cell[4] = (u32)len;
        cell[5] = (u32)(len >> 32);
    }
}
",
    ),
    ("k_pick", "#define k_pick(c, a, b) ((c) ? (a) : (b))\n"),
    ("k_u32", "#define k_u32(bits) ((u32)(bits))\n"),
    ("k_u64", "#define k_u64(bits) ((u64)(bits))\n"),
    ("k_div_f32", "fn f32 k_div_f32(f32 a, f32 b) { return a / b; }\n"),
    ("k_sqrt_f32", "fn f32 k_sqrt_f32(f32 a) { return sqrt_f32(a); }\n"),
    ("k_div_f64", "fn f64 k_div_f64(f64 a, f64 b) { return a / b; }\n"),
    ("k_sqrt_f64", "fn f64 k_sqrt_f64(f64 a) { return sqrt_f64(a); }\n"),
    ("k_wide", "#define k_wide(x) ((u64)(x))\n"),
    ("k_low", "#define k_low(x) ((u32)(x))\n"),
    ("k_float", "#define k_float(x) ((f32)(x))\n"),
    ("k_double", "#define k_double(x) ((f64)(x))\n"),
    ("k_shl", "#define k_shl(x, n) ((x) << (n))\n"),
    ("k_shr", "#define k_shr(x, n) ((x) >> (n))\n"),
    ("k_f32", "#define k_f32(bits) f32_of((u32)(bits))\n"),
    ("k_f64", "#define k_f64(bits) f64_of((u64)(bits))\n"),
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Any,
    Signed,
    Unsigned,
    Integer,
    /// `f32` and `f64`.
    Float,
    /// Types of 16 bits, whose values are held as `f32`.
    Narrow,
}

impl Class {
    pub(super) fn takes(self, ty: Type) -> bool {
        match self {
            Class::Any => true,
            Class::Signed => ty.is_signed() && ty.is_integer(),
            Class::Unsigned => !ty.is_signed() && ty.is_integer(),
            Class::Integer => ty.is_integer(),
            Class::Float => ty.is_float() && !ty.is_narrow(),
            Class::Narrow => ty.is_narrow(),
        }
    }
}
