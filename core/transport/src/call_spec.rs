//! What all ranks must call alike.

use super::agreement::Field;
use ringwood_schedule::{BufferMode, Invocation, Order, Request};
use std::borrow::Cow;

/// A call in full: what every rank of the group must make alike. Its hash is the
/// [fingerprint](CallSpec::fingerprint), by which the ranks agree.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CallSpec {
    /// What the group asks of the algorithm, with the mode of the caller's buffers.
    pub request: Request,
    /// The order of merges that is asked for.
    pub order: Option<Order>,
    /// The algorithm.
    pub algorithm: Cow<'static, str>,
    /// Whether the elements are in memory of devices.
    pub on_devices: bool,
    /// What the ranks call, where the operation is a part of it.
    pub purpose: Option<&'static str>,
}

impl CallSpec {
    /// 64 bits, not 0; different calls have different ones but for a chance of 2^-64.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        let mut take = |word: u64| {
            hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        };
        for field in self.fields() {
            field.1.bytes().for_each(|byte| take(u64::from(byte)));
            take(u64::MAX);
        }
        hash.max(1)
    }

    /// The fields by name, as text.
    pub fn fields(&self) -> Vec<Field> {
        let Request { what, ranks: _, elements, mode, arrangement } = &self.request;
        let Invocation { operation, reduce, dtype, root, permutation, counts, shape } = what;
        let memory = if self.on_devices { "devices" } else { "host" };
        let mode = match mode {
            Some(BufferMode::OutOfPlace) => "separate memory",
            _ => "the same memory",
        };
        let fields = [
            ("operation", self.purpose.unwrap_or(operation.name()).to_owned()),
            ("reduce operator", reduce.map_or_else(String::new, |op| op.to_string())),
            ("dtype", dtype.to_string()),
            ("count", elements.to_string()),
            ("memory", memory.to_owned()),
            ("shape", list(Some(shape).filter(|shape| !shape.is_empty()))),
            ("counts", list(counts.as_ref())),
            ("root", root.to_string()),
            ("permutation", list(permutation.as_ref())),
            ("input and output", mode.to_owned()),
            ("order", self.order.map_or_else(|| "any".to_owned(), |order| order.to_string())),
            ("arrangement", arrangement.to_string()),
            ("algorithm", self.algorithm.to_string()),
        ];
        fields.map(|(name, value)| (name.into(), value)).to_vec()
    }
}

fn list(numbers: Option<&Cow<'_, [usize]>>) -> String {
    numbers.map_or_else(|| "none".to_owned(), |numbers| format!("{numbers:?}"))
}
