//! Typed scalar values.

use crate::Type;
use half::{bf16, f16};
use std::convert::identity;
use std::fmt;

/// `body` for the value `x` of one of the variants.
macro_rules! each {
    ([$($variant:ident)*] $value:expr, $x:ident => $body:expr, $otherwise:expr) => {
        match $value {
            $(Value::$variant($x) => $body,)*
            _ => $otherwise,
        }
    };
}
pub(crate) use each;

/// A value of another type than one that is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mistyped {
    /// The type that is taken.
    pub expected: Type,
    /// What was given.
    pub value: Value,
}

impl fmt::Display for Mistyped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mistyped { expected, value } = self;
        write!(f, "expected a scalar of type {expected}, got {value} of type {}", value.ty())
    }
}

impl std::error::Error for Mistyped {}

/// The conversions from a type and to it.
macro_rules! convert {
    ($($variant:ident: $rust:ident;)*) => {$(
        impl From<$rust> for Value {
            fn from(value: $rust) -> Self {
                Value::$variant(value)
            }
        }

        impl TryFrom<Value> for $rust {
            type Error = Mistyped;

            fn try_from(value: Value) -> Result<Self, Mistyped> {
                match value {
                    Value::$variant(value) => Ok(value),
                    value => Err(Mistyped { expected: Type::$variant, value }),
                }
            }
        }
    )*};
}

/// The variants but `Bool`, each with its type, its 0, and what makes it of a number that `as` gives.
macro_rules! values {
    ($($(#[$serde:meta])? $variant:ident: $rust:ident = $zero:expr, $of:path;)*) => {
        /// A value of one of the scalar types, as a scalar argument of a kernel is one.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
        #[allow(missing_docs, reason = "the names are those of Rust's types")]
        pub enum Value {
            Bool(bool),
            $($(#[cfg_attr(feature = "serde", $serde)])? $variant($rust),)*
        }

        convert! {
            Bool: bool;
            $($variant: $rust;)*
        }

        impl Value {
            /// The type of the value.
            pub const fn ty(self) -> Type {
                match self {
                    Value::Bool(_) => Type::Bool,
                    $(Value::$variant(_) => Type::$variant,)*
                }
            }

            /// The value 0 (or `false`) of a type.
            pub const fn zero(ty: Type) -> Self {
                match ty {
                    Type::Bool => Value::Bool(false),
                    $(Type::$variant => Value::$variant($zero),)*
                }
            }

            /// The integer, as Rust's `as` has it in a type; in `bool`, whether it is not 0.
            pub fn of_integer(value: i128, ty: Type) -> Self {
                match ty {
                    Type::Bool => Value::Bool(value != 0),
                    $(Type::$variant => Value::$variant($of(value as _)),)*
                }
            }

            /// As [`Value::of_integer`], of a floating-point number.
            fn of_float(value: f64, ty: Type) -> Self {
                match ty {
                    Type::Bool => Value::Bool(value != 0.0),
                    $(Type::$variant => Value::$variant($of(value as _)),)*
                }
            }

            /// The bytes of the value in memory, in the order of the host.
            pub fn to_bytes(self) -> Vec<u8> {
                match self {
                    Value::Bool(value) => vec![value.into()],
                    $(Value::$variant(value) => value.to_ne_bytes().into(),)*
                }
            }

            /// The value of a type that these bytes, in the order of the host, hold; `None` if they are of
            /// another number.
            pub fn from_bytes(ty: Type, bytes: &[u8]) -> Option<Self> {
                Some(match ty {
                    Type::Bool => Value::Bool(u8::from_ne_bytes(bytes.try_into().ok()?) != 0),
                    $(Type::$variant => $rust::from_ne_bytes(bytes.try_into().ok()?).into(),)*
                })
            }
        }

        impl Value {
            /// The bits of the value, in the lower bytes of a word.
            pub fn to_bits(self) -> u64 {
                let mut word = [0; 8];
                match self {
                    Value::Bool(value) => word[0] = value.into(),
                    $(Value::$variant(value) => {
                        word[..size_of::<$rust>()].copy_from_slice(&value.to_le_bytes());
                    })*
                }
                u64::from_le_bytes(word)
            }

            /// The value of a type that a text is, as Rust's `parse` reads it.
            pub fn parse(ty: Type, text: &str) -> Option<Self> {
                match ty {
                    Type::Bool => text.parse().ok().map(Value::Bool),
                    $(Type::$variant => text.parse().ok().map(Value::$variant),)*
                }
            }

            /// The value as Rust's `Debug` has it, of which it is read again exactly: `1.0` and `1e300`.
            pub fn literal(self) -> String {
                match self {
                    Value::Bool(value) => value.to_string(),
                    $(Value::$variant(value) => format!("{value:?}"),)*
                }
            }
        }

        impl fmt::Display for Value {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Value::Bool(value) => value.fmt(f),
                    $(Value::$variant(value) => value.fmt(f),)*
                }
            }
        }
    };
}

values! {
    U8: u8 = 0, identity;
    I8: i8 = 0, identity;
    I16: i16 = 0, identity;
    U16: u16 = 0, identity;
    I32: i32 = 0, identity;
    U32: u32 = 0, identity;
    I64: i64 = 0, identity;
    U64: u64 = 0, identity;
    Usize: usize = 0, identity;
    #[serde(serialize_with = "exact::write", deserialize_with = "exact::f16")]
    F16: f16 = f16::ZERO, f16::from_f32;
    #[serde(serialize_with = "exact::write", deserialize_with = "exact::bf16")]
    BF16: bf16 = bf16::ZERO, bf16::from_f32;
    F32: f32 = 0.0, identity;
    F64: f64 = 0.0, identity;
}

impl Value {
    /// The value of an integer, or 0 or 1 for a `bool`; `None` for other types.
    pub fn integer(self) -> Option<i128> {
        each!([Bool U8 I8 I16 U16 I32 U32 I64 U64 Usize] self, v => Some(v as i128), None)
    }

    /// The value of a floating-point type, and 0 of another.
    fn float(self) -> f64 {
        match self {
            Value::F64(v) => v,
            other => each!([F16 BF16 F32] other, v => v.into(), 0.0),
        }
    }

    /// The value of a floating-point type with these bits; those of an `f32` are the lower half.
    pub(crate) fn of_bits(bits: u64, ty: Type) -> Self {
        match ty {
            Type::F16 => f16::from_bits(bits as u16).into(),
            Type::BF16 => bf16::from_bits(bits as u16).into(),
            Type::F32 => f32::from_bits(bits as u32).into(),
            _ => f64::from_bits(bits).into(),
        }
    }

    /// Rust's `as`. A `bool` goes to a floating-point type as 0 or 1, and a number to `bool` as whether it
    /// is not 0; to a type of 16 bits and from one, the way leads through `f32`.
    pub fn cast(self, ty: Type) -> Self {
        match self.integer() {
            _ if self.ty() == ty => self,
            Some(value) => Value::of_integer(value, ty),
            None => Value::of_float(self.float(), ty),
        }
    }

    /// Whether the bits are equal, every NaN being equal to every NaN of its type.
    pub fn same_bits(self, other: Self) -> bool {
        let (a, b) = (self.float(), other.float());
        self.ty() == other.ty()
            && self.integer() == other.integer()
            && (a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan())
    }
}

/// Numbers of 16 bits as the numbers that they are.
#[cfg(feature = "serde")]
mod exact {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn write<T, S>(value: &T, to: S) -> Result<S::Ok, S::Error>
    where
        T: Copy + Into<f32>,
        S: Serializer,
    {
        to.serialize_f32((*value).into())
    }

    pub(super) fn f16<'de, D: Deserializer<'de>>(from: D) -> Result<half::f16, D::Error> {
        f32::deserialize(from).map(half::f16::from_f32)
    }

    pub(super) fn bf16<'de, D: Deserializer<'de>>(from: D) -> Result<half::bf16, D::Error> {
        f32::deserialize(from).map(half::bf16::from_f32)
    }
}

#[cfg(test)]
mod tests;
