//! What placement finds for a node: which kernel computes it, and what its parameters receive.

use ringwood_device::device::Kernel;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How a device computes a node; found once, when the node is placed.
#[derive(Debug)]
pub(crate) struct Implementation {
    pub(crate) kernel: Kernel,
    /// The extent of each symbol of the shape rule: scalar arguments of the kernel.
    pub(crate) symbols: Vec<(String, usize)>,
    /// The operands of the node, by index, in the order of the kernel's parameters.
    pub(crate) order: Vec<u32>,
}

/// What placement found for a node. It follows from the rest of the node, so it does not count when
/// nodes are compared, and is not written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found(pub(super) Option<Arc<Implementation>>);

impl PartialEq for Found {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Found {}

impl Hash for Found {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Found {
    /// What was found, if anything.
    pub(crate) fn get(&self) -> Option<&Implementation> {
        self.0.as_deref()
    }
}

impl From<Implementation> for Found {
    fn from(implementation: Implementation) -> Self {
        Found(Some(Arc::new(implementation)))
    }
}
