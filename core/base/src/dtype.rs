//! Element types of tensors.

use crate::{Error, Result, ScalarType};
use half::{bf16, f16};
use std::fmt;
use std::str::FromStr;

mod element {
    pub trait Sealed {}
}

/// A Rust type that can be the element of a tensor.
///
/// Memory of tensors may hold any bytes, as others write it too: as a `bool`, 0 is false and any other byte
/// true.
pub trait Element:
    bytemuck::NoUninit
    + bytemuck::CheckedBitPattern
    + Default
    + PartialEq
    + fmt::Debug
    + Send
    + Sync
    + element::Sealed
{
    /// The run-time name of the type.
    const DTYPE: DType;

    /// The element that memory with these bits holds.
    fn from_memory(bits: Self::Bits) -> Self;

    /// Lets `write` replace the bytes of elements, which it gets as they are.
    fn write_bytes<R>(elements: &mut [Self], write: impl FnOnce(&mut [u8]) -> R) -> R;
}

/// What [`Element`] requires of a type: of numbers, any bytes are values.
macro_rules! memory {
    (bool) => {
        #[inline(always)]
        fn from_memory(bits: u8) -> bool {
            bits != 0
        }

        fn write_bytes<R>(elements: &mut [bool], write: impl FnOnce(&mut [u8]) -> R) -> R {
            let mut bytes = bytemuck::cast_slice(elements).to_vec();
            let result = write(&mut bytes);
            for (element, byte) in elements.iter_mut().zip(bytes) {
                *element = bool::from_memory(byte);
            }
            result
        }
    };
    ($number:ident) => {
        #[inline(always)]
        fn from_memory(bits: Self) -> Self {
            bits
        }

        fn write_bytes<R>(elements: &mut [Self], write: impl FnOnce(&mut [u8]) -> R) -> R {
            write(bytemuck::cast_slice_mut(elements))
        }
    };
}

macro_rules! dtypes {
    ($($variant:ident $rust:ident, $name:literal, $doc:literal;)*) => {
        /// The element type of a tensor.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum DType {
            $(#[doc = $doc] $variant,)*
        }

        impl DType {
            /// Every element type, in declaration order.
            pub const ALL: &'static [DType] = &[$(DType::$variant),*];

            /// The name as in Rust: `f32`, `i64`, …
            pub const fn name(self) -> &'static str {
                match self { $(DType::$variant => $name,)* }
            }

            /// The size of one element in bytes.
            pub const fn size(self) -> usize {
                match self { $(DType::$variant => size_of::<$rust>(),)* }
            }
        }

        impl From<DType> for ScalarType {
            fn from(dtype: DType) -> Self {
                match dtype { $(DType::$variant => ScalarType::$variant,)* }
            }
        }

        $(
            impl element::Sealed for $rust {}
            impl Element for $rust {
                const DTYPE: DType = DType::$variant;

                memory!($rust);
            }
        )*
    };
}

dtypes! {
    U8 u8, "u8", "8-bit unsigned integer.";
    I8 i8, "i8", "8-bit signed integer.";
    I16 i16, "i16", "16-bit signed integer.";
    U16 u16, "u16", "16-bit unsigned integer.";
    I32 i32, "i32", "32-bit signed integer.";
    U32 u32, "u32", "32-bit unsigned integer.";
    I64 i64, "i64", "64-bit signed integer.";
    U64 u64, "u64", "64-bit unsigned integer.";
    F16 f16, "f16", "IEEE 754 half precision.";
    BF16 bf16, "bf16", "bfloat16: the upper half of an `f32`.";
    F32 f32, "f32", "IEEE 754 single precision.";
    F64 f64, "f64", "IEEE 754 double precision.";
    Bool bool, "bool", "Truth value: one byte, 0 or 1.";
}

impl DType {
    /// Whether the type is a floating-point type.
    pub const fn is_float(self) -> bool {
        matches!(self, DType::F16 | DType::BF16 | DType::F32 | DType::F64)
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for DType {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        DType::ALL.iter().copied().find(|d| d.name() == name).ok_or_else(|| {
            let known: Vec<_> = DType::ALL.iter().map(|d| d.name()).collect();
            Error::dtype(format!("no dtype `{name}`; known: {}", known.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests;
