//! Values of a graph: which result of which node, and of what type.

use ringwood_base::{DType, Result, Shape};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The type of a value: element type and shape, printed `f32[32, 64]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TensorType {
    /// The element type.
    pub dtype: DType,
    /// The extents, slowest dimension first.
    pub shape: Shape,
}

impl TensorType {
    /// The type of tensors with these elements and extents.
    ///
    /// # Errors
    /// The shape cannot exist.
    pub fn new(dtype: DType, dims: &[usize]) -> Result<Self> {
        Shape::new(dims).map(|shape| Self { dtype, shape })
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        self.shape.elements() * self.dtype.size()
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dtype, self.shape)
    }
}

/// One result of one node, printed `%3`, or `%3.1` for its second result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "(u32, u32)", from = "(u32, u32)")]
pub struct ValueId {
    /// The position of the node.
    pub node: u32,
    /// Which of its results.
    pub result: u32,
}

impl From<(u32, u32)> for ValueId {
    fn from((node, result): (u32, u32)) -> Self {
        Self { node, result }
    }
}

impl From<ValueId> for (u32, u32) {
    fn from(id: ValueId) -> Self {
        (id.node, id.result)
    }
}

impl fmt::Display for ValueId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.result {
            0 => write!(f, "%{}", self.node),
            result => write!(f, "%{}.{result}", self.node),
        }
    }
}
