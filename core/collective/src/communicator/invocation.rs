//! What a rank calls, but for its data.

use ringwood_base::DType;
use ringwood_schedule::{Operation, ReduceOp};

/// What a rank calls, but for its data: an operation with its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Invocation<'a> {
    /// The operation.
    pub operation: Operation,
    /// The merge, for an operation that reduces.
    pub reduce: Option<ReduceOp>,
    /// The element type.
    pub dtype: DType,
    /// The root, for an operation that has one; else 0.
    pub root: usize,
    /// The rank that the input of each rank goes to, for a permutation; else empty.
    pub permutation: &'a [usize],
    /// The elements of each block where they differ, as in
    /// [`Request::counts`](ringwood_schedule::Request::counts).
    pub counts: &'a [usize],
}

impl<'a> Invocation<'a> {
    /// An operation on elements of `dtype`, from or to rank 0.
    pub const fn new(operation: Operation, dtype: DType) -> Self {
        Self { operation, reduce: None, dtype, root: 0, permutation: &[], counts: &[] }
    }

    /// The same with this merge.
    pub const fn reduce(self, op: ReduceOp) -> Self {
        Self { reduce: Some(op), ..self }
    }

    /// The same from or to another root.
    pub const fn root(self, root: usize) -> Self {
        Self { root, ..self }
    }

    /// The same with the input of rank `r` going to rank `permutation[r]`.
    pub const fn permutation(self, permutation: &'a [usize]) -> Self {
        Self { permutation, ..self }
    }

    /// The same with blocks of different sizes.
    pub const fn counts(self, counts: &'a [usize]) -> Self {
        Self { counts, ..self }
    }
}
