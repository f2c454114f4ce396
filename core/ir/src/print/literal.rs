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
        Type::BF16 => return float(bits << 16, Type::F32),
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
        ty if ty.is_small() && ty.is_signed() => format!("(({ty})({value}))"),
        _ => format!("({}){value}{}", ty.name(), if ty == Type::I64 { "" } else { "u" }),
    }
}

#[cfg(test)]
mod tests;
