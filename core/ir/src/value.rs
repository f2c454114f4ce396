//! Typed scalar values.

use crate::Type;
use std::fmt;

/// A value of one of the scalar types.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are those of Rust's types")]
pub enum Value {
    Bool(bool),
    I32(i32),
    U32(u32),
    I64(i64),
    U64(u64),
    Usize(usize),
    F32(f32),
    F64(f64),
}

macro_rules! each_value {
    ($value:expr, $v:ident => $body:expr) => {
        match $value {
            Value::Bool($v) => $body,
            Value::I32($v) => $body,
            Value::U32($v) => $body,
            Value::I64($v) => $body,
            Value::U64($v) => $body,
            Value::Usize($v) => $body,
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
    I32 i32;
    U32 u32;
    I64 i64;
    U64 u64;
    Usize usize;
    F32 f32;
    F64 f64;
}

impl Value {
    /// The value 0 (or `false`) of a type.
    pub const fn zero(ty: Type) -> Self {
        match ty {
            Type::Bool => Value::Bool(false),
            Type::I32 => Value::I32(0),
            Type::U32 => Value::U32(0),
            Type::I64 => Value::I64(0),
            Type::U64 => Value::U64(0),
            Type::Usize => Value::Usize(0),
            Type::F32 => Value::F32(0.0),
            Type::F64 => Value::F64(0.0),
        }
    }

    /// Rust's `as`. A `bool` goes to a floating-point type as 0 or 1.
    pub fn cast(self, ty: Type) -> Self {
        macro_rules! to {
            ($v:expr) => {
                match ty {
                    Type::Bool => self,
                    Type::I32 => Value::I32($v as i32),
                    Type::U32 => Value::U32($v as u32),
                    Type::I64 => Value::I64($v as i64),
                    Type::U64 => Value::U64($v as u64),
                    Type::Usize => Value::Usize($v as usize),
                    Type::F32 => Value::F32($v as f32),
                    Type::F64 => Value::F64($v as f64),
                }
            };
        }
        match self {
            Value::Bool(v) => to!(u8::from(v)),
            Value::I32(v) => to!(v),
            Value::U32(v) => to!(v),
            Value::I64(v) => to!(v),
            Value::U64(v) => to!(v),
            Value::Usize(v) => to!(v),
            Value::F32(v) => to!(v),
            Value::F64(v) => to!(v),
        }
    }

    /// Whether the bits are equal, every NaN being equal to every NaN of its type.
    pub fn same_bits(self, other: Self) -> bool {
        match (self, other) {
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
