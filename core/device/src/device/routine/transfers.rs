//! The routines of transfers.

use super::Routine;
use crate::device::merge::Expected;
use crate::device::transfer::{Sink, Source, Target, Transfer};
use crate::device::{Buffer, Context, NodeId, log, overlap};
use ringwood_base::{Error, Result};
use std::sync::Arc;

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
            return Err(Error::shape(message));
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
    /// The stream has no log file; see [`Stream::log_to`](crate::device::Stream::log_to).
    pub fn to_log(&self, node: NodeId, label: &str) -> Result<Option<Routine>> {
        let Some(source) = self.find(node).cloned() else { return Ok(None) };
        let name = format!("{node} to log");
        let log = self.stream().log(&name)?.clone();
        let (label, shape, dtype) = (label.to_owned(), source.shape(), source.dtype());
        let sink: Sink = Arc::new(move |bytes| {
            // The log keeps its failure, which `Transfer::submit` reports.
            let _ = match bytes {
                Ok(bytes) => {
                    let elements = log::show(dtype, bytes);
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
            return Err(Error::shape(message));
        }
        let (a, b) = (from.region(), to.region());
        if a.memory.shares(b.memory) && Buffer::span(&a) == Buffer::span(&b) {
            return Ok(None);
        }
        if overlap(&a, &b) {
            return Err(Error::invalid(format!("node {node} overlaps in the two contexts")));
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
            return Err(Error::device(message).help("merge by copy, with `Target::MergeSlot`"));
        }
        let (shape, dtype) = (tensor.shape(), tensor.dtype());
        let expected = Expected { node, shape, dtype, streamed: streamed.then(|| tensor.clone()) };
        let verb = if streamed { "stream" } else { "merge" };
        let (name, ends) = (format!("{verb} {node}"), (vec![node], vec![]));
        let transfer = Transfer::ToSlot { source, node, streamed };
        Ok(Routine::of_transfer(name, self.merging(expected), ends, transfer))
    }
}
