//! The functions that a text needs, each once, before their first use.

use super::expr::unsigned;
use super::{Facts, access, body, names};
use crate::{AtomicOp, Kernel, MathFn, Type, portable};

/// Texts of functions in neutral words. `$T` stands for the type, `$U` for its unsigned twin, `$B` for
/// the type of its bits, or whose bits it is, `$N` for the bits of a NaN.
const FAMILIES: &[(&str, Class, &str)] = &[
    (
        "k_load",
        Class::Narrow,
        "fn $T k_load_$T(global const u16* data, usize at, usize len, u32 site, global u32* cell) {
    if (at < len) return k_wide_$T(data[at]);
    k_fault(at, len, site, cell);
    return 0;
}
",
    ),
    (
        "k_store",
        Class::Narrow,
        "fn void k_store_$T(global u16* data, usize at, $T value, usize len, u32 site, global u32* cell) {
    if (at < len) data[at] = (u16)k_narrow_$T(value);
    else k_fault(at, len, site, cell);
}
",
    ),
    ("k_get_global", Class::Narrow, "fn $T k_get_global_$T(global const u16* data, usize at) { return at == ~(usize)0 ? 0 : k_wide_$T(data[at]); }\n"),
    ("k_set_global", Class::Narrow, "fn void k_set_global_$T(global u16* data, usize at, $T value) { if (at != ~(usize)0) data[at] = (u16)k_narrow_$T(value); }\n"),
    (
        "k_load",
        Class::Any,
        "fn $T k_load_$T(global const $T* data, usize at, usize len, u32 site, global u32* cell) {
    if (at < len) return data[at];
    k_fault(at, len, site, cell);
    return 0;
}
",
    ),
    (
        "k_store",
        Class::Any,
        "fn void k_store_$T(global $T* data, usize at, $T value, usize len, u32 site, global u32* cell) {
    if (at < len) data[at] = value;
    else k_fault(at, len, site, cell);
}
",
    ),
    ("k_get_global", Class::Any, "fn $T k_get_global_$T(global const $T* data, usize at) { return at == ~(usize)0 ? 0 : data[at]; }\n"),
    ("k_get_shared", Class::Any, "fn $T k_get_shared_$T(shared_data const $T* data, usize at) { return at == ~(usize)0 ? 0 : data[at]; }\n"),
    ("k_get_local", Class::Any, "fn $T k_get_local_$T(const $T* data, usize at) { return at == ~(usize)0 ? 0 : data[at]; }\n"),
    ("k_set_global", Class::Any, "fn void k_set_global_$T(global $T* data, usize at, $T value) { if (at != ~(usize)0) data[at] = value; }\n"),
    ("k_set_shared", Class::Any, "fn void k_set_shared_$T(shared_data $T* data, usize at, $T value) { if (at != ~(usize)0) data[at] = value; }\n"),
    ("k_set_local", Class::Any, "fn void k_set_local_$T($T* data, usize at, $T value) { if (at != ~(usize)0) data[at] = value; }\n"),
    ("k_div", Class::Signed, "fn $T k_div_$T($T a, $T b) { return b == 0 ? 0 : b == -1 ? ($T)(0u - ($U)a) : a / b; }\n"),
    ("k_div", Class::Unsigned, "fn $T k_div_$T($T a, $T b) { return b == 0 ? 0 : a / b; }\n"),
    ("k_rem", Class::Signed, "fn $T k_rem_$T($T a, $T b) { return b == 0 || b == -1 ? 0 : a % b; }\n"),
    ("k_rem", Class::Unsigned, "fn $T k_rem_$T($T a, $T b) { return b == 0 ? 0 : a % b; }\n"),
    ("k_abs", Class::Signed, "fn $T k_abs_$T($T a) { return a < 0 ? ($T)(0u - ($U)a) : a; }\n"),
    ("k_min", Class::Signed, "fn $T k_min_$T($T a, $T b) { return b < a ? b : a; }\n"),
    ("k_min", Class::Unsigned, "fn $T k_min_$T($T a, $T b) { return b < a ? b : a; }\n"),
    ("k_max", Class::Signed, "fn $T k_max_$T($T a, $T b) { return b > a ? b : a; }\n"),
    ("k_max", Class::Unsigned, "fn $T k_max_$T($T a, $T b) { return b > a ? b : a; }\n"),
    (
        "k_min",
        Class::Float,
        "fn $T k_min_$T($T a, $T b) {
    return a != a ? b : b != b ? a : a < b ? a : b < a ? b : $T_of(bits_$T(a) | bits_$T(b));
}
",
    ),
    (
        "k_max",
        Class::Float,
        "fn $T k_max_$T($T a, $T b) {
    return a != a ? b : b != b ? a : a > b ? a : b > a ? b : $T_of(bits_$T(a) & bits_$T(b));
}
",
    ),
    (
        "k_clamp",
        Class::Any,
        "fn $T k_clamp_$T($T a, $T low, $T high) { return a < low ? low : a > high ? high : a; }\n",
    ),
    (
        "k_rem_euclid",
        Class::Signed,
        "fn $T k_rem_euclid_$T($T a, $T b) {
    $T r = k_rem_$T(a, b);
    return r < 0 ? b < 0 ? r - b : r + b : r;
}
",
    ),
    ("k_rem_euclid", Class::Unsigned, "fn $T k_rem_euclid_$T($T a, $T b) { return k_rem_$T(a, b); }\n"),
    (
        "k_rem_euclid",
        Class::Float,
        "fn $T k_rem_euclid_$T($T a, $T b) {
    $T r = rem_$T(a, b);
    return r < 0 ? r + abs_$T(b) : r;
}
",
    ),
    (
        "k_div_euclid",
        Class::Signed,
        "fn $T k_div_euclid_$T($T a, $T b) {
    $T q = k_div_$T(a, b);
    return k_rem_$T(a, b) < 0 ? b > 0 ? q - 1 : q + 1 : q;
}
",
    ),
    ("k_div_euclid", Class::Unsigned, "fn $T k_div_euclid_$T($T a, $T b) { return k_div_$T(a, b); }\n"),
    (
        "k_div_euclid",
        Class::Float,
        "fn $T k_div_euclid_$T($T a, $T b) {
    $T q = k_trunc_$T(k_div_$T(a, b));
    return rem_$T(a, b) < 0 ? b > 0 ? q - 1 : q + 1 : q;
}
",
    ),
    ("k_signum", Class::Signed, "fn $T k_signum_$T($T a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }\n"),
    (
        "k_saturating_add",
        Class::Signed,
        "fn $T k_saturating_add_$T($T a, $T b) {
    $T s = ($T)(($U)a + ($U)b);
    $T most = ($T)(~($U)0 >> 1);
    return (a < 0) == (b < 0) && (s < 0) != (a < 0) ? a < 0 ? -most - 1 : most : s;
}
",
    ),
    (
        "k_saturating_add",
        Class::Unsigned,
        "fn $T k_saturating_add_$T($T a, $T b) {
    $T s = ($T)(a + b);
    return s < a ? ($T)~($T)0 : s;
}
",
    ),
    (
        "k_saturating_sub",
        Class::Signed,
        "fn $T k_saturating_sub_$T($T a, $T b) {
    $T s = ($T)(($U)a - ($U)b);
    $T most = ($T)(~($U)0 >> 1);
    return (a < 0) != (b < 0) && (s < 0) != (a < 0) ? a < 0 ? -most - 1 : most : s;
}
",
    ),
    ("k_saturating_sub", Class::Unsigned, "fn $T k_saturating_sub_$T($T a, $T b) { return a < b ? 0 : ($T)(a - b); }\n"),
    (
        "k_count_ones",
        Class::Integer,
        "fn u32 k_count_ones_$T($T a) {
    $U x = ($U)a;
    u32 n = 0u;
    while (x != 0) {
        x &= ($U)(x - 1);
        n += 1u;
    }
    return n;
}
",
    ),
    (
        "k_leading_zeros",
        Class::Integer,
        "fn u32 k_leading_zeros_$T($T a) {
    $U x = ($U)a;
    u32 n = (u32)sizeof($U) * 8u;
    while (x != 0) {
        x = ($U)(x >> 1);
        n -= 1u;
    }
    return n;
}
",
    ),
    (
        "k_trailing_zeros",
        Class::Integer,
        "fn u32 k_trailing_zeros_$T($T a) {
    $U x = ($U)a;
    return k_count_ones_$U(($U)(~x & ($U)(x - 1)));
}
",
    ),
    ("k_is_nan", Class::Float, "fn bool k_is_nan_$T($T a) { return a != a; }\n"),
    ("k_is_finite", Class::Float, "fn bool k_is_finite_$T($T a) { return a - a == 0; }\n"),
    ("k_is_infinite", Class::Float, "fn bool k_is_infinite_$T($T a) { return a == a && a - a != 0; }\n"),
    ("k_to_bits", Class::Float, "fn $B k_to_bits_$T($T a) { return a != a ? $Nu : bits_$T(a); }\n"),
    ("k_from_bits", Class::Unsigned, "fn $B k_from_bits_$T($T a) { return $B_of(a); }\n"),
];

/// Functions of no family.
const SINGLES: &[(&str, &str)] = &[
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
enum Class {
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
    fn takes(self, ty: Type) -> bool {
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

/// The functions that a text needs.
#[derive(Debug)]
pub(super) struct Prelude {
    divides_in_double: bool,
    names: Vec<String>,
    /// Functions of kernels, with their names in the text.
    functions: Vec<(Kernel, String)>,
    text: String,
}

impl Prelude {
    pub(super) fn new(facts: &Facts) -> Self {
        let divides_in_double = !facts.rounds_division;
        let (names, functions, text) = (Vec::new(), Vec::new(), String::new());
        Self { divides_in_double, names, functions, text }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether `/` and `sqrt` of `f32` are computed in `f64`.
    pub(super) fn divides_in_double(&self) -> bool {
        self.divides_in_double
    }

    /// The name of the function of a family for a type, whose text is added if it is missing.
    pub(super) fn name(&mut self, family: &str, ty: Type) -> String {
        let name = format!("k_{family}_{ty}");
        self.require(&name);
        name
    }

    /// The name of the function that casts a floating-point to an integer type.
    pub(super) fn saturating(&mut self, from: Type, to: Type) -> String {
        let name = format!("k_sat_{to}_{from}");
        if !self.names.contains(&name) {
            self.add(&name, &saturating(&name, from, to));
        }
        name
    }

    /// The name of the function that finds an element with `rank` indices, and records it if it is
    /// outside.
    pub(super) fn place(&mut self, rank: usize, recorded: bool) -> String {
        let name = format!("k_{}{rank}", if recorded { "place" } else { "find" });
        if !self.names.contains(&name) {
            self.add(&name, &access::place_text(&name, rank, recorded));
        }
        name
    }

    /// The name of the function of an atomic operation, on a pointer and an index that may be outside
    /// if `compared`.
    pub(super) fn atomic(&mut self, op: AtomicOp, ty: Type, space: &str, compared: bool) -> String {
        let name = format!("k_{}_{space}_{ty}", op.name());
        if !self.names.contains(&name) {
            self.add(&name, &access::atomic_text(&name, op, ty, space, false));
        }
        if !compared {
            return name;
        }
        let name = format!("{name}_in");
        if !self.names.contains(&name) {
            self.add(&name, &access::atomic_text(&name, op, ty, space, true));
        }
        name
    }

    /// The name of a function of a kernel, whose text is added if it is missing, after those that it
    /// calls.
    pub(super) fn function(&mut self, name: &str, body: &Kernel) -> String {
        if let Some((_, name)) = self.functions.iter().find(|(known, _)| known == body) {
            return name.clone();
        }
        let name = name.rsplit("::").next().unwrap_or(name).trim();
        let base = names::base(name);
        let name = format!("{base}_function{}", self.functions.len());
        self.functions.push((body.clone(), name.clone()));
        // Those that it calls come first in the text.
        let text = body::function_text(body, &name, self);
        self.text.push_str(&text);
        name
    }

    fn require(&mut self, name: &str) {
        if self.names.iter().any(|n| n == name) {
            return;
        }
        let text = self.known(name);
        let text = text.unwrap_or_else(|| panic!("no printed function is called `{name}`"));
        self.add(name, &text);
    }

    /// Adds a text after those that it mentions.
    fn add(&mut self, name: &str, text: &str) {
        self.names.push(name.to_owned());
        let word = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        for needed in text.split(word).filter(|w| w.starts_with("k_") && *w != name) {
            self.require(needed);
        }
        self.text.push_str(text);
    }

    fn known(&self, name: &str) -> Option<String> {
        if let Some((_, text)) = SINGLES.iter().find(|(single, _)| *single == name) {
            return Some((*text).to_owned());
        }
        if let Some(text) = portable::text(name) {
            return Some(text.to_owned());
        }
        let wide = self.divides_in_double;
        match name {
            "k_div_f32" if wide => {
                return Some(
                    "fn f32 k_div_f32(f32 a, f32 b) { return (f32)((f64)a / (f64)b); }\n".into(),
                );
            }
            "k_div_f32" => {
                return Some("fn f32 k_div_f32(f32 a, f32 b) { return a / b; }\n".into());
            }
            "k_sqrt_f32" if wide => {
                return Some("fn f32 k_sqrt_f32(f32 a) { return (f32)sqrt_f64((f64)a); }\n".into());
            }
            "k_sqrt_f32" => {
                return Some("fn f32 k_sqrt_f32(f32 a) { return sqrt_f32(a); }\n".into());
            }
            _ => {}
        }
        let (family, ty) = name.rsplit_once('_')?;
        let ty = Type::parse(ty)?;
        let (.., text) = FAMILIES.iter().find(|(f, class, _)| *f == family && class.takes(ty))?;
        let text = text.replace("$T", ty.name()).replace("$U", unsigned(ty).name());
        let nan = if ty == Type::F32 { "0x7fc00000" } else { "(u64)0x7ff8000000000000" };
        Some(text.replace("$B", MathFn::ToBits.result(ty).name()).replace("$N", nan))
    }
}

fn saturating(name: &str, from: Type, to: Type) -> String {
    let (bits, suffix) =
        (if to.is_signed() { "" } else { "u" }, if from == Type::F32 { "f" } else { "" });
    let (min, max) = to.integer_range().expect("an integer type");
    let above = format!("{}.0{suffix}", max + 1);
    let max = format!("({to}){max}{bits}");
    let min = crate::print::literal::integer(min, to);
    if to.is_signed() {
        format!(
            "fn {to} {name}({from} x) {{ return x != x ? 0 : x >= {above} ? {max} : x <= -{above} ? {min} : ({to})x; }}\n"
        )
    } else {
        format!(
            "fn {to} {name}({from} x) {{ return !(x > 0) ? 0 : x >= {above} ? {max} : ({to})x; }}\n"
        )
    }
}
