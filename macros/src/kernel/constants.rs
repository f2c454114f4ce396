//! Associated constants of the scalar types that a kernel may name.

use half::{bf16, f16};
use ringwood_ir::Type;

/// A constant's value: an integer, or the bits of a floating-point number.
pub(super) enum Constant {
    Int(i128),
    Float(u64),
}

/// The names, for suggestions.
pub(super) const NAMES: &[&str] =
    &["MAX", "MIN", "EPSILON", "INFINITY", "NEG_INFINITY", "NAN", "MIN_POSITIVE"];

/// The constant `ty::name`.
pub(super) fn find(ty: Type, name: &str) -> Option<Constant> {
    if let Some((min, max)) = ty.integer_range() {
        return match name {
            "MIN" => Some(Constant::Int(min)),
            "MAX" => Some(Constant::Int(max)),
            _ => None,
        };
    }
    macro_rules! float {
        ($ty:ident) => {
            match name {
                "MAX" => $ty::MAX,
                "MIN" => $ty::MIN,
                "EPSILON" => $ty::EPSILON,
                "INFINITY" => $ty::INFINITY,
                "NEG_INFINITY" => $ty::NEG_INFINITY,
                "NAN" => $ty::NAN,
                "MIN_POSITIVE" => $ty::MIN_POSITIVE,
                _ => return None,
            }
            .to_bits()
        };
    }
    match ty {
        Type::F32 => Some(Constant::Float(u64::from(float!(f32)))),
        Type::F64 => Some(Constant::Float(float!(f64))),
        Type::F16 => Some(Constant::Float(u64::from(float!(f16)))),
        Type::BF16 => Some(Constant::Float(u64::from(float!(bf16)))),
        _ => None,
    }
}
