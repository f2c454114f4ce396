//! What a program does to its nodes.

use super::NodeId;

/// What a program does to its nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Access {
    pub(crate) inputs: Vec<NodeId>,
    pub(crate) outputs: Vec<NodeId>,
    pub(crate) merge: Option<NodeId>,
    /// Nodes that steps use as the context's own, in declaration order.
    pub(crate) own: Vec<usize>,
}
