//! What a rank calls.

use super::{Operation, ReduceOp};
use ringwood_base::{DType, Error, Result};
use std::borrow::Cow;

/// What a rank calls, but for its data: an operation with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
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
    /// The rank that the input of each rank goes to, for a permutation; nothing moves if `None`.
    pub permutation: Option<Cow<'a, [usize]>>,
    /// The elements of each block where they differ: one number for each rank, or for all-to-all a
    /// matrix whose row `s` has what rank `s` sends to each rank. `None` if all are alike.
    pub counts: Option<Cow<'a, [usize]>>,
    /// The dimensions of the vector, or of each block, if the ranks bring tensors; a call on tensors
    /// takes them from those.
    pub shape: Cow<'a, [usize]>,
}

impl<'a> Invocation<'a> {
    /// An operation on elements of `dtype`, from or to rank 0.
    pub const fn new(operation: Operation, dtype: DType) -> Self {
        let (reduce, permutation, counts, shape) = (None, None, None, Cow::Borrowed(&[] as _));
        Self { operation, reduce, dtype, root: 0, permutation, counts, shape }
    }

    /// The same with this merge.
    pub fn reduce(self, op: ReduceOp) -> Self {
        Self { reduce: Some(op), ..self }
    }

    /// The same from or to another root.
    pub fn root(self, root: usize) -> Self {
        Self { root, ..self }
    }

    /// The same with the input of rank `r` going to rank `permutation[r]`.
    pub fn permutation(self, permutation: impl Into<Cow<'a, [usize]>>) -> Self {
        Self { permutation: Some(permutation.into()), ..self }
    }

    /// The same with blocks of different sizes.
    pub fn counts(self, counts: impl Into<Cow<'a, [usize]>>) -> Self {
        Self { counts: Some(counts.into()), ..self }
    }

    /// Whether it has a merge operator if its operation needs one, and no argument that its operation
    /// does not have.
    ///
    /// # Errors
    /// It is not so.
    pub fn check(&self) -> Result<()> {
        let operation = self.operation;
        let (reduces, permutes) = (operation.reduces(), operation == Operation::Permute);
        let wrong = [
            (reduces && self.reduce.is_none(), "needs a merge operator"),
            (!reduces && self.reduce.is_some(), "has no merge operator"),
            (!operation.rooted() && self.root != 0, "has no root"),
            (!permutes && self.permutation.is_some(), "has no permutation"),
            (!operation.blocked() && self.counts.is_some(), "has no blocks, and so no counts"),
        ];
        match wrong.into_iter().find(|(wrong, _)| *wrong) {
            Some((_, why)) => Err(Error::invalid(format!("{operation} {why}"))),
            None => Ok(()),
        }
    }

    /// Whether another one is the same: `==` for what borrows from elsewhere.
    #[inline]
    pub fn is(&self, other: &Invocation<'_>) -> bool {
        self.operation == other.operation
            && self.dtype == other.dtype
            && self.reduce == other.reduce
            && self.root == other.root
            && same(self.permutation.as_deref(), other.permutation.as_deref())
            && same(self.counts.as_deref(), other.counts.as_deref())
            && same(Some(&self.shape), Some(&other.shape))
    }

    /// The same, which borrows nothing.
    pub fn owned(&self) -> Invocation<'static> {
        let owned = |list: &Cow<'_, [usize]>| Cow::Owned(list.to_vec());
        Invocation {
            permutation: self.permutation.as_ref().map(owned),
            counts: self.counts.as_ref().map(owned),
            shape: owned(&self.shape),
            ..*self
        }
    }
}

/// Without `memcmp`, which takes long over the null of empty slices: its masked loads fault.
fn same(a: Option<&[usize]>, b: Option<&[usize]>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b),
        (a, b) => a.is_none() && b.is_none(),
    }
}
