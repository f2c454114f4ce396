//! The messages of the protocol as bytes: a number for each variant, then its fields.

use super::codec::{Reader, Wire, Writer};
use super::malformed;
use crate::Value;
use crate::protocol::{Command, Event, Failure, Operand, Order, Register, Reply, Report, Setup};
use ringwood_base::{Result, Scalar};
use ringwood_device::device::Tensor;

macro_rules! messages {
    ($($name:ident { $($tag:literal $variant:ident { $($field:tt $var:ident),* })* })*) => {$(
        impl Wire for $name {
            fn put(&self, to: &mut Writer) {
                match self {
                    $(Self::$variant { $($field: $var),* } => {
                        to.bytes.push($tag);
                        $($var.put(to);)*
                    })*
                }
            }

            fn take(from: &mut Reader<'_>) -> Result<Self> {
                match u8::take(from)? {
                    $($tag => Ok(Self::$variant { $($field: Wire::take(from)?),* }),)*
                    _ => Err(malformed(concat!("it holds no ", stringify!($name)))),
                }
            }
        }
    )*};
}

macro_rules! records {
    ($($name:ident { $($field:tt),* })*) => {$(
        impl Wire for $name {
            fn put(&self, to: &mut Writer) {
                $(self.$field.put(to);)*
            }

            fn take(from: &mut Reader<'_>) -> Result<Self> {
                Ok(Self { $($field: Wire::take(from)?),* })
            }
        }
    )*};
}

messages! {
    Order {
        0 Start { 0 setup }
        1 Command { 0 command }
        2 Close { 0 failure }
        3 Absent { wait wait, failure failure }
        4 Ping { 0 number }
    }
    Report {
        0 Reply { 0 reply }
        1 Event { 0 event }
        2 Close { 0 failure }
        3 Done { 0 number }
        4 Pong { 0 number }
    }
    Command {
        0 Call { call call, function function, operands operands, target target }
        1 Set { register register, value value }
        2 Free { registers registers }
        3 Fetch { request request, register register }
        4 Await { request request, register register }
        5 Replace { request request, register register, value value }
        6 Sync { request request }
        7 Shutdown {}
    }
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
    }
    Operand {
        0 Value { 0 value }
        1 Register { 0 register }
    }
    Event {
        0 Begin { call call, function function }
        1 Enter { scope scope, name name }
        2 Leave { joined joined }
        3 Exchange { direction direction, peer peer }
        4 Exchanged {}
        5 End { failure failure }
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
    Setup { rank, workers, groups, timeout, threads, share, devices, stream_kind, pinned, transport, address, model, flight, version, functions }
}

/// A tensor on a device travels as its elements: whoever sends one has taken them from it.
impl Wire for Tensor {
    fn put(&self, _: &mut Writer) {}

    fn take(_: &mut Reader<'_>) -> Result<Self> {
        Err(malformed("it holds a tensor without elements"))
    }
}
