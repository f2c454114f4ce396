//! The scalar types of kernels.

use crate::named::named;
use std::fmt;

named! {
    /// A scalar type.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
    #[allow(missing_docs, reason = "the names are those of Rust's types")]
    pub enum Type {
        Bool "bool",
        U8 "u8",
        I8 "i8",
        I16 "i16",
        U16 "u16",
        I32 "i32",
        U32 "u32",
        I64 "i64",
        U64 "u64",
        /// An index. Devices may hold it in 32 bits where that is proved to make no difference.
        Usize "usize",
        /// Each operation is one of `f32`, rounded once to this type.
        F16 "f16",
        /// As `f16`.
        BF16 "bf16",
        F32 "f32",
        F64 "f64",
    }
    /// The name as in Rust.
    fn name;
}

impl Type {
    /// The bytes of a value in memory.
    pub const fn size(self) -> usize {
        match self {
            Type::Bool | Type::U8 | Type::I8 => 1,
            Type::I16 | Type::U16 | Type::F16 | Type::BF16 => 2,
            Type::I32 | Type::U32 | Type::F32 => 4,
            Type::I64 | Type::U64 | Type::Usize | Type::F64 => 8,
        }
    }

    /// The type that holds values of this one in memory.
    pub const fn stored(self) -> Type {
        match self {
            Type::Bool => Type::U8,
            Type::F16 | Type::BF16 => Type::U16,
            other => other,
        }
    }

    /// The type of elements of printed arrays: whatever byte an array begins with, it is no invalid `bool`.
    pub(crate) const fn in_array(self) -> Type {
        match self {
            Type::Bool => Type::U8,
            other => other,
        }
    }

    /// Whether this is an integer type of fewer than 32 bits, which C computes with in `int`.
    pub const fn is_small(self) -> bool {
        self.is_integer() && self.size() < 4
    }

    /// Whether this is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::BF16 | Type::F32 | Type::F64)
    }

    /// Whether this is a floating-point type of 16 bits, computed with in `f32`.
    pub const fn is_narrow(self) -> bool {
        matches!(self, Type::F16 | Type::BF16)
    }

    /// The type that values of this one are computed with, and held in other than in arguments.
    pub const fn computed(self) -> Type {
        if self.is_narrow() { Type::F32 } else { self }
    }

    /// Whether this is an integer type.
    pub const fn is_integer(self) -> bool {
        !self.is_float() && !matches!(self, Type::Bool)
    }

    /// Whether this is a signed integer or a floating-point type.
    pub const fn is_signed(self) -> bool {
        matches!(self, Type::I8 | Type::I16 | Type::I32 | Type::I64) || self.is_float()
    }

    /// The type in which sums of this one are added up: wide enough for many of them.
    pub const fn accumulator(self) -> Type {
        match self {
            Type::F16 | Type::BF16 => Type::F32,
            Type::U8 | Type::U16 => Type::U32,
            Type::I8 | Type::I16 => Type::I32,
            other => other,
        }
    }

    /// The smallest and the largest value of an integer type.
    pub const fn integer_range(self) -> Option<(i128, i128)> {
        if !self.is_integer() {
            return None;
        }
        let values = 1_i128 << (8 * self.size());
        Some(if self.is_signed() { (-values / 2, values / 2 - 1) } else { (0, values - 1) })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
