//! The merge of values in a reduction.

use serde::{Deserialize, Deserializer, de};
use std::fmt;

/// How the values of all ranks become one.
///
/// Every operator is a registered map kernel, looked up by name for the element type: Ringwood's own
/// for those that are named here, whatever other packages call theirs. `f16` and
/// `bf16` elements are merged in `f32`, which travels, and rounded once at the end; see
/// [`Codec`](super::Codec).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReduceOp {
    /// The sum: kernel `add`.
    Sum,
    /// The product: kernel `mul`.
    Prod,
    /// The smallest: kernel `min`.
    Min,
    /// The largest: kernel `max`.
    Max,
    /// The sum divided by the group size: kernels `add` and `div`. For integers the quotient is
    /// truncated toward zero.
    Mean,
    /// The sum of `f32` or `f64` with the same bits for every order of merges, algorithm and group
    /// size, by accumulators of 16 or 32 bytes: kernels `reproducible_encode_f32`,
    /// `reproducible_merge_f32`, `reproducible_decode_f32` and those of `f64`.
    ///
    /// The error of `n` values before the last rounding is below `n` 2^-36 times the largest
    /// magnitude for `f32`, `n` 2^-80 times for `f64`: less than that of any order of plain sums.
    ///
    /// Sources: Demmel and Nguyen, "Parallel reproducible summation", 2015; Ahrens, Demmel and
    /// Nguyen, "Algorithms for efficient reproducible floating point summation", 2020.
    ReproducibleSum,
    /// The sum of `f32` that travel as 8-bit integers with a scale for each 32, each rounded twice:
    /// kernels `int8_encode` and `int8_add`.
    Int8Sum,
    /// [`Int8Sum`](Self::Int8Sum) divided by the group size.
    Int8Mean,
    /// A map kernel of this name with two operands, associative and commutative.
    Kernel(&'static str),
    /// A map kernel of this name with two operands, associative, whose operands may not change
    /// places: an algorithm runs it if it is proved to merge the ranks in their order.
    Ordered(&'static str),
}

impl ReduceOp {
    /// The name, and the kernel that merges.
    const fn row(self) -> (&'static str, &'static str) {
        match self {
            ReduceOp::Sum => ("sum", "ringwood::add"),
            ReduceOp::Prod => ("prod", "ringwood::mul"),
            ReduceOp::Min => ("min", "ringwood::min"),
            ReduceOp::Max => ("max", "ringwood::max"),
            ReduceOp::Mean => ("mean", "ringwood::add"),
            ReduceOp::ReproducibleSum => ("reproducible_sum", "ringwood::add"),
            ReduceOp::Int8Sum => ("int8_sum", "ringwood::add"),
            ReduceOp::Int8Mean => ("int8_mean", "ringwood::add"),
            ReduceOp::Kernel(name) | ReduceOp::Ordered(name) => (name, name),
        }
    }

    /// The name in messages and fingerprints.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// The kernel that merges two values.
    pub const fn merge(self) -> &'static str {
        self.row().1
    }

    /// Whether operands may change places.
    pub const fn commutes(self) -> bool {
        !matches!(self, ReduceOp::Ordered(_))
    }

    /// The kernel that finishes a complete value, given the group size as its second operand.
    pub const fn finish(self) -> Option<&'static str> {
        match self {
            ReduceOp::Mean | ReduceOp::Int8Mean => Some("ringwood::div"),
            _ => None,
        }
    }
}

/// The operator of a [name](ReduceOp::name); kernels of other names are known to the program that declares them.
impl<'de> Deserialize<'de> for ReduceOp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use ReduceOp::{Int8Mean, Int8Sum, Max, Mean, Min, Prod, ReproducibleSum, Sum};
        let name = String::deserialize(deserializer)?;
        let named = [Sum, Prod, Min, Max, Mean, ReproducibleSum, Int8Sum, Int8Mean];
        let found = named.into_iter().find(|op| op.name() == name);
        found.ok_or_else(|| de::Error::custom(format!("there is no reduce operator `{name}`")))
    }
}

impl fmt::Display for ReduceOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
