//! Transfers: host to node, node to host or log, node to node of another context.

mod carry;
mod route;

pub(crate) use carry::Begun;
pub use carry::Carried;
pub use route::Route;
pub(crate) use route::RouteCounts;

use super::merge::Held;
use super::program::NodeId;
use super::{Buffer, Context, PATIENCE, Stream, Tensor, lock};
use crate::backend::Region;
use ringwood_base::Result;
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
    pub(crate) tensor: Tensor,
    pub(crate) stream: Stream,
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
                let mut slot = context.slot()?;
                slot.holds = None;
                let buffer = source.tensor.buffer();
                let record = lock(buffer.record());
                buffer.check(&record)?;
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
    let mut slot = context.slot()?;
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
