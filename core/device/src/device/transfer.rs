//! Transfers: host to node, node to host or log, node to node of another context, as routines.

mod route;

pub(crate) use route::{Begun, RouteCounts};
pub use route::{Carried, Route};

use super::merge::{Expected, Held};
use super::program::NodeId;
use super::{Buffer, Context, PATIENCE, Routine, Stream, Tensor, lock};
use crate::backend::Region;
use ringwood_base::{Error, ErrorKind, Result};
use std::sync::Arc;

/// Receives the bytes of a node each time a transfer to the host completes, or the failure that
/// kept them away; called on a thread of the backend, or in `submit` if that fails.
/// It must not use tensors.
pub type Sink = Arc<dyn Fn(Result<&[u8]>) + Send + Sync>;

/// Where a transfer between contexts puts the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The target context's own tensor of the node.
    Node,
    /// The target context's merge slot, as a copy.
    MergeSlot,
    /// The target context's merge slot, without a copy: routines read the source itself, on the same
    /// device.
    ///
    /// They see what a copy would hold: one that is submitted after another write of the buffer
    /// that holds the source is refused.
    Streamed,
}

/// A transfer, linked.
pub(crate) enum Transfer {
    FromHost { bytes: Arc<[u8]>, target: Tensor },
    ToHost { source: Tensor, sink: Sink },
    ToLog { source: Tensor, sink: Sink },
    ToNode { source: Source, target: Tensor },
    ToSlot { source: Source, node: NodeId, streamed: bool },
}

/// The tensor of another context, and the stream of that context.
pub(crate) struct Source {
    tensor: Tensor,
    stream: Stream,
}

impl Context {
    /// A routine that writes `bytes` into the node's tensor; `None` if the context does not hold it.
    ///
    /// # Errors
    /// The number of bytes is not that of the tensor.
    pub fn from_host(&self, node: NodeId, bytes: Arc<[u8]>) -> Result<Option<Routine>> {
        let Some(target) = self.find(node).cloned() else { return Ok(None) };
        if bytes.len() != target.bytes() {
            let (got, want) = (bytes.len(), target.bytes());
            let message = format!("{got} bytes do not fill node {node} of {want} bytes");
            return Err(Error::new(ErrorKind::Shape, message));
        }
        let transfer = Transfer::FromHost { bytes, target };
        let (name, ends) = (format!("host to {node}"), (vec![], vec![node]));
        Ok(Some(Routine::of_transfer(name, self.clone(), ends, transfer)))
    }

    /// A routine that hands the bytes of the node's tensor to `sink`; `None` if the context does
    /// not hold it.
    pub fn to_host(&self, node: NodeId, sink: Sink) -> Option<Routine> {
        let transfer = Transfer::ToHost { source: self.find(node)?.clone(), sink };
        let (name, ends) = (format!("{node} to host"), (vec![node], vec![]));
        Some(Routine::of_transfer(name, self.clone(), ends, transfer))
    }

    /// A routine that writes the node's elements to the log file of the stream, behind `label`; `None`
    /// if the context does not hold it. A line shows at most 64 elements.
    ///
    /// A line that cannot be written is reported by the next routine that logs.
    ///
    /// # Errors
    /// The stream has no log file; see [`Stream::log_to`](super::Stream::log_to).
    pub fn to_log(&self, node: NodeId, label: &str) -> Result<Option<Routine>> {
        let Some(source) = self.find(node).cloned() else { return Ok(None) };
        let name = format!("{node} to log");
        let log = self.stream().log(&name)?.clone();
        let (label, shape, dtype) = (label.to_owned(), source.shape(), source.dtype());
        let sink: Sink = Arc::new(move |bytes| {
            // The log keeps its failure, which `Transfer::submit` reports.
            let _ = match bytes {
                Ok(bytes) => {
                    let elements = super::log::show(dtype, bytes);
                    log.line(&label, format_args!("{node} {dtype} {shape} = {elements}"))
                }
                Err(error) => log.line(&label, format_args!("{node} has no elements: {error}")),
            };
        });
        let transfer = Transfer::ToLog { source, sink };
        Ok(Some(Routine::of_transfer(name, self.clone(), (vec![node], vec![]), transfer)))
    }

    /// A routine that copies the node's elements from `source` to this context, on the stream of
    /// this context. Between backends, or without peer copies, it goes through the host, which reads
    /// on the stream of `source`.
    ///
    /// `None` if there is nothing to do: `source` does not hold the node; this context does not
    /// hold it, or holds the same memory (both for [`Target::Node`]). The routine's context expects
    /// the node in the merge slot (for [`Target::MergeSlot`] and [`Target::Streamed`]).
    ///
    /// # Errors
    /// The two tensors differ in shape or type, or overlap; [`Target::Streamed`] from another device.
    pub fn transfer_from(
        &self,
        source: &Context,
        node: NodeId,
        target: Target,
    ) -> Result<Option<Routine>> {
        let Some(from) = source.find(node).cloned() else { return Ok(None) };
        if target != Target::Node {
            let source = Source { tensor: from, stream: source.stream().clone() };
            return self.merge_from(source, node, target == Target::Streamed).map(Some);
        }
        let Some(to) = self.find(node).cloned() else { return Ok(None) };
        if (from.shape(), from.dtype()) != (to.shape(), to.dtype()) {
            let message = format!("node {node} is {from:?} in one context and {to:?} in the other");
            return Err(Error::new(ErrorKind::Shape, message));
        }
        let (a, b) = (from.region(), to.region());
        if a.memory.shares(b.memory) && Buffer::span(&a) == Buffer::span(&b) {
            return Ok(None);
        }
        if super::overlap(&a, &b) {
            let message = format!("node {node} overlaps in the two contexts");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let (name, ends) = (format!("{node} to {node}"), (vec![node], vec![node]));
        let source = Source { tensor: from.clone(), stream: source.stream().clone() };
        let transfer = Transfer::ToNode { source, target: to };
        Ok(Some(Routine::of_transfer(name, self.clone(), ends, transfer)))
    }

    /// The transfer of `source` into the merge slot.
    fn merge_from(&self, source: Source, node: NodeId, streamed: bool) -> Result<Routine> {
        let tensor = &source.tensor;
        if streamed && tensor.device() != self.device() {
            let (has, want) = (tensor.device(), self.device());
            let message =
                format!("node {node} is on {has}, and routines on {want} cannot read it there");
            return Err(Error::new(ErrorKind::Device, message)
                .help("merge by copy, with `Target::MergeSlot`"));
        }
        let (shape, dtype) = (tensor.shape(), tensor.dtype());
        let expected = Expected { node, shape, dtype, streamed: streamed.then(|| tensor.clone()) };
        let verb = if streamed { "stream" } else { "merge" };
        let (name, ends) = (format!("{verb} {node}"), (vec![node], vec![]));
        let transfer = Transfer::ToSlot { source, node, streamed };
        Ok(Routine::of_transfer(name, self.merging(expected), ends, transfer))
    }
}

impl Transfer {
    /// Submits the transfer as [`Transfer::submit`], but one through the host to a node only so far that the host
    /// does not wait.
    pub(crate) fn begin(&self, context: &Context) -> Result<Begun> {
        match self {
            Self::ToNode { source, target } => {
                let reader = || Ok(source.stream.clone());
                let from = source.tensor.region();
                context.stream().begin_transfer(from, target.region(), reader)
            }
            _ => self.submit(context).map(Begun::Direct),
        }
    }

    /// Submits the transfer on the stream of `context`.
    pub(crate) fn submit(&self, context: &Context) -> Result<u64> {
        match self {
            Self::FromHost { bytes, target } => {
                context.stream().write_region(bytes.clone(), target.region())
            }
            Self::ToHost { source, sink } => read(context, source, sink),
            Self::ToLog { source, sink } => {
                context.stream().log("to log")?;
                read(context, source, sink)
            }
            Self::ToNode { source, target } => copy(context, source, target.region()),
            Self::ToSlot { source, node, streamed: false } => copy_to_slot(context, source, *node),
            Self::ToSlot { source, node, streamed: true } => {
                let mut slot = lock(context.slot());
                slot.holds = None;
                let buffer = source.tensor.buffer();
                let record = lock(buffer.record());
                record.check(buffer)?;
                let (tensor, writes) = (source.tensor.clone(), Some(record.writes()));
                slot.holds = Some(Held { node: *node, tensor, writes });
                Ok(context.stream().timeline().timeline.submitted())
            }
        }
    }
}

fn read(context: &Context, source: &Tensor, sink: &Sink) -> Result<u64> {
    let sink = sink.clone();
    let sink = Box::new(move |bytes: Result<&[u8]>| sink(bytes));
    context.stream().read_region(source.region(), sink)
}

fn copy_to_slot(context: &Context, source: &Source, node: NodeId) -> Result<u64> {
    let mut slot = lock(context.slot());
    slot.holds = None;
    let buffer = match slot.own.take() {
        Some(old) => context.device().buffer_from(old, source.tensor.bytes())?,
        None => context.device().buffer(source.tensor.bytes())?,
    };
    let (shape, dtype) = (source.tensor.shape(), source.tensor.dtype());
    let tensor = Tensor::new(slot.own.insert(buffer).clone(), 0, shape, dtype)?;
    let at = copy(context, source, tensor.region())?;
    slot.holds = Some(Held { node, tensor, writes: None });
    Ok(at)
}

fn copy(context: &Context, source: &Source, target: Region<'_, Buffer>) -> Result<u64> {
    let reader = || Ok(source.stream.clone());
    context.stream().transfer(source.tensor.region(), target, reader, PATIENCE)
}
