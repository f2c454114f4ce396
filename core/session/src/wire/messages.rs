//! The messages of the protocol as bytes: a number for each variant, then its fields.

use super::codec::{Reader, Wire, Writer};
use super::malformed;
use crate::protocol::{Failure, Register, Reply, Setup};
use crate::{Config, Value};
use ringwood_base::{Result, Scalar};
use ringwood_device::device::Tensor;

/// Enums as bytes: the number of a variant, then its fields.
macro_rules! variants {
    ($($name:ident { $($tag:literal $variant:ident { $($field:tt $var:ident),* })* })*) => {$(
        impl $crate::wire::Wire for $name {
            fn put(&self, to: &mut $crate::wire::Writer) {
                use $crate::wire::Wire;
                match self {
                    $(Self::$variant { $($field: $var),* } => {
                        <u8 as Wire>::put(&$tag, to);
                        $($var.put(to);)*
                    })*
                }
            }

            fn take(from: &mut $crate::wire::Reader<'_>) -> ringwood_base::Result<Self> {
                use $crate::wire::Wire;
                match u8::take(from)? {
                    $($tag => Ok(Self::$variant { $($field: Wire::take(from)?),* }),)*
                    _ => Err($crate::wire::malformed(concat!("it holds no ", stringify!($name)))),
                }
            }
        }
    )*};
}

pub(crate) use variants;

/// Structs as bytes: their fields; what does not travel is that of `rest`.
macro_rules! records {
    ($($name:ident { $($field:tt),* $(; $rest:expr)? })*) => {$(
        impl Wire for $name {
            fn put(&self, to: &mut Writer) {
                $(self.$field.put(to);)*
            }

            fn take(from: &mut Reader<'_>) -> Result<Self> {
                Ok(Self { $($field: Wire::take(from)?,)* $(..$rest)? })
            }
        }
    )*};
}

variants! {
    Value {
        0 None {}
        1 Bool { 0 v }
        2 Int { 0 v }
        3 Float { 0 v }
        4 Str { 0 v }
        5 Bytes { 0 v }
        6 Shape { 0 v }
        7 DType { 0 v }
        8 Scalar { 0 v }
        9 Host { 0 v }
        10 List { 0 v }
        11 Tensor { 0 v }
        12 Some { 0 v }
        13 Numbers { 0 v }
    }
    Scalar {
        0 Bool { 0 v } 1 I32 { 0 v } 2 U32 { 0 v } 3 I64 { 0 v } 4 U64 { 0 v } 5 Usize { 0 v } 6 F32 { 0 v }
        7 F64 { 0 v } 8 U8 { 0 v } 9 I8 { 0 v } 10 I16 { 0 v } 11 U16 { 0 v } 12 F16 { 0 v } 13 BF16 { 0 v }
    }
}

records! {
    Register { 0 }
    Reply { request, outcome }
    Failure { kind, text, closes }
    Config { workers, groups, timeout, threads, share, devices, stream_kind, pinned, transport; Config::default() }
    Setup { rank, config, address, model, flight, version, functions }
}

/// A tensor on a device travels as its elements: whoever sends one has taken them from it.
impl Wire for Tensor {
    fn put(&self, _: &mut Writer) {}

    fn take(_: &mut Reader<'_>) -> Result<Self> {
        Err(malformed("it holds a tensor without elements"))
    }
}
