//! Which tensor each node is.

use super::merge::{Expected, MergeSlot};
use super::program::NodeId;
use super::stream::Submitting;
use super::{Device, Stream, Tensor, lock};
use ringwood_base::sync::{Mutex, MutexGuard};
use ringwood_base::{Error, Result};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Which tensor each node is, on one stream of one device; immutable.
///
/// Every change is a child that holds the tensors of its parents itself: a parent may be dropped
/// before its children. All contexts that come from one root share one *merge slot*: memory of its
/// own that holds the elements of one node as another context has them.
///
/// ```no_run
/// use ringwood_device::device::{Context, Device, NodeId};
///
/// let device = Device::best()?;
/// let weights = NodeId(0);
/// let context = Context::new(&device.stream()?).with(weights, &device.tensor(&[1.0_f32, 2.0])?)?;
/// assert_eq!(context.tensor(weights)?.to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// Source: OCANNL's contexts, as of 2026.
#[derive(Clone)]
pub struct Context(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    stream: Stream,
    tensors: BTreeMap<NodeId, Tensor>,
    merge: Option<Expected>,
    slot: Arc<Mutex<MergeSlot>>,
}

impl Context {
    /// An empty root whose routines run on `stream`.
    pub fn new(stream: &Stream) -> Context {
        Self(Arc::new(Inner {
            stream: stream.clone(),
            tensors: BTreeMap::new(),
            merge: None,
            slot: Arc::default(),
        }))
    }

    /// The stream on which routines of the context run.
    pub fn stream(&self) -> &Stream {
        &self.0.stream
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.0.stream.device()
    }

    /// The tensor of a node; a handle to the elements that routines use.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`](ringwood_base::ErrorKind::NotFound): the context does not hold the node.
    pub fn tensor(&self, node: NodeId) -> Result<Tensor> {
        self.find(node)
            .cloned()
            .ok_or_else(|| Error::not_found(format!("the context does not hold node {node}")))
    }

    /// Whether the context holds the node.
    pub fn contains(&self, node: NodeId) -> bool {
        self.find(node).is_some()
    }

    /// The nodes that the context holds, ascending.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.0.tensors.keys().copied()
    }

    /// The node whose elements the merge slot holds when the routines that lead here have run.
    pub fn merge_node(&self) -> Option<NodeId> {
        self.0.merge.as_ref().map(|merge| merge.node)
    }

    pub(crate) fn find(&self, node: NodeId) -> Option<&Tensor> {
        self.0.tensors.get(&node)
    }

    /// The merge slot, locked; not in a kernel or a sink that runs in the call which submits it, and which
    /// may hold the slot.
    pub(crate) fn slot(&self) -> Result<MutexGuard<'_, MergeSlot>> {
        drop(Submitting::enter()?);
        Ok(lock(&self.0.slot))
    }

    /// A child in which `node` is `tensor`.
    ///
    /// # Errors
    /// The tensor is on another device.
    pub fn with(&self, node: NodeId, tensor: &Tensor) -> Result<Context> {
        self.with_all([(node, tensor)])
    }

    /// A child in which each node is the given tensor.
    ///
    /// # Errors
    /// A tensor is on another device.
    pub fn with_all<'a>(
        &self,
        tensors: impl IntoIterator<Item = (NodeId, &'a Tensor)>,
    ) -> Result<Context> {
        let mut child = Inner::clone(&self.0);
        for (node, tensor) in tensors {
            if tensor.device() != self.device() {
                let want = self.device();
                let has = tensor.device().told_from(want);
                let message = format!("node {node} is on {has}, the context is on {want}");
                return Err(Error::device(message).help("move it with `to_device`"));
            }
            child.tensors.insert(node, tensor.clone());
        }
        Ok(Self(Arc::new(child)))
    }

    /// What the merge slot holds when the routines that lead here have run.
    pub(crate) fn expected(&self) -> Option<&Expected> {
        self.0.merge.as_ref()
    }

    /// A child that expects this in the merge slot.
    pub(crate) fn merging(&self, expected: Expected) -> Context {
        Self(Arc::new(Inner { merge: Some(expected), ..Inner::clone(&self.0) }))
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Context({} on {}", self.0.stream.id(), self.device())?;
        for (node, tensor) in &self.0.tensors {
            write!(f, ", {node}: {} {}", tensor.dtype(), tensor.shape())?;
        }
        f.write_str(")")
    }
}
