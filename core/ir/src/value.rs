//! Typed scalar values.

use crate::Type;
use half::{bf16, f16};
use std::fmt;

/// A value of one of the scalar types.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are those of Rust's types")]
pub enum Value {
    Bool(bool),
    U8(u8),
    I8(i8),
    I16(i16),
    U16(u16),
    I32(i32),
    U32(u32),
    I64(i64),
    U64(u64),
    Usize(usize),
    F16(f16),
    Bf16(bf16),
    F32(f32),
    F64(f64),
}

macro_rules! each_value {
    ($value:expr, $v:ident => $body:expr) => {
        match $value {
            Value::Bool($v) => $body,
            Value::U8($v) => $body,
            Value::I8($v) => $body,
            Value::I16($v) => $body,
            Value::U16($v) => $body,
            Value::I32($v) => $body,
            Value::U32($v) => $body,
            Value::I64($v) => $body,
            Value::U64($v) => $body,
            Value::Usize($v) => $body,
            Value::F16($v) => $body,
            Value::Bf16($v) => $body,
            Value::F32($v) => $body,
            Value::F64($v) => $body,
        }
    };
}

macro_rules! conversions {
    ($($variant:ident $rust:ty;)*) => {
        $(impl From<$rust> for Value {
            fn from(value: $rust) -> Self {
                Value::$variant(value)
            }
        })*

        impl Value {
            /// The type of the value.
            pub const fn ty(self) -> Type {
                match self { $(Value::$variant(_) => Type::$variant,)* }
            }
        }
    };
}

conversions! {
    Bool bool;
    U8 u8;
    I8 i8;
    I16 i16;
    U16 u16;
    I32 i32;
    U32 u32;
    I64 i64;
    U64 u64;
    Usize usize;
    F16 f16;
    Bf16 bf16;
    F32 f32;
    F64 f64;
}

impl Value {
    /// The value of an integer; `None` for other types.
    pub(crate) fn integer(self) -> Option<i128> {
        Some(match self {
            Value::U8(v) => v.into(),
            Value::I8(v) => v.into(),
            Value::I16(v) => v.into(),
            Value::U16(v) => v.into(),
            Value::I32(v) => v.into(),
            Value::U32(v) => v.into(),
            Value::I64(v) => v.into(),
            Value::U64(v) => v.into(),
            Value::Usize(v) => v as i128,
            _ => return None,
        })
    }

    /// The value 0 (or `false`) of a type.
    pub const fn zero(ty: Type) -> Self {
        match ty {
            Type::Bool => Value::Bool(false),
            Type::U8 => Value::U8(0),
            Type::I8 => Value::I8(0),
            Type::I16 => Value::I16(0),
            Type::U16 => Value::U16(0),
            Type::I32 => Value::I32(0),
            Type::U32 => Value::U32(0),
            Type::I64 => Value::I64(0),
            Type::U64 => Value::U64(0),
            Type::Usize => Value::Usize(0),
            Type::F16 => Value::F16(f16::ZERO),
            Type::Bf16 => Value::Bf16(bf16::ZERO),
            Type::F32 => Value::F32(0.0),
            Type::F64 => Value::F64(0.0),
        }
    }

    /// The bytes of the value in memory, in the order of the host.
    pub fn to_bytes(self) -> Vec<u8> {
        match self {
            Value::Bool(v) => vec![u8::from(v)],
            Value::U8(v) => vec![v],
            Value::I8(v) => v.to_ne_bytes().to_vec(),
            Value::I16(v) => v.to_ne_bytes().to_vec(),
            Value::U16(v) => v.to_ne_bytes().to_vec(),
            Value::I32(v) => v.to_ne_bytes().to_vec(),
            Value::U32(v) => v.to_ne_bytes().to_vec(),
            Value::I64(v) => v.to_ne_bytes().to_vec(),
            Value::U64(v) => v.to_ne_bytes().to_vec(),
            Value::Usize(v) => v.to_ne_bytes().to_vec(),
            Value::F16(v) => v.to_ne_bytes().to_vec(),
            Value::Bf16(v) => v.to_ne_bytes().to_vec(),
            Value::F32(v) => v.to_ne_bytes().to_vec(),
            Value::F64(v) => v.to_ne_bytes().to_vec(),
        }
    }

    /// The value of a type that these bytes, in the order of the host, hold; `None` if they are of
    /// another number.
    pub fn from_bytes(ty: Type, bytes: &[u8]) -> Option<Self> {
        Some(match ty {
            Type::Bool => Value::Bool(u8::from_ne_bytes(bytes.try_into().ok()?) != 0),
            Type::U8 => Value::U8(u8::from_ne_bytes(bytes.try_into().ok()?)),
            Type::I8 => Value::I8(i8::from_ne_bytes(bytes.try_into().ok()?)),
            Type::I16 => Value::I16(i16::from_ne_bytes(bytes.try_into().ok()?)),
            Type::U16 => Value::U16(u16::from_ne_bytes(bytes.try_into().ok()?)),
            Type::I32 => Value::I32(i32::from_ne_bytes(bytes.try_into().ok()?)),
            Type::U32 => Value::U32(u32::from_ne_bytes(bytes.try_into().ok()?)),
            Type::I64 => Value::I64(i64::from_ne_bytes(bytes.try_into().ok()?)),
            Type::U64 => Value::U64(u64::from_ne_bytes(bytes.try_into().ok()?)),
            Type::Usize => Value::Usize(usize::from_ne_bytes(bytes.try_into().ok()?)),
            Type::F16 => Value::F16(f16::from_ne_bytes(bytes.try_into().ok()?)),
            Type::Bf16 => Value::Bf16(bf16::from_ne_bytes(bytes.try_into().ok()?)),
            Type::F32 => Value::F32(f32::from_ne_bytes(bytes.try_into().ok()?)),
            Type::F64 => Value::F64(f64::from_ne_bytes(bytes.try_into().ok()?)),
        })
    }

    /// Rust's `as`. A `bool` goes to a floating-point type as 0 or 1, and a number to `bool` as whether it
    /// is not 0; to a type of 16 bits and from one, the way leads through `f32`.
    pub fn cast(self, ty: Type) -> Self {
        macro_rules! to {
            ($v:expr) => {
                match ty {
                    Type::Bool => Value::Bool($v as f64 != 0.0),
                    Type::U8 => Value::U8($v as u8),
                    Type::I8 => Value::I8($v as i8),
                    Type::I16 => Value::I16($v as i16),
                    Type::U16 => Value::U16($v as u16),
                    Type::I32 => Value::I32($v as i32),
                    Type::U32 => Value::U32($v as u32),
                    Type::I64 => Value::I64($v as i64),
                    Type::U64 => Value::U64($v as u64),
                    Type::Usize => Value::Usize($v as usize),
                    Type::F16 => Value::F16(f16::from_f32($v as f32)),
                    Type::Bf16 => Value::Bf16(bf16::from_f32($v as f32)),
                    Type::F32 => Value::F32($v as f32),
                    Type::F64 => Value::F64($v as f64),
                }
            };
        }
        match self {
            Value::Bool(v) => to!(u8::from(v)),
            Value::U8(v) => to!(v),
            Value::I8(v) => to!(v),
            Value::I16(v) => to!(v),
            Value::U16(v) => to!(v),
            Value::I32(v) => to!(v),
            Value::U32(v) => to!(v),
            Value::I64(v) => to!(v),
            Value::U64(v) => to!(v),
            Value::Usize(v) => to!(v),
            Value::F16(v) => to!(v.to_f32()),
            Value::Bf16(v) => to!(v.to_f32()),
            Value::F32(v) => to!(v),
            Value::F64(v) => to!(v),
        }
    }

    /// Whether the bits are equal, every NaN being equal to every NaN of its type.
    pub fn same_bits(self, other: Self) -> bool {
        match (self, other) {
            (Value::F16(a), Value::F16(b)) => {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }
            (Value::Bf16(a), Value::Bf16(b)) => {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }
            (Value::F32(a), Value::F32(b)) => {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }
            (Value::F64(a), Value::F64(b)) => {
                a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
            }
            (a, b) => a == b,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        each_value!(self, v => fmt::Debug::fmt(v, f))
    }
}
