//! Views: values that are elements of another value at steps, so that no data moves.

use super::{Graph, ValueId};
use ringwood_base::StridedShape;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where the elements of a [`NodeKind::View`](super::NodeKind::View) node are in its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The first element.
    pub first: usize,
    /// The extents, and the steps between elements along each dimension.
    pub layout: StridedShape,
}

impl View {
    /// All elements of a value of this layout, in their order.
    pub(crate) fn dense(shape: ringwood_base::Shape) -> Self {
        Self { first: 0, layout: StridedShape::dense(shape) }
    }

    /// One past the last element that is read.
    pub(crate) fn end(&self) -> Option<usize> {
        self.first.checked_add(self.layout.reach())
    }
}

/// `2 + [3, 4] by [1, 3]`: the first element, the extents, the steps.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} + {:?}", self.first, self.layout)
    }
}

impl Graph {
    /// The value whose memory a value lies in: that of a view is its operand's.
    pub fn base(&self, mut value: ValueId) -> ValueId {
        while self.nodes[value.node as usize].view().is_some() {
            value = self.nodes[value.node as usize].operands[0];
        }
        value
    }

    /// The layout of a value whose elements have gaps or another order; `None` if they have not.
    pub(crate) fn steps(&self, value: ValueId) -> Option<&StridedShape> {
        let layout = &self.nodes[value.node as usize].view()?.layout;
        (!layout.is_dense()).then_some(layout)
    }
}
