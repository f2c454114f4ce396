//! Literals.

use crate::Type;
use half::f16;

/// A floating-point literal: in decimal if that is short and exact, else by its bits, which no
/// compiler can round.
pub(super) fn float(bits: u64, ty: Type) -> String {
    match ty {
        Type::F16 => {
            return float(f16::from_bits(bits as u16).to_f32().to_bits().into(), Type::F32);
        }
        Type::Bf16 => return float(bits << 16, Type::F32),
        _ => {}
    }
    let single = ty == Type::F32;
    let value = if single { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) };
    let negative_zero = value == 0.0 && value.is_sign_negative();
    if (value * 16.0).fract() == 0.0 && value.abs() < 1024.0 && !negative_zero {
        let suffix = if single { "f" } else { "" };
        return if value < 0.0 {
            format!("({value:?}{suffix})")
        } else {
            format!("{value:?}{suffix}")
        };
    }
    if single { format!("f32_of(0x{bits:08x}u)") } else { format!("f64_of((u64)0x{bits:016x}u)") }
}

/// An integer literal of its type.
pub(super) fn integer(value: i128, ty: Type) -> String {
    match ty {
        Type::I32 if value == i128::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
        Type::I32 if value < 0 => format!("({value})"),
        Type::I32 => value.to_string(),
        Type::U32 => format!("{value}u"),
        Type::I64 if value == i128::from(i64::MIN) => "(-(i64)9223372036854775807 - 1)".to_owned(),
        Type::I64 if value < 0 => format!("(-(i64){})", -value),
        _ => format!("({}){value}{}", ty.name(), if ty == Type::I64 { "" } else { "u" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_never_depends_on_the_rounding_of_the_compiler() {
        let single = |v: f32| float(v.to_bits().into(), Type::F32);
        assert_eq!(single(1.0), "1.0f");
        assert_eq!(single(-0.5), "(-0.5f)");
        assert_eq!(single(0.1), "f32_of(0x3dcccccdu)");
        assert_eq!(single(-0.0), "f32_of(0x80000000u)");
        assert_eq!(single(f32::INFINITY), "f32_of(0x7f800000u)");
        assert_eq!(single(f32::NAN), "f32_of(0x7fc00000u)");
        assert_eq!(float(2.5_f64.to_bits(), Type::F64), "2.5");
        assert_eq!(float(0.1_f64.to_bits(), Type::F64), "f64_of((u64)0x3fb999999999999au)");
    }

    #[test]
    fn the_least_integers_are_no_overflow() {
        assert_eq!(integer(i32::MIN.into(), Type::I32), "(-2147483647 - 1)");
        assert_eq!(integer(i64::MIN.into(), Type::I64), "(-(i64)9223372036854775807 - 1)");
        assert_eq!(integer(-3, Type::I64), "(-(i64)3)");
        assert_eq!(integer(u64::MAX.into(), Type::U64), "(u64)18446744073709551615u");
        assert_eq!(integer(7, Type::Usize), "(usize)7u");
    }
}
