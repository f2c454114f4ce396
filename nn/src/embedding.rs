//! Vectors by number.

use crate::Key;
use ringwood_graph::Tensors;
use ringwood_graph::lazy::Lazy;
use ringwood_kernels::lazy::Operations;

/// A row of a table for each number.
#[derive(Clone, Tensors)]
pub struct Embedding {
    /// `[numbers, features]`.
    pub table: Lazy,
}

impl Embedding {
    /// Rows of the normal distribution with a deviation of 0.02, as in GPT-2.
    #[track_caller]
    pub fn init(key: &Key, numbers: usize, features: usize) -> Self {
        Self { table: key.normal(&[numbers, features]) * 0.02 }
    }

    /// `[…]` of type `i32` to `[…, features]`.
    #[track_caller]
    pub fn apply(&self, numbers: &Lazy) -> Lazy {
        self.table.embedding(numbers)
    }
}
