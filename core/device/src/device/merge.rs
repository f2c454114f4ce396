//! The merge slot: through it a routine sees the elements of a node as another context has them.

mod tree;

pub use tree::{MergeTree, merge_pairs};

use super::program::{Node, NodeId};
use super::{Buffer, Tensor};
use ringwood_base::{DType, Error, ErrorKind, Result, Shape};

/// What a merge slot holds, as linking knows it.
#[derive(Clone)]
pub(crate) struct Expected {
    pub(crate) node: NodeId,
    pub(crate) shape: Shape,
    pub(crate) dtype: DType,
    /// The elements themselves, if they are streamed.
    pub(crate) streamed: Option<Tensor>,
}

/// The memory behind [`StepArg::Merge`](super::StepArg::Merge), one for each root context.
#[derive(Default)]
pub(crate) struct MergeSlot {
    /// The slot's own memory; it never belongs to a source.
    pub(crate) own: Option<Buffer>,
    pub(crate) holds: Option<Held>,
}

/// What a merge slot holds.
pub(crate) struct Held {
    pub(crate) node: NodeId,
    /// A copy in the slot's own memory, or the source itself.
    pub(crate) tensor: Tensor,
    /// For the source itself: how often it was written when it was streamed.
    pub(crate) writes: Option<u64>,
}

impl Held {
    /// As linking would know it.
    pub(crate) fn expected(&self) -> Expected {
        let (shape, dtype) = (self.tensor.shape(), self.tensor.dtype());
        let streamed = self.writes.map(|_| self.tensor.clone());
        Expected { node: self.node, shape, dtype, streamed }
    }
}

/// Refuses to let `routine` merge `node` from a slot that holds something else.
pub(crate) fn check(routine: &str, node: &Node, holds: Option<&Expected>) -> Result<()> {
    let want = node.id;
    let wrong = |kind, message| Err(Error::new(kind, message));
    match holds {
        Some(holds) if holds.node == want => {
            if (holds.shape, holds.dtype) == (node.shape, node.dtype) {
                return Ok(());
            }
            let kind = if holds.dtype == node.dtype { ErrorKind::Shape } else { ErrorKind::DType };
            let message = format!(
                "routine `{routine}` merges node {want} as {} {}, the merge slot holds it as {} {}",
                node.dtype, node.shape, holds.dtype, holds.shape
            );
            wrong(kind, message)
        }
        _ => {
            let have = holds.map_or("nothing".into(), |holds| format!("node {}", holds.node));
            let message =
                format!("routine `{routine}` merges node {want}, the merge slot holds {have}");
            wrong(ErrorKind::Mismatch, message)
        }
    }
}
