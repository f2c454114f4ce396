//! The merge of values in a reduction.

use std::fmt;

/// How the values of all ranks become one.
///
/// Every operator is a registered map kernel, looked up by name for the element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
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
    /// A map kernel of this name with two operands, associative and commutative.
    Kernel(&'static str),
}

impl ReduceOp {
    /// The name in messages and fingerprints.
    pub const fn name(self) -> &'static str {
        match self {
            ReduceOp::Sum => "sum",
            ReduceOp::Prod => "prod",
            ReduceOp::Min => "min",
            ReduceOp::Max => "max",
            ReduceOp::Mean => "mean",
            ReduceOp::Kernel(name) => name,
        }
    }

    /// The kernel that merges two values.
    pub const fn merge(self) -> &'static str {
        match self {
            ReduceOp::Sum | ReduceOp::Mean => "add",
            ReduceOp::Prod => "mul",
            ReduceOp::Min => "min",
            ReduceOp::Max => "max",
            ReduceOp::Kernel(name) => name,
        }
    }

    /// The kernel that finishes a complete value, given the group size as its second operand.
    pub const fn finish(self) -> Option<&'static str> {
        match self {
            ReduceOp::Mean => Some("div"),
            _ => None,
        }
    }
}

impl fmt::Display for ReduceOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
